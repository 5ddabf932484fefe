/* questions.c: a tile in every thread's registers. */
#include "solutions/questions/formulas.h"

static const int sides[] = {2, 4, 6, 8, 10, 12};

/* ---- Outer products: a thread's tile n[0] x n[1] ---- */

static void draw_outer(struct drawn *d, struct generator *g) {
    do {
        d->n[0] = pick_from(g, sides, COUNT(sides));
        d->n[1] = pick_from(g, sides, COUNT(sides));
    } while (d->n[0] * d->n[1] < 8 || d->n[0] * d->n[1] > 128);
}

static void text_outer(struct text *t, const struct drawn *d) {
    text_add(t, "Each thread has a small tile of C in registers, and for one p multiplies each of "
                "its numbers of A with each of its numbers of B. It reads each of these numbers "
                "from shared memory once.\n");
    text_addf(t, "The tile has %d rows and %d columns.\n", (int)d->n[0], (int)d->n[1]);
}

VALUE(outer_reads, whole(d->n[0] + d->n[1]))
VALUE(outer_reads_each, whole(2 * d->n[0] * d->n[1]))
VALUE(outer_madds, whole(d->n[0] * d->n[1]))
VALUE(outer_bytes, one(4 * outer_reads(d, v).v[0] / outer_madds(d, v).v[0]))
VALUE(outer_numbers, one(outer_reads(d, v).v[0] / outer_madds(d, v).v[0]))
VALUE(outer_registers, one(outer_reads(d, v).v[0] + outer_madds(d, v).v[0]))

static const struct formula_blank outer_blanks[] = {
    {.name = "reads_p",
     .kind = BLANK_NUMBERS,
     .ask = "numbers that a thread reads from shared memory for one p",
     .value = outer_reads,
     .hint = "One number of A for each of its rows; and of B?",
     .slips = {{outer_reads_each,
                "That is lab 4's way, two reads for each multiplication. A number that is in a "
                "register is used several times."},
               {outer_madds, "That is how many products it makes of them."}}},
    {.name = "madds_p",
     .kind = BLANK_NUMBERS,
     .ask = "multiply-adds for one p",
     .value = outer_madds,
     .hint = "Each element of the tile gets one.",
     .slips = {{outer_reads, "That is what it reads. Each of these is multiplied with each of "
                             "those."}}},
    {.name = "bytes_per_madd",
     .kind = BLANK_REAL,
     .ask = "bytes of shared memory for each multiply-add",
     .value = outer_bytes,
     .hint = "Bytes read, divided by multiply-adds.",
     .slips = {{outer_numbers, "These are numbers. A float has four bytes."}}},
    {.name = "registers_least",
     .kind = BLANK_NUMBERS,
     .ask = "registers for the sums and the numbers of one p",
     .value = outer_registers,
     .hint = "A register for each sum, and one for each number that was read.",
     .slips = {{outer_madds, "These are the sums. What was read is in registers, too."}}},
};

/* ---- The block: a thread's tile n[0] x n[1], a slab of n[2] ---- */

static void draw_block(struct drawn *d, struct generator *g) {
    static const int slabs[] = {4, 8, 16, 24};
    do {
        d->n[0] = pick_from(g, sides, COUNT(sides));
        d->n[1] = pick_from(g, sides, COUNT(sides));
        d->n[2] = pick_from(g, slabs, COUNT(slabs));
    } while (d->n[0] == d->n[1] || d->n[0] * d->n[2] % 16 || d->n[1] * d->n[2] % 16);
}

static void text_block(struct text *t, const struct drawn *d) {
    text_addf(t,
              "A block of 16 x 16 threads; each computes %d x %d elements of C (rows x columns), "
              "and a slab has %d columns of A and as many rows of B.\n",
              (int)d->n[0], (int)d->n[1], (int)d->n[2]);
}

VALUE(block_tile, whole_two(16 * d->n[0], 16 * d->n[1]))
VALUE(block_tile_swapped, whole_two(16 * d->n[1], 16 * d->n[0]))
VALUE(block_copies, whole_two(16 * d->n[0] * d->n[2] / 256, 16 * d->n[1] * d->n[2] / 256))
VALUE(block_elements, whole_two(16 * d->n[0] * d->n[2], 16 * d->n[1] * d->n[2]))
VALUE(block_serves, whole(16 * d->n[1]))
VALUE(block_serves_thread, whole(d->n[1]))
VALUE(block_serves_B, whole(16 * d->n[0]))

