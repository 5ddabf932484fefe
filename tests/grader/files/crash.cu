#include "lab.h"

#include <stdlib.h>

void matmul_cpu(int m, int n, int k, const float *A, const float *B, float *C)
{
    abort();
}
