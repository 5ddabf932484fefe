/* questions.c: phases, counting, occupancy, banks. */
#include "solutions/questions/formulas.h"

#define ALL "row col x y T p width bx by"

/* ---- Fill in the indices ---- */

static void text_phases(struct text *t, const struct drawn *d) {
    (void)d;
    text_add(t,
             "row and col are the row and column of C of a thread, x and y its threadIdx.x and "
             "threadIdx.y, T the tile, width the width of the matrices, p the number of the phase "
             "(the first is 0). Which element of A, and which of B, does the thread copy? Write "
             "A[?][?] as two formulas with a comma between, such as: row, T + 2\n");
}

static struct blank_value phase_A_at(const struct variables *v, double phase) {
    return two(v->row, phase * v->T + v->x);
}

static struct blank_value phase_B_at(const struct variables *v, double phase) {
    return two(phase * v->T + v->y, v->col);
}

VALUE(phase_0_A, phase_A_at(v, 0))
VALUE(phase_0_B, phase_B_at(v, 0))
VALUE(phase_1_A, phase_A_at(v, 1))
VALUE(phase_1_B, phase_B_at(v, 1))
VALUE(phase_p_A, phase_A_at(v, v->p))
VALUE(phase_p_B, phase_B_at(v, v->p))
VALUE(own_place, two(v->y, v->x))
VALUE(own_element, two(v->row, v->col))
VALUE(index_A, one(v->row * v->width + v->p * v->T + v->x))
VALUE(index_B, one((v->p * v->T + v->y) * v->width + v->col))
VALUE(index_B_rows, one(v->p * v->T + v->y * v->width + v->col))

#define HINT_A                                                                                     \
    "A's tile moves right: the row stays, the column is T * (phase) further, plus my own place."
#define HINT_B                                                                                     \
    "B's tile moves down: the column stays, the row is T * (phase) further, plus my own place."
#define SLIP_PLACE                                                                                 \
    { own_place, "x and y are the place in the tile. The tile lies somewhere in the matrix." }
#define SLIP_ELEMENT_A                                                                             \
    { own_element, "That is C's element. A row of A is needed from its start, tile by tile." }
#define SLIP_ELEMENT_B                                                                             \
    { own_element, "That is C's element. A column of B is needed from its start, tile by tile." }

static const struct formula_blank phase_blanks[] = {
    {.name = "phase_0_A",
     .kind = BLANK_FORMULAS,
     .ask = "phase 0, A[?][?]",
     .variables = ALL,
     .value = phase_0_A,
     .written = "row, x",
     .hint = HINT_A,
     .slips = {SLIP_PLACE, SLIP_ELEMENT_A}},
    {.name = "phase_0_B",
     .kind = BLANK_FORMULAS,
     .ask = "phase 0, B[?][?]",
     .variables = ALL,
     .value = phase_0_B,
     .written = "y, col",
     .hint = HINT_B,
     .slips = {SLIP_PLACE, SLIP_ELEMENT_B}},
    {.name = "phase_1_A",
     .kind = BLANK_FORMULAS,
     .ask = "phase 1, A[?][?]",
     .variables = ALL,
     .value = phase_1_A,
     .written = "row, T + x",
     .hint = HINT_A,
     .slips = {SLIP_PLACE, SLIP_ELEMENT_A, {phase_0_A, "That is phase 0."}}},
    {.name = "phase_1_B",
     .kind = BLANK_FORMULAS,
     .ask = "phase 1, B[?][?]",
     .variables = ALL,
     .value = phase_1_B,
     .written = "T + y, col",
     .hint = HINT_B,
     .slips = {SLIP_PLACE, SLIP_ELEMENT_B, {phase_0_B, "That is phase 0."}}},
    {.name = "phase_p_A",
     .kind = BLANK_FORMULAS,
     .ask = "phase p, A[?][?]",
     .variables = ALL,
     .value = phase_p_A,
     .written = "row, p * T + x",
     .hint = HINT_A,
     .slips = {SLIP_PLACE, SLIP_ELEMENT_A, {phase_p_B, "That is B's."}}},
    {.name = "phase_p_B",
     .kind = BLANK_FORMULAS,
     .ask = "phase p, B[?][?]",
     .variables = ALL,
     .value = phase_p_B,
     .written = "p * T + y, col",
     .hint = HINT_B,
     .slips = {SLIP_PLACE, SLIP_ELEMENT_B, {phase_p_A, "That is A's."}}},
    {.name = "index_A",
     .kind = BLANK_FORMULAS,
     .ask = "phase p, in one dimension: A[?]",
     .variables = ALL,
     .value = index_A,
     .written = "row * width + p * T + x",
     .hint = "Row times width, plus column: of the element in phase p."},
    {.name = "index_B",
     .kind = BLANK_FORMULAS,
     .ask = "phase p, in one dimension: B[?]",
     .variables = ALL,
     .value = index_B,
     .written = "(p * T + y) * width + col",
     .hint = "Row times width, plus column: of the element in phase p.",
     .slips = {{index_B_rows, "All of the row is multiplied by the width, the phase's part too."}}},
};

