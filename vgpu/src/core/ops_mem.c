/*
 * ops_mem.c: loads and stores of a warp, all spaces but local.
 *
 * Almost every access of a matrix kernel is one of two shapes, and each has its own path: 32
 * neighbouring elements (one memcpy) and one element for all lanes (one load, spread). Everything
 * else takes the general path: one check that the lowest and the highest address lie in one
 * allocation and that all are aligned, then 32 moves. Only when that fails does each lane get a
 * look of its own, which finds the lane to blame.
 *
 * The range that an instruction last touched is kept for each worker (worker->cache[slot]), so the
 * table of allocations is hardly ever searched.
 */
#include "vgpu/src/core/lane_shape.h"
#include "vgpu/src/core/observe.h"
#include "vgpu/src/core/optable.h"

#include <string.h>

/* Addresses of all lanes; lanes that are off repeat the first active lane's. Returns that lane. */
static inline int gather_addresses(const warp *w, const op *o, uint64_t *at) {
    const uint64_t *base = row64(w, o->a);
    const uint64_t offset = (uint64_t)o->imm;
    const int first = __builtin_ctz(w->mask);
    if (w->mask == VG_ALL_LANES) {
        VG_LANE_LOOP
        for (int i = 0; i < VG_LANES; i++)
            at[i] = base[i] + offset;
    } else {
        const uint64_t own = base[first] + offset;
        const int32_t *on = w->lanes;
        VG_LANE_LOOP
        for (int i = 0; i < VG_LANES; i++)
            at[i] = on[i] ? base[i] + offset : own;
    }
    return first;
}

/* Looks an address up in the tables. Kept out of line, like every path that is seldom taken: the
 * handlers' short paths then need no stack frame worth mentioning. */
static __attribute__((noinline)) bool look_up(warp *w, const op *o, int lane, uint64_t from,
                                              uint64_t to) {
    range found;
    if (!vg_resolve(w, o, lane, from, &found) || found.per_lane || !covers(&found, from, to))
        return false;
    w->worker->cache[o->slot] = found;
    return true;
}

/* True if [from, to) is valid for the op, with r telling where its bytes are. */
static inline bool find_range(warp *w, const op *o, int lane, uint64_t from, uint64_t to,
                              range *r) {
    const range *cached = &w->worker->cache[o->slot];
    if (!covers(cached, from, to) && !look_up(w, o, lane, from, to))
        return false;
    *r = *cached;
    return true;
}

/* Host pointers for the access of `size` bytes by every active lane. False: a fault is recorded. */
static bool lane_pointers_slow(warp *w, const op *o, const uint64_t *at, uint32_t size,
                               uint8_t **p) {
    range r = {.end = 0};
    int of = 0; /* the lane that r is about */
    for (int i = 0; i < VG_LANES; i++) {
        if (!(w->mask >> i & 1))
            continue;
        if (!covers(&r, at[i], at[i] + size)) {
            of = i;
            if (!vg_resolve(w, o, i, at[i], &r))
                r.end = 0;
        }
        if (at[i] % size != 0 || !covers(&r, at[i], at[i] + size)) {
            vg_bad_access(w, o, i, at[i], size);
            return false;
        }
        p[i] = (uint8_t *)(uintptr_t)(at[i] + (uint64_t)(r.delta + (i - of) * r.stride));
    }
    for (int i = 0; i < VG_LANES; i++)
        if (!(w->mask >> i & 1))
            p[i] = p[__builtin_ctz(w->mask)];
    return true;
}

