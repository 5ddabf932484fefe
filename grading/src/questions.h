/*
 * questions.h: the questions whose answers ./grader checks, as data.
 *
 * A question has a text and one or more blanks, each with a name: the lines of answers.txt. Many
 * questions have numbers drawn for the student: neighbours get the same question with other
 * numbers, and an answer copied is a wrong one. The right value of a blank is computed from these
 * numbers by a function; nothing is stored that could be read off. What cannot be computed (which
 * line of a listing is wrong) is stored as a salted hash only: see sealed.h for what that is worth.
 */
#ifndef GRADING_QUESTIONS_H
#define GRADING_QUESTIONS_H

#include "common/matrix.h"
#include "grading/src/expression.h"
#include "grading/src/text.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum blank_kind {
    BLANK_NUMBERS,  /* whole numbers, one or several with commas between */
    BLANK_REAL,     /* one number, within 2 % */
    BLANK_FORMULAS, /* one or several formulas in the question's variables */
    BLANK_WORD,     /* one of `words` */
    BLANK_LETTERS,  /* a set of the letters a to h */
    BLANK_SEALED,   /* something that is known only by its hash */
};

enum { DRAWN = 24, VALUES = 6 };

/* The numbers drawn for one student and one question. */
struct drawn {
    int64_t n[DRAWN];
};

/* A blank's value: `count` numbers; of a word its place in `words`, of letters a bit set. */
struct blank_value {
    int count;
    double v[VALUES];
};

/* What a formula's variables are in one trial: bx, by, x, y, row, col, T, p, width, m, n, k. */
struct variables {
    double T, p, width, x, y, bx, by, row, col, m, n, k;
};

typedef struct blank_value blank_function(const struct drawn *d, const struct variables *v);

/* A mistake that is often made: who gives this value gets this hint. */
struct slip {
    blank_function *value;
    const char *hint;
};

enum { SLIPS = 3 };

struct blank {
    const char *name;
    enum blank_kind kind;
    const char *ask;          /* what is to be written, in a few words */
    const char *const *words; /* of BLANK_WORD, ended by NULL */
    const char *variables;    /* of BLANK_FORMULAS: names to use, with blanks between */
    blank_function *value;    /* NULL for BLANK_SEALED */
    const char *hint;         /* for a wrong answer; never the answer */
    struct slip slips[SLIPS];
    const char *const *sealed; /* hashes of the right answers, ended by NULL */
    bool from_first_line;      /* sealed: counted from the line number that n[0] gives to line 1 */
};

struct question {
    const char *key; /* what its numbers are drawn with; never changes */
    const char *title;
    const char *section; /* of the handouts, such as "lab3.md#banks" */
    void (*draw)(struct drawn *d, struct generator *g); /* NULL: the same for all */
    void (*text)(struct text *t, const struct drawn *d);
    const struct blank *blanks;
    size_t blank_count;
};

/* The questions of a lab, by its number; *count is 0 for a lab without. */
const struct question *questions_of(int lab, size_t *count);

/* The numbers for a student. `student` NULL or empty: those for nobody in particular; letter case
 * and blanks around it don't matter. `seed` is the course's: another one, other numbers. */
struct drawn question_draw(const struct question *q, int lab, const char *student, uint64_t seed);

/* Random values for a formula's variables, so that row = by * T + y and so on. */
struct variables variables_draw(struct generator *g);

/* The variables of a blank by the names a student may use, CUDA's among them. Returns how many;
 * room for 32. */
size_t variables_bind(const char *allowed, const struct variables *v, struct binding names[32]);

/* Prints the questions of a lab with this student's numbers. False: the lab has none. */
bool questions_print(struct text *t, int lab, const char *lab_name, const char *folder,
                     const char *student, uint64_t seed);

/* Low to high, both included, equally likely. */
int64_t pick(struct generator *g, int64_t low, int64_t high);

/* One of a list. */
int64_t pick_from(struct generator *g, const int *list, size_t count);

/* The tables, by lab. */
extern const struct question questions_lab1[], questions_lab2[], questions_lab3[], questions_lab4[],
    questions_lab5[];
extern const size_t questions_lab1_count, questions_lab2_count, questions_lab3_count,
    questions_lab4_count, questions_lab5_count;

/* Shared by the tables: pieces of `part` that lie in a size, and that cover it. */
static inline int64_t parts_in(int64_t size, int64_t part) {
    return size / part;
}

static inline int64_t parts_over(int64_t size, int64_t part) {
    return (size - 1) / part + 1;
}

static inline struct blank_value one(double a) {
    return (struct blank_value){1, {a}};
}

static inline struct blank_value two(double a, double b) {
    return (struct blank_value){2, {a, b}};
}

static inline struct blank_value three(double a, double b, double c) {
    return (struct blank_value){3, {a, b, c}};
}

#define COUNT(array) (sizeof(array) / sizeof *(array))

#endif
