/*
 * late.h: what asynchronous work has written, and who can see it already.
 *
 * Every call of the runtime is done when it returns, but a program must not rely on that. So the
 * bytes that asynchronous work writes where somebody could look too early are hidden (filled with
 * 0xFF, NaN) from everybody who has not waited for it: from the host, in pinned, registered and
 * managed memory; from streams that nothing orders behind it, in device memory, too. Who waits (for
 * the stream, an event behind the work, the device) sees them.
 *
 *     vg_late_before(ctx, stream);        work on this stream begins: it sees what it may see
 *     ... the kernel or the copy ...
 *     vg_late_after(ctx, info);           what it wrote for the host's eyes is hidden
 *
 * Refuses to be exact where that would cost much: beyond LATE_BYTES of device memory kernels'
 * writes there are not hidden from other streams, and beyond LATE_BYTES hidden the oldest work
 * counts as waited for. Nor are writes to device memory of kernels that use atomics or store less
 * than a word: work of several streams may rightly write the same words then. Nor, from the host,
 * are those of kernels that do something for the whole system to see (vg_kernel_info.tells_host):
 * host and device may then be at the same words at once. It never hides anything from a program
 * that waits where it has to. VGPU_LATE=0 switches it off.
 *
 * Contract: all with the context's lock held. Ordinary programs (default stream, ordinary host
 * memory) have nothing to hide, and pay nothing.
 */
#pragma once

#include "vgpu/src/runtime/context.h"

/* Before vg_late_after_copy: an asynchronous copy or memset has filled rows of `width` bytes,
 * `pitch` apart, in slices `slice` apart, from device-accessible address `to` on. */
void vg_late_copied(vg_context *ctx, const void *to, size_t width, size_t height, size_t depth,
                    size_t pitch, size_t slice);

/* An asynchronous copy reads `bytes` of pinned or managed memory at `from`: it may read them at any
 * time until somebody waits for it, so to change them before that is a mistake, and is said. */
void vg_late_reads(vg_context *ctx, const void *from, size_t bytes);

/* Around a kernel, or a library call that computes (info: NULL). */
void vg_late_before(vg_context *ctx, cudaStream_t stream);
void vg_late_after(vg_context *ctx, const vg_kernel_info *info);
/* Around a copy: the same, but what it writes is told by vg_late_copied. */
void vg_late_before_copy(vg_context *ctx, cudaStream_t stream);
void vg_late_after_copy(vg_context *ctx);

/* The host touches a byte of a page that this work wrote to (early.h). True: the byte is hidden,
 * and nobody has been told of this work yet; they are now. */
bool vg_late_touched(vg_context *ctx, const void *item, const uint8_t *at);

/* The allocation that begins here goes: its bytes are as the program will find them. */
void vg_late_forget(vg_context *ctx, const void *ptr);

/* The host has waited for more (order.h): it finds all of that. */
void vg_late_done(vg_context *ctx);
/* It has waited for everything. */
void vg_late_all_done(vg_context *ctx);
