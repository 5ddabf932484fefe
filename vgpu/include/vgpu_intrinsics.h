/*
 * vgpu_intrinsics.h: functions of numbers: bits, integers, chosen roundings. A part of
 * vgpu_device.h.
 */
#ifndef VGPU_INTRINSICS_H
#define VGPU_INTRINSICS_H

#include "vgpu_device.h"

/* ---- bits and integers ---- */

VGPU_INTRINSIC int __popc(unsigned int x) { return __builtin_popcount(x); }
VGPU_INTRINSIC int __popcll(unsigned long long x) { return __builtin_popcountll(x); }
VGPU_INTRINSIC int __clz(int x) { return x == 0 ? 32 : __builtin_clz((unsigned int)x); }
VGPU_INTRINSIC int __clzll(long long x) {
    return x == 0 ? 64 : __builtin_clzll((unsigned long long)x);
}
VGPU_INTRINSIC int __ffs(int x) { return x == 0 ? 0 : __builtin_ctz((unsigned int)x) + 1; }
VGPU_INTRINSIC int __ffsll(long long x) {
    return x == 0 ? 0 : __builtin_ctzll((unsigned long long)x) + 1;
}
VGPU_INTRINSIC unsigned int __brev(unsigned int x) { return __builtin_bitreverse32(x); }
VGPU_INTRINSIC unsigned long long __brevll(unsigned long long x) {
    return __builtin_bitreverse64(x);
}
VGPU_INTRINSIC unsigned int __byte_perm(unsigned int x, unsigned int y, unsigned int selector) {
    return (unsigned int)__nvvm_prmt((int)x, (int)y, (int)selector);
}
VGPU_INTRINSIC unsigned int __funnelshift_l(unsigned int lo, unsigned int hi, unsigned int shift) {
    return (unsigned int)(((((unsigned long long)hi << 32) | lo) << (shift & 31)) >> 32);
}
VGPU_INTRINSIC unsigned int __funnelshift_lc(unsigned int lo, unsigned int hi, unsigned int shift) {
    return (unsigned int)(((((unsigned long long)hi << 32) | lo) << (shift < 32 ? shift : 32)) >>
                          32);
}
VGPU_INTRINSIC unsigned int __funnelshift_r(unsigned int lo, unsigned int hi, unsigned int shift) {
    return (unsigned int)((((unsigned long long)hi << 32) | lo) >> (shift & 31));
}
VGPU_INTRINSIC unsigned int __funnelshift_rc(unsigned int lo, unsigned int hi, unsigned int shift) {
    return (unsigned int)((((unsigned long long)hi << 32) | lo) >> (shift < 32 ? shift : 32));
}
VGPU_INTRINSIC int __mul24(int x, int y) {
    return ((int)((unsigned)x << 8) >> 8) * ((int)((unsigned)y << 8) >> 8);
}
VGPU_INTRINSIC unsigned int __umul24(unsigned int x, unsigned int y) {
    return (x & 0xffffffu) * (y & 0xffffffu);
}
VGPU_INTRINSIC int mul24(int x, int y) { return __mul24(x, y); }
VGPU_INTRINSIC unsigned int umul24(unsigned int x, unsigned int y) { return __umul24(x, y); }
VGPU_INTRINSIC int __mulhi(int x, int y) { return (int)(((long long)x * y) >> 32); }
VGPU_INTRINSIC unsigned int __umulhi(unsigned int x, unsigned int y) {
    return (unsigned int)(((unsigned long long)x * y) >> 32);
}
VGPU_INTRINSIC long long __mul64hi(long long x, long long y) { return __nvvm_mulhi_ll(x, y); }
VGPU_INTRINSIC unsigned long long __umul64hi(unsigned long long x, unsigned long long y) {
    return __nvvm_mulhi_ull(x, y);
}
VGPU_INTRINSIC int mulhi(int x, int y) { return __mulhi(x, y); }
VGPU_INTRINSIC unsigned int umulhi(unsigned int x, unsigned int y) { return __umulhi(x, y); }
VGPU_INTRINSIC long long mul64hi(long long x, long long y) { return __mul64hi(x, y); }
VGPU_INTRINSIC unsigned long long umul64hi(unsigned long long x, unsigned long long y) {
    return __umul64hi(x, y);
}
VGPU_INTRINSIC int __hadd(int x, int y) { return (int)(((long long)x + y) >> 1); }
VGPU_INTRINSIC int __rhadd(int x, int y) { return (int)(((long long)x + y + 1) >> 1); }
VGPU_INTRINSIC unsigned int __uhadd(unsigned int x, unsigned int y) {
    return (unsigned int)(((unsigned long long)x + y) >> 1);
}
VGPU_INTRINSIC unsigned int __urhadd(unsigned int x, unsigned int y) {
    return (unsigned int)(((unsigned long long)x + y + 1) >> 1);
}
VGPU_INTRINSIC unsigned int __sad(int x, int y, unsigned int z) {
    return (x > y ? (unsigned int)x - (unsigned int)y : (unsigned int)y - (unsigned int)x) + z;
}
/* Position of the n-th bit that is set, from `base` upwards (n > 0) or downwards;
 * all ones: none. */
