/*
 * suspect_coverage.c: products in which every element that was computed is right, and the others
 * were never written, or only cleared. Where those lie tells why.
 */
#include "grading/src/diagnose/suspect.h"

#include <string.h>

/* Nobody computed it: as it came, or zero though the product is not. */
static bool blank(const struct trial *t, size_t at) {
    return trial_untouched(t, at) || (t->got[at] == 0 && t->want[at] != 0);
}

/* A product that is zero all over shows nothing of which elements were computed. */
static bool is_zero(const struct trial *t) {
    for (size_t at = 0; at < trial_elements(t); at++)
        if (t->want[at] != 0)
            return false;
    return true;
}

struct cover {
    const struct trial *t;
    bool rectangle; /* right for row < rows and col < cols, blank elsewhere */
    int rows, cols;
    size_t prefix;  /* elements before the first blank one ... */
    bool is_prefix; /* ... and all after it are blank */
    size_t computed, first_blank;
    bool diagonal; /* nothing but the diagonal was computed */
};

/* Zeros were written all along this row up to `cols`, or this column up to `rows`. */
static bool zeros_along(const struct trial *t, bool a_row, int which, int end) {
    const size_t n = (size_t)t->shape.n;
    bool zeros = true;
    for (int i = 0; i < end && zeros; i++) {
        const size_t at = a_row ? (size_t)which * n + (size_t)i : (size_t)i * n + (size_t)which;
        zeros = t->got[at] == 0 && t->want[at] == 0;
    }
    return zeros;
}

/* Where the last rows or columns that were computed are zeros, by chance, they show nothing by
 * themselves. In a C that is as it came elsewhere they do: somebody wrote them. */
static void take_zeros(struct cover *c) {
    const struct trial *t = c->t;
    if (c->computed == 0 || c->first_blank == trial_elements(t) ||
        !trial_untouched(t, c->first_blank))
        return;
    while (c->rows < t->shape.m && zeros_along(t, true, c->rows, c->cols))
        c->rows++;
    while (c->cols < t->shape.n && zeros_along(t, false, c->cols, c->rows))
        c->cols++;
}

/* False when an element is wrong in another way. `bytes`:
 * one may be, where a copy ended within it. */
static bool look(const struct trial *t, bool bytes, struct cover *c) {
    const size_t m = (size_t)t->shape.m, n = (size_t)t->shape.n, total = m * n;
    *c = (struct cover){.t = t, .is_prefix = true, .diagonal = true, .first_blank = total};
    size_t rows = 0, cols = 0, partial = total;
    for (size_t at = 0; at < total; at++) {
        if (!blank(t, at) && !trial_right(t, at)) {
            if (!bytes || partial < total)
                return false;
            partial = at;
        }
        if (t->got[at] == 0 && t->want[at] == 0)
            continue; /* computed, or only cleared: nobody knows */
        if (blank(t, at) || at == partial) {
            c->first_blank = c->first_blank == total ? at : c->first_blank;
            c->diagonal = c->diagonal && at / n != at % n;
            continue;
        }
        c->diagonal = c->diagonal && (at / n == at % n || t->want[at] == 0);
        c->is_prefix = c->is_prefix && c->first_blank == total;
        c->computed++;
        rows = at / n + 1 > rows ? at / n + 1 : rows;
        cols = at % n + 1 > cols ? at % n + 1 : cols;
    }
    if (partial < total && !(c->is_prefix && c->first_blank == partial))
        return false;
    c->rows = (int)rows;
    c->cols = (int)cols;
    take_zeros(c);
    /* A product that happens to be zero in the rest counts as computed. */
    size_t blanks_inside = 0, outside = 0;
    for (size_t at = 0; at < total; at++) {
        const bool inside = at / n < (size_t)c->rows && at % n < (size_t)c->cols;
        blanks_inside += inside && blank(t, at);
        outside += !inside && !blank(t, at) && t->want[at] != 0;
    }
    c->prefix = c->first_blank;
    c->rectangle = blanks_inside == 0 && outside == 0;
    return true;
}

