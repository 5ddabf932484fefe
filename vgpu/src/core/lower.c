/*
 * lower.c: one kernel, with the functions it calls, from PTX to ops. Variables and operands are
 * here; what each instruction becomes is said by the functions that opcodes.h names.
 *
 * Shape of the result: the kernel's ops first, then each function's, each function once; the blocks
 * of a function as lower_flow.c says.
 */
#include "vgpu/src/core/loops.h"
#include "vgpu/src/core/lower_calls.h"
#include "vgpu/src/core/ops_call.h"
#include "vgpu/src/core/registers.h"
#include "vgpu/src/core/train.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    FIRST_ROW = 64,        /* offset 0 means "no register" */
    SHARED_GAP_MIN = 1024, /* unused bytes after each shared array: overruns fall in there */
    SHARED_GAP_MAX = 65536,
    MAX_LOCAL_BYTES = 1 << 20, /* of a thread; hardware has half of that */
    MAX_FILE_BYTES = 1 << 26   /* of one warp's register file */
};

_Noreturn void lower_fail(lowerer *lw, enum vg_status status, const char *format, ...) {
    vg_fault *f = lw->fault;
    memset(f, 0, sizeof *f);
    f->status = status;
    f->kernel = lw->kernel->info.pretty;
    f->fact = *vg_note_close(VG_NOTE(NOT_LOADED, .kernel = f->kernel, .is.status = status));
    int n = 0;
    if (lw->at != NULL) {
        op position = {.file = lw->at->file, .line = lw->at->line};
        vg_fault_position(f, lw->kernel, &position);
        n = snprintf(f->text, sizeof f->text, "%s%sPTX line %d: ", f->file,
                     f->line != 0 ? ", " : "", lw->at->ptx_line);
    }
    va_list args;
    va_start(args, format);
    vsnprintf(f->text + n, sizeof f->text - (size_t)n, format, args);
    va_end(args);
    longjmp(lw->escape, 1);
}

static void instruction_text(const ptx_instr *in, char *buf, size_t len) {
    size_t n = (size_t)snprintf(buf, len, "%s", in->op);
    for (int i = 0; i < in->num_mods && n < len; i++)
        n += (size_t)snprintf(buf + n, len - n, ".%s", in->mod[i]);
}

_Noreturn void lower_unsupported(lowerer *lw) {
    char text[200];
    instruction_text(lw->at, text, sizeof text);
    lower_fail(lw, VG_UNSUPPORTED, "the virtual GPU does not know the instruction `%s`", text);
}

/* ---- rows ---- */

uint32_t lower_new_row(lowerer *lw, uint32_t lane_bytes) {
    uint32_t *used = &lw->program.file_bytes;
    if (lane_bytes == 1) {
        if (lw->preds_left == 0) {
            lw->pred_chunk = *used;
            lw->preds_left = 16;
            *used += 64;
        }
        return lw->pred_chunk + 4 * (16 - lw->preds_left--);
    }
    const uint32_t row = *used;
    *used += lane_bytes * VG_LANES;
    if (*used > MAX_FILE_BYTES) {
        lower_fail(lw, VG_OUT_OF_MEMORY, "the kernel needs more than %d MiB of registers a warp",
                   MAX_FILE_BYTES >> 20);
    }
    return row;
}

uint32_t lower_init_row(lowerer *lw, row_init init) {
    for (int i = 0; i < lw->num_inits; i++) {
        const row_init *r = &lw->inits[i];
        if (r->kind == init.kind && r->payload == init.payload && r->width == init.width &&
            r->source_size == init.source_size && r->sign == init.sign)
            return r->row;
    }
    init.row = lower_new_row(lw, init.width == 1 ? 1 : init.width);
    lw->inits = vg_arena_grow(lw->arena, lw->inits, (size_t)lw->num_inits, sizeof init);
    lw->inits[lw->num_inits++] = init;
    return init.row;
}

uint32_t lower_const(lowerer *lw, uint64_t bits, uint32_t lane_bytes) {
    if (lane_bytes == 4)
        bits &= 0xFFFFFFFFu;
    return lower_init_row(
        lw, (row_init){.kind = INIT_BITS, .payload = bits, .width = (uint8_t)lane_bytes});
}

uint32_t lower_sreg(lowerer *lw, enum sreg which) {
    return lower_init_row(lw, (row_init){.kind = INIT_SREG, .payload = which, .width = 4});
}

static uint32_t register_row(lowerer *lw, const ptx_var *v) {
    uint32_t *row = &lw->current->row_of[v->index];
    if (*row == 0) {
        *row = lower_new_row(lw, lane_bytes_of(v->type));
        lw->current->width_of[v->index] = (uint8_t)lane_bytes_of(v->type);
    }
    return *row;
}

