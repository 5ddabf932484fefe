/*
 * suspect_formula.c: sums made by another formula than the right one, with the right loops around
 * it; and parts of a matrix that are used again, or stored over each other, for want of an offset.
 *
 *     another operation     sum of A[i][p] + B[p][j]
 *     another variable      sum of A[i][i] * B[p][j], of A[i][p] * B[p][i], ...
 *     no sum                A[i][j] * B[i][j]
 *     a part again          A[i][p % D] or B[p % D][j]: p0 is missing where A or B is read
 *     parts on each other   C[i][j] is the sum of all C[i][j + q * D]: j0 is missing in C
 *     parts that overlap    row i of C holds the right one min(i + 1, D) times
 *
 * Only products of matmul_cpu are looked at: kernels have tiles (suspect_tiles.c).
 */
#include "grading/src/diagnose/suspect.h"

#include <math.h>

enum { SAMPLES = 80, PART_MOST = 512 };

#define EXACT_SUM 16777216.0 /* floats hold every integer as far as here */

/* A value that a formula cannot tell: it would read outside, or floats would round. */
#define UNKNOWN NAN

/* What C[i][j] would be; `p` is the formula's parameter. */
typedef double formula(const struct trial *t, int i, int j, int parameter);

static double a_at(const struct trial *t, int64_t row, int64_t col) {
    const int64_t at = row * t->shape.k + col;
    return at < (int64_t)t->shape.m * t->shape.k ? (double)t->a[at] : UNKNOWN;
}
static double b_at(const struct trial *t, int64_t row, int64_t col) {
    const int64_t at = row * t->shape.n + col;
    return at < (int64_t)t->shape.k * t->shape.n ? (double)t->b[at] : UNKNOWN;
}

/* ---- The formulas ---- */

static double of_sums(const struct trial *t, int i, int j, int unused) {
    double sum = 0;
    (void)unused;
    for (int p = 0; p < t->shape.k; p++)
        sum += a_at(t, i, p) + b_at(t, p, j);
    return sum;
}

static double of_differences(const struct trial *t, int i, int j, int unused) {
    double sum = 0;
    (void)unused;
    for (int p = 0; p < t->shape.k; p++)
        sum += a_at(t, i, p) - b_at(t, p, j);
    return sum;
}

static double element_by_element(const struct trial *t, int i, int j, int unused) {
    (void)unused;
    return a_at(t, i, j) * b_at(t, i, j);
}

/* The four indices of A[.][.] * B[.][.], each one of i, j, p: two bits. */
enum { IS_I, IS_J, IS_P, VARIABLES };

static double of_variables(const struct trial *t, int i, int j, int which) {
    double sum = 0;
    for (int p = 0; p < t->shape.k; p++) {
        const int value[] = {i, j, p};
        sum += a_at(t, value[which & 3], value[which >> 2 & 3]) *
               b_at(t, value[which >> 4 & 3], value[which >> 6 & 3]);
    }
    return sum;
}

static double a_again(const struct trial *t, int i, int j, int part) {
    double sum = 0;
    for (int p = 0; p < t->shape.k; p++)
        sum += a_at(t, i, p % part) * b_at(t, p, j);
    return sum;
}

static double b_again(const struct trial *t, int i, int j, int part) {
    double sum = 0;
    for (int p = 0; p < t->shape.k; p++)
        sum += a_at(t, i, p) * b_at(t, p % part, j);
    return sum;
}

static double b_columns_again(const struct trial *t, int i, int j, int part) {
    return trial_want(t, i, j % part);
}

static double a_rows_again(const struct trial *t, int i, int j, int part) {
    return trial_want(t, i % part, j);
}

static double columns_on_each_other(const struct trial *t, int i, int j, int part) {
    double sum = 0;
    for (int col = j; col < t->shape.n && j < part; col += part)
        sum += trial_want(t, i, col);
    return sum;
}

static double rows_on_each_other(const struct trial *t, int i, int j, int part) {
    double sum = 0;
    for (int row = i; row < t->shape.m && i < part; row += part)
        sum += trial_want(t, row, j);
    return sum;
}

