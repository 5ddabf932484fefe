/*
 * inspect.c: see inspect.h. The stepper runs ops one by one; an observer keeps what the op at hand
 * accesses, until it has been carried out.
 */
#include "vgpu/src/inspect/inspect.h"

#include "vgpu/src/core/opcodes.h"
#include "vgpu/src/core/ops_call.h"
#include "vgpu/src/core/optable.h"

#include <stdlib.h>
#include <string.h>

enum { MAX_ACCESSES = 8 };

/* Where a lane began its line, and how far into it it has come. */
typedef struct lane_place {
    const program_func *func;
    int file, line;
    const op *first, *last;
} lane_place;

/* What an op is to the source, found once for a launch. */
typedef struct op_place {
    const program_func *func;
    bool early;   /* of a line that the straight run goes back to */
    bool is_line; /* may begin one */
    bool goes_on; /* or goes on with one, behind a call */
} op_place;

struct vg_inspect {
    const vg_names *names;
    const vg_watcher *watcher;
    vg_stepper stepper;
    vg_observer observer;
    uint64_t block;
    uint64_t stops, ops, alarm;
    uint32_t quiet; /* warps */
    bool alarm_heard;
    op_fn matrices;            /* of matrix instructions */
    op_fn open, save, restore; /* of rows, around calls that may come back to the function */
    op_place *places;          /* by op; NULL: no launch yet */
    lane_place lane[VG_MAX_WARPS][VG_LANES];
    vg_access access[MAX_ACCESSES];
    uint64_t address[MAX_ACCESSES][VG_LANES];
    int num_accesses;
    const warp *now_warp; /* runs now_op, or ran it last */
    const op *now_op;
};

/* ---- where an op stands ---- */

static const program_func *func_of(const program *p, const op *o) {
    const int index = (int)(o - p->ops);
    const program_func *found = p->funcs;
    for (int i = 0; i < p->num_funcs; i++)
        if (p->funcs[i].first_op <= index)
            found = &p->funcs[i];
    return found;
}

/* Ops of labels have the position of what stood before them; where a loop or a branch ends stands a
 * jump with the position of what it ended with, which is not carried out once more. */
static bool is_in_source(const vg_inspect *in, const op *o) {
    const bool jump = o->ptx != NULL && o->ptx->op != NULL && o->ptx->guard == NULL &&
                      o->ptx->code->flow == GOES_TO_LABEL;
    return !jump && o->ptx != NULL && o->ptx->op != NULL && o->line != 0 && o->ptx->statement > 1 &&
           vg_names_source(in->names, o->file) != NULL;
}

/* Does a straight run end with this op? */
static bool ends_run(const op *o) {
    return o->ptx == NULL || o->ptx->op == NULL || o->ptx->code->flow != GOES_ON;
}

/*
 * Within a straight run the compiler computes ahead: some of a line, some of the next, then the
 * rest of the first. What a line changes, it changes at its last stretch, in order; so that is
 * where the line begins, and what stands before is part of the lines around it.
 */
static void find_early(vg_inspect *in, const program *p) {
    for (int i = 0; i < p->num_ops; i++) {
        const op *o = &p->ops[i];
        bool left = false;
        for (const op *n = o; is_in_source(in, o) && n < p->ops + p->num_ops && !ends_run(n); n++) {
            if (!is_in_source(in, n))
                continue;
            const bool same = n->line == o->line && n->file == o->file;
            in->places[i].early = in->places[i].early || (left && same);
            left = left || !same;
        }
    }
}

/* Does the lane begin a line with this op? */
static bool begins_line(const lane_place *l, const program_func *f, const op *o) {
    if (l->func != f || l->file != o->file || l->line != o->line)
        return true;
    /* A loop within the line, anew; but not the compiler's own, which fills an array and has one
     * position all over. */
    return o >= l->first && o < l->last &&
           (l->last->ptx == NULL || o->ptx->statement != l->last->ptx->statement);
}