struct picture {
    struct cover cover[TRIALS_MOST];
    int count;
    const struct trials *all;
    bool several; /* a right product came from fewer threads than C has rows or columns: each
                     computes several elements */
};

static bool every(const struct picture *p, bool (*holds)(const struct cover *c, int tile),
                  int tile) {
    for (int i = 0; i < p->count; i++)
        if (!holds(&p->cover[i], tile))
            return false;
    return p->count > 0;
}

static bool last_row(const struct cover *c, int tile) {
    (void)tile;
    return c->computed == 0
               ? c->t->shape.m == 1
               : c->rectangle && c->cols == c->t->shape.n && c->rows == c->t->shape.m - 1;
}
static bool last_column(const struct cover *c, int tile) {
    (void)tile;
    return c->computed == 0
               ? c->t->shape.n == 1
               : c->rectangle && c->rows == c->t->shape.m && c->cols == c->t->shape.n - 1;
}
static int least(int a, int b) {
    return a < b ? a : b;
}
static int up(int x, int tile) {
    return (x + tile - 1) / tile * tile;
}
static bool swapped(const struct cover *c, int tile) {
    const struct shape s = c->t->shape;
    return c->rectangle && c->rows == least(s.m, up(s.n, tile)) &&
           c->cols == least(s.n, up(s.m, tile));
}
static bool whole_blocks(const struct cover *c, int tile) {
    const struct shape s = c->t->shape;
    if (c->computed == 0)
        return s.m < tile || s.n < tile;
    return c->rectangle && (c->rows == s.m || c->rows == s.m / tile * tile) &&
           (c->cols == s.n || c->cols == s.n / tile * tile);
}
static bool rectangle(const struct cover *c, int tile) {
    (void)tile;
    return c->rectangle;
}
static bool prefix(const struct cover *c, int tile) {
    (void)tile;
    return c->is_prefix && c->computed > 0 && c->computed < trial_elements(c->t);
}
static bool diagonal(const struct cover *c, int tile) {
    (void)tile;
    return c->diagonal;
}
/* Where C is a single row or column, its first element alone is no diagonal. */
static bool any_diagonal(const struct picture *p) {
    for (int i = 0; i < p->count; i++)
        if (p->cover[i].t->shape.m > 1 && p->cover[i].t->shape.n > 1)
            return true;
    return false;
}

/* Threads of the launch, along x and y; 0: unknown. */
static uint64_t threads(const struct trial *t, int axis) {
    return t->counted ? t->work.of[WORK_GRID_X + axis] * t->work.of[WORK_BLOCK_X + axis] : 0;
}
static bool launched_enough(const struct cover *c, int tile) {
    (void)tile;
    const struct shape s = c->t->shape;
    return threads(c->t, 0) >= (uint64_t)s.n && threads(c->t, 1) >= (uint64_t)s.m;
}
static bool launched_less(const struct cover *c, int tile) {
    (void)tile;
    const struct shape s = c->t->shape;
    return threads(c->t, 0) > 0 &&
           (threads(c->t, 0) < (uint64_t)s.n || threads(c->t, 1) < (uint64_t)s.m);
}

static uint64_t stores(const struct trial *t) {
    return t->work.of[WORK_GLOBAL_STORE_BYTES] / sizeof(float);
}

/* What is wrong was written twice, at the left ends of rows that threads to the right of C reach
 * where they take the row before as longer than it is. */
static bool wrapped(const struct cover *c, int tile) {
    (void)tile;
    const size_t n = (size_t)c->t->shape.n;
    for (size_t at = 0; at < trial_elements(c->t); at++)
        if (blank(c->t, at) &&
            (trial_untouched(c->t, at) || at < n || at % n + n >= threads(c->t, 0)))
            return false;
    return stores(c->t) > trial_elements(c->t);
}

/* Threads store several elements each, as many as C has or more: some are stored twice in place of
 * others. */
static bool stored_elsewhere(const struct cover *c, int tile) {
    (void)tile;
    const uint64_t z = c->t->work.of[WORK_GRID_Z] * c->t->work.of[WORK_BLOCK_Z];
    const uint64_t all = threads(c->t, 0) * threads(c->t, 1) * z,
                   stores = c->t->work.of[WORK_GLOBAL_STORE_BYTES] / sizeof(float);
    return all > 0 && stores > all && stores >= trial_elements(c->t);
}

