/*
 * journal.c: the recorder; see journal.h.
 *
 * What the host writes into memory that kernels reach (pinned, registered, managed) no call tells
 * of. So a copy of all such memory is kept, as the device left it, and compared before the device
 * reads again.
 */
#include "vgpu/src/runtime/journal.h"

#include "vgpu/include/vgpu_journal.h"
#include "vgpu/src/memory/settings.h"

#include <stdlib.h>
#include <string.h>

/* Changes of the host's are told in runs of whole pieces. */
enum { PIECE = 64 };

/* Memory that host and device both reach, as the device left it. */
typedef struct shadow {
    uint64_t addr, size;
    const uint8_t *now;
    uint8_t *then;
} shadow;

struct vg_journal {
    bool held, lost;
    uint8_t *bytes;
    size_t used, room;
    shadow *shadows;
    size_t count, shadow_room;
};

/* ---- the buffer ---- */

static bool make_room(vg_journal *j, uint64_t more) {
    if (more > VJ_MOST - j->used)
        return false;
    const size_t wanted = j->used + (size_t)more;
    size_t room = j->room ? j->room : 65536;
    while (room < wanted)
        room *= 2;
    if (room == j->room)
        return true;
    uint8_t *bytes = realloc(j->bytes, room);
    if (!bytes)
        return false;
    j->bytes = bytes;
    j->room = room;
    return true;
}

/* Room for one record's body, zeros. NULL: it is lost. */
static uint8_t *append(vg_journal *j, enum vj_kind kind, uint64_t bytes) {
    const struct vj_record head = {.kind = kind, .bytes = bytes};
    if (j->lost || bytes > VJ_MOST || !make_room(j, sizeof head + vj_padded(bytes))) {
        j->lost = true;
        return NULL;
    }
    memcpy(j->bytes + j->used, &head, sizeof head);
    uint8_t *body = j->bytes + j->used + sizeof head;
    memset(body, 0, (size_t)vj_padded(bytes));
    j->used += sizeof head + (size_t)vj_padded(bytes);
    return body;
}

static void record(vg_journal *j, enum vj_kind kind, const void *body, size_t bytes) {
    uint8_t *at = append(j, kind, bytes);
    if (at && bytes > 0)
        memcpy(at, body, bytes);
}

static void begin(vg_journal *j) {
    j->used = 0;
    j->lost = !make_room(j, sizeof(struct vj_head));
    if (!j->lost)
        j->used = sizeof(struct vj_head);
}

void vg_journal_start(vg_context *ctx) {
    const char *wanted = vg_setting("VGPU_JOURNAL");
    if (!wanted || strcmp(wanted, "1") != 0 || ctx->journal)
        return;
    ctx->journal = calloc(1, sizeof *ctx->journal);
    if (ctx->journal)
        begin(ctx->journal);
}

/* ---- what the host changes ---- */

static void shadow_add(vg_journal *j, const vg_alloc *a) {
    if (j->count == j->shadow_room) {
        const size_t room = j->shadow_room ? 2 * j->shadow_room : 16;
        shadow *more = realloc(j->shadows, room * sizeof *more);
        if (!more) {
            j->lost = true;
            return;
        }
        j->shadows = more;
        j->shadow_room = room;
    }
    shadow *s = &j->shadows[j->count];
    *s = (shadow){a->addr, a->size, a->host, malloc((size_t)a->size + 1)};
    if (!s->then) {
        j->lost = true;
        return;
    }
    j->count++;
}

static void shadow_drop(vg_journal *j, uint64_t addr) {
    for (size_t i = 0; i < j->count; i++) {
        if (j->shadows[i].addr == addr) {
            free(j->shadows[i].then);
            j->shadows[i] = j->shadows[--j->count];
            return;
        }
    }
}

/* The next run of changed pieces at or behind *at; its length, 0: there is none. */
static uint64_t next_change(const shadow *s, uint64_t *at) {
    uint64_t begin_at = *at, end;
#define CHANGED(i)                                                                                 \
    (memcmp(s->now + (i), s->then + (i),                                                           \
            (size_t)(s->size - (i) < PIECE ? s->size - (i) : PIECE)) != 0)
    while (begin_at < s->size && !CHANGED(begin_at))
        begin_at += PIECE;
    for (end = begin_at; end < s->size && CHANGED(end);)
        end += PIECE;
#undef CHANGED
    *at = begin_at;
    return (end < s->size ? end : s->size) - (begin_at < s->size ? begin_at : s->size);
}

