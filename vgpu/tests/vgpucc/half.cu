// only: clang
// half and bfloat16: device and host compute the same bits.
// flags: -fmad=false
#include <cstdio>
#include <cuda_bf16.h>
#include <cuda_fp16.h>
template <class H, class H2> __global__ void ops(const float *in, float *out, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    H a = in[i], b = in[(i + 1) % n], c = in[(i + 7) % n];
    H r = a * b + c;
    r += a / b;
    r = -r - H(1.0f);
    if (a < b)
        r = __hfma(r, r, a);
    H2 p(a, b), q(b, c);
    p = p * q + H2(c, c);
    p = __hfma2(p, q, p);
    r = __hmax(r, __hadd(p.x, p.y));
    out[i] = float(r) + (__hbgt2(p, q) ? 0.5f : 0.0f) + (float)hsqrt(__habs(a));
}
template <class H, class H2> float host(const float *in, int i, int n) {
    H a = in[i], b = in[(i + 1) % n], c = in[(i + 7) % n];
    H r = a * b + c;
    r += a / b;
    r = -r - H(1.0f);
    if (a < b)
        r = __hfma(r, r, a);
    H2 p(a, b), q(b, c);
    p = p * q + H2(c, c);
    p = __hfma2(p, q, p);
    r = __hmax(r, __hadd(p.x, p.y));
    return float(r) + (__hbgt2(p, q) ? 0.5f : 0.0f) + (float)hsqrt(__habs(a));
}
template <class H, class H2> void run(const char *name) {
    const int n = 1000;
    float *in, *out;
    cudaMallocManaged(&in, n * 4);
    cudaMallocManaged(&out, n * 4);
    for (int i = 0; i < n; i++)
        in[i] = (float)((i * 7919) % 2003 - 1001) / 97.0f;
    ops<H, H2><<<4, 256>>>(in, out, n);
    cudaDeviceSynchronize();
    int bad = 0;
    for (int i = 0; i < n; i++) {
        float h = host<H, H2>(in, i, n);
        if (!(h == out[i] || (h != h && out[i] != out[i]))) {
            if (bad++ < 3)
                printf("%d %g %g\n", i, out[i], h);
        }
    }
    printf("%s: %d differ; out[3]=%g\n", name, bad, out[3]);
    cudaFree(in);
    cudaFree(out);
}
int main() {
    run<__half, __half2>("half");
    run<__nv_bfloat16, __nv_bfloat162>("bf16");
    half h = __float2half(3.14159f);
    printf("%g %d %x %g %g\n", __half2float(h), __half2int_rn(h), __half_as_ushort(h),
           (float)__float2half_ru(1.0001f), (float)__float2half_rz(-1.0001f));
    printf("%g %d\n", double(h), (int)h);
    half2 x = __floats2half2_rn(1, 2);
    float2 f = __half22float2(x * x + x);
    printf("%g %g\n", f.x, f.y);
}
