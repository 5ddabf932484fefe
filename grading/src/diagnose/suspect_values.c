/*
 * suspect_values.c: products whose elements are all wrong in one simple way (see suspect.h). One
 * list: a short test and its sentences for each way.
 */
#include "grading/src/diagnose/suspect.h"

#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Does this hold for every wrong product of integers? */
typedef bool test(const struct trial *t, double *parameter);

static const struct trial *every_wrong(const struct trials *all, test *holds, double *parameter) {
    const struct trial *shown = NULL;
    size_t elements = 0;
    for (int i = 0; i < all->count; i++) {
        const struct trial *t = all->trial[i];
        if (!trial_wrong(t) || !t->exact)
            continue;
        if (!holds(t, parameter))
            return NULL;
        shown = shown ? shown : t;
        elements += trial_elements(t);
    }
    return elements >= 8 ? shown : NULL;
}

/* In a product that is wrong, most elements are right? */
static bool mostly_right(const struct trials *all) {
    for (int i = 0; i < all->count; i++) {
        const struct trial *t = all->trial[i];
        size_t right = 0;
        for (size_t at = 0; trial_wrong(t) && at < trial_elements(t); at++)
            right += trial_right(t, at);
        if (2 * right > trial_elements(t))
            return true;
    }
    return false;
}

static bool is_nan_poison(const struct trial *t) {
    return isnan(t->before[0]);
}

/* Sums that begin with what C held. NaN comes out of a NaN. */
static bool accumulates(const struct trial *t, double *unused) {
    (void)unused;
    for (size_t i = 0; i < trial_elements(t); i++)
        if (is_nan_poison(t) ? !isnan(t->got[i]) || trial_untouched(t, i)
                             : (double)t->got[i] != t->want[i] + (double)t->before[i])
            return false;
    return true;
}

/* The same for a part of C, while the rest is right: it was not cleared completely. (Where clearing
 * ended within an element, that one is anything.) */
static bool accumulates_partly(const struct trial *t, double *unused) {
    size_t added = 0, odd = 0;
    (void)unused;
    for (size_t i = 0; i < trial_elements(t); i++) {
        if (trial_right(t, i) || (t->want[i] == 0 && trial_untouched(t, i)))
            continue;
        if (!trial_untouched(t, i) &&
            (is_nan_poison(t) ? isnan(t->got[i])
                              : fabs((double)t->got[i] - (t->want[i] + (double)t->before[i])) <=
                                    1e-5 * (fabs(t->want[i]) + fabs((double)t->before[i]))))
            added++;
        else if (++odd > 1)
            return false;
    }
    return added > odd || trial_elements(t) < 4;
}

/* What C held is a part of each element, and something else than the right product is added to it.
 * C's old numbers are larger than any product of small ones. Counts the trials that tell. */
static bool mixes_old(const struct trial *t, double *told) {
    size_t untouched = 0;
    if (!is_nan_poison(t) && !t->small)
        return true;
    *told += !is_nan_poison(t);
    for (size_t i = 0; i < trial_elements(t); i++) {
        const double old = (double)t->before[i];
        untouched += trial_untouched(t, i);
        if (is_nan_poison(t) ? !isnan(t->got[i]) || trial_untouched(t, i)
                             : !(fabs((double)t->got[i] - old) < fabs(old) / 8))
            return false;
    }
    return is_nan_poison(t) || untouched <= trial_elements(t) / 16 + 1;
}

/* Right, or a number that nobody has set: not one is wrong in another way. Counts the products in
 * which more than one is. */
static bool right_or_nan(const struct trial *t, double *several) {
    size_t seen = 0;
    for (size_t i = 0; i < trial_elements(t); i++) {
        const bool unset = isnan(t->got[i]) && !trial_untouched(t, i);
        seen += unset;
        if (!unset && !trial_right(t, i))
            return false;
    }
    *several += seen > 1;
    return true;
}

/* The sum goes on from element to element. */
static bool carries(const struct trial *t, double *unused) {
    (void)unused;
    double sum = 0;
    for (size_t i = 0; i < trial_elements(t); i++) {
        sum += t->want[i];
        if (fabs(sum) > 16777216.0) /* from here on float rounds */
            return true;
        if ((double)t->got[i] != sum)
            return false;
    }
    return true;
}

