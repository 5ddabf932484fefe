/*
 * ops_lane.h: operations computed a lane at a time, because they are rare or don't vectorise, and
 * what the lowering tells them in op.aux and op.e.
 *
 *     ops_int_lane.c     integers and their bits
 *     ops_float_lane.c   special functions, directed rounding
 *     ops_convert.c      conversions
 *     ops_lane.c         the loops over lanes; carries
 *
 * A lane function gets its sources as bits (16- and 32-bit ones zero-extended) and returns the
 * destination's bits.
 */
#pragma once

#include "vgpu/src/core/program.h"

/* op.e: how wide the rows are. */
enum { WIDE_D = 1, WIDE_A = 2, WIDE_B = 4, WIDE_C = 8, PRED_D = 16, HALF_D = 32 };

/* op.aux of cvt: destination type, source type, rounding (0 nearest, 1 zero, 2 down,
 * 3 up), flags */
enum {
    CVT_SAT = 1 << 16,
    CVT_FTZ = 1 << 17,
    CVT_INTEGRAL = 1 << 18, /* .rni, .rzi, .rmi, .rpi: the result is a whole number */
    CVT_RELU = 1 << 19
};
#define CVT_MAKE(dst, src, round, flags)                                                           \
    ((uint32_t)(dst) | (uint32_t)(src) << 5 | (uint32_t)(round) << 10 | (uint32_t)(flags))
#define CVT_FLAGS(aux) ((aux) & (CVT_SAT | CVT_FTZ | CVT_INTEGRAL | CVT_RELU))
#define CVT_DST(aux)   ((aux)&31)
#define CVT_SRC(aux)   ((aux) >> 5 & 31)
#define CVT_ROUND(aux) ((aux) >> 10 & 3)

/* op.aux of cvt.pack: the bits of one of its two numbers, and */
enum { CVT_PACK_SIGNED = 32 };

/* op.aux of prmt */
enum { PRMT_INDEX, PRMT_F4E, PRMT_B4E, PRMT_RC8, PRMT_ECL, PRMT_ECR, PRMT_RC16 };

/* op.aux of testp */
enum {
    TESTP_FINITE,
    TESTP_INFINITE,
    TESTP_NUMBER,
    TESTP_NOTANUMBER,
    TESTP_NORMAL,
    TESTP_SUBNORMAL
};

/* op.aux of the carry chain; CC_SIGNED matters to high products */
enum { CC_IN = 1, CC_OUT = 2, CC_SUB = 4, CC_MAD = 8, CC_HI = 16, CC_SIGNED = 32 };

/* op.aux of "….round.…": the rounding in bits 0 and 1, and for float32 */
enum { ROUND_FTZ = 4, ROUND_SAT = 8 };

/* Applies op.lane to every active lane. */
const op *vg_each_lane(warp *w, const op *o);
