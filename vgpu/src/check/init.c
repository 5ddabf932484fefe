/*
 * init.c: reads of bytes that nobody has written. A bit a byte tells which ones have been: of
 * global memory for good (vg_region.written; set by kernels' writes, copies and memsets), of shared
 * memory for the block.
 *
 *     memory   |........|........| … 64 bytes          one uint64_t a granule, byte k in bit k
 *     written  |11111111|00000000| …
 *
 * An allocation of which every byte is written, as after the usual cudaMemcpy, costs one comparison
 * an access; so does shared memory once a block has filled it.
 *
 * Blocks run at once: a byte that another block of the same launch has written counts as written.
 * Whether it was written in time is the race checker's question, and a line that has such a race is
 * not told here as well: whether the byte was there yet would be a matter of luck. An atomic update
 * must find something older than the launch, or of its own block: otherwise whoever came first
 * would be blamed for all.
 */
#include "vgpu/src/check/check_parts.h"
#include "vgpu/src/check/gate.h"
#include "vgpu/src/core/ops_async.h"
#include "vgpu/src/core/pages.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { FOUND_SLOTS = 1024, SHARED = 0 };

typedef struct init_found {
    const op *op;    /* NULL: a free slot */
    uint32_t object; /* SHARED, or 1 + the region's number */
    uint64_t at, block;
    uint32_t thread;
    enum vgpu_says says; /* why it is not there: which copy is under way, or none */
    uint64_t count;
} init_found;

/* What the block at hand wrote to a region that had bytes missing at the launch's start. */
typedef struct own_bits {
    uint64_t *bits;                 /* NULL until first needed */
    uint32_t *touched, count, room; /* words of bits that are not zero */
} own_bits;

typedef struct init_worker {
    const init_checker *checker;
    const op *ops;
    own_bits *own; /* by region; only for kernels with atomics */
    size_t num_own;
    uint64_t *shared;      /* bits of the block's segment; the dynamic array is moved down */
    uint64_t *refilled;    /* what was written, and then a copy into it began; lies behind them */
    uint64_t shared_words; /* room */
    uint64_t static_bytes, dynamic_bytes, used_words;
    uint64_t to_write; /* bytes of all shared arrays (the segment has gaps besides)            */
    uint64_t missing;  /* of those, how many the block has not written yet; 0: none to check   */
    init_found *found;
    bool any_found;
    char apart[64]; /* no cache line shared with the next worker */
} init_worker;

struct init_checker {
    vg_observer observer;
    vg_notice_fn *notice; /* NULL: nobody wants to know at once */
    void *notice_self;
    vg_findings *findings;
    vg_regions *regions;
    const vg_mem *mem;
    init_worker *workers;
    int num_workers;
    bool atomics; /* the kernel at hand has some on global memory */
};

/* ---- bits ---- */

/* Bits [first, first + n) of a word; n from 1 to 64 - first. */
static uint64_t bits_from(uint32_t first, uint32_t n) {
    return (n == 64 ? ~UINT64_C(0) : (UINT64_C(1) << n) - 1) << first;
}

static void set_bits(uint64_t *bits, uint64_t from, uint64_t size, bool atomic) {
    for (uint64_t at = from, end = from + size; at < end;) {
        const uint64_t room = 64 - at % 64, n = end - at < room ? end - at : room;
        const uint64_t mask = bits_from(at % 64, (uint32_t)n);
        uint64_t *word = &bits[at / 64];
        if (!atomic)
            *word |= mask;
        else if ((__atomic_load_n(word, __ATOMIC_RELAXED) & mask) != mask)
            __atomic_fetch_or(word, mask, __ATOMIC_RELAXED);
        at += n;
    }
}

/* Offset from `from` of the first byte not written, or -1. */
static int64_t first_missing(const uint64_t *bits, uint64_t from, uint64_t size) {
    for (uint64_t at = from, end = from + size; at < end;) {
        const uint64_t room = 64 - at % 64, n = end - at < room ? end - at : room;
        const uint64_t missing =
            ~__atomic_load_n(&bits[at / 64], __ATOMIC_RELAXED) & bits_from(at % 64, (uint32_t)n);
        if (missing != 0)
            return (int64_t)((at & ~UINT64_C(63)) + (uint64_t)__builtin_ctzll(missing) - from);
        at += n;
    }
    return -1;
}

