/* questions.c: grids, coalescing, bandwidth. */
#include "solutions/questions/formulas.h"

/* ---- A grid ----
 * Rows n[0], columns n[1], block width n[2] and height n[3], block n[4] n[5], thread n[6] n[7]. */

static void draw_grid(struct drawn *d, struct generator *g) {
    static const int widths[] = {8, 16, 32};
    d->n[2] = pick_from(g, widths, COUNT(widths));
    d->n[3] = 128 / d->n[2];
    do {
        d->n[0] = pick(g, 50, 400);
        d->n[1] = pick(g, 100, 900);
    } while (d->n[0] % d->n[3] == 0 || d->n[1] % d->n[2] == 0 || d->n[0] == d->n[1]);
    d->n[4] = pick(g, 1, d->n[1] / d->n[2] - 1);
    d->n[5] = pick(g, 1, d->n[0] / d->n[3] - 1);
    d->n[6] = pick(g, 1, d->n[2] - 1);
    d->n[7] = pick(g, 1, d->n[3] - 1);
    if (d->n[4] * d->n[2] + d->n[6] == d->n[5] * d->n[3] + d->n[7])
        d->n[6]--; /* row and column must differ */
}

static void text_grid(struct text *t, const struct drawn *d) {
    text_addf(t,
              "C has %d rows and %d columns. Blocks have %d threads along x and %d along y; x runs "
              "along rows, as in the handout. The grid just covers C.\n",
              (int)d->n[0], (int)d->n[1], (int)d->n[2], (int)d->n[3]);
    text_addf(t, "One thread has blockIdx (%d, %d) and threadIdx (%d, %d), x first.\n",
              (int)d->n[4], (int)d->n[5], (int)d->n[6], (int)d->n[7]);
}

static double grid_x(const struct drawn *d) {
    return (double)parts_over(d->n[1], d->n[2]);
}

static double grid_y(const struct drawn *d) {
    return (double)parts_over(d->n[0], d->n[3]);
}

VALUE(grid_size, two(grid_x(d), grid_y(d)))
VALUE(grid_down, two((double)parts_in(d->n[1], d->n[2]), (double)parts_in(d->n[0], d->n[3])))
VALUE(grid_swapped, two((double)parts_over(d->n[0], d->n[2]), (double)parts_over(d->n[1], d->n[3])))
VALUE(grid_threads, one(grid_x(d) * grid_y(d) * (double)(d->n[2] * d->n[3])))
VALUE(grid_idle, one(grid_threads(d, v).v[0] - (double)(d->n[0] * d->n[1])))
VALUE(grid_place, two((double)(d->n[5] * d->n[3] + d->n[7]), (double)(d->n[4] * d->n[2] + d->n[6])))

static struct blank_value grid_place_swapped(const struct drawn *d, const struct variables *v) {
    const struct blank_value right = grid_place(d, v);
    return two(right.v[1], right.v[0]);
}

static const struct formula_blank grid_blanks[] = {
    {.name = "grid",
     .kind = BLANK_NUMBERS,
     .ask = "gridDim.x, gridDim.y",
     .value = grid_size,
     .hint = "Divide, and round up, for each direction by itself.",
     .slips = {{grid_down, "Rounded down, the last rows and columns get no thread."},
               {grid_swapped, "Columns lie along x, rows along y."}}},
    {.name = "threads",
     .kind = BLANK_NUMBERS,
     .ask = "threads in all",
     .value = grid_threads,
     .hint = "All blocks are whole: blocks times threads of a block."},
    {.name = "idle",
     .kind = BLANK_NUMBERS,
     .ask = "threads without an element",
     .value = grid_idle,
     .hint = "Each element takes one thread; what is left has none."},
    {.name = "place",
     .kind = BLANK_NUMBERS,
     .ask = "row, column of that thread's element",
     .value = grid_place,
     .hint = "Threads in the blocks before mine, plus my place in my block.",
     .slips = {{grid_place_swapped, "Row first: it comes from y, the column from x."}}},
}; /* --- The same as formulas --- */

static void text_place(struct text *t, const struct drawn *d) {
    (void)d;
    text_add(t,
             "The same in general, with what every thread knows: blockIdx, blockDim and "
             "threadIdx, each with .x and .y. (Blocks are square here, T x T.) And which element "
             "of the array C is it, if the matrix has n columns?\n");
}

VALUE(formula_row, one(v->row))
VALUE(formula_col, one(v->col))
VALUE(formula_index, one(v->row * v->n + v->col))

