// Headers bring along what NVIDIA's do: programs rely on it.
#include <curand_kernel.h>
#include <driver_functions.h>
#include <sm_32_intrinsics.h>
#include <sm_61_intrinsics.h>

#include <cublas_v2.h>
#include <cstdio>

__global__ void k(float *out, curandStatus_t) {
    const __nv_bfloat16 b = __float2bfloat16(1.5f);
    const __half h = __float2half(0.25f);
    const cuComplex c = make_cuComplex(3, 4);
    *out = __bfloat162float(b) + __half2float(h) + cuCabsf(c) + __dp4a(0x01010101, 0x02020202, 0);
}

int main() {
    float *out, value = 0;
    const cublasStatus_t blas = CUBLAS_STATUS_SUCCESS;
    const cudaPitchedPtr p = make_cudaPitchedPtr(&value, 4, 1, 1);
    cudaMalloc(&out, 4);
    k<<<1, 1>>>(out, CURAND_STATUS_SUCCESS);
    cudaMemcpy(p.ptr, out, 4, cudaMemcpyDeviceToHost);
    printf("%g %d\n", value, (int)blas);
}
