/* questions.c: tensor cores. */
#include "solutions/questions/formulas.h"

#include <math.h>

/* ---- Who holds what: C's element n[0] n[1], A's n[2] n[3], B's n[4] n[5], a lane n[6] ---- */

static void draw_lanes(struct drawn *d, struct generator *g) {
    do {
        d->n[0] = pick(g, 0, 15);
        d->n[1] = pick(g, 2, 7);
        d->n[2] = pick(g, 0, 15);
        d->n[3] = pick(g, 2, 7);
        d->n[4] = pick(g, 0, 7);
        d->n[5] = pick(g, 0, 7);
        d->n[6] = pick(g, 1, 30);
    } while (d->n[4] == d->n[5] || d->n[1] / 2 == d->n[1] % 4);
}

static void text_lanes(struct text *t, const struct drawn *d) {
    text_addf(
        t,
        "One mma multiplies 16 x 8 elements of A by 8 x 8 of B. Which lane holds the element of "
        "C in row %d, column %d? Of A in row %d, column %d? Of B in row %d, column %d? And "
        "which rows of C does lane %d hold elements of?\n",
        (int)d->n[0], (int)d->n[1], (int)d->n[2], (int)d->n[3], (int)d->n[4], (int)d->n[5],
        (int)d->n[6]);
    text_add(t,
             "Then in general: the lane that holds C's element in row r, column c, as a formula. "
             "As in C: / drops the remainder, % gives it.\n");
}

VALUE(lane_C, whole(d->n[0] % 8 * 4 + d->n[1] / 2))
VALUE(lane_C_as_A, whole(d->n[0] % 8 * 4 + d->n[1] % 4))
VALUE(lane_A, whole(d->n[2] % 8 * 4 + d->n[3] % 4))
VALUE(lane_A_as_C, whole(d->n[2] % 8 * 4 + d->n[3] / 2))
VALUE(lane_B, whole(d->n[5] * 4 + d->n[4] % 4))
VALUE(lane_B_as_A, whole(d->n[4] * 4 + d->n[5] % 4))
VALUE(lane_rows, whole_two(d->n[6] / 4, d->n[6] / 4 + 8))
VALUE(lane_columns, whole_two(d->n[6] % 4 * 2, d->n[6] % 4 * 2 + 1))
VALUE(formula_lane, one(fmod(v->r, 8) * 4 + floor(v->c / 2)))
VALUE(formula_lane_upper, one(v->r * 4 + floor(v->c / 2)))
VALUE(formula_lane_A, one(fmod(v->r, 8) * 4 + fmod(v->c, 4)))

static const struct formula_blank lane_blanks[] = {
    {.name = "lane_C",
     .kind = BLANK_NUMBERS,
     .ask = "the lane that holds C's element",
     .value = lane_C,
     .hint = "Its row says which group, its column which member. A lane is 4 * group + member.",
     .slips = {{lane_C_as_A, "That is A's way. A lane's two columns of C lie side by side."}}},
    {.name = "lane_A",
     .kind = BLANK_NUMBERS,
     .ask = "A's",
     .value = lane_A,
     .hint = "Its row says which group, its column which member. A lane is 4 * group + member.",
     .slips = {{lane_A_as_C, "That is C's way. A lane's two columns of A are 4 apart."}}},
    {.name = "lane_B",
     .kind = BLANK_NUMBERS,
     .ask = "B's",
     .value = lane_B,
     .hint = "In B, rows and columns have changed their parts.",
     .slips = {{lane_B_as_A, "In B the column says which group."}}},
    {.name = "lane_rows",
     .kind = BLANK_NUMBERS,
     .ask = "that lane's two rows of C, the smaller first",
     .value = lane_rows,
     .hint = "Which group is it in?",
     .slips = {{lane_columns, "These are its columns."}}},
    {.name = "lane_formula",
     .kind = BLANK_FORMULAS,
     .ask = "formula of the lane, from r and c",
     .variables = "r c",
     .value = formula_lane,
     .written = "r % 8 * 4 + c / 2",
     .hint = "Write down the lanes of a few elements, also below row 8.",
     .slips = {{formula_lane_upper, "There are 32 lanes. Who holds row 8?"},
               {formula_lane_A, "That is A's way. A lane's two columns of C lie side by side."}}},
};

