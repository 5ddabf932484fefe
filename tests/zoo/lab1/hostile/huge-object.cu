// A gigabyte of initialised data: the object file would be as large.
#include "lab.h"

char ballast[1ul << 30] = {1};

void matmul_cpu(int m, int n, int k, const float *A, const float *B, float *C) {
    (void)m, (void)n, (void)k, (void)A, (void)B, (void)C;
    C[0] = ballast[m];
}
