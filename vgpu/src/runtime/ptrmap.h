/*
 * ptrmap.h: a map from an address to an entry: a host function's address to its kernel, a handle to
 * the fact that it is alive. Grows as needed, keeps no order.
 *
 * Contract: not thread safe. NULL is no key. Entries are the caller's; the map frees none.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>

typedef struct vg_ptrmap {
    const void **keys; /* NULL where a slot is empty */
    void **values;
    size_t room, count; /* room is a power of two, or 0 */
} vg_ptrmap;

/* Sets key's entry, replacing one that is there. False when memory is out. */
bool vg_ptrmap_put(vg_ptrmap *map, const void *key, void *value);
/* NULL if absent. */
void *vg_ptrmap_get(const vg_ptrmap *map, const void *key);
/* The entry taken out, or NULL. */
void *vg_ptrmap_take(vg_ptrmap *map, const void *key);
/* Calls visit for every entry; entries may not be added or taken meanwhile. */
void vg_ptrmap_each(const vg_ptrmap *map, void (*visit)(const void *key, void *value, void *arg),
                    void *arg);
void vg_ptrmap_clear(vg_ptrmap *map);
