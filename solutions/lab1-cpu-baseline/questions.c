/* questions.c: ways, products, storage, operations. */
#include "solutions/questions/formulas.h"

/* ---- A product by hand ----
 * A is 3 x 2 in n[0..5], B 2 x 4 in n[6..13], the element n[14], n[15]. */

static void draw_product(struct drawn *d, struct generator *g) {
    for (int i = 0; i < 14; i++)
        d->n[i] = pick(g, -4, 5);
    for (int p = 0; p < 2; p++) { /* no zeros in what is asked for: it would hide a mistake */
        d->n[14] = pick(g, 0, 2);
        d->n[15] = pick(g, 0, 3);
    }
    for (int p = 0; p < 2; p++) {
        int64_t *a = &d->n[2 * d->n[14] + p], *b = &d->n[6 + 4 * p + d->n[15]];
        *a = *a == 0 ? 6 : *a;
        *b = *b == 0 ? -3 : *b;
    }
}

static void text_product(struct text *t, const struct drawn *d) {
    text_add(t, "A is 3 x 2, B is 2 x 4:\n");
    for (int i = 0; i < 3; i++) {
        text_addf(t, "   %3d %3d", (int)d->n[2 * i], (int)d->n[2 * i + 1]);
        if (i < 2)
            text_addf(t, "      %3d %3d %3d %3d", (int)d->n[6 + 4 * i], (int)d->n[7 + 4 * i],
                      (int)d->n[8 + 4 * i], (int)d->n[9 + 4 * i]);
        text_add(t, "\n");
    }
    text_addf(t, "Rows and columns count from 0. C = A B. Look at row %d, column %d of C.\n",
              (int)d->n[14], (int)d->n[15]);
}

VALUE(product_size, two(3, 4))

static struct blank_value product_element(const struct drawn *d, const struct variables *v) {
    (void)v;
    const int64_t i = d->n[14], j = d->n[15];
    return one((double)(d->n[2 * i] * d->n[6 + j] + d->n[2 * i + 1] * d->n[10 + j]));
}

VALUE(product_operations, one(2 * 3 * 4 * 2))

static struct blank_value product_multiplications(const struct drawn *d,
                                                  const struct variables *v) {
    (void)d, (void)v;
    return one(3 * 4 * 2);
}

static const struct formula_blank product_blanks[] = {
    {.name = "c_size",
     .kind = BLANK_NUMBERS,
     .ask = "rows of C, columns of C",
     .value = product_size,
     .hint = "C has a row for each row of A, a column for each column of B."},
    {.name = "c_element",
     .kind = BLANK_NUMBERS,
     .ask = "the element",
     .value = product_element,
     .hint = "Take that row of A and that column of B, multiply in pairs, add up."},
    {.name = "c_operations",
     .kind = BLANK_NUMBERS,
     .ask = "multiplications and additions for all of C, sums starting from 0",
     .value = product_operations,
     .hint = "Each product of two numbers is also added to a sum.",
     .slips = {{product_multiplications, "These are the multiplications. Additions count, too."}}},
};

/* ---- Ways of length 4 in the handout's graph: places n[0] to n[1], n[2] to itself ---- */

enum { PLACES = 10 };

/* A letter for each neighbour, as the handout's figure has them. */
static const char *const neighbours[PLACES] = {"BC",    "ACDF", "ABDE", "BCF", "CH",
                                               "BDGHI", "FHIJ", "EFGJ", "FGJ", "GHI"};

static int64_t count_ways(int length, int64_t from, int64_t to) {
    int64_t sum = 0;
    if (length == 0)
        return from == to;
    for (const char *next = neighbours[from]; *next; next++)
        sum += count_ways(length - 1, *next - 'A', to);
    return sum;
}

static void draw_ways_4(struct drawn *d, struct generator *g) {
    d->n[0] = pick(g, 0, PLACES - 1);
    d->n[1] = (d->n[0] + pick(g, 1, PLACES - 1)) % PLACES;
    d->n[2] = pick(g, 0, PLACES - 2);
}

static void text_ways_4(struct text *t, const struct drawn *d) {
    text_addf(t,
              "P is the product of the handout's two 10 x 10 tables (one step, times three steps): "
              "the ways of length 4. Compute its elements (%c, %c), (%c, %c) and (J, J). The "
              "figure tells you whether (J, J) is plausible: from J to J in 4 steps.\n",
              'A' + (char)d->n[0], 'A' + (char)d->n[1], 'A' + (char)d->n[2], 'A' + (char)d->n[2]);
}

static struct blank_value elements(const struct drawn *d, int length) {
    return three((double)count_ways(length, d->n[0], d->n[1]),
                 (double)count_ways(length, d->n[2], d->n[2]),
                 (double)count_ways(length, PLACES - 1, PLACES - 1));
}

VALUE(ways_4, elements(d, 4))
VALUE(ways_3, elements(d, 3))

#define THREE_STEPS "These are the ways of length 3. One step comes before them."

