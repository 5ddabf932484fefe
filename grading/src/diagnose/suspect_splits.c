/*
 * suspect_splits.c: products of tensor cores that lose accuracy: factors that were split into big
 * and small in a wrong way, products of these that are missing, and sums that drift.
 *
 * x = big + small, big is x rounded to TF32's 11 bits, and the tensor cores cut their factors off
 * behind 11 bits. A program that splits or multiplies in another way computes a sum of other
 * products; each is computed here in doubles, and the one that is nearest to what came back, and
 * near enough everywhere, is named. It looks at work of tensor cores alone.
 */
#include "grading/src/diagnose/suspect.h"

#include <math.h>
#include <string.h>

enum { BITS = 11, SAMPLES = 60 };

/* x with `bits` significant bits, rounded to nearest or cut off. */
static double keep(double x, int bits, bool nearest) {
    int e;
    if (x == 0 || !isfinite(x))
        return x;
    const double f = ldexp(frexp(x, &e), bits);
    return ldexp(nearest ? round(f) : trunc(f), e - bits);
}

/* What a factor is split into, as the tensor cores see it. */
struct parts {
    double big, small;
};

typedef struct parts split(double x);

static struct parts parts_of(double big, double small) {
    return (struct parts){keep(big, BITS, false), keep(small, BITS, false)};
}
static struct parts split_right(double x) {
    const double big = keep(x, BITS, true);
    return parts_of(big, x - big);
}
static struct parts split_not(double x) {
    return parts_of(x, 0);
}
static struct parts split_whole(double x) {
    return parts_of(keep(x, BITS, true), x);
}
static struct parts split_backwards(double x) {
    const double big = keep(x, BITS, true);
    return parts_of(big, big - x);
}
static uint32_t bits_of(double x) {
    const float f = (float)x;
    uint32_t bits;
    memcpy(&bits, &f, sizeof bits);
    return bits;
}
/* The bits of big, taken for a whole number. */
static struct parts split_by_number(double x) {
    const double big = keep(x, BITS, true);
    return parts_of(big, (double)(float)((float)x - (float)bits_of(big)));
}
/* The same, and what is subtracted is rounded once more. */
static struct parts split_by_rounded_number(double x) {
    const double big = keep(x, BITS, true);
    return parts_of(big, keep((double)(float)((float)x - (float)bits_of(big)), BITS, true));
}
/* The bits of x minus those of big: next to nothing, or not a number where big is larger. */
static struct parts split_of_bits(double x) {
    const double big = keep(x, BITS, true);
    return parts_of(big, bits_of(x) < bits_of(big) ? NAN : 0);
}
/* Some bits more than TF32 has: they are in neither part. */
static struct parts split_more(double x, int bits, bool nearest) {
    const double big = keep(x, bits, nearest);
    return parts_of(big, x - big);
}
static struct parts split_12_cut(double x) {
    return split_more(x, 12, false);
}
static struct parts split_12_rounded(double x) {
    return split_more(x, 12, true);
}
static struct parts split_13_cut(double x) {
    return split_more(x, 13, false);
}
static struct parts split_13_rounded(double x) {
    return split_more(x, 13, true);
}
static struct parts split_14_cut(double x) {
    return split_more(x, 14, false);
}
static struct parts split_14_rounded(double x) {
    return split_more(x, 14, true);
}
static struct parts split_16_cut(double x) {
    return split_more(x, 16, false);
}
static struct parts split_16_rounded(double x) {
    return split_more(x, 16, true);
}
static struct parts split_20_cut(double x) {
    return split_more(x, 20, false);
}
static struct parts split_20_rounded(double x) {
    return split_more(x, 20, true);
}

/* A sum of big * big, big * small, small * big, so often each. */
struct recipe {
    split *split;
    int bb, bs, sb;
    const char *class, *topic, *says;
};

#define MORE_BITS                                                                                  \
    "big keeps more bits than TF32 has, and the tensor cores cut these off: what they cut is in "  \
    "neither big nor small. Round x to TF32, to_tf32(x), and only then take small = x - big."

