/*
 * formulas.h: the questions with their answers, for instructors. Not for students: it is part of
 * solutions/.
 *
 * Each lab's table holds, for each question, what is drawn, the text, and for each blank a function
 * that computes the right value, a hint, and mistakes that are often made with a hint for each.
 * From these tables seal_questions.c writes grading/questions/labN.json, which is all that the
 * grader and students have (grading/src/answers/questions.h), and answer_key.c prints keys.
 */
#pragma once

#include "common/matrix.h"
#include "grading/src/answers/canonical.h"
#include "grading/src/answers/questions.h"
#include "grading/src/answers/seal.h"

enum { DRAWN = 24, SLIPS = 3, POINTS = 40 };

/* The numbers drawn for one variant of a question. */
struct drawn {
    int64_t n[DRAWN];
};

/* A blank's value: `count` numbers; of a word its place in `words`, of letters a bit set. */
struct blank_value {
    int count;
    double v[BLANK_VALUES];
};

/* What a formula's variables are in one trial. */
struct variables {
    double T, p, width, x, y, bx, by, row, col, m, n,
        k;                     /* labs 2 to 4: row = by * T + y and so on */
    double thread, warp, lane; /* of a block of 256 */
    double r, c;               /* an element of a 16 x 8 tile */
    double s, stages;          /* a slab, and how many buffers */
};

typedef struct blank_value blank_function(const struct drawn *d, const struct variables *v);

/* A blank_function of one expression. */
#define VALUE(name, ...)                                                                           \
    static struct blank_value name(const struct drawn *d, const struct variables *v) {             \
        (void)d, (void)v;                                                                          \
        return __VA_ARGS__;                                                                        \
    }

/* A mistake that is often made: who gives this value gets this hint. */
struct slip {
    blank_function *value;
    const char *hint;
};

struct formula_blank {
    const char *name;
    enum blank_kind kind;
    const char *ask;          /* what is to be written, in a few words */
    const char *const *words; /* of BLANK_WORD, ended by NULL */
    const char *variables;    /* of BLANK_FORMULAS: names to use, with blanks between */
    blank_function *value;    /* NULL where the next two say what is right */
    const char *written;      /* as a student would write it: formulas, letters, texts */
    const int *lines;         /* of BLANK_LINE: each is right; from 0, ended by -1 */
    const char *hint;         /* for a wrong answer; never the answer */
    struct slip slips[SLIPS];
};

struct formula_question {
    const char *key; /* what its numbers are drawn with; never changes */
    const char *title;
    const char *section; /* of the handouts, such as "lab3.md#banks" */
    void (*draw)(struct drawn *d, struct generator *g); /* NULL: the same for all */
    void (*text)(struct text *t, const struct drawn *d);
    const struct formula_blank *blanks;
    size_t blank_count;
    const char *const *listing; /* lines, ended by NULL; the first has the number d->n[0] */
};

/* The questions of a lab, by its number; *count is 0 for a lab without. */
const struct formula_question *formulas_of(int lab, size_t *count);

/* All variants of a question: different numbers each, QUESTION_VARIANTS at most.
 * The caller frees. */
struct drawn *formulas_draw(const struct formula_question *q, int lab, uint64_t edition,
                            size_t *count);

/* A blank's answers in one variant, each in its canonical spelling: the right ones first. */
struct plain {
    char spelling[BLANK_SEALS][CANONICAL];
    int holds[BLANK_SEALS]; /* SEAL_RIGHT, or 1 + number of the slip */
    size_t count;
    double grid;
    int values; /* numbers or formulas */
};
void formulas_plain(struct plain *p, const struct formula_blank *b, const struct drawn *d);

/* A right answer as a student would write it: "32, 125", "b d", "row, x". */
void formulas_answer(struct text *t, const struct formula_blank *b, const struct drawn *d);

/* The trials of a formula: POINTS sets of all variables, the same for all questions. */
void formulas_points(struct variables points[POINTS]);
/* A variable by its name; NaN when there is none. */
double formulas_variable(const struct variables *v, const char *name);

/* Low to high, both included, equally likely. */
int64_t pick(struct generator *g, int64_t low, int64_t high);

/* One of a list. */
int64_t pick_from(struct generator *g, const int *list, size_t count);

/* Draws the number of a listing's first line. */
void draw_lines(struct drawn *d, struct generator *g);

/* All labs' tables. A lab's own, questions_labN and questions_labN_count, is in
 * solutions/labN-WORDS/questions.c; module.mk finds these files and writes this list. The last
 * entry has no lab. */
struct formula_table {
    int lab;
    const struct formula_question *all;
    const size_t *count;
};
extern const struct formula_table formula_tables[];

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

/* The same for whole numbers. */
static inline struct blank_value whole(int64_t a) {
    return one((double)a);
}

static inline struct blank_value whole_two(int64_t a, int64_t b) {
    return two((double)a, (double)b);
}

/* ---- Films of handouts/examples: what tests/films-test.py reads in them ---- */

/* Where the films are. Questions name what happens, by line and phase: a step's number may be
 * another one where another compiler made the film. */
#define FILMS "\n`make films` makes them, in build/films; the handouts' pages have them, too.\n"

/* The numbers that ranks.cuh gives its kernels. */
static inline int64_t film_number(int64_t i) {
    return i * 37 % 257;
}

/* How many of those from begin to end - 1 are smaller than number i. */
static inline int64_t film_smaller(int64_t i, int64_t begin, int64_t end) {
    int64_t count = 0;
    for (int64_t j = begin; j < end; j++)
        count += film_number(j) < film_number(i);
    return count;
}

#define COUNT(array) (sizeof(array) / sizeof *(array))
#define LINES(...)   ((const int[]){__VA_ARGS__, -1})