static inline bool lane_pointers(warp *w, const op *o, const uint64_t *at, int first, uint32_t size,
                                 uint8_t **p) {
    int64_t low = (int64_t)at[0], high = (int64_t)at[0];
    uint64_t all = 0;
    VG_LANE_LOOP
    for (int i = 0; i < VG_LANES; i++) {
        low = (int64_t)at[i] < low ? (int64_t)at[i] : low;
        high = (int64_t)at[i] > high ? (int64_t)at[i] : high;
        all |= at[i];
    }
    range r;
    if ((all & (size - 1)) != 0 ||
        !find_range(w, o, first, (uint64_t)low, (uint64_t)high + size, &r))
        return lane_pointers_slow(w, o, at, size, p);
    VG_LANE_LOOP
    for (int i = 0; i < VG_LANES; i++)
        p[i] = (uint8_t *)(uintptr_t)(at[i] + (uint64_t)r.delta);
    return true;
}

/* Where the bytes [from, to) are; NULL: nowhere, or they need a closer look. */
static inline uint8_t *bytes_at(warp *w, const op *o, int lane, uint64_t from, uint64_t to) {
    const range *r = &w->worker->cache[o->slot];
    return covers(r, from, to) || look_up(w, o, lane, from, to) ? host(r, from) : NULL;
}

/* The lane that alone is active; false: it needs a closer look. */
static inline bool load_alone(warp *w, const op *o) {
    const int i = __builtin_ctz(w->mask);
    const uint64_t at = row64(w, o->a)[i] + (uint64_t)o->imm;
    const uint8_t *p = at % 4 == 0 ? bytes_at(w, o, i, at, at + 4) : NULL;
    if (p != NULL)
        row32(w, o->d)[i] = *(const uint32_t *)(const void *)p;
    return p != NULL;
}

static __attribute__((noinline)) const op *ld_b32_lanes(warp *w, const op *o) {
    uint64_t at[VG_LANES];
    uint8_t *p[VG_LANES];
    uint32_t *d = row32(w, o->d);
    const int first = gather_addresses(w, o, at);
    if (!lane_pointers(w, o, at, first, 4, p))
        return NULL;
    VG_EACH_LANE(w, d, *(const uint32_t *)(const void *)p[i]);
    return o + 1;
}

static inline const op *ld_b32_scattered(warp *w, const op *o) {
    return (w->mask & (w->mask - 1)) == 0 && load_alone(w, o) ? o + 1 : ld_b32_lanes(w, o);
}

/* A full warp's words, whose halves have a shape; false: they need a closer look. */
static inline __attribute__((always_inline)) bool load_halves(warp *w, const op *o,
                                                              enum vg_halves halves) {
    const uint64_t *base = row64(w, o->a);
    const uint64_t first = base[0] + (uint64_t)o->imm, second = base[HALF] + (uint64_t)o->imm;
    const uint64_t length = halves == VG_HALVES_ONE ? 4 : HALF_ROW;
    uint32_t *d = row32(w, o->d);
    const uint8_t *low, *high;
    if ((first | second) % 4 != 0 || (low = bytes_at(w, o, 0, first, first + length)) == NULL ||
        (high = bytes_at(w, o, HALF, second, second + length)) == NULL)
        return false;
    fill_halves(d, low, high, halves);
    return true;
}

/* One 4-byte element a lane: the instruction that matrix kernels are made of. */
static const op *ld_b32(warp *w, const op *o) {
    const enum vg_halves halves =
        w->mask == VG_ALL_LANES ? shape_of_halves(row64(w, o->a), 2) : VG_HALVES_ANY;
    if (halves != VG_HALVES_ANY && load_halves(w, o, halves))
        return o + 1;
    return ld_b32_scattered(w, o);
}

static __attribute__((noinline)) const op *st_b32_scattered(warp *w, const op *o) {
    uint64_t at[VG_LANES];
    uint8_t *p[VG_LANES];
    const uint32_t *s = row32(w, o->b);
    const int first = gather_addresses(w, o, at);
    if (!lane_pointers(w, o, at, first, 4, p))
        return NULL;
    for (uint32_t m = w->mask; m != 0; m &= m - 1) {
        int i = __builtin_ctz(m);
        *(uint32_t *)(void *)p[i] = s[i];
    }
    return o + 1;
}