/* More is stored than there are elements that were written: some are stored more than once. */
static bool stored_again(const struct cover *c, int tile) {
    (void)tile;
    uint64_t written = 0;
    for (size_t at = 0; at < trial_elements(c->t); at++)
        written += !trial_untouched(c->t, at);
    return c->t->counted && stores(c->t) > written;
}

/* Each element was stored, and no element twice: the zeros, too. */
static bool all_stored(const struct cover *c, int tile) {
    (void)tile;
    for (size_t at = 0; at < trial_elements(c->t); at++)
        if (trial_untouched(c->t, at))
            return false;
    return c->t->counted && stores(c->t) == trial_elements(c->t);
}

/* Elements are stored again even where there is a single phase: so by several threads. */
static bool threads_share(const struct trials *all) {
    enum { ONE_PHASE = 4 };
    for (int i = 0; i < all->count; i++) {
        const struct cover c = {.t = all->trial[i]};
        if (c.t->got && c.t->shape.k <= ONE_PHASE && stored_again(&c, 0))
            return true;
    }
    return false;
}

/* Whole rows were never written, and of others each element was; or whole columns. */
static bool lines_missing(const struct cover *c, bool rows) {
    const size_t n = (size_t)c->t->shape.n, total = trial_elements(c->t);
    for (size_t at = 0; at < total; at++) {
        const size_t first = rows ? at / n * n : at % n;
        if (trial_untouched(c->t, at) != trial_untouched(c->t, first))
            return false;
    }
    return true;
}
static bool rows_missing(const struct cover *c, int tile) {
    (void)tile;
    return lines_missing(c, true);
}
static bool columns_missing(const struct cover *c, int tile) {
    (void)tile;
    return lines_missing(c, false);
}

static void say_again(const struct picture *p, struct text *t) {
    const struct trial *of = p->cover[0].t;
    const bool rows = every(p, rows_missing, 0), columns = !rows && every(p, columns_missing, 0);
    const char *line = rows ? "row" : "column";
    text_addf(t,
              "Part of C is never written, and other elements are stored more than once: with "
              "m = %d, n = %d, k = %d there are %llu stores for %zu elements. Each thread computes "
              "several elements, and ",
              of->shape.m, of->shape.n, of->shape.k, (unsigned long long)stores(of),
              trial_elements(of));
    if (rows || columns)
        text_addf(t,
                  "its %ss are not where they should be: the step from one of them to the next is "
                  "wrong, so that threads get the same %ss. In a stamp the step is the number of "
                  "threads that lie one %s the other; side by side it is 1, and the step from "
                  "thread to thread is the number of a thread's %ss.",
                  line, line, rows ? "below" : "beside", line);
    else
        text_add(t, "some of them are those of another thread: the row or the column of some is "
                    "computed wrongly.");
}

/* The grid fits a matrix of n rows and m columns, and not this one. */
static bool launched_across(const struct cover *c, int tile) {
    (void)tile;
    const struct shape s = c->t->shape;
    const uint64_t *w = c->t->work.of, x = w[WORK_BLOCK_X], y = w[WORK_BLOCK_Y];
    if (!c->t->counted || x == 0 || y == 0)
        return false;
    const uint64_t m = (uint64_t)s.m, n = (uint64_t)s.n, gx = w[WORK_GRID_X], gy = w[WORK_GRID_Y];
    const bool fits = gx == (n + x - 1) / x && gy == (m + y - 1) / y;
    return !fits && ((gx == (m + x - 1) / x && gy == (n + y - 1) / y) ||
                     (gx == (m + y - 1) / y && gy == (n + x - 1) / x));
}

