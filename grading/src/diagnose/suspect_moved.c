/*
 * suspect_moved.c: sums that are all right, and lie in each other's places, in each rectangle of C
 * in the same way (see suspect.h): a thread, a warp or a fragment stores what it computed in
 * another order than it computed it.
 *
 * Where the sums went is read off the product: of each place of the rectangle, the one place whose
 * right numbers lie there in all rectangles. So no program is imitated, and no order is guessed.
 * Refuses what is no exchange: numbers lost, stored twice, or found in several places.
 */
#include "grading/src/diagnose/suspect.h"

#include <string.h>

/* Sides of the rectangles that are tried, places in the largest, rectangles that tell enough. */
enum { LEAST_SIDE = 2, MOST_SIDE = 64, MOST_PLACES = MOST_SIDE * MOST_SIDE, ENOUGH = 4 };

struct exchange {
    int rows, cols;
    int from[MOST_PLACES]; /* whose number lies at a place; both as row * cols + column */
};

static bool tells(const struct trial *t, const struct exchange *x) {
    return t->got && t->exact && t->shape.m % x->rows == 0 && t->shape.n % x->cols == 0;
}

/* Does place `at` of each rectangle of t hold what belongs in place `from`? */
static bool lies_there(const struct trial *t, const struct exchange *x, int at, int from) {
    for (int row = 0; row < t->shape.m; row += x->rows)
        for (int col = 0; col < t->shape.n; col += x->cols)
            if ((double)trial_got(t, row + at / x->cols, col + at % x->cols) !=
                trial_want(t, row + from / x->cols, col + from % x->cols))
                return false;
    return true;
}

static bool lies_everywhere(const struct trials *all, const struct exchange *x, int at, int from) {
    for (int i = 0; i < all->count; i++)
        if (tells(all->trial[i], x) && !lies_there(all->trial[i], x, at, from))
            return false;
    return true;
}

/* The one place whose numbers lie at `at`; -1: there is none, or more than one. */
static int whose(const struct trials *all, const struct exchange *x, int at) {
    int found = -1;
    for (int from = 0; from < x->rows * x->cols; from++) {
        if (!lies_everywhere(all, x, at, from))
            continue;
        if (found >= 0)
            return -1;
        found = from;
    }
    return found;
}

/* How many rectangles there are to look at. */
static size_t rectangles(const struct trials *all, const struct exchange *x) {
    size_t count = 0;
    for (int i = 0; i < all->count; i++) {
        const struct trial *t = all->trial[i];
        if (tells(t, x))
            count += trial_elements(t) / (size_t)(x->rows * x->cols);
    }
    return count;
}

static bool find(const struct trials *all, struct exchange *x) {
    bool taken[MOST_PLACES] = {false}, moved = false;
    if (rectangles(all, x) < ENOUGH)
        return false;
    for (int at = 0; at < x->rows * x->cols; at++) {
        const int from = whose(all, x, at);
        if (from < 0 || taken[from])
            return false;
        taken[from] = true;
        moved = moved || from != at;
        x->from[at] = from;
    }
    return moved;
}

/* The smallest rectangle that explains all: larger ones made of it do, too. */
static bool find_smallest(const struct trials *all, struct exchange *x) {
    for (int places = LEAST_SIDE; places <= MOST_PLACES; places *= 2)
        for (int rows = 1; rows <= MOST_SIDE; rows *= 2) {
            x->rows = rows;
            x->cols = places / rows;
            if (x->cols >= 1 && x->cols <= MOST_SIDE && find(all, x))
                return true;
        }
    return false;
}

static bool is_transposed(const struct exchange *x) {
    for (int at = 0; at < x->rows * x->cols; at++)
        if (x->rows != x->cols || x->from[at] != at % x->cols * x->cols + at / x->cols)
            return false;
    return true;
}

static int first_moved(const struct exchange *x) {
    int at = 0;
    while (x->from[at] == at)
        at++;
    return at;
}

static void say(struct text *t, const struct exchange *x, bool fragments) {
    const int at = first_moved(x), from = x->from[at];
    text_add(t, "All sums are right, but they do not lie where they belong: ");
    if (is_transposed(x)) {
        text_addf(t,
                  "each %d x %d square of C is transposed. What is computed for row r and column c "
                  "of the square is stored in row c and column r: the store takes rows for "
                  "columns.",
                  x->rows, x->cols);
        text_add(t, fragments ? " Where a fragment is stored, the layout must be that of C, row by "
                                "row (mem_row_major)."
                              : "");
        return;
    }
    text_addf(t,
              "in each %d x %d piece of C, the element in row %d and column %d is that of row %d "
              "and column %d. The order in which a thread stores its sums differs from the order "
              "in which it computes them.",
              x->rows, x->cols, at / x->cols, at % x->cols, from / x->cols, from % x->cols);
}

bool suspect_moved(const struct trials *all, const struct suspect_context *c, struct diagnosis *d) {
    const struct trial *shown = NULL;
    struct exchange x;
    bool fragments = false;
    if (c->entry == ENTRY_CPU || !find_smallest(all, &x))
        return false;
    for (int i = 0; i < all->count; i++) {
        const struct trial *t = all->trial[i];
        if (!shown && trial_wrong(t) && tells(t, &x))
            shown = t;
        fragments = fragments || (t->counted && t->work.of[WORK_MMA] > 0);
    }
    if (!shown)
        return false;
    d->class = "index-wrong";
    d->topic = "@store";
    say(&d->sentence, &x, fragments);
    suspect_example(&d->sentence, shown, suspect_element(shown, false), NULL);
    text_addf(&d->evidence, "%zu pieces of %d x %d elements hold the right numbers in that order",
              rectangles(all, &x), x.rows, x.cols);
    return true;
}
