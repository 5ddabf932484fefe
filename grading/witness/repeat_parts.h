/* repeat_parts.h: what repeat.c and repeat_memory.c share; for nobody else. */
#pragma once

#include "grading/witness/journal_read.h"
#include "grading/witness/repeat.h"
#include "vgpu/src/runtime/context.h"

/* Host memory of the other process that kernels reach; ours to free. */
struct backing {
    struct backing *next;
    uint64_t addr, size;
    unsigned char *bytes;
};

enum repeat_end repeat_disagree(struct repeat *r, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
enum repeat_end repeat_cannot(struct repeat *r, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* Counts bytes that are moved; more than the limit, and it disagrees. */
enum repeat_end repeat_moves(struct repeat *r, uint64_t bytes);

/* Is there room for so many bytes more in device memory? What had none has not been allocated. */
bool repeat_fits(const vg_context *ctx, uint64_t bytes);

/* One record each; with the context's lock held. */
enum repeat_end repeat_alloc(struct repeat *r, vg_context *ctx, const struct vj_alloc *a);
enum repeat_end repeat_free(struct repeat *r, vg_context *ctx, const struct vj_alloc *a);
enum repeat_end repeat_region(struct repeat *r, vg_context *ctx, const struct vj_region *g);
enum repeat_end repeat_copy(struct repeat *r, vg_context *ctx, const struct journal_record *j);
enum repeat_end repeat_set(struct repeat *r, vg_context *ctx, const struct vj_set *s);
enum repeat_end repeat_host_wrote(struct repeat *r, vg_context *ctx,
                                  const struct journal_record *j);

/* New backing of `size` bytes, filled as fresh memory is; NULL: out of memory. */
struct backing *repeat_backing(struct repeat *r, uint64_t addr, uint64_t size,
                               enum vg_mem_kind kind);
void repeat_drop_backings(struct repeat *r);
/* The host may have looked at the memory it shares: what is there has left the device. */
void repeat_host_may_look(struct repeat *r);
