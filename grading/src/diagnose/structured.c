/* structured.c: see structured.h. */
#include "grading/src/diagnose/structured.h"

#include <math.h>
#include <stdlib.h>

enum { MOST = STRUCTURED_MOST, HOT = 29 };

/* Numbers for 0 to 127 without order, 0 to 127 again: every format holds them, and their sums over
 * 128 terms, of products too, stay below 2^24. */
static int number_of(int i, uint32_t seed) {
    uint32_t x = ((uint32_t)i + seed) * 0x9E3779B1u;
    x ^= x >> 15;
    x *= 0x85EBCA6Bu;
    x ^= x >> 13;
    return (int)(x >> 25);
}
static int first_number(int i) {
    return number_of(i, 1);
}
static int second_number(int i) {
    return number_of(i, 1000);
}
static int itself(int i) {
    return i;
}
static int from_one(int i) {
    return i + 1;
}

static int one(int i) {
    (void)i;
    return 1;
}
static int hot(int i) {
    return i == HOT;
}

static void fill_rows(float *x, int side, int (*of)(int i)) {
    for (int i = 0; i < side * side; i++)
        x[i] = (float)of(i / side);
}
static void fill_cols(float *x, int side, int (*of)(int i)) {
    for (int i = 0; i < side * side; i++)
        x[i] = (float)of(i % side);
}

void structured_fill(enum structured_probe which, int side, float *a, float *b) {
    /* What rows and columns of A hold, and of B; each element is the product of its two. */
    static const struct {
        int (*row)(int i), (*col)(int i);
    } of_a
        [STRUCTURED_PROBES] =
            {
                [STRUCTURED_A_ROWS] = {itself, NULL},
                [STRUCTURED_A_ROWS_2] = {first_number, NULL},
                [STRUCTURED_A_TERMS] = {NULL, first_number},
                [STRUCTURED_A_TERMS_2] = {NULL, second_number},
                [STRUCTURED_PAIRS] = {NULL, first_number},
                [STRUCTURED_MEETS_B_AT] = {from_one, NULL},
                [STRUCTURED_MEETS_B_P] = {NULL, from_one},
                [STRUCTURED_MEETS_A] = {NULL, hot},
                [STRUCTURED_MEETS_A_P] = {NULL, hot},
                [STRUCTURED_MEETS_A_AT] = {NULL, hot},
            },
    of_b[STRUCTURED_PROBES] = {
        [STRUCTURED_B_COLS] = {NULL, itself},        [STRUCTURED_B_COLS_2] = {NULL, first_number},
        [STRUCTURED_B_TERMS] = {first_number, NULL}, [STRUCTURED_B_TERMS_2] = {second_number, NULL},
        [STRUCTURED_PAIRS] = {first_number, NULL},   [STRUCTURED_MEETS_B] = {hot, NULL},
        [STRUCTURED_MEETS_B_AT] = {hot, NULL},       [STRUCTURED_MEETS_B_P] = {hot, NULL},
        [STRUCTURED_MEETS_A_P] = {from_one, NULL},   [STRUCTURED_MEETS_A_AT] = {NULL, from_one},
    };
    fill_rows(a, side, of_a[which].row ? of_a[which].row : one);
    fill_rows(b, side, of_b[which].row ? of_b[which].row : one);
    if (of_a[which].col)
        fill_cols(a, side, of_a[which].col);
    if (of_b[which].col)
        fill_cols(b, side, of_b[which].col);
}

/* ---- One element of C ---- */

struct origin {
    bool written;
    int terms;
    int row, col;          /* all of its terms are of this row of A, this column of B; -1: not so */
    bool a_terms, b_terms; /* each p once */
    bool pairs;            /* equal p meet */
};

/* One operand, for all of C: is there an element of C whose terms are not as they should be? */
struct way {
    bool mixed; /* of several rows of A, columns of B */
    bool moved; /* of one, but another one than C's */
    bool terms; /* some p more than once, others not at all */
};

struct origins {
    const struct trial *const *probe;
    int side;
    struct origin of[MOST * MOST];
    struct way a, b;
    bool pairs;      /* terms meet others than they should */
    int least, most; /* terms of an element */
    int blanks;      /* elements that nobody wrote */
};

