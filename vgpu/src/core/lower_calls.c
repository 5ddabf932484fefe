/* lower_calls.c: calls, direct and through pointers, and the frames of recursive functions;
 * see lower_calls.h. */
#include "vgpu/src/core/lower_calls.h"
#include "vgpu/src/core/natives.h"
#include "vgpu/src/core/ops_call.h"

#include <string.h>

static bool is_call(const ptx_instr *in) {
    return in->code->flow == GOES_TO_CALLEE;
}

/* The parts of a call: results, callee (PO_NAME, or PO_REG: a pointer), arguments. */
static const ptx_operand *take_apart(lowerer *lw, const ptx_instr *in, const ptx_operand **rets,
                                     const ptx_operand **args) {
    *rets = *args = NULL;
    int i = 0;
    if (i < in->num_operands && in->operand[i].kind == PO_LIST)
        *rets = &in->operand[i++];
    if (i >= in->num_operands || (in->operand[i].kind != PO_NAME && in->operand[i].kind != PO_REG))
        lower_fail(lw, VG_INVALID_PTX, "a call of something that cannot be called");
    const ptx_operand *callee = &in->operand[i++];
    if (i < in->num_operands && in->operand[i].kind == PO_LIST)
        *args = &in->operand[i];
    return callee;
}

static int count_of(const ptx_operand *list) {
    return list == NULL ? 0 : list->num_elem;
}

/* ---- who calls whom ---- */

static bool names_in(const ptx_operand *o, const char *name) {
    if (o->kind == PO_NAME && strcmp(o->name, name) == 0)
        return true;
    for (int i = 0; i < o->num_elem; i++)
        if (names_in(&o->elem[i], name))
            return true;
    return false;
}

/* True when some instruction or initial value holds the function's address. */
static bool is_address_taken(const ptx_module *m, const ptx_func *callee) {
    for (int i = 0; i < m->num_vars; i++) {
        for (const ptx_reloc *r = m->vars[i]->relocs; r != NULL; r = r->next)
            if (strcmp(r->symbol, callee->name) == 0)
                return true;
    }
    for (const ptx_func *f = m->funcs; f != NULL; f = f->next) {
        for (const ptx_instr *in = f->first; in != NULL; in = in->next) {
            for (int i = 0; in->op != NULL && !is_call(in) && i < in->num_operands; i++)
                if (names_in(&in->operand[i], callee->name))
                    return true;
        }
    }
    return false;
}

static bool same_sizes(const ptx_operand *list, ptx_var *const *params, int num_params) {
    if (list == NULL || list->num_elem != num_params)
        return list == NULL && num_params == 0;
    for (int i = 0; i < num_params; i++)
        if (list->elem[i].kind != PO_SYMBOL || list->elem[i].var->size != params[i]->size)
            return false;
    return true;
}

/* A function that a pointer in this call may name. */
static bool may_be_called(const lowerer *lw, const ptx_func *f, const ptx_operand *rets,
                          const ptx_operand *args) {
    return !f->is_entry && f->first != NULL && ptx_find_func(lw->module, f->name) == f &&
           same_sizes(rets, f->rets, f->num_rets) && same_sizes(args, f->params, f->num_params) &&
           is_address_taken(lw->module, f);
}

static void add_callee(lowerer *lw, lowered_func *caller, const ptx_func *f) {
    lowered_func *callee = lower_add_function(lw, f);
    for (int i = 0; i < caller->num_callees; i++)
        if (caller->callees[i] == callee)
            return;
    caller->callees = vg_arena_grow(lw->arena, caller->callees, (size_t)caller->num_callees,
                                    sizeof(*caller->callees));
    caller->callees[caller->num_callees++] = callee;
}

