/*
 * ops_tensor.c: mma.sync, wmma.mma, ldmatrix and their kin: what the 32 lanes of a warp do to
 * matrices that they hold together.
 *
 * How an element of D is summed, as an H200 does it, bit for bit (measured on one;
 * docs/fidelity.md): the products are exact. All of them, and C's element, are aligned to the
 * largest exponent among them (a product's exponent is the sum of its factors', before any carry);
 * 25 bits behind it are kept, what lies below is cut off; the sum of those numbers is exact, and is
 * then cut to a float, or rounded to nearest even to a half; a float too small becomes +0. There is
 * no order of summing, and no rounding in between, but for wmma of tf32: it sums four products to a
 * float first, then the other four.
 */
#include "vgpu/src/core/ops_tensor.h"
#include "vgpu/src/core/halfs.h"
#include "vgpu/src/core/observe.h"
#include "vgpu/src/core/optable.h"

#include <float.h>

enum {
    KEPT_BITS = 25,
    NO_EXPONENT = -4096 /* of a zero: never the largest */
};

static inline int packed(enum ptx_type type) {
    return type == PT_F64 ? 1 : 4 / (int)ptx_type_size(type);
}

static inline tensor_place place_of(const tensor_call *c, enum tensor_operand which, int lane,
                                    int r, int e) {
    return c->place[which][((size_t)r * VG_LANES + (size_t)lane) * (size_t)packed(c->type[which]) +
                           (size_t)e];
}

/* All 32 lanes at one matrix instruction, or they wait for each other. False:
 * *next says how to go on. */
static bool whole_warp(warp *w, const op *o, const op **next) {
    if (w->alive != VG_ALL_LANES) {
        *next = vg_stop(
            w, o, __builtin_ctz(w->mask), VG_ILLEGAL_INSTRUCTION,
            VG_NOTE(WARP_NOT_WHOLE, .is.count = VG_LANES - (uint32_t)__builtin_popcount(w->alive)));
        return false;
    }
    if (w->mask != VG_ALL_LANES) {
        w->split[w->current].want = VG_ALL_LANES;
        *next = vg_wait(w, o, SPLIT_MEET, o);
        return false;
    }
    return true;
}

/* ---- floats ---- */

/* A finite value is value = significand * 2^exponent, the significand below 2 in magnitude. */
typedef struct matrices {
    double a[MMA_MAX_M][MMA_MAX_K], b[MMA_MAX_N][MMA_MAX_K]; /* B by columns */
    double c[MMA_MAX_M][MMA_MAX_N];
    int32_t ea[MMA_MAX_M][MMA_MAX_K], eb[MMA_MAX_N][MMA_MAX_K], ec[MMA_MAX_M][MMA_MAX_N];
    bool special; /* infinities or NaNs among them */
} matrices;

/* The value of an element's bits, and its exponent. */
static double element(enum ptx_type type, uint32_t bits, int32_t *exponent, bool *special) {
    uint32_t field;
    int lowest, top;
    float value;
    if (type == PT_F16) {
        field = bits >> 10 & 31;
        lowest = -14;
        top = 31;
        value = f16_value(bits & 0xFFFF);
    } else {
        const uint32_t wide = type == PT_BF16   ? bits << 16
                              : type == PT_TF32 ? bits & ~0x1FFFu
                                                : bits;
        field = wide >> 23 & 255;
        lowest = -126;
        top = 255;
        value = half_float(wide);
    }
    *special |= (int)field == top;
    *exponent = value == 0 ? NO_EXPONENT : lowest + (field == 0 ? 0 : (int)field - 1);
    return (double)value;
}

static void gather(const warp *w, const tensor_call *c, enum tensor_operand which, matrices *x) {
    const enum ptx_type type = c->type[which];
    const int p = packed(type), regs = c->filled[which];
    for (int r = 0; r < regs; r++) {
        const uint32_t *row = row32(w, c->row[which][r]);
        for (int lane = 0; lane < VG_LANES; lane++) {
            for (int e = 0; e < p; e++) {
                const tensor_place at = place_of(c, which, lane, r, e);
                int32_t exponent;
                const double v = element(type, row[lane] >> (16 * e), &exponent, &x->special);
                if (which == TENSOR_A) {
                    x->a[at.row][at.col] = v;
                    x->ea[at.row][at.col] = exponent;
                } else if (which == TENSOR_B) {
                    x->b[at.col][at.row] = v;
                    x->eb[at.col][at.row] = exponent;
                } else {
                    x->c[at.row][at.col] = v;
                    x->ec[at.row][at.col] = exponent;
                }
            }
        }
    }
}

