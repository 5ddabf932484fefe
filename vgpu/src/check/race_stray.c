/*
 * race_stray.c: writes to an allocation that nothing of the kernel leads to (stores.h). The races
 * there are not looked for, since nobody remembered who read; but that an index left the array that
 * it belongs to is the greater mistake, and is told.
 */
#include "vgpu/src/check/check_parts.h"
#include "vgpu/src/check/race.h"

#include <inttypes.h>
#include <stdio.h>

static bool is_before(const race_stray *a, const race_stray *b) {
    if (a->block != b->block)
        return a->block < b->block;
    return a->at != b->at ? a->at < b->at : a->thread < b->thread;
}

static void add(race_stray *to, const race_stray *from) {
    const uint64_t count = to->count + from->count;
    if (to->count == 0 || is_before(from, to))
        *to = *from;
    to->count = count;
}

void race_stray_note(race_worker *rw, const vg_access *a, const vg_region *r, uint32_t lanes) {
    for (uint32_t m = lanes; m != 0; m &= m - 1) {
        const uint32_t lane = (uint32_t)__builtin_ctz(m);
        const race_stray one = {1,     rw->block, a->at[lane],
                                a->op, r,         a->warp->index * VG_LANES + lane};
        add(&rw->stray, &one);
    }
}

static void tell(race_checker *c, const launch *l, const race_stray *s, bool complete) {
    char line[300];
    char thread[120];
    char times[64] = "";
    vg_finding f = {.kind = VGPU_FOUND_MEMORY,
                    .fact.says = VGPU_STRAY_WRITE,
                    .severity = VG_ERROR,
                    .has_element = true,
                    .element = (s->at - s->region->begin) / (s->op->bytes > 0 ? s->op->bytes : 1),
                    .num_sites = 1,
                    .count = complete ? s->count : 0};
    snprintf(f.kernel, sizeof f.kernel, "%s", l->kernel->info.pretty);
    vg_name_global(l, s->region, &f);
    vg_site_fill(&f.site[0], l, s->op, s->block, s->thread, "written");
    if (f.count > 1)
        snprintf(times, sizeof times, "\n  seen %" PRIu64 " times in this launch", f.count);
    snprintf(f.message, sizeof f.message,
             "stray write in kernel %s to element %" PRIu64 " of %s\n  %s: written by %s\n"
             "  the pointer that it is written through belongs to another allocation: an index is "
             "out of bounds%s",
             f.kernel, f.element, f.object, vg_site_line(&f.site[0], line, sizeof line),
             vg_site_thread(&f.site[0], thread, sizeof thread), times);
    vg_findings_add(c->findings, &f);
}

void race_stray_publish(race_checker *c, const launch *l, uint64_t last, bool complete) {
    race_stray all = {0};
    for (int i = 0; i < c->num_workers; i++) {
        const race_stray *s = &c->workers[i].stray;
        if (s->count > 0 && s->block <= last)
            add(&all, s);
        c->workers[i].stray = (race_stray){0};
    }
    if (all.count > 0)
        tell(c, l, &all, complete);
}