/* Bytes of one element of what an instruction accesses; vectors are mostly of words. */
static uint32_t element_size(const op *o) {
    return o->bytes == 1 || o->bytes == 2 || o->bytes == 8 ? o->bytes : 4;
}

/* Elements of `size` bytes, not all of whose bytes are written. */
static uint64_t count_missing(const uint64_t *bits, uint64_t from, uint64_t length, uint32_t size) {
    uint64_t n = 0;
    for (uint64_t at = from; at < from + length; at += size)
        n += first_missing(bits, at, size) >= 0;
    return n;
}

/* Bit of a region's byte: regions need not begin at a multiple of 64. */
static uint64_t bit_of(const vg_region *r, uint64_t at) {
    return at - (r->granule0 << VG_GRANULE_SHIFT);
}

static void set_all_written(vg_region *r) {
    r->all_written = true;
    free(r->written); /* for good: what was written stays written */
    free(r->before);
    r->written = r->before = NULL;
}

static void recount(vg_region *r) {
    if (!r->all_written && r->touched) {
        r->touched = false;
        if (first_missing(r->written, bit_of(r, r->begin), r->end - r->begin) < 0)
            set_all_written(r);
    }
}

/* ---- noting ---- */

/* Where an offset of the segment has its bits; UINT64_MAX: nowhere, it is out of bounds. */
static uint64_t shared_bit(const init_worker *iw, uint64_t at, uint64_t size) {
    if (at + size <= iw->static_bytes)
        return at;
    const uint64_t dynamic = at - VG_DYNAMIC_SHARED_OFFSET;
    return at >= VG_DYNAMIC_SHARED_OFFSET && dynamic + size <= iw->dynamic_bytes
               ? (iw->static_bytes + 63) / 64 * 64 + dynamic
               : UINT64_MAX;
}

/* Why a byte of shared memory is not there. A copy into what had been written, and with no barrier
 * since: whoever reads it there reads what it replaces. */
static enum vgpu_says why_missing(const init_worker *iw, const block *b, uint64_t at) {
    const uint64_t bit = shared_bit(iw, at, 1);
    switch (vg_async_state(b, at)) {
    case VG_ASYNC_NONE: break;
    case VG_ASYNC_BEFORE_BARRIER: return VGPU_COPY_UNDER_WAY;
    case VG_ASYNC_SINCE_BARRIER:
        return iw->refilled[bit / 64] >> bit % 64 & 1 ? VGPU_COPY_INTO_USE : VGPU_COPY_UNDER_WAY;
    }
    return VGPU_NEVER_WRITTEN;
}

static void tell_now(const init_checker *c, const launch *l, const init_found *f);

static void note(init_worker *iw, const vg_access *a, uint32_t object, uint64_t at, uint32_t lane,
                 uint64_t count) {
    const block *b = a->warp->block;
    const uint32_t thread = a->warp->index * VG_LANES + lane;
    uint32_t h =
        (uint32_t)((uint64_t)(a->op - iw->ops) * 2654435761u + object * 40503u) % FOUND_SLOTS;
    iw->any_found = true;
    for (uint32_t tries = 0; tries < FOUND_SLOTS; tries++, h = (h + 1) % FOUND_SLOTS) {
        init_found *f = &iw->found[h];
        if (f->op == NULL) {
            const enum vgpu_says says =
                object == SHARED ? why_missing(iw, b, at) : VGPU_NEVER_WRITTEN;
            *f = (init_found){a->op, object, at, b->linear, thread, says, count};
            if (iw->checker->notice != NULL)
                tell_now(iw->checker, a->warp->worker->launch, f);
            return;
        }
        if (f->op == a->op && f->object == object) {
            /* Blocks come in order, and so do a block's accesses: the first is the lowest. */
            f->count += count;
            return;
        }
    }
}

/* ---- shared memory ---- */

static uint64_t bytes_of_run(const vg_access *a, const vg_lane_run *run) {
    return run->same ? a->size : (uint64_t)a->size * run->count;
}

/* The lane of a run that reads the byte `gap` bytes from its start. */
static uint32_t lane_at(const vg_access *a, const vg_lane_run *run, int64_t gap) {
    return run->lane + (run->same ? 0 : (uint32_t)gap / a->size);
}

