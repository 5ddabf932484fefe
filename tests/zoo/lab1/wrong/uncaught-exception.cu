// Throws a C++ exception nobody catches.
#include "lab.h"
#include <stdexcept>

void matmul_cpu(int m, int n, int k, const float *A, const float *B, float *C) {
    (void)m, (void)n, (void)k, (void)A, (void)B, (void)C;
    throw std::runtime_error("to do");
}