VGPU_INTRINSIC unsigned int __fns(unsigned int mask, unsigned int base, int n) {
    const int step = n < 0 ? -1 : 1;
    int left = n < 0 ? -n : n == 0 ? 1 : n;
    for (int i = (int)base; i >= 0 && i < 32; i += step) {
        if ((mask >> i & 1) != 0 && --left == 0)
            return (unsigned int)i;
        if (n == 0)
            break;
    }
    return 0xffffffffu;
}
VGPU_INTRINSIC unsigned int __usad(unsigned int x, unsigned int y, unsigned int z) {
    return (x > y ? x - y : y - x) + z;
}

/* ---- min and max, on the device and on the host ---- */

#define VGPU_MINMAX(result, a, b)                                                                  \
    VGPU_BOTH result min(a x, b y) { return (result)x < (result)y ? (result)x : (result)y; }       \
    VGPU_BOTH result max(a x, b y) { return (result)x > (result)y ? (result)x : (result)y; }
VGPU_MINMAX(int, int, int)
VGPU_MINMAX(unsigned int, unsigned int, unsigned int)
VGPU_MINMAX(unsigned int, int, unsigned int)
VGPU_MINMAX(unsigned int, unsigned int, int)
VGPU_MINMAX(long, long, long)
VGPU_MINMAX(unsigned long, unsigned long, unsigned long)
VGPU_MINMAX(unsigned long, long, unsigned long)
VGPU_MINMAX(unsigned long, unsigned long, long)
VGPU_MINMAX(long long, long long, long long)
VGPU_MINMAX(unsigned long long, unsigned long long, unsigned long long)
VGPU_MINMAX(unsigned long long, long long, unsigned long long)
VGPU_MINMAX(unsigned long long, unsigned long long, long long)
#undef VGPU_MINMAX
/* A NaN gives way to the other operand. */
#define VGPU_MINMAX(result, a, b, f)                                                               \
    VGPU_BOTH result min(a x, b y) { return __builtin_fmin##f(x, y); }                             \
    VGPU_BOTH result max(a x, b y) { return __builtin_fmax##f(x, y); }
VGPU_MINMAX(float, float, float, f)
VGPU_MINMAX(double, double, double, )
VGPU_MINMAX(double, float, double, )
VGPU_MINMAX(double, double, float, )
#undef VGPU_MINMAX

/* ---- arithmetic with a chosen rounding: n nearest, z towards zero, u up, d down ---- */

#define VGPU_ROUNDED(mode, nvvm)                                                                   \
    VGPU_INTRINSIC float __fadd_##mode(float x, float y) { return __nvvm_add_##nvvm##_f(x, y); }   \
    VGPU_INTRINSIC float __fsub_##mode(float x, float y) { return __nvvm_add_##nvvm##_f(x, -y); }  \
    VGPU_INTRINSIC float __fmul_##mode(float x, float y) { return __nvvm_mul_##nvvm##_f(x, y); }   \
    VGPU_INTRINSIC float __fdiv_##mode(float x, float y) { return __nvvm_div_##nvvm##_f(x, y); }   \
    VGPU_INTRINSIC float __frcp_##mode(float x) { return __nvvm_rcp_##nvvm##_f(x); }               \
    VGPU_INTRINSIC float __fsqrt_##mode(float x) { return __nvvm_sqrt_##nvvm##_f(x); }             \
    VGPU_INTRINSIC float __fmaf_##mode(float x, float y, float z) {                                \
        return __nvvm_fma_##nvvm##_f(x, y, z);                                                     \
    }                                                                                              \
    VGPU_INTRINSIC double __dadd_##mode(double x, double y) {                                      \
        return __nvvm_add_##nvvm##_d(x, y);                                                        \
    }                                                                                              \
    VGPU_INTRINSIC double __dsub_##mode(double x, double y) {                                      \
        return __nvvm_add_##nvvm##_d(x, -y);                                                       \
    }                                                                                              \
    VGPU_INTRINSIC double __dmul_##mode(double x, double y) {                                      \
        return __nvvm_mul_##nvvm##_d(x, y);                                                        \
    }                                                                                              \
    VGPU_INTRINSIC double __ddiv_##mode(double x, double y) {                                      \
        return __nvvm_div_##nvvm##_d(x, y);                                                        \
    }                                                                                              \
    VGPU_INTRINSIC double __drcp_##mode(double x) { return __nvvm_rcp_##nvvm##_d(x); }             \
    VGPU_INTRINSIC double __dsqrt_##mode(double x) { return __nvvm_sqrt_##nvvm##_d(x); }           \
    VGPU_INTRINSIC double __fma_##mode(double x, double y, double z) {                             \
        return __nvvm_fma_##nvvm##_d(x, y, z);                                                     \
    }
