// Includes /etc/passwd: the compiler would quote it in its errors. None of it may appear in the
// report.
#include "/etc/passwd"
#include "lab.h"

void matmul_cpu(int m, int n, int k, const float *A, const float *B, float *C) {
    (void)m, (void)n, (void)k, (void)A, (void)B, (void)C;
}
