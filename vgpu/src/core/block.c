/*
 * block.c: a block's warps, from barrier to barrier: what they begin with, whose turn it is, when a
 * barrier goes, and who waits for whom when nothing can go on. Which block, and on which host
 * thread, is launch.c's.
 */
#include "vgpu/src/core/launch_parts.h"
#include "vgpu/src/core/opcodes.h"
#include "vgpu/src/core/ops_async.h"
#include "vgpu/src/core/ops_warp.h"

#include <string.h>
#include <time.h>

void vg_tell_warp_sync(warp *w, uint32_t lanes) {
    vg_tell_noted(w->worker, false);
    EACH_OBSERVER(w->worker->launch, warp_sync, w, lanes);
}

void vg_tell_fenced(warp *w, const op *o, uint32_t lanes) {
    vg_tell_noted(w->worker, false);
    EACH_OBSERVER(w->worker->launch, fenced, w, o, lanes);
}

void vg_tell_divided(warp *w, const op *o, uint32_t lanes) {
    EACH_OBSERVER(w->worker->launch, divided, w, o, lanes);
}

void vg_tell_odd_lanes(warp *w, const op *o, uint32_t lanes, enum vgpu_says what) {
    EACH_OBSERVER(w->worker->launch, odd_lanes, w, o, lanes, what);
}

void vg_tell_noted(host_thread *wk, bool before_barrier) {
    if (wk->num_noted > 0)
        EACH_OBSERVER(wk->launch, noted, wk, before_barrier);
    wk->num_noted = wk->num_stored = wk->reading_warps = wk->storing_warps = 0;
}

void vg_tell_arrive(warp *w, uint32_t id, uint32_t lanes) {
    vg_tell_noted(w->worker, false);
    EACH_OBSERVER(w->worker->launch, arrive, w, (int)id, lanes);
}

void vg_tell_lanes(warp *w, const op *o, enum vg_access_kind kind, enum ptx_space space,
                   uint32_t lanes, uint32_t size, const uint64_t *at) {
    uint64_t address[VG_LANES];
    if (lanes == 0 || o->plain == NULL)
        return;
    const uint64_t first = at[__builtin_ctz(lanes)];
    bool same = true, next = true;
    for (int i = 0; i < VG_LANES; i++) {
        address[i] = (lanes >> i & 1) != 0 ? at[i] : first;
        same &= address[i] == first;
        next &= address[i] == first + (uint64_t)i * size;
    }
    const enum vg_pattern pattern = lanes != VG_ALL_LANES ? VG_PATTERN_ANY
                                    : same                ? VG_PATTERN_ONE
                                    : next                ? VG_PATTERN_NEIGHBOURS
                                                          : VG_PATTERN_ANY;
    const vg_access a = {.warp = w,
                         .op = o,
                         .kind = kind,
                         .space = space,
                         .mask = lanes,
                         .size = size,
                         .pattern = pattern,
                         .halves = pattern == VG_PATTERN_ONE          ? VG_HALVES_ONE
                                   : pattern == VG_PATTERN_NEIGHBOURS ? VG_HALVES_NEIGHBOURS
                                                                      : VG_HALVES_ANY,
                         .at = address};
    vg_tell_noted(w->worker, false);
    if (kind == VG_ASYNC_BEGIN)
        vg_end_permits(w->worker); /* what was written is so no longer */
    EACH_OBSERVER(w->worker->launch, access, &a);
}

/* ---- slices ---- */

void vg_tell_progress(const host_thread *wk) {
    const vg_launch_params *p = wk->launch->params;
    if (p->progress != NULL && wk->id == 0)
        p->progress(p->progress_self, atomic_load(&wk->launch->next_block));
}

/* What a loop looks at that others may change. Who waits at a barrier in shared memory alone is
 * told by what comes to pass there (hopeless in ops_mbarrier.c), not by what stands still. */
enum polls { POLLS_NOTHING, POLLS_BARRIER, POLLS_VALUES };

