/* tally.c: see tally.h. */
#include "grading/worker/tally.h"

#include <string.h>

void worker_tally_stats(struct work *w, const struct vgpu_stats *now,
                        const struct vgpu_stats *then) {
    w->of[WORK_LAUNCHES] = now->launches - then->launches;
    w->of[WORK_FAILED_LAUNCHES] = now->failed_launches - then->failed_launches;
    w->of[WORK_COPIES] = now->copies - then->copies;
    w->of[WORK_COPIED_BYTES] = now->copied_bytes - then->copied_bytes;
    w->of[WORK_TO_HOST_BYTES] = now->to_host_bytes - then->to_host_bytes;
    w->of[WORK_BLAS_CALLS] = now->blas_calls - then->blas_calls;
    w->of[WORK_GEMM_CALLS] = now->gemm_calls - then->gemm_calls;
    w->of[WORK_GEMM_MADDS] = now->gemm_madds - then->gemm_madds;
    w->of[WORK_GEMM_ROUNDED] = now->gemm_rounded - then->gemm_rounded;
    for (int i = 0; i < 4; i++)
        w->of[WORK_TRIED_ALLOC + i] = now->tried[i] - then->tried[i];
    w->of[WORK_TO_HOST_AFTER] = now->to_host_after;
    w->of[WORK_LIVE_ALLOCATIONS] = now->live_allocations;
    w->of[WORK_LIVE_BYTES] = now->live_bytes;
    w->of[WORK_LIVE_HEAP] = now->live_heap;
    w->of[WORK_LIVE_STREAMS] = now->live_streams;
    w->of[WORK_LIVE_EVENTS] = now->live_events;
    w->of[WORK_LIVE_BLAS] = now->live_blas;
    w->of[WORK_UNFINISHED] = now->unfinished;
    w->of[WORK_UNORDERED] = now->unordered;
    for (int i = 0; i < 3 && now->launches > then->launches; i++) {
        w->of[WORK_GRID_X + i] = now->last_grid[i];
        w->of[WORK_BLOCK_X + i] = now->last_block[i];
    }
    for (uint64_t i = then->launches; i < now->launches && i - then->launches < 64; i++)
        w->of[WORK_KERNELS_RAN] |= (uint64_t)1 << now->last_kernels[i % 64] % 64;
}

void worker_tally_counters(struct work *w, const struct vgpu_counters *c) {
#define TAKE(capitals, name, unit, meaning) w->of[WORK_##capitals] = c->name;
    VGPU_COUNTER_LIST(TAKE)
#undef TAKE
}

struct finding_body worker_tally_finding(uint32_t id, const struct vgpu_finding *f) {
    struct finding_body body = {.id = id,
                                .error = f->error != 0,
                                .kind = f->kind,
                                .hazard = f->hazard,
                                .count = f->count,
                                .fact = f->fact};
    memcpy(body.kernel, f->kernel, sizeof body.kernel);
    memcpy(body.object, f->object, sizeof body.object);
    memcpy(body.message, f->message, sizeof body.message);
    for (int i = 0; i < 2; i++) {
        memcpy(body.site[i].file, f->site[i].file, sizeof body.site[i].file);
        body.site[i].line = f->site[i].line;
    }
    return body;
}