static double got(const struct origins *o, enum structured_probe which, int at) {
    return (double)o->probe[which]->got[at];
}

/* The one line of which all terms are; -1: there is none. */
static int line_of(int side, double sum, double other) {
    const double line = sum / side;
    if (!(line >= 0 && line < side) || line != floor(line))
        return -1;
    return other == (double)side * first_number((int)line) ? (int)line : -1;
}

static double sum_of(int side, int (*x)(int i), int (*y)(int i)) {
    double sum = 0;
    for (int p = 0; p < side; p++)
        sum += (double)x(p) * y(p);
    return sum;
}

/* How many terms each element has that was written. False: some come from something else. */
static bool count_terms(struct origins *o) {
    o->least = o->side * o->side * o->side;
    for (int at = 0; at < o->side * o->side; at++) {
        o->of[at].written = !trial_untouched(o->probe[STRUCTURED_ONES], (size_t)at);
        o->blanks += !o->of[at].written;
        if (!o->of[at].written)
            continue;
        const double terms = got(o, STRUCTURED_ONES, at);
        if (!(terms >= 0 && terms <= 1e6) || terms != floor(terms))
            return false;
        o->of[at].terms = (int)terms;
        o->least = (int)terms < o->least ? (int)terms : o->least;
        o->most = (int)terms > o->most ? (int)terms : o->most;
    }
    return true;
}

static void find_origins(struct origins *o) {
    const int side = o->side;
    const double first = sum_of(side, first_number, one), second = sum_of(side, second_number, one),
                 pairs = sum_of(side, first_number, first_number);
    for (int at = 0; at < side * side; at++) {
        struct origin *x = &o->of[at];
        if (!x->written)
            continue;
        x->row = line_of(side, got(o, STRUCTURED_A_ROWS, at), got(o, STRUCTURED_A_ROWS_2, at));
        x->col = line_of(side, got(o, STRUCTURED_B_COLS, at), got(o, STRUCTURED_B_COLS_2, at));
        x->a_terms =
            got(o, STRUCTURED_A_TERMS, at) == first && got(o, STRUCTURED_A_TERMS_2, at) == second;
        x->b_terms =
            got(o, STRUCTURED_B_TERMS, at) == first && got(o, STRUCTURED_B_TERMS_2, at) == second;
        x->pairs = got(o, STRUCTURED_PAIRS, at) == pairs;
        o->a.mixed |= x->row < 0;
        o->b.mixed |= x->col < 0;
        o->a.moved |= x->row >= 0 && x->row != at / side;
        o->b.moved |= x->col >= 0 && x->col != at % side;
        o->a.terms |= !x->a_terms;
        o->b.terms |= !x->b_terms;
        o->pairs |= !x->pairs;
    }
}

/* ---- Examples ---- */

typedef bool which(const struct origins *o, int at);

/* An element off the edges and the diagonal for which this holds; -1: none. */
static int example(const struct origins *o, which *holds) {
    int any = -1;
    for (int at = 0; at < o->side * o->side; at++) {
        const int row = at / o->side, col = at % o->side;
        if (!o->of[at].written || !holds(o, at))
            continue;
        if (row > 0 && col > 0 && row != col)
            return at;
        any = any < 0 ? at : any;
    }
    return any;
}

/* One element of A alone meets row HOT of B, and it is not the right one. */
static bool meets_other_a(const struct origins *o, int at) {
    const int row = at / o->side;
    return o->of[at].col == at % o->side && got(o, STRUCTURED_MEETS_B, at) == 1 &&
           (got(o, STRUCTURED_MEETS_B_AT, at) != row + 1 ||
            got(o, STRUCTURED_MEETS_B_P, at) != HOT + 1);
}
static bool meets_other_b(const struct origins *o, int at) {
    const int col = at % o->side;
    return o->of[at].row == at / o->side && got(o, STRUCTURED_MEETS_A, at) == 1 &&
           (got(o, STRUCTURED_MEETS_A_AT, at) != col + 1 ||
            got(o, STRUCTURED_MEETS_A_P, at) != HOT + 1);
}
static bool is_counted_wrong(const struct origins *o, int at) {
    return got(o, STRUCTURED_MEETS_B, at) != 1;
}
static bool is_moved(const struct origins *o, int at) {
    return o->of[at].row != at / o->side || o->of[at].col != at % o->side;
}
static bool has_most(const struct origins *o, int at) {
    return o->of[at].terms == o->most;
}
static bool has_least(const struct origins *o, int at) {
    return o->of[at].terms == o->least;
}