/* ---- An index that moves ---- */

static void text_moves(struct text *t, const struct drawn *d) {
    (void)d;
    text_add(t, "Another way to write the loop keeps the index of a tile's upper left element, and "
                "moves it. For the block (bx, by): at which index of A does its first tile begin, "
                "and at which of B? By how much does each grow from phase to phase? The loop "
                "stops behind the end of the tiles' first row in A: at which index is the last "
                "element of this row?\n");
}

VALUE(begin_A, one(v->width * v->T * v->by))
VALUE(begin_B, one(v->T * v->bx))
VALUE(steps, two(v->T, v->T * v->width))
VALUE(steps_swapped, two(v->T * v->width, v->T))
VALUE(last_A, one(v->width * v->T * v->by + v->width - 1))
VALUE(behind_A, one(v->width * v->T * v->by + v->width))

#define MOVES "T width bx by"

static const struct formula_blank moves_blanks[] = {
    {.name = "begin_A",
     .kind = BLANK_FORMULAS,
     .ask = "A: where the first tile begins",
     .variables = MOVES,
     .value = begin_A,
     .written = "width * T * by",
     .hint = "Whole rows of A lie before it: how many?"},
    {.name = "begin_B",
     .kind = BLANK_FORMULAS,
     .ask = "B: where the first tile begins",
     .variables = MOVES,
     .value = begin_B,
     .written = "T * bx",
     .hint = "The tile lies at the top: only columns lie before it."},
    {.name = "steps",
     .kind = BLANK_FORMULAS,
     .ask = "what is added from phase to phase, in A and in B, as in: T + 1, bx",
     .variables = MOVES,
     .value = steps,
     .written = "T, T * width",
     .hint = "A's tile moves to the right, B's down by as many rows as it is high.",
     .slips = {{steps_swapped, "That is the other way round: A's comes first."}}},
    {.name = "last_A",
     .kind = BLANK_FORMULAS,
     .ask = "A: the last element of the tiles' first row",
     .variables = MOVES,
     .value = last_A,
     .written = "width * T * by + width - 1",
     .hint = "A row has width elements, and the first of them is where the first tile begins.",
     .slips = {{behind_A, "There the next row begins."}}},
};

/* ---- A 4 x 4 product: thread n[0] n[1] of block n[2] n[3], x first; two rows of A in n[4..11],
 * two columns of B in n[12..19] ---- */

static void draw_thread(struct drawn *d, struct generator *g) {
    for (int i = 0; i < 4; i++)
        d->n[i] = pick(g, 0, 1);
    for (int i = 4; i < 20; i++)
        d->n[i] = pick(g, 0, 5);
}

static void add_four(struct text *t, const int64_t *four) {
    text_addf(t, "   %d %d %d %d\n", (int)four[0], (int)four[1], (int)four[2], (int)four[3]);
}

static void text_thread(struct text *t, const struct drawn *d) {
    text_addf(t,
              "Another product of 4 x 4 matrices with tiles of 2 x 2. Look at thread (%d, %d) of "
              "the block with blockIdx (%d, %d); x stands first. The block needs these rows of A, "
              "one below the other:\n",
              (int)d->n[0], (int)d->n[1], (int)d->n[2], (int)d->n[3]);
    add_four(t, &d->n[4]);
    add_four(t, &d->n[8]);
    text_add(t, "and these columns of B, the left one first, each from top to bottom:\n");
    add_four(t, &d->n[12]);
    add_four(t, &d->n[16]);
    text_add(t, "What does the thread copy in phase 0 and in phase 1, and what does it compute?\n");
}

