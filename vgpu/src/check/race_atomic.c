/*
 * race_atomic.c: atomic accesses: those that add nothing to what is remembered, and what those do
 * that order others.
 *
 * Kernels with atomics mostly update the same words again and again. An update of a word that
 * threads of two warps have updated since the last barrier, and that nobody has written or read
 * since, changes nothing: whoever comes later differs from one of the two. Such words are marked in
 * their granule, so that one look at each lane's is enough.
 */
#include "vgpu/src/check/race_place.h"

static inline granule *known_granule(const race_worker *rw, const vg_region *r, uint64_t at,
                                     uint32_t size) {
    const uint32_t *index = r != NULL ? r->index[rw - rw->checker->workers] : NULL;
    return r == NULL       ? race_shared_granule(rw, at, size)
           : index == NULL ? NULL
                           : race_global_granule(rw, index, r, at);
}

/* The bits of the one or two words of an update in their granule. */
static inline uint32_t words_of(uint64_t at, uint32_t size) {
    return (size == 8 ? 3u : 1u) << (at % VG_GRANULE / 4);
}

bool race_one_of_many(const race_scene *s, uint64_t at) {
    const race_worker *rw = s->rw;
    const uint32_t size = s->access->size;
    if ((size != 4 && size != 8) || at % size != 0)
        return false;
    granule *g = known_granule(rw, s->region, at, size);
    if (g == NULL || g->bytes != 0)
        return false;
    const uint32_t words = words_of(at, size);
    for (uint32_t m = words; m != 0; m &= m - 1) {
        const int i = __builtin_ctz(m);
        if (g->w[i] == WHO_LISTED || g->ws[i] >= rw->floor || g->rs[i] < rw->floor ||
            g->r2[i] == 0 || who_class(g->r1[i]) != RACE_ATOMIC ||
            who_warp(g->r1[i]) == who_warp(g->r2[i]))
            return false;
    }
    g->many = (g->many_floor == rw->floor ? g->many : 0) | words;
    g->many_floor = rw->floor;
    return true;
}

bool race_all_of_many(const race_worker *rw, const vg_access *a, const vg_region *r) {
    const race_checker *c = rw->checker;
    const uint32_t size = a->size, floor = rw->floor;
    if (c->exact || (size != 4 && size != 8) ||
        (r != NULL && (c->fences || c->weak || c->notice != NULL)))
        return false;
    for (uint32_t k = 0; k < VG_LANES; k++) { /* lanes that are off repeat another */
        const uint64_t at = a->at[k];
        const granule *g = (at & (size - 1)) == 0 ? known_granule(rw, r, at, size) : NULL;
        const uint32_t words = words_of(at, size);
        if (g == NULL || g->many_floor != floor || (g->many & words) != words)
            return false;
    }
    return true;
}

void race_at_fence(race_worker *rw) {
    rw->last_fence = rw->now++;
}

void race_begin_atomic(race_worker *rw, const vg_access *a) {
    if (a->op->ptx->order >= ORDER_RELEASE)
        race_at_fence(rw);
    rw->now++;
    rw->released = rw->last_fence;
    rw->first_atomic = rw->first_atomic == 0 ? rw->now : rw->first_atomic;
}

void race_begin_strong(race_worker *rw, const vg_region *r, bool writes) {
    const race_strong now = {++rw->now, r};
    race_strong *first = rw->first_strong, *last = rw->last_strong;
    rw->first_atomic = rw->first_atomic == 0 ? rw->now : rw->first_atomic;
    if (first[0].stamp == 0)
        first[0] = now;
    else if (first[0].region != r && first[1].stamp == 0)
        first[1] = now;
    if (writes && last[0].region != r)
        last[1] = last[0];
    if (writes)
        last[0] = now;
}

void race_pass_on(race_worker *rw, const vg_access *a) {
    enum { KEYS = 64 };
    for (uint32_t left = a->mask; left != 0;) {
        const uint64_t at = a->at[__builtin_ctz(left)];
        uint32_t by_warp[VG_MAX_WARPS] = {0}, lanes = 0;
        for (uint32_t m = left; m != 0; m &= m - 1) {
            const int i = __builtin_ctz(m);
            lanes |= a->at[i] == at ? 1u << i : 0;
        }
        left &= ~lanes;
        by_warp[a->warp->index] = lanes;
        const uint64_t key = UINT64_C(1) << 63 | (at / 4 % KEYS);
        race_exact_signal(rw, by_warp, key, false);
        race_exact_acquire(rw, by_warp, key);
    }
}
