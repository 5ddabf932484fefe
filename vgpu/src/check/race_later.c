/*
 * race_later.c: reads of shared memory that need no judging. Between two barriers most words are
 * either read or written. While nobody has written a granule since the last barrier, a read there
 * races with nothing, and only a write before the next barrier would ask who had read. So such
 * reads are put down, and judged, in the order in which they came, only when such a write comes;
 * the next barrier strikes them off.
 *
 *     barrier | read A, read B … | write C           barrier   nothing is judged but the write
 *     barrier | read A, read B … | write A           barrier   the reads are judged first
 *     barrier | write A | read A (judged at once)    barrier
 *
 * Reads that are not aligned are judged at once, after what is put down. What comes of it is what
 * judging each at once would give: stamps are those of the read.
 */
#include "vgpu/src/check/race.h"

#include <stdlib.h>

/* More reads than that between two barriers are judged at once; and more whose lanes lie in no
 * simple shape, so that each lane's place is kept. */
enum { ROOM = 8192, ROOM_FOR_LANES = 2048 };

bool race_later_begin(race_worker *rw) {
    race_later *later = &rw->later;
    later->count = later->lanes_count = 0;
    later->full = later->any_written = 0;
    if (later->items == NULL)
        later->items = malloc(ROOM * sizeof *later->items);
    if (later->lanes == NULL)
        later->lanes = malloc(ROOM_FOR_LANES * sizeof *later->lanes);
    if (later->room_for_granules < rw->shared_granules) {
        free(later->read);
        free(later->written);
        later->read = calloc(rw->shared_granules, sizeof *later->read);
        later->written = calloc(rw->shared_granules, sizeof *later->written);
        later->room_for_granules = rw->shared_granules;
    }
    return later->items != NULL && later->lanes != NULL &&
           (rw->shared_granules == 0 || (later->read != NULL && later->written != NULL));
}

void race_later_free(race_worker *rw) {
    free(rw->later.items);
    free(rw->later.lanes);
    free(rw->later.read);
    free(rw->later.written);
    rw->later = (race_later){0};
}

/* Granules of [at, at + size); false: it is out of bounds, or its granules are not in a row. */
static inline bool granules_of(const race_worker *rw, uint64_t at, uint64_t size, uint32_t *first,
                               uint32_t *last) {
    const uint64_t dynamic = at - VG_DYNAMIC_SHARED_OFFSET;
    const bool is_static = at + size <= rw->static_bytes;
    const uint64_t from = is_static ? at : dynamic, base = is_static ? 0 : rw->dynamic_first;
    *first = (uint32_t)(base + from / VG_GRANULE);
    *last = (uint32_t)(base + (from + size - 1) / VG_GRANULE);
    return is_static || (at >= VG_DYNAMIC_SHARED_OFFSET && dynamic + size <= rw->dynamic_bytes);
}

/* Stretches of shared memory that a warp's access covers: one, or one for each half. */
typedef struct stretches {
    int count;
    uint32_t first[2], last[2];
} stretches;

static inline bool stretches_of(const race_worker *rw, const vg_access *a, stretches *s) {
    const uint32_t half = VG_LANES / 2;
    const uint64_t bytes = a->halves == VG_HALVES_ONE ? a->size : (uint64_t)half * a->size;
    if (a->halves == VG_HALVES_ANY || a->at[0] % a->size != 0 || a->at[half] % a->size != 0)
        return false;
    s->count = a->pattern == VG_PATTERN_ONE ? 1 : 2;
    return granules_of(rw, a->at[0], bytes, &s->first[0], &s->last[0]) &&
           (s->count == 1 || granules_of(rw, a->at[half], bytes, &s->first[1], &s->last[1]));
}

/* The granule of each active lane; false: some lane's bytes have none, or two. */
static inline bool granules_of_lanes(const race_worker *rw, const vg_access *a,
                                     uint32_t granule[VG_LANES]) {
    for (uint32_t k = 0; k < VG_LANES; k++) { /* lanes that are off repeat another */
        uint32_t last;
        if (a->at[k] % a->size != 0 || !granules_of(rw, a->at[k], a->size, &granule[k], &last) ||
            last != granule[k])
            return false;
    }
    return true;
}