/* The thread's row of A, and its column of B. */
static const int64_t *row_of_thread(const struct drawn *d) {
    return &d->n[4 + 4 * d->n[1]];
}

static const int64_t *column_of_thread(const struct drawn *d) {
    return &d->n[12 + 4 * d->n[0]];
}

static struct blank_value copied(const struct drawn *d, int64_t phase) {
    return whole_two(row_of_thread(d)[2 * phase + d->n[0]],
                     column_of_thread(d)[2 * phase + d->n[1]]);
}

static struct blank_value copied_swapped(const struct drawn *d, int64_t phase) {
    const struct blank_value right = copied(d, phase);
    return two(right.v[1], right.v[0]);
}

static struct blank_value hand_sum(const struct drawn *d, const struct variables *v) {
    int64_t sum = 0;
    (void)v;
    for (int p = 0; p < 4; p++)
        sum += row_of_thread(d)[p] * column_of_thread(d)[p];
    return whole(sum);
}

VALUE(copied_0, copied(d, 0))
VALUE(copied_1, copied(d, 1))
VALUE(copied_0_swapped, copied_swapped(d, 0))
VALUE(copied_1_swapped, copied_swapped(d, 1))

#define COPY_HINT                                                                                  \
    "Which of the two rows and columns are the thread's, and which place in the tile is?"
#define A_FIRST "A's element comes first."

static const struct formula_blank thread_blanks[] = {
    {.name = "copies_0",
     .kind = BLANK_NUMBERS,
     .ask = "what it copies from A, from B in phase 0",
     .value = copied_0,
     .hint = COPY_HINT,
     .slips = {{copied_0_swapped, A_FIRST}}},
    {.name = "copies_1",
     .kind = BLANK_NUMBERS,
     .ask = "... in phase 1",
     .value = copied_1,
     .hint = COPY_HINT,
     .slips = {{copied_1_swapped, A_FIRST}}},
    {.name = "computes",
     .kind = BLANK_NUMBERS,
     .ask = "its element of C",
     .value = hand_sum,
     .hint = "It uses a row of A's tile and a column of B's tile, in both phases."},
};

/* ---- How often an element is read ---- */

static void text_times(struct text *t, const struct drawn *d) {
    (void)d;
    text_add(t, "How many times is one element of A read from global memory in lab 2, and how many "
                "times with tiles of T x T? width is the width of the matrices.\n");
}

VALUE(times_read, two(v->width, v->width / v->T))
VALUE(times_alike, two(v->width, v->width))

static const struct formula_blank times_blanks[] = {
    {.name = "times",
     .kind = BLANK_FORMULAS,
     .ask = "two formulas: for lab 2, with tiles",
     .variables = "T width",
     .value = times_read,
     .written = "width, width / T",
     .hint = "Which elements of C need it? Which of these have a block in common?",
     .slips = {{times_alike, "A block reads it once, for all its threads that need it."}}},
};

/* ---- Counting a phase: another device's GB/s n[0], width n[1] ---- */

static void draw_count(struct drawn *d, struct generator *g) {
    d->n[0] = pick(g, 5, 95) * 24;
    d->n[1] = pick(g, 3, 40) * 32;
}

static void text_count(struct text *t, const struct drawn *d) {
    text_add(t,
             "A block of T x T threads copies two tiles and uses them, in one phase. An operation "
             "is one multiplication or one addition. Loads are those from global memory, one float "
             "each.\n");
    text_addf(t,
              "The last two: all blocks and phases of a product of width %d; and a device that "
              "moves %d GB/s.\n",
              (int)d->n[1], (int)d->n[0]);
}

static double loads_of(double T) {
    return 2 * T * T;
}

static double operations_of(double T) {
    return T * T * T * 2;
}

VALUE(loads_16, one(loads_of(16)))
VALUE(loads_32, one(loads_of(32)))
VALUE(half_loads_16, one(loads_of(16) / 2))
VALUE(half_loads_32, one(loads_of(32) / 2))
VALUE(operations_16, one(operations_of(16)))
VALUE(operations_32, one(operations_of(32)))
VALUE(half_operations_16, one(operations_of(16) / 2))
VALUE(half_operations_32, one(operations_of(32) / 2))
VALUE(per_load, two(operations_of(16) / loads_of(16), operations_of(32) / loads_of(32)))
VALUE(per_byte_32, one(4 * loads_of(32) / operations_of(32)))