static const struct formula_blank ways_4_blanks[] = {
    {.name = "ways_4",
     .kind = BLANK_NUMBERS,
     .ask = "the three elements",
     .value = ways_4,
     .hint = "Row of the first place in the table of one step, column of the second in that of "
             "three: multiply in pairs, add up.",
     .slips = {{ways_3, THREE_STEPS}}},
};

/* ---- From place n[0], to n[1] and to any ---- */

static void draw_ways_from(struct drawn *d, struct generator *g) {
    d->n[0] = pick(g, 0, PLACES - 1);
    d->n[1] = (d->n[0] + pick(g, 1, PLACES - 1)) % PLACES;
}

static void text_ways_from(struct text *t, const struct drawn *d) {
    text_addf(t,
              "In the same graph, how many ways of length 4 lead from %c to %c? And how many begin "
              "in %c, wherever they lead?\n",
              'A' + (char)d->n[0], 'A' + (char)d->n[1], 'A' + (char)d->n[0]);
}

static struct blank_value ways_anywhere(const struct drawn *d, const struct variables *v) {
    int64_t sum = 0;
    (void)v;
    for (int to = 0; to < PLACES; to++)
        sum += count_ways(4, d->n[0], to);
    return whole(sum);
}

VALUE(ways_from, whole(count_ways(4, d->n[0], d->n[1])))
VALUE(ways_from_3, whole(count_ways(3, d->n[0], d->n[1])))

static const struct formula_blank ways_from_blanks[] = {
    {.name = "ways_4_to",
     .kind = BLANK_NUMBERS,
     .ask = "to that place",
     .value = ways_from,
     .hint = "Where can the first step lead? From there three are left.",
     .slips = {{ways_from_3, THREE_STEPS}}},
    {.name = "ways_4_all",
     .kind = BLANK_NUMBERS,
     .ask = "to any place",
     .value = ways_anywhere,
     .hint = "Add up the ways of length three that begin in each neighbour, or a row of P."},
};

/* ---- Ways of length 8 ---- */

static const int ways4[5][5] = {
    {9, 3, 6, 11, 1}, {3, 15, 8, 7, 11}, {6, 8, 8, 8, 6}, {11, 7, 8, 15, 3}, {1, 11, 6, 3, 9}};

static void draw_ways(struct drawn *d, struct generator *g) {
    d->n[0] = pick(g, 0, 4);
    d->n[1] = (d->n[0] + pick(g, 1, 4)) % 5;
}

static void text_ways(struct text *t, const struct drawn *d) {
    text_add(t, "The ways of length 4 between the places A to E of a graph:\n");
    text_add(t, "       A  B  C  D  E\n");
    for (int i = 0; i < 5; i++) {
        text_addf(t, "    %c", 'A' + i);
        for (int j = 0; j < 5; j++)
            text_addf(t, " %2d", ways4[i][j]);
        text_add(t, "\n");
    }
    text_addf(t, "How many ways of length 8 lead from %c to %c, and how many from A to B?\n",
              'A' + (char)d->n[0], 'A' + (char)d->n[1]);
}

static double ways8(int64_t from, int64_t to) {
    double sum = 0;
    for (int p = 0; p < 5; p++)
        sum += ways4[from][p] * ways4[p][to];
    return sum;
}

VALUE(ways_mine, one(ways8(d->n[0], d->n[1])))
VALUE(ways_a_b, one(ways8(0, 1)))
VALUE(ways_squared, one((double)(ways4[d->n[0]][d->n[1]] * ways4[d->n[0]][d->n[1]])))

static const struct formula_blank ways_blanks[] = {
    {.name = "ways_8",
     .kind = BLANK_NUMBERS,
     .ask = "the first of the two",
     .value = ways_mine,
     .hint =
         "A way of length 8 is one of length 4 to some place, and one of length 4 on from there.",
     .slips = {{ways_squared, "The way may pass through any place in its middle: a row times a "
                              "column, not one number squared."}}},
    {.name = "ways_8_a_b",
     .kind = BLANK_NUMBERS,
     .ask = "from A to B",
     .value = ways_a_b,
     .hint = "Row A times column B of the table."},
};

/* ---- Where an element lies: width n[0], row n[1], column n[2] ---- */

static void draw_index(struct drawn *d, struct generator *g) {
    d->n[0] = pick(g, 20, 90) * 10;
    d->n[1] = pick(g, 5, 40);
    d->n[2] = pick(g, 1, 199);
}

static void text_index(struct text *t, const struct drawn *d) {
    text_addf(t,
              "A row-major matrix of floats has 60 rows and %d columns. Rows, columns and indices "
              "count from 0.\n",
              (int)d->n[0]);
}

static void text_index_of(struct text *t, const struct drawn *d) {
    text_index(t, d);
    text_addf(t, "Look at row %d, column %d.\n", (int)d->n[1], (int)d->n[2]);
}

VALUE(index_value, one((double)(d->n[1] * d->n[0] + d->n[2])))
VALUE(index_by_columns, one((double)(d->n[2] * 60 + d->n[1])))
VALUE(index_by_rows, one((double)(d->n[1] * 60 + d->n[2])))
VALUE(index_bytes, one((double)(4 * d->n[0])))
VALUE(index_elements, one((double)d->n[0]))

