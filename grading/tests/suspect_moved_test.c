/*
 * suspect_moved_test.c: right sums that lie in each other's places are told, with the order in
 * which they lie; what is lost, doubled, or right is left alone.
 */
#include "common/tests/suite.h"
#include "grading/tests/made_trial.h"

#include <string.h>

/* Where the sum of (row, col) is stored; false: it is not. */
typedef bool mover(int *row, int *col);

static bool stay(int *row, int *col) {
    (void)row, (void)col;
    return true;
}
static bool transpose(int *row, int *col) { /* within squares of 16 */
    const int r = *row, c = *col;
    *row = r / 16 * 16 + c % 16;
    *col = c / 16 * 16 + r % 16;
    return true;
}
static bool swap_pairs(int *row, int *col) { /* columns 1 and 2 of each four */
    (void)row;
    if (*col % 4 == 1 || *col % 4 == 2)
        *col ^= 3;
    return true;
}
static bool shuffle(int *row, int *col) { /* rows of a thread, 4 side by side for 8 apart */
    (void)col;
    *row = *row / 32 * 32 + *row % 8 * 4 + *row % 32 / 8;
    return true;
}
static bool turn(int *row, int *col) { /* within 8 x 4: both at once */
    const int r = *row % 8, c = *col % 4;
    *row = *row / 8 * 8 + (r + 3) % 8;
    *col = *col / 4 * 4 + (c + r) % 4;
    return true;
}
static bool lose(int *row, int *col) { /* one of each square, which is another's, too */
    if (*row % 16 == 3 && *col % 16 == 5)
        *col += 1;
    return true;
}
static bool omit(int *row, int *col) {
    return transpose(row, col) && *row % 16 != 7;
}

static const struct {
    const char *name;
    mover *moves;
    const char *says; /* NULL: nothing */
} programs[] = {
    {"right", stay, NULL},
    {"transposed", transpose, "each 16 x 16 square of C is transposed"},
    {"pairs", swap_pairs,
     "in each 1 x 4 piece of C, the element in row 0 and column 1 is that of "
     "row 0 and column 2."},
    {"rows", shuffle,
     "in each 32 x 1 piece of C, the element in row 1 and column 0 is that of row "
     "8 and column 0."},
    {"both", turn,
     "in each 8 x 4 piece of C, the element in row 0 and column 0 is that of row 5 "
     "and column 3."},
    {"one lost", lose, NULL},
    {"some omitted", omit, NULL},
};

static void run(struct trials *all, mover *moves, bool tensor_cores) {
    static const struct shape shapes[] = {{32, 64, 96}, {64, 32, 32}, {33, 31, 17}, {1, 1, 1}};
    for (size_t i = 0; i < sizeof shapes / sizeof *shapes; i++) {
        struct call_plan plan = {.entry = ENTRY_DEVICE,
                                 .shape = shapes[i],
                                 .input = INPUT_WIDE,
                                 .poison = POISON_INTEGERS,
                                 .seed = 20 + i};
        struct trial *t = make_trial(all, "probe", &plan, tensor_cores);
        for (int at = 0; at < t->shape.m * t->shape.n; at++) {
            int row = at / t->shape.n, col = at % t->shape.n;
            if (moves(&row, &col) && row < t->shape.m && col < t->shape.n)
                t->got[row * t->shape.n + col] = (float)t->want[at];
        }
        judge_trial(t);
    }
}

TEST_EACH(moved_sums_are_told, sizeof programs / sizeof *programs) {
    static const struct suspect_context kernel = {.entry = ENTRY_DEVICE};
    for (int tensor_cores = 0; tensor_cores < 2; tensor_cores++) {
        struct trials all = {.count = 0};
        struct diagnosis d = {0};
        run(&all, programs[_i].moves, tensor_cores);
        const bool found = suspect_moved(&all, &kernel, &d);
        const char *said = text_get(&d.sentence);
        ck_assert_msg(found == (programs[_i].says != NULL), "%s: %s", programs[_i].name, said);
        if (found) {
            ck_assert_str_eq(d.class, "index-wrong");
            ck_assert_msg(strstr(said, programs[_i].says) != NULL, "%s: %s", programs[_i].name,
                          said);
            ck_assert_int_eq(strstr(said, "mem_row_major") != NULL,
                             tensor_cores && programs[_i].moves == transpose);
        }
        diagnosis_free(&d);
        trials_free(&all);
    }
}

int main(void) {
    return run_tests((struct suite){.name = "grading/suspect_moved"});
}
