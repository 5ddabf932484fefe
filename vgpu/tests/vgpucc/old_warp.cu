// Warp functions without a mask, which nvcc has no more, run and are warned of; special registers may
// have one % in assembly with operands, as with nvcc.
// only: clang
// flags: -Wno-deprecated-declarations
#include <cstdio>

__global__ void old(int *o) {
    const int lane = threadIdx.x;
    int sum = lane;
    for (int k = 16; k > 0; k /= 2)
        sum += __shfl_xor(sum, k);
    const float first = __shfl(lane + 0.5f, 0);
    o[lane] = sum + (int)(2 * first) + __shfl_up(lane, 1u) + __shfl_down(lane, 1u, 16);
    if (lane == 0)
        printf("%d %d %x\n", __any(lane == 0), __all(lane == 1), __ballot(1));
}

__global__ void registers(unsigned *o) {
    unsigned lane, both;
    unsigned long long time;
    asm volatile("mov.u32 %0, %laneid;" : "=r"(lane));
    asm volatile("mov.u64 %0, %globaltimer;" : "=l"(time));
    asm("{\n\t"
        ".reg .u32 t;\n\t"
        "mov.u32 t, %%ntid.x;\n\t"
        "mad.lo.u32 %0, %1, t, %ctaid.x;\n\t}"
        : "=r"(both)
        : "r"(lane));
    o[blockIdx.x * 32 + threadIdx.x] = time != 0 ? both : 0;
}

int main() {
    int *d, h[64];
    cudaMalloc(&d, sizeof h);
    old<<<1, 32>>>(d);
    cudaMemcpy(h, d, 32 * sizeof *h, cudaMemcpyDeviceToHost);
    printf("%d %d %d\n", h[0], h[15], h[31]);
    registers<<<2, 32>>>((unsigned *)d);
    cudaMemcpy(h, d, sizeof h, cudaMemcpyDeviceToHost);
    printf("%d %d %s\n", h[5], h[37], cudaGetErrorString(cudaDeviceSynchronize()));
    cudaFree(d);
}
