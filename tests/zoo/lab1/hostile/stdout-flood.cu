// Writes 512 MiB to stdout. The grader must neither store nor show all of it, nor wait for ever.
#include "lab.h"
#include <string.h>
#include <unistd.h>

void matmul_cpu(int m, int n, int k, const float *A, const float *B, float *C) {
    (void)m, (void)n, (void)k, (void)A, (void)B, (void)C;
    static char block[1 << 16];
    memset(block, 'z', sizeof block);
    for (int i = 0; i < 8192; i++)
        if (write(1, block, sizeof block) < 0)
            return;
}
