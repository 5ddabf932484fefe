/* regions.c: the table of allocations that shadows hang on; see regions.h. */
#include "vgpu/src/check/regions.h"

#include "vgpu/src/core/pages.h"

#include <stdlib.h>
#include <string.h>

static void free_region(vg_region *r) {
    for (int i = 0; i < r->num_index; i++)
        vg_pages_free(r->index[i]);
    free(r->index);
    free(r->blocks);
    free(r->whole);
    free(r->values);
    free(r->written);
    free(r->before);
    free(r->name);
    free(r);
}

static vg_region *new_region(const vg_regions *regions, const vg_alloc *a) {
    vg_region *r = calloc(1, sizeof *r);
    if (r == NULL)
        return NULL;
    r->begin = a->addr;
    r->end = a->addr + a->size;
    r->granule0 = a->addr >> VG_GRANULE_SHIFT;
    r->granules =
        a->size == 0 ? 0 : (uint32_t)(((r->end - 1) >> VG_GRANULE_SHIFT) - r->granule0 + 1);
    r->serial = a->serial;
    r->kind = a->kind;
    /* Variables are initialised when they are loaded, and those that the source gives no value are
     * told as such; host memory is the host's to write, and only of managed memory is it known
     * where it has not. */
    r->untouched = a->mapped;
    r->all_written =
        (a->kind != VG_MEM_DEVICE && !a->mapped && !a->blank) || !regions->track_written;
    r->as = a->as;
    r->name = a->name != NULL ? strdup(a->name) : NULL;
    if (!r->all_written)
        r->written = calloc((size_t)r->granules + 1, sizeof *r->written);
    if ((a->name != NULL && r->name == NULL) || (!r->all_written && r->written == NULL)) {
        free_region(r);
        return NULL;
    }
    return r;
}

static bool make_room(vg_regions *regions, size_t need) {
    if (need <= regions->room)
        return true;
    const size_t room = need * 2;
    vg_region **at = realloc(regions->at, room * sizeof(*at));
    if (at == NULL)
        return false;
    regions->at = at;
    regions->room = room;
    return true;
}

/* True when the table is as mem says: the usual case, between two launches. */
static bool agrees(const vg_regions *regions, const vg_alloc *live, size_t count) {
    if (regions->count != count)
        return false;
    for (size_t i = 0; i < count; i++)
        if (regions->at[i]->begin != live[i].addr || regions->at[i]->serial != live[i].serial)
            return false;
    return true;
}

bool vg_regions_follow(vg_regions *regions, const vg_mem *mem) {
    size_t count = 0;
    const vg_alloc *live = vg_mem_live(mem, &count);
    if (agrees(regions, live, count))
        return true;
    vg_region **next = calloc(count + 1, sizeof(*next));
    bool ok = next != NULL && make_room(regions, count + 1);
    size_t old = 0;
    for (size_t i = 0; ok && i < count; i++) { /* both are sorted by address */
        while (old < regions->count && regions->at[old]->begin < live[i].addr)
            free_region(regions->at[old++]);
        if (old < regions->count && regions->at[old]->begin == live[i].addr &&
            regions->at[old]->serial == live[i].serial) {
            next[i] = regions->at[old++];
            continue;
        }
        next[i] = new_region(regions, &live[i]);
        if (next[i] == NULL) {
            ok = false;
            for (size_t k = 0; k < i; k++)
                free_region(next[k]);
        }
    }
    while (next != NULL && old < regions->count)
        free_region(regions->at[old++]);
    if (next != NULL) {
        regions->count = ok ? count : 0;
        uint32_t first = 0; /* numbers need not last longer than a launch */
        for (size_t i = 0; ok && i < count; i++) {
            regions->at[i] = next[i];
            next[i]->first = first;
            next[i]->number = (uint32_t)i;
            first += next[i]->granules;
        }
    }
    free(next);
    return ok;
}

void vg_regions_clear(vg_regions *regions) {
    for (size_t i = 0; i < regions->count; i++)
        free_region(regions->at[i]);
    free(regions->at);
    *regions = (vg_regions){.track_written = regions->track_written};
}

vg_region *vg_regions_find(const vg_regions *regions, uint64_t addr) {
    size_t low = 0, high = regions->count;
    while (low < high) {
        const size_t mid = low + (high - low) / 2;
        if (regions->at[mid]->begin <= addr)
            low = mid + 1;
        else
            high = mid;
    }
    return low > 0 && addr < regions->at[low - 1]->end ? regions->at[low - 1] : NULL;
}

void vg_region_name(const vg_region *r, struct vgpu_fact *f) {
    const vg_alloc a = {.size = r->end - r->begin,
                        .serial = r->serial,
                        .kind = r->kind,
                        .name = r->name,
                        .as = r->as,
                        .live = true};
    vg_mem_name(&a, f);
}
