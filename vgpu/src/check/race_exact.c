/*
 * race_exact.c: units whose history needs more than two accesses remembered, and the clocks for
 * kernels that order only some threads of a block (bar.sync with a count, __syncwarp with a mask).
 *
 * Clocks. clocks[b * threads + a] > stamp says: what thread a did at `stamp` is ordered before what
 * thread b does now. When threads meet, each learns what any of them knew, and all of them did:
 *
 *      before       a  b  c            threads 0 and 1 meet at time 7
 *      0 knows      .  3  5            0 and 1 know     8  8  5
 *      1 knows      2  .  4            2 knows as before
 *
 * At an mbarrier those who arrive leave what they know with the phase (a race_signal), and those
 * who find the phase complete take it from there.
 *
 * A barrier of all threads needs no clocks: it raises the floor. So does a phase that all threads
 * of the block have found complete, up to what the least known of them did before. Without clocks
 * (nothing partial in the kernel) the floors of the block and of the warps say everything.
 */
#include "vgpu/src/check/race.h"
#include "vgpu/src/core/optable.h"

#include <stdlib.h>
#include <string.h>

/* ---- clocks ---- */

/* The row holds all-ones in every lane: __syncwarp() without a mask. */
static bool is_full_mask(const program *p, uint32_t row) {
    for (int i = 0; i < p->num_inits; i++)
        if (p->inits[i].row == row)
            return p->inits[i].kind == INIT_BITS && (uint32_t)p->inits[i].payload == VG_ALL_LANES;
    return false;
}

bool race_exact_needed(const launch *l) {
    const op_fn sync = vg_find_op("bar.sync")->fn, red = vg_find_op("bar.red")->fn;
    const op_fn arrive = vg_find_op("bar.arrive")->fn, warp_sync = vg_find_op("bar.warp")->fn;
    const op_fn mbarrier = vg_find_op("mbarrier.test")->fn;
    const program *p = l->program;
    for (int i = 0; i < p->num_ops; i++) {
        const op *o = &p->ops[i];
        if (o->fn == arrive || o->fn == mbarrier || o->plain == mbarrier ||
            ((o->fn == sync || o->fn == red) && o->b != 0) ||
            (o->fn == warp_sync && !is_full_mask(p, o->a)))
            return true;
    }
    return false;
}

bool race_exact_begin(race_worker *rw, const launch *l) {
    race_exact_free(rw);
    rw->threads = (uint32_t)(l->block.x * l->block.y * l->block.z);
    rw->clocks = calloc((size_t)rw->threads * rw->threads, sizeof *rw->clocks);
    rw->arrived = calloc((size_t)VG_MAX_BARRIERS * rw->threads, sizeof *rw->arrived);
    memset(rw->pending, 0, sizeof rw->pending);
    memset(rw->clocks_least, 0, sizeof rw->clocks_least);
    memset(rw->clocks_most, 0, sizeof rw->clocks_most);
    rw->num_signals = 0;
    if (rw->arrived == NULL) {
        free(rw->clocks);
        rw->clocks = NULL;
    }
    return rw->clocks != NULL;
}

void race_exact_free(race_worker *rw) {
    free(rw->clocks);
    free(rw->arrived);
    for (uint32_t i = 0; i < rw->room_for_signals; i++)
        free(rw->signals[i].known);
    free(rw->signals);
    rw->clocks = rw->arrived = NULL;
    rw->signals = NULL;
    rw->num_signals = rw->room_for_signals = 0;
}

void race_lists_free(race_worker *rw) {
    for (uint32_t i = 0; i < rw->lists.num_chunks * POOL_CHUNK; i++)
        free(((exact *)pool_at(&rw->lists, i))->items);
    pool_free(&rw->lists);
}

static bool takes_part(const uint32_t lanes[VG_MAX_WARPS], uint32_t thread) {
    return (lanes[thread / VG_LANES] >> (thread % VG_LANES) & 1) != 0;
}

/* Adds to `joined` what these threads know, and what they did themselves. */
static void join_knowledge(const race_worker *rw, const uint32_t lanes[VG_MAX_WARPS],
                           uint32_t *joined) {
    const uint32_t n = rw->threads;
    for (uint32_t b = 0; b < n; b++) {
        if (takes_part(lanes, b)) {
            const uint32_t *row = rw->clocks + (size_t)b * n;
            for (uint32_t a = 0; a < n; a++)
                joined[a] = joined[a] > row[a] ? joined[a] : row[a];
        }
    }
    for (uint32_t a = 0; a < n; a++)
        joined[a] = takes_part(lanes, a) ? rw->now + 1 : joined[a];
}

