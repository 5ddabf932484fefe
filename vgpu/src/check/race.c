/*
 * race.c: the race checker's observer. Takes each warp's access apart into runs of lanes that lie
 * next to each other (or on each other), and hands them to the shadow of what they touch: dense
 * granules for shared memory, granules on demand for what a block touches of global memory.
 *
 * It refuses to judge addresses: those outside every allocation are left to the fault they cause.
 */
#include "vgpu/src/check/check_parts.h"
#include "vgpu/src/check/gate.h"
#include "vgpu/src/check/race_place.h"
#include "vgpu/src/core/optable.h"
#include "vgpu/src/core/pages.h"

#include <stdlib.h>
#include <string.h>

/* ---- pools ---- */

uint32_t pool_take(pool *p) {
    const uint32_t c = p->used / POOL_CHUNK;
    if (c == p->num_chunks) {
        if (p->chunk == NULL)
            p->chunk = calloc(POOL_CHUNKS, sizeof *p->chunk);
        void *chunk =
            p->chunk != NULL && c < POOL_CHUNKS ? vg_pages_alloc(POOL_CHUNK, p->item) : NULL;
        if (chunk == NULL)
            return UINT32_MAX;
        p->chunk[p->num_chunks++] = chunk;
    }
    return p->used++;
}

void pool_free(pool *p) {
    for (uint32_t c = 0; c < p->num_chunks; c++)
        vg_pages_free(p->chunk[c]);
    free(p->chunk);
    *p = (pool){.item = p->item};
}

/* ---- finding the shadow ---- */

units race_units_of(const race_worker *rw, granule *g) {
    if (g->bytes == 0)
        return (units){g->w, g->ws, g->r1, g->r2, g->rs, &g->mixed, &g->varied, g->image, 2};
    bytes_granule *b = pool_at(&rw->bytes, g->bytes - 1);
    return (units){b->w, b->ws, b->r1, b->r2, b->rs, &b->mixed, &b->varied, g->image, 0};
}

static uint64_t spread_bits(uint64_t words) {
    uint64_t bytes = 0;
    for (int k = 0; k < 16; k++)
        bytes |= (words >> k & 1) != 0 ? UINT64_C(15) << 4 * k : 0;
    return bytes;
}

/* From now on each byte of the granule is remembered for itself. */
static bool split_into_bytes(race_worker *rw, granule *g) {
    const uint32_t n = pool_take(&rw->bytes);
    if (n == UINT32_MAX) {
        rw->out_of_memory = true;
        return false;
    }
    bytes_granule *b = pool_at(&rw->bytes, n);
    for (int k = 0; k < 64; k++) {
        const int word = k / 4;
        b->w[k] = g->w[word];
        b->ws[k] = g->ws[word];
        b->r2[k] = g->r2[word];
        b->rs[k] = g->rs[word];
        const bool copy = g->w[word] == WHO_LISTED && k % 4 != 0;
        b->r1[k] = copy ? race_exact_copy(rw, g->r1[word]) : g->r1[word];
    }
    b->mixed = spread_bits(g->mixed);
    b->varied = spread_bits(g->varied);
    g->bytes = n + 1;
    g->many = 0;
    return true;
}

static granule *new_granule(race_worker *rw, uint32_t owner, uint32_t *entry) {
    const uint32_t n = pool_take(&rw->granules);
    if (n == UINT32_MAX) {
        rw->out_of_memory = true;
        return NULL;
    }
    granule *g = pool_at(&rw->granules, n);
    memset(g, 0, sizeof *g);
    g->owner = owner;
    *entry = n;
    return g;
}

static inline granule *global_granule(race_worker *rw, const vg_region *r, uint64_t at) {
    const int id = (int)(rw - rw->checker->workers);
    if (r->index[id] == NULL) {
        r->index[id] = vg_pages_alloc(r->granules, sizeof(uint32_t));
        if (r->index[id] == NULL) {
            rw->out_of_memory = true;
            return NULL;
        }
    }
    granule *g = race_global_granule(rw, r->index[id], r, at);
    const uint32_t local = race_local_granule(r, at);
    return g != NULL ? g : new_granule(rw, r->first + local, &r->index[id][local]);
}

