/* race_place.h: where the race checker keeps what it remembers of an address. */
#pragma once

#include "vgpu/src/check/race.h"

/* The granule of [at, at + size) of shared memory, which ends where the granule does; NULL: none.
 */
static inline granule *race_shared_granule(const race_worker *rw, uint64_t at, uint32_t size) {
    if (at + size <= rw->static_bytes)
        return &rw->shared[at / VG_GRANULE];
    const uint64_t dynamic = at - VG_DYNAMIC_SHARED_OFFSET;
    if (at >= VG_DYNAMIC_SHARED_OFFSET && dynamic + size <= rw->dynamic_bytes)
        return &rw->shared[rw->dynamic_first + dynamic / VG_GRANULE];
    return NULL;
}

static inline uint32_t race_local_granule(const vg_region *r, uint64_t at) {
    return (uint32_t)((at >> VG_GRANULE_SHIFT) - r->granule0);
}

/* The same of global memory, if the block has been there. An entry of the index says where the
 * granule may be; the granule says whether it is so. */
static inline granule *race_global_granule(const race_worker *rw, const uint32_t *index,
                                           const vg_region *r, uint64_t at) {
    const uint32_t local = race_local_granule(r, at), entry = index[local];
    if (entry >= rw->granules.used)
        return NULL;
    granule *g = pool_at(&rw->granules, entry);
    return g->owner == r->first + local ? g : NULL;
}

/* Granules of shared memory that a warp's access covers: one row, or one for each half. */
typedef struct race_stretch {
    int count;
    uint32_t first[2], last[2];
} race_stretch;

/* Granules of [at, at + size); false: it is out of bounds, or its granules are not in a row. */
static inline bool race_granules_of(const race_worker *rw, uint64_t at, uint64_t size,
                                    uint32_t *first, uint32_t *last) {
    const uint64_t dynamic = at - VG_DYNAMIC_SHARED_OFFSET;
    const bool is_static = at + size <= rw->static_bytes;
    const uint64_t from = is_static ? at : dynamic, base = is_static ? 0 : rw->dynamic_first;
    *first = (uint32_t)(base + from / VG_GRANULE);
    *last = (uint32_t)(base + (from + size - 1) / VG_GRANULE);
    return is_static || (at >= VG_DYNAMIC_SHARED_OFFSET && dynamic + size <= rw->dynamic_bytes);
}

/* False: it is not aligned, has no simple shape, or lies out of bounds. */
static inline bool race_stretches(const race_worker *rw, const vg_noted *r, uint32_t size,
                                  race_stretch *s) {
    const uint32_t half = VG_LANES / 2 * size;
    const uint32_t bytes = r->halves == VG_HALVES_ONE ? size : half;
    if (r->halves == VG_HALVES_ANY || ((r->at[0] | r->at[1]) & (size - 1)) != 0)
        return false; /* sizes are powers of two there */
    s->count = r->halves == VG_HALVES_ONE && r->at[0] == r->at[1] ? 1 : 2;
    return race_granules_of(rw, r->at[0], bytes, &s->first[0], &s->last[0]) &&
           (s->count == 1 || race_granules_of(rw, r->at[1], bytes, &s->first[1], &s->last[1]));
}
