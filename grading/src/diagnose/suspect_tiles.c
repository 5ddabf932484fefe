/*
 * suspect_tiles.c: tiled programs that differ from the right one in one index, or in two: a
 * thread's x for its y, one block's number for the other's, a tile used transposed, or that of
 * another phase (see tile_program.h). Every slip is tried, alone and then with each other one.
 *
 * A tile's side is not known: the usual ones are tried, with guards and without.
 */
#include "grading/src/diagnose/suspect.h"
#include "grading/src/diagnose/tile_program.h"

#include <string.h>

/* Which part of the program a slip changes. Two slips of one part exclude each other. */
enum part { STORE, VARIABLES, ARRAY, BLOCK, ROW, COL, FLIPPED, USE, WAY };

struct slip {
    enum part part;
    int a, b;    /* what stands there then */
    bool of_b;   /* in B's way into the sums, else in A's */
    bool on_cpu; /* a CPU's loops can have it */
    const char *class, *topic;
    const char *words; /* a $ stands for the tile's side */
};

#define ROWS_AND_COLUMNS                                                                           \
    " Rows go with y, row = blockIdx.y * TILE + threadIdx.y, and columns with x, in the loads, "   \
    "in the tiles and in the store."
#define BLOCKS_EXCHANGED                                                                           \
    "The blocks are in each other's place: the tile of block (x, y) lands where that of block "    \
    "(y, x) belongs. Rows go with blockIdx.y, columns with blockIdx.x, when loading and when "     \
    "storing."
#define COPY(matrix, what)                                                                         \
    "In the copy of " matrix "'s tile " what " Thread (x, y) copies one element: its row in the "  \
    "tile is threadIdx.y and its column threadIdx.x, in the matrix and in the shared array alike."
#define STANDS(matrix, wrong, good) COPY(matrix, wrong " stands where " good " belongs.")
/* What cannot be told from it. */
#define OR(what) " (To multiply by " what " would give the same.)"
#define LACKS(matrix, what)                                                                        \
    COPY(matrix, what " is missing: all threads along it copy the same element.")
#define ONE_ARRAY(matrix)                                                                          \
    "Both factors are read from " matrix "'s tile: both copies go into the same shared array, or " \
    "the products read one array twice. Each matrix has an array of its own."
#define TRANSPOSED(matrix)                                                                         \
    "Inside each tile of $ x $, " matrix " is used transposed: two indices have changed places, "  \
    "in the matrix that is copied from, or in the shared array, when storing into it or when "     \
    "reading."
#define FIRST_TILE(matrix)                                                                         \
    "In each phase the first tile of " matrix " is multiplied: the place that it is copied from "  \
    "must move on with the phase, and of two buffers the one that is read."
#define BY_ONE(matrix)                                                                             \
    "The tile of " matrix " moves on by one element in each phase: it must move on by a whole "    \
    "tile (phase * $)."
#define TWO_TILES(matrix)                                                                          \
    "The tile of " matrix " moves on by two tiles in each phase, so every second one is left "     \
    "out: something is added to its index twice. It must move on by $ (phase * $, or += $, "       \
    "not both)."
#define OTHER_PHASE(matrix, which)                                                                 \
    matrix "'s tile of phase q is not the one that is multiplied in phase q, but that of the "     \
           "phase " which ": what is read ahead belongs to the next phase, and what is "           \
           "multiplied must be the tile (or the buffer) that was filled for this one."
#define A_INDEX "As[threadIdx.y][e], where e is the term's number in the tile"
#define B_INDEX "Bs[e][threadIdx.x], where e is the term's number in the tile"
#define FIXED(matrix, good)                                                                        \
    "Each thread multiplies with one and the same element of " matrix "'s tile in all terms of a " \
    "phase: its index is " good "."
#define BESIDE(matrix, good)                                                                       \
    "The two indices of " matrix "'s tile are mixed up where it is multiplied. It is " good "."

