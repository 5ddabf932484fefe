// Packs one column of B at a time into a malloc buffer, walks pointers, frees it. Prints what it
// does: a chatty program is not a wrong one.
#include "lab.h"
#include <stdio.h>
#include <stdlib.h>

void matmul_cpu(int m, int n, int k, const float *A, const float *B, float *C) {
    float *column = (float *)malloc(k * sizeof *column);
    if (column == NULL) {
        fprintf(stderr, "out of memory\n");
        abort();
    }
    printf("multiplying %d x %d by %d x %d\n", m, k, k, n);
    for (int j = 0; j < n; j++) {
        const float *b = B + j;
        for (int p = 0; p < k; p++, b += n)
            column[p] = *b;
        const float *a = A;
        for (int i = 0; i < m; i++) {
            float sum = 0;
            for (const float *c = column; c < column + k;)
                sum += *a++ * *c++;
            C[i * n + j] = sum;
        }
    }
    free(column);
    fprintf(stderr, "done\n");
}
