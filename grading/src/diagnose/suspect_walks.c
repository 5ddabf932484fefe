/*
 * suspect_walks.c: programs of one shape, with something mixed up.
 *
 *     for (row = 0; row < ROWS; row++)
 *         for (col = 0; col < COLS; col++)
 *             for (sum = 0, p = 0; p < TERMS; p++)
 *                 sum += X[row * AR + p * AP] * Y[p * BP + col * BC];
 *             C[row * CR + col * CC] = sum;
 *
 * The right one has ROWS = m, COLS = n, TERMS = k, X = A with (k, 1), Y = B with (n, 1), C with (n,
 * 1). Every other choice is tried; the one that explains all trials and differs least from the
 * right one is the diagnosis. Only shapes without edges are looked at, so that how a program treats
 * edges does not matter; rows and columns may then be cut off where a grid sized by m and n ends.
 */
#include "grading/src/diagnose/suspect.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum size { ONE, M, N, K, K_LESS, K_MORE, MIN_KN, MIN_KM, FIXED_FIRST };
enum { FIXED_COUNT = 8 };
static const int fixed[FIXED_COUNT] = {16, 32, 64, 100, 128, 256, 512, 1024};

/* Where a grid ends. */
enum cut { CUT_NONE, CUT_RIGHT, CUT_SWAPPED, CUT_COUNT };

struct walk {
    bool x_is_b, y_is_a;
    enum size ar, ap, bp, bc, cr, cc, rows, cols, terms;
    enum cut cut;
};

/* The same for one shape, in numbers. */
struct steps {
    const float *x, *y;
    int64_t nx, ny, nc;
    int64_t ar, ap, bp, bc, cr, cc, rows, cols, terms;
};

static int64_t least(int64_t a, int64_t b) {
    return a < b ? a : b;
}

static int64_t value(enum size e, struct shape s) {
    switch (e) {
    case ONE: return 1;
    case M: return s.m;
    case N: return s.n;
    case K: return s.k;
    case K_LESS: return s.k - 1;
    case K_MORE: return s.k + 1;
    case MIN_KN: return least(s.k, s.n);
    case MIN_KM: return least(s.k, s.m);
    default: return fixed[e - FIXED_FIRST];
    }
}

static struct steps steps_of(const struct walk *w, const struct trial *t) {
    const struct shape s = t->shape;
    const int64_t na = (int64_t)s.m * s.k, nb = (int64_t)s.k * s.n;
    struct steps v = {.x = w->x_is_b ? t->b : t->a,
                      .y = w->y_is_a ? t->a : t->b,
                      .nx = w->x_is_b ? nb : na,
                      .ny = w->y_is_a ? na : nb,
                      .nc = (int64_t)s.m * s.n,
                      .ar = value(w->ar, s),
                      .ap = value(w->ap, s),
                      .bp = value(w->bp, s),
                      .bc = value(w->bc, s),
                      .cr = value(w->cr, s),
                      .cc = value(w->cc, s),
                      .rows = value(w->rows, s),
                      .cols = value(w->cols, s),
                      .terms = value(w->terms, s)};
    if (w->cut != CUT_NONE) {
        v.rows = least(v.rows, w->cut == CUT_RIGHT ? s.m : s.n);
        v.cols = least(v.cols, w->cut == CUT_RIGHT ? s.n : s.m);
    }
    return v;
}

/* Does it stay inside of all three matrices? */
static bool fits(const struct steps *v) {
    return (v->rows - 1) * v->ar + (v->terms - 1) * v->ap < v->nx &&
           (v->terms - 1) * v->bp + (v->cols - 1) * v->bc < v->ny &&
           (v->rows - 1) * v->cr + (v->cols - 1) * v->cc < v->nc;
}

/* cuBLAS refuses leading dimensions smaller than what they step over. */
static bool refused(const struct steps *v) {
    return (v->ap == 1 ? v->ar < v->terms : v->ap < v->rows) ||
           (v->bc == 1 ? v->bp < v->cols : v->bc < v->terms) ||
           (v->cc == 1 ? v->cr < v->cols : v->cc < v->rows);
}