static struct blank_value formula_index_by_columns(const struct drawn *d,
                                                   const struct variables *v) {
    (void)d;
    return one(v->col * v->n + v->row);
}

static const struct formula_blank place_blanks[] = {
    {.name = "row",
     .kind = BLANK_FORMULAS,
     .ask = "formula of the row",
     .variables = "T x y bx by",
     .value = formula_row,
     .written = "blockIdx.y * blockDim.y + threadIdx.y",
     .hint = "y counts the rows.",
     .slips = {{formula_col, "That is the column."}}},
    {.name = "column",
     .kind = BLANK_FORMULAS,
     .ask = "formula of the column",
     .variables = "T x y bx by",
     .value = formula_col,
     .written = "blockIdx.x * blockDim.x + threadIdx.x",
     .hint = "x counts the columns.",
     .slips = {{formula_row, "That is the row."}}},
    {.name = "index",
     .kind = BLANK_FORMULAS,
     .ask = "formula of the index, from row, col and n",
     .variables = "row col n",
     .value = formula_index,
     .written = "row * n + col",
     .hint = "Whole rows of n elements lie before it.",
     .slips = {{formula_index_by_columns, "That is column after column."}}},
};

/* ---- Coalescing: six reads of a warp ---- */

enum { READS = 6, FORMS = 8 };

/* The words that 32 lanes read; `form` is one of FORMS, a number goes with it. */
static int64_t word_of(int64_t form, int64_t number, int64_t lane) {
    switch (form) {
    case 0: return lane;
    case 1: return 31 - lane;
    case 2: return lane * number;
    case 3: return number;
    case 4: return lane + number; /* a multiple of 8: aligned */
    case 5: return lane / number;
    case 6: return lane ^ 1; /* neighbours exchanged */
    default: return lane * 32 + number;
    }
}

static int64_t sectors_of(int64_t form, int64_t number) {
    bool touched[512] = {false};
    int64_t count = 0;
    for (int64_t lane = 0; lane < 32; lane++) {
        bool *sector = &touched[word_of(form, number, lane) / 8];
        count += !*sector;
        *sector = true;
    }
    return count;
}

static void add_read(struct text *t, const char *array, int64_t form, int64_t number) {
    const int k = (int)number;
    switch (form) {
    case 0: text_addf(t, "%s[lane]", array); break;
    case 1: text_addf(t, "%s[31 - lane]", array); break;
    case 2: text_addf(t, "%s[lane * %d]", array, k); break;
    case 3: text_addf(t, "%s[%d]", array, k); break;
    case 4: text_addf(t, "%s[lane + %d]", array, k); break;
    case 5: text_addf(t, "%s[lane / %d]", array, k); break;
    case 6:
        text_addf(t, "%s[lane ^ 1]   (lanes 0 and 1 change places, 2 and 3, ...)", array);
        break;
    default: text_addf(t, "%s[lane * 32 + %d]", array, k); break;
    }
}

/* Forms in n[0..5], their numbers in n[6..11]; n[12] is the read whose sectors are asked for. */
static void draw_reads(struct drawn *d, struct generator *g) {
    int order[FORMS];
    for (int i = 0; i < FORMS; i++)
        order[i] = i;
    for (int i = FORMS - 1; i > 0; i--) {
        const int64_t j = pick(g, 0, i);
        const int t = order[i];
        order[i] = order[j];
        order[j] = t;
    }
    for (int i = 0; i < READS; i++) {
        static const int divisors[] = {2, 4};
        const int form = order[i];
        d->n[i] = form;
        d->n[READS + i] = form == 2   ? pick(g, 2, 9)
                          : form == 3 ? pick(g, 1, 31)
                          : form == 4 ? 8 * pick(g, 1, 9)
                          : form == 5 ? pick_from(g, divisors, 2)
                                      : pick(g, 1, 31);
        if (form == 2)
            d->n[12] = i;
    }
    d->n[13] = pick(g, 2, 7); /* for the second blank: a stride of its own */
}

static void text_reads(struct text *t, const struct drawn *d) {
    text_add(t,
             "32 lanes of a warp read floats from an array X in global memory; X[0] begins a "
             "sector of 32 bytes. Which reads are as good as reading 32 neighbours: they touch 4 "
             "sectors or fewer?\n");
    for (int i = 0; i < READS; i++) {
        text_addf(t, "   %c) ", 'a' + i);
        add_read(t, "X", d->n[i], d->n[READS + i]);
        text_add(t, "\n");
    }
    text_addf(t, "And how many sectors does X[lane * %d] touch?\n", (int)d->n[13]);
}

