// only: nvcc
// The toolkit's whole mathematics library, float and double, and its integer intrinsics. The expected
// output is an H200's.
#include <cmath>
#include <cstdio>
template <class T> __global__ void k(T *d, T x, T y) {
    int i = 0, q = 0;
    T f;
    d[i++] = sin(x);
    d[i++] = cos(x);
    d[i++] = tan(x);
    d[i++] = asin(x);
    d[i++] = acos(x);
    d[i++] = atan(x);
    d[i++] = atan2(x, y);
    d[i++] = sinh(x);
    d[i++] = cosh(x);
    d[i++] = tanh(x);
    d[i++] = asinh(x);
    d[i++] = acosh(y);
    d[i++] = atanh(x);
    d[i++] = exp(x);
    d[i++] = exp2(x);
    d[i++] = expm1(x);
    d[i++] = log(x);
    d[i++] = log2(x);
    d[i++] = log10(x);
    d[i++] = log1p(x);
    d[i++] = pow(y, x);
    d[i++] = sqrt(x);
    d[i++] = rsqrt(x);
    d[i++] = cbrt(x);
    d[i++] = hypot(x, y);
    d[i++] = erf(x);
    d[i++] = erfc(x);
    d[i++] = tgamma(y);
    d[i++] = lgamma(y);
    d[i++] = fmod(y, x);
    d[i++] = remainder(y, x);
    d[i++] = remquo(y, x, &q);
    d[i++] = q;
    d[i++] = floor(y);
    d[i++] = ceil(x);
    d[i++] = round(y);
    d[i++] = trunc(y);
    d[i++] = rint(y);
    d[i++] = nearbyint(y);
    d[i++] = fdim(y, x);
    d[i++] = fma(x, y, x);
    d[i++] = ldexp(x, 3);
    d[i++] = scalbn(x, -3);
    d[i++] = frexp(y, &q);
    d[i++] = q;
    d[i++] = modf(y, &f);
    d[i++] = f;
    d[i++] = logb(y);
    d[i++] = ilogb(y);
    d[i++] = nextafter(x, y);
    d[i++] = copysign(x, -y);
    d[i++] = fmin(x, y);
    d[i++] = fmax(x, y);
    d[i++] = fabs(-x);
    d[i++] = j0(x);
    d[i++] = j1(x);
    d[i++] = y0(x);
    d[i++] = y1(x);
    d[i++] = jn(2, x);
    d[i++] = yn(2, x);
    d[i++] = erfinv(x);
    d[i++] = erfcinv(x);
    d[i++] = erfcx(x);
    d[i++] = normcdf(x);
    d[i++] = normcdfinv(x);
    d[i++] = sinpi(x);
    d[i++] = cospi(x);
    d[i++] = norm3d(x, y, x);
    d[i++] = rnorm3d(x, y, x);
    d[i++] = rhypot(x, y);
    d[i++] = rcbrt(x);
    d[i++] = x / y;
    d[i++] = T(1) / y;
    d[i++] = T(7) / T(i + x);
    d[i++] = lround(y);
    d[i++] = llrint(y);
    d[i++] = cyl_bessel_i0(x);
    d[i++] = cyl_bessel_i1(x);
    d[i++] = isnan(x) + 2 * isinf(x) + 4 * isfinite(x) + 8 * signbit(x);
}
__global__ void fast(float *d, float x, float y) {
    int i = 0;
    d[i++] = __sinf(x);
    d[i++] = __cosf(x);
    d[i++] = __expf(x);
    d[i++] = __logf(x);
    d[i++] = __powf(y, x);
    d[i++] = __fdividef(x, y);
    d[i++] = __tanf(x);
    d[i++] = __exp10f(x);
    d[i++] = __log2f(x);
    d[i++] = __log10f(x);
    d[i++] = __saturatef(y);
    d[i++] = __fadd_rd(x, y);
    d[i++] = __fmul_ru(x, y);
    d[i++] = __frcp_rn(y);
    d[i++] = __fsqrt_rz(x);
    d[i++] = __frsqrt_rn(x);
    d[i++] = __int_as_float(0x3f800000);
    d[i++] = __dadd_ru(x, y);
    d[i++] = __ddiv_rd(x, y);
    d[i++] = __popc(77) + __clz(5) + __ffs(8) + __brev(3) + __byte_perm(1, 2, 0x3210) +
             __mulhi(1 << 20, 1 << 20) + __umul24(3, 4) + __sad(1, 5, 3) + __hadd(3, 6) +
             __rhadd(3, 6) + __funnelshift_l(1, 2, 3);
    d[i++] = __dp4a(0x01020304, 0x01010101, 0);
    d[i++] = __dp2a_lo(0x00010002, 0x0304, 1);
    d[i++] = __vadd4(0x01020304, 0x01010101);
    d[i++] = __vmaxs2(0x10002, 0x20001);
    d[i++] = __fns(0xf0, 0, 2);
    d[i++] = __ldg(d + 99) + 1; // nobody has written that
}
template <class T> void go(T x, T y) {
    T *d, h[100];
    cudaMalloc(&d, sizeof h);
    cudaMemset(d, 0, sizeof h);
    k<<<1, 1>>>(d, x, y);
    cudaError_t e = cudaMemcpy(h, d, sizeof h, cudaMemcpyDeviceToHost);
    printf("%s\n", cudaGetErrorString(e));
    for (int i = 0; i < 85; i++)
        printf(sizeof(T) == 4 ? "%.5g%c" : "%.13g%c", (double)h[i], i % 6 == 5 ? '\n' : ' ');
    printf("\n");
    cudaFree(d);
}
int main() {
    go<float>(0.37f, 2.75f);
    go<double>(0.37, 2.75);
    float *d, h[100];
    cudaMalloc(&d, sizeof h);
    cudaMemset(d, 0, sizeof h);
    fast<<<1, 1>>>(d, 0.37f, 2.75f);
    printf("%s\n", cudaGetErrorString(cudaMemcpy(h, d, sizeof h, cudaMemcpyDeviceToHost)));
    for (int i = 0; i < 26; i++)
        printf("%.5g%c", h[i], i % 6 == 5 ? '\n' : ' ');
    printf("\n");
    cudaFree(d);
}