static void check_width(lowerer *lw, const ptx_operand *o, enum ptx_type type) {
    const bool same = ptx_type_size(o->var->type) == ptx_type_size(type) &&
                      (o->var->type == PT_PRED) == (type == PT_PRED);
    if (!same || ptx_type_size(type) == 16) {
        lower_fail(lw, VG_INVALID_PTX, "register %s has another width than the instruction",
                   o->var->name);
    }
    if (o->bits != 0) {
        lower_fail(lw, VG_INVALID_PTX, "%s+%lld outside an address", o->var->name,
                   (long long)o->bits);
    }
}

/* The literal's bits as a value of this type:
 * 0d… in an f32 instruction is rounded, an integer cut. */
static uint64_t literal_bits(const ptx_operand *o, enum ptx_type type) {
    if (o->kind == PO_DOUBLE && type == PT_F32) {
        double d;
        memcpy(&d, &o->bits, sizeof d);
        const float f = (float)d;
        uint32_t bits;
        memcpy(&bits, &f, sizeof bits);
        return bits;
    }
    switch (ptx_type_size(type)) {
    case 1: return o->bits & 0xFF;
    case 2: return o->bits & 0xFFFF;
    default: return o->bits;
    }
}

bool lower_is_kernel_param(const lowerer *lw, const ptx_var *v) {
    const ptx_func *f = lw->kernel->func;
    return v->space == PS_PARAM && v->index < f->num_params && f->params[v->index] == v;
}

/* A variable's address in its own space. */
static uint64_t address_of(lowerer *lw, const ptx_var *v) {
    switch (v->space) {
    case PS_SHARED: return lower_place_shared(lw, v)->offset;
    case PS_LOCAL: return lower_place_local(lw, v)->offset;
    case PS_PARAM:
        return lower_is_kernel_param(lw, v) ? v->offset : lower_place_local(lw, v)->offset;
    default:
        if (v->address == 0) {
            lower_fail(lw, VG_INVALID_PTX,
                       "the variable '%s' is declared but not defined in this file", v->name);
        }
        return v->address;
    }
}

static uint32_t special_register(lowerer *lw, const char *name, uint32_t lane_bytes) {
    static const struct {
        const char *name;
        enum sreg which;
    } names[] = {
        {"%tid.x", SR_TID_X},
        {"%tid.y", SR_TID_Y},
        {"%tid.z", SR_TID_Z},
        {"%ntid.x", SR_NTID_X},
        {"%ntid.y", SR_NTID_Y},
        {"%ntid.z", SR_NTID_Z},
        {"%ctaid.x", SR_CTAID_X},
        {"%ctaid.y", SR_CTAID_Y},
        {"%ctaid.z", SR_CTAID_Z},
        {"%nctaid.x", SR_NCTAID_X},
        {"%nctaid.y", SR_NCTAID_Y},
        {"%nctaid.z", SR_NCTAID_Z},
        {"%laneid", SR_LANEID},
        {"%warpid", SR_WARPID},
        {"%nwarpid", SR_NWARPID},
        {"%smid", SR_SMID},
        {"%nsmid", SR_NSMID},
        {"%gridid", SR_GRIDID},
        {"%lanemask_eq", SR_LANEMASK_EQ},
        {"%lanemask_lt", SR_LANEMASK_LT},
        {"%lanemask_le", SR_LANEMASK_LE},
        {"%lanemask_gt", SR_LANEMASK_GT},
        {"%lanemask_ge", SR_LANEMASK_GE},
        {"%dynamic_smem_size", SR_DYNAMIC_SMEM},
        {"%total_smem_size", SR_TOTAL_SMEM},
        {"%envreg1", SR_WORKSPACE_HIGH},
        {"%envreg2", SR_WORKSPACE_LOW},
    };
    if (strcmp(name, "WARP_SZ") == 0)
        return lower_const(lw, VG_LANES, lane_bytes);
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        if (strcmp(names[i].name, name) == 0) {
            const uint32_t row = lower_sreg(lw, names[i].which);
            lw->program.uses_workspace |= names[i].which == SR_WORKSPACE_LOW;
            if (lane_bytes == 8) { /* %gridid and friends read into 64 bits */
                op *o = lower_emit(lw, "cvt.u64.u32");
                o->a = row;
                o->d = lw->scratch64;
                return lw->scratch64;
            }
            return row;
        }
    }
    if (strcmp(name, "%reserved_smem_offset_1") == 0)
        lower_fail(lw, VG_UNSUPPORTED,
                   "the virtual GPU has tiles of more than 32 threads only with clang as the front "
                   "end (--front clang): the toolkit's headers make them of memory that the "
                   "hardware reserves");
    const uint64_t code = vg_code_address(lw->module, name);
    if (code != 0 && lane_bytes == 8)
        return lower_const(lw, code, 8);
    lower_fail(lw, VG_UNSUPPORTED, "the virtual GPU does not know the name '%s'", name);
}

