/* ops_half.h: what lower_half.c tells the lane-at-a-time operations on halves, in op.aux. */
#pragma once

enum half_operation {
    HALF_ADD,
    HALF_SUB,
    HALF_MUL,
    HALF_FMA,
    HALF_MIN,
    HALF_MAX,
    HALF_ABS,
    HALF_NEG,
    HALF_EX2,
    HALF_TANH
};
enum {
    HALF_OPERATION = 15, /* of arithmetic: enum half_operation; of set: index in half_comparisons */
    HALF_BFLOAT = 16,
    HALF_PAIR = 32,
    HALF_FTZ = 64,
    HALF_SAT = 128,
    HALF_RELU = 256,
    HALF_KEEP_NAN = 512, /* min.NaN, max.NaN */
    HALF_XORSIGN = 1024,
    HALF_MASK = 2048, /* set: all ones where true, else 1.0 */
    HALF_WHOLE = 4096 /* set: a 32-bit result of one comparison */
};

extern const char *const half_comparisons[]; /* "eq" …, NULL at the end */
