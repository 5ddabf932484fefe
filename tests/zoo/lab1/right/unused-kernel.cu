// A kernel that nobody launches stands beside the loop: it does no harm.
#include "lab.h"

__global__ void later(int m, int n, int k, const float *A, const float *B, float *C) {
    C[threadIdx.x] = A[threadIdx.x] * B[threadIdx.x];
}

void matmul_cpu(int m, int n, int k, const float *A, const float *B, float *C) {
    for (int i = 0; i < m; i++)
        for (int j = 0; j < n; j++) {
            float sum = 0;
            for (int p = 0; p < k; p++)
                sum += A[i * k + p] * B[p * n + j];
            C[i * n + j] = sum;
        }
}
