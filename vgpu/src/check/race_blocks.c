/*
 * race_blocks.c: races between blocks. Blocks run in no order, so two of them race in global memory
 * whenever both touch a byte, one writes, and not both are atomic; when they did it has no say.
 *
 * While a block runs, its worker remembers what it did to each word (race.h). At the block's end
 * that is merged here, into a summary of each word that is the same whatever the order of merging
 * (race_summary.h). race_merge.c does so for most blocks.
 *
 * Words that blocks write have their values kept besides, to tell same-value races.
 *
 * Long, since the layout of a word's state is this file's alone: who merges, asks and reports.
 *
 * Blocks with numbers past 2^24 - 2 count as one block: races among them are not seen.
 */
#include "vgpu/src/check/race_summary.h"

#include <stdlib.h>
#include <string.h>

enum {
    STRIPES = 256,
    TOGETHER = 32,
    AHEAD = 4,
    SMALL_PAGE = 4096,
    MAX_BLOCK = (1 << 24) - 1,
    MAX_RECORDS = 1 << 21
};

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
    bool fences;
    bool out_of_memory;
};

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

/* ---- packing ---- */

typedef unsigned __int128 bits128;

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

static uint32_t take(bits128 *v, unsigned bits) {
    const uint32_t field = (uint32_t)(*v & ((UINT64_C(1) << bits) - 1));
    *v >>= bits;
    return field;
}

static entry unpack(slot s) {
    bits128 v = (bits128)*s.d << 80 | (bits128)*s.c << 64 | (uint64_t)*s.b << 32 | *s.a;
    entry e = {.tag = (uint32_t)(v >> TAG_SHIFT)};
    if (e.tag == READ || e.tag == ATOMIC) {
        e.one.block = take(&v, BLOCK_BITS);
        e.one.who = take(&v, WHO_BITS);
        e.two.block = take(&v, BLOCK_BITS);
        e.two.who = take(&v, WHO_BITS);
    } else if (e.tag == OWNED) {
        e.block = take(&v, BLOCK_BITS);
        for (int class = RACE_READ; class <= RACE_ATOMIC; class ++)
            e.did[class] = take(&v, WHO_BITS);
    } else if (e.tag == RECORD) {
        e.record = *s.a;
    }
    return e;
}

static void pack(slot s, const entry *e) {
    bits128 v = 0;
    if (e->tag == READ || e->tag == ATOMIC) {
        v = e->one.block | (bits128)e->one.who << BLOCK_BITS | (bits128)e->two.block << DEED_BITS |
            (bits128)e->two.who << (DEED_BITS + BLOCK_BITS);
    } else if (e->tag == OWNED) {
        v = e->block;
        for (int class = RACE_READ; class <= RACE_ATOMIC; class ++)
            v |= (bits128)e->did[class] << (BLOCK_BITS + (class - 1) * WHO_BITS);
    } else if (e->tag == RECORD) {
        v = e->record;
    }
    v |= (bits128)e->tag << TAG_SHIFT;
    *s.a = (uint32_t)v;
    *s.b = (uint32_t)(v >> 32);
    *s.c = (uint16_t)(v >> 64);
    *s.d = (uint8_t)(v >> 80);
}

/* ---- merging one unit ---- */

/* What a block did to a unit. */
typedef struct deeds {
    uint32_t block;
    uint32_t did[4]; /* by class: thread and line, 0 for not */
    uint8_t mixed;   /* bytes that it wrote different values to: bit per byte */
    uint8_t value[4];
} deeds;

/* The unit being merged. */
typedef struct unit_place {
    race_blocks *all;
    summary *granule;
    uint32_t number; /* of the granule */
    uint32_t first, bytes;
    slot slot;
} unit_place;

/* So many bytes, a bit each. */
static uint64_t all_of(uint32_t bytes) {
    return (UINT64_C(1) << bytes) - 1;
}

static void keep_lowest(deed two[2], deed d) {
    if (d.who == 0 || (two[0].who != 0 && d.block == two[0].block))
        return;
    if (two[0].who == 0 || d.block < two[0].block) {
        two[1] = two[0];
        two[0] = d;
    } else if (two[1].who == 0 || d.block < two[1].block) {
        two[1] = d;
    }
}

