/* shadow.c: closes the shadows of device variables, and tells who touches them; see shadow.h. */
#include "vgpu/src/runtime/shadow.h"

#include "vgpu/src/core/names.h"
#include "vgpu/src/runtime/early.h"

#include <sys/mman.h>
#include <unistd.h>

/* The last piece of the section begins a page and fills it, so the last shadow has its page alone:
 * a linker puts the library behind the program's objects. It takes no room in the file. */
#define TEXT(number)    TEXT_OF(number)
#define TEXT_OF(number) #number
#define PAGE            TEXT(VG_SHADOW_PAGE)
__asm__(".pushsection " VG_SHADOW_SECTION ",\"aw\",%nobits\n"
        ".balign " PAGE "\n"
        ".skip " PAGE "\n"
        ".popsection\n");

extern char __start_vgpu_shadow[] __attribute__((weak, visibility("hidden")));
extern char __stop_vgpu_shadow[] __attribute__((weak, visibility("hidden")));

static size_t in_pages(size_t size) {
    const size_t page = (size_t)sysconf(_SC_PAGESIZE);
    return (size + page - 1) / page * page;
}

static bool set_open(const void *shadow, size_t size, bool open) {
    return mprotect((void *)(uintptr_t)shadow, in_pages(size),
                    open ? PROT_READ | PROT_WRITE : PROT_NONE) == 0;
}

bool vg_shadow_close(vg_context *ctx, const void *shadow, size_t size) {
    const uintptr_t at = (uintptr_t)shadow, begin = (uintptr_t)__start_vgpu_shadow;
    if (begin == 0 || at < begin || at >= (uintptr_t)__stop_vgpu_shadow || at % in_pages(1) != 0 ||
        size == 0)
        return false;
    vg_catch_segv(ctx);
    return set_open(shadow, size, false);
}

void vg_shadow_open(const void *shadow, vg_variable *variable) {
    if (variable->closed && set_open(shadow, variable->size, true))
        variable->closed = false;
}

typedef struct touched {
    uintptr_t at;
    const void *shadow;
    vg_variable *variable;
} touched;

static void look_at(const void *key, void *value, void *arg) {
    vg_variable *variable = value;
    touched *t = arg;
    const uintptr_t begin = (uintptr_t)key;
    if (variable->closed && t->at >= begin && t->at < begin + in_pages(variable->size)) {
        t->shadow = key;
        t->variable = variable;
    }
}

typedef struct held_by {
    uint64_t at;
    const vg_variable *variable;
} held_by;

static void look_for_holder(const void *key, void *value, void *arg) {
    const vg_variable *variable = value;
    held_by *h = arg;
    if (!variable->managed && h->at - (uint64_t)(uintptr_t)key < variable->size)
        h->variable = variable;
}

bool vg_shadow_names(void *context, uint64_t address, char *name, size_t len) {
    vg_context *ctx = context;
    held_by h = {address, NULL};
    vg_ptrmap_each(&ctx->variables, look_for_holder, &h);
    if (h.variable != NULL)
        vg_pretty_variable(h.variable->name, name, len);
    return h.variable != NULL;
}

bool vg_shadow_caught(vg_context *ctx, const siginfo_t *info, const void *ucontext,
                      enum vgpu_access access) {
    const uintptr_t at = (uintptr_t)info->si_addr;
    if (at < (uintptr_t)__start_vgpu_shadow || at >= (uintptr_t)__stop_vgpu_shadow)
        return false;
    const bool inside = vg_is_inside(); /* the runtime itself, which holds the lock */
    if (!inside)
        vg_begin();
    touched t = {.at = at};
    vg_ptrmap_each(&ctx->variables, look_at, &t);
    if (t.variable == NULL) {
        /* It is registered no longer, since the program ends; or another thread has opened it. */
        set_open((const void *)(at / in_pages(1) * in_pages(1)), 1, true);
    } else {
        vg_shadow_open(t.shadow, t.variable);
        if (!inside) {
            char where[300], name[256];
            vg_early_where(ucontext, where, sizeof where);
            vg_pretty_variable(t.variable->name, name, sizeof name);
            vg_tell(ctx, access == VGPU_WRITES
                             ? VG_NOTE(SHADOW_WRITTEN, .name = name, .other = where)
                             : VG_NOTE(SHADOW_READ, .name = name, .other = where));
        }
    }
    if (!inside)
        vg_end_quietly(ctx);
    return true;
}
