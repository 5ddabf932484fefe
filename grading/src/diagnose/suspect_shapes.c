/* suspect_shapes.c: what the shapes alone tell that are right or wrong (see suspect.h). */
#include "grading/src/diagnose/suspect.h"

static int64_t largest_side(struct shape s) {
    const int64_t a = s.m > s.n ? s.m : s.n;
    return a > s.k ? a : s.k;
}
static int64_t largest_matrix(struct shape s) {
    const int64_t a = (int64_t)s.m * s.k, b = (int64_t)s.k * s.n, c = (int64_t)s.m * s.n;
    const int64_t x = a > b ? a : b;
    return x > c ? x : c;
}

static int64_t largest_input(struct shape s) {
    const int64_t a = (int64_t)s.m * s.k, b = (int64_t)s.k * s.n;
    return a > b ? a : b;
}

/* Do exactly the shapes beyond a limit fail? */
static bool beyond(const struct trials *all, int64_t (*measure)(struct shape s), int64_t limit) {
    int right = 0, failed = 0;
    for (int i = 0; i < all->count; i++) {
        const struct trial *t = all->trial[i];
        const bool large = measure(t->shape) > limit, ok = t->verdict == VERDICT_PASS;
        if (t->verdict == VERDICT_CRASH) /* damage has its own sizes */
            return false;
        if (large == ok)
            return false;
        right += ok;
        failed += !ok;
    }
    return right >= 4 && failed >= 1;
}

static bool one_row(struct shape s) {
    return s.m == 1;
}
static bool one_column(struct shape s) {
    return s.n == 1;
}
static bool one_term(struct shape s) {
    return s.k == 1;
}

/* With two sides of 1 a matrix and its transpose are the same, and so are many other mistakes. */
static bool hides_much(struct shape s) {
    return (s.m == 1) + (s.n == 1) + (s.k == 1) >= 2;
}

static bool exactly(const struct trials *all, bool (*special)(struct shape s)) {
    int right = 0, failed = 0;
    for (int i = 0; i < all->count; i++) {
        const struct trial *t = all->trial[i];
        const bool ok = t->verdict == VERDICT_PASS;
        if (special(t->shape) == ok && !(ok && hides_much(t->shape)))
            return false;
        right += ok;
        failed += !ok;
    }
    return right >= 4 && failed >= 1;
}

static bool is_square(struct shape s) {
    return s.m == s.n && s.n == s.k;
}
static bool all_differ(struct shape s) {
    return s.m != s.n && s.n != s.k && s.m != s.k;
}

/* The sides by which a limit may go. */
static int64_t side_m(struct shape s) {
    return s.m;
}
static int64_t side_n(struct shape s) {
    return s.n;
}
static int64_t side_k(struct shape s) {
    return s.k;
}
static int64_t side_of_b(struct shape s) {
    return s.n > s.k ? s.n : s.k;
}

/* So many times as long as any that is right must a side be that is too long for a program. */
enum { MUCH_LONGER = 4, LEAST_LIMIT = 16 };

/* The first row of a product that is not all right. */
static int first_wrong_row(const struct trial *t) {
    size_t at = 0;
    while (at < trial_elements(t) && trial_right(t, at))
        at++;
    return (int)(at / (size_t)t->shape.n);
}

/* The number of elements up to which an index of A (or of C) fits, if every wrong product is right
 * down to the row where it no longer does, and wrong from there on; 0: not so. */
static int64_t index_ends(const struct trials *all, bool of_a) {
    static const int64_t ends[] = {32768, 65536};
    for (size_t e = 0; e < sizeof ends / sizeof *ends; e++) {
        bool fits = true, any = false;
        for (int i = 0; i < all->count && fits; i++) {
            const struct trial *t = all->trial[i];
            any = any || trial_wrong(t);
            const int64_t width = of_a ? t->shape.k : t->shape.n, row = ends[e] / width;
            const int first = trial_wrong(t) ? first_wrong_row(t) : 0;
            fits = !trial_wrong(t) ||
                   (row > 0 && (first == row || (first == row + 1 && ends[e] % width != 0)));
        }
        if (fits && any)
            return ends[e];
    }
    return 0;
}

