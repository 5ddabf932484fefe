/*
 * vgpu_math.h: the device side of <math.h>.
 *
 * What IEEE 754 defines exactly becomes an instruction (sqrt.rn, fma.rn, cvt.rmi …), so it is right
 * to the last bit on every machine. The rest (exp, sin, pow …) becomes a call of a native function
 *
 *     extern "C" __device__ float  __vgpu_expf(float);      double __vgpu_exp(double);
 *
 * which the executor carries out with the host's C library. These are all of them:
 *
 *   one argument, float (name ends in f) and double, C99's and CUDA's own:
 *     acos acosh asin asinh atan atanh cbrt cos cosh erf erfc exp exp2 expm1 j0 j1 lgamma
 *     log log10 log1p log2 logb sin sinh tan tanh tgamma y0 y1
 *     cospi erfcx erfinv exp10 normcdf rcbrt sinpi
 *   two arguments of the same type:
 *     atan2 fmod hypot nextafter pow remainder
 *   a number and an int: ldexp jn yn, the number first.
 *
 * This header refuses to know of the host: there, the C library's own functions serve.
 */
#ifndef VGPU_MATH_H
#define VGPU_MATH_H

#define VGPU_INTRINSIC static __inline__ __device__ __attribute__((always_inline, nodebug))
#define VGPU_NATIVE    extern "C" __device__ __attribute__((const, nothrow))

