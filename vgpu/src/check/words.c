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

const char *vg_name_global(const launch *l, const vg_region *r, char *buf, size_t len) {
    vg_region_describe(r, buf, len);
    const int argument = argument_into(l, r);
    const size_t n = strlen(buf);
    if (argument != 0 && n > 0 && n < len) /* before the closing bracket */
        snprintf(buf + n - 1, len - n + 1, ", argument %d of the kernel)", argument);
    return buf;
}

const char *vg_name_shared(const launch *l, uint64_t offset, uint64_t *begin, char *buf,
                           size_t len) {
    const program *p = l->program;
    const placed_var *below = NULL;
    char name[128];
    for (int i = 0; i < p->num_shared; i++)
        if (p->shared[i].offset <= offset && (below == NULL || p->shared[i].offset > below->offset))
            below = &p->shared[i];
    *begin = below != NULL ? below->offset : 0;
    if (below == NULL) {
        snprintf(buf, len, "shared memory");
    } else {
        snprintf(buf, len, "shared array '%s'",
                 vg_pretty_variable(below->var->name, name, sizeof name));
    }
    return buf;
}
