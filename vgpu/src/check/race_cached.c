/*
 * race_cached.c: loads through the cache of what is read only (ld.global.nc: __ldg, and pointers
 * that are const and __restrict__) of bytes that the same kernel has written before. Nothing keeps
 * that cache in step with stores, so such a load may bring the old value, whatever barriers stand
 * in between, and in the very thread that has stored.
 *
 * Looked at are arrays that the launch can write to and load so, as far as its arguments tell
 * (stores.h): in a right program, none. A store after the load is no matter here. What nothing
 * orders is a race, and told as such.
 */
#include "vgpu/src/check/check_parts.h"
#include "vgpu/src/check/events.h"
#include "vgpu/src/check/race_marks.h"
#include "vgpu/src/check/stores.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct race_cached {
    bool wanted;                 /* this launch */
    mark *stores[MAX_SITES + 1]; /* by line */
    vg_events events;            /* at: the load, other: the line that stored before it */
};

static bool loads_cached(const program *p) {
    for (int i = 0; i < p->num_ops; i++)
        if (p->ops[i].ptx != NULL && vg_is_cached_load(p->ops[i].ptx))
            return true;
    return false;
}

static bool any_written(const vg_regions *regions) {
    for (size_t i = 0; i < regions->count; i++)
        if (regions->at[i]->cached && !regions->at[i]->only_read)
            return true;
    return false;
}

bool race_cached_begin(race_checker *c, const launch *l) {
    const bool wanted = loads_cached(l->program) && any_written(c->regions);
    if (c->cached == NULL && wanted) {
        c->cached = calloc(1, sizeof *c->cached);
        if (c->cached == NULL)
            return false;
        vg_events_init(&c->cached->events);
    }
    if (c->cached != NULL)
        c->cached->wanted = wanted;
    return true;
}

static void forget(race_cached *s) {
    for (size_t i = 0; i < sizeof s->stores / sizeof *s->stores; i++)
        for (mark *m = s->stores[i], *next; m != NULL; m = next) {
            next = m->next;
            race_mark_free(m, true);
        }
    memset(s->stores, 0, sizeof s->stores);
    vg_events_forget(&s->events);
}

void race_cached_destroy(race_checker *c) {
    if (c->cached == NULL)
        return;
    forget(c->cached);
    vg_events_destroy(&c->cached->events);
    free(c->cached);
    c->cached = NULL;
}

/* The line that stored one of these bytes, and which byte; NULL: none has. */
static const op *stored_by(const race_cached *s, const vg_region *r, uint64_t *at, uint32_t size) {
    for (size_t i = 0; i < sizeof s->stores / sizeof *s->stores; i++) {
        const mark *m = __atomic_load_n(&s->stores[i], __ATOMIC_ACQUIRE);
        while (m != NULL && m->region != r)
            m = m->next;
        for (uint32_t k = 0; m != NULL && k < size; k++) {
            const uint64_t byte = *at + k - r->begin;
            if ((__atomic_load_n(&m->bits[byte / WORD_BITS], __ATOMIC_RELAXED) >> byte % WORD_BITS &
                 1) != 0) {
                *at += k;
                return m->op;
            }
        }
    }
    return NULL;
}

static void look(race_worker *rw, const vg_passed *p) {
    const vg_access *a = p->access;
    for (uint32_t m = p->runs.mask; m != 0; m &= m - 1) {
        const uint32_t lane = (uint32_t)__builtin_ctz(m);
        vg_event f = {.says = VGPU_CACHED_WRITTEN,
                      .at = a->op,
                      .memory = p->region,
                      .count = 1,
                      .block = rw->block,
                      .address = a->at[lane],
                      .thread = a->warp->index * VG_LANES + lane};
        f.other = stored_by(rw->checker->cached, p->region, &f.address, a->size);
        if (f.other != NULL)
            vg_events_note(&rw->checker->cached->events, &f);
    }
}

void race_cached_pass(race_checker *c, const vg_passed *p) {
    const vg_access *a = p->access;
    const host_thread *wk = a->warp->worker;
    race_cached *s = c->cached;
    if (!s->wanted || !p->region->cached || p->region->only_read)
        return;
    if (a->kind != VG_READ && a->kind != VG_FETCH)
        race_mark(&s->stores[c->site[a->op - wk->launch->program->ops]], p);
    else if (a->op->ptx != NULL && vg_is_cached_load(a->op->ptx))
        look(&c->workers[wk->id], p);
}

static void tell(void *self, const launch *l, const vg_event *found) {
    const race_checker *c = self;
    const vg_region *region = found->memory;
    char stored[300], loaded[300], thread[120], times[64] = "";
    const uint32_t bytes = found->at->bytes > 0 && found->at->bytes <= 8 ? found->at->bytes : 4;
    vg_finding f = {.kind = VGPU_FOUND_RACE,
                    .fact.says = VGPU_CACHED_WRITTEN,
                    .severity = VG_ERROR,
                    .has_element = true,
                    .element = (found->address - region->begin) / bytes,
                    .num_sites = 2,
                    .count = found->count};
    snprintf(f.kernel, sizeof f.kernel, "%s", l->kernel->info.pretty);
    vg_name_global(l, region, &f);
    vg_site_fill(&f.site[0], l, found->other, 0, 0, "written");
    f.site[0].has_thread = false;
    vg_site_fill(&f.site[1], l, found->at, found->block, found->thread, "read");
    if (vg_findings_race_at(c->findings, &f))
        return;
    if (f.count > 1)
        snprintf(times, sizeof times, "\n  seen %" PRIu64 " times in this launch", f.count);
    snprintf(f.message, sizeof f.message,
             "kernel %s reads element %" PRIu64 " of %s through the read-only cache, and has "
             "written it\n  %s: written\n  %s: read by %s, after that\n"
             "  __ldg, and a pointer that is const and __restrict__, are for memory that nobody "
             "writes while the kernel runs: the old value may come; read it plainly%s",
             f.kernel, f.element, f.object, vg_site_line(&f.site[0], stored, sizeof stored),
             vg_site_line(&f.site[1], loaded, sizeof loaded),
             vg_site_thread(&f.site[1], thread, sizeof thread), times);
    vg_findings_add(c->findings, &f);
}

void race_cached_publish(race_checker *c, const launch *l, const vg_fault *fault) {
    race_cached *s = c->cached;
    if (s == NULL || !s->wanted)
        return;
    vg_events_tell(&s->events, l, fault, tell, c);
    forget(s);
}
