// Calls abort(), as a failed assertion does.
#include "lab.h"
#include <assert.h>

void matmul_cpu(int m, int n, int k, const float *A, const float *B, float *C) {
    (void)m, (void)n, (void)A, (void)B, (void)C;
    assert(k < 0 && "not written yet");
}
