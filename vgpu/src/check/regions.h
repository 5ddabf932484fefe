/*
 * regions.h: the live allocations, as checkers see them: each with room for the shadows that
 * checkers keep of its bytes. Shadows are per granule, 64 bytes of memory:
 *
 *     address          begin                                    end
 *     memory             |..64..|..64..|..64..|..64..|..64..|..6|
 *     granule, local     0      1      2      3      4      5
 *     granule, global    first  first + 1 …   (no other region's, during a launch)
 *
 * Contract: the table changes only while no kernel runs (vg_regions_follow); then workers read it
 * freely. Shadow arrays are zero at first and cost memory only where they are touched.
 */
#pragma once

#include "vgpu/src/memory/devmem.h"

enum { VG_GRANULE = 64, VG_GRANULE_SHIFT = 6 };

typedef struct vg_region {
    uint64_t begin, end;
    uint64_t granule0; /* begin / 64 */
    uint32_t first;    /* global number of local granule 0 */
    uint32_t granules;
    uint32_t number; /* position in the table */
    uint32_t serial;
    enum vg_mem_kind kind;
    char *name;          /* module variables; else NULL */
    enum vgpu_memory as; /* what the name is, as vg_alloc has it */
    /* init.c: a bit a byte, by local granule; NULL when no byte was ever missing. */
    uint64_t *written;
    uint64_t *before; /* the same, at the launch's start; NULL when nobody asks */
    bool all_written; /* every byte */
    bool touched;     /* written to since all_written was last computed */
    bool untouched;   /* managed memory with pages that the host may not have touched yet */
    bool told_read;   /* that the host or cuBLAS read what nobody wrote */
    bool host_shares; /* race_host.c: the host can write there, and who reads it is of interest */
    bool only_read;   /* stores.h: this launch has nothing that writes there */
    bool cached;      /* stores.h: it may have loads of what only is read (ld.global.nc) there */
    /* cudaMemset has put a small number into these bytes, and nobody outside kernels has written
     * there since; set_to 0: no. */
    uint64_t set_from, set_to;
    uint8_t set_value;
    uint64_t part_from, part_to; /* the last part that the host has written; part_to 0: none */
    uint32_t unit;               /* bytes of the largest element that a kernel has stored */
    /* race_blocks.c: arrays by local granule, made at the first launch that needs them. */
    void *blocks, *whole;
    uint8_t *values; /* 64 for each */
    /* race.c: by worker, an array of uint32_t by local granule. */
    uint32_t **index;
    int num_index;
} vg_region;

typedef struct vg_regions {
    vg_region **at; /* sorted by address */
    size_t count, room;
    bool track_written;
} vg_regions;

/* Makes the table agree with mem's live allocations. False: out of memory. */
bool vg_regions_follow(vg_regions *regions, const vg_mem *mem);
void vg_regions_clear(vg_regions *regions);
/* The region that holds addr, or NULL. */
vg_region *vg_regions_find(const vg_regions *regions, uint64_t addr);

static inline bool vg_region_holds(const vg_region *r, uint64_t from, uint64_t to) {
    return r != NULL && from >= r->begin && to <= r->end;
}

/* Notes which memory it is. */
void vg_region_name(const vg_region *r, struct vgpu_fact *fact);
