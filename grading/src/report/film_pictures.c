/* film_pictures.c: see film_pictures.h. */
#include "grading/src/report/film_pictures.h"

#include "grading/src/base/text.h"
#include "grading/src/report/recording.h"
#include "vgpu/src/film/film_strip.h"

#include <stdlib.h>
#include <string.h>

static enum vg_strip_why why_of(const char *why) {
    static const struct {
        const char *word;
        enum vg_strip_why why;
    } words[] = {{"barrier", VG_STRIP_WAITS}, {"end", VG_STRIP_ENDS}, {"fault", VG_STRIP_STOPPED}};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (strcmp(words[i].word, why) == 0)
            return words[i].why;
    return VG_STRIP_OTHER;
}

static enum vg_strip_kind kind_of(enum recorded_kind kind) {
    switch (kind) {
    case RECORDED_READ: return VG_STRIP_READ;
    case RECORDED_WRITE: return VG_STRIP_WRITE;
    case RECORDED_ATOMIC: return VG_STRIP_ATOMIC;
    case RECORDED_COPY_BEGINS: return VG_STRIP_BEGINS;
    default: return VG_STRIP_COMES;
    }
}

static void draw(const struct recording *r, const int *step, int count, char **html) {
    struct vg_strip_step *steps = xcalloc((size_t)r->steps + 1, sizeof *steps);
    struct vg_strip_pause *pauses = xcalloc((size_t)r->pauses + 1, sizeof *pauses);
    struct vg_strip_access *accesses = xcalloc((size_t)r->accesses + 1, sizeof *accesses);
    struct vg_strip_memory *memories = xcalloc((size_t)r->memories + 1, sizeof *memories);
    for (int i = 0; i < r->steps; i++)
        steps[i] = (struct vg_strip_step){r->step[i].warp, r->step[i].mask};
    for (int i = 0; i < r->pauses; i++) {
        const struct recorded_pause *p = &r->pause[i];
        pauses[i] = (struct vg_strip_pause){p->step, p->warp, p->mask, why_of(p->why)};
    }
    for (int i = 0; i < r->accesses; i++) {
        const struct recorded_access *a = &r->access[i];
        accesses[i] = (struct vg_strip_access){a->step,  a->memory, kind_of(a->kind), a->mask,
                                               a->bytes, a->units,  a->conflicts,     a->at};
    }
    for (int i = 0; i < r->memories; i++) {
        const struct recorded_memory *m = &r->memory[i];
        memories[i] =
            (struct vg_strip_memory){m->name, m->shared, m->bytes, m->element, m->rows, m->columns};
    }
    const struct vg_strip s = {.block = {r->block[0], r->block[1], r->block[2]},
                               .steps = steps,
                               .num_steps = r->steps,
                               .pauses = pauses,
                               .num_pauses = r->pauses,
                               .accesses = accesses,
                               .num_accesses = r->accesses,
                               .memories = memories,
                               .num_memories = r->memories};
    vg_strip_draw(&s, step, count, html); /* without memory there are none */
    free(steps);
    free(pauses);
    free(accesses);
    free(memories);
}

char **film_pictures(const json_t *film) {
    const json_t *moments = json_object_get(film, "moments");
    const size_t count = json_array_size(moments);
    char **html = xcalloc(count + 1, sizeof *html);
    int *step = xcalloc(count + 1, sizeof *step);
    struct recording r;
    for (size_t i = 0; i < count; i++) {
        const json_int_t at =
            json_integer_value(json_object_get(json_array_get(moments, i), "step"));
        step[i] = at >= 0 && at < INT32_MAX ? (int)at : INT32_MAX;
    }
    if (recording_read(&r, film)) {
        draw(&r, step, (int)count, html);
        recording_free(&r);
    }
    free(step);
    return html;
}
