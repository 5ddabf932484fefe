// Leaves files in the current directory.
#include "lab.h"
#include <stdio.h>

void matmul_cpu(int m, int n, int k, const float *A, const float *B, float *C) {
    (void)m, (void)n, (void)k, (void)A, (void)B, (void)C;
    for (int i = 0; i < 50; i++) {
        char name[64];
        snprintf(name, sizeof name, "zoo-leftover-%d", i);
        FILE *f = fopen(name, "w");
        if (f != NULL)
            fclose(f);
    }
}
