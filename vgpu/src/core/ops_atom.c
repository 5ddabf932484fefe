/*
 * ops_atom.c: atomics. Lanes update memory one after the other, in the order of their numbers;
 * other workers' blocks may update the same words of global memory at the same time.
 *
 * Words of shared or global memory are what nearly all kernels update. Where all lanes' words are
 * valid, one look finds them; neighbouring lanes that update the same word do so in a register, and
 * memory gets what comes of it. Shared memory is the worker's own, and needs no locked
 * instructions.
 */
#include "vgpu/src/core/halfs.h"
#include "vgpu/src/core/lane_shape.h"
#include "vgpu/src/core/observe.h"
#include "vgpu/src/core/ops_warp.h"
#include "vgpu/src/core/optable.h"

#include <string.h>

static float as_float(uint64_t bits) {
    const uint32_t b = (uint32_t)bits;
    float f;
    memcpy(&f, &b, sizeof f);
    return f;
}

static uint64_t add_halves(bool bfloat, uint64_t x, uint64_t y) {
    return bfloat ? bf16_bits(bf16_value((uint32_t)x & 0xFFFF) + bf16_value((uint32_t)y & 0xFFFF))
                  : f16_bits(f16_value((uint32_t)x & 0xFFFF) + f16_value((uint32_t)y & 0xFFFF));
}

static uint64_t add_values(enum ptx_type type, uint64_t x, uint64_t y) {
    if (type == PT_F16 || type == PT_BF16)
        return add_halves(type == PT_BF16, x, y);
    if (type == PT_F16X2 || type == PT_BF16X2) {
        return add_halves(type == PT_BF16X2, x, y) | add_halves(type == PT_BF16X2, x >> 16, y >> 16)
                                                         << 16;
    }
    if (type == PT_F32) {
        const float f = as_float(x) + as_float(y);
        uint32_t bits;
        memcpy(&bits, &f, sizeof bits);
        return f != f ? 0x7FFFFFFFu : bits;
    }
    if (type == PT_F64) {
        double a, b;
        memcpy(&a, &x, sizeof a);
        memcpy(&b, &y, sizeof b);
        a += b;
        memcpy(&x, &a, sizeof a);
        return x;
    }
    return x + y;
}

uint64_t vg_atom_apply(enum ptx_atom kind, enum ptx_type type, uint64_t old, uint64_t b,
                       uint64_t c) {
    const bool wide = ptx_type_size(type) == 8;
    const bool less_signed = wide ? (int64_t)old < (int64_t)b : (int32_t)old < (int32_t)b;
    const bool is_signed = type == PT_S32 || type == PT_S64;
    const bool less = is_signed ? less_signed : old < b;
    switch (kind) {
    case ATOM_ADD: return add_values(type, old, b);
    case ATOM_MIN: return less ? old : b;
    case ATOM_MAX: return less ? b : old;
    case ATOM_AND: return old & b;
    case ATOM_OR: return old | b;
    case ATOM_XOR: return old ^ b;
    case ATOM_EXCH: return b;
    case ATOM_CAS: return old == b ? c : old;
    case ATOM_INC: return old >= b ? 0 : old + 1;
    default: /* ATOM_DEC */ return old == 0 || old > b ? b : old - 1;
    }
}

/* Sums of floats in global memory are made by the memory's own adders: they have no float32
 * subnormals, and hand a double's NaN on as it is. */
static bool memory_adds(const op *o, uint64_t at) {
    const bool global =
        o->space == PS_GLOBAL || (o->space == PS_GENERIC && (at & VG_WINDOW_MASK) == 0);
    return global && (enum ptx_atom)(o->aux & 15) == ATOM_ADD;
}
static uint64_t flushed_float(uint64_t bits) {
    return (bits & 0x7F800000u) == 0 ? bits & 0x80000000u : bits;
}
static bool is_nan_double(uint64_t bits) {
    return (bits & ~(1ull << 63)) > 0x7FF0000000000000ull;
}
static uint64_t memory_sum(enum ptx_type type, uint64_t old, uint64_t b) {
    if (type == PT_F32)
        return flushed_float(add_values(type, flushed_float(old), flushed_float(b)));
    return type != PT_F64       ? add_values(type, old, b)
           : is_nan_double(old) ? old
           : is_nan_double(b)   ? b
                                : add_values(type, old, b);
}

