// Fills a file in the current directory, up to 256 MiB, and leaves it there.
#include "lab.h"
#include <stdio.h>
#include <string.h>

void matmul_cpu(int m, int n, int k, const float *A, const float *B, float *C) {
    (void)m, (void)n, (void)k, (void)A, (void)B, (void)C;
    static char block[1 << 20];
    memset(block, 'z', sizeof block);
    FILE *f = fopen("zoo-leftover-disk", "wb");
    for (int i = 0; f != NULL && i < 256; i++)
        if (fwrite(block, sizeof block, 1, f) != 1)
            break;
    if (f != NULL)
        fclose(f);
}
