/*
 * race_states.c: the state of one word (or byte) between blocks: packed and unpacked, and merged
 * with what one more block did. race_merge.c does the same for sixteen words where it can.
 */
#include "vgpu/src/check/race_states.h"

#include <stdlib.h>
#include <string.h>

enum { MAX_RECORDS = 1 << 21 };

/* ---- packing ---- */

typedef unsigned __int128 bits128;

static uint32_t take(bits128 *v, unsigned bits) {
    const uint32_t field = (uint32_t)(*v & ((UINT64_C(1) << bits) - 1));
    *v >>= bits;
    return field;
}

entry race_unpack(slot s) {
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
                owner.mixed = (uint8_t)(x->mixed >> p->first & race_all_of(p->bytes));
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
            x->mixed &= ~(race_all_of(p->bytes) << p->first);
            x->mixed |= (uint64_t)d->mixed << p->first;
        }
    }
}

static void merge_unit(const unit_place *p, const deeds *d) {
    const bool reads = d->did[RACE_READ] != 0, writes = d->did[RACE_WRITE] != 0,
               atomics = d->did[RACE_ATOMIC] != 0;
    const uint32_t only = reads + writes + atomics != 1 || writes ? OWNED : reads ? READ : ATOMIC;
    entry e = race_unpack(p->slot);
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
        entry e = race_unpack(race_word_slot(s, i / 4));
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
        pack(race_byte_slot(x, i), &e);
    }
    return true;
}

static uint32_t packed_who(const race_blocks *b, const race_worker *rw, const vg_region *region,
                           uint32_t who, uint32_t stamp) {
    if (who == 0)
        return 0;
    uint32_t order = 0;
    if (b->weak && rw->first_atomic != 0) {
        const uint32_t first = race_other_strong(rw->first_strong, region);
        order = (stamp < race_other_strong(rw->last_strong, region) ? BEFORE_OTHER : 0) |
                (first != 0 && stamp > first ? AFTER_OTHER : 0);
    } else if (b->fences && rw->first_atomic != 0) {
        /* Atomics are in order among themselves and with what comes after them in one place. */
        order = (who_class(who) == RACE_ATOMIC || stamp <= rw->released ? RELEASED : 0) |
                (stamp >= rw->first_atomic ? AFTER_FIRST : 0);
    }
    return who_thread(who) | (b->site[who_op(who)] + order) << 10;
}

/* What the block did to unit i of its granule. False: nothing. */
static bool deeds_of(const race_blocks *b, const race_worker *rw, const vg_region *region,
                     const units *u, uint32_t i, deeds *d) {
    memset(d->did, 0, sizeof d->did);
    if (u->w[i] == WHO_LISTED) {
        const exact *e = pool_at(&rw->lists, u->r1[i]);
        for (int class = RACE_READ; class <= RACE_ATOMIC; class ++)
            d->did[class] = packed_who(b, rw, region, e->first[class], e->last[class]);
    } else {
        d->did[RACE_WRITE] = packed_who(b, rw, region, u->w[i], u->ws[i]);
        if (u->r1[i] != 0)
            d->did[who_class(u->r1[i])] = packed_who(b, rw, region, u->r1[i], u->rs[i]);
    }
    d->mixed = (*u->mixed >> i & 1) != 0 ? (uint8_t)race_all_of(1u << u->unit_shift) : 0;
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
        x->mixed &= ~(race_all_of(4) << 4 * i);
        x->mixed |= ((g->mixed >> i & 1) * race_all_of(4)) << 4 * i;
    }
}

/* What nearly all blocks do, a granule at a time; false, and nothing done, for all else. */
bool race_merge_at_once(race_blocks *b, uint32_t block, const granule *g, summary *s) {
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
    deeds d = {.block = race_block_number(rw)};
    const vg_region *region = b->weak ? race_region_of(b->regions, number) : NULL;
    for (uint32_t i = 0; i < n; i++) {
        if (!deeds_of(b, rw, region, u, i, &d))
            continue;
        const extra *x = s->extra != 0 ? pool_at(&b->extras, s->extra - 1) : NULL;
        if (x == NULL || x->by_byte == NULL) {
            const unit_place p = {b, s, number, 4 * i, 4, race_word_slot(s, i)};
            merge_unit(&p, &d);
            continue;
        }
        deeds byte = d;
        for (uint32_t k = 0; k < 1u << u->unit_shift; k++) {
            const uint32_t at = (i << u->unit_shift) + k;
            const unit_place p = {b, s, number, at, 1, race_byte_slot(x, at)};
            memset(byte.value, 0, sizeof byte.value);
            byte.value[0] = d.value[k];
            byte.mixed = d.mixed >> k & 1;
            merge_unit(&p, &byte);
        }
    }
}

void race_merge_by_unit(race_blocks *b, const race_worker *rw, granule *g, summary *s) {
    units u = race_units_of(rw, g);
    if (u.unit_shift == 2 || split_summary(b, s, g->owner))
        merge_units(b, rw, &u, s, g->owner);
}