/* The grid has blocks as if they were as wide as they are high, or as high as they are wide. */
static bool launched_by_other_side(const struct cover *c, int tile) {
    (void)tile;
    const uint64_t *w = c->t->work.of, x = w[WORK_BLOCK_X], y = w[WORK_BLOCK_Y];
    if (!c->t->counted || x == 0 || y == 0 || x == y)
        return false;
    const uint64_t m = (uint64_t)c->t->shape.m, n = (uint64_t)c->t->shape.n;
    const bool across = w[WORK_GRID_X] == (n + y - 1) / y, down = w[WORK_GRID_Y] == (m + x - 1) / x;
    return across ? down || w[WORK_GRID_Y] == (m + y - 1) / y
                  : down && w[WORK_GRID_X] == (n + x - 1) / x;
}

/* The same where a block computes a tile of C that its threads do not tell: of `tile` / 1000 rows
 * and `tile` % 1000 columns. */
static bool launched_tiles_across(const struct cover *c, int tile) {
    const uint64_t m = (uint64_t)c->t->shape.m, n = (uint64_t)c->t->shape.n;
    const uint64_t rows = (uint64_t)tile / 1000, cols = (uint64_t)tile % 1000;
    const uint64_t gx = c->t->work.of[WORK_GRID_X], gy = c->t->work.of[WORK_GRID_Y];
    const uint64_t down = (m + rows - 1) / rows, side = (n + cols - 1) / cols;
    return c->t->counted && gx == down && gy == side && down != side;
}

static uint64_t smaller(uint64_t a, uint64_t b) {
    return a < b ? a : b;
}

/* The host divides m by `tile` / 1000 and n by `tile` % 1000, but a block's tile has these sides
 * the other way round: so what was computed ends there. Which of the two counts x is, does not
 * matter: it may go down C on purpose. */
static bool divided_by_other_side(const struct cover *c, int tile) {
    const uint64_t m = (uint64_t)c->t->shape.m, n = (uint64_t)c->t->shape.n;
    const uint64_t of_m = (uint64_t)tile / 1000, of_n = (uint64_t)tile % 1000;
    const uint64_t gx = c->t->work.of[WORK_GRID_X], gy = c->t->work.of[WORK_GRID_Y];
    const uint64_t down = (m + of_m - 1) / of_m, side = (n + of_n - 1) / of_n;
    return c->t->counted && c->rectangle && of_m != of_n &&
           ((gx == down && gy == side) || (gx == side && gy == down) || gx * gy == down * side) &&
           (uint64_t)c->rows == smaller(m, down * of_n) &&
           (uint64_t)c->cols == smaller(n, side * of_m);
}

/* A right product from such a grid: there x goes down C on purpose. */
static bool right_across(const struct picture *p, int tile) {
    for (int i = 0; i < p->all->count; i++) {
        const struct cover c = {.t = p->all->trial[i]};
        if (c.t->verdict == VERDICT_PASS && launched_tiles_across(&c, tile))
            return true;
    }
    return false;
}

/* The sides of tiles that are looked for. */
static const int sides[] = {128, 64, 32, 256, 16, 8};
enum { SIDES = sizeof sides / sizeof *sides };

/* By what m and n were divided, as in divided_by_other_side(). 0: that is not what happened. */
static int other_sides(const struct picture *p) {
    for (int i = 0; i < SIDES * SIDES; i++) {
        const int tile = 1000 * sides[i / SIDES] + sides[i % SIDES];
        if (every(p, divided_by_other_side, tile))
            return tile;
    }
    return 0;
}

static bool tiles_across(const struct picture *p) {
    for (int i = 0; i < SIDES * SIDES; i++) {
        const int tile = 1000 * sides[i / SIDES] + sides[i % SIDES];
        if (every(p, launched_tiles_across, tile) && !right_across(p, tile))
            return true;
    }
    return false;
}

/* The grid rounds up rightly in all but the largest shapes, and has fewer threads than those have
 * elements: so its blocks are limited in number. */
static bool launched_a_limit(const struct cover *c, int tile) {
    enum { LARGE = 100000 };
    (void)tile;
    const uint64_t z = c->t->work.of[WORK_GRID_Z] * c->t->work.of[WORK_BLOCK_Z];
    const double all = (double)threads(c->t, 0) * (double)threads(c->t, 1) * (double)z;
    return trial_elements(c->t) > LARGE && all > LARGE && all < (double)trial_elements(c->t);
}