static extra *extra_of(const unit_place *p) {
    race_blocks *all = p->all;
    if (p->granule->extra != 0)
        return pool_at(&all->extras, p->granule->extra - 1);
    pthread_mutex_lock(&all->pools);
    const uint32_t n = pool_take(&all->extras);
    pthread_mutex_unlock(&all->pools);
    if (n == UINT32_MAX) {
        all->out_of_memory = true;
        return NULL;
    }
    extra *x = pool_at(&all->extras, n);
    memset(x, 0, sizeof *x);
    p->granule->extra = n + 1;
    return x;
}

static void add_to_record(record *r, const deeds *d, bool first_writer) {
    keep_lowest(r->read, (deed){d->block, d->did[RACE_READ]});
    keep_lowest(r->atomic, (deed){d->block, d->did[RACE_ATOMIC]});
    keep_lowest(r->write, (deed){d->block, d->did[RACE_WRITE]});
    if (d->did[RACE_WRITE] != 0) {
        r->mixed |= d->mixed;
        for (uint32_t k = 0; k < r->bytes && !first_writer; k++)
            r->mixed |= (uint8_t)((r->value[k] != d->value[k]) << k);
        memcpy(r->value, d->value, sizeof r->value);
    }
}

static record *new_record(const unit_place *p, entry *e) {
    race_blocks *all = p->all;
    pthread_mutex_lock(&all->pools);
    const uint32_t n = all->records.used < MAX_RECORDS ? pool_take(&all->records) : UINT32_MAX;
    pthread_mutex_unlock(&all->pools);
    if (n == UINT32_MAX) {
        all->out_of_memory = true;
        return NULL;
    }
    record *r = pool_at(&all->records, n);
    *r = (record){.granule = p->number, .first = p->first, .bytes = p->bytes};
    e->tag = RECORD;
    e->record = n;
    return r;
}

/* Two blocks, and not all of what they did is reading, nor all atomic. */
static void start_record(const unit_place *p, entry e, const deeds *d) {
    entry next = {0};
    record *r = new_record(p, &next);
    if (r == NULL)
        return;
    if (e.tag == OWNED) {
        deeds owner = {.block = e.block};
        memcpy(owner.did, e.did, sizeof owner.did);
        if (e.did[RACE_WRITE] != 0) {
            const extra *x = extra_of(p);
            if (x != NULL) {
                owner.mixed = (uint8_t)(x->mixed >> p->first & all_of(p->bytes));
                memcpy(owner.value, x->value + p->first, p->bytes);
            }
        }
        add_to_record(r, &owner, true);
    } else {
        deed *two = e.tag == READ ? r->read : r->atomic;
        two[0] = e.one;
        two[1] = e.two;
    }
    add_to_record(r, d, r->write[0].who == 0);
    pack(p->slot, &next);
}

static void own(const unit_place *p, entry *e, const deeds *d) {
    e->tag = OWNED;
    e->block = d->block;
    memcpy(e->did, d->did, sizeof e->did);
    if (d->did[RACE_WRITE] != 0) {
        extra *x = extra_of(p);
        if (x != NULL) {
            memcpy(x->value + p->first, d->value, p->bytes);
            x->mixed &= ~(all_of(p->bytes) << p->first);
            x->mixed |= (uint64_t)d->mixed << p->first;
        }
    }
}

static void merge_unit(const unit_place *p, const deeds *d) {
    const bool reads = d->did[RACE_READ] != 0, writes = d->did[RACE_WRITE] != 0,
               atomics = d->did[RACE_ATOMIC] != 0;
    const uint32_t only = reads + writes + atomics != 1 || writes ? OWNED : reads ? READ : ATOMIC;
    entry e = unpack(p->slot);
    if (e.tag == RECORD) {
        record *r = pool_at(&p->all->records, e.record);
        add_to_record(r, d, r->write[0].who == 0);
        return;
    }
    if (e.tag == EMPTY && only == OWNED) {
        own(p, &e, d);
    } else if (e.tag == EMPTY || e.tag == only) {
        deed two[2] = {e.one, e.two};
        if (only == OWNED) {
            start_record(p, e, d);
            return;
        }
        e.tag = only;
        keep_lowest(two, (deed){d->block, d->did[only == READ ? RACE_READ : RACE_ATOMIC]});
        e.one = two[0];
        e.two = two[1];
    } else {
        start_record(p, e, d);
        return;
    }
    pack(p->slot, &e);
}

/* ---- merging a granule ---- */

static slot word_slot(summary *s, uint32_t i) {
    return (slot){&s->a[i], &s->b[i], &s->c[i], &s->d[i]};
}

