// Blocks and ignores every signal it can, then spins: only SIGKILL ends it.
#include "lab.h"
#include <signal.h>

void matmul_cpu(int m, int n, int k, const float *A, const float *B, float *C) {
    (void)m, (void)n, (void)k, (void)A, (void)B, (void)C;
    sigset_t all;
    sigfillset(&all);
    sigprocmask(SIG_BLOCK, &all, 0);
    for (int s = 1; s < 32; s++)
        signal(s, SIG_IGN);
    for (volatile long spin = 0; spin < 1000000000000L; spin = spin + 1)
        ;
}
