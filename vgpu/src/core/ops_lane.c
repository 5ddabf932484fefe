/*
 * ops_lane.c: operations computed a lane at a time, because they are rare or don't vectorise: bit
 * fiddling, every conversion, directed rounding, special functions, carries.
 *
 * A lane function gets its sources as bits (16- and 32-bit ones zero-extended) and returns the
 * destination's bits. op.aux carries what lower.c put together with CVT_… below.
 * Long, because it is a list: one small function an instruction, and their table at the end.
 */
#include "vgpu/src/core/ops_lane.h"
#include "vgpu/src/core/optable.h"

#include <fenv.h>
#include <math.h>
#include <string.h>

static float as_float(uint64_t bits) {
    uint32_t b = (uint32_t)bits;
    float f;
    memcpy(&f, &b, sizeof f);
    return f;
}
static double as_double(uint64_t bits) {
    double d;
    memcpy(&d, &bits, sizeof d);
    return d;
}
static uint64_t float_bits(float f) {
    uint32_t b;
    memcpy(&b, &f, sizeof b);
    return f != f ? 0x7FFFFFFFu : b;
}
static uint64_t double_bits(double d) {
    uint64_t b;
    memcpy(&b, &d, sizeof b);
    return d != d ? 0x7FF8000000000000ull : b;
}

/* ---- bits ---- */

static uint64_t popc32(const op *o, uint64_t a, uint64_t b, uint64_t c) {
    (void)o, (void)b, (void)c;
    return (uint64_t)__builtin_popcount((uint32_t)a);
}
static uint64_t popc64(const op *o, uint64_t a, uint64_t b, uint64_t c) {
    (void)o, (void)b, (void)c;
    return (uint64_t)__builtin_popcountll(a);
}
static uint64_t clz32(const op *o, uint64_t a, uint64_t b, uint64_t c) {
    (void)o, (void)b, (void)c;
    return (uint32_t)a == 0 ? 32 : (uint64_t)__builtin_clz((uint32_t)a);
}
static uint64_t clz64(const op *o, uint64_t a, uint64_t b, uint64_t c) {
    (void)o, (void)b, (void)c;
    return a == 0 ? 64 : (uint64_t)__builtin_clzll(a);
}
static uint64_t brev64(const op *o, uint64_t a, uint64_t b, uint64_t c) {
    (void)o, (void)b, (void)c;
    uint64_t r = 0;
    for (int i = 0; i < 64; i++)
        r |= (a >> i & 1) << (63 - i);
    return r;
}
static uint64_t brev32(const op *o, uint64_t a, uint64_t b, uint64_t c) {
    return brev64(o, a, b, c) >> 32;
}
/* bfind: position of the highest bit that is set (signed: that differs from the sign). */
static uint64_t bfind_u32(const op *o, uint64_t a, uint64_t b, uint64_t c) {
    (void)b, (void)c;
    const uint32_t x = (uint32_t)a;
    if (x == 0)
        return 0xFFFFFFFFu;
    return o->aux != 0 ? (uint64_t)__builtin_clz(x) : 31u - (unsigned)__builtin_clz(x);
}
static uint64_t bfind_s32(const op *o, uint64_t a, uint64_t b, uint64_t c) {
    return bfind_u32(o, (int32_t)a < 0 ? ~a & 0xFFFFFFFFu : a, b, c);
}
static uint64_t bfind_u64(const op *o, uint64_t a, uint64_t b, uint64_t c) {
    (void)b, (void)c;
    if (a == 0)
        return 0xFFFFFFFFu;
    return o->aux != 0 ? (uint64_t)__builtin_clzll(a) : 63u - (unsigned)__builtin_clzll(a);
}
static uint64_t bfind_s64(const op *o, uint64_t a, uint64_t b, uint64_t c) {
    return bfind_u64(o, (int64_t)a < 0 ? ~a : a, b, c);
}

