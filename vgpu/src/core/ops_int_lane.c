/*
 * ops_int_lane.c: integers and their bits, a lane at a time (see ops_lane.h).
 */
#include "vgpu/src/core/lane_bits.h"
#include "vgpu/src/core/ops_lane.h"
#include "vgpu/src/core/optable.h"

#include <stddef.h>

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

const op_entry vg_ops_int_lane[] = {
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
    {NULL, NULL, NULL},
};