/* Could this trial have ended as it did? A cheap look before any product is computed. */
static bool possible(const struct steps *v, const struct trial *t, bool cublas) {
    const bool stays = fits(v) && !(cublas && refused(v));
    if (v->x == v->y && t->got)
        return true;
    return t->got ? stays || !(t->bounded || cublas) : !stays;
}

/* ZERO: nothing is written there, and it is zero; a program may begin with zeros everywhere. */
enum answer { AGREES, ZERO, DIFFERS, UNKNOWN };

/* What element `at` should hold if this were the program. */
static enum answer element(const struct steps *v, const struct trial *t, int64_t at) {
    bool written = false;
    if (!t->got)
        return UNKNOWN;
    for (int64_t row = 0; row < v->rows && row * v->cr <= at; row++) {
        const int64_t rest = at - row * v->cr;
        if (rest % v->cc != 0 || rest / v->cc >= v->cols)
            continue;
        const int64_t col = rest / v->cc;
        written = true;
        double sum = 0, magnitude = 0;
        for (int64_t p = 0; p < v->terms; p++) {
            const int64_t i = row * v->ar + p * v->ap, j = p * v->bp + col * v->bc;
            /* Of two factors from one matrix the second's index may be made to fit. */
            const bool wraps = v->x == v->y;
            if (!wraps && (i >= v->nx || j >= v->ny))
                return UNKNOWN;
            const double x = (double)v->x[i % v->nx], y = (double)v->y[j % v->ny];
            sum += x * y;
            magnitude += fabs(x * y);
        }
        /* Only A times B is sure to be exact; of other matrices sums may be rounded. */
        const double room = magnitude < 16777216.0 ? 0 : 1e-6 * magnitude;
        if (fabs(sum - (double)t->got[at]) <= room)
            return AGREES;
    }
    if (written)
        return DIFFERS;
    if (trial_untouched(t, (size_t)at))
        return AGREES;
    return t->got[at] == 0 ? ZERO : DIFFERS;
}

enum { SAMPLES_FIRST = 12, SAMPLES_MOST = 400 };

/* The first elements of a product that are wrong. Thousands of walks are compared with them. */
struct wrong_elements {
    int64_t at[SAMPLES_MOST / 4];
    int count;
};

static void gather_wrong(struct wrong_elements *w, const struct trial *t) {
    const size_t most = sizeof w->at / sizeof *w->at;
    w->count = 0;
    for (size_t at = 0; trial_wrong(t) && at < trial_elements(t) && (size_t)w->count < most; at++)
        if (!trial_right(t, at))
            w->at[w->count++] = (int64_t)at;
}

/* Compares `samples` elements spread over C, and some wrong ones. False when one differs, most
 * cannot be told, or nothing but zeros agrees. */
static bool agrees(const struct steps *v, const struct trial *t, const struct wrong_elements *wrong,
                   int samples) {
    int unknown = 0, zeros = 0;
    for (int i = 0; i < wrong->count && i < samples / 4; i++)
        if (element(v, t, wrong->at[i]) == DIFFERS)
            return false;
    for (int i = 0; i < samples; i++) {
        const int64_t at = (int64_t)((uint64_t)(i + 1) * 2654435761u % (uint64_t)v->nc);
        const enum answer a = element(v, t, at);
        if (a == DIFFERS)
            return false;
        unknown += a == UNKNOWN;
        zeros += a == ZERO;
    }
    return unknown <= samples / 2 && (zeros == 0 || unknown + zeros < samples);
}

static bool square(struct shape s) {
    return s.m == s.n && s.n == s.k;
}

struct hunt {
    const struct trial *clean[TRIALS_MOST]; /* wrong ones first */
    struct wrong_elements *elements;        /* by clean product; owned */
    int count, wrong, right, ended;         /* ended: outside of memory */
    bool cublas;
    int best_cost;
    struct walk best;
    bool ambiguous; /* another one explains as much, is as likely, and has another class */
};

