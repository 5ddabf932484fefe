/*
 * context.c: the context, its settings and its messages; see context.h.
 */
#include "vgpu/src/runtime/context.h"
#include "vgpu/src/check/caller.h"
#include "vgpu/src/count/install.h"
#include "vgpu/src/memory/settings.h"
#include "vgpu/src/runtime/held.h"
#include "vgpu/src/runtime/journal.h"
#include "vgpu/src/runtime/place.h"
#include "vgpu/src/runtime/prints.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* A block that issues this many warp instructions is taken for endless: that is half a minute or
 * more on any machine, and a thousand times what the labs need. */
static const uint64_t DEFAULT_BUDGET = UINT64_C(4000000000);

static vg_context the_context = {.lock = PTHREAD_MUTEX_INITIALIZER};
static _Thread_local cudaError_t last_error;
static pid_t the_owner; /* the process that started the context */

/* ---- messages ---- */

static void (*heard_by)(const struct vgpu_fact *fact, const char *words);

void vgpu_listen(void (*hear)(const struct vgpu_fact *fact, const char *words)) {
    heard_by = hear;
}

void vg_tell_listener(const struct vgpu_fact *fact, const char *words) {
    if (heard_by)
        heard_by(fact, words);
}

static void say_lines(const vg_context *ctx, const char *words) {
    if (ctx->settings.quiet)
        return;
    /* What the program itself printed so far comes first. */
    fflush(stdout);
    for (const char *line = words; line;) {
        const size_t n = strcspn(line, "\n");
        fprintf(stderr, "vgpu: %.*s\n", (int)n, line);
        line = line[n] ? line + n + 1 : NULL;
    }
}

bool vg_history_words(const vg_context *ctx, const struct vgpu_fact *fact, char *words,
                      size_t len) {
    const void *at[2] = {NULL, NULL};
    char file[2][256];
    int line[2] = {0, 0};
    if (!fact->freed || !ctx->mem ||
        !vg_mem_history(ctx->mem, fact->address, fact->serial, &at[0], &at[1]))
        return false;
    for (int i = 0; i < 2; i++)
        if (!vg_caller_line(at[i], file[i], sizeof file[i], &line[i]))
            return false;
    snprintf(words, len, "  allocated at %s:%d, freed at %s:%d", file[0], line[0], file[1],
             line[1]);
    return true;
}

void vg_tell_words(const vg_context *ctx, const struct vgpu_fact *fact, const char *words) {
    char file[256];
    char history[640];
    int line = 0;
    say_lines(ctx, words);
    if (!ctx->settings.quiet && vg_fact_is_of_call(fact) &&
        vg_place_of_call(file, sizeof file, &line)) {
        snprintf(history, sizeof history, "  in %s:%d", file, line);
        say_lines(ctx, history);
    }
    if (!ctx->settings.quiet && vg_history_words(ctx, fact, history, sizeof history))
        say_lines(ctx, history);
    vg_tell_listener(fact, words);
}

void vg_tell(const vg_context *ctx, vg_note *note) {
    char words[2048];
    vg_fact_words(vg_note_close(note), words, sizeof words);
    vg_tell_words(ctx, &note->is, words);
}

void vg_blame(vg_context *ctx, vg_note *note) {
    char words[2048];
    vg_fact_words(vg_note_close(note), words, sizeof words);
    vg_check_misuse(ctx->check, &note->is, words);
    vg_tell_words(ctx, &note->is, words);
}

/* What the checkers have to say. */
static void say_finding(void *ctx, const struct vgpu_fact *fact, const char *words) {
    vg_tell_words(ctx, fact, words);
}

/* ---- settings ---- */

/* The whole number in variable `name`, or fallback when it is unset or no such number (which is
 * said). */