/* The same factor everywhere, which the first element that is not zero tells. */
static bool scaled(const struct trial *t, double *factor) {
    for (size_t i = 0; i < trial_elements(t); i++) {
        if (t->want[i] == 0 ? t->got[i] != 0 : !isfinite(t->got[i]))
            return false;
        if (t->want[i] == 0)
            continue;
        if (*factor == 0)
            *factor = (double)t->got[i] / t->want[i];
        if (*factor == 0 || fabs((double)t->got[i] / t->want[i] / *factor - 1) > 1e-5)
            return false;
    }
    return true;
}

/* All but at most four elements right, those NaN or infinite. */
static bool few_nans(const struct trial *t, double *unused) {
    (void)unused;
    size_t bad = 0;
    for (size_t i = 0; i < trial_elements(t); i++) {
        if (trial_right(t, i))
            continue;
        if (isfinite(t->got[i]) || trial_untouched(t, i) || ++bad > 4)
            return false;
    }
    return bad > 0;
}

/* What malloc and new give out in the worker (backend.c): 0xFE bytes, against which sums vanish.
 * Small pieces may be used ones, and hold anything. */
static bool fresh_memory(const struct trial *t, double *seen) {
    const uint32_t bytes = 0xFEFEFEFEu;
    if (trial_elements(t) < 300)
        return true;
    float fresh;
    size_t found = 0;
    memcpy(&fresh, &bytes, sizeof fresh);
    for (size_t i = 0; i < trial_elements(t); i++) {
        found += t->got[i] == fresh;
        if (t->got[i] != fresh && !trial_right(t, i))
            return false;
    }
    *seen += (double)found;
    return found > 0;
}

static bool all_nan(const struct trial *t, double *unused) {
    (void)unused;
    for (size_t i = 0; i < trial_elements(t); i++)
        if (!isnan(t->got[i]) || trial_untouched(t, i))
            return false;
    return true;
}

/* Exactly the products whose C held NaN are wrong, and there are some of both kinds. */
static bool wrong_where_c_was_nan(const struct trials *all) {
    enum { LEAST = 2 };
    int right = 0, wrong = 0;
    for (int i = 0; i < all->count; i++) {
        const struct trial *t = all->trial[i];
        if (trial_wrong(t) ? !is_nan_poison(t) : t->verdict != VERDICT_PASS || is_nan_poison(t))
            return false;
        right += t->verdict == VERDICT_PASS;
        wrong += trial_wrong(t);
    }
    return right >= LEAST && wrong >= LEAST;
}

bool suspect_all_nan(const struct trials *all, const struct suspect_context *c,
                     struct diagnosis *d) {
    double unused = 0;
    bool right = false, clean_right = false, clean_wrong = false;
    if (!every_wrong(all, all_nan, &unused))
        return false;
    if (wrong_where_c_was_nan(all)) {
        d->class = "accumulates-into-C";
        text_add(&d->sentence,
                 "C is right where it held numbers before the call, and NaN just where it held "
                 "NaN: its old value is multiplied by zero and added, and zero times NaN is NaN. "
                 "Do not read C at all: store the product alone, with =.");
        text_add(&d->evidence, "every wrong product had NaN in C before, and no right one had");
        return true;
    }
    if (c->entry == ENTRY_DEVICE && c->stale && !c->stale_shared)
        return false; /* the NaNs come from memory that a checker has named */
    for (int i = 0; i < all->count; i++) {
        const struct trial *t = all->trial[i];
        right = right || t->verdict == VERDICT_PASS;
        clean_right = clean_right || (trial_clean(t) && t->verdict == VERDICT_PASS);
        clean_wrong = clean_wrong || (trial_clean(t) && t->verdict != VERDICT_PASS);
    }
    text_add(&d->evidence, "all elements of all wrong products are NaN");
    if (!right && !c->cublas && c->entry != ENTRY_HOST) {
        d->class = "uninitialised-sum";
        text_add(
            &d->sentence,
            "Every element of C is NaN, for every shape: a variable that was never set is added to "
            "each sum. Does each sum begin at zero (float sum = 0.0f, or a loop that clears all of "
            "an array of sums)?");
        return true;
    }
    if (clean_right && !clean_wrong && c->entry == ENTRY_DEVICE) {
        d->class = "edge-tile-not-filled";
        text_add(&d->sentence,
                 "Shapes without edges are right; with an edge, every element of C is NaN: the "
                 "tile's elements beyond the edge were never set. Store a zero there.");
        text_add(&d->evidence, "; shapes without edges are right");
        return true;
    }
    if (c->cublas && !right) {
        d->class = "nan";
        text_add(&d->sentence,
                 "Every element of C is NaN, for every shape: cuBLAS computes C = alpha * A * B + "
                 "beta * C, and alpha or beta was never set. alpha must be 1.0f and beta 0.0f, "
                 "both float.");
        return true;
    }
    text_add(&d->sentence,
             "Every element of C is NaN: something that was never set is added to each sum. Does "
             "the sum begin at zero? Is everything filled before it is read?");
    return true;
}