static bool explains(const struct hunt *h, const struct walk *w) {
    struct steps v[TRIALS_MOST];
    for (int i = 0; i < h->count; i++) {
        v[i] = steps_of(w, h->clean[i]);
        if (!possible(&v[i], h->clean[i], h->cublas))
            return false;
    }
    for (int i = 0; i < h->count; i++)
        if (h->clean[i]->got && !agrees(&v[i], h->clean[i], &h->elements[i], SAMPLES_FIRST))
            return false;
    for (int i = 0; i < h->count; i++)
        if (h->clean[i]->got && !agrees(&v[i], h->clean[i], &h->elements[i], SAMPLES_MOST))
            return false;
    return true;
}

/* How far from the right program. Stepping over a matrix column by column means stepping by the
 * number of its rows; other steps are one mistake more. */
static int cost(const struct walk *w) {
    const enum size x_rows = w->x_is_b ? N : K, y_rows = w->y_is_a ? K : N;
    return 2 * (w->x_is_b + w->y_is_a) +
           (w->ap == ONE ? w->ar != K && w->ar != x_rows : 1 + (w->ap != M)) +
           (w->bc == ONE ? w->bp != N && w->bp != y_rows : 1 + (w->bc != K)) +
           (w->cc == ONE ? w->cr != N : 1 + (w->cc != M)) + (w->rows != M) + (w->cols != N) +
           (w->terms != K) + (w->cut == CUT_SWAPPED);
}

static bool transposed(enum size near) {
    return near != ONE;
}

static const char *class_of_sizes(const struct walk *w) {
    const bool rows = w->rows != M, cols = w->cols != N, terms = w->terms != K;
    /* m stands for n, or n for m, and k is k wherever it counts. */
    const bool swapped = (rows || cols || w->cut == CUT_SWAPPED) && w->rows != K && w->cols != K &&
                         w->ar == K && w->bp != K && w->cr != K;
    if (w->ar >= FIXED_FIRST)
        return "index-wrong";
    if (!rows && !cols && terms && w->terms == K_LESS)
        return "last-term-dropped";
    if (!rows && !cols && terms && w->terms == K_MORE)
        return "off-by-one";
    if (swapped && !terms)
        return "m-n-swapped";
    if (!rows && !cols && !terms)
        return "stride-wrong";
    return "m-n-k-swapped";
}

static const char *class_of(const struct walk *w) {
    const bool a = transposed(w->ap), b = transposed(w->bc), c = transposed(w->cc);
    if (w->x_is_b != w->y_is_a)
        return "both-tiles-from-one-matrix";
    if (w->x_is_b)
        return "A-B-swapped";
    if (a && b && c)
        return "row-major-as-column-major";
    if (a + b + c == 1 && w->rows == M && w->cols == N && w->terms == K)
        return a ? "transposed-A" : b ? "transposed-B" : "transposed-C";
    return a + b + c == 0 ? class_of_sizes(w) : NULL;
}

/* Only sizes mixed up: each stride is right, or follows the size that was mistaken. */
static bool only_sizes(const struct walk *w) {
    return !w->x_is_b && !w->y_is_a && w->ap == ONE && w->bc == ONE && w->cc == ONE &&
           (w->ar == K || w->ar == w->terms) && (w->bp == N || w->bp == w->cols) &&
           (w->cr == N || w->cr == w->cols);
}

static void try_walk(struct hunt *h, const struct walk *w) {
    /* Of squares the product of exchanged matrices is that of transposed ones, which only those who
     * call cuBLAS think of. */
    const bool columns = w->ap != ONE && w->bc != ONE && w->cc != ONE;
    const int c = cost(w) + (columns && !h->cublas ? 2 : 0);
    /* Without a wrong product there are only ends to go by: then fewer explanations are believed,
     * and all of those must agree. */
    const bool all = h->wrong == 0;
    if ((all && !only_sizes(w)) || c == 0 || c > h->best_cost || (c == h->best_cost && !all) ||
        !explains(h, w))
        return;
    h->ambiguous = c == h->best_cost && (h->ambiguous || class_of(&h->best) != class_of(w));
    h->best_cost = c;
    h->best = *w;
}

