/* questions.c: edges, padding. */
#include "solutions/questions/formulas.h"

enum { TILE = 32 };

static double up(int64_t size) {
    return (double)parts_over(size, TILE);
}

/* ---- Edges: m n[0], k n[1], n n[2] ---- */

static void draw_edges(struct drawn *d, struct generator *g) {
    do {
        for (int i = 0; i < 3; i++)
            d->n[i] = pick(g, 33, 300);
    } while (d->n[0] % TILE == 0 || d->n[1] % TILE == 0 || d->n[2] % TILE == 0 ||
             up(d->n[0]) == up(d->n[2]) || up(d->n[0]) == up(d->n[1]) ||
             up(d->n[1]) == up(d->n[2]));
}

static void text_edges(struct text *t, const struct drawn *d) {
    text_addf(t,
              "m = %d, k = %d, n = %d, tiles of 32 x 32, one thread for each element of a tile of "
              "C.\n",
              (int)d->n[0], (int)d->n[1], (int)d->n[2]);
    text_add(t, "Look at the block at the lower right corner of the grid, in its last phase.\n");
}

VALUE(edge_grid, two(up(d->n[2]), up(d->n[0])))
VALUE(edge_grid_swapped, two(up(d->n[0]), up(d->n[2])))
VALUE(edge_phases, one(up(d->n[1])))
VALUE(edge_phases_down, one((double)parts_in(d->n[1], TILE)))

/* What is left in the last tile along a size. */
static double rest(int64_t size) {
    return (double)((size - 1) % TILE + 1);
}

VALUE(edge_filled, two(rest(d->n[0]) * rest(d->n[1]), rest(d->n[1]) * rest(d->n[2])))

static struct blank_value edge_zeros(const struct drawn *d, const struct variables *v) {
    const struct blank_value filled = edge_filled(d, v);
    return two(TILE * TILE - filled.v[0], TILE * TILE - filled.v[1]);
}

VALUE(edge_stores, one(rest(d->n[0]) * rest(d->n[2])))

static const struct formula_blank edge_blanks[] = {
    {.name = "grid",
     .kind = BLANK_NUMBERS,
     .ask = "gridDim.x, gridDim.y",
     .value = edge_grid,
     .hint = "One block for each tile of C, partial ones included.",
     .slips = {{edge_grid_swapped, "Columns of C lie along x, rows along y."}}},
    {.name = "phases",
     .kind = BLANK_NUMBERS,
     .ask = "phases",
     .value = edge_phases,
     .hint = "Which of m, k and n do the tiles move along?",
     .slips = {{edge_phases_down, "The last, partial tile counts as one."}}},
    {.name = "zeros",
     .kind = BLANK_NUMBERS,
     .ask = "zeros it puts into A's tile, into B's tile",
     .value = edge_zeros,
     .hint = "Rows and columns of the tile that exist in the matrix; all other places get zeros.",
     .slips = {{edge_filled, "These are the places that are filled with elements."}}},
    {.name = "stores",
     .kind = BLANK_NUMBERS,
     .ask = "elements of C it stores",
     .value = edge_stores,
     .hint = "Rows below m, columns below n."},
};

/* ---- Lab 3's kernel at a width that does not fit, n[0] ---- */

static void draw_width(struct drawn *d, struct generator *g) {
    do
        d->n[0] = pick(g, 10, 60) * 20;
    while (d->n[0] % TILE == 0);
}

static void text_width(struct text *t, const struct drawn *d) {
    text_addf(t, "Lab 3's kernel and launch, unchanged, tile 32, but with width %d.\n",
              (int)d->n[0]);
}

VALUE(width_grid, one((double)parts_in(d->n[0], TILE)))
VALUE(width_grid_up, one(up(d->n[0])))

static struct blank_value width_unwritten(const struct drawn *d, const struct variables *v) {
    (void)v;
    const int64_t covered = d->n[0] / TILE * TILE;
    return one((double)(d->n[0] * d->n[0] - covered * covered));
}

static struct blank_value width_square(const struct drawn *d, const struct variables *v) {
    (void)v;
    const int64_t left = d->n[0] % TILE;
    return one((double)(left * left));
}

VALUE(width_lacking, one((double)(d->n[0] % TILE)))

static const struct formula_blank width_blanks[] = {
    {.name = "blocks_across",
     .kind = BLANK_NUMBERS,
     .ask = "gridDim.x",
     .value = width_grid,
     .hint = "In C the division of two ints drops the fraction.",
     .slips = {{width_grid_up, "That would be rounded up. Does lab 3's launch do that?"}}},
    {.name = "unwritten",
     .kind = BLANK_NUMBERS,
     .ask = "elements of C that are never written",
     .value = width_unwritten,
     .hint = "All elements, less those that the blocks cover.",
     .slips = {{width_square, "Not only the corner: whole rows and whole columns are left."}}},
    {.name = "lacking",
     .kind = BLANK_NUMBERS,
     .ask = "products that the others' sums lack",
     .value = width_lacking,
     .hint = "How far do the phases run along a row of A?"},
};