static inline granule *granule_of(race_scene *s, uint64_t at, uint32_t size) {
    race_worker *rw = s->rw;
    granule *g =
        s->region == NULL ? race_shared_granule(rw, at, size) : global_granule(rw, s->region, at);
    if (g == NULL || who_class(s->who) == RACE_READ)
        return g;
    g->settled = 0;
    g->atomics |= who_class(s->who) == RACE_ATOMIC;
    if (g->image == NULL && who_class(s->who) == RACE_WRITE) {
        const uint32_t n = pool_take(&rw->images);
        if (n == UINT32_MAX) {
            rw->out_of_memory = true;
            return NULL;
        }
        g->image = pool_at(&rw->images, n);
    }
    return g;
}

/* ---- an access ---- */

/* The words that a st.b32 stores. */
static inline const uint32_t *stored_words(const race_scene *s) {
    return s->rw->told != NULL ? s->rw->told : row32(s->access->warp, s->access->op->b);
}

bool race_stored_bytes(const race_worker *rw, const vg_access *a, uint32_t lane, uint8_t *bytes) {
    const op *o = a->op;
    if (o->plain != rw->checker->store_any)
        return false;
    const uint32_t rows[4] = {o->d, o->b, o->c, o->e}; /* st.any, see ops_mem.c */
    const uint32_t size = o->aux & 15;
    for (uint32_t e = 0; e * size < a->size; e++) {
        const uint64_t v =
            (o->aux & 32) != 0 ? row64(a->warp, rows[e])[lane] : row32(a->warp, rows[e])[lane];
        memcpy(bytes + e * size, &v, size);
    }
    return true;
}

/* The bytes that a lane stores; false when only the instruction itself knows them. */
static bool stored_bytes(const race_scene *s, uint32_t lane, uint8_t *bytes) {
    if (s->access->op->plain != s->rw->checker->store_word)
        return race_stored_bytes(s->rw, s->access, lane, bytes);
    memcpy(bytes, &stored_words(s)[lane], 4);
    return true;
}

/* Looks at each unit of [at, at + size), touched by these lanes alike. */
static void by_unit(race_scene *s, uint64_t at, uint32_t size, uint32_t lanes,
                    const uint8_t *value) {
    const uint64_t end = at + size;
    while (at < end) {
        const uint64_t next = (at / VG_GRANULE + 1) * VG_GRANULE, stop = next < end ? next : end;
        granule *g = granule_of(s, at, (uint32_t)(stop - at));
        if (g == NULL || (g->bytes == 0 && ((at | stop) & 3) != 0 && !split_into_bytes(s->rw, g)))
            return;
        if (who_class(s->who) != RACE_ATOMIC)
            g->many = 0;
        const units u = race_units_of(s->rw, g);
        const uint32_t unit = 1u << u.unit_shift;
        for (; at < stop; at += unit) {
            s->at = at;
            race_unit(s, &u, (uint32_t)(at % VG_GRANULE) >> u.unit_shift, lanes, value);
            value = value != NULL ? value + unit : NULL;
        }
    }
}

static void each_lane(race_scene *s, uint32_t first, uint32_t count) {
    const vg_access *a = s->access;
    uint8_t value[VG_MAX_ACCESS];
    for (uint32_t lane = first; lane < first + count; lane++) {
        const bool known = who_class(s->who) == RACE_WRITE && stored_bytes(s, lane, value);
        by_unit(s, a->at[lane], a->size, 1u << lane, known ? value : NULL);
    }
}

/* One word alone, by the rules of race_runs.c, which looks at sixteen. */
static inline bool write_one(granule *g, uint32_t i, uint32_t who, const race_worker *rw,
                             bool history) {
    const uint32_t r1 = g->r1[i];
    const bool read = g->rs[i] >= rw->floor;
    if (g->ws[i] >= rw->floor || (history && g->w[i] != 0) ||
        (read &&
         (who_thread(r1) != who_thread(who) || g->r2[i] != 0 || who_class(r1) != RACE_READ)))
        return false;
    g->w[i] = who;
    g->ws[i] = rw->now;
    if (read)
        g->rs[i] = 0;
    g->varied &= ~(UINT64_C(1) << i);
    return true;
}

static inline bool write_words(granule *g, uint32_t i, uint32_t n, uint32_t who, uint32_t step,
                               const race_worker *rw, bool history) {
    return n == 1 ? write_one(g, i, who, rw, history)
                  : rw->checker->runs->write(g, i, n, who, step, rw, history);
}

