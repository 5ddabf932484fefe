/*
 * structured_test.c: from probes with structured contents it is told on which way a program's
 * mistake lies, for programs that move, mix, repeat or mispair; a right one, and one whose results
 * are no sums of products, get no answer.
 *
 * Each program is a list of terms: which element of A is multiplied by which of B, for each element
 * of C.
 */
#include "common/tests/suite.h"
#include "grading/src/diagnose/structured.h"

#include <stdlib.h>
#include <string.h>

struct term {
    int a_row, a_col, b_row, b_col; /* a_row -1: this element is never written; -2: no term */
};

/* The term number p of element (i, j); sides are multiples of nothing in particular. */
typedef void program(int side, int i, int j, int p, struct term *t);

#define PROGRAM(name, ...)                                                                         \
    static void name(int side, int i, int j, int p, struct term *t) {                              \
        (void)side, (void)i, (void)j, (void)p;                                                     \
        *t = (struct term){__VA_ARGS__};                                                           \
    }
/* Another number in the same group of four, if the group is whole. */
static int turned(int x, int side) {
    return x / 4 * 4 + 4 <= side ? x / 4 * 4 + (x + 1) % 4 : x;
}
PROGRAM(right, i, p, p, j)
PROGRAM(rows_moved, turned(i, side), p, p, j)
PROGRAM(rows_squeezed, i < side / 2 ? 2 * i : -1, p, p, j)
PROGRAM(rows_left_out, i < side / 2 ? i : -1, p, p, j)
PROGRAM(squeezed_and_mixed, i < side / 2 ? (p % 2 ? 2 * i : i) : -1, p, p, j)
PROGRAM(transposed, j, p, p, i)
PROGRAM(a_mixed, p % 2 ? turned(i, side) : i, p, p, j)
PROGRAM(a_repeated, i, p / 2 * 2, p, j)
PROGRAM(b_mixed, i, p, p, p % 3 ? j : turned(j, side))
PROGRAM(b_repeated, i, p, p / 2 * 2, j)
PROGRAM(mispaired, i, turned(p, side), p, j)
PROGRAM(repeated, i, p / 2 * 2, p / 2 * 2, j)
PROGRAM(both_mixed, p % 2 ? turned(i, side) : i, p, p, p % 2 ? turned(j, side) : j)
PROGRAM(both_repeated, turned(i, side), p / 2 * 2, p / 2 * 2, j)
PROGRAM(a_moved_b_mixed, turned(i, side), p, p, p % 3 ? j : turned(j, side))

/* Tiles of 32 columns, put down in rows of 36 and picked up in rows of 32. */
static void rows_of_32(int side, int i, int j, int p, struct term *t) {
    const int place = i % 32 * 32 + j % 32, row = i / 32 * 32 + place / 36, col = place % 36;
    (void)side;
    *t = (struct term){col < 32 && j / 32 * 32 + col < side ? row : -2, p, p, j / 32 * 32 + col};
}

static const struct {
    const char *name;
    program *program;
    const char *class, *says;
} programs[] = {
    {"right", right, NULL, NULL},
    {"rows in each other's place", rows_moved, "sum-misplaced", "C[1][2] holds row 2 of A"},
    {"rows closer together", rows_squeezed, "sum-misplaced",
     "are never written. C[1][2] holds row 2"},
    {"rows never written", rows_left_out, NULL, NULL},
    {"closer together and mixed", squeezed_and_mixed, NULL, NULL},
    {"transposed", transposed, "sum-misplaced", "belongs in C[2][1]"},
    {"several rows of A", a_mixed, "A-misplaced", "multiplied by A[2][29], and A[1][29] belongs"},
    {"A's columns twice", a_repeated, "A-misplaced", "multiplied by A[1][28], and A[1][29]"},
    {"several columns of B", b_mixed, "B-misplaced", "right row of A, every element of it once"},
    {"B's rows twice", b_repeated, "B-misplaced", "multiplied by B[28][2], and B[29][2]"},
    {"terms meet others", mispaired, "terms-mispaired", "B[29][2] is multiplied by A[1][30]"},
    {"terms twice", repeated, "terms-repeated", "p = 29 is in the sum of C[1][2] 0 times"},
    {"both mixed", both_mixed, "A-and-B-misplaced", "several rows of A, and some take elements of"},
    {"both, and moved", both_repeated, "A-and-B-misplaced", "another row of A"},
    {"moved and mixed", a_moved_b_mixed, "A-and-B-misplaced", "several columns of B"},
    {"rows of another length", rows_of_32, "row-length", "in rows of 36 floats"},
};

static const int sides[] = STRUCTURED_SIDES;