/* "For example, in the sum of C[1][3] B[29][3] meets A[9][5], and A[1][29] belongs there" */
static void say_meeting(const struct origins *o, bool of_a, struct text *t) {
    const int at = example(o, of_a ? meets_other_a : meets_other_b);
    const int row = at / o->side, col = at % o->side;
    if (at < 0)
        return;
    text_addf(t, " For example, in the sum of C[%d][%d] ", row, col);
    if (of_a)
        text_addf(t, "B[%d][%d] is multiplied by A[%.0f][%.0f], and A[%d][%d] belongs there.", HOT,
                  col, got(o, STRUCTURED_MEETS_B_AT, at) - 1, got(o, STRUCTURED_MEETS_B_P, at) - 1,
                  row, HOT);
    else
        text_addf(t, "A[%d][%d] is multiplied by B[%.0f][%.0f], and B[%d][%d] belongs there.", row,
                  HOT, got(o, STRUCTURED_MEETS_A_P, at) - 1, got(o, STRUCTURED_MEETS_A_AT, at) - 1,
                  HOT, col);
}

/* ---- Where it goes wrong ---- */

static bool is_wrong(const struct way *w) {
    return w->mixed || w->moved || w->terms;
}

/* What sums take of A, or of B. */
static void say_way(struct text *t, const struct way *w, bool of_a) {
    const char *line = of_a ? "row" : "column", *across = of_a ? "column" : "row",
               *name = of_a ? "A" : "B";
    if (w->mixed)
        text_addf(t, "elements of several %ss of %s", line, name);
    else if (w->moved)
        text_addf(t, "elements of another %s of %s", line, name);
    else if (w->terms)
        text_addf(t, "elements of some %ss of %s more than once, and of others none", across, name);
    else
        text_addf(t, "the right %s of %s, every element of it once", line, name);
}

static bool say_moved(const struct origins *o, struct diagnosis *d) {
    const struct trial *proof = o->probe[STRUCTURED_ANY];
    int elements = 0;
    for (int at = 0; at < o->side * o->side; at++) {
        if (!o->of[at].written)
            continue;
        if ((double)proof->got[at] != trial_want(proof, o->of[at].row, o->of[at].col))
            return false;
        elements += is_moved(o, at);
    }
    const int at = example(o, is_moved), row = at / o->side, col = at % o->side;
    const struct origin *x = &o->of[at];
    d->class = "sum-misplaced";
    text_addf(&d->sentence, "Every sum is right, but %d of the %d are stored where another belongs",
              elements, o->side * o->side - o->blanks);
    if (o->blanks > 0)
        text_addf(&d->sentence, ", and %d elements of C are never written", o->blanks);
    text_addf(&d->sentence,
              ". C[%d][%d] holds row %d of A times column %d of B, which belongs in C[%d][%d]. "
              "Compare the row and the column from which a thread reads its factors with those to "
              "which it stores.",
              row, col, x->row, x->col, x->row, x->col);
    return true;
}

static void say_operand(const struct origins *o, bool of_a, struct diagnosis *d) {
    d->class = of_a ? "A-misplaced" : "B-misplaced";
    text_add(&d->sentence, "The sums take ");
    say_way(&d->sentence, of_a ? &o->b : &o->a, !of_a);
    text_add(&d->sentence, ", but ");
    say_way(&d->sentence, of_a ? &o->a : &o->b, of_a);
    text_addf(&d->sentence, ". So follow %s alone, from its place in memory to the multiplication.",
              of_a ? "A" : "B");
    say_meeting(o, of_a, &d->sentence);
}