/* Words of one granule, by the lanes from `lane` on (step 1), or by that lane alone (step 0). */
static bool words_at_once(race_scene *s, uint64_t at, uint32_t n, uint32_t lane, uint32_t step) {
    race_worker *rw = s->rw;
    granule *g = granule_of(s, at, 4 * n);
    const uint32_t i = at % VG_GRANULE / 4;
    uint8_t value[VG_GRANULE];
    if (g == NULL || g->bytes != 0)
        return g == NULL;
    if (who_class(s->who) == RACE_READ)
        return g->settled >= rw->floor || rw->checker->runs->read(g, i, n, s->who | lane, step, rw);
    if (!write_words(g, i, n, s->who | lane, step, rw, s->region != NULL))
        return false;
    if (!stored_bytes(s, lane, value)) { /* as note_write does with no value */
        const uint64_t bits = ((UINT64_C(1) << n) - 1) << i;
        g->mixed |= bits;
        g->varied |= bits;
        return true;
    }
    uint8_t *image = g->image + 4u * i;
    if (step == 1 && s->access->op->plain == rw->checker->store_word) {
        memcpy(image, &stored_words(s)[lane], 4u * n);
    } else {
        memcpy(image, value, step == 0 ? 4u * n : 4);
        for (uint32_t k = 1; k < n && step == 1; k++)
            stored_bytes(s, lane + k, image + 4u * k);
    }
    return true;
}

/* The words of a st.b32, each lane's for itself, as in columns of a matrix. */
static void lone_words(race_scene *s, uint32_t lanes) {
    const race_worker *rw = s->rw;
    const uint32_t *value = stored_words(s);
    for (uint32_t m = lanes; m != 0; m &= m - 1) {
        const uint32_t lane = (uint32_t)__builtin_ctz(m);
        const uint64_t at = s->access->at[lane];
        granule *g = at % 4 == 0 ? granule_of(s, at, 4) : NULL; /* else: about to fault */
        const uint32_t i = at % VG_GRANULE / 4;
        if (g == NULL)
            continue;
        if (g->bytes == 0 && write_one(g, i, s->who | lane, rw, s->region != NULL))
            memcpy(g->image + (size_t)4 * i, &value[lane], 4);
        else
            each_lane(s, lane, 1);
    }
}

/* Neighbouring words, one a lane. */
static void neighbours(race_scene *s, uint32_t lane, uint32_t count) {
    const uint64_t *at = s->access->at;
    while (count > 0) {
        const uint32_t room = (uint32_t)(VG_GRANULE - at[lane] % VG_GRANULE) / 4;
        const uint32_t n = count < room ? count : room;
        if (at[lane] % 4 != 0) /* about to fault */
            return;
        if (!words_at_once(s, at[lane], n, lane, 1))
            each_lane(s, lane, n);
        lane += n;
        count -= n;
    }
}

/* A read of one word by several lanes of a warp, when nobody has written it since the last barrier.
 * By the rules of race_unit.c; false, and nothing done, when they must be asked. */
static bool read_by_many(race_scene *s, uint64_t at, uint32_t first) {
    const race_worker *rw = s->rw;
    granule *g = granule_of(s, at, 4);
    const uint32_t i = at % VG_GRANULE / 4;
    if (g == NULL || g->bytes != 0 || at % 4 != 0)
        return g == NULL;
    const uint32_t r1 = g->r1[i], r2 = g->r2[i];
    if (g->ws[i] >= rw->floor || who_class(r1) == RACE_ATOMIC)
        return false;
    if (g->rs[i] < rw->floor || r1 == 0) {
        g->r1[i] = s->who | first;
        g->r2[i] = s->who | (first + 1);
        g->rs[i] = rw->now;
        return true;
    }
    return r2 != 0 && (who_warp(r1) != who_warp(r2) ||
                       (who_warp(r1) == s->warp && g->rs[i] >= rw->warp_floor[s->warp]));
}

/* An atomic update that has nothing to add. */
static inline bool skips_atomic(const race_scene *s, uint64_t at) {
    const race_checker *c = s->rw->checker;
    return who_class(s->who) == RACE_ATOMIC && !c->exact && !c->fences && !c->weak &&
           race_one_of_many(s, at);
}

/* A run of active lanes whose addresses are the same. */
static void same_place(race_scene *s, uint32_t lane, uint32_t count) {
    const vg_access *a = s->access;
    if (who_class(s->who) == RACE_WRITE) {
        each_lane(s, lane, count);
        return;
    }
    const uint32_t lanes = (count == VG_LANES ? VG_ALL_LANES : (1u << count) - 1) << lane;
    if (a->size == 4 && who_class(s->who) == RACE_READ && !s->rw->checker->exact &&
        read_by_many(s, a->at[lane], lane))
        return;
    if (skips_atomic(s, a->at[lane]))
        return;
    by_unit(s, a->at[lane], a->size, lanes, NULL);
}

