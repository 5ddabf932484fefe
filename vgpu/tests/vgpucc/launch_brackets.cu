// Launches as Visual Studio formats them, which nvcc takes: `<< <` and `>> >`. What only looks like one
// (in comments, strings, operators, shifts) stays what it is, and so do lines and columns.
#include <cstdio>

#include "launch_brackets.cuh"

__device__ char words[8][16] = {"header", "plain", "apart", "shift", "macro", "lambda", "open", "close"};
const char *word(int i) {
    char *p = nullptr;
    cudaGetSymbolAddress((void **)&p, words);
    return p + 16 * i;
}

template <class T> struct Box { T v; };
template <class T> int operator<<(const Box<T> &a, int b) { return (int)a.v + b; }
template <class T> struct Friend { friend int operator<< <T>(const Box<T> &, int); };

/* print<< <1, 1>> >(word(0), 1); */
// print<< <1, 1>> >(word(0), 1);
const char *text = "print<< <1, 1>> >(\"x\");", *raw = R"(print<< <1, 1>> >(")x";)";
#define LAUNCH(grid, block) print << <grid, block >> >

__global__ void read(const int *p) { printf("%d\n", *p); }

int main() {
    const int n = 1'000'000;
    launch_from_header(word(0));
    print<<<1, 1>>>(word(1), 2);
    print << <dim3(1, 1), dim3((1)) >> > (word(2), 3);
    print<< <n >> 19, n>>19>> >(word(3), 4);
    LAUNCH(1, 1)(word(4), 5);
    auto launch = [&] { print << < 1, 1, 0 >> > (word(5), 6); };
    launch();
    print << <1, 1>>>(word(6), 7);
    print<<<1, 1 >> > (word(7), 8);
    cudaDeviceSynchronize();
    puts(text);
    puts(raw);
    printf("%d\n", operator<< <int>(Box<int>{3}, 4));
    read << <1, 1 >> > (nullptr);
    printf("%s\n", cudaGetErrorName(cudaDeviceSynchronize()));
    return 0;
}
