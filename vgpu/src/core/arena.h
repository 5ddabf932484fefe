/*
 * arena.h: memory for things that live and die together (a parsed module, its programs).
 *
 * Allocation never returns NULL: when the system has no memory left, the arena's escape (a jmp_buf
 * its owner set) is taken instead, so that the parser's code needs no check at every call.
 */
#pragma once

#include <setjmp.h>
#include <stddef.h>

typedef struct vg_arena_chunk vg_arena_chunk;

typedef struct vg_arena {
    vg_arena_chunk *chunks;
    size_t used, size; /* of the newest chunk */
    jmp_buf *escape;   /* taken with value 2 when memory runs out */
} vg_arena;

/* Zeroed memory, aligned for any type. */
void *vg_arena_alloc(vg_arena *arena, size_t size);
/* Doubles an array of n elements kept in the arena when n is a power of two or zero; returns where
 * it is now. (Old copies stay in the arena; total waste is below the final size.) */
void *vg_arena_grow(vg_arena *arena, void *array, size_t n, size_t element_size);
char *vg_arena_strndup(vg_arena *arena, const char *s, size_t len);
void vg_arena_free(vg_arena *arena);
