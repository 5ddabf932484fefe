/*
 * race_marks.h: what the lines of the kernel at hand do to allocations, as a bit a byte for each.
 */
#pragma once

#include "vgpu/src/check/race.h"

enum { WORD_BITS = 64 };

/* What one line does to one allocation. */
typedef struct mark {
    struct mark *next;
    const vg_region *region;
    const op *op;
    uint64_t *bits; /* by byte of the allocation */
    uint64_t known; /* race_host.c: words between which all bits are set, as two halves */
} mark;

static inline size_t words_of(uint64_t bytes) {
    return (size_t)(bytes / WORD_BITS + 1);
}

/* The bits of word `w` that stand for bytes from low to high. */
uint64_t race_bits_between(uint64_t w, uint64_t low, uint64_t high);
/* Several workers do this at once. */
void race_bits_set(uint64_t *bits, uint64_t low, uint64_t high);

/* The bits of what this line does to the region, in the list of its marks; NULL: out of memory.
 * Several workers ask at once. */
uint64_t *race_mark_bits(mark **list, const vg_region *r, const op *o);
/* Sets them for all that is accessed. */
void race_mark(mark **list, const vg_passed *p);
/* Frees a mark, but not its bits where somebody else has them now. */
void race_mark_free(mark *m, bool and_bits);