static uint64_t number_from(const vg_context *ctx, const char *name, uint64_t fallback,
                            uint64_t min, uint64_t max) {
    const char *text = vg_setting(name);
    if (!text || !*text)
        return fallback;
    char *end = NULL;
    errno = 0;
    double value = strtod(text, &end); /* 2e11 is easier to read than its zeros */
    if (errno == 0 && *end == '\0' && value >= (double)min && value <= (double)max)
        return (uint64_t)value;
    vg_tell(ctx, VG_NOTE(BAD_SETTING, .call = name, .name = text,
                         .is.number = {(int64_t)min, (int64_t)max, (int64_t)fallback}));
    return fallback;
}

/* The program's exit status, once it ends. */
static int the_status = EXIT_FAILURE;

static void on_status(int status, void *unused) {
    (void)unused;
    the_status = status;
}

/* What kernels printed, what is still allocated when the program ends, or not waited for. A program
 * that a fault stopped, or that gave up, had no chance to free or to wait; and a forked child is
 * not the one to say it. It runs behind the destructors of the program's own static objects, which
 * may free memory, and before the last report is written (count/install.c). */
__attribute__((destructor(103))) static void at_end(void) {
    if (!the_context.started || getpid() != the_owner ||
        pthread_mutex_trylock(&the_context.lock) != 0)
        return;
    const bool well = the_status == EXIT_SUCCESS && the_context.sticky == cudaSuccess;
    const char *unwaited = vg_prints_end(&the_context);
    if (well && unwaited && the_context.settings.late)
        vg_tell(&the_context, VG_NOTE(PRINT_UNWAITED, .kernel = unwaited));
    if (well)
        vg_check_leaks(the_context.check, 0);
    pthread_mutex_unlock(&the_context.lock);
}

static void read_settings(vg_context *ctx) {
    vg_settings *s = &ctx->settings;
    const char *quiet = vg_setting("VGPU_QUIET");
    const char *device = vg_setting("VGPU_DEVICE");
    s->quiet = s->quiet_wanted = quiet && *quiet && strcmp(quiet, "0") != 0;
    s->profile = vg_profile_find(device);
    if (!s->profile) {
        int count = 0;
        const vg_profile *all = vg_profiles(&count);
        char names[256] = "";
        for (int i = 0; i < count; i++)
            snprintf(names + strlen(names), sizeof names - strlen(names), "%s%s", i ? ", " : "",
                     all[i].key);
        vg_tell(ctx, VG_NOTE(NO_DEVICE, .name = device, .other = names));
    }
    s->cudart = (int)number_from(ctx, "VGPU_CUDART", 13, 11, 13);
    s->workers = (int)number_from(ctx, "VGPU_WORKERS", 0, 0, 1024);
    s->late = s->late_wanted = number_from(ctx, "VGPU_LATE", 1, 0, 1) != 0;
    s->idle = number_from(ctx, "VGPU_IDLE", 0, 0, 1) != 0;
    s->backwards = number_from(ctx, "VGPU_BACKWARDS", 0, 0, 1) != 0;
    s->twofold = number_from(ctx, "VGPU_TWOFOLD", 0, 0, 1) != 0;
    s->budget = number_from(ctx, "VGPU_BUDGET", DEFAULT_BUDGET, 0, UINT64_C(1) << 60);
    s->progress = number_from(ctx, "VGPU_PROGRESS", 5, 0, 1000000);
    char bad[64];
    if (!vg_check_parse(vg_setting("VGPU_CHECK"), &s->checks, bad, sizeof bad))
        vg_tell(ctx, VG_NOTE(NO_CHECKER, .name = bad));
    /* As an H200 answers. */
    ctx->limits[cudaLimitStackSize] = 1024;
    ctx->limits[cudaLimitPrintfFifoSize] = 8650752;
    ctx->limits[cudaLimitMallocHeapSize] = 8388608;
    ctx->limits[cudaLimitDevRuntimePendingLaunchCount] = 2048;
    ctx->limits[cudaLimitMaxL2FetchGranularity] = 64;
    ctx->limits[cudaLimitPersistingL2CacheSize] = 0;
    vg_count_start(s->profile);
    vg_journal_start(ctx);
    the_owner = getpid();
    on_exit(on_status, NULL);
    ctx->started = true;
}

