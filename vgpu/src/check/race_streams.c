/*
 * race_streams.c: races between streams. What a kernel or a copy did to an array is kept as a bit a
 * byte for each line, with the moment of the work (order.h in the runtime). Work that does not come
 * after it, and touches the same bytes, races with it if either writes and not both are atomic.
 *
 *     past   kernel w, line 2, written, lane 1 number 7    allocation #1   11110000…
 *     now    kernel r, line 3, read,    lane 2 number 8    allocation #1   00110000…   -> byte 2
 *
 * What is past is forgotten as soon as nothing more can be learned from it: the host has waited for
 * it; a later piece of work on its stream did the same to the byte; or work that came after it has
 * written the byte, so that whatever races with the one races with the other.
 *
 * In a program without streams of its own only what kernels read of memory that the host shares is
 * kept, for race_host.c. Refuses to judge pairs of kernels that may wait for each other's flags:
 * both have fences, and both touch a byte atomically, or a third one shares such a byte with each;
 * the heap of malloc in device code; and what is older than the last MOST_BYTES of bits.
 */
#include "vgpu/src/check/race_streams.h"

#include "vgpu/src/check/caller.h"
#include "vgpu/src/check/check_parts.h"
#include "vgpu/src/core/pages.h"
#include "vgpu/src/memory/facts.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MOST_BYTES ((size_t)64 << 20)

/* ---- bits ---- */

static uint64_t bits_at(const past *p, uint64_t w) {
    const uint64_t mask = race_bits_between(w, p->low, p->high);
    return p->bits != NULL ? p->bits[w] & mask : mask;
}

/* The first byte that both touch; UINT64_MAX: none. */
static uint64_t first_common(const past *a, const past *b) {
    const uint64_t low = a->low > b->low ? a->low : b->low,
                   high = a->high < b->high ? a->high : b->high;
    for (uint64_t w = low / WORD_BITS; low < high && w * WORD_BITS < high; w++) {
        const uint64_t both = bits_at(a, w) & bits_at(b, w);
        if (both != 0)
            return w * WORD_BITS + (uint64_t)__builtin_ctzll(both);
    }
    return UINT64_MAX;
}

/* ---- what is past ---- */

static void drop(struct race_streams *s, past **at) {
    past *p = *at;
    *at = p->next;
    s->bytes -= p->size;
    if (p->bits != NULL)
        vg_pages_free(p->bits);
    free(p);
}

/* What is oldest goes first; ranges without bits cost nothing. */
static void keep_within(struct race_streams *s) {
    while (s->bytes > MOST_BYTES) {
        past **last = NULL;
        for (past **at = &s->list; *at != NULL; at = &(*at)->next)
            last = (*at)->size > 0 ? at : last;
        if (last == NULL)
            return;
        drop(s, last);
    }
}

/* Gives a whole range bits of its own, so that some can be taken away. */
static bool make_bits(struct race_streams *s, past *p) {
    if (p->bits != NULL)
        return true;
    const size_t size = words_of(p->high) * sizeof *p->bits;
    p->bits = vg_pages_alloc(words_of(p->high), sizeof *p->bits);
    if (p->bits == NULL)
        return false;
    race_bits_set(p->bits, p->low, p->high);
    p->size = size;
    s->bytes += size;
    return true;
}

/* Takes from `p` what `by` touched, too. True: nothing is left. */
static bool take_away(struct race_streams *s, past *p, const past *by) {
    if (first_common(p, by) == UINT64_MAX)
        return false;
    if (by->bits == NULL && by->low <= p->low && by->high >= p->high)
        return true;
    if (!make_bits(s, p))
        return false;
    uint64_t left = 0;
    for (uint64_t w = p->low / WORD_BITS; w * WORD_BITS < p->high; w++) {
        if (w * WORD_BITS < by->high)
            p->bits[w] &= ~bits_at(by, w);
        left |= bits_at(p, w);
    }
    return left == 0;
}

/* What `by` did takes the place of what it makes needless. */
static void replace(struct race_streams *s, const past *by) {
    for (past **at = &s->list; *at != NULL;) {
        past *p = *at;
        const bool older = p->at.number < by->at.number && p->begin == by->begin &&
                           p->serial == by->serial && p->fences == by->fences;
        const bool same = p->at.lane == by->at.lane && p->class == by->class;
        const bool overwritten = by->class == RACE_WRITE && s->order.seen(s->order.arg, p->at);
        if (older && (same || overwritten) && take_away(s, p, by))
            drop(s, at);
        else
            at = &p->next;
    }
}

