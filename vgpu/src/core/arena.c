/* arena.c: chunked bump allocation; see arena.h. */
#include "vgpu/src/core/arena.h"

#include <stdalign.h>
#include <stdlib.h>
#include <string.h>

enum { CHUNK = 64 * 1024 };

struct vg_arena_chunk {
    vg_arena_chunk *next;
    alignas(max_align_t) char bytes[];
};

void *vg_arena_alloc(vg_arena *arena, size_t size) {
    const size_t align = alignof(max_align_t);
    size = (size + align - 1) & ~(align - 1);
    if (arena->chunks == NULL || arena->used + size > arena->size) {
        size_t want = size > CHUNK ? size : CHUNK;
        vg_arena_chunk *chunk = malloc(sizeof *chunk + want);
        if (chunk == NULL)
            longjmp(*arena->escape, 2);
        chunk->next = arena->chunks;
        arena->chunks = chunk;
        arena->used = 0;
        arena->size = want;
    }
    void *p = arena->chunks->bytes + arena->used;
    arena->used += size;
    return memset(p, 0, size);
}

void *vg_arena_grow(vg_arena *arena, void *array, size_t n, size_t element_size) {
    if (n != 0 && (n & (n - 1)) != 0)
        return array; /* capacity is the next power of two: there is room */
    void *bigger = vg_arena_alloc(arena, (n == 0 ? 1 : 2 * n) * element_size);
    if (n != 0)
        memcpy(bigger, array, n * element_size);
    return bigger;
}

char *vg_arena_strndup(vg_arena *arena, const char *s, size_t len) {
    char *copy = vg_arena_alloc(arena, len + 1);
    memcpy(copy, s, len);
    return copy;
}

void vg_arena_free(vg_arena *arena) {
    while (arena->chunks != NULL) {
        vg_arena_chunk *next = arena->chunks->next;
        free(arena->chunks);
        arena->chunks = next;
    }
    arena->used = arena->size = 0;
}
