/*
 * vgpu_half_ops.h: what __half and __nv_bfloat16 have in common, on the host and on the device:
 * arithmetic, comparisons, functions, operators. cuda_fp16.h and cuda_bf16.h include it, once each,
 * with
 *
 *     VGPU_H, VGPU_H2       the type and its pair
 *     VGPU_FMT              its name in PTX, a string
 *     VGPU_ONE              the bits of 1.0
 *
 * and with these functions declared for the type: vgpu_value(h), a float; vgpu_round(VGPU_H *,
 * float), vgpu_round(VGPU_H *, double), to nearest even.
 *
 * Device code has the instructions; the host computes in float or double and rounds once.
 */
#ifndef VGPU_H
#error "include cuda_fp16.h or cuda_bf16.h"
#endif

#ifdef __CUDA_ARCH__
#define VGPU_HALF_1(name, op, host)                                                                \
    VGPU_HALF VGPU_H name(VGPU_H a) {                                                              \
        VGPU_H r;                                                                                  \
        asm(op "." VGPU_FMT " %0, %1;" : "=h"(r.__x) : "h"(a.__x));                                \
        return r;                                                                                  \
    }
#define VGPU_HALF_2(name, op, host)                                                                \
    VGPU_HALF VGPU_H name(VGPU_H a, VGPU_H b) {                                                    \
        VGPU_H r;                                                                                  \
        asm(op "." VGPU_FMT " %0, %1, %2;" : "=h"(r.__x) : "h"(a.__x), "h"(b.__x));                \
        return r;                                                                                  \
    }
#define VGPU_HALF_3(name, op, host)                                                                \
    VGPU_HALF VGPU_H name(VGPU_H a, VGPU_H b, VGPU_H c) {                                          \
        VGPU_H r;                                                                                  \
        asm(op "." VGPU_FMT " %0, %1, %2, %3;"                                                     \
            : "=h"(r.__x)                                                                          \
            : "h"(a.__x), "h"(b.__x), "h"(c.__x));                                                 \
        return r;                                                                                  \
    }
#define VGPU_PAIR_1(name, op, one)                                                                 \
    VGPU_HALF VGPU_H2 name(VGPU_H2 a) {                                                            \
        unsigned int r;                                                                            \
        asm(op "." VGPU_FMT "x2 %0, %1;" : "=r"(r) : "r"(vgpu_bits(a)));                           \
        return vgpu_pair<VGPU_H2>(r);                                                              \
    }
#define VGPU_PAIR_2(name, op, one)                                                                 \
    VGPU_HALF VGPU_H2 name(VGPU_H2 a, VGPU_H2 b) {                                                 \
        unsigned int r;                                                                            \
        asm(op "." VGPU_FMT "x2 %0, %1, %2;" : "=r"(r) : "r"(vgpu_bits(a)), "r"(vgpu_bits(b)));    \
        return vgpu_pair<VGPU_H2>(r);                                                              \
    }
#define VGPU_PAIR_3(name, op, one)                                                                 \
    VGPU_HALF VGPU_H2 name(VGPU_H2 a, VGPU_H2 b, VGPU_H2 c) {                                      \
        unsigned int r;                                                                            \
        asm(op "." VGPU_FMT "x2 %0, %1, %2, %3;"                                                   \
            : "=r"(r)                                                                              \
            : "r"(vgpu_bits(a)), "r"(vgpu_bits(b)), "r"(vgpu_bits(c)));                            \
        return vgpu_pair<VGPU_H2>(r);                                                              \
    }
#else
/* On the host x, y and z are the operands' values. */
#define VGPU_HALF_1(name, op, host)                                                                \
    VGPU_HALF VGPU_H name(VGPU_H a) {                                                              \
        VGPU_H r;                                                                                  \
        const float x = vgpu_value(a);                                                             \
        vgpu_round(&r, host);                                                                      \
        return r;                                                                                  \
    }