/* bfe: `len` bits from `pos`, sign-extended from the last bit there is when signed. */
static uint64_t extract(uint64_t a, unsigned width, uint64_t pos, uint64_t len, bool is_signed) {
    pos &= 0xFF;
    len &= 0xFF;
    uint64_t sign = 0;
    if (is_signed && len != 0) {
        uint64_t at = pos + len - 1 < width - 1 ? pos + len - 1 : width - 1;
        sign = a >> at & 1;
    }
    uint64_t r = 0;
    for (unsigned i = 0; i < width; i++) {
        uint64_t bit = i < len && pos + i < width ? a >> (pos + i) & 1 : sign;
        r |= bit << i;
    }
    return r;
}
static uint64_t bfe_u32(const op *o, uint64_t a, uint64_t b, uint64_t c) {
    (void)o;
    return extract(a, 32, b, c, false);
}
static uint64_t bfe_s32(const op *o, uint64_t a, uint64_t b, uint64_t c) {
    (void)o;
    return extract(a, 32, b, c, true);
}
static uint64_t bfe_u64(const op *o, uint64_t a, uint64_t b, uint64_t c) {
    (void)o;
    return extract(a, 64, b, c, false);
}
static uint64_t bfe_s64(const op *o, uint64_t a, uint64_t b, uint64_t c) {
    (void)o;
    return extract(a, 64, b, c, true);
}
/* bfi f, a, b, pos, len: pos and len arrive packed in c (lower.c makes the pair). */
static uint64_t insert(uint64_t a, uint64_t b, uint64_t c, unsigned width) {
    const uint64_t pos = c & 0xFF, len = c >> 32 & 0xFF;
    for (uint64_t i = 0; i < len && pos + i < width; i++)
        b = (b & ~(1ull << (pos + i))) | (a >> i & 1) << (pos + i);
    return b;
}
static uint64_t bfi_b32(const op *o, uint64_t a, uint64_t b, uint64_t c) {
    (void)o;
    return insert(a, b, c, 32);
}
static uint64_t bfi_b64(const op *o, uint64_t a, uint64_t b, uint64_t c) {
    (void)o;
    return insert(a, b, c, 64);
}
/* lop3: the truth table is in aux. */
static uint64_t lop3(const op *o, uint64_t a, uint64_t b, uint64_t c) {
    uint64_t r = 0;
    for (unsigned t = 0; t < 8; t++)
        if ((o->aux >> t & 1) != 0)
            r |= (t & 4 ? a : ~a) & (t & 2 ? b : ~b) & (t & 1 ? c : ~c);
    return r & 0xFFFFFFFFu;
}
/* shf: funnel shift of b:a; aux 1: right, 2: wrap the count instead of clamping. */
static uint64_t shf(const op *o, uint64_t a, uint64_t b, uint64_t c) {
    const uint64_t n = (o->aux & 2) != 0 ? (c & 31) : (c < 32 ? c : 32);
    const uint64_t pair = b << 32 | (a & 0xFFFFFFFFu);
    return (o->aux & 1) != 0 ? (pair >> n) & 0xFFFFFFFFu : (pair << n) >> 32;
}
static uint64_t prmt(const op *o, uint64_t a, uint64_t b, uint64_t c) {
    const uint64_t pool = b << 32 | (a & 0xFFFFFFFFu);
    uint64_t r = 0;
    for (unsigned i = 0; i < 4; i++) {
        unsigned sel;
        const unsigned n = (unsigned)c & 3;
        switch (o->aux) {
        case PRMT_F4E: sel = i + n; break;
        case PRMT_B4E: sel = (8 + n - i) & 7; break;
        case PRMT_RC8: sel = n; break;
        case PRMT_ECL: sel = i < n ? n : i; break;
        case PRMT_ECR: sel = i < n ? i : n; break;
        case PRMT_RC16: sel = (n & 1) * 2 + (i & 1); break;
        default: sel = (unsigned)(c >> (4 * i)) & 15;
        }
        uint64_t byte = pool >> (8 * (sel & 7)) & 0xFF;
        if ((sel & 8) != 0)
            byte = (byte & 0x80) != 0 ? 0xFF : 0;
        r |= byte << (8 * i);
    }
    return r;
}
static uint64_t sad_u32(const op *o, uint64_t a, uint64_t b, uint64_t c) {
    (void)o;
    return (uint32_t)((a > b ? a - b : b - a) + c);
}
static uint64_t sad_s32(const op *o, uint64_t a, uint64_t b, uint64_t c) {
    (void)o;
    int64_t x = (int32_t)a, y = (int32_t)b;
    return (uint32_t)((uint64_t)(x > y ? x - y : y - x) + c);
}
static uint64_t mul24_u32(const op *o, uint64_t a, uint64_t b, uint64_t c) {
    (void)c;
    const uint64_t p = (a & 0xFFFFFF) * (b & 0xFFFFFF);
    return (uint32_t)(o->aux != 0 ? p >> 16 : p);
}
static uint64_t mul24_s32(const op *o, uint64_t a, uint64_t b, uint64_t c) {
    (void)c;
    const int64_t x = (int32_t)((uint32_t)a << 8) >> 8, y = (int32_t)((uint32_t)b << 8) >> 8;
    return (uint32_t)(o->aux != 0 ? (x * y) >> 16 : x * y);
}
static uint64_t mad24_u32(const op *o, uint64_t a, uint64_t b, uint64_t c) {
    return (uint32_t)(mul24_u32(o, a, b, 0) + c);
}
static uint64_t mad24_s32(const op *o, uint64_t a, uint64_t b, uint64_t c) {
    return (uint32_t)(mul24_s32(o, a, b, 0) + c);
}
static uint64_t mad_hi_u64(const op *o, uint64_t a, uint64_t b, uint64_t c) {
    (void)o;
    return (uint64_t)(((unsigned __int128)a * b) >> 64) + c;
}
static uint64_t mad_hi_s64(const op *o, uint64_t a, uint64_t b, uint64_t c) {
    (void)o;
    return (uint64_t)(((__int128)(int64_t)a * (int64_t)b) >> 64) + c;
}
static int32_t clamp_s32(int64_t v) {
    return (int32_t)(v < INT32_MIN ? INT32_MIN : v > INT32_MAX ? INT32_MAX : v);
}
static uint64_t add_sat_s32(const op *o, uint64_t a, uint64_t b, uint64_t c) {
    (void)o, (void)c;
    return (uint32_t)clamp_s32((int64_t)(int32_t)a + (int32_t)b);
}
static uint64_t sub_sat_s32(const op *o, uint64_t a, uint64_t b, uint64_t c) {
    (void)o, (void)c;
    return (uint32_t)clamp_s32((int64_t)(int32_t)a - (int32_t)b);
}
static uint64_t dp4a(const op *o, uint64_t a, uint64_t b, uint64_t c) {
    uint32_t sum = (uint32_t)c; /* aux 1: a is signed, 2: b is signed */
    for (int i = 0; i < 4; i++) {
        int32_t x = (int32_t)(a >> (8 * i) & 0xFF), y = (int32_t)(b >> (8 * i) & 0xFF);
        x = (o->aux & 1) != 0 ? (int8_t)x : x;
        y = (o->aux & 2) != 0 ? (int8_t)y : y;
        sum += (uint32_t)(x * y);
    }
    return sum;
}
/* slct: a if c >= 0 else b; aux 1: c is a float, 2: with its subnormals flushed. */
static uint64_t slct(const op *o, uint64_t a, uint64_t b, uint64_t c) {
    if (o->aux == 2 && (c & 0x7F800000u) == 0)
        return a;
    return (o->aux != 0 ? as_float(c) >= 0.0f : (int32_t)c >= 0) ? a : b;
}