void race_exact_arrive(race_worker *rw, const uint32_t lanes[VG_MAX_WARPS], int id) {
    uint32_t *arrived = rw->arrived + (size_t)id * rw->threads;
    if (!rw->pending[id]) {
        memset(arrived, 0, rw->threads * sizeof *arrived);
        rw->pending[id] = true;
    }
    join_knowledge(rw, lanes, arrived);
    rw->now++;
}

void race_exact_meet(race_worker *rw, const uint32_t lanes[VG_MAX_WARPS], int id) {
    uint32_t joined[VG_MAX_WARPS * VG_LANES];
    const uint32_t n = rw->threads;
    memset(joined, 0, n * sizeof *joined);
    if (id >= 0 && rw->pending[id]) {
        memcpy(joined, rw->arrived + (size_t)id * n, n * sizeof *joined);
        rw->pending[id] = false;
    }
    join_knowledge(rw, lanes, joined);
    for (uint32_t b = 0; b < n; b++)
        if (takes_part(lanes, b))
            memcpy(rw->clocks + (size_t)b * n, joined, n * sizeof *joined);
    for (uint32_t w = 0; w * VG_LANES < n; w++)
        for (uint32_t a = 0; lanes[w] != 0 && a * VG_LANES < n; a++)
            rw->clocks_most[w][a] = rw->now + 1;
    rw->now++;
}

/* ---- mbarriers ---- */

static race_signal *signal_of(const race_worker *rw, uint64_t key) {
    for (uint32_t i = 0; i < rw->num_signals; i++)
        if (rw->signals[i].key == key)
            return &rw->signals[i];
    return NULL;
}

static race_signal *new_signal(race_worker *rw, uint64_t key) {
    if (rw->num_signals == rw->room_for_signals) {
        const uint32_t room = rw->room_for_signals == 0 ? 8 : 2 * rw->room_for_signals;
        race_signal *more = realloc(rw->signals, room * sizeof *more);
        if (more == NULL)
            return NULL;
        memset(more + rw->room_for_signals, 0, (room - rw->room_for_signals) * sizeof *more);
        rw->signals = more;
        rw->room_for_signals = room;
    }
    race_signal *s = &rw->signals[rw->num_signals];
    s->known = s->known != NULL ? s->known : malloc(rw->threads * sizeof *s->known);
    if (s->known == NULL)
        return NULL;
    memset(s->known, 0, rw->threads * sizeof *s->known);
    s->key = key;
    rw->num_signals++;
    return s;
}

void race_exact_signal(race_worker *rw, const uint32_t lanes[VG_MAX_WARPS], uint64_t key,
                       bool first) {
    race_signal *s = signal_of(rw, key);
    if (s != NULL && first)
        memset(s->known, 0, rw->threads * sizeof *s->known);
    s = s != NULL ? s : new_signal(rw, key);
    if (s == NULL) {
        rw->out_of_memory = true;
        return;
    }
    join_knowledge(rw, lanes, s->known);
    memset(s->taken, 0, sizeof s->taken);
    rw->now++;
}

static uint32_t all_lanes(const race_worker *rw, uint32_t warp) {
    const uint32_t left = rw->threads - warp * VG_LANES;
    return left >= VG_LANES ? VG_ALL_LANES : (1u << left) - 1;
}

static void summarise(const race_worker *rw, race_signal *s) {
    for (uint32_t a = 0; a < rw->threads; a++) {
        uint32_t *least = &s->least[a / VG_LANES], *most = &s->most[a / VG_LANES];
        const bool first = a % VG_LANES == 0;
        *least = first || s->known[a] < *least ? s->known[a] : *least;
        *most = first || s->known[a] > *most ? s->known[a] : *most;
    }
}

/* A warp whose lanes have all taken the signal knows that much. Where all warps have, the floor
 * rises: one less, since an access may be taken for as early as the floor; it, too, is then in
 * every clock. */
