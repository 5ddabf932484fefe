/*
 * ops_control.c: branches, calls, barriers, exits. Handlers that return NULL have moved the running
 * split into another state; see simt.c.
 */
#include "vgpu/src/core/natives.h"
#include "vgpu/src/core/observe.h"
#include "vgpu/src/core/ops_lane.h"
#include "vgpu/src/core/optable.h"
#include "vgpu/src/core/predicates.h"

/* Going backwards is what endless kernels do: that is where instructions are paid for. True when
 * the slice is used up. */
static inline bool pay(warp *w, const op *o, const op *target) {
    if (target <= o) {
        w->worker->slice -= o - target + 1;
        return w->worker->slice < 0;
    }
    return false;
}

/* A whole split jumps. After a slice others get their turn: they may be what it is waiting for. */
static inline const op *go(warp *w, const op *o, const op *target) {
    if (!pay(w, o, target))
        return target;
    if (vg_new_slice(w, o, target)) {
        w->split[w->current].pc = target;
        w->worker->turn_over = true;
    }
    return NULL;
}

const op *vg_go(warp *w, const op *o, const op *target) {
    return go(w, o, target);
}

static const op *bra(warp *w, const op *o) {
    return go(w, o, o->target);
}

/* a: the predicate; aux 1: negated */
static const op *bra_if(warp *w, const op *o) {
    const uint32_t p = *pred(w, o->a) ^ (o->aux != 0 ? VG_ALL_LANES : 0);
    const uint32_t taken = p & w->mask;
    if (taken == w->mask)
        return go(w, o, o->target);
    if (taken == 0)
        return o + 1;
    return pay(w, o, o->target) && !vg_new_slice(w, o, o->target) ? NULL : vg_diverge(w, o, taken);
}

/* A place where lanes that parted may meet: heads every block that is some branch's
 * post-dominator. */
static const op *join(warp *w, const op *o) {
    const split *s = &w->split[w->current];
    return s->rpc == o && s->rdepth == s->depth ? vg_arrive(w) : o + 1;
}

static const op *exit_lanes(warp *w, const op *o) {
    (void)o;
    return vg_exit_lanes(w);
}

static const op *call_native(warp *w, const op *o) {
    const native_call *n = o->extra;
    for (uint32_t m = w->mask; m != 0; m &= m - 1)
        if (!vg_native_run(w, o, __builtin_ctz(m), n))
            return NULL;
    return o + 1;
}

/* Runs the next op under a predicate. */
static const op *guard(warp *w, const op *o) {
    const uint32_t p = *pred(w, o->a) ^ (o->aux != 0 ? VG_ALL_LANES : 0);
    const uint32_t before = w->mask, on = p & before;
    if (on == before)
        return o + 1;
    if (on == 0)
        return o + 2;
    vg_set_mask(w, on);
    const op *next = o[1].fn(w, o + 1);
    vg_set_mask(w, before);
    return next;
}

/* Observed programs: counts the entry into the code block `slot`. */
static void count_entry(warp *w, const op *o, uint32_t lanes) {
    uint64_t *entered = w->worker->entered + (size_t)o->slot * VG_ENTERED;
    entered[VG_ENTERED_TIMES]++;
    entered[VG_ENTERED_LANES] += vg_count_lanes(lanes);
}
static const op *enter(warp *w, const op *o) {
    count_entry(w, o, w->mask);
    return o + 1;
}
static const op *guard_enter(warp *w, const op *o) {
    count_entry(w, o, w->mask & (*pred(w, o->a) ^ (o->aux != 0 ? VG_ALL_LANES : 0)));
    return guard(w, o);
}

/* Counts the active lanes as arrived at the barrier that row a names. NULL: there is no such
 * barrier, and the fault is recorded. */
static barrier *arrive_at(warp *w, const op *o, uint32_t *id) {
    const int first = __builtin_ctz(w->mask);
    *id = row32(w, o->a)[first];
    if (*id >= VG_GRID_BARRIER) {
        vg_stop(w, o, first, VG_ILLEGAL_INSTRUCTION,
                VG_NOTE(BARRIER_NUMBER, .is.count = *id, .is.limit = VG_GRID_BARRIER,
                        .is.number = {VG_GRID_BARRIER - 1}));
        return NULL;
    }
    barrier *b = &w->block->barrier[*id];
    if (o->b == 0) {
        b->arrived += vg_count_lanes(w->mask);
    } else {
        /* Counts of threads are multiples of 32:
         * a warp counts whole, also when lanes of it are gone. */
        b->arrived += w->mask == w->alive ? VG_LANES : vg_count_lanes(w->mask);
        b->expected = row32(w, o->b)[first];
    }
    return b;
}

static bool is_complete(const barrier *b) {
    return b->expected != 0 && b->arrived >= b->expected;
}

