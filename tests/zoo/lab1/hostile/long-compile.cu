// A constant expression that takes the compiler for ever, if it lets itself be asked.
#include "lab.h"

constexpr unsigned long long ackermann(unsigned long long a, unsigned long long b) {
    return a == 0 ? b + 1 : b == 0 ? ackermann(a - 1, 1) : ackermann(a - 1, ackermann(a, b - 1));
}

template <unsigned long long V> struct Holder { static constexpr unsigned long long value = V; };

void matmul_cpu(int m, int n, int k, const float *A, const float *B, float *C) {
    (void)m, (void)n, (void)k, (void)A, (void)B, (void)C;
    C[0] = (float)Holder<ackermann(4, 1)>::value;
}