/* As load_halves does, to neighbours. */
static inline bool store_halves(warp *w, const op *o) {
    const uint64_t *base = row64(w, o->a);
    const uint64_t first = base[0] + (uint64_t)o->imm, second = base[HALF] + (uint64_t)o->imm;
    const uint32_t *s = row32(w, o->b);
    uint8_t *low, *high;
    if ((first | second) % 4 != 0 || (low = bytes_at(w, o, 0, first, first + HALF_ROW)) == NULL ||
        (high = bytes_at(w, o, HALF, second, second + HALF_ROW)) == NULL)
        return false;
    memcpy(low, s, HALF_ROW);
    memcpy(high, s + HALF, HALF_ROW);
    return true;
}

static const op *st_b32(warp *w, const op *o) {
    if (w->mask == VG_ALL_LANES && shape_of_halves(row64(w, o->a), 2) == VG_HALVES_NEIGHBOURS &&
        store_halves(w, o))
        return o + 1;
    return st_b32_scattered(w, o);
}

/* Rows of a vector access, in memory order: d, b, c, e. */
static inline uint32_t row_of(const op *o, int element) {
    return element == 0 ? o->d : element == 1 ? o->b : element == 2 ? o->c : o->e;
}

/* A destination row of a load: register bytes and sign in aux (see lower.c). */
static inline void put(const warp *w, const op *o, uint32_t row, const uint8_t *p, int i) {
    const uint32_t size = o->aux & 15;
    const bool sign = (o->aux & 64) != 0;
    uint64_t v = 0;
    switch (size) {
    case 1: v = sign ? (uint64_t)(int64_t) * (const int8_t *)p : *p; break;
    case 2: {
        uint16_t x;
        memcpy(&x, p, 2);
        v = sign ? (uint64_t)(int64_t)(int16_t)x : x;
        break;
    }
    case 4: {
        uint32_t x;
        memcpy(&x, p, 4);
        v = sign ? (uint64_t)(int64_t)(int32_t)x : x;
        break;
    }
    default: memcpy(&v, p, 8);
    }
    if ((o->aux & 32) != 0) /* a 64-bit register */
        row64(w, row)[i] = v;
    else
        row32(w, row)[i] = (o->aux & 128) != 0 ? (uint16_t)v : (uint32_t)v;
}

/*
 * Any load: aux holds the element's size (bits 0-3), 32: the registers are 64 bits wide, 64: sign
 * extends, 128: the registers are 16 bits wide, and from bit 8 the number of elements. Row 0
 * (never a register: predicates come first) is a destination nobody wants.
 */
static __attribute__((noinline)) const op *ld_any_lanes(warp *w, const op *o) {
    uint64_t at[VG_LANES];
    uint8_t *p[VG_LANES];
    const int first = gather_addresses(w, o, at);
    const uint32_t size = o->aux & 15, count = o->aux >> 8;
    if (!lane_pointers(w, o, at, first, size * count, p))
        return NULL;
    if (size == 4 && (o->aux & (32 | 128)) == 0) {
        for (uint32_t e = 0; e < count; e++) {
            uint32_t row = row_of(o, (int)e);
            if (row != 0) {
                uint32_t *d = row32(w, row);
                VG_EACH_LANE(w, d, ((const uint32_t *)(const void *)p[i])[e]);
            }
        }
        return o + 1;
    }
    for (uint32_t e = 0; e < count; e++) {
        uint32_t row = row_of(o, (int)e);
        for (uint32_t m = row != 0 ? w->mask : 0; m != 0; m &= m - 1) {
            int i = __builtin_ctz(m);
            put(w, o, row, p[i] + (size_t)e * size, i);
        }
    }
    return o + 1;
}

