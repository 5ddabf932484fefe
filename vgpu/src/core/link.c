/*
 * link.c: device code of several files (nvcc's -rdc=true). Each file is a module of its own; what
 * one declares and another defines is looked up by its name.
 *
 * A function of another module is taken into the one that calls it, with all that it calls in turn:
 * its instructions stay where they are, and know their variables already. Their files get numbers
 * of this module's (ptx_func.file_base). A variable that is only declared gets the address of the
 * one that is defined.
 *
 * Refuses to guess: a name that two modules have for static functions of their own, and of which
 * both are needed in one module, is an error.
 */
#include "vgpu/src/core/names.h"
#include "vgpu/src/core/natives.h"
#include "vgpu/src/core/program.h"

#include <stdio.h>
#include <string.h>

typedef struct linker {
    vg_module *into;
    vg_module *const *others;
    size_t count;
    vg_fault *fault;
} linker;

/* A body may follow its declaration. Pure virtual functions have none anywhere. */
static bool is_declared_only(const ptx_module *m, const ptx_func *f) {
    if (f->first != NULL || f->is_entry || vg_native_named(f->name) != NULL ||
        strncmp(f->name, "__cxa_", 6) == 0)
        return false;
    const ptx_func *meant = ptx_find_func(m, f->name);
    return meant == NULL || meant->first == NULL;
}

bool vg_module_is_whole(const vg_module *mod) {
    for (const ptx_func *f = mod->ptx.funcs; f != NULL; f = f->next)
        if (is_declared_only(&mod->ptx, f))
            return false;
    for (int i = 0; i < mod->ptx.num_vars; i++) {
        const ptx_var *v = mod->ptx.vars[i];
        if (v->is_extern && v->address == 0 && (v->space == PS_GLOBAL || v->space == PS_CONST))
            return false;
    }
    return true;
}

static bool fail(linker *l, const char *what, const char *name) {
    char pretty[256];
    vg_pretty_function(name, pretty, sizeof pretty);
    memset(l->fault, 0, sizeof *l->fault);
    l->fault->status = VG_INVALID_PTX;
    l->fault->fact = (struct vgpu_fact){.says = VGPU_NOT_LOADED, .status = VG_INVALID_PTX};
    snprintf(l->fault->text, sizeof l->fault->text, what, pretty);
    return false;
}

/* What `name` means to the other modules: their function of that name with a body, and whose. */
static const ptx_func *find_elsewhere(const linker *l, const char *name, const vg_module **owner) {
    for (size_t i = 0; i < l->count; i++) {
        const ptx_func *f =
            l->others[i] != l->into ? ptx_find_func(&l->others[i]->ptx, name) : NULL;
        if (f != NULL && f->first != NULL && !f->is_static && f->owner == NULL) {
            *owner = l->others[i];
            return f;
        }
    }
    return NULL;
}

/* Where the files of `from` begin among those of the module that is linked. */
static int base_of_files(const linker *l, const vg_module *from) {
    ptx_module *to = &l->into->ptx;
    for (const ptx_func *f = to->funcs; f != NULL; f = f->next)
        if (f->owner == from)
            return f->file_base;
    const int base = to->num_files, own = from->ptx.num_files;
    /* Those that were taken in count, too: a module is linked once, but others may come first. */
    char **files = vg_arena_alloc(&to->arena, (size_t)(base + own + 1) * sizeof *files);
    if (base > 0)
        memcpy(files, to->files, (size_t)base * sizeof *files);
    for (int i = 0; i < own; i++) {
        const char *name = from->ptx.files[i];
        files[base + i] = name != NULL ? vg_arena_strndup(&to->arena, name, strlen(name)) : NULL;
    }
    to->files = files;
    to->num_files = base + own;
    return base;
}

static bool only_declared(const ptx_var *v) {
    return v->is_extern && v->address == 0 && (v->space == PS_GLOBAL || v->space == PS_CONST);
}

/* Gives the variables that `module` only declares the addresses of those that others define. NULL,
 * or one that nobody defines. */
static const ptx_var *link_variables(const linker *l, const vg_module *module) {
    const ptx_var *missing = NULL;
    for (int i = 0; i < module->ptx.num_vars; i++) {
        ptx_var *v = module->ptx.vars[i];
        if (!only_declared(v))
            continue;
        for (size_t k = 0; k < l->count && v->address == 0; k++) {
            const ptx_var *other =
                l->others[k] != module ? ptx_find_global(&l->others[k]->ptx, v->name) : NULL;
            if (other == NULL || other->is_extern || other->is_static || other->address == 0)
                continue;
            v->address = other->address;
            v->size = other->size;
            v->is_borrowed = true;
        }
        missing = v->address == 0 ? v : missing;
    }
    return missing;
}

