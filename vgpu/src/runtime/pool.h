/*
 * pool.h: memory pools: who gave which allocation, and the numbers that a program may ask for.
 * Memory itself comes from the same place as all other, and no address is used twice, so that a use
 * after cudaFreeAsync is always caught. What a pool holds on to is only counted, as an H200 does:
 *
 *     used      what is allocated
 *     reserved  at least that, in pieces of 32 MiB; when the host waits, what is more goes back,
 *               but for as many pieces as the release threshold holds
 *
 * Contract: with the context's lock held.
 */
#pragma once

#include "vgpu/src/runtime/context.h"

/* This allocation was freed, if a pool gave it. */
void vg_pool_freed(vg_context *ctx, uint64_t addr);
/* The host has waited for something. */
void vg_pools_settle(const vg_context *ctx);
/* Forgets all pools. */
void vg_pools_clear(vg_context *ctx);
