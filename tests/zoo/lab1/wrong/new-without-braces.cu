// Wrong: new float[n], without the braces that would clear it, and the sums start there.
#include "lab.h"
void matmul_cpu(int m, int n, int k, const float *A, const float *B, float *C) {
    float *row = new float[n];
    for (int i = 0; i < m; i++) {
        if (i)
            for (int j = 0; j < n; j++) row[j] = 0;
        for (int p = 0; p < k; p++)
            for (int j = 0; j < n; j++) row[j] += A[i * k + p] * B[p * n + j];
        for (int j = 0; j < n; j++) C[i * n + j] = row[j];
    }
    delete[] row;
}
