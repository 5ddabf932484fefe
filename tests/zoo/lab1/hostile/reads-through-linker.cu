// Has a linker script taken in by the assembler's sections: asks the linker to put its own options
// into effect.
#include "lab.h"

asm(".section .drectve\n"
    ".ascii \"-T/etc/passwd \"\n"
    ".section .note.GNU-stack,\"x\"\n"
    ".previous\n");

void matmul_cpu(int m, int n, int k, const float *A, const float *B, float *C) {
    (void)m, (void)n, (void)k, (void)A, (void)B, (void)C;
}