static const struct recipe recipes[] = {
    {split_right, 1, 0, 0, "products-missing", "@three",
     "The result is that of one product of factors rounded to TF32 (11 bits), big * big: "
     "the two products with a small part add nothing. They are left out, or small is always "
     "zero. big * small and small * big bring back what rounding drops."},
    {split_right, 1, 1, 0, "products-missing", "@three",
     "One of the three products adds nothing: the result is that of an A rounded to TF32 "
     "(11 bits) and a whole B. small of A times big of B is missing."},
    {split_right, 1, 0, 1, "products-missing", "@three",
     "One of the three products adds nothing: the result is that of a whole A and a B "
     "rounded to TF32 (11 bits). big of A times small of B is missing."},
    {split_not, 1, 1, 1, "split-wrong", NULL,
     "The factors are cut off after TF32's 11 bits, and nothing makes up for it: big is not "
     "rounded to TF32, so that x - big is zero, or there are no small parts. Convert x with "
     "to_tf32 first, and then take small = x - big."},
    {split_whole, 1, 1, 1, "split-wrong", NULL,
     "small is not x - big but x itself: each product comes three times. Subtract what big "
     "already has, small = x - big."},
    {split_backwards, 1, 1, 1, "split-wrong", NULL,
     "small has the wrong sign: it is big - x instead of x - big, and doubles the error that it "
     "should remove."},
    {split_by_number, 1, 1, 1, "split-wrong", NULL,
     "The bits of big are read as a whole number, (float)big, so that small is about a thousand "
     "million. __uint_as_float(big) is the float that has these bits."},
    {split_by_rounded_number, 1, 1, 1, "split-wrong", NULL,
     "The bits of big are read as a whole number, x - big, so that small is about a thousand "
     "million. __uint_as_float(big) is the float that has these bits."},
    {split_of_bits, 1, 1, 1, "split-wrong", NULL,
     "small is the bits of x minus the bits of big, as whole numbers. These are the bits of next "
     "to nothing, or of NaN where big is larger than x. Subtract the floats, "
     "x - __uint_as_float(big), and take the bits of that."},
    {split_right, 2, 1, 0, "products-doubled", "@three",
     "big * big is added twice, and one product with a small part is missing."},
    {split_right, 2, 0, 1, "products-doubled", "@three",
     "big * big is added twice, and one product with a small part is missing."},
    {split_right, 2, 1, 1, "products-doubled", "@three", "big * big is added twice."},
    {split_right, 3, 0, 0, "products-doubled", "@three",
     "big * big is added three times, and no product with a small part is there."},
    {split_right, 1, 2, 0, "products-doubled", "@three",
     "big of A times small of B is added twice, and small of A times big of B is missing."},
    {split_right, 1, 0, 2, "products-doubled", "@three",
     "small of A times big of B is added twice, and big of A times small of B is missing."},
    {split_right, 1, 2, 1, "products-doubled", "@three",
     "big of A times small of B is added twice."},
    {split_right, 1, 1, 2, "products-doubled", "@three",
     "small of A times big of B is added twice."},
    {split_right, 1, 2, 2, "products-doubled", "@three",
     "Both products with a small part are added twice."},
    {split_12_cut, 1, 1, 1, "split-wrong", NULL, MORE_BITS},
    {split_12_rounded, 1, 1, 1, "split-wrong", NULL, MORE_BITS},
    {split_13_cut, 1, 1, 1, "split-wrong", NULL, MORE_BITS},
    {split_13_rounded, 1, 1, 1, "split-wrong", NULL, MORE_BITS},
    {split_14_cut, 1, 1, 1, "split-wrong", NULL, MORE_BITS},
    {split_14_rounded, 1, 1, 1, "split-wrong", NULL, MORE_BITS},
    {split_16_cut, 1, 1, 1, "split-wrong", NULL, MORE_BITS},
    {split_16_rounded, 1, 1, 1, "split-wrong", NULL, MORE_BITS},
    {split_20_cut, 1, 1, 1, "split-wrong", NULL, MORE_BITS},
    {split_20_rounded, 1, 1, 1, "split-wrong", NULL, MORE_BITS},
};
enum { RECIPES = sizeof recipes / sizeof *recipes };
#define CLEARLY 0.9
#define NEAR    1.01

/* A factor that is split in a wrong way may be both, or one, and the other is split as it should
 * be. */
enum of { OF_BOTH, OF_A, OF_B };

struct found {
    const struct recipe *recipe; /* NULL: none */
    enum of of;
};

static bool by_tensor_cores(const struct trial *t) {
    return t->counted && t->work.of[WORK_MMA] > 0;
}

/* How far the trial is from a recipe's result at worst, in its own error allowed: NEAR is near
 * enough, and INFINITY stands for more. With r NULL: from the right product, however far. */
static double distance(const struct trial *t, const struct recipe *r, enum of of) {
    const size_t n = (size_t)t->shape.n, k = (size_t)t->shape.k, total = trial_elements(t);
    double worst = 0;
    for (size_t i = 0; i < SAMPLES; i++) {
        const size_t at =
            total <= SAMPLES ? i % total : (size_t)((uint64_t)(i + 1) * 2654435761u % total);
        double sum = 0, size = 0;
        for (size_t p = 0; p < k; p++) {
            const double x = (double)t->a[at / n * k + p], y = (double)t->b[p * n + at % n];
            if (!r) {
                sum += x * y;
                size += fabs(x * y);
                continue;
            }
            const struct parts a = of == OF_B ? split_right(x) : r->split(x),
                               b = of == OF_A ? split_right(y) : r->split(y);
            sum += r->bb * a.big * b.big + r->bs * a.big * b.small + r->sb * a.small * b.big;
            size += fabs(a.big * b.big) + fabs(a.big * b.small) + fabs(a.small * b.big);
        }
        const double allowed = (t->factor > 0 ? t->factor : 1e-6) * size;
        if (isnan(t->got[at])) { /* says nothing by itself: any mistake may give NaNs */
            if (r && !isnan(sum))
                return INFINITY;
            continue;
        }
        const double off = fabs(sum - (double)t->got[at]);
        if (!isfinite(off) || (r && off > NEAR * allowed))
            return INFINITY;
        if (off > 0)
            worst = fmax(worst, allowed > 0 ? off / allowed : INFINITY);
    }
    return worst;
}