static void say_index_ends(const struct trials *all, int64_t end, bool of_a, struct diagnosis *d) {
    const struct trial *t = suspect_best(all, true);
    d->class = "index-overflow";
    text_addf(&d->sentence,
              "Rows are right as far as their elements of %c have numbers below %lld, and wrong "
              "from there on: an index is kept in 16 bits (%s), which end there. Use int for sizes "
              "and size_t for indices.",
              of_a ? 'A' : 'C', (long long)end, end == 32768 ? "a short" : "an unsigned short");
    if (t)
        text_addf(&d->evidence, "with n = %d and k = %d row %d is the first wrong one", t->shape.n,
                  t->shape.k, first_wrong_row(t));
}

/* Exactly the shapes with a much longer side fail: there is a limit between. */
static bool limited(const struct trials *all, struct diagnosis *d) {
    static const struct {
        const char *side;
        int64_t (*measure)(struct shape s);
    } sides[] = {{"m", side_m},
                 {"n", side_n},
                 {"k", side_k},
                 {"the larger of n and k", side_of_b},
                 {"the longest side", largest_side}};
    for (size_t i = 0; i < sizeof sides / sizeof *sides; i++) {
        int64_t most = 0, least = INT64_MAX;
        bool untouched = true;
        int right = 0;
        for (int t = 0; t < all->count; t++) {
            const struct trial *one = all->trial[t];
            const int64_t side = sides[i].measure(one->shape);
            right += one->verdict == VERDICT_PASS;
            if (one->verdict == VERDICT_PASS)
                most = side > most ? side : most;
            else if (trial_wrong(one))
                least = side < least ? side : least;
            else
                return false;
            for (size_t at = 0; trial_wrong(one) && at < trial_elements(one) && untouched; at++)
                untouched = trial_untouched(one, at);
        }
        /* Right in a few rows alone: that is no limit, but a matter of a thread's own elements. */
        if (right < 4 || least == INT64_MAX || least < MUCH_LONGER * most || most < LEAST_LIMIT)
            continue;
        const bool of_a = index_ends(all, true) > 0;
        const int64_t end = index_ends(all, of_a);
        if (end > 0 && !untouched) {
            say_index_ends(all, end, of_a, d);
            return true;
        }
        d->class = "size-limit";
        text_addf(&d->sentence,
                  "Right up to %s = %lld, but with %s = %lld %s: your program has a limit in "
                  "between. Look for a condition that compares a size with a number, an array of "
                  "a fixed length, a loop or a grid that ends at a fixed number, and a type that "
                  "is too short. A product may have any size.",
                  sides[i].side, (long long)most, sides[i].side, (long long)least,
                  untouched ? "nothing is written to C" : "C is wrong");
        text_addf(&d->evidence, "%d shapes, failing exactly where %s is %lld or more", all->count,
                  sides[i].side, (long long)least);
        return true;
    }
    return false;
}

/* Nothing at all is written for some shapes, and others are right. */
static bool never_written(const struct trials *all, struct diagnosis *d) {
    int right = 0, wrong = 0, square_right = 0, square_wrong = 0, other_right = 0;
    const struct trial *shown = NULL;
    for (int i = 0; i < all->count; i++) {
        const struct trial *t = all->trial[i];
        const bool square = is_square(t->shape);
        right += t->verdict == VERDICT_PASS;
        square_right += square && t->verdict == VERDICT_PASS;
        other_right += !square && t->verdict == VERDICT_PASS;
        if (t->verdict == VERDICT_PASS)
            continue;
        if (!trial_wrong(t))
            return false;
        for (size_t at = 0; at < trial_elements(t); at++)
            if (!trial_untouched(t, at))
                return false;
        wrong++;
        square_wrong += square;
        shown = shown ? shown : t;
    }
    if (right < 2 || wrong < 2)
        return false;
    d->class = "shape-special";
    if (square_right > 0 && square_wrong == 0 && other_right == 0)
        text_add(
            &d->sentence,
            "Nothing is written where m, n and k are not all equal: your program handles only "
            "square matrices, and returns or launches nothing for other shapes. C is m x n for any "
            "three sizes.");
    else
        text_addf(&d->sentence,
                  "For some shapes nothing is written to C, such as m = %d, n = %d, k = %d; all "
                  "others are right. Which condition makes your program return early, or compute "
                  "nothing?",
                  shown->shape.m, shown->shape.n, shown->shape.k);
    text_addf(&d->evidence, "%d shapes right; in %d C is as it was before the call", right, wrong);
    return true;
}

