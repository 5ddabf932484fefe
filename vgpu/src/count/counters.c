/* counters.c: names and sums of counters, see counters.h. */
#include "vgpu/src/count/counters.h"

#include <string.h>

static const char *const names[VGC_COUNT] = {
    [VGC_WARP_INSTRUCTIONS] = "warp_instructions",
    [VGC_THREAD_INSTRUCTIONS] = "thread_instructions",
    [VGC_BRANCHES] = "branches",
    [VGC_DIVERGENT_BRANCHES] = "divergent_branches",
    [VGC_BARRIERS] = "barriers",
    [VGC_GLOBAL_LOAD_REQUESTS] = "global_load_requests",
    [VGC_GLOBAL_LOAD_SECTORS] = "global_load_sectors",
    [VGC_GLOBAL_LOAD_BYTES] = "global_load_bytes",
    [VGC_GLOBAL_STORE_REQUESTS] = "global_store_requests",
    [VGC_GLOBAL_STORE_SECTORS] = "global_store_sectors",
    [VGC_GLOBAL_STORE_BYTES] = "global_store_bytes",
    [VGC_GLOBAL_ATOMIC_REQUESTS] = "global_atomic_requests",
    [VGC_GLOBAL_ATOMIC_SECTORS] = "global_atomic_sectors",
    [VGC_GLOBAL_ATOMIC_BYTES] = "global_atomic_bytes",
    [VGC_SHARED_LOAD_REQUESTS] = "shared_load_requests",
    [VGC_SHARED_LOAD_WAVEFRONTS] = "shared_load_wavefronts",
    [VGC_SHARED_LOAD_CONFLICTS] = "shared_load_conflicts",
    [VGC_SHARED_LOAD_BYTES] = "shared_load_bytes",
    [VGC_SHARED_STORE_REQUESTS] = "shared_store_requests",
    [VGC_SHARED_STORE_WAVEFRONTS] = "shared_store_wavefronts",
    [VGC_SHARED_STORE_CONFLICTS] = "shared_store_conflicts",
    [VGC_SHARED_STORE_BYTES] = "shared_store_bytes",
    [VGC_SHARED_ATOMIC_REQUESTS] = "shared_atomic_requests",
    [VGC_SHARED_ATOMIC_BYTES] = "shared_atomic_bytes",
    [VGC_LOCAL_LOAD_REQUESTS] = "local_load_requests",
    [VGC_LOCAL_LOAD_SECTORS] = "local_load_sectors",
    [VGC_LOCAL_LOAD_BYTES] = "local_load_bytes",
    [VGC_LOCAL_STORE_REQUESTS] = "local_store_requests",
    [VGC_LOCAL_STORE_SECTORS] = "local_store_sectors",
    [VGC_LOCAL_STORE_BYTES] = "local_store_bytes",
    [VGC_CONST_LOAD_REQUESTS] = "const_load_requests",
    [VGC_CONST_LOAD_REPLAYS] = "const_load_replays",
    [VGC_CONST_LOAD_BYTES] = "const_load_bytes",
    [VGC_FMA] = "fma",
    [VGC_ADD] = "add",
    [VGC_MUL] = "mul",
    [VGC_SPECIAL] = "special",
    [VGC_FMA_DOUBLE] = "fma_double",
    [VGC_ADD_DOUBLE] = "add_double",
    [VGC_MUL_DOUBLE] = "mul_double",
    [VGC_SPECIAL_DOUBLE] = "special_double",
    [VGC_FMA_HALF] = "fma_half",
    [VGC_ADD_HALF] = "add_half",
    [VGC_MUL_HALF] = "mul_half",
    [VGC_SPECIAL_HALF] = "special_half",
    [VGC_ASYNC_COPIES] = "async_copies",
    [VGC_MMA] = "mma",
    [VGC_FLOPS_MMA] = "flops_mma",
    [VGC_FLOPS] = "flops",
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
