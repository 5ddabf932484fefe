/*
 * lane_shape.h: how the lanes' addresses of an access lie, told with the processor's vectors, and
 * where their bytes are. For files that are compiled once for each instruction set (flags.mk).
 */
#pragma once

#include "vgpu/src/core/observe.h"

#include <string.h>

#if defined(__AVX2__)
#include <immintrin.h>
#endif

enum { HALF = VG_LANES / 2, HALF_ROW = VG_ROW32 / 2 };

/* Some lanes' addresses, as many as one of the processor's vectors holds. Wider types would work,
 * too: compilers then keep them in memory, in pieces, and the processor waits for each piece. */
#if defined(__AVX512F__)
enum { SOME = 8 };
#elif defined(__AVX2__)
enum { SOME = 4 };
#else
enum { SOME = 2 };
#endif
typedef uint64_t some_lanes __attribute__((vector_size(SOME * 8), aligned(SOME * 8)));

static const _Alignas(64) uint64_t lane_number[] = {0, 1, 2, 3, 4, 5, 6, 7};

/* All are 0. Compilers put them together one by one. */
static inline bool is_none(const some_lanes *v) {
#if defined(__AVX512F__)
    return _mm512_test_epi64_mask((__m512i)*v, (__m512i)*v) == 0;
#elif defined(__AVX2__)
    return _mm256_testz_si256((__m256i)*v, (__m256i)*v) != 0;
#else
    return ((*v)[0] | (*v)[1]) == 0;
#endif
}

/*
 * How a full warp's accesses lie in each of its halves: all at one address, or one after the other
 * in lane order. In blocks 16 wide the halves lie in different rows of a matrix, in wider ones the
 * second half goes on where the first ends. shift: of the bytes that each lane accesses. The first
 * two lanes tell which it can be; all others must do as they do.
 */
static inline enum vg_halves shape_of_halves(const uint64_t *base, int shift) {
    const uint64_t step = base[1] - base[0];
    if (step != 0 && step != UINT64_C(1) << shift)
        return VG_HALVES_ANY;
    const some_lanes *v = (const some_lanes *)(const void *)base; /* rows are aligned */
    const some_lanes ahead = (some_lanes){0} + step * SOME;
    const some_lanes lane = *(const some_lanes *)(const void *)lane_number;
    some_lanes low = (lane << shift) & ((some_lanes){0} - (step != 0)), astray = {0};
    some_lanes high = low + base[HALF];
    low += base[0];
    for (int i = 0; i < HALF / SOME; i++) {
        astray |= (v[i] ^ low) | (v[HALF / SOME + i] ^ high);
        low += ahead;
        high += ahead;
    }
    return !is_none(&astray) ? VG_HALVES_ANY : step == 0 ? VG_HALVES_ONE : VG_HALVES_NEIGHBOURS;
}

static inline bool covers(const range *r, uint64_t from, uint64_t to) {
    return from >= r->begin && to <= r->end && from < to;
}

static inline void *host(const range *r, uint64_t address) {
    return (void *)(uintptr_t)(address + (uint64_t)r->delta);
}

/* Loads a word into each lane, from where the two halves' first lanes have theirs. */
static inline void fill_halves(uint32_t *d, const uint8_t *low, const uint8_t *high,
                               enum vg_halves halves) {
    if (halves == VG_HALVES_NEIGHBOURS) {
        memcpy(d, low, HALF_ROW);
        memcpy(d + HALF, high, HALF_ROW);
        return;
    }
    const uint32_t one = *(const uint32_t *)(const void *)low,
                   other = *(const uint32_t *)(const void *)high;
    for (int i = 0; i < HALF; i++)
        d[i] = one;
    for (int i = HALF; i < VG_LANES; i++)
        d[i] = other;
}
