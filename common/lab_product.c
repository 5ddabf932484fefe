/* lab_product.c: see lab_product.h. */
#include "common/lab_product.h"

#include <errno.h>
#include <limits.h>
#include <math.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

bool lab_product_takes_c(const struct lab_product *p) {
    return p->kind == PRODUCT_SCALED;
}

/* The least sum of each row of A and column of B. */
static int least_sums(int m, int n, int k, const float *A, const float *B, double *C) {
    if (m < 1 || n < 1 || k < 1)
        return EINVAL;
    for (size_t e = 0; e < (size_t)m * (size_t)n; ++e)
        C[e] = INFINITY;
    for (int i = 0; i < m; ++i)
        for (int p = 0; p < k; ++p) {
            const double a = (double)A[(size_t)i * (size_t)k + (size_t)p];
            const float *row = B + (size_t)p * (size_t)n;
            double *to = C + (size_t)i * (size_t)n;
            for (int j = 0; j < n; ++j) {
                const double sum = a + (double)row[j];
                to[j] = sum < to[j] ? sum : to[j];
            }
        }
    return 0;
}

int lab_product_reference(const struct lab_product *p, int m, int n, int k, const float *A,
                          const float *B, const float *before, double *C,
                          enum reference_engine engine, int threads) {
    if (p->kind == PRODUCT_MIN_PLUS)
        return least_sums(m, n, k, A, B, C);
    const int error = reference_product(m, n, k, A, B, C, engine, threads);
    if (error != 0 || p->kind != PRODUCT_SCALED)
        return error;
    for (size_t e = 0; e < (size_t)m * (size_t)n; ++e)
        C[e] = p->alpha * C[e] + p->beta * (double)before[e];
    return 0;
}

int lab_product_magnitude(const struct lab_product *p, int m, int n, int k, const float *A,
                          const float *B, const float *before, double *C,
                          enum reference_engine engine, int threads) {
    int error;
    if (p->kind == PRODUCT_MIN_PLUS) {
        error = least_sums(m, n, k, A, B, C);
        for (size_t e = 0; error == 0 && e < (size_t)m * (size_t)n; ++e)
            C[e] = fabs(C[e]);
        return error;
    }
    error = reference_magnitude(m, n, k, A, B, C, engine, threads);
    if (error != 0 || p->kind != PRODUCT_SCALED)
        return error;
    for (size_t e = 0; e < (size_t)m * (size_t)n; ++e)
        C[e] = abs(p->alpha) * C[e] + abs(p->beta) * fabs((double)before[e]);
    return 0;
}

double lab_product_factor(const struct lab_product *p, enum bound_kind kind, int k) {
    switch (p->kind) {
    case PRODUCT_MIN_PLUS: return 0x1p-24;
    case PRODUCT_SCALED:
        return kind == BOUND_3XTF32 ? compare_factor(kind, k) + 3 * 0x1p-24
                                    : compare_factor(kind, k < INT_MAX - 2 ? k + 2 : k);
    case PRODUCT_PLAIN: break;
    }
    return compare_factor(kind, k);
}

int lab_product_terms(const struct lab_product *p, int k) {
    if (p->kind == PRODUCT_MIN_PLUS)
        return 2; /* of every sum, one number of A and one of B */
    if (p->kind != PRODUCT_SCALED)
        return k;
    /* |alpha| k r^2 <= 2^24 - |beta| most, written as terms * r^2 <= 2^24, and rounded up. */
    const int64_t exact = (int64_t)1 << 24,
                  room = exact - (int64_t)abs(p->beta) * PRODUCT_MOST_BEFORE,
                  terms = ((int64_t)abs(p->alpha) * k * exact + room - 1) / room;
    return terms < INT_MAX ? (int)terms : INT_MAX;
}
