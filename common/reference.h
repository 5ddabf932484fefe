/*
 * reference.h: the product that a lab's result is judged against, in float64.
 *
 * Blocked, and threaded over the rows of C. Two engines compute the same: our own, always there,
 * and the CBLAS (cblas_dgemm) that the kit was built with, if any (HAVE_CBLAS).
 *
 * With float32 inputs every product is exact in float64, so the error is that of the summation:
 * at most γ_k(2^-53) * (|A||B|), some 10^8 times smaller than what is judged.
 */
#pragma once

#include <stdbool.h>

enum reference_engine {
    REFERENCE_AUTO,  /* CBLAS where there is one and the product is worth it, else our own */
    REFERENCE_OWN,   /* our own loops, threaded */
    REFERENCE_CBLAS, /* cblas_dgemm; it starts threads as its own settings say */
};

/* Is a CBLAS linked? */
bool reference_has_cblas(void);

/* The number of CPUs this process may run on: the threads used when none are asked for. */
int reference_default_threads(void);

/*
 * C = A * B with A m x k, B k x n, C m x n, row-major and contiguous, in memory of the caller.
 * reference_magnitude gives |A| * |B|, the product of the absolute values, which scales the error
 * bound. threads: 0 for all CPUs. C's contents on entry don't matter.
 * Returns 0, EINVAL (a size below 1), ENOMEM, or ENOTSUP (REFERENCE_CBLAS without one).
 */
int reference_product(int m, int n, int k, const float *A, const float *B, double *C,
                      enum reference_engine engine, int threads);
int reference_magnitude(int m, int n, int k, const float *A, const float *B, double *C,
                        enum reference_engine engine, int threads);
