/* words.c: places, threads and arrays in words, for the messages of all checkers. */
#include "vgpu/src/check/check_parts.h"
#include "vgpu/src/core/names.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

static vg_dim3 thread_at(vg_dim3 size, uint64_t linear) {
    return (vg_dim3){(uint32_t)(linear % size.x), (uint32_t)(linear / size.x % size.y),
                     (uint32_t)(linear / size.x / size.y)};
}

void vg_site_fill(vg_site *site, const launch *l, const op *o, uint64_t block, uint32_t thread,
                  const char *action) {
    vg_fault where = {0};
    const op *first = l->program->ops;
    while (o > first && o->line == 0)
        o--;
    vg_fault_position(&where, l->kernel, o);
    where.file[strcspn(where.file, ":")] = '\0';
    memset(site, 0, sizeof *site);
    const char *file = where.file;
    while (strncmp(file, "./", 2) == 0)
        file += 2;
    snprintf(site->file, sizeof site->file, "%s", file);
    site->line = where.line;
    site->has_thread = true;
    site->block = thread_at(l->grid, block);
    site->thread = thread_at(l->block, thread);
    site->action = action;
}

const char *vg_site_line(const vg_site *site, char *buf, size_t len) {
    if (site->line != 0)
        snprintf(buf, len, "%s:%d", site->file, site->line);
    else
        snprintf(buf, len, "an unknown line");
    return buf;
}

const char *vg_site_thread(const vg_site *site, char *buf, size_t len) {
    const vg_dim3 t = site->thread, b = site->block;
    snprintf(buf, len, "thread (%u,%u,%u) of block (%u,%u,%u)", t.x, t.y, t.z, b.x, b.y, b.z);
    return buf;
}

/* Number of the kernel's argument that points into the region, from 1; 0: none does. */
static int argument_into(const launch *l, const vg_region *r) {
    const ptx_func *f = l->kernel->func;
    for (int i = 0; i < f->num_params; i++) {
        uint64_t value = 0;
        if (f->params[i]->size != sizeof value)
            continue;
        memcpy(&value, l->param_block + f->params[i]->offset, sizeof value);
        if (value >= r->begin && value < r->end)
            return i + 1;
    }
    return 0;
}

void vg_name_global(const launch *l, const vg_region *r, vg_finding *f) {
    vg_region_name(r, &f->fact);
    f->fact.argument = (uint32_t)argument_into(l, r);
    vg_fact_memory(&f->fact, f->object, sizeof f->object);
}

void vg_name_shared(const launch *l, uint64_t offset, uint64_t *begin, vg_finding *f) {
    const program *p = l->program;
    const placed_var *below = NULL;
    for (int i = 0; i < p->num_shared; i++)
        if (p->shared[i].offset <= offset && (below == NULL || p->shared[i].offset > below->offset))
            below = &p->shared[i];
    *begin = below != NULL ? below->offset : 0;
    f->fact.memory = VGPU_MEMORY_SHARED;
    f->fact.room = below != NULL ? below->size : 0;
    if (below != NULL)
        vg_pretty_variable(below->var->name, f->fact.name, sizeof f->fact.name);
    vg_fact_memory(&f->fact, f->object, sizeof f->object);
}
