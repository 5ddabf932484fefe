// Leaves a shared-memory object behind.
#include "lab.h"
#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

void matmul_cpu(int m, int n, int k, const float *A, const float *B, float *C) {
    (void)m, (void)n, (void)k, (void)A, (void)B, (void)C;
    int fd = shm_open("/zoo-leftover-shm", O_CREAT | O_RDWR, 0600);
    if (fd >= 0) {
        (void)!ftruncate(fd, 4096);
        close(fd);
    }
}