static const struct formula_blank index_blanks[] = {
    {.name = "index",
     .kind = BLANK_NUMBERS,
     .ask = "its index",
     .value = index_value,
     .hint = "Whole rows lie before it, and then elements of its own row.",
     .slips = {{index_by_columns, "That is column after column."},
               {index_by_rows, "A row is as long as the matrix has columns, not rows."}}},
    {.name = "row_bytes",
     .kind = BLANK_NUMBERS,
     .ask = "bytes from its start to the start of the element below it",
     .value = index_bytes,
     .hint = "The element below is one whole row further on; a float has 4 bytes.",
     .slips = {{index_elements, "That is in elements. Bytes are asked for."}}},
};

/* ---- Operations and rates: m n[0], k n[1], n n[2], tenths of a second n[3] ---- */

static void draw_rate(struct drawn *d, struct generator *g) {
    d->n[0] = pick(g, 4, 32) * 100;
    d->n[1] = pick(g, 1, 9) * 100;
    d->n[2] = pick(g, 4, 32) * 100;
    d->n[3] = pick(g, 3, 90);
}

static void text_rate(struct text *t, const struct drawn *d) {
    text_addf(t, "A program multiplies a %d x %d matrix by a %d x %d one in %.1f seconds.\n",
              (int)d->n[0], (int)d->n[1], (int)d->n[1], (int)d->n[2], (double)d->n[3] / 10);
}

VALUE(rate_operations, one(2.0 * (double)d->n[0] * (double)d->n[1] * (double)d->n[2]))
VALUE(rate_half, one((double)d->n[0] * (double)d->n[1] * (double)d->n[2]))
VALUE(rate_gflops, one(rate_operations(d, v).v[0] / ((double)d->n[3] / 10) * 1e-9))
VALUE(rate_half_gflops, one(rate_gflops(d, v).v[0] / 2))

static const struct formula_blank rate_blanks[] = {
    {.name = "operations",
     .kind = BLANK_NUMBERS,
     .ask = "multiplications and additions",
     .value = rate_operations,
     .hint = "For each element of C: k multiplications, k additions.",
     .slips = {{rate_half, "These are the multiplications. Additions count, too."}}},
    {.name = "gflops",
     .kind = BLANK_REAL,
     .ask = "GFLOP/s (within 2 %)",
     .value = rate_gflops,
     .hint = "Operations, divided by seconds, in units of 10^9.",
     .slips = {{rate_half_gflops, "Half of it: additions count, too."}}},
};

/* ---- Find the bug ---- */

static const char *const bug_lines[] = {
    "void product(int m, int n, int k, const float *A, const float *B, float *C) {",
    "    for (int i = 0; i < m; ++i)",
    "        for (int j = 0; j < n; ++j) {",
    "            float sum = 0.0f;",
    "            for (int p = 0; p < k; ++p) {",
    "                float a = A[i * k + p];",
    "                float b = B[p * k + j];",
    "                sum += a * b;",
    "            }",
    "            C[i * n + j] = sum;",
    "        }",
    "}",
    NULL,
};

static void text_bug(struct text *t, const struct drawn *d) {
    (void)d;
    text_add(t,
             "A is m x k, B is k x n, C is m x n. One line is wrong, though with square matrices "
             "nobody notices. Which one?\n");
}

static const struct formula_blank bug_blanks[] = {
    {.name = "bug_line",
     .kind = BLANK_LINE,
     .ask = "the number of the line",
     .hint = "Run it by hand with m = 1, k = 2, n = 3: which index lands on the wrong element?",
     .lines = LINES(6)},
};

const struct formula_question questions_lab1[] = {
    {"lab1.ways4", "Ways of length 4", "lab1.md#paths", draw_ways_4, text_ways_4, ways_4_blanks,
     COUNT(ways_4_blanks), NULL},
    {"lab1.from", "From one place", "lab1.md#paths", draw_ways_from, text_ways_from,
     ways_from_blanks, COUNT(ways_from_blanks), NULL},
    {"lab1.product", "A product by hand", "lab1.md#hand", draw_product, text_product,
     product_blanks, COUNT(product_blanks), NULL},
    {"lab1.ways", "Ways of length 8", "lab1.md#paths", draw_ways, text_ways, ways_blanks,
     COUNT(ways_blanks), NULL},
    {"lab1.index", "Where an element lies", "lab1.md#rowmajor", draw_index, text_index_of,
     index_blanks, COUNT(index_blanks), NULL},
    {"lab1.rate", "Operations and rate", "lab1.md#definition", draw_rate, text_rate, rate_blanks,
     COUNT(rate_blanks), NULL},
    {"lab1.bug", "Find the bug", "lab1.md#rowmajor", draw_lines, text_bug, bug_blanks,
     COUNT(bug_blanks), bug_lines},
};

const size_t questions_lab1_count = COUNT(questions_lab1);
