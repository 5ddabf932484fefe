/*
 * pictures.c: the moments' pictures of a film that has just been recorded (film_strip.h).
 */
#include "vgpu/src/film/film_parts.h"
#include "vgpu/src/film/film_strip.h"

#include <stdlib.h>

static enum vg_strip_why why_of(enum vg_pause why) {
    switch (why) {
    case VG_PAUSE_BARRIER: return VG_STRIP_WAITS;
    case VG_PAUSE_END: return VG_STRIP_ENDS;
    case VG_PAUSE_FAULT: return VG_STRIP_STOPPED;
    default: return VG_STRIP_OTHER;
    }
}

static enum vg_strip_kind kind_of(enum vg_access_kind kind) {
    switch (kind) {
    case VG_READ: return VG_STRIP_READ;
    case VG_WRITE: return VG_STRIP_WRITE;
    case VG_ATOMIC: return VG_STRIP_ATOMIC;
    case VG_ASYNC_BEGIN: return VG_STRIP_BEGINS;
    default: return VG_STRIP_COMES;
    }
}

static void fill(const vg_film *f, vg_strip_step *steps, vg_strip_pause *pauses,
                 vg_strip_access *accesses, vg_strip_memory *memories) {
    for (int i = 0; i < f->steps.count; i++) {
        const film_step *s = FILM_AT(f->steps, film_step, i);
        steps[i] = (vg_strip_step){s->warp, s->mask};
    }
    for (int i = 0; i < f->pauses.count; i++) {
        const film_pause *p = FILM_AT(f->pauses, film_pause, i);
        pauses[i] = (vg_strip_pause){p->step, p->warp, p->mask, why_of(p->why)};
    }
    for (int i = 0; i < f->accesses.count; i++) {
        const film_access *a = FILM_AT(f->accesses, film_access, i);
        accesses[i] = (vg_strip_access){a->step, a->memory, kind_of(a->kind), a->mask,
                                        a->size, a->units,  a->conflicts,     a->at};
    }
    for (int i = 0; i < f->memories.count; i++) {
        const film_memory *m = FILM_AT(f->memories, film_memory, i);
        memories[i] = (vg_strip_memory){m->name,    m->shared, (int64_t)m->size,
                                        m->element, m->rows,   m->columns};
    }
}

bool vg_film_draw(vg_film *f) {
    const int count = f->moments.count;
    int *step = calloc((size_t)count + 1, sizeof *step);
    char **html = calloc((size_t)count + 1, sizeof *html);
    vg_strip_step *steps = calloc((size_t)f->steps.count + 1, sizeof *steps);
    vg_strip_pause *pauses = calloc((size_t)f->pauses.count + 1, sizeof *pauses);
    vg_strip_access *accesses = calloc((size_t)f->accesses.count + 1, sizeof *accesses);
    vg_strip_memory *memories = calloc((size_t)f->memories.count + 1, sizeof *memories);
    bool ok = step != NULL && html != NULL && steps != NULL && pauses != NULL && accesses != NULL &&
              memories != NULL;
    if (ok) {
        fill(f, steps, pauses, accesses, memories);
        for (int i = 0; i < count; i++)
            step[i] = FILM_AT(f->moments, vg_film_moment, i)->step;
        const vg_strip s = {.block = {f->block.x, f->block.y, f->block.z},
                            .steps = steps,
                            .num_steps = f->steps.count,
                            .pauses = pauses,
                            .num_pauses = f->pauses.count,
                            .accesses = accesses,
                            .num_accesses = f->accesses.count,
                            .memories = memories,
                            .num_memories = f->memories.count};
        ok = vg_strip_draw(&s, step, count, html);
    }
    for (int i = 0; ok && i < count; i++)
        FILM_AT(f->moments, vg_film_moment, i)->pictures = html[i];
    free(step);
    free(html);
    free(steps);
    free(pauses);
    free(accesses);
    free(memories);
    return ok;
}
