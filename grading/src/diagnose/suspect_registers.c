/*
 * suspect_registers.c: programs with a tile of C in each thread's registers that differ from the
 * right one in one index (see register_program.h). How large the tiles are is not known: all usual
 * sizes that fit the launch are tried, and both orders of a thread's elements.
 */
#include "grading/src/diagnose/register_program.h"
#include "grading/src/diagnose/suspect.h"

#include <string.h>

enum part { ROWS_STORED, COLS_STORED, BOTH_STORED, SUMS, OPERANDS, OPERAND, BLOCK, CUTTING, WAY };

struct slip {
    enum part part;
    int value, other; /* other: B's operand, where both are mixed up */
    bool of_b;
    const char *topic, *words;
};

#define ORDER(what)                                                                                \
    "The " what " of a thread's sums are stored in another order than its operands are read in: "  \
    "one of the two takes every so-many-th, like a stamp, the other takes neighbours. Use the "    \
    "same expression for both."
#define OUTER                                                                                      \
    " It is the outer product that is wanted, each of a thread's numbers of A with each of B: "    \
    "sum[i][j] += a[i] * b[j]."
#define CUT(matrix, rest)                                                                          \
    "Slab " matrix " is filled from the wrong places: the number of a copied element is taken "    \
    "apart in one way for the slab, and in another way for the matrix. " rest
#define CUT_A                                                                                      \
    CUT("A", "Its rows have SLAB_K elements: row i / SLAB_K and column i % SLAB_K in both.")
#define CUT_B                                                                                      \
    CUT("B", "Its rows have BLOCK_N elements: row i / BLOCK_N and column i % BLOCK_N in both.")
#define SLAB_FIRST(matrix)                                                                         \
    "In each phase the first slab of " matrix " is multiplied: the place that it is copied from, " \
    "or the buffer that is read, must move on with the phase."
#define SLAB_BY_ONE(matrix)                                                                        \
    "The slab of " matrix " moves on by one in each phase: it must move on by SLAB_K terms."
#define SLAB_LATE(matrix, which)                                                                   \
    matrix "'s slab of phase q is not the one that is multiplied in phase q, but that of the "     \
           "phase " which ": what is read ahead belongs to the next phase, and what is "           \
           "multiplied must be the slab (or the buffer) that was filled for this one."

/* clang-format off */
static const struct slip slips[] = {
    {ROWS_STORED, 0, 0, false, "@store", ORDER("rows")},
    {COLS_STORED, 0, 0, false, "@store", ORDER("columns")},
    {BOTH_STORED, 0, 0, false, "@store", ORDER("rows and columns")},
    {SUMS, 1, 0, false, "@sum",
     "i and j are exchanged in a thread's array of sums: sum[i][j] belongs to row i of its numbers "
     "of A and column j of those of B, where it is added to and where it is stored."},
    {OPERANDS, BY_OWN, BY_OTHER_NUMBER, false, "@sum",
     "Each sum gets a[i] * b[i], whatever j is." OUTER},
    {OPERANDS, BY_OTHER_NUMBER, BY_OWN, false, "@sum",
     "Each sum gets a[j] * b[j], whatever i is." OUTER},
    {OPERANDS, BY_OTHER_PLACE, BY_OTHER_PLACE, false, "@sum",
     "tx and ty are exchanged between the products and the store: a thread's rows of slab A follow "
     "from ty, its columns of slab B from tx, and its rows and columns of C likewise."},
    {OPERAND, BY_OTHER_PLACE, 0, false, "@sum",
     "A thread reads rows of slab A that are not its own: they follow from ty, but tx is used "
     "there."},
    {OPERAND, BY_OTHER_PLACE, 0, true, "@sum",
     "A thread reads columns of slab B that are not its own: they follow from tx, but ty is used "
     "there."},
    {OPERAND, WITHOUT_NUMBER, 0, false, "@sum",
     "All of a thread's rows get the same number of A: i is missing where slab A is read." OUTER},
    {OPERAND, WITHOUT_NUMBER, 0, true, "@sum",
     "All of a thread's columns get the same number of B: j is missing where slab B is "
     "read." OUTER},
    {OPERAND, WITHOUT_PLACE, 0, false, "@sum",
     "All threads read the same rows of slab A: ty is missing where it is read."},
    {OPERAND, WITHOUT_PLACE, 0, true, "@sum",
     "All threads read the same columns of slab B: tx is missing where it is read."},
    {OPERAND, WITHOUT_TERM, 0, false, "@sum",
     "Every term takes the same column of slab A: p is missing where it is read."},
    {OPERAND, WITHOUT_TERM, 0, true, "@sum",
     "Every term takes the same row of slab B: p is missing where it is read."},
    {BLOCK, 1, 0, false, "@loads",
     "Every block copies A's first rows into its slab: the block's first row is missing in the "
     "index of A."},
    {BLOCK, 1, 0, true, "@loads",
     "Every block copies B's first columns into its slab: the block's first column is missing in "
     "the index of B."},
    {CUTTING, OWN_EXCHANGED, 0, false, "@loads", CUT_A},
    {CUTTING, OTHER_LENGTH, 0, false, "@loads", CUT_A},
    {CUTTING, OTHER_EXCHANGED, 0, false, "@loads", CUT_A},
    {CUTTING, OWN_EXCHANGED, 0, true, "@loads", CUT_B},
    {CUTTING, OTHER_LENGTH, 0, true, "@loads", CUT_B},
    {CUTTING, OTHER_EXCHANGED, 0, true, "@loads", CUT_B},
    {CUTTING, SLAB_BY_COLUMNS, 0, false, "@loads", CUT_A},
    {CUTTING, SLAB_BY_COLUMNS, 0, true, "@loads", CUT_B},
    {WAY, WAY_FIRST, 0, false, "@loads", SLAB_FIRST("A")},
    {WAY, WAY_FIRST, 0, true, "@loads", SLAB_FIRST("B")},
    {WAY, WAY_BY_ONE, 0, false, "@loads", SLAB_BY_ONE("A")},
    {WAY, WAY_BY_ONE, 0, true, "@loads", SLAB_BY_ONE("B")},
    {WAY, WAY_LATE, 0, false, "@phases", SLAB_LATE("A", "before")},
    {WAY, WAY_LATE, 0, true, "@phases", SLAB_LATE("B", "before")},
    {WAY, WAY_EARLY, 0, false, "@phases", SLAB_LATE("A", "behind it")},
    {WAY, WAY_EARLY, 0, true, "@phases", SLAB_LATE("B", "behind it")},
};
/* clang-format on */

