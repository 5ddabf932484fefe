/* heap.c: see heap.h. Pieces are kept in the order of their addresses,
 * which is the order of their making. */
#include "vgpu/src/core/heap.h"

#include <inttypes.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

enum { ALIGN = 16, GAP = 16 /* between pieces: overruns fall in there */ };

typedef struct piece {
    uint64_t begin, size, room;
    bool live;
} piece;

struct vg_heap {
    pthread_mutex_t lock;
    uint64_t begin, end, fresh; /* fresh: nothing has been given out from here on */
    piece *pieces;
    size_t count, room;
};

vg_heap *vg_heap_create(vg_mem *mem, uint64_t size) {
    vg_heap *h = calloc(1, sizeof *h);
    const uint64_t at =
        h != NULL ? vg_mem_alloc(mem, size, 256, VG_MEM_MODULE, "the device's heap") : 0;
    if (at == 0) {
        free(h);
        return NULL;
    }
    pthread_mutex_init(&h->lock, NULL);
    h->begin = h->fresh = at;
    h->end = at + size;
    return h;
}

void vg_heap_destroy(vg_heap *h) {
    if (h != NULL) {
        pthread_mutex_destroy(&h->lock);
        free(h->pieces);
        free(h);
    }
}

/* The last piece that begins at or before the address. */
static piece *piece_before(const vg_heap *h, uint64_t address) {
    size_t low = 0, high = h->count;
    while (low < high) {
        const size_t middle = (low + high) / 2;
        if (h->pieces[middle].begin <= address)
            low = middle + 1;
        else
            high = middle;
    }
    return low > 0 ? &h->pieces[low - 1] : NULL;
}

static piece *freed_piece(const vg_heap *h, uint64_t room) {
    for (size_t i = 0; i < h->count; i++)
        if (!h->pieces[i].live && h->pieces[i].room >= room)
            return &h->pieces[i];
    return NULL;
}

static piece *fresh_piece(vg_heap *h, uint64_t room) {
    if (room + GAP > h->end - h->fresh)
        return NULL;
    if (h->count == h->room) {
        const size_t more = h->room == 0 ? 64 : 2 * h->room;
        piece *pieces = realloc(h->pieces, more * sizeof *pieces);
        if (pieces == NULL)
            return NULL;
        h->pieces = pieces;
        h->room = more;
    }
    piece *p = &h->pieces[h->count++];
    *p = (piece){.begin = h->fresh, .room = room};
    h->fresh += room + GAP;
    return p;
}

uint64_t vg_heap_alloc(vg_heap *h, uint64_t size) {
    uint64_t at = 0;
    if (size > h->end - h->begin)
        return 0;
    const uint64_t room = (size + ALIGN - 1 + (size == 0)) & ~(uint64_t)(ALIGN - 1);
    pthread_mutex_lock(&h->lock);
    piece *p = fresh_piece(h, room);
    p = p != NULL ? p : freed_piece(h, room);
    if (p != NULL) {
        p->size = size;
        p->live = true;
        at = p->begin;
    }
    pthread_mutex_unlock(&h->lock);
    return at;
}

enum vg_free_status vg_heap_free(vg_heap *h, uint64_t address) {
    enum vg_free_status status = VG_FREE_UNKNOWN;
    pthread_mutex_lock(&h->lock);
    piece *p = piece_before(h, address);
    if (p != NULL && p->begin == address) {
        status = p->live ? VG_FREE_OK : VG_FREE_TWICE;
        p->live = false;
    } else if (p != NULL && p->live && address < p->begin + p->size) {
        status = VG_FREE_INSIDE;
    }
    pthread_mutex_unlock(&h->lock);
    return status;
}

bool vg_heap_holds(const vg_heap *h, uint64_t address) {
    return h != NULL && address >= h->begin && address < h->end;
}

bool vg_heap_find(vg_heap *h, uint64_t address, uint64_t *begin, uint64_t *end) {
    pthread_mutex_lock(&h->lock);
    const piece *p = piece_before(h, address);
    const bool found = p != NULL && p->live && address < p->begin + p->size;
    if (found) {
        *begin = p->begin;
        *end = p->begin + p->size;
    }
    pthread_mutex_unlock(&h->lock);
    return found;
}

uint64_t vg_heap_live(vg_heap *h) {
    uint64_t live = 0;
    if (h == NULL)
        return 0;
    pthread_mutex_lock(&h->lock);
    for (size_t i = 0; i < h->count; i++)
        live += h->pieces[i].live;
    pthread_mutex_unlock(&h->lock);
    return live;
}

void vg_heap_locate(vg_heap *h, uint64_t address, struct vgpu_fact *f) {
    pthread_mutex_lock(&h->lock);
    const piece *p = piece_before(h, address);
    f->memory = VGPU_MEMORY_HEAP;
    f->place = VGPU_AT_NOTHING;
    if (p != NULL) {
        const bool inside = address < p->begin + p->size;
        f->place = inside ? VGPU_AT_INSIDE : VGPU_AT_PAST;
        f->distance = address - (inside ? p->begin : p->begin + p->size);
        f->room = p->size;
        f->freed = !p->live;
    }
    pthread_mutex_unlock(&h->lock);
}
