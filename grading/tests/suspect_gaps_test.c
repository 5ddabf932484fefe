/*
 * suspect_gaps_test.c: elements of C that nobody stores are told by the pattern in which they lack:
 * some of a row's last columns, or some of every so many rows. And where rows are right up to one
 * row alone, by the index that ends there.
 */
#include "common/tests/suite.h"
#include "grading/tests/made_trial.h"

#include <string.h>

/* ---- gaps ---- */

/* Is (row, col) stored? */
typedef bool keeper(struct shape s, int row, int col);

static bool middle_of_three(struct shape s, int row, int col) {
    (void)row;
    return s.n % 4 != 3 || col != s.n - 2;
}
static bool whole_fours(struct shape s, int row, int col) {
    (void)row;
    return col < s.n / 4 * 4;
}
static bool now_first_now_second(struct shape s, int row, int col) { /* of two columns */
    (void)row;
    return s.n % 4 != 2 || col != s.n - (s.n < 40 ? 1 : 2);
}
static bool last_pair_lost(struct shape s, int row, int col) {
    (void)row;
    return s.n % 2 != 0 || col < s.n - 2;
}
static bool last_pair_always_lost(struct shape s, int row, int col) {
    (void)row;
    return col < s.n - 2;
}
static bool three_of_four(struct shape s, int row, int col) {
    (void)s, (void)col;
    return row % 4 != 3;
}
static bool two_of_five(struct shape s, int row, int col) {
    (void)s, (void)col;
    return row % 5 < 2;
}
static bool three_of_four_mostly(struct shape s, int row, int col) {
    return three_of_four(s, row, col) || (row == 7 && col == 5);
}
static bool one_row_lost(struct shape s, int row, int col) {
    (void)s, (void)col;
    return row != 7;
}
static bool even_columns(struct shape s, int row, int col) {
    (void)s, (void)row;
    return col % 2 == 0;
}

/* 8 x 8 elements of a tile of 128 x 128, 16 apart: the thread ends at the first one outside. */
static bool until_outside(struct shape s, int row, int col) {
    return row % 128 / 16 == 0 || col / 128 * 128 + col % 16 + 7 * 16 < s.n;
}
/* 4 x 4 elements side by side, column by column. */
static bool columns_until_outside(struct shape s, int row, int col) {
    return col % 4 == 0 || row / 4 * 4 + 3 < s.m;
}

static const struct {
    const char *name;
    keeper *keeps;
    int threads;              /* of a block; 0: not counted */
    const char *class, *says; /* NULL: nothing */
} gaps[] = {
    {"middle", middle_of_three, 0, "rest-of-quad-dropped",
     "the first is there, the second is missing, the third is there"},
    {"all of the rest", whole_fours, 0, NULL, NULL},
    {"different ones", now_first_now_second, 0, NULL, NULL},
    {"the last pair", last_pair_lost, 0, "columns-skipped",
     "never stored where n is a multiple of 2"},
    {"of any n", last_pair_always_lost, 0, NULL, NULL},
    {"more warps", three_of_four, 96, "rows-skipped",
     "dealt out to 4 warps, and these blocks have 3"},
    {"warps enough", three_of_four, 256, "rows-skipped", "a loop over rows takes 4 at a time"},
    {"not counted", three_of_four, 0, "rows-skipped", "a loop over rows takes 4 at a time"},
    {"two of five", two_of_five, 64, "rows-skipped", "to 5 warps, and these blocks have 2"},
    {"one there", three_of_four_mostly, 96, NULL, NULL},
    {"one row", one_row_lost, 96, NULL, NULL},
    {"a return", until_outside, 256, "storing-ends-early", "its next rows are inside"},
    {"of columns", columns_until_outside, 64, "storing-ends-early", "its next columns are inside"},
    {"columns", even_columns, 96, NULL, NULL},
};