enum { SLIPS = sizeof slips / sizeof *slips };

static enum order other(enum order o) {
    return o == STAMP ? SIDE_BY_SIDE : STAMP;
}

static struct register_program with(struct register_program w, const struct slip *s) {
    struct register_copy *c = s->of_b ? &w.b : &w.a;
    switch (s->part) {
    case ROWS_STORED: w.rows_stored = other(w.rows); break;
    case COLS_STORED: w.cols_stored = other(w.cols); break;
    case BOTH_STORED: w.rows_stored = other(w.rows), w.cols_stored = other(w.cols); break;
    case SUMS: w.sums_exchanged = true; break;
    case OPERANDS:
        w.a.operand = (enum operand)s->value;
        w.b.operand = (enum operand)s->other;
        break;
    case OPERAND: c->operand = (enum operand)s->value; break;
    case BLOCK: c->no_block = true; break;
    case CUTTING: c->cutting = (enum cutting)s->value; break;
    case WAY: c->way = (enum tile_way)s->value; break;
    }
    return w;
}

static const char *class_of(const struct slip *s) {
    return s->part == WAY && s->value >= WAY_LATE ? "phase-wrong" : "index-wrong";
}

static void say(const struct trials *all, const struct slip *s, const struct slip *also,
                const struct register_program *w, struct diagnosis *d) {
    d->class = class_of(s);
    d->topic = s->topic;
    text_add(&d->sentence, s->words);
    if (also)
        text_addf(&d->sentence, " %s", also->words);
    const struct trial *t = suspect_best(all, true);
    if (t)
        suspect_example(&d->sentence, t, suspect_element(t, true), NULL);
    text_addf(&d->evidence,
              "all wrong products of shapes without edges are exactly what such a program gives "
              "whose blocks compute %d x %d elements, its threads %d x %d, %d terms a phase",
              w->bm, w->bn, w->tm, w->tn, w->bk);
}

/* One slip; or the same one with A and with B, as of what both do in one line. */
static bool try_slips(const struct trials *all, const struct register_program *right,
                      struct diagnosis *d) {
    for (int i = 0; i < SLIPS; i++) {
        const struct register_program one = with(*right, &slips[i]);
        const bool pair = i + 1 < SLIPS && slips[i + 1].part == slips[i].part &&
                          slips[i + 1].value == slips[i].value && !slips[i].of_b &&
                          slips[i + 1].of_b;
        if (register_program_explains(&one, all)) {
            say(all, &slips[i], NULL, &one, d);
            return true;
        }
        const struct register_program both = pair ? with(one, &slips[i + 1]) : one;
        if (pair && register_program_explains(&both, all)) {
            say(all, &slips[i], &slips[i + 1], &both, d);
            return true;
        }
    }
    return false;
}

bool suspect_registers(const struct trials *all, const struct suspect_context *c,
                       struct diagnosis *d) {
    static const int blocks[] = {128, 64, 32, 256, 16}, slabs[] = {8, 16, 32, 4},
                     tiles[] = {8, 4, 2, 16, 1};
    if (c->entry != ENTRY_DEVICE)
        return false;
    for (int i = 0; i < 5 * 5 * 5 * 5; i++) {
        struct register_program w = {.bm = blocks[i % 5],
                                     .bn = blocks[i / 5 % 5],
                                     .tm = tiles[i / 25 % 5],
                                     .tn = tiles[i / 125]};
        if (w.tm * w.tn == 1 || w.tm > w.bm || w.tn > w.bn || !register_program_fits(&w, all))
            continue;
        for (int k = 0; k < 16; k++) {
            w.bk = slabs[k / 4];
            w.rows = w.rows_stored = k % 2 ? SIDE_BY_SIDE : STAMP;
            w.cols = w.cols_stored = k / 2 % 2 ? SIDE_BY_SIDE : STAMP;
            if (try_slips(all, &w, d))
                return true;
        }
    }
    return false;
}
