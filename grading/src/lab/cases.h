/*
 * cases.h: from a case's class and the run's seed to sizes and numbers.
 *
 * Everything is drawn from (seed, lab, case name), so that one case alone repeats exactly, and two
 * cases of one run have nothing in common. Nothing here knows the submission.
 *
 * A case of several calls: the second call has the first one's pointers with new contents, the
 * third has fresh pointers and another, larger shape, the fourth the first one's shape again. So an
 * answer cached by pointer or by shape, a sum that goes on in C, and state or memory that is kept
 * all show. From the fifth call on new shapes and the first one's take turns: what goes wrong after
 * a few calls shows, too. Only a shape that the rubric fixes stays as it is.
 */
#pragma once

#include "grading/src/lab/labs.h"

#include <stdint.h>

struct shape {
    int m, n, k;
};

#define CASE_MAX_CALLS 12

struct call_plan {
    enum entry_point entry;
    struct shape shape;
    enum input_kind input;
    enum poison_kind poison;
    struct layout layout;       /* how A and B lie in memory */
    struct lab_product product; /* what C must be */
    enum bound_kind bound;      /* that reals are judged by */
    uint64_t seed;              /* of A's and B's contents */
    bool touched;               /* but one element of each, which the seed draws, is another */
    unsigned flags;             /* CALL_... of protocol.h */
    unsigned unaligned; /* matrices, bit by bit, that begin `apart` bytes after a multiple of 16 */
    unsigned apart;
    uint32_t fail_call, fail_nth; /* see call_body of protocol.h; 0: nothing is made to fail */
    int64_t clock_behind;         /* likewise; 0: the time of day is what it is */
};

struct case_plan {
    const struct case_spec *spec;
    int calls;
    struct call_plan call[CASE_MAX_CALLS];
};

void case_draw(const struct lab_spec *lab, const struct case_spec *spec, uint64_t seed,
               struct case_plan *plan);

/* How far to set the clock back when this call is made at another time: a day to a year, in seconds
 * that follow from the call's seed. */
int64_t call_other_time(const struct call_plan *p);

/* May this lab be asked for this shape? */
bool shape_allowed(const struct lab_spec *lab, struct shape shape);
/* Does the shape belong to the class? (What case_draw promises; used by its test.) */
bool shape_in_class(const struct lab_spec *lab, enum shape_class class, struct shape shape);

/* One call's matrices, guard bands included, as the worker gets them. */
struct call_data {
    struct call_plan plan;
    struct region region[MATRIX_COUNT];
    unsigned char *bytes[MATRIX_COUNT]; /* owned */
    float *rows[MATRIX_COUNT]; /* of those that lie otherwise, row by row; owned, else NULL */
};

/* The bands around each matrix, in bytes; multiples of 64, so that matrices stay aligned. */
struct guard_bands {
    uint64_t before, after;
    bool pad; /* also fill up to the next multiple of 64 after the matrix: the worker can then place
                 the region's end at the end of a page */
};

/* Fills A, B and C for a plan. */
void call_data_make(struct call_data *data, const struct call_plan *plan, struct guard_bands guard);
void call_data_free(struct call_data *data);

/* The matrix inside a region's bytes, as it lies there. */
const float *call_data_matrix(const struct call_data *data, enum matrix_name matrix);

/* Its elements row by row, however it lies. Whoever writes to them calls call_data_store. */
float *call_data_rows(const struct call_data *data, enum matrix_name matrix);
/* Puts what call_data_rows gave into the regions, as the matrices lie. */
void call_data_store(struct call_data *data);

/* C as a call gave it back, from its region's bytes: row by row. */
void call_data_take(const struct call_data *data, const unsigned char *region, float *c);

/* Rows and columns of a call's matrix, and the floats that it takes up. */
int call_rows(const struct call_plan *plan, enum matrix_name matrix);
int call_cols(const struct call_plan *plan, enum matrix_name matrix);
size_t call_count(const struct call_plan *plan, enum matrix_name matrix);

/* Does A, B or C lie transposed? */
bool layout_transposed(struct layout layout, enum matrix_name matrix);

/* The byte that fills guard bands at this offset. */
unsigned char guard_byte(uint64_t offset);