/* ---- floats, one at a time ---- */

#define FLOAT_FN(NAME, EXPR)                                                                       \
    static uint64_t NAME(const op *o, uint64_t a, uint64_t b, uint64_t c) {                        \
        (void)o, (void)b, (void)c;                                                                 \
        const float x = as_float(a);                                                               \
        return float_bits(EXPR);                                                                   \
    }
FLOAT_FN(rsqrt_f32, (float)(1.0 / sqrt((double)x)))
FLOAT_FN(sin_f32, sinf(x))
FLOAT_FN(cos_f32, cosf(x))
FLOAT_FN(lg2_f32, log2f(x))
FLOAT_FN(ex2_f32, exp2f(x))
FLOAT_FN(tanh_f32, tanhf(x))
static uint64_t rsqrt_f64(const op *o, uint64_t a, uint64_t b, uint64_t c) {
    (void)o, (void)b, (void)c;
    return double_bits(1.0 / sqrt(as_double(a)));
}

static uint64_t testp_f32(const op *o, uint64_t a, uint64_t b, uint64_t c) {
    (void)b, (void)c;
    const int kind = fpclassify(as_float(a));
    switch (o->aux) {
    case TESTP_FINITE: return kind != FP_NAN && kind != FP_INFINITE;
    case TESTP_INFINITE: return kind == FP_INFINITE;
    case TESTP_NUMBER: return kind != FP_NAN;
    case TESTP_NOTANUMBER: return kind == FP_NAN;
    case TESTP_NORMAL:
        return kind == FP_NORMAL || kind == FP_ZERO; /* zeros count as normal, says the manual */
    default: return kind == FP_SUBNORMAL;
    }
}
static uint64_t testp_f64(const op *o, uint64_t a, uint64_t b, uint64_t c) {
    (void)b, (void)c;
    const double x = as_double(a);
    const float same_class = isnan(x)                        ? NAN
                             : isinf(x)                      ? INFINITY
                             : fpclassify(x) == FP_SUBNORMAL ? 1e-44f
                             : x == 0                        ? 0.0f
                                                             : 1.0f;
    return testp_f32(o, float_bits(same_class), 0, 0);
}

