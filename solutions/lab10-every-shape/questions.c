/* questions.c: parts, their workspace, waves, bytes, and which tiles the model takes. */
#include "solutions/questions/formulas.h"

#include <math.h>

/* ---- Whose slabs? slabs n[0], parts n[1], shared tiles n[2], alone n[3], block n[4] ---- */

static void draw_parts(struct drawn *d, struct generator *g) {
    d->n[1] = pick(g, 3, 7);
    do
        d->n[0] = pick(g, 20, 90);
    while (d->n[0] % d->n[1] == 0);
    d->n[2] = pick(g, 3, 9);
    d->n[3] = pick(g, 4, 40);
    d->n[4] = d->n[3] + d->n[2] * pick(g, 1, (int)d->n[1] - 2) + pick(g, 1, (int)d->n[2] - 1);
}

static void text_parts(struct text *t, const struct drawn *d) {
    text_addf(
        t,
        "A product has %d tiles of %d slabs. The first %d tiles have a block each, each of the "
        "others %d. Look at block %d.\n",
        (int)(d->n[3] + d->n[2]), (int)d->n[0], (int)d->n[3], (int)d->n[1], (int)d->n[4]);
}

static double part_of(const struct drawn *d) {
    const int64_t part = (d->n[4] - d->n[3]) / d->n[2];
    return (double)part;
}

/* The block's tile if all parts of a tile came one after the other. */
static double tile_by_tile(const struct drawn *d) {
    const int64_t tile = d->n[3] + (d->n[4] - d->n[3]) / d->n[1];
    return (double)tile;
}

static double slab_of(const struct drawn *d, double part) {
    return floor((double)d->n[0] * part / (double)d->n[1]);
}

VALUE(part_blocks, whole(d->n[3] + d->n[2] * d->n[1]))
VALUE(part_blocks_all, whole((d->n[3] + d->n[2]) * d->n[1]))
VALUE(part_tile, two((double)(d->n[3] + (d->n[4] - d->n[3]) % d->n[2]), part_of(d)))
VALUE(part_tile_by_tile, two(tile_by_tile(d), (double)((d->n[4] - d->n[3]) % d->n[1])))
VALUE(part_slabs, two(slab_of(d, part_of(d)), slab_of(d, part_of(d) + 1) - slab_of(d, part_of(d))))

static const struct formula_blank part_blanks[] = {
    {.name = "part_blocks",
     .kind = BLANK_NUMBERS,
     .ask = "blocks of the launch",
     .value = part_blocks,
     .hint = "Tiles that are not shared have one block each.",
     .slips = {{part_blocks_all, "Only the tiles behind the first ones are shared."}}},
    {.name = "part_tile",
     .kind = BLANK_NUMBERS,
     .ask = "the block's tile; its part (0, 1 ...)",
     .value = part_tile,
     .hint = "First come the blocks of all shared tiles' part 0, then those of part 1.",
     .slips = {{part_tile_by_tile, "Blocks that run together should have neighbouring tiles."}}},
    {.name = "part_slabs",
     .kind = BLANK_NUMBERS,
     .ask = "the first slab of this part; how many it has",
     .value = part_slabs,
     .hint = "Part q begins with slab slabs * q / parts, rounded down."},
};

/* ---- Waves: tiles n[0], multiprocessors n[1], parts n[2] ---- */

static void draw_waves(struct drawn *d, struct generator *g) {
    static const int processors[] = {40, 46, 58, 68, 80, 84, 108, 114, 128, 132, 144};
    do {
        d->n[1] = pick_from(g, processors, COUNT(processors));
        d->n[0] = d->n[1] * pick(g, 1, 3) + pick(g, 5, (int)d->n[1] / 4);
        d->n[2] = d->n[1] / (d->n[0] % d->n[1]);
    } while (d->n[2] < 3);
}

static void text_waves(struct text *t, const struct drawn *d) {
    text_addf(t,
              "%d tiles, %d SMs with one block each at a time. A tile takes 60 us. Only "
              "multiplying takes time here; adding parts takes none.\n",
              (int)d->n[0], (int)d->n[1]);
}

static double full_waves(const struct drawn *d) {
    const int64_t waves = d->n[0] / d->n[1];
    return (double)waves;
}

VALUE(wave_whole, whole(60 * (d->n[0] / d->n[1] + 1)))
VALUE(wave_whole_down, whole(60 * (d->n[0] / d->n[1])))
VALUE(wave_parts, whole(d->n[2]))
VALUE(wave_parts_up, whole(d->n[2] + 1))
VALUE(wave_shared, one(60 * (full_waves(d) + 1.0 / (double)d->n[2])))