static void say_both(const struct origins *o, struct diagnosis *d) {
    d->class = "A-and-B-misplaced";
    text_add(&d->sentence, "Some sums take ");
    say_way(&d->sentence, &o->a, true);
    text_add(&d->sentence, ", and some take ");
    say_way(&d->sentence, &o->b, false);
    text_add(&d->sentence, ". Look at what A and B have in common: a function that loads both, the "
                           "place of a thread, a warp or a lane.");
}

static void say_pairs(const struct origins *o, struct diagnosis *d) {
    d->class = "terms-mispaired";
    text_add(&d->sentence,
             "Each sum takes the right row of A and the right column of B, every element once, but "
             "pairs them wrongly: A[row][p] must be multiplied by B[p][col], with the same p.");
    say_meeting(o, true, &d->sentence);
}

static void say_terms(const struct origins *o, struct diagnosis *d) {
    const int at = example(o, is_counted_wrong);
    d->class = "terms-repeated";
    text_add(&d->sentence,
             "Each sum has as many terms as it should, of the right row of A and the right column "
             "of B, but some are taken more than once, and others never. Write down which p a "
             "thread multiplies in its first steps, and which in the next tile.");
    if (at >= 0)
        text_addf(&d->sentence, " For example, p = %d is in the sum of C[%d][%d] %.0f times.", HOT,
                  at / o->side, at % o->side, got(o, STRUCTURED_MEETS_B, at));
}

/* Are an element's terms its own sum's, each as often? */
static bool is_own(const struct origins *o, int at) {
    const int side = o->side, row = at / side, col = at % side;
    const double terms = o->of[at].terms;
    return o->of[at].written && got(o, STRUCTURED_A_ROWS, at) == terms * row &&
           got(o, STRUCTURED_A_ROWS_2, at) == terms * first_number(row) &&
           got(o, STRUCTURED_B_COLS, at) == terms * col &&
           got(o, STRUCTURED_B_COLS_2, at) == terms * first_number(col);
}

/* The first row from which on every element has so many terms, and no element above it; -1: they do
 * not lie like that. */
static int rows_from(const struct origins *o, int terms) {
    int from = o->side;
    while (from > 0 && o->of[(from - 1) * o->side].terms == terms)
        from--;
    for (int at = 0; at < o->side * o->side; at++)
        if ((o->of[at].terms == terms) != (at / o->side >= from))
            return -1;
    return from > 0 && from < o->side ? from : -1;
}

/* Each element holds its own sum, some of them more than once. */
static bool say_again(const struct origins *o, struct diagnosis *d) {
    const int side = o->side, most = example(o, has_most), least = example(o, has_least);
    for (int at = 0; at < side * side; at++)
        if (!is_own(o, at))
            return false;
    d->class = "sum-added-again";
    text_addf(&d->sentence, "Whole sums are added to C more than once: C[%d][%d] holds %d times ",
              most / side, most % side, o->most / side);
    text_addf(&d->sentence, "its own sum, and C[%d][%d] %s. ", least / side, least % side,
              o->least == side ? "once" : "less often");
    const int from = rows_from(o, o->most);
    if (from > 0)
        text_addf(&d->sentence, "So do all rows from %d on, and none above. ", from);
    text_add(&d->sentence,
             "Where several loops, threads or launches share the elements of C, each element "
             "belongs to one of them alone: the next begins where the one before ended.");
    return true;
}

/* Sums of some elements hold those of several, others hold none or their own. */
static bool say_counts(const struct origins *o, struct diagnosis *d) {
    const int side = o->side, most = example(o, has_most), least = example(o, has_least);
    if (o->most < 2 * side || o->least > side)
        return false;
    /* Whole sums: with one row of B each of them has one term. */
    for (int at = 0; at < side * side; at++)
        if (o->of[at].terms % side != 0 ||
            (int)got(o, STRUCTURED_MEETS_B, at) * side != o->of[at].terms)
            return false;
    if (o->least > 0 && say_again(o, d))
        return true;
    d->class = "sums-mixed";
    text_addf(&d->sentence,
              "Sums of different elements of C are added together: C[%d][%d] has %d terms, where "
              "%d are right, and C[%d][%d] has %d. Each element needs a sum of its own: look at "
              "the indices of the sums, where terms are added to them and where they are stored.",
              most / side, most % side, o->most, side, least / side, least % side, o->least);
    return true;
}