/* One lane's vector of words. */
static void lone_lane(race_scene *s, uint32_t lane) {
    const vg_access *a = s->access;
    const race_checker *c = s->rw->checker;
    if (skips_atomic(s, a->at[lane]))
        return;
    const bool words = a->size % 4 == 0 && a->at[lane] % a->size == 0 &&
                       who_class(s->who) != RACE_ATOMIC && !c->exact;
    if (!words || !words_at_once(s, a->at[lane], a->size / 4, lane, 0))
        each_lane(s, lane, 1);
}

/* What blocks that have ended did to global memory, against this access of the next. */
static void meet_other_blocks(const race_checker *c, race_scene *s, vg_lane_runs runs) {
    uint8_t value[VG_MAX_ACCESS];
    vg_lane_run run;
    while (vg_lane_run_next(&runs, &run)) {
        for (uint32_t lane = run.lane; lane < run.lane + run.count; lane++) {
            const bool known = who_class(s->who) == RACE_WRITE && stored_bytes(s, lane, value);
            race_blocks_meet(c->blocks, s, lane, known ? value : NULL);
        }
    }
}

static void judge(race_checker *c, const vg_passed *p) {
    const vg_access *a = p->access;
    const host_thread *wk = a->warp->worker;
    const uint32_t index = (uint32_t)(a->op - wk->launch->program->ops);
    race_scene s = {.rw = &c->workers[wk->id],
                    .access = a,
                    .region = p->region,
                    .warp = a->warp->index,
                    .object = p->region != NULL ? p->region->first + 1 : 0};
    s.who =
        (index + 1) << WHO_OP_SHIFT | (uint32_t)c->class_of[index] << WHO_CLASS_SHIFT | s.warp << 5;
    const enum race_class class = who_class(s.who);
    if (p->region != NULL && p->region->only_read) {
        if (a->op->access != VG_WRITE && a->op->access != VG_ATOMIC) /* whatever it counts as */
            return;
        race_stray_note(s.rw, a, p->region, p->runs.mask);
    }
    if (class == RACE_ATOMIC && p->region != NULL && race_all_of_many(s.rw, a, p->region))
        return;
    const bool at_once = a->size == 4 && class != RACE_ATOMIC && !c->exact;
    const bool order = c->fences && class == RACE_ATOMIC && p->region != NULL;
    const bool strong = c->weak && p->region != NULL && race_is_strong(c, index);
    if (order)
        race_begin_atomic(s.rw, a);
    if (strong)
        race_begin_strong(s.rw, p->region, class != RACE_READ);
    vg_lane_runs runs = p->runs;
    vg_lane_run run;
    if (at_once && class == RACE_WRITE && (runs.same | runs.next) == 0 &&
        a->op->plain == c->store_word) {
        lone_words(&s, runs.mask);
        runs.mask = 0;
    }
    while (vg_lane_run_next(&runs, &run)) {
        if (run.same)
            same_place(&s, run.lane, run.count);
        else if (at_once)
            neighbours(&s, run.lane, run.count);
        else
            for (uint32_t k = 0; k < run.count; k++)
                lone_lane(&s, run.lane + k);
    }
    if (order || strong)
        s.rw->now++; /* what follows is after it */
    if (c->locks && class == RACE_ATOMIC && s.rw->clocks != NULL)
        race_pass_on(s.rw, a);
    if (c->notice != NULL && c->many_blocks && !c->fences && !c->weak && s.region != NULL)
        meet_other_blocks(c, &s, p->runs);
}

static void judge_later(race_worker *rw, const block *b) {
    if (rw->later.count > 0)
        race_later_judge(rw, b, judge);
}

void race_on_shared(race_checker *c, const vg_passed *p) {
    const vg_access *a = p->access;
    const host_thread *wk = a->warp->worker;
    race_worker *rw = &c->workers[wk->id];
    const uint8_t class = c->class_of[a->op - wk->launch->program->ops];
    if (class == RACE_ATOMIC && race_all_of_many(rw, a, NULL))
        return;
    if (class != RACE_READ || c->exact || !race_later_read(rw, a)) {
        if (!c->exact && race_later_is_due(rw, a, class != RACE_READ))
            judge_later(rw, a->warp->block);
        if (class == RACE_READ)
            rw->later.judged = rw->floor;
        judge(c, p);
    }
    if (class != RACE_ATOMIC)
        (class == RACE_READ ? rw->read_shared : rw->stored_shared)[a->warp->index] = rw->now;
}

