/*
 * suspect_blocks.c: blocks that are numbered along one dimension, each of which computes a tile of
 * C with fewer threads than the tile has elements; and what goes wrong with their numbers. What
 * comes back then is right, or was never computed, tile by tile.
 *
 *     across = tiles side by side           row of tiles = number / across
 *     launched: a block for each tile       column of tiles = number % across
 *
 * A tile's sides are not known: the usual ones are tried.
 */
#include "grading/src/diagnose/suspect.h"

/* To take the number apart by the tiles below each other reaches the same tiles as EXCHANGED. */
enum numbering {
    FEW,
    ALONG_X,
    EXCHANGED,
    ACROSS_ROUNDED_DOWN,
    ACROSS_ONE_MORE, /* where n is whole tiles */
    STEP_OF_THREADS, /* from tile to tile by the threads of a block, not by the blocks */
    NUMBERINGS
};

struct tiles {
    int rows, cols;   /* of a tile */
    int down, across; /* how many C has */
    int64_t blocks, along_x;
};

static int up(int x, int side) {
    return (x + side - 1) / side;
}

static struct tiles tiles_of(const struct trial *t, int rows, int cols) {
    const uint64_t *grid = &t->work.of[WORK_GRID_X];
    return (struct tiles){.rows = rows,
                          .cols = cols,
                          .down = up(t->shape.m, rows),
                          .across = up(t->shape.n, cols),
                          .blocks = (int64_t)(grid[0] * grid[1] * grid[2]),
                          .along_x = (int64_t)grid[0]};
}

static int64_t threads_of(const struct trial *t) {
    const uint64_t *block = &t->work.of[WORK_BLOCK_X];
    return (int64_t)(block[0] * block[1] * block[2]);
}

/* Does a block compute tile (row, col)? */
static bool computed(enum numbering way, const struct tiles *s, const struct trial *t, int row,
                     int col) {
    int across = s->across;
    switch (way) {
    case FEW: return (int64_t)row * across + col < s->blocks;
    case ALONG_X: return (int64_t)row * across + col < s->along_x;
    case EXCHANGED: return row < across && (int64_t)col * across + row < s->blocks;
    case ACROSS_ROUNDED_DOWN: across = t->shape.n / s->cols; break;
    case ACROSS_ONE_MORE: across = t->shape.n / s->cols + 1; break;
    case STEP_OF_THREADS: return ((int64_t)row * across + col) % threads_of(t) < s->along_x;
    case NUMBERINGS: break;
    }
    return across > 0 && col < across && (int64_t)row * across + col < s->blocks;
}

/* Is this tile as it should be then: right all over, or never computed? */
static bool tile_is(const struct tiles *s, const struct trial *t, int row, int col, bool done) {
    const int n = t->shape.n, end = (row + 1) * s->rows, side = (col + 1) * s->cols;
    for (int i = row * s->rows; i < end && i < t->shape.m; i++)
        for (int j = col * s->cols; j < side && j < n; j++) {
            const size_t at = (size_t)i * (size_t)n + (size_t)j;
            if (done ? !trial_right(t, at) : !trial_untouched(t, at))
                return false;
        }
    return true;
}

/* A right product came from fewer blocks than it has tiles: they go on from tile to tile. */
static bool go_on(int rows, int cols, const struct trials *all) {
    for (int i = 0; i < all->count; i++) {
        const struct trial *t = all->trial[i];
        const struct tiles s = tiles_of(t, rows, cols);
        if (t->verdict == VERDICT_PASS && s.blocks > 0 && s.blocks < (int64_t)s.down * s.across)
            return true;
    }
    return false;
}

static bool explains_trial(enum numbering way, int rows, int cols, const struct trial *t,
                           bool going_on, bool *missing) {
    struct tiles s = tiles_of(t, rows, cols);
    if (going_on)
        s.blocks = (int64_t)s.down * s.across;
    if (threads_of(t) >= (int64_t)rows * cols)
        return false; /* a thread an element: other rules */
    if (way != ALONG_X && s.blocks != s.along_x && !going_on)
        return false; /* they have two numbers */
    for (int row = 0; row < s.down; row++)
        for (int col = 0; col < s.across; col++) {
            const bool done = computed(way, &s, t, row, col);
            *missing = *missing || !done;
            if (t->verdict == VERDICT_PASS ? !done : !tile_is(&s, t, row, col, done))
                return false;
        }
    return true;
}