/* Row `row` of C holds what belongs in row `from`. */
static bool row_is(const struct trial *t, int row, int from) {
    for (int col = 0; col < t->shape.n; col++)
        if ((double)trial_got(t, row, col) != trial_want(t, from, col))
            return false;
    return true;
}

static bool column_is(const struct trial *t, int col, int from) {
    for (int row = 0; row < t->shape.m; row++)
        if ((double)trial_got(t, row, col) != trial_want(t, row, from))
            return false;
    return true;
}

/* Each row of C (or each column) is right, but some lie in another's place: the first that holds
 * another's numbers, and in *from whose. -1: it is not so. */
static int misplaced(const struct trial *t, bool columns, int *from) {
    const int count = columns ? t->shape.n : t->shape.m;
    int first = -1;
    if ((columns ? t->shape.m : t->shape.n) < 4 || count < 2)
        return -1;
    for (int i = 0; i < count; i++) {
        int j = i;
        if (columns ? !column_is(t, i, i) : !row_is(t, i, i)) {
            for (j = 0; j < count && !(columns ? column_is(t, i, j) : row_is(t, i, j)); j++)
                ;
            if (j == count)
                return -1;
        }
        if (j != i && first < 0) {
            first = i;
            *from = j;
        }
    }
    return first;
}

static bool find_misplaced(const struct trials *all, struct diagnosis *d) {
    for (int columns = 0; columns < 2; columns++) {
        const struct trial *shown = NULL;
        int at = 0, from = 0;
        bool ok = true;
        for (int i = 0; i < all->count && ok; i++) {
            const struct trial *t = all->trial[i];
            if (!trial_wrong(t) || !t->exact || t->shape.m < 4 || t->shape.n < 4 ||
                trial_elements(t) > 20000)
                continue;
            int f = 0;
            const int first = misplaced(t, columns, &f);
            ok = first >= 0;
            if (!shown) {
                shown = t;
                at = first;
                from = f;
            }
        }
        if (!ok || !shown)
            continue;
        const char *what = columns ? "column" : "row";
        const bool twice = columns ? column_is(shown, from, from) : row_is(shown, from, from);
        d->class = "index-wrong";
        d->topic = twice ? "@sum" : "@store";
        if (twice)
            text_addf(&d->sentence,
                      "Whole %ss of C are computed twice, and others never: %s %d of C holds what "
                      "belongs in %s %d, and so does %s %d (m = %d, n = %d, k = %d). Where %s is "
                      "read, the index of the %s lacks something that it has where C is stored "
                      "(where the part of a block, of a warp or of a loop begins), or goes on in "
                      "other steps.",
                      what, what, at, what, from, what, from, shown->shape.m, shown->shape.n,
                      shown->shape.k, columns ? "B" : "A", what);
        else
            text_addf(
                &d->sentence,
                "All sums are right, but whole %ss of C have changed places: %s %d of C holds what "
                "belongs in %s %d (m = %d, n = %d, k = %d). The index of the store differs from "
                "the index that was computed.",
                what, what, at, what, from, shown->shape.m, shown->shape.n, shown->shape.k);
        text_addf(&d->evidence, "every %s of every wrong product equals a %s of the right one",
                  what, what);
        return true;
    }
    return false;
}

/* Of a kernel, NaN may also come from what stands for elements beyond an edge: not where there is
 * none. What nobody stored in memory a checker has seen. */
static bool sums_alone_can_be_unset(const struct trials *all, const struct suspect_context *c) {
    bool clean = false;
    for (int i = 0; i < all->count; i++)
        clean = clean || (trial_clean(all->trial[i]) && trial_wrong(all->trial[i]));
    return c->entry == ENTRY_CPU || (c->entry == ENTRY_DEVICE && clean && !c->stale);
}

/* The least k of a wrong product that `accumulates_partly` does not explain, if it explains all
 * with shorter sums, and these are most; 0: not so. */
