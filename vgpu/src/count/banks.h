/*
 * banks.h: what an access of a warp costs in shared memory, local memory and the constant cache.
 *
 * Shared memory has 32 banks, each 4 bytes wide: byte address a lies in bank (a / 4) % 32. In one
 * pass ("wavefront") every bank delivers one 4-byte word to any number of lanes. Accesses of 8
 * bytes a lane go by half-warps, those of 16 bytes by quarter-warps, for a pass moves 128 bytes:
 *
 *     4 bytes:   lanes 0 … 31                                at best 1 pass
 *     8 bytes:   lanes 0 … 15 | 16 … 31                      at best 2
 *     16 bytes:  lanes 0 … 7 | 8 … 15 | 16 … 23 | 24 … 31    at best 4
 *
 * A group needs as many passes as its busiest bank has different words. The conflicts are the
 * passes beyond one for each group that has an active lane: what a broadcast costs is nothing. When
 * all lanes mean one address, one pass serves all groups.
 */
#pragma once

#include <stdint.h>

typedef struct vg_bank_cost {
    uint32_t wavefronts, conflicts;
    uint32_t words; /* different 4-byte words, of all lanes together */
} vg_bank_cost;

/* at: 32 byte addresses, of which those in mask count; size: bytes a lane, 1 to 16. */
vg_bank_cost vg_bank_cost_of(const uint64_t *at, uint32_t mask, uint32_t size);

/* Sectors of a local access. Hardware lays out local memory word by word, lanes side by side: lane
 * l's word w is at 128 * w + 4 * l, so that lanes that index alike touch neighbours. */
uint32_t vg_local_sectors(const uint64_t *at, uint32_t mask, uint32_t size);

/* Different 4-byte words; the constant cache delivers one a pass. */
uint32_t vg_distinct_words(const uint64_t *at, uint32_t mask);