/* A thread stores several elements, in one product at least. Where each has one, other rules look
 * at the grid. */
static bool stores_several(const struct trials *all) {
    for (int i = 0; i < all->count; i++) {
        const uint64_t *of = all->trial[i]->work.of, *grid = &of[WORK_GRID_X];
        const uint64_t threads = grid[0] * grid[1] * grid[2] * (uint64_t)threads_of(all->trial[i]);
        if (of[WORK_GLOBAL_STORE_BYTES] / sizeof(float) > threads)
            return true;
    }
    return false;
}

/* Every product that came back, and one of them lacks a tile. */
static bool explains(enum numbering way, int rows, int cols, const struct trials *all,
                     const struct trial **shown) {
    const bool going_on = go_on(rows, cols, all);
    *shown = NULL;
    for (int i = 0; i < all->count; i++) {
        const struct trial *t = all->trial[i];
        bool missing = false;
        if (!t->counted || t->work.of[WORK_GRID_X] == 0 || t->work.of[WORK_LAUNCHES] != 1)
            continue;
        if ((!t->got && t->verdict != VERDICT_PASS) ||
            !explains_trial(way, rows, cols, t, going_on, &missing))
            return false;
        if (missing && (!*shown || trial_elements(t) < trial_elements(*shown)))
            *shown = t;
    }
    return *shown != NULL;
}

/* ---- Bands: numbers go down the columns of `height` rows of tiles, then of the next ones ---- */

/* Is tile (row, col) reached if the last band, which may be lower, is taken for a whole one? `but`:
 * not if it is the only one. */
static bool in_band(const struct tiles *s, int height, bool but, int row, int col) {
    const int64_t band = row / height, own = but && s->down < height ? s->down : height;
    return band * height * s->across + col * own + row % height < s->blocks;
}

/* With tiles of some usual sides, of which the launch has a block for each. Other shapes may have
 * other tiles. */
static bool band_explains(const struct trial *t, int height, bool but, const int *sides, int count,
                          struct tiles *found, bool *missing) {
    for (int i = 0; i < count * count; i++) {
        struct tiles s = tiles_of(t, sides[i / count], sides[i % count]);
        bool fits = s.blocks == (int64_t)s.down * s.across && s.blocks == s.along_x, lacks = false;
        for (int row = 0; row < s.down && fits; row++)
            for (int col = 0; col < s.across && fits; col++) {
                const bool done = in_band(&s, height, but, row, col);
                lacks = lacks || !done;
                fits = t->verdict == VERDICT_PASS ? done : tile_is(&s, t, row, col, done);
            }
        if (!fits || lacks != (t->verdict != VERDICT_PASS))
            continue;
        *found = s;
        *missing = lacks;
        return true;
    }
    return false;
}

/* Do bands of this height explain all calls? The smallest that lacks tiles, and its tiles. */
static const struct trial *bands_explain(const struct trials *all, int height, bool but,
                                         const int *sides, int count, struct tiles *of) {
    enum { ENOUGH = 3 };
    const struct trial *shown = NULL;
    int looked = 0;
    for (int k = 0; k < all->count; k++) {
        const struct trial *t = all->trial[k];
        struct tiles s;
        bool missing = false;
        if (!t->counted || t->work.of[WORK_LAUNCHES] != 1)
            continue;
        if (!(t->got || t->verdict == VERDICT_PASS) ||
            !band_explains(t, height, but, sides, count, &s, &missing))
            return NULL;
        looked++;
        if (missing && (!shown || trial_elements(t) < trial_elements(shown)))
            shown = t, *of = s;
    }
    return looked < ENOUGH ? NULL : shown;
}

