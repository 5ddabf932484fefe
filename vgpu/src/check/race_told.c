/*
 * race_told.c: what is told of races between blocks: all of them when the launch has ended, and,
 * while a debugger watches, each access against what ended blocks did.
 */
#include "vgpu/src/check/race_states.h"

#include <string.h>

/* ---- when the launch has ended ---- */

static bool ordered_by_atomics(const race_checker *c, deed p, deed q) {
    const uint32_t x = ((p.who >> 10) - 1) % ORDER_KINDS, y = ((q.who >> 10) - 1) % ORDER_KINDS;
    return c->fences && (((x & RELEASED) != 0 && (y & AFTER_FIRST) != 0) ||
                         ((y & RELEASED) != 0 && (x & AFTER_FIRST) != 0));
}

/* Two accesses that cannot race, in a kernel without fences; see race_states.h. */
static bool harmless_though_weak(const race_checker *c, deed x, enum race_class cx, deed y,
                                 enum race_class cy) {
    const uint32_t a = (x.who >> 10) - 1, b = (y.who >> 10) - 1;
    if (!c->weak || !race_is_strong(c, c->op_of_site[a + 1]) ||
        !race_is_strong(c, c->op_of_site[b + 1]))
        return false;
    if (cy == RACE_READ && vg_is_polled(c->program, c->op_of_site[b + 1]))
        return true; /* a loop reads again until the value is there */
    return cx != RACE_WRITE || cy != RACE_READ || (a % ORDER_KINDS & BEFORE_OTHER) == 0 ||
           (b % ORDER_KINDS & AFTER_OTHER) == 0;
}

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
        if (ordered_by_atomics(to->checker, p, q) ||
            harmless_though_weak(to->checker, p, cx, q, cy))
            continue;
        if (p.block > to->last_block || q.block > to->last_block)
            return; /* a fault stopped the launch: who got so far is a matter of luck */
        const race_checker *c = to->checker;
        const vg_region *region = race_region_of(c->regions, r->granule);
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
    return x != NULL && (x->mixed >> first & race_all_of(bytes)) == 0 &&
           memcmp(x->value + first, value, bytes) == 0;
}

static void meet_unit(race_blocks *b, const race_scene *s, const summary *sum, slot at,
                      uint32_t lane, race_found *f, const uint8_t *value) {
    const race_checker *c = s->rw->checker;
    const entry e = race_unpack(at);
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
        const place p = race_place_in(s->region, local);
        const bool touched = race_is_known(b, p.whole);
        if (touched) {
            pthread_mutex_t *lock = race_stripe_of(b, (uint32_t)(s->region->first + local));
            pthread_mutex_lock(lock);
            race_need_summary(b, &p);
            pthread_mutex_unlock(lock);
        }
        const summary *sum = p.sum;
        const extra *x = touched && sum->extra != 0 ? pool_at(&b->extras, sum->extra - 1) : NULL;
        const bool by_byte = x != NULL && x->by_byte != NULL;
        const uint32_t first = (uint32_t)(at % VG_GRANULE), left = (uint32_t)(end - at);
        f.at = at;
        f.unit = by_byte ? 1 : 4 - first % 4 < left ? 4 - first % 4 : left;
        if (touched)
            meet_unit(b, s, sum,
                      by_byte ? race_byte_slot(x, first) : race_word_slot(p.sum, first / 4), lane,
                      &f, value != NULL ? value + (at - begin) : NULL);
    }
}
