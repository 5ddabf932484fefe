/*
 * counters.h: what is counted, as data: one number for each counter of VGPU_COUNTER_LIST
 * (vgpu/include/vgpu_counters.h), and the counter's name.
 *
 * The names are those of the report (VGPU_REPORT), of vgpu-report and of the documentation; which
 * counter of the hardware each one equals is told in README.md.
 */
#pragma once

#include "vgpu/include/vgpu_counters.h"

#include <stdbool.h>
#include <stdint.h>

/* VGC_WARP_INSTRUCTIONS and so on. */
enum vg_counter {
#define VGC_ITEM(capitals, name, unit, meaning) VGC_##capitals,
    VGPU_COUNTER_LIST(VGC_ITEM)
#undef VGC_ITEM
        VGC_COUNT
};

typedef struct vg_counts {
    uint64_t v[VGC_COUNT];
} vg_counts;

/* "warp_instructions" … */
const char *vg_counter_name(enum vg_counter which);
/* VGC_COUNT when there is no counter of that name. */
enum vg_counter vg_counter_named(const char *name);

/* to += times * from */
void vg_counts_add(vg_counts *to, const vg_counts *from, uint64_t times);
bool vg_counts_are_zero(const vg_counts *c);

/* part / whole; 0 when there is no whole. */
double vg_ratio(uint64_t part, uint64_t whole);
/* Bytes that crossed between the multiprocessors and their caches: 32 for each global sector. */
uint64_t vg_global_bytes(const vg_counts *c);