static void note_place(vg_inspect *in, const warp *w, const program_func *f, const op *o,
                       bool begins) {
    for (uint32_t m = w->mask; m != 0; m &= m - 1) {
        lane_place *l = &in->lane[w->index][__builtin_ctz(m)];
        if (begins)
            *l = (lane_place){f, o->file, o->line, o, o};
        else if (o > l->last)
            l->last = o;
    }
}

/* Is this op of a line the first behind a call in that line, so that only the way back from there
 * leads to it? A label between would be another way. */
static bool is_behind_call(const vg_inspect *in, const program *p, int i) {
    const op *o = &p->ops[i];
    for (const op *before = o - 1; before >= p->ops; before--) {
        if (before->ptx == NULL || before->ptx->op == NULL)
            return false;
        if (before->ptx->code->flow == GOES_TO_CALLEE)
            return before->line == o->line && before->file == o->file;
        if (in->places[before - p->ops].is_line)
            return false;
    }
    return false;
}

/* An instruction begins with the first of its ops: behind a call stands another. */
static void find_lines(vg_inspect *in, const program *p) {
    for (int i = 0; i < p->num_ops; i++) {
        const op *o = &p->ops[i];
        op_place *place = &in->places[i];
        place->func = func_of(p, o);
        place->is_line = is_in_source(in, o) && !place->early && (i == 0 || o[-1].ptx != o->ptx);
        place->goes_on = place->is_line && is_behind_call(in, p, i);
    }
}

static void look(vg_inspect *in, warp *w, const op *o) {
    const op_place *place = &in->places[o - w->worker->launch->program->ops];
    if (!place->is_line)
        return;
    const program_func *f = place->func;
    const bool begins = begins_line(&in->lane[w->index][__builtin_ctz(w->mask)], f, o);
    note_place(in, w, f, o, begins);
    if (!begins)
        return;
    const vg_stop_at at = {w, w->mask, o, o->file, o->line, in->stops++, place->goes_on};
    if (in->watcher->stop != NULL)
        in->watcher->stop(in->watcher->self, &at);
}

/* ---- running ---- */

static void tell_accesses(vg_inspect *in) {
    const int count = in->num_accesses;
    in->num_accesses = 0;
    for (int i = 0; i < count; i++)
        in->watcher->access(in->watcher->self, &in->access[i]);
}

static void tell_matrices(const vg_inspect *in, const warp *w, const op *o, bool done) {
    if (o->fn == in->matrices && in->watcher->matrices != NULL && w->mask == VG_ALL_LANES)
        in->watcher->matrices(in->watcher->self, w, o->extra, done);
}

static void tell_pause(const vg_inspect *in, warp *w, uint32_t mask, int split) {
    static const enum vg_pause why[] = {[SPLIT_RUN] = VG_PAUSE_PART,
                                        [SPLIT_PARENT] = VG_PAUSE_PART,
                                        [SPLIT_BARRIER] = VG_PAUSE_BARRIER,
                                        [SPLIT_MEET] = VG_PAUSE_WARP};
    if (in->watcher->pause == NULL)
        return;
    const uint32_t ended = mask & ~w->alive;
    const enum split_state state = w->split[split].state;
    if (w->worker->faulted)
        in->watcher->pause(in->watcher->self, w, mask, VG_PAUSE_FAULT);
    else if (ended != 0)
        in->watcher->pause(in->watcher->self, w, ended, VG_PAUSE_END);
    else
        in->watcher->pause(in->watcher->self, w, mask,
                           state == SPLIT_FREE ? VG_PAUSE_PART : why[state]);
}

static bool is_watched(const vg_inspect *in, const block *b) {
    return in->block == VG_EVERY_BLOCK || b->linear == in->block;
}

static bool is_quiet(const vg_inspect *in, const warp *w) {
    return (in->quiet >> w->index & 1) != 0;
}

