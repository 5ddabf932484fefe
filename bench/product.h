/*
 * product.h: one product on the device: fresh random A and B, a C, and what C should be.
 *
 * The reference is computed in float64 by cublasDgemm from A and B converted, and so is |A||B|,
 * which scales the error bound. Both are kept for every row of C where memory and time allow
 * (REFERENCE_SECONDS); else for eight slices of rows, the first and the last row among them. All
 * other elements are still checked to be finite numbers.
 */
#pragma once

#include "bench/contender.h"
#include "bench/kernels.h"

#include <cublas_v2.h>
#include <cuda_runtime.h>

enum { PRODUCT_SLICES = 8, REFERENCE_SECONDS = 20 };

struct product {
    struct shape shape;
    float *A, *B, *C;         /* device memory */
    double *want, *magnitude; /* checked_rows rows of n, slice after slice */
    int slices, first[PRODUCT_SLICES], rows[PRODUCT_SLICES];
    int checked_rows;
    struct findings *findings;
};

/* Fills A and B and computes the reference. double_gflops: the device's speed at cublasDgemm, to
 * know what there is time for. Returns false when device memory doesn't suffice (p is empty then);
 * ends the program when a call fails for another reason. Ends with product_close. */
bool product_open(struct product *p, struct shape shape, uint64_t seed, cublasHandle_t cublas,
                  double double_gflops);
void product_close(struct product *p);

/* Fills C with NaNs: what is never written shows. */
void product_poison(const struct product *p);

/* Judges C, in which only the first `rows` rows were computed (p->shape.m: all). Fills the verdict,
 * worst, wrong and checked_rows of r. Waits for the device. */
void product_check(const struct product *p, int rows, double bound, struct result *r);
