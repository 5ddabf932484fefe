/*
 * mistakes.c: which steps of a film a finding is about. A finding names lines, threads and, where
 * memory is concerned, an element; the film has all of them.
 */
#include "vgpu/src/film/film_parts.h"

#include <stdlib.h>
#include <string.h>

/* Of the filmed block? Then its warp and lane. */
static bool thread_of_site(const vg_film *f, const vg_site *s, int *warp, int *lane) {
    if (!s->has_thread || s->block.x != f->index.x || s->block.y != f->index.y ||
        s->block.z != f->index.z)
        return false;
    const uint32_t linear = (s->thread.z * f->block.y + s->thread.y) * f->block.x + s->thread.x;
    *warp = (int)(linear / VG_LANES);
    *lane = (int)(linear % VG_LANES);
    return *warp < f->num_warps;
}

/* The memory that a finding is about; -1: none that the film has. */
static int memory_of(const vg_film *f, const vg_finding *n) {
    for (int i = 0; i < f->memories.count; i++) {
        const film_memory *m = FILM_AT(f->memories, film_memory, i);
        if (n->fact.memory == VGPU_MEMORY_SHARED
                ? m->shared && (n->fact.name[0] == '\0' || strcmp(m->name, n->fact.name) == 0)
                : !m->shared && n->fact.serial != 0 && m->serial == n->fact.serial)
            return i;
    }
    return -1;
}

static bool touches(const film_access *a, int memory, int lane, uint64_t element) {
    if (a->memory != memory || (a->mask >> lane & 1) == 0 || a->size == 0)
        return false;
    const int64_t begin = a->at[lane], end = begin + a->size, at = (int64_t)(element * 4);
    return (begin <= at && at < end) || begin / (int64_t)a->size == (int64_t)element;
}

/* Steps where the thread was at the line, touching the element if one is known. */
typedef struct candidates {
    int *step, count;
} candidates;

static bool is_at(const vg_film *f, const film_step *s, int warp, int lane, const vg_finding *n,
                  const vg_site *site, int memory) {
    if (s->warp != warp || (s->mask >> lane & 1) == 0 || s->line != site->line)
        return false;
    if (!n->has_element || memory < 0)
        return true;
    for (int i = 0; i < s->num_accesses; i++)
        if (touches(FILM_AT(f->accesses, film_access, s->first_access + i), memory, lane,
                    n->element))
            return true;
    return false;
}

static candidates find(const vg_film *f, const vg_finding *n, const vg_site *site) {
    int warp, lane;
    candidates c = {malloc((size_t)(f->steps.count + 1) * sizeof(int)), 0};
    const int memory = memory_of(f, n);
    if (c.step == NULL || !thread_of_site(f, site, &warp, &lane))
        return c;
    for (int i = 0; i < f->steps.count; i++)
        if (is_at(f, FILM_AT(f->steps, film_step, i), warp, lane, n, site, memory))
            c.step[c.count++] = i;
    return c;
}

static int phase_of(const vg_film *f, int step) {
    return FILM_AT(f->steps, film_step, step)->phase;
}

bool film_is_racy(const vg_film_story *story) {
    const int count = story->findings != NULL ? vg_findings_count(story->findings) : 0;
    for (int i = story->first_finding; i < count; i++)
        if (vg_findings_get(story->findings, i)->kind == VGPU_FOUND_RACE)
            return true;
    return story->fault != NULL;
}

/* Has nobody written the element before the step, or is a copy to it on its way? */
static bool is_unset(const vg_film *f, int step, int memory, uint64_t element) {
    bool unset = true;
    for (int i = 0; i < step; i++) {
        const film_step *s = FILM_AT(f->steps, film_step, i);
        for (int k = 0; k < s->num_accesses; k++) {
            const film_access *a = FILM_AT(f->accesses, film_access, s->first_access + k);
            if (a->kind == VG_READ || a->memory != memory)
                continue;
            for (uint32_t m = a->mask; m != 0; m &= m - 1)
                if (touches(a, memory, __builtin_ctz(m), element))
                    unset = a->kind == VG_ASYNC_BEGIN;
        }
    }
    return unset;
}

/* The step of a finding with one site. A fault is the last thing that the thread did at the line;
 * what nobody had written was unset when it was read. */
static int step_of_one(const vg_film *f, const vg_finding *n, const candidates *c) {
    if (n->kind != VGPU_FOUND_UNINITIALIZED)
        return c->step[c->count - 1];
    const int memory = memory_of(f, n);
    for (int i = 0; i < c->count && memory >= 0 && n->has_element; i++)
        if (is_unset(f, c->step[i], memory, n->element))
            return c->step[i];
    return c->step[0];
}

void film_locate(const vg_film *f, const vg_finding *finding, int step[2]) {
    step[0] = step[1] = -1;
    candidates first = {NULL, 0}, second = {NULL, 0};
    if (finding->num_sites > 0)
        first = find(f, finding, &finding->site[0]);
    if (finding->num_sites > 1)
        second = find(f, finding, &finding->site[1]);
    if (first.count > 0)
        step[0] = finding->num_sites > 1 ? first.step[0] : step_of_one(f, finding, &first);
    if (second.count > 0)
        step[1] = second.step[0];
    /* Two accesses that no barrier parts are in one phase. */
    for (int i = 0; i < first.count; i++) {
        for (int k = 0; k < second.count; k++) {
            if (phase_of(f, first.step[i]) == phase_of(f, second.step[k])) {
                step[0] = first.step[i];
                step[1] = second.step[k];
                i = first.count;
                break;
            }
        }
    }
    free(first.step);
    free(second.step);
}

bool film_cell_of(const vg_film *f, const vg_finding *finding, int step, int *memory,
                  int64_t *cell) {
    int warp, lane;
    *memory = memory_of(f, finding);
    if (step < 0 || *memory < 0 || !finding->has_element ||
        !thread_of_site(f, &finding->site[0], &warp, &lane))
        return false;
    const film_step *s = FILM_AT(f->steps, film_step, step);
    const int64_t size = FILM_AT(f->memories, film_memory, *memory)->element;
    for (int i = 0; i < s->num_accesses; i++) {
        const film_access *a = FILM_AT(f->accesses, film_access, s->first_access + i);
        if (!touches(a, *memory, lane, finding->element))
            continue;
        /* Of a wide access the element, where that is counted in the array's own. */
        const int64_t begin = a->at[lane], at = (int64_t)(finding->element * 4);
        *cell = (begin <= at && at < begin + a->size ? at : begin) / size;
        return begin >= 0;
    }
    return false;
}