static struct blank_value all_loads(const struct drawn *d, const struct variables *v) {
    (void)v;
    const double tiles = (double)d->n[1] / 32;
    return one(tiles * tiles * tiles * loads_of(32));
}

VALUE(one_blocks_loads, one((double)d->n[1] / 32 * loads_of(32)))
VALUE(tile_bound, one((double)d->n[0] / per_byte_32(d, v).v[0]))

#define ADDITIONS "These are multiply-adds. Multiplications and additions are counted each."
#define BOTH      "Two tiles are copied, one of A and one of B."

static const struct formula_blank count_blanks[] = {
    {.name = "loads_16",
     .kind = BLANK_NUMBERS,
     .ask = "loads of a block in a phase, T = 16",
     .value = loads_16,
     .hint = "Each thread copies how many elements?",
     .slips = {{half_loads_16, BOTH}}},
    {.name = "operations_16",
     .kind = BLANK_NUMBERS,
     .ask = "operations of a block in a phase, T = 16",
     .value = operations_16,
     .hint = "Each thread runs along a row and a column of the tiles.",
     .slips = {{half_operations_16, ADDITIONS}}},
    {.name = "loads_32",
     .kind = BLANK_NUMBERS,
     .ask = "loads, T = 32",
     .value = loads_32,
     .hint = "Each thread copies how many elements?",
     .slips = {{half_loads_32, BOTH}}},
    {.name = "operations_32",
     .kind = BLANK_NUMBERS,
     .ask = "operations, T = 32",
     .value = operations_32,
     .hint = "Each thread runs along a row and a column of the tiles.",
     .slips = {{half_operations_32, ADDITIONS}}},
    {.name = "per_load",
     .kind = BLANK_NUMBERS,
     .ask = "operations for each load: T = 16, T = 32",
     .value = per_load,
     .hint = "Divide the ones by the others."},
    {.name = "bytes_per_flop",
     .kind = BLANK_REAL,
     .ask = "bytes for each operation, T = 32",
     .value = per_byte_32,
     .hint = "A load is 4 bytes; it serves as many operations as you just found."},
    {.name = "all_loads",
     .kind = BLANK_NUMBERS,
     .ask = "loads of the whole product, T = 32",
     .value = all_loads,
     .hint = "Loads of a phase, times phases, times blocks of the grid.",
     .slips = {{one_blocks_loads, "That is one block. How many blocks has the grid?"}}},
    {.name = "bound_gflops",
     .kind = BLANK_REAL,
     .ask = "GFLOP/s that the device's memory allows, T = 32",
     .value = tile_bound,
     .hint = "Bytes a second, divided by bytes an operation."},
};

/* ---- Occupancy: threads of an SM n[0], shared KB n[1], blocks n[2], tile n[3] ---- */

static const char *const limits[] = {"threads", "shared", "blocks", NULL};
static const struct drawn published = {{2048, 48, 16, 16}};

/* Blocks that each of the three limits allows, in the order of `limits`. */
static void budgets(const struct drawn *d, int64_t blocks[3]) {
    const int64_t tile = d->n[3];
    blocks[0] = d->n[0] / (tile * tile);
    blocks[1] = d->n[1] * 1024 / (2 * tile * tile * 4);
    blocks[2] = d->n[2];
}

static int limiting(const struct drawn *d) {
    int64_t blocks[3];
    budgets(d, blocks);
    int least = 0;
    for (int i = 1; i < 3; i++)
        least = blocks[i] < blocks[least] ? i : least;
    return least;
}

static void draw_sm(struct drawn *d, struct generator *g) {
    static const int threads[] = {768, 1024, 1536, 2048};
    static const int shared[] = {8, 16, 24, 32, 64, 100};
    static const int blocks[] = {8, 16, 24, 32};
    static const int tiles[] = {8, 16, 32};
    int64_t b[3];
    int least;
    do { /* one limit must be the only one, and a block must fit */
        d->n[0] = pick_from(g, threads, COUNT(threads));
        d->n[1] = pick_from(g, shared, COUNT(shared));
        d->n[2] = pick_from(g, blocks, COUNT(blocks));
        d->n[3] = pick_from(g, tiles, COUNT(tiles));
        budgets(d, b);
        least = limiting(d);
    } while (b[least] < 1 || b[(least + 1) % 3] == b[least] || b[(least + 2) % 3] == b[least]);
}

