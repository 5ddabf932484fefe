/*
 * early.c: closes pages and catches who touches them; see early.h.
 *
 * A touch of a byte that is not hidden, on a closed page, is let through: the page is opened, the
 * processor runs that one instruction (the trap flag), and the page is closed again. Where there is
 * no such flag, or after MOST_STEPS of them, the page stays open.
 */
#include "vgpu/src/runtime/early.h"

#include "vgpu/src/check/caller.h"
#include "vgpu/src/runtime/late.h"

#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <ucontext.h>
#include <unistd.h>

/* NEARLY: a page whose share the work wrote but for so many bytes at an end is closed, too: values
 * that were right before look as if nobody had written them. */
enum { MOST_CLOSED = 128, MOST_STEPS = 2000, NEARLY = 256 };

/* Pages of one allocation, with the work that wrote there. */
typedef struct closed {
    uint8_t *from;
    size_t bytes;
    const void *item;
    bool open; /* again, for the time being */
} closed;

static struct {
    closed list[MOST_CLOSED];
    int count;
    int steps;
    bool catches_traps;
    struct sigaction before;
} the;

static _Thread_local closed *stepping;

static size_t page_size(void) {
    return (size_t)sysconf(_SC_PAGESIZE);
}

static void set_open(closed *c, bool open) {
    if (mprotect(c->from, c->bytes, open ? PROT_READ | PROT_WRITE : PROT_NONE) == 0)
        c->open = open;
}

void vg_early_close(vg_context *ctx, const uint8_t *at, size_t bytes, const void *item) {
    const vg_alloc *a = vg_mem_find(ctx->mem, (uint64_t)(uintptr_t)at);
    const size_t page = page_size();
    if (a == NULL || a->adopted || (a->kind != VG_MEM_MANAGED && a->kind != VG_MEM_PINNED) ||
        (uintptr_t)a->host % page != 0 || the.count == MOST_CLOSED)
        return;
    const size_t from = (size_t)(at - a->host), end = from + bytes + NEARLY;
    const size_t begin = ((from > NEARLY ? from - NEARLY : 0) + page - 1) / page * page;
    /* The page that the allocation ends in belongs to nobody behind that end. */
    const size_t over = (end >= a->size ? a->size + page - 1 : end) / page * page;
    if (over <= begin)
        return;
    closed *c = &the.list[the.count];
    *c = (closed){a->host + begin, over - begin, item, true};
    set_open(c, false);
    the.count += !c->open;
}

void vg_early_open(vg_context *ctx) {
    (void)ctx;
    for (int i = 0; i < the.count; i++)
        if (!the.list[i].open)
            set_open(&the.list[i], true);
    the.count = 0;
    the.steps = 0;
}

static const void *program_counter(const ucontext_t *uc) {
#if defined(__x86_64__)
    return (const void *)(uintptr_t)uc->uc_mcontext.gregs[REG_RIP];
#elif defined(__aarch64__)
    return (const void *)(uintptr_t)uc->uc_mcontext.pc;
#else
    (void)uc;
    return NULL;
#endif
}

#if defined(__x86_64__)
enum { TRAP_FLAG = 0x100 };

static void on_trap(int signal, siginfo_t *info, void *context) {
    if (stepping == NULL) {
        if ((the.before.sa_flags & SA_SIGINFO) != 0 && the.before.sa_sigaction != NULL) {
            the.before.sa_sigaction(signal, info, context);
        } else if (the.before.sa_handler == SIG_DFL) {
            sigaction(SIGTRAP, &the.before, NULL);
            raise(SIGTRAP);
        } else if (the.before.sa_handler != SIG_IGN) {
            the.before.sa_handler(signal);
        }
        return;
    }
    ((ucontext_t *)context)->uc_mcontext.gregs[REG_EFL] &= ~(greg_t)TRAP_FLAG;
    vg_context *ctx = vg_begin();
    /* What another thread has waited for meanwhile is no longer on the list. */
    if (stepping < the.list + the.count && stepping->open)
        set_open(stepping, false);
    stepping = NULL;
    vg_end_quietly(ctx);
}

static bool step(closed *c, ucontext_t *uc) {
    if (!the.catches_traps) {
        struct sigaction ours = {.sa_sigaction = on_trap, .sa_flags = SA_SIGINFO | SA_ONSTACK};
        sigemptyset(&ours.sa_mask);
        the.catches_traps = sigaction(SIGTRAP, &ours, &the.before) == 0;
    }
    if (!the.catches_traps || the.steps++ >= MOST_STEPS)
        return false;
    stepping = c;
    uc->uc_mcontext.gregs[REG_EFL] |= TRAP_FLAG;
    return true;
}
#else
static bool step(closed *c, ucontext_t *uc) {
    (void)c;
    (void)uc;
    return false;
}
#endif

void vg_early_where(const void *ucontext, char *words, size_t len) {
    char file[256];
    int line = 0;
    const char *pc = program_counter(ucontext);
    words[0] = '\0';
    if (pc != NULL && vg_caller_line(pc + 1, file, sizeof file, &line))
        snprintf(words, len, ", in %s:%d", file, line);
}

static void tell(vg_context *ctx, uint64_t addr, enum vgpu_access access, const ucontext_t *uc) {
    const vg_alloc *a = vg_mem_find(ctx->mem, addr);
    char where[300];
    vg_early_where(uc, where, sizeof where);
    vg_note *note = VG_NOTE(HOST_EARLY, .is.access = access, .is.address = addr, .name = where);
    if (a != NULL) {
        vg_mem_name(a, &note->is);
        note->is.place = VGPU_AT_INSIDE;
        note->is.distance = addr - a->addr;
        note->is.number[0] = (int64_t)(note->is.distance / 4);
    }
    vg_blame(ctx, note);
}

bool vg_early_caught(vg_context *ctx, siginfo_t *info, void *ucontext, enum vgpu_access access) {
    const uint8_t *at = info->si_addr;
    const bool inside = vg_is_inside(); /* the runtime itself, which holds the lock */
    if (!inside)
        vg_begin();
    closed *c = NULL;
    bool known = false;
    for (int i = 0; i < the.count && c == NULL; i++)
        if (at >= the.list[i].from && at < the.list[i].from + the.list[i].bytes) {
            known = true;
            c = the.list[i].open ? NULL : &the.list[i];
        }
    /* Closed when it was touched, and opened by another thread since: it will go well now. */
    if (c == NULL) {
        const vg_alloc *a = vg_mem_find(ctx->mem, (uint64_t)(uintptr_t)at);
        known = known || (a != NULL && !a->adopted &&
                          (a->kind == VG_MEM_MANAGED || a->kind == VG_MEM_PINNED));
    } else {
        const bool hidden = !inside && vg_late_touched(ctx, c->item, at);
        if (hidden)
            tell(ctx, (uint64_t)(uintptr_t)at, access, ucontext);
        set_open(c, true);
        if (!hidden && !inside)
            step(c, ucontext);
    }
    if (!inside)
        vg_end_quietly(ctx);
    return known;
}
