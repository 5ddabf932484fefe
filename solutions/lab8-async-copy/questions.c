/* questions.c: pipelines, shapes, slices. */
#include "solutions/questions/formulas.h"

#include <math.h>

/* ---- Buffers: slab n[0], buffers n[1] ---- */

static void draw_buffers(struct drawn *d, struct generator *g) {
    d->n[1] = pick(g, 3, 7);
    d->n[0] = pick(g, d->n[1], 40);
}

static void text_buffers(struct text *t, const struct drawn *d) {
    text_addf(t,
              "A pipeline as in the handout, but with %d buffers; slab 0 lies in buffer 0. There "
              "are many more slabs. Look at the time while slab %d is multiplied.\n",
              (int)d->n[1], (int)d->n[0]);
    text_add(t, "Then in general: formulas of s, the slab that is multiplied (0, 1, 2 ...), and "
                "stages, the number of buffers. As in C: / drops the remainder, % gives it.\n");
}

VALUE(buffer_mine, whole(d->n[0] % d->n[1]))
VALUE(buffer_starts, whole_two(d->n[0] + d->n[1] - 1, (d->n[0] + d->n[1] - 1) % d->n[1]))
VALUE(buffer_starts_same, whole_two(d->n[0] + d->n[1], d->n[0] % d->n[1]))
VALUE(buffer_starts_next, whole_two(d->n[0] + 1, (d->n[0] + 1) % d->n[1]))
VALUE(buffer_pending, whole(d->n[1] - 2))
VALUE(buffer_pending_all, whole(d->n[1] - 1))
VALUE(formula_into, two(v->s + v->stages - 1, fmod(v->s + v->stages - 1, v->stages)))
VALUE(formula_into_negative, two(v->s + v->stages - 1, fmod(v->s - 1, v->stages)))
VALUE(formula_into_same, two(v->s + v->stages, fmod(v->s, v->stages)))

#define ONE_LESS                                                                                   \
    "That buffer is still being read. Its slab's copies start when it has been multiplied."

static const struct formula_blank buffer_blanks[] = {
    {.name = "buffer",
     .kind = BLANK_NUMBERS,
     .ask = "the buffer in which it lies",
     .value = buffer_mine,
     .hint = "Slab after slab the next buffer, and after the last one the first again."},
    {.name = "starts",
     .kind = BLANK_NUMBERS,
     .ask = "the slab whose copies are started meanwhile, its buffer",
     .value = buffer_starts,
     .hint =
         "Which buffer was read last, and nobody needs any more? Which slab belongs there next?",
     .slips = {{buffer_starts_same, ONE_LESS},
               {buffer_starts_next, "Its copies have been under way for long."}}},
    {.name = "under_way",
     .kind = BLANK_NUMBERS,
     .ask = "groups that may be under way when the next slab is begun",
     .value = buffer_pending,
     .hint = "How many slabs have been started and not yet multiplied? The next one must be there.",
     .slips = {{buffer_pending_all, "One of these is the next slab: it must have arrived."}}},
    {.name = "starts_formula",
     .kind = BLANK_FORMULAS,
     .ask = "the slab that is started, its buffer, in general",
     .variables = "s stages",
     .value = formula_into,
     .written = "s + stages - 1, (s + stages - 1) % stages",
     .hint = "Do the same as for your numbers, with s and stages.",
     .slips = {{formula_into_negative, "For s = 0 that is -1 in C. Find another way to say it."},
               {formula_into_same, ONE_LESS}}},
};

/* ---- How long: a copy n[0], a multiplication n[1], slabs n[2] ---- */

static void draw_times(struct drawn *d, struct generator *g) {
    d->n[1] = pick(g, 3, 12);
    d->n[0] = pick(g, d->n[1] + 1, 2 * d->n[1]);
    d->n[2] = pick(g, 8, 60);
}

static void text_times(struct text *t, const struct drawn *d) {
    text_addf(
        t,
        "As in the handout's figure: a slab's copies take %d units of time, its multiplication "
        "%d. Copies that are under way together don't slow each other down. How long do %d "
        "slabs take?\n",
        (int)d->n[0], (int)d->n[1], (int)d->n[2]);
}

VALUE(time_one, whole(d->n[2] * (d->n[0] + d->n[1])))
VALUE(time_two, whole(d->n[2] * d->n[0] + d->n[1]))
VALUE(time_three, whole(d->n[0] + d->n[2] * d->n[1]))
VALUE(time_free, whole(d->n[2] * d->n[1]))

