// Deletes its own source, where the compiler read it, and its own program. The student's file
// must survive.
#include "lab.h"
#include <stdio.h>
#include <unistd.h>

void matmul_cpu(int m, int n, int k, const float *A, const float *B, float *C) {
    (void)m, (void)n, (void)k, (void)A, (void)B, (void)C;
    char self[4096];
    ssize_t length = readlink("/proc/self/exe", self, sizeof self - 1);
    if (length > 0) {
        self[length] = 0;
        unlink(self);
    }
    unlink(__FILE__);
    FILE *f = fopen(__FILE__, "w");
    if (f != NULL)
        fclose(f);
}