static void say_launch(struct text *t, const struct trial *of) {
    const uint64_t *w = of->work.of;
    text_addf(t, "the launch has %llu x %llu blocks of %llu x %llu threads (x, y)",
              (unsigned long long)w[WORK_GRID_X], (unsigned long long)w[WORK_GRID_Y],
              (unsigned long long)w[WORK_BLOCK_X], (unsigned long long)w[WORK_BLOCK_Y]);
}

/* How far that reaches, and how far it should. */
static void say_covered(const struct picture *p, struct text *t) {
    const struct trial *of = p->cover[0].t;
    text_addf(t, " With m = %d and n = %d ", of->shape.m, of->shape.n);
    say_launch(t, of);
    text_addf(t, ": threads for %llu rows and %llu columns.", (unsigned long long)threads(of, 1),
              (unsigned long long)threads(of, 0));
}

/* Is every element of this column blank? Or is there none that is? */
static bool column_blank(const struct trial *t, int col, bool *mixed) {
    int blanks = 0, zeros = 0;
    for (int row = 0; row < t->shape.m; row++) {
        const size_t at = (size_t)row * (size_t)t->shape.n + (size_t)col;
        blanks += blank(t, at);
        zeros += t->want[at] == 0 && !trial_untouched(t, at);
    }
    *mixed = blanks > 0 && blanks + zeros < t->shape.m;
    return blanks > 0;
}

/* Exactly one column of every so many was never computed. */
static bool columns_skipped(const struct picture *p, int *step) {
    int seen = 0;
    *step = 0;
    for (int i = 0; i < p->count; i++) {
        const struct trial *t = p->cover[i].t;
        int last = -1;
        bool mixed = false;
        for (int col = 0; col < t->shape.n && !mixed; col++) {
            if (!column_blank(t, col, &mixed) || mixed)
                continue;
            *step = *step == 0 ? col + 1 : *step;
            if (col - last != *step)
                return false;
            last = col;
            seen++;
        }
        if (mixed)
            return false;
    }
    return *step > 1 && seen > p->count;
}

/* Rows end with their last whole group of so many columns, and a block has more threads than such
 * groups would be blocks of: it is no block that is left out. */
static bool whole_groups(const struct cover *c, int columns) {
    const uint64_t *w = c->t->work.of;
    const uint64_t threads = w[WORK_BLOCK_X] * w[WORK_BLOCK_Y] * w[WORK_BLOCK_Z];
    return whole_blocks(c, columns) && (c->computed == 0 || c->rows == c->t->shape.m) &&
           (!c->t->counted || (threads > 64 && w[WORK_BLOCK_X] != (uint64_t)columns));
}

static bool any_counted(const struct picture *p) {
    for (int i = 0; i < p->count; i++)
        if (p->cover[i].t->counted)
            return true;
    return false;
}

