/*
 * written_bits.h: a bit a byte tells which bytes have been written; and which of them a block has
 * written itself.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Bits [first, first + n) of a word; n from 1 to 64 - first. */
static inline uint64_t bits_from(uint32_t first, uint32_t n) {
    return (n == 64 ? ~UINT64_C(0) : (UINT64_C(1) << n) - 1) << first;
}

static inline void set_bits(uint64_t *bits, uint64_t from, uint64_t size, bool atomic) {
    for (uint64_t at = from, end = from + size; at < end;) {
        const uint64_t room = 64 - at % 64, n = end - at < room ? end - at : room;
        const uint64_t mask = bits_from(at % 64, (uint32_t)n);
        uint64_t *word = &bits[at / 64];
        if (!atomic)
            *word |= mask;
        else if ((__atomic_load_n(word, __ATOMIC_RELAXED) & mask) != mask)
            __atomic_fetch_or(word, mask, __ATOMIC_RELAXED);
        at += n;
    }
}

/* Sets those bits of `to` that are set in `from`. */
static inline void copy_bits(uint64_t *to, uint64_t to_at, const uint64_t *from, uint64_t from_at,
                             uint64_t size) {
    while (size > 0) {
        const uint64_t a = to_at % 64, b = from_at % 64;
        uint64_t n = 64 - (a > b ? a : b);
        n = n < size ? n : size;
        to[to_at / 64] |= (from[from_at / 64] >> b & bits_from(0, (uint32_t)n)) << a;
        to_at += n;
        from_at += n;
        size -= n;
    }
}

/* Offset from `from` of the first byte not written, or -1. */
static inline int64_t first_missing(const uint64_t *bits, uint64_t from, uint64_t size) {
    for (uint64_t at = from, end = from + size; at < end;) {
        const uint64_t room = 64 - at % 64, n = end - at < room ? end - at : room;
        const uint64_t missing =
            ~__atomic_load_n(&bits[at / 64], __ATOMIC_RELAXED) & bits_from(at % 64, (uint32_t)n);
        if (missing != 0)
            return (int64_t)((at & ~UINT64_C(63)) + (uint64_t)__builtin_ctzll(missing) - from);
        at += n;
    }
    return -1;
}

/* Elements of `size` bytes, not all of whose bytes are written. */
static inline uint64_t count_missing(const uint64_t *bits, uint64_t from, uint64_t length,
                                     uint32_t size) {
    uint64_t n = 0;
    for (uint64_t at = from; at < from + length; at += size)
        n += first_missing(bits, at, size) >= 0;
    return n;
}

/* Bytes of one lane's access that are missing, a bit each. */
static inline uint32_t missing_bytes(const uint64_t *bits, uint64_t from, uint32_t size) {
    uint32_t missing = 0;
    for (uint32_t b = 0; b < size; b++)
        missing |= (uint32_t)(first_missing(bits, from + b, 1) == 0) << b;
    return missing;
}

/* ---- what a block wrote itself ---- */

/* What the block at hand wrote to a region that had bytes missing at the launch's start. */
typedef struct own_bits {
    uint64_t *bits;                 /* NULL until first needed */
    uint32_t *touched, count, room; /* words of bits that are not zero */
} own_bits;

/* Notes that the block wrote these bits of a region, which has so many words of them. Out of
 * memory: an atomic may be told in error of a block that initialised what it updates; better than
 * losing the launch. */
void own_bits_set(own_bits *own, size_t words, uint64_t from, uint64_t size);
void own_bits_forget(own_bits *own, size_t count);
void own_bits_free(own_bits *own, size_t count); /* and the list itself */