/* Squares right, everything of three different sizes wrong, without any edge. */
static bool confused_sizes(const struct trials *all) {
    int squares = 0, others = 0;
    for (int i = 0; i < all->count; i++) {
        const struct trial *t = all->trial[i];
        const bool ok = t->verdict == VERDICT_PASS;
        if (!trial_clean(t))
            continue;
        if (is_square(t->shape) ? !ok : all_differ(t->shape) && ok)
            return false;
        squares += is_square(t->shape);
        others += all_differ(t->shape);
    }
    return squares >= 1 && others >= 4;
}

/* Is C all zeros wherever there is one term? */
static bool nothing_added(const struct trials *all) {
    for (int i = 0; i < all->count; i++) {
        const struct trial *t = all->trial[i];
        if (!one_term(t->shape))
            continue;
        if (!t->got)
            return false;
        for (size_t at = 0; at < trial_elements(t); at++)
            if (t->got[at] != 0)
                return false;
    }
    return true;
}

/* Is each wrong product the one of a matrix that is read by columns, as if they lay where the rows
 * do: A where C has one column, B where it has one row? */
static bool read_by_columns(const struct trials *all, bool of_a) {
    int told = 0;
    for (int i = 0; i < all->count; i++) {
        const struct trial *t = all->trial[i];
        const int k = t->shape.k, lines = of_a ? t->shape.m : t->shape.n;
        if (t->verdict == VERDICT_PASS || !t->exact)
            continue;
        for (int at = 0; at < lines; at++) {
            double sum = 0;
            for (int p = 0; p < k; p++)
                sum += of_a ? (double)t->a[(size_t)p * (size_t)lines + (size_t)at] * (double)t->b[p]
                            : (double)t->a[p] * (double)t->b[(size_t)at * (size_t)k + (size_t)p];
            if (!trial_wrong(t) || (double)t->got[at] != sum)
                return false;
            told += !trial_right(t, (size_t)at);
        }
    }
    return told >= 8;
}

static void say_by_columns(bool of_a, bool cublas, struct text *to) {
    text_addf(to, " There, %s is read by columns, and it lies in memory row by row.",
              of_a ? "A" : "B");
    if (cublas && of_a)
        text_add(to, " To cublasSgemv, A is a matrix of k rows and m columns, with k from one "
                     "column to the next, and transposed: CUBLAS_OP_T, k, m, and lda = k.");
    else if (cublas)
        text_add(to, " To cublasSgemv, B is a matrix of n rows and k columns, with n from one "
                     "column to the next: CUBLAS_OP_N, n, k, and lda = n.");
}

bool suspect_special(const struct trials *all, const struct suspect_context *c,
                     struct diagnosis *d) {
    static const struct {
        bool (*special)(struct shape s);
        const char *when;
    } specials[] = {{one_term, "k = 1"}, {one_row, "m = 1"}, {one_column, "n = 1"}};
    for (size_t i = 0; i < sizeof specials / sizeof *specials; i++) {
        if (!exactly(all, specials[i].special))
            continue;
        d->class = "shape-special";
        if (specials[i].special == one_term && nothing_added(all)) {
            d->topic = "@sum";
            text_add(&d->sentence,
                     "Every shape is right except those with k = 1, where the sums stay zero: "
                     "their only term is never added. A loop over k, or over parts of it, ends one "
                     "too early, or what is left of k after whole parts is dropped when it is 1.");
        } else {
            text_addf(&d->sentence,
                      "Every shape is right except those with %s: your program treats these as a "
                      "special case.",
                      specials[i].when);
            const bool column = specials[i].special == one_column;
            if (specials[i].special != one_term && read_by_columns(all, column))
                say_by_columns(column, c->cublas, &d->sentence);
        }
        text_addf(&d->evidence, "%d shapes, failing exactly for %s", all->count, specials[i].when);
        return true;
    }
    return false;
}

