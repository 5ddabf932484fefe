/* ops_warp.h: what lower.c tells the operations of ops_warp.c, in op.aux. */
#pragma once

#include "vgpu/src/core/program.h"

enum { SHFL_UP, SHFL_DOWN, SHFL_BFLY, SHFL_IDX };
enum { VOTE_ALL, VOTE_ANY, VOTE_UNI, VOTE_BALLOT };

/* aux of atom and redux: enum ptx_atom | type << 4 */

/* The value after the operation: of old and b (and, for CAS, c). */
uint64_t vg_atom_apply(enum ptx_atom kind, enum ptx_type type, uint64_t old, uint64_t b,
                       uint64_t c);

/* The virtual GPU's clock, or its nanoseconds since the epoch. */
uint64_t vg_clock(host_thread *wk, bool nanoseconds);
