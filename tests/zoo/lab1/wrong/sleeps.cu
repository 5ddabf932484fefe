// Sleeps without using the processor: only a limit on wall time ends it.
#include "lab.h"
#include <unistd.h>

void matmul_cpu(int m, int n, int k, const float *A, const float *B, float *C) {
    (void)m, (void)n, (void)k, (void)A, (void)B, (void)C;
    for (int i = 0; i < 600; i++)
        sleep(1);
}