/* The running split, which has arrived, waits; unless it was the last that was waited for. */
static const op *wait_at(warp *w, const op *o, uint32_t id) {
    w->split[w->current].barrier = (uint8_t)id;
    vg_wait(w, o, SPLIT_BARRIER, o + 1);
    if (is_complete(&w->block->barrier[id]))
        vg_release_barrier(w->block, id);
    return NULL;
}

/* a: row of the barrier's number, b: row of the thread count or 0 for the whole block */
static const op *bar_sync(warp *w, const op *o) {
    uint32_t id;
    return arrive_at(w, o, &id) != NULL ? wait_at(w, o, id) : NULL;
}

static const op *bar_arrive(warp *w, const op *o) {
    uint32_t id;
    const barrier *b = arrive_at(w, o, &id);
    if (b == NULL)
        return NULL;
    vg_tell_arrive(w, id, w->mask);
    if (is_complete(b))
        vg_release_barrier(w->block, id);
    return o + 1;
}

/* c: the predicate, aux bit 2: negated. bar.result follows and reads what all threads voted. */
static const op *bar_red(warp *w, const op *o) {
    uint32_t id;
    barrier *b = arrive_at(w, o, &id);
    if (b == NULL)
        return NULL;
    const uint32_t p = *pred(w, o->c) ^ ((o->aux & 4) != 0 ? VG_ALL_LANES : 0);
    b->count += (uint32_t)__builtin_popcount(p & w->mask);
    b->voters += (uint32_t)__builtin_popcount(w->mask);
    return wait_at(w, o, id);
}

/* aux: 0 popc (d is a row), 1 and, 2 or (d is a predicate) */
static const op *bar_result(warp *w, const op *o) {
    const uint32_t count = w->split[w->current].count, voters = w->split[w->current].voters;
    if (o->aux == 0) {
        uint32_t *d = row32(w, o->d);
        VG_EACH_LANE(w, d, count);
    } else {
        const bool yes = o->aux == 1 ? count == voters : count != 0;
        put_predicate(w, o->d, yes ? VG_ALL_LANES : 0);
    }
    return o + 1;
}

/* vgpu.grid.sync: all threads of the grid wait for each other */
static const op *grid_sync(warp *w, const op *o) {
    if (!w->worker->launch->params->cooperative)
        return vg_stop(w, o, __builtin_ctz(w->mask), VG_LAUNCH_FAILURE, VG_NOTE(NOT_COOPERATIVE));
    w->block->barrier[VG_GRID_BARRIER].arrived += (uint32_t)__builtin_popcount(w->mask);
    w->split[w->current].barrier = VG_GRID_BARRIER;
    return vg_wait(w, o, SPLIT_BARRIER, o + 1);
}

/* The toolkit's grid.sync() traps where it finds no workspace. */
static const op *trap(warp *w, const op *o) {
    const launch *l = w->worker->launch;
    if (l->program->uses_workspace && !l->params->cooperative)
        return vg_stop(w, o, __builtin_ctz(w->mask), VG_LAUNCH_FAILURE, VG_NOTE(NOT_COOPERATIVE));
    return vg_stop(w, o, __builtin_ctz(w->mask), VG_LAUNCH_FAILURE, VG_NOTE(TRAP));
}

/* membar, fence: lanes of a warp need none, but other workers' processors may reorder. */
static const op *fence(warp *w, const op *o) {
    vg_tell_fenced(w, o, w->mask);
    __atomic_thread_fence(__ATOMIC_SEQ_CST);
    return o + 1;
}

static const op *nothing(warp *w, const op *o) {
    (void)w;
    return o + 1;
}

static const op *unsupported(warp *w, const op *o) {
    return vg_stop(w, o, __builtin_ctz(w->mask), VG_UNSUPPORTED,
                   VG_NOTE(UNKNOWN_INSTRUCTION, .name = o->extra));
}

const op_entry vg_ops_control[] = {
    {"bra", bra, NULL},
    {"bra.if", bra_if, NULL},
    {"join", join, NULL},
    {"exit", exit_lanes, NULL},
    {"call.native", call_native, NULL},
    {"guard", guard, NULL},
    {"guard.enter", guard_enter, NULL},
    {"enter", enter, NULL},
    {"bar.sync", bar_sync, NULL},
    {"bar.arrive", bar_arrive, NULL},
    {"bar.red", bar_red, NULL},
    {"bar.result", bar_result, NULL},
    {"trap", trap, NULL},
    {"grid.sync", grid_sync, NULL},
    {"nop", nothing, NULL},
    {"fence", fence, NULL},
    {"unsupported", unsupported, NULL},
    {"lanes", vg_each_lane, NULL},
    {NULL, NULL, NULL},
};
