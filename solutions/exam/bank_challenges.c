/* bank_challenges.c: questions of exams on labs 6 to 10 (see exam.h). A list, as bank.c is. */
#include "solutions/exam/bank.h"

#include <stdlib.h>

/* ---- Lab 6: registers: block tile n[0] x n[1], thread tile n[2] x n[3], slab n[4] ---- */

static void draw_registers(struct drawn *d, struct generator *g) {
    d->n[2] = pick(g, 1, 2) * 4;
    d->n[3] = pick(g, 1, 2) * 4;
    d->n[0] = d->n[2] * pick(g, 2, 4) * 4;
    d->n[1] = d->n[3] * pick(g, 2, 4) * 4;
    d->n[4] = pick(g, 1, 4) * 4;
}

static void text_registers(struct text *t, const struct drawn *d) {
    text_addf(t,
              "A block computes %d x %d elements of C, each thread %d x %d of them in registers. "
              "Slabs of A and B are %d deep: %d x %d and %d x %d floats.\n",
              N(0), N(1), N(2), N(3), N(4), N(0), N(4), N(4), N(1));
}

VALUE(registers_threads, whole(d->n[0] / d->n[2] * (d->n[1] / d->n[3])))
VALUE(registers_reads, whole((d->n[2] + d->n[3]) * d->n[4]))
VALUE(registers_madds, whole(d->n[2] * d->n[3] * d->n[4]))
VALUE(registers_shared, whole((d->n[0] + d->n[1]) * d->n[4] * 4))

static void work_registers(struct text *t, const struct drawn *d) {
    text_addf(t,
              "%d / %d · %d / %d threads. For each of %d steps a thread reads %d + %d floats and "
              "multiplies each by each. (%d + %d) · %d floats of 4 bytes.",
              N(0), N(2), N(1), N(3), N(4), N(2), N(3), N(0), N(1), N(4));
}

/* ---- Lab 7: a warp's tile: n[0] x n[1], n[2] in a row of tiles, warp n[3], lane n[4] ---- */

enum { LANES_ACROSS = 4, BOX = 4 };

static void draw_warp_tile(struct drawn *d, struct generator *g) {
    static const int rows[] = {32, 64, 96, 128}, columns[] = {16, 32, 48, 64};
    d->n[0] = pick_from(g, rows, COUNT(rows));
    d->n[1] = pick_from(g, columns, COUNT(columns));
    d->n[2] = pick(g, 1, 2) * 2;
    d->n[3] = pick(g, 1, 7);
    d->n[4] = pick(g, 5, 31);
}

static void text_warp_tile(struct text *t, const struct drawn *d) {
    text_addf(
        t,
        "A block's warps have tiles of C of %d rows and %d columns each, %d tiles in a row of "
        "tiles, warp 0 first. In its tile a warp's lanes stand in rows of %d, lane 0 first, "
        "and the first box of each lane has %d x %d elements.\n",
        N(0), N(1), N(2), LANES_ACROSS, BOX, BOX);
}

static void text_warp_tile_lane(struct text *t, const struct drawn *d) {
    text_warp_tile(t, d);
    text_addf(t, "The first question is about lane %d of warp %d.\n", N(4), N(3));
}

static struct blank_value warp_tile_box(const struct drawn *d, const struct variables *v) {
    (void)v;
    return whole_two(d->n[3] / d->n[2] * d->n[0] + d->n[4] / LANES_ACROSS * BOX,
                     d->n[3] % d->n[2] * d->n[1] + d->n[4] % LANES_ACROSS * BOX);
}

VALUE(warp_tile_numbers, whole(d->n[0] + d->n[1]))
VALUE(warp_tile_sums, whole(d->n[0] * d->n[1] / LANES))
VALUE(warp_tile_quads, whole(d->n[0] * d->n[1] / LANES / BOX))

static void work_warp_tile(struct text *t, const struct drawn *d) {
    text_addf(t,
              "The warp's tile is in row %d / %d, column %d %% %d of the tiles; the lane in row %d "
              "/ %d, column %d %% %d of the lanes. For one p a warp needs a number of A for each "
              "row and one of B for each column. %d · %d elements for %d lanes, four in a store.",
              N(3), N(2), N(3), N(2), N(4), LANES_ACROSS, N(4), LANES_ACROSS, N(0), N(1), LANES);
}