static const struct formula_blank time_blanks[] = {
    {.name = "one_buffer",
     .kind = BLANK_NUMBERS,
     .ask = "with one buffer",
     .value = time_one,
     .hint = "Nothing happens at the same time."},
    {.name = "two_buffers",
     .kind = BLANK_NUMBERS,
     .ask = "with two buffers",
     .value = time_two,
     .hint = "While a slab is multiplied, the next one is copied. Which of the two takes longer? "
             "Don't forget the first copy and the last multiplication.",
     .slips = {{time_three, "A copy takes longer than a multiplication: with two buffers the block "
                            "still waits for it."}}},
    {.name = "three_buffers",
     .kind = BLANK_NUMBERS,
     .ask = "with three buffers",
     .value = time_three,
     .hint = "Two copies are under way at a time, so a copy may take as long as two "
             "multiplications.",
     .slips = {{time_two, "With three buffers nothing waits, once the first slab is there."},
               {time_free, "The first slab's copies have nothing to hide behind."}}},
};

/* ---- Shared memory: tile n[0] x n[1], slab n[2], buffers n[3] ---- */

enum { SM_KB = 228 };

static void draw_shared(struct drawn *d, struct generator *g) {
    static const int sides[] = {32, 64, 96, 128, 192, 256};
    do {
        d->n[0] = pick_from(g, sides, COUNT(sides));
        d->n[1] = pick_from(g, sides, COUNT(sides));
        d->n[2] = 8 * pick(g, 1, 4);
        d->n[3] = pick(g, 2, 5);
    } while (d->n[3] * d->n[2] * (d->n[0] + 4 + d->n[1]) * 4 > 220 * 1024);
}

static void text_shared(struct text *t, const struct drawn *d) {
    text_addf(
        t,
        "A block's tile has %d x %d elements of C (rows x columns), a slab %d values of p. Slab A "
        "is transposed, its rows have 4 floats of padding; slab B has none. There are %d "
        "buffers, each for a slab of A and one of B. An SM has %d KB of shared memory, and each "
        "block takes 1 KB more than it asks for; nothing else is a limit.\n",
        (int)d->n[0], (int)d->n[1], (int)d->n[2], (int)d->n[3], SM_KB);
}

static double floats(const struct drawn *d, int64_t padding) {
    return (double)(d->n[2] * (d->n[0] + padding) + d->n[2] * d->n[1]);
}

VALUE(shared_stage, one(4 * floats(d, 4)))
VALUE(shared_bare, one(4 * floats(d, 0)))
VALUE(shared_floats, one(floats(d, 4)))
VALUE(shared_block, whole(d->n[3] * shared_stage(d, v).v[0]))
VALUE(shared_blocks, one(floor(SM_KB * 1024 / (shared_block(d, v).v[0] + 1024))))
VALUE(shared_blocks_bare, one(floor(SM_KB * 1024 / shared_block(d, v).v[0])))

static const struct formula_blank shared_blanks[] = {
    {.name = "stage_bytes",
     .kind = BLANK_NUMBERS,
     .ask = "bytes of one buffer",
     .value = shared_stage,
     .hint = "Transposed, slab A has a row for each p, as long as the tile has rows, and padding.",
     .slips = {{shared_bare, "The padding takes room, too."},
               {shared_floats, "These are floats. Bytes are asked for."}}},
    {.name = "block_bytes",
     .kind = BLANK_NUMBERS,
     .ask = "bytes that a block asks for",
     .value = shared_block,
     .hint = "All buffers are there at the same time."},
    {.name = "shared_blocks",
     .kind = BLANK_NUMBERS,
     .ask = "blocks that fit into an SM",
     .value = shared_blocks,
     .hint = "Whole blocks only; 1 KB is 1,024 bytes.",
     .slips = {{shared_blocks_bare, "Each block takes 1 KB more than it asks for."}}},
};

/* ---- Shapes: m n[0], n n[1], multiprocessors n[2] ---- */

static const struct {
    int rows, columns;
    double speed;
} shapes[3] = {{128, 256, 1.0}, {64, 128, 0.9}, {32, 64, 0.6}};

static double tiles(const struct drawn *d, int shape) {
    return (double)(parts_over(d->n[0], shapes[shape].rows) *
                    parts_over(d->n[1], shapes[shape].columns));
}

static double waves(const struct drawn *d, int shape) {
    return ceil(tiles(d, shape) / (double)d->n[2]);
}

