/* count.c: see count.h. */
#include "vgpu/src/count/count.h"
#include "vgpu/src/core/optable.h"
#include "vgpu/src/count/access.h"
#include "vgpu/src/count/classify.h"
#include "vgpu/src/count/lanes.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

struct vg_count {
    counting counting; /* first: the callback for accesses knows nothing else */
    vg_observer observer;
    pthread_mutex_t lock;
    vg_log log;
    void (*done)(void *self, bool faulted);
    void *done_self;
    uint64_t memory, peak; /* device memory: bytes in use, the most so far */
};

/* ---- while a kernel runs ---- */

static bool launch_begin(void *self, const launch *l, int workers) {
    vg_count *c = self;
    counting *all = &c->counting;
    const uint64_t used = vg_mem_used(l->params->mem);
    c->memory = used;
    c->peak = used > c->peak ? used : c->peak;
    if (workers > all->num_shares) {
        share *more = realloc(all->shares, (size_t)workers * sizeof *more);
        if (more == NULL)
            return false;
        memset(more + all->num_shares, 0, (size_t)(workers - all->num_shares) * sizeof *more);
        all->shares = more;
        all->num_shares = workers;
    }
    for (int i = 0; i < all->num_shares; i++)
        all->shares[i].used = false;
    return true;
}

/* A block has ended: how much did its warps load? */
static void note_warps(share *s) {
    for (int i = 0; i < VG_MAX_WARPS; i++)
        if (s->loads[i] > 0)
            s->warps[63 - __builtin_clzll(s->loads[i])]++;
    memset(s->loads, 0, sizeof s->loads);
}

/* Loads for each warp that works. One that does less than a 16th of what others do shares no work,
 * whatever it is for; and one of a launch beside it makes those of this launch no smaller. */
static uint64_t loads_each(counting *all, const vg_counts *c) {
    enum { BINS = sizeof all->shares->warps / sizeof *all->shares->warps, WORKING_BINS = 5 };
    uint64_t working = 0;
    int bins = 0;
    for (int bin = BINS - 1; bin >= 0 && bins < WORKING_BINS; bin--) {
        uint64_t here = 0;
        for (int i = 0; i < all->num_shares; i++)
            here += all->shares[i].used ? all->shares[i].warps[bin] : 0;
        working += here;
        bins += working > 0;
    }
    const uint64_t loads = c->v[VGC_GLOBAL_LOAD_REQUESTS] + c->v[VGC_SHARED_LOAD_REQUESTS];
    return working > 0 ? (loads + working - 1) / working : 0;
}

/* A worker's first block of the launch: room for the kernel's instructions, all zeros. */
static void block_begin(void *self, host_thread *wk) {
    share *s = &((vg_count *)self)->counting.shares[wk->id];
    if (s->used) {
        note_warps(s);
        vg_copies_block(&s->copies);
        return;
    }
    const program *p = wk->launch->program;
    const size_t ops = (size_t)p->num_ops;
    s->used = true;
    s->short_barriers = 0;
    memset(s->loads, 0, sizeof s->loads);
    memset(s->warps, 0, sizeof s->warps);
    vg_copies_reset(&s->copies);
    s->ops = p->ops;
    if (ops > s->room) {
        free(s->spots);
        s->spots = calloc(ops, sizeof *s->spots);
        s->room = s->spots == NULL ? 0 : ops;
        return;
    }
    for (size_t i = 0; i < ops; i++) {
        memset(s->spots[i].tally, 0, sizeof s->spots[i].tally);
        s->spots[i].memo.mask = 0;
    }
}

/* A block goes on from a barrier. Threads that have ended are not waited for. */
static void barrier_passed(void *self, block *b, int id) {
    share *s = &((vg_count *)self)->counting.shares[b->warps->worker->id];
    uint32_t alive = 0;
    (void)id;
    for (int i = 0; i < b->num_warps; i++)
        alive += (uint32_t)__builtin_popcount(b->warps[i].alive);
    s->short_barriers += alive < b->num_threads;
}