/* What of a shape is it that must not go beyond the limit? NULL: nothing. */
static const char *beyond_what(const struct trials *all, int64_t limit, bool side) {
    static const struct {
        const char *name;
        int64_t (*measure)(struct shape s);
        bool side;
    } of[] = {{"a side", largest_side, true},
              {"k", side_k, true},
              {"n", side_n, true},
              {"m", side_m, true},
              {"a number of elements", largest_matrix, false},
              {"a number of elements", largest_input, false}};
    for (size_t i = 0; i < sizeof of / sizeof *of; i++)
        if (of[i].side == side && beyond(all, of[i].measure, limit))
            return of[i].name;
    return NULL;
}

/* Whole tiles of 16 x 16 from here on to the last row and column, a small part of C, have all wrong
 * elements, and somebody stored these; false: not so. */
static bool wrong_corner(const struct trial *t, int *row, int *col) {
    enum { TILE = 16, PART = 8 };
    const int m = t->shape.m, n = t->shape.n;
    int64_t wrong = 0;
    *row = m, *col = n;
    for (int i = 0; i < m; i++)
        for (int j = 0; j < n; j++) {
            const size_t at = (size_t)i * (size_t)n + (size_t)j;
            if (trial_right(t, at))
                continue;
            if (trial_untouched(t, at))
                return false;
            wrong++;
            *row = i < *row ? i : *row;
            *col = j < *col ? j : *col;
        }
    const int64_t part = (int64_t)(m - *row) * (n - *col);
    return *row > 0 && *col > 0 && *row % TILE == 0 && *col % TILE == 0 && 2 * wrong > part &&
           part * PART < (int64_t)m * n;
}

bool suspect_last_tiles(const struct trials *all, struct diagnosis *d) {
    const struct trial *shown = NULL;
    int right = 0, row = 0, col = 0;
    for (int i = 0; i < all->count; i++) {
        const struct trial *t = all->trial[i];
        right += t->verdict == VERDICT_PASS;
        if (t->verdict == VERDICT_PASS)
            continue;
        if (!trial_wrong(t) || !wrong_corner(t, &row, &col))
            return false;
        shown = t;
    }
    if (right < 4 || !shown)
        return false;
    const bool several = (shown->counted || shown->idled) && shown->work.of[WORK_LAUNCHES] > 1;
    d->class = "index-wrong";
    d->topic = several ? "@split" : "@place";
    text_addf(&d->sentence,
              "Only the last tiles of C are wrong: with m = %d, n = %d, k = %d those in rows from "
              "%d and columns from %d on, and no other element. Which blocks compute them? Work "
              "out which tile%s the number of the first of these blocks gives. ",
              shown->shape.m, shown->shape.n, shown->shape.k, row, col,
              several ? ", and which part of k," : "");
    if (several)
        text_add(&d->sentence, "Where some tiles have a block of their own and others are shared, "
                               "blocks and tiles of the shared ones are counted without the "
                               "others, in both kernels.");
    else
        text_add(&d->sentence, "Small shapes have too few tiles to show it.");
    text_addf(&d->evidence, "%d shapes right; %d x %d elements in the corner hold all wrong ones",
              right, shown->shape.m - row, shown->shape.n - col);
    return true;
}

/* Does a call read or write past a matrix's end? An index that grew beyond 16 bits does not: it is
 * negative, and leads before the start, or has begun again at 0. */
