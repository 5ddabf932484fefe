// phase & 1 == 0 is phase & (1 == 0): one pair of tiles is used in all phases, with one barrier in
// each.
#include "cuda_check.h"
#include "lab.h"

constexpr int T = 32;

struct Pair {
    float a[T][T];
    float b[T][T];
};

__global__ void multiply(int m, int n, int k, const float *A, const float *B, float *C) {
    __shared__ Pair even, odd;

    const int x = threadIdx.x, y = threadIdx.y;
    const int row = blockIdx.y * T + y;
    const int col = blockIdx.x * T + x;
    const bool row_exists = row < m;
    const bool col_exists = col < n;

    const float *from_A = A + (size_t)row * k + x;
    const float *from_B = B + (size_t)y * n + col;

    float sum = 0.0f;
    const int phases = (k + T - 1) / T;
    for (int phase = 0; phase < phases; ++phase) {
        Pair &now = phase & 1 == 0 ? even : odd;

        const int left = k - phase * T; // columns of A and rows of B from here on
        now.a[y][x] = row_exists && x < left ? *from_A : 0.0f;
        now.b[y][x] = col_exists && y < left ? *from_B : 0.0f;
        from_A += T;
        from_B += (size_t)T * n;
        __syncthreads();

#pragma unroll
        for (int p = 0; p < T; ++p)
            sum += now.a[y][p] * now.b[p][x];
    }

    if (row_exists && col_exists)
        C[(size_t)row * n + col] = sum;
}

void matmul_device(int m, int n, int k, const float *A, const float *B, float *C) {
    constexpr int most = 65535 * T;
    const dim3 block(T, T);

    for (; m > 0; m -= most) {
        const int rows = m < most ? m : most;
        const dim3 grid((n + T - 1) / T, (rows + T - 1) / T);
        multiply<<<grid, block>>>(rows, n, k, A, B, C);
        CUDA_CHECK_LAUNCH();
        A += (size_t)rows * k;
        C += (size_t)rows * n;
        if (m <= most)
            break;
    }
}