static double rows_overlap(const struct trial *t, int i, int j, int part) {
    return trial_want(t, i, j) * (i + 1 < part ? i + 1 : part);
}

static double columns_overlap(const struct trial *t, int i, int j, int part) {
    return trial_want(t, i, j) * (j + 1 < part ? j + 1 : part);
}

static double terms_overlap(const struct trial *t, int i, int j, int part) {
    double sum = 0;
    for (int p = 0; p < t->shape.k; p++) {
        const int times = p / part + 1;
        sum += a_at(t, i, p) * b_at(t, p, j) * times;
    }
    return sum;
}

/* ---- Against what came out ---- */

/* Compares one element; counts those that tell. False: it differs. */
static bool same(const struct trial *t, size_t at, formula *value, int parameter, int *told) {
    const int n = t->shape.n, i = (int)(at / (size_t)n), j = (int)(at % (size_t)n);
    const double would = value(t, i, j, parameter), got = (double)t->got[at];
    if (isnan(would) || fabs(would) > EXACT_SUM)
        return true;
    if (would == 0 && trial_untouched(t, at)) /* what is not added to stays */
        return true;
    if (got != would)
        return false;
    *told += !trial_right(t, at);
    return true;
}

static bool gives(const struct trial *t, formula *value, int parameter, int *told) {
    const size_t total = trial_elements(t);
    int wrong = 0;
    for (size_t at = 0; at < total && wrong < SAMPLES / 4; at++) {
        if (trial_right(t, at))
            continue;
        wrong++;
        if (!same(t, at, value, parameter, told))
            return false;
    }
    for (size_t s = 0; total > 0 && s < SAMPLES; s++)
        if (!same(t, (size_t)((uint64_t)(s + 1) * 2654435761u % total), value, parameter, told))
            return false;
    return true;
}

/* A right product must be what the formula gives, too. */
static bool right_as_well(const struct trial *t, formula *value, int parameter) {
    const size_t total = trial_elements(t), n = (size_t)t->shape.n;
    for (size_t s = 0; s < 8 && n > 0 && total > 0; s++) {
        const size_t at = (size_t)((uint64_t)(s + 1) * 2654435761u % total);
        const double would = value(t, (int)(at / n), (int)(at % n), parameter);
        if (!isnan(would) && fabs(would) < EXACT_SUM && would != t->want[at])
            return false;
    }
    return true;
}

/* The wrong product that shows it, where all trials agree; else NULL. */
static const struct trial *explained(const struct trials *all, formula *value, int parameter) {
    const struct trial *shown = NULL;
    int told = 0;
    for (int i = 0; i < all->count; i++) {
        const struct trial *t = all->trial[i];
        if (!t->exact)
            continue;
        if (t->verdict == VERDICT_PASS && !right_as_well(t, value, parameter))
            return NULL;
        if (!trial_wrong(t))
            continue;
        if (!gives(t, value, parameter, &told))
            return NULL;
        shown = shown && trial_elements(shown) >= 16 ? shown : t;
    }
    return told >= 8 ? shown : NULL;
}

/* ---- In words ---- */

static void say_variables(struct text *to, int which) {
    static const char *const names[] = {"i", "j", "p"};
    text_addf(to,
              "Each element of C is made of A[%s][%s] * B[%s][%s], but needs A[i][p] * B[p][j]: an "
              "index uses the wrong variable. (i is the row of C, j the column, p runs over the "
              "sum.)",
              names[which & 3], names[which >> 2 & 3], names[which >> 4 & 3],
              names[which >> 6 & 3]);
}

static const struct trial *find_variables(const struct trials *all, struct diagnosis *d) {
    enum { RIGHT = IS_I | IS_P << 2 | IS_P << 4 | IS_J << 6 };
    for (int choice = 0; choice < VARIABLES * VARIABLES * VARIABLES * VARIABLES; choice++) {
        int which = 0;
        for (int slot = 0, rest = choice; slot < 4; slot++, rest /= VARIABLES)
            which |= rest % VARIABLES << 2 * slot;
        const struct trial *t = which == RIGHT ? NULL : explained(all, of_variables, which);
        if (!t)
            continue;
        d->class = "index-wrong";
        d->topic = "@loads";
        say_variables(&d->sentence, which);
        return t;
    }
    return NULL;
}