static struct blank_value reads_good(const struct drawn *d, const struct variables *v) {
    (void)v;
    int set = 0;
    for (int i = 0; i < READS; i++)
        set |= (sectors_of(d->n[i], d->n[READS + i]) <= 4) << i;
    return one(set);
}

static struct blank_value reads_all_neighbours(const struct drawn *d, const struct variables *v) {
    (void)v;
    int set = 0;
    for (int i = 0; i < READS; i++)
        set |= (d->n[i] == 0 || d->n[i] == 4) << i;
    return one(set);
}

VALUE(reads_sectors, one((double)sectors_of(2, d->n[13])))
VALUE(reads_words, one(32))

static const struct formula_blank reads_blanks[] = {
    {.name = "coalesced",
     .kind = BLANK_LETTERS,
     .ask = "their letters, as in: a c",
     .value = reads_good,
     .hint = "Write down the words of lanes 0, 1, 2 ... 31, and count the groups of 8 words.",
     .slips = {{reads_all_neighbours,
                "Within a sector the order does not matter, and fewer sectors are better still."}}},
    {.name = "sectors",
     .kind = BLANK_NUMBERS,
     .ask = "the number of sectors",
     .value = reads_sectors,
     .hint = "The last lane's word says how far the read reaches; a sector holds 8 words.",
     .slips = {{reads_words, "Several lanes share a sector while their words are close enough."}}},
};

/* ---- A warp on several rows of C: a block's width n[0], height n[1]; k n[2] ---- */

static void draw_rows(struct drawn *d, struct generator *g) {
    static const int widths[] = {4, 8, 16};
    static const int heights[] = {8, 16, 32};
    d->n[0] = pick_from(g, widths, COUNT(widths));
    d->n[1] = pick_from(g, heights, COUNT(heights));
    d->n[2] = 8 * pick(g, 5, 40);
}

static void text_rows(struct text *t, const struct drawn *d) {
    text_addf(t,
              "Blocks have %d threads along x and %d along y, so a warp covers several rows of C. "
              "Rows of A and B begin at multiples of 32 bytes, and are longer than a sector. How "
              "many sectors does a warp's read of B touch, for one p? And its read of A? How "
              "many do all reads of a block touch together, with k = %d?\n",
              (int)d->n[0], (int)d->n[1], (int)d->n[2]);
}

VALUE(rows_b, whole(parts_over(d->n[0], 8)))
VALUE(rows_b_each, whole(32 / d->n[0] * parts_over(d->n[0], 8)))
VALUE(rows_a, whole(32 / d->n[0]))
VALUE(rows_a_one, one(1))
VALUE(rows_p, whole(parts_over(d->n[0], 8) + 32 / d->n[0]))
VALUE(rows_block, one((double)d->n[2] * d->n[0] * d->n[1] / 32 * rows_p(d, v).v[0]))
VALUE(rows_warp, one((double)d->n[2] * rows_p(d, v).v[0]))

static const struct formula_blank rows_blanks[] = {
    {.name = "sectors_b",
     .kind = BLANK_NUMBERS,
     .ask = "sectors of B",
     .value = rows_b,
     .hint = "Which columns has the warp? A sector holds 8 of them.",
     .slips = {{rows_b_each, "All these rows of C need the same elements of B."}}},
    {.name = "sectors_a",
     .kind = BLANK_NUMBERS,
     .ask = "sectors of A",
     .value = rows_a,
     .hint = "Each row of C needs one element of A. How many rows has the warp?",
     .slips = {{rows_a_one, "That is enough for one row of C."}}},
    {.name = "sectors_block",
     .kind = BLANK_NUMBERS,
     .ask = "sectors of all reads of a block",
     .value = rows_block,
     .hint = "A warp's sectors for one p, times the values of p, times the warps of a block.",
     .slips = {{rows_warp, "These are a single warp's. How many warps has the block?"}}},
};

/* ---- Warps that the guard splits: C has n[0] rows, n[1] columns; blocks of 8 x 32 ---- */

enum { SPLIT_WIDE = 8, SPLIT_HIGH = 4 }; /* what a warp covers */

static void draw_split(struct drawn *d, struct generator *g) {
    do {
        d->n[0] = pick(g, 40, 120);
        d->n[1] = pick(g, 100, 300);
    } while (d->n[0] % SPLIT_HIGH == 0);
}

