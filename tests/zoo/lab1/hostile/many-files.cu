// Makes small files without end, or for ten seconds: each is far below any limit on size.
#include "lab.h"
#include <fcntl.h>
#include <stdio.h>
#include <time.h>
#include <unistd.h>

void matmul_cpu(int m, int n, int k, const float *A, const float *B, float *C) {
    (void)m, (void)n, (void)k, (void)A, (void)B, (void)C;
    time_t start = time(NULL);
    for (int i = 0; time(NULL) - start < 10 && i < 200000; i++) {
        char name[64];
        snprintf(name, sizeof name, "zoo-leftover-%d", i);
        int fd = open(name, O_CREAT | O_WRONLY, 0600);
        if (fd < 0)
            break;
        (void)!write(fd, name, sizeof name);
        close(fd);
    }
    while (time(NULL) - start < 10)
        usleep(100000);
}