/* ---- adding up ---- */

/* The counters of a kind of access stand side by side,
 * in the order in which they are added here. */
_Static_assert(VGC_GLOBAL_LOAD_BYTES == VGC_GLOBAL_LOAD_REQUESTS + 2 &&
                   VGC_GLOBAL_ATOMIC_BYTES == VGC_GLOBAL_ATOMIC_REQUESTS + 2,
               "requests, sectors, bytes");
_Static_assert(VGC_SHARED_LOAD_BYTES == VGC_SHARED_LOAD_REQUESTS + 3 &&
                   VGC_SHARED_STORE_BYTES == VGC_SHARED_STORE_REQUESTS + 3,
               "requests, wavefronts, conflicts, bytes");

static void add_global(vg_counts *to, const tally *t) {
    static const enum vg_counter first[] = {[VG_READ] = VGC_GLOBAL_LOAD_REQUESTS,
                                            [VG_WRITE] = VGC_GLOBAL_STORE_REQUESTS,
                                            [VG_ATOMIC] = VGC_GLOBAL_ATOMIC_REQUESTS};
    uint64_t *v = &to->v[first[t->kind]];
    v[0] += t->requests;
    v[1] += t->units;
    v[2] += t->bytes;
    to->v[VGC_SCATTERED_LOAD_BYTES] += t->kind == VG_READ ? t->scattered : 0;
}

static void add_shared(vg_counts *to, const tally *t) {
    if (t->kind == VG_ATOMIC) {
        to->v[VGC_SHARED_ATOMIC_REQUESTS] += t->requests;
        to->v[VGC_SHARED_ATOMIC_BYTES] += t->bytes;
        return;
    }
    uint64_t *v = &to->v[t->kind == VG_READ ? VGC_SHARED_LOAD_REQUESTS : VGC_SHARED_STORE_REQUESTS];
    v[0] += t->requests;
    v[1] += t->units;
    v[2] += t->conflicts;
    v[3] += t->bytes;
    to->v[VGC_SHARED_LOAD_WORDS] += t->kind == VG_READ ? t->words : 0;
    to->v[VGC_OVERLAPPED_LOAD_BYTES] += t->kind == VG_READ ? t->overlapped : 0;
    to->v[VGC_BROUGHT_LOAD_BYTES] += t->kind == VG_READ ? t->brought : 0;
}

static void add_local(vg_counts *to, const tally *t) {
    uint64_t *v = &to->v[t->kind == VG_READ ? VGC_LOCAL_LOAD_REQUESTS : VGC_LOCAL_STORE_REQUESTS];
    v[0] += t->requests;
    v[1] += t->units;
    v[2] += t->bytes;
    to->v[VGC_LOCAL_PINNED_BYTES] += t->pinned;
}

static void add_tally(vg_counts *to, enum place place, const tally *t) {
    switch (place) {
    case IN_GLOBAL: add_global(to, t); break;
    case IN_SHARED: add_shared(to, t); break;
    case IN_LOCAL: add_local(to, t); break;
    default:
        to->v[VGC_CONST_LOAD_REQUESTS] += t->requests;
        to->v[VGC_CONST_LOAD_REPLAYS] += t->units - t->requests;
        to->v[VGC_CONST_LOAD_BYTES] += t->bytes;
        to->v[VGC_CONST_MOVING_BYTES] += t->moving;
    }
}

/* The counts of the source line of an op. */
typedef struct line_table {
    vg_line_counts *lines;
    int *file; /* of lines[i], its number in the module */
    int count, room;
} line_table;

