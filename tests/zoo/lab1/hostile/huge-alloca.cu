// Takes more stack than there is and touches it from end to end.
#include "lab.h"
#include <alloca.h>

void matmul_cpu(int m, int n, int k, const float *A, const float *B, float *C) {
    (void)m, (void)n, (void)k, (void)A, (void)B, (void)C;
    volatile char *p = (volatile char *)alloca((unsigned long)1 << 30);
    for (unsigned long i = (unsigned long)1 << 30; i-- > 0;)
        p[i] = 1;
}