/* clang-format off */
static const struct slip slips[] = {
    /* The more of a program is exchanged at once, the earlier it stands. */
    {VARIABLES, X, BLOCK_Y, false, false, "x-y-exchanged", "@place",
     "threadIdx.x and threadIdx.y are exchanged: the row comes from x and the column from y, while "
     "the tiles are used the other way round." ROWS_AND_COLUMNS},
    {VARIABLES, X, BLOCK_X, false, false, "x-y-exchanged", "@place",
     "x and y are exchanged: the row comes from blockIdx.x and threadIdx.x, the column from "
     "blockIdx.y and threadIdx.y, while the tiles are used the other way round." ROWS_AND_COLUMNS},
    {STORE, X, BLOCK_Y, false, false, "x-y-exchanged", "@store",
     "threadIdx.x and threadIdx.y are exchanged in the store: thread (x, y) has computed the "
     "element of row y and column x of its tile, and stores it into row x and column y."},
    {STORE, Y, BLOCK_X, false, true, "transposed-C", "@store", BLOCKS_EXCHANGED},
    {ARRAY, 0, 0, true, false, "both-tiles-from-one-matrix", "@loads", ONE_ARRAY("B")},
    {ARRAY, 0, 0, false, false, "both-tiles-from-one-matrix", "@loads", ONE_ARRAY("A")},
    {FLIPPED, 1, 0, false, true, "transposed-A", NULL, TRANSPOSED("A")},
    {FLIPPED, 1, 0, true, true, "transposed-B", NULL, TRANSPOSED("B")},
    {WAY, WAY_FIRST, 0, false, true, "index-wrong", NULL, FIRST_TILE("A")},
    {WAY, WAY_FIRST, 0, true, true, "index-wrong", NULL, FIRST_TILE("B")},
    {WAY, WAY_BY_ONE, 0, false, true, "index-wrong", NULL, BY_ONE("A")},
    {WAY, WAY_BY_ONE, 0, true, true, "index-wrong", NULL, BY_ONE("B")},
    {WAY, WAY_ASTRAY, 0, false, true, "index-wrong", NULL,
     "The tile of A moves down from phase to phase: it must move to the right, by a tile's "
     "columns."},
    {WAY, WAY_ASTRAY, 0, true, true, "index-wrong", NULL,
     "The tile of B moves to the right from phase to phase: it must move down, by a tile's rows, "
     "each of n elements: (phase * TILE + threadIdx.y) * n, with the parentheses."},
    {WAY, WAY_ASTRAY_BY_ONE, 0, false, true, "index-wrong", NULL,
     "The tile of A moves down by one row in each phase: it must move to the right, by a tile's "
     "columns (phase * $)."},
    {WAY, WAY_ASTRAY_BY_ONE, 0, true, true, "index-wrong", NULL,
     "The tile of B moves to the right by one element in each phase: it must move down, by a "
     "tile's rows, each of n elements: (phase * $ + threadIdx.y) * n, with the parentheses."},
    {WAY, WAY_LATE, 0, false, true, "phase-wrong", NULL, OTHER_PHASE("A", "before")},
    {WAY, WAY_LATE, 0, true, true, "phase-wrong", NULL, OTHER_PHASE("B", "before")},
    {WAY, WAY_EARLY, 0, false, true, "phase-wrong", NULL, OTHER_PHASE("A", "behind it")},
    {WAY, WAY_EARLY, 0, true, true, "phase-wrong", NULL, OTHER_PHASE("B", "behind it")},
    {WAY, WAY_TWICE, 0, false, true, "index-wrong", NULL, TWO_TILES("A")},
    {WAY, WAY_TWICE, 0, true, true, "index-wrong", NULL, TWO_TILES("B")},
    {WAY, WAY_OTHER_ROWS, 0, true, false, "stride-wrong", "@loads",
     "The tile of B moves down by $ rows of k elements in each phase, and B's rows have n: "
     "+= $ * n."},
    {ROW, X, 0, false, false, "x-y-exchanged", "@loads",
     STANDS("A", "threadIdx.x", "threadIdx.y (the row)") OR("As[e][e]")},
    {COL, Y, 0, false, false, "x-y-exchanged", "@loads",
     STANDS("A", "threadIdx.y", "threadIdx.x (the column)") OR("As[threadIdx.y][threadIdx.y]")},
    {ROW, X, 0, true, false, "x-y-exchanged", "@loads",
     STANDS("B", "threadIdx.x", "threadIdx.y (the row)") OR("Bs[threadIdx.x][threadIdx.x]")},
    {COL, Y, 0, true, false, "x-y-exchanged", "@loads",
     STANDS("B", "threadIdx.y", "threadIdx.x (the column)") OR("Bs[e][e]")},
    {BLOCK, BLOCK_X, 0, false, false, "x-y-exchanged", "@loads",
     "A's tile is taken from the rows of another block: its rows begin at blockIdx.y * TILE, but "
     "blockIdx.x is used there."},
    {BLOCK, BLOCK_Y, 0, true, false, "x-y-exchanged", "@loads",
     "B's tile is taken from the columns of another block: its columns begin at blockIdx.x * TILE, "
     "but blockIdx.y is used there."},
    {BLOCK, NONE, 0, false, false, "index-wrong", "@loads",
     "Every block copies A's first rows: the rows of its own tile begin at blockIdx.y * TILE."},
    {BLOCK, NONE, 0, true, false, "index-wrong", "@loads",
     "Every block copies B's first columns: the columns of its own tile begin at blockIdx.x * "
     "TILE."},
    {ROW, NONE, 0, false, false, "index-wrong", "@loads", LACKS("A", "threadIdx.y (the row)")},
    {COL, NONE, 0, false, false, "index-wrong", "@loads", LACKS("A", "threadIdx.x (the column)")},
    {ROW, NONE, 0, true, false, "index-wrong", "@loads", LACKS("B", "threadIdx.y (the row)")},
    {COL, NONE, 0, true, false, "index-wrong", "@loads", LACKS("B", "threadIdx.x (the column)")},
    {USE, X, TERM, false, false, "x-y-exchanged", "@loads",
     "Each thread multiplies a row of A's tile that is not its own: the row is threadIdx.y, "
     "As[threadIdx.y][e], and not threadIdx.x."},
    {USE, TERM, Y, true, false, "x-y-exchanged", "@loads",
     "Each thread multiplies a column of B's tile that is not its own: the column is threadIdx.x, "
     "Bs[e][threadIdx.x], and not threadIdx.y."},
    {USE, TERM, X, false, false, "transposed-A", "@loads", BESIDE("A", A_INDEX)},
    {USE, Y, TERM, true, false, "transposed-B", "@loads", BESIDE("B", B_INDEX)},
    {USE, Y, X, false, false, "index-wrong", "@loads", FIXED("A", A_INDEX)},
    {USE, X, Y, false, false, "index-wrong", "@loads", FIXED("A", A_INDEX)},
    {USE, X, X, false, false, "index-wrong", "@loads", FIXED("A", A_INDEX)},
    {USE, Y, X, true, false, "index-wrong", "@loads", FIXED("B", B_INDEX)},
    {USE, X, Y, true, false, "index-wrong", "@loads", FIXED("B", B_INDEX)},
    {USE, Y, Y, true, false, "index-wrong", "@loads", FIXED("B", B_INDEX)},
};
/* clang-format on */