static double duration(const struct drawn *d, int shape) {
    return waves(d, shape) * shapes[shape].rows * shapes[shape].columns / shapes[shape].speed;
}

static int fastest(const struct drawn *d) {
    int best = 0;
    for (int i = 1; i < 3; i++)
        best = duration(d, i) < duration(d, best) ? i : best;
    return best;
}

/* No shape comes close to the best one: rounding must not decide. */
static bool clear(const struct drawn *d) {
    const int best = fastest(d);
    for (int i = 0; i < 3; i++)
        if (i != best && duration(d, i) < 1.05 * duration(d, best))
            return false;
    return true;
}

static void draw_shapes(struct drawn *d, struct generator *g) {
    static const int processors[] = {16, 20, 30, 40, 46, 58, 68, 80, 84, 108, 114, 128, 132, 144};
    const int wanted = (int)pick(g, 0, 2); /* each shape is the right one for a third */
    do {
        d->n[0] = 64 * pick(g, 3, 40);
        d->n[1] = 64 * pick(g, 3, 40);
        d->n[2] = pick_from(g, processors, COUNT(processors));
    } while (!clear(d) || fastest(d) != wanted || fmod(tiles(d, 1), (double)d->n[2]) == 0 ||
             tiles(d, 1) < (double)d->n[2] / 4);
}

static void text_shapes(struct text *t, const struct drawn *d) {
    text_addf(
        t,
        "m = %d, n = %d, on a GPU with %d SMs, each with one block at a time. Large tiles have "
        "128 x 256 elements and the speed 1, Medium 64 x 128 and 0.9, Small 32 x 64 and 0.6. A "
        "wave takes a tile's elements, divided by the speed.\n",
        (int)d->n[0], (int)d->n[1], (int)d->n[2]);
}

VALUE(shape_tiles, three(tiles(d, 0), tiles(d, 1), tiles(d, 2)))
VALUE(shape_waves, three(waves(d, 0), waves(d, 1), waves(d, 2)))

static struct blank_value shape_waves_down(const struct drawn *d, const struct variables *v) {
    (void)v;
    const double sms = (double)d->n[2];
    return three(floor(tiles(d, 0) / sms), floor(tiles(d, 1) / sms), floor(tiles(d, 2) / sms));
}

static struct blank_value shape_tail(const struct drawn *d, const struct variables *v) {
    (void)v;
    const double last = tiles(d, 1) - (waves(d, 1) - 1) * (double)d->n[2];
    return whole(d->n[2] - last);
}

VALUE(shape_last, whole(d->n[2] - shape_tail(d, v).v[0]))

static const char *const names[] = {"large", "medium", "small", NULL};

VALUE(shape_best, one(fastest(d)))

static const struct formula_blank shape_blanks[] = {
    {.name = "shape_tiles",
     .kind = BLANK_NUMBERS,
     .ask = "tiles: Large, Medium, Small",
     .value = shape_tiles,
     .hint = "Round up along m, and along n; then multiply."},
    {.name = "shape_waves",
     .kind = BLANK_NUMBERS,
     .ask = "waves: Large, Medium, Small",
     .value = shape_waves,
     .hint = "How often do all SMs together have to take a tile each?",
     .slips = {{shape_waves_down, "The last wave counts, even if few SMs have work in it."}}},
    {.name = "idle_sms",
     .kind = BLANK_NUMBERS,
     .ask = "SMs without work in Medium's last wave",
     .value = shape_tail,
     .hint = "How many tiles are left for the last wave?",
     .slips = {{shape_last, "These have work."}}},
    {.name = "shape",
     .kind = BLANK_WORD,
     .words = names,
     .ask = "the shape that is done first",
     .value = shape_best,
     .hint = "Waves, times elements of a tile, divided by the speed. The least counts."},
};

/* ---- Slices and slabs: slices n[0], tile n[1] x n[2], k n[3] ---- */

static void draw_slices(struct drawn *d, struct generator *g) {
    static const int slices[] = {2, 4, 8};
    static const int sides[] = {32, 64, 96, 128};
    d->n[0] = pick_from(g, slices, COUNT(slices));
    d->n[1] = pick_from(g, sides, COUNT(sides));
    d->n[2] = pick_from(g, sides, COUNT(sides));
    do
        d->n[3] = pick(g, 40, 900);
    while (d->n[3] % 16 == 0);
}