static const struct formula_blank block_blanks[] = {
    {.name = "tile",
     .kind = BLANK_NUMBERS,
     .ask = "the block's tile of C: rows, columns",
     .value = block_tile,
     .hint = "16 threads in each direction, and each has several rows and columns.",
     .slips = {{block_tile_swapped, "Rows first."}}},
    {.name = "copies",
     .kind = BLANK_NUMBERS,
     .ask = "elements that a thread copies of slab A, of slab B",
     .value = block_copies,
     .hint = "All elements of a slab, divided among all threads of the block.",
     .slips = {{block_elements, "That is the whole slab. The threads of the block share the "
                                "work."}}},
    {.name = "serves",
     .kind = BLANK_NUMBERS,
     .ask = "multiply-adds that a number of A serves, once it is in shared memory",
     .value = block_serves,
     .hint = "A number of A meets one number of B in each column of the block's tile.",
     .slips = {{block_serves_thread, "That is in one thread. How many threads use this row?"},
               {block_serves_B, "That is what a number of B serves."}}},
};

/* ---- The stamp: thread n[0] ---- */

static void draw_stamp(struct drawn *d, struct generator *g) {
    do
        d->n[0] = pick(g, 17, 254);
    while (d->n[0] / 16 == d->n[0] % 16 || d->n[0] % 16 == 0);
}

static void text_stamp(struct text *t, const struct drawn *d) {
    text_addf(t,
              "The lab's own numbers: 16 x 16 threads, counted along x, on a tile of 128 x 128 "
              "like a stamp; slab A has rows of 8. Look at thread %d.\n",
              (int)d->n[0]);
}

VALUE(stamp_place, whole_two(d->n[0] / 16, d->n[0] % 16))
VALUE(stamp_place_swapped, whole_two(d->n[0] % 16, d->n[0] / 16))
VALUE(stamp_last, whole_two(d->n[0] / 16 + 112, d->n[0] % 16 + 112))
VALUE(corner_last, whole_two(d->n[0] / 16 * 8 + 7, d->n[0] % 16 * 8 + 7))

static struct blank_value stamp_copy(const struct drawn *d, const struct variables *v) {
    (void)v;
    const int64_t element = d->n[0] + 256;
    return whole_two(element / 8, element % 8);
}

static struct blank_value stamp_copy_next(const struct drawn *d, const struct variables *v) {
    (void)v;
    const int64_t element = d->n[0] + 1;
    return whole_two(element / 8, element % 8);
}

VALUE(stamp_copy_first, whole_two(d->n[0] / 8, d->n[0] % 8))
VALUE(formula_stamp, whole_two((int64_t)v->thread / 16, (int64_t)v->thread % 16))

static struct blank_value formula_stamp_swapped(const struct drawn *d, const struct variables *v) {
    const struct blank_value right = formula_stamp(d, v);
    return two(right.v[1], right.v[0]);
}

static const struct formula_blank stamp_blanks[] = {
    {.name = "stamp_place",
     .kind = BLANK_NUMBERS,
     .ask = "its place in the stamp: ty, tx",
     .value = stamp_place,
     .hint = "Threads are counted along x: 16 of them lie side by side.",
     .slips = {{stamp_place_swapped, "ty first: which row of threads is it in?"}}},
    {.name = "stamp_last",
     .kind = BLANK_NUMBERS,
     .ask = "row, column of the last of its 64 elements",
     .value = stamp_last,
     .hint = "The stamp is pressed eight times in each direction. Where does it land last?",
     .slips = {{corner_last, "That would be elements side by side. The stamp's lie apart."}}},
    {.name = "stamp_copy",
     .kind = BLANK_NUMBERS,
     .ask = "row, column in slab A of the second element that it copies",
     .value = stamp_copy,
     .hint = "Which element of the slab is it, counted row by row? A row has 8.",
     .slips = {{stamp_copy_next, "The next element belongs to the next thread. A thread goes on "
                                 "behind what all threads have copied."},
               {stamp_copy_first, "That is the first one."}}},
    {.name = "stamp_formula",
     .kind = BLANK_FORMULAS,
     .ask = "the place of any thread: formulas of ty, tx from thread",
     .variables = "thread",
     .value = formula_stamp,
     .written = "thread / 16, thread % 16",
     .hint = "A division, and what it leaves.",
     .slips = {{formula_stamp_swapped, "ty first."}}},
};

