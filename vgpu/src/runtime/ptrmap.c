/*
 * ptrmap.c: open addressing with linear probing, at most half full. See ptrmap.h.
 */
#include "vgpu/src/runtime/ptrmap.h"

#include <stdint.h>
#include <stdlib.h>

static size_t home(const vg_ptrmap *map, const void *key) {
    uint64_t h = (uint64_t)(uintptr_t)key * UINT64_C(0x9E3779B97F4A7C15);
    return (size_t)(h >> 32) & (map->room - 1);
}

/* The key's slot, or the empty one where it would go. The map has room. */
static size_t slot_of(const vg_ptrmap *map, const void *key) {
    size_t i = home(map, key);
    while (map->keys[i] && map->keys[i] != key)
        i = (i + 1) & (map->room - 1);
    return i;
}

static bool grow(vg_ptrmap *map) {
    vg_ptrmap bigger = {.room = map->room ? map->room * 2 : 16};
    bigger.keys = calloc(bigger.room, sizeof *bigger.keys);
    bigger.values = calloc(bigger.room, sizeof *bigger.values);
    if (!bigger.keys || !bigger.values) {
        free(bigger.keys);
        free(bigger.values);
        return false;
    }
    for (size_t i = 0; i < map->room; i++) {
        if (!map->keys[i])
            continue;
        size_t to = slot_of(&bigger, map->keys[i]);
        bigger.keys[to] = map->keys[i];
        bigger.values[to] = map->values[i];
    }
    free(map->keys);
    free(map->values);
    map->keys = bigger.keys;
    map->values = bigger.values;
    map->room = bigger.room;
    return true;
}

bool vg_ptrmap_put(vg_ptrmap *map, const void *key, void *value) {
    if (map->count * 2 >= map->room && !grow(map))
        return false;
    size_t i = slot_of(map, key);
    if (!map->keys[i]) {
        map->keys[i] = key;
        map->count++;
    }
    map->values[i] = value;
    return true;
}

void *vg_ptrmap_get(const vg_ptrmap *map, const void *key) {
    if (map->room == 0 || !key)
        return NULL;
    size_t i = slot_of(map, key);
    return map->keys[i] ? map->values[i] : NULL;
}

void *vg_ptrmap_take(vg_ptrmap *map, const void *key) {
    if (map->room == 0 || !key)
        return NULL;
    size_t i = slot_of(map, key);
    if (!map->keys[i])
        return NULL;
    void *value = map->values[i];
    map->keys[i] = NULL;
    map->count--;
    /* Whatever stood behind it in the same run moves up, so that no search stops early. */
    for (size_t j = (i + 1) & (map->room - 1); map->keys[j]; j = (j + 1) & (map->room - 1)) {
        const void *key_j = map->keys[j];
        void *value_j = map->values[j];
        map->keys[j] = NULL;
        size_t to = slot_of(map, key_j);
        map->keys[to] = key_j;
        map->values[to] = value_j;
    }
    return value;
}

void vg_ptrmap_each(const vg_ptrmap *map, void (*visit)(const void *key, void *value, void *arg),
                    void *arg) {
    for (size_t i = 0; i < map->room; i++)
        if (map->keys[i])
            visit(map->keys[i], map->values[i], arg);
}

void vg_ptrmap_clear(vg_ptrmap *map) {
    free(map->keys);
    free(map->values);
    *map = (vg_ptrmap){0};
}
