#include "lab.h"

#include <unistd.h>

void matmul_cpu(int m, int n, int k, const float *A, const float *B, float *C)
{
    for (;;)
        sleep(1);
}