uint32_t lower_src(lowerer *lw, const ptx_operand *o, enum ptx_type type) {
    const uint32_t bytes = lane_bytes_of(type);
    switch (o->kind) {
    case PO_REG:
        check_width(lw, o, type);
        if (o->negated && type != PT_PRED)
            lower_fail(lw, VG_INVALID_PTX, "'!' before %s, which is not a predicate", o->var->name);
        return register_row(lw, o->var);
    case PO_INT:
    case PO_FLOAT:
    case PO_DOUBLE:
        return type == PT_PRED ? lower_const(lw, o->bits != 0 ? VG_ALL_LANES : 0, 1)
                               : lower_const(lw, literal_bits(o, type), bytes);
    case PO_SYMBOL:
        return lower_is_in_frame(lw, o->var)
                   ? lower_frame_address(lw, o->var, o->bits, bytes)
                   : lower_const(lw, address_of(lw, o->var) + o->bits, bytes);
    case PO_NAME: return special_register(lw, o->name, bytes);
    default: lower_fail(lw, VG_INVALID_PTX, "an operand of a kind this instruction can't read");
    }
}

uint32_t lower_dst(lowerer *lw, const ptx_operand *o, enum ptx_type type) {
    if (o->kind == PO_SINK) {
        return type == PT_PRED            ? lw->scratch_pred
               : lane_bytes_of(type) == 8 ? lw->scratch64
                                          : lw->scratch32;
    }
    if (o->kind != PO_REG || o->negated)
        lower_fail(lw, VG_INVALID_PTX, "the destination is not a register");
    check_width(lw, o, type);
    return register_row(lw, o->var);
}

uint32_t lower_pred(lowerer *lw, const ptx_operand *o) {
    return lower_src(lw, o, PT_PRED);
}

/* ---- variables ---- */

bool lower_is_own_parameter(const ptx_func *f, const ptx_var *v) {
    for (int i = 0; i < f->num_params; i++)
        if (f->params[i] == v)
            return true;
    for (int i = 0; i < f->num_rets; i++)
        if (f->rets[i] == v)
            return true;
    return false;
}

/* The callee's parameter that this variable of the caller is tied to, or NULL. */
const ptx_var *lower_bound_to(const lowerer *lw, const ptx_var *v) {
    for (int i = 0; i < lw->num_aliases; i++)
        if (lw->aliases[i].caller == v)
            return lw->aliases[i].callee;
    return NULL;
}

static const placed_var *placed(const placed_var *list, int count, const ptx_var *v) {
    for (int i = 0; i < count; i++)
        if (list[i].var == v)
            return &list[i];
    return NULL;
}

static uint32_t align_up(uint32_t n, uint32_t align) {
    return (n + align - 1) & ~(align - 1);
}

/* Shared arrays stand on 256-byte boundaries, or those they ask for, with a gap behind each; the
 * dynamic one comes last, when all others are known (finish_shared). */
const placed_var *lower_place_shared(lowerer *lw, const ptx_var *v) {
    const placed_var *found = placed(lw->shared, lw->num_shared, v);
    if (found != NULL)
        return found;
    program *k = &lw->program;
    if (v->size > VG_DYNAMIC_SHARED_OFFSET) {
        lower_fail(lw, VG_INVALID_PTX, "shared arrays of more than %u bytes",
                   VG_DYNAMIC_SHARED_OFFSET / 2);
    }
    if (v->size != 0)
        lw->natural_shared = align_up(lw->natural_shared, v->align) + (uint32_t)v->size;
    placed_var p = {.var = v, .size = (uint32_t)v->size};
    p.offset = v->size == 0 ? VG_DYNAMIC_SHARED_OFFSET : align_up(k->shared_span, v->align);
    if (v->size != 0) {
        uint32_t gap = p.size < SHARED_GAP_MIN   ? SHARED_GAP_MIN
                       : p.size > SHARED_GAP_MAX ? SHARED_GAP_MAX
                                                 : p.size;
        k->shared_span = align_up(p.offset + p.size + gap, 256);
        if (k->shared_span > VG_DYNAMIC_SHARED_OFFSET) {
            lower_fail(lw, VG_INVALID_PTX, "shared arrays of more than %u bytes",
                       VG_DYNAMIC_SHARED_OFFSET / 2);
        }
    }
    lw->shared = vg_arena_grow(lw->arena, lw->shared, (size_t)lw->num_shared, sizeof p);
    lw->shared[lw->num_shared] = p;
    return &lw->shared[lw->num_shared++];
}

