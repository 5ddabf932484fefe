/* trace.c: see trace.h. The first block runs on one worker, so that nothing here is shared while a
 * kernel runs. */
#include "vgpu/src/count/trace.h"

#include <stdlib.h>
#include <string.h>

static vg_trace_launch *current(vg_trace *t) {
    return t->launches > 0 && t->launches <= VG_TRACE_LAUNCHES ? &t->launch[t->launches - 1] : NULL;
}

static void copy_files(vg_trace_launch *to, const ptx_module *m) {
    to->files = calloc((size_t)m->num_files + 1, sizeof *to->files);
    to->num_files = to->files != NULL ? m->num_files : 0;
    for (int i = 0; i < to->num_files; i++)
        to->files[i] = m->files[i] != NULL ? strdup(m->files[i]) : NULL;
}

static bool launch_begin(void *self, const launch *l, int workers) {
    (void)workers;
    vg_trace *t = self;
    if (t->launches <= VG_TRACE_LAUNCHES)
        t->launches++;
    vg_trace_launch *to = current(t);
    t->phase = 0;
    memset(t->of_warp, 0, sizeof t->of_warp);
    if (to != NULL) {
        to->kernel = strdup(l->kernel->info.pretty);
        to->grid = l->grid;
        to->block = l->block;
        copy_files(to, &l->kernel->module->ptx);
    }
    return true; /* without memory there is no trace, but there is a launch */
}

static bool wanted(vg_trace *t, const vg_access *a, int warp) {
    const bool memory = a->space == PS_GLOBAL || a->space == PS_SHARED;
    if (!memory || a->kind == VG_ASYNC_END || warp >= VG_TRACE_WARPS || (warp > 0 && t->phase > 0))
        return false;
    if (t->of_warp[warp] == (warp == 0 ? VG_TRACE_FIRST : VG_TRACE_OTHER)) {
        current(t)->more = true;
        return false;
    }
    t->of_warp[warp]++;
    return true;
}

static vg_traced *next(vg_trace_launch *to) {
    if (to->count == to->room) {
        const int room = to->room == 0 ? 64 : 2 * to->room;
        vg_traced *more = realloc(to->access, (size_t)room * sizeof *more);
        if (more == NULL) {
            to->more = true;
            return NULL;
        }
        to->access = more;
        to->room = room;
    }
    return &to->access[to->count++];
}

static void access_seen(void *self, const vg_access *a) {
    vg_trace *t = self;
    const block *b = a->warp->block;
    vg_trace_launch *to = b->linear == 0 ? current(t) : NULL;
    const int warp = to != NULL ? (int)a->warp->index : 0;
    if (to == NULL || a->mask == 0 || !wanted(t, a, warp))
        return;
    vg_traced *v = next(to);
    if (v == NULL)
        return;
    const launch *l = a->warp->worker->launch;
    *v = (vg_traced){.warp = warp,
                     .phase = t->phase,
                     .op = (int)(a->op - l->program->ops),
                     .file = a->op->file,
                     .line = a->op->line,
                     .shared = a->space == PS_SHARED,
                     .kind = a->kind,
                     .mask = a->mask,
                     .bytes = a->size};
    const int first = __builtin_ctz(a->mask);
    const vg_alloc *object = v->shared ? NULL : vg_mem_find(l->params->mem, a->at[first]);
    v->object = object != NULL ? object->serial : 0;
    v->object_bytes = object != NULL ? object->size : 0;
    for (int i = 0; i < VG_LANES; i++)
        v->at[i] = (int64_t)(a->at[i] - (object != NULL ? object->addr : 0));
}

static void barrier_passed(void *self, block *b, int id) {
    (void)id;
    if (b->linear == 0)
        ((vg_trace *)self)->phase++;
}

vg_trace *vg_trace_create(void) {
    vg_trace *t = calloc(1, sizeof *t);
    if (t != NULL) {
        t->observer = (vg_observer){.name = "trace",
                                    .self = t,
                                    .launch_begin = launch_begin,
                                    .access = access_seen,
                                    .barrier = barrier_passed};
    }
    return t;
}

void vg_trace_clear(vg_trace *t) {
    for (int i = 0; i < VG_TRACE_LAUNCHES; i++) {
        vg_trace_launch *l = &t->launch[i];
        for (int k = 0; k < l->num_files; k++)
            free(l->files[k]);
        free(l->files);
        free(l->access);
        free(l->kernel);
        *l = (vg_trace_launch){0};
    }
    t->launches = 0;
}

void vg_trace_destroy(vg_trace *t) {
    if (t != NULL) {
        vg_trace_clear(t);
        free(t);
    }
}