static void text_split(struct text *t, const struct drawn *d) {
    text_addf(t,
              "C has %d rows and %d columns. Blocks have 8 threads along x and 32 along y, and the "
              "grid just covers C. How many warps does the guard split?\n",
              (int)d->n[0], (int)d->n[1]);
}

/* Those at the bottom and those at the right; the one in the corner is among both. */
static int64_t split_below(const struct drawn *d) {
    return d->n[0] % SPLIT_HIGH ? parts_over(d->n[1], SPLIT_WIDE) : 0;
}

static int64_t split_right(const struct drawn *d) {
    return d->n[1] % SPLIT_WIDE ? parts_over(d->n[0], SPLIT_HIGH) : 0;
}

VALUE(split_warps, whole(split_below(d) + split_right(d) - (split_below(d) && split_right(d))))
VALUE(split_twice, whole(split_below(d) + split_right(d)))
VALUE(split_bottom, whole(split_below(d)))

static const struct formula_blank split_blanks[] = {
    {.name = "split_warps",
     .kind = BLANK_NUMBERS,
     .ask = "warps with threads on both sides of the guard",
     .value = split_warps,
     .hint =
         "A warp has 8 columns of four rows. Which of these pieces does an edge of C cut? Those "
         "that lie outside as a whole are not split.",
     .slips = {{split_bottom, "These are the ones at the bottom. Look at the right edge, too."},
               {split_twice, "The one in the corner is counted twice."}}},
};

/* ---- Bandwidth: GB/s n[0], bytes for an operation n[1] ---- */

static void draw_bound(struct drawn *d, struct generator *g) {
    static const int bytes[] = {2, 4, 8, 12};
    d->n[0] = pick(g, 5, 95) * 24;
    d->n[1] = pick_from(g, bytes, COUNT(bytes));
}

static void text_bound(struct text *t, const struct drawn *d) {
    text_add(t, "A Tesla C2075 moves 144 GB/s and can do 1,030 GFLOP/s. A kernel fetches one float "
                "for each of its operations.\n");
    text_addf(t,
              "Another device moves %d GB/s; another kernel fetches %d bytes for each operation.\n",
              (int)d->n[0], (int)d->n[1]);
}

VALUE(bytes_per_flop, one(4))
VALUE(bound_c2075, one(144.0 / 4))
VALUE(bound_bytes, one(144))
VALUE(bound_share, one(100 * 144.0 / 4 / 1030))
VALUE(bound_mine, one((double)d->n[0] / (double)d->n[1]))
VALUE(bound_times, one((double)d->n[0] * (double)d->n[1]))

static const struct formula_blank bound_blanks[] = {
    {.name = "bytes_per_flop",
     .kind = BLANK_NUMBERS,
     .ask = "bytes for each operation on the C2075",
     .value = bytes_per_flop,
     .hint = "One float, and how many bytes has a float?"},
    {.name = "bound_gflops",
     .kind = BLANK_REAL,
     .ask = "GFLOP/s that the C2075's memory allows",
     .value = bound_c2075,
     .hint = "How many floats arrive in a second?",
     .slips = {{bound_bytes, "144 GB/s are bytes. How many floats are that?"}}},
    {.name = "bound_percent",
     .kind = BLANK_REAL,
     .ask = "... in percent of what it can do",
     .value = bound_share,
     .hint = "The bound divided by the peak, times 100."},
    {.name = "bound_other",
     .kind = BLANK_REAL,
     .ask = "GFLOP/s on the other device at most",
     .value = bound_mine,
     .hint = "Bytes a second, divided by bytes an operation.",
     .slips = {{bound_times, "More bytes for each operation make it slower: divide."}}},
};

/* ---- Find the bug ---- */

static const char *const bug_lines[] = {
    "// the kernel",
    "int row = ...;    // right",
    "int col = ...;    // right",
    "if (row > m || col > n)",
    "    return;",
    "C[index(row, col, n)] = ...;    // right",
    "",
    "// the host",
    "float *d_A, *d_B, *d_C;",
    "cudaMalloc(&d_A, bytes_A);",
    "cudaMalloc(&d_B, bytes_B);",
    "cudaMalloc(&d_C, bytes_C);",
    "...    // copies to the device, the launch, the copy back: right",
    "cudaFree(d_A);",
    "cudaFree(d_B);",
    "return;",
    NULL,
};

