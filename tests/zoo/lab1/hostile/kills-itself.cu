// Ends itself with SIGKILL, which no handler sees.
#include "lab.h"
#include <signal.h>

void matmul_cpu(int m, int n, int k, const float *A, const float *B, float *C) {
    (void)m, (void)n, (void)k, (void)A, (void)B, (void)C;
    raise(SIGKILL);
}
