// waits.cu: a product that never comes: the debugger looks ahead, and is interrupted.
#include <vgpu.h>

__global__ void wait_for_ever(volatile float *p) {
    while (p[0] == 0)
        p[1] = 0;
}

static void call(void *p) {
    wait_for_ever<<<1, 1>>>((float *)p);
    cudaDeviceSynchronize();
}

int main() {
    const double want[1] = {1};
    float *p;
    cudaMalloc(&p, 2 * sizeof *p);
    cudaMemset(p, 0, 2 * sizeof *p);
    vgpu_product product = {p, 1, 1, want, nullptr};
    vgpu_foresee(call, p, &product);
    call(p);
    return 0;
}
