/* module.c: from PTX text to a module: parses, gives module variables memory and initial values,
 * and lists the kernels. Kernels are lowered one by one, when first asked for. */
#include "vgpu/src/core/fuse.h"
#include "vgpu/src/core/names.h"
#include "vgpu/src/core/program.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void set_fault(vg_fault *fault, enum vg_status status, const char *text) {
    memset(fault, 0, sizeof *fault);
    fault->status = status;
    fault->fact = (struct vgpu_fact){.says = VGPU_NOT_LOADED, .status = status};
    snprintf(fault->text, sizeof fault->text, "%s", text);
}

static bool has_memory(const ptx_var *v) {
    return (v->space == PS_GLOBAL || v->space == PS_CONST) && !v->is_extern && v->size > 0;
}

typedef struct bindings {
    const vg_binding *at;
    size_t count;
} bindings;

enum { TEXT_SHOWN = 40 };

/* A text, as a program prints it: how it begins, in buf. False: it is none. */
static bool text_begins(const ptx_var *v, char *buf, size_t len) {
    size_t n = 0;
    if (v->init == NULL || v->relocs != NULL || ptx_type_size(v->type) != 1 ||
        v->init[v->size - 1] != '\0')
        return false;
    for (uint64_t i = 0; i + 1 < v->size; i++) {
        const uint8_t c = v->init[i];
        if (c < 7 || (c > 13 && c < 32 && c != 27) || c == 127)
            return false;
    }
    for (uint64_t i = 0; i + 1 < v->size && n + 4 < len; i++) {
        if (i >= TEXT_SHOWN && (v->init[i] & 0xC0) != 0x80) /* no letter is cut in two */
            break;
        const uint8_t c = v->init[i];
        if (c == '\n' || c == '\t')
            buf[n++] = '\\';
        buf[n++] = c == '\n' ? 'n' : c == '\t' ? 't' : c < 32 ? ' ' : (char)c;
    }
    snprintf(buf + n, len - n, "%s", v->size - 1 > TEXT_SHOWN ? "..." : "");
    return true;
}

/* What people call the variable. A name with a $ is not the source's: clang has such for what it
 * calls .str1 and __const.kernel.array, and nvcc for $str1. */
static enum vgpu_memory name_for_people(const ptx_var *v, char *buf, size_t len) {
    static const char initial[] = "__const_$_";
    const char *part = strrchr(v->name, '$');
    vg_pretty_variable(v->name, buf, len);
    if (part == NULL)
        return VGPU_MEMORY_UNKNOWN;
    if (strncmp(v->name, initial, sizeof initial - 1) == 0 && part[1] == '_') {
        snprintf(buf, len, "%s", part + 2); /* an array's values, which the compiler reads there */
        return VGPU_MEMORY_UNKNOWN;
    }
    return text_begins(v, buf, len) ? VGPU_MEMORY_TEXT : VGPU_MEMORY_MADE;
}

static uint64_t place_one(ptx_var *v, vg_mem *mem, const bindings *bound) {
    char name[256];
    const enum vgpu_memory as = name_for_people(v, name, sizeof name);
    for (size_t i = 0; i < bound->count; i++) {
        const vg_binding *b = &bound->at[i];
        if (strcmp(b->name, v->name) != 0 || b->size < v->size)
            continue;
        if (b->addr != 0 && vg_mem_adopt_at(mem, b->addr, b->host, v->size, VG_MEM_MODULE, name))
            return b->addr;
        if (b->addr == 0 && vg_mem_bind(mem, b->host, v->size, name))
            return (uint64_t)(uintptr_t)b->host;
    }
    const uint64_t addr = vg_mem_alloc(mem, v->size, v->align, VG_MEM_MODULE, name);
    if (v->is_blank && v->init == NULL)
        vg_mem_leave_blank(mem, addr);
    vg_mem_name_as(mem, addr, as);
    return addr;
}

static bool place_variables(vg_module *mod, vg_mem *mem, const bindings *bound, vg_fault *fault) {
    for (int i = 0; i < mod->ptx.num_vars; i++) {
        ptx_var *v = mod->ptx.vars[i];
        if (!has_memory(v))
            continue;
        v->address = place_one(v, mem, bound);
        void *bytes = vg_mem_at(mem, v->address, v->size);
        if (v->address == 0 || bytes == NULL) {
            set_fault(fault, VG_OUT_OF_MEMORY, "out of device memory for the module's variables");
            return false;
        }
        if (v->init != NULL)
            memcpy(bytes, v->init, v->size);
        else
            memset(bytes, 0, v->size); /* C++: objects of static storage start as zeros */
    }
    return true;
}

uint64_t vg_code_address(const ptx_module *module, const char *name) {
    const ptx_func *named = ptx_find_func(module, name);
    uint64_t index = 1;
    for (const ptx_func *f = module->funcs; named != NULL && f != NULL; f = f->next, index++)
        if (f == named)
            return f->first != NULL && !f->is_entry ? VG_CODE_WINDOW + 16 * index : 0;
    return 0;
}

/* A function without a body: a pure virtual one in its class's table, or a host's in a table of the
 * host's, which clang takes for one of the device's as well. A call of it is a fault, as with any
 * pointer to nothing. */
static bool is_no_function(const ptx_module *module, const char *symbol) {
    const ptx_func *named = ptx_find_func(module, symbol);
    return named != NULL ? named->first == NULL && !named->is_entry
                         : strcmp(symbol, "__cxa_pure_virtual") == 0 ||
                               strcmp(symbol, "__cxa_deleted_virtual") == 0;
}

