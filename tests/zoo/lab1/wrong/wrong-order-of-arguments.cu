// Takes m, k, n in place of m, n, k (no header, C linkage by hand): links, runs, and mixes the
// sizes up.
extern "C" void matmul_cpu(int m, int k, int n, const float *A, const float *B, float *C);

void matmul_cpu(int m, int k, int n, const float *A, const float *B, float *C) {
    for (int i = 0; i < m; i++)
        for (int j = 0; j < n; j++) {
            float sum = 0.0f;
            for (int p = 0; p < k; p++)
                sum += A[i * k + p] * B[p * n + j];
            C[i * n + j] = sum;
        }
}