static enum polls polls_of(const op *first, const op *last) {
    enum polls found = POLLS_NOTHING;
    for (const op *o = first; o <= last; o++) {
        if (o->ptx == NULL)
            continue;
        const enum ptx_memory memory = o->ptx->code->memory;
        const enum ptx_order order = o->ptx->order;
        if (memory == MEM_LOAD &&
            (order == ORDER_VOLATILE || order == ORDER_RELAXED || order == ORDER_ACQUIRE))
            return POLLS_VALUES;
        if (memory == MEM_ATOMIC)
            return POLLS_VALUES;
        if (memory == MEM_MBAR)
            found = POLLS_BARRIER;
    }
    return found;
}

/* The rows that decide whether the loop of branch `o` goes on; NULL: not known. */
static const loop_rows *rows_of_loop(const program *p, const op *o) {
    if (o->ptx == NULL || o->ptx->code->flow != GOES_TO_LABEL || o->c == 0)
        return NULL;
    return p->loops[o->c - 1];
}

static const loop_rows *deciding_rows(const warp *w, const op *o) {
    return rows_of_loop(w->worker->launch->program, o);
}

static bool decides_loop(const loop_rows *rows, uint32_t row) {
    for (int i = 0; i < rows->count; i++)
        if (rows->row[i].row == row)
            return true;
    return false;
}

/* Who wants a lock waits for one that has begun: its holder goes on without the others. */
static bool takes_lock(const ptx_instr *in) {
    return in->code->memory == MEM_ATOMIC && (in->atom == ATOM_CAS || in->atom == ATOM_EXCH);
}

/* Does a loop go on or end by what this access reads, outside of the block's own memory? */
static bool decides_a_loop(const program *p, const op *looks) {
    if (looks->ptx == NULL || looks->space == PS_SHARED || looks->space == PS_LOCAL ||
        polls_of(looks, looks) != POLLS_VALUES)
        return false;
    for (const op *o = looks + 1; o < p->ops + p->num_ops; o++) {
        const loop_rows *rows = rows_of_loop(p, o);
        if (rows != NULL && o->target >= p->ops && o->target <= looks &&
            decides_loop(rows, looks->d))
            return true;
    }
    return false;
}

bool vg_is_polled(const program *p, uint32_t op) {
    return decides_a_loop(p, &p->ops[op]);
}

bool vg_waits_for_blocks(const program *p) {
    for (int i = 0; i < p->num_ops; i++)
        if (decides_a_loop(p, &p->ops[i]) && !takes_lock(p->ops[i].ptx))
            return true;
    return false;
}

static uint64_t mixed(uint64_t h, const uint8_t *bytes, uint32_t count) {
    for (uint32_t i = 0; i < count; i += 4) {
        uint32_t word;
        memcpy(&word, bytes + i, sizeof word);
        h = (h ^ word) * UINT64_C(0x9E3779B97F4A7C15);
        h ^= h >> 32;
    }
    return h;
}

/* What decides whether a loop goes on; where that is not known, all that the warp holds. */
static uint64_t hash_of_registers(const warp *w, const op *o) {
    const uint64_t h = (uint64_t)(uintptr_t)o ^ w->mask;
    const loop_rows *rows = deciding_rows(w, o);
    if (rows == NULL)
        return mixed(h, w->regs, w->worker->launch->program->file_bytes);
    uint64_t all = h;
    for (int i = 0; i < rows->count; i++) {
        const loop_row *r = &rows->row[i];
        all = mixed(all, w->regs + r->row, r->width == 1 ? 4 : r->width * (uint32_t)VG_LANES);
    }
    return all;
}