TEST_EACH(gaps_are_told, sizeof gaps / sizeof *gaps) {
    static const struct shape shapes[] = {
        {33, 31, 17}, {64, 32, 32}, {40, 34, 9}, {41, 42, 7}, {19, 23, 40}};
    enum { COUNT = sizeof shapes / sizeof *shapes };
    struct trials all = {.count = 0};
    const struct trial *wrong[COUNT];
    int count = 0;
    for (size_t i = 0; i < COUNT; i++) {
        struct call_plan plan = {.entry = ENTRY_DEVICE,
                                 .shape = shapes[i],
                                 .input = INPUT_WIDE,
                                 .poison = POISON_INTEGERS,
                                 .seed = 30 + i};
        struct trial *t = make_trial(&all, "probe", &plan, false);
        for (int at = 0; at < t->shape.m * t->shape.n; at++)
            if (gaps[_i].keeps(t->shape, at / t->shape.n, at % t->shape.n))
                t->got[at] = (float)t->want[at];
        t->counted = gaps[_i].threads > 0;
        t->work.of[WORK_LAUNCHES] = t->work.of[WORK_BLOCK_Y] = t->work.of[WORK_BLOCK_Z] = 1;
        t->work.of[WORK_BLOCK_X] = (uint64_t)gaps[_i].threads;
        judge_trial(t);
        if (t->verdict == VERDICT_WRONG)
            wrong[count++] = t;
    }
    ck_assert_int_gt(count, 0);
    struct text said = {0};
    const char *class = suspect_gaps(wrong, count, &said);
    if (gaps[_i].class) {
        ck_assert_msg(class && strcmp(class, gaps[_i].class) == 0, "%s: %s", gaps[_i].name,
                      class ? class : "nothing");
        ck_assert_msg(strstr(text_get(&said), gaps[_i].says) != NULL, "%s: %s", gaps[_i].name,
                      text_get(&said));
    } else {
        ck_assert_msg(!class, "%s: %s", gaps[_i].name, class ? class : "");
    }
    text_free(&said);
    trials_free(&all);
}

/* ---- an index that ends ---- */

/* The first element of A, or of C, whose number is too large for the index; by_c: of C. */
static const struct {
    const char *name;
    int end;
    bool by_c;
    int row;          /* another first wrong row than `end` makes; 0: none */
    const char *says; /* NULL: another class, or nothing */
} ends[] = {
    {"A, short", 32768, false, 0, "elements of A have numbers below 32768"},
    {"A, unsigned short", 65536, false, 0, "an unsigned short"},
    {"C, short", 32768, true, 0, "elements of C have numbers below 32768"},
    {"C, unsigned short", 65536, true, 0, "elements of C have numbers below 65536"},
    {"a row like any other", 0, false, 100, NULL},
};

TEST_EACH(index_ends_are_told, sizeof ends / sizeof *ends) {
    static const struct shape shapes[] = {{300, 3, 259}, {280, 270, 3}, {500, 150, 2},
                                          {460, 2, 151}, {16, 16, 16},  {20, 7, 33},
                                          {90, 90, 5},   {64, 32, 32}};
    static const struct suspect_context kernel = {.entry = ENTRY_DEVICE};
    struct trials all = {.count = 0};
    for (size_t i = 0; i < sizeof shapes / sizeof *shapes; i++) {
        struct call_plan plan = {.entry = ENTRY_DEVICE,
                                 .shape = shapes[i],
                                 .input = INPUT_SMALL,
                                 .poison = POISON_INTEGERS,
                                 .seed = 40 + i};
        struct trial *t = make_trial(&all, "case", &plan, false);
        for (int at = 0; at < t->shape.m * t->shape.n; at++) {
            const int row = at / t->shape.n;
            const int number =
                ends[_i].by_c ? at : (row + 1) * t->shape.k - 1; /* the row's last of A */
            const bool fits = ends[_i].row > 0 ? row < ends[_i].row : number < ends[_i].end;
            t->got[at] = (float)t->want[at] + (fits ? 0.0f : 1.0f);
        }
        judge_trial(t);
    }
    struct diagnosis d = {0};
    const bool found = suspect_shapes(&all, &kernel, &d);
    const char *said = text_get(&d.sentence);
    if (ends[_i].says) {
        ck_assert_msg(found && strcmp(d.class, "index-overflow") == 0, "%s: %s", ends[_i].name,
                      said);
        ck_assert_msg(strstr(said, ends[_i].says) != NULL, "%s: %s", ends[_i].name, said);
    } else {
        ck_assert_msg(!found || strstr(said, "numbers below") == NULL, "%s: %s", ends[_i].name,
                      said);
    }
    diagnosis_free(&d);
    trials_free(&all);
}

int main(void) {
    return run_tests((struct suite){.name = "grading/suspect_gaps"});
}
