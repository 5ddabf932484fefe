/*
 * operands.h: how many operands of a product came through shared memory?
 *
 * A kernel may read shared memory for show, while it multiplies what it keeps elsewhere: then all
 * that is counted is as it should be. So a call is repeated on a virtual GPU on which every float
 * read from shared memory comes out doubled (VGPU_TWOFOLD). A product of which both operands were
 * read there is four times what it should be, with one of them twice, with none just right. The
 * witness repeats it, without the submission's host code.
 */
#pragma once

#include "grading/src/run/context.h"

/* What OPERANDS_MOST means in work.h: both, in thousandths. */
#define OPERANDS_MOST 2000

/* Does a limit of the rubric ask it of this case? */
bool operands_wanted(const struct grade_context *g, const struct case_spec *spec);

/* What a doubled call tells, in thousandths. Where it tells nothing: OPERANDS_MOST, and all alike.
 */
struct operands {
    uint64_t mean;  /* of an operand, on average over C */
    uint64_t alike; /* of C: elements with as many operands as most others, a whole number */
};
#define OPERANDS_UNKNOWN ((struct operands){OPERANDS_MOST, 1000})

/* By what a doubled call of `data` gave: the three regions in `returned`. */
struct operands operands_doubled(const struct call_data *data, const unsigned char *returned);
