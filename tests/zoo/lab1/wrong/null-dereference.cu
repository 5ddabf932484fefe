// Crashes at once: writes through a null pointer. The report must name the signal.
#include "lab.h"

void matmul_cpu(int m, int n, int k, const float *A, const float *B, float *C) {
    (void)m, (void)n, (void)k, (void)A, (void)B, (void)C;
    volatile float *nothing = 0;
    *nothing = 1.0f;
}