static const struct formula_blank wave_blanks[] = {
    {.name = "wave_whole",
     .kind = BLANK_NUMBERS,
     .ask = "us if each tile has one block",
     .value = wave_whole,
     .hint = "The last wave takes as long as the others, however few tiles it has.",
     .slips = {{wave_whole_down, "The last tiles count, too."}}},
    {.name = "wave_parts",
     .kind = BLANK_NUMBERS,
     .ask = "the last wave's tiles are shared: parts of a tile, so that all of them run at once",
     .value = wave_parts,
     .hint = "How many tiles are left for the last wave? There are not more blocks than SMs.",
     .slips = {{wave_parts_up, "Then some parts need a wave of their own."}}},
    {.name = "wave_shared",
     .kind = BLANK_NUMBERS,
     .ask = "us with these parts",
     .value = wave_shared,
     .hint = "Full waves, and then a wave of parts, each a fraction of a tile."},
};

/* ---- A part for each SM: tiles n[0], multiprocessors n[1], slabs n[2] ---- */

enum { SHARE_M = 64, SHARE_N = 128, SHARE_K = 16 };

static void draw_share(struct drawn *d, struct generator *g) {
    static const int tiles[] = {2, 3, 4, 6};
    d->n[0] = pick_from(g, tiles, COUNT(tiles));
    d->n[1] = d->n[0] * pick(g, 10, 30);
    do
        d->n[2] = pick(g, 1000, 6000);
    while (d->n[2] % (d->n[1] / d->n[0]) == 0);
}

static void text_share(struct text *t, const struct drawn *d) {
    text_addf(
        t,
        "C has %d tiles of %d x %d, k = %d, slabs of %d, on a GPU with %d SMs. All tiles are "
        "shared, so that each SM has one part. How many parts has a tile? How many slabs has a "
        "tile's largest part? How many bytes does add_parts read from the workspace?\n",
        (int)d->n[0], SHARE_M, SHARE_N, (int)(SHARE_K * d->n[2]), SHARE_K, (int)d->n[1]);
}

VALUE(share_parts, whole(d->n[1] / d->n[0]))
VALUE(share_slabs, whole(parts_over(d->n[2], d->n[1] / d->n[0])))
VALUE(share_slabs_least, whole(parts_in(d->n[2], d->n[1] / d->n[0])))
VALUE(share_bytes, whole(4 * d->n[1] * SHARE_M * SHARE_N))
VALUE(share_bytes_tile, whole(4 * (d->n[1] / d->n[0]) * SHARE_M * SHARE_N))
VALUE(share_in_floats, whole(d->n[1] * SHARE_M * SHARE_N))

static const struct formula_blank share_blanks[] = {
    {.name = "share_parts",
     .kind = BLANK_NUMBERS,
     .ask = "parts of a tile",
     .value = share_parts,
     .hint = "As many parts as SMs, and all tiles have the same number."},
    {.name = "share_slabs",
     .kind = BLANK_NUMBERS,
     .ask = "slabs of the largest part",
     .value = share_slabs,
     .hint = "How many slabs has a tile? Its parts differ by one at most.",
     .slips = {{share_slabs_least, "These are too few for all slabs: some parts have one more."}}},
    {.name = "share_bytes",
     .kind = BLANK_NUMBERS,
     .ask = "bytes that add_parts reads",
     .value = share_bytes,
     .hint = "Each part leaves a sum for each element of its tile.",
     .slips = {{share_bytes_tile, "That is one tile."},
               {share_in_floats, "These are floats. Bytes are asked for."}}},
};

/* ---- The workspace: shared tiles n[0], parts n[1], rows and columns of a tile n[2], n[3] ---- */

static void draw_workspace(struct drawn *d, struct generator *g) {
    static const int rows[] = {32, 64, 128};
    d->n[0] = pick(g, 5, 60);
    d->n[1] = pick(g, 2, 9);
    d->n[2] = pick_from(g, rows, COUNT(rows));
    d->n[3] = 2 * d->n[2];
}

static void text_workspace(struct text *t, const struct drawn *d) {
    text_addf(t,
              "%d tiles of %d x %d are shared, each by %d blocks. All parts go through the "
              "workspace.\n",
              (int)d->n[0], (int)d->n[2], (int)d->n[3], (int)d->n[1]);
}

static double tile_bytes(const struct drawn *d) {
    return 4.0 * (double)d->n[2] * (double)d->n[3];
}

