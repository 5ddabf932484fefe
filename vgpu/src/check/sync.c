/*
 * sync.c: barriers that not all threads of a block reach in the same way.
 *
 * A barrier that some living threads never reach is a deadlock, which the executor itself ends with
 * a fault. What it lets pass, as hardware does, and what is wrong or fragile nevertheless, is told
 * here: threads that meet at different __syncthreads() of the source, and threads that returned
 * before a __syncthreads() the others wait at. Barriers with a count are made for meeting at
 * different places, and are left alone.
 */
#include "vgpu/src/check/check_parts.h"
#include "vgpu/src/check/events.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct sync_checker {
    vg_observer observer;
    vg_findings *findings;
    vg_events events;
};

/* Threads of the block that have returned, and the first of them. */
static uint32_t threads_gone(const block *b, uint32_t *first) {
    uint32_t gone = 0;
    for (int i = b->num_warps - 1; i >= 0; i--) {
        const uint32_t left = b->num_threads - (uint32_t)i * VG_LANES;
        const uint32_t missing =
            (left >= VG_LANES ? VG_ALL_LANES : (1u << left) - 1) & ~b->warps[i].alive;
        gone += (uint32_t)__builtin_popcount(missing);
        if (missing != 0)
            *first = (uint32_t)i * VG_LANES + (uint32_t)__builtin_ctz(missing);
    }
    return gone;
}

static bool elsewhere(const op *a, const op *b) {
    return a != b && (a->line != b->line || a->file != b->file);
}

static void on_barrier(void *self, block *b, int id) {
    sync_checker *c = self;
    vg_event f = {.block = b->linear, .count = 1};
    if (b->barrier[id].expected != 0)
        return;
    for (int i = 0; i < b->num_warps; i++) {
        const warp *w = &b->warps[i];
        for (int k = 0; k < w->num_splits; k++) {
            const split *s = &w->split[k];
            if (s->state != SPLIT_BARRIER || s->barrier != id)
                continue;
            const uint32_t thread = w->index * VG_LANES + (uint32_t)__builtin_ctz(s->mask);
            if (f.at == NULL) {
                f.at = s->at;
                f.thread = thread;
            } else if (f.other == NULL && elsewhere(f.at, s->at)) {
                f.other = s->at;
                f.other_thread = thread;
            }
        }
    }
    if (f.at == NULL)
        return;
    if (f.other != NULL) {
        f.says = VGPU_BARRIERS_DIFFER;
        vg_events_note(&c->events, &f);
        f.other = NULL;
    }
    f.says = VGPU_THREADS_GONE;
    f.gone = threads_gone(b, &f.other_thread);
    if (f.gone != 0)
        vg_events_note(&c->events, &f);
}

static void tell(void *self, const launch *l, const vg_event *f) {
    const sync_checker *c = self;
    vg_finding out = {.kind = VGPU_FOUND_BARRIER, .fact.says = f->says, .count = f->count};
    char line[300], thread[96], other_line[300], other_thread[96];
    snprintf(out.kernel, sizeof out.kernel, "%s", l->kernel->info.pretty);
    vg_site_fill(&out.site[0], l, f->at, f->block, f->thread, "waits");
    vg_site_fill(&out.site[1], l, f->other != NULL ? f->other : f->at, f->block, f->other_thread,
                 f->other != NULL ? "waits" : "has returned");
    vg_site_line(&out.site[0], line, sizeof line);
    vg_site_thread(&out.site[0], thread, sizeof thread);
    vg_site_thread(&out.site[1], other_thread, sizeof other_thread);
    if (f->other != NULL) {
        out.severity = VG_ERROR;
        out.num_sites = 2;
        snprintf(out.message, sizeof out.message,
                 "barrier in kernel %s reached at different places\n"
                 "  %s: %s waits at this __syncthreads()\n  %s: %s waits at this one\n"
                 "  every thread of a block must reach the same __syncthreads(): move it out of "
                 "the if, else or loop",
                 out.kernel, line, thread,
                 vg_site_line(&out.site[1], other_line, sizeof other_line), other_thread);
    } else {
        out.severity = VG_WARNING;
        out.num_sites = 1;
        snprintf(out.message, sizeof out.message,
                 "warning: barrier in kernel %s that %u threads of the block never reach, because "
                 "they have returned\n"
                 "  %s: %s waits at this __syncthreads()\n"
                 "  %s is gone: guard the work with an if, and let every thread reach the barrier",
                 out.kernel, f->gone, line, thread, other_thread);
        out.site[1] = (vg_site){0};
    }
    vg_findings_add(c->findings, &out);
}

static bool on_launch_begin(void *self, const launch *l, int workers) {
    (void)l;
    (void)workers;
    vg_events_forget(&((sync_checker *)self)->events);
    return true;
}

static void on_launch_end(void *self, const launch *l, const host_thread *workers, int num_workers,
                          const vg_fault *fault) {
    sync_checker *c = self;
    (void)workers;
    (void)num_workers;
    vg_events_tell(&c->events, l, fault, tell, c);
}

sync_checker *sync_checker_create(vg_findings *findings) {
    sync_checker *c = calloc(1, sizeof *c);
    if (c == NULL)
        return NULL;
    c->findings = findings;
    vg_events_init(&c->events);
    c->observer = (vg_observer){.name = "sync",
                                .self = c,
                                .launch_begin = on_launch_begin,
                                .barrier = on_barrier,
                                .launch_end = on_launch_end};
    return c;
}

const vg_observer *sync_checker_observer(const sync_checker *c) {
    return &c->observer;
}

void sync_checker_destroy(sync_checker *c) {
    if (c != NULL) {
        vg_events_destroy(&c->events);
        free(c);
    }
}
