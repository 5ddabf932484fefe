// Wrong: Vectors of four columns, also where fewer are left: stores beyond the row.
#include "lab.h"
#include <string.h>
typedef float v4 __attribute__((vector_size(16)));
static v4 load(const float *p) { v4 v; memcpy(&v, p, sizeof v); return v; }
static void store(float *p, v4 v) { memcpy(p, &v, sizeof v); }
void matmul_cpu(int m, int n, int k, const float *A, const float *B, float *C) {
    for (int i = 0; i < m; i++) {
        int j = 0;
        for (; j < n; j += 4) {
            v4 s = {0, 0, 0, 0};
            for (int p = 0; p < k; p++) {
                float a = A[i * k + p];
                s += (v4){a, a, a, a} * load(B + p * n + j);
            }
            store(C + i * n + j, s);
        }
        for (; j < n; j++) {
            float s = 0;
            for (int p = 0; p < k; p++) s += A[i * k + p] * B[p * n + j];
            C[i * n + j] = s;
        }
    }
}
