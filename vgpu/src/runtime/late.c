/*
 * late.c: hides what nobody has waited for; see late.h.
 *
 * An item is the bytes that one piece of work wrote, in runs, with a copy of them. The list is in
 * the order of the work, so that showing it from front to back leaves what was written last.
 */
#include "vgpu/src/runtime/late.h"

#include "vgpu/src/memory/touched.h"
#include "vgpu/src/runtime/early.h"
#include "vgpu/src/runtime/order.h"
#include "vgpu/src/runtime/place.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Hidden bytes at a time, and the memory that is watched while a kernel runs. */
#define LATE_BYTES ((size_t)32 << 20)
/* Pieces of work hidden at a time. */
enum { LATE_ITEMS = 64 };

typedef struct run {
    uint8_t *at;
    size_t length;
    size_t kept; /* where its bytes are in the item's copy */
} run;

typedef struct vg_late_item {
    struct vg_late_item *next;
    vg_moment at;
    run *runs;
    size_t run_count, run_room;
    uint8_t *copy;
    size_t bytes;
    bool shown;
    bool told;             /* that the host touched it too early */
    const uint8_t *source; /* host memory that the work reads; NULL: none that can change */
    size_t source_bytes;
    uint64_t source_hash;
    vg_places called; /* the copy that reads the source */
} item;

/* Memory as it was before a kernel. */
typedef struct vg_late_snapshot {
    uint8_t *at, *before;
    size_t bytes;
    bool fresh; /* managed memory: pages that nobody has touched stay so; see touched.h */
    bool host;  /* the host sees it, too; else: other streams only */
} snapshot;

static void show(item *i) {
    for (size_t r = 0; r < i->run_count; r++)
        memcpy(i->runs[r].at, i->copy + i->runs[r].kept, i->runs[r].length);
    i->shown = true;
}

/* The host is not to store what a kernel reads. */
static void close_read(vg_context *ctx) {
    vg_reader reader;
    const void *place = NULL;
    while (ctx->settings.late && vg_check_next_reader(ctx->check, &place, &reader)) {
        const vg_alloc *a = vg_mem_find(ctx->mem, reader.addr);
        if (a)
            vg_early_close_to_stores(ctx, a->host + (reader.addr - a->addr), reader.bytes);
    }
}

/* From the first hidden byte of an allocation to its last one, the host is not to touch it. */
static void close_hidden(vg_context *ctx) {
    vg_early_open(ctx);
    for (const item *i = ctx->late; i; i = i->next) {
        for (size_t r = 0, next; !i->told && !i->shown && r < i->run_count; r = next) {
            const vg_alloc *a = vg_mem_find(ctx->mem, (uint64_t)(uintptr_t)i->runs[r].at);
            const uint8_t *end = i->runs[r].at + i->runs[r].length;
            for (next = r + 1; a && next < i->run_count && i->runs[next].at >= end &&
                               i->runs[next].at < a->host + a->size;
                 next++)
                end = i->runs[next].at + i->runs[next].length;
            vg_early_close(ctx, i->runs[r].at, (size_t)(end - i->runs[r].at), i);
        }
    }
    close_read(ctx);
}

bool vg_late_touched(vg_context *ctx, const void *work, const uint8_t *at) {
    for (item *i = ctx->late; i; i = i->next)
        for (size_t r = 0; i == work && !i->told && r < i->run_count; r++)
            if (at >= i->runs[r].at && at < i->runs[r].at + i->runs[r].length)
                return i->told = true;
    return false;
}

/* Keeps what is shown, then hides it: all first, as items may overlap. */
static void hide_shown(vg_context *ctx) {
    for (item *i = ctx->late; i; i = i->next)
        for (size_t r = 0; i->shown && r < i->run_count; r++)
            memcpy(i->copy + i->runs[r].kept, i->runs[r].at, i->runs[r].length);
    for (item *i = ctx->late; i; i = i->next) {
        for (size_t r = 0; i->shown && r < i->run_count; r++)
            memset(i->runs[r].at, 0xFF, i->runs[r].length);
        i->shown = false;
    }
    close_hidden(ctx);
}

static void item_free(item *i) {
    free(i->runs);
    free(i->copy);
    free(i);
}

static uint64_t hash_of(const uint8_t *bytes, size_t count) {
    uint64_t hash = UINT64_C(14695981039346656037);
    for (size_t i = 0; i < count; i++)
        hash = (hash ^ bytes[i]) * UINT64_C(1099511628211);
    return hash;
}

static void blame_change(vg_context *ctx, const item *i) {
    char file[256], where[280] = "";
    int line = 0;
    if (vg_place_of_then(&i->called, file, sizeof file, &line))
        snprintf(where, sizeof where, " in %s:%d", file, line);
    vg_blame(ctx, VG_NOTE(COPY_CHANGED, .call = "cudaMemcpyAsync", .is.end = VGPU_SOURCE,
                          .is.size = i->source_bytes, .is.address = (uint64_t)(uintptr_t)i->source,
                          .name = where));
}