/* Two strides, right or wrong, row by row or column by column. */
struct strides {
    enum size far, near;
};
static const struct strides of_a[] = {{K, ONE}, {M, ONE}, {N, ONE}, {ONE, M}, {ONE, K}, {ONE, N}};
static const struct strides of_b[] = {{N, ONE}, {K, ONE}, {M, ONE}, {ONE, K}, {ONE, N}, {ONE, M}};
static const struct strides of_c[] = {{N, ONE}, {K, ONE}, {M, ONE}, {ONE, M}, {ONE, N}, {ONE, K}};
enum { STRIDES = 6 };

static void try_bounds(struct hunt *h, struct walk w) {
    static const enum size sides[] = {M, N, K};
    static const enum size terms[] = {K, N, M, K_LESS, K_MORE, MIN_KN, MIN_KM};
    for (size_t t = 0; t < sizeof terms / sizeof *terms; t++) {
        for (int s = 0; s < 9 * CUT_COUNT; s++) {
            w.terms = terms[t];
            /* The right one first in each list, so that the least different is found first. */
            w.rows = sides[s % 3];
            w.cols = sides[(s / 3 + 1) % 3];
            w.cut = (enum cut)(s / 9);
            try_walk(h, &w);
        }
    }
}

static void try_all(struct hunt *h) {
    h->elements = xmalloc((size_t)h->count * sizeof *h->elements);
    for (int i = 0; i < h->count; i++)
        gather_wrong(&h->elements[i], h->clean[i]);
    for (int source = 0; source < 4; source++) {
        for (int i = 0; i < STRIDES * STRIDES * STRIDES; i++) {
            const struct strides a = of_a[i % STRIDES], b = of_b[i / STRIDES % STRIDES],
                                 c = of_c[i / STRIDES / STRIDES];
            const struct walk w = {.x_is_b = source & 1,
                                   .y_is_a = source & 2,
                                   .ar = a.far,
                                   .ap = a.near,
                                   .bp = b.far,
                                   .bc = b.near,
                                   .cr = c.far,
                                   .cc = c.near};
            try_bounds(h, w);
        }
    }
    for (int i = 0; i < FIXED_COUNT; i++) { /* one size written into the program */
        const enum size f = (enum size)(FIXED_FIRST + i);
        struct walk w = {.ar = f, .bp = f, .cr = f, .rows = M, .cols = N, .terms = K};
        w.ap = w.bc = w.cc = ONE;
        try_walk(h, &w);
        w.terms = f;
        try_walk(h, &w);
        w.ar = K, w.bp = w.cr = N; /* or the number of terms alone, where some k is less */
        if (fixed[i] > 32)
            try_walk(h, &w);
    }
    free(h->elements);
}

/* ---- In words ---- */

static const char *size_name(enum size e) {
    static const char *const names[] = {
        "1", "m", "n", "k", "k - 1", "k + 1", "the smaller of k and n", "the smaller of k and m"};
    static const char *const fixed_names[] = {"16", "32", "64", "100", "128", "256", "512", "1024"};
    return e < FIXED_FIRST ? names[e] : fixed_names[e - FIXED_FIRST];
}

/* "row * k + p" */
static void say_index(struct text *t, const char *r, enum size sr, const char *c, enum size sc) {
    if (sr == ONE)
        text_addf(t, "%s * %s + %s", c, size_name(sc), r);
    else
        text_addf(t, "%s * %s + %s", r, size_name(sr), c);
}

static void say_read(struct text *t, const struct walk *w, bool x) {
    text_addf(t, "%s[", x ? (w->x_is_b ? "B" : "A") : (w->y_is_a ? "A" : "B"));
    if (x)
        say_index(t, "row", w->ar, "p", w->ap);
    else
        say_index(t, "p", w->bp, "col", w->bc);
    text_add(t, "]");
}

