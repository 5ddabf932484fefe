/*
 * product.c: matrix products, see product.h.
 *
 * The loops of our own go over C in columns and over k innermost but one, so that the innermost
 * loop runs down contiguous columns and vectorises. Operands that lie the wrong way round are
 * copied, a panel of PANEL columns of k at a time, into the order the loop wants.
 */
#include "vgpu/src/cublas/product.h"

#include <stdlib.h>
#include <string.h>

#ifdef HAVE_CBLAS
#include <cblas.h>
#endif

enum { PANEL = 128 };

/* ---- beta C ---- */

static void scale_c(const vg_product *p) {
    size_t size = vg_real_size(p->type);
    for (int64_t j = 0; j < p->n; j++) {
        uint8_t *column = (uint8_t *)p->c + (size_t)(j * p->ldc) * size;
        if (p->beta == 0.0) {
            memset(column, 0, (size_t)p->m * size);
            continue;
        }
        if (p->beta == 1.0)
            continue;
        for (int64_t i = 0; i < p->m; i++)
            vg_set(p->type, column, i, p->beta * vg_get(p->type, column, i));
    }
}

/* ---- our own ---- */

/* Element (i, j) of op(X). */
static double element(enum vg_real type, const vg_operand *x, int64_t i, int64_t j) {
    return vg_get(type, x->at, x->transposed ? j + i * x->ld : i + j * x->ld);
}

/* One column of C += panel of op(A) times a piece of a column of op(B). */
static void add_column_f32(float *restrict c, const float *restrict a, const float *restrict b,
                           int m, int depth) {
    for (int q = 0; q < depth; q++)
        for (int i = 0; i < m; i++)
            c[i] += a[(size_t)q * (size_t)m + (size_t)i] * b[q];
}

static void add_column_f64(double *restrict c, const double *restrict a, const double *restrict b,
                           int m, int depth) {
    for (int q = 0; q < depth; q++)
        for (int i = 0; i < m; i++)
            c[i] += a[(size_t)q * (size_t)m + (size_t)i] * b[q];
}

/* Without memory for panels: slow and right. */
static void multiply_in_place(const vg_product *p) {
    for (int64_t j = 0; j < p->n; j++)
        for (int64_t i = 0; i < p->m; i++) {
            double sum = 0.0;
            for (int64_t q = 0; q < p->k; q++)
                sum += element(p->type, &p->a, i, q) * element(p->type, &p->b, q, j);
            int64_t at = i + j * p->ldc;
            vg_set(p->type, p->c, at, vg_get(p->type, p->c, at) + p->alpha * sum);
        }
}

void vg_multiply_plain(const vg_product *p) {
    size_t size = vg_real_size(p->type);
    scale_c(p);
    if (p->alpha == 0.0 || p->k == 0 || p->m == 0 || p->n == 0)
        return;
    void *a = malloc((size_t)p->m * PANEL * size);
    if (!a) {
        multiply_in_place(p);
        return;
    }
    for (int first = 0; first < p->k; first += PANEL) {
        int depth = p->k - first < PANEL ? p->k - first : PANEL;
        for (int64_t q = 0; q < depth; q++)
            for (int64_t i = 0; i < p->m; i++)
                vg_set(p->type, a, q * p->m + i, element(p->type, &p->a, i, first + q));
        for (int64_t j = 0; j < p->n; j++) {
            float b32[PANEL]; /* one of the two is filled */
            double b64[PANEL];
            void *column = (uint8_t *)p->c + (size_t)(j * p->ldc) * size;
            for (int64_t q = 0; q < depth; q++)
                vg_set(p->type, p->type == VG_F32 ? (void *)b32 : b64, q,
                       p->alpha * element(p->type, &p->b, first + q, j));
            if (p->type == VG_F32)
                add_column_f32(column, a, b32, p->m, depth);
            else
                add_column_f64(column, a, b64, p->m, depth);
        }
    }
    free(a);
}

/* ---- CBLAS ---- */

void vg_multiply(const vg_product *p) {
#ifdef HAVE_CBLAS
    CBLAS_TRANSPOSE ta = p->a.transposed ? CblasTrans : CblasNoTrans;
    CBLAS_TRANSPOSE tb = p->b.transposed ? CblasTrans : CblasNoTrans;
    /* A zero C first: not every CBLAS keeps the promise not to read it when beta is 0. */
    if (p->beta == 0.0 || p->alpha == 0.0 || p->k == 0)
        scale_c(p);
    if (p->alpha == 0.0 || p->k == 0 || p->m == 0 || p->n == 0)
        return;
    if (p->type == VG_F32)
        cblas_sgemm(CblasColMajor, ta, tb, p->m, p->n, p->k, (float)p->alpha, p->a.at, (int)p->a.ld,
                    p->b.at, (int)p->b.ld, (float)p->beta, p->c, (int)p->ldc);
    else
        cblas_dgemm(CblasColMajor, ta, tb, p->m, p->n, p->k, p->alpha, p->a.at, (int)p->a.ld,
                    p->b.at, (int)p->b.ld, p->beta, p->c, (int)p->ldc);
#else
    vg_multiply_plain(p);
#endif
}

void vg_round_tf32(float *to, const float *from, size_t count) {
    for (size_t i = 0; i < count; i++) {
        uint32_t bits;
        memcpy(&bits, &from[i], sizeof bits);
        /* 13 bits of the fraction go. Infinities and NaNs stay what they are. */
        if ((bits & 0x7f800000u) != 0x7f800000u)
            bits = (bits + 0x1000u) & 0xffffe000u;
        memcpy(&to[i], &bits, sizeof bits);
    }
}