/* Vectors of words, one for all lanes of each half; false: they need a closer look. */
static inline bool load_one_vector(warp *w, const op *o) {
    const uint32_t count = o->aux >> 8, bytes = 4 * count;
    const uint64_t *base = row64(w, o->a);
    const uint64_t first = base[0] + (uint64_t)o->imm, second = base[HALF] + (uint64_t)o->imm;
    const uint8_t *low, *high;
    if (((first | second) & (bytes - 1)) != 0 || shape_of_halves(base, 2) != VG_HALVES_ONE ||
        (low = bytes_at(w, o, 0, first, first + bytes)) == NULL ||
        (high = bytes_at(w, o, HALF, second, second + bytes)) == NULL)
        return false;
    for (uint32_t e = 0; e < count; e++) {
        const uint32_t row = row_of(o, (int)e);
        if (row != 0)
            fill_halves(row32(w, row), low + (size_t)4 * e, high + (size_t)4 * e, VG_HALVES_ONE);
    }
    return true;
}

static const op *ld_any(warp *w, const op *o) {
    const bool words = (o->aux & 15) == 4 && (o->aux & (32 | 128)) == 0;
    return words && w->mask == VG_ALL_LANES && load_one_vector(w, o) ? o + 1 : ld_any_lanes(w, o);
}

static const op *st_any(warp *w, const op *o) {
    uint64_t at[VG_LANES];
    uint8_t *p[VG_LANES];
    const int first = gather_addresses(w, o, at);
    const uint32_t size = o->aux & 15, count = o->aux >> 8;
    if (!lane_pointers(w, o, at, first, size * count, p))
        return NULL;
    for (uint32_t m = w->mask; m != 0; m &= m - 1) {
        int i = __builtin_ctz(m);
        for (uint32_t e = 0; e < count; e++) {
            uint32_t row = row_of(o, (int)e);
            uint64_t v = (o->aux & 32) != 0 ? row64(w, row)[i] : row32(w, row)[i];
            memcpy(p[i] + (size_t)e * size, &v, size); /* both ends are little-endian */
        }
    }
    return o + 1;
}

/* ---- accesses that name an order ---- */

/* A load that other blocks' stores are ordered by: of the host as well, whose threads they run on.
 * One element of 4 or 8 bytes a lane. */
static const op *ld_order(warp *w, const op *o) {
    uint64_t at[VG_LANES];
    uint8_t *p[VG_LANES];
    const uint32_t size = o->aux & 15;
    const int first = gather_addresses(w, o, at);
    if (!lane_pointers(w, o, at, first, size, p))
        return NULL;
    for (uint32_t m = o->d != 0 ? w->mask : 0; m != 0; m &= m - 1) {
        const int i = __builtin_ctz(m);
        const void *place = p[i];
        const uint64_t v = size == 8 ? __atomic_load_n((const uint64_t *)place, __ATOMIC_ACQUIRE)
                                     : __atomic_load_n((const uint32_t *)place, __ATOMIC_ACQUIRE);
        put(w, o, o->d, (const uint8_t *)&v, i); /* both ends are little-endian */
    }
    return o + 1;
}

/* The store that goes with it. */
static const op *st_order(warp *w, const op *o) {
    uint64_t at[VG_LANES];
    uint8_t *p[VG_LANES];
    const uint32_t size = o->aux & 15;
    const int first = gather_addresses(w, o, at);
    if (!lane_pointers(w, o, at, first, size, p))
        return NULL;
    for (uint32_t m = w->mask; m != 0; m &= m - 1) {
        const int i = __builtin_ctz(m);
        void *place = p[i];
        const uint64_t v = (o->aux & 32) != 0 ? row64(w, o->d)[i] : row32(w, o->d)[i];
        if (size == 8)
            __atomic_store_n((uint64_t *)place, v, __ATOMIC_RELEASE);
        else
            __atomic_store_n((uint32_t *)place, (uint32_t)v, __ATOMIC_RELEASE);
    }
    return o + 1;
}

/* ---- observed programs ---- */

