/*
 * race_whole.h: what one block did to 64 bytes of global memory, in short. It fits where no other
 * block has been there yet, and the block did the same to all 16 words in the order of its threads:
 * what most blocks of most kernels do to their share of a large array, whose summaries
 * (race_summary.h) would be three times as large as the array. Everything else is IN_SUMMARY.
 *
 *     word                0   1   2   3  …   8   9  …
 *     step 1              t  t+1 t+2 t+3 …   u  u+1 …   rows: a thread a word
 *     step 1, shift 2     t   t   t   t  …   u   u  …   four each: float4
 *     step 32             t  t+32  …         u  u+32 …  columns of blocks 32 threads wide
 *     step 0              t   t   t   t  …   u   u  …   one thread
 *
 * The second half begins anew, since a loop may have come round in between.
 *
 * The values that the block wrote are kept beside it, 64 bytes for each granule, so that nothing is
 * lost when the second block comes and a summary has to be made.
 */
#pragma once

#include "vgpu/src/check/race.h"

enum { BLOCK_BITS = 24 };
#define IN_SUMMARY UINT32_MAX

/* Who touched the words: first[k / 8] + step * ((k % 8) >> shift), as race.h has it, with the
 * instruction. first[0] is 0: nobody touched any. */
typedef struct whole_touch {
    uint32_t first[2];
    int16_t step;
    uint16_t shift;
} whole_touch;

typedef struct whole {
    uint32_t launch; /* belongs to that launch; otherwise no block has been here */
    uint32_t block;  /* or IN_SUMMARY                                            */
    whole_touch read, write;
} whole;

static inline uint32_t whole_who(const whole_touch *t, uint32_t k) {
    return t->first[k / 8] + (uint32_t)t->step * ((k % 8) >> t->shift);
}

/* Back again: as much of the block's granule as a summary is made from. */
static inline void whole_unfold(const whole *w, uint8_t *values, granule *g) {
    *g = (granule){.image = w->write.first[0] != 0 ? values : NULL};
    for (uint32_t k = 0; k < 16; k++) {
        g->r1[k] = w->read.first[0] != 0 ? whole_who(&w->read, k) : 0;
        g->w[k] = w->write.first[0] != 0 ? whole_who(&w->write, k) : 0;
    }
}