/* name(x) and namef(x), both native. */
#define VGPU_MATH_1(name)                                                                          \
    VGPU_NATIVE double __vgpu_##name(double);                                                      \
    VGPU_NATIVE float __vgpu_##name##f(float);                                                     \
    VGPU_INTRINSIC double name(double x) { return __vgpu_##name(x); }                              \
    VGPU_INTRINSIC float name##f(float x) { return __vgpu_##name##f(x); }

#define VGPU_MATH_2(name)                                                                          \
    VGPU_NATIVE double __vgpu_##name(double, double);                                              \
    VGPU_NATIVE float __vgpu_##name##f(float, float);                                              \
    VGPU_INTRINSIC double name(double x, double y) { return __vgpu_##name(x, y); }                 \
    VGPU_INTRINSIC float name##f(float x, float y) { return __vgpu_##name##f(x, y); }

VGPU_MATH_1(acos)
VGPU_MATH_1(acosh)
VGPU_MATH_1(asin)
VGPU_MATH_1(asinh)
VGPU_MATH_1(atan)
VGPU_MATH_1(atanh)
VGPU_MATH_1(cbrt)
VGPU_MATH_1(cos)
VGPU_MATH_1(cosh)
VGPU_MATH_1(erf)
VGPU_MATH_1(erfc)
VGPU_MATH_1(exp)
VGPU_MATH_1(exp2)
VGPU_MATH_1(expm1)
VGPU_MATH_1(j0)
VGPU_MATH_1(j1)
VGPU_MATH_1(lgamma)
VGPU_MATH_1(log)
VGPU_MATH_1(log10)
VGPU_MATH_1(log1p)
VGPU_MATH_1(log2)
VGPU_MATH_1(logb)
VGPU_MATH_1(sin)
VGPU_MATH_1(sinh)
VGPU_MATH_1(tan)
VGPU_MATH_1(tanh)
VGPU_MATH_1(tgamma)
VGPU_MATH_1(y0)
VGPU_MATH_1(y1)
VGPU_MATH_1(cospi)
VGPU_MATH_1(erfcx)
VGPU_MATH_1(erfinv)
VGPU_MATH_1(exp10)
VGPU_MATH_1(normcdf)
VGPU_MATH_1(rcbrt)
VGPU_MATH_1(sinpi)

VGPU_MATH_2(atan2)
VGPU_MATH_2(fmod)
VGPU_MATH_2(hypot)
VGPU_MATH_2(nextafter)
VGPU_MATH_2(pow)
VGPU_MATH_2(remainder)

#undef VGPU_MATH_1
#undef VGPU_MATH_2

VGPU_NATIVE double __vgpu_ldexp(double, int);
VGPU_NATIVE float __vgpu_ldexpf(float, int);
VGPU_NATIVE double __vgpu_jn(double, int);
VGPU_NATIVE float __vgpu_jnf(float, int);
VGPU_NATIVE double __vgpu_yn(double, int);
VGPU_NATIVE float __vgpu_ynf(float, int);
VGPU_INTRINSIC double jn(int order, double x) { return __vgpu_jn(x, order); }
VGPU_INTRINSIC float jnf(int order, float x) { return __vgpu_jnf(x, order); }
VGPU_INTRINSIC double yn(int order, double x) { return __vgpu_yn(x, order); }
VGPU_INTRINSIC float ynf(int order, float x) { return __vgpu_ynf(x, order); }

/* ---- exact: instructions ---- */

VGPU_INTRINSIC double sqrt(double x) { return __nvvm_sqrt_rn_d(x); }
VGPU_INTRINSIC float sqrtf(float x) { return __nvvm_sqrt_rn_f(x); }
VGPU_INTRINSIC double fma(double x, double y, double z) { return __builtin_fma(x, y, z); }
VGPU_INTRINSIC float fmaf(float x, float y, float z) { return __builtin_fmaf(x, y, z); }
VGPU_INTRINSIC double fabs(double x) { return __builtin_fabs(x); }
VGPU_INTRINSIC float fabsf(float x) { return __builtin_fabsf(x); }
VGPU_INTRINSIC double fmin(double x, double y) { return __builtin_fmin(x, y); }
VGPU_INTRINSIC float fminf(float x, float y) { return __builtin_fminf(x, y); }
VGPU_INTRINSIC double fmax(double x, double y) { return __builtin_fmax(x, y); }
VGPU_INTRINSIC float fmaxf(float x, float y) { return __builtin_fmaxf(x, y); }
VGPU_INTRINSIC double floor(double x) { return __builtin_floor(x); }
VGPU_INTRINSIC float floorf(float x) { return __builtin_floorf(x); }
VGPU_INTRINSIC double ceil(double x) { return __builtin_ceil(x); }
VGPU_INTRINSIC float ceilf(float x) { return __builtin_ceilf(x); }
VGPU_INTRINSIC double trunc(double x) { return __builtin_trunc(x); }
VGPU_INTRINSIC float truncf(float x) { return __builtin_truncf(x); }
VGPU_INTRINSIC double rint(double x) { return __builtin_rint(x); }
VGPU_INTRINSIC float rintf(float x) { return __builtin_rintf(x); }
VGPU_INTRINSIC double nearbyint(double x) { return __builtin_nearbyint(x); }
VGPU_INTRINSIC float nearbyintf(float x) { return __builtin_nearbyintf(x); }
VGPU_INTRINSIC double copysign(double x, double y) { return __builtin_copysign(x, y); }
VGPU_INTRINSIC float copysignf(float x, float y) { return __builtin_copysignf(x, y); }

VGPU_INTRINSIC int __isnan(double x) { return __builtin_isnan(x); }
VGPU_INTRINSIC int __isnanf(float x) { return __builtin_isnan(x); }
VGPU_INTRINSIC int __isinf(double x) { return __builtin_isinf(x); }
VGPU_INTRINSIC int __isinff(float x) { return __builtin_isinf(x); }
VGPU_INTRINSIC int __isfinited(double x) { return __builtin_isfinite(x); }
VGPU_INTRINSIC int __finite(double x) { return __builtin_isfinite(x); }
VGPU_INTRINSIC int __finitef(float x) { return __builtin_isfinite(x); }
VGPU_INTRINSIC int __signbitd(double x) { return __builtin_signbit(x); }
VGPU_INTRINSIC int __signbitf(float x) { return __builtin_signbitf(x); }
VGPU_INTRINSIC double nan(const char *) { return __builtin_nan(""); }
VGPU_INTRINSIC float nanf(const char *) { return __builtin_nanf(""); }

/* Halves go away from zero, as C says: trunc(x + 0.5) would also move 0.49999997 up. */
VGPU_INTRINSIC double round(double x) {
    double whole = trunc(x);
    return fabs(x - whole) >= 0.5 ? whole + copysign(1.0, x) : copysign(whole, x);
}
VGPU_INTRINSIC float roundf(float x) {
    float whole = truncf(x);
    return fabsf(x - whole) >= 0.5f ? whole + copysignf(1.0f, x) : copysignf(whole, x);
}
VGPU_INTRINSIC long long llrint(double x) { return __nvvm_d2ll_rn(x); }
VGPU_INTRINSIC long long llrintf(float x) { return __nvvm_f2ll_rn(x); }
VGPU_INTRINSIC long lrint(double x) { return (long)__nvvm_d2ll_rn(x); }
VGPU_INTRINSIC long lrintf(float x) { return (long)__nvvm_f2ll_rn(x); }
VGPU_INTRINSIC long long llround(double x) { return __nvvm_d2ll_rn(round(x)); }
VGPU_INTRINSIC long long llroundf(float x) { return __nvvm_f2ll_rn(roundf(x)); }
VGPU_INTRINSIC long lround(double x) { return (long)llround(x); }
VGPU_INTRINSIC long lroundf(float x) { return (long)llroundf(x); }

VGPU_INTRINSIC double fdim(double x, double y) { return x > y ? x - y : (x <= y ? 0.0 : x + y); }
VGPU_INTRINSIC float fdimf(float x, float y) { return x > y ? x - y : (x <= y ? 0.0f : x + y); }
VGPU_INTRINSIC double fdivide(double x, double y) { return x / y; }
VGPU_INTRINSIC float fdividef(float x, float y) { return x / y; }

/* ---- scaling and splitting ---- */

VGPU_INTRINSIC double ldexp(double x, int e) { return __vgpu_ldexp(x, e); }
VGPU_INTRINSIC float ldexpf(float x, int e) { return __vgpu_ldexpf(x, e); }
VGPU_INTRINSIC double scalbn(double x, int e) { return __vgpu_ldexp(x, e); }
VGPU_INTRINSIC float scalbnf(float x, int e) { return __vgpu_ldexpf(x, e); }
/* Beyond +-10000 every finite number is long past overflow or underflow. */
VGPU_INTRINSIC int __vgpu_clamp_exponent(long e) {
    return e > 10000 ? 10000 : e < -10000 ? -10000 : (int)e;
}
VGPU_INTRINSIC double scalbln(double x, long e) { return ldexp(x, __vgpu_clamp_exponent(e)); }
VGPU_INTRINSIC float scalblnf(float x, long e) { return ldexpf(x, __vgpu_clamp_exponent(e)); }

/* The binary exponent, from the bits; a subnormal is made normal first. 0 and NaN give INT_MIN,
 * infinity INT_MAX, as CUDA defines. */
VGPU_INTRINSIC int ilogb(double x) {
    unsigned long long bits = __builtin_bit_cast(unsigned long long, x) & 0x7fffffffffffffffull;
    if (bits == 0 || bits > 0x7ff0000000000000ull)
        return -2147483647 - 1;
    if (bits == 0x7ff0000000000000ull)
        return 2147483647;
    if (bits >> 52 == 0)
        return (int)(__builtin_bit_cast(unsigned long long, fabs(x) * 0x1p64) >> 52) - 1023 - 64;
    return (int)(bits >> 52) - 1023;
}
VGPU_INTRINSIC int ilogbf(float x) { return ilogb((double)x); }

VGPU_INTRINSIC double frexp(double x, int *e) {
    if (x == 0.0 || !__builtin_isfinite(x)) {
        *e = 0;
        return x;
    }
    *e = ilogb(x) + 1;
    return ldexp(x, -*e);
}
VGPU_INTRINSIC float frexpf(float x, int *e) { return (float)frexp((double)x, e); }
VGPU_INTRINSIC double modf(double x, double *whole) {
    *whole = trunc(x);
    return copysign(__builtin_isinf(x) ? 0.0 : x - *whole, x);
}
VGPU_INTRINSIC float modff(float x, float *whole) {
    *whole = truncf(x);
    return copysignf(__builtin_isinf(x) ? 0.0f : x - *whole, x);
}
/* remquo's quotient is told modulo 8: take whole multiples of 8 y away,
 * then what is left is small. */
VGPU_INTRINSIC double remquo(double x, double y, int *quo) {
    double rest = remainder(x, y);
    double near = __builtin_isinf(8.0 * y) ? x : fmod(x, 8.0 * y);
    *quo = (int)rint((near - rest) / y);
    return rest;
}
VGPU_INTRINSIC float remquof(float x, float y, int *quo) {
    return (float)remquo((double)x, (double)y, quo);
}

/* ---- CUDA's own additions ---- */

VGPU_INTRINSIC double rsqrt(double x) { return 1.0 / sqrt(x); }
VGPU_INTRINSIC float rsqrtf(float x) { return __nvvm_rsqrt_approx_f(x); }
VGPU_INTRINSIC double rhypot(double x, double y) { return 1.0 / hypot(x, y); }
VGPU_INTRINSIC float rhypotf(float x, float y) {
    return (float)(1.0 / hypot((double)x, (double)y));
}
VGPU_INTRINSIC double norm3d(double a, double b, double c) { return hypot(hypot(a, b), c); }
VGPU_INTRINSIC float norm3df(float a, float b, float c) { return (float)norm3d(a, b, c); }
VGPU_INTRINSIC double rnorm3d(double a, double b, double c) { return 1.0 / norm3d(a, b, c); }
VGPU_INTRINSIC float rnorm3df(float a, float b, float c) { return (float)rnorm3d(a, b, c); }
VGPU_INTRINSIC double norm4d(double a, double b, double c, double d) {
    return hypot(hypot(a, b), hypot(c, d));
}
VGPU_INTRINSIC float norm4df(float a, float b, float c, float d) {
    return (float)norm4d(a, b, c, d);
}
VGPU_INTRINSIC double rnorm4d(double a, double b, double c, double d) {
    return 1.0 / norm4d(a, b, c, d);
}
VGPU_INTRINSIC float rnorm4df(float a, float b, float c, float d) {
    return (float)rnorm4d(a, b, c, d);
}
VGPU_INTRINSIC double norm(int n, const double *v) {
    double length = 0.0;
    for (int i = 0; i < n; i++)
        length = hypot(length, v[i]);
    return length;
}
VGPU_INTRINSIC float normf(int n, const float *v) {
    double length = 0.0;
    for (int i = 0; i < n; i++)
        length = hypot(length, (double)v[i]);
    return (float)length;
}
VGPU_INTRINSIC double powi(double x, int n) { return pow(x, (double)n); }
VGPU_INTRINSIC float powif(float x, int n) { return powf(x, (float)n); }

VGPU_INTRINSIC void sincos(double x, double *s, double *c) {
    *s = sin(x);
    *c = cos(x);
}
VGPU_INTRINSIC void sincosf(float x, float *s, float *c) {
    *s = sinf(x);
    *c = cosf(x);
}
VGPU_INTRINSIC void sincospi(double x, double *s, double *c) {
    *s = sinpi(x);
    *c = cospi(x);
}
VGPU_INTRINSIC void sincospif(float x, float *s, float *c) {
    *s = sinpif(x);
    *c = cospif(x);
}

/* The inverse of erfc: a start from the tail's size, then Halley's steps. */
VGPU_INTRINSIC double erfcinv(double y) {
    if (!(y > 0.0 && y < 2.0))
        return y == 0.0 ? __builtin_inf() : y == 2.0 ? -__builtin_inf() : __builtin_nan("");
    double tail = y < 1.0 ? y : 2.0 - y;
    double t = sqrt(-2.0 * log(0.5 * tail));
    double x = 0.70710678118654752440 *
               (t - (2.30753 + t * 0.27061) / (1.0 + t * (0.99229 + t * 0.04481)));
    for (int i = 0; i < 3; i++) {
        double error = (erfc(x) - tail) / (-1.12837916709551257390 * exp(-x * x));
        x -= error / (1.0 + x * error);
    }
    return y < 1.0 ? x : -x;
}
VGPU_INTRINSIC float erfcinvf(float y) { return (float)erfcinv((double)y); }
VGPU_INTRINSIC double normcdfinv(double y) { return -1.41421356237309504880 * erfcinv(2.0 * y); }
VGPU_INTRINSIC float normcdfinvf(float y) { return (float)normcdfinv((double)y); }

/* C++ calls the float functions by the double's name, too. (sin(float), pow(float, float) and the
 * rest of C++98's come with the compiler's own <cmath> support.) */
VGPU_INTRINSIC float acosh(float x) { return acoshf(x); }
VGPU_INTRINSIC float asinh(float x) { return asinhf(x); }
VGPU_INTRINSIC float atanh(float x) { return atanhf(x); }
VGPU_INTRINSIC float cbrt(float x) { return cbrtf(x); }
VGPU_INTRINSIC float erf(float x) { return erff(x); }
VGPU_INTRINSIC float erfc(float x) { return erfcf(x); }
VGPU_INTRINSIC float exp2(float x) { return exp2f(x); }
VGPU_INTRINSIC float expm1(float x) { return expm1f(x); }
VGPU_INTRINSIC float lgamma(float x) { return lgammaf(x); }
VGPU_INTRINSIC float log1p(float x) { return log1pf(x); }
VGPU_INTRINSIC float log2(float x) { return log2f(x); }
VGPU_INTRINSIC float logb(float x) { return logbf(x); }
VGPU_INTRINSIC float nearbyint(float x) { return nearbyintf(x); }
VGPU_INTRINSIC float rint(float x) { return rintf(x); }
VGPU_INTRINSIC float round(float x) { return roundf(x); }
VGPU_INTRINSIC float tgamma(float x) { return tgammaf(x); }
VGPU_INTRINSIC float trunc(float x) { return truncf(x); }
VGPU_INTRINSIC float copysign(float x, float y) { return copysignf(x, y); }
VGPU_INTRINSIC float fdim(float x, float y) { return fdimf(x, y); }
VGPU_INTRINSIC float fmax(float x, float y) { return fmaxf(x, y); }
VGPU_INTRINSIC float fmin(float x, float y) { return fminf(x, y); }
VGPU_INTRINSIC float hypot(float x, float y) { return hypotf(x, y); }
VGPU_INTRINSIC float nextafter(float x, float y) { return nextafterf(x, y); }
VGPU_INTRINSIC float remainder(float x, float y) { return remainderf(x, y); }
VGPU_INTRINSIC float fma(float x, float y, float z) { return fmaf(x, y, z); }
VGPU_INTRINSIC int ilogb(float x) { return ilogbf(x); }
VGPU_INTRINSIC long lrint(float x) { return lrintf(x); }
VGPU_INTRINSIC long lround(float x) { return lroundf(x); }
VGPU_INTRINSIC long long llrint(float x) { return llrintf(x); }
VGPU_INTRINSIC long long llround(float x) { return llroundf(x); }
VGPU_INTRINSIC float scalbn(float x, int e) { return scalbnf(x, e); }
VGPU_INTRINSIC float jn(int order, float x) { return jnf(order, x); }
VGPU_INTRINSIC float yn(int order, float x) { return ynf(order, x); }
VGPU_INTRINSIC float scalbln(float x, long e) { return scalblnf(x, e); }

VGPU_INTRINSIC float rsqrt(float x) { return rsqrtf(x); }
VGPU_INTRINSIC float rcbrt(float x) { return rcbrtf(x); }
VGPU_INTRINSIC float sinpi(float x) { return sinpif(x); }
VGPU_INTRINSIC float cospi(float x) { return cospif(x); }
VGPU_INTRINSIC void sincos(float x, float *s, float *c) { sincosf(x, s, c); }
VGPU_INTRINSIC void sincospi(float x, float *s, float *c) { sincospif(x, s, c); }
VGPU_INTRINSIC float erfinv(float x) { return erfinvf(x); }
VGPU_INTRINSIC float erfcinv(float x) { return erfcinvf(x); }
VGPU_INTRINSIC float erfcx(float x) { return erfcxf(x); }
VGPU_INTRINSIC float normcdf(float x) { return normcdff(x); }
VGPU_INTRINSIC float normcdfinv(float x) { return normcdfinvf(x); }
VGPU_INTRINSIC float exp10(float x) { return exp10f(x); }

/* ---- integers ---- */

VGPU_INTRINSIC int abs(int x) { return x < 0 ? -x : x; }
VGPU_INTRINSIC long labs(long x) { return x < 0 ? -x : x; }
VGPU_INTRINSIC long long llabs(long long x) { return x < 0 ? -x : x; }
VGPU_INTRINSIC long long llmin(long long a, long long b) { return a < b ? a : b; }
VGPU_INTRINSIC long long llmax(long long a, long long b) { return a > b ? a : b; }
VGPU_INTRINSIC unsigned long long ullmin(unsigned long long a, unsigned long long b) {
    return a < b ? a : b;
}
VGPU_INTRINSIC unsigned long long ullmax(unsigned long long a, unsigned long long b) {
    return a > b ? a : b;
}
VGPU_INTRINSIC unsigned int umin(unsigned int a, unsigned int b) { return a < b ? a : b; }
VGPU_INTRINSIC unsigned int umax(unsigned int a, unsigned int b) { return a > b ? a : b; }

#endif