enum { SLIPS = sizeof slips / sizeof *slips };

static void apply(const struct slip *s, struct tile_program *w) {
    struct tile_copy *c = s->of_b ? &w->b : &w->a;
    switch (s->part) {
    case VARIABLES: /* a is the row's slot, b that of its block */
        w->a.row = (enum slot)s->a, w->b.col = s->a == X ? Y : X;
        w->a.block = (enum slot)s->b, w->b.block = s->b == BLOCK_X ? BLOCK_Y : BLOCK_X;
        /* fallthrough */
    case STORE:
        w->row = (enum slot)s->a, w->col = s->a == X ? Y : X;
        w->row_block = (enum slot)s->b, w->col_block = s->b == BLOCK_X ? BLOCK_Y : BLOCK_X;
        break;
    case ARRAY: *(s->of_b ? &w->only_b : &w->only_a) = true; break;
    case BLOCK: c->block = (enum slot)s->a; break;
    case ROW: c->row = (enum slot)s->a; break;
    case COL: c->col = (enum slot)s->a; break;
    case FLIPPED: c->flipped = s->a != 0; break;
    case USE: c->use_row = (enum slot)s->a, c->use_col = (enum slot)s->b; break;
    case WAY: c->way = (enum tile_way)s->a; break;
    }
}

static bool exclude(const struct slip *a, const struct slip *b) {
    const bool places = a->part <= VARIABLES && b->part <= VARIABLES;
    return places || (a->part == b->part && a->of_b == b->of_b);
}

static void say_words(struct text *t, const char *words, int tile) {
    for (const char *p = words, *next; *p != '\0'; p = next) {
        next = p + strcspn(p, "$");
        text_addf(t, "%.*s", (int)(next - p), p);
        if (*next == '$') {
            text_addf(t, "%d", tile);
            next++;
        }
    }
}

