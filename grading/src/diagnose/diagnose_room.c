/*
 * diagnose_room.c: what a kernel computes that leaves its matrices, when it may: probes with room
 * around A, B and C (probe_with_room).
 *
 * With zeros around A and B nothing that is read out there adds to a sum. Where the product is
 * right then, ones around them tell whether it is used: it adds terms (there are phases too many),
 * or it does not (it is read ahead and thrown away). Where the product is wrong, it is looked at as
 * any other (suspect.h). Stores outside are no matter of this file.
 */
#include "grading/src/diagnose/diagnose.h"

#include <math.h>

static const struct shape squares[] = {{32, 32, 32}, {64, 64, 64}, {96, 96, 96}};
static const struct shape any[] = {{32, 32, 32}, {64, 64, 64}, {32, 64, 96},
                                   {96, 32, 64}, {64, 96, 32}, {32, 32, 128}};
enum { SQUARES = sizeof squares / sizeof *squares, ANY = sizeof any / sizeof *any };

/* The terms of each sum of ones; -1: not the same number everywhere. */
static int count_terms(const struct trial *t) {
    for (size_t i = 1; i < trial_elements(t); i++)
        if (t->got[i] != t->got[0])
            return -1;
    return t->got[0] >= 0 && t->got[0] < 1e6f ? (int)t->got[0] : -1;
}

/* How many terms each sum has for each k, when what lies around counts. */
struct terms {
    int count, k[ANY], of[ANY];
};

static bool look_around(struct prober *p, const struct shape *shapes, int count, struct terms *t) {
    *t = (struct terms){0};
    for (int i = 0; i < count; i++) {
        struct trials one = {.count = 0};
        const struct trial *ones = probe_with_room(p, &one, shapes[i], PROBE_ONES, 1.0f);
        const int terms = ones && ones->got ? count_terms(ones) : -1;
        trials_free(&one);
        if (terms < 0)
            return false;
        t->k[t->count] = shapes[i].k;
        t->of[t->count++] = terms;
    }
    return t->count > 1;
}

/* Every sum has the same number of terms too many; 0: not so. */
static int same_excess(const struct terms *t) {
    for (int i = 0; i < t->count; i++)
        if (t->of[i] - t->k[i] != t->of[0] - t->k[0] || t->of[i] <= t->k[i])
            return 0;
    return t->of[0] - t->k[0];
}

/* The same number of terms for every k. */
static bool same_count(const struct terms *t) {
    for (int i = 1; i < t->count; i++)
        if (t->of[i] != t->of[0])
            return false;
    return true;
}

static void say_terms(struct text *to, const struct terms *t) {
    text_add(to, "with ones in and around A and B every element counts its terms: ");
    for (int i = 0; i < t->count; i++)
        text_addf(to, "%sk = %d: %d", i ? ", " : "", t->k[i], t->of[i]);
    text_add(to, "; ");
}

static bool say_right(struct diagnosis *d, const struct terms *t, bool tiled, bool square) {
    const int excess = same_excess(t);
    bool unused = true, more = true;
    for (int i = 0; i < t->count; i++) {
        unused = unused && t->of[i] == t->k[i];
        more = more && t->of[i] >= t->k[i];
    }
    if (unused && !square) {
        d->class = "missing-load-guard";
        text_add(&d->sentence,
                 "The value read outside is never used: your kernel reads ahead for a phase that "
                 "never comes. A load needs its guard even then (A: row < m and column < k; B: row "
                 "< k and column < n).");
    } else if (unused) {
        d->class = "reads-ahead-too-far";
        text_add(&d->sentence,
                 "The value read outside is never used: your kernel reads a tile ahead for a phase "
                 "that never comes. In the last phase there is nothing left to read ahead; read "
                 "only while there is a next phase.");
    } else if (excess == 1 || !tiled) {
        d->class = "off-by-one";
        text_addf(&d->sentence,
                  "Each sum has more than k terms (%d for k = %d): its index goes on beyond the "
                  "last one. p goes from 0 to k - 1, p < k.",
                  t->of[0], t->k[0]);
    } else if (excess > 0) {
        d->class = "phases-too-many";
        text_addf(&d->sentence,
                  "Each sum has %d terms too many, whatever k is: there is a phase too many, and "
                  "its tiles lie beyond the matrices. There are k / tile phases, rounded up if k "
                  "need not be a multiple; count from 0 while phase < phases, not <=.",
                  excess);
    } else if (more && same_count(t)) {
        d->class = "phases-too-many";
        text_addf(&d->sentence,
                  "Each sum has %d terms, whatever k is: a fixed number is written where the "
                  "width, or the number of phases, must follow from k. There are k / tile phases, "
                  "rounded up if k need not be a multiple.",
                  t->of[0]);
    } else if (more) {
        d->class = "phases-too-many";
        text_addf(&d->sentence,
                  "The number of phases does not fit k: with k = %d each sum has %d terms, with k "
                  "= %d it has %d. There are k / tile phases, rounded up if k need not be a "
                  "multiple.",
                  t->k[0], t->of[0], t->k[1], t->of[1]);
    } else {
        return false;
    }
    say_terms(&d->evidence, t);
    return true;
}

