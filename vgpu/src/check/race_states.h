/*
 * race_states.h: what race_blocks.c, race_states.c and race_told.c share: the summaries' states,
 * one by one, and what only some granules need besides.
 */
#pragma once

#include "vgpu/src/check/race_summary.h"

enum { STRIPES = 256, TOGETHER = 32, MAX_BLOCK = (1 << 24) - 1 };

/* A block's access, as the summary keeps it: who is thread | site << 10, 0 for none. */
typedef struct deed {
    uint32_t block, who;
} deed;

typedef struct byte_states {
    uint32_t a[VG_GRANULE], b[VG_GRANULE];
    uint16_t c[VG_GRANULE];
    uint8_t d[VG_GRANULE];
} byte_states;

/* What only some granules need. */
typedef struct extra {
    uint64_t mixed; /* bytes that got different values */
    uint8_t value[VG_GRANULE];
    struct byte_states *by_byte; /* units of a byte, which replace the words' */
} extra;

typedef struct record {
    uint32_t granule;      /* global number */
    uint32_t first, bytes; /* which bytes of it */
    deed read[2], write[2], atomic[2];
    uint8_t mixed; /* bytes that got different values: bit per byte */
    uint8_t value[4];
} record;

struct race_blocks {
    pthread_mutex_t stripe[STRIPES];
    pthread_mutex_t pools;
    pool extras, records;
    uint32_t launch;
    const vg_regions *regions;
    const uint32_t *site;
    const race_merge *at_once;
    bool fences, weak;
    bool out_of_memory;
};

/* ---- race_states.c: a unit's state, taken apart ---- */

typedef struct entry {
    uint32_t tag;
    deed one, two;   /* READ, ATOMIC: two.who is 0 for none */
    uint32_t block;  /* OWNED */
    uint32_t did[4]; /* OWNED: by class */
    uint32_t record; /* RECORD */
} entry;

typedef struct slot {
    uint32_t *a, *b;
    uint16_t *c;
    uint8_t *d;
} slot;

entry race_unpack(slot s);

static inline slot race_word_slot(summary *s, uint32_t i) {
    return (slot){&s->a[i], &s->b[i], &s->c[i], &s->d[i]};
}

static inline slot race_byte_slot(const extra *x, uint32_t i) {
    return (slot){&x->by_byte->a[i], &x->by_byte->b[i], &x->by_byte->c[i], &x->by_byte->d[i]};
}

/* So many bytes, a bit each. */
static inline uint64_t race_all_of(uint32_t bytes) {
    return (UINT64_C(1) << bytes) - 1;
}

/*
 * A block that writes, calls __threadfence() and then updates a counter atomically may be sure that
 * who sees the counter's new value sees what it wrote: that is how a grid's last block finds the
 * others' results. Such order goes through values, which the checker does not follow. In kernels
 * with such fences it takes it that what a block did up to a fence with an atomic behind it is
 * ordered before what another one did since its first atomic; races that an order of this kind
 * could forbid are not told. (The reader's own fence is left out in NVIDIA's sample, too, so nobody
 * is asked for it.) Whether an access was before the one and after the other goes with its line's
 * number.
 *
 * Without fences, volatile accesses to global memory do not race with each other, nor with atomics:
 * a flag, a counter that is waited for. But what a block stores by one is not there for others who
 * have seen another array's flag, or counter. So a volatile store and a volatile load are told in
 * such kernels where the block of the one wrote to another allocation after it, and that of the
 * other had looked at another one before it.
 */
enum { RELEASED = 1, AFTER_FIRST = 2, BEFORE_OTHER = RELEASED, AFTER_OTHER = AFTER_FIRST };

/* Past the last number that a summary has room for, all blocks are one. */
static inline uint32_t race_block_number(const race_worker *rw) {
    return rw->block < MAX_BLOCK ? (uint32_t)rw->block : MAX_BLOCK;
}

/* What nearly all blocks do, a granule at a time; false, and nothing done, for all else. */
bool race_merge_at_once(race_blocks *b, uint32_t block, const granule *g, summary *s);
/* What the worker's block did to a granule, a unit at a time. */
void race_merge_by_unit(race_blocks *b, const race_worker *rw, granule *g, summary *s);

/* ---- race_blocks.c ---- */

/* All that is kept of a granule. */
typedef struct place {
    summary *sum;
    whole *whole;
    uint8_t *values;
} place;

/* Has any block been at the granule in this launch? Others touch the word, see touch_page. */
static inline bool race_is_known(const race_blocks *b, const whole *w) {
    return __atomic_load_n(&w->launch, __ATOMIC_ACQUIRE) == b->launch;
}

place race_place_in(const vg_region *r, uint64_t local);
const vg_region *race_region_of(const vg_regions *regions, uint32_t number);
/* The lock of a granule, by its global number. */
pthread_mutex_t *race_stripe_of(race_blocks *b, uint32_t number);
/* From now on the granule has a summary; its stripe is locked. */
void race_need_summary(race_blocks *b, const place *p);