static slot byte_slot(const extra *x, uint32_t i) {
    return (slot){&x->by_byte->a[i], &x->by_byte->b[i], &x->by_byte->c[i], &x->by_byte->d[i]};
}

/* From now on the summary's units are bytes: each gets a copy of its word's state. */
static bool split_summary(race_blocks *b, summary *s, uint32_t number) {
    unit_place p = {.all = b, .granule = s, .number = number, .bytes = 1};
    extra *x = extra_of(&p);
    if (x == NULL)
        return false;
    if (x->by_byte != NULL)
        return true;
    x->by_byte = calloc(1, sizeof *x->by_byte);
    if (x->by_byte == NULL) {
        b->out_of_memory = true;
        return false;
    }
    for (uint32_t i = 64; i-- > 0;) { /* a word's record becomes that of its first byte, at last */
        entry e = unpack(word_slot(s, i / 4));
        if (e.tag == RECORD) {
            const uint32_t word = e.record;
            p.first = i;
            record *r = i % 4 == 0 ? pool_at(&b->records, word) : new_record(&p, &e);
            if (r == NULL)
                continue;
            *r = *(const record *)pool_at(&b->records, word);
            r->first = i;
            r->bytes = 1;
            r->mixed = r->mixed >> i % 4 & 1;
            r->value[0] = r->value[i % 4];
        }
        pack(byte_slot(x, i), &e);
    }
    return true;
}

/*
 * A block that writes, calls __threadfence() and then updates a counter atomically may be sure that
 * who sees the counter's new value sees what it wrote: that is how a grid's last block finds the
 * others' results. Such order goes through values, which the checker does not follow. In kernels
 * with such fences it takes it that what a block did up to its last atomic is ordered before what
 * another one did since its first; races that an order of this kind could forbid are not told.
 * Whether an access was before the one and after the other goes with its line's number.
 */
enum { BEFORE_LAST = 1, AFTER_FIRST = 2 };

static uint32_t packed_who(const race_blocks *b, const race_worker *rw, uint32_t who,
                           uint32_t stamp) {
    if (who == 0)
        return 0;
    uint32_t order = 0;
    if (b->fences && rw->first_atomic != 0) {
        order = (stamp <= rw->last_atomic ? BEFORE_LAST : 0) |
                (stamp >= rw->first_atomic ? AFTER_FIRST : 0);
    }
    return who_thread(who) | (b->site[who_op(who)] + order) << 10;
}

static bool ordered_by_atomics(const race_checker *c, deed p, deed q) {
    const uint32_t x = ((p.who >> 10) - 1) % ORDER_KINDS, y = ((q.who >> 10) - 1) % ORDER_KINDS;
    return c->fences && (((x & BEFORE_LAST) != 0 && (y & AFTER_FIRST) != 0) ||
                         ((y & BEFORE_LAST) != 0 && (x & AFTER_FIRST) != 0));
}

static uint32_t block_number(const race_worker *rw) {
    return rw->block < MAX_BLOCK ? (uint32_t)rw->block : MAX_BLOCK;
}

/* What the block did to unit i of its granule. False: nothing. */
static bool deeds_of(const race_blocks *b, const race_worker *rw, const units *u, uint32_t i,
                     deeds *d) {
    memset(d->did, 0, sizeof d->did);
    if (u->w[i] == WHO_LISTED) {
        const exact *e = pool_at(&rw->lists, u->r1[i]);
        for (int class = RACE_READ; class <= RACE_ATOMIC; class ++)
            d->did[class] = packed_who(b, rw, e->first[class], e->last[class]);
    } else {
        d->did[RACE_WRITE] = packed_who(b, rw, u->w[i], u->ws[i]);
        if (u->r1[i] != 0)
            d->did[who_class(u->r1[i])] = packed_who(b, rw, u->r1[i], u->rs[i]);
    }
    d->mixed = (*u->mixed >> i & 1) != 0 ? (uint8_t)all_of(1u << u->unit_shift) : 0;
    memset(d->value, 0, sizeof d->value);
    if (d->did[RACE_WRITE] != 0)
        memcpy(d->value, u->image + ((size_t)i << u->unit_shift), 1u << u->unit_shift);
    return (d->did[RACE_READ] | d->did[RACE_WRITE] | d->did[RACE_ATOMIC]) != 0;
}

