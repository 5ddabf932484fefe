/*
 * contender.h: what is measured: a lab's file as a shared library, or cuBLAS, or a CPU's BLAS.
 *
 * Every lab file defines the same name, matmul_device (lab 1: matmul_cpu). So each is built into a
 * shared library of its own and loaded in a way that keeps its names to itself.
 *
 * How right a product has to be (contender_bound): float32's own bound γ_k |A||B| of compare.h, for
 * all but lab 9. That lab rounds A and B to pieces of 11 bits on the way to the tensor cores, which
 * add the pieces' products; its bound is derived at contender_bound.
 */
#pragma once

#include "bench/result.h"

typedef void matmul_function(int m, int n, int k, const float *A, const float *B, float *C);

enum contender_kind { CONTENDER_LAB, CONTENDER_CUBLAS, CONTENDER_CPU };

struct contender {
    char name[RESULT_NAME];
    enum contender_kind kind;
    int multiple;              /* takes sizes that are multiples of this alone; 0: any */
    bool square;               /* ... and m = n = k */
    bool own_bound;            /* is judged by the bound of 3xTF32, not by float32's */
    bool own;                  /* the kit's: it needs no trial first */
    bool ratio;                /* takes part where naive and tiled kernels are compared */
    matmul_function *multiply; /* NULL for cuBLAS, which needs a handle */
    int blas_threads;          /* for a CPU's BLAS; 0: it is none */
    bool by_rows;       /* may be timed on some rows of C: what it does for each is the same */
    bool rounds_inputs; /* found out when it was tried: its products are not float32's */
    void *library;      /* closed by contender_close */
};

enum { CONTENDERS = 24 };

/*
 * Reads a contender from "NAME=PATH" or "NAME:RULES=PATH", as in "lab3:own,square32=lab3.so": words
 * with commas between.
 *
 *     by128, square32   sizes are multiples of that; of square32, m = n = k as well
 *     3xtf32            it is judged by the bound of 3xTF32
 *     cpu               it runs on the CPU
 *     own               it is the kit's own, and needs no trial
 *     ratio             it takes part in sets that compare naive and tiled kernels
 *
 * Returns the path, or NULL.
 */
const char *contender_read(struct contender *c, const char *argument);

/* The same, and loads it; `function` is what to look up in the library. On failure returns false,
 * with one line in error (errors' size bytes). */
bool contender_load(struct contender *c, const char *argument, const char *function, char *error,
                    size_t size);
void contender_close(struct contender *c);

/* May it be asked for this shape? */
bool contender_takes(const struct contender *c, struct shape s);

/* |C - computed| is right up to this times (|A||B|). */
double contender_bound(const struct contender *c, int k);
