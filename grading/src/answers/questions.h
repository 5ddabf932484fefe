/*
 * questions.h: the questions whose answers ./grader checks, as read from
 * grading/questions/labN.json.
 *
 * A question has a text and one or more blanks, each with a name: the lines of answers.txt. It
 * comes in up to 64 variants with other numbers; a student's name picks one, so that an answer
 * copied from a neighbour is most likely a wrong one. The file holds what is asked and, of the
 * answers, slow salted hashes only (seal.h). How answers are computed is known to the instructors'
 * folder solutions/questions, which writes the file; nothing of it is linked into the grader.
 *
 * The file also holds the lab's list of questions: these, and between them those that are answered
 * in one's own words, which nobody checks (book.h). A question's number is its place in the list.
 *
 * The file is read with bounds: whatever it holds, it is refused in one line or every index, count
 * and text below is as declared here.
 */
#pragma once

#include "grading/src/base/text.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum blank_kind {
    BLANK_NUMBERS,  /* whole numbers, one or several with commas between */
    BLANK_REAL,     /* one positive number, within 2 % */
    BLANK_FORMULAS, /* one or several formulas in the blank's variables */
    BLANK_WORD,     /* one of `words` */
    BLANK_LETTERS,  /* a set of the letters a to h */
    BLANK_LINE,     /* the number of a line of the question's listing */
    BLANK_TEXT,     /* letters and digits; blanks, case and punctuation don't matter */
    BLANK_KINDS
};

/* "numbers", "real", ... as the file has it. */
const char *blank_kind_name(enum blank_kind kind);

enum {
    BLANK_VALUES = 6, /* numbers or formulas in one blank */
    BLANK_WORDS = 8,
    BLANK_HINTS = 8,  /* hints for recognised mistakes */
    BLANK_SEALS = 24, /* right answers and recognised mistakes of one variant */
    BLANK_VARIABLES = 12,
    BLANK_POINTS = 64,
    QUESTION_BLANKS = 16,
    QUESTION_VARIANTS = 64,
    QUESTIONS_MOST = 16,
    LISTED_MOST = 40, /* with those that are not checked */
};

struct blank {
    const char *name, *ask; /* ask: what is to be written, in a few words */
    enum blank_kind kind;
    int count; /* numbers or formulas expected; 1 for the others */
    const char *hint;
    const char *words[BLANK_WORDS + 1];         /* of BLANK_WORD, ended by NULL */
    const char *variables[BLANK_VARIABLES + 1]; /* of BLANK_FORMULAS, ended by NULL */
    /* Of BLANK_FORMULAS: points[i][j] is variables[j] in trial i. Owned by the set. */
    double (*points)[BLANK_VARIABLES];
    size_t point_count;
    const char *hints[BLANK_HINTS]; /* sealed; for recognised mistakes */
    size_t hint_count;
};

/* One blank in one variant. */
struct sealed_blank {
    double grid; /* of BLANK_REAL: where its steps of 4 % begin (canonical.h) */
    const char *seals[BLANK_SEALS];
    size_t count;
};

struct variant {
    const char *own;             /* the variant's part of the text; "" when there is none */
    int first;                   /* number of the listing's first line */
    struct sealed_blank *blanks; /* one for each blank of the question */
};

struct question {
    const char *key; /* "lab3.banks"; picks the variant, with the student */
    const char *title;
    const char *section;  /* of the handouts, such as "lab3.md#banks" */
    const char *text;     /* the part that is the same for all */
    const char *digest;   /* of what is sealed, for who seals it */
    const char **listing; /* lines, ended by NULL; NULL: none */
    int lines;
    struct blank *blanks;
    size_t blank_count;
    struct variant *variants;
    size_t variant_count; /* 1: the same for all */
};

/* An entry of the list, Q3.1 and so on: one of the two is there. */
struct listed {
    const struct question *checked;
    const char *words; /* what is asked, to be answered in one's own words */
};

struct question_set {
    int lab;
    int cost;         /* of the hashes */
    uint64_t edition; /* another one: other numbers, other salts */
    struct question *all;
    size_t count;
    struct listed *list; /* each of `all` once */
    size_t listed;
    struct json_t *root; /* owns every text */
};

enum questions_state {
    QUESTIONS_OK,
    QUESTIONS_NONE, /* there is no such file: the lab has no questions */
    QUESTIONS_BAD,  /* it cannot be read or is not what it should be; `why` says so in one line */
};

#define QUESTIONS_SCHEMA "matmul-lab-questions/2"

/* Reads grading/questions/labN.json below `root`.
 * The caller frees with questions_free in any case. */
enum questions_state questions_read(struct question_set *s, const char *root, int lab, char *why,
                                    size_t room);
/* The same from memory. */
enum questions_state questions_parse(struct question_set *s, const char *bytes, size_t length,
                                     int lab, char *why, size_t room);
void questions_free(struct question_set *s);

/* "Q3.8": the number of the i-th entry of a lab's list, counted from 0. */
enum { QUESTION_NUMBER = 40 };
void question_number(char number[QUESTION_NUMBER], int lab, size_t i);
/* Is `name` the number, "Q3.8", of a question to be answered in one's own words? */
bool questions_in_words(const struct question_set *s, const char *name);

/* All blanks of all questions. */
size_t questions_blanks(const struct question_set *s);

/* Which of `variants` a student gets. `student` NULL or empty: that of nobody in particular; letter
 * case and blanks around it don't matter. `seed` is the course's: another one, other variants. */
size_t question_pick(const char *key, int lab, size_t variants, const char *student, uint64_t seed);
/* The same for a question that was read. */
const struct variant *question_variant(const struct question_set *s, const struct question *q,
                                       const char *student, uint64_t seed);

/* Variants in which a blank has the same answers share its seals: they are made as those of the
 * first one. This is its number, for a variant and a blank. */
size_t question_sealed_as(const struct question *q, size_t variant, size_t blank);

/* What a seal's salt is made of: set, question, variant (the one that it is sealed as), blank. */
enum { SEAL_PLACE = 128 };
void question_place(char place[SEAL_PLACE], uint64_t edition, const char *key, size_t variant,
                    const char *blank);

/* Prints the questions with this student's numbers: answers go into `file`, and the command
 * `check` judges them. `about` is a line that says what they are about; NULL: what the lab is. */
void questions_print(struct text *t, const struct question_set *s, const char *lab_name,
                     const char *about, const char *file, const char *check, const char *student,
                     uint64_t seed);
