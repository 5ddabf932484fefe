/* race_marks.c: see race_marks.h. */
#include "vgpu/src/check/race_marks.h"

#include "vgpu/src/core/pages.h"

#include <stdlib.h>

uint64_t race_bits_between(uint64_t w, uint64_t low, uint64_t high) {
    const uint64_t first = w * WORD_BITS;
    if (high <= first || low >= first + WORD_BITS)
        return 0;
    uint64_t mask = UINT64_MAX;
    if (low > first)
        mask <<= low - first;
    if (high < first + WORD_BITS)
        mask &= UINT64_MAX >> (first + WORD_BITS - high);
    return mask;
}

void race_bits_set(uint64_t *bits, uint64_t low, uint64_t high) {
    for (uint64_t w = low / WORD_BITS; w * WORD_BITS < high; w++) {
        const uint64_t mask = race_bits_between(w, low, high);
        if ((__atomic_load_n(&bits[w], __ATOMIC_RELAXED) & mask) != mask)
            (void)__atomic_fetch_or(&bits[w], mask, __ATOMIC_RELAXED);
    }
}

void race_mark_free(mark *m, bool and_bits) {
    if (and_bits && m->bits != NULL)
        vg_pages_free(m->bits);
    free(m);
}

uint64_t *race_mark_bits(mark **list, const vg_region *r, const op *o) {
    mark *head = __atomic_load_n(list, __ATOMIC_ACQUIRE);
    for (const mark *m = head; m != NULL; m = m->next)
        if (m->region == r)
            return m->bits;
    mark *m = calloc(1, sizeof *m);
    if (m == NULL)
        return NULL;
    *m = (mark){.next = head,
                .region = r,
                .op = o,
                .bits = vg_pages_alloc(words_of(r->end - r->begin), sizeof *m->bits)};
    if (m->bits == NULL) {
        free(m);
        return NULL;
    }
    if (__atomic_compare_exchange_n(list, &head, m, false, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE))
        return m->bits;
    race_mark_free(m, true); /* another worker was first, perhaps with the same */
    return race_mark_bits(list, r, o);
}

void race_mark(mark **list, const vg_passed *p) {
    const vg_access *a = p->access;
    uint64_t *bits = race_mark_bits(list, p->region, a->op);
    vg_lane_runs runs = p->runs;
    vg_lane_run run;
    while (bits != NULL && vg_lane_run_next(&runs, &run)) {
        const uint64_t low = a->at[run.lane] - p->region->begin;
        race_bits_set(bits, low, low + (uint64_t)a->size * (run.same ? 1 : run.count));
    }
}