/* ---- Lab 7: a slab turned round: its rows n[0] floats, paddings n[1..2] ---- */

static const char *const yes_no[] = {"yes", "no", NULL};

static void draw_turned(struct drawn *d, struct generator *g) {
    static const int paddings[] = {1, 2, 3, 4, 6, 8, 12, 16, 20};
    d->n[0] = pick(g, 2, 6) * 32;
    d->n[1] = pick_from(g, paddings, COUNT(paddings));
    do
        d->n[2] = pick_from(g, paddings, COUNT(paddings));
    while (d->n[2] == d->n[1]);
}

static void text_turned(struct text *t, const struct drawn *d) {
    text_addf(
        t,
        "A slab of A lies transposed in shared memory, in rows of %d floats and some "
        "padding; its first row begins in bank 0. A warp writes, with one instruction: lane i "
        "into place i / 2 of row 0 if i is even, and of row 4 if i is odd. Word w lies in "
        "bank w %% 32.\n",
        N(0));
    text_addf(t,
              "In how many turns is that served with a padding of %d floats, and of %d? May a lane "
              "read four floats of a row at once, from place 0, 4, 8 and so on of any row?\n",
              N(1), N(2));
}

static int turned_turns(const struct drawn *d, int64_t padding) {
    int64_t word[LANES];
    for (int i = 0; i < LANES; i++)
        word[i] = i % 2 * 4 * (d->n[0] + padding) + i / 2;
    return bank_turns(word);
}

VALUE(turned_first, whole(turned_turns(d, d->n[1])))
VALUE(turned_second, whole(turned_turns(d, d->n[2])))
VALUE(turned_quads, whole(d->n[1] % 4 != 0))
VALUE(turned_quads_second, whole(d->n[2] % 4 != 0))

static void work_turned(struct text *t, const struct drawn *d) {
    text_addf(
        t,
        "Row 4 begins 4 · (%d + padding) words on, that is in bank 4 · padding mod 32: %d and "
        "%d. The even lanes have banks 0 to 15, the odd ones 16 from there on. A float4 lies "
        "at a multiple of 4 floats, so rows must be a multiple of 4 floats long.",
        N(0), 4 * N(1) % BANKS, 4 * N(2) % BANKS);
}

/* ---- Lab 8: a pipeline: stages n[0], slab bytes n[1], slabs n[2] ---- */

static void draw_pipeline(struct drawn *d, struct generator *g) {
    d->n[0] = pick(g, 3, 6);
    d->n[1] = pick(g, 2, 12) * 1024;
    d->n[2] = pick(g, 6, 30);
}

static void text_pipeline(struct text *t, const struct drawn *d) {
    text_addf(t,
              "A kernel walks through %d slabs with a ring of %d buffers of %d bytes. Before the "
              "loop it starts the copies of the first %d slabs; in each step it waits for the slab "
              "it needs, starts the copy of one more slab if there is one, and computes.\n",
              N(2), N(0), N(1), N(0) - 1);
}

static void text_pipeline_sm(struct text *t, const struct drawn *d) {
    text_pipeline(t, d);
    text_addf(t, "Steps and slabs are counted from 0. An SM has %d bytes of shared memory.\n",
              SM_SHARED);
}

VALUE(pipeline_shared, whole(d->n[0] * d->n[1]))
VALUE(pipeline_blocks, whole(SM_SHARED / (d->n[0] * d->n[1])))
VALUE(pipeline_last, whole(d->n[2] - d->n[0]))

static void work_pipeline(struct text *t, const struct drawn *d) {
    text_addf(
        t,
        "%d · %d bytes; %d / %d, rounded down. Step s starts the copy of slab s + %d, and the "
        "last slab has number %d.",
        N(0), N(1), SM_SHARED, N(0) * N(1), N(0) - 1, N(2) - 1);
}

/* ---- Lab 9: who holds what: lane n[0], an element of C n[1..2] ---- */

