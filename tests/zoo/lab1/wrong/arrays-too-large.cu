// Copies the matrices into arrays that would hold any: no machine has the room.
#include "lab.h"

static float a[100000][100000], b[100000][100000];

void matmul_cpu(int m, int n, int k, const float *A, const float *B, float *C) {
    for (int i = 0; i < m; i++)
        for (int p = 0; p < k; p++)
            a[i][p] = A[i * k + p];
    for (int p = 0; p < k; p++)
        for (int j = 0; j < n; j++)
            b[p][j] = B[p * n + j];
    for (int i = 0; i < m; i++)
        for (int j = 0; j < n; j++) {
            float sum = 0;
            for (int p = 0; p < k; p++)
                sum += a[i][p] * b[p][j];
            C[i * n + j] = sum;
        }
}
