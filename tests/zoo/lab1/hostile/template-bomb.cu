// Two million templates, each another type: the compiler runs out of time or memory.
#include "lab.h"

template <int Depth, unsigned long Path> struct Bomb {
    static constexpr unsigned long value =
        Bomb<Depth - 1, 2 * Path>::value + Bomb<Depth - 1, 2 * Path + 1>::value;
};

template <unsigned long Path> struct Bomb<0, Path> { static constexpr unsigned long value = Path; };

void matmul_cpu(int m, int n, int k, const float *A, const float *B, float *C) {
    (void)m, (void)n, (void)k, (void)A, (void)B, (void)C;
    C[0] = (float)Bomb<20, 1>::value;
}
