// Copies that go beyond the host's memory are refused: a local array, and what malloc or new gave.
#include <cstdio>
#include <cstdlib>
#include <vector>

static void copy(void *to, const void *from, size_t bytes, cudaMemcpyKind kind) {
    printf("%zu: %s\n", bytes, cudaGetErrorName(cudaMemcpy(to, from, bytes, kind)));
    fflush(stdout);
}

static void local_array(int *d) {
    int h[8];
    copy(h, d, sizeof h, cudaMemcpyDeviceToHost);
    copy(h, d, 4000, cudaMemcpyDeviceToHost);
    printf("%d\n", h[7]);
}

int main() {
    int *d;
    cudaMalloc(&d, 1 << 21);
    cudaMemset(d, 0, 1 << 21);
    local_array(d);

    int *h = (int *)malloc(100);
    float *g = new float[50];
    std::vector<float> v(64), large(1 << 18);
    copy(h, d, 100, cudaMemcpyDeviceToHost);
    copy(g, d, 200, cudaMemcpyDeviceToHost);
    copy(v.data(), d, 256, cudaMemcpyDeviceToHost);
    copy(v.data() + 4, d, 240, cudaMemcpyDeviceToHost);
    copy(large.data(), d, 1 << 20, cudaMemcpyDeviceToHost);

    copy(h, d, 400, cudaMemcpyDeviceToHost);
    copy(d, g, 800, cudaMemcpyHostToDevice);
    copy(d, v.data(), 1024, cudaMemcpyHostToDevice);
    copy(d, large.data(), (1 << 20) + 8192, cudaMemcpyHostToDevice);
    free(h);
    delete[] g;
    cudaFree(d);
    return 0;
}
