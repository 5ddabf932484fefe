/* bank.h: what the lists of questions share (bank.c, bank_challenges.c; see exam.h). */
#pragma once

#include "solutions/exam/exam.h"

/* A number drawn, in a function with a `d`. */
#define N(i) ((int)d->n[i])

enum { LANES = 32, BANKS = 32, SM_SHARED = 98304 };

/* Turns that shared memory takes for a warp: the most different words in one bank. */
int bank_turns(const int64_t *word);

static inline struct blank_value whole_three(int64_t a, int64_t b, int64_t c) {
    return three((double)a, (double)b, (double)c);
}

/* ---- Entries of a list ---- */

#define NUMBERS(function, words)                                                                   \
    { .kind = BLANK_NUMBERS, .ask = (words), .value = (function) }
#define REAL(function, words)                                                                      \
    { .kind = BLANK_REAL, .ask = (words), .value = (function) }
#define WORDS(function, all, ask_for)                                                              \
    { .kind = BLANK_WORD, .ask = (ask_for), .words = (all), .value = (function) }
#define LETTERS(function, words)                                                                   \
    { .kind = BLANK_LETTERS, .ask = (words), .value = (function) }
#define BLANKS(...)                                                                                \
    .blanks = (const struct formula_blank[]){__VA_ARGS__},                                         \
    .blank_count = COUNT(((const struct formula_blank[]){__VA_ARGS__}))
