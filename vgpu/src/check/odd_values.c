/*
 * odd_values.c: values that nobody made. A GPU goes on with some bits, and nothing tells; here it
 * goes on with all bits set, and a warning.
 *
 *     a / 0         integers; what is divided by is looked at by an operation of its own in front
 *                   of the division (core/lower_arith.c), so that this costs nothing elsewhere
 *     a shuffle     from a lane that its mask names and that has ended, or never was (such a mask
 *                   says that all 32 lanes are there), or from one that its mask does not name
 *     a mask        that does not name the very lane that does something with others by it
 */
#include "vgpu/src/check/check_parts.h"
#include "vgpu/src/check/events.h"

#include <stdio.h>
#include <stdlib.h>

struct odd_checker {
    vg_observer observer;
    vg_findings *findings;
    vg_events events;
};

static void note(odd_checker *c, const warp *w, const op *o, uint32_t lanes, enum vgpu_says says) {
    const vg_event event = {.says = says,
                            .at = o,
                            .count = (uint64_t)__builtin_popcount(lanes),
                            .block = w->block->linear,
                            .thread = w->index * VG_LANES + (uint32_t)__builtin_ctz(lanes)};
    vg_events_note(&c->events, &event);
}

static void on_divided(void *self, warp *w, const op *o, uint32_t lanes) {
    note(self, w, o, lanes, VGPU_DIVIDED_BY_ZERO);
}

static void on_odd_lanes(void *self, warp *w, const op *o, uint32_t lanes, enum vgpu_says what) {
    note(self, w, o, lanes, what);
}

static const struct {
    enum vgpu_says says;
    enum vgpu_found kind;
    enum vg_severity severity;
    const char *action, *what, *advice;
} oddities[] = {
    /* A remainder may be compiled to a division, a product and a difference. */
    {VGPU_DIVIDED_BY_ZERO, VGPU_FOUND_DIVISION, VG_WARNING, "divided",
     "integer division by zero (/ or %) in",
     "a GPU does not stop there, and the result may be any number: test the divisor first"},
    {VGPU_LANE_GONE, VGPU_FOUND_UNINITIALIZED, VG_WARNING, "read",
     "shuffle from a lane that is not there, in",
     "the mask names lanes that have ended, or that the block does not have, and what comes from "
     "such a lane may be any number: let all 32 lanes go on to the last shuffle, those without an "
     "element with one that changes nothing"},
    {VGPU_LANE_BESIDE, VGPU_FOUND_UNINITIALIZED, VG_WARNING, "read",
     "shuffle from a lane that the mask does not name, in",
     "what comes from such a lane may be any number: the mask must name all lanes that give a "
     "value, and they must come to the shuffle, too"},
    {VGPU_LANE_UNNAMED, VGPU_FOUND_BARRIER, VG_ERROR, "called",
     "a lane's own mask does not name it, in",
     "bit i of the mask stands for lane i, and who calls a function of the whole warp (__syncwarp, "
     "__shfl_sync, __ballot_sync ...) must be named by its own mask: what it does is undefined "
     "otherwise"},
};

/* One line may have several divisions: a/b and a%b, or 64 bits done in 32 where that is enough. */
static void tell(void *self, const launch *l, const vg_event *f) {
    const odd_checker *c = self;
    size_t k = 0;
    while (oddities[k].says != f->says)
        k++;
    const bool warns = oddities[k].severity == VG_WARNING;
    vg_finding out = {.kind = oddities[k].kind,
                      .severity = oddities[k].severity,
                      .fact.says = f->says,
                      .num_sites = 1,
                      .count = f->count};
    char line[300], thread[96], times[64] = "";
    snprintf(out.kernel, sizeof out.kernel, "%s", l->kernel->info.pretty);
    vg_site_fill(&out.site[0], l, f->at, f->block, f->thread, oddities[k].action);
    if (out.count > 1)
        snprintf(times, sizeof times, "\n  seen %llu times in this launch",
                 (unsigned long long)out.count);
    snprintf(out.message, sizeof out.message, "%s%s kernel %s\n  %s: done by %s\n  %s%s",
             warns ? "warning: " : "", oddities[k].what, out.kernel,
             vg_site_line(&out.site[0], line, sizeof line),
             vg_site_thread(&out.site[0], thread, sizeof thread), oddities[k].advice, times);
    vg_findings_add(c->findings, &out);
}

static bool on_launch_begin(void *self, const launch *l, int workers) {
    (void)l;
    (void)workers;
    vg_events_forget(&((odd_checker *)self)->events);
    return true;
}

static void on_launch_end(void *self, const launch *l, const host_thread *workers, int num_workers,
                          const vg_fault *fault) {
    odd_checker *c = self;
    (void)workers;
    (void)num_workers;
    vg_events_tell(&c->events, l, fault, tell, c);
}

odd_checker *odd_checker_create(vg_findings *findings) {
    odd_checker *c = calloc(1, sizeof *c);
    if (c == NULL)
        return NULL;
    c->findings = findings;
    vg_events_init(&c->events);
    c->observer = (vg_observer){.name = "odd values",
                                .self = c,
                                .launch_begin = on_launch_begin,
                                .divided = on_divided,
                                .odd_lanes = on_odd_lanes,
                                .launch_end = on_launch_end};
    return c;
}

const vg_observer *odd_checker_observer(const odd_checker *c) {
    return &c->observer;
}

void odd_checker_destroy(odd_checker *c) {
    if (c != NULL) {
        vg_events_destroy(&c->events);
        free(c);
    }
}