const placed_var *lower_place_local(lowerer *lw, const ptx_var *v) {
    const ptx_var *callees = lower_bound_to(lw, v);
    v = callees != NULL ? callees : v;
    const placed_var *found = placed(lw->local, lw->num_local, v);
    if (found != NULL)
        return found;
    program *k = &lw->program;
    if (v->size > MAX_LOCAL_BYTES - k->local_span) {
        lower_fail(lw, VG_INVALID_PTX, "local arrays of more than %d KiB a thread",
                   MAX_LOCAL_BYTES >> 10);
    }
    placed_var p = {.var = v, .size = (uint32_t)v->size};
    p.offset = align_up(k->local_span, v->align > 16 ? v->align : 16);
    k->local_span = align_up(p.offset + p.size + 16, 16);
    lw->local = vg_arena_grow(lw->arena, lw->local, (size_t)lw->num_local, sizeof p);
    lw->local[lw->num_local] = p;
    return &lw->local[lw->num_local++];
}

/* ---- ops ---- */

op *lower_emit_fn(lowerer *lw, op_fn fn) {
    lw->ops = vg_arena_grow(lw->arena, lw->ops, (size_t)lw->num_ops, sizeof *lw->ops);
    op *o = &lw->ops[lw->num_ops++];
    *o = (op){.fn = fn};
    if (lw->at != NULL) {
        o->ptx = lw->at;
        o->ptx_line = lw->at->ptx_line;
        o->file = lw->at->file + (lw->current != NULL ? lw->current->func->file_base : 0);
        o->line = lw->at->line;
    }
    return o;
}

op *lower_emit(lowerer *lw, const char *key) {
    const op_entry *e = vg_find_op(key);
    if (e == NULL)
        lower_unsupported(lw);
    if (e->fn == NULL) {
        op *o = lower_emit_fn(lw, vg_find_op("lanes")->fn);
        o->lane = e->lane;
        return o;
    }
    return lower_emit_fn(lw, e->fn);
}

void lower_fixup(lowerer *lw, fixup f) {
    lw->fixups = vg_arena_grow(lw->arena, lw->fixups, (size_t)lw->num_fixups, sizeof f);
    lw->fixups[lw->num_fixups++] = f;
}

/* ---- functions ---- */

lowered_func *lower_add_function(lowerer *lw, const ptx_func *f) {
    for (lowered_func *lf = lw->funcs; lf != NULL; lf = lf->next)
        if (lf->func == f)
            return lf;
    lowered_func *lf = vg_arena_alloc(lw->arena, sizeof *lf);
    lf->func = f;
    lf->row_of = vg_arena_alloc(lw->arena, ((size_t)f->num_regs + 1) * sizeof *lf->row_of);
    lf->width_of = vg_arena_alloc(lw->arena, (size_t)f->num_regs + 1);
    lf->first_op = lf->epilogue_op = -1;
    const ptx_instr *astray;
    lf->graph = cfg_build(lw->arena, f, &astray);
    if (lf->graph == NULL) {
        const char *label =
            astray->operand[astray->code->flow == GOES_BY_TABLE && astray->num_operands > 1].name;
        lw->at = astray;
        lower_fail(lw, VG_INVALID_PTX, "a branch to the label '%s', which is not in %s",
                   label != NULL ? label : "?", f->name);
    }
    lf->op_of_block = vg_arena_alloc(lw->arena, ((size_t)lf->graph->num_blocks + 1) * sizeof(int));
    if (f != lw->kernel->func)
        lf->return_row = lower_new_row(lw, 8);
    lowered_func **tail = &lw->funcs;
    while (*tail != NULL)
        tail = &(*tail)->next;
    *tail = lf;
    return lf;
}

static void lower_function(lowerer *lw, lowered_func *lf) {
    lw->current = lf;
    lower_bind_calls(lw, lf);
    lw->num_regs += lower_allocate_registers(lw, lf);
    lf->first_op = lw->num_ops;
    lower_open_frame(lw, lf);
    for (int b = 0; b < lf->graph->num_blocks; b++)
        lower_block(lw, b);
    lf->op_of_block[lf->graph->num_blocks] = lw->num_ops;
    lower_find_loops(lw, lf);
    if (lf->return_row != 0) {
        lower_emit(lw, "join");
        lower_close_frame(lw, lf);
        lower_emit(lw, "ret")->d = lf->return_row;
    } else {
        lower_emit(lw, "exit"); /* for a kernel whose text just ends */
    }
}

