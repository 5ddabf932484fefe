// Calls a kernel through a function: a C++ compiler needs no CUDA for that.
#include "saxpy.h"

#include <cstdio>
#include <vector>

int main() {
    const int n = 1000;
    std::vector<float> x(n, 2.0f), y(n, 1.0f);
    if (!saxpy(n, 3.0f, x.data(), y.data())) {
        std::printf("saxpy failed\n");
        return 1;
    }
    for (float value : y)
        if (value != 7.0f) {
            std::printf("%g, expected 7\n", value);
            return 1;
        }
    std::printf("saxpy: %d elements are right\n", n);
    return 0;
}
