/*
 * fault.c: what a thread did wrong, in words: what, where in the source, which thread, and what the
 * address is. The text is complete; whoever gets the vg_fault only prints it.
 */
#include "vgpu/src/core/names.h"
#include "vgpu/src/core/observe.h"
#include "vgpu/src/core/program.h"
#include "vgpu/src/memory/host_region.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

vg_dim3 vg_thread_of(const warp *w, int lane) {
    const vg_dim3 b = w->worker->launch->block;
    const uint32_t t = w->index * VG_LANES + (uint32_t)lane;
    return (vg_dim3){t % b.x, t / b.x % b.y, t / b.x / b.y};
}

/* The source file, relative to where the program runs when it lies there. */
static void set_file(vg_fault *fault, const ptx_module *m, int file) {
    const char *name =
        file >= 0 && file < m->num_files && m->files[file] != NULL ? m->files[file] : "";
    char here[sizeof fault->file];
    const size_t n = getcwd(here, sizeof here) != NULL ? strlen(here) : 0;
    if (n > 0 && strncmp(name, here, n) == 0 && name[n] == '/')
        name += n + 1;
    if (strncmp(name, "./", 2) == 0)
        name += 2;
    snprintf(fault->file, sizeof fault->file, "%s", name);
}

void vg_fault_position(vg_fault *fault, const vg_kernel *kernel, const op *o) {
    fault->file[0] = '\0';
    if (o->line != 0) /* without a line, the file is the last function's */
        set_file(fault, &kernel->module->ptx, o->file);
    fault->line = fault->file[0] != '\0' ? o->line : 0;
    if (fault->line != 0) {
        const size_t n = strlen(fault->file);
        snprintf(fault->file + n, sizeof fault->file - n, ":%d", fault->line);
    }
}

/* "in kernel tiled, lab3.cu:24, thread (3,0,0) of block (1,2,0)" */
static void describe_place(const vg_fault *f, char *buf, size_t len) {
    snprintf(buf, len, "in kernel %s%s%s, thread (%u,%u,%u) of block (%u,%u,%u)", f->kernel,
             f->file[0] != '\0' ? ", " : "", f->file, f->thread.x, f->thread.y, f->thread.z,
             f->block.x, f->block.y, f->block.z);
}

const op *vg_stop(warp *w, const op *o, int lane, enum vg_status status, uint64_t address,
                  const char *format, ...) {
    host_thread *wk = w->worker;
    if (wk->faulted)
        return NULL;
    wk->faulted = true;
    wk->fault_at = wk->block.linear;
    vg_fault *f = &wk->fault;
    memset(f, 0, sizeof *f);
    f->status = status;
    f->kernel = wk->launch->kernel->info.pretty;
    f->block = wk->block.index;
    f->thread = vg_thread_of(w, lane);
    f->address = address;
    vg_fault_position(f, wk->launch->kernel, o);
    va_list args;
    va_start(args, format);
    int n = vsnprintf(f->text, sizeof f->text, format, args);
    va_end(args);
    n = n < (int)sizeof f->text ? n : (int)sizeof f->text - 1;
    char place[512];
    describe_place(f, place, sizeof place);
    snprintf(f->text + n, sizeof f->text - (size_t)n, "\n  %s", place);
    f->file[strcspn(f->file, ":")] = '\0'; /* the line is in f->line */
    return NULL;
}

static const char *access_name(const op *o) {
    return o->access == VG_READ ? "read" : o->access == VG_WRITE ? "write" : "atomic access";
}

static const char *space_name(enum ptx_space space) {
    switch (space) {
    case PS_SHARED: return "shared";
    case PS_LOCAL: return "local";
    case PS_CONST: return "constant";
    case PS_PARAM: return "parameter";
    default: return "global";
    }
}

