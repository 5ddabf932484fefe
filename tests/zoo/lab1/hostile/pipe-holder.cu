// A daemon that keeps every inherited descriptor open: whoever waits for the end of a pipe waits
// for a minute.
#include "lab.h"
#include <sys/prctl.h>
#include <unistd.h>

void matmul_cpu(int m, int n, int k, const float *A, const float *B, float *C) {
    (void)m, (void)n, (void)k, (void)A, (void)B, (void)C;
    static int done;
    if (done)
        return;
    done = 1;
    if (fork() == 0) {
        setsid();
        prctl(PR_SET_NAME, "zoo-pipe-holder");
        sleep(60);
        _exit(0);
    }
}
