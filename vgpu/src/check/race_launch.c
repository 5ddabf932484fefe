/*
 * race_launch.c: what the race checker makes ready when a kernel is launched: numbers for the lines
 * that access memory, and each worker's room for shadows.
 */
#include "vgpu/src/check/check_parts.h"
#include "vgpu/src/check/race.h"
#include "vgpu/src/check/stores.h"
#include "vgpu/src/core/optable.h"
#include "vgpu/src/core/pages.h"

#include <stdlib.h>
#include <string.h>

static bool is_volatile(const op *o) {
    return o->ptx != NULL && o->ptx->order == ORDER_VOLATILE;
}

/* Lines that access memory, numbered from 1, for race_blocks.c, which has eight bits for one. */
static bool number_sites(race_checker *c, const program *p) {
    const uint32_t step = c->fences || c->weak ? ORDER_KINDS : 1;
    free(c->site);
    free(c->op_of_site);
    c->num_ops = (uint32_t)p->num_ops;
    c->num_sites = 0;
    c->site = calloc((size_t)p->num_ops + 1, sizeof *c->site);
    c->op_of_site = calloc(MAX_SITES + 1, sizeof *c->op_of_site);
    if (c->site == NULL || c->op_of_site == NULL)
        return false;
    for (int i = 0; i < p->num_ops; i++) {
        const op *o = &p->ops[i];
        uint32_t k = 1;
        if (o->plain == NULL)
            continue;
        for (; k <= c->num_sites; k += step) {
            const op *known = &p->ops[c->op_of_site[k]];
            if (known->line == o->line && known->file == o->file && known->access == o->access &&
                is_volatile(known) == is_volatile(o))
                break;
        }
        while (k > c->num_sites && c->num_sites + step <= MAX_SITES)
            for (uint32_t n = 0; n < step; n++)
                c->op_of_site[++c->num_sites] = (uint32_t)i;
        /* The last is all the others'. */
        c->site[i] = k <= c->num_sites ? k : c->num_sites - step + 1;
    }
    return true;
}

static bool begin_worker(race_checker *c, int id, const launch *l) {
    race_worker *rw = &c->workers[id];
    rw->static_bytes = l->program->shared_span;
    rw->dynamic_bytes = l->params->dynamic_shared;
    rw->dynamic_first = (rw->static_bytes + VG_GRANULE - 1) / VG_GRANULE;
    const uint32_t need = rw->dynamic_first + (rw->dynamic_bytes + VG_GRANULE - 1) / VG_GRANULE;
    rw->checker = c;
    rw->launch = l;
    if (!c->exact)
        race_exact_free(rw); /* the clocks of another kernel's threads */
    rw->granules.item = sizeof(granule);
    rw->bytes.item = sizeof(bytes_granule);
    rw->images.item = VG_GRANULE;
    rw->lists.item = sizeof(exact);
    if (need > rw->shared_granules) {
        free(rw->shared);
        free(rw->shared_images);
        rw->shared = calloc(need, sizeof *rw->shared);
        rw->shared_images = calloc(need, VG_GRANULE);
        rw->shared_granules = need;
        rw->images_of_shared = false;
    }
    if (!race_later_begin(rw))
        return false;
    if (rw->found == NULL)
        rw->found = vg_pages_alloc(FOUND_SLOTS, sizeof *rw->found);
    return rw->found != NULL && (need == 0 || (rw->shared != NULL && rw->shared_images != NULL));
}

/* Room in each region for each worker's index. */
static bool make_indexes(const race_checker *c) {
    for (size_t i = 0; i < c->regions->count; i++) {
        vg_region *r = c->regions->at[i];
        if (r->num_index < c->num_workers) {
            uint32_t **index = realloc(r->index, (size_t)c->num_workers * sizeof(*index));
            if (index == NULL)
                return false;
            r->index = index;
            while (r->num_index < c->num_workers)
                r->index[r->num_index++] = NULL;
        }
    }
    return true;
}

bool race_launch_begin(race_checker *c, const launch *l, int workers) {
    if (l->program->num_ops > MAX_OPS)
        return false;
    if (workers > c->num_workers) {
        race_worker *more = realloc(c->workers, (size_t)workers * sizeof *more);
        if (more == NULL)
            return false;
        memset(more + c->num_workers, 0, (size_t)(workers - c->num_workers) * sizeof *more);
        c->workers = more;
        c->num_workers = workers;
    }
    c->locks = race_has_locks(l->program);
    c->exact = c->locks || race_exact_needed(l);
    /* The toolkit's grid.sync() is made of atomics, and what is before it and after it is not told
     * apart. */
    c->many_blocks = l->num_blocks > 1 && !(l->params->cooperative && l->program->uses_workspace);
    c->at_grid_barrier = 0;
    c->store_word = vg_find_op("st.b32")->fn;
    c->store_any = vg_find_op("st.any")->fn;
    c->program = l->program;
    c->fences = race_has_fences(l->program);
    c->weak = race_is_weak(l->program);
    if (c->told != NULL)
        memset(c->told, 0, FOUND_SLOTS * sizeof *c->told);
    /* Who is told at once is also told what else was done there. */
    vg_stores_foresee(c->regions, l, c->notice == NULL);
    bool ok = make_indexes(c) && number_sites(c, l->program) && race_classify(c, l->program);
    for (int i = 0; ok && i < c->num_workers; i++)
        ok = begin_worker(c, i, l);
    if (ok)
        vg_gate_spare(c->gate, c->class_of);
    ok = ok && race_locals_begin(c, l) && race_cached_begin(c, l);
    if (ok)
        race_streams_begin(c, l);
    return ok && (!c->many_blocks || race_blocks_begin(c->blocks, c));
}
