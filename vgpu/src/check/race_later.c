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
#include "vgpu/src/check/race_place.h"

#include <stdlib.h>

/* More reads than that between two barriers are judged at once; and more whose lanes lie in no
 * simple shape, so that each lane's place is kept. */
enum { ROOM = 8192, ROOM_FOR_LANES = 2048 };

bool race_later_begin(race_worker *rw) {
    race_later *later = &rw->later;
    later->count = later->lanes_count = 0;
    later->full = later->any_written = later->last_written = later->judged = 0;
    if (later->items == NULL)
        later->items = malloc(ROOM * sizeof *later->items);
    if (later->lanes == NULL)
        later->lanes = malloc(ROOM_FOR_LANES * sizeof *later->lanes);
    if (later->room_for_granules < rw->shared_granules) {
        free(later->read);
        free(later->written);
        free(later->stored);
        later->stored = calloc(rw->shared_granules, sizeof *later->stored);
        later->read = calloc(rw->shared_granules, sizeof *later->read);
        later->written = calloc(rw->shared_granules, sizeof *later->written);
        later->room_for_granules = rw->shared_granules;
    }
    return later->items != NULL && later->lanes != NULL &&
           (rw->shared_granules == 0 ||
            (later->read != NULL && later->written != NULL && later->stored != NULL));
}

void race_later_free(race_worker *rw) {
    free(rw->later.items);
    free(rw->later.lanes);
    free(rw->later.read);
    free(rw->later.written);
    free(rw->later.stored);
    rw->later = (race_later){0};
}

/* Where the halves begin; out of bounds stays out of bounds. */
static inline vg_noted read_of(const vg_access *a) {
    const uint64_t first = a->at[0], second = a->at[VG_LANES / 2];
    return (vg_noted){.op = a->op,
                      .at = {first > UINT32_MAX ? UINT32_MAX : (uint32_t)first,
                             second > UINT32_MAX ? UINT32_MAX : (uint32_t)second},
                      .warp = (uint8_t)a->warp->index,
                      .halves = (uint8_t)a->halves};
}

/* The granule of each active lane; false: some lane's bytes have none, or two. */
static inline bool granules_of_lanes(const race_worker *rw, const vg_access *a,
                                     uint32_t granule[VG_LANES]) {
    const uint32_t size = a->size, low = (size & (size - 1)) == 0 ? size - 1 : 0;
    for (uint32_t k = 0; k < VG_LANES; k++) { /* lanes that are off repeat another */
        uint32_t last;
        if ((low != 0 ? a->at[k] & low : a->at[k] % size) != 0 ||
            !race_granules_of(rw, a->at[k], a->size, &granule[k], &last) || last != granule[k])
            return false;
    }
    return true;
}

static bool put_down(race_worker *rw, const vg_noted *read, uint32_t mask, uint32_t lanes) {
    race_later *later = &rw->later;
    if (later->count == ROOM) {
        later->full = rw->floor;
        return false;
    }
    later->items[later->count++] =
        (race_later_item){.read = *read, .now = rw->now, .mask = mask, .lanes = lanes};
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
    vg_noted read = read_of(a);
    read.halves = VG_HALVES_ANY;
    if (later->lanes_count == ROOM_FOR_LANES || !put_down(rw, &read, a->mask, later->lanes_count)) {
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

static bool put_down_halves(race_worker *rw, const vg_noted *read, const race_stretch *s) {
    race_later *later = &rw->later;
    const uint32_t floor = rw->floor;
    for (int i = 0; i < s->count; i++)
        for (uint32_t g = s->first[i]; g <= s->last[i]; g++)
            if (later->written[g] == floor)
                return false;
    if (!put_down(rw, read, VG_ALL_LANES, 0))
        return false;
    for (int i = 0; i < s->count; i++)
        for (uint32_t g = s->first[i]; g <= s->last[i]; g++)
            later->read[g] = floor;
    return true;
}

static inline bool puts_off(const race_worker *rw) {
    return rw->later.any_written != rw->floor && rw->later.full != rw->floor;
}

bool race_later_halves(race_worker *rw, const vg_noted *read) {
    race_stretch s;
    return puts_off(rw) && race_stretches(rw, read, read->op->bytes, &s) &&
           put_down_halves(rw, read, &s);
}

bool race_later_read(race_worker *rw, const vg_access *a) {
    const vg_noted read = read_of(a);
    race_stretch s;
    if (!puts_off(rw))
        return false;
    return race_stretches(rw, &read, a->size, &s) ? put_down_halves(rw, &read, &s)
                                                  : put_down_lanes(rw, a);
}

bool race_later_is_due(race_worker *rw, const vg_access *a, bool writes) {
    race_later *later = &rw->later;
    const uint32_t floor = rw->floor;
    uint32_t granule[VG_LANES];
    race_stretch s;
    bool due = false;
    if (!writes)
        return later->count > 0;
    const vg_noted place = read_of(a);
    later->last_written = floor;
    if (race_stretches(rw, &place, a->size, &s)) {
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

/* Hands a read to judge, at the time at hand. places: of the lanes, where halves do not tell. */
static void hand_over(race_worker *rw, const block *b, const vg_noted *read, uint32_t mask,
                      const uint32_t *places, void (*judge)(race_checker *c, const vg_passed *p)) {
    const uint32_t half = VG_LANES / 2, size = read->op->bytes;
    const uint32_t step = read->halves == VG_HALVES_ONE ? 0 : size;
    const uint32_t apart = read->at[1] - read->at[0];
    uint64_t at[VG_LANES];
    for (uint32_t k = 0; k < VG_LANES; k++)
        at[k] = read->halves == VG_HALVES_ANY ? places[k]
                                              : read->at[k / half] + k % half * (uint64_t)step;
    const vg_access a = {.warp = &b->warps[read->warp],
                         .op = read->op,
                         .kind = read->op->plain == rw->checker->store_word ? VG_WRITE : VG_READ,
                         .space = PS_SHARED,
                         .mask = mask,
                         .size = size,
                         .pattern = read->halves == VG_HALVES_ANY || apart != half * step
                                        ? VG_PATTERN_ANY
                                    : step == 0 ? VG_PATTERN_ONE
                                                : VG_PATTERN_NEIGHBOURS,
                         .halves = (enum vg_halves)read->halves,
                         .at = at};
    vg_shape shape;
    rw->checker->runs->chains(at, size, &shape);
    const uint32_t both = mask & mask >> 1;
    const vg_passed p = {
        .access = &a, .runs = {.mask = mask, .same = shape.same & both, .next = shape.next & both}};
    judge(rw->checker, &p);
}

void race_later_tell(race_worker *rw, const block *b, const vg_noted *read,
                     void (*judge)(race_checker *c, const vg_passed *p)) {
    hand_over(rw, b, read, VG_ALL_LANES, NULL, judge);
}

void race_later_judge(race_worker *rw, const block *b,
                      void (*judge)(race_checker *c, const vg_passed *p)) {
    race_later *later = &rw->later;
    const uint32_t now = rw->now, count = later->count;
    later->count = later->lanes_count = 0;
    for (uint32_t i = 0; i < count; i++) {
        const race_later_item *it = &later->items[i];
        rw->now = it->now;
        hand_over(rw, b, &it->read, it->mask, later->lanes[it->lanes], judge);
    }
    rw->now = now;
}