/* Where the part that was computed ends tells it. NULL: it does not. */
static const char *judge_edge(const struct picture *p, const struct suspect_context *s,
                              struct text *t) {
    static const int tiles[] = {16, 32, 8, 4, 64, 10, 20, 24, 25, 12, 2};
    if (every(p, last_row, 0)) {
        text_add(
            t,
            "The last row of C is never computed; all others are right: rows go from 0 to m - 1, "
            "row < m.");
        return "last-row-dropped";
    }
    if (every(p, last_column, 0)) {
        text_add(t,
                 "The last column of C is never computed; all others are right: columns go from 0 "
                 "to n - 1, col < n.");
        return "last-column-dropped";
    }
    if (every(p, diagonal, 0) && any_diagonal(p)) {
        text_add(t, "Only the diagonal of C is computed.");
        return "no-work";
    }
    for (size_t i = 0; i < sizeof tiles / sizeof *tiles; i++) {
        if (every(p, swapped, tiles[i])) {
            text_add(
                t, "m and n are exchanged somewhere: what is computed is right, but rows end where "
                   "n ends, and columns where m does. Look at the grid (x covers the n columns, y "
                   "the m rows) and at the guards (row < m, col < n).");
            return "m-n-swapped";
        }
        if ((tiles[i] == 4 || tiles[i] == 2) && every(p, whole_groups, tiles[i]) &&
            any_counted(p)) {
            text_addf(t,
                      "Where n is no multiple of %d, the last columns of C are never stored: a "
                      "group of %d neighbours that reaches over the edge is left out as a whole. "
                      "Store those of its elements that exist, each by a condition of its own.",
                      tiles[i], tiles[i]);
            return "edge-group-dropped";
        }
        if (every(p, whole_blocks, tiles[i])) {
            text_addf(
                t,
                "The edge of C is never computed: everything beyond the last whole block of %d is "
                "left out. Round up the number of blocks, (n + %d) / %d, and skip no block because "
                "part of it is outside.",
                tiles[i], tiles[i] - 1, tiles[i]);
            return "grid-rounds-down";
        }
    }
    if (every(p, prefix, 0) && s->entry == ENTRY_HOST) {
        text_add(t,
                 "Only the first part of C arrives: the number of bytes copied is too small. Sizes "
                 "of cudaMalloc and cudaMemcpy count bytes, elements times sizeof(float).");
        return "bytes-missing";
    }
    return NULL;
}

/* As many rows were computed as the blocks of one launch cover, one below another, and no more. */
static bool first_slab(const struct cover *c, int tile) {
    (void)tile;
    return c->rectangle && c->rows > 0 && c->rows < c->t->shape.m && c->cols == c->t->shape.n &&
           c->rows % LAB_MOST_BLOCKS_DOWN == 0;
}

/* The launch tells it, or how much was stored. NULL: neither does. */
static const char *judge_work(const struct picture *p, struct text *t) {
    if (every(p, launched_a_limit, 0)) {
        text_add(t, "Part of C is never computed, in large products only: the launch limits the "
                    "number of blocks. With such a limit, each thread must go on to further "
                    "elements (or each block to further tiles) until none is left.");
        return "grid-limited";
    }
    const int of = p->several ? other_sides(p) : 0;
    if (of > 0) {
        text_addf(
            t,
            "Part of C is never computed: the number of blocks comes from the wrong sides of "
            "a block's tile. The launch divides m by %d and n by %d, but the tile has %d rows "
            "and %d columns: m must be divided by %d, and n by %d, both rounded up.",
            of / 1000, of % 1000, of % 1000, of / 1000, of % 1000, of / 1000);
        return "grid-by-other-side";
    }
    if (every(p, launched_across, 0) || (p->several && tiles_across(p))) {
        text_add(t,
                 "The grid's x and y are exchanged: there are blocks for m columns and n rows. x "
                 "must cover the n columns of C, y its m rows.");
        return "grid-exchanged";
    }
    if (!p->several && every(p, launched_by_other_side, 0)) {
        text_add(t, "Part of C is never computed: the grid divides a side of C by the wrong side "
                    "of the block. Columns lie along x, so their number is divided by blockDim.x; "
                    "rows lie along y, so theirs is divided by blockDim.y. Round both up. Or the "
                    "block's own sides are exchanged: dim3(x, y), first the threads side by side.");
        say_covered(p, t);
        return "grid-by-other-side";
    }
    if (p->several && every(p, stored_again, 0) && threads_share(p->all)) {
        say_again(p, t);
        return "index-wrong";
    }
    if (every(p, stored_elsewhere, 0)) {
        text_add(t, "Part of C is never written, and other elements are written more than once: "
                    "threads compute several elements each, and the row or the column of some is "
                    "computed wrongly.");
        return "index-wrong";
    }
    if (every(p, all_stored, 0)) {
        text_add(t, "Every element of C is stored, but some stay zero: nothing is ever added to "
                    "the sums of these. Look at the indices of the sums, where terms are added to "
                    "them: each element needs a sum of its own, and no index may leave the array.");
        return "sums-mixed";
    }
    if (!p->several && every(p, launched_less, 0)) {
        text_add(
            t, "Part of C is never computed: the grid has too few blocks. It must cover n columns "
               "with x and m rows with y, both rounded up.");
        say_covered(p, t);
        return "grid-rounds-down";
    }
    if (!p->several && every(p, wrapped, 0)) {
        text_add(t, "Threads to the right of C store into the row below: with column n, row * n + "
                    "col is the first element of the next row, so an index below m * n says "
                    "nothing of the column. Store only where both row < m and col < n.");
        return "missing-store-guard";
    }
    if (!p->several && every(p, launched_enough, 0)) {
        text_add(t, "Part of C is never written, although there are enough threads: the row or the "
                    "column of a thread is computed wrongly. Columns are blockIdx.x * blockDim.x + "
                    "threadIdx.x, rows blockIdx.y * blockDim.y + threadIdx.y.");
        return "index-wrong";
    }
    return NULL;
}