/* ---- Rows of another length ---- */

/* A tile that was put down in rows of one length, padding included, and picked up in rows of
 * another. The example is of rows of 5 for 4 columns, picked up in rows of 4:
 *
 *     put down    a0 a1 a2 a3 -- b0 b1 b2 b3 -- c0 ...
 *     row 0       a0 a1 a2 a3
 *     row 1                   -- b0 b1 b2
 *     row 2                               b3 -- c0 ...
 */
struct rows {
    int columns, put, picked;
};

/* Is the first tile of C like that, as far as its first rows? */
static bool rows_fit(const struct origins *o, const struct rows *r) {
    enum { ROWS = 8 };
    bool moved = false;
    for (int row = 0; row < ROWS; row++) {
        for (int col = 0; col < r->columns && col < o->side; col++) {
            const int place = row * r->picked + col, from = place / r->put, at = place % r->put;
            const struct origin *x = &o->of[row * o->side + col];
            const bool padding = at >= r->columns || at >= o->side;
            if (padding ? x->written && x->row == row && x->col == col
                        : !x->written || x->row != from || x->col != at)
                return false;
            moved |= !padding && from != row;
        }
    }
    return moved;
}

static bool say_row_length(struct origins *o, struct diagnosis *d) {
    static const int columns[] = {256, 128, 96, 64, 48, 32, 24, 16, 8};
    enum { MOST_PADDING = 16 };
    find_origins(o);
    for (size_t i = 0; i < sizeof columns / sizeof *columns; i++) {
        const int least = columns[i]; /* with a whole row of padding, rows would only be skipped */
        const int most = least + (least > MOST_PADDING ? MOST_PADDING : least - 1);
        for (int put = least; put <= most; put++) {
            for (int picked = least; picked <= most; picked++) {
                const struct rows r = {least, put, picked};
                if (put == picked || !rows_fit(o, &r))
                    continue;
                d->class = "row-length";
                text_addf(&d->sentence,
                          "Sums are right where they are put down, in rows of %d floats, but they "
                          "are picked up as if rows had %d: from the second row of a tile on they "
                          "come from another place. Write the length of a row, padding included, "
                          "in both places alike.",
                          put, picked);
                return true;
            }
        }
    }
    return false;
}

static bool judge(struct origins *o, struct diagnosis *d) {
    if (!count_terms(o) || o->blanks == o->side * o->side)
        return false;
    if (say_row_length(o, d))
        return true;
    o->a = o->b = (struct way){0};
    o->pairs = false;
    if (o->least != o->side || o->most != o->side)
        return o->blanks == 0 && say_counts(o, d);
    find_origins(o);
    const bool a = is_wrong(&o->a), b = is_wrong(&o->b), terms = o->a.terms || o->b.terms;
    if (!o->a.mixed && !o->b.mixed && !terms && (o->a.moved || o->b.moved))
        return !o->pairs && say_moved(o, d);
    if (o->blanks > 0)
        return false; /* what the others would have been is not known */
    if (o->a.terms && o->b.terms && !o->a.mixed && !o->b.mixed && !o->a.moved && !o->b.moved)
        say_terms(o, d);
    else if (a && b)
        say_both(o, d);
    else if (a || b)
        say_operand(o, a, d);
    else if (o->pairs)
        say_pairs(o, d);
    else
        return false;
    return true;
}

bool structured_judge(const struct trial *const probes[STRUCTURED_PROBES], struct diagnosis *d) {
    struct origins *o = xcalloc(1, sizeof *o);
    o->probe = probes;
    o->side = probes[STRUCTURED_ONES]->shape.m;
    const bool said = judge(o, d);
    if (said) {
        text_addf(&d->sentence, " (With m = n = k = %d.)", o->side);
        text_addf(&d->evidence,
                  "probes whose elements are numbers of rows, columns and terms tell the origin of "
                  "each of the %d elements of C with m = n = k = %d",
                  o->side * o->side, o->side);
    }
    free(o);
    return said;
}
