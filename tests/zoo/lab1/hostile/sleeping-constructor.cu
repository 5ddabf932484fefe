// Sleeps for ten minutes before main begins: the worker never says that it is ready. That must not
// cost the time limit once for every case.
#include "lab.h"
#include <unistd.h>

__attribute__((constructor)) static void first(void) {
    for (int i = 0; i < 600; i++)
        sleep(1);
}

void matmul_cpu(int m, int n, int k, const float *A, const float *B, float *C) {
    (void)m, (void)n, (void)k, (void)A, (void)B, (void)C;
}