static bool bands(const struct trials *all, const int *sides, int count, struct diagnosis *d) {
    enum { LEAST = 2, MOST = 16 };
    const struct trial *shown = NULL;
    struct tiles of = {0};
    int height = 0, heights = 0;
    for (int h = MOST; h >= LEAST; h--) {
        struct tiles s;
        const struct trial *t = bands_explain(all, h, true, sides, count, &s);
        t = t ? t : bands_explain(all, h, false, sides, count, &s);
        heights += t != NULL;
        if (t && !shown)
            shown = t, of = s, height = h;
    }
    if (!shown)
        return false;
    d->class = "index-wrong";
    d->topic = "@place";
    if (heights == 1)
        text_addf(&d->sentence,
                  "Part of C is never computed: tiles are numbered in bands of %d rows of tiles, "
                  "and the last band is lower, but its blocks' numbers are taken apart as if it "
                  "were not. With m = %d C is %d tile%s high, so the last band has %d. Divide by "
                  "its own height, the rows of tiles that are left, at most %d.",
                  height, shown->shape.m, of.down, of.down == 1 ? "" : "s", of.down % height,
                  height);
    else
        text_addf(&d->sentence,
                  "Part of C is never computed: tiles are numbered in bands of several rows of "
                  "tiles, and with m = %d C is only %d tile%s high, so the last band is lower, but "
                  "its blocks' numbers are taken apart as if it were not. Divide by its own "
                  "height: the rows of tiles that are left, at most a band's.",
                  shown->shape.m, of.down, of.down == 1 ? "" : "s");
    text_addf(&d->evidence,
              "with m = %d, n = %d C has %d x %d tiles of %d x %d; each is right or was never "
              "computed, just as such numbers tell",
              shown->shape.m, shown->shape.n, of.down, of.across, of.rows, of.cols);
    return true;
}

static void say(enum numbering way, const struct tiles *s, struct diagnosis *d) {
    struct text *t = &d->sentence;
    d->class = way == FEW || way == ALONG_X ? "grid-too-small" : "index-wrong";
    d->topic = way == FEW || way == ALONG_X ? "@launch" : "@place";
    switch (way) {
    case FEW:
        text_addf(t,
                  "Part of C is never computed: the launch has too few blocks. It needs one for "
                  "each tile of %d x %d: the tiles one below another times those side by side, "
                  "both rounded up.",
                  s->rows, s->cols);
        return;
    case ALONG_X:
        text_add(t, "Part of C is never computed: the launch has blocks along x and y, but the "
                    "kernel uses only blockIdx.x as a block's number. Launch all blocks in one "
                    "row, or use blockIdx.y as well.");
        return;
    case EXCHANGED:
        text_addf(t,
                  "Blocks compute the wrong tiles, and part of C is never computed. Where across "
                  "tiles lie side by side, block number b computes tile b %% across of row b / "
                  "across: either / and %% are exchanged there, or across is computed from m, and "
                  "not from n, (n - 1) / %d + 1.",
                  s->cols);
        return;
    case ACROSS_ONE_MORE:
        text_addf(t,
                  "Blocks compute the wrong tiles, and part of C is never computed where n is a "
                  "multiple of %d: the kernel counts n / %d + 1 tiles side by side, one too many "
                  "there. Round up with (n - 1) / %d + 1, in the kernel as where it is launched.",
                  s->cols, s->cols, s->cols);
        return;
    case STEP_OF_THREADS:
        text_add(t, "Part of C is never computed: there are more tiles than blocks, and each block "
                    "goes on to its next tile by the number of threads in a block. Blocks take "
                    "turns, so the step is the number of blocks, gridDim.x, and not blockDim.x.");
        return;
    default:
        text_addf(t,
                  "Blocks compute the wrong tiles, and part of C is never computed: round up the "
                  "number of tiles side by side, (n - 1) / %d + 1.",
                  s->cols);
    }
}

bool suspect_blocks(const struct trials *all, const struct suspect_context *c,
                    struct diagnosis *d) {
    static const int sides[] = {128, 64, 32, 256, 16};
    enum { SIDES = sizeof sides / sizeof *sides };
    if (c->entry != ENTRY_DEVICE || !stores_several(all))
        return false;
    for (int i = 0; i < SIDES * SIDES * NUMBERINGS; i++) {
        const enum numbering way = (enum numbering)(i / (SIDES * SIDES));
        const int rows = sides[i / SIDES % SIDES], cols = sides[i % SIDES];
        const struct trial *shown;
        if (!explains(way, rows, cols, all, &shown))
            continue;
        const struct tiles s = tiles_of(shown, rows, cols);
        say(way, &s, d);
        text_addf(&d->evidence,
                  "with m = %d, n = %d C has %d x %d tiles of %d x %d, and the launch %lld blocks; "
                  "each tile is right or was never computed, just as such numbers tell",
                  shown->shape.m, shown->shape.n, s.down, s.across, rows, cols,
                  (long long)s.blocks);
        return true;
    }
    return bands(all, sides, SIDES, d);
}