static void say_program(struct text *t, const struct walk *w) {
    text_add(t, "C[");
    say_index(t, "row", w->cr, "col", w->cc);
    text_add(t, "] = sum of ");
    say_read(t, w, true);
    text_add(t, " * ");
    say_read(t, w, false);
    text_addf(t, " for p < %s, row < %s and col < %s", size_name(w->terms), size_name(w->rows),
              size_name(w->cols));
    if (w->cut == CUT_SWAPPED)
        text_add(t, ", as far as a grid sized with m and n exchanged reaches");
}

static void say_strides(struct text *t, const struct walk *w) {
    const char *glue = "";
    if (w->ar != K) {
        text_addf(t, "rows of A are stepped over with %s, but hold k elements: row * k + p",
                  size_name(w->ar));
        glue = "; ";
    }
    if (w->bp != N) {
        text_addf(t, "%srows of B are stepped over with %s, but hold n elements: p * n + col", glue,
                  size_name(w->bp));
        glue = "; ";
    }
    if (w->cr != N)
        text_addf(t, "%srows of C are stepped over with %s, but hold n elements: row * n + col",
                  glue, size_name(w->cr));
}

static void say_sizes(struct text *t, const struct walk *w) {
    if (w->cut == CUT_SWAPPED)
        text_add(t, "m and n, or x and y, are exchanged somewhere: rows are computed only as far "
                    "as n, columns only as far as m. Look at the grid (x covers the n columns, y "
                    "the m rows), at the guards (row < m, col < n), and at which of x and y the "
                    "row and the column are computed from");
    else if (w->rows != M || w->cols != N)
        text_addf(t,
                  "Sizes are mixed up: your program computes rows up to %s and columns up to %s; "
                  "C has m rows and n columns",
                  size_name(w->rows), size_name(w->cols));
    else if (w->terms == MIN_KN || w->terms == MIN_KM)
        text_addf(t,
                  "Sizes are mixed up: where %s is less than k, the terms from p = %s on are "
                  "missing. The columns of A and the rows of B end at k: which guard, or which "
                  "loop, compares one of them with %s",
                  w->terms == MIN_KN ? "n" : "m", w->terms == MIN_KN ? "n" : "m",
                  w->terms == MIN_KN ? "n" : "m");
    else
        text_addf(t, "Sizes are mixed up: the sum runs over %s terms; it has k",
                  size_name(w->terms));
    if (w->terms != K && (w->rows != M || w->cols != N))
        text_addf(t, ", and each sum k terms, not %s", size_name(w->terms));
}

static void say_transposed(struct text *t, const struct walk *w) {
    const bool a = transposed(w->ap), b = transposed(w->bc);
    text_addf(t, "%s is used transposed: your program computes with ", a ? "A" : b ? "B" : "C");
    if (a || b) {
        say_read(t, w, a);
    } else {
        text_add(t, "C[");
        say_index(t, "row", w->cr, "col", w->cc);
        text_add(t, "]");
    }
    text_addf(t, ", but it is stored row by row, %s",
              a   ? "A[row * k + p]"
              : b ? "B[p * n + col]"
                  : "C[row * n + col]");
}

/* The same where cuBLAS computes: nobody writes an index there. */
static void say_operation(struct text *t, const struct walk *w) {
    if (transposed(w->cc))
        text_add(t,
                 "The product comes back transposed: cuBLAS writes C column by column, so it must "
                 "compute the transpose of the row-major C: B first and A second, both with "
                 "CUBLAS_OP_N, and the sizes n, m, k");
    else
        text_addf(
            t,
            "%c is used transposed: its operation is CUBLAS_OP_T where CUBLAS_OP_N belongs. A "
            "row-major matrix, read column by column, is its transpose already",
            transposed(w->ap) ? 'A' : 'B');
}