static void draw_fragments(struct drawn *d, struct generator *g) {
    d->n[0] = pick(g, 1, 31);
    d->n[1] = pick(g, 0, 15);
    d->n[2] = pick(g, 0, 7);
}

static void text_fragments(struct text *t, const struct drawn *d) {
    text_addf(
        t, "`mma.m16n8k8` multiplies 16 x 8 of A by 8 x 8 of B. With lane = 4 · group + member a "
           "lane holds a[0] to a[3] = (row group, column member), (group + 8, member), (group, "
           "member + 4), (group + 8, member + 4) of A; b[0] and b[1] = (row member, column "
           "group), (member + 4, group) of B; and of C two neighbours in row group, then two in "
           "row group + 8, from column 2 · member on.\n");
    text_addf(t,
              "The first three questions are about lane %d, the last about row %d, column %d of "
              "C.\n",
              N(0), N(1), N(2));
}

VALUE(fragments_a, whole_two(d->n[0] / 4, d->n[0] % 4 + 4))
VALUE(fragments_b, whole_two(d->n[0] % 4 + 4, d->n[0] / 4))
VALUE(fragments_c, whole_two(d->n[0] / 4 + 8, d->n[0] % 4 * 2 + 1))
VALUE(fragments_lane, whole(d->n[1] % 8 * 4 + d->n[2] / 2))

static void work_fragments(struct text *t, const struct drawn *d) {
    text_addf(t,
              "Lane %d is member %d of group %d. Row %d is that of group %d, and column %d that of "
              "member %d: lane 4 · %d + %d.",
              N(0), N(0) % 4, N(0) / 4, N(1), N(1) % 8, N(2), N(2) / 2, N(1) % 8, N(2) / 2);
}

/* ---- Lab 9: a factor cut in two: x n[0], 12 or 13 bits long, y n[1] ---- */

enum { TF32_BITS = 11 }; /* significant ones */

/* x rounded to TF32_BITS bits, which is no tie. */
static int64_t to_tf32(int64_t x) {
    int64_t unit = 1;
    while (x / unit >> TF32_BITS)
        unit *= 2;
    return (x + unit / 2) / unit * unit;
}

static void draw_split(struct drawn *d, struct generator *g) {
    const int64_t unit = pick(g, 1, 2) * 4; /* 13 bits, or 14 */
    do
        d->n[0] = pick(g, 1024, 2046) * unit + pick(g, 1, unit - 1);
    while (d->n[0] % unit == unit / 2);
    d->n[1] = pick(g, 3, 19) * 2 + 1;
}

static void text_split(struct text *t, const struct drawn *d) {
    text_addf(
        t,
        "A float is cut into big, rounded to TF32 (%d significant bits), and small, the rest. "
        "A holds x = %d and B holds y = %d.\n",
        TF32_BITS, N(0), N(1));
}

VALUE(split_big, whole(to_tf32(d->n[0])))
VALUE(split_small, whole(llabs(d->n[0] - to_tf32(d->n[0]))))
VALUE(split_one, whole(to_tf32(d->n[0]) * d->n[1]))
VALUE(split_three, whole(d->n[0] * d->n[1]))

static void work_split(struct text *t, const struct drawn *d) {
    const int big = (int)to_tf32(d->n[0]), small = N(0) - big;
    text_addf(t,
              "With %d bits the neighbours of such a number are %d apart: %d. %d - %d is %d. One "
              "product is %d · %d; y has no small part, so the three together are %d · %d + (%d) · "
              "%d, which is exact.",
              TF32_BITS, N(0) >= 8192 ? 8 : 4, big, N(0), big, small, big, N(1), big, N(1), small,
              N(1));
}

/* ---- Lab 10: parts: tiles n[0], alone n[1], slabs n[2], parts n[3], a block n[4] ---- */

static void draw_parts(struct drawn *d, struct generator *g) {
    d->n[1] = pick(g, 2, 9);
    const int64_t shared = pick(g, 3, 8);
    d->n[0] = d->n[1] + shared;
    d->n[3] = pick(g, 3, 6);
    d->n[2] = d->n[3] * pick(g, 3, 9) + pick(g, 1, d->n[3] - 1);
    d->n[4] = d->n[1] + pick(g, shared, shared * d->n[3] - 1);
}

