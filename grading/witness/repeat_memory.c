/* repeat_memory.c: allocations, copies and what the host writes, again (see repeat.h). */
#include "grading/witness/repeat_parts.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* ---- allocations ---- */

struct backing *repeat_backing(struct repeat *r, uint64_t addr, uint64_t size,
                               enum vg_mem_kind kind) {
    struct backing *b = calloc(1, sizeof *b);
    unsigned char *bytes = b ? malloc((size_t)size + 1) : NULL;
    if (!bytes) {
        free(b);
        return NULL;
    }
    memset(bytes, vg_mem_fresh(kind), (size_t)size);
    *b = (struct backing){r->backings, addr, size, bytes};
    r->backings = b;
    return b;
}

static void drop_backing(struct backing **at) {
    struct backing *b = *at;
    *at = b->next;
    free(b->bytes);
    free(b);
}

void repeat_drop_backings(struct repeat *r) {
    while (r->backings)
        drop_backing(&r->backings);
}

static bool is_shared(uint32_t kind) {
    return kind == VG_MEM_PINNED || kind == VG_MEM_MANAGED;
}

/* Bytes of host memory that the other process had. */
static uint64_t backed(const struct repeat *r) {
    uint64_t sum = 0;
    for (const struct backing *b = r->backings; b; b = b->next)
        sum += b->size;
    return sum;
}

bool repeat_fits(const vg_context *ctx, uint64_t bytes) {
    return bytes <= vg_mem_capacity(ctx->mem) - vg_mem_used(ctx->mem);
}

enum repeat_end repeat_alloc(struct repeat *r, vg_context *ctx, const struct vj_alloc *a) {
    if (a->kind != VG_MEM_DEVICE && !is_shared(a->kind))
        return repeat_disagree(r, "an allocation is of no known kind");
    const uint64_t alive = vg_mem_used(ctx->mem) + backed(r);
    if (a->size == 0 || a->size > r->limits.alive || alive > r->limits.alive - a->size)
        return repeat_disagree(r, "more memory is allocated than a process may have");
    if (repeat_moves(r, a->size) != REPEAT_DONE)
        return REPEAT_DISAGREES;
    if (a->kind == VG_MEM_DEVICE) {
        if (!repeat_fits(ctx, a->size))
            return repeat_disagree(r, "an allocation does not fit into device memory");
        const uint64_t addr = vg_mem_alloc(ctx->mem, a->size, 256, VG_MEM_DEVICE, NULL);
        if (addr == 0)
            return repeat_cannot(r, "no memory for an allocation of %" PRIu64 " bytes", a->size);
        if (addr != a->addr)
            return repeat_disagree(r, "an allocation lies where the virtual GPU does not put it");
        vg_check_allocated(ctx->check, addr, (vg_maker){"cudaMalloc", "cudaFree", NULL});
        return REPEAT_DONE;
    }
    struct backing *b = repeat_backing(r, a->addr, a->size, (enum vg_mem_kind)a->kind);
    if (!b)
        return repeat_cannot(r, "no memory for an allocation of %" PRIu64 " bytes", a->size);
    if (!vg_mem_adopt_at(ctx->mem, a->addr, b->bytes, a->size, (enum vg_mem_kind)a->kind, NULL)) {
        drop_backing(&r->backings);
        return repeat_disagree(r, "an allocation lies where another one is");
    }
    return REPEAT_DONE;
}

enum repeat_end repeat_free(struct repeat *r, vg_context *ctx, const struct vj_alloc *a) {
    if ((a->kind != VG_MEM_DEVICE && !is_shared(a->kind)) ||
        vg_mem_free(ctx->mem, a->addr, (enum vg_mem_kind)a->kind) != VG_FREE_OK)
        return repeat_disagree(r, "something is freed that was not allocated");
    if (is_shared(a->kind))
        repeat_host_may_look(r);
    for (struct backing **at = &r->backings; *at; at = &(*at)->next) {
        if ((*at)->addr == a->addr && is_shared(a->kind)) {
            drop_backing(at);
            break;
        }
    }
    return REPEAT_DONE;
}