static void say_walk(struct text *t, const struct walk *w, const char *class, bool cublas) {
    if (w->x_is_b && w->y_is_a)
        text_add(t, "A and B have changed places: your program computes B times A");
    else if (w->x_is_b || w->y_is_a)
        text_addf(t, "Both factors are read from %s: one of them must come from %s",
                  w->x_is_b ? "B" : "A", w->x_is_b ? "A" : "B");
    else if (!class && cublas && transposed(w->ap) && transposed(w->bc))
        text_add(t,
                 "Both operands are transposed, but need not be: a row-major matrix, read column "
                 "by column, is its transpose already. With B first and A second both operations "
                 "are CUBLAS_OP_N");
    else if (!class)
        text_add(t, "Indices are mixed up");
    else if (transposed(w->ap) && transposed(w->bc))
        text_add(t,
                 "Your program treats A, B and C as stored column by column; they are stored row "
                 "by row. For column-major cuBLAS ask for the transposed product, B before A, with "
                 "n, m, k");
    else if (transposed(w->ap) || transposed(w->bc) || transposed(w->cc))
        (cublas ? say_operation : say_transposed)(t, w);
    else if (w->ar >= FIXED_FIRST)
        text_addf(t, "The width %s is fixed in your program; take it from the sizes",
                  size_name(w->ar));
    else if (w->rows != M || w->cols != N || w->terms != K || w->cut == CUT_SWAPPED)
        say_sizes(t, w);
    else {
        text_add(t, "A stride is wrong: ");
        say_strides(t, w);
    }
    text_add(t, ".");
}

/* B times A up to row < n and col < m, with the widths of rows: it is A times B with each index
 * exchanged, under exchanged names. */
static bool indices_exchanged(const struct walk *w) {
    return w->x_is_b && w->y_is_a && w->ap == ONE && w->bc == ONE && w->cc == ONE && w->ar == N &&
           w->bp == K && w->cr == N && w->rows == N && w->cols == M && w->terms == K;
}

/* Where matmul_host failed, nothing came back: the size that it mistook may as well be that of its
 * memory. */
static void host_sizes(struct text *t) {
    text_clear(t);
    text_add(t,
             "matmul_host leaves its memory for exactly those shapes for which one of m, n and k "
             "in the place of another makes it too small. Look at the byte counts first, in each "
             "cudaMalloc and each cudaMemcpy: A has m * k elements, B k * n and C m * n, times "
             "sizeof(float).");
}

/* Are the elements that it does not compute stored all the same, as zeros? Then what is loaded of A
 * or B counts as zero there. */
static bool stores_zeros(const struct hunt *h) {
    bool any = false;
    for (int i = 0; i < h->count; i++) {
        const struct trial *t = h->clean[i];
        const int64_t rows = value(h->best.rows, t->shape), cols = value(h->best.cols, t->shape);
        for (size_t at = 0; trial_wrong(t) && at < trial_elements(t); at++) {
            const int64_t row = (int64_t)at / t->shape.n, col = (int64_t)at % t->shape.n;
            if (trial_right(t, at) || (row < rows && col < cols))
                continue;
            if (trial_untouched(t, at) || t->got[at] != 0)
                return false;
            any = true;
        }
    }
    return any;
}

/* Is it both sizes of one matrix that the guard of its loads takes for each other? */
static bool exchanged_in_a(const struct walk *w) {
    return w->rows == K && w->cols == N && w->terms == MIN_KM;
}
static bool exchanged_in_b(const struct walk *w) {
    return w->rows == M && w->cols == K && w->terms == MIN_KN;
}

static void say_load_guards(struct text *t, const struct walk *w) {
    const char *glue = "";
    if (exchanged_in_a(w) || exchanged_in_b(w)) {
        const bool a = exchanged_in_a(w);
        text_addf(t,
                  "In the guard where %c is loaded, %c and k are exchanged: %c has %c rows and %c "
                  "columns. Each load compares its own row and column with these.",
                  a ? 'A' : 'B', a ? 'm' : 'n', a ? 'A' : 'B', a ? 'm' : 'k', a ? 'k' : 'n');
        return;
    }
    text_add(t, "A guard compares with the wrong size. Every element of C is stored, but ");
    if (w->cols != N) {
        text_addf(t,
                  "columns from %s on are zero: the guard where B is loaded lets through the "
                  "columns below %s, and B has n",
                  size_name(w->cols), size_name(w->cols));
        glue = "; and ";
    }
    if (w->rows != M)
        text_addf(t,
                  "%srows from %s on are zero: the guard where A is loaded lets through the "
                  "rows below %s, and A has m",
                  glue, size_name(w->rows), size_name(w->rows));
    text_add(t, ".");
}

