/*
 * prepare.h: what a grading needs before it begins: the rubric, the submission's file, and what
 * runs it. The context has its options, paths and lab by then.
 */
#pragma once

#include "grading/src/run/context.h"

/* Reads the rubric; from then on g->lab is the lab with its cases. False: `why` is one line. */
bool prepare_rubric(struct grade_context *g, char *why, size_t room);

/* Reads the file to be graded. False: there is nothing to grade, and `why` says what. A file that
 * is no submission is one that is refused: g->refused says why. */
bool prepare_submission(struct grade_context *g, char *why, size_t room);

/* All of it, and seed and backends. False: `why` is one line. */
bool prepare_all(struct grade_context *g, char *why, size_t room);
/* The same for a context that has its rubric. */
bool prepare_run(struct grade_context *g, char *why, size_t room);

/* A seed that is new in every run, and short enough to type. */
uint64_t prepare_fresh_seed(void);

/* What is wrong with the CUDA toolkit. Said once:
 * not when make, or the grader that started this one, said it. */
void prepare_tell_toolkit(const struct backend *b);
