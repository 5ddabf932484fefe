/*
 * ptx_lines.c: the lines of instructions whose own .loc does not help.
 *
 *     LBB8_4:                                 line 19 was the last one, in another block
 *         .loc 1 0 5
 *         ld.global.u32  %r7, [%rd11];        line 20, as what becomes of the value
 *         .loc 1 20 34
 *         add.s32        %r19, %r47, %r7;
 *
 * Line 0 is what the optimiser has merged or moved. The line before stays the best guess, but for a
 * load at the beginning of a block, whose value is of use there.
 */
#include "vgpu/src/core/ptx_parser.h"

/* A header of the compiler's or the system's: what goes wrong in there is the caller's doing. */
static bool is_foreign(const ptx_module *m, int file) {
    const char *name =
        file >= 0 && file < m->num_files && m->files[file] != NULL ? m->files[file] : "";
    return strstr(name, "/include/") != NULL &&
           (strncmp(name, "/usr/", 5) == 0 || strncmp(name, "/opt/", 5) == 0 ||
            strstr(name, "cuda") != NULL);
}

/* Positions in such headers become those of the calls they were inlined at. */
static void find_caller(const parser *ps, ptx_instr *in) {
    int loc = in->loc;
    for (int depth = 0; loc != 0 && depth < 64 && is_foreign(ps->module, in->file); depth++) {
        loc = ps->locs[loc - 1].caller;
        in->file = loc != 0 ? ps->locs[loc - 1].file : in->file;
        in->line = loc != 0 ? ps->locs[loc - 1].line : in->line;
    }
}

static bool ends_block(const ptx_instr *in) {
    return in->label != NULL || in->code->flow == GOES_TO_LABEL || in->code->flow == GOES_BY_TABLE;
}

/* Does the operand name the register, or one of those in a vector? */
static bool names(const ptx_operand *o, const ptx_operand *to) {
    if (to->kind == PO_REG && o->kind == PO_REG && o->var == to->var)
        return true;
    for (int i = 0; i < to->num_elem; i++)
        if (names(o, &to->elem[i]))
            return true;
    for (int i = 0; i < o->num_elem; i++)
        if (names(&o->elem[i], to))
            return true;
    return false;
}

/* The first instruction of the block behind a load that uses what it brings; NULL: none does. */
static const ptx_instr *use_of(const ptx_instr *load) {
    for (const ptx_instr *in = load->next; in != NULL && !ends_block(in); in = in->next)
        for (int i = (in->code->is & NO_RESULT) != 0 ? 0 : 1; i < in->num_operands; i++)
            if (names(&in->operand[i], &load->operand[0]))
                return in;
    return NULL;
}

static void settle_loads(ptx_func *f) {
    bool told = false; /* the block has named a line */
    for (ptx_instr *in = f->first; in != NULL; in = in->next) {
        told = !ends_block(in) && (told || in->statement != 0);
        if (told || in->statement != 0 || in->code->memory != MEM_LOAD || in->num_operands < 2)
            continue;
        const ptx_instr *use = use_of(in);
        if (use == NULL || use->statement == 0)
            continue;
        in->file = use->file;
        in->line = use->line;
        in->loc = use->loc;
    }
}

void ptx_settle_lines(parser *ps) {
    for (ptx_func *f = ps->module->funcs; f != NULL; f = f->next) {
        settle_loads(f);
        for (ptx_instr *in = f->first; in != NULL; in = in->next)
            find_caller(ps, in);
    }
}