/* ---- Registers: of a thread n[0]; block n[1], blocks n[2] ---- */

static void draw_registers(struct drawn *d, struct generator *g) {
    static const int registers[] = {40, 48, 56, 72, 80, 88, 96, 104, 112, 120, 136, 168};
    static const int threads[] = {64, 128, 256, 512};
    static const int blocks[] = {1, 2, 4, 8, 16};
    d->n[0] = pick_from(g, registers, COUNT(registers));
    do {
        d->n[1] = pick_from(g, threads, COUNT(threads));
        d->n[2] = pick_from(g, blocks, COUNT(blocks));
    } while (d->n[1] * d->n[2] < 512 || d->n[1] * d->n[2] > 2048);
}

static void text_registers(struct text *t, const struct drawn *d) {
    text_addf(t,
              "An SM has 65,536 registers; nothing else is a limit here. First: blocks of 256 "
              "threads, each with %d registers. Then: %d %s of %d threads shall fit into an SM.\n",
              (int)d->n[0], (int)d->n[2], d->n[2] == 1 ? "block" : "blocks", (int)d->n[1]);
    text_add(t, "And where does the compiler put an array of a thread, if it cannot tell the index "
                "of an access before the kernel runs?\n");
}

VALUE(registers_blocks, whole(65536 / (256 * d->n[0])))
VALUE(registers_most, whole(65536 / (d->n[1] * d->n[2])))
VALUE(registers_of_block, whole(65536 / d->n[1]))

static const char *const memories[] = {"registers", "shared", "local", "constant", NULL};

VALUE(registers_array, whole(2))

static const struct formula_blank register_blanks[] = {
    {.name = "register_blocks",
     .kind = BLANK_NUMBERS,
     .ask = "blocks that fit into the SM",
     .value = registers_blocks,
     .hint = "How many registers does a block take? Only whole blocks fit."},
    {.name = "registers_most",
     .kind = BLANK_NUMBERS,
     .ask = "registers that a thread may have at most, then",
     .value = registers_most,
     .hint = "All threads that are on the SM at a time share its registers.",
     .slips = {{registers_of_block, "Several blocks are there at a time."}}},
    {.name = "array",
     .kind = BLANK_WORD,
     .words = memories,
     .ask = "the memory it is put into",
     .value = registers_array,
     .hint = "Registers have no addresses. Which memory belongs to one thread and has?"},
};

/* ---- Elements that lie side by side: the lab's block has 16 x 16 threads, 8 x 8 each ---- */

static void text_apart(struct text *t, const struct drawn *d) {
    (void)d;
    text_add(t, "Somebody gives each thread 8 x 8 elements that lie side by side: rows 8 * ty to "
                "8 * ty + 7, columns 8 * tx to 8 * tx + 7. The product is right. How many turns "
                "does a warp's read of slab B take, and how many sectors does a warp's store to C "
                "touch? And with the stamp? Rows of C begin at multiples of 32 bytes.\n");
}

/* Turns of a warp that reads so many different words, so far apart, one after the other. */
static int64_t turns_of(int64_t words, int64_t apart) {
    int64_t count[32] = {0}, most = 0;
    for (int64_t i = 0; i < words; i++) {
        int64_t *bank = &count[i * apart % 32];
        most = ++*bank > most ? *bank : most;
    }
    return most;
}

/* Sectors of 8 floats, of two rows of 16 words that lie so far apart. */
static int64_t sectors_of(int64_t apart) {
    int64_t count = 0, last = -1;
    for (int64_t i = 0; i < 16; i++) {
        count += i * apart / 8 != last;
        last = i * apart / 8;
    }
    return 2 * count;
}

VALUE(side_turns, whole(turns_of(16, 8)))
VALUE(side_sectors, whole(sectors_of(8)))
VALUE(with_stamp, whole_two(turns_of(16, 1), sectors_of(1)))
VALUE(side_turns_each, one(16))

