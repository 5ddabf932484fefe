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
 * must find something older than the launch, of its own block, or stored by one that did not look:
 * otherwise whoever came first would be blamed for all.
 */
#include "vgpu/src/check/blind.h"
#include "vgpu/src/check/check_parts.h"
#include "vgpu/src/check/copied.h"
#include "vgpu/src/check/gate.h"
#include "vgpu/src/check/written_bits.h"
#include "vgpu/src/core/ops_async.h"
#include "vgpu/src/core/pages.h"
#include "vgpu/src/memory/touched.h"

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
    vg_async_wait wait;  /* and what was waited for */
    uint64_t count;
} init_found;

typedef struct init_worker {
    const init_checker *checker;
    const op *ops;
    vg_copies *copies; /* of the program at hand; NULL until a read misses something */
    own_bits *own;     /* by region; only for kernels with atomics */
    size_t num_own;
    uint64_t *shared;      /* bits of the block's segment; the dynamic array is moved down */
    uint64_t *refilled;    /* what was written, and then a copy into it began; lies behind them */
    uint64_t shared_words; /* room */
    uint64_t static_bytes, dynamic_bytes, used_words;
    uint64_t to_write; /* bytes of all shared arrays (the segment has gaps besides)            */
    uint64_t missing;  /* of those, how many the block has not written yet; 0: none to check   */
    init_found *found;
    bool any_found;
    enum vgpu_says reason; /* of what `note` gets of global memory next */
    char apart[64];        /* no cache line shared with the next worker */
} init_worker;

struct init_checker {
    vg_observer observer;
    vg_notice_fn *notice; /* NULL: nobody wants to know at once */
    void *notice_self;
    vg_findings *findings;
    vg_regions *regions;
    const vg_mem *mem;
    vg_gate *gate;
    init_worker *workers;
    int num_workers;
    bool atomics; /* the kernel at hand has some on global memory */
    bool *blind;  /* by op: exchanges that store; NULL: none does */
};

/* ---- bits ---- */