/* 2^e, for exponents that doubles have. */
static inline double power_of_two(int e) {
    const uint64_t bits = (uint64_t)(e + 1023) << 52;
    double d;
    memcpy(&d, &bits, sizeof d);
    return d;
}

/* Towards zero; beyond the largest float, infinity. */
static uint32_t cut_to_float(double d) {
    const float f = (float)d;
    const bool beyond = fabs(d) >= 0x1p128;
    const uint32_t bits = half_float_bits(f) - (!beyond && fabs((double)f) > fabs(d));
    return (bits & 0x7FFFFFFFu) == 0 ? 0 : bits;
}

/* An element of D from columns [from, k) of a row of A, of a column of B, and C's element;
 * all finite. */
static double summed(const matrices *x, int i, int j, int from, int k) {
    const double *a = x->a[i], *b = x->b[j];
    const int32_t *ea = x->ea[i], *eb = x->eb[j];
    int32_t largest = x->ec[i][j];
    for (int q = from; q < k; q++) {
        const int32_t e = ea[q] + eb[q];
        largest = e > largest ? e : largest;
    }
    if (largest < NO_EXPONENT / 2)
        return 0;
    const double scale = power_of_two(KEPT_BITS - largest);
    int64_t sum = (int64_t)(x->c[i][j] * scale); /* casts cut */
    for (int q = from; q < k; q++)
        sum += (int32_t)(a[q] * b[q] * scale); /* below 2^27 */
    return (double)sum * power_of_two(largest - KEPT_BITS);
}

/* With infinities and NaNs only those matter. */
static bool special_sum(const matrices *x, int i, int j, int k, double *r) {
    double sum = x->c[i][j];
    for (int q = 0; q < k; q++)
        sum += x->a[i][q] * x->b[j][q];
    *r = sum;
    return isnan(sum) || isinf(sum);
}

static uint32_t result_bits(matrices *x, int i, int j, const tensor_call *c) {
    const enum ptx_type type = c->type[TENSOR_D];
    double r;
    if (!x->special || !special_sum(x, i, j, c->k, &r)) {
        int from = 0;
        if (c->is_wmma && c->type[TENSOR_A] == PT_TF32) {
            from = c->k / 2;
            const uint32_t first = cut_to_float(summed(x, i, j, 0, from));
            x->c[i][j] = element(PT_F32, first, &x->ec[i][j], &x->special);
        }
        r = summed(x, i, j, from, c->k);
    }
    if (isnan(r))
        return type == PT_F16 ? HALF_NAN : 0x7FFFFFFFu;
    return type == PT_F16 ? f16_bits(half_odd_float(r)) : cut_to_float(r);
}

static void mma_floats(warp *w, const tensor_call *c) {
    matrices x;
    x.special = false;
    gather(w, c, TENSOR_A, &x);
    gather(w, c, TENSOR_B, &x);
    gather(w, c, TENSOR_C, &x);
    const int p = c->type[TENSOR_D] == PT_F16 ? 2 : 1; /* else it is PT_F32 */
    const int regs = c->filled[TENSOR_D];
    for (int r = 0; r < regs; r++) {
        uint32_t *row = row32(w, c->row[TENSOR_D][r]);
        for (int lane = 0; lane < VG_LANES; lane++) {
            uint32_t bits = 0;
            for (int e = 0; e < p; e++) {
                const tensor_place at = place_of(c, TENSOR_D, lane, r, e);
                bits |= result_bits(&x, at.row, at.col, c) << (16 * e);
            }
            row[lane] = bits;
        }
    }
}

/* ---- doubles and integers ---- */