/* A copy begins: what was there is gone, and what will be is not there yet. */
static void forget_bits(init_worker *iw, uint64_t bit, uint64_t size) {
    for (uint64_t at = bit, end = bit + size; at < end;) {
        const uint64_t room = 64 - at % 64, n = end - at < room ? end - at : room;
        const uint64_t gone = bits_from(at % 64, (uint32_t)n) & iw->shared[at / 64];
        iw->shared[at / 64] &= ~gone;
        iw->refilled[at / 64] |= gone;
        iw->missing += (uint64_t)__builtin_popcountll(gone);
        at += n;
    }
}

static void shared_run(init_worker *iw, const vg_access *a, const vg_lane_run *run) {
    const uint32_t lane = run->lane;
    const uint64_t size = bytes_of_run(a, run), bit = shared_bit(iw, a->at[lane], size);
    if (bit == UINT64_MAX)
        return;
    if (a->kind == VG_ASYNC_BEGIN) {
        forget_bits(iw, bit, size);
        return;
    }
    if (a->kind == VG_READ || a->kind == VG_ATOMIC) {
        const int64_t gap = first_missing(iw->shared, bit, size);
        if (gap >= 0) {
            note(iw, a, SHARED, a->at[lane] + (uint64_t)gap, lane_at(a, run, gap),
                 count_missing(iw->shared, bit, size, element_size(a->op)));
        }
    }
    if (a->kind != VG_READ) {
        const uint64_t end = bit + size;
        for (uint64_t at = bit; at < end;) {
            const uint64_t room = 64 - at % 64, n = end - at < room ? end - at : room;
            const uint64_t fresh = bits_from(at % 64, (uint32_t)n) & ~iw->shared[at / 64];
            iw->shared[at / 64] |= fresh;
            iw->missing -= (uint64_t)__builtin_popcountll(fresh);
            at += n;
        }
    }
}

/* ---- global memory ---- */

/* Notes that the block wrote these bits. Out of memory: an atomic may be told in error of a block
 * that initialised what it updates; better than losing the launch. */
static void set_own_bits(init_worker *iw, const vg_region *r, uint64_t from, uint64_t size) {
    own_bits *own = &iw->own[r->number];
    if (own->bits == NULL)
        own->bits = vg_pages_alloc((size_t)r->granules + 1, sizeof *own->bits);
    for (uint64_t word = from / 64; own->bits != NULL && word <= (from + size - 1) / 64; word++) {
        if (own->bits[word] != 0)
            continue;
        if (own->count == own->room) {
            const uint32_t room = own->room == 0 ? 256 : 2 * own->room;
            uint32_t *touched = realloc(own->touched, room * sizeof *touched);
            if (touched == NULL)
                return;
            own->touched = touched;
            own->room = room;
        }
        own->touched[own->count++] = (uint32_t)word;
    }
    if (own->bits != NULL)
        set_bits(own->bits, from, size, false);
}

static void forget_own_bits(init_worker *iw) {
    for (size_t i = 0; i < iw->num_own; i++) {
        own_bits *own = &iw->own[i];
        for (uint32_t k = 0; k < own->count; k++)
            own->bits[own->touched[k]] = 0;
        own->count = 0;
    }
}

static void free_own_bits(init_worker *iw) {
    for (size_t i = 0; i < iw->num_own; i++) {
        vg_pages_free(iw->own[i].bits);
        free(iw->own[i].touched);
    }
    free(iw->own);
    iw->own = NULL;
    iw->num_own = 0;
}

/* The first byte that an atomic update finds without a value; see the top. */
static int64_t first_missing_for_atomic(const init_worker *iw, const vg_region *r, uint64_t from,
                                        uint64_t size) {
    const uint64_t *own = iw->own[r->number].bits;
    for (uint64_t i = 0; i < size; i++) {
        const uint64_t word = (from + i) / 64, bit = (from + i) % 64;
        if (((r->before[word] | (own != NULL ? own[word] : 0)) >> bit & 1) == 0)
            return (int64_t)i;
    }
    return -1;
}

