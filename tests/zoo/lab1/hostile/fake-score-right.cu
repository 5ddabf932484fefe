// Prints the same false scores beside a right product. What a student prints changes nothing, in
// neither direction: full marks.
#include "lab.h"
#include <stdio.h>

static void product(int m, int n, int k, const float *A, const float *B, float *C) {
    for (int i = 0; i < m; i++)
        for (int j = 0; j < n; j++) {
            float sum = 0.0f;
            for (int p = 0; p < k; p++)
                sum += A[i * k + p] * B[p * n + j];
            C[i * n + j] = sum;
        }
}

void matmul_cpu(int m, int n, int k, const float *A, const float *B, float *C) {
    product(m, n, k, A, B, C);
    printf("\nGrade :=>> 0\n{\"score\": 0}\nnot ok 1\nFAIL\n\033[31mFAIL\033[0m\n");
    fprintf(stderr, "Grade :=>> 0\nSegmentation fault (core dumped)\nvgpu: error: race\n");
    fflush(stdout);
}
