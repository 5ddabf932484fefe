/*
 * trial.h: one call of a submission with everything that is known of it: what went in, what came
 * out, what should have. Diagnoses are made from a list of trials: the cases that were graded, and
 * the probes made afterwards (probe.h). Nothing here knows a mistake.
 */
#pragma once

#include "grading/src/lab/work.h"
#include "grading/src/run/judge.h"

struct trial {
    const char *name; /* of the case; "probe" */
    struct shape shape;
    struct layout layout;         /* how A and B lay in memory; below they are row by row */
    uint64_t bytes[MATRIX_COUNT]; /* of memory that A, B and C were given in, with what is around */
    struct lab_product product;
    enum verdict verdict;
    double factor; /* reals: so much error is right, times the sum of the terms' sizes */
    bool exact;    /* A and B hold integers: right means equal */
    bool wide;     /* integers that half precision and TF32 cannot hold, or reals */
    bool small;    /* -8 .. 8 and no other: every format holds them */
    bool room;     /* zeros lie around A and B, and accesses outside read them */
    bool bounded;  /* no access outside a matrix goes unnoticed: else it may read anything */
    /* Of a scaled product, the three of C are what a plain one has: without beta C, and divided by
     * alpha. So whoever knows the mistakes of A * B need not know of these two. */
    float *a, *b, *before; /* A, B, and C as it was before the call; owned */
    float *got;            /* C afterwards; NULL: none came back. Owned */
    double *want;          /* the right product; owned */
    float *held, *raw;     /* scaled: `before` and `got` as they were; else NULL. Owned */
    bool counted;
    bool idled; /* `work` is that of the same call on a device that computes nothing: which kernels
                 * ran, and how many, but not what they did */
    struct work work;
    struct text summary;    /* what became of it, when nothing came back */
    struct facts facts;     /* what the virtual GPU said, then; owned */
    struct touched touched; /* and what it should not have touched */
    uint32_t code_at;       /* and where in the program; 0: unknown */
};

#define TRIALS_MOST 128

struct trials {
    struct trial *trial[TRIALS_MOST]; /* owned */
    int count;
};

/* Adds a trial, made from the data of a call: a right call may come without its result. NULL when
 * the list is full. */
struct trial *trials_add(struct trials *all, const char *name, const struct call_data *data,
                         enum verdict verdict, const float *got, const struct work *work);
/* The same of a call that came back with these bytes of C's region, whatever it did outside: right
 * or wrong is decided by them. */
struct trial *trials_add_bytes(struct trials *all, const char *name, const struct call_data *data,
                               const unsigned char *c, const struct work *work);
void trials_free(struct trials *all);

/* The matrices' elements in row-major order. */
static inline double trial_want(const struct trial *t, int row, int col) {
    return t->want[(size_t)row * (size_t)t->shape.n + (size_t)col];
}
static inline float trial_got(const struct trial *t, int row, int col) {
    return t->got[(size_t)row * (size_t)t->shape.n + (size_t)col];
}

/* This element of C as it should be, and as it is, for people. */
double trial_shown_want(const struct trial *t, size_t at);
float trial_shown_got(const struct trial *t, size_t at);

/* Does this element of C still hold what it held before? */
bool trial_untouched(const struct trial *t, size_t at);
/* Is this element right? Under the rule by which the call was judged. */
bool trial_right(const struct trial *t, size_t at);

static inline size_t trial_elements(const struct trial *t) {
    return (size_t)t->shape.m * (size_t)t->shape.n;
}

/* Did a wrong product come back? */
static inline bool trial_wrong(const struct trial *t) {
    return t->verdict == VERDICT_WRONG && t->got;
}

/* Are all sides multiples of 32, so that no tile has an edge? */
static inline bool trial_clean(const struct trial *t) {
    return t->shape.m % 32 == 0 && t->shape.n % 32 == 0 && t->shape.k % 32 == 0;
}
