/*
 * race_blocks.c: races between blocks. Blocks run in no order, so two of them race in global memory
 * whenever both touch a byte, one writes, and not both are atomic; when they did it has no say.
 *
 * While a block runs, its worker remembers what it did to each word (race.h). At the block's end
 * that is merged here, into a summary of each word that is the same whatever the order of merging
 * (race_summary.h): race_merge.c does so for most blocks, race_states.c for the others. race_told.c
 * says what was found.
 *
 * Words that blocks write have their values kept besides, to tell same-value races.
 *
 * Blocks with numbers past 2^24 - 2 count as one block: races among them are not seen.
 */
#include "vgpu/src/check/race_states.h"

#include <stdlib.h>
#include <string.h>

enum { AHEAD = 4, SMALL_PAGE = 4096 };

race_blocks *race_blocks_create(void) {
    race_blocks *b = calloc(1, sizeof *b);
    if (b == NULL)
        return NULL;
    for (int i = 0; i < STRIPES; i++)
        pthread_mutex_init(&b->stripe[i], NULL);
    pthread_mutex_init(&b->pools, NULL);
    b->at_once = race_merge_best();
    b->extras.item = sizeof(extra);
    b->records.item = sizeof(record);
    return b;
}

static void forget_extras(race_blocks *b) {
    for (uint32_t i = 0; i < b->extras.used; i++) {
        extra *x = pool_at(&b->extras, i);
        free(x->by_byte);
        x->by_byte = NULL;
    }
    b->extras.used = 0;
}

void race_blocks_destroy(race_blocks *b) {
    if (b == NULL)
        return;
    forget_extras(b);
    pool_free(&b->extras);
    pool_free(&b->records);
    for (int i = 0; i < STRIPES; i++)
        pthread_mutex_destroy(&b->stripe[i]);
    pthread_mutex_destroy(&b->pools);
    free(b);
}

/* What blocks will do to the region can be kept; false: out of memory. */
static bool has_room(vg_region *r) {
    const size_t n = (size_t)r->granules + 1;
    if (r->blocks == NULL)
        r->blocks = calloc(n, sizeof(summary));
    if (r->whole == NULL)
        r->whole = calloc(n, sizeof(whole));
    if (r->values == NULL)
        r->values = calloc(n, VG_GRANULE);
    return r->blocks != NULL && r->whole != NULL && r->values != NULL;
}

bool race_blocks_begin(race_blocks *b, const race_checker *c) {
    forget_extras(b);
    b->records.used = 0;
    b->regions = c->regions;
    b->site = c->site;
    b->fences = c->fences;
    b->weak = c->weak;
    b->launch++;
    b->out_of_memory = false;
    for (size_t i = 0; i < c->regions->count; i++)
        if (!has_room(c->regions->at[i]))
            return false;
    return true;
}

bool race_blocks_lost(const race_blocks *b) {
    return b->out_of_memory;
}

/* ---- places ---- */

const vg_region *race_region_of(const vg_regions *regions, uint32_t number) {
    for (size_t i = 0; i < regions->count; i++) {
        const vg_region *r = regions->at[i];
        if (number - r->first < r->granules)
            return r;
    }
    return NULL;
}

place race_place_in(const vg_region *r, uint64_t local) {
    return (place){(summary *)r->blocks + local, (whole *)r->whole + local,
                   r->values + local * VG_GRANULE};
}

/* Neighbours mostly come one after the other; they share a lock, which is kept for them. */
pthread_mutex_t *race_stripe_of(race_blocks *b, uint32_t number) {
    return &b->stripe[number / TOGETHER % STRIPES];
}

/* ---- merging a granule ---- */

/* Plain reads and writes of words, which nothing orders but for blocks' ends (packed_who). */
static bool is_plain(const race_blocks *b, const race_worker *rw, const granule *g) {
    return g->bytes == 0 && !g->atomics && !((b->fences || b->weak) && rw->first_atomic != 0);
}

static bool only_reads(const granule *g) {
    return g->image == NULL && g->bytes == 0 && !g->atomics;
}

/* The block's granule is the first there in this launch, and fits into a `whole`. */
static bool keep_whole(race_blocks *b, const race_worker *rw, const granule *g, const place *p) {
    whole *w = p->whole;
    if (race_is_known(b, w) || !is_plain(b, rw, g) || g->mixed != 0 ||
        !b->at_once->whole(g, race_block_number(rw), w))
        return false;
    if (w->write.first[0] != 0)
        memcpy(p->values, g->image, VG_GRANULE);
    __atomic_store_n(&w->launch, b->launch, __ATOMIC_RELEASE);
    return true;
}