static int adds_below(const struct trials *all) {
    enum { LEAST = 4 };
    int from = INT_MAX, shorter = 0, wrong = 0;
    for (int i = 0; i < all->count; i++) {
        const struct trial *t = all->trial[i];
        if (trial_wrong(t) && t->exact && !accumulates_partly(t, NULL) && t->shape.k < from)
            from = t->shape.k;
    }
    for (int i = 0; i < all->count; i++) {
        const struct trial *t = all->trial[i];
        wrong += trial_wrong(t) && t->exact;
        shorter += trial_wrong(t) && t->exact && t->shape.k < from;
    }
    return from < INT_MAX && shorter >= LEAST && 2 * shorter > wrong ? from : 0;
}

static void say_adds_partly(struct diagnosis *d) {
    d->class = "accumulates-into-C";
    text_add(&d->sentence,
             "The product is added to what C held before, in a part of C: the rest was cleared "
             "first, or stored with =. Clear all m * n elements (memset and cudaMemset count "
             "bytes: m * n * sizeof(float)), or write C[...] = sum.");
    text_add(&d->evidence, "each element is the right one, or that plus what C held before");
}

bool suspect_values(const struct trials *all, const struct suspect_context *c,
                    struct diagnosis *d) {
    const struct trial *t;
    double factor = 0;
    bool told = false; /* a trial in which adding to C can be told from other NaNs */
    for (int i = 0; i < all->count; i++)
        told = told || (trial_wrong(all->trial[i]) && !is_nan_poison(all->trial[i]));
    if (told && (t = every_wrong(all, accumulates, &factor)) != NULL) {
        d->class = "accumulates-into-C";
        text_add(&d->sentence,
                 "The product is added to what C held before: write C[...] = sum, not +=, or "
                 "begin with zeros (for cuBLAS: beta = 0).");
        text_add(&d->evidence,
                 "with numbers in C before the call, every element comes out as that number "
                 "plus the right product");
        for (int i = 0; i < all->count; i++)
            if (trial_wrong(all->trial[i]) && !is_nan_poison(all->trial[i]))
                t = all->trial[i];
        struct text what = {0};
        text_addf(&what, "C held %.0f before", (double)t->before[trial_elements(t) / 2]);
        suspect_example(&d->sentence, t, trial_elements(t) / 2, text_get(&what));
        text_free(&what);
    } else if (told && every_wrong(all, accumulates_partly, &factor) != NULL) {
        say_adds_partly(d);
    } else if (told && adds_below(all) > 0) {
        say_adds_partly(d);
        text_addf(&d->sentence,
                  " What is stored with = must be the first part of each sum, the one that begins "
                  "with p = 0: with k = %d and more, parts get lost besides.",
                  adds_below(all));
    } else if (factor = 0, every_wrong(all, mixes_old, &factor) != NULL && factor > 0) {
        d->class = "accumulates-into-C";
        text_add(&d->sentence,
                 "The old values of C get into every element: a line adds to C[...], and more than "
                 "once. Keep the sum in a variable, and store it once, with =, after the last "
                 "phase.");
        text_add(&d->evidence,
                 "with numbers in C before the call, every element comes out near that number");
    } else if (factor = 0, told && sums_alone_can_be_unset(all, c) &&
                               every_wrong(all, right_or_nan, &factor) != NULL && factor > 1) {
        d->class = c->cublas ? "nan" : "uninitialised-sum";
        text_add(&d->sentence,
                 "Where C is wrong, it is NaN, although A and B hold nothing but numbers: a ");
        text_add(&d->sentence,
                 c->cublas
                     ? "variable that cuBLAS reads, alpha or beta, has no value yet. Set alpha to "
                       "1, and beta to 0, so that what C held before counts for nothing."
                     : "variable, or an array of sums, is added to before it has a value. Begin "
                       "each sum with zero.");
        text_add(&d->evidence, "each element is right or NaN");
    } else if (factor = 0, (t = every_wrong(all, carries, &factor)) != NULL) {
        d->class = "uninitialised-sum";
        text_add(&d->sentence,
                 "The sum is not set to zero for each element: it goes on from the element "
                 "before. Set it to zero right before the loop over p.");
        suspect_example(&d->sentence, t, trial_elements(t) > 1, NULL);
        text_add(&d->evidence, "each element is the sum of all right ones up to it");
    } else if (factor = 0, (t = every_wrong(all, scaled, &factor)) != NULL) {
        d->class = "scaled";
        if (mostly_right(all))
            text_addf(&d->sentence,
                      "Where C is wrong, elements are the right ones times %.6g, and others are "
                      "right: each of those sums is added up %.6g times. Does what computes them, "
                      "such as the rows or columns that are left over, stand in a loop that it "
                      "does not belong in, or take all of k in each round of it?",
                      factor, factor);
        else
            text_addf(&d->sentence, "Every element is the right one times %.6g%s.", factor,
                      c->cublas ? ": alpha must be 1.0f, a float" : "");
        suspect_example(&d->sentence, t, suspect_element(t, true), NULL);
        text_addf(&d->evidence, "all wrong products are %.6g times the right ones", factor);
    } else if (factor = 0, c->entry != ENTRY_DEVICE &&
                               (t = every_wrong(all, fresh_memory, &factor)) != NULL &&
                               factor > 0) {
        d->class = "uninitialised-sum";
        text_add(
            &d->sentence,
            "Sums begin with what fresh memory from malloc or new holds. That is often zero on "
            "your machine, and anything in another run: clear it first (calloc, memset, "
            "new float[n]{}).");
        suspect_example(&d->sentence, t, suspect_element(t, true), NULL);
        text_add(&d->evidence, "wrong elements hold what fresh memory is filled with here");
    } else if ((t = every_wrong(all, few_nans, &factor)) != NULL) {
        d->class = "nan";
        text_add(&d->sentence,
                 "All of C is right except for single elements, which are not numbers: they are "
                 "stored separately, or something that was never set gets into them.");
        suspect_example(&d->sentence, t, suspect_element(t, true), NULL);
        text_add(&d->evidence, "a few elements are NaN or infinite, all others right");
    } else {
        return find_misplaced(all, d);
    }
    return true;
}

