/* tile_program.c: see tile_program.h. */
#include "grading/src/diagnose/tile_program.h"

const struct tile_program tile_program_right = {
    .row_block = BLOCK_Y,
    .row = Y,
    .col_block = BLOCK_X,
    .col = X,
    .a = {.block = BLOCK_Y, .row = Y, .col = X, .use_row = Y, .use_col = TERM},
    .b = {.block = BLOCK_X, .row = Y, .col = X, .use_row = TERM, .use_col = X},
};

struct thread {
    int at[SLOTS];
};

void tile_way_move(enum tile_way way, int q, int tile, int *along, int *beside) {
    switch (way) {
    case WAY_OTHER_ROWS: /* the rest is a matter of where a row begins */
    case WAY_RIGHT: *along += q * tile; break;
    case WAY_BY_ONE: *along += q; break;
    case WAY_TWICE: *along += 2 * q * tile; break;
    case WAY_ASTRAY: *beside += q * tile; break;
    case WAY_ASTRAY_BY_ONE: *beside += q; break;
    case WAY_LATE: *along += (q > 0 ? q - 1 : 0) * tile; break;
    case WAY_EARLY: *along += (q + 1) * tile; break;
    case WAY_FIRST:
    case WAYS: break;
    }
}

/* The factor that thread `me` multiplies in phase q. False: nobody knows it. */
static bool factor(const struct tile_program *w, const struct trial *t, bool second,
                   const struct thread *me, int q, double *to) {
    const struct tile_copy *use = second ? &w->b : &w->a;
    const bool of_b = (second && !w->only_a) || w->only_b;
    const struct tile_copy *c = of_b ? &w->b : &w->a;
    const int rows = of_b ? t->shape.k : t->shape.m, cols = of_b ? t->shape.n : t->shape.k;
    struct thread fills = *me;
    fills.at[c->flipped ? X : Y] = me->at[use->use_row];
    fills.at[c->flipped ? Y : X] = me->at[use->use_col];
    int row = fills.at[c->row], col = fills.at[c->col];
    *(of_b ? &col : &row) += fills.at[c->block] * w->tile;
    tile_way_move(c->way, q, w->tile, of_b ? &row : &col, of_b ? &col : &row);
    const int64_t longer = c->way == WAY_OTHER_ROWS ? t->shape.k - cols : 0;
    const int64_t at = (int64_t)row * cols + col + longer * q * w->tile;
    *to = 0;
    if (w->guarded && (row >= rows || col >= cols))
        return true;
    if (at < 0 || at >= (int64_t)rows * cols)
        return t->room; /* zeros lie there */
    *to = (double)(of_b ? t->b : t->a)[at];
    return true;
}

enum tile_answer tile_program_element(const struct tile_program *w, const struct trial *t,
                                      size_t at) {
    const int row = (int)(at / (size_t)t->shape.n), col = (int)(at % (size_t)t->shape.n);
    const int phases = (t->shape.k + w->tile - 1) / w->tile;
    struct thread me = {.at = {0}};
    double sum = 0, a, b;
    if (trial_untouched(t, at))
        return TILE_UNKNOWN;
    me.at[w->row_block] = row / w->tile;
    me.at[w->row] = row % w->tile;
    me.at[w->col_block] = col / w->tile;
    me.at[w->col] = col % w->tile;
    for (int q = 0; q < phases; q++)
        for (me.at[TERM] = 0; me.at[TERM] < w->tile; me.at[TERM]++) {
            if (!factor(w, t, false, &me, q, &a) || !factor(w, t, true, &me, q, &b))
                return TILE_UNKNOWN;
            sum += a * b;
        }
    return sum == (double)t->got[at] ? TILE_AGREES : TILE_DIFFERS;
}

enum { SAMPLES = 300, FIRST_LOOK = 6 };

/* Most elements can be told and none differs. A few wrong ones are looked at first: most programs
 * are no explanation of those. */
static bool agrees(const struct tile_program *w, const struct trial *t, int samples) {
    const size_t total = trial_elements(t);
    int known = 0, wrong = 0, told = 0;
    for (size_t at = 0; at < total && trial_wrong(t) && wrong < 4; at++) {
        if (trial_right(t, at))
            continue;
        wrong++;
        const enum tile_answer a = tile_program_element(w, t, at);
        if (a == TILE_DIFFERS)
            return false;
        told += a == TILE_AGREES;
    }
    if (wrong > 0 && told == 0)
        return false;
    for (int i = 0; i < samples; i++) {
        const enum tile_answer a =
            tile_program_element(w, t, (size_t)((uint64_t)(i + 1) * 2654435761u % total));
        if (a == TILE_DIFFERS)
            return false;
        known += a == TILE_AGREES;
    }
    return known >= samples / 4;
}

bool tile_program_explains(const struct tile_program *w, const struct trials *all) {
    bool any = false;
    for (int pass = 0; pass < 2; pass++) {
        for (int i = 0; i < all->count; i++) {
            const struct trial *t = all->trial[i];
            if (!trial_clean(t) || !t->exact || !t->got || trial_elements(t) == 0)
                continue;
            if (!agrees(w, t, pass ? SAMPLES : FIRST_LOOK))
                return false;
            any = any || trial_wrong(t);
        }
        if (!any)
            return false;
    }
    return true;
}