/* Where the stretch of ops begins that stands in this op's line. */
static const op *begin_of_line(const program *p, const program_func *f, const op *o) {
    const op *first = o;
    for (const op *at = o; at >= p->ops + f->first_op; at--)
        if (at->line == o->line && at->file == o->file)
            first = at;
        else if (at->line != 0)
            break;
    return first;
}

/* Some lanes have left the others at this op, or the warp's turn is over: it is the last that is
 * known of those that wait. Where they began the line nobody has looked; it may be a loop. */
static void note_parting(vg_inspect *in, const warp *w, const op *o, uint32_t mask) {
    const program *p = w->worker->launch->program;
    const program_func *f = in->places[o - p->ops].func;
    const lane_place here = {f, o->file, o->line, begin_of_line(p, f, o), o};
    for (uint32_t m = mask; m != 0; m &= m - 1)
        in->lane[w->index][__builtin_ctz(m)] = here;
}

/* Until somebody wants to look again. */
static const op *run_quietly(vg_inspect *in, warp *w, const op *o) {
    const uint32_t mask = w->mask;
    while (o != NULL && is_quiet(in, w)) {
        const op *at = in->now_op = o;
        if (++in->ops == in->alarm)
            in->watcher->alarm(in->watcher->self, w);
        if (!is_quiet(in, w)) { /* the alarm's doing: the op is still to come */
            in->ops--;
            in->alarm_heard = true;
            break;
        }
        o = o->fn(w, o);
        if (o == NULL)
            note_parting(in, w, at, mask);
        else if (o <= at && in->watcher->back != NULL)
            in->watcher->back(in->watcher->self, w);
    }
    return o;
}

static void run(void *self, warp *w, const op *o) {
    vg_inspect *in = self;
    if (!is_watched(in, w->block)) {
        while (o != NULL)
            o = o->fn(w, o);
        return;
    }
    const uint32_t mask = w->mask;
    const int split = w->current;
    in->now_warp = w;
    while (o != NULL) {
        if (is_quiet(in, w)) {
            o = run_quietly(in, w, o);
            continue;
        }
        in->now_op = o;
        if (++in->ops == in->alarm && !in->alarm_heard)
            in->watcher->alarm(in->watcher->self, w);
        in->alarm_heard = false;
        look(in, w, o);
        const op *at = o;
        tell_matrices(in, w, at, false);
        o = o->fn(w, o);
        if (o == at + 1)
            tell_matrices(in, w, at, true);
        if (in->num_accesses > 0)
            tell_accesses(in);
        if (o != NULL && o <= at && in->watcher->back != NULL)
            in->watcher->back(in->watcher->self, w);
    }
    tell_pause(in, w, mask, split);
    in->now_warp = NULL;
}

static void on_access(void *self, const vg_access *a) {
    vg_inspect *in = self;
    if (is_quiet(in, a->warp) || !is_watched(in, a->warp->block) ||
        in->num_accesses == MAX_ACCESSES || in->watcher->access == NULL || a->mask == 0 ||
        a->space == PS_LOCAL)
        return;
    vg_access *kept = &in->access[in->num_accesses];
    memcpy(in->address[in->num_accesses], a->at, sizeof in->address[0]);
    *kept = *a;
    kept->at = in->address[in->num_accesses++];
}

/* Each block's lanes begin anew. */
static void on_block(void *self, host_thread *wk) {
    vg_inspect *in = self;
    if (is_watched(in, &wk->block))
        memset(in->lane, 0, (size_t)wk->block.num_warps * sizeof in->lane[0]);
}

static bool on_launch(void *self, const launch *l, int workers) {
    vg_inspect *in = self;
    (void)workers;
    free(in->places);
    in->places = calloc((size_t)l->program->num_ops + 1, sizeof *in->places);
    if (in->places == NULL)
        return false;
    find_early(in, l->program);
    find_lines(in, l->program);
    memset(in->lane, 0, sizeof in->lane);
    in->num_accesses = 0;
    in->stops = in->ops = in->alarm = 0;
    in->quiet = 0;
    in->alarm_heard = false;
    in->now_warp = NULL;
    return true;
}

