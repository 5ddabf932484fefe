/*
 * early.h: notices that the host touches what it has not waited for.
 *
 * late.h hides bytes in memory that host and device share. Here the pages that hold them are closed
 * to the host while they are hidden, so that a host's load or store there is caught: it is told
 * once for each piece of work, with the source line, and then goes on (and finds what late.h hid).
 *
 * In the same way pages that a kernel reads are closed to the host's stores until the host has
 * waited: which kernel reads the byte, and in which line, the checkers know (vg_check_host_writes).
 *
 * Closed are only pages of the runtime's own (cudaMallocManaged, cudaMallocHost; registered memory
 * shares its pages with the program's other variables), and of those only where the work wrote
 * nearly up to both ends of the page's share: a system call fails at a closed page instead of being
 * caught, and a program may rightly hand the other half of a page to one.
 *
 * Contract: with the context's lock held, but for vg_early_caught, which takes it.
 */
#pragma once

#include "vgpu/src/runtime/context.h"

#include <signal.h>

/* Bytes from `at` on are hidden, by the work `item`, until vg_early_open. told: one of its bytes
 * was touched already. */
void vg_early_close(vg_context *ctx, const uint8_t *at, size_t bytes, const void *item);
/* A kernel reads some of these bytes: behind all calls of vg_early_close. */
void vg_early_close_to_stores(vg_context *ctx, const uint8_t *at, size_t bytes);
/* All pages are the host's again. */
void vg_early_open(vg_context *ctx);

/* ", in file:line" of the host's instruction that was caught; "" if the program has no lines. */
void vg_early_where(const void *ucontext, char *words, size_t len);

/* From the handler of SIGSEGV: true when this was a touch of a closed page, which is open now. */
bool vg_early_caught(vg_context *ctx, siginfo_t *info, void *ucontext, enum vgpu_access access);
