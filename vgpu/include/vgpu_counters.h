/*
 * vgpu_counters.h: what a kernel did, counted, for programs that run on the virtual GPU.
 *
 *     vgpu_counters_enable();
 *     kernel<<<grid, block>>>(…);
 *     struct vgpu_counters c;
 *     if (vgpu_last_counters(&c))
 *         printf("%llu sectors\n", (unsigned long long)c.global_load_sectors);
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

/* Every counter, in this one place: its name in capitals, its name, its unit, and what it counts in
 * a launch. A sector is 32 bytes. The members below, the report, the grader's quantities and its
 * page follow from this list. */
/* clang-format off */
#define VGPU_COUNTER_LIST(X) \
    X(WARP_INSTRUCTIONS, warp_instructions, "instructions", \
      "PTX instructions of warps; depends on the compiler: no good limit") \
    X(THREAD_INSTRUCTIONS, thread_instructions, "instructions", "PTX instructions of threads") \
    X(BRANCHES, branches, "instructions", "branches of warps") \
    X(DIVERGENT_BRANCHES, divergent_branches, "instructions", \
      "of these, branches that split a warp") \
    X(BARRIERS, barriers, "instructions", "barriers that warps passed") \
    X(GLOBAL_LOAD_REQUESTS, global_load_requests, "requests", "warps' loads from global memory") \
    X(GLOBAL_LOAD_SECTORS, global_load_sectors, "sectors", "32-byte sectors they touched") \
    X(GLOBAL_LOAD_BYTES, global_load_bytes, "bytes", \
      "bytes that their threads asked for, each on its own") \
    X(GLOBAL_STORE_REQUESTS, global_store_requests, "requests", "warps' stores to global memory") \
    X(GLOBAL_STORE_SECTORS, global_store_sectors, "sectors", "32-byte sectors they touched") \
    X(GLOBAL_STORE_BYTES, global_store_bytes, "bytes", "bytes that their threads stored") \
    X(GLOBAL_ATOMIC_REQUESTS, global_atomic_requests, "requests", \
      "warps' atomics on global memory") \
    X(GLOBAL_ATOMIC_SECTORS, global_atomic_sectors, "sectors", "32-byte sectors they touched") \
    X(GLOBAL_ATOMIC_BYTES, global_atomic_bytes, "bytes", \
      "bytes of global memory that atomics worked on") \
    X(SHARED_LOAD_REQUESTS, shared_load_requests, "requests", "warps' loads from shared memory") \
    X(SHARED_LOAD_WAVEFRONTS, shared_load_wavefronts, "turns", "turns they needed") \
    X(SHARED_LOAD_CONFLICTS, shared_load_conflicts, "turns", \
      "of these, extra turns for bank conflicts") \
    X(SHARED_LOAD_BYTES, shared_load_bytes, "bytes", "bytes they loaded") \
    X(SHARED_STORE_REQUESTS, shared_store_requests, "requests", "warps' stores to shared memory") \
    X(SHARED_STORE_WAVEFRONTS, shared_store_wavefronts, "turns", "turns they needed") \
    X(SHARED_STORE_CONFLICTS, shared_store_conflicts, "turns", \
      "of these, extra turns for bank conflicts") \
    X(SHARED_STORE_BYTES, shared_store_bytes, "bytes", "bytes they stored") \
    X(SHARED_ATOMIC_REQUESTS, shared_atomic_requests, "requests", \
      "warps' atomics on shared memory") \
    X(SHARED_ATOMIC_BYTES, shared_atomic_bytes, "bytes", "bytes they worked on") \
    X(LOCAL_LOAD_REQUESTS, local_load_requests, "requests", \
      "warps' loads of local memory (arrays of a thread, spilled registers)") \
    X(LOCAL_LOAD_SECTORS, local_load_sectors, "sectors", "32-byte sectors they touched") \
    X(LOCAL_LOAD_BYTES, local_load_bytes, "bytes", "bytes they loaded") \
    X(LOCAL_STORE_REQUESTS, local_store_requests, "requests", "warps' stores to local memory") \
    X(LOCAL_STORE_SECTORS, local_store_sectors, "sectors", "32-byte sectors they touched") \
    X(LOCAL_STORE_BYTES, local_store_bytes, "bytes", "bytes they stored") \
    X(CONST_LOAD_REQUESTS, const_load_requests, "requests", \
      "warps' loads of __constant__ memory") \
    X(CONST_LOAD_REPLAYS, const_load_replays, "turns", "extra turns they needed for other words") \
    X(CONST_LOAD_BYTES, const_load_bytes, "bytes", "bytes they loaded") \
    X(FMA, fma, "operations", "multiply-adds of float: the counter of matrix products") \
    X(ADD, add, "operations", "sums of float") \
    X(MUL, mul, "operations", "products of float") \
    X(SPECIAL, special, "operations", "divisions, square roots, sines and so on, of float") \
    X(FMA_DOUBLE, fma_double, "operations", "multiply-adds of double") \
    X(ADD_DOUBLE, add_double, "operations", "sums of double") \
    X(MUL_DOUBLE, mul_double, "operations", "products of double") \
    X(SPECIAL_DOUBLE, special_double, "operations", "divisions and so on, of double") \
    X(FMA_HALF, fma_half, "operations", \
      "multiply-adds of half and bfloat16; a packed instruction is two") \
    X(ADD_HALF, add_half, "operations", "sums of half and bfloat16") \
    X(MUL_HALF, mul_half, "operations", "products of half and bfloat16") \
    X(SPECIAL_HALF, special_half, "operations", "divisions and so on, of half and bfloat16") \
    X(ASYNC_COPIES, async_copies, "instructions", \
      "warps' copies from global to shared memory in the background (cp.async)") \
    X(MMA, mma, "instructions", "warps' matrix instructions (mma.sync, wmma.mma)") \
    X(FLOPS_MMA, flops_mma, "operations", "floating-point operations of tensor cores") \
    X(FLOPS, flops, "operations", "all floating-point operations; a fused multiply-add is two") \
    X(SHORT_BARRIERS, short_barriers, "barriers", \
      "barriers of blocks, some of whose threads had ended before") \
    X(SCATTERED_LOAD_BYTES, scattered_load_bytes, "bytes", \
      "bytes loaded from global memory by half a warp or more, in over twice the sectors that " \
      "neighbours would touch") \
    X(SHARED_LOAD_WORDS, shared_load_words, "words", \
      "different 4-byte words that warps' loads from shared memory read, load by load") \
    X(LOCAL_PINNED_BYTES, local_pinned_bytes, "bytes", \
      "bytes of local memory, loaded and stored, that no compiler keeps in registers: " \
      "volatile, or at an index that differs between lanes or from one time to the next") \
    X(CONST_MOVING_BYTES, const_moving_bytes, "bytes", \
      "bytes loaded from constant memory by instructions that read another place each time: no " \
      "size or factor, which stays where it is") \
    X(OVERLAPPED_LOAD_BYTES, overlapped_load_bytes, "bytes", \
      "bytes loaded from shared memory while asynchronous copies of the block were on their way") \
    X(BROUGHT_LOAD_BYTES, brought_load_bytes, "bytes", \
      "bytes loaded from shared memory that asynchronous copies brought while the block worked") \
    X(THREADS, threads, "threads", "threads that were launched") \
    X(LOADS_EACH, loads_each, "requests", \
      "loads from global and shared memory for each warp of a launch that works, rounded up; " \
      "added up over launches")
/* clang-format on */

/* One member for each: c.global_load_sectors. */
struct vgpu_counters {
#define VGPU_COUNTER_MEMBER(capitals, name, unit, meaning) uint64_t name;
    VGPU_COUNTER_LIST(VGPU_COUNTER_MEMBER)
#undef VGPU_COUNTER_MEMBER
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
