/*
 * race_summary.h: what is kept of 64 bytes of global memory when blocks end, see race_blocks.c,
 * once more than one block has been there (race_whole.h).
 * Each of the 16 words has a state, the same whatever the order of merging:
 *
 *     EMPTY     no block has been here
 *     READ      only read: the two lowest blocks that did
 *     ATOMIC    only updated atomically: the two lowest blocks that did
 *     OWNED     one block, which did more than that: its read, its write, its atomic
 *     RECORD    a race, or different kinds of accesses: a record of its own, with the two lowest
 *               blocks that read, wrote, and updated it
 *
 *      87 85      83    66 65     42 41    24 23      0
 *     | tag |    |  who   | block   |  who   | block   |   READ, ATOMIC: the lowest in bits 0 to 41
 *     | tag | atomic | write | read | block |               OWNED: 24 bits of block, 3 x 18 of who
 *
 * 11 bytes a word: 2.75 bytes a byte of memory. "Who" is a thread (10 bits) and the line it was at
 * (8). An entry that is RECORD has the record's number in bits 0 to 31.
 *
 *     race_states.c   one word at a time: packs and unpacks states, and keeps all else
 *     race_merge.c    all words of a granule at once, for what nearly all blocks do
 */
#pragma once

#include "vgpu/src/check/race_whole.h"

enum summary_tag { EMPTY, READ, ATOMIC, OWNED, RECORD };
enum { WHO_BITS = 18, DEED_BITS = BLOCK_BITS + WHO_BITS, TAG_SHIFT = 85 };
enum { UNSETTLED = 0 };

typedef struct summary {
    _Atomic uint32_t settled; /* reads by blocks from this number on change nothing; 0: no such */
    uint32_t extra;           /* 0, or 1 + number of an `extra`                                */
    uint32_t a[16], b[16];    /* bits 0 to 31 and 32 to 63 of each word's state               */
    uint16_t c[16];
    uint8_t d[16]; /* bits 80 to 87: the tag on top                                */
} summary;

/* ---- race_merge.c, for each instruction set ---- */

typedef struct race_merge {
    /* What block `block` did to the granule's words, which are read and written plainly; site: the
     * checker's. False, and nothing done, when a look at each word is needed. */
    bool (*granule)(summary *s, const granule *g, uint32_t block, const uint32_t *site);
    /* The first block number from which on a read of any word changes nothing, or UNSETTLED. */
    uint32_t (*settled)(const summary *s);
    /* What block `block` did, in short: all of *w but the launch. False: it needs a summary. */
    bool (*whole)(const granule *g, uint32_t block, whole *w);
} race_merge;
const race_merge *race_merge_best(void);
