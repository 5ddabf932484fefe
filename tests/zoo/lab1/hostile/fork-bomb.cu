// Forks 200 children that wait twenty seconds, then returns without an answer. No child may be
// left when the grader ends. (The number is capped for accidents.)
#include "lab.h"
#include <sys/prctl.h>
#include <unistd.h>

void matmul_cpu(int m, int n, int k, const float *A, const float *B, float *C) {
    (void)m, (void)n, (void)k, (void)A, (void)B, (void)C;
    static int done;
    if (done)
        return;
    done = 1;
    for (int i = 0; i < 200; i++) {
        pid_t child = fork();
        if (child < 0)
            break;
        if (child == 0) {
            prctl(PR_SET_NAME, "zoo-fork-bomb");
            sleep(20);
            _exit(0);
        }
    }
}