static void global_run(const init_checker *c, init_worker *iw, const vg_access *a, vg_region *r,
                       const vg_lane_run *run) {
    const uint32_t lane = run->lane;
    const uint64_t size = bytes_of_run(a, run);
    const uint64_t bit = bit_of(r, a->at[lane]);
    if (a->kind != VG_WRITE) {
        const bool atomic = a->kind == VG_ATOMIC && r->before != NULL;
        const int64_t gap = atomic ? first_missing_for_atomic(iw, r, bit, size)
                                   : first_missing(r->written, bit, size);
        if (gap >= 0) {
            note(iw, a, r->first + 1, a->at[lane] + (uint64_t)gap, lane_at(a, run, gap),
                 atomic ? 1 : count_missing(r->written, bit, size, element_size(a->op)));
        }
    }
    if (a->kind != VG_READ) {
        if (c->atomics)
            set_own_bits(iw, r, bit, size);
        set_bits(r->written, bit, size, true);
        if (!__atomic_load_n(&r->touched, __ATOMIC_RELAXED))
            __atomic_store_n(&r->touched, true, __ATOMIC_RELAXED);
    }
}

static void on_access(void *self, const vg_passed *p) {
    init_checker *c = self;
    const vg_access *a = p->access;
    init_worker *iw = &c->workers[a->warp->worker->id];
    vg_lane_runs runs = p->runs;
    vg_lane_run run;
    if (p->region != NULL ? p->region->all_written : iw->missing == 0 && a->kind != VG_ASYNC_BEGIN)
        return;
    while (vg_lane_run_next(&runs, &run))
        if (p->region != NULL)
            global_run(c, iw, a, p->region, &run);
        else
            shared_run(iw, a, &run);
}

/* ---- blocks and launches ---- */

static void on_block_begin(void *self, host_thread *wk) {
    init_checker *c = self;
    init_worker *iw = &c->workers[wk->id];
    memset(iw->shared, 0, iw->used_words * sizeof *iw->shared);
    memset(iw->refilled, 0, iw->used_words * sizeof *iw->refilled);
    forget_own_bits(iw);
    iw->missing = iw->to_write;
}

static bool has_atomics(const program *p) {
    for (int i = 0; i < p->num_ops; i++) {
        const op *o = &p->ops[i];
        if (o->plain != NULL && o->access == VG_ATOMIC &&
            (o->space == PS_GLOBAL || o->space == PS_GENERIC))
            return true;
    }
    return false;
}

/* Keeps what was written before the launch, for atomics to look at. */
static bool keep_before(const init_checker *c) {
    for (size_t i = 0; c->atomics && i < c->regions->count; i++) {
        vg_region *r = c->regions->at[i];
        if (r->all_written)
            continue;
        if (r->before == NULL)
            r->before = calloc((size_t)r->granules + 1, sizeof *r->before);
        if (r->before == NULL)
            return false;
        memcpy(r->before, r->written, (size_t)r->granules * sizeof *r->before);
    }
    return true;
}

static bool begin_worker(const init_checker *c, init_worker *iw, const launch *l) {
    free_own_bits(iw);
    if (c->atomics) {
        iw->own = calloc(c->regions->count + 1, sizeof *iw->own);
        if (iw->own == NULL)
            return false;
        iw->num_own = c->regions->count;
    }
    iw->checker = c;
    iw->ops = l->program->ops;
    iw->static_bytes = l->program->shared_span;
    iw->dynamic_bytes = l->params->dynamic_shared;
    iw->to_write = iw->dynamic_bytes;
    for (int i = 0; i < l->program->num_shared; i++)
        iw->to_write += l->program->shared[i].size;
    iw->used_words = (iw->static_bytes + 63) / 64 + (iw->dynamic_bytes + 63) / 64;
    if (iw->used_words + 1 > iw->shared_words) {
        free(iw->shared);
        iw->shared_words = iw->used_words + 1;
        iw->shared = calloc(2 * iw->shared_words, sizeof *iw->shared);
    }
    iw->refilled = iw->shared != NULL ? iw->shared + iw->shared_words : NULL;
    if (iw->found == NULL)
        iw->found = vg_pages_alloc(FOUND_SLOTS, sizeof *iw->found);
    return iw->shared != NULL && iw->found != NULL;
}