static void find_callees(lowerer *lw, lowered_func *lf) {
    for (int i = 0; i < lf->graph->num_instrs; i++) {
        const ptx_instr *in = lf->graph->instr[i];
        if (!is_call(in))
            continue;
        const ptx_operand *rets, *args;
        lw->at = in;
        const ptx_operand *callee = take_apart(lw, in, &rets, &args);
        if (callee->kind == PO_NAME) {
            const ptx_func *f = ptx_find_func(lw->module, callee->name);
            if (f != NULL && f->first != NULL)
                add_callee(lw, lf, f);
            continue;
        }
        for (const ptx_func *f = lw->module->funcs; f != NULL; f = f->next)
            if (may_be_called(lw, f, rets, args))
                add_callee(lw, lf, f);
    }
}

/* True if a call of `from` may lead to a call of `to`. */
static bool reaches(lowerer *lw, const lowered_func *from, const lowered_func *to) {
    int count = 0, done = 0;
    for (const lowered_func *lf = lw->funcs; lf != NULL; lf = lf->next)
        count++;
    const lowered_func **seen = vg_arena_alloc(lw->arena, (size_t)(count + 1) * sizeof *seen);
    count = 0;
    seen[count++] = from;
    while (done < count) {
        const lowered_func *f = seen[done++];
        for (int i = 0; i < f->num_callees; i++) {
            const lowered_func *g = f->callees[i];
            bool known = false;
            for (int k = 0; k < count; k++)
                known |= seen[k] == g;
            if (g == to)
                return true;
            if (!known)
                seen[count++] = g;
        }
    }
    return false;
}

static call_frame *new_frame(lowerer *lw, const call_frame *bottom) {
    call_frame *f = vg_arena_alloc(lw->arena, sizeof *f);
    f->sp = bottom != NULL ? bottom->sp : lower_new_row(lw, 4);
    f->used = bottom != NULL ? bottom->used : lower_new_row(lw, 4);
    f->fp = lower_new_row(lw, 4);
    return f;
}

void lower_find_functions(lowerer *lw, const ptx_func *kernel) {
    lowered_func *bottom = lower_add_function(lw, kernel);
    lowered_func *next = bottom;
    do { /* the list grows */
        find_callees(lw, next);
        next = next->next;
    } while (next != NULL);
    for (lowered_func *lf = bottom->next; lf != NULL; lf = lf->next) {
        if (!reaches(lw, lf, lf))
            continue;
        lw->recursive = true;
        bottom->frame = bottom->frame != NULL ? bottom->frame : new_frame(lw, NULL);
        lf->frame = new_frame(lw, bottom->frame);
    }
}

/* ---- storage of arguments ---- */

static void bind_storage(lowerer *lw, const ptx_operand *list, ptx_var *const *params,
                         int num_params) {
    if (count_of(list) != num_params) {
        lower_fail(lw, VG_INVALID_PTX,
                   "a call with another number of arguments than the function has");
    }
    for (int i = 0; i < num_params; i++) {
        const ptx_var *v = list->elem[i].var;
        if (list->elem[i].kind != PO_SYMBOL || v->space != PS_PARAM ||
            lower_is_own_parameter(lw->current->func, v)) {
            lower_fail(lw, VG_UNSUPPORTED,
                       "a call whose arguments are not .param variables of the caller's body");
        }
        const ptx_var *bound = lower_bound_to(lw, v);
        if (bound != NULL && bound != params[i]) {
            lower_fail(
                lw, VG_UNSUPPORTED,
                "the .param variable '%s' stands for two different arguments: one for each is "
                "needed",
                v->name);
        }
        if (bound != NULL)
            continue;
        lw->aliases = vg_arena_grow(lw->arena, lw->aliases, (size_t)lw->num_aliases, sizeof(alias));
        lw->aliases[lw->num_aliases++] = (alias){list->elem[i].var, params[i]};
    }
}

void lower_bind_calls(lowerer *lw, const lowered_func *lf) {
    for (int i = 0; i < lf->graph->num_instrs; i++) {
        const ptx_instr *in = lf->graph->instr[i];
        if (!is_call(in))
            continue;
        lw->at = in;
        const ptx_operand *rets, *args;
        const ptx_operand *name = take_apart(lw, in, &rets, &args);
        if (name->kind == PO_REG)
            continue; /* what it names is known when it is called: bytes are copied then */
        const ptx_func *callee = ptx_find_func(lw->module, name->name);
        if (callee == NULL) {
            lower_fail(lw, VG_INVALID_PTX, "a call of '%s', which this file does not declare",
                       name->name);
        }
        if (callee->first != NULL) {
            bind_storage(lw, rets, callee->rets, callee->num_rets);
            bind_storage(lw, args, callee->params, callee->num_params);
        }
    }
}

