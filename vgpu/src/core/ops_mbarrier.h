/*
 * ops_mbarrier.h: mbarriers, the barriers in shared memory that threads arrive at and test
 * (cuda::barrier stands on them). What the 8 bytes hold is ours, as on hardware
 * it is the hardware's:
 *
 *      63     60 59 57 56      55       40 39      20 19       0
 *     | 1 0 1 1 |  0  |touched|   phase   | expected | pending |
 *
 * Pending are the arrivals to come in this phase. The last one begins the next, with as many
 * as are expected again. The state that an arrival returns is the word before it; a test asks
 * whether that word's phase is over.
 *
 * Observers learn what that orders: arrivals signal (vg_observer.signal) what those who find the
 * phase complete have acquired (vg_observer.acquire).
 */
#pragma once

#include "vgpu/src/core/program.h"

/* Lanes' copies of cp.async.mbarrier.arrive have landed: the arrival that was promised takes place.
 * at: offset in shared memory. False: it was one too many, and the fault is recorded. */
bool vg_mbarrier_landed(warp *w, const op *o, uint64_t at, uint32_t lanes);
