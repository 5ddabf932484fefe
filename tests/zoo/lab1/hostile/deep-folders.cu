// Nests folders two thousand deep, so that who removes them runs out of something. Then waits to be
// seen.
#include "lab.h"
#include <sys/stat.h>
#include <unistd.h>
#include <fcntl.h>

void matmul_cpu(int m, int n, int k, const float *A, const float *B, float *C) {
    (void)m, (void)n, (void)k, (void)A, (void)B, (void)C;
    int home = open(".", O_RDONLY | O_DIRECTORY);
    for (int depth = 0; depth < 2000; depth++) {
        if (mkdir("zoo-leftover-deep", 0700) != 0 || chdir("zoo-leftover-deep") != 0)
            break;
    }
    if (fchdir(home) != 0)
        _exit(1);
    sleep(2);
}
