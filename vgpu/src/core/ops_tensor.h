/*
 * ops_tensor.h: matrix instructions: what lower_tensor.c tells ops_tensor.c.
 *
 * A warp holds an m x k matrix A, a k x n matrix B and m x n matrices C and D, spread over its
 * lanes' registers. With g = lane / 4, t = lane % 4 and p elements to a register, the element e of
 * register r is at
 *
 *     A    row g + 8 * (r & 1), column p * t + e + 4 * p * (r >> 1) (16 rows; 8 rows: see below)
 *     B    row p * t + e + 4 * p * r, column g
 *     C, D row g + 8 * (r >> 1), column 2 * t + (r & 1)             (of halves: two to a register)
 *
 * for mma.sync. wmma's fragments, which the manual leaves open, are those of an H200:
 * vg_wmma_place.
 */
#pragma once

#include "vgpu/src/core/program.h"

enum { MMA_MAX_REGS = 8, MMA_MAX_M = 32, MMA_MAX_N = 32, MMA_MAX_K = 32 };

enum tensor_operand { TENSOR_A, TENSOR_B, TENSOR_C, TENSOR_D, TENSOR_OPERANDS };

typedef struct tensor_place {
    uint8_t row, col;
} tensor_place;

/* op.extra of "mma" */
typedef struct tensor_call {
    int m, n, k;
    /* Of elements: f16, bf16, tf32, f64, s8, u8; f16, f32, f64, s32. */
    enum ptx_type type[TENSOR_OPERANDS];
    uint32_t row[TENSOR_OPERANDS][MMA_MAX_REGS];
    int regs[TENSOR_OPERANDS];
    bool is_wmma;
    bool saturate;               /* .satfinite of integers */
    int filled[TENSOR_OPERANDS]; /* registers that hold something: the first ones */
    /* Of element e of register r: [(r * 32 + lane) * p + e]. */
    const tensor_place *place[TENSOR_OPERANDS];
} tensor_call;

/* Elements of a type that a register holds. */
int vg_tensor_packed(enum ptx_type type);
/* Where element e of register r of a lane belongs. */
tensor_place vg_mma_place(const tensor_call *c, enum tensor_operand which, int lane, int r, int e);
/* The same for wmma fragments of this shape.
 * Registers past those that hold something repeat them. */
tensor_place vg_wmma_place(const tensor_call *c, enum tensor_operand which, int lane, int r, int e);
/* How many registers of a wmma fragment hold something. */
int vg_wmma_regs(const tensor_call *c, enum tensor_operand which);

/* op.aux of ldmatrix and stmatrix: number of matrices, and */
enum { MATRIX_COUNT = 15, MATRIX_TRANSPOSED = 16 };