bool suspect_walks(const struct trials *all, const struct suspect_context *c, struct diagnosis *d) {
    struct hunt h = {.cublas = c->cublas, .best_cost = 100};
    for (int pass = 0; pass < 2; pass++) {
        for (int i = 0; i < all->count; i++) {
            const struct trial *t = all->trial[i];
            const bool outside =
                !t->got && (t->verdict == VERDICT_MEMORY || t->verdict == VERDICT_CUDA_ERROR);
            if (!trial_clean(t) || !t->exact || (pass == 0) != trial_wrong(t) ||
                (!t->got && !outside))
                continue;
            h.clean[h.count++] = t;
            h.wrong += pass == 0;
            h.right += t->verdict == VERDICT_PASS && !square(t->shape);
            h.ended += outside;
        }
    }
    /* Of cuBLAS that only refuses, its own words tell more: sizes and strides are given apart. */
    if (h.wrong == 0 && (h.right < 1 || h.ended < 4 || c->cublas))
        return false;
    try_all(&h);
    if (h.best_cost == 100 || h.ambiguous)
        return false;
    d->class = class_of(&h.best);
    const bool load_guards =
        c->entry == ENTRY_DEVICE && !c->cublas && only_sizes(&h.best) &&
        (h.best.rows != M || h.best.cols != N) &&
        (h.best.terms == K || exchanged_in_a(&h.best) || exchanged_in_b(&h.best)) &&
        h.best.cut != CUT_SWAPPED && stores_zeros(&h);
    if (indices_exchanged(&h.best) && !c->cublas) {
        d->class = "row-major-as-column-major";
        text_add(&d->sentence,
                 "Row and column are exchanged in the index of each matrix: your program computes "
                 "with A[p * k + row], B[col * n + p] and C[col * n + row]. All three are stored "
                 "row by row: A[row * k + p], B[p * n + col], C[row * n + col].");
    } else if (c->entry == ENTRY_HOST && h.best.x_is_b != h.best.y_is_a) {
        d->topic = "@buffers";
        text_addf(&d->sentence,
                  "%s is multiplied by itself, and %s by nothing: a copy to the device takes %s "
                  "where %s belongs, or the device's copy of %s is passed twice. Compare the names "
                  "in the copies, in the call and in the kernel.",
                  h.best.x_is_b ? "B" : "A", h.best.x_is_b ? "A" : "B", h.best.x_is_b ? "B" : "A",
                  h.best.x_is_b ? "A" : "B", h.best.x_is_b ? "B" : "A");
    } else if (load_guards) {
        say_load_guards(&d->sentence, &h.best);
    } else {
        say_walk(&d->sentence, &h.best, d->class, c->cublas);
    }
    if (!d->class && c->cublas && transposed(h.best.ap) && transposed(h.best.bc))
        d->class = "operands-transposed";
    const struct trial *t = suspect_best(all, true);
    if (h.best.rows == M && h.best.cols == N && h.best.terms != K && c->entry != ENTRY_HOST)
        d->topic = "@sum";
    if ((h.best.rows != M || h.best.cols != N) && !indices_exchanged(&h.best))
        d->topic = load_guards ? "@loads" : "@place";
    if (c->entry == ENTRY_HOST && h.wrong == 0 && only_sizes(&h.best))
        host_sizes(&d->sentence), d->topic = "@bytes";
    suspect_example(&d->sentence, t ? t : h.clean[0], suspect_element(t ? t : h.clean[0], true),
                    NULL);
    text_addf(&d->evidence,
              "%d calls without edges, %d of them wrong, %d outside of memory, did exactly what "
              "this does: ",
              h.count, h.wrong, h.ended);
    say_program(&d->evidence, &h.best);
    return true;
}
