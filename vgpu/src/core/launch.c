/*
 * launch.c: a grid's blocks over the worker threads, a block's warps from barrier to barrier.
 *
 * Blocks are handed out in order of their linear index. A fault stops the blocks behind it, while
 * those before it are finished: the fault reported is the one of the lowest block, whatever the
 * timing. What blocks print appears in their order, too.
 *
 * Long, because a block's life is one state machine: start, barriers, copies, calls, faults, end.
 */
#include "vgpu/src/core/observe.h"
#include "vgpu/src/core/ops_async.h"
#include "vgpu/src/core/ops_warp.h"
#include "vgpu/src/core/program.h"

#include <pthread.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum {
    SLICE = 1 << 16,     /* ops between two looks at the budget and the stop flag */
    SPIN_SLICE = 1 << 8, /* the same where threads may be spinning on what others write */
    JUNK = 0xFF,         /* what shared and local memory hold before they are written: NaNs */
    MAX_WORKERS = 256
};

struct vg_exec {
    int num_workers;
    int num_threads; /* started: num_workers - 1, or fewer when the system had no more */
    pthread_t thread[MAX_WORKERS];
    pthread_mutex_t lock;
    pthread_cond_t work, done;
    launch *launch;  /* being run, or NULL */
    uint64_t serial; /* counts launches, so that a thread takes each once */
    int busy;
    bool quit;
    worker *workers;
    const vg_observer *observers[VG_MAX_OBSERVERS];
    int num_observers;
};

/* Calls one callback of every observer that has it. */
#define EACH_OBSERVER(l, callback, ...)                                                            \
    do {                                                                                           \
        for (int n = 0; n < (l)->num_observers; n++) {                                             \
            const vg_observer *obs = (l)->observers[n];                                            \
            if (obs->callback != NULL)                                                             \
                obs->callback(obs->self, __VA_ARGS__);                                             \
        }                                                                                          \
    } while (0)

void vg_tell_warp_sync(warp *w, uint32_t lanes) {
    EACH_OBSERVER(w->worker->launch, warp_sync, w, lanes);
}

void vg_tell_arrive(warp *w, uint32_t id, uint32_t lanes) {
    EACH_OBSERVER(w->worker->launch, arrive, w, (int)id, lanes);
}

bool vg_exec_observe(vg_exec *exec, const vg_observer *observer) {
    if (exec->num_observers == VG_MAX_OBSERVERS)
        return false;
    exec->observers[exec->num_observers++] = observer;
    return true;
}

bool vg_exec_is_observed(const vg_exec *exec) {
    return exec->num_observers > 0;
}

const vg_observer *const *vg_exec_observers(const vg_exec *exec, int *count) {
    *count = exec->num_observers;
    return exec->observers;
}

/* ---- printing in order ---- */

typedef struct print_node {
    struct print_node *next;
    uint64_t block;
    text_buffer text;
} print_node;

typedef struct print_queue {
    pthread_mutex_t lock;
    uint64_t next_block;
    print_node *waiting; /* sorted by block */
} print_queue;

static void print_now(text_buffer *text) {
    if (text->len > 0)
        fwrite(text->bytes, 1, text->len, stdout);
    free(text->bytes);
    *text = (text_buffer){0};
}

static void print_in_order(print_queue *q, uint64_t block_index, text_buffer *text) {
    pthread_mutex_lock(&q->lock);
    if (block_index == q->next_block) {
        print_now(text);
        q->next_block++;
    } else {
        print_node *node = malloc(sizeof *node);
        if (node == NULL) {
            print_now(text); /* out of order beats lost */
        } else {
            print_node **at = &q->waiting;
            while (*at != NULL && (*at)->block < block_index)
                at = &(*at)->next;
            *node = (print_node){.next = *at, .block = block_index, .text = *text};
            *at = node;
            *text = (text_buffer){0};
        }
    }
    while (q->waiting != NULL && q->waiting->block == q->next_block) {
        print_node *node = q->waiting;
        q->waiting = node->next;
        print_now(&node->text);
        free(node);
        q->next_block++;
    }
    pthread_mutex_unlock(&q->lock);
}

static void print_rest(print_queue *q) {
    while (q->waiting != NULL) {
        print_node *node = q->waiting;
        q->waiting = node->next;
        print_now(&node->text);
        free(node);
    }
}