static uint64_t thread_ns(void) {
    struct timespec t;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

/*
 * A loop that polls, at `o`, goes round once more. True when nothing will ever come of it: for
 * MOST_STILL ops every warp that was looked at, on all workers, spun with the same values in its
 * registers as when it was last looked at, and nobody did anything else. Where ops are dear, as
 * atomics of many lanes are, fewer of them are enough if they took long.
 */
static bool stands_still(warp *w, const op *o) {
    enum { LOOK = 251 }; /* slices; a prime, so that no warp's turn is always missed */
    host_thread *wk = w->worker;
    launch *l = wk->launch;
    if (++wk->spins % LOOK != 0)
        return atomic_load_explicit(&l->still, memory_order_relaxed) >= MOST_STILL;
    const uint64_t now = hash_of_registers(w, o);
    split *spins = &w->split[w->current]; /* others of the warp may spin in turns with it */
    const bool same = now == spins->seen;
    spins->seen = now;
    if (!same) {
        vg_moves(wk);
        return false;
    }
    const uint64_t ns = thread_ns(), took = wk->looked_ns != 0 ? ns - wk->looked_ns : 0;
    wk->looked_ns = ns;
    const uint64_t took_all =
        took + atomic_fetch_add_explicit(&l->still_ns, took, memory_order_relaxed);
    uint64_t more = LOOK * SPIN_SLICE;
    if (took_all >= l->workers * STILL_NS &&
        atomic_load_explicit(&l->still, memory_order_relaxed) >= ENOUGH_STILL)
        more = MOST_STILL;
    return more + atomic_fetch_add_explicit(&l->still, more, memory_order_relaxed) >= MOST_STILL;
}

/*
 * A loop that polls nothing, at `o`, goes round once more. True when what decides whether it goes
 * on has not changed for so long that it never will, though other things have: sums, counters, the
 * memory that it stores to.
 */
static bool goes_round_unchanged(warp *w, const op *o) {
    host_thread *wk = w->worker;
    const uint64_t now = hash_of_registers(w, o);
    split *s = &w->split[w->current];
    if (now != s->seen || wk->round == 0) {
        s->seen = now;
        wk->round = 1;
        wk->round_ns = thread_ns();
        return false;
    }
    wk->round += (uint64_t)wk->quantum;
    return wk->round >= MOST_ROUND ||
           (wk->round >= ENOUGH_ROUND && thread_ns() - wk->round_ns >= ROUND_NS);
}

/* Of all that could go on in the block, is this the lowest? Whichever was looked at when it was
 * clear that the kernel is endless, the same lanes are named in every run. */
static bool is_first_to_run(const warp *w) {
    const warp *first = w->worker->block.warps;
    while (first < w && !vg_warp_runnable(first))
        first++;
    for (int i = 0; first == w && i < w->num_splits; i++)
        if (w->split[i].state == SPLIT_RUN &&
            __builtin_ctz(w->split[i].mask) < __builtin_ctz(w->mask))
            return false;
    return first == w;
}

/* Why a kernel counts as endless. */
enum endless { OVER_BUDGET, NO_WAY_OUT, NOBODY_MOVES, NOTHING_DECIDES };

static bool stop_endless(warp *w, const op *o, enum endless why, uint64_t count) {
    vg_stop(w, o, __builtin_ctz(w->mask), VG_LAUNCH_TIMEOUT,
            VG_NOTE(ENDLESS, .is.count = count / 1000, .is.number = {why}));
    return false;
}

/*
 * Lanes that spin on a lock or a flag may wait for lanes of their own warp that have left the loop
 * and stand behind it, waiting for them. Hardware (from sm_70 on) lets those go on, and so does
 * this, after a slice; loops that cannot be waiting for anybody run to their end first,
 * as on hardware.
 */
bool vg_new_slice(warp *w, const op *o, const op *target) {
    host_thread *wk = w->worker;
    if (atomic_load_explicit(&wk->launch->fault_block, memory_order_relaxed) < wk->block.linear) {
        wk->faulted = true; /* a lower block's fault decides; this one's work is void */
        return false;
    }
    vg_tell_progress(wk);
    const uint64_t budget = wk->launch->params->budget;
    wk->spent += (uint64_t)wk->quantum;
    if (budget != 0 && wk->spent >= budget)
        return stop_endless(w, o, OVER_BUDGET, wk->spent);
    if (o->ptx != NULL && o->ptx->code->flow == GOES_TO_LABEL && o->e == VG_NO_WAY_OUT)
        return stop_endless(w, o, NO_WAY_OUT, wk->spent);
    const enum polls polls = polls_of(target, o);
    if (polls == POLLS_VALUES && stands_still(w, o) && budget != 0 && is_first_to_run(w))
        return stop_endless(w, o, NOBODY_MOVES, MOST_STILL);
    if (polls != POLLS_NOTHING || deciding_rows(w, o) == NULL)
        wk->round = 0;
    else if (goes_round_unchanged(w, o) && budget != 0)
        return stop_endless(w, o, NOTHING_DECIDES, wk->round);
    if (polls != POLLS_NOTHING)
        vg_part_for_good(w);
    else
        vg_moves(wk);
    wk->quantum = polls != POLLS_NOTHING ? SPIN_SLICE : wk->slice_ops;
    wk->slice += wk->quantum;
    return true;
}

uint64_t vg_clock(host_thread *wk, bool nanoseconds) {
    if (nanoseconds) {
        struct timespec t;
        clock_gettime(CLOCK_REALTIME, &t);
        return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
    }
    wk->spent++; /* ops are counted at branches alone: two looks in a row must differ */
    return wk->spent + (uint64_t)(wk->quantum - wk->slice);
}

/* ---- what a block begins with ---- */

static void fill32(warp *w, uint32_t row, uint32_t value) {
    uint32_t *r = row32(w, row);
    for (int i = 0; i < VG_LANES; i++)
        r[i] = value;
}

static uint32_t lane_sreg(const warp *w, enum sreg which, int lane) {
    const launch *l = w->worker->launch;
    const vg_dim3 t = vg_thread_of(w, lane);
    const uint32_t bit = 1u << lane;
    switch (which) {
    case SR_TID_X: return t.x;
    case SR_TID_Y: return t.y;
    case SR_TID_Z: return t.z;
    case SR_NTID_X: return l->block.x;
    case SR_NTID_Y: return l->block.y;
    case SR_NTID_Z: return l->block.z;
    case SR_NCTAID_X: return l->grid.x;
    case SR_NCTAID_Y: return l->grid.y;
    case SR_NCTAID_Z: return l->grid.z;
    case SR_LANEID: return (uint32_t)lane;
    case SR_WARPID: return w->index;
    case SR_NWARPID: return (uint32_t)w->worker->block.num_warps;
    case SR_SMID: return 0; /* which one ran a block would differ from run to run */
    case SR_NSMID: return (uint32_t)l->params->sm_count;
    case SR_LANEMASK_EQ: return bit;
    case SR_LANEMASK_LT: return bit - 1;
    case SR_LANEMASK_LE: return bit | (bit - 1);
    case SR_LANEMASK_GT: return ~(bit | (bit - 1));
    case SR_LANEMASK_GE: return ~(bit - 1);
    case SR_DYNAMIC_SMEM: return l->params->dynamic_shared;
    case SR_TOTAL_SMEM: return l->params->dynamic_shared + l->kernel->info.static_shared;
    case SR_WORKSPACE_HIGH: return (uint32_t)(l->params->workspace >> 32);
    case SR_WORKSPACE_LOW: return (uint32_t)l->params->workspace;
    default: return 0; /* %gridid; %ctaid is set block by block */
    }
}

static uint64_t param_bits(const launch *l, const row_init *init) {
    uint64_t v = 0;
    memcpy(&v, l->param_block + init->payload, init->source_size);
    if (init->sign && init->source_size < 8) {
        const unsigned shift = 64 - 8u * init->source_size;
        v = (uint64_t)((int64_t)(v << shift) >> shift);
    }
    return v;
}

void vg_fill_constant_rows(warp *w) {
    const launch *l = w->worker->launch;
    for (int n = 0; n < l->program->num_inits; n++) {
        const row_init *init = &l->program->inits[n];
        if (init->kind == INIT_SREG) {
            for (int i = 0; i < VG_LANES; i++)
                row32(w, init->row)[i] = lane_sreg(w, (enum sreg)init->payload, i);
            continue;
        }
        const uint64_t bits = init->kind == INIT_PARAM ? param_bits(l, init) : init->payload;
        if (init->width == 1)
            *pred(w, init->row) = (uint32_t)bits;
        else if (init->width == 8)
            for (int i = 0; i < VG_LANES; i++)
                row64(w, init->row)[i] = bits;
        else
            fill32(w, init->row, (uint32_t)bits);
    }
}

static void fill_block_rows(warp *w, vg_dim3 index) {
    const program *k = w->worker->launch->program;
    for (int n = 0; n < k->num_inits; n++) {
        const row_init *init = &k->inits[n];
        if (init->kind == INIT_SREG && init->payload >= SR_CTAID_X && init->payload <= SR_CTAID_Z) {
            fill32(w, init->row,
                   init->payload == SR_CTAID_X   ? index.x
                   : init->payload == SR_CTAID_Y ? index.y
                                                 : index.z);
        }
    }
}

/* ---- barriers ---- */

static uint32_t threads_alive(const block *b) {
    uint32_t n = 0;
    for (int i = 0; i < b->num_warps; i++)
        n += vg_count_lanes(b->warps[i].alive);
    return n;
}

void vg_release_barrier(block *b, uint32_t id) {
    vg_tell_noted(b->warps->worker, true);
    EACH_OBSERVER(b->warps->worker->launch, barrier, b, (int)id);
    barrier *bar = &b->barrier[id];
    b->released++;
    for (int i = 0; i < b->num_warps; i++) {
        warp *w = &b->warps[i];
        for (int k = 0; k < w->num_splits; k++) {
            split *s = &w->split[k];
            if (s->state == SPLIT_BARRIER && s->barrier == id) {
                s->state = SPLIT_RUN;
                s->count = bar->count;
                s->voters = bar->voters;
            }
        }
    }
    *bar = (barrier){0};
}

/* Lets every barrier for the whole block go that all its threads have reached; one for a number of
 * threads goes when the last of them arrives. True if any did. */
static bool release_barriers(block *b) {
    bool any = false;
    for (uint32_t id = 0; id < VG_GRID_BARRIER; id++) {
        const barrier *bar = &b->barrier[id];
        if (bar->arrived > 0 && bar->expected == 0 && bar->arrived >= threads_alive(b)) {
            any = true;
            vg_release_barrier(b, id);
        }
    }
    return any;
}

/* Lanes of this warp that wait for others of it, which never come: they have gone past. False:
 * there are none, or those others wait at a barrier further up, which is then what some lanes skip.
 */
static bool report_lost_meeting(warp *w) {
    const split *waiting = NULL;
    uint32_t here = 0;
    for (int i = 0; i < w->num_splits; i++)
        if (w->split[i].state == SPLIT_MEET && waiting == NULL)
            waiting = &w->split[i];
    if (waiting == NULL)
        return false;
    for (int i = 0; i < w->num_splits; i++)
        if (w->split[i].state == SPLIT_MEET && w->split[i].at == waiting->at)
            here |= w->split[i].mask;
    const uint32_t lost = waiting->want & w->alive & ~here;
    for (int i = 0; i < w->num_splits; i++) {
        const split *s = &w->split[i];
        if (s->state == SPLIT_BARRIER && (s->mask & lost) != 0 && s->at < waiting->at)
            return false;
    }
    const vg_dim3 t = vg_thread_of(w, lost != 0 ? __builtin_ctz(lost) : 0);
    vg_stop(w, waiting->at, __builtin_ctz(waiting->mask), VG_LAUNCH_TIMEOUT,
            VG_NOTE(WARP_DEADLOCK, .is.number = {t.x, t.y, t.z}));
    return true;
}

/* Nothing can go on, yet threads are left: names one that waits and one that it waits for. */
static void report_deadlock(block *b) {
    warp *waiting = NULL, *missing = NULL;
    const split *at = NULL;
    uint32_t arrived = 0, absent_lanes = 0;
    for (int i = 0; i < b->num_warps; i++) {
        warp *w = &b->warps[i];
        uint32_t here = 0;
        for (int s = 0; s < w->num_splits; s++) {
            if (w->split[s].state == SPLIT_BARRIER) {
                here |= w->split[s].mask;
                if (waiting == NULL) {
                    waiting = w;
                    at = &w->split[s];
                }
            }
        }
        arrived += (uint32_t)__builtin_popcount(here);
        if ((w->alive & ~here) != 0 && missing == NULL) {
            missing = w;
            absent_lanes = w->alive & ~here;
        }
    }
    if (missing != NULL && report_lost_meeting(missing))
        return;
    if (waiting == NULL) /* cannot be: who waits for no barrier waits for lanes of the warp */
        return;
    const barrier *bar = &b->barrier[at->barrier];
    if (missing == NULL && bar->expected > bar->arrived && arrived == bar->arrived) {
        vg_stop(waiting, at->at, __builtin_ctz(at->mask), VG_LAUNCH_TIMEOUT,
                VG_NOTE(BARRIER_TOO_FEW, .is.limit = bar->expected, .is.count = arrived));
        return;
    }
    if (missing == NULL) {
        vg_stop(waiting, at->at, __builtin_ctz(at->mask), VG_LAUNCH_TIMEOUT,
                VG_NOTE(BARRIERS_APART, .is.count = arrived));
        return;
    }
    const int lane = __builtin_ctz(absent_lanes);
    const vg_dim3 t = vg_thread_of(missing, lane);
    vg_stop(waiting, at->at, __builtin_ctz(at->mask), VG_LAUNCH_TIMEOUT,
            VG_NOTE(BARRIER_MISSED, .is.count = arrived, .is.limit = threads_alive(b),
                    .is.room = b->num_threads,
                    .name = at->barrier == VG_GRID_BARRIER ? "grid.sync()" : "__syncthreads()",
                    .is.number = {t.x, t.y, t.z}));
}

/* ---- a block's life ---- */

enum block_state vg_block_run(host_thread *wk) {
    block *b = &wk->block;
    const bool together = wk->launch->together;
    for (;;) {
        bool alive = false, ran = false, turn = false;
        for (int i = 0; i < b->num_warps; i++) {
            warp *w = &b->warps[i];
            if (w->alive == 0)
                continue;
            while (vg_warp_runnable(w) || vg_warp_meet(w)) {
                ran = true;
                vg_warp_run(w);
                if (wk->faulted)
                    return BLOCK_ENDED;
                if (wk->turn_over) {
                    wk->turn_over = false;
                    turn = together;
                    break;
                }
            }
            alive |= w->alive != 0;
        }
        if (!alive)
            return BLOCK_ENDED;
        if (!release_barriers(b) && !ran) {
            if (b->barrier[VG_GRID_BARRIER].arrived == threads_alive(b))
                return BLOCK_WAITING;
            report_deadlock(b);
            return BLOCK_ENDED;
        }
        if (turn)
            return BLOCK_TURN;
    }
}

void vg_block_begin(host_thread *wk, uint64_t linear) {
    const launch *l = wk->launch;
    block *b = &wk->block;
    b->linear = linear;
    b->index = (vg_dim3){(uint32_t)(linear % l->grid.x), (uint32_t)(linear / l->grid.x % l->grid.y),
                         (uint32_t)(linear / l->grid.x / l->grid.y)};
    memset(b->barrier, 0, sizeof b->barrier);
    b->idle_tests = 0;
    memset(b->shared, JUNK, l->program->shared_span + (size_t)l->params->dynamic_shared);
    wk->slice = wk->quantum = wk->slice_ops;
    wk->spent = wk->round = 0;
    for (int i = 0; i < b->num_warps; i++) {
        warp *w = &b->warps[i];
        const uint32_t left = b->num_threads - (uint32_t)i * VG_LANES;
        fill_block_rows(w, b->index);
        vg_warp_start(w, l->program->ops, left >= VG_LANES ? VG_ALL_LANES : (1u << left) - 1);
    }
    vg_end_permits(wk);
    EACH_OBSERVER(l, block_begin, wk);
}

void vg_block_end(host_thread *wk) {
    const launch *l = wk->launch;
    vg_tell_noted(wk, true);
    EACH_OBSERVER(l, block_end, wk);
    if (l->prints != NULL)
        vg_print_in_order(l->prints, wk->block.linear, &wk->block.printed);
}