static void on_access(void *self, const vg_passed *p) {
    race_checker *c = self;
    if (race_locals_wants(c, p->access))
        race_locals_pass(&c->workers[p->access->warp->worker->id], p->access);
    if (p->region == NULL) {
        race_on_shared(c, p);
        return;
    }
    if (c->streams != NULL)
        race_streams_touch(c, p);
    if (c->cached != NULL)
        race_cached_pass(c, p);
    judge(c, p);
}

/* ---- what orders accesses ---- */

static void raise_floor(race_worker *rw) {
    rw->floor = ++rw->now;
    rw->later.count = rw->later.lanes_count = 0;
}

/* What follows has nothing to do with what the block did before. */
static void begin_alone(const race_checker *c, race_worker *rw) {
    raise_floor(rw);
    rw->begin = rw->floor;
    if (rw->bytes.used > 0 || !rw->images_of_shared) {
        for (uint32_t i = 0; i < rw->shared_granules; i++) {
            rw->shared[i].bytes = 0;
            rw->shared[i].image = rw->shared_images + (size_t)i * VG_GRANULE;
        }
        rw->images_of_shared = true;
    }
    rw->first_atomic = rw->last_fence = rw->released = 0;
    memset(rw->first_strong, 0, sizeof rw->first_strong);
    memset(rw->last_strong, 0, sizeof rw->last_strong);
    rw->granules.used = rw->bytes.used = rw->images.used = rw->lists.used = 0;
    if (c->exact && !race_exact_begin(rw, rw->launch))
        rw->out_of_memory = true;
}

static void on_block_begin(void *self, host_thread *wk) {
    race_checker *c = self;
    race_worker *rw = &c->workers[wk->id];
    if (rw->now > UINT32_MAX / 2) { /* years of barriers: start time anew */
        memset(rw->shared, 0, rw->shared_granules * sizeof *rw->shared);
        memset(rw->warp_floor, 0, sizeof rw->warp_floor);
        memset(rw->read_shared, 0, sizeof rw->read_shared);
        memset(rw->stored_shared, 0, sizeof rw->stored_shared);
        rw->now = 0;
        race_later_free(rw);
        rw->out_of_memory |= !race_later_begin(rw);
        rw->images_of_shared = false;
    }
    rw->launch = wk->launch;
    rw->block = wk->block.linear;
    begin_alone(c, rw);
}

static void on_block_end(void *self, host_thread *wk) {
    race_checker *c = self;
    if (c->many_blocks)
        race_blocks_merge(c->blocks, &c->workers[wk->id]);
}

/* The lanes that wait at barrier `id`, by warp. True when that is every thread alive. */
static bool who_waits(const block *b, int id, uint32_t lanes[VG_MAX_WARPS]) {
    bool all = true;
    memset(lanes, 0, VG_MAX_WARPS * sizeof *lanes);
    for (int i = 0; i < b->num_warps; i++) {
        const warp *w = &b->warps[i];
        for (int k = 0; k < w->num_splits; k++)
            if (w->split[k].state == SPLIT_BARRIER && w->split[k].barrier == id)
                lanes[i] |= w->split[k].mask;
        all = all && (w->alive & ~lanes[i]) == 0;
    }
    return all;
}

/* All blocks of the grid wait for each other, of which this is one: what they did until now is
 * judged, and they begin anew. */
static void on_grid_barrier(race_checker *c, race_worker *rw) {
    race_blocks_merge(c->blocks, rw);
    begin_alone(c, rw);
    if (++c->at_grid_barrier == rw->launch->num_blocks) {
        c->at_grid_barrier = 0;
        race_end_phase(c);
    }
}

static void on_barrier(void *self, block *b, int id) {
    race_checker *c = self;
    race_worker *rw = &c->workers[b->warps->worker->id];
    uint32_t lanes[VG_MAX_WARPS];
    if (id == VG_GRID_BARRIER && c->many_blocks)
        on_grid_barrier(c, rw);
    else if (!c->exact || rw->clocks == NULL || (who_waits(b, id, lanes) && !rw->pending[id]))
        raise_floor(rw);
    else
        race_exact_meet(rw, lanes, id);
}