static void text_slices(struct text *t, const struct drawn *d) {
    text_addf(
        t,
        "k = %d, slabs of 16, and as in the handout the first slab is the short one. %d slices "
        "share each slab. The block's tile of C has %d x %d elements.\n",
        (int)d->n[3], (int)d->n[0], (int)d->n[1], (int)d->n[2]);
}

VALUE(slice_slabs, whole_two(parts_over(d->n[3], 16), d->n[3] % 16))
VALUE(slice_slabs_down, whole_two(parts_in(d->n[3], 16), d->n[3] % 16))
VALUE(slice_slabs_full, whole_two(parts_over(d->n[3], 16), 16))
VALUE(slice_steps, whole(16 / d->n[0]))
VALUE(slice_floats, whole((d->n[0] - 1) * d->n[1] * d->n[2]))
VALUE(slice_floats_all, whole(d->n[0] * d->n[1] * d->n[2]))

static const struct formula_blank slice_blanks[] = {
    {.name = "slabs",
     .kind = BLANK_NUMBERS,
     .ask = "slabs; columns of the first",
     .value = slice_slabs,
     .hint = "All slabs but the first are full.",
     .slips = {{slice_slabs_down, "The short one counts."},
               {slice_slabs_full, "What does not fill a slab goes into the first."}}},
    {.name = "slice_steps",
     .kind = BLANK_NUMBERS,
     .ask = "values of p that a slice takes from a full slab",
     .value = slice_steps,
     .hint = "The slices share a slab's 16 values of p."},
    {.name = "slice_floats",
     .kind = BLANK_NUMBERS,
     .ask = "floats that are put into shared memory to add up the sums",
     .value = slice_floats,
     .hint = "Each slice has a sum for each element of the tile. Which of them need not move?",
     .slips = {{slice_floats_all, "One slice's sums can stay where they are: the others' are added "
                                  "to them."}}},
};

/* ---- A block of Large: the lab's Shape<128, 256, 16, ...> and its STAGES = 3 ---- */

enum { LARGE_M = 128, LARGE_N = 256, LARGE_K = 16, LARGE_STAGES = 3 };

static void text_large(struct text *t, const struct drawn *d) {
    (void)d;
    text_add(t, "How many bytes of shared memory does a block of the lab's Large ask for, with "
                "STAGES = 3? And how many bytes may a kernel ask for without a call of "
                "cudaFuncSetAttribute?\n");
}

static int64_t large_floats(int64_t padding) {
    return LARGE_STAGES * LARGE_K * (LARGE_M + padding + LARGE_N);
}

VALUE(large_bytes, whole(4 * large_floats(4)))
VALUE(large_bare, whole(4 * large_floats(0)))
VALUE(large_stage, whole(4 * large_floats(4) / LARGE_STAGES))
VALUE(large_in_floats, whole(large_floats(4)))
VALUE(large_limit, whole(48 * 1024))
VALUE(large_limit_thousands, whole(48 * 1000))

static const struct formula_blank large_blanks[] = {
    {.name = "large_bytes",
     .kind = BLANK_NUMBERS,
     .ask = "bytes of a block of Large",
     .value = large_bytes,
     .hint = "As in the question before, with the numbers of the shape in the lab's file.",
     .slips = {{large_bare, "The rows of slab A have padding."},
               {large_stage, "That is one buffer."},
               {large_in_floats, "These are floats. Bytes are asked for."}}},
    {.name = "large_limit",
     .kind = BLANK_NUMBERS,
     .ask = "bytes without the call",
     .value = large_limit,
     .hint = "The handout says it in KB.",
     .slips = {{large_limit_thousands, "1 KB is 1,024 bytes."}}},
};

/* ---- Added up: k n[0]; the lab's Medium, Shape<64, 128, 32, ..., 4> ---- */

enum { MEDIUM_M = 64, MEDIUM_N = 128, MEDIUM_K = 32, MEDIUM_SLICES = 4 };

static void draw_added(struct drawn *d, struct generator *g) {
    d->n[0] = MEDIUM_K * pick(g, 8, 128);
}

static void text_added(struct text *t, const struct drawn *d) {
    text_addf(
        t,
        "Medium has tiles of %d x %d and %d slices; k = %d. How many floats go through shared "
        "memory in a block when the sums of its slices are added up? How many floats have all "
        "of its slabs together, without padding? How many percent of these are the first?\n",
        MEDIUM_M, MEDIUM_N, MEDIUM_SLICES, (int)d->n[0]);
}

