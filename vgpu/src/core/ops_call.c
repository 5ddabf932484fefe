/* ops_call.c: calls, returns, frames, tables of branches; see ops_call.h. */
#include "vgpu/src/core/ops_call.h"
#include "vgpu/src/core/optable.h"

#include <string.h>

/* A call: d is a row of the callee that keeps, for each lane, where to go on. */
static void note_return(const warp *w, uint32_t row, const op *back) {
    uint64_t *r = row64(w, row);
    for (uint32_t m = w->mask; m != 0; m &= m - 1)
        r[__builtin_ctz(m)] = (uint64_t)(uintptr_t)back;
}

static const op *call(warp *w, const op *o) {
    note_return(w, o->d, o + 1);
    w->split[w->current].depth++;
    return o->target;
}

static const op *ret(warp *w, const op *o) {
    w->split[w->current].depth--;
    /* One split, one caller: lanes called from elsewhere belong to other splits. */
    return (const op *)(uintptr_t)row64(w, o->d)[__builtin_ctz(w->mask)];
}

static uint8_t *local_of(const warp *w, int lane) {
    return w->block->local +
           ((size_t)w->index * VG_LANES + (size_t)lane) * w->worker->launch->program->local_span;
}

static const call_target *target_named(const indirect_call *c, uint64_t address) {
    for (int i = 0; i < c->num_targets; i++)
        if (c->target[i].address == address)
            return &c->target[i];
    return NULL;
}

/* Lanes whose value in a row of 64 bits is that of the first lane. */
static uint32_t alike64(const warp *w, uint32_t row) {
    const uint64_t *v = row64(w, row), first = v[__builtin_ctz(w->mask)];
    uint32_t same = 0;
    for (uint32_t m = w->mask; m != 0; m &= m - 1) {
        const int i = __builtin_ctz(m);
        same |= v[i] == first ? 1u << i : 0;
    }
    return same;
}

static const op *call_indirect(warp *w, const op *o) {
    const indirect_call *c = o->extra;
    const int first = __builtin_ctz(w->mask);
    const uint64_t address = row64(w, c->row)[first];
    const uint32_t same = alike64(w, c->row);
    if (same != w->mask)
        return vg_part(w, o, same, o, o);
    const call_target *t = target_named(c, address);
    if (t == NULL) {
        return vg_stop(w, o, first, VG_INVALID_PC,
                       address == 0 ? VG_NOTE(NULL_FUNCTION)
                                    : VG_NOTE(NO_FUNCTION, .is.address = address));
    }
    for (uint32_t m = w->mask; m != 0; m &= m - 1) {
        uint8_t *local = local_of(w, __builtin_ctz(m));
        for (int i = 0; i < c->num_args; i++)
            memmove(local + t->args[i], local + c->args[i], c->arg_size[i]);
    }
    note_return(w, t->return_row, o + 1);
    w->split[w->current].depth++;
    return t->entry;
}

static const op *call_results(warp *w, const op *o) {
    const indirect_call *c = o->extra;
    const call_target *t = target_named(c, row64(w, c->row)[__builtin_ctz(w->mask)]);
    for (uint32_t m = t != NULL ? w->mask : 0; m != 0; m &= m - 1) {
        uint8_t *local = local_of(w, __builtin_ctz(m));
        for (int i = 0; i < c->num_rets; i++)
            memmove(local + c->rets[i], local + t->rets[i], c->ret_size[i]);
    }
    return o + 1;
}

/* a: index row */
static const op *brx(warp *w, const op *o) {
    const branch_table *t = o->extra;
    const uint32_t *index = row32(w, o->a), first = index[__builtin_ctz(w->mask)];
    uint32_t same = 0;
    for (uint32_t m = w->mask; m != 0; m &= m - 1) {
        const int i = __builtin_ctz(m);
        same |= index[i] == first ? 1u << i : 0;
    }
    if (first >= t->count) {
        return vg_stop(w, o, __builtin_ctz(w->mask), VG_ILLEGAL_INSTRUCTION,
                       VG_NOTE(BRANCH_TABLE, .is.count = first, .is.limit = t->count));
    }
    return same == w->mask ? vg_go(w, o, t->target[first])
                           : vg_part(w, o, same, t->target[first], o);
}

/* ---- frames ---- */

static uint8_t *stack_of(const warp *w, int lane) {
    const host_thread *wk = w->worker;
    return wk->stack_memory +
           ((size_t)w->index * VG_LANES + (size_t)lane) * wk->launch->stack_bytes;
}