/* What the cell holds after the operation. */
static uint64_t updated(const op *o, uint64_t at, uint64_t old, uint64_t b, uint64_t c) {
    const enum ptx_type type = (enum ptx_type)(o->aux >> 4 & 31);
    return memory_adds(o, at) ? memory_sum(type, old, b)
                              : vg_atom_apply((enum ptx_atom)(o->aux & 15), type, old, b, c);
}

/* One lane's read-modify-write, atomic against the other workers. Returns the old value. */
static uint64_t modify(const op *o, uint64_t at, void *p, uint64_t b, uint64_t c) {
    if (ptx_type_size((enum ptx_type)(o->aux >> 4 & 31)) == 8) {
        uint64_t old = __atomic_load_n((uint64_t *)p, __ATOMIC_SEQ_CST);
        while (!__atomic_compare_exchange_n((uint64_t *)p, &old, updated(o, at, old, b, c), false,
                                            __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST)) {
        }
        return old;
    }
    if (ptx_type_size((enum ptx_type)(o->aux >> 4 & 31)) == 2) {
        uint16_t old = __atomic_load_n((uint16_t *)p, __ATOMIC_SEQ_CST);
        while (!__atomic_compare_exchange_n((uint16_t *)p, &old,
                                            (uint16_t)updated(o, at, old, b, c), false,
                                            __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST)) {
        }
        return old;
    }
    uint32_t old = __atomic_load_n((uint32_t *)p, __ATOMIC_SEQ_CST);
    while (!__atomic_compare_exchange_n((uint32_t *)p, &old,
                                        (uint32_t)updated(o, at, old, (uint32_t)b, (uint32_t)c),
                                        false, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST)) {
    }
    return old;
}

/* Whatever the lanes update, wherever. */
static const op *atom_each(warp *w, const op *o) {
    const uint32_t size = ptx_type_size((enum ptx_type)(o->aux >> 4 & 31));
    for (uint32_t m = w->mask; m != 0; m &= m - 1) {
        const int i = __builtin_ctz(m);
        const uint64_t at = row64(w, o->a)[i] + (uint64_t)o->imm;
        range r;
        if ((at & (size - 1)) != 0 || !vg_resolve(w, o, i, at, &r) || at + size > r.end)
            return vg_bad_access(w, o, i, at, size);
        const uint64_t b = size == 8 ? row64(w, o->b)[i] : row32(w, o->b)[i];
        const uint64_t c = o->c == 0 ? 0 : size == 8 ? row64(w, o->c)[i] : row32(w, o->c)[i];
        const uint64_t old = modify(o, at, (void *)(uintptr_t)(at + (uint64_t)r.delta), b, c);
        if (o->d != 0 && size == 8)
            row64(w, o->d)[i] = old;
        else if (o->d != 0)
            row32(w, o->d)[i] = (uint32_t)old;
    }
    return o + 1;
}

/* ---- words of shared or global memory ---- */

/* How such a word is updated. */
enum quick { QUICK_ADD, QUICK_ADD_FLOAT, QUICK_ANY };

static inline __attribute__((always_inline)) uint32_t
next_value(const op *o, enum quick how, uint32_t old, uint32_t b, uint32_t c) {
    if (how == QUICK_ADD)
        return old + b;
    if (how == QUICK_ADD_FLOAT)
        return (uint32_t)(o->space == PS_GLOBAL ? memory_sum(PT_F32, old, b)
                                                : add_values(PT_F32, old, b));
    return (uint32_t)updated(o, 0, old, b, c); /* the space tells, not the address */
}

/* What lanes bring, and where the old values go; d and c are NULL for none. */
typedef struct word_rows {
    uint32_t *d;
    const uint32_t *b, *c;
} word_rows;

/* The word holds `old`; what it holds after these lanes, one after the other. */
static inline __attribute__((always_inline)) uint32_t
update_by(const op *o, enum quick how, const word_rows *r, uint32_t lanes, uint32_t old) {
    for (uint32_t m = lanes; m != 0; m &= m - 1) {
        const int i = __builtin_ctz(m);
        const uint32_t next = next_value(o, how, old, r->b[i], r->c != NULL ? r->c[i] : 0);
        if (r->d != NULL)
            r->d[i] = old;
        old = next;
    }
    return old;
}