/* Arithmetic with a rounding other than to nearest, or with several modifiers at once: the C
 * library's rounding mode, set for one operation. volatile keeps the compiler from computing
 * outside the mode. */
static const int round_modes[] = {FE_TONEAREST, FE_TOWARDZERO, FE_DOWNWARD, FE_UPWARD};

static uint64_t flush_bits(uint64_t bits) {
    return (bits & 0x7F800000u) == 0 ? bits & 0x80000000u : bits;
}
static float operand_f32(const op *o, uint64_t bits) {
    return as_float((o->aux & ROUND_FTZ) != 0 ? flush_bits(bits) : bits);
}
/* scaled: the result 2^64 times as large; whether it is subnormal is seen before it is rounded as
 * one. */
static uint64_t result_f32(const op *o, float r, float scaled, double x, double y, double z) {
    (void)x, (void)y, (void)z;
    const uint64_t bits = float_bits((o->aux & ROUND_SAT) == 0 ? r : r > 0 ? (r < 1 ? r : 1) : 0);
    return (o->aux & ROUND_FTZ) == 0  ? bits
           : fabsf(scaled) < 0x1p-62f ? bits & 0x80000000u
                                      : flush_bits(bits);
}
static double operand_f64(const op *o, uint64_t bits) {
    (void)o;
    return as_double(bits);
}
static uint64_t quiet_bits(double d) {
    uint64_t b;
    memcpy(&b, &d, sizeof b);
    return isnan(d) ? b | 1ull << 51 : b;
}
/* x, y, z: the operands in the order in which the hardware looks for a NaN. */
static uint64_t result_f64(const op *o, double r, double scaled, double x, double y, double z) {
    (void)o, (void)scaled;
    return quiet_bits(isnan(x) ? x : isnan(y) ? y : isnan(z) ? z : r);
}

#define ROUNDED(NAME, T, WIDTH, FIRST, SECOND, THIRD, EXPR, SCALED)                                \
    static uint64_t NAME(const op *o, uint64_t a, uint64_t b, uint64_t c) {                        \
        const int before = fegetround();                                                           \
        volatile T x = operand_##WIDTH(o, a), y = operand_##WIDTH(o, b),                           \
                   z = operand_##WIDTH(o, c);                                                      \
        (void)y, (void)z;                                                                          \
        fesetround(round_modes[o->aux & 3]);                                                       \
        volatile T r = (EXPR), scaled = (SCALED);                                                  \
        fesetround(before);                                                                        \
        return result_##WIDTH(o, r, scaled, FIRST, SECOND, THIRD);                                 \
    }
ROUNDED(add_r32, float, f32, 0, 0, 0, x + y, 1)
ROUNDED(sub_r32, float, f32, 0, 0, 0, x - y, 1)
ROUNDED(mul_r32, float, f32, 0, 0, 0, (x * y), x * 0x1p32f * (y * 0x1p32f))
ROUNDED(div_r32, float, f32, 0, 0, 0, x / y, x * 0x1p64f / y)
ROUNDED(fma_r32, float, f32, 0, 0, 0, fmaf(x, y, z), fmaf(x * 0x1p32f, y * 0x1p32f, z * 0x1p64f))
ROUNDED(rcp_r32, float, f32, 0, 0, 0, 1.0f / x, 0x1p64f / x)
ROUNDED(sqrt_r32, float, f32, 0, 0, 0, sqrtf(x), 1)
ROUNDED(add_r64, double, f64, y, x, 0, x + y, 0)
ROUNDED(sub_r64, double, f64, y, x, 0, x - y, 0)
ROUNDED(mul_r64, double, f64, y, x, 0, (x * y), 0)
ROUNDED(div_r64, double, f64, x, y, 0, x / y, 0)
ROUNDED(fma_r64, double, f64, y, z, x, fma(x, y, z), 0)
ROUNDED(rcp_r64, double, f64, x, 0, 0, 1.0 / x, 0)
ROUNDED(sqrt_r64, double, f64, x, 0, 0, sqrt(x), 0)

