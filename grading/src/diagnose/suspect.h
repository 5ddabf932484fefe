/*
 * suspect.h: known mistakes, each computed as a program that makes it would compute, and compared
 * with what the submission gave.
 *
 * Every function takes all trials and looks for one mistake that explains each of them: the wrong
 * products to the last digit, the right ones, and the calls that ended outside of memory. True: *d
 * has the class, the sentence and the evidence. False: *d is as it was.
 *
 * Random contents make an accident unlikely: that a wrong program happens to agree in hundreds of
 * elements of several shapes.
 */
#pragma once

#include "grading/src/run/diagnosis.h"
#include "grading/src/run/trial.h"

/* What the functions need to know beside the trials. */
struct suspect_context {
    enum entry_point entry;
    struct layout layout; /* how A and B lie: what programs do with memory is known of plain ones */
    struct lab_product product; /* what must be computed */
    bool cublas;                /* the lab computes with cuBLAS */
    bool stale;        /* a checker saw reads of memory that nobody wrote; registers have none */
    bool stale_shared; /* a checker saw reads of shared memory that nobody wrote */
};

/* Another product than the lab's: A * B, or factors left out or mixed up. */
bool suspect_product(const struct trials *all, const struct suspect_context *c,
                     struct diagnosis *d);

/* A or B lies transposed, and is taken as if it lay row by row. */
bool suspect_layout(const struct trials *all, const struct suspect_context *c, struct diagnosis *d);

/* Which elements of A and B are multiplied, where the sum goes: strides, sizes and matrices mixed
 * up. Looks at shapes without edges. */
bool suspect_walks(const struct trials *all, const struct suspect_context *c, struct diagnosis *d);

/* An index of a tiled program mixed up, or two: a thread's x for its y, one block's number for the
 * other's, a tile used transposed, or that of another phase. */
bool suspect_tiles(const struct trials *all, const struct suspect_context *c, struct diagnosis *d);

/* The same where each thread computes several elements of C. */
bool suspect_registers(const struct trials *all, const struct suspect_context *c,
                       struct diagnosis *d);

/* Tensor cores: fragments in the wrong registers or lanes. */
bool suspect_fragments(const struct trials *all, const struct suspect_context *c,
                       struct diagnosis *d);

/* The same: factors split in a wrong way, products of their parts missing, sums that drift. */
bool suspect_splits(const struct trials *all, const struct suspect_context *c, struct diagnosis *d);

/* Right sums in each other's places, in each rectangle of C in the same way. */
bool suspect_moved(const struct trials *all, const struct suspect_context *c, struct diagnosis *d);

/* Terms of the sums left out, or counted twice. */
bool suspect_terms(const struct trials *all, const struct suspect_context *c, struct diagnosis *d);

/* The same, whatever terms they are: each is in every sum so many times. */
bool suspect_weights(const struct trials *all, const struct suspect_context *c,
                     struct diagnosis *d);

/* Sums that end at the first zero, or go on from one tile to the next. */
bool suspect_sums(const struct trials *all, const struct suspect_context *c, struct diagnosis *d);

/* The same, tile by tile: blocks along one dimension whose numbers are too few or mistaken. */
bool suspect_blocks(const struct trials *all, const struct suspect_context *c, struct diagnosis *d);

/* Copies into tiles with conditions that belong to the other copy. */
bool suspect_guards(const struct trials *all, const struct suspect_context *c, struct diagnosis *d);

/* Of products that are right or blank, element by element: some of the columns behind a row's last
 * four, some of every so many rows, or what a thread has to store after an element outside C. NULL:
 * none of these. */
const char *suspect_gaps(const struct trial *const *wrong, int count, struct text *t);

/* Elements of C never written, all others right. */
bool suspect_coverage(const struct trials *all, const struct suspect_context *c,
                      struct diagnosis *d);

/* Parts of a matrix that are used again, or stored over each other; of matmul_cpu. */
bool suspect_parts(const struct trials *all, const struct suspect_context *c, struct diagnosis *d);

/* Another operation, or an index that holds another variable; of matmul_cpu. */
bool suspect_formula(const struct trials *all, const struct suspect_context *c,
                     struct diagnosis *d);

/* Nothing at all came out: C untouched, or zero. */
bool suspect_nothing(const struct trials *all, const struct suspect_context *c,
                     struct diagnosis *d);

/* Sums that begin with something, factors, single NaNs, rows in each other's place. */
bool suspect_values(const struct trials *all, const struct suspect_context *c, struct diagnosis *d);

/* Right where every format is exact, a little off elsewhere. */
bool suspect_precision(const struct trials *all, const struct suspect_context *c,
                       struct diagnosis *d);

/* Nothing but NaN. Has no class: too much leads there. */
bool suspect_all_nan(const struct trials *all, const struct suspect_context *c,
                     struct diagnosis *d);

/* What only the shapes tell: wrong for k = 1, m = 1 or n = 1 and for no other shape. */
bool suspect_special(const struct trials *all, const struct suspect_context *c,
                     struct diagnosis *d);

/* The same: right up to a size, wrong beyond; or right for squares only. */
bool suspect_shapes(const struct trials *all, const struct suspect_context *c, struct diagnosis *d);
/* Of these: only the last tiles are wrong, and only in shapes that have more tiles than the right
 * ones. */
bool suspect_last_tiles(const struct trials *all, struct diagnosis *d);
/* suspect_exact.c: adds which rows or columns of C are right, where others are a little off. */
bool suspect_say_exact(const struct trials *all, struct text *to);

/* Only very tall shapes are wrong, and those from one row on. */
bool suspect_slabs(const struct trials *all, const struct suspect_context *c, struct diagnosis *d);

/* The above, but for the last four, in the order in which they are sure: the first that holds. */
bool suspect_products(const struct trials *all, const struct suspect_context *c,
                      struct diagnosis *d);

/* ---- Shared by them ---- */

/* Appends "For example, with m = 33, n = 65 and k = 33, C[17][3] should be 43, the sum of A[17][p]
 * * B[p][3], and is 12", for element `at` of t; then, unless NULL, `what`. Ends the sentence. */
void suspect_example(struct text *to, const struct trial *t, size_t at, const char *what);

/* A trial for examples: of the graded cases where possible, small, and with wrong elements. */
const struct trial *suspect_best(const struct trials *all, bool clean);
/* The first wrong element away from the edges where possible; `written`: that was written. */
size_t suspect_element(const struct trial *t, bool written);