static void text_sm(struct text *t, const struct drawn *d) {
    text_add(t,
             "A block has T x T threads and two T x T tiles of floats in shared memory; registers "
             "are no limit here. How many blocks does one SM hold at a time, and what limits them: "
             "its threads, its shared memory, or the number of blocks?\n");
    text_add(t,
             "   (a) an SM with 2048 threads, 48 KB of shared memory, 16 blocks at most; T = 16\n");
    text_addf(t, "   (b) one with %d threads, %d KB of shared memory, %d blocks at most; T = %d\n",
              (int)d->n[0], (int)d->n[1], (int)d->n[2], (int)d->n[3]);
}

static double resident(const struct drawn *d) {
    int64_t blocks[3];
    budgets(d, blocks);
    return (double)blocks[limiting(d)];
}

VALUE(sm_blocks_a, one(resident(&published)))
VALUE(sm_limit_a, one(limiting(&published)))
VALUE(sm_blocks_b, one(resident(d)))
VALUE(sm_limit_b, one(limiting(d)))
VALUE(sm_percent_b, one(100 * resident(d) * (double)(d->n[3] * d->n[3]) / (double)d->n[0]))

static struct blank_value sm_shared_a(const struct drawn *d, const struct variables *v) {
    (void)d, (void)v;
    int64_t blocks[3];
    budgets(&published, blocks);
    return one((double)blocks[1]);
}

static struct blank_value sm_shared_b(const struct drawn *d, const struct variables *v) {
    (void)v;
    int64_t blocks[3];
    budgets(d, blocks);
    return one((double)blocks[1]);
}

#define SMALLEST "That is what shared memory allows. The smallest of the three counts."

static const struct formula_blank sm_blanks[] = {
    {.name = "blocks_a",
     .kind = BLANK_NUMBERS,
     .ask = "(a) blocks",
     .value = sm_blocks_a,
     .hint = "Work out three numbers of blocks, one for each limit. The smallest counts.",
     .slips = {{sm_shared_a, SMALLEST}}},
    {.name = "limit_a",
     .kind = BLANK_WORD,
     .ask = "(a) the limit",
     .words = limits,
     .value = sm_limit_a,
     .hint = "The limit is the one that allows the fewest blocks."},
    {.name = "blocks_b",
     .kind = BLANK_NUMBERS,
     .ask = "(b) blocks",
     .value = sm_blocks_b,
     .hint = "Work out three numbers of blocks, one for each limit. The smallest counts.",
     .slips = {{sm_shared_b, SMALLEST}}},
    {.name = "limit_b",
     .kind = BLANK_WORD,
     .ask = "(b) the limit",
     .words = limits,
     .value = sm_limit_b,
     .hint = "The limit is the one that allows the fewest blocks."},
    {.name = "percent_b",
     .kind = BLANK_REAL,
     .ask = "(b) resident threads, in percent of the SM's",
     .value = sm_percent_b,
     .hint = "Blocks times threads of a block, of the threads an SM can hold."},
};

/* ---- Banks: strides n[0], n[1], divisor n[2], row length n[3] ---- */

static void draw_banks(struct drawn *d, struct generator *g) {
    static const int even[] = {2, 4, 6, 8, 12, 16, 24};
    static const int odd[] = {3, 5, 7, 9, 11, 33};
    static const int divisors[] = {2, 4, 8};
    static const int rows[] = {16, 32, 33, 34, 36, 40};
    d->n[0] = pick_from(g, even, COUNT(even));
    d->n[1] = pick_from(g, odd, COUNT(odd));
    d->n[2] = pick_from(g, divisors, COUNT(divisors));
    d->n[3] = pick_from(g, rows, COUNT(rows));
}

static void text_banks(struct text *t, const struct drawn *d) {
    text_add(t,
             "Shared memory has 32 banks of 4-byte words. In how many turns is each of these reads "
             "of a warp served? S is an array of floats that begins in bank 0; G is one with rows "
             "of the length given, G[i][j].\n");
    text_addf(t,
              "   (a) S[lane * %d]   (b) S[lane * %d]   (c) S[lane / %d]   (d) G[lane][5], rows of "
              "%d\n",
              (int)d->n[0], (int)d->n[1], (int)d->n[2], (int)d->n[3]);
}