/* Tells these observers, a bit each. */
static void tell(const warp *w, const vg_access *a, uint32_t observers) {
    const launch *l = w->worker->launch;
    if (w->worker->num_noted > 0)
        vg_tell_noted(w->worker, false);
    for (uint32_t m = observers; m != 0; m &= m - 1) {
        const vg_observer *obs = l->observers[__builtin_ctz(m)];
        obs->access(obs->self, a);
    }
}

static void keep_permit(host_thread *wk, const op *o, const vg_permit *permit) {
    wk->permits[o->slot] = *permit;
    if (permit->noted && permit->end != 0)
        wk->noted_round = wk->permit_round;
}

/* Those observers to whom a glance at the access is not enough. What one alone permits is kept. */
static uint32_t after_a_glance(const warp *w, const vg_access *a) {
    const launch *l = w->worker->launch;
    uint32_t left = l->watchers;
    vg_permit permit = {.round = w->worker->permit_round, .op = a->op};
    if (a->space == PS_SHARED) /* as all that is noted, which came before */
        vg_tell_noted(w->worker, false);
    for (uint32_t m = left; m != 0; m &= m - 1) {
        const vg_observer *obs = l->observers[__builtin_ctz(m)];
        if (obs->glance != NULL && obs->glance(obs->self, a, &permit))
            left &= ~(m & -m);
    }
    if (left == 0 && (l->watchers & (l->watchers - 1)) == 0)
        keep_permit(w->worker, a->op, &permit);
    return left;
}

/* Bytes of each half, from its first lane's address on. */
static inline uint64_t bytes_of_half(enum vg_halves halves, uint64_t size) {
    return halves == VG_HALVES_ONE ? size : HALF * size;
}

/* No observer need be told now of an access whose halves, so long, begin there. */
static inline bool is_permitted(const warp *w, const op *o, uint64_t first, uint64_t second,
                                uint64_t length) {
    const vg_permit *p = &w->worker->permits[o->slot];
    const uint64_t span = p->end - p->begin, reach = span - length;
    return vg_permit_holds(w->worker, p, o) && span >= length && first - p->begin <= reach &&
           second - p->begin <= reach;
}

static inline vg_noted *note(const warp *w, const op *o, uint64_t first, uint64_t second,
                             enum vg_halves halves) {
    host_thread *wk = w->worker;
    if (wk->num_noted == VG_MOST_NOTED || wk->num_stored == VG_MOST_STORED)
        vg_tell_noted(wk, false);
    vg_noted *n = &wk->noted[wk->num_noted++];
    *n = (vg_noted){.op = o,
                    .at = {(uint32_t)first, (uint32_t)second},
                    .warp = (uint8_t)w->index,
                    .halves = (uint8_t)halves};
    return n;
}

/* The load is permitted: notes it where the permit wants that. */
static inline void note_permitted(const warp *w, const op *o, uint64_t first, uint64_t second,
                                  enum vg_halves halves) {
    if (!w->worker->permits[o->slot].noted)
        return;
    note(w, o, first, second, halves);
    w->worker->reading_warps |= 1u << w->index;
}

/* The same of a store; its values are kept: the register may hold others when it is told. */
static inline void note_stored(const warp *w, const op *o, uint64_t first, uint64_t second) {
    host_thread *wk = w->worker;
    vg_noted *n = note(w, o, first, second, VG_HALVES_NEIGHBOURS);
    memcpy(wk->stored[wk->num_stored++], row32(w, o->b), VG_ROW32);
    n->values = (uint16_t)wk->num_stored;
    wk->storing_warps |= 1u << w->index;
}