/* How a product ends with that around A and B; VERDICT_NOT_RUN: it was not made. */
static enum verdict with_room(struct inquiry *q, struct shape s, float around) {
    enum { MOST = 50000000 }; /* multiply-adds */
    if (q->entry != ENTRY_DEVICE || q->session.backend->kind != BACKEND_VGPU ||
        (double)s.m * s.n * s.k > MOST)
        return VERDICT_NOT_RUN;
    struct trials all = {.count = 0};
    struct prober p;
    prober_begin(&p, q->g, q->session, q->entry);
    const struct trial *t = probe_with_room(&p, &all, s, PROBE_SMALL, around);
    const enum verdict v = t && t->got && trial_wrong(t) ? VERDICT_WRONG
                           : t                           ? t->verdict
                                                         : VERDICT_NOT_RUN;
    prober_end(&p);
    trials_free(&all);
    return v;
}

/* A product that takes too long is asked for a corner, with sums as long as before. */
bool diagnose_room_spoils(struct inquiry *q, struct shape s) {
    enum { FEW = 8 };
    const struct shape corner = {s.m < FEW ? s.m : FEW, s.n < FEW ? s.n : FEW, s.k};
    const enum verdict v = with_room(q, s, 0.0f);
    return v == VERDICT_WRONG ||
           (v == VERDICT_TIMEOUT && with_room(q, corner, 0.0f) == VERDICT_WRONG);
}

/* With more terms it stays inside: it is a matter of k, and not of threads beyond C's edge. */
static bool ends_well_with_more_terms(struct inquiry *q, struct shape s) {
    enum { MORE = 256 };
    struct trials all = {.count = 0};
    struct prober p;
    prober_begin(&p, q->g, q->session, q->entry);
    const struct trial *t =
        probe(&p, &all, (struct shape){s.m, s.n, s.k < MORE ? MORE : s.k}, PROBE_SMALL);
    const bool right = t && t->verdict == VERDICT_PASS;
    prober_end(&p);
    trials_free(&all);
    return right;
}

bool diagnose_room_unused(struct inquiry *q, struct shape s, bool inside_c) {
    return with_room(q, s, NAN) == VERDICT_PASS && (inside_c || ends_well_with_more_terms(q, s));
}

bool diagnose_room(struct inquiry *q, bool tiled, struct diagnosis *d) {
    const bool square = q->g->lab->square_tiles;
    const struct shape *shapes = square ? squares : any;
    const int count = square ? SQUARES : ANY;
    if (q->entry != ENTRY_DEVICE || q->session.backend->kind != BACKEND_VGPU)
        return false;
    struct trials all = {.count = 0};
    struct prober p;
    struct terms terms;
    bool back = true, right = true, inside = true, found = false;
    prober_begin(&p, q->g, q->session, q->entry);
    for (int i = 0; i < count && back; i++) {
        const struct trial *t = probe_with_room(&p, &all, shapes[i], PROBE_SMALL, 0.0f);
        back = t && t->got;
        right = right && back && t->verdict == VERDICT_PASS;
        inside = inside && back && t->touched.how != TOUCHED_OUTSIDE;
    }
    if (back && right && inside)
        found = look_around(&p, shapes, count, &terms) && say_right(d, &terms, tiled, square);
    else if (back && !right)
        found = suspect_products(&all, &q->suspects, d) && d->class;
    if (!found) {
        text_clear(&d->sentence);
        text_clear(&d->evidence);
        d->class = d->topic = NULL;
    }
    prober_end(&p);
    trials_free(&all);
    return found;
}