/* What such a program computes of a probe. */
static struct trial *compute(struct trials *all, program *of, enum structured_probe which,
                             int side) {
    const struct call_plan plan = {.entry = ENTRY_DEVICE,
                                   .shape = {side, side, side},
                                   .input = INPUT_SMALL,
                                   .poison = POISON_INTEGERS,
                                   .seed = 3};
    struct call_data data;
    call_data_make(&data, &plan, (struct guard_bands){0});
    float *a = (float *)(void *)(data.bytes[MATRIX_A] + data.region[MATRIX_A].offset);
    float *b = (float *)(void *)(data.bytes[MATRIX_B] + data.region[MATRIX_B].offset);
    if (which != STRUCTURED_ANY)
        structured_fill(which, side, a, b);
    struct trial *t =
        trials_add(all, "probe", &data, VERDICT_WRONG, call_data_matrix(&data, MATRIX_C), NULL);
    for (int at = 0; at < side * side; at++) {
        t->got[at] = 0;
        for (int p = 0; p < side; p++) {
            struct term x;
            of(side, at / side, at % side, p, &x);
            if (x.a_row == -2)
                continue;
            if (x.a_row < 0) {
                t->got[at] = t->before[at];
                break;
            }
            t->got[at] += a[x.a_row * side + x.a_col] * b[x.b_row * side + x.b_col];
        }
    }
    call_data_free(&data);
    return t;
}

static bool judge(struct trials *all, program *of, int side, struct diagnosis *d,
                  void (*spoil)(float *c, int side)) {
    const struct trial *probes[STRUCTURED_PROBES];
    for (int i = 0; i < STRUCTURED_PROBES; i++) {
        struct trial *t = compute(all, of, (enum structured_probe)i, side);
        if (spoil)
            spoil(t->got, side);
        probes[i] = t;
    }
    return structured_judge(probes, d);
}

TEST_EACH(ways_are_told_apart, sizeof programs / sizeof *programs) {
    for (size_t i = 0; i < sizeof sides / sizeof *sides; i++) {
        struct trials all = {.count = 0};
        struct diagnosis d = {0};
        const bool said = judge(&all, programs[_i].program, sides[i], &d, NULL);
        ck_assert_msg(said == (programs[_i].class != NULL), "%s: %s", programs[_i].name,
                      text_get(&d.sentence));
        if (said) {
            ck_assert_str_eq(d.class, programs[_i].class);
            ck_assert_msg(strstr(text_get(&d.sentence), programs[_i].says) != NULL, "%s: %s",
                          programs[_i].name, text_get(&d.sentence));
        }
        diagnosis_free(&d);
        trials_free(&all);
    }
}

/* The sum of every second row is added to that of the row above, and has none itself. */
static void add_rows_up(float *c, int side) {
    for (int at = 0; at < side * (side - 1); at++) {
        if (at / side % 2 == 0) {
            c[at] += c[at + side];
            c[at + side] = 0;
        }
    }
}
/* The rows from 32 on are added twice. */
static void add_again(float *c, int side) {
    for (int at = 32 * side; at < side * side; at++)
        c[at] *= 2;
}
static void add_one(float *c, int side) {
    for (int at = 0; at < side * side; at++)
        c[at] += 0.5f;
}
static void lose_one(float *c, int side) {
    c[side + 2] = 0;
}

TEST(sums_are_mixed) {
    struct trials all = {.count = 0};
    struct diagnosis d = {0};
    ck_assert(judge(&all, right, 128, &d, add_rows_up));
    ck_assert_str_eq(d.class, "sums-mixed");
    ck_assert_ptr_nonnull(strstr(text_get(&d.sentence), "C[2][1] has 256 terms"));
    ck_assert_ptr_nonnull(strstr(text_get(&d.sentence), "C[1][2] has 0"));
    diagnosis_free(&d);
    trials_free(&all);
}

TEST(own_sums_are_added_again) {
    struct trials all = {.count = 0};
    struct diagnosis d = {0};
    ck_assert(judge(&all, right, 128, &d, add_again));
    ck_assert_str_eq(d.class, "sum-added-again");
    ck_assert_ptr_nonnull(strstr(text_get(&d.sentence), "C[32][1] holds 2 times its own sum"));
    ck_assert_ptr_nonnull(strstr(text_get(&d.sentence), "all rows from 32 on"));
    diagnosis_free(&d);
    trials_free(&all);
}

/* What is no sum of products, or lacks terms somewhere, is left to others. */
TEST(what_is_no_product_is_left_alone) {
    void (*const spoils[])(float *c, int side) = {add_one, lose_one};
    for (size_t i = 0; i < sizeof spoils / sizeof *spoils; i++) {
        struct trials all = {.count = 0};
        struct diagnosis d = {0};
        ck_assert(!judge(&all, right, 128, &d, spoils[i]));
        trials_free(&all);
    }
}

int main(void) {
    return run_tests((struct suite){.name = "grading/structured", .seconds = 120});
}
