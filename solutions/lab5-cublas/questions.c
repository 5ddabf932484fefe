/* questions.c: storage by columns, the arguments of cublasSgemm. */
#include "solutions/questions/formulas.h"

/* ---- Reading by columns: rows n[0], columns n[1], place n[2] n[3] ---- */

static void draw_columns(struct drawn *d, struct generator *g) {
    do {
        d->n[0] = pick(g, 3, 7);
        d->n[1] = pick(g, 3, 7);
    } while (d->n[0] == d->n[1]);
    do {
        d->n[2] = pick(g, 0, d->n[0] - 1);
        d->n[3] = pick(g, 0, d->n[1] - 1);
    } while (d->n[3] * d->n[0] + d->n[2] == d->n[2] * d->n[1] + d->n[3]); /* the same either way */
}

static void text_columns(struct text *t, const struct drawn *d) {
    text_addf(
        t,
        "The numbers 0, 1, 2 ... %d lie in memory, in this order. Somebody reads them as a "
        "matrix of %d rows and %d columns, stored by columns, with the smallest leading dimension "
        "that is possible. Which number do they find in row %d, column %d (from 0)? And who reads "
        "them as a %d x %d matrix stored by rows?\n",
        (int)(d->n[0] * d->n[1] - 1), (int)d->n[0], (int)d->n[1], (int)d->n[2], (int)d->n[3],
        (int)d->n[0], (int)d->n[1]);
}

VALUE(by_columns, one((double)(d->n[3] * d->n[0] + d->n[2])))
VALUE(by_rows, one((double)(d->n[2] * d->n[1] + d->n[3])))

static const struct formula_blank column_blanks[] = {
    {.name = "by_columns",
     .kind = BLANK_NUMBERS,
     .ask = "the number, stored by columns",
     .value = by_columns,
     .hint = "Whole columns lie before it, each as long as the matrix has rows.",
     .slips = {{by_rows, "That is stored by rows."}}},
    {.name = "by_rows",
     .kind = BLANK_NUMBERS,
     .ask = "the number, stored by rows",
     .value = by_rows,
     .hint = "Whole rows lie before it.",
     .slips = {{by_columns, "That is stored by columns."}}},
};

/* ---- The call: m n[0], k n[1], n n[2] ---- */

static void draw_call(struct drawn *d, struct generator *g) {
    do
        for (int i = 0; i < 3; i++)
            d->n[i] = pick(g, 3, 99);
    while (d->n[0] == d->n[1] || d->n[1] == d->n[2] || d->n[0] == d->n[2]);
}

static void text_call(struct text *t, const struct drawn *d) {
    text_addf(
        t,
        "Row-major: A is %d x %d, B is %d x %d, C = A B. All three lie in memory without gaps, "
        "and cuBLAS reads the same memory by columns. Transpose nothing: both operations "
        "are CUBLAS_OP_N.\n",
        (int)d->n[0], (int)d->n[1], (int)d->n[1], (int)d->n[2]);
    text_add(
        t,
        "Places of cublasSgemm's arguments: 1 handle, 2 3 operations, 4 5 6 m n k, 7 alpha, 8 9 "
        "first operand and its ld, 10 11 second operand and its ld, 12 beta, 13 14 result and its "
        "ld.\n");
}

VALUE(seen_A, three((double)d->n[1], (double)d->n[0], (double)d->n[1]))
VALUE(seen_B, three((double)d->n[2], (double)d->n[1], (double)d->n[2]))
VALUE(seen_C, three((double)d->n[2], (double)d->n[0], (double)d->n[2]))
VALUE(row_major_A, three((double)d->n[0], (double)d->n[1], (double)d->n[1]))
VALUE(row_major_B, three((double)d->n[1], (double)d->n[2], (double)d->n[2]))
VALUE(row_major_C, three((double)d->n[0], (double)d->n[2], (double)d->n[2]))
VALUE(call_sizes, three((double)d->n[2], (double)d->n[0], (double)d->n[1]))
VALUE(call_unswapped, three((double)d->n[0], (double)d->n[2], (double)d->n[1]))
VALUE(call_leading, three((double)d->n[2], (double)d->n[1], (double)d->n[2]))
VALUE(call_leading_unswapped, three((double)d->n[1], (double)d->n[2], (double)d->n[2]))

#define OURS "That is how we see it. Read by columns, our rows are columns."
#define SEEN "Our rows are its columns, and they lie one after the other without gaps."

static const struct formula_blank call_blanks[] = {
    {.name = "seen_A",
     .kind = BLANK_NUMBERS,
     .ask = "what cuBLAS sees of A: rows, columns, ld",
     .value = seen_A,
     .hint = SEEN,
     .slips = {{row_major_A, OURS}}},
    {.name = "seen_B",
     .kind = BLANK_NUMBERS,
     .ask = "of B: rows, columns, ld",
     .value = seen_B,
     .hint = SEEN,
     .slips = {{row_major_B, OURS}}},
    {.name = "seen_C",
     .kind = BLANK_NUMBERS,
     .ask = "of C: rows, columns, ld",
     .value = seen_C,
     .hint = SEEN,
     .slips = {{row_major_C, OURS}}},
    {.name = "places_8_10_13",
     .kind = BLANK_TEXT,
     .ask = "three letters, as in: A B C",
     .hint = "It must write what we read as C. Which product of what it sees is that?",
     .written = "B A C"},
    {.name = "places_4_5_6",
     .kind = BLANK_NUMBERS,
     .ask = "three numbers",
     .value = call_sizes,
     .hint = "Rows and columns of the result as cuBLAS sees it, and what its operands share.",
     .slips = {{call_unswapped,
                "That is our m, n and k. Its result is not our C but C transposed."}}},
    {.name = "places_9_11_14",
     .kind = BLANK_NUMBERS,
     .ask = "three numbers",
     .value = call_leading,
     .hint = "The leading dimensions of what stands in places 8, 10 and 13.",
     .slips = {{call_leading_unswapped, "These belong to the operands in the other order."}}},
};

