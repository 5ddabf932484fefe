/*
 * suspect_weights.c: sums that hold each term so many times: not once, but never, twice or with the
 * other sign.
 *
 * If every element is the sum of w[p] * A[i][p] * B[p][j], with the same w for all elements, then
 * the elements are linear equations for w, more than there are unknowns. That they have a solution
 * of small whole numbers is no accident.
 */
#include "grading/src/diagnose/suspect.h"

#include <math.h>
#include <stdlib.h>

enum { MOST_TERMS = 64, MOST_ROWS = 2 * MOST_TERMS + 8, MOST_WEIGHT = 32 };

struct equations {
    double row[MOST_ROWS][MOST_TERMS + 1]; /* the last one: what came out */
    int rows, terms;
};

struct weights {
    const struct trial *t;
    int of[MOST_TERMS];
};

static void collect(const struct trial *t, struct equations *e) {
    const size_t total = trial_elements(t), n = (size_t)t->shape.n, k = (size_t)t->shape.k;
    const size_t most = 2 * k + 8;
    e->terms = t->shape.k;
    e->rows = 0;
    for (size_t i = 0; i < total && (size_t)e->rows < most; i++) {
        const size_t at = total <= most ? i : (size_t)((uint64_t)(i + 1) * 2654435761u % total);
        if (trial_untouched(t, at) || !isfinite(t->got[at]))
            continue;
        double *row = e->row[e->rows++];
        for (size_t p = 0; p < k; p++)
            row[p] = (double)t->a[at / n * k + p] * (double)t->b[p * n + at % n];
        row[k] = (double)t->got[at];
    }
}

static void exchange(struct equations *e, int one, int other) {
    for (int p = 0; p <= e->terms; p++) {
        const double x = e->row[one][p];
        e->row[one][p] = e->row[other][p];
        e->row[other][p] = x;
    }
}

/* Gauss and Jordan: one unknown after the other is taken out of all other equations. False when
 * they say too little. */
static bool eliminate(struct equations *e) {
    for (int p = 0; p < e->terms; p++) {
        int best = p;
        for (int r = p; r < e->rows; r++)
            if (fabs(e->row[r][p]) > fabs(e->row[best][p]))
                best = r;
        if (p >= e->rows || fabs(e->row[best][p]) < 1e-6)
            return false;
        exchange(e, p, best);
        for (int r = 0; r < e->rows; r++) {
            const double times = e->row[r][p] / e->row[p][p];
            for (int q = p; q <= e->terms && r != p; q++)
                e->row[r][q] -= times * e->row[p][q];
        }
    }
    return true;
}

/* To the last digit, in every element: rounding is no missing term. */
static bool holds_exactly(const struct trial *t, const struct weights *w) {
    const size_t n = (size_t)t->shape.n, k = (size_t)t->shape.k;
    for (size_t at = 0; at < trial_elements(t); at++) {
        double sum = 0;
        for (size_t p = 0; p < k; p++)
            sum += w->of[p] * ((double)t->a[at / n * k + p] * (double)t->b[p * n + at % n]);
        if (!trial_untouched(t, at) && sum != (double)t->got[at])
            return false;
    }
    return true;
}

/* Do the equations hold for whole numbers? *said: they say enough of all terms. A row of zeros in
 * B, for instance, says nothing of its term. */
static bool solve(const struct trial *t, struct equations *e, struct weights *w, bool *said) {
    collect(t, e);
    w->t = t;
    *said = e->rows >= e->terms + 8 && eliminate(e);
    if (!*said)
        return true;
    for (int r = 0; r < e->rows; r++) {
        const double x = e->row[r][e->terms] / (r < e->terms ? e->row[r][r] : 1);
        const double whole = r < e->terms ? round(x) : 0;
        if (fabs(x - whole) > 1e-3 || fabs(whole) > MOST_WEIGHT)
            return false;
        if (r < e->terms)
            w->of[r] = (int)whole;
    }
    return holds_exactly(t, w);
}

/* ---- What the weights tell ---- */

typedef bool is_odd(int weight);

static bool is_missing(int weight) {
    return weight == 0;
}
static bool is_negative(int weight) {
    return weight < 0;
}
static bool is_repeated(int weight) {
    return weight > 1;
}

static int count(const struct weights *w, is_odd *odd) {
    int found = 0;
    for (int p = 0; p < w->t->shape.k; p++)
        found += odd(w->of[p]);
    return found;
}

/* "p = 3, 7, 11 and so on" */
static void list(struct text *to, const struct weights *w, is_odd *odd) {
    const int all = count(w, odd);
    int said = 0;
    for (int p = 0; p < w->t->shape.k && said < 4; p++)
        if (odd(w->of[p]))
            text_addf(to, "%s%d", said++ > 0 ? ", " : "p = ", p);
    text_add(to, all > said ? " and so on" : "");
}

