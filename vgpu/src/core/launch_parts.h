/*
 * launch_parts.h: what launch.c, block.c and print_queue.c share. A launch hands blocks to host
 * threads (launch.c); each runs its block's warps from barrier to barrier (block.c); what blocks
 * print appears in their order (print_queue.c).
 */
#pragma once

#include "vgpu/src/core/observe.h"
#include "vgpu/src/core/program.h"

#include <pthread.h>

enum {
    SLICE = 1 << 16,        /* ops between two looks at the budget and the stop flag */
    MOST_STILL = 1 << 27,   /* ops of all blocks together, after which spinning is endless */
    ENOUGH_STILL = 1 << 21, /* after so many it is, too, if they took each worker STILL_NS */
    MOST_ROUND = 1 << 29,   /* ops of a loop in which nothing changes that it looks at */
    ENOUGH_ROUND = 1 << 25, /* after so many it is endless, too, if they took ROUND_NS */
    SPIN_SLICE = 1 << 8,    /* the same where threads may be spinning on what others write */
    JUNK = 0xFF             /* what shared and local memory hold before they are written: NaNs */
};

static const uint64_t STILL_NS = UINT64_C(3000000000), ROUND_NS = UINT64_C(8000000000);

/* Somebody did something else than spin. */
static inline void vg_moves(host_thread *wk) {
    wk->looked_ns = 0;
    atomic_store_explicit(&wk->launch->still, 0, memory_order_relaxed);
    atomic_store_explicit(&wk->launch->still_ns, 0, memory_order_relaxed);
}

/* Calls one callback of every observer that has it. */
#define EACH_OBSERVER(l, callback, ...)                                                            \
    do {                                                                                           \
        for (int n = 0; n < (l)->num_observers; n++) {                                             \
            const vg_observer *obs = (l)->observers[n];                                            \
            if (obs->callback != NULL)                                                             \
                obs->callback(obs->self, __VA_ARGS__);                                             \
        }                                                                                          \
    } while (0)

/* ---- print_queue.c ---- */

typedef struct print_queue {
    const vg_launch_params *params; /* who takes what is printed */
    pthread_mutex_t lock;
    uint64_t next_block;
    struct print_node *waiting; /* sorted by block */
} print_queue;

/* Prints now what a block has printed, and empties it. */
void vg_print_now(const vg_launch_params *params, text_buffer *text);

/* Prints what a block has printed as soon as all blocks before it have; takes the text over. */
void vg_print_in_order(print_queue *q, uint64_t block_index, text_buffer *text);

/* Prints what still waits for blocks that never came. */
void vg_print_rest(print_queue *q);

/* ---- block.c ---- */

enum block_state {
    BLOCK_ENDED,   /* all threads have, or one has faulted                       */
    BLOCK_WAITING, /* all threads that are left wait for the grid                */
    BLOCK_TURN     /* blocks that run together: a warp had its slice, others may run */
};

/* May a block wait for what another one stores? A loop goes on until a value in global memory that
 * others may change, by a volatile or atomic access, is what it should be. */
bool vg_waits_for_blocks(const program *p);

/* Lets whoever launched the kernel know how far it is. */
void vg_tell_progress(const host_thread *wk);

/* Rows of a warp that stay the same for all blocks of the launch. */
void vg_fill_constant_rows(warp *w);

/* Puts the thread's block at the beginning of the block with this linear index. */
void vg_block_begin(host_thread *wk, uint64_t linear);

/* Runs its warps until all have ended, or can go no further. A fault is in *wk. */
enum block_state vg_block_run(host_thread *wk);

void vg_block_end(host_thread *wk);
