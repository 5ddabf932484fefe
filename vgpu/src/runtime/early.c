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
    bool readable; /* the work only reads there, and so may the host */
    bool open;     /* again, for the time being */
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
    const int closed = c->readable ? PROT_READ : PROT_NONE;
    if (mprotect(c->from, c->bytes, open ? PROT_READ | PROT_WRITE : closed) == 0)
        c->open = open;
}

/* The pages of [at, at + bytes) that may be closed; false: none. */
static bool pages_of(vg_context *ctx, const uint8_t *at, size_t bytes, uint8_t **from,
                     uint8_t **to) {
    const vg_alloc *a = vg_mem_find(ctx->mem, (uint64_t)(uintptr_t)at);
    const size_t page = page_size();
    if (a == NULL || a->adopted || (a->kind != VG_MEM_MANAGED && a->kind != VG_MEM_PINNED) ||
        (uintptr_t)a->host % page != 0)
        return false;
    const size_t first = (size_t)(at - a->host), end = first + bytes + NEARLY;
    const size_t begin = ((first > NEARLY ? first - NEARLY : 0) + page - 1) / page * page;
    /* The page that the allocation ends in belongs to nobody behind that end. */
    const size_t over = (end >= a->size ? a->size + page - 1 : end) / page * page;
    *from = a->host + begin;
    *to = a->host + over;
    return over > begin;
}

static void add_closed(closed c) {
    if (the.count == MOST_CLOSED)
        return;
    the.list[the.count] = c;
    set_open(&the.list[the.count], false);
    the.count += !the.list[the.count].open;
}

void vg_early_close(vg_context *ctx, const uint8_t *at, size_t bytes, const void *item) {
    uint8_t *from, *to;
    if (pages_of(ctx, at, bytes, &from, &to))
        add_closed((closed){from, (size_t)(to - from), item, false, true});
}

/* But for pages that are closed already. */
static void close_to_stores(uint8_t *from, uint8_t *to) {
    for (int i = 0; i < the.count && from < to; i++) {
        uint8_t *its = the.list[i].from, *end = its + the.list[i].bytes;
        if (end <= from || its >= to)
            continue;
        if (its > from)
            close_to_stores(from, its);
        from = end;
    }
    if (from < to)
        add_closed((closed){from, (size_t)(to - from), NULL, true, true});
}

void vg_early_close_to_stores(vg_context *ctx, const uint8_t *at, size_t bytes) {
    uint8_t *from, *to;
    if (pages_of(ctx, at, bytes, &from, &to))
        close_to_stores(from, to);
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

static void blame(vg_context *ctx, vg_note *note, uint64_t addr, uint32_t element) {
    const vg_alloc *a = vg_mem_find(ctx->mem, addr);
    note->is.address = addr;
    note->is.number[1] = element;
    if (a != NULL) {
        vg_mem_name(a, &note->is);
        note->is.place = VGPU_AT_INSIDE;
        note->is.distance = addr - a->addr;
        note->is.number[0] = (int64_t)(note->is.distance / element);
    }
    vg_blame(ctx, note);
}

static void tell(vg_context *ctx, uint64_t addr, enum vgpu_access access, const ucontext_t *uc) {
    char where[300];
    vg_early_where(uc, where, sizeof where);
    blame(ctx, VG_NOTE(HOST_EARLY, .is.access = access, .name = where), addr, 4);
}

/* The host stores where a kernel reads. */
static bool tell_store(vg_context *ctx, uint64_t addr, const ucontext_t *uc) {
    vg_reader reader;
    char where[300];
    if (!vg_check_host_writes(ctx->check, addr, &reader))
        return false;
    vg_early_where(uc, where, sizeof where);
    blame(ctx,
          VG_NOTE(HOST_OVERWRITES, .kernel = reader.kernel, .other = reader.line, .name = where),
          addr, reader.element);
    return true;
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
        const bool told = hidden || (!inside && access == VGPU_WRITES &&
                                     tell_store(ctx, (uint64_t)(uintptr_t)at, ucontext));
        set_open(c, true);
        if (!told && !inside)
            step(c, ucontext);
    }
    if (!inside)
        vg_end_quietly(ctx);
    return known;
}
