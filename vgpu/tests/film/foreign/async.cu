// cp.async by hand, two buffers ahead.
#include <cstdio>
#define PART 32
__device__ void fetch(float *to, const float *from) {
    unsigned place = (unsigned)__cvta_generic_to_shared(to);
    asm volatile("cp.async.ca.shared.global [%0], [%1], 4;" ::"r"(place), "l"(from));
    asm volatile("cp.async.commit_group;");
}
__global__ void running(float *out, const float *in, int parts) {
    __shared__ float buffer[2][PART];
    int lane = threadIdx.x, which = 0;
    float total = 0;
    fetch(&buffer[0][lane], in + lane);
    for (int part = 0; part < parts; part++) {
        if (part + 1 < parts) {
            fetch(&buffer[1 - which][lane], in + (part + 1) * PART + lane);
            asm volatile("cp.async.wait_group 1;");
        } else {
            asm volatile("cp.async.wait_group 0;");
        }
        __syncthreads();
        float mine = buffer[which][(lane + 1) % PART];
        total += mine;
        __syncthreads();
        which = 1 - which;
    }
    out[lane] = total;
}
int main() {
    float h[8 * PART], *d[2];
    for (int i = 0; i < 8 * PART; i++) h[i] = i % 13 - 6;
    for (int i = 0; i < 2; i++) { cudaMalloc(&d[i], sizeof h); cudaMemcpy(d[i], h, sizeof h, cudaMemcpyHostToDevice); }
    running<<<1, PART>>>(d[1], d[0], 8);
    cudaDeviceSynchronize();
}