/* A generic access whose lanes mean different spaces: one telling for each. */
static void tell_by_space(const warp *w, vg_access *a, uint64_t *at) {
    static const struct {
        uint64_t window;
        enum ptx_space space;
    } windows[] = {{0, PS_GLOBAL},
                   {VG_SHARED_WINDOW, PS_SHARED},
                   {VG_LOCAL_WINDOW, PS_LOCAL},
                   {VG_PARAM_WINDOW, PS_PARAM}};
    uint64_t offset[VG_LANES];
    for (size_t k = 0; k < sizeof windows / sizeof *windows; k++) {
        uint32_t mask = 0;
        for (int i = 0; i < VG_LANES; i++)
            mask |= (at[i] & VG_WINDOW_MASK) == windows[k].window ? 1u << i : 0;
        mask &= w->mask;
        if (mask == 0)
            continue;
        const uint64_t first = at[__builtin_ctz(mask)];
        for (int i = 0; i < VG_LANES; i++)
            offset[i] = (mask >> i & 1 ? at[i] : first) - windows[k].window;
        a->space = windows[k].space;
        a->mask = mask;
        a->at = offset;
        a->pattern = mask == VG_ALL_LANES ? a->pattern : VG_PATTERN_ANY;
        a->halves = mask == VG_ALL_LANES ? a->halves : VG_HALVES_ANY;
        tell(w, a, w->worker->launch->watchers);
    }
}

/* ---- doubled loads: vg_launch_params.double_shared ---- */

/* A float between 2^-100 and 2^100; small whole numbers and zeros, read as floats, are none. */
static inline uint32_t doubled32(uint32_t bits) {
    const uint32_t exponent = bits >> 23 & 0xFF;
    return exponent > 27 && exponent < 227 ? bits + (1u << 23) : bits;
}

static inline uint64_t doubled64(uint64_t bits, enum ptx_type type) {
    const uint64_t exponent = bits >> 52 & 0x7FF;
    if (type != PT_F64)
        return (uint64_t)doubled32((uint32_t)(bits >> 32)) << 32 | doubled32((uint32_t)bits);
    return exponent > 923 && exponent < 1123 ? bits + (UINT64_C(1) << 52) : bits;
}

/* Doubles what the load has just brought from shared memory; at: its addresses, as they were, where
 * lanes may mean other spaces; or NULL. */
static __attribute__((noinline)) void double_loaded(const warp *w, const op *o,
                                                    const uint64_t *at) {
    const uint32_t count = o->aux >> 8, size = o->aux & 15, wide = o->aux & 32;
    uint32_t mask = w->mask;
    for (int i = 0; at != NULL && i < VG_LANES; i++)
        mask &= (at[i] & VG_WINDOW_MASK) == VG_SHARED_WINDOW ? ~0u : ~(1u << i);
    for (uint32_t e = 0; e < count && (size == 8 || (size == 4 && wide == 0)); e++) {
        const uint32_t row = e == 0 ? o->d : row_of(o, (int)e);
        for (uint32_t m = row != 0 ? mask : 0; m != 0; m &= m - 1) {
            const int i = __builtin_ctz(m);
            if (size == 4)
                row32(w, row)[i] = doubled32(row32(w, row)[i]);
            else
                row64(w, row)[i] = doubled64(row64(w, row)[i], o->ptx->type[0]);
        }
    }
}

static bool doubles(const warp *w, const op *o) {
    return w->worker->launch->params->double_shared && o->access == VG_READ &&
           (o->space == PS_SHARED || o->space == PS_GENERIC);
}

/* Of a full warp, whose base addresses these are; sizes are powers of two. False: none. */
static inline bool note_shape(vg_access *a, const uint64_t *base) {
    const uint64_t apart = base[HALF] - base[0];
    a->halves = shape_of_halves(base, __builtin_ctz(a->size));
    if (a->halves == VG_HALVES_ONE && apart == 0)
        a->pattern = VG_PATTERN_ONE;
    else if (a->halves == VG_HALVES_NEIGHBOURS && apart == (uint64_t)HALF * a->size)
        a->pattern = VG_PATTERN_NEIGHBOURS;
    return a->halves != VG_HALVES_ANY;
}

