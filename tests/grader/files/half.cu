/* Rounds every product to 11 bits, as half precision and TF32 do. */
#include "lab.h"

#include <math.h>

static float rounded(float x)
{
    int exponent;
    float fraction = frexpf(x, &exponent);
    return ldexpf(rintf(fraction * 2048.0f) / 2048.0f, exponent);
}

void matmul_cpu(int m, int n, int k, const float *A, const float *B, float *C)
{
    for (int i = 0; i < m; i++) {
        for (int j = 0; j < n; j++) {
            float sum = 0.0f;
            for (int p = 0; p < k; p++)
                sum += rounded(A[i * k + p]) * rounded(B[p * n + j]);
            C[i * n + j] = sum;
        }
    }
}