vg_inspect *vg_inspect_create(const vg_names *names, const vg_watcher *watcher) {
    vg_inspect *in = calloc(1, sizeof *in);
    if (in == NULL)
        return NULL;
    in->names = names;
    in->watcher = watcher;
    in->matrices = vg_find_op("mma")->fn;
    in->open = vg_find_op("frame.open")->fn;
    in->save = vg_find_op("frame.save")->fn;
    in->restore = vg_find_op("frame.restore")->fn;
    in->stepper = (vg_stepper){in, run};
    in->observer = (vg_observer){.name = "inspector",
                                 .self = in,
                                 .launch_begin = on_launch,
                                 .block_begin = on_block,
                                 .access = on_access};
    return in;
}

void vg_inspect_destroy(vg_inspect *in) {
    if (in != NULL)
        free(in->places);
    free(in);
}

bool vg_inspect_attach(vg_inspect *in, vg_exec *exec) {
    vg_exec_step_by(exec, &in->stepper);
    return vg_exec_observe(exec, &in->observer);
}

void vg_inspect_block(vg_inspect *in, uint64_t linear) {
    in->block = linear;
}

uint64_t vg_inspect_ops(const vg_inspect *in) {
    return in->ops;
}

void vg_inspect_alarm(vg_inspect *in, uint64_t op) {
    in->alarm = op;
}

void vg_inspect_rename(vg_inspect *in, const vg_names *names) {
    in->names = names;
}

bool vg_inspect_is_line(const vg_inspect *in, const launch *l, const op *o) {
    return in->places[o - l->program->ops].is_line;
}

/* ---- where lanes are ---- */

/* The split that the lane is in, of those that have not lent it to a child; NULL: it has ended. */
static const split *split_of(const warp *w, int lane) {
    for (int i = 0; i < w->num_splits; i++) {
        const split *s = &w->split[i];
        const uint32_t own = s->state == SPLIT_PARENT ? s->mask & ~s->pending : s->mask;
        if (s->state != SPLIT_FREE && (own >> lane & 1) != 0)
            return s;
    }
    return NULL;
}

enum split_state vg_inspect_state(const warp *w, int lane) {
    const split *s = split_of(w, lane);
    return s != NULL ? (enum split_state)s->state : SPLIT_FREE;
}

bool vg_inspect_where(const vg_inspect *in, warp *w, int lane, vg_stop_at *at) {
    const split *s = split_of(w, lane);
    *at = (vg_stop_at){.warp = w, .mask = 1u << lane, .number = in->stops};
    if (w == in->now_warp && (w->mask >> lane & 1) != 0) {
        at->op = in->now_op;
        at->mask = w->mask;
    } else if (s == NULL || (w->alive >> lane & 1) == 0) {
        return false;
    } else {
        const bool waits = s->state == SPLIT_BARRIER || s->state == SPLIT_MEET;
        at->op = waits ? s->at : s->pc;
        at->mask = s->state == SPLIT_PARENT ? s->mask & ~s->pending : s->mask;
    }
    const launch *l = w->worker->launch;
    const program_func *f = func_of(l->program, at->op);
    const lane_place *begun = &in->lane[w->index][lane];
    for (const op *o = at->op; at->line == 0 && o >= l->program->ops + f->first_op; o--) {
        if (is_in_source(in, o)) {
            at->file = o->file;
            at->line = o->line;
        }
    }
    /* The line that it is in the midst of. Of a quiet warp's lanes only those are known that part,
     * and their op is where they will meet again. */
    const bool known = !is_quiet(in, w) || (s != NULL && s->state == SPLIT_PARENT);
    if (known && begun->func == f && begun->line != 0) {
        at->file = begun->file;
        at->line = begun->line;
    }
    return true;
}