/* ---- conversions ---- */

/* float16 and bfloat16 as the double that holds them exactly, and back rounded to nearest even. */
static double half_value(uint16_t h) {
    const int exponent = h >> 10 & 31;
    const int fraction = h & 1023;
    double v = exponent == 31
                   ? (fraction != 0 ? as_double(0x7FF8000000000000ull | (uint64_t)fraction << 42)
                                    : (double)INFINITY)
               : exponent == 0 ? ldexp(fraction, -24)
                               : ldexp(1024 + fraction, exponent - 25);
    return (h & 0x8000) != 0 ? -v : v;
}

/* v rounded to `bits` significant bits with exponents from emin on,
 * in the current rounding mode. */
static double round_to(double v, int bits, int emin) {
    if (v == 0 || !isfinite(v))
        return v;
    int e;
    frexp(v, &e); /* |v| in [2^(e-1), 2^e) */
    const int unit = (e - bits > emin - bits + 1 ? e - bits : emin - bits + 1);
    return ldexp(nearbyint(ldexp(v, -unit)), unit);
}

static uint16_t half_bits(double v) {
    const uint16_t sign = signbit(v) ? 0x8000 : 0;
    if (isnan(v))
        return 0x7FFF;
    if (isinf(v))
        return sign | 0x7C00;
    v = fabs(round_to(v, 11, -14));
    if (v > 65504.0) {
        const int mode = fegetround();
        const bool inward = mode == FE_TOWARDZERO || mode == (sign != 0 ? FE_UPWARD : FE_DOWNWARD);
        return sign | (inward ? 0x7BFF : 0x7C00);
    }
    if (v < ldexp(1, -14))
        return sign | (uint16_t)ldexp(v, 24);
    int e;
    const double f = frexp(v, &e); /* [0.5, 1) */
    return sign | (uint16_t)((e + 14) << 10) | ((uint16_t)ldexp(f, 11) & 1023);
}

static uint16_t bfloat_bits(double v) {
    if (isnan(v))
        return 0x7FFF;
    /* Now exact in a float, or overflows to infinity. */
    const float f = (float)round_to(v, 8, -126);
    uint32_t b;
    memcpy(&b, &f, sizeof b);
    return (uint16_t)(b >> 16);
}

static double source_value(enum ptx_type type, uint64_t a) {
    switch (type) {
    case PT_F16: return half_value((uint16_t)a);
    case PT_BF16: return as_float((a & 0xFFFF) << 16);
    case PT_F32: return as_float(a);
    default: return as_double(a);
    }
}

static bool is_signed_type(enum ptx_type t) {
    return t >= PT_S8 && t <= PT_S64;
}
static bool is_float_type(enum ptx_type t) {
    return t == PT_F16 || t == PT_BF16 || t == PT_F32 || t == PT_F64;
}

/* The integer a, read as its type. */
static int64_t signed_value(enum ptx_type type, uint64_t a) {
    switch (ptx_type_size(type)) {
    case 1: return (int8_t)a;
    case 2: return (int16_t)a;
    case 4: return (int32_t)a;
    default: return (int64_t)a;
    }
}
static uint64_t unsigned_value(enum ptx_type type, uint64_t a) {
    const uint32_t size = ptx_type_size(type);
    return size == 8 ? a : a & ((1ull << (8 * size)) - 1);
}

/* An integer of src type clamped into dst's range (.sat), or cut to its width; extended as dst
 * says, for registers that are wider. */
static uint64_t int_to_int(enum ptx_type dst, enum ptx_type src, uint64_t a, bool saturate) {
    const unsigned bits = 8 * ptx_type_size(dst);
    const bool from_signed = is_signed_type(src);
    const uint64_t wide = from_signed ? (uint64_t)signed_value(src, a) : unsigned_value(src, a);
    if (!saturate)
        return is_signed_type(dst) ? (uint64_t)signed_value(dst, wide) : unsigned_value(dst, wide);
    const bool negative = from_signed && (int64_t)wide < 0;
    if (is_signed_type(dst)) {
        const int64_t low = bits == 64 ? INT64_MIN : -(1ll << (bits - 1));
        const uint64_t high = (1ull << (bits - 1)) - 1;
        if (negative)
            return (int64_t)wide < low ? (uint64_t)low : wide;
        return wide > high ? high : wide;
    }
    const uint64_t high = bits == 64 ? ~0ull : (1ull << bits) - 1;
    return negative ? 0 : wide > high ? high : wide;
}

