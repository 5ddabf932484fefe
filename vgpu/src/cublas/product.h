/*
 * product.h: matrix products on host memory, column-major, for the cuBLAS calls: through a CBLAS
 * where one is linked (HAVE_CBLAS), else by loops of our own. Both are always there to be compared.
 *
 * Contract: operands are valid; sizes are at least 0 and leading dimensions large enough. With
 * beta = 0, C and y are written without being read, so that NaNs in them don't spread; with alpha =
 * 0, A and B aren't read.
 */
#pragma once

#include "vgpu/src/core/halfs.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Halves are stored and read; products are of floats and doubles (vg_product.type). */
enum vg_real { VG_F32, VG_F64, VG_F16, VG_BF16 };

/* A matrix operand: column-major, `ld` elements from one column to the next. */
typedef struct vg_operand {
    const void *at;
    int64_t ld;
    bool transposed;
} vg_operand;

/* C (m x n) = alpha op(A) (m x k) * op(B) (k x n) + beta C. */
typedef struct vg_product {
    enum vg_real type;
    int m, n, k;
    double alpha, beta; /* exact for both types */
    vg_operand a, b;
    void *c;
    int64_t ldc;
} vg_product;

/* Bytes of an element. */
static inline size_t vg_real_size(enum vg_real type) {
    return type == VG_F32 ? sizeof(float) : type == VG_F64 ? sizeof(double) : sizeof(uint16_t);
}

static inline double vg_get(enum vg_real type, const void *p, int64_t i) {
    switch (type) {
    case VG_F32: return (double)((const float *)p)[i];
    case VG_F64: return ((const double *)p)[i];
    case VG_F16: return (double)f16_value(((const uint16_t *)p)[i]);
    default: return (double)bf16_value(((const uint16_t *)p)[i]);
    }
}

static inline void vg_set(enum vg_real type, void *p, int64_t i, double value) {
    switch (type) {
    case VG_F32: ((float *)p)[i] = (float)value; break;
    case VG_F64: ((double *)p)[i] = value; break;
    case VG_F16: ((uint16_t *)p)[i] = (uint16_t)f16_bits(half_odd_float(value)); break;
    default: ((uint16_t *)p)[i] = (uint16_t)bf16_bits(half_odd_float(value));
    }
}

/* The fastest way there is. */
void vg_multiply(const vg_product *p);
/* Our own loops. */
void vg_multiply_plain(const vg_product *p);

/* Rounds count floats to TF32 (10 bits of fraction, to nearest, halves away), as tensor cores do to
 * their operands. */
void vg_round_tf32(float *to, const float *from, size_t count);
