/*
 * left.h: the numbers that left the device for the host during a call, or the host for the device,
 * without their order: a program may well rearrange on the host what it copied, but it cannot find
 * there what never came.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* More than this is not kept; then nobody can say what left. */
#define LEFT_MOST ((size_t)64 << 20)

struct left {
    uint32_t *word; /* as bits; owned */
    size_t count, room;
    bool sorted, overflow;
};

/* Words of 4 bytes; what is left over at the end is no number. */
void left_add(struct left *l, const void *bytes, size_t n);
bool left_has(struct left *l, uint32_t word);
/* Forgets all, for the next call. */
void left_clear(struct left *l);
void left_free(struct left *l);