static vg_counts *line_of(line_table *table, const op *o) {
    for (int i = table->count - 1; i >= 0;
         i--) /* neighbours in the program are neighbours in the source */
        if (table->lines[i].line == o->line && table->file[i] == o->file)
            return &table->lines[i].counts;
    if (table->count == table->room) {
        const int room = table->room == 0 ? 64 : 2 * table->room;
        vg_line_counts *lines = realloc(table->lines, (size_t)room * sizeof *lines);
        if (lines == NULL)
            return NULL;
        table->lines = lines;
        int *file = realloc(table->file, (size_t)room * sizeof *file);
        if (file == NULL)
            return NULL;
        table->file = file;
        table->room = room;
    }
    table->lines[table->count] = (vg_line_counts){.file = "", .line = o->line};
    table->file[table->count] = o->file;
    return &table->lines[table->count++].counts;
}

/* Ops that stand for no instruction of the PTX. */
typedef struct helpers {
    op_fn enter, guard_enter, join, guard, branch_if;
} helpers;

static bool is_helper(const helpers *h, const op *o) {
    return o->ptx == NULL || o->fn == h->enter || o->fn == h->guard_enter || o->fn == h->join ||
           o->fn == h->guard;
}

/* What happened in one code block, by all workers. */
typedef struct entries {
    uint64_t times, lanes, splits;
} entries;

static entries entries_of(const host_thread *workers, int num_workers, int block) {
    entries e = {0, 0, 0};
    for (int i = 0; i < num_workers; i++) {
        if (workers[i].entered != NULL) {
            const uint64_t *n = workers[i].entered + (size_t)block * VG_ENTERED;
            e.times += n[VG_ENTERED_TIMES];
            e.lanes += n[VG_ENTERED_LANES];
            e.splits += n[VG_ENTERED_SPLITS];
        }
    }
    return e;
}

/* One instruction, issued `e->times` times by warps and carried out by `lanes` threads. */
static void add_instruction(vg_counts *to, const vg_class *c, const entries *e, uint64_t lanes) {
    to->v[VGC_WARP_INSTRUCTIONS] += e->times;
    to->v[VGC_THREAD_INSTRUCTIONS] += lanes;
    to->v[VGC_BRANCHES] += c->branch ? e->times : 0;
    to->v[VGC_BARRIERS] += c->barrier ? e->times : 0;
    if (c->branch || c->call)
        to->v[VGC_DIVERGENT_BRANCHES] += e->splits;
    if (c->operation == VGC_ASYNC_COPIES) {
        to->v[VGC_ASYNC_COPIES] += e->times;
    } else if (c->operation == VGC_MMA) {
        to->v[VGC_MMA] += e->times;
        to->v[VGC_FLOPS_MMA] += e->times * c->flops;
        to->v[VGC_FLOPS] += e->times * c->flops;
    } else if (c->operation != VGC_COUNT) {
        to->v[c->operation] += lanes * c->elements;
        to->v[VGC_FLOPS] += lanes * c->flops;
    }
}

/*
 * Instructions, from how often each code block was entered. An instruction may have become several
 * ops; its first one counts. @p bar.sync and its like became a branch around a block of their own:
 * warps issue them where the branch is, threads carry them out in that block.
 */
static bool add_blocks(line_table *table, const program *p, const host_thread *workers,
                       int num_workers) {
    const helpers h = {vg_find_op("enter")->fn, vg_find_op("guard.enter")->fn,
                       vg_find_op("join")->fn, vg_find_op("guard")->fn, vg_find_op("bra.if")->fn};
    const ptx_instr *last = NULL;
    entries inner = {0, 0, 0};
    for (int b = 0; b < p->num_blocks; b++) {
        const entries e = entries_of(workers, num_workers, b);
        inner = (entries){0, 0, 0};
        for (int i = p->blocks[b].first; i < p->blocks[b].end; i++) {
            const op *o = &p->ops[i];
            if (is_helper(&h, o) || o->ptx == last)
                continue;
            last = o->ptx;
            const vg_class c = vg_classify(o->ptx);
            const bool around = o->fn == h.branch_if && !c.branch;
            if (around && b + 1 < p->num_blocks)
                inner = entries_of(workers, num_workers, b + 1);
            if (e.times == 0)
                continue;
            vg_counts *to = line_of(table, o);
            if (to == NULL)
                return false;
            add_instruction(to, &c, &e, around ? inner.lanes : e.lanes);
        }
    }
    return true;
}

