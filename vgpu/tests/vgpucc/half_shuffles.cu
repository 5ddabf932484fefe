// Shuffles of halves and pairs, with widths, and with distances that are signed or unsigned.
#include <cstdio>
#include <cuda_bf16.h>
#include <cuda_fp16.h>

template <class H, class H2> __global__ void lanes(float *o) {
    const int lane = threadIdx.x;
    const unsigned all = 0xffffffffu, two = 2;
    const H h = H((float)lane);
    const H2 pair(h, H((float)-lane));
    o[0 * 32 + lane] = (float)__shfl_sync(all, h, 3, 8);
    o[1 * 32 + lane] = (float)__shfl_up_sync(all, h, 4, 16) + (float)__shfl_up_sync(all, h, two);
    o[2 * 32 + lane] =
        (float)__shfl_down_sync(all, h, 4, 16) + (float)__shfl_down_sync(all, h, two);
    o[3 * 32 + lane] = (float)__shfl_xor_sync(all, h, 5, 16) + (float)__shfl_xor_sync(all, h, two);
    o[4 * 32 + lane] = (float)__shfl_sync(all, pair, 3, 8).y;
    o[5 * 32 + lane] =
        (float)__shfl_up_sync(all, pair, 4, 16).y + (float)__shfl_up_sync(all, pair, two).x;
    o[6 * 32 + lane] =
        (float)__shfl_down_sync(all, pair, 4, 16).y + (float)__shfl_down_sync(all, pair, two).x;
    o[7 * 32 + lane] =
        (float)__shfl_xor_sync(all, pair, 5, 16).y + (float)__shfl_xor_sync(all, pair, two).x;
}

int main() {
    float *o;
    cudaMallocManaged(&o, 8 * 32 * sizeof *o);
    for (int type = 0; type < 2; type++) {
        if (type == 0)
            lanes<__half, __half2><<<1, 32>>>(o);
        else
            lanes<__nv_bfloat16, __nv_bfloat162><<<1, 32>>>(o);
        printf("%s\n", cudaGetErrorString(cudaDeviceSynchronize()));
        for (int i = 0; i < 8; i++)
            printf("%g %g %g %g\n", o[32 * i], o[32 * i + 5], o[32 * i + 17], o[32 * i + 31]);
    }
    cudaFree(o);
}