static const struct formula_blank apart_blanks[] = {
    {.name = "side_turns",
     .kind = BLANK_NUMBERS,
     .ask = "turns of the read, side by side",
     .value = side_turns,
     .hint = "Which words of a row of the slab does the warp read? Word w is in bank w mod 32.",
     .slips = {{side_turns_each, "These are the words. Several of them lie in other banks."}}},
    {.name = "side_sectors",
     .kind = BLANK_NUMBERS,
     .ask = "sectors of the store, side by side",
     .value = side_sectors,
     .hint = "How far apart are the columns of two lanes? A sector holds 8 floats."},
    {.name = "with_stamp",
     .kind = BLANK_NUMBERS,
     .ask = "with the stamp: turns, sectors",
     .value = with_stamp,
     .hint = "A warp has 16 neighbours in each of two rows of C."},
};

/* ---- Edges: m n[0], k n[1], n n[2] ---- */

static void draw_edges(struct drawn *d, struct generator *g) {
    do {
        d->n[0] = pick(g, 130, 700);
        d->n[1] = pick(g, 20, 300);
        d->n[2] = pick(g, 130, 700);
    } while (d->n[0] % 128 == 0 || d->n[1] % 8 == 0 || d->n[2] % 128 == 0 ||
             d->n[0] / 128 == d->n[2] / 128);
}

static void text_edges(struct text *t, const struct drawn *d) {
    text_addf(t,
              "m = %d, k = %d, n = %d, the lab's own numbers: blocks of 128 x 128, slabs of 8. The "
              "last two: the block at the lower right corner of C.\n",
              (int)d->n[0], (int)d->n[1], (int)d->n[2]);
}

VALUE(edges_blocks, whole(parts_over(d->n[0], 128) * parts_over(d->n[2], 128)))
VALUE(edges_blocks_down, whole(parts_in(d->n[0], 128) * parts_in(d->n[2], 128)))
VALUE(edges_slabs, whole(parts_over(d->n[1], 8)))
VALUE(edges_slabs_down, whole(parts_in(d->n[1], 8)))
VALUE(edges_filled, whole(d->n[0] % 128 * (d->n[1] % 8)))
VALUE(edges_zeros, one(128 * 8 - edges_filled(d, v).v[0]))
VALUE(edges_stored, whole(d->n[0] % 128 * (d->n[2] % 128)))
VALUE(edges_unstored, one(128 * 128 - edges_stored(d, v).v[0]))

static const struct formula_blank edge_blanks[] = {
    {.name = "blocks",
     .kind = BLANK_NUMBERS,
     .ask = "blocks",
     .value = edges_blocks,
     .hint = "One for each tile of C, partial ones included.",
     .slips = {{edges_blocks_down, "Partial tiles need a block, too."}}},
    {.name = "slabs",
     .kind = BLANK_NUMBERS,
     .ask = "slabs",
     .value = edges_slabs,
     .hint = "Which of m, k and n do the slabs run along, and how wide is one?",
     .slips = {{edges_slabs_down, "The last, partial one counts."}}},
    {.name = "slab_zeros",
     .kind = BLANK_NUMBERS,
     .ask = "zeros in slab A, in the last slab",
     .value = edges_zeros,
     .hint = "Which rows and columns of the slab exist in A? All other places are zero.",
     .slips = {{edges_filled, "These are the elements that exist."}}},
    {.name = "never_stored",
     .kind = BLANK_NUMBERS,
     .ask = "sums that are never stored",
     .value = edges_unstored,
     .hint = "The block has a sum for each place of its tile. Which have an element in C?",
     .slips = {{edges_stored, "These are the ones that are stored."}}},
};

/* ---- Two films: thread n[0], its number n[1] of four ---- */

static void draw_film(struct drawn *d, struct generator *g) {
    d->n[0] = pick(g, 1, 30);
    d->n[1] = pick(g, 1, 3);
}

static void text_film(struct text *t, const struct drawn *d) {
    text_add(t, "Two films of 32 threads with four numbers each in registers: ranks-four.cu and "
                "side-by-side.cu." FILMS);
    text_addf(t, "Choose thread (%d, 0), and look at number[%d] and smaller[%d].\n", (int)d->n[0],
              (int)d->n[1], (int)d->n[1]);
}

VALUE(film_holds, whole_two(d->n[0] + 32 * d->n[1], 4 * d->n[0] + d->n[1]))
VALUE(film_counts, whole_two(film_smaller(d->n[0] + 32 * d->n[1], 0, 64),
                             film_smaller(4 * d->n[0] + d->n[1], 0, 64)))