static int64_t parts_shared(const struct drawn *d) {
    return d->n[0] - d->n[1];
}

static int64_t parts_number(const struct drawn *d) {
    return (d->n[4] - d->n[1]) / parts_shared(d);
}

static void text_parts(struct text *t, const struct drawn *d) {
    text_addf(
        t,
        "C has %d tiles of %d slabs each. Blocks 0 to %d compute the first %d tiles, one each. "
        "Each of the others is shared by %d blocks: first come all blocks with part 0, tile "
        "by tile, then all with part 1, and so on. Part q has the slabs from %d · q / %d on, "
        "rounded down, to the next part's first one, without it. All are counted from 0.\n",
        N(0), N(2), N(1) - 1, N(1), N(3), N(2), N(3));
}

static void text_parts_block(struct text *t, const struct drawn *d) {
    text_parts(t, d);
    text_addf(t, "Two questions are about block %d.\n", N(4));
}

static int64_t parts_begin(const struct drawn *d, int64_t part) {
    return d->n[2] * part / d->n[3];
}

static int64_t parts_slabs(const struct drawn *d) {
    return parts_begin(d, parts_number(d) + 1) - parts_begin(d, parts_number(d));
}

VALUE(parts_blocks, whole(d->n[1] + parts_shared(d) * d->n[3]))
VALUE(parts_which, whole_two(d->n[1] + (d->n[4] - d->n[1]) % parts_shared(d), parts_number(d)))
VALUE(parts_first, whole_two(parts_begin(d, parts_number(d)), parts_slabs(d)))

static void work_parts(struct text *t, const struct drawn *d) {
    text_addf(
        t,
        "%d shared tiles: %d + %d · %d blocks. %d - %d = %d = %d · %d + %d. From %d · %d / %d "
        "to %d · %d / %d, without it.",
        (int)parts_shared(d), N(1), (int)parts_shared(d), N(3), N(4), N(1), N(4) - N(1),
        (int)parts_number(d), (int)parts_shared(d), (N(4) - N(1)) % (int)parts_shared(d), N(2),
        (int)parts_number(d), N(3), N(2), (int)parts_number(d) + 1, N(3));
}

/* ---- Lab 10: waves: SMs n[0], tile n[1] x n[2], tiles down and across n[3..4] ---- */

static void draw_waves(struct drawn *d, struct generator *g) {
    static const int sides[] = {64, 128, 256};
    d->n[1] = pick_from(g, sides, COUNT(sides));
    d->n[2] = pick_from(g, sides, COUNT(sides));
    do {
        d->n[0] = pick(g, 10, 66) * 2;
        d->n[3] = pick(g, 7, 24);
        d->n[4] = pick(g, 7, 24);
    } while (d->n[3] * d->n[4] % d->n[0] == 0 || d->n[3] * d->n[4] < d->n[0]);
}

static int64_t waves_tiles(const struct drawn *d) {
    return d->n[3] * d->n[4];
}

static void text_waves(struct text *t, const struct drawn *d) {
    text_addf(t,
              "C is %d x %d, a GPU has %d SMs, and each computes one tile of %d x %d at a time.\n",
              N(3) * N(1), N(4) * N(2), N(0), N(1), N(2));
}

VALUE(waves_count, whole_two(waves_tiles(d), parts_over(waves_tiles(d), d->n[0])))
VALUE(waves_idle, whole(d->n[0] - waves_tiles(d) % d->n[0]))

static struct blank_value waves_percent(const struct drawn *d, const struct variables *v) {
    const double waves = waves_count(d, v).v[1];
    return one(100.0 * (double)waves_tiles(d) / (waves * (double)d->n[0]));
}

static void work_waves(struct text *t, const struct drawn *d) {
    const int waves = (int)waves_count(d, NULL).v[1];
    text_addf(
        t,
        "%d · %d tiles, %d at a time. The last wave has %d of them. In %d waves %d · %d tiles "
        "could be computed.",
        N(3), N(4), N(0), (int)waves_tiles(d) % N(0), waves, waves, N(0));
}

/* ---- All of them ---- */