/* ---- frames ---- */

static bool is_listed(ptx_var *const *list, int count, const ptx_var *v) {
    for (int i = 0; i < count; i++)
        if (list[i] == v)
            return true;
    return false;
}

bool lower_is_in_frame(const lowerer *lw, const ptx_var *v) {
    const lowered_func *lf = lw->current;
    if (lf->frame == NULL || lf->return_row == 0)
        return false;
    return v->space == PS_LOCAL
               ? is_listed(lf->func->vars, lf->func->num_vars, v)
               : v->space == PS_PARAM && is_listed(lf->func->params, lf->func->num_params, v);
}

static uint32_t offset_in_frame(lowerer *lw, const ptx_var *v) {
    call_frame *f = lw->current->frame;
    for (int i = 0; i < f->num_vars; i++)
        if (f->vars[i].var == v)
            return f->vars[i].offset;
    const uint32_t align = v->align < 16 ? 16 : v->align;
    placed_var p = {
        .var = v, .size = (uint32_t)v->size, .offset = (f->bytes + align - 1) & ~(align - 1)};
    if (v->size > VG_STACK_MAX - p.offset) {
        lower_fail(lw, VG_INVALID_PTX, "local arrays of more than %d KiB in a recursive function",
                   VG_STACK_MAX >> 10);
    }
    f->bytes = p.offset + p.size;
    f->cost += v->space == PS_LOCAL ? (p.size + 15) & ~15u : 0;
    f->vars = vg_arena_grow(lw->arena, f->vars, (size_t)f->num_vars, sizeof p);
    f->vars[f->num_vars++] = p;
    return p.offset;
}

uint32_t lower_frame_address(lowerer *lw, const ptx_var *v, uint64_t offset, uint32_t lane_bytes) {
    const uint32_t at = offset_in_frame(lw, v), d = lower_new_row(lw, lane_bytes);
    op *o = lower_emit(lw, "frame.address");
    o->d = d;
    o->extra = lw->current->frame;
    o->aux = at + (uint32_t)offset;
    o->e = lane_bytes;
    return d;
}

void lower_open_frame(lowerer *lw, lowered_func *lf) {
    call_frame *f = lf->frame;
    if (f == NULL)
        return;
    const ptx_func *func = lf->func;
    lw->at = func->first;
    while (lw->at->line == 0 && lw->at->next != NULL) /* the first that tells a line */
        lw->at = lw->at->next;
    if (lf->return_row == 0) { /* the kernel: its lanes' stacks are empty */
        lower_emit(lw, "frame.bottom")->extra = f;
        return;
    }
    f->params = vg_arena_alloc(lw->arena, (size_t)(func->num_params + 1) * sizeof *f->params);
    f->num_params = func->num_params;
    for (int i = 0; i < func->num_params; i++) {
        const ptx_var *v = func->params[i];
        f->params[i] = (moved_bytes){lower_place_local(lw, v)->offset, offset_in_frame(lw, v),
                                     (uint32_t)v->size};
    }
    lower_emit(lw, "frame.open")->extra = f;
}

void lower_close_frame(lowerer *lw, const lowered_func *lf) {
    if (lf->frame != NULL)
        lower_emit(lw, "frame.close")->extra = lf->frame;
}

static void save_row(call_frame *f, uint32_t row, uint8_t width) {
    for (int i = 0; i < f->num_saved; i++)
        if (f->saved[i].row == row) /* registers share rows */
            return;
    f->bytes = (f->bytes + 7) & ~7u;
    f->saved[f->num_saved++] = (saved_row){row, f->bytes, width};
    f->bytes += 8;
}