static bool on_launch_begin(void *self, const launch *l, int workers) {
    init_checker *c = self;
    if (workers > c->num_workers) {
        init_worker *more = realloc(c->workers, (size_t)workers * sizeof *more);
        if (more == NULL)
            return false;
        memset(more + c->num_workers, 0, (size_t)(workers - c->num_workers) * sizeof *more);
        c->workers = more;
        c->num_workers = workers;
    }
    for (size_t i = 0; i < c->regions->count; i++)
        recount(c->regions->at[i]);
    c->atomics = has_atomics(l->program);
    bool ok = keep_before(c);
    for (int i = 0; ok && i < c->num_workers; i++)
        ok = begin_worker(c, &c->workers[i], l);
    return ok;
}

static const vg_region *region_by_object(const init_checker *c, uint32_t object) {
    for (size_t i = 0; i < c->regions->count; i++)
        if (c->regions->at[i]->first + 1 == object)
            return c->regions->at[i];
    return NULL;
}

/* What is the matter with an element, and what to do. */
static void words_for(const init_found *f, const char **why, const char **advice) {
    *why = "has never been written";
    *advice =
        f->object == SHARED
            ? "shared memory holds no values until the block's own threads store into it"
            : "fresh memory from cudaMalloc holds no values: copy into it, use cudaMemset, or "
              "store before you read (= instead of +=)";
    if (f->says == VGPU_COPY_UNDER_WAY) {
        *why = "is still on its way: an asynchronous copy has not been waited for";
        *advice =
            "before reading, wait for the copy (cp.async.wait_group, __pipeline_wait_prior …) "
            "and, if other threads copy, call __syncthreads()";
    } else if (f->says == VGPU_COPY_INTO_USE) {
        *why = "is being replaced: an asynchronous copy into it has begun, with no __syncthreads() "
               "since";
        *advice = "a copy may only begin when nobody reads any more what lies there: call "
                  "__syncthreads() before it, or read from another buffer";
    }
}

/* What is found, in words; complete: and how often. */
static void describe(const init_checker *c, const launch *l, const init_found *f, bool complete,
                     vg_finding *out) {
    char line[300], thread[96], times[64] = "";
    const char *why, *advice;
    const bool atomic = f->op->access == VG_ATOMIC;
    uint64_t begin = 0;
    const vg_region *r = f->object == SHARED ? NULL : region_by_object(c, f->object);
    *out = (vg_finding){.kind = VGPU_FOUND_UNINITIALIZED,
                        .severity = VG_ERROR,
                        .num_sites = 1,
                        .has_element = true};
    snprintf(out->kernel, sizeof out->kernel, "%s", l->kernel->info.pretty);
    vg_site_fill(&out->site[0], l, f->op, f->block, f->thread,
                 atomic ? "updated atomically" : "read");
    if (r != NULL) {
        vg_name_global(l, r, out);
        begin = r->begin;
    } else {
        vg_name_shared(l, f->at, &begin, out);
    }
    out->fact.says = f->says;
    out->element = (f->at - begin) / element_size(f->op);
    out->count = complete ? f->count : 0;
    if (out->count > 1)
        snprintf(times, sizeof times, "\n  seen %" PRIu64 " times in this launch", out->count);
    words_for(f, &why, &advice);
    snprintf(
        out->message, sizeof out->message,
        "uninitialised read in kernel %s: element %" PRIu64 " of %s %s\n  %s: %s by %s\n  %s%s",
        out->kernel, out->element, out->object, why, vg_site_line(&out->site[0], line, sizeof line),
        out->site[0].action, vg_site_thread(&out->site[0], thread, sizeof thread), advice, times);
}

static void tell_now(const init_checker *c, const launch *l, const init_found *f) {
    vg_finding out;
    describe(c, l, f, false, &out);
    c->notice(c->notice_self, &out, 0);
}

static void add_finding(const init_checker *c, const launch *l, const init_found *f,
                        bool complete) {
    vg_finding out;
    describe(c, l, f, complete, &out);
    if (f->object == SHARED || !vg_findings_race_between_blocks(c->findings, &out))
        vg_findings_add(c->findings, &out);
}

static int compare_found(const void *pa, const void *pb) {
    const init_found *a = pa, *b = pb;
    if (a->op != b->op)
        return a->op < b->op ? -1 : 1;
    if (a->object != b->object)
        return a->object < b->object ? -1 : 1;
    return a->block != b->block ? (a->block < b->block ? -1 : 1) : 0;
}