/* ---- Rounding: x n[0], y n[1] ---- */

/* The distance of TF32 numbers around x: 11 digits in all. */
static int64_t spacing(int64_t x) {
    int64_t step = 1;
    while (x >= 2048 * step)
        step *= 2;
    return step;
}

static int64_t big_of(int64_t x) {
    const int64_t step = spacing(x);
    return (x + step / 2) / step * step;
}

static void draw_split(struct drawn *d, struct generator *g) {
    do
        d->n[0] = pick(g, 4100, 16300);
    while (d->n[0] % spacing(d->n[0]) == 0 ||
           2 * (d->n[0] % spacing(d->n[0])) == spacing(d->n[0]) ||
           spacing(big_of(d->n[0])) != spacing(d->n[0]));
    d->n[1] = pick(g, 3, 90);
}

static void text_split(struct text *t, const struct drawn *d) {
    text_addf(
        t,
        "%d is cut into two TF32 numbers: big is the nearest one, small is what is left. What "
        "does plain TF32, one product, make of %d * %d? And up to which number are all whole "
        "numbers TF32 numbers?\n",
        (int)d->n[0], (int)d->n[0], (int)d->n[1]);
}

VALUE(split_parts, whole_two(big_of(d->n[0]), d->n[0] - big_of(d->n[0])))

static struct blank_value split_down(const struct drawn *d, const struct variables *v) {
    (void)v;
    const int64_t rest = d->n[0] % spacing(d->n[0]);
    return whole_two(d->n[0] - rest, rest);
}

static struct blank_value split_ten(const struct drawn *d, const struct variables *v) {
    (void)v;
    const int64_t step = 2 * spacing(d->n[0]), big = (d->n[0] + step / 2) / step * step;
    return whole_two(big, d->n[0] - big);
}

VALUE(split_product, whole(big_of(d->n[0]) * d->n[1]))
VALUE(split_exact, whole(d->n[0] * d->n[1]))
VALUE(split_limit, whole(2048))
VALUE(split_limit_half, whole(1024))
VALUE(split_limit_before, whole(2047))

static const struct formula_blank split_blanks[] = {
    {.name = "big_small",
     .kind = BLANK_NUMBERS,
     .ask = "big, small (it may be negative)",
     .value = split_parts,
     .hint = "A TF32 number has 11 binary digits from its first 1 on. How far apart are such "
             "numbers at this size?",
     .slips = {{split_down, "That is cut off, not rounded: the next one is nearer."},
               {split_ten, "There are 10 digits after the point, and one before it."}}},
    {.name = "plain_product",
     .kind = BLANK_NUMBERS,
     .ask = "the product in plain TF32",
     .value = split_product,
     .hint = "The first factor is rounded before it is multiplied. Is the second one?",
     .slips = {{split_exact, "That is exact. Is the first factor a TF32 number?"}}},
    {.name = "exact_to",
     .kind = BLANK_NUMBERS,
     .ask = "whole numbers are exact up to",
     .value = split_limit,
     .hint = "Which is the first whole number that needs one digit more than there are?",
     .slips = {{split_limit_half, "There is a digit before the point, too."},
               {split_limit_before, "Almost. Does the next one fit?"}}},
};

/* ---- Errors: k n[0] ---- */

static double tensor_bound(int64_t k) {
    const int64_t columns = k < 256 ? k : 256;
    return 20.1 + 18.1 * (double)parts_over(columns, 8) + (double)parts_over(k, 256);
}

/* Not near 600 to 700, where the two bounds cross. */
static void draw_error(struct drawn *d, struct generator *g) {
    d->n[0] = pick(g, 1, 3) == 1 ? pick(g, 40, 550) : pick(g, 750, 6000);
}