/* Nothing but the corner from this row and this column on was never written. */
static bool is_corner(const struct trial *t, int *row, int *col) {
    const int m = t->shape.m, n = t->shape.n;
    *row = m, *col = n;
    for (size_t at = 0; at < trial_elements(t); at++) {
        const int i = (int)(at / (size_t)n), j = (int)(at % (size_t)n);
        if (trial_untouched(t, at)) {
            *row = i < *row ? i : *row;
            *col = j < *col ? j : *col;
        }
    }
    for (size_t at = 0; at < trial_elements(t); at++) {
        const bool inside = at / (size_t)n >= (size_t)*row && at % (size_t)n >= (size_t)*col;
        if (inside != trial_untouched(t, at))
            return false;
    }
    return *row > 0 && *col > 0 && m > *row;
}

/* Several launches make up C, as far as they were counted, and none has its corner. NULL: no. */
static const char *judge_corner(const struct picture *p, struct text *t) {
    int row = 0, col = 0;
    bool counted = false;
    for (int i = 0; i < p->count; i++) {
        const struct trial *of = p->cover[i].t;
        counted = of->counted;
        if ((counted && of->work.of[WORK_LAUNCHES] < 2) || !is_corner(of, &row, &col))
            return NULL;
    }
    const struct shape s = p->cover[p->count - 1].t->shape;
    text_addf(t,
              "Only a corner of C is never computed: with m = %d, n = %d, k = %d the elements from "
              "row %d and column %d on. ",
              s.m, s.n, s.k, row, col);
    text_add(t, counted ? "Several launches make up C here: "
                        : "If it is not just the last block that is missing, several launches make "
                          "up C here: ");
    text_add(t, "one for the whole tiles, one for the columns to the right of them, one for the "
                "rows below. None has the corner. Let the rows below have all n columns, or the "
                "columns to the right all m rows.");
    return "corner-missing";
}

static uint64_t block_threads(const struct trial *t) {
    const uint64_t *w = t->work.of;
    return t->counted ? w[WORK_BLOCK_X] * w[WORK_BLOCK_Y] * w[WORK_BLOCK_Z] : 0;
}

/* C has gaps just where blocks have so many threads, and right products came from blocks of another
 * number, which goes to *right. 0: not so. A C that ends above the gaps may be right. */
static uint64_t odd_block(const struct picture *p, uint64_t *right) {
    const uint64_t threads = block_threads(p->cover[0].t);
    size_t gap = SIZE_MAX; /* the first row with one */
    for (int i = 0; i < p->count; i++) {
        const struct cover *c = &p->cover[i];
        const size_t row = c->first_blank / (size_t)c->t->shape.n;
        gap = row < gap ? row : gap;
        if (block_threads(c->t) != threads)
            return 0;
    }
    *right = 0;
    for (int i = 0; i < p->all->count; i++) {
        const struct trial *t = p->all->trial[i];
        if (t->verdict != VERDICT_PASS || block_threads(t) == 0)
            continue;
        if (block_threads(t) != threads)
            *right = block_threads(t);
        else if ((size_t)t->shape.m > gap)
            return 0;
    }
    return *right > 0 ? threads : 0;
}