static void on_launch_end(void *self, const launch *l, const host_thread *workers, int num_workers,
                          const vg_fault *fault) {
    init_checker *c = self;
    const uint64_t last =
        fault != NULL
            ? ((uint64_t)fault->block.z * l->grid.y + fault->block.y) * l->grid.x + fault->block.x
            : UINT64_MAX;
    size_t count = 0;
    (void)workers;
    (void)num_workers;
    init_found *all = vg_pages_alloc((size_t)c->num_workers * FOUND_SLOTS, sizeof *all);
    for (int i = 0; i < c->num_workers; i++) {
        init_worker *iw = &c->workers[i];
        for (int k = 0; iw->any_found && all != NULL && k < FOUND_SLOTS; k++)
            if (iw->found[k].op != NULL && iw->found[k].block <= last)
                all[count++] = iw->found[k];
        if (iw->any_found) {
            memset(iw->found, 0, FOUND_SLOTS * sizeof *iw->found);
            iw->any_found = false;
        }
    }
    if (count > 0)
        qsort(all, count, sizeof *all, compare_found);
    for (size_t i = 0; i < count; i++) { /* the lowest block's example, everybody's count */
        init_found f = all[i];
        while (i + 1 < count && all[i + 1].op == f.op && all[i + 1].object == f.object)
            f.count += all[++i].count;
        add_finding(c, l, &f, fault == NULL);
    }
    vg_pages_free(all);
}

/* ---- the host's side ---- */

static void on_host_wrote(void *self, uint64_t addr, uint64_t size) {
    init_checker *c = self;
    if (!vg_regions_follow(c->regions, c->mem))
        return;
    vg_region *r = vg_regions_find(c->regions, addr);
    if (r == NULL || r->all_written || !vg_region_holds(r, addr, addr + size))
        return;
    if (addr == r->begin && addr + size == r->end) {
        set_all_written(r);
    } else {
        set_bits(r->written, bit_of(r, addr), size, false);
        r->touched = true;
    }
}

bool init_checker_missing(init_checker *c, const vg_read *read, vg_unwritten *found) {
    if (!vg_regions_follow(c->regions, c->mem))
        return false;
    vg_region *r = vg_regions_find(c->regions, read->addr);
    const uint64_t end = read->addr + read->pitch * (read->rows - 1) + read->width;
    if (r == NULL || r->all_written || r->told_read || !vg_region_holds(r, read->addr, end))
        return false;
    recount(r);
    *found = (vg_unwritten){0};
    for (uint64_t row = 0; !r->all_written && row < read->rows; row++) {
        const uint64_t bit = bit_of(r, read->addr + row * read->pitch);
        const int64_t gap = first_missing(r->written, bit, read->width);
        if (gap < 0)
            continue;
        if (found->count == 0)
            found->first = read->addr + row * read->pitch + (uint64_t)gap;
        found->count += count_missing(r->written, bit, read->width / read->element * read->element,
                                      read->element);
    }
    r->told_read = found->count > 0;
    return r->told_read;
}

/* ---- the checker ---- */

init_checker *init_checker_create(vg_findings *findings, vg_regions *regions, const vg_mem *mem,
                                  vg_gate *gate) {
    init_checker *c = calloc(1, sizeof *c);
    if (c == NULL)
        return NULL;
    c->findings = findings;
    c->regions = regions;
    c->mem = mem;
    regions->track_written = true;
    vg_gate_add(gate, on_access, c);
    c->observer = (vg_observer){.name = "init",
                                .self = c,
                                .launch_begin = on_launch_begin,
                                .block_begin = on_block_begin,
                                .launch_end = on_launch_end,
                                .host_wrote = on_host_wrote};
    return c;
}

void init_checker_notice(init_checker *c, vg_notice_fn *fn, void *self) {
    c->notice = fn;
    c->notice_self = self;
}

const vg_observer *init_checker_observer(const init_checker *c) {
    return &c->observer;
}

void init_checker_destroy(init_checker *c) {
    if (c == NULL)
        return;
    for (int i = 0; i < c->num_workers; i++) {
        free_own_bits(&c->workers[i]);
        free(c->workers[i].shared);
        vg_pages_free(c->workers[i].found);
    }
    free(c->workers);
    free(c);
}