/* The values of the words of a granule that a block has written, as the first to touch them. */
static void keep_values(const unit_place *p, const granule *g) {
    extra *x = extra_of(p);
    uint32_t missing = 0;
    for (uint32_t i = 0; i < 16; i++)
        missing |= g->w[i] == 0;
    if (x != NULL && missing == 0 && g->mixed == 0) {
        memcpy(x->value, g->image, VG_GRANULE);
        x->mixed = 0; /* no word is any other block's */
        return;
    }
    for (uint32_t i = 0; x != NULL && i < 16; i++) {
        if (g->w[i] == 0)
            continue;
        memcpy(x->value + 4 * i, g->image + 4 * i, 4);
        x->mixed &= ~(all_of(4) << 4 * i);
        x->mixed |= ((g->mixed >> i & 1) * all_of(4)) << 4 * i;
    }
}

/* Plain reads and writes of words, which nothing orders but for blocks' ends (packed_who). */
static bool is_plain(const race_blocks *b, const race_worker *rw, const granule *g) {
    return g->bytes == 0 && !g->atomics && !(b->fences && rw->first_atomic != 0);
}

/* What nearly all blocks do, a granule at a time; false, and nothing done, for all else. */
static bool merge_at_once(race_blocks *b, uint32_t block, const granule *g, summary *s) {
    const extra *x = s->extra != 0 ? pool_at(&b->extras, s->extra - 1) : NULL;
    if ((x != NULL && x->by_byte != NULL) || !b->at_once->granule(s, g, block, b->site))
        return false;
    if (g->image != NULL)
        keep_values(&(unit_place){.all = b, .granule = s, .number = g->owner}, g);
    return true;
}

static void merge_units(race_blocks *b, const race_worker *rw, const units *u, summary *s,
                        uint32_t number) {
    const uint32_t n = u->unit_shift == 2 ? 16 : 64;
    deeds d = {.block = block_number(rw)};
    for (uint32_t i = 0; i < n; i++) {
        if (!deeds_of(b, rw, u, i, &d))
            continue;
        const extra *x = s->extra != 0 ? pool_at(&b->extras, s->extra - 1) : NULL;
        if (x == NULL || x->by_byte == NULL) {
            const unit_place p = {b, s, number, 4 * i, 4, word_slot(s, i)};
            merge_unit(&p, &d);
            continue;
        }
        deeds byte = d;
        for (uint32_t k = 0; k < 1u << u->unit_shift; k++) {
            const uint32_t at = (i << u->unit_shift) + k;
            const unit_place p = {b, s, number, at, 1, byte_slot(x, at)};
            memset(byte.value, 0, sizeof byte.value);
            byte.value[0] = d.value[k];
            byte.mixed = d.mixed >> k & 1;
            merge_unit(&p, &byte);
        }
    }
}

static bool only_reads(const granule *g) {
    return g->image == NULL && g->bytes == 0 && !g->atomics;
}

/* All that is kept of a granule. */
typedef struct place {
    summary *sum;
    whole *whole;
    uint8_t *values;
} place;

/* The block's granule is the first there in this launch, and fits into a `whole`. */
static bool keep_whole(race_blocks *b, const race_worker *rw, const granule *g, const place *p) {
    whole *w = p->whole;
    if (w->launch == b->launch || !is_plain(b, rw, g) || g->mixed != 0 ||
        !b->at_once->whole(g, block_number(rw), w))
        return false;
    if (w->write.first[0] != 0)
        memcpy(p->values, g->image, VG_GRANULE);
    __atomic_store_n(&w->launch, b->launch, __ATOMIC_RELEASE);
    return true;
}

/* From now on the granule has a summary. */
static void need_summary(race_blocks *b, const place *p) {
    whole *w = p->whole;
    summary *s = p->sum;
    const bool known = w->launch == b->launch;
    if (known && w->block == IN_SUMMARY)
        return;
    memset(s->d, 0, sizeof s->d); /* every tag EMPTY */
    s->extra = 0;
    atomic_store_explicit(&s->settled, UNSETTLED, memory_order_relaxed);
    if (known) {
        granule g;
        whole_unfold(w, p->values, &g);
        merge_at_once(b, w->block, &g, s);
    }
    __atomic_store_n(&w->block, IN_SUMMARY, __ATOMIC_RELEASE);
    __atomic_store_n(&w->launch, b->launch, __ATOMIC_RELEASE);
}

