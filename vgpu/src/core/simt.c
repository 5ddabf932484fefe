/*
 * simt.c: which lanes of a warp run where. See program.h for the idea; an example, R being the
 * point where both sides of the branch end:
 *
 *      split 0, mask FFFF, at a branch: lanes 00FF take it
 *        -> split 0 waits at R, pending FFFF
 *             split 1, mask 00FF, runs the taken side until R    -> pending FF00
 *             split 2, mask FF00, runs the other side until R    -> pending 0000: split 0 runs
 *
 * Contract: the functions that return an op are tail-called by handlers; NULL means that the
 * running split changed state and the warp must look for another.
 */
#include "vgpu/src/core/observe.h"
#include "vgpu/src/core/ops_async.h"
#include "vgpu/src/core/step.h"

#include <string.h>

void vg_set_mask(warp *w, uint32_t mask) {
    typedef uint32_t lanes4 __attribute__((vector_size(16)));
    lanes4 bit = {1, 2, 4, 8};
    if (mask == w->mask)
        return;
    w->mask = mask;
    for (int i = 0; i < VG_LANES; i += 4, bit <<= 4) {
        const lanes4 on = (lanes4)((mask & bit) != 0);
        memcpy(&w->lanes[i], &on, sizeof on);
    }
}

static int new_split(warp *w) {
    for (int i = 0; i < w->num_splits; i++)
        if (w->split[i].state == SPLIT_FREE)
            return i;
    /* Every live split owns a lane that no other owns, or loses one to a child: 2 * 32 suffice. */
    return w->num_splits < VG_MAX_SPLITS ? w->num_splits++ : -1;
}

void vg_warp_start(warp *w, const op *first, uint32_t alive) {
    w->alive = alive;
    w->carry = 0;
    w->num_splits = 1;
    w->current = 0;
    vg_async_reset(w);
    w->split[0] = (split){
        .pc = first, .mask = alive, .parent = -1, .state = alive != 0 ? SPLIT_RUN : SPLIT_FREE};
}

bool vg_warp_runnable(const warp *w) {
    for (int i = 0; i < w->num_splits; i++)
        if (w->split[i].state == SPLIT_RUN)
            return true;
    return false;
}

/* Round robin, so that lanes spinning on each other all get their turn; -1: none can go on. */
static int next_to_run(const warp *w) {
    for (int i = w->current + 1; i < w->num_splits; i++)
        if (w->split[i].state == SPLIT_RUN)
            return i;
    for (int i = 0; i <= w->current; i++)
        if (w->split[i].state == SPLIT_RUN)
            return i;
    return -1;
}

void vg_warp_run(warp *w) {
    while (!w->worker->faulted) { /* what lanes did together may have been a fault */
        const int next = next_to_run(w);
        if (next < 0)
            return;
        w->current = next;
        vg_set_mask(w, w->split[next].mask);
        const op *o = w->split[next].pc;
        const vg_stepper *stepper = w->worker->launch->stepper;
        if (stepper != NULL)
            stepper->run(stepper->self, w, o);
        else
            while (o != NULL)
                o = o->fn(w, o);
        if (w->worker->turn_over)
            return;
    }
}

/* Lanes have reached `s`, a parent: it runs when none is missing. */
static void lanes_arrived(split *s, uint32_t lanes) {
    s->pending &= ~lanes;
    if (s->pending == 0)
        s->state = SPLIT_RUN;
}

const op *vg_arrive(warp *w) {
    split *s = &w->split[w->current];
    s->state = SPLIT_FREE;
    lanes_arrived(&w->split[s->parent], s->mask);
    return NULL;
}

/* Lanes leave a branch for `pc`: either they are at the meeting point already,
 * or a child runs them. */
static int send_lanes(warp *w, const op *pc, const split *from, uint32_t lanes, int parent) {
    if (pc == from->rpc && from->depth == from->rdepth) {
        lanes_arrived(&w->split[parent], lanes);
        return 0;
    }
    int i = new_split(w);
    if (i >= 0) {
        w->split[i] = (split){.pc = pc,
                              .rpc = from->rpc,
                              .mask = lanes,
                              .parent = (int16_t)parent,
                              .state = SPLIT_RUN,
                              .depth = from->depth,
                              .rdepth = from->rdepth};
    }
    return i;
}

const op *vg_diverge(warp *w, const op *o, uint32_t taken) {
    return vg_part(w, o, taken, o->target, o + 1);
}

