/*
 * exam.h: questions for an exam on paper, with their answers. For instructors: part of solutions/.
 *
 * A question is written like one of a lab's (solutions/questions/formulas.h): its numbers are
 * drawn, and a function computes what is right from them. So every variant of an exam has its own
 * numbers, and a key that nobody wrote by hand. Where something is counted (sectors, conflicts,
 * threads that pass a guard) the key counts it, thread by thread.
 */
#pragma once

#include "solutions/questions/formulas.h"

struct exam_question {
    int lab;    /* what must have been taught; 0: the text "Memory" */
    int points; /* one for each thing that is asked for */
    struct formula_question asked;
    /* How one gets there, with this variant's numbers; for the key. */
    void (*working)(struct text *t, const struct drawn *d);
};

/* The bank: labs 1 to 5 and the text, then labs 6 to 10. */
extern const struct exam_question exam_basics[], exam_challenges[];
extern const size_t exam_basics_count, exam_challenges_count;

size_t exam_bank_count(void);
const struct exam_question *exam_bank(size_t i);

/* What is asked of an exam. */
struct exam_choice {
    uint64_t seed;     /* the same seed gives the same exam */
    unsigned labs;     /* a bit for each lab; bit 0: Memory */
    size_t questions;  /* so many of those there are; 0: all */
    const char *title; /* on top of every sheet */
};

/* Which questions of the bank; their number. `chosen` has room for all. */
size_t exam_choose(size_t *chosen, const struct exam_choice *choice);

enum { EXAM_VARIANTS = 8 };

/* A variant, from 0, as Markdown: the sheet, or the key to it. False: a question has not so many
 * variants. */
bool exam_write(struct text *t, const struct exam_choice *choice, size_t variant, bool key);
