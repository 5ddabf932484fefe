// env: VGPU_CHECK=mem
// A static object frees its memory as the program ends: nothing is left then. A second one does not.
#include <cstdio>

struct buffer {
    float *p = nullptr;
    void need() { cudaMalloc(&p, 400); }
    ~buffer() { std::printf("freed: %s\n", cudaGetErrorString(cudaFree(p))); }
};

struct leaking {
    float *p = nullptr;
    void need() { cudaMalloc(&p, 40); }
};

static buffer first;
static leaking second;

int main() {
    first.need();
    second.need();
    static buffer inside;
    inside.need();
    return 0;
}