/* ---- a block ---- */

/* Does the loop look at what others may change? */
static bool loop_polls(const op *first, const op *last) {
    for (const op *o = first; o <= last; o++) {
        if (o->ptx == NULL || o->ptx->op == NULL)
            continue;
        const bool load = strcmp(o->ptx->op, "ld") == 0;
        for (int i = 0; load && i < o->ptx->num_mods; i++) {
            const char *mod = o->ptx->mod[i];
            if (strcmp(mod, "volatile") == 0 || strcmp(mod, "relaxed") == 0 ||
                strcmp(mod, "acquire") == 0)
                return true;
        }
        if (strcmp(o->ptx->op, "atom") == 0 || strcmp(o->ptx->op, "mbarrier") == 0)
            return true;
    }
    return false;
}

/*
 * Lanes that spin on a lock or a flag may wait for lanes of their own warp that have left the loop
 * and stand behind it, waiting for them. Hardware (from sm_70 on) lets those go on, and so does
 * this, after a slice; loops that cannot be waiting for anybody run to their end first,
 * as on hardware.
 */
bool vg_new_slice(warp *w, const op *o, const op *target) {
    worker *wk = w->worker;
    if (atomic_load_explicit(&wk->launch->fault_block, memory_order_relaxed) < wk->block.linear) {
        wk->faulted = true; /* a lower block's fault decides; this one's work is void */
        return false;
    }
    const uint64_t budget = wk->launch->params->budget;
    wk->spent += (uint64_t)wk->quantum;
    if (budget != 0 && wk->spent >= budget) {
        vg_stop(
            w, o, __builtin_ctz(w->mask), VG_LAUNCH_TIMEOUT, 0,
            "the kernel does not end: this block has run %llu thousand warp instructions and is "
            "still in the loop here",
            (unsigned long long)(wk->spent / 1000));
        return false;
    }
    const bool polls = loop_polls(target, o);
    if (polls)
        vg_part_for_good(w);
    wk->quantum = polls ? SPIN_SLICE : wk->slice_ops;
    wk->slice += wk->quantum;
    return true;
}

uint64_t vg_clock(const worker *wk, bool nanoseconds) {
    if (nanoseconds) {
        struct timespec t;
        clock_gettime(CLOCK_REALTIME, &t);
        return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
    }
    return wk->spent + (uint64_t)(wk->quantum - wk->slice);
}

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