static bool put_down(race_worker *rw, const vg_access *a, uint32_t lanes) {
    race_later *later = &rw->later;
    if (later->count == ROOM) {
        later->full = rw->floor;
        return false;
    }
    later->items[later->count++] = (race_later_item){.op = a->op,
                                                     .at = {a->at[0], a->at[VG_LANES / 2]},
                                                     .now = rw->now,
                                                     .mask = a->mask,
                                                     .lanes = (uint16_t)lanes,
                                                     .warp = (uint8_t)a->warp->index,
                                                     .pattern = (uint8_t)a->pattern,
                                                     .halves = (uint8_t)a->halves};
    return true;
}

/* Each lane is where it likes. */
static bool put_down_lanes(race_worker *rw, const vg_access *a) {
    race_later *later = &rw->later;
    const uint32_t floor = rw->floor;
    uint32_t granule[VG_LANES];
    if (!granules_of_lanes(rw, a, granule))
        return false;
    for (uint32_t k = 0; k < VG_LANES; k++)
        if (later->written[granule[k]] == floor)
            return false;
    if (later->lanes_count == ROOM_FOR_LANES || !put_down(rw, a, later->lanes_count)) {
        later->full = floor;
        return false;
    }
    for (uint32_t k = 0; k < VG_LANES; k++)
        later->read[granule[k]] = floor;
    uint32_t *at = later->lanes[later->lanes_count++];
    for (uint32_t k = 0; k < VG_LANES; k++)
        at[k] = (uint32_t)a->at[k]; /* offsets in a segment are small */
    return true;
}

bool race_later_read(race_worker *rw, const vg_access *a) {
    race_later *later = &rw->later;
    const uint32_t floor = rw->floor;
    stretches s;
    if (later->any_written == floor || later->full == floor)
        return false;
    if (!stretches_of(rw, a, &s))
        return put_down_lanes(rw, a);
    for (int i = 0; i < s.count; i++)
        for (uint32_t g = s.first[i]; g <= s.last[i]; g++)
            if (later->written[g] == floor)
                return false;
    if (!put_down(rw, a, 0))
        return false;
    for (int i = 0; i < s.count; i++)
        for (uint32_t g = s.first[i]; g <= s.last[i]; g++)
            later->read[g] = floor;
    return true;
}

bool race_later_is_due(race_worker *rw, const vg_access *a, bool writes) {
    race_later *later = &rw->later;
    const uint32_t floor = rw->floor;
    uint32_t granule[VG_LANES];
    stretches s;
    bool due = false;
    if (!writes)
        return later->count > 0;
    if (stretches_of(rw, a, &s)) {
        for (int i = 0; i < s.count; i++)
            for (uint32_t g = s.first[i]; g <= s.last[i]; g++) {
                later->written[g] = floor;
                due |= later->read[g] == floor;
            }
    } else if (granules_of_lanes(rw, a, granule)) {
        for (uint32_t k = 0; k < VG_LANES; k++) {
            later->written[granule[k]] = floor;
            due |= later->read[granule[k]] == floor;
        }
    } else {
        later->any_written = floor;
        due = true;
    }
    return due && later->count > 0;
}

void race_later_judge(race_worker *rw, const block *b,
                      void (*judge)(race_checker *c, const vg_passed *p)) {
    race_later *later = &rw->later;
    const uint32_t now = rw->now, count = later->count;
    later->count = later->lanes_count = 0;
    for (uint32_t i = 0; i < count; i++) {
        const race_later_item *it = &later->items[i];
        const uint64_t step = it->halves == VG_HALVES_ONE ? 0 : it->op->bytes;
        uint64_t at[VG_LANES];
        for (uint32_t k = 0; k < VG_LANES; k++)
            at[k] = it->halves == VG_HALVES_ANY
                        ? later->lanes[it->lanes][k]
                        : it->at[k / (VG_LANES / 2)] + k % (VG_LANES / 2) * step;
        const vg_access a = {.warp = &b->warps[it->warp],
                             .op = it->op,
                             .kind = VG_READ,
                             .space = PS_SHARED,
                             .mask = it->mask,
                             .size = it->op->bytes,
                             .pattern = (enum vg_pattern)it->pattern,
                             .halves = (enum vg_halves)it->halves,
                             .at = at};
        vg_shape shape;
        rw->checker->runs->chains(at, a.size, &shape);
        const uint32_t both = a.mask & a.mask >> 1;
        const vg_passed p = {
            .access = &a,
            .runs = {.mask = a.mask, .same = shape.same & both, .next = shape.next & both}};
        rw->now = it->now;
        judge(rw->checker, &p);
    }
    rw->now = now;
}
