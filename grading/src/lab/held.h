/*
 * held.h: the file that tells which calls a debugger holds: this head, then of each call a
 * held_call and its matrices, row-major: A, B and C as it was before in floats; then, in doubles,
 * what C should be, and how far each element may be off: C's elements alone.
 */
#pragma once

#include <stdint.h>

#define HELD_MAGIC UINT64_C(0x32444c4548554d4d) /* "MMUHELD2" */

struct held_head {
    uint64_t magic;
    int32_t calls;
    int32_t entry; /* enum entry_point */
};

struct held_call {
    int32_t m, n, k;
    int32_t padding; /* floats behind each row of the three (common/matrix.h) */
    int32_t number;  /* from 1 */
};