#define VGPU_HALF_2(name, op, host)                                                                \
    VGPU_HALF VGPU_H name(VGPU_H a, VGPU_H b) {                                                    \
        VGPU_H r;                                                                                  \
        const float x = vgpu_value(a), y = vgpu_value(b);                                          \
        vgpu_round(&r, host);                                                                      \
        return r;                                                                                  \
    }
#define VGPU_HALF_3(name, op, host)                                                                \
    VGPU_HALF VGPU_H name(VGPU_H a, VGPU_H b, VGPU_H c) {                                          \
        VGPU_H r;                                                                                  \
        const float x = vgpu_value(a), y = vgpu_value(b), z = vgpu_value(c);                       \
        vgpu_round(&r, host);                                                                      \
        return r;                                                                                  \
    }
#define VGPU_PAIR_1(name, op, one)                                                                 \
    VGPU_HALF VGPU_H2 name(VGPU_H2 a) { return VGPU_H2(one(a.x), one(a.y)); }
#define VGPU_PAIR_2(name, op, one)                                                                 \
    VGPU_HALF VGPU_H2 name(VGPU_H2 a, VGPU_H2 b) { return VGPU_H2(one(a.x, b.x), one(a.y, b.y)); }
#define VGPU_PAIR_3(name, op, one)                                                                 \
    VGPU_HALF VGPU_H2 name(VGPU_H2 a, VGPU_H2 b, VGPU_H2 c) {                                      \
        return VGPU_H2(one(a.x, b.x, c.x), one(a.y, b.y, c.y));                                    \
    }
#endif

/* ---- arithmetic ---- */

/* The plain forms may be fused by the compiler on hardware, the _rn forms may not. */
#ifdef VGPU_NO_FMAD /* vgpucc -fmad=false */
#define VGPU_FUSABLE ".rn"
#else
#define VGPU_FUSABLE ""
#endif
VGPU_HALF_2(__hadd, "add" VGPU_FUSABLE, (double)x + (double)y)
VGPU_HALF_2(__hsub, "sub" VGPU_FUSABLE, (double)x - (double)y)
VGPU_HALF_2(__hmul, "mul" VGPU_FUSABLE, ((double)x * (double)y))
VGPU_HALF_2(__hadd_rn, "add.rn", (double)x + (double)y)
VGPU_HALF_2(__hsub_rn, "sub.rn", (double)x - (double)y)
VGPU_HALF_2(__hmul_rn, "mul.rn", ((double)x * (double)y))
VGPU_HALF_3(__hfma, "fma.rn", vgpu_odd_fma(x, y, z))
VGPU_HALF_3(__hfma_relu, "fma.rn.relu", vgpu_relu(vgpu_odd_fma(x, y, z)))
VGPU_HALF_2(__hmin, "min", vgpu_lesser(x, y))
VGPU_HALF_2(__hmax, "max", vgpu_greater(x, y))
VGPU_HALF_2(__hmin_nan, "min.NaN", x != x || y != y ? __builtin_nanf("") : vgpu_lesser(x, y))
VGPU_HALF_2(__hmax_nan, "max.NaN", x != x || y != y ? __builtin_nanf("") : vgpu_greater(x, y))
VGPU_PAIR_2(__hadd2, "add" VGPU_FUSABLE, __hadd)
VGPU_PAIR_2(__hsub2, "sub" VGPU_FUSABLE, __hsub)
VGPU_PAIR_2(__hmul2, "mul" VGPU_FUSABLE, __hmul)
#undef VGPU_FUSABLE
VGPU_PAIR_2(__hadd2_rn, "add.rn", __hadd)
VGPU_PAIR_2(__hsub2_rn, "sub.rn", __hsub)
VGPU_PAIR_2(__hmul2_rn, "mul.rn", __hmul)
VGPU_PAIR_3(__hfma2, "fma.rn", __hfma)
VGPU_PAIR_3(__hfma2_relu, "fma.rn.relu", __hfma_relu)
VGPU_PAIR_2(__hmin2, "min", __hmin)
VGPU_PAIR_2(__hmax2, "max", __hmax)
VGPU_PAIR_2(__hmin2_nan, "min.NaN", __hmin_nan)
VGPU_PAIR_2(__hmax2_nan, "max.NaN", __hmax_nan)

