/*
 * inspect.c: what vgpu.h offers to test programs and graders: counts, findings, and calls that are
 * made to fail. It only reads what others keep; the one thing it changes is which call fails next.
 */
#include "vgpu/src/runtime/context.h"
#include "vgpu/src/runtime/late.h"

#include <stdio.h>
#include <string.h>

_Static_assert(sizeof((vg_context *)0)->fail_in / sizeof(unsigned int) ==
                   sizeof((struct vgpu_stats *)0)->tried / sizeof(uint64_t),
               "both are indexed by enum vgpu_call");

/* ---- counts ---- */

static void count_live(const vg_context *ctx, struct vgpu_stats *stats) {
    size_t count = 0;
    const vg_alloc *live = ctx->mem ? vg_mem_live(ctx->mem, &count) : NULL;
    for (size_t i = 0; i < count; i++) {
        if (live[i].kind == VG_MEM_MODULE || live[i].adopted)
            continue;
        stats->live_allocations++;
        stats->live_bytes += live[i].size;
    }
    stats->live_heap = vg_heap_live(ctx->heap);
    stats->live_streams = ctx->streams.count;
    stats->live_events = ctx->events.count;
    stats->live_blas = ctx->blas.count;
    vg_streams_count(ctx, &stats->unfinished, &stats->unordered);
}

void vgpu_get_stats(struct vgpu_stats *stats) {
    vg_context *ctx = vg_begin();
    *stats = ctx->stats;
    count_live(ctx, stats);
    vg_end_quietly(ctx);
}

void vgpu_reset_stats(void) {
    vg_context *ctx = vg_begin();
    ctx->stats = (struct vgpu_stats){0};
    vg_end_quietly(ctx);
}

/* ---- calls that fail ---- */

bool vg_fails(vg_context *ctx, enum vgpu_call call, const char *name) {
    ctx->stats.tried[call]++;
    if (ctx->fail_in[call] == 0)
        return false;
    ctx->fail_in[call]--;
    if (ctx->fail_in[call] > 0)
        return false;
    vg_tell(ctx, VG_NOTE(MADE_TO_FAIL, .call = name));
    return true;
}

void vgpu_fail_call(enum vgpu_call call, unsigned int nth) {
    vg_context *ctx = vg_begin();
    ctx->fail_in[call] = nth;
    vg_end_quietly(ctx);
}

/* ---- who waits ---- */

void vgpu_wait_always(int always) {
    vg_context *ctx = vg_begin();
    if (always)
        vg_late_all_done(ctx);
    ctx->settings.late = !always && ctx->settings.late_wanted;
    vg_end_quietly(ctx);
}

/* ---- who speaks ---- */

void vgpu_be_quiet(int quiet) {
    vg_context *ctx = vg_begin();
    ctx->settings.quiet = quiet || ctx->settings.quiet_wanted;
    vg_end_quietly(ctx);
}

/* ---- findings ---- */

static void tell(const vg_finding *from, struct vgpu_finding *to) {
    *to = (struct vgpu_finding){.kind = from->kind,
                                .error = from->severity == VG_ERROR,
                                .hazard = from->hazard,
                                .fact = from->fact,
                                .count = from->count};
    snprintf(to->kernel, sizeof to->kernel, "%s", from->kernel);
    snprintf(to->object, sizeof to->object, "%s", from->object);
    snprintf(to->message, sizeof to->message, "%.*s", (int)sizeof to->message - 1, from->message);
    for (int i = 0; i < from->num_sites && i < 2; i++) {
        snprintf(to->site[i].file, sizeof to->site[i].file, "%s", from->site[i].file);
        to->site[i].line = from->site[i].line;
    }
}

int vgpu_get_finding(int index, struct vgpu_finding *finding) {
    vg_context *ctx = vg_begin();
    const vg_findings *list = ctx->check ? vg_check_findings(ctx->check) : NULL;
    const bool there = list && index >= 0 && index < vg_findings_count(list);
    if (there)
        tell(vg_findings_get(list, index), finding);
    vg_end_quietly(ctx);
    return there;
}

uint32_t vgpu_next_allocation(void) {
    vg_context *ctx = vg_begin();
    const uint32_t next = ctx->mem ? vg_mem_next_serial(ctx->mem) : 1;
    vg_end_quietly(ctx);
    return next;
}

void vgpu_lend(const void *allocation, int read_only) {
    vg_context *ctx = vg_begin();
    if (ctx->mem)
        (void)vg_mem_lend(ctx->mem, (uint64_t)(uintptr_t)allocation, read_only != 0);
    vg_end_quietly(ctx);
}

void vgpu_find_leaks(uint32_t first_allocation) {
    vg_context *ctx = vg_begin();
    if (ctx->check)
        vg_check_leaks(ctx->check, first_allocation);
    vg_end_quietly(ctx);
}