/* What `glance` gets of the addresses. */
static inline void gather_ends(const op *o, const uint64_t *base, uint64_t *at) {
    const uint64_t offset = (uint64_t)o->imm;
    at[0] = base[0] + offset;
    at[HALF - 1] = base[HALF - 1] + offset;
    at[HALF] = base[HALF] + offset;
    at[VG_LANES - 1] = base[VG_LANES - 1] + offset;
}

static const op *observed(warp *w, const op *o) {
    uint64_t at[VG_LANES];
    const uint64_t *base = row64(w, o->a);
    const bool generic = o->space == PS_GENERIC; /* telling lanes apart by space changes a.space */
    vg_access a = {.warp = w,
                   .op = o,
                   .kind = (enum vg_access_kind)o->access,
                   .space = (enum ptx_space)o->space,
                   .mask = w->mask,
                   .size = o->bytes,
                   .at = at};
    uint32_t observers = w->worker->launch->watchers;
    if (w->mask == VG_ALL_LANES && a.size != 0 && (a.size & (a.size - 1)) == 0 &&
        note_shape(&a, base) && !generic) {
        gather_ends(o, base, at);
        if (is_permitted(w, o, at[0], at[HALF], bytes_of_half(a.halves, a.size)) &&
            (a.kind != VG_WRITE || !w->worker->permits[o->slot].noted)) {
            note_permitted(w, o, at[0], at[HALF], a.halves);
            observers = 0;
        } else {
            observers = after_a_glance(w, &a);
        }
    }
    if (generic) {
        gather_addresses(w, o, at);
        tell_by_space(w, &a, at);
    } else if (observers != 0) {
        gather_addresses(w, o, at);
        tell(w, &a, observers);
    }
    if (w->worker->faulted)
        return NULL;
    const bool loaded = o->plain == ld_b32 && a.halves != VG_HALVES_ANY && o->space != PS_LOCAL &&
                        !generic && load_halves(w, o, a.halves);
    const op *next = loaded ? o + 1 : o->plain(w, o);
    if (next != NULL && doubles(w, o))
        double_loaded(w, o, generic ? at : NULL);
    return next;
}

/* ld.b32 of one space: the same, but short where observers permit it. */
static const op *observed_ld_b32(warp *w, const op *o) {
    const uint64_t *base = row64(w, o->a);
    const enum vg_halves halves =
        w->mask == VG_ALL_LANES ? shape_of_halves(base, 2) : VG_HALVES_ANY;
    const uint64_t first = base[0] + (uint64_t)o->imm, second = base[HALF] + (uint64_t)o->imm;
    if (halves == VG_HALVES_ANY || !is_permitted(w, o, first, second, bytes_of_half(halves, 4)) ||
        w->worker->launch->params->double_shared || !load_halves(w, o, halves))
        return observed(w, o);
    note_permitted(w, o, first, second, halves);
    return o + 1;
}

/* st.b32 of one space, in the same way. */
static const op *observed_st_b32(warp *w, const op *o) {
    const uint64_t *base = row64(w, o->a);
    const uint64_t first = base[0] + (uint64_t)o->imm, second = base[HALF] + (uint64_t)o->imm;
    if (w->mask != VG_ALL_LANES || !vg_permit_holds(w->worker, &w->worker->permits[o->slot], o) ||
        shape_of_halves(base, 2) != VG_HALVES_NEIGHBOURS ||
        !is_permitted(w, o, first, second, HALF_ROW) || !store_halves(w, o))
        return observed(w, o);
    note_stored(w, o, first, second);
    return o + 1;
}

const op_entry VG_ISA_NAME(vg_ops_mem)[] = {
    {"observed", observed, NULL},
    {"observed.ld.b32", observed_ld_b32, NULL},
    {"observed.st.b32", observed_st_b32, NULL},
    {"ld.b32", ld_b32, NULL},
    {"st.b32", st_b32, NULL},
    {"ld.any", ld_any, NULL},
    {"st.any", st_any, NULL},
    {"ld.order", ld_order, NULL},
    {"st.order", st_order, NULL},
    {NULL, NULL, NULL},
};
