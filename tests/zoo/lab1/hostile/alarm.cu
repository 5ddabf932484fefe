// Sets an alarm and a processor-time limit on itself, then spins: killed by SIGALRM or SIGXCPU,
// not by the grader.
#include "lab.h"
#include <sys/resource.h>
#include <unistd.h>

void matmul_cpu(int m, int n, int k, const float *A, const float *B, float *C) {
    (void)m, (void)n, (void)k, (void)A, (void)B, (void)C;
    struct rlimit one = {1, 1};
    setrlimit(RLIMIT_CPU, &one);
    alarm(1);
    for (;;)
        *(volatile float *)C = 0.0f;
}