/* The most different words in one bank. */
static int turns(int64_t factor, int64_t divisor, int64_t offset) {
    int64_t words[32][32];
    int count[32] = {0}, most = 0;
    for (int64_t lane = 0; lane < 32; lane++) {
        const int64_t word = lane * factor / divisor + offset;
        const int bank = (int)(word % 32);
        int i = 0;
        while (i < count[bank] && words[bank][i] != word)
            i++;
        if (i == count[bank])
            words[bank][count[bank]++] = word;
        most = count[bank] > most ? count[bank] : most;
    }
    return most;
}

VALUE(turns_a, one(turns(d->n[0], 1, 0)))
VALUE(turns_b, one(turns(d->n[1], 1, 0)))
VALUE(turns_c, one(turns(1, d->n[2], 0)))
VALUE(turns_d, one(turns(d->n[3], 1, 5)))
VALUE(lanes_a_word, one((double)d->n[2]))

#define BANK_HINT "Word w is in bank w mod 32. Count the different words in the fullest bank."

static const struct formula_blank bank_blanks[] = {
    {.name = "turns_a", .kind = BLANK_NUMBERS, .ask = "(a)", .value = turns_a, .hint = BANK_HINT},
    {.name = "turns_b", .kind = BLANK_NUMBERS, .ask = "(b)", .value = turns_b, .hint = BANK_HINT},
    {.name = "turns_c",
     .kind = BLANK_NUMBERS,
     .ask = "(c)",
     .value = turns_c,
     .hint = BANK_HINT,
     .slips = {{lanes_a_word, "Lanes that read the same word are served together."}}},
    {.name = "turns_d",
     .kind = BLANK_NUMBERS,
     .ask = "(d)",
     .value = turns_d,
     .hint = "The word is lane * (length of a row) + 5. " BANK_HINT},
};

/* ---- Find the bug ---- */

static const char *const bug_lines[] = {
    "__shared__ float a[T][T];",
    "__shared__ float b[T][T];",
    "int row = ..., col = ...;    // right",
    "float sum = 0.0f;",
    "for (int p = 0; p < phases; ++p) {",
    "    a[y][x] = A[index_A(p)];",
    "    b[y][x] = A[index_B(p)];",
    "    __syncthreads();",
    "    for (int i = 0; i < T; ++i)",
    "        sum += a[y][i] * b[i][x];",
    "}",
    "C[row * width + col] = sum;",
    NULL,
};

static void text_bug(struct text *t, const struct drawn *d) {
    (void)d;
    text_add(t, "A tiled kernel; x, y, phases and the functions index_A and index_B are right. Two "
                "mistakes. One line is simply wrong: which? And one line is missing: after which? "
                "(The second one often goes unnoticed.)\n");
}

static const struct formula_blank bug_blanks[] = {
    {.name = "bug_line",
     .kind = BLANK_LINE,
     .ask = "the line that is wrong",
     .hint = "Read each line aloud: what is copied, from where, to where?",
     .lines = LINES(6)},
    {.name = "missing_after",
     .kind = BLANK_LINE,
     .ask = "the line after which one is missing",
     .hint = "What may a quick warp do while a slow one is still working?",
     .lines = LINES(9, 4)},
};

/* ---- Two films: thread n[0], cell n[1] of the part ---- */

static void draw_film(struct drawn *d, struct generator *g) {
    d->n[0] = pick(g, 0, 63);
    d->n[1] = pick(g, 1, 31);
}

static void text_film(struct text *t, const struct drawn *d) {
    text_add(t, "Two films of a kernel that compares numbers part by part: ranks.cu, and "
                "one-barrier.cu, which lacks a barrier." FILMS);
    text_addf(t,
              "   (a) ranks.cu: thread (%d, 0) counts in `smaller`\n"
              "   (b) one-barrier.cu: warp 1 reads part[%d] for the first time\n",
              (int)d->n[0], (int)d->n[1]);
}

VALUE(film_counts, whole_two(film_smaller(d->n[0], 0, 64), film_smaller(d->n[0], 0, 128)))
VALUE(film_counts_apart, whole_two(film_smaller(d->n[0], 0, 64), film_smaller(d->n[0], 64, 128)))
VALUE(film_meets, whole_two(64 + d->n[1], d->n[1]))
VALUE(film_meets_swapped, whole_two(d->n[1], 64 + d->n[1]))