static void text_error(struct text *t, const struct drawn *d) {
    text_add(t, "Errors in units of u = 1 / 2^24, as shares of a * b. Rounding to TF32 makes a "
                "factor wrong by 1/2048 of itself at most. How large is small * small at most? How "
                "large is big * small?\n");
    text_addf(
        t,
        "Then: the handout's bound of this lab for k = %d, in units of u * (|A||B|); and which "
        "bound is the smaller one there, this lab's (tensor) or that of a float product, k "
        "units (float)?\n",
        (int)d->n[0]);
}

VALUE(error_small, one(16777216.0 / 2048 / 2048))
VALUE(error_one, one(16777216.0 / 2048))
VALUE(error_bound, one(tensor_bound(d->n[0])))
VALUE(error_bound_unflushed,
      one(20.1 + 18.1 * (double)parts_over(d->n[0], 8) + (double)parts_over(d->n[0], 256)))

static const char *const bounds[] = {"tensor", "float", NULL};

VALUE(error_smaller, whole(d->n[0] < tensor_bound(d->n[0])))

static const struct formula_blank error_blanks[] = {
    {.name = "small_small",
     .kind = BLANK_NUMBERS,
     .ask = "small * small, in units of u",
     .value = error_small,
     .hint = "Each of them is at most 1/2048 of its number. Multiply, and compare with 1 / 2^24.",
     .slips = {{error_one, "That is one small factor. Here both are."}}},
    {.name = "big_small_u",
     .kind = BLANK_NUMBERS,
     .ask = "big * small, in units of u (take big as all of a)",
     .value = error_one,
     .hint = "One of the factors is at most 1/2048 of its number.",
     .slips = {{error_small, "That is with two small factors."}}},
    {.name = "bound_u",
     .kind = BLANK_REAL,
     .ask = "the bound, in units of u",
     .value = error_bound,
     .hint = "Three numbers: from splitting, from the tensor cores, from flushing. Round up each "
             "division.",
     .slips = {{error_bound_unflushed, "After 256 columns the sums start at zero again: the second "
                                       "number grows no more."}}},
    {.name = "smaller",
     .kind = BLANK_WORD,
     .words = bounds,
     .ask = "the smaller bound",
     .value = error_smaller,
     .hint = "A float product's bound is k units."},
};

/* ---- Where the bounds cross: flush n[0] ---- */

/* The bound and k in tenths of u, as whole numbers: no rounding decides which is less. From there
 * on it stays so: where the bound grows by one, k does, too. */
static int64_t crossing(int64_t flush) {
    int64_t k = flush;
    while (201 + 181 * (flush / 8) + 10 * parts_over(k, flush) >= 10 * k)
        k++;
    return k;
}

static void draw_cross(struct drawn *d, struct generator *g) {
    do
        d->n[0] = 8 * pick(g, 4, 80);
    while (d->n[0] == 256);
}

static void text_cross(struct text *t, const struct drawn *d) {
    text_addf(t,
              "Somebody adds the sums to the totals after every %d columns, so the handout's bound "
              "has this number instead of 256. From which k on is it less than a float product's "
              "bound, k * u * (|A||B|)?\n",
              (int)d->n[0]);
}

VALUE(cross_k, whole(crossing(d->n[0])))
VALUE(cross_k_handout, whole(crossing(256)))

static const struct formula_blank cross_blanks[] = {
    {.name = "cross_k",
     .kind = BLANK_NUMBERS,
     .ask = "the smallest such k",
     .value = cross_k,
     .hint = "Below one flush this lab's bound is larger. Beyond it, only its last number grows: "
             "guess k, and put it in.",
     .slips = {{cross_k_handout, "That is right for 256 columns."}}},
};

/* ---- Counting: warp tile n[0] x n[1], columns n[2] ---- */

