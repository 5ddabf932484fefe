/*
 * lab.h: the contract between a lab file and everything else in the kit.
 *
 * A lab file (labs/labN-name/labN.cu) defines the functions its lab asks for; the runner, the
 * grader and the benchmarks call them. The names, the order of the arguments and the layout of the
 * matrices below never change, so a file that works with one of them works with all.
 *
 * What is multiplied:  C = A * B
 *
 *               n                A is m x k     row i, column p is A[i * k + p]
 *          +---------+           B is k x n     row p, column j is B[p * n + j]
 *        k |    B    |           C is m x n     row i, column j is C[i * n + j]
 *          +---------+
 *     k         n                Sizes count elements, not bytes. All three matrices are float,
 *   +---+  +---------+           row-major and contiguous: a row starts right after the one
 *   |   |  |         |           before it ends. They never overlap.
 * m | A |  |    C    | m
 *   |   |  |         |           m, n and k are at least 1. C holds unspecified values on entry
 *   +---+  +---------+           (never assume zeros); every element must be written. A and B
 *                                must not be written.
 *
 * This header refuses to do anything else: no error macros (see cuda_check.h), no I/O, no timing.
 */
#pragma once

#ifdef __cplusplus
extern "C" {
#endif

/* Lab 1. A, B and C are host pointers. Returns when C is complete. */
void matmul_cpu(int m, int n, int k, const float *A, const float *B, float *C);

/* Lab 2. A, B and C are host pointers. Allocates device memory, copies A and B in, computes on the
 * device, copies C out and frees what it allocated. Returns when C is complete. */
void matmul_host(int m, int n, int k, const float *A, const float *B, float *C);

/* Labs 2 and up. A, B and C are device pointers. Launches the work on the default stream, and may
 * return before it is done: the caller synchronises. In lab 3, m = n = k is promised, and a
 * multiple of 32; all other labs get any sizes. */
void matmul_device(int m, int n, int k, const float *A, const float *B, float *C);

#ifdef __cplusplus
}
#endif