/* ---- Precision ---- */

enum rounding { CUT_OFF, TO_EVEN, TO_AWAY };

/* x with `bits` significant bits, rounded to nearest or cut off. */
static double cut(double x, int bits, enum rounding how) {
    if (x == 0)
        return 0;
    int e;
    const double f = ldexp(frexp(x, &e), bits);
    return ldexp(how == TO_EVEN ? nearbyint(f) : how == TO_AWAY ? round(f) : trunc(f), e - bits);
}

struct format {
    const char *name;
    int bits;
    enum rounding how;
    bool a, b;
};

static bool is_product_of(const struct trial *t, const struct format *f) {
    const size_t n = (size_t)t->shape.n, k = (size_t)t->shape.k, total = trial_elements(t);
    for (size_t i = 0; i < 60; i++) {
        const size_t at =
            total <= 60 ? i % total : (size_t)((uint64_t)(i + 1) * 2654435761u % total);
        double sum = 0, magnitude = 0;
        for (size_t p = 0; p < k; p++) {
            const double a = (double)t->a[at / n * k + p], b = (double)t->b[p * n + at % n];
            sum += (f->a ? cut(a, f->bits, f->how) : a) * (f->b ? cut(b, f->bits, f->how) : b);
            magnitude += fabs(a * b);
        }
        const double room = t->exact ? 0 : t->factor * magnitude * 1.01;
        if (!(fabs(sum - (double)t->got[at]) <= room))
            return false;
    }
    return true;
}

#define LARGEST_HALF 65504.0

/* Of terms of both signs, most sizes cancel, and what a lost term takes away is large beside the
 * rest: is this error too large for one of rounding? */
static bool is_of_lost_terms(double off, double want, double magnitude, double squares) {
    return fabs(want) < magnitude / 2 && off > sqrt(squares) / 2;
}

/* The errors of all wrong trials together. */
struct errors {
    double worst;
    const struct trial *shown; /* where it is, */
    size_t at;
    bool integers;  /* all results are whole numbers, */
    bool fractions; /* and some should not be */
    bool infinite;  /* sums have left the numbers that half precision has */
    bool lost;      /* terms are missing */
};

