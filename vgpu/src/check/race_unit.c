/*
 * race_unit.c: one word (or byte) and one new access to it: does anything remembered race with it,
 * and what is to be remembered from now on? The rules of the two remembered readers are drawn in
 * race.h; that two suffice is what the random programs of race_test.c compare with full lists.
 *
 * Forgetting is safe where the new access stands in for the old one: whatever later races with the
 * old access, which is ordered before the new one, races with the new one as well.
 */
#include "vgpu/src/check/race.h"

#include <string.h>

/* Of these lanes of the scene's warp, one that is not `thread`: its who; 0 if there is none. */
static uint32_t another(const race_scene *s, uint32_t lanes, uint32_t thread) {
    if (thread >> 5 == s->warp)
        lanes &= ~(1u << (thread & 31));
    return lanes == 0 ? 0 : s->who | (uint32_t)__builtin_ctz(lanes);
}

/* Nothing orders an access stamped so, by that warp,
 * before the scene's (but its being one thread's own). */
static inline bool concurrent(const race_scene *s, uint32_t warp, uint32_t stamp) {
    const race_worker *rw = s->rw;
    return stamp >= rw->floor && !(warp == s->warp && stamp < rw->warp_floor[warp]);
}

static void check_last_write(race_scene *s, const units *u, uint32_t i, uint32_t lanes,
                             bool same_value) {
    const uint32_t w = u->w[i];
    if (w == 0 || !concurrent(s, who_warp(w), u->ws[i]))
        return;
    const uint32_t me = another(s, lanes, who_thread(w));
    if (me != 0)
        race_note(s, w, me, 1u << u->unit_shift, same_value);
}

/* A write against the readers (or atomics) since the last write. */
static void check_readers(race_scene *s, const units *u, uint32_t i, uint32_t me) {
    const uint32_t r1 = u->r1[i], r2 = u->r2[i];
    uint32_t racer = 0;
    if (r1 == 0 || u->rs[i] < s->rw->floor)
        return;
    if (r2 != 0 && who_warp(r1) != who_warp(r2))
        racer = who_warp(r1) != s->warp ? r1 : r2; /* the stamp is not about each of them */
    else if (concurrent(s, who_warp(r1), u->rs[i]))
        racer = who_thread(r1) != who_thread(me) ? r1 : r2;
    if (racer != 0)
        race_note(s, racer, me, 1u << u->unit_shift, false);
}

static void note_write(race_scene *s, const units *u, uint32_t i, uint32_t lanes,
                       const uint8_t *value) {
    const race_worker *rw = s->rw;
    const uint64_t bit = UINT64_C(1) << i;
    const uint32_t bytes = 1u << u->unit_shift;
    uint8_t *image = u->image + ((size_t)i << u->unit_shift);
    const bool recent = u->w[i] != 0 && u->ws[i] >= rw->floor;
    const bool same = u->w[i] != 0 && value != NULL && memcmp(image, value, bytes) == 0;
    const uint32_t me = s->who | (uint32_t)__builtin_ctz(lanes);
    check_last_write(s, u, i, lanes, same && (*u->varied & bit) == 0);
    check_readers(s, u, i, me);
    if (value == NULL || (!same && u->w[i] != 0))
        *u->mixed |= bit;
    if (value == NULL || (!same && recent))
        *u->varied |= bit;
    else if (!recent)
        *u->varied &= ~bit;
    if (value != NULL)
        memcpy(image, value, bytes);
    u->w[i] = me;
    u->ws[i] = rw->now;
    u->rs[i] = 0;
}

/* A read or an atomic joins the remembered ones of its class. */
static void join_readers(race_scene *s, const units *u, uint32_t i, uint32_t lanes) {
    const race_worker *rw = s->rw;
    const uint32_t first = s->who | (uint32_t)__builtin_ctz(lanes);
    const uint32_t rest = lanes & (lanes - 1);
    const uint32_t second = rest == 0 ? 0 : s->who | (uint32_t)__builtin_ctz(rest);
    const uint32_t r1 = u->r1[i], r2 = u->r2[i];
    const bool one_warp = r2 == 0 || who_warp(r2) == who_warp(r1);
    const bool mine = who_warp(r1) == s->warp;
    if (r1 == 0 || u->rs[i] < rw->floor ||
        (one_warp && mine && u->rs[i] < rw->warp_floor[s->warp])) {
        u->r1[i] = first; /* what was there is ordered before this */
        u->r2[i] = second;
        u->rs[i] = rw->now;
    } else if (one_warp && !mine) {
        u->r2[i] = first;
        u->rs[i] = rw->now;
    } else if (r2 == 0) {
        u->r2[i] = who_thread(r1) != who_thread(first) ? first : second;
        u->rs[i] = rw->now;
    }
}

void race_unit(race_scene *s, const units *u, uint32_t i, uint32_t lanes, const uint8_t *value) {
    race_worker *rw = s->rw;
    const enum race_class class = who_class(s->who);
    if (u->w[i] == WHO_LISTED && u->r2[i] < rw->floor) /* shared memory, before the last barrier */
        u->w[i] = u->ws[i] = u->r1[i] = u->r2[i] = u->rs[i] = 0;
    const bool other_class = u->r1[i] != 0 && class != RACE_WRITE && who_class(u->r1[i]) != class;
    if (u->w[i] != WHO_LISTED && other_class && s->region == NULL && u->rs[i] < rw->floor)
        u->r1[i] = u->r2[i] = 0;
    else if (u->w[i] != WHO_LISTED && (other_class || rw->checker->exact))
        race_exact_list(rw, u, i, s->region != NULL);
    if (u->w[i] == WHO_LISTED) {
        race_exact_touch(s, u, i, lanes, value);
    } else if (class == RACE_WRITE) {
        note_write(s, u, i, lanes, value);
    } else {
        check_last_write(s, u, i, lanes, false);
        join_readers(s, u, i, lanes);
    }
}
