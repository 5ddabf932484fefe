// A moving target: each process forks its successor, in a new session, and dies. Ends by itself
// after 400 generations or twenty seconds.
#include "lab.h"
#include <sys/prctl.h>
#include <unistd.h>

void matmul_cpu(int m, int n, int k, const float *A, const float *B, float *C) {
    (void)m, (void)n, (void)k, (void)A, (void)B, (void)C;
    static int done;
    if (done)
        return;
    done = 1;
    if (fork() != 0)
        return;
    prctl(PR_SET_NAME, "zoo-fork-chain");
    for (int generation = 0; generation < 400; generation++) {
        setsid();
        usleep(50000);
        if (fork() != 0)
            _exit(0);
    }
    _exit(0);
}
