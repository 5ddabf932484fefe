/* watch.c: tells the grader what the virtual GPU counted and found during a call (see worker.h). On a
 * real GPU the functions of vgpu.h are not there, and nothing is told. */
#include "grading/worker/worker.h"

#include "vgpu/include/vgpu.h"
#include "vgpu/include/vgpu_counters.h"

#include <stdlib.h>
#include <string.h>

extern __typeof__(vgpu_get_stats) vgpu_get_stats __attribute__((weak));
extern __typeof__(vgpu_fail_call) vgpu_fail_call __attribute__((weak));
extern __typeof__(vgpu_wait_always) vgpu_wait_always __attribute__((weak));
extern __typeof__(vgpu_get_finding) vgpu_get_finding __attribute__((weak));
extern __typeof__(vgpu_next_allocation) vgpu_next_allocation __attribute__((weak));
extern __typeof__(vgpu_find_leaks) vgpu_find_leaks __attribute__((weak));
extern __typeof__(vgpu_counters_enable) vgpu_counters_enable __attribute__((weak));
extern __typeof__(vgpu_total_counters) vgpu_total_counters __attribute__((weak));
extern __typeof__(vgpu_reset_counters) vgpu_reset_counters __attribute__((weak));
extern __typeof__(vgpu_write_report) vgpu_write_report __attribute__((weak));

static struct {
    bool counting;
    unsigned calls;
    struct vgpu_stats before;
    uint32_t mark; /* the first allocation that the call can make */
    int found;     /* findings told so far */
} watch;

void worker_watch_begin(const struct call_body *call) {
    if (!vgpu_get_stats)
        return;
    watch.counting = watch.counting || vgpu_counters_enable();
    watch.calls++;
    vgpu_reset_counters();
    vgpu_get_stats(&watch.before);
    watch.mark = vgpu_next_allocation();
    vgpu_wait_always(call->flags & CALL_AT_ONCE);
    if (call->fail_nth > 0)
        vgpu_fail_call((enum vgpu_call)call->fail_call, call->fail_nth);
}

static void add_stats(struct work *w, const struct vgpu_stats *now) {
    const struct vgpu_stats *then = &watch.before;
    w->of[WORK_LAUNCHES] = now->launches - then->launches;
    w->of[WORK_FAILED_LAUNCHES] = now->failed_launches - then->failed_launches;
    w->of[WORK_COPIES] = now->copies - then->copies;
    w->of[WORK_COPIED_BYTES] = now->copied_bytes - then->copied_bytes;
    w->of[WORK_TO_HOST_BYTES] = now->to_host_bytes - then->to_host_bytes;
    w->of[WORK_BLAS_CALLS] = now->blas_calls - then->blas_calls;
    w->of[WORK_GEMM_CALLS] = now->gemm_calls - then->gemm_calls;
    w->of[WORK_GEMM_MADDS] = now->gemm_madds - then->gemm_madds;
    for (int i = 0; i < 4; i++)
        w->of[WORK_TRIED_ALLOC + i] = now->tried[i] - then->tried[i];
    w->of[WORK_LIVE_ALLOCATIONS] = now->live_allocations;
    w->of[WORK_LIVE_BYTES] = now->live_bytes;
    w->of[WORK_LIVE_STREAMS] = now->live_streams;
    w->of[WORK_LIVE_EVENTS] = now->live_events;
    w->of[WORK_LIVE_BLAS] = now->live_blas;
    w->of[WORK_UNFINISHED] = now->unfinished;
    w->of[WORK_UNORDERED] = now->unordered;
    for (int i = 0; i < 3 && now->launches > then->launches; i++) {
        w->of[WORK_GRID_X + i] = now->last_grid[i];
        w->of[WORK_BLOCK_X + i] = now->last_block[i];
    }
}

static void add_counters(struct work *w, const struct vgpu_counters *c) {
    w->of[WORK_GLOBAL_LOAD_REQUESTS] = c->global_load_requests;
    w->of[WORK_GLOBAL_LOAD_SECTORS] = c->global_load_sectors;
    w->of[WORK_GLOBAL_LOAD_BYTES] = c->global_load_bytes;
    w->of[WORK_GLOBAL_STORE_REQUESTS] = c->global_store_requests;
    w->of[WORK_GLOBAL_STORE_SECTORS] = c->global_store_sectors;
    w->of[WORK_GLOBAL_STORE_BYTES] = c->global_store_bytes;
    w->of[WORK_GLOBAL_ATOMIC_REQUESTS] = c->global_atomic_requests;
    w->of[WORK_SHARED_LOAD_REQUESTS] = c->shared_load_requests;
    w->of[WORK_SHARED_LOAD_CONFLICTS] = c->shared_load_conflicts;
    w->of[WORK_SHARED_LOAD_BYTES] = c->shared_load_bytes;
    w->of[WORK_SHARED_STORE_REQUESTS] = c->shared_store_requests;
    w->of[WORK_SHARED_STORE_CONFLICTS] = c->shared_store_conflicts;
    w->of[WORK_LOCAL_REQUESTS] = c->local_load_requests + c->local_store_requests;
    w->of[WORK_ASYNC_COPIES] = c->async_copies;
    w->of[WORK_BARRIERS] = c->barriers;
    w->of[WORK_WARP_INSTRUCTIONS] = c->warp_instructions;
    w->of[WORK_FLOPS] = c->flops - c->flops_mma;
    w->of[WORK_FLOPS_MMA] = c->flops_mma;
}

static void tell_findings(uint32_t id) {
    struct vgpu_finding f;
    for (int told = 0; told < PROTOCOL_MAX_FINDINGS && vgpu_get_finding(watch.found, &f); told++) {
        watch.found++;
        struct finding_body body = {.id = id, .error = f.error != 0, .count = f.count};
        memcpy(body.kind, f.kind, sizeof body.kind);
        memcpy(body.hazard, f.hazard, sizeof body.hazard);
        memcpy(body.kernel, f.kernel, sizeof body.kernel);
        memcpy(body.object, f.object, sizeof body.object);
        memcpy(body.message, f.message, sizeof body.message);
        for (int i = 0; i < 2; i++) {
            memcpy(body.site[i].file, f.site[i].file, sizeof body.site[i].file);
            body.site[i].line = f.site[i].line;
        }
        worker_send(MESSAGE_FINDING, &body, sizeof body, 0);
    }
}

void worker_watch_end(uint32_t id) {
    if (!vgpu_get_stats)
        return;
    struct vgpu_stats now;
    vgpu_get_stats(&now);
    /* A first call may keep something for those to come; then there is no more to keep. */
    if (watch.calls > 1 && now.live_allocations > watch.before.live_allocations)
        vgpu_find_leaks(watch.mark);
    vgpu_fail_call(VGPU_CALL_ALLOC, 0);
    vgpu_fail_call(VGPU_CALL_COPY, 0);
    vgpu_fail_call(VGPU_CALL_LAUNCH, 0);
    vgpu_fail_call(VGPU_CALL_BLAS, 0);
    tell_findings(id);
    struct work_body body = {.id = id};
    struct vgpu_counters counters;
    uint64_t launches;
    add_stats(&body.work, &now);
    if (vgpu_total_counters(&counters, &launches))
        add_counters(&body.work, &counters);
    worker_send(MESSAGE_WORK, &body, sizeof body, 0);
    if (vgpu_write_report)
        vgpu_write_report(); /* only when the grader asked for one; this process ends by a signal */
}