void lower_finish_frames(lowerer *lw) {
    uint32_t most = 0;
    for (lowered_func *lf = lw->funcs; lf != NULL; lf = lf->next) {
        call_frame *f = lf->frame;
        if (f == NULL || lf->return_row == 0)
            continue;
        f->saved = vg_arena_alloc(lw->arena, (size_t)(lf->func->num_regs + 2) * sizeof *f->saved);
        save_row(f, lf->return_row, 8);
        for (int r = 0; r < lf->func->num_regs; r++)
            if (lf->row_of[r] != 0)
                save_row(f, lf->row_of[r], lf->width_of[r]);
        f->bytes = (f->bytes + 15) & ~15u;
        f->cost += VG_FRAME_COST;
        /* Bytes here for a byte counted. */
        const uint32_t share = (f->bytes + f->cost - 1) / f->cost;
        most = share > most ? share : most;
        lw->program.largest_frame =
            f->bytes > lw->program.largest_frame ? f->bytes : lw->program.largest_frame;
    }
    lw->program.stack_share = most;
}

/* ---- calls ---- */

static void lower_native(lowerer *lw, const char *name, const ptx_operand *rets,
                         const ptx_operand *args) {
    const native *fn = vg_native_named(name);
    const int given = count_of(args);
    if (fn == NULL || given != vg_native_num_args(fn)) {
        lower_fail(lw, VG_UNSUPPORTED,
                   "a call of '%s', a device function the virtual GPU does not provide", name);
    }
    native_call *call = vg_arena_alloc(lw->arena, sizeof *call);
    call->fn = fn;
    lw->program.prints |= strcmp(name, "vprintf") == 0;
    lw->program.uses_heap |= strcmp(name, "malloc") == 0 || strcmp(name, "free") == 0;
    for (int i = 0; i < given; i++) {
        if (args->elem[i].kind != PO_SYMBOL)
            lower_fail(lw, VG_INVALID_PTX, "an argument of '%s' is not a .param variable", name);
        call->arg[i] = lower_place_local(lw, args->elem[i].var)->offset;
    }
    if (rets != NULL && rets->num_elem == 1 && rets->elem[0].kind == PO_SYMBOL) {
        call->ret = lower_place_local(lw, rets->elem[0].var)->offset;
    } else { /* the result goes where nobody looks */
        ptx_var *nowhere = vg_arena_alloc(lw->arena, sizeof *nowhere);
        *nowhere = (ptx_var){.name = "unused result", .space = PS_PARAM, .type = PT_B64, .size = 8};
        call->ret = lower_place_local(lw, nowhere)->offset;
    }
    lower_emit(lw, "call.native")->extra = call;
}

static void list_storage(lowerer *lw, const ptx_operand *list, uint32_t **offset, uint32_t **size,
                         int *count) {
    *count = count_of(list);
    *offset = vg_arena_alloc(lw->arena, (size_t)(*count + 1) * sizeof **offset);
    *size = vg_arena_alloc(lw->arena, (size_t)(*count + 1) * sizeof **size);
    for (int i = 0; i < *count; i++) {
        if (list->elem[i].kind != PO_SYMBOL || list->elem[i].var->space != PS_PARAM) {
            lower_fail(lw, VG_UNSUPPORTED,
                       "a call whose arguments are not .param variables of the caller's body");
        }
        (*offset)[i] = lower_place_local(lw, list->elem[i].var)->offset;
        (*size)[i] = (uint32_t)list->elem[i].var->size;
    }
}

static uint32_t *storage_of(lowerer *lw, ptx_var *const *params, int count) {
    uint32_t *offset = vg_arena_alloc(lw->arena, (size_t)(count + 1) * sizeof *offset);
    for (int i = 0; i < count; i++)
        offset[i] = lower_place_local(lw, params[i])->offset;
    return offset;
}