VGPU_ROUNDED(rn, rn)
VGPU_ROUNDED(rz, rz)
VGPU_ROUNDED(ru, rp)
VGPU_ROUNDED(rd, rm)
#undef VGPU_ROUNDED
VGPU_INTRINSIC float __frsqrt_rn(float x) { return (float)(1.0 / sqrt((double)x)); }

/* The fast intrinsics are as accurate here as the functions they stand for. */
VGPU_INTRINSIC float __expf(float x) { return expf(x); }
VGPU_INTRINSIC float __exp10f(float x) { return exp10f(x); }
VGPU_INTRINSIC float __logf(float x) { return logf(x); }
VGPU_INTRINSIC float __log2f(float x) { return log2f(x); }
VGPU_INTRINSIC float __log10f(float x) { return log10f(x); }
VGPU_INTRINSIC float __sinf(float x) { return sinf(x); }
VGPU_INTRINSIC float __cosf(float x) { return cosf(x); }
VGPU_INTRINSIC float __tanf(float x) { return tanf(x); }
VGPU_INTRINSIC float __powf(float x, float y) { return powf(x, y); }
VGPU_INTRINSIC float __fdividef(float x, float y) { return x / y; }
VGPU_INTRINSIC void __sincosf(float x, float *s, float *c) { sincosf(x, s, c); }
VGPU_INTRINSIC float __saturatef(float x) { return fminf(fmaxf(x, 0.0f), 1.0f); }

/* ---- conversions with a chosen rounding ---- */

/* As assembly: LLVM takes its builtins for conversions from an integer towards zero (__nvvm_i2f_rz)
 * for C++'s, which round to nearest, and those to an integer for C++'s, where a value that does not
 * fit is undefined. The instructions give the nearest integer that fits. */
#define VGPU_CONVERT(name, to, from, op, out, in)                                                  \
    VGPU_INTRINSIC to name(from x) {                                                               \
        to r;                                                                                      \
        asm(op " %0, %1;" : "=" out(r) : in(x));                                                   \
        return r;                                                                                  \
    }
#define VGPU_CONVERTS(mode, ptx)                                                                   \
    VGPU_CONVERT(__float2int_##mode, int, float, "cvt." ptx "i.s32.f32", "r", "f")                 \
    VGPU_CONVERT(__float2uint_##mode, unsigned int, float, "cvt." ptx "i.u32.f32", "r", "f")       \
    VGPU_CONVERT(__float2ll_##mode, long long, float, "cvt." ptx "i.s64.f32", "l", "f")            \
    VGPU_CONVERT(__float2ull_##mode, unsigned long long, float, "cvt." ptx "i.u64.f32", "l", "f")  \
    VGPU_CONVERT(__double2int_##mode, int, double, "cvt." ptx "i.s32.f64", "r", "d")               \
    VGPU_CONVERT(__double2uint_##mode, unsigned int, double, "cvt." ptx "i.u32.f64", "r", "d")     \
    VGPU_CONVERT(__double2ll_##mode, long long, double, "cvt." ptx "i.s64.f64", "l", "d")          \
    VGPU_CONVERT(__double2ull_##mode, unsigned long long, double, "cvt." ptx "i.u64.f64", "l",     \
                 "d")                                                                              \
    VGPU_CONVERT(__double2float_##mode, float, double, "cvt." ptx ".f32.f64", "f", "d")            \
    VGPU_CONVERT(__int2float_##mode, float, int, "cvt." ptx ".f32.s32", "f", "r")                  \
    VGPU_CONVERT(__uint2float_##mode, float, unsigned int, "cvt." ptx ".f32.u32", "f", "r")        \
    VGPU_CONVERT(__ll2float_##mode, float, long long, "cvt." ptx ".f32.s64", "f", "l")             \
    VGPU_CONVERT(__ull2float_##mode, float, unsigned long long, "cvt." ptx ".f32.u64", "f", "l")   \
    VGPU_CONVERT(__ll2double_##mode, double, long long, "cvt." ptx ".f64.s64", "d", "l")           \
    VGPU_CONVERT(__ull2double_##mode, double, unsigned long long, "cvt." ptx ".f64.u64", "d", "l")
VGPU_CONVERTS(rn, "rn")
VGPU_CONVERTS(rz, "rz")
VGPU_CONVERTS(ru, "rp")
VGPU_CONVERTS(rd, "rm")
#undef VGPU_CONVERTS
#undef VGPU_CONVERT
VGPU_INTRINSIC double __int2double_rn(int x) { return (double)x; }
VGPU_INTRINSIC double __uint2double_rn(unsigned int x) { return (double)x; }

#endif
