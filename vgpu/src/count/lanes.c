/* lanes.c: see lanes.h. Compiled with VG_ISA = base, avx2 or avx512. */
#include "vgpu/src/count/lanes.h"
#include "vgpu/src/core/optable.h"
#include "vgpu/src/count/access.h"

#include <string.h>

enum { SLOTS = 64 };

/* Any 32 sectors, in any order: a hash set. */
static uint32_t distinct_of_any(const int64_t *s) {
    int64_t set[SLOTS];
    uint64_t used = 0;
    uint32_t count = 0;
    for (int i = 0; i < VG_LANES; i++) {
        uint64_t slot = (uint64_t)s[i] * UINT64_C(0x9E3779B97F4A7C15) >> 58;
        while ((used >> slot & 1) != 0 && set[slot] != s[i])
            slot = (slot + 1) % SLOTS;
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
    for (int i = 0; i < VG_LANES; i++)
        bits |= UINT64_C(1) << (s[i] - low);
    return (uint32_t)__builtin_popcountll(bits);
}

static uint32_t sectors(const uint64_t *at) {
    int64_t s[VG_LANES + 1]; /* one before the first, so that every lane has a predecessor */
    VG_LANE_LOOP
    for (int i = 0; i < VG_LANES; i++)
        s[i + 1] = (int64_t)(at[i] >> 5);
    s[0] = s[1];
    int64_t changes = 0, descents = 0;
    VG_LANE_LOOP
    for (int i = 0; i < VG_LANES; i++) {
        changes += s[i + 1] != s[i];
        descents += s[i + 1] < s[i];
    }
    if (descents == 0)
        return 1 + (uint32_t)changes; /* addresses go up from lane to lane: nearly always so */
    int64_t low = s[0], high = s[0];
    VG_LANE_LOOP
    for (int i = 1; i <= VG_LANES; i++) {
        low = s[i] < low ? s[i] : low;
        high = s[i] > high ? s[i] : high;
    }
    return high - low < 64 ? distinct_of_near(s + 1, low) : distinct_of_any(s + 1);
}

static inline bool same_shape(const uint64_t *at, const uint64_t *apart) {
    uint64_t astray = 0;
    const uint64_t start = at[0];
    VG_LANE_LOOP
    for (int i = 0; i < VG_LANES; i++)
        astray |= (at[i] - start) ^ apart[i];
    return astray == 0;
}

/* ---- counting an access ---- */

/* True when m knows the shape of this access; if not, it does now, but no cost of it. */
static inline bool known_shape(const vg_access *a, enum place place, memo *m) {
    if (m->mask == a->mask && m->place == place && same_shape(a->at, m->apart))
        return true;
    m->mask = a->mask;
    m->place = place;
    for (int i = 0; i < VG_LANES; i++)
        m->apart[i] = a->at[i] - a->at[0];
    return false;
}

/* Words lie on word boundaries, so eight places in a sector are all there are. */
static inline uint32_t sectors_of(const vg_access *a, memo *m) {
    if (a->size < 4)
        return sectors(a->at);
    if (!known_shape(a, IN_GLOBAL, m))
        memset(m->sectors, 0, sizeof m->sectors);
    uint8_t *n = &m->sectors[a->at[0] / 4 % 8];
    if (*n == 0)
        *n = (uint8_t)sectors(a->at);
    return *n;
}

/* Neighbours touch 4 sectors for 128 bytes, or 5. More than 8, by 16 lanes, is scattered. */
enum { SCATTERED_BYTES = 16, SCATTERED_LEAST = 64 };

static inline void count_global(const vg_access *a, tally *t, memo *m, uint64_t bytes) {
    switch (a->pattern) {
    case VG_PATTERN_ONE: t->units++; break;
    case VG_PATTERN_NEIGHBOURS:
        t->units += ((a->at[0] + (uint64_t)a->size * VG_LANES - 1) >> 5) - (a->at[0] >> 5) + 1;
        break;
    default: {
        const uint32_t n = sectors_of(a, m);
        t->units += n;
        t->scattered +=
            bytes >= SCATTERED_LEAST && (uint64_t)n * SCATTERED_BYTES > bytes ? bytes : 0;
    }
    }
}

static inline void count_shared(const vg_access *a, tally *t, memo *m) {
    if (a->pattern != VG_PATTERN_ANY) { /* a broadcast takes one pass, neighbours never collide */
        const uint32_t words = a->size <= 4 ? 1 : a->size / 4;
        t->units += a->pattern == VG_PATTERN_ONE ? 1 : words;
        t->words += a->pattern == VG_PATTERN_ONE ? words : (uint64_t)a->size * VG_LANES / 4;
        return;
    }
    if (a->size < 4 || !known_shape(a, IN_SHARED, m))
        m->cost = vg_bank_cost_of(a->at, a->mask, a->size);
    t->units += m->cost.wavefronts;
    t->conflicts += m->cost.conflicts;
    t->words += m->cost.words;
}

/* All lanes are at one place, the one where this instruction was before. */
static bool stays(const vg_access *a, tally *t) {
    uint64_t apart = 0;
    const uint64_t at = a->at[__builtin_ctz(a->mask)];
    const uint64_t before = t->last;
    for (uint32_t m = a->mask; m != 0 && a->pattern != VG_PATTERN_ONE; m &= m - 1)
        apart |= a->at[__builtin_ctz(m)] ^ at;
    t->last = at + 1;
    return apart == 0 && (before == 0 || before == at + 1);
}

/* Each thread has its own local memory: the same index is the same address, in all lanes and each
 * time. An index that the compiler knows has its own instruction, and that stays; where an
 * instruction does not, the index is known only as the kernel runs. Each block begins anew, since
 * how many blocks one worker runs depends on the machine. */
static bool is_pinned(const vg_access *a, tally *t) {
    const uint64_t block = a->warp->block->linear + 1;
    t->last = t->block == block ? t->last : 0;
    t->block = block;
    return !stays(a, t) || (a->op->ptx != NULL && a->op->ptx->order == ORDER_VOLATILE);
}

/* What part of its thread's local memory an instruction works on. */
static void widen(const vg_access *a, tally *t) {
    for (uint32_t m = a->mask; m != 0; m = a->pattern == VG_PATTERN_ONE ? 0 : m & (m - 1)) {
        const uint64_t at = a->at[__builtin_ctz(m)];
        t->low = t->high == 0 || at < t->low ? at : t->low;
        t->high = at + a->size > t->high ? at + a->size : t->high;
    }
}

static void count_elsewhere(const vg_access *a, spot *s, enum place place, uint64_t bytes) {
    tally *t = &s->tally[place];
    if (place == IN_LOCAL)
        widen(a, t);
    t->pinned += place == IN_LOCAL && is_pinned(a, t) ? bytes : 0;
    /* a size or a factor stays */
    t->moving += place == IN_CONST && !stays(a, t) ? bytes : 0;
    t->units += place == IN_LOCAL              ? vg_local_sectors(a->at, a->mask, a->size)
                : a->pattern == VG_PATTERN_ONE ? 1
                                               : vg_distinct_words(a->at, a->mask);
}

static void count_access(void *self, const vg_access *a) {
    share *mine = &((const counting *)self)->shares[a->warp->worker->id];
    if (a->kind == VG_ASYNC_END) { /* the rest was counted where the copy began */
        vg_copies_end(&mine->copies, a);
        return;
    }
    if (a->kind == VG_ASYNC_BEGIN)
        vg_copies_begin(&mine->copies, a);
    if (mine->spots == NULL || a->op->access == VG_FETCH || a->space == PS_PARAM)
        return; /* parameters are not counted, whatever the way they are read */
    spot *s = &mine->spots[a->op - mine->ops];
    const enum place place = a->space == PS_GLOBAL   ? IN_GLOBAL
                             : a->space == PS_SHARED ? IN_SHARED
                             : a->space == PS_LOCAL  ? IN_LOCAL
                                                     : IN_CONST;
    tally *t = &s->tally[place];
    const uint64_t bytes =
        (a->mask == VG_ALL_LANES ? VG_LANES : (uint32_t)__builtin_popcount(a->mask)) *
        (uint64_t)a->size;
    t->requests++;
    t->bytes += bytes;
    mine->loads[a->warp->index] +=
        a->op->access == VG_READ && (place == IN_GLOBAL || place == IN_SHARED);
    t->overlapped += a->warp->block->copying > 0 ? bytes : 0;
    t->kind = (enum vg_access_kind)a->op->access;
    if (place == IN_SHARED && a->kind == VG_READ)
        t->brought += vg_copies_load(&mine->copies, a, bytes);
    else if (place == IN_SHARED && mine->copies.any && a->kind != VG_ASYNC_BEGIN)
        vg_copies_store(&mine->copies, a);
    if (place == IN_GLOBAL)
        count_global(a, t, &s->memo, bytes);
    else if (place == IN_SHARED)
        count_shared(a, t, &s->memo);
    else
        count_elsewhere(a, s, place, bytes);
}

const vg_lane_math VG_ISA_NAME(vg_lane_math) = {count_access, sectors, same_shape};
