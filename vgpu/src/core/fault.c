/*
 * fault.c: what a thread did wrong: what, where in the source, which thread, and what lies at the
 * address. The vg_fault is complete; whoever gets it only hands it on.
 */
#include "vgpu/src/core/gone.h"
#include "vgpu/src/core/names.h"
#include "vgpu/src/core/observe.h"
#include "vgpu/src/core/opcodes.h"
#include "vgpu/src/core/program.h"
#include "vgpu/src/memory/host_region.h"

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

static void set_dim(uint32_t to[3], vg_dim3 from) {
    to[0] = from.x;
    to[1] = from.y;
    to[2] = from.z;
}

void vg_fault_fill(vg_fault *f, const warp *w, const op *o, int lane, enum vg_status status,
                   vg_note *note) {
    host_thread *wk = w->worker;
    memset(f, 0, sizeof *f);
    f->status = status;
    f->kernel = wk->launch->kernel->info.pretty;
    f->block = wk->block.index;
    f->thread = vg_thread_of(w, lane);
    vg_fault_position(f, wk->launch->kernel, o);
    f->file[strcspn(f->file, ":")] = '\0'; /* the line is in f->line */
    struct vgpu_fact *is = &note->is;
    note->kernel = f->kernel;
    is->status = status;
    is->has_thread = 1;
    is->line = f->line;
    set_dim(is->block, f->block);
    set_dim(is->thread, f->thread);
    snprintf(is->file, sizeof is->file, "%s", f->file);
    f->fact = *vg_note_close(note);
    vg_fact_words(&f->fact, f->text, sizeof f->text);
}

const op *vg_stop(warp *w, const op *o, int lane, enum vg_status status, vg_note *note) {
    host_thread *wk = w->worker;
    if (wk->faulted)
        return NULL;
    wk->faulted = true;
    wk->fault_at = wk->block.linear;
    vg_fault_fill(&wk->fault, w, o, lane, status, note);
    return NULL;
}

void vg_fault_memory(vg_fault *fault, const char *what) {
    vg_note *note = VG_NOTE(OUT_OF_HOST_MEMORY, .name = what, .is.status = VG_OUT_OF_MEMORY);
    fault->status = VG_OUT_OF_MEMORY;
    fault->fact = *vg_note_close(note);
    vg_fact_words(&fault->fact, fault->text, sizeof fault->text);
}

static enum vgpu_access access_of(const op *o) {
    const bool reads = o->access == VG_READ || o->access == VG_FETCH;
    return reads ? VGPU_READS : o->access == VG_WRITE ? VGPU_WRITES : VGPU_UPDATES;
}

static enum vgpu_space space_of(enum ptx_space space) {
    switch (space) {
    case PS_SHARED: return VGPU_SPACE_SHARED;
    case PS_LOCAL: return VGPU_SPACE_LOCAL;
    case PS_CONST: return VGPU_SPACE_CONSTANT;
    case PS_PARAM: return VGPU_SPACE_PARAMETER;
    default: return VGPU_SPACE_GLOBAL;
    }
}

/* clang and nvcc put all local arrays of a function into one, whose name is not the source's. */
static bool is_frame(const char *name) {
    static const char depot[] = "__local_depot";
    return strncmp(name, depot, sizeof depot - 1) == 0;
}

/* What lies next to an offset in the shared (or local) segment. */
static void locate_in_segment(const placed_var *vars, int count, uint64_t offset,
                              uint32_t dynamic_size, struct vgpu_fact *f) {
    if ((int64_t)offset < 0) {
        f->place = VGPU_AT_BEFORE;
        f->distance = 0 - offset;
        return;
    }
    const placed_var *below = NULL;
    for (int i = 0; i < count; i++)
        if (vars[i].offset <= offset && (below == NULL || vars[i].offset > below->offset))
            below = &vars[i];
    f->place = VGPU_AT_NO_ARRAY;
    f->distance = offset;
    if (below == NULL)
        return;
    if (!is_frame(below->var->name))
        vg_pretty_variable(below->var->name, f->name, sizeof f->name);
    f->dynamic = below->var->size == 0;
    f->room = f->dynamic ? dynamic_size : below->size;
    const uint64_t end = below->offset + f->room;
    f->place = offset >= end ? VGPU_AT_PAST : VGPU_AT_OVER_END;
    f->distance = offset >= end ? offset - end : offset - below->offset;
}

