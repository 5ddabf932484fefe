/* race_place.h: where the race checker keeps what it remembers of an address. */
#pragma once

#include "vgpu/src/check/race.h"

/* The granule of [at, at + size) of shared memory, which ends where the granule does; NULL: none. */
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