/* ---- Padding: size n[0] ---- */

static void draw_padding(struct drawn *d, struct generator *g) {
    do
        d->n[0] = pick(g, 33, 700);
    while (d->n[0] % TILE == 0);
}

static void text_padding(struct text *t, const struct drawn *d) {
    text_addf(
        t,
        "Instead of guards, a %d x %d matrix of floats is copied into a larger one with zeros "
        "around it, so that tiles of 32 fit.\n",
        (int)d->n[0], (int)d->n[0]);
}

VALUE(padded_side, one(up(d->n[0]) * TILE))

static struct blank_value padded_percent(const struct drawn *d, const struct variables *v) {
    const double side = padded_side(d, v).v[0], n = (double)d->n[0];
    return one(100 * (side * side / (n * n) - 1));
}

static const struct formula_blank padding_blanks[] = {
    {.name = "padded",
     .kind = BLANK_NUMBERS,
     .ask = "rows of the larger matrix",
     .value = padded_side,
     .hint = "The next multiple of the tile."},
    {.name = "padding_percent",
     .kind = BLANK_REAL,
     .ask = "by how many percent it is larger, in bytes",
     .value = padded_percent,
     .hint = "Compare areas, not sides."},
};

/* ---- Which conditions? ---- */

static void text_guards(struct text *t, const struct drawn *d) {
    (void)d;
    text_add(
        t,
        "In phase p the thread's column of A is col_A = p * T + x, its row of B is row_B = p * T "
        "+ y; row and col are its place in C. Which of these must hold for the thread to read "
        "its element of A? Its element of B? To store in C?\n");
    text_add(t, "   a) row < m    b) row < k    c) col < n    d) col < k\n");
    text_add(t, "   e) col_A < k  f) col_A < n  g) row_B < k  h) row_B < m\n");
}

static const struct formula_blank guard_blanks[] = {
    {.name = "read_A",
     .kind = BLANK_LETTERS,
     .ask = "letters in order, as in: a b",
     .hint = "A is m x k. Which row and which column of it are read?",
     .written = "a e"},
    {.name = "read_B",
     .kind = BLANK_LETTERS,
     .ask = "letters in order",
     .hint = "B is k x n. Which row and which column of it are read?",
     .written = "c g"},
    {.name = "store_C",
     .kind = BLANK_LETTERS,
     .ask = "letters in order",
     .hint = "C is m x n. The phase no longer matters.",
     .written = "a c"},
};

/* ---- Find the bug ---- */

static const char *const bug_lines[] = {
    "int row = ..., col = ...;    // right",
    "float sum = 0.0f;",
    "if (row >= m || col >= n)",
    "    return;",
    "for (int p = 0; p < phases; ++p) {",
    "    a[y][x] = p * T + x < k ? A[index_A(p)] : 0.0f;",
    "    b[y][x] = p * T + y < k ? B[index_B(p)] : 0.0f;",
    "    __syncthreads();",
    "    for (int i = 0; i < T; ++i)",
    "        sum += a[y][i] * b[i][x];",
    "    __syncthreads();",
    "}",
    "C[row * n + col] = sum;",
    NULL,
};

static void text_bug(struct text *t, const struct drawn *d) {
    (void)d;
    text_add(t,
             "The inner part of a kernel for any size; a and b are tiles in shared memory; phases, "
             "index_A and index_B are right. It never reads or writes outside A, B and C. Still, "
             "it is wrong when m or n is not a multiple of T. Which line makes it so?\n");
}

static const struct formula_blank bug_blanks[] = {
    {.name = "bug_line",
     .kind = BLANK_LINE,
     .ask = "the number of the line",
     .hint = "Which elements of the tiles does nobody fill at the right edge, and who needs them?",
     .lines = LINES(2, 3)},
};

/* ---- Two films of block (1, 0): thread n[0], cell n[1] of the part ---- */

static void draw_film(struct drawn *d, struct generator *g) {
    d->n[0] = pick(g, 0, 35);
    d->n[1] = pick(g, 36, 63);
}

static void text_film(struct text *t, const struct drawn *d) {
    text_add(t, "Two films of block (1, 0) of a kernel that ranks 100 numbers: ranks-any.cu, in "
                "which all threads stay, and early-return.cu, in which those without a number "
                "leave." FILMS);
    text_addf(t, "   (a) thread (%d, 0) writes its rank   (b) part[%d]\n", (int)d->n[0],
              (int)d->n[1]);
}

/* Numbers 36 to 63 are copied by nobody when the other threads have left. */
VALUE(film_ranks,
      whole_two(film_smaller(64 + d->n[0], 0, 100),
                film_smaller(64 + d->n[0], 0, 36) + film_smaller(64 + d->n[0], 64, 100)))