static bool leaves_past_end(const struct trials *all) {
    for (int i = 0; i < all->count; i++) {
        const struct facts *said = &all->trial[i]->facts;
        for (int f = 0; f < said->count; f++)
            if (said->at[f].fact.says == VGPU_ILLEGAL_ACCESS &&
                (said->at[f].fact.place == VGPU_AT_PAST ||
                 said->at[f].fact.place == VGPU_AT_OVER_END))
                return true;
    }
    return false;
}

/* Are some elements wrong, and others right, whose row and column are not beyond the limit? A side
 * that is kept in too few bits spoils all of these, by the terms of their sums, or none. */
static bool mixed_within(const struct trials *all, int64_t limit) {
    for (int i = 0; i < all->count; i++) {
        const struct trial *t = all->trial[i];
        bool right = false, wrong = false;
        for (size_t at = 0; trial_wrong(t) && at < trial_elements(t); at++) {
            const size_t n = (size_t)t->shape.n;
            if (at / n > (size_t)limit || at % n > (size_t)limit)
                continue;
            right = right || (trial_right(t, at) && t->want[at] != 0);
            wrong = wrong || !trial_right(t, at);
        }
        if (right && wrong)
            return true;
    }
    return false;
}

bool suspect_shapes(const struct trials *all, const struct suspect_context *c,
                    struct diagnosis *d) {
    static const struct {
        int64_t limit;
        bool side;
        const char *why;
    } limits[] = {
        {127, true,
         "either an array has room for so many elements, or an index is kept in 8 bits "
         "with a sign, which ends at 127"},
        {255, true,
         "either an array has room for so many elements, or an index is kept in 8 bits, "
         "which end at 255"},
        {32767, false, "an index is kept in a short, which ends at 32767"},
        {65535, false, "an index is kept in 16 bits, which end at 65535"},
        {2048, false, "an index is kept in a half-precision number, exact up to 2048 only"},
    };
    if (suspect_last_tiles(all, d) || limited(all, d) || never_written(all, d))
        return true;
    bool slow = false; /* then the larger shapes fail, whatever the mistake is */
    for (int i = 0; i < all->count; i++)
        slow = slow || all->trial[i]->verdict == VERDICT_TIMEOUT;
    for (int of_a = 1; of_a >= 0 && !slow; of_a--) {
        const int64_t end = index_ends(all, of_a);
        if (end > 0) {
            say_index_ends(all, end, of_a, d);
            return true;
        }
    }
    for (size_t i = 0; i < sizeof limits / sizeof *limits && !slow; i++) {
        const char *of = beyond_what(all, limits[i].limit, limits[i].side);
        if (!of || (limits[i].limit >= INT16_MAX && leaves_past_end(all)) ||
            (limits[i].side && mixed_within(all, limits[i].limit)))
            continue;
        /* No shape lies between the two limits of a byte. */
        const bool either = i == 0 && beyond_what(all, limits[1].limit, true) == of;
        d->class = "index-overflow";
        text_addf(&d->sentence,
                  "Small shapes are right, and exactly those with %s beyond %lld are not: %s. "
                  "Use int for sizes and size_t for indices.",
                  of, (long long)limits[i].limit,
                  either ? "an array has room for so many elements, or for twice as many, or an "
                           "index or a stride is kept in 8 bits, which end at 127 with a sign and "
                           "at 255 without"
                         : limits[i].why);
        text_addf(&d->evidence, "%d shapes, failing exactly beyond %lld", all->count,
                  (long long)limits[i].limit);
        return true;
    }
    if (confused_sizes(all)) {
        d->class = "m-n-k-swapped";
        text_add(&d->sentence,
                 "Square matrices are right, and shapes with three different sizes are not: "
                 "somewhere one of m, n and k is used where another belongs. A is m x k, B k x n, "
                 "C m x n: check ");
        text_add(&d->sentence, c->entry == ENTRY_HOST ? "the bytes of each allocation and copy."
                                                      : "every stride and every bound.");
        text_add(&d->evidence,
                 "shapes without edges: right when m = n = k, wrong when all three differ");
        return true;
    }
    return false;
}
