/*
 * ops_rare.c: instructions that only an intrinsic or a library function of the toolkit becomes, a
 * lane at a time: dp2a, vabsdiff, fns, bmsk, szext, cvt.pack, and the half-precise reciprocals that
 * division of doubles begins with.
 */
#include "vgpu/src/core/ops_lane.h"
#include "vgpu/src/core/optable.h"

#include <math.h>
#include <string.h>

/* dp2a.lo/hi: two 16-bit numbers of a by two bytes of b's lower or upper half. aux 1: a is signed,
 * 2: b is signed, 4: .hi */
static uint64_t dp2a(const op *o, uint64_t a, uint64_t b, uint64_t c) {
    uint32_t sum = (uint32_t)c;
    for (unsigned i = 0; i < 2; i++) {
        const uint32_t x = (uint32_t)a >> (16 * i) & 0xFFFF;
        const uint32_t y = (uint32_t)b >> (8 * i + ((o->aux & 4) != 0 ? 16 : 0)) & 0xFF;
        const int32_t wide_x = (o->aux & 1) != 0 ? (int16_t)x : (int32_t)x;
        const int32_t wide_y = (o->aux & 2) != 0 ? (int8_t)y : (int32_t)y;
        sum += (uint32_t)(wide_x * wide_y);
    }
    return sum;
}

/* vabsdiff2, vabsdiff4: how far the halves (aux 1: the bytes) of a and b are apart; aux 2:
 * c plus their sum. */
static uint64_t vabsdiff(const op *o, uint64_t a, uint64_t b, uint64_t c) {
    const unsigned bits = (o->aux & 1) != 0 ? 8 : 16;
    const uint32_t mask = (1u << bits) - 1;
    uint32_t sum = (uint32_t)c, apart = 0;
    for (unsigned at = 0; at < 32; at += bits) {
        const uint32_t x = (uint32_t)a >> at & mask, y = (uint32_t)b >> at & mask;
        const uint32_t difference = x > y ? x - y : y - x;
        sum += difference;
        apart |= difference << at;
    }
    return (o->aux & 2) != 0 ? sum : apart;
}

/* fns: from bit `base` on, the offset-th bit that is set, upwards for a positive offset, downwards
 * for a negative one; offset 0: bit `base`, if that is set. All ones where there is none. */
static uint64_t fns(const op *o, uint64_t a, uint64_t b, uint64_t c) {
    (void)o;
    const uint32_t mask = (uint32_t)a;
    const int32_t offset = (int32_t)c, step = offset < 0 ? -1 : 1;
    int32_t left = offset == 0 ? 1 : offset;
    if ((uint32_t)b > 31)
        return 0xFFFFFFFFu;
    for (int32_t i = (int32_t)b; i >= 0 && i < 32; i += step) {
        left -= (mask >> i & 1) != 0 ? step : 0;
        if (left == 0)
            return (uint32_t)i;
        if (offset == 0)
            break;
    }
    return 0xFFFFFFFFu;
}

/* bmsk: b ones from bit a on. aux 1: .wrap, positions and widths modulo 32 */
static uint64_t bmsk(const op *o, uint64_t a, uint64_t b, uint64_t c) {
    (void)c;
    const uint32_t from = o->aux != 0 ? (uint32_t)a & 31 : (uint32_t)a > 32 ? 32 : (uint32_t)a;
    const uint32_t width = o->aux != 0 ? (uint32_t)b & 31 : (uint32_t)b > 32 ? 32 : (uint32_t)b;
    return (uint32_t)(((1ull << width) - 1) << from);
}

/* szext: the low b bits of a, extended. aux 1: .wrap, 2: signed */
static uint64_t szext(const op *o, uint64_t a, uint64_t b, uint64_t c) {
    (void)c;
    const uint32_t x = (uint32_t)a, n = (o->aux & 1) != 0 ? (uint32_t)b & 31 : (uint32_t)b;
    if (n >= 32)
        return x;
    if (n == 0)
        return 0;
    const uint32_t low = x & ((1u << n) - 1);
    return (o->aux & 2) != 0 && (low >> (n - 1) & 1) != 0 ? low | ~((1u << n) - 1) : low;
}

/* cvt.pack: b, above it a, and above them c, which is cut off. aux: the bits of a and of b. */
static uint64_t cvt_pack(const op *o, uint64_t a, uint64_t b, uint64_t c) {
    const unsigned bits = o->aux & 31;
    const bool is_signed = (o->aux & CVT_PACK_SIGNED) != 0;
    const int32_t most = (1 << (is_signed ? bits - 1 : bits)) - 1,
                  least = is_signed ? -most - 1 : 0;
    uint64_t packed = c;
    for (int i = 0; i < 2; i++) {
        const int32_t x = (int32_t)(i == 0 ? a : b);
        const int32_t cut = x < least ? least : x > most ? most : x;
        packed = packed << bits | ((uint32_t)cut & ((1u << bits) - 1));
    }
    return (uint32_t)packed;
}

static double double_of(uint64_t bits) {
    double d;
    memcpy(&d, &bits, sizeof d);
    return d;
}
static double flushed(double x) {
    return fabs(x) < 0x1p-1022 ? copysign(0, x) : x;
}

/* The upper 32 bits of 1 / x and of 1 / sqrt(x), for the upper 32 bits of x;
 * subnormals are zeros. */
static uint64_t upper_of(double r) {
    uint64_t bits;
    r = flushed(r);
    memcpy(&bits, &r, sizeof bits);
    return isnan(r) ? 0x7FFFFFFF00000000ull : bits & 0xFFFFFFFF00000000ull;
}
static uint64_t rcp_upper(const op *o, uint64_t a, uint64_t b, uint64_t c) {
    (void)o, (void)b, (void)c;
    return upper_of(1.0 / flushed(double_of(a & 0xFFFFFFFF00000000ull)));
}
static uint64_t rsqrt_upper(const op *o, uint64_t a, uint64_t b, uint64_t c) {
    (void)o, (void)b, (void)c;
    return upper_of(1.0 / sqrt(flushed(double_of(a & 0xFFFFFFFF00000000ull))));
}

const op_entry vg_ops_rare[] = {
    {"dp2a", NULL, dp2a},
    {"vabsdiff", NULL, vabsdiff},
    {"fns", NULL, fns},
    {"bmsk", NULL, bmsk},
    {"szext", NULL, szext},
    {"cvt.pack", NULL, cvt_pack},
    {"rcp.approx.f64", NULL, rcp_upper},
    {"rsqrt.approx.f64", NULL, rsqrt_upper},
    {NULL, NULL, NULL},
};
