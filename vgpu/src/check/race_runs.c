/*
 * race_runs.c: up to 16 words of a granule at once,
 * for what nearly every access of a correct kernel
 * is: reading words that nobody else has written since the last barrier, writing words that nobody
 * else has touched since. Everything else is refused, and race_unit.c looks at each word.
 *
 * Compiled once for each instruction set (check.mk): all 16 words are computed, without branches,
 * and those outside the run keep what they had.
 */
#include "vgpu/src/check/race.h"
#include "vgpu/src/core/optable.h"

#if defined(__AVX512F__)
#include <immintrin.h>
#endif

/* The rules are race_unit.c's join_readers, as selections. */
static bool read_run(granule *g, uint32_t i, uint32_t n, uint32_t who, uint32_t step,
                     const race_worker *rw) {
    const uint32_t now = rw->now, floor = rw->floor;
    const uint32_t warp = who_warp(who), warp_floor = rw->warp_floor[warp];
    uint32_t refuse = 0, open = 0; /* words that another warp's read would still change */
    VG_LANE_LOOP
    for (uint32_t k = 0; k < 16; k++) {
        const uint32_t in = k - i < n ? ~0u : 0;
        const uint32_t recent = g->ws[k] >= floor ? ~0u : 0, w = g->w[k];
        const uint32_t others = ((w ^ (who + (k - i) * step)) & WHO_THREAD) | (w == WHO_LISTED);
        const uint32_t atomic = (g->r1[k] >> WHO_CLASS_SHIFT & 3) == RACE_ATOMIC ? ~0u : 0;
        refuse |= in & ((recent & others) | atomic);
        open |= recent;
    }
    if (refuse != 0)
        return false;
    VG_LANE_LOOP
    for (uint32_t k = 0; k < 16; k++) {
        const uint32_t r1 = g->r1[k], r2 = g->r2[k], rs = g->rs[k];
        const uint32_t me = who + (k - i) * step;
        const uint32_t in = k - i < n;
        const uint32_t mine = ((r1 >> 5 ^ warp) & 31) == 0;
        const uint32_t one_warp = (r2 == 0) | (((r1 ^ r2) >> 5 & 31) == 0);
        const uint32_t fresh = (rs < floor) | (r1 == 0) | (one_warp & mine & (rs < warp_floor));
        const uint32_t same_thread = ((r1 ^ me) & WHO_THREAD) == 0;
        const uint32_t second =
            (fresh ^ 1) & one_warp & ((mine ^ 1) | (r2 == 0)) & (same_thread ^ 1);
        const uint32_t renew = fresh | second | (same_thread & (r2 == 0));
        g->r1[k] = (in & fresh) != 0 ? me : r1;
        g->r2[k] = (in & fresh) != 0 ? 0 : (in & second) != 0 ? me : r2;
        g->rs[k] = (in & renew) != 0 ? now : rs;
        open |= fresh | one_warp;
    }
    if (n == 16 && open == 0)
        g->settled = now;
    return true;
}

static bool write_run(granule *g, uint32_t i, uint32_t n, uint32_t who, uint32_t step,
                      const race_worker *rw, bool history) {
    const uint32_t now = rw->now, floor = rw->floor;
    const uint32_t keep = history ? ~0u : 0;
    uint32_t refuse = 0;
    VG_LANE_LOOP
    for (uint32_t k = 0; k < 16; k++) {
        const uint32_t in = k - i < n ? ~0u : 0;
        const uint32_t r1 = g->r1[k];
        const uint32_t written = g->ws[k] >= floor ? ~0u : 0;
        const uint32_t read = g->rs[k] >= floor ? ~0u : 0;
        const uint32_t others = ((r1 ^ (who + (k - i) * step)) & WHO_THREAD) | g->r2[k] |
                                ((r1 >> WHO_CLASS_SHIFT & 3) ^ RACE_READ);
        refuse |= in & (written | (read & others) | (g->w[k] & keep));
    }
    if (refuse != 0)
        return false;
    VG_LANE_LOOP
    for (uint32_t k = 0; k < 16; k++) {
        const uint32_t in = k - i < n;
        const uint32_t me = who + (k - i) * step;
        g->w[k] = in != 0 ? me : g->w[k];
        g->ws[k] = in != 0 ? now : g->ws[k];
        g->rs[k] = ((in != 0) & (g->rs[k] >= floor)) ? 0 : g->rs[k];
    }
    g->varied &= ~(((UINT64_C(1) << n) - 1) << i);
    return true;
}

#if defined(__AVX512F__)
/* Compilers build such masks bit by bit; the processor has them in one instruction. */
static void compare_neighbours(const uint64_t *at, uint64_t size, uint32_t *same, uint32_t *next) {
    const __m512i apart = _mm512_set1_epi64((long long)size);
    for (uint32_t k = 0; k < VG_LANES; k += 8) {
        const __mmask8 lanes = k + 8 < VG_LANES ? 0xFF : 0x7F; /* the last lane has no neighbour */
        const __m512i here = _mm512_loadu_si512(at + k);
        const __m512i step = _mm512_sub_epi64(_mm512_maskz_loadu_epi64(lanes, at + k + 1), here);
        *same |= (uint32_t)_mm512_mask_testn_epi64_mask(lanes, step, step) << k;
        *next |= (uint32_t)_mm512_mask_cmpeq_epi64_mask(lanes, step, apart) << k;
    }
}
#else
static void compare_neighbours(const uint64_t *at, uint64_t size, uint32_t *same, uint32_t *next) {
    VG_LANE_LOOP
    for (uint32_t k = 0; k < VG_LANES - 1; k++) {
        const uint64_t step = at[k + 1] - at[k];
        *same |= (uint32_t)(step == 0) << k;
        *next |= (uint32_t)(step == size) << k;
    }
}
#endif

static void shape(const uint64_t *at, uint64_t size, vg_shape *out) {
    uint64_t low = at[0], high = at[0];
    uint32_t same = 0, next = 0;
    VG_LANE_LOOP
    for (uint32_t k = 0; k < VG_LANES; k++) {
        low = at[k] < low ? at[k] : low;
        high = at[k] > high ? at[k] : high;
    }
    compare_neighbours(at, size, &same, &next);
    *out = (vg_shape){same, next, low, high};
}

static void chains(const uint64_t *at, uint64_t size, vg_shape *out) {
    uint32_t same = 0, next = 0;
    compare_neighbours(at, size, &same, &next);
    out->same = same;
    out->next = next;
}

static bool within(const uint64_t *at, uint64_t begin, uint64_t reach) {
    uint32_t outside = 0;
    VG_LANE_LOOP
    for (uint32_t k = 0; k < VG_LANES; k++)
        outside |= at[k] - begin > reach;
    return outside == 0;
}

const race_runs VG_ISA_NAME(race_runs) = {read_run, write_run, shape, chains, within};