const op *vg_part(warp *w, const op *o, uint32_t taken, const op *there, const op *here) {
    if (w->worker->entered != NULL)
        w->worker->entered[(size_t)o->slot * VG_ENTERED + VG_ENTERED_SPLITS]++;
    const uint32_t other = w->mask & ~taken;
    const op *const meet = o->join;
    split *s = &w->split[w->current];
    int parent = w->current;
    split child = {.rpc = meet, .depth = s->depth, .rdepth = s->depth};
    if (meet == NULL || (s->rpc == meet && s->rdepth == s->depth)) {
        /* The two sides meet where this split ends anyway (or nowhere): no new parent. */
        parent = s->parent;
        child.rpc = s->rpc;
        child.rdepth = s->rdepth;
        s->state = SPLIT_FREE;
    } else {
        s->state = SPLIT_PARENT;
        s->pc = meet;
        s->pending = s->mask;
    }
    if (send_lanes(w, here, &child, other, parent) < 0 ||
        send_lanes(w, there, &child, taken, parent) < 0) {
        return vg_stop(w, o, __builtin_ctz(w->mask), VG_LAUNCH_FAILURE,
                       VG_NOTE(WARP_PARTS, .is.limit = VG_MAX_SPLITS));
    }
    return NULL;
}

const op *vg_exit_lanes(warp *w) {
    const uint32_t gone = w->mask;
    int i = w->current;
    w->split[i].state = SPLIT_FREE;
    w->alive &= ~gone;
    if (w->async != NULL)
        vg_async_exit(w, gone);
    for (i = w->split[i].parent; i >= 0; i = w->split[i].parent) {
        split *s = &w->split[i];
        s->mask &= ~gone;
        s->pending &= ~gone;
        if (s->mask == 0)
            s->state = SPLIT_FREE;
        else if (s->pending == 0 && s->state == SPLIT_PARENT)
            s->state = SPLIT_RUN;
    }
    return NULL;
}

void vg_part_for_good(warp *w) {
    const int count = w->num_splits;
    for (int i = 0; i < count; i++) {
        split *s = &w->split[i];
        const uint32_t here = s->mask & ~s->pending;
        if (s->state != SPLIT_PARENT || here == 0)
            continue;
        const int n = new_split(w);
        if (n < 0)
            return;
        w->split[n] = *s;
        w->split[n].mask = here;
        w->split[n].pending = 0;
        w->split[n].state = SPLIT_RUN;
        s->mask = s->pending;
    }
}

const op *vg_wait(warp *w, const op *o, enum split_state state, const op *resume) {
    split *s = &w->split[w->current];
    s->state = (uint8_t)state;
    s->pc = resume;
    s->at = o;
    return NULL;
}

/* Of the splits that wait where s waits, those that miss nobody: here[] of each, and their lanes.
 * Member masks may differ from lane to lane,
 * so a split that waits in vain may take others with it. */
static uint32_t complete_set(const warp *w, const split *s, bool *here) {
    uint32_t together = 0;
    for (int j = 0; j < w->num_splits; j++) {
        const split *t = &w->split[j];
        here[j] =
            t->state == SPLIT_MEET &&
            (t->at == s->at || (t->at->aux == VG_MEET_ANYWHERE && s->at->aux == VG_MEET_ANYWHERE));
        together |= here[j] ? t->mask : 0;
    }
    for (bool changed = true; changed;) {
        changed = false;
        for (int j = 0; j < w->num_splits; j++) {
            if (here[j] && (w->split[j].want & w->alive & ~together) != 0) {
                here[j] = false;
                together &= ~w->split[j].mask;
                changed = true;
            }
        }
    }
    return together;
}

/*
 * Lanes that a .sync instruction names but that come by different ways meet here. Splits that wait
 * at the same instruction run it together, under one mask; bar.warp.sync, which computes nothing,
 * only needs its lanes to wait at some bar.warp.sync.
 */
bool vg_warp_meet(warp *w) {
    for (int i = 0; i < w->num_splits; i++) {
        split *s = &w->split[i];
        if (s->state != SPLIT_MEET)
            continue;
        bool here[VG_MAX_SPLITS] = {false};
        const uint32_t together = complete_set(w, s, here);
        if (!here[i])
            continue;
        const op *at = s->at;
        w->current = i;
        vg_set_mask(w, together);
        if (at->aux != VG_MEET_ANYWHERE)
            at->fn(w, at);
        else
            vg_tell_warp_sync(w, together);
        for (int j = 0; j < w->num_splits; j++) {
            if (here[j]) {
                w->split[j].state = SPLIT_RUN;
                w->split[j].pc = w->split[j].at + 1;
            }
        }
        return true;
    }
    return false;
}