static int next(const struct weights *w, int from) {
    while (from < w->t->shape.k && w->of[from] != 0)
        from++;
    return from;
}

/* The distance of the missing terms, where it is the same in all trials, and their place in it. */
static bool regular(const struct weights *all, int trials, int *step, int *place) {
    *step = 0;
    for (int i = 0; i < trials && *step == 0; i++) {
        const int first = next(&all[i], 0), second = next(&all[i], first + 1);
        if (second < all[i].t->shape.k) {
            *step = second - first;
            *place = first;
        }
    }
    if (*step < 2 || *place >= *step)
        return false;
    for (int i = 0; i < trials; i++)
        for (int p = next(&all[i], 0); p < all[i].t->shape.k; p = next(&all[i], p + 1))
            if (p % *step != *place)
                return false;
    return true;
}

/* Does every tile give as many terms as k leaves for the last, partial one? Of how many terms are
 * the tiles? 0: no. */
static int rest_of_each_tile(const struct weights *all, int trials) {
    enum { LEAST = 4, MOST = 32 };
    for (int tile = LEAST; tile <= MOST; tile++) {
        bool holds = true, partial = false;
        for (int i = 0; i < trials && holds; i++) {
            const int k = all[i].t->shape.k;
            for (int p = 0; p < k && holds; p++)
                holds = all[i].of[p] == (p % tile < k % tile);
            partial = partial || (k > tile && k % tile != 0);
        }
        if (holds && partial)
            return tile;
    }
    return 0;
}

static void say_rest(int tile, struct diagnosis *d) {
    d->class = "terms-missing";
    d->topic = "@phases";
    text_addf(&d->sentence,
              "Each tile adds only its first k %% %d terms: as many as the last, partial tile has, "
              "and none where %d divides k. Every tile before the last one has %d. Where elements "
              "beyond the edge are zero, the loop may run over all %d in each phase.",
              tile, tile, tile, tile);
}

static void say_missing(int step, int place, struct diagnosis *d) {
    const bool last = place == step - 1, first = place == 0;
    d->class = last ? "last-term-dropped" : first ? "first-term-dropped" : "terms-missing";
    text_addf(&d->sentence, "One term of every %d is missing from the sums%s: ", step,
              last    ? ", the last one"
              : first ? ", the first one"
                      : "");
    text_add(&d->sentence,
             "the loop over the terms of a tile or block ends or begins wrongly, or of several "
             "sums that are kept side by side one is not added in the end.");
}

/* Other weights than one and zero, or zeros without an order, have causes that others know. */
static bool judge(const struct weights *all, int trials, const struct weights *shown,
                  struct diagnosis *d) {
    is_odd *odd = count(shown, is_negative) > 0 ? is_negative : is_missing;
    int step = 0, place = 0;
    for (int i = 0; i < trials; i++)
        if (count(&all[i], is_repeated) > 0)
            return false;
    if (odd == is_negative) {
        d->class = "terms-subtracted";
        text_add(&d->sentence, "Some terms are subtracted, and all must be added: look for a minus "
                               "in the products, or where several sums are added up.");
    } else if ((step = rest_of_each_tile(all, trials)) > 0) {
        say_rest(step, d);
    } else if (regular(all, trials, &step, &place)) {
        say_missing(step, place, d);
    } else {
        return false;
    }
    struct text what = {0};
    text_addf(&what, "with k = %d, %s ", shown->t->shape.k,
              odd == is_negative ? "these are" : "missing are");
    list(&what, shown, odd);
    suspect_example(&d->sentence, shown->t, suspect_element(shown->t, true), text_get(&what));
    text_addf(&d->evidence, "%d products are sums of whole multiples of their terms", trials);
    text_free(&what);
    return true;
}

bool suspect_weights(const struct trials *all, const struct suspect_context *c,
                     struct diagnosis *d) {
    struct equations *e = xmalloc(sizeof *e);
    struct weights *found = xcalloc(TRIALS_MOST, sizeof *found);
    const struct weights *shown = NULL;
    int trials = 0;
    bool ok = true;
    (void)c;
    for (int i = 0; i < all->count && ok; i++) {
        const struct trial *t = all->trial[i];
        const size_t k = (size_t)t->shape.k;
        ok = t->got || t->verdict != VERDICT_MEMORY; /* other terms leave no matrix */
        if (!ok || !trial_wrong(t) || !t->exact || k > MOST_TERMS || trial_elements(t) < 2 * k + 8)
            continue;
        bool said;
        ok = solve(t, e, &found[trials], &said);
        trials += ok && said;
    }
    for (int i = 0; i < trials; i++)
        if (!shown || found[i].t->shape.k > shown->t->shape.k)
            shown = &found[i];
    ok = ok && trials >= 2 && judge(found, trials, shown, d);
    free(found);
    free(e);
    return ok;
}