/* The destination may be the row of an operand: the lanes may have to begin once more. */
static inline __attribute__((always_inline)) void
update_global(const op *o, enum quick how, const word_rows *r, uint32_t lanes, uint32_t *p) {
    if (how == QUICK_ADD && (lanes & (lanes - 1)) == 0) {
        const int i = __builtin_ctz(lanes);
        const uint32_t old = __atomic_fetch_add(p, r->b[i], __ATOMIC_SEQ_CST);
        if (r->d != NULL)
            r->d[i] = old;
        return;
    }
    const bool together = r->d != r->b && (r->d != r->c || r->d == NULL);
    for (uint32_t left = lanes; left != 0;) {
        const uint32_t now = together ? left : left & -left;
        const word_rows none = {.b = r->b, .c = r->c};
        uint32_t old = __atomic_load_n(p, __ATOMIC_SEQ_CST);
        while (!__atomic_compare_exchange_n(p, &old, update_by(o, how, &none, now, old), false,
                                            __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST)) {
        }
        if (r->d != NULL)
            update_by(o, how, r, now, old);
        left &= ~now;
    }
}

/* Lanes of `left` from its first on, without a gap, that are at the first one's place. */
static inline uint32_t lanes_at_first(uint32_t left, uint8_t *const *p) {
    uint32_t lanes = left & -left;
    const uint8_t *place = p[__builtin_ctz(left)];
    for (uint32_t next = lanes << 1; (left & next) != 0 && p[__builtin_ctz(next)] == place;
         next <<= 1)
        lanes |= next;
    return lanes;
}

static inline __attribute__((always_inline)) void update_words(const warp *w, const op *o,
                                                               enum quick how, uint8_t *const *p) {
    const word_rows rows = {.d = o->d != 0 ? row32(w, o->d) : NULL,
                            .b = row32(w, o->b),
                            .c = o->c != 0 ? row32(w, o->c) : NULL};
    for (uint32_t left = w->mask; left != 0;) {
        const uint32_t lanes = lanes_at_first(left, p);
        uint32_t *word = (uint32_t *)(void *)p[__builtin_ctz(left)];
        if (o->space == PS_SHARED)
            *word = update_by(o, how, &rows, lanes, *word);
        else
            update_global(o, how, &rows, lanes, word);
        left &= ~lanes;
    }
}

/* Where the lanes' words are; false: some are misaligned or invalid, or each needs a look. */
static bool find_words(warp *w, const op *o, uint8_t **p) {
    const uint64_t *base = row64(w, o->a);
    const uint64_t offset = (uint64_t)o->imm;
    const int first = __builtin_ctz(w->mask);
    uint64_t low = base[first] + offset, high = low, all = 0;
    for (uint32_t m = w->mask; m != 0; m &= m - 1) {
        const uint64_t at = base[__builtin_ctz(m)] + offset;
        low = at < low ? at : low;
        high = at > high ? at : high;
        all |= at;
    }
    range *r = &w->worker->cache[o->slot];
    if (all % 4 != 0 || high > UINT64_MAX - 4)
        return false;
    if (!covers(r, low, high + 4)) {
        range found;
        if (!vg_resolve(w, o, first, low, &found) || found.per_lane ||
            !covers(&found, low, high + 4))
            return false;
        *r = found;
    }
    for (uint32_t m = w->mask; m != 0; m &= m - 1) {
        const int i = __builtin_ctz(m);
        p[i] = host(r, base[i] + offset);
    }
    return true;
}

/* atom and red: address a + imm, operands b and c (rows, 0 where none), d old value or 0 */
static const op *atom(warp *w, const op *o) {
    const enum ptx_type type = (enum ptx_type)(o->aux >> 4 & 31);
    uint8_t *p[VG_LANES];
    if (o->bytes != 4 || (o->space != PS_SHARED && o->space != PS_GLOBAL) || !find_words(w, o, p))
        return atom_each(w, o);
    if ((enum ptx_atom)(o->aux & 15) != ATOM_ADD || type == PT_F16X2 || type == PT_BF16X2)
        update_words(w, o, QUICK_ANY, p);
    else if (type == PT_F32)
        update_words(w, o, QUICK_ADD_FLOAT, p);
    else
        update_words(w, o, QUICK_ADD, p);
    return o + 1;
}

const op_entry vg_ops_atom[] = {
    {"atom", atom, NULL},
    {NULL, NULL, NULL},
};