static void on_arrive(void *self, warp *w, int id, uint32_t lanes) {
    race_checker *c = self;
    race_worker *rw = &c->workers[w->worker->id];
    uint32_t by_warp[VG_MAX_WARPS] = {0};
    if (c->exact && rw->clocks != NULL) {
        by_warp[w->index] = lanes;
        race_exact_arrive(rw, by_warp, id);
    }
}

static void on_signal(void *self, warp *w, uint64_t key, uint32_t lanes, bool first) {
    race_checker *c = self;
    race_worker *rw = &c->workers[w->worker->id];
    uint32_t by_warp[VG_MAX_WARPS] = {0};
    if (c->exact && rw->clocks != NULL) {
        by_warp[w->index] = lanes;
        race_exact_signal(rw, by_warp, key, first);
    }
}

static void on_acquire(void *self, warp *w, uint64_t key, uint32_t lanes) {
    race_checker *c = self;
    race_worker *rw = &c->workers[w->worker->id];
    uint32_t by_warp[VG_MAX_WARPS] = {0};
    if (c->exact && rw->clocks != NULL) {
        by_warp[w->index] = lanes;
        race_exact_acquire(rw, by_warp, key);
    }
}

static void on_fenced(void *self, warp *w, const op *o, uint32_t lanes) {
    race_checker *c = self;
    (void)lanes; /* a barrier, or nothing, stands between it and what other threads did */
    if (c->fences && o->ptx->scope >= SCOPE_GPU)
        race_at_fence(&c->workers[w->worker->id]);
}

static void on_warp_sync(void *self, warp *w, uint32_t lanes) {
    race_checker *c = self;
    race_worker *rw = &c->workers[w->worker->id];
    if (c->exact && rw->clocks != NULL) {
        uint32_t by_warp[VG_MAX_WARPS] = {0};
        by_warp[w->index] = lanes;
        race_exact_meet(rw, by_warp, -1);
    } else {
        judge_later(rw, w->block);
        rw->warp_floor[w->index] = ++rw->now;
    }
}

/* ---- the checker ---- */

static bool on_launch_begin(void *self, const launch *l, int workers) {
    return race_launch_begin(self, l, workers);
}

static void on_launch_end(void *self, const launch *l, const host_thread *workers, int num_workers,
                          const vg_fault *fault) {
    race_checker *c = self;
    (void)workers;
    (void)num_workers;
    race_publish(c, l, fault);
    race_streams_end(c, l, fault == NULL);
}

race_checker *race_checker_create(vg_findings *findings, vg_regions *regions, vg_gate *gate) {
    race_checker *c = calloc(1, sizeof *c);
    race_blocks *blocks = race_blocks_create();
    if (c == NULL || blocks == NULL) {
        free(c);
        race_blocks_destroy(blocks);
        return NULL;
    }
    c->findings = findings;
    c->regions = regions;
    c->blocks = blocks;
    c->runs = race_runs_best();
    c->gate = gate;
    vg_gate_add(gate, on_access, race_on_glance, c);
    c->observer = (vg_observer){.name = "race",
                                .self = c,
                                .launch_begin = on_launch_begin,
                                .block_begin = on_block_begin,
                                .arrive = on_arrive,
                                .barrier = on_barrier,
                                .signal = on_signal,
                                .acquire = on_acquire,
                                .fenced = on_fenced,
                                .warp_sync = on_warp_sync,
                                .noted = race_on_noted,
                                .block_end = on_block_end,
                                .launch_end = on_launch_end};
    return c;
}

void race_checker_notice(race_checker *c, vg_notice_fn *fn, void *self) {
    c->notice = fn;
    c->notice_self = self;
    if (c->told == NULL)
        c->told = vg_pages_alloc(FOUND_SLOTS, sizeof *c->told);
}

const vg_observer *race_checker_observer(const race_checker *c) {
    return &c->observer;
}

void race_checker_destroy(race_checker *c) {
    if (c == NULL)
        return;
    for (int i = 0; i < c->num_workers; i++) {
        race_worker *rw = &c->workers[i];
        race_lists_free(rw);
        race_exact_free(rw);
        race_later_free(rw);
        pool_free(&rw->granules);
        pool_free(&rw->bytes);
        pool_free(&rw->images);
        free(rw->shared);
        free(rw->shared_images);
        vg_pages_free(rw->found);
    }
    free(c->workers);
    free(c->class_of);
    free(c->site);
    free(c->op_of_site);
    free(c->phases);
    vg_pages_free(c->told);
    race_blocks_destroy(c->blocks);
    race_streams_destroy(c);
    race_locals_destroy(c);
    race_cached_destroy(c);
    free(c);
}
