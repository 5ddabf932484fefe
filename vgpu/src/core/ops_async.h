/*
 * ops_async.h: copies from global to shared memory that a thread starts and waits for later
 * (cp.async).
 *
 *     cp.async      the source is read; the destination holds junk (0xFF) from now on
 *     commit_group  what the thread has started since the last commit is a group
 *     wait_group n  all but the thread's n latest groups arrive:
 *     only now is the destination written
 *
 * so a wait forgotten, or one too few, shows every time. Observers are told of the destination
 * twice: VG_ASYNC_BEGIN where the copy starts, VG_ASYNC_END where it arrives.
 * Hardware may write at any time in
 * between: what is not ordered against both races. Threads that end let their copies arrive.
 * Copies that an mbarrier was promised (cp.async.mbarrier.arrive)
 * land when somebody tests that mbarrier.
 */
#pragma once

#include "vgpu/src/core/program.h"

enum { VG_ASYNC_BYTES = 16 }; /* the most that one thread copies at once */

typedef struct async_queue async_queue;

void vg_async_free(async_queue *queue); /* NULL is fine */
/* A new block: nothing is in flight. */
void vg_async_reset(warp *w);
/* These lanes of the warp end. */
void vg_async_exit(warp *w, uint32_t lanes);
/* The lane promises to arrive at the mbarrier at this offset of shared memory once the copies that
 * it has started have landed. False: out of memory. */
bool vg_async_promise(warp *w, const op *o, int lane, uint64_t at);
/* Somebody asks for the mbarrier: everything promised to it lands now, and arrives. False:
 * a fault, recorded. */
bool vg_async_keep_promises(block *b, uint64_t at);
/* Is a copy to this offset of the block's shared memory in flight? And has the block let a barrier
 * go since it started? */
enum vg_async_state { VG_ASYNC_NONE, VG_ASYNC_BEFORE_BARRIER, VG_ASYNC_SINCE_BARRIER };
/* And what the last wait left of it: known where the copy began before that wait, and the thread
 * that copies waited as the one that asks did. */
typedef struct vg_async_wait {
    bool alike;      /* else what follows says nothing */
    uint32_t group;  /* of the copy, from the newest at that wait, which is 1; 0: it was in none */
    uint32_t left;   /* so many groups the wait left under way */
    bool none_since; /* between the wait before it and this one no group was committed */
} vg_async_wait;
/* Who asks: lane `lane` of w. */
enum vg_async_state vg_async_state(const warp *w, uint32_t lane, uint64_t at, vg_async_wait *wait);