/* The largest error of a trial, measured by the sum of the terms' sizes; -1: not finite. */
static double worst_error(const struct trial *t, struct errors *e) {
    const size_t n = (size_t)t->shape.n, k = (size_t)t->shape.k;
    double worst = 0;
    size_t where = 0;
    for (size_t at = 0; at < trial_elements(t); at++) {
        if (trial_right(t, at))
            continue;
        double magnitude = 0, squares = 0, sum = 0, largest = 0;
        for (size_t p = 0; p < k; p++) {
            const double term = (double)t->a[at / n * k + p] * (double)t->b[p * n + at % n];
            magnitude += fabs(term);
            squares += term * term;
            sum += term;
            largest = fmax(largest, fabs(sum));
        }
        if (trial_untouched(t, at))
            return -1;
        if (!isfinite(t->got[at])) {
            if (largest <= LARGEST_HALF) /* a half holds all of it: the NaN comes from elsewhere */
                return -1;
            e->infinite = true;
            continue;
        }
        const double error = fabs((double)t->got[at] - t->want[at]);
        const double off = error / fmax(magnitude, 1);
        e->lost = e->lost || is_of_lost_terms(error, t->want[at], magnitude, squares);
        where = off > worst ? at : where;
        worst = off > worst ? off : worst;
        e->integers = e->integers && t->got[at] == floorf(t->got[at]);
        e->fractions = e->fractions || t->want[at] != floor((double)t->want[at]);
    }
    if (worst > e->worst || !e->shown) {
        e->shown = t;
        e->at = where;
    }
    e->worst = worst > e->worst ? worst : e->worst;
    return worst;
}

/* The format to which inputs were rounded; NULL: none gives exactly these products. */
static const struct format *format_of(const struct trials *all) {
    static const struct format formats[] = {
        {"half precision (11 bits)", 11, TO_EVEN, true, true},
        {"TF32 (11 bits)", 11, TO_AWAY, true, true},
        {"TF32 (11 bits), cut off", 11, CUT_OFF, true, true},
        {"bfloat16 (8 bits)", 8, TO_EVEN, true, true},
        {"bfloat16 (8 bits), cut off", 8, CUT_OFF, true, true},
        {"half precision (11 bits), A only", 11, TO_EVEN, true, false},
        {"half precision (11 bits), B only", 11, TO_EVEN, false, true},
    };
    for (size_t i = 0; i < sizeof formats / sizeof *formats; i++) {
        bool fits = true;
        for (int j = 0; j < all->count && fits; j++)
            fits = !trial_wrong(all->trial[j]) || is_product_of(all->trial[j], &formats[i]);
        if (fits)
            return &formats[i];
    }
    return NULL;
}

bool suspect_precision(const struct trials *all, const struct suspect_context *c,
                       struct diagnosis *d) {
    enum { LONG_SUM = 4096 };
    struct errors e = {.integers = true};
    bool small_right = false, only_long = true;
    for (int i = 0; i < all->count; i++) {
        const struct trial *t = all->trial[i];
        small_right = small_right || (t->small && t->verdict == VERDICT_PASS);
        if (!trial_wrong(t))
            continue;
        const double off = worst_error(t, &e);
        only_long = only_long && t->shape.k > LONG_SUM;
        if (off < 0 || (t->small && off > 1e-2)) /* small integers are exact in every format */
            return false;
    }
    /* Beside so many terms, some that are missing look like rounding. */
    if (only_long && !e.infinite)
        return false;
    /* Whole sums of whole numbers say nothing. */
    const bool integers = e.integers && e.fractions;
    if (!e.shown || !(e.worst < 1e-2 || (small_right && (e.worst < 0.05 || integers))))
        return false;
    if (e.infinite ? !small_right || c->stale : e.lost && !integers)
        return false;
    const struct format *found = format_of(all);
    d->class = "lower-precision";
    if (found)
        text_addf(&d->sentence,
                  "The product has less than float's precision: it is exactly what inputs rounded "
                  "to %s give. Float has 24 bits.",
                  found->name);
    else if (e.infinite)
        text_add(&d->sentence,
                 "Sums beyond 65504 become infinite, and others are rounded to about 11 bits: the "
                 "sum, or what is added to it, is kept in half precision. Use a float.");
    else if (integers)
        text_add(
            &d->sentence,
            "The sums are whole numbers, though A and B are not: the sum, or what is multiplied, "
            "is kept in an integer. Tiles, operands and sums are float.");
    else
        text_addf(&d->sentence,
                  "The product is nearly right, but less exact than any float sum: the error is up "
                  "to %.2g of the sum of its terms' sizes. Something is rounded to fewer bits on "
                  "the way.",
                  e.worst);
    if (!found && !e.infinite && !integers)
        suspect_say_exact(all, &d->sentence);
    if (c->cublas)
        text_add(&d->sentence, " cuBLAS computes in float unless it is told otherwise: look for "
                               "cublasSetMathMode, and for a type or a compute type in the call.");
    suspect_example(&d->sentence, e.shown, e.at, NULL);
    text_add(&d->evidence, "products of small integers are right, others are a little off");
    return true;
}
