/*
 * stores.h: which allocations a launch can write to, found out before it begins: the kernel's
 * stores are followed back to the arguments that their addresses are made of. What only is read
 * cannot race, and the race checker need not remember who read it.
 *
 * An address that comes out of memory, of a function, or of nowhere makes everything possible. So
 * does an argument that points to no allocation. An index that leads from one allocation into
 * another is seen when it happens: see on_access in race.c.
 */
#pragma once

#include "vgpu/src/check/regions.h"
#include "vgpu/src/core/program.h"

/* ld.global.nc: __ldg, or a load by a pointer that is const and __restrict__. */
bool vg_is_cached_load(const ptx_instr *in);
/* Sets only_read of every region: false everywhere where it is not wanted, or memory is out. And
 * cached, in the same way. */
void vg_stores_foresee(const vg_regions *regions, const launch *l, bool wanted);