/* Rows that stay the same for all blocks of the launch. */
static void fill_constant_rows(warp *w) {
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

static uint32_t threads_alive(const block *b) {
    uint32_t n = 0;
    for (int i = 0; i < b->num_warps; i++)
        n += (uint32_t)__builtin_popcount(b->warps[i].alive);
    return n;
}

void vg_release_barrier(block *b, uint32_t id) {
    EACH_OBSERVER(b->warps->worker->launch, barrier, b, (int)id);
    barrier *bar = &b->barrier[id];
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
    if (waiting == NULL) { /* only lanes of one warp that wait for each other */
        warp *w = missing != NULL ? missing : &b->warps[0];
        const op *o = w->worker->launch->program->ops;
        for (int s = 0; s < w->num_splits; s++)
            o = w->split[s].state == SPLIT_MEET ? w->split[s].at : o;
        vg_stop(w, o, absent_lanes != 0 ? __builtin_ctz(absent_lanes) : 0, VG_LAUNCH_TIMEOUT, 0,
                "deadlock: a warp-wide operation (__syncwarp, __shfl_sync, …) waits for lanes that "
                "never come");
        return;
    }
    const barrier *bar = &b->barrier[at->barrier];
    if (missing == NULL && bar->expected > bar->arrived && arrived == bar->arrived) {
        vg_stop(waiting, at->at, __builtin_ctz(at->mask), VG_LAUNCH_TIMEOUT, 0,
                "deadlock: this barrier waits for %u threads, and the %u that are left have all "
                "arrived",
                bar->expected, arrived);
        return;
    }
    if (missing == NULL) {
        vg_stop(waiting, at->at, __builtin_ctz(at->mask), VG_LAUNCH_TIMEOUT, 0,
                "deadlock: all %u threads of the block wait, but at different barriers", arrived);
        return;
    }
    const int lane = __builtin_ctz(absent_lanes);
    const vg_dim3 t = vg_thread_of(missing, lane);
    vg_stop(
        waiting, at->at, __builtin_ctz(at->mask), VG_LAUNCH_TIMEOUT, 0,
        "deadlock at a barrier: %u of the block's %u threads wait at this %s, but thread "
        "(%u,%u,%u) never reaches it. Every thread of a block must reach the same barrier: move it "
        "out of the if or the loop that some threads skip",
        arrived, threads_alive(b),
        at->barrier == VG_GRID_BARRIER ? "grid.sync()" : "__syncthreads()", t.x, t.y, t.z);
}

enum block_state {
    BLOCK_ENDED,   /* all threads have, or one has faulted                       */
    BLOCK_WAITING, /* all threads that are left wait for the grid                */
    BLOCK_TURN     /* cooperative launches: a warp had its slice, others may run */
};

static enum block_state run_warps(worker *wk) {
    block *b = &wk->block;
    const bool cooperative = wk->launch->params->cooperative;
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
                    turn = cooperative;
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

static void begin_block(worker *wk, uint64_t linear) {
    const launch *l = wk->launch;
    block *b = &wk->block;
    b->linear = linear;
    b->index = (vg_dim3){(uint32_t)(linear % l->grid.x), (uint32_t)(linear / l->grid.x % l->grid.y),
                         (uint32_t)(linear / l->grid.x / l->grid.y)};
    memset(b->barrier, 0, sizeof b->barrier);
    b->idle_tests = 0;
    memset(b->shared, JUNK, l->program->shared_span + (size_t)l->params->dynamic_shared);
    wk->slice = wk->quantum = wk->slice_ops;
    wk->spent = 0;
    for (int i = 0; i < b->num_warps; i++) {
        warp *w = &b->warps[i];
        const uint32_t left = b->num_threads - (uint32_t)i * VG_LANES;
        fill_block_rows(w, b->index);
        vg_warp_start(w, l->program->ops, left >= VG_LANES ? VG_ALL_LANES : (1u << left) - 1);
    }
    EACH_OBSERVER(l, block_begin, wk);
}

static void end_block(worker *wk) {
    const launch *l = wk->launch;
    EACH_OBSERVER(l, block_end, wk);
    if (l->prints != NULL)
        print_in_order(l->prints, wk->block.linear, &wk->block.printed);
}

/* ---- a worker ---- */

static void free_worker(worker *wk) {
    for (int i = 0; wk->block.warps != NULL && i < wk->block.num_warps; i++)
        vg_async_free(wk->block.warps[i].async);
    free(wk->reg_memory);
    free(wk->shared_memory);
    free(wk->local_memory);
    free(wk->stack_memory);
    free(wk->cache);
    free(wk->entered);
    free(wk->block.warps);
    free(wk->block.printed.bytes);
    memset(wk, 0, sizeof *wk);
}

static void *aligned(size_t size) {
    void *p = NULL;
    return posix_memalign(&p, 64, size + 64) == 0 ? p : NULL;
}

static bool prepare_worker(worker *wk, launch *l, int id) {
    memset(wk, 0, sizeof *wk);
    wk->launch = l;
    wk->id = id;
    wk->fault_at = UINT64_MAX;
    wk->slice_ops = l->params->cooperative && l->program->uses_workspace ? SPIN_SLICE : SLICE;
    block *b = &wk->block;
    const program *k = l->program;
    b->num_threads = l->block.x * l->block.y * l->block.z;
    b->num_warps = (int)((b->num_threads + VG_LANES - 1) / VG_LANES);
    const size_t file = (k->file_bytes + 63u) & ~(size_t)63;
    const size_t local = (size_t)b->num_warps * VG_LANES * k->local_span;
    const size_t shared = k->shared_span + (size_t)l->params->dynamic_shared;
    wk->reg_memory = aligned(file * (size_t)b->num_warps);
    wk->shared_memory = aligned(shared);
    wk->local_memory = aligned(local);
    wk->stack_memory = aligned((size_t)b->num_warps * VG_LANES * l->stack_bytes);
    wk->cache = calloc((size_t)k->num_slots + 1, sizeof *wk->cache);
    b->warps = aligned((size_t)b->num_warps * sizeof *b->warps);
    if (b->warps != NULL)
        memset(b->warps, 0, (size_t)b->num_warps * sizeof *b->warps);
    if (l->num_observers > 0) {
        wk->entered = calloc((size_t)k->num_blocks * VG_ENTERED + 1, sizeof *wk->entered);
        if (wk->entered == NULL)
            return false;
    }
    if (wk->reg_memory == NULL || wk->shared_memory == NULL || wk->local_memory == NULL ||
        wk->stack_memory == NULL || wk->cache == NULL || b->warps == NULL)
        return false;
    b->shared = wk->shared_memory;
    b->local = wk->local_memory;
    memset(wk->local_memory, JUNK, local);
    memset(wk->reg_memory, 0, file * (size_t)b->num_warps);
    for (int i = 0; i < b->num_warps; i++) {
        warp *w = &b->warps[i];
        w->regs = wk->reg_memory + (size_t)i * file;
        w->block = b;
        w->worker = wk;
        w->index = (uint32_t)i;
        fill_constant_rows(w);
    }
    return true;
}

static void record_fault(launch *l, uint64_t linear) {
    uint64_t seen = atomic_load(&l->fault_block);
    while (linear < seen && !atomic_compare_exchange_weak(&l->fault_block, &seen, linear)) {
    }
}

static void work(worker *wk, launch *l, int id) {
    if (!prepare_worker(wk, l, id)) {
        if (id == 0) {
            wk->fault_at = 0;
            wk->fault.status = VG_OUT_OF_MEMORY;
            wk->fault.kernel = l->kernel->info.pretty;
            snprintf(wk->fault.text, sizeof wk->fault.text,
                     "out of host memory for the registers of a block");
            record_fault(l, 0);
        }
        return; /* with less memory, fewer workers do */
    }
    for (;;) {
        const uint64_t linear = atomic_fetch_add(&l->next_block, 1);
        if (linear >= l->num_blocks || linear > atomic_load(&l->fault_block))
            return;
        begin_block(wk, linear);
        run_warps(wk); /* nobody waits for the grid: see grid_sync */
        end_block(wk);
        if (wk->faulted) {
            if (wk->fault_at != UINT64_MAX)
                record_fault(l, wk->fault_at);
            return;
        }
    }
}

typedef struct thread_start {
    vg_exec *exec;
    int id;
} thread_start;

static void *worker_thread(void *argument) {
    thread_start start = *(thread_start *)argument;
    free(argument);
    vg_exec *x = start.exec;
    uint64_t served = 0;
    pthread_mutex_lock(&x->lock);
    for (;;) {
        while (!x->quit && (x->launch == NULL || x->serial == served))
            pthread_cond_wait(&x->work, &x->lock);
        if (x->quit)
            break;
        served = x->serial;
        launch *l = x->launch;
        pthread_mutex_unlock(&x->lock);
        work(&x->workers[start.id], l, start.id);
        pthread_mutex_lock(&x->lock);
        if (--x->busy == 0)
            pthread_cond_signal(&x->done);
    }
    pthread_mutex_unlock(&x->lock);
    return NULL;
}

static int usable_cores(void) {
    cpu_set_t set;
    const int n = sched_getaffinity(0, sizeof set, &set) == 0 ? CPU_COUNT(&set) : 1;
    return n < 1 ? 1 : n > MAX_WORKERS ? MAX_WORKERS : n;
}

vg_exec *vg_exec_create(int workers) {
    vg_exec *x = calloc(1, sizeof *x);
    if (x == NULL)
        return NULL;
    x->num_workers = workers <= 0 ? usable_cores() : workers > MAX_WORKERS ? MAX_WORKERS : workers;
    x->workers = calloc((size_t)x->num_workers, sizeof *x->workers);
    if (x->workers == NULL) {
        free(x);
        return NULL;
    }
    pthread_mutex_init(&x->lock, NULL);
    pthread_cond_init(&x->work, NULL);
    pthread_cond_init(&x->done, NULL);
    return x;
}

/* Threads are started by the first launch that has work for them. */
static void start_threads(vg_exec *x) {
    while (x->num_threads < x->num_workers - 1) {
        thread_start *start = malloc(sizeof *start);
        if (start == NULL)
            return;
        *start = (thread_start){.exec = x, .id = x->num_threads + 1};
        if (pthread_create(&x->thread[x->num_threads], NULL, worker_thread, start) != 0) {
            free(start);
            x->num_workers = x->num_threads + 1; /* fewer threads: slower, not wrong */
            return;
        }
        x->num_threads++;
    }
}

void vg_exec_destroy(vg_exec *x) {
    if (x == NULL)
        return;
    pthread_mutex_lock(&x->lock);
    x->quit = true;
    pthread_cond_broadcast(&x->work);
    pthread_mutex_unlock(&x->lock);
    for (int i = 0; i < x->num_threads; i++)
        pthread_join(x->thread[i], NULL);
    pthread_mutex_destroy(&x->lock);
    pthread_cond_destroy(&x->work);
    pthread_cond_destroy(&x->done);
    free(x->workers);
    free(x);
}

/* ---- a launch ---- */

/* Blocks wait at grid.sync() for others that are no more. */
static void report_missing_blocks(worker *wk, size_t ended) {
    for (int i = 0; i < wk->block.num_warps; i++) {
        warp *w = &wk->block.warps[i];
        for (int k = 0; k < w->num_splits; k++) {
            if (w->split[k].state == SPLIT_BARRIER) {
                vg_stop(
                    w, w->split[k].at, __builtin_ctz(w->split[k].mask), VG_LAUNCH_TIMEOUT, 0,
                    "deadlock: this block waits at grid.sync(), but %zu blocks have ended without "
                    "it: every thread of the grid must call it",
                    ended);
                return;
            }
        }
    }
}

static void run_on_workers(vg_exec *x, launch *l) {
    const bool alone = l->num_blocks == 1 || x->num_workers == 1;
    if (!alone) {
        pthread_mutex_lock(&x->lock);
        start_threads(x);
        x->launch = l;
        x->serial++;
        x->busy = x->num_threads;
        pthread_cond_broadcast(&x->work);
        pthread_mutex_unlock(&x->lock);
    }
    work(&x->workers[0], l, 0);
    if (!alone) {
        pthread_mutex_lock(&x->lock);
        while (x->busy > 0)
            pthread_cond_wait(&x->done, &x->lock);
        x->launch = NULL;
        pthread_mutex_unlock(&x->lock);
    }
}

/*
 * A cooperative launch: every block has a worker of its own, and all of them take turns on this
 * thread, each until it ends, waits for the grid, or may be spinning on what another block is to
 * write. NULL: out of memory.
 */
static worker *run_together(launch *l) {
    const size_t n = (size_t)l->num_blocks;
    worker *workers = calloc(n, sizeof *workers);
    bool ok = workers != NULL;
    for (size_t i = 0; ok && i < n; i++) {
        ok = prepare_worker(&workers[i], l, (int)i);
        if (ok)
            begin_block(&workers[i], i);
    }
    size_t left = ok ? n : 0;
    while (left > 0) {
        size_t ended = 0, waiting = 0;
        for (size_t i = 0; i < n; i++) {
            worker *wk = &workers[i];
            const enum block_state state = wk->block.done ? BLOCK_ENDED : run_warps(wk);
            if (state == BLOCK_ENDED && !wk->block.done) {
                end_block(wk);
                wk->block.done = true;
            }
            ended += state == BLOCK_ENDED;
            waiting += state == BLOCK_WAITING;
            if (wk->faulted) {
                record_fault(l, wk->fault_at);
                return workers;
            }
        }
        left = n - ended;
        for (size_t i = 0; waiting > 0 && waiting == left && i < n; i++) {
            worker *wk = &workers[i];
            if (wk->block.done)
                continue;
            if (ended > 0) {
                report_missing_blocks(wk, ended);
                record_fault(l, wk->fault_at);
                return workers;
            }
            vg_release_barrier(&wk->block, VG_GRID_BARRIER);
        }
    }
    if (!ok && workers != NULL) {
        for (size_t i = 0; i < n; i++)
            free_worker(&workers[i]);
        free(workers);
        workers = NULL;
    }
    return workers;
}

static bool tell_begin(const vg_exec *x, const launch *l) {
    const int workers = l->params->cooperative ? (int)l->num_blocks : x->num_workers;
    for (int n = 0; n < l->num_observers; n++) {
        const vg_observer *obs = l->observers[n];
        if (obs->launch_begin != NULL && !obs->launch_begin(obs->self, l, workers))
            return false;
    }
    return true;
}

static enum vg_status collect(worker *workers, int num_workers, const launch *l, vg_fault *fault) {
    enum vg_status status = VG_OK;
    const uint64_t lowest = atomic_load(&l->fault_block);
    for (int i = 0; i < num_workers; i++) {
        worker *wk = &workers[i];
        if (lowest != UINT64_MAX && wk->fault_at == lowest && wk->fault.status != VG_OK &&
            status == VG_OK) {
            *fault = wk->fault;
            status = fault->status;
        }
        if (wk->block.printed.len > 0)
            print_now(&wk->block.printed);
    }
    EACH_OBSERVER(l, launch_end, l, workers, num_workers, status != VG_OK ? fault : NULL);
    for (int i = 0; i < num_workers; i++)
        free_worker(&workers[i]);
    return status;
}

static range *shared_ranges(const program *k, uint32_t dynamic_bytes) {
    range *r = calloc((size_t)k->num_shared + 1, sizeof *r);
    for (int i = 0; r != NULL && i < k->num_shared; i++) {
        const placed_var *v = &k->shared[i];
        const bool dynamic = v->var->size == 0;
        r[i].begin = v->offset;
        r[i].end = (uint64_t)v->offset + (dynamic ? dynamic_bytes : v->size);
        /* where the array is, relative to the block's memory: the dynamic one follows the others */
        r[i].delta = dynamic ? (intptr_t)k->shared_span - (intptr_t)v->offset : 0;
    }
    return r;
}

static uint8_t *param_block(const vg_kernel *k, void *const *args) {
    uint8_t *p = calloc(1, k->func->param_bytes + 16u);
    for (int i = 0; p != NULL && i < k->func->num_params; i++)
        memcpy(p + k->func->params[i]->offset, args[i], k->func->params[i]->size);
    return p;
}

static enum vg_status out_of_memory(const vg_kernel *kernel, vg_fault *fault) {
    memset(fault, 0, sizeof *fault);
    fault->status = VG_OUT_OF_MEMORY;
    fault->kernel = kernel->info.pretty;
    snprintf(fault->text, sizeof fault->text, "out of host memory for a launch");
    return VG_OUT_OF_MEMORY;
}

enum vg_status vg_launch(vg_exec *x, const vg_kernel *kernel, const vg_launch_params *params,
                         vg_fault *fault) {
    launch l = {.kernel = kernel,
                .params = params,
                .program = x->num_observers > 0 ? &kernel->observed : &kernel->plain,
                .observers = x->observers,
                .num_observers = x->num_observers,
                .grid = params->grid,
                .block = params->block};
    print_queue prints = {.lock = PTHREAD_MUTEX_INITIALIZER};
    vg_launch_params own = *params;
    own.stack_limit = own.stack_limit == 0 ? 1024 : own.stack_limit;
    l.params = &own;
    l.stack_bytes = (uint64_t)l.program->stack_share * own.stack_limit + l.program->largest_frame;
    l.num_blocks = (uint64_t)l.grid.x * l.grid.y * l.grid.z;
    l.prints = l.program->prints ? &prints : NULL;
    uint8_t *block_of_params = param_block(kernel, params->args);
    l.param_block = block_of_params;
    l.shared_ranges = shared_ranges(l.program, params->dynamic_shared);
    l.num_shared_ranges = l.program->num_shared;
    atomic_store(&l.fault_block, UINT64_MAX);
    enum vg_status status = VG_OUT_OF_MEMORY;
    if (l.param_block == NULL || l.shared_ranges == NULL || !tell_begin(x, &l)) {
        status = out_of_memory(kernel, fault);
    } else {
        worker *workers = x->workers;
        int num_workers = x->num_workers;
        if (own.cooperative) {
            workers = run_together(&l);
            num_workers = workers != NULL ? (int)l.num_blocks : 0;
        } else {
            run_on_workers(x, &l);
        }
        print_rest(&prints);
        status = collect(workers, num_workers, &l, fault);
        if (workers == NULL)
            status = out_of_memory(kernel, fault);
        else if (workers != x->workers)
            free(workers);
        fflush(stdout);
    }
    free(block_of_params);
    free(l.shared_ranges);
    return status;
}