/* ---- A corner of a larger matrix: side n[0], corner n[1] ---- */

static void draw_corner(struct drawn *d, struct generator *g) {
    d->n[0] = pick(g, 20, 90) * 10;
    d->n[1] = pick(g, 5, 15) * 10;
}

static void text_corner(struct text *t, const struct drawn *d) {
    text_addf(
        t,
        "Only the upper left %d x %d corners of two row-major %d x %d matrices are to be "
        "multiplied, into the corner of a third. Nothing is copied. Which numbers stand in places "
        "4, 5, 6 and 9, 11, 14?\n",
        (int)d->n[1], (int)d->n[1], (int)d->n[0], (int)d->n[0]);
}

VALUE(corner_sizes, three((double)d->n[1], (double)d->n[1], (double)d->n[1]))
VALUE(corner_leading, three((double)d->n[0], (double)d->n[0], (double)d->n[0]))

static const struct formula_blank corner_blanks[] = {
    {.name = "corner_4_5_6",
     .kind = BLANK_NUMBERS,
     .ask = "three numbers",
     .value = corner_sizes,
     .hint = "The sizes are those of what is multiplied."},
    {.name = "corner_9_11_14",
     .kind = BLANK_NUMBERS,
     .ask = "three numbers",
     .value = corner_leading,
     .hint = "How far apart do neighbouring rows lie in memory?",
     .slips = {{corner_sizes, "The rows of the corner do not follow each other without gaps."}}},
};

/* ---- Four times ---- */

static void text_ratios(struct text *t, const struct drawn *d) {
    (void)d;
    text_add(
        t,
        "A course text measured the same product in four ways: CPU 61.07 s, naive kernel 1.38 s, "
        "tiled kernel 1.28 s, cuBLAS 0.0276 s.\n");
}

VALUE(ratio_naive, one(61.07 / 1.38))
VALUE(ratio_cublas, one(1.28 / 0.0276))

static const struct formula_blank ratio_blanks[] = {
    {.name = "cpu_over_naive",
     .kind = BLANK_REAL,
     .ask = "how many times the naive kernel is as fast as the CPU",
     .value = ratio_naive,
     .hint = "The longer time divided by the shorter."},
    {.name = "tiled_over_cublas",
     .kind = BLANK_REAL,
     .ask = "how many times cuBLAS is as fast as the tiled kernel",
     .value = ratio_cublas,
     .hint = "The longer time divided by the shorter."},
};

/* ---- Find the bug ---- */

static const char *const bug_lines[] = {
    "const float one = 1.0f;",
    "const float zero = 1.0f;",
    "...    // the handle: right",
    "CUBLAS_CHECK(cublasSgemm(handle, CUBLAS_OP_N, CUBLAS_OP_N,",
    "                         m, n, k,",
    "                         &one, A, m,",
    "                         B, k,",
    "                         &zero, C, m));",
    NULL,
};

static void text_bug(struct text *t, const struct drawn *d) {
    (void)d;
    text_add(
        t,
        "A, B and C are row-major. Two things are wrong: one is a whole idea, and shows in several "
        "lines; the other is a slip in a single line, and shows only where C held something "
        "before. Which line is the slip? And what does the call compute for square matrices, once "
        "the slip is mended, read as a row-major C: one product of A, B, AT, BT (T for "
        "transposed), such as AT B?\n");
}

static const struct formula_blank bug_blanks[] = {
    {.name = "slip_line",
     .kind = BLANK_LINE,
     .ask = "the number of the line",
     .hint = "Follow each argument of the call back to where its value is set.",
     .lines = LINES(1)},
    {.name = "computes",
     .kind = BLANK_TEXT,
     .ask = "the product, as in: AT B",
     .hint = "It multiplies what it sees, in the order given; what it writes, we read transposed.",
     .written = "B A"},
};

const struct formula_question questions_lab5[] = {
    {"lab5.columns", "By columns and by rows", "lab5.md#columns", draw_columns, text_columns,
     column_blanks, COUNT(column_blanks), NULL},
    {"lab5.call", "The call", "lab5.md#arguments", draw_call, text_call, call_blanks,
     COUNT(call_blanks), NULL},
    {"lab5.corner", "A corner", "lab1.md#rowmajor", draw_corner, text_corner, corner_blanks,
     COUNT(corner_blanks), NULL},
    {"lab5.ratios", "Four times", "lab5.md#questions", NULL, text_ratios, ratio_blanks,
     COUNT(ratio_blanks), NULL},
    {"lab5.bug", "Find the bugs", "lab5.md#columns", draw_lines, text_bug, bug_blanks,
     COUNT(bug_blanks), bug_lines},
};

const size_t questions_lab5_count = COUNT(questions_lab5);