/* Takes the item behind *at out of the list; its bytes are everybody's now. */
static void settle(vg_context *ctx, item **at) {
    item *i = *at;
    if (!i)
        return;
    vg_early_open(ctx);
    if (!i->shown)
        show(i);
    if (i->source && hash_of(i->source, i->source_bytes) != i->source_hash)
        blame_change(ctx, i);
    *at = i->next;
    ctx->late_bytes -= i->bytes;
    item_free(i);
}

/* ---- waiting ---- */

void vg_late_done(vg_context *ctx) {
    for (item **at = &ctx->late; *at;)
        if (vg_order_host_seen(ctx, (*at)->at))
            settle(ctx, at);
        else
            at = &(*at)->next;
    close_hidden(ctx);
}

void vg_late_all_done(vg_context *ctx) {
    vg_order_waits_for_all(ctx);
    while (ctx->late)
        settle(ctx, &ctx->late);
    close_hidden(ctx);
}

void vg_late_forget(vg_context *ctx, const void *ptr) {
    const vg_alloc *a = vg_mem_find(ctx->mem, (uint64_t)(uintptr_t)ptr);
    for (item **at = &ctx->late; a && *at;) {
        bool inside = (*at)->source >= a->host && (*at)->source < a->host + a->size;
        for (size_t r = 0; r < (*at)->run_count && !inside; r++)
            inside = (*at)->runs[r].at >= a->host && (*at)->runs[r].at < a->host + a->size;
        if (inside)
            settle(ctx, at);
        else
            at = &(*at)->next;
    }
    close_hidden(ctx);
}

/* ---- hiding ---- */

static bool add_run(item *i, uint8_t *at, size_t length) {
    if (i->run_count > 0) {
        run *last = &i->runs[i->run_count - 1];
        if (last->at + last->length == at) {
            last->length += length;
            i->bytes += length;
            return true;
        }
    }
    if (i->run_count == i->run_room) {
        const size_t room = i->run_room ? 2 * i->run_room : 16;
        run *more = realloc(i->runs, room * sizeof *more);
        if (!more)
            return false;
        i->runs = more;
        i->run_room = room;
    }
    i->runs[i->run_count++] = (run){at, length, i->bytes};
    i->bytes += length;
    return true;
}

static item *new_item(const vg_context *ctx) {
    item *i = calloc(1, sizeof *i);
    if (i)
        i->at = vg_order_now(ctx);
    return i;
}

/* Work writes where earlier work reads: it is that, and not the host, that changes the source. */
static void forget_sources(vg_context *ctx, const item *written) {
    for (item *i = ctx->late; i; i = i->next)
        for (size_t r = 0; i->source && r < written->run_count; r++)
            if (written->runs[r].at < i->source + i->source_bytes &&
                written->runs[r].at + written->runs[r].length > i->source)
                i->source = NULL;
}

/* Enters the item, shown so far; or forgets it when there is nothing to hide or no memory to do
 * so. */
static void put(vg_context *ctx, item *i, bool complete) {
    const bool wanted = i->bytes > 0 || i->source;
    i->copy = complete && wanted && i->bytes <= LATE_BYTES ? malloc(i->bytes + 1) : NULL;
    if (!i->copy) {
        item_free(i);
        return;
    }
    forget_sources(ctx, i);
    i->shown = true;
    ctx->late_bytes += i->bytes;
    int count = 1;
    item **end = &ctx->late;
    for (; *end; end = &(*end)->next)
        count++;
    *end = i;
    while (ctx->late && (count-- > LATE_ITEMS || ctx->late_bytes > LATE_BYTES))
        settle(ctx, &ctx->late);
}

static bool host_sees(const vg_alloc *a) {
    return a && (a->kind == VG_MEM_PINNED || a->kind == VG_MEM_MANAGED);
}

void vg_late_reads(vg_context *ctx, const void *from, size_t bytes) {
    const vg_alloc *a = vg_mem_find(ctx->mem, (uint64_t)(uintptr_t)from);
    item *i = ctx->settings.late && host_sees(a) && bytes <= LATE_BYTES ? new_item(ctx) : NULL;
    if (!i)
        return;
    i->source = vg_mem_at(ctx->mem, (uint64_t)(uintptr_t)from, bytes);
    i->source_bytes = bytes;
    i->source_hash = i->source ? hash_of(i->source, bytes) : 0;
    if (i->source)
        vg_places_now(&i->called);
    put(ctx, i, i->source != NULL);
}

void vg_late_copied(vg_context *ctx, const void *to, size_t width, size_t height, size_t depth,
                    size_t pitch, size_t slice) {
    const uint64_t addr = (uint64_t)(uintptr_t)to;
    const vg_alloc *a = vg_mem_find(ctx->mem, addr);
    /* In device memory nobody but another stream looks, and with the default stream alone there is
     * none. */
    if (!ctx->settings.late || !a || (!host_sees(a) && !ctx->uses_streams))
        return;
    if (height == 1)
        pitch = width;
    const uint64_t span = slice * (depth - 1) + pitch * (height - 1) + width;
    uint8_t *first = vg_mem_at(ctx->mem, addr, span);
    item *i = first ? new_item(ctx) : NULL;
    if (!i)
        return;
    bool complete = true;
    for (size_t z = 0; z < depth; z++)
        for (size_t y = 0; y < height; y++)
            complete = complete && add_run(i, first + z * slice + y * pitch, width);
    put(ctx, i, complete);
}