static void forget_settled(struct race_streams *s, const vg_regions *regions) {
    for (past **at = &s->list; *at != NULL;) {
        const vg_region *r = vg_regions_find(regions, (*at)->begin);
        if (r == NULL || r->begin != (*at)->begin || r->serial != (*at)->serial ||
            s->order.host_seen(s->order.arg, (*at)->at))
            drop(s, at);
        else
            at = &(*at)->next;
    }
}

/* ---- telling ---- */

static const char *action_of(enum race_class class) {
    return class == RACE_READ ? "read" : class == RACE_WRITE ? "written" : "updated atomically";
}

static bool conflict(const past *a, const past *b) {
    return (a->class == RACE_WRITE || b->class == RACE_WRITE || a->class != b->class) &&
           (a->class != RACE_READ || b->class != RACE_READ) && !(b->fences && a->linked);
}

/* "prog.cu:2: written by kernel w, in a stream"; a library's call has no line. */
static const char *describe(const past *p, const char *stream, char *buf, size_t len) {
    char line[300] = "";
    if (p->site.line != 0)
        vg_site_line(&p->site, line, sizeof line);
    snprintf(buf, len, "%s%s%s by %s, in %s", line, *line ? ": " : "", p->site.action, p->who,
             stream);
    return buf;
}

static const char *where(const past *p, const char *stream) {
    return p->at.branch ? "a branch of a graph" : p->at.lane == 0 ? "the default stream" : stream;
}

/* What would put them in order. */
static const char *remedy(const past *a, const past *b) {
    if (a->at.branch && b->at.branch)
        return "make one node wait for the other (cudaGraphAddDependencies; while you capture, an "
               "event between the streams)";
    return a->at.lane == 0 || b->at.lane == 0
               ? "put an event between them (cudaEventRecord behind the first, cudaStreamWaitEvent "
                 "before the second), let the host wait, or use one stream: the default stream and "
                 "a non-blocking one do not wait for each other"
               : "put an event between them (cudaEventRecord behind the first, cudaStreamWaitEvent "
                 "before the second), let the host wait, or use one stream";
}

static void tell(race_checker *c, const vg_region *r, const past *a, const past *b, uint64_t at) {
    char first[600], second[600];
    const bool w1 = a->class != RACE_READ, w2 = b->class != RACE_READ;
    const bool same = strcmp(a->who, b->who) == 0;
    const uint32_t element = b->is_kernel ? b->element : a->element;
    vg_finding f = {.kind = VGPU_FOUND_RACE,
                    .fact.says = VGPU_STREAM_RACE,
                    .severity = VG_ERROR,
                    .hazard = w1 && w2 ? VGPU_WAW
                              : w1     ? VGPU_RAW
                                       : VGPU_WAR,
                    .has_element = true,
                    .element = at / element,
                    .site = {a->site, b->site},
                    .num_sites = 2};
    const char *kernel = b->is_kernel ? b->who : a->who; /* without the word "kernel" */
    snprintf(f.kernel, sizeof f.kernel, "%s", b->is_kernel || a->is_kernel ? kernel + 7 : "");
    vg_region_name(r, &f.fact);
    vg_fact_memory(&f.fact, f.object, sizeof f.object);
    snprintf(
        f.message, sizeof f.message,
        "race between streams: %s%s%s, on element %" PRIu64 " of %s (%s)\n"
        "  %s\n  %s, which does not wait for the first\n"
        "  %s",
        same ? "twice " : a->who, same ? "" : " and ", b->who, f.element, f.object,
        vgpu_hazard_name(f.hazard), describe(a, where(a, "a stream"), first, sizeof first),
        describe(b,
                 b->at.branch && a->at.branch ? "another branch of it" : where(b, "another stream"),
                 second, sizeof second),
        remedy(a, b));
    vg_findings_add(c->findings, &f);
}

static bool earlier_lines(const past *a, const past *b, const past *than_a, const past *than_b) {
    if (a->site.line != than_a->site.line)
        return a->site.line < than_a->site.line;
    return b->site.line < than_b->site.line;
}

/*
 * The work at hand, one entry of `work` a line, against the past: told is one race for each earlier
 * piece of work, at the lowest byte.
 */
static void compare(race_checker *c, const vg_region *r, past *const *work, size_t count) {
    const struct race_streams *s = c->streams;
    for (const past *first = s->list; first != NULL; first = first->next) {
        const past *a = NULL, *b = NULL;
        uint64_t least = UINT64_MAX;
        bool again = false;
        for (const past *p = s->list; p != first && !again; p = p->next)
            again = p->at.number == first->at.number && p->begin == r->begin;
        if (again || first->begin != r->begin || s->order.seen(s->order.arg, first->at))
            continue;
        for (const past *p = first; p != NULL; p = p->next)
            for (size_t i = 0; i < count; i++) {
                if (p->at.number != first->at.number || p->begin != r->begin ||
                    !conflict(p, work[i]))
                    continue;
                const uint64_t at = first_common(p, work[i]);
                if (at < least ||
                    (at == least && at != UINT64_MAX && earlier_lines(p, work[i], a, b))) {
                    least = at;
                    a = p;
                    b = work[i];
                }
            }
        if (a != NULL)
            tell(c, r, a, b, least);
    }
}

