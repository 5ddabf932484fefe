/*
 * segv.c: host code that dereferences a device pointer dies of SIGSEGV, because device addresses
 * are never readable (see devmem.h). This says what happened before it does. Host code that touches
 * shared memory before it has waited for the device is caught in the same way, and goes on
 * (early.h); so is host code that touches the host's copy of a device variable (shadow.h).
 *
 * Contract: any other fault goes to the handler that was there before, or to the default action.
 * The words are put together with snprintf, which is no worse here than elsewhere: the fault is the
 * program's own load or store, not one inside the C library's allocator.
 */
#include "vgpu/src/runtime/early.h"
#include "vgpu/src/runtime/place.h"
#include "vgpu/src/runtime/shadow.h"

#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <ucontext.h>
#include <unistd.h>

static vg_context *watched;
static struct sigaction before;

/* As far as the processor tells. */
static enum vgpu_access kind_of_access(const ucontext_t *uc) {
#if defined(__x86_64__)
    return (uc->uc_mcontext.gregs[REG_ERR] & 2) != 0 ? VGPU_WRITES : VGPU_READS;
#elif defined(__aarch64__) && defined(ESR_MAGIC)
    const uint8_t *at = (const uint8_t *)uc->uc_mcontext.__reserved;
    const uint8_t *end = at + sizeof uc->uc_mcontext.__reserved;
    while (at + sizeof(struct _aarch64_ctx) <= end) {
        struct _aarch64_ctx head;
        memcpy(&head, at, sizeof head);
        if (head.magic == ESR_MAGIC) {
            struct esr_context esr;
            memcpy(&esr, at, sizeof esr);
            return (esr.esr & (1u << 6)) != 0 ? VGPU_WRITES : VGPU_READS; /* WnR */
        }
        if (head.size == 0)
            break;
        at += head.size;
    }
    return VGPU_USES;
#else
    (void)uc;
    return VGPU_USES;
#endif
}

static void say(const char *words) {
    char text[832];
    const int len = snprintf(text, sizeof text, "vgpu: %s\n", words);
    if (len > 0 && !watched->settings.quiet) {
        ssize_t written = write(STDERR_FILENO, text, (size_t)len);
        (void)written; /* nothing left to do about it */
    }
}

/* In a function of the C library, which has no lines, it is the program's call of it that helps. */
static void find_place(const ucontext_t *uc, char *where, size_t len) {
    char file[256];
    int line = 0;
    vg_early_where(uc, where, len);
    if (where[0] == '\0' && vg_place_of_call(file, sizeof file, &line))
        snprintf(where, len, ", in %s:%d", file, line);
}

/* What the C library knows of a piece of memory is right before it, and free() looks there. */
static bool is_like_free(const struct vgpu_fact *fact) {
    return fact->place == VGPU_AT_BEFORE &&
           (fact->distance == sizeof(size_t) || fact->distance == 2 * sizeof(size_t));
}

/* What to do about an access that says this; beside: to what, where it is the host's, too. */
static const char *advice(const struct vgpu_fact *fact, const vg_alloc *beside) {
    if (fact->says == VGPU_HOST_BESIDE && !is_like_free(fact))
        return "check the index";
    if (fact->says == VGPU_HOST_BESIDE)
        return beside->kind == VG_MEM_MANAGED
                   ? "if this is free() or delete, use cudaFree; otherwise check the index"
                   : "if this is free() or delete, use cudaFreeHost; otherwise check the index";
    return is_like_free(fact) ? "use cudaMemcpy to move data between host and device, and "
                                "cudaFree, not free() or delete, to free it"
                              : "use cudaMemcpy to move data between host and device";
}

static void tell(const siginfo_t *info, const ucontext_t *uc, enum vgpu_says says) {
    char words[800], where[300], history[640];
    const uint64_t addr = (uint64_t)(uintptr_t)info->si_addr;
    find_place(uc, where, sizeof where);
    vg_note note = {
        .is.says = says, .is.access = kind_of_access(uc), .is.address = addr, .name = where};
    vg_mem_locate(watched->mem, addr, &note.is);
    note.other = advice(&note.is, vg_mem_beside_host(watched->mem, addr));
    vg_fact_words(vg_note_close(&note), words, sizeof words);
    say(words);
    if (vg_history_words(watched, &note.is, history, sizeof history))
        say(history);
    vg_tell_listener(&note.is, words);
}

/* What there is to say of a fault at this address; VGPU_SAYS_NOTHING: it is none of ours. */
static enum vgpu_says meaning_of(const siginfo_t *info) {
    const uint64_t addr = (uint64_t)(uintptr_t)info->si_addr;
    if (watched == NULL || watched->mem == NULL || info->si_code == SI_USER)
        return VGPU_SAYS_NOTHING;
    if (vg_mem_is_device_address(watched->mem, addr))
        return VGPU_HOST_ACCESS;
    if (info->si_code == SEGV_MAPERR && vg_mem_was_host(watched->mem, addr))
        return VGPU_HOST_FREED;
    return info->si_code == SEGV_ACCERR && vg_mem_beside_host(watched->mem, addr) != NULL
               ? VGPU_HOST_BESIDE
               : VGPU_SAYS_NOTHING;
}

static void on_segv(int signal, siginfo_t *info, void *context) {
    const enum vgpu_says says = meaning_of(info);
    if (watched && info->si_code == SEGV_ACCERR &&
        vg_shadow_caught(watched, info, context, kind_of_access(context)))
        return;
    if (says != VGPU_HOST_ACCESS && watched && watched->mem && info->si_code == SEGV_ACCERR &&
        vg_early_caught(watched, info, context, kind_of_access(context)))
        return;
    if (says != VGPU_SAYS_NOTHING) {
        tell(info, context, says);
    } else if ((before.sa_flags & SA_SIGINFO) != 0 && before.sa_sigaction) {
        before.sa_sigaction(signal, info, context);
        return;
    } else if (before.sa_handler != SIG_DFL && before.sa_handler != SIG_IGN) {
        before.sa_handler(signal);
        return;
    }
    /* Back to the default: the faulting instruction runs again on return, and ends the process. */
    struct sigaction dfl = {.sa_handler = SIG_DFL};
    sigaction(SIGSEGV, &dfl, NULL);
    if (info->si_code == SI_USER)
        raise(SIGSEGV);
}

void vg_catch_segv(vg_context *ctx) {
    struct sigaction ours = {.sa_sigaction = on_segv,
                             .sa_flags = SA_SIGINFO | SA_NODEFER | SA_ONSTACK};
    if (watched)
        return;
    watched = ctx;
    sigemptyset(&ours.sa_mask);
    sigaction(SIGSEGV, &ours, &before);
}