static const op *frame_bottom(warp *w, const op *o) {
    const call_frame *f = o->extra;
    memset(row32(w, f->sp), 0, VG_ROW32);
    memset(row32(w, f->used), 0, VG_ROW32);
    return o + 1;
}

static const op *frame_open(warp *w, const op *o) {
    const call_frame *f = o->extra;
    const launch *l = w->worker->launch;
    uint32_t *sp = row32(w, f->sp), *used = row32(w, f->used), *fp = row32(w, f->fp);
    for (uint32_t m = w->mask; m != 0; m &= m - 1) {
        const int i = __builtin_ctz(m);
        if (used[i] + f->cost > l->params->stack_limit ||
            (uint64_t)sp[i] + f->bytes > l->stack_bytes) {
            return vg_stop(w, o, i, VG_ILLEGAL_ADDRESS,
                           VG_NOTE(STACK_OVERFLOW, .is.limit = l->params->stack_limit));
        }
        fp[i] = sp[i];
        sp[i] += f->bytes;
        used[i] += f->cost;
        uint8_t *frame = stack_of(w, i) + fp[i];
        memset(frame, 0xFF, f->bytes); /* fresh locals are junk */
        for (int k = 0; k < f->num_params; k++)
            memcpy(frame + f->params[k].to, local_of(w, i) + f->params[k].from, f->params[k].size);
    }
    return o + 1;
}

static const op *frame_close(warp *w, const op *o) {
    const call_frame *f = o->extra;
    for (uint32_t m = w->mask; m != 0; m &= m - 1) {
        const int i = __builtin_ctz(m);
        row32(w, f->sp)[i] -= f->bytes;
        row32(w, f->used)[i] -= f->cost;
    }
    return o + 1;
}

static const op *frame_save(warp *w, const op *o) {
    const call_frame *f = o->extra;
    for (uint32_t m = w->mask; m != 0; m &= m - 1) {
        const int i = __builtin_ctz(m);
        uint8_t *frame = stack_of(w, i) + row32(w, f->fp)[i];
        for (int k = 0; k < f->num_saved; k++) {
            const saved_row *s = &f->saved[k];
            const uint64_t v = s->width == 8   ? row64(w, s->row)[i]
                               : s->width == 4 ? row32(w, s->row)[i]
                                               : *pred(w, s->row) >> i & 1;
            memcpy(frame + s->offset, &v, sizeof v);
        }
    }
    return o + 1;
}

static const op *frame_restore(warp *w, const op *o) {
    const call_frame *f = o->extra;
    for (uint32_t m = w->mask; m != 0; m &= m - 1) {
        const int i = __builtin_ctz(m);
        const uint32_t fp = row32(w, f->sp)[i] - f->bytes;
        row32(w, f->fp)[i] = fp;
        const uint8_t *frame = stack_of(w, i) + fp;
        for (int k = 0; k < f->num_saved; k++) {
            const saved_row *s = &f->saved[k];
            uint64_t v;
            memcpy(&v, frame + s->offset, sizeof v);
            if (k == 0 && vg_op_at(w->worker->launch->program, v) == NULL)
                return vg_stop(w, o, i, VG_ILLEGAL_ADDRESS, VG_NOTE(STACK_SPOILED));
            if (s->width == 8) {
                row64(w, s->row)[i] = v;
            } else if (s->width == 4) {
                row32(w, s->row)[i] = (uint32_t)v;
            } else {
                uint32_t *p = pred(w, s->row);
                *p = (*p & ~(1u << i)) | (uint32_t)v << i;
            }
        }
    }
    return o + 1;
}

/* d: row (e bytes a lane) of the address of byte aux of the frame */
static const op *frame_address(warp *w, const op *o) {
    const call_frame *f = o->extra;
    for (uint32_t m = w->mask; m != 0; m &= m - 1) {
        const int i = __builtin_ctz(m);
        const uint32_t at = VG_STACK_OFFSET + row32(w, f->fp)[i] + o->aux;
        if (o->e == 8)
            row64(w, o->d)[i] = at;
        else
            row32(w, o->d)[i] = at;
    }
    return o + 1;
}

const op_entry vg_ops_call[] = {
    {"call", call, NULL},
    {"ret", ret, NULL},
    {"call.indirect", call_indirect, NULL},
    {"call.results", call_results, NULL},
    {"brx", brx, NULL},
    {"frame.bottom", frame_bottom, NULL},
    {"frame.open", frame_open, NULL},
    {"frame.close", frame_close, NULL},
    {"frame.save", frame_save, NULL},
    {"frame.restore", frame_restore, NULL},
    {"frame.address", frame_address, NULL},
    {NULL, NULL, NULL},
};