VGPU_HALF VGPU_H __hneg(VGPU_H a) { return vgpu_half<VGPU_H>(a.__x ^ 0x8000u); }
VGPU_HALF VGPU_H __habs(VGPU_H a) { return vgpu_half<VGPU_H>(a.__x & 0x7fffu); }
VGPU_HALF VGPU_H2 __hneg2(VGPU_H2 a) { return VGPU_H2(__hneg(a.x), __hneg(a.y)); }
VGPU_HALF VGPU_H2 __habs2(VGPU_H2 a) { return VGPU_H2(__habs(a.x), __habs(a.y)); }

VGPU_HALF VGPU_H __hdiv(VGPU_H a, VGPU_H b) {
    VGPU_H r;
    vgpu_round(&r, vgpu_value(a) / vgpu_value(b));
    return r;
}
VGPU_HALF VGPU_H2 __h2div(VGPU_H2 a, VGPU_H2 b) {
    return VGPU_H2(__hdiv(a.x, b.x), __hdiv(a.y, b.y));
}

/* Clamped to [0, 1]; NaN becomes 0. */
VGPU_HALF VGPU_H vgpu_clamped(VGPU_H a) {
    const float x = vgpu_value(a);
    return x > 0.0f ? (x < 1.0f ? a : vgpu_half<VGPU_H>(VGPU_ONE)) : vgpu_half<VGPU_H>(0);
}
VGPU_HALF VGPU_H __hadd_sat(VGPU_H a, VGPU_H b) { return vgpu_clamped(__hadd_rn(a, b)); }
VGPU_HALF VGPU_H __hsub_sat(VGPU_H a, VGPU_H b) { return vgpu_clamped(__hsub_rn(a, b)); }
VGPU_HALF VGPU_H __hmul_sat(VGPU_H a, VGPU_H b) { return vgpu_clamped(__hmul_rn(a, b)); }
VGPU_HALF VGPU_H __hfma_sat(VGPU_H a, VGPU_H b, VGPU_H c) { return vgpu_clamped(__hfma(a, b, c)); }
VGPU_HALF VGPU_H2 __hadd2_sat(VGPU_H2 a, VGPU_H2 b) {
    return VGPU_H2(__hadd_sat(a.x, b.x), __hadd_sat(a.y, b.y));
}
VGPU_HALF VGPU_H2 __hsub2_sat(VGPU_H2 a, VGPU_H2 b) {
    return VGPU_H2(__hsub_sat(a.x, b.x), __hsub_sat(a.y, b.y));
}
VGPU_HALF VGPU_H2 __hmul2_sat(VGPU_H2 a, VGPU_H2 b) {
    return VGPU_H2(__hmul_sat(a.x, b.x), __hmul_sat(a.y, b.y));
}
VGPU_HALF VGPU_H2 __hfma2_sat(VGPU_H2 a, VGPU_H2 b, VGPU_H2 c) {
    return VGPU_H2(__hfma_sat(a.x, b.x, c.x), __hfma_sat(a.y, b.y, c.y));
}
/* The product of complex numbers, x real and y imaginary, added to c. */
VGPU_HALF VGPU_H2 __hcmadd(VGPU_H2 a, VGPU_H2 b, VGPU_H2 c) {
    return VGPU_H2(__hfma(__hneg(a.y), b.y, __hfma(a.x, b.x, c.x)),
                   __hfma(a.y, b.x, __hfma(a.x, b.y, c.y)));
}

/* ---- comparisons ---- */