/* From now on the granule has a summary. */
void race_need_summary(race_blocks *b, const place *p) {
    whole *w = p->whole;
    summary *s = p->sum;
    const bool known = race_is_known(b, w);
    if (known && w->block == IN_SUMMARY)
        return;
    memset(s->d, 0, sizeof s->d); /* every tag EMPTY */
    s->extra = 0;
    atomic_store_explicit(&s->settled, UNSETTLED, memory_order_relaxed);
    if (known) {
        granule g;
        whole_unfold(w, p->values, &g);
        race_merge_at_once(b, w->block, &g, s);
    }
    __atomic_store_n(&w->block, IN_SUMMARY, __ATOMIC_RELEASE);
    __atomic_store_n(&w->launch, b->launch, __ATOMIC_RELEASE);
}

/* Has the granule a summary of this launch? Its stripe need not be locked. */
static bool has_summary(const race_blocks *b, const whole *w) {
    return race_is_known(b, w) && __atomic_load_n(&w->block, __ATOMIC_ACQUIRE) == IN_SUMMARY;
}

/* Reads that add nothing. */
static bool is_settled(const race_blocks *b, const race_worker *rw, const granule *g,
                       const place *p) {
    if (!only_reads(g) || !has_summary(b, p->whole))
        return false;
    const uint32_t settled = atomic_load_explicit(&p->sum->settled, memory_order_relaxed);
    return settled != UNSETTLED && rw->block > settled;
}

/* The granule's stripe is locked. */
static void merge_granule(race_blocks *b, const race_worker *rw, granule *g, const place *p) {
    summary *s = p->sum;
    if (keep_whole(b, rw, g, p))
        return;
    race_need_summary(b, p);
    if (!is_plain(b, rw, g) || !race_merge_at_once(b, race_block_number(rw), g, s))
        race_merge_by_unit(b, rw, g, s);
    const bool may_settle = s->extra == 0 && only_reads(g);
    atomic_store_explicit(&s->settled, may_settle ? b->at_once->settled(s) : UNSETTLED,
                          memory_order_relaxed);
}

/* ---- a block's end ---- */

/* False: the memory is gone. */
static bool place_of(const race_blocks *b, uint32_t number, const vg_region **last, place *p) {
    const vg_region *r = *last;
    if (r == NULL || number - r->first >= r->granules)
        r = *last = race_region_of(b->regions, number);
    if (r != NULL)
        *p = race_place_in(r, number - r->first);
    return r != NULL;
}

/* A page that is read first and written then costs two faults, the second of which interrupts every
 * worker: so the first touch is a write, which changes nothing. */
static void touch_page(whole *w, uintptr_t *page) {
    if ((uintptr_t)w / SMALL_PAGE != *page)
        __atomic_fetch_or(&w->launch, 0, __ATOMIC_RELAXED);
    else
        __builtin_prefetch(w, 1);
    *page = (uintptr_t)w / SMALL_PAGE;
}

/* These lie far apart, and summaries are large: what the loop will need is fetched some turns
 * before. */
static void fetch_soon(const race_blocks *b, const race_worker *rw, uint32_t i,
                       const vg_region **last, uintptr_t *page) {
    place p;
    if (i + AHEAD < rw->granules.used &&
        place_of(b, ((const granule *)pool_at(&rw->granules, i + AHEAD))->owner, last, &p))
        touch_page(p.whole, page);
    if (i >= rw->granules.used)
        return;
    const granule *g = pool_at(&rw->granules, i);
    if (!place_of(b, g->owner, last, &p))
        return;
    if (has_summary(b, p.whole))
        for (size_t k = 0; k < sizeof(summary); k += 64)
            __builtin_prefetch((const char *)p.sum + k, 1);
    else if (g->image != NULL)
        __builtin_prefetch(p.values, 1);
}

void race_blocks_merge(race_blocks *b, const race_worker *rw) {
    const vg_region *r = NULL, *ahead = NULL;
    uintptr_t page = 0;
    pthread_mutex_t *held = NULL;
    for (uint32_t i = 0; i < rw->granules.used; i++) {
        granule *g = pool_at(&rw->granules, i);
        place p;
        fetch_soon(b, rw, i + AHEAD, &ahead, &page);
        if (!place_of(b, g->owner, &r, &p) || is_settled(b, rw, g, &p))
            continue;
        pthread_mutex_t *lock = race_stripe_of(b, g->owner);
        if (lock != held) {
            if (held != NULL)
                pthread_mutex_unlock(held);
            pthread_mutex_lock(lock);
            held = lock;
        }
        merge_granule(b, rw, g, &p);
    }
    if (held != NULL)
        pthread_mutex_unlock(held);
}