/* Bytes of one element of what an instruction accesses; vectors are mostly of words. */
static uint32_t element_size(const op *o) {
    return o->bytes == 1 || o->bytes == 2 || o->bytes == 8 ? o->bytes : 4;
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

/* Managed memory: no call tells what the host writes there. A page that it has touched counts as
 * written, one that nobody has touched is not; see touched.h. */
static void note_touched(vg_region *r) {
    size_t page, pages;
    bool any_left = false;
    bool *touched = vg_touched((const void *)(uintptr_t)r->begin, r->end - r->begin, &page, &pages);
    for (size_t i = 0; touched != NULL && i < pages; i++) {
        const uint64_t at = r->begin + i * page, left = r->end - at;
        if (touched[i])
            set_bits(r->written, bit_of(r, at), left < page ? left : page, false);
        any_left |= !touched[i];
    }
    free(touched);
    r->untouched = any_left;
    if (!any_left)
        set_all_written(r);
}

static void recount(vg_region *r) {
    if (!r->all_written && r->untouched)
        note_touched(r);
    if (!r->all_written && r->touched) {
        r->touched = false;
        if (first_missing(r->written, bit_of(r, r->begin), r->end - r->begin) < 0)
            set_all_written(r);
    }
}

/* What the access is to those who read: an exchange may store and no more. */
static enum vg_access_kind kind_of(const init_checker *c, const vg_access *a) {
    return c->blind != NULL && c->blind[a->op - a->warp->worker->launch->program->ops] ? VG_WRITE
                                                                                       : a->kind;
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
static enum vgpu_says why_missing(const init_worker *iw, const warp *w, uint32_t lane, uint64_t at,
                                  vg_async_wait *wait) {
    const uint64_t bit = shared_bit(iw, at, 1);
    switch (vg_async_state(w, lane, at, wait)) {
    case VG_ASYNC_NONE: break;
    case VG_ASYNC_BEFORE_BARRIER:
        return !wait->alike       ? VGPU_COPY_UNDER_WAY
               : wait->group == 0 ? VGPU_COPY_IN_NO_GROUP
               : wait->none_since ? VGPU_COPY_GROUP_MISSING
                                  : VGPU_COPY_LEFT_OPEN;
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
            vg_async_wait wait = {.alike = false};
            const enum vgpu_says says =
                object == SHARED ? why_missing(iw, a->warp, lane, at, &wait) : iw->reason;
            *f = (init_found){a->op, object, at, b->linear, thread, says, wait, count};
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

/* Bytes are missing, and a struct of which others are there is copied: they may be padding. Notes
 * of each lane what is missing, or finds it. limit: bits that there are. */
static bool is_copied(init_worker *iw, const vg_access *a, const vg_lane_run *run,
                      const uint64_t *bits, uint64_t bit, uint64_t limit, uint32_t object) {
    uint32_t before, span;
    if (iw->copies == NULL) {
        iw->copies = vg_copies_create(a->warp->worker->launch->program);
        vg_gate_want_all(iw->checker->gate, a->warp->worker->id); /* loads change what rows hold */
        vg_end_permits(a->warp->worker);
    }
    if (iw->copies == NULL || !vg_copies_span(iw->copies, a->op, &before, &span))
        return false;
    for (uint32_t k = 0; k < run->count; k++) {
        const uint64_t at = bit + (run->same ? 0 : (uint64_t)k * a->size);
        const uint64_t begin = at < before ? 0 : at - before,
                       end = at + span - before < limit ? at + span - before : limit;
        const uint32_t lane = run->lane + k, missing = missing_bytes(bits, at, a->size);
        const bool nothing =
            missing != 0 && count_missing(bits, begin, end - begin, 1) == end - begin;
        vg_copies_note(iw->copies, a, lane, nothing ? 0 : missing);
        if (nothing)
            note(iw, a, object, a->at[lane], lane,
                 count_missing(bits, at, a->size, element_size(a->op)));
    }
    return true;
}

static void fill_shared(init_worker *iw, uint64_t bit, uint64_t size) {
    for (uint64_t at = bit, end = bit + size; at < end;) {
        const uint64_t room = 64 - at % 64, n = end - at < room ? end - at : room;
        const uint64_t fresh = bits_from(at % 64, (uint32_t)n) & ~iw->shared[at / 64];
        iw->shared[at / 64] |= fresh;
        iw->missing -= (uint64_t)__builtin_popcountll(fresh);
        at += n;
    }
}

/* Stores a copy's bytes, those that are there. r: NULL: shared memory. */
static void store_copy(init_worker *iw, const vg_access *a, const vg_lane_run *run, uint64_t bit,
                       vg_region *r) {
    for (uint32_t k = 0; k < run->count; k++) {
        const uint64_t at = bit + (run->same ? 0 : (uint64_t)k * a->size);
        const uint32_t missing = vg_copies_missing(iw->copies, a, run->lane + k);
        for (uint32_t b = 0; b < a->size; b++)
            if ((missing >> b & 1) == 0 && r == NULL)
                fill_shared(iw, at + b, 1);
            else if ((missing >> b & 1) == 0)
                set_bits(r->written, at + b, 1, true);
    }
}

static void shared_run(init_worker *iw, const vg_access *a, const vg_lane_run *run) {
    const enum vg_access_kind kind = kind_of(iw->checker, a);
    const uint32_t lane = run->lane;
    const uint64_t size = bytes_of_run(a, run), bit = shared_bit(iw, a->at[lane], size);
    if (bit == UINT64_MAX)
        return;
    if (kind == VG_ASYNC_BEGIN) {
        forget_bits(iw, bit, size);
        return;
    }
    if (kind == VG_READ || kind == VG_ATOMIC) {
        const int64_t gap = first_missing(iw->shared, bit, size);
        if (gap >= 0 && (kind == VG_ATOMIC ||
                         !is_copied(iw, a, run, iw->shared, bit, 64 * iw->used_words, SHARED))) {
            note(iw, a, SHARED, a->at[lane] + (uint64_t)gap, lane_at(a, run, gap),
                 count_missing(iw->shared, bit, size, element_size(a->op)));
        }
    }
    if (vg_copies_any(iw->copies, a))
        store_copy(iw, a, run, bit, NULL);
    else if (kind != VG_READ)
        fill_shared(iw, bit, size);
}

/* ---- global memory ---- */

/* The first byte that an atomic update finds without a value; see the top. */
static int64_t first_missing_for_atomic(const init_worker *iw, const vg_region *r, uint64_t from,
                                        uint64_t size) {
    const uint64_t *own = iw->own[r->number].bits;
    for (uint64_t i = 0; i < size; i++) {
        const uint64_t word = (from + i) / 64, bit = (from + i) % 64;
        const uint64_t before = __atomic_load_n(&r->before[word], __ATOMIC_ACQUIRE);
        if (((before | (own != NULL ? own[word] : 0)) >> bit & 1) == 0)
            return (int64_t)i;
    }
    return -1;
}

/* Managed memory holds zeros until somebody writes: here the host did, while the kernel runs. Where
 * another block's atomic did, which sets `written` before, it was not the host. */
static bool host_wrote_there(const vg_region *r, uint64_t at, uint32_t size, bool atomic) {
    bool any = false;
    for (uint64_t k = at; r->untouched && k < at + size && k < r->end; k++)
        any |= __atomic_load_n((const uint8_t *)(uintptr_t)k, __ATOMIC_ACQUIRE) != 0;
    if (!any || !atomic)
        return any;
    const uint64_t bit = bit_of(r, at), word = bit / 64;
    if ((__atomic_load_n(&r->written[word], __ATOMIC_ACQUIRE) >> bit % 64 & 1) == 0)
        set_bits(r->before, bit, size, true); /* so it is for all blocks */
    return (__atomic_load_n(&r->before[word], __ATOMIC_ACQUIRE) >> bit % 64 & 1) != 0;
}

static void global_run(const init_checker *c, init_worker *iw, const vg_access *a, vg_region *r,
                       const vg_lane_run *run) {
    const enum vg_access_kind kind = kind_of(c, a);
    const uint32_t lane = run->lane;
    const uint64_t size = bytes_of_run(a, run), bit = bit_of(r, a->at[lane]);
    if (kind != VG_WRITE) {
        const bool atomic = kind == VG_ATOMIC && r->before != NULL;
        const int64_t gap = atomic ? first_missing_for_atomic(iw, r, bit, size)
                                   : first_missing(r->written, bit, size);
        if (gap >= 0 &&
            !host_wrote_there(r, a->at[lane] + (uint64_t)gap, element_size(a->op), atomic) &&
            (kind != VG_READ || r->kind == VG_MEM_MODULE ||
             !is_copied(iw, a, run, r->written, bit, bit_of(r, r->end), r->first + 1))) {
            note(iw, a, r->first + 1, a->at[lane] + (uint64_t)gap, lane_at(a, run, gap),
                 atomic ? 1 : count_missing(r->written, bit, size, element_size(a->op)));
        }
    }
    if (kind != VG_READ) {
        if (c->atomics)
            own_bits_set(&iw->own[r->number], (size_t)r->granules + 1, bit, size);
        if (vg_copies_any(iw->copies, a)) {
            store_copy(iw, a, run, bit, r);
        } else {
            set_bits(r->written, bit, size, true);
            if (kind == VG_WRITE && r->before != NULL)
                set_bits(r->before, bit, size, true);
        }
        if (__atomic_load_n(&r->unit, __ATOMIC_RELAXED) < element_size(a->op))
            __atomic_store_n(&r->unit, element_size(a->op), __ATOMIC_RELAXED);
        if (!__atomic_load_n(&r->touched, __ATOMIC_RELAXED))
            __atomic_store_n(&r->touched, true, __ATOMIC_RELAXED);
    }
}

/* Words in which cudaMemset's bytes still stand are read as words. */
static void look_at_set(init_worker *iw, const vg_access *a, const vg_region *r,
                        const vg_lane_run *run) {
    const uint32_t pattern = r->set_value * 0x01010101u;
    if (a->kind != VG_READ || a->op->ptx == NULL || ptx_type_size(a->op->ptx->type[0]) < 4)
        return;
    for (uint32_t k = 0; k < run->count; k++) {
        const uint64_t at = a->at[run->lane + k];
        const void *word = at >= r->set_from && at + sizeof pattern <= r->set_to
                               ? vg_mem_at(iw->checker->mem, at, sizeof pattern)
                               : NULL;
        if (word == NULL || memcmp(word, &pattern, sizeof pattern) != 0)
            continue;
        iw->reason = VGPU_BYTES_SET;
        note(iw, a, r->first + 1, at, run->lane + k, 1);
        iw->reason = VGPU_NEVER_WRITTEN;
    }
}

static void on_access(void *self, const vg_passed *p) {
    init_checker *c = self;
    const vg_access *a = p->access;
    init_worker *iw = &c->workers[a->warp->worker->id];
    vg_lane_runs runs = p->runs;
    vg_lane_run run;
    if (iw->copies != NULL)
        vg_copies_forget(iw->copies, a);
    if (p->region != NULL && p->region->set_to != 0) {
        vg_lane_runs set_runs = runs;
        while (vg_lane_run_next(&set_runs, &run))
            look_at_set(iw, a, p->region, &run);
    }
    if (p->region != NULL ? p->region->all_written : iw->missing == 0 && a->kind != VG_ASYNC_BEGIN)
        return;
    while (vg_lane_run_next(&runs, &run))
        if (p->region != NULL)
            global_run(c, iw, a, p->region, &run);
        else
            shared_run(iw, a, &run);
}

/* A store into shared memory that is not all written yet, or a read of what is written there. */
static bool on_halves(init_worker *iw, const vg_access *a) {
    const uint32_t half = VG_LANES / 2;
    const uint64_t size = a->halves == VG_HALVES_ONE ? a->size : (uint64_t)half * a->size;
    const uint64_t bit[2] = {shared_bit(iw, a->at[0], size), shared_bit(iw, a->at[half], size)};
    if (bit[0] == UINT64_MAX || bit[1] == UINT64_MAX)
        return false;
    if (a->kind == VG_READ) {
        return first_missing(iw->shared, bit[0], size) < 0 &&
               first_missing(iw->shared, bit[1], size) < 0;
    }
    fill_shared(iw, bit[0], size);
    fill_shared(iw, bit[1], size);
    return true;
}

/* A read of shared memory all of which is written, or a store into it: so it stays until a copy
 * into it begins, or a copy of what is missing. Before that, nothing is permitted. */
static bool on_glance(void *self, const vg_access *a, vg_permit *permit) {
    const init_checker *c = self;
    init_worker *iw = &c->workers[a->warp->worker->id];
    if ((a->kind != VG_READ && a->kind != VG_WRITE) || iw->copies != NULL)
        return false;
    if (iw->missing == 0)
        return true;
    permit->begin = permit->end = 0;
    return on_halves(iw, a);
}

/* ---- blocks and launches ---- */

static void on_block_begin(void *self, host_thread *wk) {
    init_checker *c = self;
    init_worker *iw = &c->workers[wk->id];
    memset(iw->shared, 0, iw->used_words * sizeof *iw->shared);
    memset(iw->refilled, 0, iw->used_words * sizeof *iw->refilled);
    own_bits_forget(iw->own, iw->num_own);
    vg_copies_clear(iw->copies);
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
    own_bits_free(iw->own, iw->num_own);
    iw->own = NULL;
    iw->num_own = 0;
    if (c->atomics) {
        iw->own = calloc(c->regions->count + 1, sizeof *iw->own);
        if (iw->own == NULL)
            return false;
        iw->num_own = c->regions->count;
    }
    iw->checker = c;
    iw->reason = VGPU_NEVER_WRITTEN;
    if (iw->ops != l->program->ops) {
        vg_copies_destroy(iw->copies);
        iw->copies = NULL;
    }
    iw->ops = l->program->ops;
    if (iw->copies != NULL)
        vg_gate_want_all(c->gate, (int)(iw - c->workers));
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
    free(c->blind);
    c->blind = vg_blind_exchanges(l->program);
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

/* What is the matter with an element, and what to do. r: NULL: shared memory. */
static void words_for(const init_found *f, const vg_region *r, const char **why,
                      const char **advice) {
    *why = "has never been written";
    *advice =
        r == NULL ? "shared memory holds no values until the block's own threads store into it"
        : r->kind == VG_MEM_MANAGED
            ? "fresh memory from cudaMallocManaged happens to be zero, which CUDA does not "
              "promise: have the host write it, use cudaMemset, or store before you read"
            : "fresh memory from cudaMalloc holds no values: copy into it, use cudaMemset, or "
              "store before you read (= instead of +=)";
    if (f->says == VGPU_COPY_LEFT_OPEN) {
        *why = "is still on its way: the last wait left its group of copies under way";
        *advice = "let that wait leave fewer groups under way";
    } else if (f->says == VGPU_COPY_GROUP_MISSING) {
        *why = "is still on its way: the last wait left its group of copies under way";
        *advice = "commit a group in every phase, an empty one where nothing is left to copy: "
                  "since the wait before none was committed, and each wait counts them";
    } else if (f->says == VGPU_COPY_IN_NO_GROUP) {
        *why = "is still on its way: its copy was in no group when the thread waited";
        *advice = "commit the copies (cp.async.commit_group, __pipeline_commit) before the wait";
    } else if (f->says == VGPU_COPY_UNDER_WAY) {
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
    char line[300], thread[96], part[160] = "", times[64] = "";
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
    out->fact.count = f->wait.group;
    out->fact.limit = f->wait.left;
    out->element = (f->at - begin) / element_size(f->op);
    out->count = complete ? f->count : 0;
    if (r != NULL && (r->kind == VG_MEM_MODULE || f->says == VGPU_BYTES_SET)) {
        vg_describe_doubt(r, f->says == VGPU_BYTES_SET, out);
        return;
    }
    if (out->count > 1)
        snprintf(times, sizeof times, "\n  seen %" PRIu64 " times in this launch", out->count);
    words_for(f, r, &why, &advice);
    if (r != NULL && r->part_to != 0 && (f->at < r->part_from || f->at >= r->part_to))
        snprintf(part, sizeof part,
                 "\n  the host's last copy or cudaMemset there ended after %" PRIu64
                 " of its %" PRIu64 " bytes: sizes count bytes, elements times sizeof",
                 r->part_to - r->begin, r->end - r->begin);
    snprintf(out->message, sizeof out->message,
             "uninitialised read in kernel %s: element %" PRIu64
             " of %s %s\n  %s: %s by %s\n  %s%s%s",
             out->kernel, out->element, out->object, why,
             vg_site_line(&out->site[0], line, sizeof line), out->site[0].action,
             vg_site_thread(&out->site[0], thread, sizeof thread), advice, part, times);
}

static void tell_now(const init_checker *c, const launch *l, const init_found *f) {
    vg_finding out;
    describe(c, l, f, false, &out);
    if (out.severity == VG_ERROR)
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
    const uint64_t last = vg_last_told(l, fault);
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
    if (r != NULL && addr < r->set_to && addr + size > r->set_from)
        r->set_to = 0;
    if (r == NULL || r->all_written || !vg_region_holds(r, addr, addr + size))
        return;
    if (addr == r->begin && addr + size == r->end) {
        set_all_written(r);
    } else {
        set_bits(r->written, bit_of(r, addr), size, false);
        r->touched = true;
        r->part_from = addr;
        r->part_to = addr + size;
    }
}

/* Larger bytes are chosen for the number that four of them make: 0x7F7F7F7F is a large one. */
enum { MOST_MISTAKEN = 32 };

void init_checker_set(init_checker *c, uint64_t addr, uint64_t size, uint8_t value) {
    vg_region *r = vg_regions_find(c->regions, addr);
    if (r == NULL || value == 0 || value > MOST_MISTAKEN || !vg_region_holds(r, addr, addr + size))
        return;
    r->set_from = addr;
    r->set_to = addr + size;
    r->set_value = value;
}

void init_checker_copied(init_checker *c, uint64_t to, uint64_t from, uint64_t size) {
    vg_region *source =
        vg_regions_follow(c->regions, c->mem) ? vg_regions_find(c->regions, from) : NULL;
    if (source != NULL)
        recount(source);
    if (source == NULL || source->all_written || source->kind == VG_MEM_MODULE ||
        !vg_region_holds(source, from, from + size)) {
        on_host_wrote(c, to, size);
        return;
    }
    vg_region *r = vg_regions_find(c->regions, to);
    if (r == NULL || r->all_written || !vg_region_holds(r, to, to + size))
        return;
    if (r->kind == VG_MEM_MODULE) {
        on_host_wrote(c, to, size);
        return;
    }
    copy_bits(r->written, bit_of(r, to), source->written, bit_of(source, from), size);
    r->touched = true;
}

/* Elements of which no byte is written. Where kernels have stored larger ones, an element is part
 * of such a one: beside what is written, in the same, it may be the padding of a struct. */
static void count_unwritten(const vg_region *r, uint64_t addr, uint64_t width, uint32_t element,
                            vg_unwritten *found) {
    const uint32_t unit = r->unit > element ? r->unit : element;
    if (first_missing(r->written, bit_of(r, addr), width) < 0)
        return;
    for (uint64_t at = addr; at + element <= addr + width; at += element) {
        const uint64_t begin = at - (unit > element ? at % unit : 0),
                       end = begin + unit < r->end ? begin + unit : r->end;
        if (count_missing(r->written, bit_of(r, begin), end - begin, 1) < end - begin)
            continue;
        if (found->count++ == 0)
            found->first = at;
    }
}

bool init_checker_missing(init_checker *c, const vg_read *read, vg_unwritten *found) {
    if (!vg_regions_follow(c->regions, c->mem))
        return false;
    vg_region *r = vg_regions_find(c->regions, read->addr);
    const uint64_t grows = (uint64_t)read->grows;
    const uint64_t end = read->addr + (read->pitch + grows) * (read->rows - 1) + read->width;
    if (r == NULL || r->all_written || r->told_read || r->kind == VG_MEM_MODULE ||
        !vg_region_holds(r, read->addr, end))
        return false;
    recount(r);
    *found = (vg_unwritten){0};
    for (uint64_t row = 0; !r->all_written && row < read->rows; row++)
        count_unwritten(r, read->addr + row * read->pitch, read->width + row * grows, read->element,
                        found);
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
    c->gate = gate;
    vg_gate_add(gate, on_access, on_glance, c);
    vg_gate_add_constants(gate);
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
        own_bits_free(c->workers[i].own, c->workers[i].num_own);
        free(c->workers[i].shared);
        vg_copies_destroy(c->workers[i].copies);
        vg_pages_free(c->workers[i].found);
    }
    free(c->workers);
    free(c->blind);
    free(c);
}