/* Of the values, which floats hold exactly. name: false when one is a NaN; nameu: true then. */
#define VGPU_HALF_COMPARE(name, op)                                                                \
    VGPU_HALF bool __h##name(VGPU_H a, VGPU_H b) { return vgpu_value(a) op vgpu_value(b); }        \
    VGPU_HALF bool __h##name##u(VGPU_H a, VGPU_H b) {                                              \
        const float x = vgpu_value(a), y = vgpu_value(b);                                          \
        return x != x || y != y || x op y;                                                         \
    }                                                                                              \
    VGPU_HALF bool __hb##name##2(VGPU_H2 a, VGPU_H2 b) {                                           \
        return __h##name(a.x, b.x) && __h##name(a.y, b.y);                                         \
    }                                                                                              \
    VGPU_HALF bool __hb##name##u2(VGPU_H2 a, VGPU_H2 b) {                                          \
        return __h##name##u(a.x, b.x) && __h##name##u(a.y, b.y);                                   \
    }                                                                                              \
    VGPU_HALF VGPU_H2 __h##name##2(VGPU_H2 a, VGPU_H2 b) {                                         \
        return VGPU_H2(vgpu_half<VGPU_H>(__h##name(a.x, b.x) ? VGPU_ONE : 0),                      \
                       vgpu_half<VGPU_H>(__h##name(a.y, b.y) ? VGPU_ONE : 0));                     \
    }                                                                                              \
    VGPU_HALF VGPU_H2 __h##name##u2(VGPU_H2 a, VGPU_H2 b) {                                        \
        return VGPU_H2(vgpu_half<VGPU_H>(__h##name##u(a.x, b.x) ? VGPU_ONE : 0),                   \
                       vgpu_half<VGPU_H>(__h##name##u(a.y, b.y) ? VGPU_ONE : 0));                  \
    }                                                                                              \
    VGPU_HALF unsigned int __h##name##2_mask(VGPU_H2 a, VGPU_H2 b) {                               \
        return (__h##name(a.x, b.x) ? 0xffffu : 0) | (__h##name(a.y, b.y) ? 0xffff0000u : 0);      \
    }                                                                                              \
    VGPU_HALF unsigned int __h##name##u2_mask(VGPU_H2 a, VGPU_H2 b) {                              \
        return (__h##name##u(a.x, b.x) ? 0xffffu : 0) |                                            \
               (__h##name##u(a.y, b.y) ? 0xffff0000u : 0);                                         \
    }
VGPU_HALF_COMPARE(eq, ==)
VGPU_HALF_COMPARE(lt, <)
VGPU_HALF_COMPARE(le, <=)
VGPU_HALF_COMPARE(gt, >)
VGPU_HALF_COMPARE(ge, >=)
#undef VGPU_HALF_COMPARE
/* Unequal and no NaN; __hneu: unequal, or a NaN. */
VGPU_HALF bool __hne(VGPU_H a, VGPU_H b) {
    return vgpu_value(a) < vgpu_value(b) || vgpu_value(a) > vgpu_value(b);
}
VGPU_HALF bool __hneu(VGPU_H a, VGPU_H b) { return vgpu_value(a) != vgpu_value(b); }
VGPU_HALF bool __hbne2(VGPU_H2 a, VGPU_H2 b) { return __hne(a.x, b.x) && __hne(a.y, b.y); }
VGPU_HALF bool __hbneu2(VGPU_H2 a, VGPU_H2 b) { return __hneu(a.x, b.x) && __hneu(a.y, b.y); }
VGPU_HALF VGPU_H2 __hne2(VGPU_H2 a, VGPU_H2 b) {
    return VGPU_H2(vgpu_half<VGPU_H>(__hne(a.x, b.x) ? VGPU_ONE : 0),
                   vgpu_half<VGPU_H>(__hne(a.y, b.y) ? VGPU_ONE : 0));
}
VGPU_HALF VGPU_H2 __hneu2(VGPU_H2 a, VGPU_H2 b) {
    return VGPU_H2(vgpu_half<VGPU_H>(__hneu(a.x, b.x) ? VGPU_ONE : 0),
                   vgpu_half<VGPU_H>(__hneu(a.y, b.y) ? VGPU_ONE : 0));
}
VGPU_HALF unsigned int __hne2_mask(VGPU_H2 a, VGPU_H2 b) {
    return (__hne(a.x, b.x) ? 0xffffu : 0) | (__hne(a.y, b.y) ? 0xffff0000u : 0);
}
VGPU_HALF unsigned int __hneu2_mask(VGPU_H2 a, VGPU_H2 b) {
    return (__hneu(a.x, b.x) ? 0xffffu : 0) | (__hneu(a.y, b.y) ? 0xffff0000u : 0);
}
VGPU_HALF bool __hisnan(VGPU_H a) { return vgpu_value(a) != vgpu_value(a); }
VGPU_HALF int __hisinf(VGPU_H a) {
    const float x = vgpu_value(a);
    return x == __builtin_inff() ? 1 : x == -__builtin_inff() ? -1 : 0;
}
VGPU_HALF VGPU_H2 __hisnan2(VGPU_H2 a) {
    return VGPU_H2(vgpu_half<VGPU_H>(__hisnan(a.x) ? VGPU_ONE : 0),
                   vgpu_half<VGPU_H>(__hisnan(a.y) ? VGPU_ONE : 0));
}

/* ---- pairs ---- */

VGPU_HALF float __low2float(VGPU_H2 a) { return vgpu_value(a.x); }
VGPU_HALF float __high2float(VGPU_H2 a) { return vgpu_value(a.y); }

/* ---- functions ---- */

/* Computed in float and rounded; hardware is less exact where it says "approx". */
#define VGPU_HALF_FUNCTION(name, expr)                                                             \
    VGPU_HALF VGPU_H h##name(VGPU_H a) {                                                           \
        VGPU_H r;                                                                                  \
        const float x = vgpu_value(a);                                                             \
        vgpu_round(&r, (float)(expr));                                                             \
        return r;                                                                                  \
    }                                                                                              \
    VGPU_HALF VGPU_H2 h2##name(VGPU_H2 a) { return VGPU_H2(h##name(a.x), h##name(a.y)); }
VGPU_HALF_FUNCTION(sqrt, sqrtf(x))
VGPU_HALF_FUNCTION(rsqrt, 1.0f / sqrtf(x))
VGPU_HALF_FUNCTION(rcp, 1.0f / x)
VGPU_HALF_FUNCTION(exp, expf(x))
VGPU_HALF_FUNCTION(exp2, exp2f(x))
VGPU_HALF_FUNCTION(exp10, powf(10.0f, x))
VGPU_HALF_FUNCTION(log, logf(x))
VGPU_HALF_FUNCTION(log2, log2f(x))
VGPU_HALF_FUNCTION(log10, log10f(x))
VGPU_HALF_FUNCTION(sin, sinf(x))
VGPU_HALF_FUNCTION(cos, cosf(x))
VGPU_HALF_FUNCTION(tanh, tanhf(x))
VGPU_HALF_FUNCTION(tanh_approx, tanhf(x))
VGPU_HALF_FUNCTION(ceil, ceilf(x))
VGPU_HALF_FUNCTION(floor, floorf(x))
VGPU_HALF_FUNCTION(trunc, truncf(x))
VGPU_HALF_FUNCTION(rint, rintf(x))
#undef VGPU_HALF_FUNCTION

/* ---- operators ---- */

#define VGPU_HALF_OPERATOR(op, one, two)                                                           \
    VGPU_HALF VGPU_H operator op(const VGPU_H &a, const VGPU_H &b) { return one(a, b); }           \
    VGPU_HALF VGPU_H &operator op##=(VGPU_H &a, const VGPU_H &b) { return a = one(a, b); }         \
    VGPU_HALF VGPU_H2 operator op(const VGPU_H2 &a, const VGPU_H2 &b) { return two(a, b); }        \
    VGPU_HALF VGPU_H2 &operator op##=(VGPU_H2 &a, const VGPU_H2 &b) { return a = two(a, b); }
VGPU_HALF_OPERATOR(+, __hadd, __hadd2)
VGPU_HALF_OPERATOR(-, __hsub, __hsub2)
VGPU_HALF_OPERATOR(*, __hmul, __hmul2)
VGPU_HALF_OPERATOR(/, __hdiv, __h2div)
#undef VGPU_HALF_OPERATOR
#define VGPU_HALF_OPERATOR(op, one, two)                                                           \
    VGPU_HALF bool operator op(const VGPU_H &a, const VGPU_H &b) { return one(a, b); }             \
    VGPU_HALF bool operator op(const VGPU_H2 &a, const VGPU_H2 &b) { return two(a, b); }
VGPU_HALF_OPERATOR(==, __heq, __hbeq2)
VGPU_HALF_OPERATOR(!=, __hneu, __hbneu2)
VGPU_HALF_OPERATOR(<, __hlt, __hblt2)
VGPU_HALF_OPERATOR(<=, __hle, __hble2)
VGPU_HALF_OPERATOR(>, __hgt, __hbgt2)
VGPU_HALF_OPERATOR(>=, __hge, __hbge2)
#undef VGPU_HALF_OPERATOR
VGPU_HALF VGPU_H operator+(const VGPU_H &a) { return a; }
VGPU_HALF VGPU_H operator-(const VGPU_H &a) { return __hneg(a); }
VGPU_HALF VGPU_H2 operator+(const VGPU_H2 &a) { return a; }
VGPU_HALF VGPU_H2 operator-(const VGPU_H2 &a) { return __hneg2(a); }
VGPU_HALF VGPU_H &operator++(VGPU_H &a) { return a = __hadd(a, vgpu_half<VGPU_H>(VGPU_ONE)); }
VGPU_HALF VGPU_H &operator--(VGPU_H &a) { return a = __hsub(a, vgpu_half<VGPU_H>(VGPU_ONE)); }
VGPU_HALF VGPU_H operator++(VGPU_H &a, int) {
    const VGPU_H before = a;
    ++a;
    return before;
}
VGPU_HALF VGPU_H operator--(VGPU_H &a, int) {
    const VGPU_H before = a;
    --a;
    return before;
}

/* ---- warps and atomics: device code only ---- */

#if defined(__CUDA__) && defined(__clang__)
#define VGPU_HALF_SHUFFLE(name, type)                                                              \
    VGPU_INTRINSIC VGPU_H name(unsigned int mask, const VGPU_H &value, type lane,                  \
                               int width = 32) {                                                   \
        return vgpu_half<VGPU_H>((unsigned int)name(mask, (int)value.__x, lane, width));           \
    }                                                                                              \
    VGPU_INTRINSIC VGPU_H2 name(unsigned int mask, const VGPU_H2 &value, type lane,                \
                                int width = 32) {                                                  \
        return vgpu_pair<VGPU_H2>((unsigned int)name(mask, (int)vgpu_bits(value), lane, width));   \
    }
VGPU_HALF_SHUFFLE(__shfl_sync, int)
VGPU_HALF_SHUFFLE(__shfl_up_sync, unsigned int)
VGPU_HALF_SHUFFLE(__shfl_down_sync, unsigned int)
VGPU_HALF_SHUFFLE(__shfl_xor_sync, int)
#undef VGPU_HALF_SHUFFLE
VGPU_INTRINSIC VGPU_H atomicAdd(VGPU_H *address, VGPU_H value) {
    VGPU_H old;
    asm volatile("atom.add.noftz." VGPU_FMT " %0, [%1], %2;"
                 : "=h"(old.__x)
                 : "l"(address), "h"(value.__x)
                 : "memory");
    return old;
}
VGPU_INTRINSIC VGPU_H2 atomicAdd(VGPU_H2 *address, VGPU_H2 value) {
    unsigned int old;
    asm volatile("atom.add.noftz." VGPU_FMT "x2 %0, [%1], %2;"
                 : "=r"(old)
                 : "l"(address), "r"(vgpu_bits(value))
                 : "memory");
    return vgpu_pair<VGPU_H2>(old);
}
#endif

#undef VGPU_HALF_1
#undef VGPU_HALF_2
#undef VGPU_HALF_3
#undef VGPU_PAIR_1
#undef VGPU_PAIR_2
#undef VGPU_PAIR_3
#undef VGPU_H
#undef VGPU_H2
#undef VGPU_FMT
#undef VGPU_ONE
