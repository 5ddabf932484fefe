/*
 * vector.h: vectors as operands of the cuBLAS calls that compute with loops of our own, and how
 * such a call begins.
 */
#pragma once

#include "vgpu/src/cublas/handle.h"
#include "vgpu/src/runtime/journal.h"

/* A vector operand. Element i is at[first + i * inc]: with inc < 0 it starts at the far end. */
typedef struct vec {
    void *at;
    int64_t first, inc;
} vec;

/* reads: its old values count. */
static inline bool take_vector(vg_blas *b, const char *name, enum vg_real type, const void *at,
                               int64_t n, int64_t inc, bool reads, vec *v) {
    if (reads)
        vg_blas_reads(b, name, type, at, 1, n, inc < 0 ? -inc : inc);
    v->at = vg_blas_vector(b, name, type, at, n, inc);
    v->inc = inc;
    v->first = inc < 0 && n > 0 ? -(n - 1) * inc : 0;
    return v->at;
}

static inline double get(enum vg_real type, const vec *v, int64_t i) {
    return vg_get(type, v->at, v->first + i * v->inc);
}

static inline void put(enum vg_real type, const vec *v, int64_t i, double value) {
    vg_set(type, v->at, v->first + i * v->inc, value);
}

static inline cublasStatus_t begin(vg_blas *b, cublasHandle_t handle, const char *call) {
    cublasStatus_t status = vg_blas_begin_work(b, handle, call);
    if (status == CUBLAS_STATUS_SUCCESS && vg_fails(b->ctx, VGPU_CALL_BLAS, call))
        status = CUBLAS_STATUS_EXECUTION_FAILED;
    if (status == CUBLAS_STATUS_SUCCESS) {
        b->ctx->stats.blas_calls++;
        vg_blas_computes(b);
    }
    return status;
}

/* An address in the journal. */
static inline uint64_t addr_of(const void *at) {
    return (uint64_t)(uintptr_t)at;
}

/* Where a result goes, for the journal: 0 when it is to ordinary host memory. */
static inline uint64_t result_at(const vg_blas *b, const void *at) {
    const bool device = b->handle->pointer_mode != CUBLAS_POINTER_MODE_HOST;
    return device || vg_mem_find(b->ctx->mem, addr_of(at)) ? addr_of(at) : 0;
}

static inline bool is_operation(cublasOperation_t op) {
    return op == CUBLAS_OP_N || op == CUBLAS_OP_T || op == CUBLAS_OP_C;
}