static const struct formula_blank film_blanks[] = {
    {.name = "film_smaller",
     .kind = BLANK_NUMBERS,
     .ask = "(a) smaller, when phase 3 begins and when phase 5 begins",
     .value = film_counts,
     .hint = "Shift and the right arrow key go to the next phase; click the thread.",
     .slips = {{film_counts_apart, "The second one is the sum so far, of both parts."}}},
    {.name = "film_meets",
     .kind = BLANK_NUMBERS,
     .ask = "(b) index of the number that it meets there, and of the one that belongs there",
     .value = film_meets,
     .hint = "Type the cell's name into the field above the memories: the page says who wrote it, "
             "and which number was copied.",
     .slips = {{film_meets_swapped, "The one that it meets comes first."}}},
};

/* ---- A part ahead: cell n[0] of the part, thread n[1] ---- */

static void draw_ahead(struct drawn *d, struct generator *g) {
    d->n[0] = pick(g, 0, 31);
    do /* what the thread counts must show it */
        d->n[1] = pick(g, 32, 63);
    while (film_smaller(d->n[1], 0, 32) == film_smaller(d->n[1], 64, 96));
}

static void text_ahead(struct text *t, const struct drawn *d) {
    text_add(t, "Two films of a kernel that compares numbers part by part: ranks.cu, and "
                "one-barrier.cu, which lacks a barrier: one warp is ahead of the other." FILMS);
    text_addf(t,
              "   (a) one-barrier.cu: warp 1 reads part[%d] for the first time\n"
              "   (b) warp 0 writes its cells of part for the second time\n"
              "   (c) thread (%d, 0) writes its rank\n",
              (int)d->n[0], (int)d->n[1]);
}

VALUE(ahead_p, whole_two(1, 0))
VALUE(ahead_p_swapped, whole_two(0, 1))
VALUE(ahead_phase, whole_two(3, 2))
VALUE(ahead_phase_swapped, whole_two(2, 3))
/* Half of the first part is the second part's. */
VALUE(ahead_ranks, whole_two(film_smaller(d->n[1], 0, 128),
                             film_smaller(d->n[1], 32, 128) + film_smaller(d->n[1], 64, 96)))

static const struct formula_blank ahead_blanks[] = {
    {.name = "ahead_p",
     .kind = BLANK_NUMBERS,
     .ask = "(a) p of the warp that wrote it last, when it wrote it, and p of warp 1 there",
     .value = ahead_p,
     .hint = "Type the cell's name into the field above the memories: the page says which step "
             "wrote it. Go there, and choose a thread of that warp.",
     .slips = {{ahead_p_swapped, "The one that wrote comes first."}}},
    {.name = "ahead_phase",
     .kind = BLANK_NUMBERS,
     .ask = "(b) the phase in which it does that: in ranks.cu, in one-barrier.cu",
     .value = ahead_phase,
     .hint = "A barrier ends a phase. The page says the phase beside the line.",
     .slips = {{ahead_phase_swapped, "ranks.cu comes first."}}},
    {.name = "ahead_ranks",
     .kind = BLANK_NUMBERS,
     .ask = "(c) what it writes: in ranks.cu, in one-barrier.cu",
     .value = ahead_ranks,
     .hint = "Choose the thread, and go to its last line: the table of its variables has what it "
             "counted."},
};

/* ---- The debugger: block n[0], thread n[1]; a sum n[2] ---- */

/* Lines of handouts/examples/three-mistakes.cu, whose numbers are i % 10. */
enum { LINE_MINE = 15, LINE_LEFT = 17, LINE_SUM = 21 };

static void draw_debugger(struct drawn *d, struct generator *g) {
    static const int sums[] = {3, 5, 7, 8, 9, 11, 13, 15, 16, 17};
    d->n[0] = pick(g, 0, 2);
    d->n[1] = pick(g, d->n[0] == 0, 63);
    d->n[2] = pick_from(g, sums, COUNT(sums));
}

static void text_debugger(struct text *t, const struct drawn *d) {
    text_add(
        t, "handouts/examples/three-mistakes.cu as it is, with all its mistakes: compile it with "
           "`build/bin/vgpucc -g -Icommon`, and hold it with `build/bin/vgpu-debug`. Say "
           "`catch none` first, so that no mistake holds it, and a breakpoint with a condition.\n");
    text_addf(
        t,
        "   (a) thread (%d, 0) of block (%d, 0) comes to line %d\n"
        "   (b) from there, `watch` and `reverse-continue` lead to the store of part[mine - 1]\n"
        "   (c) in line %d, part[mine - 1] + part[mine] is %d for the first time\n",
        (int)d->n[1], (int)d->n[0], LINE_SUM, LINE_SUM, (int)d->n[2]);
}

