/*
 * race_runs.c: up to 16 words of a granule at once, for what nearly every access of a correct kernel
 * is: reading words that nobody has written since the last barrier, writing words that nobody has
 * touched since. Everything else is refused, and race_unit.c looks at each word.
 *
 * Compiled once for each instruction set (check.mk): all 16 words are computed, without branches,
 * and those outside the run keep what they had.
 */
#include "vgpu/src/check/race.h"
#include "vgpu/src/core/optable.h"

/* The rules are race_unit.c's join_readers, as selections. */
static bool read_run(granule *g, uint32_t i, uint32_t n, uint32_t who, uint32_t step, const race_worker *rw) {
    const uint32_t now = rw->now, floor = rw->floor;
    const uint32_t warp = who_warp(who), warp_floor = rw->warp_floor[warp];
    uint32_t refuse = 0;
    VG_LANE_LOOP
    for (uint32_t k = 0; k < 16; k++) {
        const uint32_t in = k - i < n ? ~0u : 0;
        const uint32_t written = g->ws[k] >= floor ? ~0u : 0;
        const uint32_t atomic = (g->r1[k] >> WHO_CLASS_SHIFT & 3) == RACE_ATOMIC ? ~0u : 0;
        refuse |= in & (written | atomic);
    }
    if (refuse != 0) {
        return false;
    }
    VG_LANE_LOOP
    for (uint32_t k = 0; k < 16; k++) {
        const uint32_t r1 = g->r1[k], r2 = g->r2[k], rs = g->rs[k];
        const uint32_t me = who + (k - i) * step;
        const uint32_t in = k - i < n;
        const uint32_t mine = ((r1 >> 5 ^ warp) & 31) == 0;
        const uint32_t one_warp = (r2 == 0) | (((r1 ^ r2) >> 5 & 31) == 0);
        const uint32_t fresh = (rs < floor) | (r1 == 0) | (one_warp & mine & (rs < warp_floor));
        const uint32_t same_thread = ((r1 ^ me) & WHO_THREAD) == 0;
        const uint32_t second = (fresh ^ 1) & one_warp & ((mine ^ 1) | (r2 == 0)) & (same_thread ^ 1);
        const uint32_t renew = fresh | second | (same_thread & (r2 == 0));
        g->r1[k] = (in & fresh) != 0 ? me : r1;
        g->r2[k] = (in & fresh) != 0 ? 0 : (in & second) != 0 ? me : r2;
        g->rs[k] = (in & renew) != 0 ? now : rs;
    }
    return true;
}

static bool write_run(granule *g, uint32_t i, uint32_t n, uint32_t who, uint32_t step, const race_worker *rw,
                      bool history) {
    const uint32_t now = rw->now, floor = rw->floor;
    const uint32_t keep = history ? ~0u : 0;
    uint32_t refuse = 0;
    VG_LANE_LOOP
    for (uint32_t k = 0; k < 16; k++) {
        const uint32_t in = k - i < n ? ~0u : 0;
        const uint32_t recent = (g->ws[k] >= floor) | (g->rs[k] >= floor) ? ~0u : 0;
        refuse |= in & (recent | (g->w[k] & keep));
    }
    if (refuse != 0) {
        return false;
    }
    VG_LANE_LOOP
    for (uint32_t k = 0; k < 16; k++) {
        const uint32_t in = k - i < n;
        const uint32_t me = who + (k - i) * step;
        g->w[k] = in != 0 ? me : g->w[k];
        g->ws[k] = in != 0 ? now : g->ws[k];
    }
    g->varied &= ~(((UINT64_C(1) << n) - 1) << i);
    return true;
}

static void shape(const uint64_t *at, uint64_t size, uint32_t *same, uint32_t *next) {
    uint32_t s = 0, n = 0;
    VG_LANE_LOOP
    for (uint32_t k = 0; k < VG_LANES - 1; k++) {
        const uint64_t step = at[k + 1] - at[k];
        s |= (uint32_t)(step == 0) << k;
        n |= (uint32_t)(step == size) << k;
    }
    *same = s;
    *next = n;
}

const race_runs VG_ISA_NAME(race_runs) = {read_run, write_run, shape};
