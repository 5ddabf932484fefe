/*
 * canonical.h: one spelling for each answer, so that an answer can be compared by its hash.
 *
 *     numbers   evaluated: "2 * 16 * 16" and "512" are "n512"
 *     real      the step of a logarithmic scale it lies in. Steps are as wide as the tolerance of
 *               2 % to both sides, and begin where the right value's begins (its `grid`): who is
 *               within 2 % of it gets the same "r91", and nobody else
 *     formulas  evaluated at the blank's points, and the values folded into 128 bits: formulas that
 *               give the same everywhere are the same
 *     word, letters, line, text: the word, the set, the number, letters and digits only
 *
 * Nothing here knows a right answer. The instructors' program puts right values through the same
 * functions.
 */
#pragma once

#include "grading/src/answers/questions.h"

enum { CANONICAL = 256, CANONICAL_WHY = 320 };

enum canonical_state {
    CANONICAL_OK,
    CANONICAL_UNREADABLE, /* `why` says in one line how to write it */
    CANONICAL_NOWHERE,    /* a line that the listing does not have; `why` says so */
};

/* The canonical spelling of what a student wrote. */
enum canonical_state canonical_answer(const struct question *q, const struct blank *b,
                                      const struct variant *v, const struct sealed_blank *s,
                                      const char *given, char spelling[CANONICAL],
                                      char why[CANONICAL_WHY]);

/* From values. */
void canonical_numbers(char spelling[CANONICAL], const double *values, int count);
void canonical_real(char spelling[CANONICAL], double grid, double value);
void canonical_word(char spelling[CANONICAL], const char *word);
void canonical_letters(char spelling[CANONICAL], unsigned set);
void canonical_line(char spelling[CANONICAL], int line);
void canonical_text(char spelling[CANONICAL], const char *text);

/* Of formulas: folds in the values of each point, in order; then spells. */
struct folded {
    uint64_t half[2];
};
struct folded folded_start(void);
void folded_add(struct folded *f, const double *values, int count);
void canonical_folded(char spelling[CANONICAL], const struct folded *f);

/* The grid that puts everything within 2 % of `value` (positive) into one step. */
double canonical_grid(double value);

#define CANONICAL_TOLERANCE 0.02