VALUE(work_bytes, one((double)d->n[0] * (double)d->n[1] * tile_bytes(d)))
VALUE(work_tiles, one((double)d->n[0] * tile_bytes(d)))
VALUE(work_moved, one((double)(2 * d->n[1] + 1) * (double)d->n[0] * tile_bytes(d)))
VALUE(work_once, one((double)(d->n[1] + 1) * (double)d->n[0] * tile_bytes(d)))

static const struct formula_blank workspace_blanks[] = {
    {.name = "work_bytes",
     .kind = BLANK_NUMBERS,
     .ask = "bytes of the workspace",
     .value = work_bytes,
     .hint = "Each part is a whole tile of floats.",
     .slips = {{work_tiles, "Each block of a tile has a part of its own there."}}},
    {.name = "work_moved",
     .kind = BLANK_NUMBERS,
     .ask = "bytes that both kernels move for it and for these tiles of C",
     .value = work_moved,
     .hint = "The first kernel writes the parts, the second reads them and writes C.",
     .slips = {{work_once, "What is written there is read, too."}}},
};

/* ---- Deep products: m n[0], n n[1] ---- */

/* An H200 needs 13.9 operations for each byte to be busy (QM.6); none of the products is near. */
static double deep_operations(const struct drawn *d) {
    return (double)(d->n[0] * d->n[1]) / (double)(2 * (d->n[0] + d->n[1]));
}

static void draw_deep(struct drawn *d, struct generator *g) {
    do {
        d->n[0] = 8 * pick(g, 1, 32);
        d->n[1] = 8 * pick(g, 1, 32);
    } while (deep_operations(d) > 10 && deep_operations(d) < 20);
}

static void text_deep(struct text *t, const struct drawn *d) {
    text_addf(
        t,
        "C has %d x %d elements, k is 65536, and each number of A and B is read from memory "
        "once; ignore C. How many operations does this product do for each byte? An H200 is "
        "busy with 13.9 operations for each byte: what limits this product, memory or cores?\n",
        (int)d->n[0], (int)d->n[1]);
}

static const char *const deep_limits[] = {"memory", "cores", NULL};

VALUE(deep_flops, one(deep_operations(d)))
VALUE(deep_madds, one(deep_operations(d) / 2))
VALUE(deep_floats, one(deep_operations(d) * 4))
VALUE(deep_limit, whole(deep_operations(d) > 13.9))

static const struct formula_blank deep_blanks[] = {
    {.name = "deep_flops",
     .kind = BLANK_REAL,
     .ask = "operations for each byte of A and B",
     .value = deep_flops,
     .hint = "Count both for one p: a column of A and a row of B are read.",
     .slips = {{deep_madds, "A multiplication and an addition are two operations."},
               {deep_floats, "That is for each float."}}},
    {.name = "deep_limit",
     .kind = BLANK_WORD,
     .words = deep_limits,
     .ask = "what limits it",
     .value = deep_limit,
     .hint = "Does it do more or fewer operations for a byte than the GPU needs?"},
};

/* ---- Bytes: columns n[0], rows of B n[1], speed n[2] in GB/s ---- */

static void draw_bytes(struct drawn *d, struct generator *g) {
    static const int speeds[] = {400, 800, 1600, 2000, 3200, 4000};
    d->n[0] = 1000 * pick(g, 2, 12);
    d->n[1] = 1000 * pick(g, 2, 12);
    d->n[2] = pick_from(g, speeds, COUNT(speeds));
}

static void text_bytes(struct text *t, const struct drawn *d) {
    text_addf(t,
              "One row times B: 1 x %d x %d (m x n x k). The memory delivers %d GB (1e9 bytes) a "
              "second. Ignore A, C and the launch.\n",
              (int)d->n[0], (int)d->n[1], (int)d->n[2]);
}

VALUE(byte_count, whole(4 * d->n[0] * d->n[1]))
VALUE(byte_floats, whole(d->n[0] * d->n[1]))
VALUE(byte_time, one(4e-3 * (double)d->n[0] * (double)d->n[1] / (double)d->n[2]))
VALUE(byte_flops, one(0.5))