static void apply_fixups(lowerer *lw) {
    for (int i = 0; i < lw->num_fixups; i++) {
        const fixup *f = &lw->fixups[i];
        op *o = &lw->ops[f->op];
        if (f->op_target >= 0) {
            if (f->op_target != f->op)
                o->target = &lw->ops[f->op_target];
            o->join = &lw->ops[f->op_join];
        } else {
            const op **where = f->slot != NULL ? f->slot : &o->target;
            *where = &lw->ops[f->block < 0 ? f->func->first_op : f->func->op_of_block[f->block]];
            o->join = f->join < 0 ? NULL : &lw->ops[f->func->op_of_block[f->join]];
        }
    }
}

static void list_functions(lowerer *lw) {
    program *p = &lw->program;
    for (const lowered_func *lf = lw->funcs; lf != NULL; lf = lf->next) {
        p->funcs = vg_arena_grow(lw->arena, p->funcs, (size_t)p->num_funcs, sizeof *p->funcs);
        p->funcs[p->num_funcs++] = (program_func){lf->func, lf->first_op, lf->return_row,
                                                  lf->return_row != 0 ? lf->frame : NULL};
    }
}

static void finish(lowerer *lw) {
    program *p = &lw->program;
    if (p->num_blocks > 0)
        p->blocks[p->num_blocks - 1].end = lw->num_ops;
    p->ops = lw->ops;
    p->num_ops = lw->num_ops;
    p->inits = lw->inits;
    p->num_inits = lw->num_inits;
    p->shared = lw->shared;
    p->num_shared = lw->num_shared;
    p->local = lw->local;
    p->num_local = lw->num_local;
    for (int i = 0; i < p->num_ops; i++) {
        p->ops[i].slot =
            p->ops[i].slot == VG_NEEDS_SLOT ? (uint32_t)p->num_slots++ : p->ops[i].slot;
    }
    p->ready = true;
    lw->kernel->info.static_shared = lw->natural_shared;
    lw->kernel->info.local_bytes = p->local_span;
    lw->kernel->info.num_regs = lw->num_regs;
    lw->kernel->info.uses_heap = p->uses_heap;
    lw->kernel->info.mingles = p->mingles;
    lw->kernel->info.tells_host = p->tells_host;
    lw->kernel->info.uses_workspace = p->uses_workspace;
}

/* Branches and calls lead to blocks. */
static void find_trains(lowerer *lw) {
    bool *is_entry = vg_arena_alloc(lw->arena, (size_t)lw->num_ops + 1);
    memset(is_entry, 0, (size_t)lw->num_ops + 1);
    for (const lowered_func *lf = lw->funcs; lf != NULL; lf = lf->next)
        for (int b = 0; b <= lf->graph->num_blocks; b++)
            is_entry[lf->op_of_block[b]] = true;
    vg_couple(&lw->program, lw->arena, lw->observed, is_entry);
}

bool vg_lower(vg_kernel *kernel, bool observed, vg_fault *fault) {
    ptx_module *m = &kernel->module->ptx;
    lowerer *lw = calloc(1, sizeof *lw);
    if (lw == NULL) {
        *fault = (vg_fault){.status = VG_OUT_OF_MEMORY,
                            .text = "out of memory while preparing a kernel"};
        return false;
    }
    lw->kernel = kernel;
    lw->module = m;
    lw->arena = &m->arena;
    lw->fault = fault;
    m->arena.escape = &lw->escape;
    const int code = setjmp(lw->escape);
    if (code == 2) {
        *fault = (vg_fault){.status = VG_OUT_OF_MEMORY,
                            .text = "out of memory while preparing a kernel"};
    }
    if (code == 0) {
        lw->observed = observed;
        lw->program.file_bytes = FIRST_ROW;
        lw->scratch32 = lower_new_row(lw, 4);
        lw->scratch64 = lower_new_row(lw, 8);
        lw->scratch_pred = lower_new_row(lw, 1);
        lower_find_functions(lw, kernel->func);
        for (lowered_func *lf = lw->funcs; lf != NULL; lf = lf->next)
            lower_function(lw, lf);
        lower_finish_frames(lw);
        apply_fixups(lw);
        list_functions(lw);
        finish(lw);
        find_trains(lw);
        *(observed ? &kernel->observed : &kernel->plain) = lw->program;
    }
    m->arena.escape = NULL;
    free(lw);
    return code == 0;
}
