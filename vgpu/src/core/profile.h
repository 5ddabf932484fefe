/*
 * profile.h: device profiles as data: what a GPU by that name reports of itself and allows a
 * launch. A profile changes limits and properties, never results. VGPU_DEVICE=name picks one; h200
 * is the default.
 */
#pragma once

#include "vgpu/src/core/core.h"

#include <stdint.h>

typedef struct vg_profile {
    const char *key;  /* what VGPU_DEVICE says, e.g. "h200" */
    const char *name; /* what cudaGetDeviceProperties says  */
    int major, minor; /* compute capability                 */
    int sm_count;
    int clock_khz;
    int memory_clock_khz;
    int memory_bus_bits;
    int bandwidth_gbs; /* peak of global memory, 1e9 bytes a second */
    uint64_t memory_bytes;
    int l2_bytes;
    int max_threads_block;
    vg_dim3 max_block;
    vg_dim3 max_grid;
    int max_threads_sm, max_blocks_sm;
    int shared_block;       /* bytes of shared memory a block may have without asking            */
    int shared_block_optin; /* with cudaFuncAttributeMaxDynamicSharedMemorySize                  */
    int shared_sm;
    int shared_reserved; /* bytes the system takes of it for every block */
    int regs_block, regs_sm;
    int double_ratio; /* float operations for each double operation */
} vg_profile;

/* All profiles, the default first. */
const vg_profile *vg_profiles(int *count);
/* By key or by name, letter case and blanks, '-' and '_' ignored; NULL: the default. NULL if
 * unknown. */
const vg_profile *vg_profile_find(const char *name);

/* True if a block and grid are within the profile's limits, shared = static + dynamic bytes, of
 * which the kernel may have shared_limit. When not, `why` is what is wrong: VGPU_LAUNCH_…. */
bool vg_profile_allows(const vg_profile *p, vg_dim3 grid, vg_dim3 block, uint64_t shared,
                       uint64_t shared_limit, vg_note *why);

/* Blocks of so many threads and so much shared memory (static + dynamic) that one multiprocessor
 * holds at once. 0 if a block doesn't fit. */
int vg_profile_blocks_per_sm(const vg_profile *p, int threads, uint64_t shared, int regs_thread);
