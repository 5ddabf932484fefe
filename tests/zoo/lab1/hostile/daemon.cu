// Leaves a daemon behind: forks twice, starts a session, closes everything and sleeps for a
// minute.
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
    setsid();
    if (fork() != 0)
        _exit(0);
    prctl(PR_SET_NAME, "zoo-daemon");
    for (int fd = 0; fd < 256; fd++)
        close(fd);
    sleep(60);
    _exit(0);
}