/* An access that begins inside an allocation and ends behind it. */
static bool locate_overrun(const vg_mem *mem, uint64_t address, uint32_t size,
                           struct vgpu_fact *f) {
    const vg_alloc *a = vg_mem_find(mem, address);
    if (a == NULL || address - a->addr + size <= a->size)
        return false;
    vg_mem_name(a, f);
    f->place = VGPU_AT_OVER_END;
    f->distance = address - a->addr;
    f->excess = f->distance + size - a->size;
    return true;
}

/* An access inside an allocation that was refused all the same: it may only be read. */
static bool locate_read_only(const vg_mem *mem, uint64_t address, struct vgpu_fact *f) {
    const vg_alloc *a = vg_mem_find(mem, address);
    if (a == NULL || !a->read_only)
        return false;
    vg_mem_name(a, f);
    f->place = VGPU_AT_READ_ONLY;
    f->distance = address - a->addr;
    return true;
}

static void locate(const warp *w, const op *o, uint64_t address, uint32_t size,
                   struct vgpu_fact *f) {
    const launch *l = w->worker->launch;
    const program *k = l->program;
    const bool generic = o->space == PS_GENERIC;
    const uint64_t window = generic ? address & VG_WINDOW_MASK : 0;
    const uint64_t offset = window != 0 ? address & ~VG_WINDOW_MASK : address;
    if (o->space == PS_SHARED || window == VG_SHARED_WINDOW) {
        f->memory = VGPU_MEMORY_SHARED;
        locate_in_segment(k->shared, k->num_shared, offset, l->params->dynamic_shared, f);
    } else if (o->space == PS_LOCAL || window == VG_LOCAL_WINDOW) {
        f->memory = VGPU_MEMORY_LOCAL;
        if (offset >= VG_GONE_OFFSET && (int64_t)offset > 0)
            f->place = VGPU_AT_GONE;
        else
            locate_in_segment(k->local, k->num_local, offset, 0, f);
    } else if (vg_heap_holds(l->params->heap, address)) {
        vg_heap_locate(l->params->heap, address, f);
    } else if (!locate_overrun(l->params->mem, address, size, f) &&
               !locate_read_only(l->params->mem, address, f)) {
        vg_mem_locate(l->params->mem, address, f);
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
    const uint64_t window = o->space == PS_GENERIC ? address & VG_WINDOW_MASK : 0;
    const enum ptx_space space = window == VG_SHARED_WINDOW  ? PS_SHARED
                                 : window == VG_LOCAL_WINDOW ? PS_LOCAL
                                                             : (enum ptx_space)o->space;
    vg_note *note = VG_NOTE(ILLEGAL_ACCESS, .is.space = space_of(space), .is.access = access_of(o),
                            .is.size = size, .is.address = address,
                            .is.matrix = o->ptx != NULL && (o->ptx->code->is & A_MATRIX) != 0);
    range r;
    if (address % size != 0 && vg_resolve(w, o, lane, address, &r)) {
        note->is.says = VGPU_MISALIGNED;
        return vg_stop(w, o, lane, VG_MISALIGNED, note);
    }
    note->is.host = is_host_address(w, o, address) ? vg_host_region(address) : VGPU_HOST_UNKNOWN;
    const vg_launch_params *params = w->worker->launch->params;
    if (note->is.host != VGPU_HOST_UNKNOWN && params->shadow != NULL &&
        params->shadow(params->shadow_self, address, note->is.name, sizeof note->is.name))
        note->is.host = VGPU_HOST_SHADOW;
    if (note->is.host != VGPU_HOST_UNKNOWN) {
        note->is.says = VGPU_HOST_POINTER;
        note->is.place = VGPU_AT_HOST;
    } else {
        locate(w, o, address, size, &note->is);
    }
    return vg_stop(w, o, lane, VG_ILLEGAL_ADDRESS, note);
}
