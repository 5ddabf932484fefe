// Computes nothing, and holds an instruction that the virtual GPU lacks. It must cost the points, and
// not make that there is no grade.
#include "lab.h"
#include "cuda_check.h"

__global__ void waits(float *C) {
    asm volatile("discard.global.L2 [%0], 128;" ::"l"(C));
    C[0] = 1.0f;
}

void matmul_device(int, int, int, const float *, const float *, float *C) {
    waits<<<1, 1>>>(C);
    CUDA_CHECK_LAUNCH();
}
