/*
 * answers.h: answers.txt, read and judged.
 *
 *     # a comment
 *     student = s123456
 *     loads_16 = 2 * 16 * 16
 *     phase_0_A = row, x
 *
 * A line without a name, a name that no question has or that comes twice, and bytes that are no
 * text are told with their line, and count as no answer. Judging computes the right values from the
 * student's numbers (questions.h); it never prints them.
 */
#pragma once

#include "grading/src/answers/questions.h"
#include "grading/src/base/text.h"

#include <stdbool.h>
#include <stddef.h>

enum { ANSWER_NAME = 32, ANSWER_VALUE = 200, STUDENT = 64, ANSWERS_MAX = 200 };

struct given_answer {
    char name[ANSWER_NAME];
    char value[ANSWER_VALUE];
    int line;
};

struct answers {
    char student[STUDENT]; /* empty: not given */
    struct given_answer *all;
    size_t count;
    struct text problems; /* lines that begin with "line N: " */
    size_t problem_count;
};

/* Parses a file's text; the caller frees with answers_free. */
void answers_parse(struct answers *a, const char *text, size_t bytes);
void answers_free(struct answers *a);
/* The answer of a name; NULL: not given. */
const struct given_answer *answers_find(const struct answers *a, const char *name);

/* Tells names that the lab's questions don't have, as further problems. */
void answers_check_names(struct answers *a, const struct question_set *s, const char *lab_name);

enum answer_verdict {
    ANSWER_RIGHT,
    ANSWER_WRONG,
    ANSWER_NONE,       /* not given, or left empty */
    ANSWER_UNREADABLE, /* given in a form that cannot be judged */
    ANSWER_NOT_JUDGED, /* this machine cannot: its crypt does not know the hash */
};

/* "right", "wrong", "no answer", "unreadable", "not judged". */
const char *answer_verdict_name(enum answer_verdict v);

struct answer_result {
    const struct question *question;
    const struct blank *blank;
    const char *given; /* "" when not given */
    enum answer_verdict verdict;
    char hint[360]; /* for what is not right; empty otherwise */
};

/* Judges one blank, set->all[question].blanks[blank], in the variant of the student. Takes as long
 * as one hash. */
void answer_judge(struct answer_result *r, const struct question_set *set, size_t question,
                  size_t blank, const char *student, uint64_t seed, const char *given);

/* Everything one run of --answers knows, for reporters. */
struct answer_sheet {
    struct question_set questions;
    struct answers answers;
    char student[STUDENT];         /* whose numbers count; empty: nobody's in particular */
    bool other_student;            /* the file names another one than --student */
    struct answer_result *results; /* one for each blank; they point into the two above */
    size_t count, right;
    bool judged; /* false: some answer could not be */
};

/* Judges all blanks: of `questions`, by `answers`, for `student`. Shows its progress. */
void answers_judge(struct answer_sheet *s, uint64_t seed);
void answer_sheet_free(struct answer_sheet *s);