VALUE(film_unwritten, whole_two(d->n[1], 28))
VALUE(film_unwritten_all, whole_two(d->n[1], 64))

static const struct formula_blank film_blanks[] = {
    {.name = "film_ranks",
     .kind = BLANK_NUMBERS,
     .ask = "(a) what it writes: in ranks-any.cu, in early-return.cu",
     .value = film_ranks,
     .hint = "Choose the thread, and go to its last line: the table of its variables has what it "
             "counted."},
    {.name = "film_unwritten",
     .kind = BLANK_NUMBERS,
     .ask = "(b) the x of its writer in ranks-any.cu; cells without one in early-return.cu",
     .value = film_unwritten,
     .hint = "Type the cell's name into the field above the memories. Cells that nobody has "
             "written are grey.",
     .slips = {{film_unwritten_all, "Some of them are written. Go to the last step."}}},
};

/* ---- Behind the last number: numbers n[0] of another launch, a rank n[1] ---- */

static void draw_behind(struct drawn *d, struct generator *g) {
    do
        d->n[0] = pick(g, 130, 900);
    while (d->n[0] % 64 == 0);
    d->n[1] = pick(g, 5, d->n[0] - 1);
}

static void text_behind(struct text *t, const struct drawn *d) {
    text_add(t, "The film of ranks-any.cu: it ranks 100 numbers, in parts of 64. Look at what the "
                "kernel puts into the last part, behind the last number." FILMS);
    text_addf(t,
              "   (a) this film\n"
              "   (b) the same kernel with %d numbers, all greater than 0\n"
              "   (c) as (b), but somebody wrote 0.0f instead of INFINITY; a number whose rank is "
              "%d\n"
              "   (d) a kernel that looks for the smallest of the numbers\n"
              "   (e) a kernel that adds up products of the numbers\n",
              (int)d->n[0], (int)d->n[1]);
}

static int64_t behind_end(int64_t count) {
    return parts_over(count, 64) * 64 - count;
}

static const char *const fillings[] = {"zero", "one", "infinity", NULL};

VALUE(behind_cells, whole_two(behind_end(100), behind_end(d->n[0])))
VALUE(behind_cells_used, whole_two(100 % 64, d->n[0] % 64))
VALUE(behind_rank, whole(d->n[1] + behind_end(d->n[0])))
VALUE(behind_rank_right, whole(d->n[1]))
VALUE(behind_smallest, one(2))
VALUE(behind_sum, one(0))

static const struct formula_blank behind_blanks[] = {
    {.name = "behind_cells",
     .kind = BLANK_NUMBERS,
     .ask = "cells of the last part without a number: in (a), in (b)",
     .value = behind_cells,
     .hint = "The parts are whole: round up, and take away the numbers.",
     .slips = {{behind_cells_used, "Those are the cells with a number."}}},
    {.name = "behind_rank",
     .kind = BLANK_NUMBERS,
     .ask = "(c) the rank that the kernel writes for it",
     .value = behind_rank,
     .hint = "part[j] < number: for how many cells without a number does that hold now?",
     .slips = {{behind_rank_right, "Each zero is smaller than the number, and is counted."}}},
    {.name = "behind_smallest",
     .kind = BLANK_WORD,
     .ask = "(d) what must stand there",
     .words = fillings,
     .value = behind_smallest,
     .hint = "It must change nothing, whatever the numbers are."},
    {.name = "behind_sum",
     .kind = BLANK_WORD,
     .ask = "(e) what must stand there",
     .words = fillings,
     .value = behind_sum,
     .hint = "It must change nothing, whatever the other factor is."},
};

const struct formula_question questions_lab4[] = {
    {"lab4.edges", "Edge tiles", "lab4.md#edges", draw_edges, text_edges, edge_blanks,
     COUNT(edge_blanks), NULL},
    {"lab4.width", "A width that does not fit", "lab3.md#questions", draw_width, text_width,
     width_blanks, COUNT(width_blanks), NULL},
    {"lab4.padding", "Padding", "lab4.md#idea", draw_padding, text_padding, padding_blanks,
     COUNT(padding_blanks), NULL},
    {"lab4.guards", "Three accesses, three conditions", "lab4.md#edges", NULL, text_guards,
     guard_blanks, COUNT(guard_blanks), NULL},
    {"lab4.bug", "Find the bug", "lab4.md#edges", draw_lines, text_bug, bug_blanks,
     COUNT(bug_blanks), bug_lines},
    {"lab4.behind", "Behind the last number", "lab4.md#zeros", draw_behind, text_behind,
     behind_blanks, COUNT(behind_blanks), NULL},
    {"lab4.film", "Two films", "debugging.md#films", draw_film, text_film, film_blanks,
     COUNT(film_blanks), NULL},
};

const size_t questions_lab4_count = COUNT(questions_lab4);
