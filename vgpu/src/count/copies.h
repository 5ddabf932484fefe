/*
 * copies.h: which of the numbers that a block loads from shared memory came in the background.
 *
 * A copy is of use when its block computes while it is on its way. Work is seen by what the block
 * loads from shared memory: a thread that multiplies a slab loads each of its numbers for several
 * products. So a copy hides behind work when, from its start until somebody waits for it, its block
 * loads VG_HIDING times the bytes that its warp then has on the way. One that is waited for at once
 * does not, whatever else is on its way at that time; and one whose numbers nobody loads is of no
 * use.
 */
#pragma once

#include "vgpu/src/core/observe.h"

enum { VG_HIDING = 4 };

/* What is known of 4 bytes of shared memory. */
typedef struct copied_word {
    uint64_t hidden_from; /* what `loaded` is when the copy to here has hidden itself */
    bool hid;             /* a copy that did brought what is here */
} copied_word;

/* Of one worker, whose blocks run one after the other. All zeros at first. */
typedef struct copies {
    uint64_t loaded;               /* bytes from shared memory, ever */
    uint64_t on_way[VG_MAX_WARPS]; /* bytes, by warp of the block */
    copied_word *word;             /* by place in shared memory */
    size_t words;
    bool any;    /* in this launch */
    bool failed; /* out of memory: this launch's counts are not complete */
} copies;

/* A launch begins on this worker. */
void vg_copies_reset(copies *c);
/* A block begins: nothing of the one before is on its way or in shared memory any more. */
void vg_copies_block(copies *c);
/* A VG_ASYNC_BEGIN, a VG_ASYNC_END. */
void vg_copies_begin(copies *c, const vg_access *a);
void vg_copies_end(copies *c, const vg_access *a);
/* Another store to shared memory, once there are copies. */
void vg_copies_store(copies *c, const vg_access *a);
/* A load from it of so many bytes: how many of them such copies brought? Its first lane tells for
 * all. */
uint64_t vg_copies_load(copies *c, const vg_access *a, uint64_t bytes);
void vg_copies_free(copies *c);
