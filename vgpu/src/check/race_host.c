/*
 * race_host.c: a kernel reads, and the host writes before it has waited for the kernel. What
 * kernels read of managed and pinned memory is kept by race_streams.c until the host waits; the
 * runtime closes its pages to the host's stores (early.h), and asks here of the byte that a caught
 * one is about.
 *
 * Refuses to judge kernels that do something for the whole system to see, and volatile loads: host
 * and device may then be at the same words at once. A copy's sources are late.h's.
 */
#include "vgpu/src/check/check_parts.h"
#include "vgpu/src/check/race_streams.h"

#include <stdio.h>
#include <string.h>

bool race_host_begin(race_checker *c, const launch *l) {
    bool any = false;
    for (size_t i = 0; i < c->regions->count; i++) {
        vg_region *r = c->regions->at[i];
        r->host_shares =
            (r->kind == VG_MEM_MANAGED || r->kind == VG_MEM_PINNED) && !l->kernel->info.tells_host;
        any = any || r->host_shares;
    }
    return any;
}

bool race_host_watches(const launch *l, const op *o) {
    return l->kernel->info.tells_host || (o->ptx != NULL && o->ptx->order == ORDER_VOLATILE);
}

/* Words that one look takes in beside what is known, on either side. */
enum { KNOWN_WORDS = 1024 };

/* All bits of the words between *from and *to are set; makes the two lie as far apart as may be. */
static void widen(const uint64_t *bits, size_t words, size_t *from, size_t *to) {
    const size_t first = *from > KNOWN_WORDS ? *from - KNOWN_WORDS : 0;
    const size_t last = *to + KNOWN_WORDS < words ? *to + KNOWN_WORDS : words;
    while (*from > first && __atomic_load_n(&bits[*from - 1], __ATOMIC_RELAXED) == UINT64_MAX)
        --*from;
    while (*to < last && __atomic_load_n(&bits[*to], __ATOMIC_RELAXED) == UINT64_MAX)
        ++*to;
}

static bool all_set(const uint64_t *bits, size_t from, size_t to) {
    while (from < to && __atomic_load_n(&bits[from], __ATOMIC_RELAXED) == UINT64_MAX)
        from++;
    return from == to;
}

/* The words that the access is in; false: not all of it is in the region. */
static bool words_in(const vg_access *a, const vg_region *r, size_t *from, size_t *to) {
    /* Of a shape the halves' ends are the extremes, and nothing else need be there. */
    uint32_t lanes = a->halves == VG_HALVES_ANY ? a->mask : 0x80018001;
    uint64_t low = UINT64_MAX, high = 0;
    for (; lanes != 0; lanes &= lanes - 1) {
        const uint64_t at = a->at[__builtin_ctz(lanes)];
        low = at < low ? at : low;
        high = at > high ? at : high;
    }
    *from = (low - r->begin) / WORD_BITS;
    *to = (high + a->size - 1 - r->begin) / WORD_BITS + 1;
    return low >= r->begin && high + a->size <= r->end;
}

static mark *mark_of(const race_checker *c, const vg_access *a, const vg_region *r) {
    const size_t index = (size_t)(a->op - a->warp->worker->launch->program->ops);
    const size_t place = (size_t)c->site[index] * CLASSES + RACE_READ;
    mark *m = __atomic_load_n(&c->streams->marks[place], __ATOMIC_ACQUIRE);
    while (m != NULL && m->region != r)
        m = m->next;
    return m;
}

bool race_host_knows(void *self, const vg_access *a, const vg_region *r, vg_permit *permit) {
    mark *m = mark_of(self, a, r);
    size_t from, to;
    if (m == NULL || !words_in(a, r, &from, &to))
        return false;
    const uint64_t known = __atomic_load_n(&m->known, __ATOMIC_RELAXED);
    const size_t low = (size_t)(known >> 32), high = (uint32_t)known;
    if (from >= low && to <= high) {
        from = low;
        to = high;
    } else if (to - from > KNOWN_WORDS || !all_set(m->bits, from, to)) {
        return false;
    }
    widen(m->bits, words_of(r->end - r->begin), &from, &to);
    if (to - from > high - low && to <= UINT32_MAX)
        __atomic_store_n(&m->known, (uint64_t)from << 32 | to, __ATOMIC_RELAXED);
    permit->begin = r->begin + from * WORD_BITS;
    permit->end = r->begin + to * WORD_BITS;
    permit->end = permit->end < r->end ? permit->end : r->end;
    return true;
}

static bool reads_under_way(const struct race_streams *s, const past *p) {
    return p->is_kernel && p->class == RACE_READ && !p->watches && !p->told &&
           !s->order.host_seen(s->order.arg, p->at);
}

static void describe(const past *p, vg_reader *reader) {
    *reader =
        (vg_reader){.addr = p->begin + p->low, .bytes = p->high - p->low, .element = p->element};
    snprintf(reader->kernel, sizeof reader->kernel, "%s", p->who + strlen("kernel "));
    vg_site_line(&p->site, reader->line, sizeof reader->line);
}

bool race_host_next(const race_checker *c, const void **place, vg_reader *reader) {
    const struct race_streams *s = c->streams;
    if (s == NULL || !s->on)
        return false;
    const past *p = *place == NULL ? s->list : ((const past *)*place)->next;
    while (p != NULL && !reads_under_way(s, p))
        p = p->next;
    if (p == NULL)
        return false;
    describe(p, reader);
    *place = p;
    return true;
}

static bool holds(const past *p, uint64_t addr) {
    const uint64_t at = addr - p->begin;
    return at >= p->low && at < p->high &&
           (p->bits == NULL || (p->bits[at / WORD_BITS] >> at % WORD_BITS & 1) != 0);
}

bool race_host_writes(race_checker *c, uint64_t addr, vg_reader *reader) {
    const struct race_streams *s = c->streams;
    const past *found = NULL;
    for (const past *p = s != NULL && s->on ? s->list : NULL; p != NULL; p = p->next)
        if (reads_under_way(s, p) && holds(p, addr) &&
            (found == NULL || p->at.number < found->at.number ||
             (p->at.number == found->at.number && p->site.line < found->site.line)))
            found = p;
    if (found == NULL)
        return false;
    describe(found, reader);
    for (past *p = s->list; p != NULL; p = p->next)
        p->told = p->told || p->at.number == found->at.number;
    return true;
}