/* Its lanes are in the midst of the lines that they are in, which may be loops. */
static void catch_up(vg_inspect *in, warp *w) {
    const op_place *places = in->places;
    for (uint32_t m = w->alive; m != 0; m &= m - 1) {
        const int lane = __builtin_ctz(m);
        vg_stop_at at;
        if (!vg_inspect_where(in, w, lane, &at) || at.line == 0)
            continue;
        const program_func *f = places[at.op - w->worker->launch->program->ops].func;
        const op *first = begin_of_line(w->worker->launch->program, f, at.op);
        in->lane[w->index][lane] = (lane_place){f, at.file, at.line, first, at.op};
    }
}

void vg_inspect_quiet(vg_inspect *in, block *b, uint32_t warps) {
    for (int i = 0; i < b->num_warps && in->quiet != warps; i++)
        if ((in->quiet >> i & 1) != 0 && (warps >> i & 1) == 0)
            catch_up(in, &b->warps[i]);
    in->quiet = warps;
}

/* ---- frames ---- */

/* The source line that an op belongs to: its own, or that of the last op before it that has one. */
static void set_position(const vg_inspect *in, const launch *l, vg_frame *f) {
    const op *first = l->program->ops + f->code->first_op;
    for (const op *o = f->op; o >= first; o--) {
        if (is_in_source(in, o)) {
            f->file = o->file;
            f->line = o->line;
            return;
        }
    }
}

static vg_frame frame_at(const vg_inspect *in, const launch *l, const op *o) {
    const program_func *code = in->places[o - l->program->ops].func;
    return (vg_frame){.func = vg_names_func(in->names, code->func->name), .code = code, .op = o};
}

/* Where a frame begins whose function is at this op, if the stack ends there. */
static uint32_t begin_of_frame(const vg_inspect *in, const call_frame *own, const op *o,
                               uint32_t end) {
    return o->fn == in->open || end < own->bytes ? VG_NO_STACK : end - own->bytes;
}

/* Is `next`, to be carried out by the frame's lane, between a call that may come back to the
 * function and what takes the function's rows from the stack again? */
static bool rows_are_saved(const vg_inspect *in, const program *p, const op *next) {
    const op *end = p->ops + p->num_ops;
    for (const op *o = next; o < end && o->ptx == next->ptx && o->fn != in->save; o++)
        if (o->fn == in->restore)
            return true;
    return false;
}

/* Where the function of a frame goes on when it ends; next is what it is about to carry out. NULL:
 * the kernel has written over it. */
static const op *back_from(const vg_inspect *in, warp *w, int lane, const vg_frame *f,
                           const op *next) {
    const program *p = w->worker->launch->program;
    uint64_t back = row64(w, f->code->return_row)[lane];
    const call_frame *own = f->code->frame;
    if (own != NULL && rows_are_saved(in, p, next)) {
        const uint32_t offset = f->stack + own->saved[0].offset;
        const void *kept =
            vg_generic_at(w, lane, VG_LOCAL_WINDOW | (VG_STACK_OFFSET + offset), sizeof back);
        if (kept != NULL)
            memcpy(&back, kept, sizeof back);
    }
    const op *to = vg_op_at(p, back);
    return to > p->ops ? to : NULL; /* a call stands before it */
}

/* Calls are followed outwards from where the lane is. The stack of a function that may call itself
 * ends where that of the function begins that it has called. */
