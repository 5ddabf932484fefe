/* blind.h: exchanges whose old value nobody looks at, as in atomicExch(&lock, 0): they store. */
#pragma once

#include "vgpu/src/core/program.h"

/* An array by op, for free(). NULL: there is none of these, or no memory for the array. */
bool *vg_blind_exchanges(const program *p);
