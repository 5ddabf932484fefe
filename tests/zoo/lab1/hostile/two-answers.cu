// Forks, and both processes return: two workers speak on one channel. Neither has computed
// anything.
#include "lab.h"
#include <unistd.h>

void matmul_cpu(int m, int n, int k, const float *A, const float *B, float *C) {
    (void)m, (void)n, (void)k, (void)A, (void)B, (void)C;
    static int done;
    if (!done) {
        done = 1;
        fork();
    }
}