/* A float to an integer: rounded as asked, clamped always, NaN to 0, as on hardware; to the top bit
 * when the integer has 64 bits or the float is a double. */
static uint64_t float_to_int(enum ptx_type dst, enum ptx_type src, double v) {
    const unsigned bits = 8 * ptx_type_size(dst);
    if (isnan(v)) {
        const uint64_t top = bits == 64 || src == PT_F64 ? 1ull << (bits - 1) : 0;
        return is_signed_type(dst) ? (uint64_t)signed_value(dst, top) : top;
    }
    v = nearbyint(v);
    if (is_signed_type(dst)) {
        const double edge = ldexp(1, (int)bits - 1);
        const uint64_t low = 0 - (1ull << (bits - 1)), high = (1ull << (bits - 1)) - 1;
        return v >= edge ? high : v < -edge ? low : (uint64_t)(int64_t)v;
    }
    const double edge = ldexp(1, (int)bits);
    return v >= edge ? (bits == 64 ? ~0ull : (1ull << bits) - 1) : v <= 0 ? 0 : (uint64_t)v;
}

static uint64_t double_to(enum ptx_type dst, double v) {
    switch (dst) {
    case PT_F16: return half_bits(v);
    case PT_BF16: return bfloat_bits(v);
    case PT_F32: {
        volatile double x = v;
        return float_bits((float)x);
    }
    default: return double_bits(v);
    }
}

/* Integers to floats, rounded once: a 64-bit integer does not pass through a double. */
static uint64_t int_to_float(enum ptx_type dst, enum ptx_type src, uint64_t a) {
    const bool is_signed = is_signed_type(src);
    volatile int64_t s = signed_value(src, a);
    volatile uint64_t u = unsigned_value(src, a);
    if (dst == PT_F64) {
        volatile double d = is_signed ? (double)s : (double)u;
        return double_bits(d);
    }
    if (dst == PT_F32) {
        volatile float f = is_signed ? (float)s : (float)u;
        return float_bits(f);
    }
    return double_to(dst, is_signed ? (double)s : (double)u);
}

/* What hardware makes of a NaN: most conversions give the type's own, those through a double keep
 * what fits of the NaN they are given, and those that are a shift keep all of it. */
static uint64_t cvt_nan(enum ptx_type dst, enum ptx_type src, uint64_t a, bool ftz) {
    const float narrowed = (float)source_value(src, a);
    uint32_t bits;
    memcpy(&bits, &narrowed, sizeof bits);
    switch (dst) {
    case PT_F64: return quiet_bits(ftz ? as_double(0x7FFFFFFFE0000000ull) : source_value(src, a));
    case PT_F32:
        return src == PT_F64 ? bits : src == PT_BF16 && !ftz ? (a & 0xFFFF) << 16 : 0x7FFFFFFFu;
    case PT_BF16: return src == PT_F64 ? bits >> 16 : 0x7FFF;
    default: return src == PT_F64 ? 0x7E00 | (a >> 42 & 0x1FF) | (a >> 48 & 0x8000) : 0x7FFF;
    }
}

static uint64_t cvt(const op *o, uint64_t a, uint64_t b, uint64_t c) {
    (void)b, (void)c;
    const enum ptx_type dst = (enum ptx_type)CVT_DST(o->aux), src = (enum ptx_type)CVT_SRC(o->aux);
    const bool saturate = (o->aux & CVT_SAT) != 0, ftz = (o->aux & CVT_FTZ) != 0;
    if (!is_float_type(dst) && !is_float_type(src))
        return int_to_int(dst, src, a, saturate);
    if (ftz && src == PT_F32 && dst != PT_F16) /* subnormal floats are far from float16's range */
        a = flush_bits(a);
    if (is_float_type(dst) && is_float_type(src) && isnan(source_value(src, a)) && !saturate) {
        const bool moved = dst == src && ptx_type_size(dst) > 2 && CVT_FLAGS(o->aux) == 0;
        return moved ? a : cvt_nan(dst, src, a, ftz);
    }
    const int before = fegetround();
    fesetround(round_modes[CVT_ROUND(o->aux)]);
    uint64_t r;
    if (!is_float_type(dst)) {
        r = float_to_int(dst, src, source_value(src, a));
    } else if (!is_float_type(src)) {
        r = int_to_float(dst, src, a);
    } else {
        double v = source_value(src, a);
        if ((o->aux & CVT_INTEGRAL) != 0)
            v = nearbyint(v);
        if (saturate)
            v = v > 0 ? (v < 1 ? v : 1) : 0;
        r = double_to(dst, v);
        if (ftz && src == PT_F64) { /* seen before it is rounded as a subnormal: see result_f32 */
            volatile float scaled = (float)(v * 0x1p64);
            r = fabsf(scaled) < 0x1p-62f ? r & 0x80000000u : r;
        }
        if ((o->aux & CVT_RELU) != 0 && signbit(v) && !isnan(v))
            r = 0;
    }
    fesetround(before);
    if (saturate && !is_float_type(src) && is_float_type(dst)) {
        const double v = source_value(dst, r);
        r = double_to(dst, v > 0 ? (v < 1 ? v : 1) : 0);
    }
    return ftz && dst == PT_F32 ? flush_bits(r) : r;
}

