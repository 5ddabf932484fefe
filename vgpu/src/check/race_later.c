/*
 * race_later.c: reads of shared memory that need no judging. Between two barriers most words are
 * either read or written. While nobody has written a granule since the last barrier, a read there
 * races with nothing, and only a write before the next barrier would ask who had read. So such reads
 * are put down, and judged, in the order in which they came, only when such a write comes; the next
 * barrier strikes them off.
 *
 *     barrier | read A, read B … | write C           barrier   nothing is judged but the write
 *     barrier | read A, read B … | write A           barrier   the reads are judged first
 *     barrier | write A | read A (judged at once)    barrier
 *
 * Only reads in a few known shapes are put down. Others are judged at once, after what is put down.
 * What comes of it is what judging each at once would give: stamps are those of the read.
 */
#include "vgpu/src/check/race.h"

#include <stdlib.h>

enum { ROOM = 8192 }; /* more reads than that between two barriers are judged at once */

bool race_later_begin(race_worker *rw) {
    race_later *later = &rw->later;
    later->count = 0;
    later->full = later->any_written = 0;
    if (later->items == NULL)
        later->items = malloc(ROOM * sizeof *later->items);
    if (later->room_for_granules < rw->shared_granules) {
        free(later->read);
        free(later->written);
        later->read = calloc(rw->shared_granules, sizeof *later->read);
        later->written = calloc(rw->shared_granules, sizeof *later->written);
        later->room_for_granules = rw->shared_granules;
    }
    return later->items != NULL &&
           (rw->shared_granules == 0 || (later->read != NULL && later->written != NULL));
}

void race_later_free(race_worker *rw) {
    free(rw->later.items);
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

bool race_later_read(race_worker *rw, const vg_access *a) {
    race_later *later = &rw->later;
    const uint32_t floor = rw->floor;
    stretches s;
    if (later->any_written == floor || later->full == floor || !stretches_of(rw, a, &s))
        return false;
    for (int i = 0; i < s.count; i++)
        for (uint32_t g = s.first[i]; g <= s.last[i]; g++)
            if (later->written[g] == floor)
                return false;
    if (later->count == ROOM) {
        later->full = floor;
        return false;
    }
    for (int i = 0; i < s.count; i++)
        for (uint32_t g = s.first[i]; g <= s.last[i]; g++)
            later->read[g] = floor;
    later->items[later->count++] = (race_later_item){.op = a->op,
                                                     .at = {a->at[0], a->at[VG_LANES / 2]},
                                                     .now = rw->now,
                                                     .warp = (uint8_t)a->warp->index,
                                                     .pattern = (uint8_t)a->pattern,
                                                     .halves = (uint8_t)a->halves};
    return true;
}

bool race_later_is_due(race_worker *rw, const vg_access *a, bool writes) {
    race_later *later = &rw->later;
    const uint32_t floor = rw->floor;
    stretches s;
    if (!writes)
        return later->count > 0;
    if (!stretches_of(rw, a, &s)) {
        later->any_written = floor;
        return later->count > 0;
    }
    bool due = false;
    for (int i = 0; i < s.count; i++)
        for (uint32_t g = s.first[i]; g <= s.last[i]; g++) {
            later->written[g] = floor;
            due |= later->read[g] == floor;
        }
    return due && later->count > 0;
}

void race_later_judge(race_worker *rw, const block *b,
                      void (*judge)(race_checker *c, const vg_passed *p)) {
    race_later *later = &rw->later;
    const uint32_t now = rw->now, count = later->count;
    const uint32_t all = VG_ALL_LANES >> 1, both = 0x7FFF7FFF; /* as in gate.c */
    later->count = 0;
    for (uint32_t i = 0; i < count; i++) {
        const race_later_item *it = &later->items[i];
        const uint64_t step = it->halves == VG_HALVES_ONE ? 0 : it->op->bytes;
        const bool whole = it->pattern != VG_PATTERN_ANY;
        uint64_t at[VG_LANES];
        for (uint32_t k = 0; k < VG_LANES; k++)
            at[k] = it->at[k / (VG_LANES / 2)] + k % (VG_LANES / 2) * step;
        const vg_access a = {.warp = &b->warps[it->warp],
                             .op = it->op,
                             .kind = VG_READ,
                             .space = PS_SHARED,
                             .mask = VG_ALL_LANES,
                             .size = it->op->bytes,
                             .pattern = (enum vg_pattern)it->pattern,
                             .halves = (enum vg_halves)it->halves,
                             .at = at};
        const uint32_t chain = whole ? all : both;
        const vg_passed p = {.access = &a,
                             .runs = {.mask = VG_ALL_LANES,
                                      .same = step == 0 ? chain : 0,
                                      .next = step != 0 ? chain : 0}};
        rw->now = it->now;
        judge(rw->checker, &p);
    }
    rw->now = now;
}