/* Functions that a pointer may name here; their entries are known at the end. */
static indirect_call *list_targets(lowerer *lw, const ptx_operand *rets, const ptx_operand *args) {
    indirect_call *call = vg_arena_alloc(lw->arena, sizeof *call);
    list_storage(lw, args, &call->args, &call->arg_size, &call->num_args);
    list_storage(lw, rets, &call->rets, &call->ret_size, &call->num_rets);
    for (int i = 0; i < lw->current->num_callees; i++) {
        const lowered_func *lf = lw->current->callees[i];
        if (may_be_called(lw, lf->func, rets, args))
            call->num_targets++;
    }
    call->target =
        vg_arena_alloc(lw->arena, (size_t)(call->num_targets + 1) * sizeof *call->target);
    return call;
}

/* `back`: it may come back to the function at hand, whose rows then hold an inner call's values,
 * the callee's address among them, until they are restored. */
static void lower_indirect(lowerer *lw, const ptx_operand *callee, const ptx_operand *rets,
                           const ptx_operand *args, bool back) {
    indirect_call *call = list_targets(lw, rets, args);
    call->row = lower_src(lw, callee, PT_U64);
    const uint32_t slot = lw->observed ? (uint32_t)lw->program.num_blocks - 1 : 0;
    op *o = lower_emit(lw, "call.indirect");
    o->extra = call;
    o->slot = slot;
    const int at = lw->num_ops - 1;
    int n = 0;
    for (int i = 0; i < lw->current->num_callees; i++) {
        lowered_func *lf = lw->current->callees[i];
        if (!may_be_called(lw, lf->func, rets, args))
            continue;
        call_target *t = &call->target[n++];
        t->address = vg_code_address(lw->module, lf->func->name);
        t->return_row = lf->return_row;
        t->args = storage_of(lw, lf->func->params, lf->func->num_params);
        t->rets = storage_of(lw, lf->func->rets, lf->func->num_rets);
        lower_fixup(lw, (fixup){.op = at,
                                .func = lf,
                                .block = -1,
                                .join = -1,
                                .op_target = -1,
                                .op_join = -1,
                                .slot = &t->entry});
    }
    if (back)
        lower_emit(lw, "frame.restore")->extra = lw->current->frame;
    lower_emit(lw, "call.results")->extra = call;
    /* Lanes with different callees part at the call and meet behind it. */
    lower_emit(lw, "join");
    lower_fixup(
        lw,
        (fixup){.op = at, .block = -1, .join = -1, .op_target = at, .op_join = lw->num_ops - 1});
}

/* True if a call in the function at hand may come back to it. */
static bool may_come_back(lowerer *lw, const ptx_operand *callee) {
    const lowered_func *current = lw->current;
    if (current->frame == NULL || current->return_row == 0)
        return false;
    for (int i = 0; i < current->num_callees; i++) {
        const lowered_func *lf = current->callees[i];
        const bool named = callee->kind == PO_REG || strcmp(lf->func->name, callee->name) == 0;
        if (named && (lf == current || reaches(lw, lf, current)))
            return true;
    }
    return false;
}

void lower_call(lowerer *lw, const ptx_instr *in) {
    const ptx_operand *rets, *args;
    const ptx_operand *name = take_apart(lw, in, &rets, &args);
    const ptx_func *callee = name->kind == PO_NAME ? ptx_find_func(lw->module, name->name) : NULL;
    if (callee != NULL && callee->first == NULL) {
        lower_native(lw, name->name, rets, args);
        return;
    }
    const bool back = may_come_back(lw, name);
    if (back)
        lower_emit(lw, "frame.save")->extra = lw->current->frame;
    if (callee != NULL) {
        const lowered_func *lf = lower_add_function(lw, callee);
        lower_emit(lw, "call")->d = lf->return_row;
        lower_fixup(lw, (fixup){.op = lw->num_ops - 1,
                                .func = lf,
                                .block = -1,
                                .join = -1,
                                .op_target = -1,
                                .op_join = -1});
        if (back)
            lower_emit(lw, "frame.restore")->extra = lw->current->frame;
    } else {
        lower_indirect(lw, name, rets, args, back);
    }
    lower_begin_code_block(lw, "enter"); /* some lanes may have ended in the callee */
}