static void note_taken(race_worker *rw, race_signal *s, const uint32_t lanes[VG_MAX_WARPS]) {
    const uint32_t warps = (rw->threads + VG_LANES - 1) / VG_LANES;
    bool fresh = true, all = true;
    for (uint32_t w = 0; w < warps; w++)
        fresh = fresh && s->taken[w] == 0;
    if (fresh)
        summarise(rw, s);
    uint32_t least = UINT32_MAX;
    for (uint32_t w = 0; w < warps; w++) {
        s->taken[w] |= lanes[w];
        const bool whole = s->taken[w] == all_lanes(rw, w);
        for (uint32_t a = 0; lanes[w] != 0 && a < warps; a++) {
            uint32_t *least_of = &rw->clocks_least[w][a], *most_of = &rw->clocks_most[w][a];
            *least_of = whole && s->least[a] > *least_of ? s->least[a] : *least_of;
            *most_of = s->most[a] > *most_of ? s->most[a] : *most_of;
        }
        all = all && whole;
        least = s->least[w] < least ? s->least[w] : least;
    }
    if (all && least > 0 && rw->floor < least - 1)
        rw->floor = least - 1;
}

void race_exact_acquire(race_worker *rw, const uint32_t lanes[VG_MAX_WARPS], uint64_t key) {
    race_signal *s = signal_of(rw, key);
    const uint32_t n = rw->threads;
    if (s == NULL)
        return;
    for (uint32_t b = 0; b < n; b++) {
        if (takes_part(lanes, b)) {
            uint32_t *row = rw->clocks + (size_t)b * n;
            for (uint32_t a = 0; a < n; a++)
                row[a] = row[a] > s->known[a] ? row[a] : s->known[a];
        }
    }
    note_taken(rw, s, lanes);
}

/* What thread a did at stamp is ordered before what thread b does now. */
static bool ordered(const race_worker *rw, uint32_t a, uint32_t stamp, uint32_t b) {
    if (a == b || stamp < rw->floor)
        return true;
    if (rw->clocks != NULL)
        return rw->clocks[(size_t)b * rw->threads + a] > stamp;
    return a / VG_LANES == b / VG_LANES && stamp < rw->warp_floor[b / VG_LANES];
}

/* ---- lists ---- */

static exact_item *new_item(race_worker *rw, exact *e) {
    if (e->count == e->room) {
        const uint32_t room = e->room == 0 ? 4 : 2 * e->room;
        exact_item *items = realloc(e->items, room * sizeof *items);
        if (items == NULL) {
            rw->out_of_memory = true;
            return NULL;
        }
        e->items = items;
        e->room = room;
    }
    return &e->items[e->count++];
}

static void append(race_worker *rw, exact *e, uint32_t who, uint32_t lanes, uint32_t stamp) {
    const enum race_class class = who_class(who);
    if (e->first[class] == 0)
        e->first[class] = who | (uint32_t)__builtin_ctz(lanes);
    e->last[class] = stamp;
    if (e->count > 0) {
        exact_item *last = &e->items[e->count - 1];
        if (last->who == who && last->stamp == stamp) {
            last->lanes |= lanes;
            return;
        }
    }
    exact_item *item = new_item(rw, e);
    if (item != NULL)
        *item = (exact_item){.lanes = lanes, .stamp = stamp, .who = who};
}

static void append_one(race_worker *rw, exact *e, uint32_t who, uint32_t stamp) {
    if (who != 0)
        append(rw, e, who & ~31u, 1u << (who & 31), stamp);
}

void race_exact_list(race_worker *rw, const units *u, uint32_t i, bool history) {
    const uint32_t n = pool_take(&rw->lists);
    if (n == UINT32_MAX) {
        rw->out_of_memory = true;
        return;
    }
    exact *e = pool_at(&rw->lists, n);
    e->count = 0;
    memset(e->first, 0, sizeof e->first);
    memset(e->last, 0, sizeof e->last);
    append_one(rw, e, u->w[i], u->ws[i]);
    /* Of readers of two warps, rs is the second one's stamp. The first was no earlier than the
     * floor; taken as that early, it can race only with other warps, and its own warp with the
     * second. */
    const bool two_warps =
        u->r2[i] != 0 && who_warp(u->r1[i]) != who_warp(u->r2[i]) && u->rs[i] >= rw->floor;
    append_one(rw, e, u->r1[i], two_warps ? rw->floor : u->rs[i]);
    append_one(rw, e, u->r2[i], u->rs[i]);
    u->w[i] = WHO_LISTED;
    u->ws[i] = UINT32_MAX; /* race_runs.c keeps off */
    u->r1[i] = n;
    u->r2[i] = history ? UINT32_MAX : rw->now; /* last touched */
    u->rs[i] = 0;
}

