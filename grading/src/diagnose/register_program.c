/* register_program.c: see register_program.h. */
#include "grading/src/diagnose/register_program.h"

/* The place of a thread and the number of its element that lie at `at`; and back. */
static void take_apart(enum order o, int at, int places, int numbers, int *place, int *number) {
    *place = o == STAMP ? at % places : at / numbers;
    *number = o == STAMP ? at / places : at % numbers;
}

static int put_together(enum order o, int place, int number, int places, int numbers) {
    return o == STAMP ? place + number * places : place * numbers + number;
}

struct thread {
    int ty, tx, i, j;
};

/* The row of slab A, or the column of slab B, that is read. */
static int read_at(const struct register_program *w, const struct thread *me, bool of_b) {
    const enum operand by = of_b ? w->b.operand : w->a.operand;
    const int numbers = of_b ? w->tn : w->tm, places = (of_b ? w->bn : w->bm) / numbers;
    int place = of_b ? me->tx : me->ty, number = of_b ? me->j : me->i;
    if (by == BY_OTHER_PLACE)
        place = (of_b ? me->ty : me->tx) % places;
    if (by == BY_OTHER_NUMBER)
        number = (of_b ? me->i : me->j) % numbers;
    if (by == WITHOUT_NUMBER)
        number = 0;
    if (by == WITHOUT_PLACE)
        place = 0;
    return put_together(of_b ? w->cols : w->rows, place, number, places, numbers);
}

/* The element that slab A, or B, holds in phase q at term e and row, or column, `across`. */
static double held(const struct register_program *w, const struct trial *t, bool of_b, int block,
                   int across, int e, int q) {
    const struct register_copy *c = of_b ? &w->b : &w->a;
    const int rows = of_b ? t->shape.k : t->shape.m, cols = of_b ? t->shape.n : t->shape.k;
    const int side = of_b ? w->bn : w->bm, length = of_b ? side : w->bk;
    const bool along = of_b == (c->cutting == SLAB_BY_COLUMNS); /* the sum's terms are neighbours */
    const int at = along ? across * w->bk + e : e * side + across;
    const bool other = c->cutting == OTHER_LENGTH || c->cutting == OTHER_EXCHANGED;
    const int by = other ? (of_b ? w->bk : w->bm) : length;
    const bool exchanged = c->cutting == OWN_EXCHANGED || c->cutting == OTHER_EXCHANGED;
    int row = exchanged ? at % by : at / by, col = exchanged ? at / by : at % by;
    int *beside = of_b ? &col : &row;
    *beside += c->no_block ? 0 : block * side;
    tile_way_move(c->way, q, w->bk, of_b ? &row : &col, beside);
    if (row >= rows || col >= cols)
        return 0;
    return (double)(of_b ? t->b : t->a)[(size_t)row * (size_t)cols + (size_t)col];
}

static enum tile_answer element(const struct register_program *w, const struct trial *t,
                                size_t at) {
    const int row = (int)(at / (size_t)t->shape.n), col = (int)(at % (size_t)t->shape.n);
    const int phases = (t->shape.k + w->bk - 1) / w->bk;
    struct thread me;
    if (trial_untouched(t, at))
        return TILE_UNKNOWN;
    take_apart(w->rows_stored, row % w->bm, w->bm / w->tm, w->tm, &me.ty, &me.i);
    take_apart(w->cols_stored, col % w->bn, w->bn / w->tn, w->tn, &me.tx, &me.j);
    if (w->sums_exchanged) {
        const int i = me.i;
        me.i = me.j;
        me.j = i;
    }
    const int ra = read_at(w, &me, false), cb = read_at(w, &me, true);
    double sum = 0;
    for (int q = 0; q < phases; q++)
        for (int e = 0; e < w->bk; e++)
            sum +=
                held(w, t, false, row / w->bm, ra, e, q) * held(w, t, true, col / w->bn, cb, e, q);
    return sum == (double)t->got[at] ? TILE_AGREES : TILE_DIFFERS;
}

static uint64_t up(int x, int side) {
    return (uint64_t)((x + side - 1) / side);
}

/* A block for each tile of C, or, of very many, some that go on from tile to tile. */
bool register_program_fits(const struct register_program *w, const struct trials *all) {
    enum { MANY = 100 };
    const uint64_t threads = (uint64_t)(w->bm / w->tm) * (uint64_t)(w->bn / w->tn);
    bool any = false;
    for (int i = 0; i < all->count; i++) {
        const struct trial *t = all->trial[i];
        const uint64_t *of = t->work.of, *grid = &of[WORK_GRID_X], *block = &of[WORK_BLOCK_X];
        if (!t->counted || !t->got || of[WORK_LAUNCHES] != 1)
            continue;
        const uint64_t blocks = grid[0] * grid[1] * grid[2],
                       tiles = up(t->shape.m, w->bm) * up(t->shape.n, w->bn);
        if (block[0] * block[1] * block[2] != threads ||
            (blocks != tiles && !(blocks < tiles && tiles > MANY)))
            return false;
        any = true;
    }
    return any;
}

enum { SAMPLES = 150, FIRST_LOOK = 6 };

static bool agrees(const struct register_program *w, const struct trial *t, int samples) {
    const size_t total = trial_elements(t);
    int known = 0, wrong = 0;
    for (size_t at = 0; at < total && trial_wrong(t) && wrong < 4; at++) {
        if (trial_right(t, at))
            continue;
        wrong++;
        if (element(w, t, at) != TILE_AGREES)
            return false;
    }
    for (int i = 0; total > 0 && i < samples; i++) {
        const enum tile_answer a = element(w, t, (size_t)((uint64_t)(i + 1) * 2654435761u % total));
        if (a == TILE_DIFFERS)
            return false;
        known += a == TILE_AGREES;
    }
    return known >= samples / 4;
}

bool register_program_explains(const struct register_program *w, const struct trials *all) {
    bool any = false;
    for (int pass = 0; pass < 4; pass++) { /* those that are wrong first */
        for (int i = 0; i < all->count; i++) {
            const struct trial *t = all->trial[i];
            if (!trial_clean(t) || !t->exact || !t->got || trial_wrong(t) != (pass % 2 == 0))
                continue;
            if (!agrees(w, t, pass >= 2 ? SAMPLES : FIRST_LOOK))
                return false;
            any = any || trial_wrong(t);
        }
        if (!any)
            return false;
    }
    return true;
}
