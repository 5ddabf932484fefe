/*
 * launch.c: a grid's blocks over the host's threads.
 *
 * Blocks are handed out in order of their linear index. A fault stops the blocks behind it, while
 * those before it are finished: the fault reported is the one of the lowest block, whatever the
 * timing. What happens within a block is block.c's.
 */
#include "vgpu/src/core/launch_parts.h"
#include "vgpu/src/core/ops_async.h"
#include "vgpu/src/core/step.h"

#include <pthread.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_WORKERS = 256 };

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
    host_thread *workers;
    const vg_observer *observers[VG_MAX_OBSERVERS];
    int num_observers;
    const vg_stepper *stepper;
};

bool vg_exec_observe(vg_exec *exec, const vg_observer *observer) {
    if (exec->num_observers == VG_MAX_OBSERVERS)
        return false;
    exec->observers[exec->num_observers++] = observer;
    return true;
}

void vg_exec_step_by(vg_exec *exec, const vg_stepper *stepper) {
    exec->stepper = stepper;
}

bool vg_exec_is_observed(const vg_exec *exec) {
    return exec->num_observers > 0;
}

const vg_observer *const *vg_exec_observers(const vg_exec *exec, int *count) {
    *count = exec->num_observers;
    return exec->observers;
}

/* ---- a worker ---- */

static void free_worker(host_thread *wk) {
    for (int i = 0; wk->block.warps != NULL && i < wk->block.num_warps; i++)
        vg_async_free(wk->block.warps[i].async);
    free(wk->reg_memory);
    free(wk->shared_memory);
    free(wk->local_memory);
    free(wk->stack_memory);
    free(wk->cache);
    free(wk->entered);
    free(wk->permits);
    free(wk->train_permits);
    free(wk->train_last);
    free(wk->noted);
    free(wk->stored);
    free(wk->block.warps);
    free(wk->block.printed.bytes);
    memset(wk, 0, sizeof *wk);
}

static void *aligned(size_t size) {
    void *p = NULL;
    return posix_memalign(&p, 64, size + 64) == 0 ? p : NULL;
}

static bool prepare_worker(host_thread *wk, launch *l, int id) {
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
    wk->train_last = calloc((size_t)k->num_train_bases + 1, sizeof *wk->train_last);
    b->warps = aligned((size_t)b->num_warps * sizeof *b->warps);
    if (b->warps != NULL)
        memset(b->warps, 0, (size_t)b->num_warps * sizeof *b->warps);
    if (l->num_observers > 0) {
        wk->entered = calloc((size_t)k->num_blocks * VG_ENTERED + 1, sizeof *wk->entered);
        wk->permits = calloc((size_t)k->num_slots + 1, sizeof *wk->permits);
        wk->noted = malloc(VG_MOST_NOTED * sizeof *wk->noted);
        wk->stored = aligned(VG_MOST_STORED * sizeof *wk->stored);
        wk->train_permits = calloc((size_t)k->num_train_bases + 1, sizeof *wk->train_permits);
        if (wk->entered == NULL || wk->permits == NULL || wk->train_permits == NULL ||
            wk->noted == NULL || wk->stored == NULL)
            return false;
    }
    if (wk->reg_memory == NULL || wk->shared_memory == NULL || wk->local_memory == NULL ||
        wk->stack_memory == NULL || wk->cache == NULL || wk->train_last == NULL || b->warps == NULL)
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
        vg_fill_constant_rows(w);
    }
    return true;
}

static void record_fault(launch *l, uint64_t linear) {
    uint64_t seen = atomic_load(&l->fault_block);
    while (linear < seen && !atomic_compare_exchange_weak(&l->fault_block, &seen, linear)) {
    }
}

/* The next block; num_blocks: there is none, or one has faulted that comes first. */
static uint64_t take_block(launch *l) {
    const uint64_t turn = atomic_fetch_add(&l->next_block, 1), fault = atomic_load(&l->fault_block);
    if (turn >= l->num_blocks)
        return l->num_blocks;
    if (l->params->backwards)
        return fault == UINT64_MAX ? l->num_blocks - 1 - turn : l->num_blocks;
    return turn > fault ? l->num_blocks : turn;
}

