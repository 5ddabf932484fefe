/*
 * work.h: what the virtual GPU counted while a submission's function ran, and the quantities that
 * rubrics put limits on.
 *
 * Counts come from the worker, one array a call. Quantities are computed here, in the grader, from
 * the counts of one call and its shape; a rubric names them ("load_reuse", "gemm_calls"). They do
 * not depend on the machine: only on the submission, the shape and the compiler's choice of
 * instructions, which is why rubrics limit sectors, conflicts and operations, not instructions.
 */
#pragma once

#include "vgpu/include/vgpu_counters.h"

#include <stdbool.h>
#include <stdint.h>

/* What the host's part of a call did, in this one place: name in capitals, name, meaning. */
/* clang-format off */
#define WORK_DONE_LIST(X) \
    X(LAUNCHES, launches, "kernels that ran") \
    X(FAILED_LAUNCHES, failed_launches, "launches that failed") \
    X(COPIES, copies, "copies, of all directions") \
    X(COPIED_BYTES, copied_bytes, "bytes of all copies") \
    X(TO_HOST_BYTES, to_host_bytes, "bytes copied from the device to the host") \
    X(BLAS_CALLS, blas_calls, "cuBLAS calls that compute") \
    X(GEMM_CALLS, gemm_calls, "cuBLAS calls that compute a product") \
    X(GEMM_MADDS, gemm_madds, "multiply-adds of cuBLAS's products") \
    X(GEMM_ROUNDED, gemm_rounded, "cuBLAS products of factors rounded to TF32") \
    X(TRIED_ALLOC, tried_allocations, "allocations that were tried") \
    X(TRIED_COPY, tried_copies, "copies that were tried") \
    X(TRIED_LAUNCH, tried_launches, "launches that were tried") \
    X(TRIED_BLAS, tried_blas_calls, "cuBLAS calls that were tried")

/* What was there when it returned, and the shape of its last launch. */
#define WORK_LEFT_LIST(X) \
    X(HOST_PRODUCTS, host_products, \
      "1: part of C came out right although no kernel computed anything") \
    X(HOST_ELEMENTS, host_elements, \
      "elements of C on the host that did not come from the device in this call") \
    X(SHARED_THOUSANDTHS, shared_thousandths, \
      "thousandths of shared_operands") \
    X(SHARED_ALIKE, shared_alike_thousandths, "thousandths of shared_alike") \
    X(ORDER_DIFFERS, order_differs, \
      "1: C has other bits where the last block of each grid begins first") \
    X(TO_HOST_AFTER, to_host_after, "bytes copied to the host after the last kernel") \
    X(HOST_BYTES, host_bytes, "bytes of the host's memory that malloc and new have given out") \
    X(MAPPED_BYTES, mapped_bytes, "bytes of addresses that the process has, used or not") \
    X(LIVE_ALLOCATIONS, live_allocations, "allocations that are there when the call returns") \
    X(LIVE_BYTES, live_bytes, "bytes of the allocations that are there") \
    X(LIVE_HEAP, live_heap, "pieces of memory that kernels got from malloc and that are there") \
    X(LIVE_STREAMS, live_streams, "streams that are there") \
    X(LIVE_EVENTS, live_events, "events that are there") \
    X(LIVE_BLAS, live_blas_handles, "cuBLAS handles that are there") \
    X(UNFINISHED, unfinished_streams, "streams with work that nothing has waited for") \
    X(UNORDERED, unordered_streams, \
      "streams with work for which neither the program nor the default stream waits") \
    X(GRID_X, grid_x, "blocks of the kernel that ran last, in x; 0: none did") \
    X(GRID_Y, grid_y, "blocks of that kernel in y") \
    X(GRID_Z, grid_z, "blocks of that kernel in z") \
    X(BLOCK_X, block_x, "threads of a block of that kernel, in x") \
    X(BLOCK_Y, block_y, "threads of its block in y") \
    X(BLOCK_Z, block_z, "threads of its block in z") \
    X(KERNELS_RAN, kernels_ran, \
      "which kernels ran, a bit for each name (vgpu_kernel_bit); no good limit")
/* clang-format on */

/* One call's counts: what its host's part did, what its kernels did, all launches together
 * (VGPU_COUNTER_LIST), and what was left. */
enum work_item {
#define WORK_ITEM(capitals, name, meaning)          WORK_##capitals,
#define WORK_COUNTER(capitals, name, unit, meaning) WORK_##capitals,
    WORK_DONE_LIST(WORK_ITEM) VGPU_COUNTER_LIST(WORK_COUNTER) WORK_LEFT_LIST(WORK_ITEM)
#undef WORK_COUNTER
#undef WORK_ITEM
        WORK_COUNT
};

struct work {
    uint64_t of[WORK_COUNT];
};

struct shape;

/* May a rubric name this? Every count is a quantity, under its own name. */
bool quantity_known(const char *name);
/* Does it come from the host's calls alone (launches, copies, cuBLAS)? The runtime knows those
 * where nothing is counted, too. */
bool quantity_of_host(const char *name);
/* Its value for a call; NaN when there is none, as for sectors a request without requests. */
double quantity_value(const char *name, const struct work *w, const struct shape *s);
/* The names of all quantities, by number from 0; NULL after the last. */
const char *quantity_name(int i);
/* What it is, in words; never NULL. */
const char *quantity_meaning(const char *name);