static bool take_names(linker *l, const ptx_func *f, const vg_module *owner);

/* Fills the place `to` (a declaration, or a new function) with f of the module `owner`. */
static bool take_into(linker *l, ptx_func *to, const ptx_func *f, const vg_module *owner) {
    ptx_func *next = to->next;
    const int base = base_of_files(l, owner);
    link_variables(l, owner); /* what the function names there; some may be of no use to it */
    *to = *f;
    to->next = next;
    to->owner = owner;
    to->file_base = base;
    return take_names(l, f, owner);
}

static ptx_func *append(linker *l, const char *name) {
    ptx_func *f = vg_arena_alloc(&l->into->ptx.arena, sizeof *f);
    ptx_func **end = &l->into->ptx.funcs;
    while (*end != NULL)
        end = &(*end)->next;
    *f = (ptx_func){.name = name};
    *end = f;
    return f;
}

/* The function that `name` is in `owner`, wherever that has it from. */
static bool take_name(linker *l, const char *name, const vg_module *owner) {
    const ptx_func *meant = ptx_find_func(&owner->ptx, name);
    if (meant == NULL || meant->is_entry || vg_native_named(name) != NULL ||
        strncmp(name, "__cxa_", 6) == 0)
        return true; /* no function, or one that everybody has */
    ptx_func *here = ptx_find_func(&l->into->ptx, name);
    if (meant->first != NULL && here != NULL && here->first != NULL &&
        here->first != meant->first && (meant->is_static || here->is_static)) {
        return fail(l,
                    "two files have a static device function '%s', and device code of one calls "
                    "into the other: give one of them another name",
                    name);
    }
    if (here != NULL && here->first != NULL)
        return true;
    if (meant->first == NULL)
        meant = find_elsewhere(l, name, &owner);
    if (meant == NULL)
        return fail(l, "device function '%s' is called, but no file of the program defines it",
                    name);
    return take_into(l, here != NULL ? here : append(l, name), meant, owner);
}

static bool take_operand(linker *l, const ptx_operand *o, const vg_module *owner) {
    if (o->kind == PO_NAME && !take_name(l, o->name, owner))
        return false;
    for (int i = 0; i < o->num_elem; i++)
        if (!take_operand(l, &o->elem[i], owner))
            return false;
    return true;
}

/* All that the body names. */
static bool take_names(linker *l, const ptx_func *f, const vg_module *owner) {
    for (const ptx_instr *in = f->first; in != NULL; in = in->next)
        for (int i = 0; in->op != NULL && i < in->num_operands; i++)
            if (!take_operand(l, &in->operand[i], owner))
                return false;
    return true;
}

static bool operand_names(const ptx_operand *o, const char *name) {
    bool names = o->kind == PO_NAME && strcmp(o->name, name) == 0;
    for (int i = 0; i < o->num_elem; i++)
        names = names || operand_names(&o->elem[i], name);
    return names;
}

/* Does code of the module name it? What only initial values name may be a host's function, in a
 * table that clang takes for one of the device's as well: then it is a pointer to nothing
 * (module.c). */
static bool code_names(const ptx_module *module, const char *name) {
    for (const ptx_func *f = module->funcs; f != NULL; f = f->next)
        for (const ptx_instr *in = f->first; in != NULL; in = in->next)
            for (int i = 0; in->op != NULL && i < in->num_operands; i++)
                if (operand_names(&in->operand[i], name))
                    return true;
    return false;
}

static bool link_functions(linker *l) {
    for (ptx_func *f = l->into->ptx.funcs; f != NULL; f = f->next) {
        const vg_module *owner = NULL;
        if (!is_declared_only(&l->into->ptx, f))
            continue;
        const ptx_func *meant = find_elsewhere(l, f->name, &owner);
        if (meant == NULL && !code_names(&l->into->ptx, f->name))
            continue;
        if (meant == NULL)
            return fail(l, "device function '%s' is called, but no file of the program defines it",
                        f->name);
        if (!take_into(l, f, meant, owner))
            return false;
    }
    return true;
}

bool vg_module_link(vg_module *mod, vg_module *const *others, size_t count, vg_fault *fault) {
    linker l = {mod, others, count, fault};
    jmp_buf escape;
    mod->ptx.arena.escape = &escape;
    if (setjmp(escape) != 0) {
        mod->ptx.arena.escape = NULL;
        *fault = (vg_fault){.status = VG_OUT_OF_MEMORY, .text = "out of memory while linking PTX"};
        return false;
    }
    const ptx_var *missing = link_variables(&l, mod);
    const bool ok = missing == NULL ? link_functions(&l)
                                    : fail(&l,
                                           "device variable '%s' is used, but no file of the "
                                           "program defines it",
                                           missing->name);
    mod->ptx.arena.escape = NULL;
    return ok;
}