/* cvt.rn.f16x2.f32 d, a, b: a becomes the high half */
static uint64_t cvt_pair(const op *o, uint64_t a, uint64_t b, uint64_t c) {
    return cvt(o, a, 0, c) << 16 | cvt(o, b, 0, c);
}

/* To tf32, a float of 10 fraction bits: to nearest, towards zero, or (2) to nearest, ties away. */
static uint64_t cvt_tf32(const op *o, uint64_t a, uint64_t b, uint64_t c) {
    (void)b, (void)c;
    const uint32_t u = (uint32_t)a, kind = CVT_ROUND(o->aux);
    if ((u & 0x7FFFFFFFu) > 0x7F800000u)
        return kind == 2 ? u & ~0x1FFFu : 0x7FFFE000u;
    const uint32_t up = kind == 1 ? 0 : kind == 2 ? 0x1000u : 0xFFFu + (u >> 13 & 1);
    const uint32_t r = (u & 0x7F800000u) == 0x7F800000u ? u : (u + up) & ~0x1FFFu;
    return (o->aux & CVT_RELU) != 0 && r >> 31 != 0 ? 0 : r;
}

/* ---- the loops over lanes ---- */

static uint64_t read_lane(const warp *w, uint32_t row, bool wide, int i) {
    return row == 0 ? 0 : wide ? row64(w, row)[i] : row32(w, row)[i];
}

const op *vg_each_lane(warp *w, const op *o) {
    for (uint32_t m = w->mask; m != 0; m &= m - 1) {
        const int i = __builtin_ctz(m);
        const uint64_t r = o->lane(o, read_lane(w, o->a, (o->e & WIDE_A) != 0, i),
                                   read_lane(w, o->b, (o->e & WIDE_B) != 0, i),
                                   read_lane(w, o->c, (o->e & WIDE_C) != 0, i));
        if ((o->e & PRED_D) != 0) {
            uint32_t *p = pred(w, o->d);
            *p = (*p & ~(1u << i)) | (uint32_t)(r & 1) << i;
        } else if ((o->e & WIDE_D) != 0) {
            row64(w, o->d)[i] = r;
        } else {
            row32(w, o->d)[i] = (o->e & HALF_D) != 0 ? (uint16_t)r : (uint32_t)r;
        }
    }
    return o + 1;
}

/* add.cc, addc, sub.cc, subc, mad.lo.cc, madc…: aux bits CC_…; c is the addend of mad. */
static uint64_t carry_step(warp *w, const op *o, int i, uint64_t a, uint64_t b, uint64_t c) {
    const bool wide = (o->e & WIDE_D) != 0;
    const uint64_t mask = wide ? ~0ull : 0xFFFFFFFFu;
    uint64_t in = (o->aux & CC_IN) != 0 ? w->carry >> i & 1 : 0;
    if ((o->aux & CC_MAD) != 0) {
        const bool is_signed = (o->aux & CC_SIGNED) != 0;
        const unsigned __int128 p = !is_signed ? (unsigned __int128)a * b
                                    : wide ? (unsigned __int128)((__int128)(int64_t)a * (int64_t)b)
                                           : (unsigned __int128)((__int128)(int32_t)a * (int32_t)b);
        a = (o->aux & CC_HI) != 0 ? (uint64_t)(p >> (wide ? 64 : 32)) & mask : (uint64_t)p & mask;
        b = c;
    }
    unsigned __int128 r;
    uint64_t out;
    if ((o->aux & CC_SUB) != 0) {
        r = (unsigned __int128)a - b - in;
        out = (unsigned __int128)a < (unsigned __int128)b + in;
    } else {
        r = (unsigned __int128)a + b + in;
        out = (uint64_t)(r >> (wide ? 64 : 32)) & 1;
    }
    if ((o->aux & CC_OUT) != 0)
        w->carry = (w->carry & ~(1u << i)) | (uint32_t)out << i;
    return (uint64_t)r & mask;
}

