/* back.c: see back.h. Who looks, who runs up to a moment, and who waits meanwhile. */
#include "vgpu/src/debug/back_parts.h"
#include "vgpu/src/debug/wire.h"

#include <inttypes.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

dbg_back *dbg_back_create(void) {
    dbg_back *b = calloc(1, sizeof *b);
    void *room =
        mmap(NULL, sizeof(common), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    dbg_hits *hits = dbg_hits_create();
    if (b == NULL || room == MAP_FAILED || hits == NULL) {
        free(b);
        return NULL;
    }
    b->common = room;
    b->hits = hits;
    b->threads = dbg_threads();
    dbg_files_begin(&b->files);
    return b;
}

static dbg_moment moment_of(const change *c) {
    return (dbg_moment){c->launch, c->before, DBG_AT_LINE};
}

/* ---- what goes along ---- */

static void hand_over(const vg_debug *d, common *to) {
    memcpy(to->list, d->list, sizeof to->list);
    to->last_number = d->last_number;
    to->catches = d->catches;
    to->editor = d->editor;
    for (int i = 0; i < DBG_DISPLAYS; i++)
        snprintf(to->display[i], sizeof to->display[i], "%s",
                 d->display[i] != NULL ? d->display[i] : "");
}

static void take_over(vg_debug *d, const common *from) {
    memcpy(d->list, from->list, sizeof d->list);
    d->last_number = from->last_number;
    d->catches = from->catches;
    d->editor = from->editor;
    for (int i = 0; i < DBG_DISPLAYS; i++) {
        free(d->display[i]);
        d->display[i] = from->display[i][0] != '\0' ? strdup(from->display[i]) : NULL;
    }
}

/* The next op before which something is to be done. */
void dbg_set_alarm(vg_debug *d) {
    const dbg_back *b = d->back;
    const common *c = b->common;
    uint64_t next = b->next_copy;
    if (b->role != RUNS && b->next_change < c->changes &&
        c->change[b->next_change].launch == d->launches &&
        (next == 0 || c->change[b->next_change].before < next))
        next = c->change[b->next_change].before;
    vg_inspect_alarm(d->in, next);
}

static void make_changes(dbg_back *b, const warp *w) {
    const common *c = b->common;
    for (; b->next_change < c->changes && c->change[b->next_change].launch == b->at.launch &&
           c->change[b->next_change].before == b->at.op;
         b->next_change++) {
        const change *one = &c->change[b->next_change];
        uint8_t *to = one->block == w->block->linear ? vg_generic_at(&w->block->warps[one->warp],
                                                                     one->lane, one->at, one->size)
                                                     : NULL;
        if (to != NULL)
            memcpy(to, one->bytes, one->size);
    }
}

void dbg_back_changed(vg_debug *d, uint64_t at, const uint8_t *bytes, uint32_t size) {
    dbg_back *b = d->back;
    common *c = b->common;
    if (!b->in_launch)
        return;
    if (c->changes == CHANGES) {
        fprintf(d->out, "It is not changed again when you go back: %d changes are.\n", CHANGES);
        return;
    }
    change *one = &c->change[c->changes++];
    *one = (change){.launch = d->launches,
                    .before = b->at.op + (b->at.phase >= DBG_BEHIND_ACCESS),
                    .at = at,
                    .block = d->block,
                    .warp = d->warp_index,
                    .lane = d->lane,
                    .size = size};
    memcpy(one->bytes, bytes, size);
}

/* In a child of a copy: goes on with the launch. */
void dbg_become(vg_debug *d, enum role role) {
    dbg_back *b = d->back;
    const common *c = b->common;
    b->role = role;
    b->from_copy = true;
    b->next_copy = 0;
    (void)fclose(d->out); /* its place in the file is shared with the process that made the copy */
    d->out = tmpfile();
    if (d->out == NULL)
        _exit(125);
    take_over(d, c);
    dbg_set_quiet(b->out);
    b->renewed = false;
    b->next_change = 0;
    while (b->next_change < c->changes &&
           dbg_is_before(moment_of(&c->change[b->next_change]), b->at))
        b->next_change++;
    dbg_set_alarm(d);
    if (c->launch != d->launches) /* the person was in another kernel */
        dbg_find_spots(d, d->launch);
    if (role == RETURNS) {
        if (c->launch != d->launches)
            dbg_files_go_back(&b->files);
        return;
    }
    if (c->launch != d->launches)
        dbg_end_watches(d, true, 0);
    d->going = c->how;
    d->going_depth = c->depth;
    d->going_line = d->going_file = 0;
    d->going_deeper = false;
    d->going_times = 0;
    d->block = c->block;
    d->warp_index = c->warp;
    d->lane = c->lane;
}

void dbg_back_alarm(vg_debug *d, const warp *w) {
    dbg_back *b = d->back;
    b->at = (dbg_moment){d->launches, vg_inspect_ops(d->in), DBG_AT_LINE};
    if (b->next_copy == b->at.op && b->role == RUNS) {
        dbg_plan_copy(d); /* the copy's children go on from here */
        if (b->role != RUNS)
            dbg_tune(d, w->block);
    }
    if (b->role != RUNS) {
        make_changes(b, w);
        dbg_set_alarm(d);
    }
}

/* ---- looking, and running up to a place ---- */

static _Noreturn void end_look(dbg_back *b, bool was_interrupted) {
    b->common->interrupted = was_interrupted;
    _exit(0);
}

/* The moment that was gone back to: from now on this is the program. */
static void arrive(vg_debug *d, warp *w) {
    dbg_back *b = d->back;
    const common *c = b->common;
    const place *p = &c->target;
    dbg_set_loud(b->out);
    b->role = RUNS;
    b->next_change = c->changes;
    dbg_set_alarm(d);
    if (c->launch != d->launches) {
        fprintf(d->out, "Back in launch %" PRIu64 ".\n", d->launches);
        dbg_find_spots(d, d->launch); /* the front end is told */
        dbg_end_watches(d, true, 0);
    }
    if (!dbg_focus(d, p->warp == w->index ? w : &w->block->warps[p->warp], p->lane))
        return;
    dbg_renew_watches(d, w, true);
    if (c->uncounted)
        fprintf(d->out, "Hits have not gone back: there were more than %d.\n", DBG_MOST_HITS);
    d->editor.why = p->reason;
    d->editor.number = p->number;
    if (p->reason == DBG_BY_BREAK || p->reason == DBG_BY_FUNCTION)
        dbg_hold_at_break(d, p->number);
    else
        dbg_hold(d, p->why);
}

bool dbg_back_passes(vg_debug *d, enum dbg_phase phase, warp *w) {
    dbg_back *b = d->back;
    const common *c = b->common;
    b->at = (dbg_moment){d->launches, vg_inspect_ops(d->in), phase};
    if (b->role == RUNS)
        return false;
    if (b->role == LOOKS) {
        if (dbg_take_interrupt())
            end_look(b, true);
        if (!dbg_is_before(b->at, c->now))
            end_look(b, false);
        if (!b->renewed || b->seen_block != w->block->linear)
            dbg_renew_watches(d, w, !b->renewed);
        b->renewed = true;
        b->seen_block = w->block->linear;
        return false;
    }
    if (b->at.op == c->target.when.op && phase == c->target.when.phase)
        arrive(d, w);
    return true;
}

bool dbg_back_notes(vg_debug *d, const char *why, enum dbg_reason reason, int number) {
    const dbg_back *b = d->back;
    common *c = b->common;
    if (b->role != LOOKS)
        return false;
    if (!dbg_is_before(b->at, c->now))
        return true;
    place *p = &c->ring[c->found++ % c->times];
    p->when = b->at;
    p->block = d->block;
    p->warp = d->warp_index;
    p->lane = d->lane;
    snprintf(p->why, sizeof p->why, "%s", why);
    p->reason = reason;
    p->number = number;
    d->going_line = d->at.line; /* the line that goes on behind a call is not another */
    d->going_file = d->at.file;
    d->going_deeper = false;
    return true;
}

void dbg_back_hit(vg_debug *d, dbg_break *b) {
    if (d->back->role == LOOKS)
        return;
    b->hits++;
    dbg_hits_note(d->back->hits, d->back->at, b);
}

uint64_t dbg_back_hit_number(const vg_debug *d, const dbg_break *b) {
    return dbg_hits_number(d->back->hits, d->back->at, b->number);
}

bool dbg_back_looks(const vg_debug *d) {
    return d->back->role == LOOKS;
}

bool dbg_back_follows(const vg_debug *d) {
    return d->back->role == LOOKS && d->going != DBG_FREE;
}

bool dbg_back_needs(const vg_debug *d, const block *b, uint32_t *warps) {
    const common *c = d->back->common;
    const bool looks = d->back->role == LOOKS;
    if (d->back->role == RUNS || (looks && d->going == DBG_FREE))
        return false;
    const uint64_t in = looks ? c->block : c->target.block;
    *warps = b->linear == in ? 1u << (looks ? c->warp : c->target.warp) : 0;
    return true;
}

bool dbg_back_is_away(const vg_debug *d) {
    return d->back->role != RUNS;
}

void dbg_back_ended(vg_debug *d) {
    dbg_back *b = d->back;
    const place *p = &b->common->target;
    if (b->role == LOOKS)
        end_look(b, false);
    b->at = end_of(d->launches);
    if (b->role != RETURNS)
        return;
    dbg_set_loud(b->out);
    b->role = RUNS;
    fprintf(d->out, "%s\n",
            p->when.op == b->at.op
                ? p->why
                : "The kernel ran differently this time, and has ended: what it computes depends "
                  "on more than its memory.");
    dbg_flush(d);
}

/* ---- going back ---- */

/* What looking has found. */
typedef struct sight {
    place target;
    int from; /* a copy before it */
} sight;

/* Nothing was found: what is said of it. */
static void say_why_not_further(const dbg_back *b, char *why, size_t len) {
    const common *c = b->common;
    if (c->how == DBG_FINISH)
        snprintf(why, len, "The thread is in the kernel itself, which no function has called.");
    else if (c->how != DBG_FREE)
        snprintf(why, len, "The thread has begun here: nothing of it was before.");
    else if (b->copy[0].launch == 1)
        snprintf(why, len, "No breakpoint was hit before: this is where it was.");
    else
        snprintf(why, len,
                 "No breakpoint was hit before, as far back as launch %" PRIu64
                 ": this is where it was. Earlier kernels are gone: to look at one, set a "
                 "breakpoint in it, and run.",
                 b->copy[0].launch);
}

/* The place to go back to: looked for from the last copy on, then from the one before. A thread is
 * in one launch alone. Where there are not so many places, the earliest; where there is none,
 * here. */
static void look(const dbg_back *b, const place *here, sight *to) {
    common *c = b->common;
    const int first = dbg_first_copy_of(b, here->when.launch),
              last = c->how == DBG_FREE ? 0 : first;
    int from = b->copies - 1, status;
    while (from > first && !dbg_is_before(start_of(&b->copy[from]), c->now))
        from--;
    *to = (sight){*here, from};
    say_why_not_further(b, to->target.why, sizeof to->target.why);
    for (c->interrupted = false; from >= last; from--) {
        c->found = 0;
        if (!dbg_order(&b->copy[from], DBG_LOOK, &status) || c->interrupted)
            break;
        if (c->found > 0)
            *to = (sight){c->ring[c->found >= c->times ? c->found % c->times : 0], from};
        if (c->found >= c->times)
            return;
        c->times -= c->found;
        if (from > 0)
            c->now = b->copy[from - 1].launch == b->copy[from].launch
                         ? start_of(&b->copy[from])
                         : end_of(b->copy[from - 1].launch);
    }
    if (c->interrupted) {
        *to = (sight){*here, b->copies - 1};
        snprintf(to->target.why, sizeof to->target.why, "Interrupted: this is where it was.");
    }
}

/* Makes the launches' state that all processes share what it was at the target. */
static void undo_until_target(dbg_back *b, int from) {
    common *c = b->common;
    int kept = 0;
    while (kept < c->changes && !dbg_is_before(c->target.when, moment_of(&c->change[kept])))
        kept++;
    /* What is undone has been done in later copies; those of later launches come again. */
    for (int i = b->copies - 1; i > from; i--)
        if (kept < c->changes || b->copy[i].launch > c->target.when.launch)
            dbg_drop_copy(b, i);
    c->changes = kept;
    c->uncounted = !dbg_hits_go_back(b->hits, c->target.when, c->list, c->target.number);
}

/* This process only waits from now on, and ends as the program does. */
static _Noreturn void coordinate(dbg_back *b, place here) {
    common *c = b->common;
    for (int status = 0;;) {
        int from = dbg_first_copy_of(b, c->target.when.launch);
        if (c->again != TO_TARGET) {
            sight s;
            look(b, &here, &s);
            c->target = s.target;
            from = s.from;
        }
        if (from >= b->copies)
            _exit(125);
        if (!b->copy[from].mine) { /* whoever made it waits for this process */
            dbg_drop_mine(b);
            c->again = TO_TARGET;
            _exit(0);
        }
        undo_until_target(b, from);
        c->again = ENDS; /* not behind the order: the program may be quicker than this line */
        if (!dbg_order(&b->copy[from], DBG_RETURN, &status))
            _exit(125);
        if (c->again == ENDS) {
            dbg_drop_mine(b);
            dbg_end_as(status);
        }
        here = c->target; /* the program that has ended has said where it was */
    }
}

void dbg_do_back(vg_debug *d, enum dbg_going how, const char *args) {
    dbg_back *b = d->back;
    common *c = b->common;
    const uint64_t times = strtoull(args, NULL, 10);
    if (!b->in_launch || (d->warp == NULL && how != DBG_FREE)) {
        dbg_wrong(d, !d->started ? "the program does not run yet: run starts it"
                     : dbg_threads() > b->threads
                         ? "the program has several threads, and only programs of one can be taken "
                           "back"
                         : "no kernel is held: there is nothing to go back through");
        return;
    }
    if (!b->from_copy && dbg_first_copy_of(b, d->launches) == b->copies) {
        dbg_wrong(d, "no copy of the process could be made when the kernel began: there is nothing "
                     "to go back from");
        return;
    }
    if (times > MOST_TIMES) {
        dbg_wrong(d, "at most %d at once", MOST_TIMES);
        return;
    }
    hand_over(d, c);
    c->how = how;
    if (d->warp == NULL) /* the kernel has ended */
        b->at = end_of(d->launches);
    c->now = b->at;
    c->times = times > 0 ? times : 1;
    c->launch = d->launches;
    c->block = d->block;
    c->warp = d->warp_index;
    c->lane = d->lane;
    c->depth = d->depth - d->selected;
    place here = {.when = b->at, .block = d->block, .warp = d->warp_index, .lane = d->lane};
    dbg_flush(d);
    if (!dbg_say(d->socket, 'g', "", 0))
        _exit(125);
    c->again = AGAIN;
    if (b->from_copy) {
        c->target = here;
        _exit(0);
    }
    coordinate(b, here);
}
