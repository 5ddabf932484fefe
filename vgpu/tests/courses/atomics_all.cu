#include "check.cuh"
__global__ void all(int *x, unsigned *u, float *f) {
    int i = threadIdx.x + blockIdx.x * blockDim.x; atomicAdd(&x[0], i); atomicSub(&x[1], 1); atomicMax(&x[2], i); atomicMin(&x[3], -i); atomicAnd(&x[4], ~(1 << (i % 8))); atomicOr(&x[5], 1 << (i % 8)); atomicXor(&x[6], 1); atomicExch(&x[7], 7);
    atomicInc(&u[0], 99); atomicDec(&u[1], 1000); atomicAdd(f, 0.5f); int old = x[8], seen; do { seen = old; old = atomicCAS(&x[8], seen, seen + 2); } while (old != seen);
}
int main() {
    int *x; unsigned *u; float *f; CUDA(cudaMallocManaged(&x, 64)); CUDA(cudaMallocManaged(&u, 8)); CUDA(cudaMallocManaged(&f, 4)); for (int i = 0; i < 16; i++) x[i] = 0; x[4] = 255; u[0] = u[1] = 0; *f = 0;
    all<<<4, 64>>>(x, u, f); CUDA(cudaDeviceSynchronize());
    MUST(x[0] == 255 * 128 && x[1] == -256 && x[2] == 255 && x[3] == -255 && x[4] == 0 && x[5] == 255 && x[6] == 0 && x[7] == 7 && x[8] == 512); MUST(u[0] == 56 && u[1] == 1000 - 255 && *f == 128); cudaFree(x); cudaFree(u); cudaFree(f);
}