static void work(host_thread *wk, launch *l, int id) {
    if (!prepare_worker(wk, l, id)) {
        if (id == 0) {
            wk->fault_at = 0;
            wk->fault.kernel = l->kernel->info.pretty;
            vg_fault_memory(&wk->fault, "the registers of a block");
            record_fault(l, 0);
        }
        return; /* with less memory, fewer workers do */
    }
    for (;;) {
        const uint64_t linear = take_block(l);
        if (linear == l->num_blocks)
            return;
        vg_tell_progress(wk);
        vg_block_begin(wk, linear);
        vg_block_run(wk); /* nobody waits for the grid: see grid_sync */
        vg_block_end(wk);
        if (wk->faulted) {
            if (wk->fault_at != UINT64_MAX)
                record_fault(l, wk->fault_at);
            return;
        }
        vg_moves(wk);
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
static void report_missing_blocks(host_thread *wk, size_t ended) {
    for (int i = 0; i < wk->block.num_warps; i++) {
        warp *w = &wk->block.warps[i];
        for (int k = 0; k < w->num_splits; k++) {
            if (w->split[k].state == SPLIT_BARRIER) {
                vg_stop(w, w->split[k].at, __builtin_ctz(w->split[k].mask), VG_LAUNCH_TIMEOUT,
                        VG_NOTE(GRID_DEADLOCK, .is.count = ended));
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

/* Can all blocks run at once, and must they? In a cooperative launch they may wait for each other;
 * in others as well, where each has a multiprocessor to itself: nothing promises that, but a GPU
 * does so. */
static bool runs_together(const vg_exec *x, const launch *l) {
    if (l->params->cooperative)
        return true;
    return l->stepper == NULL && l->num_blocks > (uint64_t)x->num_workers &&
           l->num_blocks <= (uint64_t)l->params->sm_count && vg_waits_for_blocks(l->program);
}

/*
 * Blocks that run together: every block has a worker of its own, and all of them take turns on this
 * thread, each until it ends, waits for the grid, or may be spinning on what another block is to
 * write. NULL: out of memory.
 */
static host_thread *run_together(launch *l) {
    const size_t n = (size_t)l->num_blocks;
    host_thread *workers = calloc(n, sizeof *workers);
    bool ok = workers != NULL;
    for (size_t i = 0; ok && i < n; i++) {
        ok = prepare_worker(&workers[i], l, (int)i);
        if (ok)
            vg_block_begin(&workers[i], i);
    }
    size_t left = ok ? n : 0;
    while (left > 0) {
        size_t ended = 0, waiting = 0;
        for (size_t i = 0; i < n; i++) {
            host_thread *wk = &workers[i];
            const enum block_state state = wk->block.done ? BLOCK_ENDED : vg_block_run(wk);
            if (state == BLOCK_ENDED && !wk->block.done) {
                vg_block_end(wk);
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
            host_thread *wk = &workers[i];
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
    const int workers = l->together ? (int)l->num_blocks : x->num_workers;
    for (int n = 0; n < l->num_observers; n++) {
        const vg_observer *obs = l->observers[n];
        if (obs->launch_begin != NULL && !obs->launch_begin(obs->self, l, workers))
            return false;
    }
    return true;
}

static uint32_t watchers(const vg_exec *x) {
    uint32_t bits = 0;
    for (int n = 0; n < x->num_observers; n++)
        bits |= x->observers[n]->access != NULL ? 1u << n : 0;
    return bits;
}

static enum vg_status collect(host_thread *workers, int num_workers, const launch *l,
                              vg_fault *fault) {
    enum vg_status status = VG_OK;
    const uint64_t lowest = atomic_load(&l->fault_block);
    for (int i = 0; i < num_workers; i++) {
        host_thread *wk = &workers[i];
        vg_tell_noted(wk, false); /* of a block that others' fault ended */
        if (lowest != UINT64_MAX && wk->fault_at == lowest && wk->fault.status != VG_OK &&
            status == VG_OK) {
            *fault = wk->fault;
            status = fault->status;
        }
        if (wk->block.printed.len > 0 && !l->params->silent)
            vg_print_now(l->params, &wk->block.printed);
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
    fault->kernel = kernel->info.pretty;
    vg_fault_memory(fault, "a launch");
    return VG_OUT_OF_MEMORY;
}

enum vg_status vg_launch(vg_exec *x, const vg_kernel *kernel, const vg_launch_params *params,
                         vg_fault *fault) {
    launch l = {.kernel = kernel,
                .params = params,
                .program = x->num_observers > 0 ? &kernel->observed : &kernel->plain,
                .observers = x->observers,
                .num_observers = x->num_observers,
                .watchers = watchers(x),
                .stepper = x->stepper,
                .grid = params->grid,
                .block = params->block};
    print_queue prints = {.params = params, .lock = PTHREAD_MUTEX_INITIALIZER};
    vg_launch_params own = *params;
    own.stack_limit = own.stack_limit == 0 ? 1024 : own.stack_limit;
    l.params = &own;
    l.stack_bytes = (uint64_t)l.program->stack_share * own.stack_limit + l.program->largest_frame;
    l.num_blocks = (uint64_t)l.grid.x * l.grid.y * l.grid.z;
    if (params->blocks != 0 && params->blocks < l.num_blocks && !params->cooperative)
        l.num_blocks = params->blocks;
    l.workers = l.num_blocks;
    l.together = runs_together(x, &l);
    if (!l.together && l.workers > (uint64_t)x->num_workers)
        l.workers = (uint64_t)x->num_workers;
    l.prints = l.program->prints && !own.silent ? &prints : NULL;
    uint8_t *block_of_params = param_block(kernel, params->args);
    l.param_block = block_of_params;
    l.shared_ranges = shared_ranges(l.program, params->dynamic_shared);
    l.num_shared_ranges = l.program->num_shared;
    atomic_store(&l.fault_block, UINT64_MAX);
    enum vg_status status = VG_OUT_OF_MEMORY;
    if (l.param_block == NULL || l.shared_ranges == NULL || !tell_begin(x, &l)) {
        status = out_of_memory(kernel, fault);
    } else {
        host_thread *workers = x->workers;
        int num_workers = x->num_workers;
        if (l.together) {
            workers = run_together(&l);
            num_workers = workers != NULL ? (int)l.num_blocks : 0;
        } else {
            run_on_workers(x, &l);
        }
        vg_print_rest(&prints);
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