/* clang-format off */
const struct exam_question exam_challenges[] = {
    {.lab = 6, .points = 4, .working = work_registers,
     .asked = {.key = "exam-registers", .title = "Tiles in registers", .section = "lab6.md#idea",
               .draw = draw_registers, .text = text_registers,
               BLANKS(NUMBERS(registers_threads, "threads of a block"),
                      NUMBERS(registers_reads, "floats that a thread reads from a pair of slabs"),
                      NUMBERS(registers_madds, "its multiply-adds with them"),
                      NUMBERS(registers_shared, "bytes of shared memory for one pair of slabs"))}},
    {.lab = 7, .points = 4, .working = work_warp_tile,
     .asked = {.key = "exam-warp-tile", .title = "A tile for every warp", .section = "lab7.md#hand",
               .draw = draw_warp_tile, .text = text_warp_tile_lane,
               BLANKS(NUMBERS(warp_tile_box, "row, column of its first box's first element"),
                      NUMBERS(warp_tile_numbers, "different floats that a warp needs for one p"),
                      NUMBERS(warp_tile_sums, "sums that a lane keeps"),
                      NUMBERS(warp_tile_quads, "stores of four floats that they need"))}},
    {.lab = 7, .points = 4, .working = work_turned,
     .asked = {.key = "exam-turned", .title = "A slab turned round", .section = "lab7.md#idea",
               .draw = draw_turned, .text = text_turned,
               BLANKS(NUMBERS(turned_first, "turns with the first padding"),
                      WORDS(turned_quads, yes_no, "four floats at once with it"),
                      NUMBERS(turned_second, "turns with the second"),
                      WORDS(turned_quads_second, yes_no, "four floats at once with it"))}},
    {.lab = 8, .points = 3, .working = work_pipeline,
     .asked = {.key = "exam-pipeline", .title = "A pipeline", .section = "lab8.md#ahead",
               .draw = draw_pipeline, .text = text_pipeline_sm,
               BLANKS(NUMBERS(pipeline_shared, "bytes of shared memory of a block"),
                      NUMBERS(pipeline_blocks, "blocks that fit on an SM"),
                      NUMBERS(pipeline_last, "last step that starts a copy"))}},
    {.lab = 9, .points = 4, .working = work_fragments,
     .asked = {.key = "exam-fragments", .title = "Who holds what", .section = "lab9.md#lanes",
               .draw = draw_fragments, .text = text_fragments,
               BLANKS(NUMBERS(fragments_a, "row, column of its a[2]"),
                      NUMBERS(fragments_b, "row, column of its b[1]"),
                      NUMBERS(fragments_c, "row, column of its last element of C"),
                      NUMBERS(fragments_lane, "the lane that holds that element"))}},
    {.lab = 9, .points = 4, .working = work_split,
     .asked = {.key = "exam-split", .title = "A factor cut in two", .section = "lab9.md#three",
               .draw = draw_split, .text = text_split,
               BLANKS(NUMBERS(split_big, "big of x"),
                      NUMBERS(split_small, "the size of small of x, without its sign"),
                      NUMBERS(split_one, "x · y by one product of TF32 numbers"),
                      NUMBERS(split_three, "and by three"))}},
    {.lab = 10, .points = 3, .working = work_parts,
     .asked = {.key = "exam-parts", .title = "Shared sums", .section = "lab10.md#hand",
               .draw = draw_parts, .text = text_parts_block,
               BLANKS(NUMBERS(parts_blocks, "blocks of the launch"),
                      NUMBERS(parts_which, "its tile, its part"),
                      NUMBERS(parts_first, "its first slab, and how many it has"))}},
    {.lab = 10, .points = 3, .working = work_waves,
     .asked = {.key = "exam-waves", .title = "Waves", .section = "lab10.md#hand",
               .draw = draw_waves, .text = text_waves,
               BLANKS(NUMBERS(waves_count, "tiles, waves"),
                      NUMBERS(waves_idle, "SMs without a tile in the last wave"),
                      REAL(waves_percent, "of the SMs' time, the per cent in which they work"))}},
};
/* clang-format on */
const size_t exam_challenges_count = COUNT(exam_challenges);