/* NULL: blocks of any size leave the same out. */
static const char *judge_block(const struct picture *p, struct text *t) {
    uint64_t right = 0;
    const uint64_t threads = odd_block(p, &right);
    if (threads == 0)
        return NULL;
    text_addf(t,
              "Only blocks of %llu threads leave out part of their tile; blocks of %llu do not. A "
              "loop shares out the tile among more threads than there are: its step, and a "
              "thread's first place, must come from the number of threads of this shape of tiles "
              "(blockDim.x).",
              (unsigned long long)threads, (unsigned long long)right);
    return "rows-skipped";
}

static const char *judge(const struct picture *p, const struct suspect_context *s, struct text *t) {
    const char *class = judge_edge(p, s, t);
    class = class ? class : judge_corner(p, t);
    class = class ? class : judge_work(p, t);
    if (class)
        return class;
    if (every(p, first_slab, 0)) {
        text_add(t, "Only the first slab of rows is computed, as many as 65,535 blocks cover, one "
                    "below another. Each further launch is a smaller product: its rows are those "
                    "that are left, its A begins at A + first * k, its C at C + first * n. If the "
                    "kernel counts rows from the top of the whole C, it must compare them with m, "
                    "not with the rows of this launch.");
        return "slab-wrong";
    }
    int step = 0;
    if (columns_skipped(p, &step)) {
        text_addf(t,
                  "One column of every %d is never computed, and all others are right: a loop over "
                  "columns steps further than the part of C that it works on is wide, or ends one "
                  "too early in each part%s.",
                  step,
                  step == 4 ? ", or the last of four neighbours that are stored one by one is "
                              "forgotten"
                            : "");
        return "columns-skipped";
    }
    const struct trial *wrong[TRIALS_MOST];
    for (int i = 0; i < p->count; i++)
        wrong[i] = p->cover[i].t;
    class = suspect_gaps(wrong, p->count, t);
    class = class || !p->several ? class : judge_block(p, t);
    if (class)
        return class;
    text_add(t, every(p, rectangle, 0)
                    ? "Part of C is never computed: rows and columns end too early."
                    : "What is written to C is right, but part of it is never written.");
    if (p->several)
        text_add(t, " Each thread computes several elements here: work out by hand which ones the "
                    "last block of a row and of a column should compute, and which it does.");
    return NULL;
}

bool suspect_coverage(const struct trials *all, const struct suspect_context *c,
                      struct diagnosis *d) {
    struct picture p = {.all = all};
    bool anything = false;
    for (int i = 0; i < all->count; i++) {
        const struct trial *t = all->trial[i];
        if (!t->got && t->verdict == VERDICT_MEMORY)
            return false; /* what is not computed leaves no matrix */
        const struct cover right = {.t = t};
        p.several = p.several || (t->verdict == VERDICT_PASS && launched_less(&right, 0));
        if (!trial_wrong(t) || trial_elements(t) < 2 || is_zero(t))
            continue;
        if (!look(t, c->entry == ENTRY_HOST, &p.cover[p.count]))
            return false;
        anything = anything || p.cover[p.count].computed > 0;
        p.count++;
    }
    if (p.count == 0 || !anything)
        return false;
    d->class = judge(&p, c, &d->sentence);
    d->topic = d->class && strcmp(d->class, "index-wrong") == 0 ? "@place" : NULL;
    const struct trial *best = suspect_best(all, false);
    const struct cover *shown = &p.cover[0];
    for (int i = 0; i < p.count; i++)
        if (p.cover[i].t == best)
            shown = &p.cover[i];
    suspect_example(&d->sentence, shown->t, shown->first_blank, NULL);
    text_addf(&d->evidence, "with m = %d, n = %d, every element is right or was never computed; ",
              shown->t->shape.m, shown->t->shape.n);
    if (shown->rectangle)
        text_addf(&d->evidence, "computed are rows below %d and columns below %d", shown->rows,
                  shown->cols);
    else
        text_addf(&d->evidence, "computed are %zu of %zu", shown->computed,
                  trial_elements(shown->t));
    if (threads(shown->t, 0) > 0) {
        text_add(&d->evidence, "; ");
        say_launch(&d->evidence, shown->t);
    }
    return true;
}