/* ---- entering and leaving ---- */

/* This thread holds the lock. */
static _Thread_local bool inside;

bool vg_is_inside(void) {
    return inside;
}

vg_context *vg_begin(void) {
    pthread_mutex_lock(&the_context.lock);
    inside = true;
    if (!the_context.started)
        read_settings(&the_context);
    return &the_context;
}

cudaError_t vg_ready(vg_context *ctx) {
    if (ctx->sticky != cudaSuccess)
        return ctx->sticky;
    if (!ctx->settings.profile)
        return cudaErrorNoDevice;
    if (ctx->check)
        return cudaSuccess;
    if (!ctx->mem)
        ctx->mem = vg_mem_create(ctx->settings.profile->memory_bytes);
    if (!ctx->mem) {
        vg_tell(ctx, VG_NOTE(NO_ADDRESS_SPACE, .name = strerror(errno)));
        return cudaErrorMemoryAllocation;
    }
    if (!ctx->exec)
        ctx->exec = vg_exec_create(vg_is_held() ? 1 : ctx->settings.workers);
    ctx->check = ctx->exec
                     ? vg_check_install(ctx->exec, ctx->mem, ctx->settings.checks, say_finding, ctx)
                     : NULL;
    if (!ctx->check || !vg_held_attach(ctx)) {
        vg_tell(ctx, VG_NOTE(OUT_OF_HOST_MEMORY, .name = "the executor and its checkers"));
        return cudaErrorMemoryAllocation;
    }
    vg_count_findings(vg_check_findings(ctx->check));
    vg_catch_segv(ctx);
    return cudaSuccess;
}

void vg_end_quietly(vg_context *ctx) {
    inside = false;
    pthread_mutex_unlock(&ctx->lock);
}

cudaError_t vg_remember(cudaError_t error) {
    if (error != cudaSuccess)
        last_error = error;
    return error;
}

cudaError_t vg_end(vg_context *ctx, cudaError_t error) {
    vg_end_quietly(ctx);
    return vg_remember(error);
}

void vg_fail_sticky(vg_context *ctx, const struct vgpu_fact *fact, const char *words) {
    ctx->stats.faults++;
    ctx->sticky = (cudaError_t)fact->status;
    vg_tell_words(ctx, fact, words);
}

/* ---- device memory as seen by API calls ---- */

void *vg_device_bytes(vg_context *ctx, const char *call, enum vgpu_end end, const void *ptr,
                      uint64_t size) {
    uint64_t addr = (uint64_t)(uintptr_t)ptr;
    void *host = vg_mem_at(ctx->mem, addr, size);
    const vg_alloc *a = vg_mem_find(ctx->mem, addr);
    const bool refused = host && a && a->read_only && end == VGPU_DESTINATION && size > 0;
    if (host && !refused)
        return host;
    vg_note *note =
        VG_NOTE(COPY_ELSEWHERE, .call = call, .is.end = end, .is.address = addr, .is.size = size);
    if (refused) {
        vg_mem_name(a, &note->is);
        note->is.place = VGPU_AT_READ_ONLY;
        note->is.distance = addr - a->addr;
    } else if (a) {
        note->is.says = VGPU_COPY_TOO_LARGE;
        vg_mem_name(a, &note->is);
        note->is.distance = addr - a->addr;
        note->is.limit = a->size - note->is.distance;
        note->is.excess = note->is.distance + size - a->size;
    } else if (!ptr) {
        note->is.says = VGPU_COPY_NULL;
    } else {
        vg_mem_locate(ctx->mem, addr, &note->is);
    }
    vg_blame(ctx, note);
    return NULL;
}

/* ---- last errors ---- */

cudaError_t cudaGetLastError(void) {
    cudaError_t error = last_error;
    last_error = cudaSuccess;
    return error;
}

cudaError_t cudaPeekAtLastError(void) {
    return last_error;
}