void vg_journal_reads(vg_context *ctx) {
    vg_journal *j = ctx->journal;
    for (size_t i = 0; j && i < j->count; i++) {
        shadow *s = &j->shadows[i];
        uint64_t at = 0;
        for (uint64_t length; (length = next_change(s, &at)) > 0; at += length) {
            const struct vj_bytes head = {s->addr + at, length};
            uint8_t *body = append(j, VJ_HOST_WROTE, sizeof head + length);
            memcpy(s->then + at, s->now + at, (size_t)length);
            if (!body)
                continue;
            memcpy(body, &head, sizeof head);
            memcpy(body + sizeof head, s->now + at, (size_t)length);
        }
    }
}

void vg_journal_wrote(vg_context *ctx) {
    vg_journal *j = ctx->journal;
    for (size_t i = 0; j && !j->held && i < j->count; i++)
        memcpy(j->shadows[i].then, j->shadows[i].now, (size_t)j->shadows[i].size);
}

/* ---- what happens ---- */

void vg_journal_allocated(vg_context *ctx, uint64_t addr) {
    vg_journal *j = ctx->journal;
    const vg_alloc *a = j ? vg_mem_find(ctx->mem, addr) : NULL;
    if (!a)
        return;
    const struct vj_alloc body = {.addr = a->addr, .size = a->size, .kind = a->kind};
    record(j, VJ_ALLOC, &body, sizeof body);
    if (a->kind != VG_MEM_PINNED && a->kind != VG_MEM_MANAGED)
        return;
    const size_t before = j->count;
    shadow_add(j, a);
    if (j->count > before) /* as it is made; registered memory holds something else already */
        memset(j->shadows[before].then, vg_mem_fresh(a->kind), (size_t)a->size);
}

void vg_journal_freed(vg_context *ctx, uint64_t addr, enum vg_mem_kind kind) {
    if (!ctx->journal)
        return;
    const struct vj_alloc body = {.addr = addr, .kind = kind};
    record(ctx->journal, VJ_FREE, &body, sizeof body);
    shadow_drop(ctx->journal, addr);
}

uint64_t vg_journal_module(vg_context *ctx, const char *text, size_t length,
                           const vg_binding *managed, size_t count) {
    vg_journal *j = ctx->journal;
    if (!j)
        return 0;
    const struct vj_module head = {vj_hash(text, length), length, count};
    uint64_t bytes = sizeof head;
    for (size_t i = 0; i < count; i++)
        bytes += sizeof(struct vj_managed) + vj_padded(strlen(managed[i].name));
    uint8_t *at = append(j, VJ_MODULE, bytes);
    if (at)
        memcpy(at, &head, sizeof head);
    for (size_t i = 0; i < count; i++) {
        const struct vj_managed one = {(uint64_t)(uintptr_t)managed[i].host, managed[i].size,
                                       strlen(managed[i].name)};
        const vg_alloc *a = vg_mem_find(ctx->mem, one.addr);
        const size_t before = j->count;
        if (a)
            shadow_add(j, a);
        if (j->count > before)
            memcpy(j->shadows[before].then, a->host, (size_t)a->size);
        if (!at)
            continue;
        at += i == 0 ? sizeof head : 0;
        memcpy(at, &one, sizeof one);
        memcpy(at + sizeof one, managed[i].name, (size_t)one.name_bytes);
        at += sizeof one + vj_padded(one.name_bytes);
    }
    return head.hash;
}

void vg_journal_reset(vg_context *ctx) {
    vg_journal *j = ctx->journal;
    if (!j)
        return;
    record(j, VJ_RESET, NULL, 0);
    while (j->count > 0)
        free(j->shadows[--j->count].then);
}

/* Rows, one behind the other. */
static void pack(uint8_t *to, const struct vj_copy *c, const uint8_t *from) {
    for (uint64_t z = 0; z < c->depth; z++)
        for (uint64_t y = 0; y < c->height; y++, to += c->width)
            memcpy(to, from + z * c->from_slice + y * c->from_pitch, (size_t)c->width);
}

void vg_journal_copy(vg_context *ctx, struct vj_copy copy, const uint8_t *from) {
    vg_journal *j = ctx->journal;
    if (!j || j->held)
        return;
    vg_journal_reads(ctx);
    const uint64_t bytes = copy.width * copy.height * copy.depth;
    uint8_t *at = append(j, VJ_COPY, sizeof copy + (copy.way == VJ_TO_DEVICE ? bytes : 0));
    if (!at)
        return;
    memcpy(at, &copy, sizeof copy);
    if (copy.way == VJ_TO_DEVICE)
        pack(at + sizeof copy, &copy, from);
}