void vg_late_before_copy(vg_context *ctx, cudaStream_t stream) {
    if (ctx->settings.late_wanted && !ctx->settings.late) /* the program waits after each call */
        vg_order_waits_for_all(ctx);
    vg_order_begin(ctx, stream);
    vg_early_open(ctx);
    for (item *i = ctx->late; i; i = i->next)
        if (vg_order_seen(ctx, i->at))
            show(i);
}

void vg_late_after_copy(vg_context *ctx) {
    hide_shown(ctx);
}

/* ---- kernels: what changes in memory that the host sees ---- */

static void forget_snapshots(vg_context *ctx) {
    for (size_t s = 0; s < ctx->snapshot_count; s++)
        free(ctx->snapshots[s].before);
    free(ctx->snapshots);
    ctx->snapshots = NULL;
    ctx->snapshot_count = 0;
}

/* Who could look too early at what a kernel writes there: the host, or, in programs with several
 * streams, another stream. */
static bool watched(const vg_alloc *a, bool streams) {
    return host_sees(a) || (streams && a->kind == VG_MEM_DEVICE);
}

static size_t watched_bytes(const vg_alloc *live, size_t count, bool streams) {
    size_t bytes = 0;
    for (size_t i = 0; i < count; i++)
        bytes += watched(&live[i], streams) ? live[i].size : 0;
    return bytes;
}

/* The next stretch of a snapshot at or behind *from that has been touched; false: none. */
static bool next_touched(const bool *touched, size_t page, const snapshot *s, size_t *from,
                         size_t *end) {
    size_t at = *from;
    while (touched && at < s->bytes && !touched[at / page])
        at += page;
    *from = *end = at;
    while (touched && *end < s->bytes && touched[*end / page])
        *end += page;
    *end = !touched || *end > s->bytes ? s->bytes : *end;
    return *from < s->bytes;
}

static void keep(snapshot *s) {
    size_t page = 0, pages = 0, from = 0, end;
    bool *touched = s->fresh ? vg_touched(s->at, s->bytes, &page, &pages) : NULL;
    if (touched)
        memset(s->before, 0, s->bytes);
    for (; next_touched(touched, page, s, &from, &end); from = end)
        memcpy(s->before + from, s->at + from, end - from);
    free(touched);
}

static void take_snapshots(vg_context *ctx) {
    size_t count = 0;
    const vg_alloc *live = vg_mem_live(ctx->mem, &count);
    /* Where device memory is too much, what the host sees may still be little enough. */
    const bool streams = ctx->uses_streams && watched_bytes(live, count, true) <= LATE_BYTES;
    const size_t bytes = watched_bytes(live, count, streams);
    if (bytes == 0 || bytes > LATE_BYTES ||
        !(ctx->snapshots = calloc(count, sizeof *ctx->snapshots)))
        return;
    for (size_t i = 0; i < count; i++) {
        if (!watched(&live[i], streams))
            continue;
        snapshot *s = &ctx->snapshots[ctx->snapshot_count++];
        *s = (snapshot){.at = live[i].host,
                        .before = malloc(live[i].size),
                        .bytes = live[i].size,
                        .fresh = live[i].mapped,
                        .host = host_sees(&live[i])};
        if (s->before)
            keep(s);
    }
}

/* Compares by words: a kernel's stores are seldom smaller, and what it did not change stays. */
static bool add_changes(item *i, const snapshot *s) {
    const size_t word = 4;
    size_t page = 0, pages = 0, from = 0, end;
    bool *touched = s->fresh ? vg_touched(s->at, s->bytes, &page, &pages) : NULL;
    bool complete = true;
    for (; complete && next_touched(touched, page, s, &from, &end); from = end)
        for (size_t at = from; complete && at < end; at += word) {
            const size_t n = s->bytes - at < word ? s->bytes - at : word;
            complete = memcmp(s->at + at, s->before + at, n) == 0 || add_run(i, s->at + at, n);
        }
    free(touched);
    return complete;
}

void vg_late_before(vg_context *ctx, cudaStream_t stream) {
    vg_late_before_copy(ctx, stream);
    forget_snapshots(ctx);
    if (ctx->settings.late && ctx->mem)
        take_snapshots(ctx);
}

void vg_late_after(vg_context *ctx, const vg_kernel_info *info) {
    item *changes = ctx->snapshot_count > 0 ? new_item(ctx) : NULL;
    bool complete = changes != NULL;
    for (size_t s = 0; s < ctx->snapshot_count && complete; s++) {
        /* Who adds to the same words, or is meant to look on, has nothing to wait for. */
        if (info && (ctx->snapshots[s].host ? info->tells_host : info->mingles))
            continue;
        complete = ctx->snapshots[s].before && add_changes(changes, &ctx->snapshots[s]);
    }
    forget_snapshots(ctx);
    if (changes)
        put(ctx, changes, complete);
    hide_shown(ctx);
}
