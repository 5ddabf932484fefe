/*
 * heap.h: the memory that device code gets from malloc and new: one allocation of the device's,
 * given out in pieces. A piece lives until device code frees it, across launches, as on hardware.
 * Freed pieces are given out again only when there is no fresh memory left,
 * so that a use after free is noticed.
 *
 * Threads: every function may be called by several workers at once.
 */
#pragma once

#include "vgpu/src/memory/devmem.h"

typedef struct vg_heap vg_heap;

/* A heap of `size` bytes in mem; NULL when out of memory. */
vg_heap *vg_heap_create(vg_mem *mem, uint64_t size);
/* Forgets the heap; its memory is mem's to free. */
void vg_heap_destroy(vg_heap *heap);

/* Address of `size` bytes, aligned to 16; 0 when the heap is full. */
uint64_t vg_heap_alloc(vg_heap *heap, uint64_t size);
/* VG_FREE_OK, or why not. */
enum vg_free_status vg_heap_free(vg_heap *heap, uint64_t address);
/* True if the address lies in the heap at all. */
bool vg_heap_holds(const vg_heap *heap, uint64_t address);
/* The live piece that holds the address: where it begins and ends. */
bool vg_heap_find(vg_heap *heap, uint64_t address, uint64_t *begin, uint64_t *end);
/* Pieces that nobody has freed; 0 of NULL. */
uint64_t vg_heap_live(vg_heap *heap);
/* Notes what lies at an address of the heap, for messages. */
void vg_heap_locate(vg_heap *heap, uint64_t address, struct vgpu_fact *fact);
