/* lanes.c: see lanes.h. Compiled with VG_ISA = base, avx2 or avx512. */
#include "vgpu/src/count/lanes.h"
#include "vgpu/src/core/optable.h"

enum { SLOTS = 64 };

/* Any 32 sectors, in any order: a hash set. */
static uint32_t distinct_of_any(const int64_t *s) {
    int64_t set[SLOTS];
    uint64_t used = 0;
    uint32_t count = 0;
    for (int i = 0; i < VG_LANES; i++) {
        uint64_t slot = (uint64_t)s[i] * UINT64_C(0x9E3779B97F4A7C15) >> 58;
        while ((used >> slot & 1) != 0 && set[slot] != s[i]) {
            slot = (slot + 1) % SLOTS;
        }
        if ((used >> slot & 1) == 0) {
            used |= UINT64_C(1) << slot;
            set[slot] = s[i];
            count++;
        }
    }
    return count;
}

/* Sectors that lie close together: a bit for each. */
static uint32_t distinct_of_near(const int64_t *s, int64_t low) {
    uint64_t bits = 0;
    VG_LANE_LOOP
    for (int i = 0; i < VG_LANES; i++) {
        bits |= UINT64_C(1) << (s[i] - low);
    }
    return (uint32_t)__builtin_popcountll(bits);
}

static uint32_t sectors(const uint64_t *at) {
    int64_t s[VG_LANES + 1]; /* one before the first, so that every lane has a predecessor */
    VG_LANE_LOOP
    for (int i = 0; i < VG_LANES; i++) {
        s[i + 1] = (int64_t)(at[i] >> 5);
    }
    s[0] = s[1];
    int64_t changes = 0, descents = 0;
    VG_LANE_LOOP
    for (int i = 0; i < VG_LANES; i++) {
        changes += s[i + 1] != s[i];
        descents += s[i + 1] < s[i];
    }
    if (descents == 0) {
        return 1 + (uint32_t)changes; /* addresses go up from lane to lane: nearly always so */
    }
    int64_t low = s[0], high = s[0];
    VG_LANE_LOOP
    for (int i = 1; i <= VG_LANES; i++) {
        low = s[i] < low ? s[i] : low;
        high = s[i] > high ? s[i] : high;
    }
    return high - low < 64 ? distinct_of_near(s + 1, low) : distinct_of_any(s + 1);
}

static bool same_shape(const uint64_t *at, const uint64_t *apart) {
    uint64_t astray = 0;
    const uint64_t start = at[0];
    VG_LANE_LOOP
    for (int i = 0; i < VG_LANES; i++) {
        astray |= (at[i] - start) ^ apart[i];
    }
    return astray == 0;
}

const vg_lane_math VG_ISA_NAME(vg_lane_math) = {sectors, same_shape};