static const struct formula_blank film_blanks[] = {
    {.name = "film_holds",
     .kind = BLANK_NUMBERS,
     .ask = "the i of the numbers[i] that it holds: in ranks-four.cu, in side-by-side.cu",
     .value = film_holds,
     .hint = "Where it reads its numbers, the thread's own cell has a filled square."},
    {.name = "film_smaller",
     .kind = BLANK_NUMBERS,
     .ask = "its smaller when phase 5 begins, after two parts: in ranks-four.cu, in "
            "side-by-side.cu",
     .value = film_counts,
     .hint = "Shift and the right arrow key go to the next phase."},
};

/* ---- Read once: a number n[0] of four; another kernel's numbers n[1], n[2] of each thread ---- */

static void draw_once(struct drawn *d, struct generator *g) {
    static const int each[] = {2, 3, 5, 6, 8};
    d->n[0] = pick(g, 0, 3);
    d->n[2] = pick_from(g, each, COUNT(each));
    d->n[1] = 32 * d->n[2] * pick(g, 1, 4);
}

static void text_once(struct text *t, const struct drawn *d) {
    text_add(t, "Two films of 32 threads with four numbers each in registers: ranks-four.cu and "
                "side-by-side.cu. They compare 128 numbers with each other." FILMS);
    text_addf(t,
              "   (a) the warp reads number[%d] from numbers\n"
              "   (b) one thread, in either film, from its first line to its last\n"
              "   (c) another such kernel compares %d numbers, and each thread has %d\n",
              (int)d->n[0], (int)d->n[1], (int)d->n[2]);
}

VALUE(once_sectors, whole_two(4, 16))
VALUE(once_sectors_swapped, whole_two(16, 4))
VALUE(once_reads, whole_two(128, 512))
VALUE(once_reads_each, whole_two(512, 512))
VALUE(once_other, whole_two(d->n[1] / d->n[2] * d->n[1], d->n[1] * d->n[1]))
VALUE(once_other_thread, whole_two(d->n[1], d->n[1]))

static const struct formula_blank once_blanks[] = {
    {.name = "once_sectors",
     .kind = BLANK_NUMBERS,
     .ask = "(a) sectors: in ranks-four.cu, in side-by-side.cu",
     .value = once_sectors,
     .hint = "The sentence above the source has it, and the picture of the access.",
     .slips = {{once_sectors_swapped, "ranks-four.cu comes first."}}},
    {.name = "once_reads",
     .kind = BLANK_NUMBERS,
     .ask = "(b) its reads of shared memory, and its comparisons",
     .value = once_reads,
     .hint = "Look at one j: how often is part read, and with how many numbers is it compared? "
             "Then count the values of j, in all parts.",
     .slips = {{once_reads_each, "What is read stays in a register, other."}}},
    {.name = "once_other",
     .kind = BLANK_NUMBERS,
     .ask = "(c) reads of shared memory by all threads together: so, and with one number each",
     .value = once_other,
     .hint = "Each thread reads each number once. How many threads are there?",
     .slips = {{once_other_thread, "That is one thread's."}}},
};

const struct formula_question questions_lab6[] = {
    {"lab6.outer", "An outer product", "lab6.md#idea", draw_outer, text_outer, outer_blanks,
     COUNT(outer_blanks), NULL},
    {"lab6.block", "The block's tile", "lab6.md#idea", draw_block, text_block, block_blanks,
     COUNT(block_blanks), NULL},
    {"lab6.stamp", "A place in the stamp", "lab6.md#stamp", draw_stamp, text_stamp, stamp_blanks,
     COUNT(stamp_blanks), NULL},
    {"lab6.registers", "Registers", "lab6.md#registers", draw_registers, text_registers,
     register_blanks, COUNT(register_blanks), NULL},
    {"lab6.apart", "Side by side", "lab6.md#stamp", NULL, text_apart, apart_blanks,
     COUNT(apart_blanks), NULL},
    {"lab6.edges", "Edges", "lab6.md#hand", draw_edges, text_edges, edge_blanks, COUNT(edge_blanks),
     NULL},
    {"lab6.once", "Read once", "lab6.md#idea", draw_once, text_once, once_blanks,
     COUNT(once_blanks), NULL},
    {"lab6.film", "Two films", "debugging.md#films", draw_film, text_film, film_blanks,
     COUNT(film_blanks), NULL},
};

const size_t questions_lab6_count = COUNT(questions_lab6);