static const struct {
    formula *value;
    const char *class, *topic, *sentence;
} operations[] = {
    {of_sums, "other-operation", "@sum",
     "Each element of C is the sum of A[i][p] + B[p][j]: the two factors are added, but must be "
     "multiplied, sum += A[...] * B[...]."},
    {of_differences, "other-operation", "@sum",
     "Each element of C is the sum of A[i][p] - B[p][j]: the two factors must be multiplied, sum "
     "+= A[...] * B[...]."},
    {element_by_element, "other-operation", "@sum",
     "Each element of C is one product, A[i][j] * B[i][j]. A matrix product takes a whole row of A "
     "and a whole column of B for each: the sum of A[i][p] * B[p][j] over p."},
};

/* %d is the part's length. */
static const struct {
    formula *value;
    const char *class, *topic, *sentence;
} parts[] = {
    {b_again, "part-again", "@panel",
     "From p = %d on, the rows of B from 0 on are used once more: fill each panel afresh, from row "
     "p0 + p of B, where p0 is the first row of the panel."},
    {a_again, "part-again", "@panel",
     "From p = %d on, the columns of A from 0 on are used once more: if a panel begins at row p0 "
     "of B, A's column is p0 + p."},
    {b_columns_again, "part-again", "@panel",
     "From column %d on, C repeats its first columns: fill each panel from column j0 + j of B, "
     "where j0 is its first column."},
    {a_rows_again, "part-again", "@panel",
     "From row %d on, C repeats its first rows: a group of rows that begins at i0 takes row i0 + i "
     "of A."},
    {columns_on_each_other, "part-again", "@panel",
     "The sums of all panels of %d columns are added up in the first one: a panel that begins at "
     "column j0 belongs to column j0 + j of C."},
    {rows_on_each_other, "part-again", "@panel",
     "The sums of all groups of %d rows are added up in the first one: a group that begins at row "
     "i0 belongs to row i0 + i of C."},
    {rows_overlap, "part-again", "@panel",
     "Rows of C are computed up to %d times: a loop moves on by one row, and works on as many. Let "
     "it move on by the whole group of rows, i0 += rows."},
    {columns_overlap, "part-again", "@panel",
     "Columns of C are computed up to %d times: a loop moves on by one column, and works on as "
     "many. Let it move on by the whole panel, j0 += columns."},
    {terms_overlap, "part-again", "@panel",
     "Terms are added more than once: the loop over the panels moves on by %d rows of B, and each "
     "panel has more. Let it move on by as many rows as the panel has."},
};

static const struct trial *find_parts(const struct trials *all, struct diagnosis *d) {
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
        for (int part = 1; part <= PART_MOST; part++) {
            const struct trial *t = explained(all, parts[i].value, part);
            if (!t)
                continue;
            d->class = parts[i].class;
            d->topic = parts[i].topic;
            text_addf(&d->sentence, parts[i].sentence, part);
            return t;
        }
    }
    return NULL;
}

static bool conclude(const struct trial *shown, struct diagnosis *d) {
    if (!shown)
        return false;
    suspect_example(&d->sentence, shown, suspect_element(shown, true), NULL);
    text_add(&d->evidence, "all wrong products are exactly what this formula gives");
    return true;
}

bool suspect_parts(const struct trials *all, const struct suspect_context *c, struct diagnosis *d) {
    return c->entry == ENTRY_CPU && conclude(find_parts(all, d), d);
}

bool suspect_formula(const struct trials *all, const struct suspect_context *c,
                     struct diagnosis *d) {
    const struct trial *shown = NULL;
    if (c->entry != ENTRY_CPU)
        return false;
    for (size_t i = 0; i < sizeof operations / sizeof *operations && !shown; i++) {
        shown = explained(all, operations[i].value, 0);
        if (!shown)
            continue;
        d->class = operations[i].class;
        d->topic = operations[i].topic;
        text_add(&d->sentence, operations[i].sentence);
    }
    return conclude(shown ? shown : find_variables(all, d), d);
}
