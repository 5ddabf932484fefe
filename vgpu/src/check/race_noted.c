/*
 * race_noted.c: accesses to shared memory that the executor notes, since the checkers permit it
 * (core/observe.h), and tells when something else happens: reads, and stores of words. Mostly that
 * is a barrier. If all since the last one is noted or put down (race_later.c), and no word that a
 * noted store writes is touched by another access, nothing has raced, and nothing is judged:
 *
 *     barrier | note write A, note read B …          barrier   words are compared
 *     barrier | note write A, note read A …          barrier   all are judged, in their order
 *
 * What comes of it is what judging each at once would give. Of words that are written a store's
 * values are noted, too, since a race of two equal values is told in other words.
 */
#include "vgpu/src/check/race_place.h"
#include "vgpu/src/core/train.h"

/* Words that a stretch, which begins at `at`, has in its first granule and those that follow. */
static inline uint64_t next_words(uint64_t *word, uint64_t *count) {
    const uint64_t first = *word % 16, n = *count < 16 - first ? *count : 16 - first;
    *word += n;
    *count -= n;
    return ((UINT64_C(1) << n) - 1) << first;
}

/* Compares an access with the stores that were noted; a store is one of them from now on. True: two
 * touch a word, or it is not known which words it touches. */
static bool clashes(race_worker *rw, const vg_noted *n) {
    race_later *later = &rw->later;
    const uint32_t size = n->op->bytes, bytes = n->halves == VG_HALVES_ONE ? size : 16 * size;
    race_stretch s;
    if (!race_stretches(rw, n, size, &s))
        return true;
    for (int i = 0; i < s.count; i++) {
        uint64_t word = n->at[i] / 4, count = (n->at[i] % 4 + bytes + 3) / 4;
        for (uint32_t g = s.first[i]; g <= s.last[i]; g++) {
            const uint64_t words = next_words(&word, &count);
            const bool known = later->stored[g] >> 16 == later->round;
            if (known && (later->stored[g] & words) != 0)
                return true;
            if (n->values == 0)
                continue;
            if (later->read[g] == rw->floor)
                return true;
            later->stored[g] = (known ? later->stored[g] : later->round << 16) | words;
        }
    }
    return false;
}

typedef struct comparison {
    race_worker *rw;
    bool stores; /* these come first, in whatever order they came */
    bool clash;
} comparison;

static void compare_noted(void *self, const vg_noted *n) {
    comparison *c = self;
    if (c->stores == (n->values != 0))
        c->clash = c->clash || clashes(c->rw, n);
}

static bool is_idle(race_worker *rw, const host_thread *wk) {
    race_later *later = &rw->later;
    comparison c = {.rw = rw, .stores = true};
    if (later->last_written == rw->floor)
        return false;
    if (wk->storing_warps == 0)
        return true;
    if (later->judged == rw->floor)
        return false;
    later->round++;
    vg_each_noted(wk, compare_noted, &c);
    c.stores = false;
    if (wk->reading_warps != 0 && !c.clash)
        vg_each_noted(wk, compare_noted, &c);
    return !c.clash;
}

/* The accesses of an instruction like this one may be noted, and told when something else happens;
 * unless somebody wants to know at once. */
static void permit_like(const race_worker *rw, const vg_access *a, vg_permit *permit) {
    permit->noted = true;
    if (rw->checker->notice != NULL) {
        permit->begin = permit->end = 0;
        return;
    }
    permit->begin = a->at[0] < rw->static_bytes ? 0 : VG_DYNAMIC_SHARED_OFFSET;
    permit->end = permit->begin == 0 ? rw->static_bytes : permit->begin + rw->dynamic_bytes;
}

/* Reads of shared memory, which are put off, and stores of words into it, which are judged now. */
bool race_on_glance(void *self, const vg_access *a, vg_permit *permit) {
    race_checker *c = self;
    const host_thread *wk = a->warp->worker;
    race_worker *rw = &c->workers[wk->id];
    const vg_noted read = {.op = a->op,
                           .at = {(uint32_t)a->at[0], (uint32_t)a->at[VG_LANES / 2]},
                           .warp = (uint8_t)a->warp->index,
                           .halves = (uint8_t)a->halves};
    const uint8_t class = c->class_of[a->op - wk->launch->program->ops];
    if (c->exact || race_locals_wants(c, a) || (a->at[0] | a->at[VG_LANES / 2]) > UINT32_MAX)
        return false;
    if (class == RACE_READ && race_later_halves(rw, &read))
        rw->read_shared[a->warp->index] = rw->now;
    else if (class == RACE_WRITE && a->op->plain == c->store_word &&
             a->halves == VG_HALVES_NEIGHBOURS)
        race_later_tell(rw, &wk->block, &read, race_on_shared);
    else
        return false;
    permit_like(rw, a, permit);
    return true;
}

static void tell_noted(void *self, const vg_noted *n) {
    race_worker *rw = self;
    const host_thread *wk = rw->running;
    if (n->values == 0 && race_later_halves(rw, n)) {
        rw->read_shared[n->warp] = rw->now;
        return;
    }
    rw->told = n->values != 0 ? wk->stored[n->values - 1] : NULL;
    race_later_tell(rw, &wk->block, n, race_on_shared);
    rw->told = NULL;
}

/* Accesses that a permit has put off. Before a barrier they can only have raced with each other and
 * with what else was done since the last one. */
void race_on_noted(void *self, host_thread *wk, bool before_barrier) {
    race_checker *c = self;
    race_worker *rw = &c->workers[wk->id];
    rw->running = wk;
    if (!before_barrier || !is_idle(rw, wk)) {
        vg_each_noted(wk, tell_noted, rw);
        return;
    }
    for (uint32_t m = wk->reading_warps; m != 0; m &= m - 1)
        rw->read_shared[__builtin_ctz(m)] = rw->now;
    for (uint32_t m = wk->storing_warps; m != 0; m &= m - 1)
        rw->stored_shared[__builtin_ctz(m)] = rw->now;
}