static bool add_spot(line_table *table, const op *o, const spot *s) {
    for (int place = 0; place < PLACES; place++) {
        const tally *t = &s->tally[place];
        if (t->requests == 0 || (place == IN_LOCAL && vg_classify(o->ptx).argument))
            continue;
        vg_counts *to = line_of(table, o);
        if (to == NULL)
            return false;
        add_tally(to, (enum place)place, t);
    }
    return true;
}

/* What is known of a launch as a whole, and not of its lines; false as below. */
static bool add_whole(vg_counts *to, counting *all) {
    bool complete = true;
    for (int i = 0; i < all->num_shares; i++) {
        share *s = &all->shares[i];
        if (!s->used)
            continue;
        to->v[VGC_SHORT_BARRIERS] += s->short_barriers;
        note_warps(s);
        complete &= !s->copies.failed;
    }
    to->v[VGC_LOADS_EACH] = loads_each(all, to);
    return complete;
}

/* An instruction's accesses to local memory, of worker i; NULL: there are none. */
static tally *local_of(const counting *all, int i, const program *p, int n) {
    const share *s = &all->shares[i];
    tally *t = s->used && s->spots != NULL ? &s->spots[n].tally[IN_LOCAL] : NULL;
    return t != NULL && t->requests > 0 && !vg_classify(p->ops[n].ptx).argument ? t : NULL;
}

/* Is part of this in a place that some instruction works on with an index known only as the kernel
 * runs? */
static bool is_among_pinned(const counting *all, const program *p, const tally *t) {
    for (int i = 0; i < all->num_shares; i++) {
        for (int n = 0; n < p->num_ops; n++) {
            const tally *other = local_of(all, i, p, n);
            if (other != NULL && other->pinned > 0 && t->low < other->high && other->low < t->high)
                return true;
        }
    }
    return false;
}

/* An array is in registers as a whole, or not at all: what one instruction pins is pinned for all
 * others that work on it. */
static void spread_pins(const counting *all, const program *p) {
    for (int i = 0; i < all->num_shares; i++) {
        for (int n = 0; n < p->num_ops; n++) {
            tally *t = local_of(all, i, p, n);
            t = t != NULL && t->pinned < t->bytes ? t : NULL;
            if (t != NULL && is_among_pinned(all, p, t))
                t->held = true;
        }
    }
    for (int i = 0; i < all->num_shares; i++)
        for (int n = 0; n < p->num_ops; n++) {
            tally *t = local_of(all, i, p, n);
            if (t != NULL && t->held)
                t->pinned = t->bytes;
        }
}

/* False when some of it is missing, for want of memory. */
static bool add_accesses(line_table *table, const counting *all, const program *p) {
    bool complete = true;
    spread_pins(all, p);
    for (int i = 0; i < all->num_shares; i++) {
        const share *s = &all->shares[i];
        complete &= !s->used || s->spots != NULL;
        for (int n = 0; s->used && s->spots != NULL && n < p->num_ops; n++)
            complete &= add_spot(table, &p->ops[n], &s->spots[n]);
    }
    return complete;
}

static const char *file_name(vg_log *log, const launch *l, int file) {
    const ptx_module *m = &l->kernel->module->ptx;
    return vg_log_intern(
        log, file >= 0 && file < m->num_files && m->files[file] != NULL ? m->files[file] : "");
}

static char *first_line(const char *text) {
    return strndup(text, strcspn(text, "\n"));
}

