/*
 * trial_programs.h: for tests of the diagnosis: programs that make products as students' do, right
 * or wrong, and the trials that the grader would see of them.
 *
 * A program is a function without arguments. It reads A and B and writes C through a(), b() and
 * to(), which note what lies outside: such a call counts as one that ended with a memory fault.
 */
#pragma once

#include "grading/src/diagnose/suspect.h"

#include "common/matrix.h"

#include <stdlib.h>
#include <string.h>

static bool outside; /* the program that runs left a matrix */
static bool room;    /* there are zeros around A and B, which it may read */
static struct shape s;
static const float *A, *B;
static float *C;

static inline float read_from(const float *x, int i, int count) {
    if (i < 0 || i >= count) {
        outside = outside || !room;
        return 0;
    }
    return x[i];
}
static inline float a(int i) {
    return read_from(A, i, s.m * s.k);
}
static inline float b(int i) {
    return read_from(B, i, s.k * s.n);
}
static inline void to(int i, float x) {
    if (i < 0 || i >= s.m * s.n)
        outside = true;
    else
        C[i] = x;
}
static inline float dot(int i, int j, int from, int end) {
    float sum = 0;
    for (int p = from; p < end; p++)
        sum += a(i * s.k + p) * b(p * s.n + j);
    return sum;
}

/* A program: m, n and k are the sizes of the product. */
#define PROGRAM(name, ...)                                                                         \
    static void name(void) {                                                                       \
        const int m = s.m, n = s.n, k = s.k;                                                       \
        (void)m, (void)n, (void)k;                                                                 \
        __VA_ARGS__                                                                                \
    }
/* The same for a program of several tests: not each of them has it. */
#define SHARED_PROGRAM(name, ...)                                                                  \
    static inline void name(void) {                                                                \
        const int m = s.m, n = s.n, k = s.k;                                                       \
        (void)m, (void)n, (void)k;                                                                 \
        __VA_ARGS__                                                                                \
    }
#define EACH(rows, cols, store, first, terms, x, y)                                                \
    for (int i = 0; i < (rows); i++)                                                               \
        for (int j = 0; j < (cols); j++) {                                                         \
            float sum = 0;                                                                         \
            for (int p = (first); p < (terms); p++)                                                \
                sum += (x) * (y);                                                                  \
            to(store, sum);                                                                        \
        }

/* The formatter takes products for pointers. */
/* clang-format off */
SHARED_PROGRAM(right, EACH(m, n, i * n + j, 0, k, a(i * k + p), b(p * n + j)))
SHARED_PROGRAM(transposed_b, EACH(m, n, i * n + j, 0, k, a(i * k + p), b(j * k + p)))
SHARED_PROGRAM(by_elements, for (int i = 0; i < m; i++)
    for (int j = 0; j < n; j++)
        to(i * n + j, a(i * k + j) * b(i * n + j));)
SHARED_PROGRAM(column_major, EACH(m, n, j * m + i, 0, k, a(p * m + i), b(j * k + p)))
SHARED_PROGRAM(zeros, for (int i = 0; i < m * n; i++) to(i, 0);)
/* clang-format on */

/* How A and B lie in memory in these trials. */
static struct layout layout;

/* What they should have computed. */
static struct lab_product product;

/* One call of the program, as the grader would see it. */
static inline void add_trial(struct trials *all, void (*program)(void), struct shape shape,
                             enum input_kind input, uint64_t seed) {
    struct call_plan plan = {.entry = ENTRY_CPU, .shape = shape, .input = input, .seed = seed};
    plan.poison = POISON_INTEGERS;
    plan.layout = layout;
    plan.product = product;
    struct call_data data;
    call_data_make(&data, &plan, (struct guard_bands){0});
    s = shape;
    /* Transposed matrices as they lie; of padded ones the rows, as call_data_take gives C. */
    A = layout.padding ? call_data_rows(&data, MATRIX_A) : call_data_matrix(&data, MATRIX_A);
    B = layout.padding ? call_data_rows(&data, MATRIX_B) : call_data_matrix(&data, MATRIX_B);
    const size_t total = (size_t)s.m * (size_t)s.n;
    C = xmalloc(total * sizeof *C);
    memcpy(C, call_data_rows(&data, MATRIX_C), total * sizeof *C);
    outside = false;
    program();
    struct trial *t =
        trials_add(all, input == INPUT_SMALL ? "probe" : "case", &data,
                   outside ? VERDICT_MEMORY : VERDICT_WRONG, outside ? NULL : C, NULL);
    t->bounded = !room;
    t->room = room;
    bool ok = t->got != NULL;
    for (size_t i = 0; i < total && ok; i++)
        ok = trial_right(t, i);
    if (ok)
        t->verdict = VERDICT_PASS;
    free(C);
    call_data_free(&data);
}

static inline void run_program(struct trials *all, void (*program)(void)) {
    static const struct shape shapes[] = {{32, 64, 96}, {32, 96, 64}, {64, 32, 96}, {64, 96, 32},
                                          {96, 32, 64}, {96, 64, 32}, {32, 32, 32}, {32, 64, 64},
                                          {64, 32, 64}, {64, 64, 32}, {64, 64, 64}, {32, 32, 41},
                                          {41, 32, 32}, {32, 41, 32}, {1, 1, 1},    {2, 3, 5}};
    add_trial(all, program, (struct shape){47, 39, 53}, INPUT_WIDE, 5);
    add_trial(all, program, (struct shape){33, 65, 49}, INPUT_REAL, 6);
    for (size_t i = 0; i < sizeof shapes / sizeof *shapes; i++)
        add_trial(all, program, shapes[i], INPUT_SMALL, 10 + i);
}

/* As if one launch of blocks of 64 threads had made it, for each 32 x 32 elements of C. */
static inline void count_launch(struct trial *t) {
    t->counted = true;
    t->work.of[WORK_LAUNCHES] = 1;
    t->work.of[WORK_GRID_X] =
        (uint64_t)((t->shape.m + 31) / 32) * (uint64_t)((t->shape.n + 31) / 32);
    t->work.of[WORK_BLOCK_X] = 64;
    t->work.of[WORK_GRID_Y] = t->work.of[WORK_GRID_Z] = 1;
    t->work.of[WORK_BLOCK_Y] = t->work.of[WORK_BLOCK_Z] = 1;
}
