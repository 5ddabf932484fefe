/*
 * journal.h: records what happens to device memory, in the order in which it takes effect
 * (vgpu_journal.h says what for, journal_format.h how it lies).
 *
 *     vg_journal_reads(ctx);      the device is about to read: what the host changed meanwhile is
 *                                 recorded
 *     vg_journal_launch(ctx, …);  what it is about to do
 *     …
 *     vg_journal_wrote(ctx);      it is done: what is there now is no change of the host's
 *
 * Contract: with the context's lock held. All of these do nothing unless ctx->journal is there.
 * What happens is recorded only when it does happen: refused calls leave no trace.
 *
 * Refuses to know who waits for whom (late.h): what is hidden from a piece of work is recorded as
 * changed by the host, and so repeats as it was seen.
 */
#pragma once

#include "vgpu/src/runtime/context.h"
#include "vgpu/src/runtime/journal_format.h"

/* VGPU_JOURNAL=1: begins one. Without memory for it there is none. */
void vg_journal_start(vg_context *ctx);

void vg_journal_allocated(vg_context *ctx, uint64_t addr);
void vg_journal_freed(vg_context *ctx, uint64_t addr, enum vg_mem_kind kind);
/* A module was loaded, with these variables bound. Returns its name in the journal. */
uint64_t vg_journal_module(vg_context *ctx, const char *text, size_t length,
                           const vg_binding *managed, size_t count);
/* Everything is about to go. */
void vg_journal_reset(vg_context *ctx);

void vg_journal_reads(vg_context *ctx);
void vg_journal_wrote(vg_context *ctx);

/* A copy; `from` is where its source's bytes are. `on_host` side by side: is that side ordinary
 * host memory? */
void vg_journal_copy(vg_context *ctx, struct vj_copy copy, const uint8_t *from);
void vg_journal_set(vg_context *ctx, const struct vj_set *set);
void vg_journal_launch(vg_context *ctx, const vg_function *fn, const vg_launch_params *p);
void vg_journal_gemm(vg_context *ctx, const struct vj_gemm *gemm);
void vg_journal_blas(vg_context *ctx, const struct vj_blas *blas);