/* The work at hand is done: it is judged, and past from now on. */
static void enter(race_checker *c, const vg_region *r, past **work, size_t count) {
    struct race_streams *s = c->streams;
    if (!s->alone)
        compare(c, r, work, count);
    for (size_t i = 0; i < count; i++)
        replace(s, work[i]);
    for (size_t i = 0; i < count; i++) {
        work[i]->next = s->list;
        s->list = work[i];
        s->bytes += work[i]->size;
    }
    keep_within(s);
}

/* ---- flags ---- */

static bool shares_flag(const past *a, const past *list) {
    for (const past *p = list; p != NULL; p = p->next)
        if (p->fences && p->class == RACE_ATOMIC && p->begin == a->begin &&
            first_common(a, p) != UINT64_MAX)
            return true;
    return false;
}

/* What is linked to one piece of work is to all before it on its lane, whose flags may be gone. */
static bool link_lane(struct race_streams *s, const past *to) {
    bool any = false;
    for (past *p = s->list; p != NULL; p = p->next)
        if (p->fences && !p->linked && p->at.lane == to->at.lane && p->at.number <= to->at.number)
            any = p->linked = true;
    return any;
}

/* Links those of the past that share a flag with the kernel at hand, or with such a one. */
static void link_flags(struct race_streams *s, const past *now) {
    for (past *p = s->list; p != NULL; p = p->next)
        p->linked = false;
    for (bool more = true; more;) {
        more = false;
        for (const past *p = s->list; p != NULL; p = p->next) {
            if (!p->fences || p->class != RACE_ATOMIC)
                continue;
            bool linked = p->linked || shares_flag(p, now);
            for (const past *q = s->list; q != NULL && !linked; q = q->next)
                linked = q->linked && q->fences && q->class == RACE_ATOMIC &&
                         q->begin == p->begin && first_common(p, q) != UINT64_MAX;
            if (linked && link_lane(s, p))
                more = true;
        }
    }
}

static past *new_past(const race_checker *c, const vg_region *r, enum race_class class) {
    past *p = calloc(1, sizeof *p);
    if (p == NULL)
        return NULL;
    p->at = c->streams->order.now;
    p->class = class;
    p->begin = r->begin;
    p->serial = r->serial;
    p->high = r->end - r->begin;
    p->element = r->unit != 0 ? r->unit : 4;
    return p;
}

/* ---- kernels ---- */

void race_streams_begin(race_checker *c, const launch *l) {
    struct race_streams *s = c->streams;
    if (s == NULL)
        return;
    s->launching = s->on && (!s->alone || race_host_begin(c, l));
    if (!s->on)
        return;
    forget_settled(s, c->regions);
    if (s->alone) {
        vg_gate_ask_known(c->gate, race_host_knows, c);
        return;
    }
    s->workspace = l->params->workspace;
    s->heap = l->params->heap;
    vg_gate_spare(c->gate, NULL); /* who reads is of interest, too */
}

static enum race_class class_now(const race_checker *c, const vg_access *a, size_t index) {
    if (c->class_of[index] == RACE_ATOMIC)
        return RACE_ATOMIC;
    return a->kind == VG_READ || a->kind == VG_FETCH ? RACE_READ : RACE_WRITE;
}

void race_streams_touch(const race_checker *c, const vg_passed *p) {
    struct race_streams *s = c->streams;
    const vg_access *a = p->access;
    const vg_region *r = p->region;
    const size_t index = (size_t)(a->op - a->warp->worker->launch->program->ops);
    if (!s->launching || (s->alone && !r->host_shares) || r->begin == s->workspace ||
        (s->heap != NULL && vg_heap_holds(s->heap, r->begin)))
        return;
    const enum race_class class = class_now(c, a, index);
    if (s->alone && class != RACE_READ)
        return;
    race_mark(&s->marks[(size_t)c->site[index] * CLASSES + class], p);
}

