/* numbered.c: see numbered.h. */
#include "grading/src/diagnose/numbered.h"

#include <math.h>

bool stretch_decode(double terms, double places, double squares, int elements, struct stretch *s) {
    if (!(terms >= 1) || terms != floor(terms) || terms > elements)
        return false;
    const double mean = places / terms, variance = squares / terms - mean * mean;
    /* n numbers in steps of d vary by d * d * (n * n - 1) / 12. */
    const double step = terms > 1 ? sqrt(fmax(variance, 0) * 12 / (terms * terms - 1)) : 0;
    const int middle = elements / 2;
    const double start = mean - step * (terms - 1) / 2 + middle;
    *s = (struct stretch){(int)terms, (int)lround(start), (int)lround(step)};
    return fabs(start - s->start) < 1e-3 && fabs(step - s->step) < 1e-3 && s->start >= 0 &&
           s->start + (s->terms - 1) * s->step < elements;
}

static struct shape small_shape(const struct prober *p) {
    const struct shape square = {32, 32, 32}, small = {5, 7, 6};
    return p->g->lab->square_tiles ? square : small;
}

/* C of one probe; NULL when none came back. Owned by `all`. */
static const struct trial *look(struct prober *p, struct trials *all, struct shape s,
                                enum probe_contents contents) {
    const struct trial *t = probe(p, all, s, contents);
    return t && t->got ? t : NULL;
}

static void say_stretch(struct text *to, char letter, const struct stretch *s, int cols,
                        const struct stretch *right) {
    text_addf(to, "%c[%d][%d]", letter, s->start / cols, s->start % cols);
    if (s->terms > 1)
        text_addf(to, " and on in steps of %d", s->step);
    if (s->start != right->start || (s->terms > 1 && s->step != right->step))
        text_addf(to, ", not %c[%d][%d] in steps of %d", letter, right->start / cols,
                  right->start % cols, right->step);
}

bool numbered_walk(struct text *to, struct prober *p) {
    const struct shape s = small_shape(p);
    struct trials all = {.count = 0};
    const struct trial *ones = look(p, &all, s, PROBE_ONES);
    const struct trial *a = look(p, &all, s, PROBE_A_PLACES),
                       *aa = look(p, &all, s, PROBE_A_SQUARES);
    const struct trial *b = look(p, &all, s, PROBE_B_PLACES),
                       *bb = look(p, &all, s, PROBE_B_SQUARES);
    bool found = false;
    for (int at = 0; ones && a && aa && b && bb && at < s.m * s.n && !found; at++) {
        const int row = at / s.n, col = at % s.n;
        const struct stretch right_a = {s.k, row * s.k, 1}, right_b = {s.k, col, s.n};
        struct stretch x, y;
        if (row == 0 || col == 0 || row == col || trial_untouched(ones, (size_t)at) ||
            !stretch_decode((double)ones->got[at], (double)a->got[at], (double)aa->got[at],
                            s.m * s.k, &x) ||
            !stretch_decode((double)ones->got[at], (double)b->got[at], (double)bb->got[at],
                            s.k * s.n, &y))
            continue;
        found = x.terms != s.k || x.start != right_a.start || x.step != right_a.step ||
                y.start != right_b.start || y.step != right_b.step;
        if (!found)
            continue;
        text_addf(to, "with m = %d, n = %d, k = %d, C[%d][%d] is made of %d products: ", s.m, s.n,
                  s.k, row, col, x.terms);
        say_stretch(to, 'A', &x, s.k, &right_a);
        text_add(to, "; ");
        say_stretch(to, 'B', &y, s.n, &right_b);
    }
    trials_free(&all);
    return found;
}

bool numbered_pair(struct text *to, struct prober *p) {
    const struct shape s = small_shape(p);
    struct trials all = {.count = 0};
    const struct trial *t = look(p, &all, s, PROBE_ONE_HOT),
                       *times = look(p, &all, s, PROBE_ONE_HOT_ONES);
    bool found = false;
    for (int at = 0; t && times && at < s.m * s.n && !found; at++) {
        const int row = at / s.n, col = at % s.n;
        const float got = t->got[at];
        if (times->got[at] != 1 || trial_untouched(t, (size_t)at) || (double)got == t->want[at] ||
            got != floorf(got) || got < 1 || got > (float)(s.k * s.n))
            continue;
        const int b = (int)got - 1;
        found = true;
        text_addf(to,
                  "with m = %d, n = %d, k = %d, A[1][2] is multiplied by B[%d][%d] and added to "
                  "C[%d][%d]; ",
                  s.m, s.n, s.k, b / s.n, b % s.n, row, col);
        if (row == 1)
            text_addf(to, "there it belongs to B[2][%d]", col);
        else
            text_addf(to, "it belongs in row 1 of C");
    }
    trials_free(&all);
    return found;
}

/* The same count everywhere; -1: not so. */
static int terms_of(const struct trial *t) {
    for (size_t i = 1; i < trial_elements(t); i++)
        if (t->got[i] != t->got[0])
            return -1;
    return t->got[0] >= 0 && t->got[0] < 100000 && t->got[0] == floorf(t->got[0]) ? (int)t->got[0]
                                                                                  : -1;
}

/* How many terms the sums have, for some k. */
struct term_counts {
    int count;
    int k[9], terms[9];
};

/* Counts them with ones. False when they differ from element to element. */
static bool count_terms(struct prober *p, struct term_counts *c) {
    static const int any[] = {1, 2, 15, 16, 17, 31, 32, 33, 48}, squares[] = {32, 64, 96};
    const bool square = p->g->lab->square_tiles;
    *c = (struct term_counts){.count = square ? 3 : 9};
    for (int i = 0; i < c->count; i++) {
        c->k[i] = square ? squares[i] : any[i];
        struct trials one = {.count = 0};
        const struct shape s = {square ? c->k[i] : 4, square ? c->k[i] : 4, c->k[i]};
        const struct trial *t = look(p, &one, s, PROBE_ONES);
        c->terms[i] = t ? terms_of(t) : -1;
        trials_free(&one);
        if (c->terms[i] < 0)
            return false;
    }
    return true;
}

static void say_counts(struct text *to, const struct term_counts *c) {
    text_add(to, "with A and B all ones every element counts its terms: ");
    for (int i = 0; i < c->count; i++)
        text_addf(to, "%sk = %d: %d", i ? ", " : "", c->k[i], c->terms[i]);
}

bool numbered_counts(struct text *to, struct prober *p) {
    struct term_counts c;
    bool wrong = false;
    if (!count_terms(p, &c))
        return false;
    for (int i = 0; i < c.count; i++)
        wrong |= c.terms[i] != c.k[i];
    if (wrong)
        say_counts(to, &c);
    return wrong;
}

int numbered_whole_tiles(struct text *to, struct prober *p) {
    struct term_counts c;
    if (p->g->lab->square_tiles || !count_terms(p, &c))
        return 0;
    const int tile = c.terms[0]; /* the first k is 1 */
    for (int i = 0; i < c.count; i++)
        if (tile < 2 || c.terms[i] != (c.k[i] + tile - 1) / tile * tile)
            return 0;
    say_counts(to, &c);
    return tile;
}
