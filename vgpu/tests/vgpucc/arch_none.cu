// Without -arch no instruction is refused that the virtual GPU has, though sm_80 lacks it.
// only: clang
#include <stdio.h>

__global__ void elects(unsigned *out) {
    unsigned leader, is;
    asm volatile("{\n\t.reg .pred p;\n\telect.sync %0|p, 0xFFFFFFFF;\n\tselp.u32 %1, 1, 0, p;\n\t}"
                 : "=r"(leader), "=r"(is));
    if (is)
        *out = leader + 1;
}

int main() {
    unsigned *out, host = 0;
    cudaMalloc(&out, sizeof *out);
    elects<<<1, 32>>>(out);
    cudaMemcpy(&host, out, sizeof host, cudaMemcpyDeviceToHost);
    cudaFree(out);
    printf("%u\n", host);
}
