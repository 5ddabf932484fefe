/*
 * tally.h: from the virtual GPU's counts to the grader's: for the worker, and for the witness that
 * repeats what a worker did. Names begin with worker_, as all that is linked with a submission
 * does.
 */
#pragma once

#include "grading/src/lab/protocol.h"
#include "vgpu/include/vgpu.h"
#include "vgpu/include/vgpu_counters.h"

/* What was done since `then`, and what is there now. */
void worker_tally_stats(struct work *w, const struct vgpu_stats *now,
                        const struct vgpu_stats *then);
void worker_tally_counters(struct work *w, const struct vgpu_counters *c);
struct finding_body worker_tally_finding(uint32_t id, const struct vgpu_finding *f);