static past *past_of(const race_checker *c, const launch *l, enum race_class class, const mark *m) {
    past *p = new_past(c, m->region, class);
    if (p == NULL)
        return NULL;
    const size_t words = words_of(p->high);
    uint64_t w = 0;
    while (w < words && m->bits[w] == 0)
        w++;
    p->low = w * WORD_BITS;
    for (w = words; w > 0 && m->bits[w - 1] == 0;)
        w--;
    p->high = p->high < w * WORD_BITS ? p->high : w * WORD_BITS;
    p->bits = m->bits;
    p->size = words * sizeof *m->bits;
    p->fences = c->fences || c->locks;
    p->is_kernel = true;
    p->watches = race_host_watches(l, m->op);
    p->element = m->op->bytes == 1 || m->op->bytes == 2 || m->op->bytes == 8 ? m->op->bytes : 4;
    snprintf(p->who, sizeof p->who, "kernel %s", l->kernel->info.pretty);
    vg_site_fill(&p->site, l, m->op, 0, 0, action_of(class));
    p->site.has_thread = false;
    return p;
}

/* All marks, as what is past from now on; whole: otherwise they are only forgotten. In the order
 * of lines. */
static past *take_marks(race_checker *c, const launch *l, bool whole) {
    struct race_streams *s = c->streams;
    past *all = NULL, **end = &all;
    for (size_t i = 0; i < sizeof s->marks / sizeof *s->marks; i++)
        for (mark *m = s->marks[i], *next; m != NULL; m = next) {
            next = m->next;
            past *p = whole ? past_of(c, l, (enum race_class)(i % CLASSES), m) : NULL;
            if (p != NULL) {
                *end = p;
                end = &p->next;
            }
            race_mark_free(m, p == NULL);
        }
    memset(s->marks, 0, sizeof s->marks);
    return all;
}

/* Hands over what the kernel did to one region, and takes it off the list. */
static void enter_region(race_checker *c, const vg_region *r, past **list) {
    past *work[(MAX_SITES + 1) * CLASSES];
    size_t count = 0;
    for (past **at = list; *at != NULL;) {
        past *p = *at;
        if (p->begin != r->begin) {
            at = &p->next;
            continue;
        }
        *at = p->next;
        work[count++] = p;
    }
    if (count > 0)
        enter(c, r, work, count);
}

void race_streams_end(race_checker *c, const launch *l, bool whole) {
    struct race_streams *s = c->streams;
    if (s == NULL || !s->launching)
        return;
    s->launching = false;
    past *now = take_marks(c, l, whole);
    if (now != NULL && now->fences)
        link_flags(s, now);
    for (size_t i = 0; i < c->regions->count; i++)
        enter_region(c, c->regions->at[i], &now);
    while (now != NULL) { /* of a region that is gone */
        s->bytes += now->size;
        drop(s, &now);
    }
}

/* ---- the runtime's part ---- */

void race_checker_order(race_checker *c, const vg_ordering *order) {
    if (c->streams == NULL && order != NULL)
        c->streams = calloc(1, sizeof *c->streams);
    if (c->streams == NULL)
        return;
    c->streams->on = order != NULL;
    c->streams->alone = order != NULL && order->alone;
    if (order != NULL)
        c->streams->order = *order;
}

void race_checker_touch(race_checker *c, const vg_mem *mem, const vg_touch *t) {
    struct race_streams *s = c->streams;
    if (s == NULL || !s->on || s->alone || !vg_regions_follow(c->regions, mem))
        return;
    forget_settled(s, c->regions);
    const vg_region *r = vg_regions_find(c->regions, t->addr);
    past *p = r != NULL ? new_past(c, r, t->writes ? RACE_WRITE : RACE_READ) : NULL;
    if (p == NULL)
        return;
    p->low = t->addr - r->begin;
    const uint64_t last = t->width + (uint64_t)t->grows * (t->height - 1);
    p->high = p->low + t->slice * (t->depth - 1) + t->pitch * (t->height - 1) + last;
    if (t->height > 1 || t->depth > 1) {
        p->bits = vg_pages_alloc(words_of(p->high), sizeof *p->bits);
        p->size = words_of(p->high) * sizeof *p->bits;
        if (p->bits == NULL) {
            free(p);
            return;
        }
    }
    for (uint64_t z = 0; p->bits != NULL && z < t->depth; z++)
        for (uint64_t y = 0; y < t->height; y++) {
            const uint64_t low = p->low + z * t->slice + y * t->pitch;
            race_bits_set(p->bits, low, low + t->width + (uint64_t)t->grows * y);
        }
    snprintf(p->who, sizeof p->who, "%s", t->call);
    p->site.action = t->action != NULL ? t->action : action_of(p->class);
    if (t->caller != NULL &&
        !vg_caller_line(t->caller, p->site.file, sizeof p->site.file, &p->site.line))
        p->site.line = 0;
    enter(c, r, &p, 1);
}

void race_streams_destroy(race_checker *c) {
    struct race_streams *s = c->streams;
    while (s != NULL && s->list != NULL)
        drop(s, &s->list);
    free(s);
    c->streams = NULL;
}