static const op *carry(warp *w, const op *o) {
    for (uint32_t m = w->mask; m != 0; m &= m - 1) {
        const int i = __builtin_ctz(m);
        const uint64_t r = carry_step(w, o, i, read_lane(w, o->a, (o->e & WIDE_A) != 0, i),
                                      read_lane(w, o->b, (o->e & WIDE_B) != 0, i),
                                      read_lane(w, o->c, (o->e & WIDE_C) != 0, i));
        if ((o->e & WIDE_D) != 0)
            row64(w, o->d)[i] = r;
        else
            row32(w, o->d)[i] = (uint32_t)r;
    }
    return o + 1;
}

const op_entry vg_ops_lane[] = {
    {"popc.b32", NULL, popc32},
    {"popc.b64", NULL, popc64},
    {"clz.b32", NULL, clz32},
    {"clz.b64", NULL, clz64},
    {"brev.b32", NULL, brev32},
    {"brev.b64", NULL, brev64},
    {"bfind.u32", NULL, bfind_u32},
    {"bfind.s32", NULL, bfind_s32},
    {"bfind.u64", NULL, bfind_u64},
    {"bfind.s64", NULL, bfind_s64},
    {"bfe.u32", NULL, bfe_u32},
    {"bfe.s32", NULL, bfe_s32},
    {"bfe.u64", NULL, bfe_u64},
    {"bfe.s64", NULL, bfe_s64},
    {"bfi.b32", NULL, bfi_b32},
    {"bfi.b64", NULL, bfi_b64},
    {"lop3.b32", NULL, lop3},
    {"shf.b32", NULL, shf},
    {"prmt.b32", NULL, prmt},
    {"sad.u32", NULL, sad_u32},
    {"sad.s32", NULL, sad_s32},
    {"mul24.u32", NULL, mul24_u32},
    {"mul24.s32", NULL, mul24_s32},
    {"mad24.u32", NULL, mad24_u32},
    {"mad24.s32", NULL, mad24_s32},
    {"mad.hi.u64", NULL, mad_hi_u64},
    {"mad.hi.s64", NULL, mad_hi_s64},
    {"add.sat.s32", NULL, add_sat_s32},
    {"sub.sat.s32", NULL, sub_sat_s32},
    {"dp4a", NULL, dp4a},
    {"slct", NULL, slct},
    {"rsqrt.f32", NULL, rsqrt_f32},
    {"rsqrt.f64", NULL, rsqrt_f64},
    {"sin.f32", NULL, sin_f32},
    {"cos.f32", NULL, cos_f32},
    {"lg2.f32", NULL, lg2_f32},
    {"ex2.f32", NULL, ex2_f32},
    {"tanh.f32", NULL, tanh_f32},
    {"testp.f32", NULL, testp_f32},
    {"testp.f64", NULL, testp_f64},
    {"add.round.f32", NULL, add_r32},
    {"sub.round.f32", NULL, sub_r32},
    {"mul.round.f32", NULL, mul_r32},
    {"div.round.f32", NULL, div_r32},
    {"fma.round.f32", NULL, fma_r32},
    {"rcp.round.f32", NULL, rcp_r32},
    {"sqrt.round.f32", NULL, sqrt_r32},
    {"add.round.f64", NULL, add_r64},
    {"sub.round.f64", NULL, sub_r64},
    {"mul.round.f64", NULL, mul_r64},
    {"div.round.f64", NULL, div_r64},
    {"fma.round.f64", NULL, fma_r64},
    {"rcp.round.f64", NULL, rcp_r64},
    {"sqrt.round.f64", NULL, sqrt_r64},
    {"cvt", NULL, cvt},
    {"cvt.pair", NULL, cvt_pair},
    {"cvt.tf32", NULL, cvt_tf32},
    {"carry", carry, NULL},
    {NULL, NULL, NULL},
};