static void draw_mma(struct drawn *d, struct generator *g) {
    d->n[0] = 16 * pick(g, 1, 6);
    d->n[1] = 8 * pick(g, 2, 12);
    d->n[2] = 8 * pick(g, 1, 8);
}

static void text_mma(struct text *t, const struct drawn *d) {
    text_addf(t,
              "A warp has a tile of %d x %d elements of C and takes %d columns of A, with three "
              "products for one. One mma: 16 x 8 of A, 8 x 8 of B, 16 x 8 of C.\n",
              (int)d->n[0], (int)d->n[1], (int)d->n[2]);
}

VALUE(mma_single, whole(d->n[0] / 16 * (d->n[1] / 8) * (d->n[2] / 8)))
VALUE(mma_count, one(3 * mma_single(d, v).v[0]))
VALUE(mma_needed, two(mma_count(d, v).v[0] * 1024, (double)(d->n[0] * d->n[1] * d->n[2])))
VALUE(mma_needed_once, two(mma_single(d, v).v[0] * 1024, mma_needed(d, v).v[1]))
VALUE(mma_registers, whole(d->n[0] * d->n[1] / 32))
VALUE(mma_elements, whole(d->n[0] * d->n[1]))

static const struct formula_blank mma_blanks[] = {
    {.name = "mma_count",
     .kind = BLANK_NUMBERS,
     .ask = "mma instructions",
     .value = mma_count,
     .hint = "Small tiles down, across, and along the columns of A; and the products.",
     .slips = {{mma_single,
                "That is one product for each small tile. How many does 3xTF32 make?"}}},
    {.name = "mma_madds",
     .kind = BLANK_NUMBERS,
     .ask = "their multiply-adds; multiply-adds that the product needs",
     .value = mma_needed,
     .hint = "How many multiply-adds has one mma? And one element of C, for each column of A?",
     .slips = {{mma_needed_once, "All three products are computed."}}},
    {.name = "sum_registers",
     .kind = BLANK_NUMBERS,
     .ask = "registers of a lane for its sums",
     .value = mma_registers,
     .hint = "The warp's lanes share the elements of its tile.",
     .slips = {{mma_elements, "That is the whole warp."}}},
};

/* ---- Flushing: k n[0], flush n[1], tile n[2] x n[3] ---- */

static void draw_flush(struct drawn *d, struct generator *g) {
    static const int flush[] = {8, 16, 32, 64, 128, 256, 512};
    static const int sides[] = {16, 32, 48, 64};
    d->n[1] = pick_from(g, flush, COUNT(flush));
    do
        d->n[0] = pick(g, 2 * d->n[1], 9000);
    while (d->n[0] % d->n[1] == 0);
    d->n[2] = pick_from(g, sides, COUNT(sides));
    d->n[3] = pick_from(g, sides, COUNT(sides));
}

static void text_flush(struct text *t, const struct drawn *d) {
    text_addf(
        t,
        "k = %d, and the sums are added to the totals after every %d columns, and at the end. A "
        "warp has a tile of %d x %d.\n",
        (int)d->n[0], (int)d->n[1], (int)d->n[2], (int)d->n[3]);
    text_add(
        t, "What do tensor cores do with digits that don't fit: are they cut, rounded or kept?\n");
}

VALUE(flush_count, whole(parts_over(d->n[0], d->n[1])))
VALUE(flush_down, whole(parts_in(d->n[0], d->n[1])))
VALUE(flush_additions, one(flush_count(d, v).v[0] * (double)(d->n[2] * d->n[3]) / 32))
VALUE(flush_additions_warp, one(flush_count(d, v).v[0] * (double)(d->n[2] * d->n[3])))

static const char *const ends[] = {"cut", "rounded", "kept", NULL};

VALUE(flush_digits, whole(0))