static void launch_end(void *self, const launch *l, const host_thread *workers, int num_workers,
                       const vg_fault *fault) {
    vg_count *c = self;
    line_table table = {0};
    vg_launch_record r = {.grid = l->grid,
                          .block = l->block,
                          .dynamic_shared = l->params->dynamic_shared,
                          .static_shared = l->kernel->info.static_shared,
                          .local_bytes = l->kernel->info.local_bytes};
    r.incomplete = !add_blocks(&table, l->program, workers, num_workers);
    r.incomplete |= !add_accesses(&table, &c->counting, l->program);
    r.fault = fault != NULL ? first_line(fault->text) : NULL;
    pthread_mutex_lock(&c->lock);
    r.kernel = vg_log_intern(&c->log, l->kernel->info.pretty);
    r.symbol = vg_log_intern(&c->log, l->kernel->info.name);
    for (int i = 0; i < table.count; i++) {
        table.lines[i].file = file_name(&c->log, l, table.file[i]);
        vg_counts_add(&r.counts, &table.lines[i].counts, 1);
    }
    r.incomplete |= !add_whole(&r.counts, &c->counting);
    r.counts.v[VGC_THREADS] =
        (uint64_t)l->grid.x * l->grid.y * l->grid.z * l->block.x * l->block.y * l->block.z;
    if (table.count > 1)
        qsort(table.lines, (size_t)table.count, sizeof *table.lines, vg_line_order);
    /* The table has room to spare; the log keeps it for long. */
    vg_line_counts *lines =
        realloc(table.lines, (size_t)(table.count + (table.count == 0)) * sizeof *lines);
    r.lines = lines != NULL ? lines : table.lines;
    r.num_lines = table.count;
    vg_log_add(&c->log, &r);
    pthread_mutex_unlock(&c->lock);
    free(table.file);
    if (c->done != NULL)
        c->done(c->done_self, fault != NULL);
}

/* ---- device memory ---- */

static void allocated(void *self, const vg_alloc *a) {
    vg_count *c = self;
    c->memory += a->size;
    c->peak = c->memory > c->peak ? c->memory : c->peak;
}

static void freed(void *self, const vg_alloc *a) {
    vg_count *c = self;
    c->memory -= a->size < c->memory ? a->size : c->memory;
}

/* ---- making and asking ---- */

vg_count *vg_count_create(void) {
    vg_count *c = calloc(1, sizeof *c);
    if (c == NULL)
        return NULL;
    pthread_mutex_init(&c->lock, NULL);
    c->observer = (vg_observer){.name = "counters",
                                .self = c,
                                .launch_begin = launch_begin,
                                .block_begin = block_begin,
                                .access = vg_lane_math_best()->access,
                                .barrier = barrier_passed,
                                .launch_end = launch_end,
                                .allocated = allocated,
                                .freed = freed};
    return c;
}

const vg_observer *vg_count_observer(vg_count *c) {
    return &c->observer;
}

void vg_count_destroy(vg_count *c) {
    if (c == NULL)
        return;
    for (int i = 0; i < c->counting.num_shares; i++) {
        free(c->counting.shares[i].spots);
        vg_copies_free(&c->counting.shares[i].copies);
    }
    free(c->counting.shares);
    vg_log_free(&c->log);
    pthread_mutex_destroy(&c->lock);
    free(c);
}

vg_log *vg_count_lock(vg_count *c) {
    struct timespec limit;
    clock_gettime(CLOCK_MONOTONIC, &limit); /* the time of day may be set meanwhile */
    limit.tv_sec++;
    return pthread_mutex_clocklock(&c->lock, CLOCK_MONOTONIC, &limit) == 0 ? &c->log : NULL;
}

void vg_count_unlock(vg_count *c) {
    pthread_mutex_unlock(&c->lock);
}

void vg_count_on_launch(vg_count *c, void (*done)(void *self, bool faulted), void *self) {
    c->done = done;
    c->done_self = self;
}

uint64_t vg_count_peak_memory(const vg_count *c) {
    return c->peak;
}
