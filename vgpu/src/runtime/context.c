/*
 * context.c: the context, its settings and its messages; see context.h.
 */
#include "vgpu/src/runtime/context.h"
#include "vgpu/src/count/install.h"
#include "vgpu/src/runtime/journal.h"

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

static void say_lines(const vg_context *ctx, char *text) {
    if (ctx->settings.quiet)
        return;
    /* What the program itself printed so far comes first. */
    fflush(stdout);
    for (char *line = text; line;) {
        char *next = strchr(line, '\n');
        if (next)
            *next++ = '\0';
        fprintf(stderr, "vgpu: %s\n", line);
        line = next;
    }
}

void vg_say(const vg_context *ctx, const char *format, ...) {
    char text[2048];
    va_list args;
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    say_lines(ctx, text);
}

void vg_blame(vg_context *ctx, const char *format, ...) {
    char text[2048];
    va_list args;
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    vg_check_misuse(ctx->check, "memory", text);
    say_lines(ctx, text);
}

/* What the checkers have to say. */
static void say_finding(void *ctx, const char *text) {
    vg_say(ctx, "%s", text);
}

/* ---- settings ---- */

/* The whole number in variable `name`, or fallback when it is unset or no such number (which is
 * said). */
static uint64_t number_from(const vg_context *ctx, const char *name, uint64_t fallback,
                            uint64_t min, uint64_t max) {
    const char *text = getenv(name);
    if (!text || !*text)
        return fallback;
    char *end = NULL;
    errno = 0;
    double value = strtod(text, &end); /* 2e11 is easier to read than its zeros */
    if (errno == 0 && *end == '\0' && value >= (double)min && value <= (double)max)
        return (uint64_t)value;
    vg_say(ctx, "%s=%s: expected a whole number from %" PRIu64 " to %" PRIu64 "; using %" PRIu64,
           name, text, min, max, fallback);
    return fallback;
}

/* What is still allocated when the program ends. A program that a fault stopped, or that gave up,
 * had no chance to free it, and a forked child is not the one to say it. */
static void at_exit(int status, void *unused) {
    (void)unused;
    if (status != EXIT_SUCCESS || getpid() != the_owner ||
        pthread_mutex_trylock(&the_context.lock) != 0)
        return;
    if (the_context.sticky == cudaSuccess)
        vg_check_leaks(the_context.check, 0);
    pthread_mutex_unlock(&the_context.lock);
}

static void read_settings(vg_context *ctx) {
    vg_settings *s = &ctx->settings;
    const char *quiet = getenv("VGPU_QUIET");
    const char *device = getenv("VGPU_DEVICE");
    s->quiet = quiet && *quiet && strcmp(quiet, "0") != 0;
    s->profile = vg_profile_find(device);
    if (!s->profile) {
        int count = 0;
        const vg_profile *all = vg_profiles(&count);
        char names[256] = "";
        for (int i = 0; i < count; i++)
            snprintf(names + strlen(names), sizeof names - strlen(names), "%s%s", i ? ", " : "",
                     all[i].key);
        vg_say(ctx, "VGPU_DEVICE=%s: there is no such device; choose one of %s", device, names);
    }
    s->cudart = (int)number_from(ctx, "VGPU_CUDART", 13, 11, 13);
    s->workers = (int)number_from(ctx, "VGPU_WORKERS", 0, 0, 1024);
    s->late = s->late_wanted = number_from(ctx, "VGPU_LATE", 1, 0, 1) != 0;
    s->budget = number_from(ctx, "VGPU_BUDGET", DEFAULT_BUDGET, 0, UINT64_C(1) << 60);
    char bad[64];
    if (!vg_check_parse(getenv("VGPU_CHECK"), &s->checks, bad, sizeof bad))
        vg_say(ctx,
               "VGPU_CHECK: there is no checker '%s'; choose all, none, or some of "
               "race,mem,init,sync",
               bad);
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
    on_exit(at_exit, NULL); /* behind the counters' handler, so that it runs before it */
    ctx->started = true;
}

/* ---- entering and leaving ---- */

vg_context *vg_begin(void) {
    pthread_mutex_lock(&the_context.lock);
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
        vg_say(
            ctx,
            "cannot reserve address space for device memory (%s): raise the limit (ulimit -v), or "
            "the container's",
            strerror(errno));
        return cudaErrorMemoryAllocation;
    }
    if (!ctx->exec)
        ctx->exec = vg_exec_create(ctx->settings.workers);
    ctx->check = ctx->exec
                     ? vg_check_install(ctx->exec, ctx->mem, ctx->settings.checks, say_finding, ctx)
                     : NULL;
    if (!ctx->check) {
        vg_say(ctx, "out of host memory for the executor and its checkers");
        return cudaErrorMemoryAllocation;
    }
    vg_count_findings(vg_check_findings(ctx->check));
    vg_catch_segv(ctx);
    return cudaSuccess;
}

void vg_end_quietly(vg_context *ctx) {
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

void vg_fail_sticky(vg_context *ctx, cudaError_t error, const char *text) {
    ctx->stats.faults++;
    ctx->sticky = error;
    vg_say(ctx, "%s", text);
}

/* ---- device memory as seen by API calls ---- */

/* "the destination must have 4096 bytes, but allocation #1 has only 1024: 3072 too few" */
static void say_overrun(vg_context *ctx, const char *call, const char *what, const vg_alloc *a,
                        uint64_t addr, uint64_t size) {
    uint64_t offset = addr - a->addr;
    char name[160];
    char from[64] = "";
    if (a->name)
        snprintf(name, sizeof name, "variable '%s'", a->name);
    else
        snprintf(name, sizeof name, "allocation #%" PRIu32, a->serial);
    if (offset > 0)
        snprintf(from, sizeof from, " from its byte %" PRIu64 " on", offset);
    vg_blame(ctx,
             "%s: the %s must have %" PRIu64 " bytes, but %s (%" PRIu64 " bytes) has only %" PRIu64
             "%s: %" PRIu64 " too few",
             call, what, size, name, a->size, a->size - offset, from, offset + size - a->size);
}

void *vg_device_bytes(vg_context *ctx, const char *call, const char *what, const void *ptr,
                      uint64_t size) {
    uint64_t addr = (uint64_t)(uintptr_t)ptr;
    char text[256];
    void *host = vg_mem_at(ctx->mem, addr, size);
    if (host)
        return host;
    const vg_alloc *a = vg_mem_find(ctx->mem, addr);
    if (a)
        say_overrun(ctx, call, what, a, addr, size);
    else if (!ptr)
        vg_blame(ctx, "%s: the %s is a null pointer", call, what);
    else
        vg_blame(ctx, "%s: the %s, %p, is %s", call, what, ptr,
                 vg_mem_describe(ctx->mem, addr, text, sizeof text));
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