int vg_inspect_frames(const vg_inspect *in, const vg_stop_at *at, vg_frame *frames, int most) {
    warp *w = at->warp;
    const launch *l = w->worker->launch;
    const int lane = __builtin_ctz(at->mask);
    const op *o = at->op, *next = at->op;
    uint32_t end = 0; /* of the stack */
    bool has_end = false;
    for (int n = 0;;) {
        vg_frame f = frame_at(in, l, o);
        const call_frame *own = f.code->frame;
        if (own != NULL) {
            end = has_end ? end : row32(w, own->sp)[lane];
            has_end = true;
            f.stack = begin_of_frame(in, own, o, end);
            end = f.stack != VG_NO_STACK ? f.stack : end;
        }
        f.file = at->file;
        f.line = at->line;
        if (n > 0 && n < most)
            set_position(in, l, &f);
        if (n < most)
            frames[n] = f;
        n++;
        if (f.code->return_row == 0 || (f.stack == VG_NO_STACK && n > 1))
            return n;
        next = back_from(in, w, lane, &f, next);
        if (next == NULL)
            return n;
        o = next - 1; /* the call itself */
    }
}

vg_frame vg_inspect_frame(const vg_inspect *in, const vg_stop_at *at) {
    const warp *w = at->warp;
    vg_frame f = frame_at(in, w->worker->launch, at->op);
    const call_frame *own = f.code->frame;
    f.file = at->file;
    f.line = at->line;
    if (own != NULL)
        f.stack = begin_of_frame(in, own, at->op, row32(w, own->sp)[__builtin_ctz(at->mask)]);
    return f;
}

static int line_of_label(const ptx_func *f, const char *label) {
    for (const ptx_instr *i = f->first; i != NULL; i = i->next)
        if (i->label != NULL && strcmp(i->label, label) == 0)
            return i->ptx_line;
    return 0;
}

bool vg_inspect_is_alive(const vg_inspect *in, const vg_frame *frame, const vg_named_var *var) {
    (void)in;
    const ptx_func *f = frame->code->func;
    for (int s = var->scope; s >= 0; s = frame->func->scopes[s].outer) {
        const vg_named_scope *scope = &frame->func->scopes[s];
        const int begin = line_of_label(f, scope->begin), end = line_of_label(f, scope->end);
        if (frame->op->ptx_line < begin || (end != 0 && frame->op->ptx_line >= end))
            return false;
    }
    return true;
}

/* ---- places ---- */

static const placed_var *named(const placed_var *list, int count, const char *symbol) {
    for (int i = 0; i < count; i++)
        if (strcmp(list[i].var->name, symbol) == 0)
            return &list[i];
    return NULL;
}

vg_place vg_inspect_place(const launch *l, const vg_frame *frame, const vg_named_var *var) {
    const program *p = l->program;
    const call_frame *own = frame != NULL ? frame->code->frame : NULL;
    const placed_var *v = own != NULL ? named(own->vars, own->num_vars, var->symbol) : NULL;
    if (v != NULL && frame->stack == VG_NO_STACK)
        return (vg_place){PS_GENERIC, 0};
    if (v != NULL && var->offset + var->size <= v->size)
        return (vg_place){PS_LOCAL, VG_STACK_OFFSET + frame->stack + v->offset + var->offset};
    v = named(p->local, p->num_local, var->symbol);
    if (v != NULL && var->offset + var->size <= v->size)
        return (vg_place){PS_LOCAL, v->offset + var->offset};
    v = named(p->shared, p->num_shared, var->symbol);
    if (v != NULL)
        return (vg_place){PS_SHARED, v->offset + var->offset};
    const ptx_var *global = ptx_find_global(&l->kernel->module->ptx, var->symbol);
    if (global != NULL && global->address != 0)
        return (vg_place){PS_GLOBAL, global->address + var->offset};
    return (vg_place){PS_GENERIC, 0};
}

const uint8_t *vg_inspect_local(const warp *w, int lane) {
    return w->block->local +
           ((size_t)w->index * VG_LANES + (size_t)lane) * w->worker->launch->program->local_span;
}

const uint8_t *vg_inspect_shared(const block *b, uint64_t offset) {
    const launch *l = b->warps->worker->launch;
    for (int i = 0; i < l->num_shared_ranges; i++) {
        const range *r = &l->shared_ranges[i];
        if (offset >= r->begin && offset < r->end)
            return b->shared + (intptr_t)offset + r->delta;
    }
    return NULL;
}
