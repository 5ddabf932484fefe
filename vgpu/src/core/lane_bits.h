/*
 * lane_bits.h: floats as bits and back, for the operations that are computed a lane at a time.
 */
#pragma once

#include <fenv.h>
#include <stdint.h>
#include <string.h>

/* What the two bits of a rounding stand for. */
static const int round_modes[] = {FE_TONEAREST, FE_TOWARDZERO, FE_DOWNWARD, FE_UPWARD};

static inline float as_float(uint64_t bits) {
    uint32_t b = (uint32_t)bits;
    float f;
    memcpy(&f, &b, sizeof f);
    return f;
}

static inline double as_double(uint64_t bits) {
    double d;
    memcpy(&d, &bits, sizeof d);
    return d;
}

static inline uint64_t float_bits(float f) {
    uint32_t b;
    memcpy(&b, &f, sizeof b);
    return f != f ? 0x7FFFFFFFu : b;
}

static inline uint64_t double_bits(double d) {
    uint64_t b;
    memcpy(&b, &d, sizeof b);
    return d != d ? 0x7FF8000000000000ull : b;
}

/* A subnormal float becomes a zero of its sign. */
static inline uint64_t flush_bits(uint64_t bits) {
    return (bits & 0x7F800000u) == 0 ? bits & 0x80000000u : bits;
}

/* A NaN becomes a quiet one. */
static inline uint64_t quiet_bits(double d) {
    uint64_t b;
    memcpy(&b, &d, sizeof b);
    return d != d ? b | 1ull << 51 : b;
}