/* What part[mine - 1] holds in line LINE_SUM. */
static int64_t left_of(int64_t block, int64_t thread) {
    const int64_t i = 64 * block + thread;
    return i == 0 ? 0 : (thread == 0 ? i : i - 1) % 10;
}

static struct blank_value first_with(int64_t sum) {
    for (int64_t i = 0; i < 200; i++)
        if (left_of(i / 64, i % 64) + i % 10 == sum)
            return whole_two(i / 64, i % 64);
    return whole_two(-1, -1);
}

VALUE(debug_values, whole_two(left_of(d->n[0], d->n[1]), (64 * d->n[0] + d->n[1]) % 10))
VALUE(debug_values_swapped, whole_two((64 * d->n[0] + d->n[1]) % 10, left_of(d->n[0], d->n[1])))
VALUE(debug_stored, d->n[1] == 0 ? whole_two(0, LINE_LEFT) : whole_two(d->n[1] - 1, LINE_MINE))
VALUE(debug_stored_own, whole_two(d->n[1], LINE_MINE))
VALUE(debug_first, first_with(d->n[2]))

static const struct formula_blank debugger_blanks[] = {
    {.name = "debug_values",
     .kind = BLANK_NUMBERS,
     .ask = "(a) what part[mine - 1] and part[mine] hold",
     .value = debug_values,
     .hint = "break LINE if threadIdx.x == ... && blockIdx.x == ..., then run, and print.",
     .slips = {{debug_values_swapped, "part[mine - 1] comes first."}}},
    {.name = "debug_stored",
     .kind = BLANK_NUMBERS,
     .ask = "(b) threadIdx.x of the thread that stores it, and the line",
     .value = debug_stored,
     .hint =
         "Held there, watch part[mine - 1]. Going back, it is held where that changed: it tells "
         "the thread and the line.",
     .slips = {{debug_stored_own, "That is who stored part[mine]."}}},
    {.name = "debug_first",
     .kind = BLANK_NUMBERS,
     .ask = "(c) blockIdx.x and threadIdx.x of the thread",
     .value = debug_first,
     .hint = "A condition may be about all that a thread has: break LINE if part[mine - 1] + ..."},
};

const struct formula_question questions_lab3[] = {
    {"lab3.phases", "Fill in the indices", "lab3.md#hand", NULL, text_phases, phase_blanks,
     COUNT(phase_blanks), NULL},
    {"lab3.moves", "An index that moves", "lab3.md#todo-3", NULL, text_moves, moves_blanks,
     COUNT(moves_blanks), NULL},
    {"lab3.thread", "One thread, by hand", "lab3.md#hand", draw_thread, text_thread, thread_blanks,
     COUNT(thread_blanks), NULL},
    {"lab3.times", "How often is it read?", "lab3.md#idea", NULL, text_times, times_blanks,
     COUNT(times_blanks), NULL},
    {"lab3.count", "Counting a phase", "lab3.md#counting", draw_count, text_count, count_blanks,
     COUNT(count_blanks), NULL},
    {"lab3.sm", "How many blocks fit?", "memory.md#occupancy", draw_sm, text_sm, sm_blanks,
     COUNT(sm_blanks), NULL},
    {"lab3.banks", "Banks", "lab3.md#banks", draw_banks, text_banks, bank_blanks,
     COUNT(bank_blanks), NULL},
    {"lab3.bug", "Find the bugs", "lab3.md#barriers", draw_lines, text_bug, bug_blanks,
     COUNT(bug_blanks), bug_lines},
    {"lab3.ahead", "A part ahead", "lab3.md#barriers", draw_ahead, text_ahead, ahead_blanks,
     COUNT(ahead_blanks), NULL},
    {"lab3.film", "Two films", "debugging.md#films", draw_film, text_film, film_blanks,
     COUNT(film_blanks), NULL},
    {"lab3.debugger", "The debugger", "debugging.md#debugger", draw_debugger, text_debugger,
     debugger_blanks, COUNT(debugger_blanks), NULL},
};

const size_t questions_lab3_count = COUNT(questions_lab3);