/* Has the granule a summary of this launch? Its stripe need not be locked. */
static bool has_summary(const race_blocks *b, const whole *w) {
    return __atomic_load_n(&w->launch, __ATOMIC_ACQUIRE) == b->launch &&
           __atomic_load_n(&w->block, __ATOMIC_ACQUIRE) == IN_SUMMARY;
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
    need_summary(b, p);
    if (!is_plain(b, rw, g) || !merge_at_once(b, block_number(rw), g, s)) {
        units u = race_units_of(rw, g);
        if (u.unit_shift == 2 || split_summary(b, s, g->owner))
            merge_units(b, rw, &u, s, g->owner);
    }
    const bool may_settle = s->extra == 0 && only_reads(g);
    atomic_store_explicit(&s->settled, may_settle ? b->at_once->settled(s) : UNSETTLED,
                          memory_order_relaxed);
}

static const vg_region *region_of_granule(const vg_regions *regions, uint32_t number) {
    for (size_t i = 0; i < regions->count; i++) {
        const vg_region *r = regions->at[i];
        if (number - r->first < r->granules)
            return r;
    }
    return NULL;
}

static place place_in(const vg_region *r, uint64_t local) {
    return (place){(summary *)r->blocks + local, (whole *)r->whole + local,
                   r->values + local * VG_GRANULE};
}