VALUE(added_floats, whole((MEDIUM_SLICES - 1) * MEDIUM_M * MEDIUM_N))
VALUE(added_all, whole(MEDIUM_SLICES *MEDIUM_M *MEDIUM_N))
VALUE(added_slabs, whole(d->n[0] * (MEDIUM_M + MEDIUM_N)))
VALUE(added_percent, one(100 * added_floats(d, v).v[0] / added_slabs(d, v).v[0]))
VALUE(added_percent_all, one(100 * added_all(d, v).v[0] / added_slabs(d, v).v[0]))

static const struct formula_blank added_blanks[] = {
    {.name = "added_floats",
     .kind = BLANK_NUMBERS,
     .ask = "floats of the sums",
     .value = added_floats,
     .hint = "Each slice has a sum for each element of the tile. Which of them need not move?",
     .slips = {{added_all, "One slice's sums can stay where they are: the others' are added to "
                           "them."}}},
    {.name = "slab_floats",
     .kind = BLANK_NUMBERS,
     .ask = "floats of the slabs",
     .value = added_slabs,
     .hint =
         "For each p the block needs a column of A, as long as the tile has rows, and a row of B."},
    {.name = "added_percent",
     .kind = BLANK_REAL,
     .ask = "the sums, in percent of the slabs",
     .value = added_percent,
     .hint = "The first number, divided by the second.",
     .slips = {{added_percent_all, "One slice's sums can stay where they are."}}},
};

/* ---- Two films: buffer n[0], cell n[1] ---- */

static void draw_film(struct drawn *d, struct generator *g) {
    d->n[0] = pick(g, 0, 1);
    d->n[1] = pick(g, 0, 63);
}

static void text_film(struct text *t, const struct drawn *d) {
    text_add(t, "Two films of a kernel whose next part is on its way while one is used: ahead.cu, "
                "and too-early.cu, which waits for one group too few." FILMS);
    text_addf(t, "   (a) part[%d][%d] in ahead.cu   (b) part[0][%d] in too-early.cu\n",
              (int)d->n[0], (int)d->n[1], (int)d->n[1]);
}

VALUE(film_ahead, d->n[0] == 0 ? three(1, 1, 2) : three(1, 3, 4))
VALUE(film_value, whole(film_number(64 * d->n[0] + d->n[1])))
VALUE(film_early, three(1, 3, 2))
VALUE(film_early_right, three(1, 1, 2))

static const struct formula_blank film_blanks[] = {
    {.name = "film_ahead",
     .kind = BLANK_NUMBERS,
     .ask = "(a) phases in which the copy to it begins, has arrived, and is first used",
     .value = film_ahead,
     .hint = "A stripe through a cell means that a copy to it is on its way. The page says the "
             "phase beside the line."},
    {.name = "film_value",
     .kind = BLANK_NUMBERS,
     .ask = "(a) the number that is copied into it",
     .value = film_value,
     .hint = "Type the cell's name into the field above the memories, once the copy is there."},
    {.name = "film_early",
     .kind = BLANK_NUMBERS,
     .ask = "(b) the same three phases",
     .value = film_early,
     .hint = "The stripe vanishes where the block waits for this copy's group.",
     .slips = {{film_early_right, "That is how it should be. Watch too-early.cu."}}},
};

const struct formula_question questions_lab8[] = {
    {"lab8.buffers", "Which buffer?", "lab8.md#hand", draw_buffers, text_buffers, buffer_blanks,
     COUNT(buffer_blanks), NULL},
    {"lab8.times", "How long?", "lab8.md#hand", draw_times, text_times, time_blanks,
     COUNT(time_blanks), NULL},
    {"lab8.shared", "Room for buffers", "lab8.md#idea", draw_shared, text_shared, shared_blanks,
     COUNT(shared_blanks), NULL},
    {"lab8.shapes", "Which shape?", "lab8.md#hand", draw_shapes, text_shapes, shape_blanks,
     COUNT(shape_blanks), NULL},
    {"lab8.slices", "Slabs and slices", "lab8.md#slices", draw_slices, text_slices, slice_blanks,
     COUNT(slice_blanks), NULL},
    {"lab8.large", "A block of Large", "lab8.md#given", NULL, text_large, large_blanks,
     COUNT(large_blanks), NULL},
    {"lab8.added", "Added up", "lab8.md#slices", draw_added, text_added, added_blanks,
     COUNT(added_blanks), NULL},
    {"lab8.film", "Two films", "debugging.md#films", draw_film, text_film, film_blanks,
     COUNT(film_blanks), NULL},
};

const size_t questions_lab8_count = COUNT(questions_lab8);
