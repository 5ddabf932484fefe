/*
 * kernels.h: the bench's own work on the device: filling, converting and comparing matrices there,
 * so that large ones need not travel, and the small kernels that timing needs.
 *
 * All pointers but none are device pointers. Everything is launched on the default stream; a launch
 * that is refused shows in cudaGetLastError.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* What a comparison found. Counts add up over several calls; zero it before the first. */
struct findings {
    unsigned long long wrong;      /* elements beyond the bound, or no finite number */
    unsigned long long worst_bits; /* the largest |got - want| / bound, a double's bits */
};

/* The same numbers in [-1, 1) as fill_uniform (matrix.h) draws for this seed and stream. */
void kernel_fill(float *data, size_t count, uint64_t seed, uint64_t stream);

/* to = from, or |from|. */
void kernel_widen(double *to, const float *from, size_t count, bool absolute);

/* Compares got with want: |got - want| <= bound * magnitude, element by element. */
void kernel_compare(const float *got, const double *want, const double *magnitude, size_t count,
                    double bound, struct findings *findings);

/* Counts what is no finite number as wrong. */
void kernel_finite(const float *got, size_t count, struct findings *findings);

/* Keeps the device busy for this many of its clocks, so that what is queued behind it starts
 * without waiting for the host. */
void kernel_hold(long long clocks);

/* Does nothing: what remains is the cost of a launch. */
void kernel_empty(void);

#ifdef __cplusplus
}
#endif
