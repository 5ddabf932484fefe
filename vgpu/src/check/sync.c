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

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_FOUND = 256 };

typedef struct sync_found {
    const op *at, *other; /* other: NULL when threads are gone */
    uint64_t block;
    uint32_t thread, other_thread;
    uint32_t gone;
    uint64_t count;
} sync_found;

struct sync_checker {
    vg_observer observer;
    vg_findings *findings;
    pthread_mutex_t lock; /* of found: it is hardly ever needed */
    sync_found found[MAX_FOUND];
    int num_found;
};

static void note(sync_checker *c, const sync_found *f) {
    pthread_mutex_lock(&c->lock);
    int i = 0;
    while (i < c->num_found && !(c->found[i].at == f->at && c->found[i].other == f->other))
        i++;
    if (i < c->num_found) {
        const uint64_t count = c->found[i].count + 1;
        if (f->block < c->found[i].block)
            c->found[i] = *f;
        c->found[i].count = count;
    } else if (i < MAX_FOUND) {
        c->found[c->num_found++] = *f;
    }
    pthread_mutex_unlock(&c->lock);
}

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
    sync_found f = {.block = b->linear, .count = 1};
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
        note(c, &f);
        f.other = NULL;
    }
    f.gone = threads_gone(b, &f.other_thread);
    if (f.gone != 0)
        note(c, &f);
}

static void add_finding(sync_checker *c, const launch *l, const sync_found *f, bool complete) {
    vg_finding out = {.kind = VGPU_FOUND_BARRIER, .count = complete ? f->count : 0};
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
        out.fact.says = VGPU_BARRIERS_DIFFER;
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
        out.fact.says = VGPU_THREADS_GONE;
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

static int compare_found(const void *pa, const void *pb) {
    const sync_found *a = pa, *b = pb;
    if (a->at != b->at)
        return a->at < b->at ? -1 : 1;
    return a->other != b->other ? (a->other < b->other ? -1 : 1) : 0;
}

static bool on_launch_begin(void *self, const launch *l, int workers) {
    (void)l;
    (void)workers;
    ((sync_checker *)self)->num_found = 0;
    return true;
}

static void on_launch_end(void *self, const launch *l, const host_thread *workers, int num_workers,
                          const vg_fault *fault) {
    sync_checker *c = self;
    const uint64_t last = vg_last_told(l, fault);
    (void)workers;
    (void)num_workers;
    qsort(c->found, (size_t)c->num_found, sizeof *c->found, compare_found);
    for (int i = 0; i < c->num_found; i++)
        if (c->found[i].block <= last)
            add_finding(c, l, &c->found[i], fault == NULL);
}

sync_checker *sync_checker_create(vg_findings *findings) {
    sync_checker *c = calloc(1, sizeof *c);
    if (c == NULL)
        return NULL;
    c->findings = findings;
    pthread_mutex_init(&c->lock, NULL);
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
        pthread_mutex_destroy(&c->lock);
        free(c);
    }
}