static void text_bugs(struct text *t, const struct drawn *d) {
    (void)d;
    text_add(t, "This works while m and n are multiples of the block's sides, if nobody looks "
                "closely. (That no call is checked is not what is asked.) Which line lets threads "
                "through that have no element? After which line is one missing, so that memory is "
                "lost?\n");
}

static const struct formula_blank bug_blanks[] = {
    {.name = "bug_line",
     .kind = BLANK_LINE,
     .ask = "the line that lets them through",
     .hint = "Which threads have no element? Try m = 17: which rows exist, which pass?",
     .lines = LINES(3)},
    {.name = "missing_after",
     .kind = BLANK_LINE,
     .ask = "the line after which one is missing",
     .hint = "Count what is allocated, and what is given back.",
     .lines = LINES(12, 13, 14)},
};

/* ---- Two films: thread n[0], its round n[1] ---- */

static void draw_film(struct drawn *d, struct generator *g) {
    do {
        d->n[0] = pick(g, 0, 61);
        d->n[1] = pick(g, 2, 4);
    } while (d->n[0] + 64 * (d->n[1] - 1) >= 250 || 4 * d->n[0] + d->n[1] - 1 >= 250);
}

static void text_film(struct text *t, const struct drawn *d) {
    text_add(t, "Two films of 64 threads that double 250 numbers: neighbours.cu and chunks.cu. "
                "Watch the line that doubles a number, numbers[i] = ..." FILMS);
    text_addf(t, "Choose thread (%d, 0), and stop where it comes to this line for the %s time.\n",
              (int)d->n[0],
              d->n[1] == 2   ? "second"
              : d->n[1] == 3 ? "third"
                             : "fourth");
}

VALUE(film_numbers, whole_two(d->n[0] + 64 * (d->n[1] - 1), 4 * d->n[0] + d->n[1] - 1))
VALUE(film_numbers_swapped, whole_two(4 * d->n[0] + d->n[1] - 1, d->n[0] + 64 * (d->n[1] - 1)))

/* Sectors of 8 numbers that the thread's warp reads, its lanes so many numbers apart. */
static int64_t film_warp_sectors(const struct drawn *d, int64_t apart, int64_t begin) {
    int64_t count = 0, last = -1;
    for (int64_t lane = 0; lane < 32; lane++) {
        const int64_t i = (d->n[0] / 32 * 32 + lane) * apart + begin;
        count += i < 250 && i / 8 != last;
        last = i < 250 ? i / 8 : last;
    }
    return count;
}

VALUE(film_sectors,
      whole_two(film_warp_sectors(d, 1, 64 * (d->n[1] - 1)), film_warp_sectors(d, 4, d->n[1] - 1)))

static const struct formula_blank film_blanks[] = {
    {.name = "film_numbers",
     .kind = BLANK_NUMBERS,
     .ask = "its i: in neighbours.cu, in chunks.cu",
     .value = film_numbers,
     .hint = "The table of the chosen thread's variables has i.",
     .slips = {{film_numbers_swapped, "neighbours.cu comes first."}}},
    {.name = "film_sectors",
     .kind = BLANK_NUMBERS,
     .ask = "sectors that its warp reads there: in neighbours.cu, in chunks.cu",
     .value = film_sectors,
     .hint = "The sentence above the source has it, and the picture of the access. Not all warps "
             "have 32 lanes at work."},
};

/* ---- Bytes used later: warp n[0], number n[1]; another kernel's numbers a thread n[2] ---- */

enum { NUMBERS = 250, THREADS = 64, LANES = 32, SECTOR = 8 /* numbers */ };

static void draw_again(struct drawn *d, struct generator *g) {
    static const int each[] = {2, 3, 5, 6, 7, 8, 12, 16};
    d->n[0] = pick(g, 0, 1);
    /* In both films the warp has this number: 128 numbers of its own, or half of each round's. */
    do
        d->n[1] = pick(g, 128 * d->n[0], d->n[0] ? NUMBERS - 1 : 127);
    while (d->n[1] / LANES % 2 != d->n[0]);
    d->n[2] = pick_from(g, each, COUNT(each));
}

static void text_again(struct text *t, const struct drawn *d) {
    text_add(t, "Two films of 64 threads that double 250 numbers: neighbours.cu and chunks.cu. "
                "Watch the line that doubles a number, numbers[i] = ... A warp comes to it four "
                "times. In both kernels each byte is used in the end." FILMS);
    text_addf(t,
              "   (a) all reads of warp %d   (b) those of the sector in which numbers[%d] lies\n"
              "   (c) in another kernel, each of 64 threads takes %d numbers\n",
              (int)d->n[0], (int)d->n[1], (int)d->n[2]);
}