/* ---- the call's own matrices ---- */

enum repeat_end repeat_region(struct repeat *r, vg_context *ctx, const struct vj_region *g) {
    if (g->matrix >= REPEAT_MATRICES || g->host > 1 || g->bytes != r->matrix[g->matrix].bytes ||
        r->called)
        return repeat_disagree(r, "a matrix is not the one that the call was given");
    r->place[g->matrix] = (struct repeat_place){true, g->host, g->addr};
    if (g->host)
        return REPEAT_DONE;
    void *at = vg_mem_at(ctx->mem, g->addr, g->bytes);
    if (!at)
        return repeat_disagree(r, "a matrix lies outside device memory");
    memcpy(at, r->matrix[g->matrix].before, (size_t)g->bytes);
    vg_check_wrote(ctx->check, g->addr, g->bytes);
    return repeat_moves(r, g->bytes);
}

/* ---- copies ---- */

/* Bytes from the first to the last of one side; UINT64_MAX if that overflows. */
static uint64_t span(const struct vj_copy *c, uint64_t pitch, uint64_t slice) {
    uint64_t rows = 0, slices = 0, bytes = 0;
    if (c->width == 0 || c->height == 0 || c->depth == 0 ||
        __builtin_mul_overflow(pitch, c->height - 1, &rows) ||
        __builtin_mul_overflow(slice, c->depth - 1, &slices) ||
        __builtin_add_overflow(rows, slices, &bytes) ||
        __builtin_add_overflow(bytes, c->width, &bytes))
        return UINT64_MAX;
    return bytes;
}

/* What of a row reaches C in the host's memory. */
static void row_to_host_c(struct repeat *r, uint64_t to, const uint8_t *from, uint64_t width) {
    const struct repeat_place *c = &r->place[2];
    if (!r->host_c || !c->known || !c->host)
        return;
    const uint64_t end = c->addr + r->matrix[2].bytes;
    const uint64_t first = to > c->addr ? to : c->addr;
    const uint64_t last = to + width < end ? to + width : end;
    if (to + width >= to && first < last)
        memcpy(r->host_c + (first - c->addr), from + (first - to), (size_t)(last - first));
}

/* One row, from where it is to where it goes; either may be the host's. */
static void move_row(struct repeat *r, vg_context *ctx, const struct vj_copy *c, uint8_t *to,
                     const uint8_t *from, uint64_t to_addr) {
    if (c->way == VJ_TO_HOST) {
        row_to_host_c(r, to_addr, from, c->width);
        left_add(&r->left, from, (size_t)c->width);
        return;
    }
    if (c->way == VJ_TO_DEVICE)
        left_add(&r->sent, from, (size_t)c->width);
    memmove(to, from, (size_t)c->width);
    vg_check_wrote(ctx->check, to_addr, c->width);
    const vg_alloc *a = vg_mem_find(ctx->mem, to_addr);
    if (a && is_shared(a->kind))
        left_add(&r->left, to, (size_t)c->width);
}

/* The device has written here: the host may see it without asking. */
static void note_shared(struct repeat *r, const vg_context *ctx, uint64_t to) {
    const vg_alloc *a = vg_mem_find(ctx->mem, to);
    r->device_wrote = r->device_wrote || (a && is_shared(a->kind));
}