static const struct formula_blank byte_blanks[] = {
    {.name = "row_bytes",
     .kind = BLANK_NUMBERS,
     .ask = "bytes of B",
     .value = byte_count,
     .hint = "A float has 4 bytes.",
     .slips = {{byte_floats, "These are floats."}}},
    {.name = "row_time",
     .kind = BLANK_NUMBERS,
     .ask = "us that no kernel can be faster than",
     .value = byte_time,
     .hint = "1 GB a second is 1000 bytes a us."},
    {.name = "row_flops",
     .kind = BLANK_NUMBERS,
     .ask = "operations for each byte of B",
     .value = byte_flops,
     .hint = "Each number of B is multiplied once, and added once."},
};

/* The model: large tiles down n[0], across n[1]; slabs of 32 n[2]; multiprocessors n[3]. */

static void draw_model(struct drawn *d, struct generator *g) {
    static const int processors[] = {40, 58, 84, 108, 132, 144};
    do {
        d->n[0] = pick(g, 5, 20);
        d->n[1] = pick(g, 3, 12);
        d->n[2] = pick(g, 10, 60);
        d->n[3] = pick_from(g, processors, COUNT(processors));
    } while (d->n[0] * d->n[1] % d->n[3] == 0 || d->n[0] * d->n[1] < d->n[3]);
}

static void text_model(struct text *t, const struct drawn *d) {
    text_addf(t,
              "C is %d x %d, k = %d, %d SMs. Tiles of 128 x 256: an SM runs one block, which takes "
              "2.7 us for 16 values of p. Tiles of 32 x 64: an SM runs four blocks, which take "
              "1.6 us for 32 values of p. No tile is shared, and nothing else takes time.\n",
              (int)(128 * d->n[0]), (int)(256 * d->n[1]), (int)(32 * d->n[2]), (int)d->n[3]);
}

/* Waves of n[0] * n[1] large tiles, and of sixteen times as many small ones, four on an SM. */
static int64_t large_waves(const struct drawn *d) {
    return (d->n[0] * d->n[1] + d->n[3] - 1) / d->n[3];
}

static int64_t small_waves(const struct drawn *d) {
    return (16 * d->n[0] * d->n[1] + 4 * d->n[3] - 1) / (4 * d->n[3]);
}

VALUE(model_large, one(2.7 * 2.0 * (double)d->n[2] * (double)large_waves(d)))
VALUE(model_large_down, one(2.7 * 2.0 * (double)d->n[2] * (double)(large_waves(d) - 1)))
VALUE(model_large_slabs, one(2.7 * (double)d->n[2] * (double)large_waves(d)))
VALUE(model_waves, whole(small_waves(d)))
VALUE(model_small, one(1.6 * (double)d->n[2] * (double)small_waves(d)))

static const struct formula_blank model_blanks[] = {
    {.name = "model_large",
     .kind = BLANK_NUMBERS,
     .ask = "us with large tiles",
     .value = model_large,
     .hint = "Waves, rounded up, times slabs of 16, times the time of one.",
     .slips = {{model_large_down, "The last wave counts, too."},
               {model_large_slabs, "A slab of large tiles has 16 values of p."}}},
    {.name = "model_waves",
     .kind = BLANK_NUMBERS,
     .ask = "waves of small tiles",
     .value = model_waves,
     .hint = "How many small tiles has a large one? How many small blocks run at the same time?"},
    {.name = "model_small",
     .kind = BLANK_NUMBERS,
     .ask = "us with small tiles",
     .value = model_small,
     .hint = "Waves times slabs of 32, times the time of one."},
};

const struct formula_question questions_lab10[] = {
    {"lab10.parts", "Whose slabs?", "lab10.md#level-1", draw_parts, text_parts, part_blanks,
     COUNT(part_blanks), NULL},
    {"lab10.workspace", "Through the workspace", "lab10.md#level-1", draw_workspace, text_workspace,
     workspace_blanks, COUNT(workspace_blanks), NULL},
    {"lab10.waves", "The last wave", "lab10.md#hand", draw_waves, text_waves, wave_blanks,
     COUNT(wave_blanks), NULL},
    {"lab10.bytes", "One row", "lab10.md#level-2", draw_bytes, text_bytes, byte_blanks,
     COUNT(byte_blanks), NULL},
    {"lab10.share", "A part for each SM", "lab10.md#level-1", draw_share, text_share, share_blanks,
     COUNT(share_blanks), NULL},
    {"lab10.deep", "Deep, and busy", "lab10.md#level-2", draw_deep, text_deep, deep_blanks,
     COUNT(deep_blanks), NULL},
    {"lab10.model", "Which tiles?", "lab10.md#level-3", draw_model, text_model, model_blanks,
     COUNT(model_blanks), NULL},
};

const size_t questions_lab10_count = COUNT(questions_lab10);