static const struct formula_blank flush_blanks[] = {
    {.name = "flushes",
     .kind = BLANK_NUMBERS,
     .ask = "flushes",
     .value = flush_count,
     .hint = "Columns of A, divided by the columns from one flush to the next.",
     .slips = {{flush_down, "The last columns are flushed, too."}}},
    {.name = "flush_additions",
     .kind = BLANK_NUMBERS,
     .ask = "float additions of a lane for them, all together",
     .value = flush_additions,
     .hint = "In each flush a lane adds each of its sums to a total.",
     .slips = {{flush_additions_warp, "That is the whole warp."}}},
    {.name = "digits",
     .kind = BLANK_WORD,
     .words = ends,
     .ask = "digits that don't fit are",
     .value = flush_digits,
     .hint = "Why do the errors of a long sum not cancel?"},
};

/* ---- Two films: lane n[0], register n[1] ---- */

static void draw_film(struct drawn *d, struct generator *g) {
    d->n[0] = pick(g, 1, 31);
    d->n[1] = pick(g, 0, 3);
}

static void text_film(struct text *t, const struct drawn *d) {
    text_add(t, "Two films of one product, 16 x 8 by 8 x 16: one-mma.cu, and wrong-layout.cu, "
                "which reads B by columns. B's elements are 0, 1, 2 ... by rows." FILMS);
    text_addf(t,
              "Choose lane %d where the matrices are multiplied, and look at its register b%d.\n",
              (int)d->n[0], (int)d->n[1]);
}

static int64_t film_row(const struct drawn *d) {
    return d->n[0] % 4 + d->n[1] % 2 * 4;
}

static int64_t film_column(const struct drawn *d) {
    return d->n[0] / 4 + d->n[1] / 2 * 8;
}

VALUE(film_element, whole_two(film_row(d), film_column(d)))
VALUE(film_element_turned, whole_two(film_column(d), film_row(d)))
VALUE(film_values, whole_two(16 * film_row(d) + film_column(d), 8 * film_column(d) + film_row(d)))
VALUE(film_place,
      whole_two((8 * film_column(d) + film_row(d)) / 16, (8 * film_column(d) + film_row(d)) % 16))

static const struct formula_blank film_blanks[] = {
    {.name = "film_element",
     .kind = BLANK_NUMBERS,
     .ask = "row and column of B's element that it stands for",
     .value = film_element,
     .hint = "The list below the three matrices names each register of the chosen lane.",
     .slips = {{film_element_turned, "The row comes first."}}},
    {.name = "film_values",
     .kind = BLANK_NUMBERS,
     .ask = "its value: in one-mma.cu, in wrong-layout.cu",
     .value = film_values,
     .hint = "The same list has the values."},
    {.name = "film_place",
     .kind = BLANK_NUMBERS,
     .ask = "row and column of the element of B that it is in wrong-layout.cu",
     .value = film_place,
     .hint = "B's rows have 16 elements, and the elements say themselves where they are.",
     .slips = {{film_element, "There the right value would be. B's element tells where this one "
                              "is from."}}},
};

const struct formula_question questions_lab9[] = {
    {"lab9.lanes", "Who holds what?", "lab9.md#lanes", draw_lanes, text_lanes, lane_blanks,
     COUNT(lane_blanks), NULL},
    {"lab9.split", "Cut in two", "lab9.md#three", draw_split, text_split, split_blanks,
     COUNT(split_blanks), NULL},
    {"lab9.error", "How wrong?", "lab9.md#graded", draw_error, text_error, error_blanks,
     COUNT(error_blanks), NULL},
    {"lab9.cross", "Where the bounds cross", "lab9.md#graded", draw_cross, text_cross, cross_blanks,
     COUNT(cross_blanks), NULL},
    {"lab9.mma", "Counting mma", "lab9.md#lanes", draw_mma, text_mma, mma_blanks, COUNT(mma_blanks),
     NULL},
    {"lab9.flush", "Flushing", "lab9.md#drift", draw_flush, text_flush, flush_blanks,
     COUNT(flush_blanks), NULL},
    {"lab9.film", "Two films", "debugging.md#films", draw_film, text_film, film_blanks,
     COUNT(film_blanks), NULL},
};

const size_t questions_lab9_count = COUNT(questions_lab9);