enum repeat_end repeat_copy(struct repeat *r, vg_context *ctx, const struct journal_record *j) {
    const struct vj_copy *c = &j->u.copy;
    const uint64_t to_span = span(c, c->to_pitch, c->to_slice);
    const uint64_t from_span = span(c, c->from_pitch, c->from_slice);
    uint64_t bytes = 0;
    if (c->way > VJ_ON_HOST || to_span == UINT64_MAX || from_span == UINT64_MAX ||
        __builtin_mul_overflow(c->width, c->height, &bytes) ||
        __builtin_mul_overflow(bytes, c->depth, &bytes))
        return repeat_disagree(r, "a copy has no end");
    if (repeat_moves(r, bytes) != REPEAT_DONE ||
        repeat_moves(r, c->height * c->depth * 64) != REPEAT_DONE)
        return REPEAT_DISAGREES;
    const bool to_device = c->way == VJ_TO_DEVICE || c->way == VJ_WITHIN;
    const bool from_device = c->way == VJ_TO_HOST || c->way == VJ_WITHIN;
    uint8_t *to = to_device ? vg_mem_at(ctx->mem, c->to, to_span) : NULL;
    const uint8_t *from = from_device ? vg_mem_at(ctx->mem, c->from, from_span) : NULL;
    if ((to_device && !to) || (from_device && !from))
        return repeat_disagree(r, "a copy reaches outside device memory");
    const uint8_t *packed = j->rest;
    for (uint64_t z = 0; z < c->depth && c->way != VJ_ON_HOST; z++) {
        for (uint64_t y = 0; y < c->height; y++, packed += c->way == VJ_TO_DEVICE ? c->width : 0) {
            const uint64_t to_at = z * c->to_slice + y * c->to_pitch;
            move_row(r, ctx, c, to ? to + to_at : NULL,
                     from ? from + z * c->from_slice + y * c->from_pitch : packed, c->to + to_at);
        }
    }
    note_shared(r, ctx, c->to);
    ctx->stats.copies++;
    ctx->stats.copied_bytes += bytes;
    if (c->way == VJ_TO_HOST)
        ctx->stats.to_host_bytes += bytes;
    return REPEAT_DONE;
}

enum repeat_end repeat_set(struct repeat *r, vg_context *ctx, const struct vj_set *s) {
    const struct vj_copy rows = {.width = s->width, .height = s->height, .depth = s->depth};
    const uint64_t whole = span(&rows, s->pitch, s->slice);
    uint64_t bytes = 0;
    if (whole == UINT64_MAX || __builtin_mul_overflow(s->width, s->height, &bytes) ||
        __builtin_mul_overflow(bytes, s->depth, &bytes))
        return repeat_disagree(r, "a memset has no end");
    if (repeat_moves(r, bytes) != REPEAT_DONE ||
        repeat_moves(r, s->height * s->depth * 64) != REPEAT_DONE)
        return REPEAT_DISAGREES;
    uint8_t *at = vg_mem_at(ctx->mem, s->to, whole);
    if (!at)
        return repeat_disagree(r, "a memset reaches outside device memory");
    for (uint64_t z = 0; z < s->depth; z++) {
        for (uint64_t y = 0; y < s->height; y++) {
            const uint64_t row = z * s->slice + y * s->pitch;
            memset(at + row, s->value, (size_t)s->width);
            vg_check_wrote(ctx->check, s->to + row, s->width);
        }
    }
    note_shared(r, ctx, s->to);
    return REPEAT_DONE;
}

/* ---- memory that both sides reach ---- */

void repeat_host_may_look(struct repeat *r) {
    for (const struct backing *b = r->backings; b && r->device_wrote; b = b->next)
        left_add(&r->left, b->bytes, (size_t)b->size);
    r->device_wrote = false;
}

enum repeat_end repeat_host_wrote(struct repeat *r, vg_context *ctx,
                                  const struct journal_record *j) {
    const struct vj_bytes *b = &j->u.bytes;
    void *at = vg_mem_at(ctx->mem, b->addr, b->bytes);
    if (!at || vg_mem_is_device_address(ctx->mem, b->addr))
        return repeat_disagree(r, "the host writes where it cannot");
    if (repeat_moves(r, b->bytes) != REPEAT_DONE)
        return REPEAT_DISAGREES;
    repeat_host_may_look(r);
    memcpy(at, j->rest, (size_t)b->bytes);
    return REPEAT_DONE;
}
