// Calls exit(0) in the middle of the first case: a worker that ends well without an answer has
// not answered.
#include "lab.h"
#include <stdlib.h>

void matmul_cpu(int m, int n, int k, const float *A, const float *B, float *C) {
    (void)m, (void)n, (void)k, (void)A, (void)B, (void)C;
    exit(0);
}
