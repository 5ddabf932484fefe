// Threads walk over C in steps of the whole grid, and the sum is set to zero before that walk, not
// for each element: where C has more elements than the grid has threads, a thread's second element
// begins with the sum of its first.
#include "cuda_check.h"
#include "lab.h"

constexpr int THREADS = 256;
constexpr size_t MOST_BLOCKS = 1024; // plenty to keep the device busy

template <int BLOCK>
__global__ void products(int m, int n, int k, const float *__restrict__ A,
                         const float *__restrict__ B, float *__restrict__ C) {
    const size_t elements = (size_t)m * n;
    const size_t step = (size_t)gridDim.x * BLOCK;
    float dot = 0.0f;

    for (size_t e = (size_t)blockIdx.x * BLOCK + threadIdx.x; e < elements; e += step) {
        const float *a = A + e / n * k; // the row of A
        const float *b = B + e % n;     // the column of B
        for (int p = 0; p < k; ++p)
            dot += a[p] * b[(size_t)p * n];
        C[e] = dot;
    }
}

void matmul_device(int m, int n, int k, const float *A, const float *B, float *C) {
    size_t blocks = ((size_t)m * n + THREADS - 1) / THREADS;
    if (blocks > MOST_BLOCKS)
        blocks = MOST_BLOCKS;
    products<THREADS><<<(unsigned)blocks, THREADS>>>(m, n, k, A, B, C);
    CUDA_CHECK_LAUNCH();
}

static float *on_device(size_t count, const float *from) {
    float *to;
    CUDA_CHECK(cudaMalloc((void **)&to, count * sizeof(float)));
    if (from)
        CUDA_CHECK(cudaMemcpy(to, from, count * sizeof(float), cudaMemcpyHostToDevice));
    return to;
}

void matmul_host(int m, int n, int k, const float *A, const float *B, float *C) {
    const size_t count_C = (size_t)m * n;
    float *a = on_device((size_t)m * k, A);
    float *b = on_device((size_t)k * n, B);
    float *c = on_device(count_C, nullptr);

    matmul_device(m, n, k, a, b, c);

    CUDA_CHECK(cudaMemcpy(C, c, count_C * sizeof(float), cudaMemcpyDeviceToHost));
    for (float *p : {a, b, c})
        CUDA_CHECK(cudaFree(p));
}
