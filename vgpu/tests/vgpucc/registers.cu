// only: clang
// A thread's arrays: in registers where each index can be known when the kernel is compiled,
// whether or not a pragma asks for unrolling; in local memory where a loop's length is a variable.
#include <cstdio>
#include <vgpu_counters.h>

__global__ void known(const float *from, float *to) {
    float a[16], b[8], sum[16][8] = {};
    for (int p = 0; p < 100; ++p) {
        for (int i = 0; i < 16; ++i)
            a[i] = from[p * 24 + i];
        for (int j = 0; j < 8; ++j)
            b[j] = from[p * 24 + 16 + j];
        for (int i = 0; i < 16; ++i)
            for (int j = 0; j < 8; ++j)
                sum[i][j] += a[i] * b[j];
    }
    for (int i = 0; i < 16; ++i)
        for (int j = 0; j < 8; ++j)
            to[(i * 8 + j) * 32 + threadIdx.x] = sum[i][j];
}

__global__ void unknown(const float *from, float *to, int columns) {
    float sum[8] = {};
    for (int p = 0; p < 100; ++p)
        for (int j = 0; j < columns; ++j)
            sum[j] += from[p * 8 + j];
    for (int j = 0; j < columns; ++j)
        to[j * 32 + threadIdx.x] = sum[j];
}

static void print(const char *kernel) {
    struct vgpu_counters c;
    vgpu_last_counters(&c);
    printf("%s: %d bytes of local memory, %d of them at a moving index\n", kernel,
           (int)(c.local_load_bytes + c.local_store_bytes), (int)c.local_pinned_bytes);
}

int main() {
    float *memory;
    cudaMalloc(&memory, 1 << 16);
    cudaMemset(memory, 0, 1 << 16);
    vgpu_counters_enable();
    known<<<1, 32>>>(memory, memory + 4096);
    print("known");
    unknown<<<1, 32>>>(memory, memory + 4096, 8);
    print("unknown");
    cudaFree(memory);
}