/* Initial values that are addresses, once all addresses are known. */
static bool relocate(vg_module *mod, const vg_mem *mem, vg_fault *fault) {
    for (int i = 0; i < mod->ptx.num_vars; i++) {
        const ptx_var *v = mod->ptx.vars[i];
        for (const ptx_reloc *r = v->relocs; r != NULL; r = r->next) {
            const ptx_var *target = ptx_find_global(&mod->ptx, r->symbol);
            const uint64_t code = target == NULL ? vg_code_address(&mod->ptx, r->symbol) : 0;
            uint8_t *at = vg_mem_at(mem, v->address + r->offset, 8);
            if (target == NULL && at != NULL && is_no_function(&mod->ptx, r->symbol)) {
                memset(at, 0, 8);
                continue;
            }
            if ((code == 0 && (target == NULL || target->address == 0)) || at == NULL) {
                char text[256];
                snprintf(
                    text, sizeof text,
                    "the initial value of '%.80s' needs the address of '%.80s', which the virtual "
                    "GPU can't give",
                    v->name, r->symbol);
                set_fault(fault, VG_UNSUPPORTED, text);
                return false;
            }
            const uint64_t value = (code != 0 ? code : target->address) + (uint64_t)r->addend;
            memcpy(at, &value, sizeof value);
        }
    }
    return true;
}

static void list_kernels(vg_module *mod) {
    vg_kernel **tail = &mod->kernels;
    for (const ptx_func *f = mod->ptx.funcs; f != NULL; f = f->next) {
        if (!f->is_entry || f->first == NULL)
            continue;
        vg_kernel *k = vg_arena_alloc(&mod->ptx.arena, sizeof *k);
        char pretty[512];
        vg_pretty_function(f->name, pretty, sizeof pretty);
        k->module = mod;
        k->func = f;
        k->info =
            (vg_kernel_info){.name = f->name,
                             .pretty = vg_arena_strndup(&mod->ptx.arena, pretty, strlen(pretty)),
                             .num_params = f->num_params,
                             .max_threads = f->max_threads != 0 ? f->max_threads : 1024,
                             .ptx_version = mod->ptx.version,
                             .target = mod->ptx.target};
        *tail = k;
        tail = &k->next;
    }
}

/* Everything after parsing. */
static bool prepare(vg_module *mod, vg_mem *mem, const bindings *bound, vg_fault *fault) {
    jmp_buf escape;
    mod->ptx.arena.escape = &escape;
    if (setjmp(escape) != 0) {
        set_fault(fault, VG_OUT_OF_MEMORY, "out of memory while reading PTX");
        return false;
    }
    ptx_fuse_halves(&mod->ptx);
    if (!place_variables(mod, mem, bound, fault) || !relocate(mod, mem, fault))
        return false;
    list_kernels(mod);
    return true;
}

vg_module *vg_module_load(const char *text, size_t len, vg_mem *mem, vg_fault *fault) {
    return vg_module_load_bound(text, len, mem, NULL, 0, fault);
}

vg_module *vg_module_load_bound(const char *text, size_t len, vg_mem *mem, const vg_binding *bound,
                                size_t count, vg_fault *fault) {
    const bindings all = {bound, count};
    vg_module *mod = calloc(1, sizeof *mod);
    char err[300];
    bool oom = true;
    if (mod == NULL || !ptx_parse(&mod->ptx, text, len, err, sizeof err, &oom)) {
        set_fault(fault, oom ? VG_OUT_OF_MEMORY : VG_INVALID_PTX,
                  mod == NULL ? "out of memory while reading PTX" : err);
        free(mod);
        return NULL;
    }
    mod->mem = mem;
    const bool ok = prepare(mod, mem, &all, fault);
    mod->ptx.arena.escape = NULL;
    if (!ok) {
        vg_module_unload(mod, mem);
        return NULL;
    }
    return mod;
}

void vg_module_unload(vg_module *mod, vg_mem *mem) {
    for (int i = 0; i < mod->ptx.num_vars; i++)
        if (mod->ptx.vars[i]->address != 0 && !mod->ptx.vars[i]->is_borrowed)
            vg_mem_free(mem, mod->ptx.vars[i]->address, VG_MEM_MODULE);
    ptx_free(&mod->ptx);
    free(mod);
}

vg_kernel *vg_module_kernel(vg_module *mod, const char *name) {
    vg_kernel *k = mod->kernels;
    while (k != NULL && strcmp(k->info.name, name) != 0)
        k = k->next;
    return k;
}

bool vg_kernel_prepare(vg_kernel *kernel, bool observed, vg_fault *fault) {
    program *p = observed ? &kernel->observed : &kernel->plain;
    return p->ready || vg_lower(kernel, observed, fault);
}

const vg_kernel_info *vg_kernel_get_info(const vg_kernel *kernel) {
    return &kernel->info;
}

void vg_kernel_param(const vg_kernel *kernel, int i, size_t *offset, size_t *size) {
    *offset = kernel->func->params[i]->offset;
    *size = kernel->func->params[i]->size;
}

bool vg_module_symbol(const vg_module *mod, const char *name, uint64_t *addr, uint64_t *size) {
    const ptx_var *v = ptx_find_global(&mod->ptx, name);
    if (v == NULL || v->address == 0)
        return false;
    *addr = v->address;
    *size = v->size;
    return true;
}
