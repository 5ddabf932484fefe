/* counters.c: names and sums of counters, see counters.h. */
#include "vgpu/src/count/counters.h"

#include <string.h>

static const char *const names[VGC_COUNT] = {
#define NAME(capitals, name, unit, meaning) [VGC_##capitals] = #name,
    VGPU_COUNTER_LIST(NAME)
#undef NAME
};

const char *vg_counter_name(enum vg_counter which) {
    return names[which];
}

enum vg_counter vg_counter_named(const char *name) {
    for (int i = 0; i < VGC_COUNT; i++)
        if (strcmp(names[i], name) == 0)
            return (enum vg_counter)i;
    return VGC_COUNT;
}

void vg_counts_add(vg_counts *to, const vg_counts *from, uint64_t times) {
    for (int i = 0; i < VGC_COUNT; i++)
        to->v[i] += times * from->v[i];
}

bool vg_counts_are_zero(const vg_counts *c) {
    uint64_t any = 0;
    for (int i = 0; i < VGC_COUNT; i++)
        any |= c->v[i];
    return any == 0;
}

double vg_ratio(uint64_t part, uint64_t whole) {
    return whole == 0 ? 0.0 : (double)part / (double)whole;
}

uint64_t vg_global_bytes(const vg_counts *c) {
    return 32 * (c->v[VGC_GLOBAL_LOAD_SECTORS] + c->v[VGC_GLOBAL_STORE_SECTORS] +
                 c->v[VGC_GLOBAL_ATOMIC_SECTORS]);
}