/* The number that a lane has in a round, its own numbers so many apart. */
static int64_t again_number(int64_t warp, int64_t lane, int64_t round, int64_t each, bool chunks) {
    const int64_t thread = LANES * warp + lane;
    return chunks ? thread * each + round : thread + THREADS * round;
}

/* Sectors of a warp's reads, each round's counted by itself; with `sector` >= 0 only this one's. */
static int64_t again_sectors(int64_t warp, int64_t each, int64_t count, bool chunks,
                             int64_t sector) {
    int64_t sectors = 0;
    for (int64_t round = 0; round < each; round++) {
        int64_t last = -1;
        for (int64_t lane = 0; lane < LANES; lane++) {
            const int64_t i = again_number(warp, lane, round, each, chunks);
            if (i >= count || i / SECTOR == last)
                continue;
            last = i / SECTOR;
            sectors += sector < 0 || sector == last;
        }
    }
    return sectors;
}

static struct blank_value again_both(int64_t warp, int64_t each, int64_t count, int64_t sector) {
    return whole_two(again_sectors(warp, each, count, false, sector),
                     again_sectors(warp, each, count, true, sector));
}

VALUE(again_all, again_both(d->n[0], 4, NUMBERS, -1))
VALUE(again_once, whole_two(16, 16))
VALUE(again_one, again_both(d->n[0], 4, NUMBERS, d->n[1] / SECTOR))
VALUE(again_other, again_both(0, d->n[2], THREADS * d->n[2], -1))
VALUE(again_other_once, whole_two(4 * d->n[2], 4 * d->n[2]))

#define AGAIN "A sector that several reads touch counts each time."

static const struct formula_blank again_blanks[] = {
    {.name = "again_sectors",
     .kind = BLANK_NUMBERS,
     .ask = "(a) sectors, counted at each read: in neighbours.cu, in chunks.cu",
     .value = again_all,
     .hint = "The sentence above the source says how many sectors a read touches. Add up the four.",
     .slips = {{again_once, AGAIN}}},
    {.name = "again_reads",
     .kind = BLANK_NUMBERS,
     .ask = "(b) how many of the four reads touch it: in neighbours.cu, in chunks.cu",
     .value = again_one,
     .hint = "Eight numbers are a sector. In which rounds does a thread of the warp have one of "
             "them?"},
    {.name = "again_other",
     .kind = BLANK_NUMBERS,
     .ask = "(c) sectors of all reads of a warp: if neighbours take neighbours, if a thread's "
            "numbers lie side by side",
     .value = again_other,
     .hint = "One read of 32 lanes first: how far apart are they, and how many share a sector? "
             "There are as many reads as a thread has numbers.",
     .slips = {{again_other_once, AGAIN}}},
};

const struct formula_question questions_lab2[] = {
    {"lab2.grid", "A grid, and one thread in it", "lab2.md#hand", draw_grid, text_grid, grid_blanks,
     COUNT(grid_blanks), NULL},
    {"lab2.place", "Which element is mine?", "lab2.md#which", NULL, text_place, place_blanks,
     COUNT(place_blanks), NULL},
    {"lab2.reads", "Coalesced or not", "lab2.md#coalescing", draw_reads, text_reads, reads_blanks,
     COUNT(reads_blanks), NULL},
    {"lab2.rows", "A warp on several rows", "lab2.md#coalescing", draw_rows, text_rows, rows_blanks,
     COUNT(rows_blanks), NULL},
    {"lab2.bound", "What memory allows", "memory.md#bound", draw_bound, text_bound, bound_blanks,
     COUNT(bound_blanks), NULL},
    {"lab2.bug", "Find the bugs", "lab2.md#hand", draw_lines, text_bugs, bug_blanks,
     COUNT(bug_blanks), bug_lines},
    {"lab2.again", "Used again", "lab2.md#coalescing", draw_again, text_again, again_blanks,
     COUNT(again_blanks), NULL},
    {"lab2.film", "Two films", "debugging.md#films", draw_film, text_film, film_blanks,
     COUNT(film_blanks), NULL},
    {"lab2.split", "Split warps", "lab2.md#divergence", draw_split, text_split, split_blanks,
     COUNT(split_blanks), NULL},
};

const size_t questions_lab2_count = COUNT(questions_lab2);