uint32_t race_exact_copy(race_worker *rw, uint32_t from) {
    const uint32_t n = pool_take(&rw->lists);
    if (n == UINT32_MAX) {
        rw->out_of_memory = true;
        return from;
    }
    exact *e = pool_at(&rw->lists, n);
    const exact *old = pool_at(&rw->lists, from);
    e->count = 0;
    memcpy(e->first, old->first, sizeof e->first);
    memcpy(e->last, old->last, sizeof e->last);
    for (uint32_t k = 0; k < old->count; k++) {
        exact_item *item = new_item(rw, e);
        if (item != NULL)
            *item = old->items[k];
    }
    return n;
}

static bool conflicts(enum race_class a, enum race_class b) {
    return a == RACE_WRITE || b == RACE_WRITE || a != b;
}

/* Notes the first pair of lanes that races, if any does. True: one did. */
static bool check_item(race_scene *s, const exact_item *item, uint32_t lanes, uint32_t unit,
                       bool same_value) {
    const race_worker *rw = s->rw;
    const uint32_t warp1 = who_warp(item->who);
    if (rw->clocks != NULL && item->stamp < rw->clocks_least[s->warp][warp1])
        return false;
    for (uint32_t m = item->lanes; m != 0; m &= m - 1) {
        const uint32_t a = (uint32_t)__builtin_ctz(m);
        for (uint32_t k = lanes; k != 0; k &= k - 1) {
            const uint32_t b = (uint32_t)__builtin_ctz(k);
            if (!ordered(rw, warp1 * VG_LANES + a, item->stamp, s->warp * VG_LANES + b)) {
                race_note(s, item->who | a, s->who | b, unit, same_value);
                return true;
            }
        }
    }
    return false;
}

/* The item's lanes that the new access (by `lanes`) does not stand in for: those ordered before
 * none. */
static uint32_t still_needed(const race_scene *s, const exact_item *item, uint32_t lanes) {
    const race_worker *rw = s->rw;
    const uint32_t warp1 = who_warp(item->who);
    uint32_t kept = 0;
    if (rw->clocks != NULL &&
        item->stamp >= rw->clocks_most[s->warp][warp1]) /* nobody here has heard of it */
        return warp1 == s->warp ? item->lanes & ~lanes : item->lanes;
    if (rw->clocks != NULL && item->stamp < rw->clocks_least[s->warp][warp1]) /* all have */
        return 0;
    for (uint32_t m = item->lanes; m != 0; m &= m - 1) {
        const uint32_t a = (uint32_t)__builtin_ctz(m);
        bool before = warp1 == s->warp && (lanes >> a & 1) != 0; /* the thread's own */
        for (uint32_t k = lanes; k != 0 && !before; k &= k - 1) {
            before = ordered(rw, warp1 * VG_LANES + a, item->stamp,
                             s->warp * VG_LANES + (uint32_t)__builtin_ctz(k));
        }
        kept |= before ? 0 : 1u << a;
    }
    return kept;
}

void race_exact_touch(race_scene *s, const units *u, uint32_t i, uint32_t lanes,
                      const uint8_t *value) {
    race_worker *rw = s->rw;
    exact *e = pool_at(&rw->lists, u->r1[i]);
    const enum race_class class = who_class(s->who);
    const uint64_t bit = UINT64_C(1) << i;
    const uint32_t unit = 1u << u->unit_shift;
    const bool written = e->first[RACE_WRITE] != 0;
    bool same = false;
    if (value != NULL) {
        uint8_t *image = u->image + ((size_t)i << u->unit_shift);
        same = written && memcmp(image, value, unit) == 0;
        memcpy(image, value, unit);
    }
    if (class == RACE_WRITE && !same && (written || value == NULL)) {
        *u->mixed |= bit;
        *u->varied |= bit;
    }
    const bool same_value = same && (*u->varied & bit) == 0;
    bool noted = false;
    uint32_t kept = 0;
    for (uint32_t k = 0; k < e->count; k++) {
        exact_item item = e->items[k];
        if (item.stamp < rw->floor)
            continue;
        const enum race_class old = who_class(item.who);
        if (conflicts(old, class) && !noted)
            noted = check_item(s, &item, lanes, unit, same_value && old == RACE_WRITE);
        if (class == RACE_WRITE || old == class)
            item.lanes = still_needed(s, &item, lanes);
        if (item.lanes != 0)
            e->items[kept++] = item;
    }
    e->count = kept;
    append(rw, e, s->who, lanes, rw->now);
    if (u->r2[i] != UINT32_MAX)
        u->r2[i] = rw->now;
}