static void mma_doubles(warp *w, const tensor_call *c) {
    double a[16][16], b[8][16], d[4][VG_LANES];
    for (int r = 0; r < c->filled[TENSOR_A]; r++) {
        for (int lane = 0; lane < VG_LANES; lane++) {
            const tensor_place at = place_of(c, TENSOR_A, lane, r, 0);
            memcpy(&a[at.row][at.col], &row64(w, c->row[TENSOR_A][r])[lane], 8);
        }
    }
    for (int r = 0; r < c->filled[TENSOR_B]; r++) {
        for (int lane = 0; lane < VG_LANES; lane++) {
            const tensor_place at = place_of(c, TENSOR_B, lane, r, 0);
            memcpy(&b[at.col][at.row], &row64(w, c->row[TENSOR_B][r])[lane], 8);
        }
    }
    for (int r = 0; r < c->filled[TENSOR_C]; r++) {
        for (int lane = 0; lane < VG_LANES; lane++) {
            const tensor_place at = place_of(c, TENSOR_C, lane, r, 0);
            memcpy(&d[r][lane], &row64(w, c->row[TENSOR_C][r])[lane], 8);
            for (int q = 0; q < c->k; q++)
                d[r][lane] = fma(a[at.row][q], b[at.col][q], d[r][lane]);
        }
    }
    for (int r = 0; r < c->filled[TENSOR_D]; r++)
        memcpy(row64(w, c->row[TENSOR_D][r]), d[r], sizeof d[r]);
}

static int32_t byte_value(enum ptx_type type, uint32_t bits) {
    return type == PT_S8 ? (int8_t)bits : (int32_t)(bits & 0xFF);
}

static void mma_integers(warp *w, const tensor_call *c) {
    int32_t a[MMA_MAX_M][MMA_MAX_K], b[MMA_MAX_N][MMA_MAX_K], d[MMA_MAX_REGS][VG_LANES];
    for (int lane = 0; lane < VG_LANES; lane++) {
        for (int r = 0; r < c->filled[TENSOR_A]; r++) {
            for (int e = 0; e < 4; e++) {
                const tensor_place at = place_of(c, TENSOR_A, lane, r, e);
                a[at.row][at.col] =
                    byte_value(c->type[TENSOR_A], row32(w, c->row[TENSOR_A][r])[lane] >> (8 * e));
            }
        }
        for (int r = 0; r < c->filled[TENSOR_B]; r++) {
            for (int e = 0; e < 4; e++) {
                const tensor_place at = place_of(c, TENSOR_B, lane, r, e);
                b[at.col][at.row] =
                    byte_value(c->type[TENSOR_B], row32(w, c->row[TENSOR_B][r])[lane] >> (8 * e));
            }
        }
    }
    for (int r = 0; r < c->filled[TENSOR_C]; r++) {
        for (int lane = 0; lane < VG_LANES; lane++) {
            const tensor_place at = place_of(c, TENSOR_C, lane, r, 0);
            int64_t sum = (int32_t)row32(w, c->row[TENSOR_C][r])[lane];
            for (int q = 0; q < c->k; q++)
                sum += a[at.row][q] * b[at.col][q];
            const int64_t clamped = sum > INT32_MAX ? INT32_MAX : sum < INT32_MIN ? INT32_MIN : sum;
            d[r][lane] = (int32_t)(uint32_t)(c->saturate ? clamped : sum);
        }
    }
    for (int r = 0; r < c->filled[TENSOR_D]; r++)
        memcpy(row32(w, c->row[TENSOR_D][r]), d[r], sizeof d[r]);
}

static const op *mma(warp *w, const op *o) {
    const op *next = o + 1;
    const tensor_call *c = o->extra;
    if (!whole_warp(w, o, &next))
        return next;
    if (c->type[TENSOR_A] == PT_F64)
        mma_doubles(w, c);
    else if (c->type[TENSOR_D] == PT_S32)
        mma_integers(w, c);
    else
        mma_floats(w, c);
    return o + 1;
}

/* ---- ldmatrix, stmatrix, movmatrix ---- */

static uint32_t matrix_row(const op *o, int i) {
    return i == 0 ? o->d : i == 1 ? o->b : i == 2 ? o->c : o->e;
}

/* Addresses of the 8-element rows: lanes 0 to 7 name those of the first matrix, 8 to 15 … Observers
 * are told of these lanes' accesses of 16 bytes. False: a fault. */
