/*
 * diagnose_positions.c: an index that goes through a type too short for it.
 *
 * With one column of A and one element of B, each element of C is one element of A. If A holds the
 * numbers of its elements, C tells for each place which one was read instead. An index that is
 * exact up to 2,048, or ends at 65,535, is right up to there and shows what it is beyond.
 */
#include "grading/src/diagnose/diagnose.h"

#include <math.h>
#include <stdlib.h>

/* More than 16 bits hold; every number of a place is exact in a float. */
enum { PLACES = 70001, LEAST = 128 };

/* How places are read beyond a limit: some share one, or they begin again at 0. */
enum manner { RIGHT, SHARED, BEGUN_AGAIN, OTHER };

static enum manner judge(const struct trial *t, int *limit) {
    enum manner manner = RIGHT;
    for (int i = 0; i < PLACES; i++) {
        const double got = (double)t->got[i];
        if (trial_untouched(t, (size_t)i) || !isfinite(got))
            return OTHER;
        if (manner == RIGHT && got == i)
            continue;
        if (manner == RIGHT) {
            if (i < LEAST)
                return OTHER;
            *limit = i;
            manner = got == 0 ? BEGUN_AGAIN : SHARED;
            if (manner == BEGUN_AGAIN && (i & (i - 1)) != 0) /* no type ends there */
                return OTHER;
        }
        /* A number of so many bits, cut off, is at most two parts in `limit` away. */
        if (manner == SHARED ? fabs(got - i) > 2.0 * i / (*limit - 1) : got != i % *limit)
            return OTHER;
    }
    return manner;
}

static void say(const struct trial *t, char name, enum manner manner, int limit,
                struct diagnosis *d) {
    const bool of_a = name == 'A';
    d->class = "index-overflow";
    text_addf(&d->sentence,
              "Elements of %c far from its beginning are mistaken for others. With m = %d, n = %d, "
              "k = 1 each element of C is one element of %c: up to number %d it is the right one, "
              "but number %d is number %.0f. ",
              name, of_a ? PLACES : 1, of_a ? 1 : PLACES, name, limit - 1, limit,
              (double)t->got[limit]);
    if (manner == SHARED)
        text_addf(&d->sentence,
                  "From there on several share one: the index goes through a number that is exact "
                  "only up to %d, such as a floating-point one of few bits. ",
                  limit - 1);
    else
        text_addf(&d->sentence, "The index begins again at 0: its type ends at %d. ", limit - 1);
    text_add(&d->sentence, "Use int for sizes and size_t for indices.");
    text_addf(&d->evidence, "%d elements whose values are their numbers, read one by one", PLACES);
}

/* Beyond a place, elements of A or B are read from another one. */
bool rule_positions(struct inquiry *q, struct diagnosis *d) {
    if (q->verdict != VERDICT_WRONG || q->suspects.product.kind != PRODUCT_PLAIN)
        return false;
    float *places = xmalloc(PLACES * sizeof *places), one = 1;
    for (int i = 0; i < PLACES; i++)
        places[i] = (float)i;
    bool said = false;
    const int late = q->prober.late; /* who is slow at so long a shape is slow at the other, too */
    for (int of_a = 1; of_a >= 0 && !said && q->prober.late == late; of_a--) {
        const struct shape s = {of_a ? PLACES : 1, of_a ? 1 : PLACES, 1};
        struct trials all = {.count = 0};
        const struct trial *t =
            probe_with(&q->prober, &all, s, of_a ? places : &one, of_a ? &one : places);
        int limit = 0;
        const enum manner manner = t && t->got ? judge(t, &limit) : OTHER;
        said = manner == SHARED || manner == BEGUN_AGAIN;
        if (said)
            say(t, of_a ? 'A' : 'B', manner, limit, d);
        trials_free(&all);
    }
    free(places);
    return said;
}
