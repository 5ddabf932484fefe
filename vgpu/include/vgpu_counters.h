/*
 * vgpu_counters.h: what a kernel did, counted, for programs that run on the virtual GPU.
 *
 *     vgpu_counters_enable();
 *     kernel<<<grid, block>>>(…);
 *     struct vgpu_counters c;
 *     if (vgpu_last_counters(&c))
 *         printf("%.2f sectors a request\n", (double)c.global_load_sectors /
 * c.global_load_requests);
 *
 * The same numbers, for each launch and each source line, go to the file that the environment
 * variable VGPU_REPORT names. What each counter means: vgpu/src/count/README.md.
 */
#ifndef VGPU_COUNTERS_API_H
#define VGPU_COUNTERS_API_H

#include <stdbool.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Instructions and requests: a warp's, unless named otherwise. Floating-point operations: threads'.
 * A sector is 32 bytes. */
struct vgpu_counters {
    uint64_t warp_instructions, thread_instructions;
    uint64_t branches, divergent_branches;
    uint64_t barriers;
    uint64_t global_load_requests, global_load_sectors, global_load_bytes;
    uint64_t global_store_requests, global_store_sectors, global_store_bytes;
    uint64_t global_atomic_requests, global_atomic_sectors, global_atomic_bytes;
    uint64_t shared_load_requests, shared_load_wavefronts, shared_load_conflicts, shared_load_bytes;
    uint64_t shared_store_requests, shared_store_wavefronts, shared_store_conflicts,
        shared_store_bytes;
    uint64_t shared_atomic_requests, shared_atomic_bytes;
    uint64_t local_load_requests, local_load_sectors, local_load_bytes;
    uint64_t local_store_requests, local_store_sectors, local_store_bytes;
    uint64_t const_load_requests, const_load_replays, const_load_bytes;
    uint64_t fma, add, mul, special;                             /* float              */
    uint64_t fma_double, add_double, mul_double, special_double; /* double             */
    uint64_t fma_half, add_half, mul_half, special_half;         /* half and bfloat16  */
    uint64_t async_copies;                                       /* cp.async of warps */
    uint64_t mma, flops_mma;                                     /* matrix instructions */
    uint64_t flops;                                              /* all, an fma is two  */
};

/* Counts every launch from now on. Kernels then run at about half their speed. False when out of
 * memory. Counting goes on until the program ends. */
bool vgpu_counters_enable(void);

/* The counters of the launch that ended last. False when nothing was counted yet. */
bool vgpu_last_counters(struct vgpu_counters *counters);

/* The sums over all launches since the start, or since vgpu_reset_counters, and how many there
 * were. */
bool vgpu_total_counters(struct vgpu_counters *counters, uint64_t *launches);

/* Forgets all launches counted so far, for the report too. */
void vgpu_reset_counters(void);

/* Writes the report of VGPU_REPORT as it is now: for programs that end without going through exit.
 * False when none was asked for. */
bool vgpu_write_report(void);

#ifdef __cplusplus
}
#endif

#endif
