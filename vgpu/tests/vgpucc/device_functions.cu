// Builtins of device code: mathematics, atomics, votes, shuffles, bits, conversions, vectors.
#include <algorithm>
#include <cmath>
#include <cstdio>

__device__ __noinline__ float half_of(float x) {
    return x * 0.5f;
}

__host__ __device__ int square(int x) {
    return x * x;
}

struct pair {
    int a;
    double b;
};

__global__ void mathematics(float *f, double *d, pair p) {
    f[0] = sqrtf(2.0f);
    f[1] = std::sqrt(9.0f);
    f[2] = powf(2.0f, 10.0f);
    f[3] = fabsf(-3.5f) + floorf(2.7f) + ceilf(2.2f) + truncf(-1.5f) + rintf(2.5f) + roundf(2.5f);
    f[4] = fmaf(2.0f, 3.0f, 4.0f) + fminf(1.0f, 2.0f) + fmaxf(1.0f, NAN);
    f[5] = min(3, 4) + max(2.0f, 5.0f) + std::max(1, 2) + abs(-4);
    f[6] = half_of(5.0f) + square(3) + p.a;
    f[7] = __saturatef(7.0f) + __fmaf_rn(1.0f, 2.0f, 3.0f) + __frcp_rn(4.0f);
    f[8] = copysignf(2.0f, -1.0f) + fmodf(7.5f, 2.0f) + ldexpf(1.0f, 3);
    f[9] = sinpif(0.5f) + cospif(1.0f) + cbrtf(27.0f) + hypotf(3.0f, 4.0f);
    d[0] = exp(0.0) + log(1.0) + sin(0.0) + cos(0.0) + p.b;
    d[1] = round(-2.5) + pow(2.0, 3) + fmin(1.0, 2.0) + tgamma(5.0);
    d[2] = erfinv(0.0) + normcdf(0.0) + rsqrt(4.0) + exp10(2.0);
    int e;
    d[3] = frexp(12.0, &e) + e;
    double whole;
    d[4] = modf(-3.25, &whole) + whole + ilogb(1e-310);
    int quo;
    d[5] = remquo(29.0, 3.0, &quo) + 10 * quo;
    d[6] = erfcinv(0.25) + erfcx(30.0) + norm3d(2.0, 3.0, 6.0);
}

__global__ void integers(unsigned *u, int *counts) {
    unsigned lane = threadIdx.x;
    atomicAdd(&counts[0], 1);
    atomicMax(&counts[1], (int)lane);
    atomicCAS(&counts[2], 0, 7);
    atomicAdd((float *)&counts[3], 0.5f);
    unsigned odd = __ballot_sync(0xffffffffu, lane & 1);
    int below = __shfl_up_sync(0xffffffffu, (int)lane, 1);
    double from5 = __shfl_sync(0xffffffffu, (double)lane, 5);
    int sum = lane;
    for (int d = 16; d > 0; d /= 2)
        sum += __shfl_xor_sync(0xffffffffu, sum, d);
    int any = __any_sync(0xffffffffu, lane == 31), all = __all_sync(0xffffffffu, lane < 32);
    int count = __syncthreads_count(lane < 20);
    if (lane == 31) {
        u[0] = odd;
        u[1] = below;
        u[2] = (unsigned)from5;
        u[3] = sum;
        u[4] = __popc(0xf0f0u) + __clz(1) + __ffs(8) + __popcll(~0ull);
        u[5] = __brev(1u);
        u[6] = __umulhi(0x80000000u, 6u) + __mul24(3, 5);
        u[7] = __float_as_uint(1.0f);
        u[8] = __float2int_rn(2.5f) + __float2int_ru(2.1f) + __double2int_rz(-7.9);
        u[9] = __byte_perm(0x44332211u, 0, 0x0123);
        u[10] = any + 2 * all;
        u[11] = count;
    }
}

__global__ void vectors(const float4 *in, float4 *out, int2 *pairs) {
    float4 v = __ldg(&in[threadIdx.x]);
    out[threadIdx.x] = make_float4(v.w, v.z, v.y, v.x);
    uint3 where = threadIdx;
    dim3 size = blockDim;
    pairs[threadIdx.x] = make_int2(where.x, size.x);
}

int main() {
    float *f, hf[10];
    double *d, hd[7];
    unsigned *u, hu[12];
    int *counts, hc[4];
    cudaMalloc(&f, sizeof hf);
    cudaMalloc(&d, sizeof hd);
    cudaMalloc(&u, sizeof hu);
    cudaMalloc(&counts, sizeof hc);
    cudaMemset(counts, 0, sizeof hc);
    pair p = {100, 0.25};
    mathematics<<<1, 1>>>(f, d, p);
    integers<<<1, 32>>>(u, counts);
    cudaMemcpy(hf, f, sizeof hf, cudaMemcpyDeviceToHost);
    cudaMemcpy(hd, d, sizeof hd, cudaMemcpyDeviceToHost);
    cudaMemcpy(hu, u, sizeof hu, cudaMemcpyDeviceToHost);
    cudaMemcpy(hc, counts, sizeof hc, cudaMemcpyDeviceToHost);
    for (int i = 0; i < 10; i++)
        printf("%.6g ", hf[i]);
    printf("\n");
    for (int i = 0; i < 7; i++)
        printf("%.6g ", hd[i]);
    printf("\n");
    for (int i = 0; i < 12; i++)
        printf("%u ", hu[i]);
    float half;
    memcpy(&half, &hc[3], sizeof half);
    printf("\n%d %d %d %g\n", hc[0], hc[1], hc[2], half);

    float4 hv[2] = {{1, 2, 3, 4}, {5, 6, 7, 8}}, *dv;
    int2 *di, hi[2];
    cudaMalloc(&dv, 2 * sizeof hv);
    cudaMalloc(&di, sizeof hi);
    cudaMemcpy(dv, hv, sizeof hv, cudaMemcpyHostToDevice);
    vectors<<<1, 2>>>(dv, dv + 2, di);
    cudaMemcpy(hv, dv + 2, sizeof hv, cudaMemcpyDeviceToHost);
    cudaMemcpy(hi, di, sizeof hi, cudaMemcpyDeviceToHost);
    printf("%g %g %g %g, %d %d: %s\n", hv[0].x, hv[0].w, hv[1].x, hv[1].w, hi[1].x, hi[1].y,
           cudaGetErrorName(cudaDeviceSynchronize()));
    printf("host: %d %g %d\n", min(3, 4), max(2.5, 1.0f), square(7));
    return 0;
}