/* How far all wrong products are from a recipe's, added up; INFINITY: too far. */
static double all_distances(const struct trials *all, const struct recipe *r, enum of of) {
    double sum = 0, worst = 0, right = 0;
    for (int i = 0; i < all->count && isfinite(sum); i++) {
        const double off = trial_wrong(all->trial[i]) ? distance(all->trial[i], r, of) : 0;
        worst = fmax(worst, off);
        sum += off;
    }
    for (int i = 0; i < all->count && isfinite(sum); i++)
        if (trial_wrong(all->trial[i]))
            right = fmax(right, distance(all->trial[i], NULL, of));
    return worst * 2 < right ? sum : INFINITY;
}

/* The recipe that is nearest to all wrong products. */
static struct found nearest(const struct trials *all) {
    struct found best = {NULL, OF_BOTH};
    double least = INFINITY;
    for (int r = 0; r < RECIPES; r++)
        for (enum of of = OF_BOTH; of <= (recipes[r].split == split_right ? OF_BOTH : OF_B); of++) {
            const double sum = all_distances(all, &recipes[r], of);
            if (!(sum < CLEARLY * least)) /* what comes first in the list is more usual */
                continue;
            least = sum;
            best = (struct found){&recipes[r], of};
        }
    return best;
}

/* Is every wrong element a little nearer to zero than it should be? */
static bool shrinks(const struct trial *t) {
    for (size_t at = 0; at < trial_elements(t); at++) {
        const double want = t->want[at], got = (double)t->got[at];
        if (trial_right(t, at))
            continue;
        if (!(fabs(got) < fabs(want)) || !(fabs(got - want) < 1e-3 * fabs(want)))
            return false;
    }
    return true;
}

/* Long sums alone are off, and always in the direction in which digits are cut. */
static bool drifts(const struct trials *all, struct diagnosis *d) {
    const struct trial *shown = NULL;
    int longest_right = 0, shortest_wrong = 0, reals = 0;
    for (int i = 0; i < all->count; i++) {
        const struct trial *t = all->trial[i];
        if (t->verdict == VERDICT_PASS && !t->exact) {
            reals++;
            longest_right = t->shape.k > longest_right ? t->shape.k : longest_right;
        }
        if (t->verdict == VERDICT_PASS)
            continue;
        if (!trial_wrong(t) || t->exact || !shrinks(t))
            return false;
        if (!shown || t->shape.k < shortest_wrong)
            shortest_wrong = t->shape.k;
        shown = t;
    }
    if (!shown || reals < 2 || longest_right >= shortest_wrong || shortest_wrong <= 256)
        return false;
    d->class = "sums-drift";
    text_addf(&d->sentence,
              "Sums of %d terms are off, always a little too near to zero, and short ones are "
              "right: the tensor cores cut digits off each time they add, and the errors grow. "
              "After every 256 columns, add their sums to totals with float additions, and set the "
              "sums back to zero.",
              shortest_wrong);
    suspect_example(&d->sentence, shown, suspect_element(shown, true), NULL);
    text_addf(&d->evidence,
              "reals up to k = %d are within the bound, all wrong elements are too near to zero",
              longest_right);
    return true;
}

bool suspect_splits(const struct trials *all, const struct suspect_context *c,
                    struct diagnosis *d) {
    const struct trial *shown = NULL;
    (void)c;
    for (int i = 0; i < all->count; i++) {
        const struct trial *t = all->trial[i];
        if (t->verdict == VERDICT_PASS)
            continue;
        if (!trial_wrong(t) || !by_tensor_cores(t))
            return false;
        shown = !shown || trial_elements(t) > 1 ? t : shown;
    }
    if (!shown)
        return false;
    if (drifts(all, d))
        return true;
    const struct found is = nearest(all);
    if (!is.recipe)
        return false;
    d->class = is.recipe->class;
    d->topic = is.recipe->topic;
    if (is.of != OF_BOTH)
        text_addf(&d->sentence, "%s is split as it should be; this is about %s. ",
                  is.of == OF_A ? "B" : "A", is.of == OF_A ? "A" : "B");
    text_add(&d->sentence, is.recipe->says);
    suspect_example(&d->sentence, shown, suspect_element(shown, true), NULL);
    text_add(&d->evidence,
             "of all wrong products, sampled elements are what this gives, within the "
             "error that is allowed, and are not right");
    return true;
}
