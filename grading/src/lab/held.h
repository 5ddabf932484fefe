/*
 * held.h: the file that tells which calls a debugger holds: this head, then of each call a
 * held_call and its matrices, row-major: A, B and C as it was before in floats; then, in doubles,
 * what C should be, and how far each element may be off.
 */
#pragma once

#include <stdint.h>

#define HELD_MAGIC UINT64_C(0x31444c4548554d4d) /* "MMUHELD1" */

struct held_head {
    uint64_t magic;
    int32_t calls;
    int32_t entry; /* enum entry_point */
};

struct held_call {
    int32_t m, n, k;
    int32_t number; /* from 1 */
};