static bool matrix_rows(warp *w, const op *o, uint8_t *at[VG_LANES]) {
    const uint32_t lanes = 8 * (o->aux & MATRIX_COUNT),
                   named = lanes == VG_LANES ? VG_ALL_LANES : (1u << lanes) - 1;
    const launch *l = w->worker->launch;
    const enum ptx_space space = (enum ptx_space)o->space;
    uint64_t address[VG_LANES], offset[VG_LANES];
    for (uint32_t i = 0; i < VG_LANES; i++) {
        address[i] = row64(w, o->a)[i < lanes ? i : 0] + (uint64_t)o->imm;
        offset[i] = space == PS_GENERIC ? address[i] - VG_SHARED_WINDOW : address[i];
    }
    vg_access a = {.warp = w,
                   .op = o,
                   .kind = (enum vg_access_kind)o->access,
                   .space = PS_SHARED,
                   .mask = named,
                   .size = 16,
                   .at = offset};
    vg_tell_noted(w->worker, false);
    for (int n = 0; o->plain != NULL && n < l->num_observers; n++) {
        const vg_observer *obs = l->observers[n];
        if (obs->access != NULL)
            obs->access(obs->self, &a);
    }
    if (w->worker->faulted)
        return false;
    for (uint32_t i = 0; i < lanes; i++) {
        range r;
        if (address[i] % 16 != 0 || !vg_resolve(w, o, (int)i, address[i], &r) ||
            address[i] + 16 > r.end) {
            vg_bad_access(w, o, (int)i, address[i], 16);
            return false;
        }
        at[i] = (uint8_t *)(uintptr_t)(address[i] + (uint64_t)r.delta);
    }
    return true;
}

/* Lane l's pair of a matrix: row l / 4, columns 2 * (l % 4) and the next; transposed:
 * the other way round. */
static uint8_t *matrix_element(const op *o, uint8_t *const *at, int matrix, int lane, int e) {
    const int row = lane / 4, col = 2 * (lane % 4) + e;
    return (o->aux & MATRIX_TRANSPOSED) != 0 ? at[8 * matrix + col] + 2 * row
                                             : at[8 * matrix + row] + 2 * col;
}

static const op *ldmatrix(warp *w, const op *o) {
    const op *next = o + 1;
    uint8_t *at[VG_LANES];
    if (!whole_warp(w, o, &next))
        return next;
    if (!matrix_rows(w, o, at))
        return NULL;
    for (int i = 0; i < (int)(o->aux & MATRIX_COUNT); i++) {
        uint32_t *d = row32(w, matrix_row(o, i));
        for (int lane = 0; lane < VG_LANES; lane++) {
            uint16_t low, high;
            memcpy(&low, matrix_element(o, at, i, lane, 0), 2);
            memcpy(&high, matrix_element(o, at, i, lane, 1), 2);
            d[lane] = low | (uint32_t)high << 16;
        }
    }
    return o + 1;
}

static const op *stmatrix(warp *w, const op *o) {
    const op *next = o + 1;
    uint8_t *at[VG_LANES];
    if (!whole_warp(w, o, &next))
        return next;
    if (!matrix_rows(w, o, at))
        return NULL;
    for (int i = 0; i < (int)(o->aux & MATRIX_COUNT); i++) {
        const uint32_t *s = row32(w, matrix_row(o, i));
        for (int lane = 0; lane < VG_LANES; lane++) {
            memcpy(matrix_element(o, at, i, lane, 0), &s[lane], 2);
            memcpy(matrix_element(o, at, i, lane, 1), (const uint8_t *)&s[lane] + 2, 2);
        }
    }
    return o + 1;
}

/* movmatrix.trans: an 8 x 8 matrix of halves transposed across the warp */
static const op *movmatrix(warp *w, const op *o) {
    const op *next = o + 1;
    uint16_t x[8][8];
    if (!whole_warp(w, o, &next))
        return next;
    for (int lane = 0; lane < VG_LANES; lane++)
        memcpy(&x[lane / 4][2 * (lane % 4)], &row32(w, o->a)[lane], 4);
    for (int lane = 0; lane < VG_LANES; lane++) {
        const int row = lane / 4, col = 2 * (lane % 4);
        row32(w, o->d)[lane] = x[col][row] | (uint32_t)x[col + 1][row] << 16;
    }
    return o + 1;
}

const op_entry VG_ISA_NAME(vg_ops_tensor)[] = {
    {"mma", mma, NULL},           {"ldmatrix", ldmatrix, NULL},
    {"stmatrix", stmatrix, NULL}, {"movmatrix", movmatrix, NULL},
    {NULL, NULL, NULL},
};