static void say(const struct trials *all, const struct suspect_context *c, const struct slip *one,
                const struct slip *two, const struct tile_program *w, struct diagnosis *d) {
    d->class = !two || strcmp(one->class, two->class) == 0 ? one->class : "index-wrong";
    d->topic = one->topic;
    if (two && one->part == FLIPPED && two->part == FLIPPED) {
        d->class = one->class;
        say_words(&d->sentence, TRANSPOSED("each of A and B"), w->tile);
    } else if (c->entry == ENTRY_CPU && w->a.way == WAY_FIRST && w->b.way == WAY_FIRST) {
        d->class = "index-overflow";
        text_addf(&d->sentence,
                  "The loop's variable begins again after %d terms: it has too few bits, or is cut "
                  "off. Use int for sizes and size_t for indices.",
                  w->tile);
    } else {
        say_words(&d->sentence, one->words, w->tile);
        if (two) {
            text_add(&d->sentence, " ");
            say_words(&d->sentence, two->words, w->tile);
        }
    }
    const struct trial *t = suspect_best(all, true);
    if (t)
        suspect_example(&d->sentence, t, suspect_element(t, true), NULL);
    text_addf(&d->evidence,
              "all wrong products of shapes without edges are exactly what such a program with "
              "tiles of %d x %d gives",
              w->tile, w->tile);
}

/* One slip; the same kind of slip with A and with B; any two others, with both or with one. */
enum hunt { ONE_SLIP, TWO_ALIKE, TWO_APART, TWO_IN_ONE, HUNTS };

static bool in_this_hunt(enum hunt hunt, const struct slip *a, const struct slip *b, bool cpu) {
    const bool in_one = a->of_b == b->of_b && a->part > VARIABLES && b->part > VARIABLES;
    const enum hunt is = in_one                            ? TWO_IN_ONE
                         : strcmp(a->class, b->class) == 0 ? TWO_ALIKE
                                                           : TWO_APART;
    return is == hunt && !exclude(a, b) && (!cpu || b->on_cpu);
}

/* Fewer threads than elements: each computes several, and a thread's x and y are not what these
 * programs take them for. */
static bool compute_several(const struct trials *all) {
    for (int i = 0; i < all->count; i++) {
        const struct trial *t = all->trial[i];
        uint64_t threads = 1;
        for (int side = 0; side < 3; side++)
            threads *= t->work.of[WORK_GRID_X + side] * t->work.of[WORK_BLOCK_X + side];
        if (t->counted && threads > 0 && t->work.of[WORK_LAUNCHES] == 1 &&
            threads < trial_elements(t))
            return true;
    }
    return false;
}

/* What goes astray along a side that is no longer than a tile reads nothing of the matrix: that is
 * how a tile that is left out looks, too. */
static bool shows(const struct trials *all, const struct slip *slip, int tile) {
    if (slip->part != WAY || slip->a != WAY_ASTRAY)
        return true;
    for (int i = 0; i < all->count; i++) {
        const struct shape s = all->trial[i]->shape;
        if (trial_wrong(all->trial[i]) && trial_clean(all->trial[i]) &&
            (slip->of_b ? s.n : s.m) > tile)
            return true;
    }
    return false;
}

/* One slip, or each pair of slips, in programs like this one. */
static bool try_slips(const struct trials *all, const struct suspect_context *c,
                      struct tile_program right, enum hunt hunt, struct diagnosis *d) {
    const bool cpu = c->entry == ENTRY_CPU || compute_several(all);
    for (int i = 0; i < SLIPS; i++) {
        struct tile_program one = right;
        apply(&slips[i], &one);
        if ((cpu && !slips[i].on_cpu) || !shows(all, &slips[i], right.tile))
            continue;
        if (hunt == ONE_SLIP && tile_program_explains(&one, all)) {
            say(all, c, &slips[i], NULL, &one, d);
            return true;
        }
        for (int j = i + 1; j < SLIPS && hunt != ONE_SLIP; j++) {
            struct tile_program both = one;
            if (!in_this_hunt(hunt, &slips[i], &slips[j], cpu) ||
                !shows(all, &slips[j], right.tile))
                continue;
            apply(&slips[j], &both);
            if (tile_program_explains(&both, all)) {
                say(all, c, &slips[i], &slips[j], &both, d);
                return true;
            }
        }
    }
    return false;
}

bool suspect_tiles(const struct trials *all, const struct suspect_context *c, struct diagnosis *d) {
    static const int tiles[] = {16, 32, 8, 4, 64, 2};
    enum { TILES = sizeof tiles / sizeof *tiles };
    for (int i = 0; i < 2 * TILES * HUNTS; i++) {
        struct tile_program right = tile_program_right;
        right.tile = tiles[i / 2 % TILES];
        right.guarded = i % 2 == 0;
        if (try_slips(all, c, right, (enum hunt)(i / (2 * TILES)), d))
            return true;
    }
    return false;
}
