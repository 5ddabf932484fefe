/*
 * resolve.c: from an address in a kernel to the variable or allocation that holds it.
 *
 * Global and constant addresses are looked up in the device memory's table; shared ones among the
 * kernel's shared variables, which stand apart with gaps between them, so that running off the end
 * of one array is not silently a valid access of the next; local ones in the thread's frame.
 */
#include "vgpu/src/core/observe.h"
#include "vgpu/src/core/program.h"

#include <string.h>

static bool shared_range(const host_thread *wk, uint64_t offset, range *out) {
    const launch *l = wk->launch;
    for (int i = 0; i < l->num_shared_ranges; i++) {
        if (offset >= l->shared_ranges[i].begin && offset < l->shared_ranges[i].end) {
            *out = l->shared_ranges[i];
            out->delta += (intptr_t)wk->block.shared;
            return true;
        }
    }
    return false;
}

static bool local_range(const warp *w, int lane, uint64_t offset, range *out) {
    const program *k = w->worker->launch->program;
    const uint64_t thread = (uint64_t)w->index * VG_LANES + (uint64_t)lane;
    const uint64_t stack = w->worker->launch->stack_bytes;
    if (offset >= VG_STACK_OFFSET && offset - VG_STACK_OFFSET < stack) {
        *out = (range){
            VG_STACK_OFFSET, VG_STACK_OFFSET + stack,
            (intptr_t)((uintptr_t)w->worker->stack_memory + thread * stack - VG_STACK_OFFSET), true,
            (intptr_t)stack};
        return true;
    }
    for (int i = 0; i < k->num_local; i++) {
        const placed_var *v = &k->local[i];
        if (offset >= v->offset && offset < (uint64_t)v->offset + v->size) {
            *out = (range){v->offset, (uint64_t)v->offset + v->size,
                           (intptr_t)(w->worker->block.local + thread * k->local_span), true,
                           (intptr_t)k->local_span};
            return true;
        }
    }
    return false;
}

/* A piece of the device's heap; never kept, since device code may free it. */
static bool heap_range(vg_heap *heap, const vg_alloc *a, uint64_t address, range *out) {
    uint64_t begin, end;
    if (!vg_heap_find(heap, address, &begin, &end))
        return false;
    *out = (range){begin, end, (intptr_t)((uint64_t)(uintptr_t)a->host - a->addr), true, 0};
    return true;
}

static bool global_range(const vg_launch_params *params, const op *o, uint64_t address,
                         range *out) {
    const vg_alloc *a = vg_mem_find(params->mem, address);
    if (a == NULL || (a->read_only && (o->access == VG_WRITE || o->access == VG_ATOMIC)))
        return false;
    if (vg_heap_holds(params->heap, address))
        return heap_range(params->heap, a, address, out);
    *out = (range){a->addr, a->addr + a->size, (intptr_t)((uint64_t)(uintptr_t)a->host - a->addr),
                   false, 0};
    return true;
}

/* Moves a range of a segment into the window by which generic addresses name it. */
static bool in_window(bool found, uint64_t window, range *out) {
    if (found) {
        out->begin += window;
        out->end += window;
        out->delta = (intptr_t)((uint64_t)out->delta - window);
    }
    return found;
}

bool vg_resolve(warp *w, const op *o, int lane, uint64_t address, range *out) {
    const launch *l = w->worker->launch;
    switch (o->space) {
    case PS_SHARED: return shared_range(w->worker, address, out);
    case PS_LOCAL: return local_range(w, lane, address, out);
    case PS_PARAM:
        *out = (range){0, l->kernel->func->param_bytes, (intptr_t)l->param_block, false, 0};
        return address < out->end;
    default: break;
    }
    const uint64_t offset = address & ~VG_WINDOW_MASK;
    if (o->space == PS_GENERIC) {
        switch (address & VG_WINDOW_MASK) {
        case VG_SHARED_WINDOW:
            return in_window(shared_range(w->worker, offset, out), VG_SHARED_WINDOW, out);
        case VG_LOCAL_WINDOW:
            return in_window(local_range(w, lane, offset, out), VG_LOCAL_WINDOW, out);
        case VG_PARAM_WINDOW:
            *out = (range){0, l->kernel->func->param_bytes, (intptr_t)l->param_block, false, 0};
            return in_window(offset < out->end, VG_PARAM_WINDOW, out);
        default: break;
        }
    }
    return global_range(l->params, o, address, out);
}

void *vg_generic_at(warp *w, int lane, uint64_t address, uint64_t size) {
    const op generic = {.space = PS_GENERIC};
    range r;
    if (!vg_resolve(w, &generic, lane, address, &r) || address + size > r.end ||
        address + size < address)
        return NULL;
    return (void *)(uintptr_t)(address + (uint64_t)r.delta);
}