/* What lies next to an offset in the shared (or local) segment. */
static void describe_segment(const placed_var *vars, int count, uint64_t offset,
                             uint32_t dynamic_size, const char *what, char *buf, size_t len) {
    if ((int64_t)offset < 0) {
        snprintf(buf, len, "%" PRIu64 " bytes before the start of %s memory", 0 - offset, what);
        return;
    }
    const placed_var *below = NULL;
    for (int i = 0; i < count; i++)
        if (vars[i].offset <= offset && (below == NULL || vars[i].offset > below->offset))
            below = &vars[i];
    if (below == NULL) {
        snprintf(buf, len, "offset 0x%" PRIx64 " lies in no %s array of this kernel", offset, what);
        return;
    }
    char name[128];
    vg_pretty_variable(below->var->name, name, sizeof name);
    const uint64_t size = below->var->size == 0 ? dynamic_size : below->size;
    const uint64_t end = below->offset + size;
    if (offset >= end) {
        char distance[32] = "just";
        if (offset > end)
            snprintf(distance, sizeof distance, "%" PRIu64 " bytes", offset - end);
        snprintf(buf, len, "%s past the end of the %s array '%s' (%" PRIu64 " bytes)", distance,
                 what, name, size);
    } else {
        snprintf(buf, len,
                 "the access starts inside the %s array '%s' (%" PRIu64
                 " bytes) and runs over its end",
                 what, name, size);
    }
}

/* An access that begins inside an allocation and ends behind it. */
static bool describe_overrun(const vg_mem *mem, uint64_t address, uint32_t size, char *buf,
                             size_t len) {
    const vg_alloc *a = vg_mem_find(mem, address);
    char where[200];
    if (a == NULL || address - a->addr + size <= a->size)
        return false;
    vg_mem_describe(mem, address, where, sizeof where);
    snprintf(buf, len, "it begins %s%s and runs %" PRIu64 " bytes past the end",
             address == a->addr ? "at " : "", where, address - a->addr + size - a->size);
    return true;
}

static void describe_address(const warp *w, const op *o, uint64_t address, uint32_t size, char *buf,
                             size_t len) {
    const launch *l = w->worker->launch;
    const program *k = l->program;
    const bool generic = o->space == PS_GENERIC;
    const uint64_t window = generic ? address & VG_WINDOW_MASK : 0;
    const uint64_t offset = window != 0 ? address & ~VG_WINDOW_MASK : address;
    if (o->space == PS_SHARED || window == VG_SHARED_WINDOW) {
        describe_segment(k->shared, k->num_shared, offset, l->params->dynamic_shared, "shared", buf,
                         len);
    } else if (o->space == PS_LOCAL || window == VG_LOCAL_WINDOW) {
        describe_segment(k->local, k->num_local, offset, 0, "local", buf, len);
    } else if (vg_heap_holds(l->params->heap, address)) {
        vg_heap_describe(l->params->heap, address, buf, len);
    } else if (!describe_overrun(l->params->mem, address, size, buf, len)) {
        vg_mem_describe(l->params->mem, address, buf, len);
    }
}

/* A pointer to the host's memory: where it points to is told in words, since the number changes
 * from run to run. */
static bool is_host_address(const warp *w, const op *o, uint64_t address) {
    const vg_launch_params *params = w->worker->launch->params;
    const bool generic = o->space == PS_GENERIC && (address & VG_WINDOW_MASK) == 0;
    return (generic || o->space == PS_GLOBAL) && address >= 4096 &&
           !vg_mem_is_device_address(params->mem, address) && !vg_heap_holds(params->heap, address);
}

const op *vg_bad_access(warp *w, const op *o, int lane, uint64_t address, uint32_t size) {
    char what[300];
    const enum ptx_space space =
        o->space == PS_GENERIC && (address & VG_WINDOW_MASK) == VG_SHARED_WINDOW
            ? PS_SHARED
            : (enum ptx_space)o->space;
    range r;
    if (address % size != 0 && vg_resolve(w, o, lane, address, &r)) {
        return vg_stop(w, o, lane, VG_MISALIGNED, address,
                       "misaligned %s %s of %u bytes: address 0x%" PRIx64 " is no multiple of %u",
                       space_name(space), access_name(o), size, address, size);
    }
    const char *region = is_host_address(w, o, address) ? vg_host_region(address) : NULL;
    if (region != NULL) {
        return vg_stop(w, o, lane, VG_ILLEGAL_ADDRESS, address,
                       "illegal %s %s of %u bytes at a host address, not device memory: %s",
                       space_name(space), access_name(o), size, region);
    }
    describe_address(w, o, address, size, what, sizeof what);
    return vg_stop(w, o, lane, VG_ILLEGAL_ADDRESS, address,
                   "illegal %s %s of %u bytes at 0x%" PRIx64 ": %s", space_name(space),
                   access_name(o), size, address, what);
}