/* False: the memory is gone. */
static bool place_of(const race_blocks *b, uint32_t number, const vg_region **last, place *p) {
    const vg_region *r = *last;
    if (r == NULL || number - r->first >= r->granules)
        r = *last = region_of_granule(b->regions, number);
    if (r != NULL)
        *p = place_in(r, number - r->first);
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

/* Neighbours mostly come one after the other; they share a lock, which is kept for them. */
static pthread_mutex_t *stripe_of(race_blocks *b, uint32_t number) {
    return &b->stripe[number / TOGETHER % STRIPES];
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
        pthread_mutex_t *lock = stripe_of(b, g->owner);
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

/* ---- reporting ---- */

typedef struct reporter {
    const race_checker *checker;
    uint64_t last_block;
    void (*add)(void *arg, const race_found *f);
    void *arg;
} reporter;

static uint32_t full_who(const race_checker *c, uint32_t who, enum race_class class) {
    return (c->op_of_site[who >> 10] + 1) << WHO_OP_SHIFT | (uint32_t) class << WHO_CLASS_SHIFT |
           (who & WHO_THREAD);
}

/* The lowest pair of different blocks, one from each list. */
static void report_pair(const reporter *to, const record *r, const deed *x, enum race_class cx,
                        const deed *y, enum race_class cy, bool same_value) {
    static const int order[4][2] = {{0, 0}, {0, 1}, {1, 0}, {1, 1}};
    for (int k = 0; k < 4; k++) {
        const deed p = x[order[k][0]], q = y[order[k][1]];
        if (p.who == 0 || q.who == 0 || p.block == q.block)
            continue;
        if (ordered_by_atomics(to->checker, p, q))
            continue;
        if (p.block > to->last_block || q.block > to->last_block)
            return; /* a fault stopped the launch: who got so far is a matter of luck */
        const race_checker *c = to->checker;
        const vg_region *region = region_of_granule(c->regions, r->granule);
        const bool swap = q.block < p.block;
        const uint32_t who1 = full_who(c, p.who, cx), who2 = full_who(c, q.who, cy);
        const uint64_t at =
            ((region->granule0 + (r->granule - region->first)) << VG_GRANULE_SHIFT) + r->first;
        const race_found f = {.who1 = swap ? who2 : who1,
                              .who2 = swap ? who1 : who2,
                              .block1 = swap ? q.block : p.block,
                              .block2 = swap ? p.block : q.block,
                              .at = at,
                              .unit = r->bytes,
                              .object = region->first + 1,
                              .same_value = same_value,
                              .count = r->bytes};
        to->add(to->arg, &f);
        return;
    }
}

void race_blocks_report(race_blocks *b, const race_checker *c, uint64_t last_block,
                        void (*add)(void *arg, const race_found *f), void *arg) {
    const reporter to = {c, last_block, add, arg};
    for (uint32_t i = 0; i < b->records.used; i++) {
        const record *r = pool_at(&b->records, i);
        report_pair(&to, r, r->write, RACE_WRITE, r->write, RACE_WRITE, !r->mixed);
        report_pair(&to, r, r->write, RACE_WRITE, r->read, RACE_READ, false);
        report_pair(&to, r, r->write, RACE_WRITE, r->atomic, RACE_ATOMIC, false);
        report_pair(&to, r, r->atomic, RACE_ATOMIC, r->read, RACE_READ, false);
    }
}

/* ---- while a block runs ---- */

/* Of those who did this to a unit, the lowest of another block; who is 0: none. */
static deed other_than(const deed two[2], uint64_t block) {
    for (int i = 0; i < 2; i++)
        if (two[i].who != 0 && two[i].block != block)
            return two[i];
    return (deed){0, 0};
}

/* Who of other blocks did this to the unit; who is 0: nobody. */
static deed who_did(const race_blocks *b, const entry *e, enum race_class class, uint64_t block) {
    const deed both[2] = {e->one, e->two};
    if (e->tag == RECORD) {
        const record *r = pool_at(&b->records, e->record);
        return other_than(class == RACE_READ    ? r->read
                          : class == RACE_WRITE ? r->write
                                                : r->atomic,
                          block);
    }
    if (e->tag == (class == RACE_READ ? READ : ATOMIC) && class != RACE_WRITE)
        return other_than(both, block);
    return e->tag == OWNED && e->block != block ? (deed){e->block, e->did[class]} : (deed){0, 0};
}

/* Does a store leave what the block before it stored? */
static bool stores_the_same(const race_blocks *b, const summary *s, const entry *e, uint32_t first,
                            const uint8_t *value, uint32_t bytes) {
    if (value == NULL)
        return false;
    if (e->tag == RECORD) {
        const record *r = pool_at(&b->records, e->record);
        return !r->mixed && memcmp(r->value + (first - r->first), value, bytes) == 0;
    }
    const extra *x = s->extra != 0 ? pool_at(&b->extras, s->extra - 1) : NULL;
    return x != NULL && (x->mixed >> first & all_of(bytes)) == 0 &&
           memcmp(x->value + first, value, bytes) == 0;
}

static void meet_unit(race_blocks *b, const race_scene *s, const summary *sum, slot at,
                      uint32_t lane, race_found *f, const uint8_t *value) {
    const race_checker *c = s->rw->checker;
    const entry e = unpack(at);
    const enum race_class mine = who_class(s->who);
    for (int class = RACE_READ; class <= RACE_ATOMIC; class ++) {
        const bool harmless = mine == (enum race_class) class && mine != RACE_WRITE;
        const deed d = harmless ? (deed){0, 0} : who_did(b, &e, (enum race_class) class, f->block2);
        if (d.who == 0)
            continue;
        f->who1 = full_who(c, d.who, (enum race_class) class);
        f->block1 = d.block;
        f->who2 = s->who | lane;
        f->same_value = mine == RACE_WRITE && class == RACE_WRITE &&
                        stores_the_same(b, sum, &e, (uint32_t)(f->at % VG_GRANULE), value, f->unit);
        race_tell_now(c, s->rw->launch, f);
    }
}

void race_blocks_meet(race_blocks *b, const race_scene *s, uint32_t lane, const uint8_t *value) {
    const uint64_t begin = s->access->at[lane], end = begin + s->access->size;
    race_found f = {.block2 = s->rw->block, .object = s->object};
    for (uint64_t at = begin; at < end; at += f.unit) {
        const uint64_t local = (at >> VG_GRANULE_SHIFT) - s->region->granule0;
        const place p = place_in(s->region, local);
        const bool touched = p.whole->launch == b->launch;
        if (touched) {
            pthread_mutex_t *lock = stripe_of(b, (uint32_t)(s->region->first + local));
            pthread_mutex_lock(lock);
            need_summary(b, &p);
            pthread_mutex_unlock(lock);
        }
        const summary *sum = p.sum;
        const extra *x = touched && sum->extra != 0 ? pool_at(&b->extras, sum->extra - 1) : NULL;
        const bool by_byte = x != NULL && x->by_byte != NULL;
        const uint32_t first = (uint32_t)(at % VG_GRANULE), left = (uint32_t)(end - at);
        f.at = at;
        f.unit = by_byte ? 1 : 4 - first % 4 < left ? 4 - first % 4 : left;
        if (touched)
            meet_unit(b, s, sum, by_byte ? byte_slot(x, first) : word_slot(p.sum, first / 4), lane,
                      &f, value != NULL ? value + (at - begin) : NULL);
    }
}