void vg_journal_set(vg_context *ctx, const struct vj_set *set) {
    if (!ctx->journal)
        return;
    vg_journal_reads(ctx);
    record(ctx->journal, VJ_SET, set, sizeof *set);
}

void vg_journal_launch(vg_context *ctx, const vg_function *fn, const vg_launch_params *p) {
    vg_journal *j = ctx->journal;
    if (!j)
        return;
    vg_journal_reads(ctx);
    const int count = vg_kernel_get_info(fn->kernel)->num_params;
    size_t offset = 0, size = 0, args = 0;
    for (int i = 0; i < count; i++) {
        vg_kernel_param(fn->kernel, i, &offset, &size);
        args = offset + size > args ? offset + size : args;
    }
    const size_t name = strlen(fn->name);
    const struct vj_launch head = {.module = fn->fatbin ? fn->fatbin->key : 0,
                                   .grid = {p->grid.x, p->grid.y, p->grid.z},
                                   .block = {p->block.x, p->block.y, p->block.z},
                                   .shared = p->dynamic_shared,
                                   .cooperative = p->cooperative,
                                   .max_dynamic = fn->max_dynamic,
                                   .stack_limit = ctx->limits[cudaLimitStackSize],
                                   .heap_limit = ctx->limits[cudaLimitMallocHeapSize],
                                   .name_bytes = (uint32_t)name,
                                   .arg_bytes = (uint32_t)args};
    uint8_t *at = append(j, VJ_LAUNCH, sizeof head + vj_padded(name) + args);
    if (!at)
        return;
    memcpy(at, &head, sizeof head);
    memcpy(at + sizeof head, fn->name, name);
    at += sizeof head + vj_padded(name);
    for (int i = 0; i < count; i++) {
        vg_kernel_param(fn->kernel, i, &offset, &size);
        memcpy(at + offset, p->args[i], size);
    }
}

void vg_journal_gemm(vg_context *ctx, const struct vj_gemm *gemm) {
    if (!ctx->journal)
        return;
    vg_journal_reads(ctx);
    record(ctx->journal, VJ_GEMM, gemm, sizeof *gemm);
}

void vg_journal_blas(vg_context *ctx, const struct vj_blas *blas) {
    if (!ctx->journal)
        return;
    vg_journal_reads(ctx);
    record(ctx->journal, VJ_BLAS, blas, sizeof *blas);
}

/* ---- vgpu_journal.h ---- */

bool vgpu_journal_on(void) {
    vg_context *ctx = vg_begin();
    const bool on = ctx->journal != NULL;
    vg_end_quietly(ctx);
    return on;
}

void vgpu_journal_hold(bool hold) {
    vg_context *ctx = vg_begin();
    if (ctx->journal)
        ctx->journal->held = hold;
    vg_end_quietly(ctx);
}

void vgpu_journal_region(unsigned matrix, const void *at, uint64_t bytes, bool host) {
    vg_context *ctx = vg_begin();
    const struct vj_region body = {matrix, host, (uint64_t)(uintptr_t)at, bytes};
    if (ctx->journal)
        record(ctx->journal, VJ_REGION, &body, sizeof body);
    vg_end_quietly(ctx);
}

void vgpu_journal_call(void) {
    vg_context *ctx = vg_begin();
    if (ctx->journal)
        record(ctx->journal, VJ_CALL, NULL, 0);
    vg_end_quietly(ctx);
}

const void *vgpu_journal_read(size_t *bytes) {
    vg_context *ctx = vg_begin();
    vg_journal *j = ctx->journal;
    const void *read = NULL;
    if (j && j->used >= sizeof(struct vj_head)) {
        const struct vj_head head = {.magic = VJ_MAGIC,
                                     .version = VJ_VERSION,
                                     .base = ctx->mem ? vg_mem_base(ctx->mem) : 0,
                                     .range = ctx->mem ? vg_mem_range(ctx->mem) : 0,
                                     .capacity = ctx->mem ? vg_mem_capacity(ctx->mem) : 0,
                                     .lost = j->lost};
        memcpy(j->bytes, &head, sizeof head);
        *bytes = j->used;
        read = j->bytes;
    }
    vg_end_quietly(ctx);
    return read;
}

void vgpu_journal_next(void) {
    vg_context *ctx = vg_begin();
    if (ctx->journal)
        begin(ctx->journal);
    vg_end_quietly(ctx);
}
