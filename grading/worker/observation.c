/* observation.c: tells the grader what the virtual GPU counted and found during a call (see
 * worker.h). On a real GPU the functions of vgpu.h are not there, and nothing is told. */
#include "grading/worker/tally.h"
#include "grading/worker/worker.h"

#include "vgpu/include/vgpu.h"
#include "vgpu/include/vgpu_counters.h"
#include "vgpu/include/vgpu_journal.h"

#include <fcntl.h>
#include <malloc.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

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
extern __typeof__(vgpu_journal_on) vgpu_journal_on __attribute__((weak));
extern __typeof__(vgpu_journal_hold) vgpu_journal_hold __attribute__((weak));
extern __typeof__(vgpu_journal_region) vgpu_journal_region __attribute__((weak));
extern __typeof__(vgpu_journal_call) vgpu_journal_call __attribute__((weak));
extern __typeof__(vgpu_journal_read) vgpu_journal_read __attribute__((weak));
extern __typeof__(vgpu_journal_next) vgpu_journal_next __attribute__((weak));

static struct {
    bool counting;
    unsigned calls;
    struct vgpu_stats before;
    uint32_t mark; /* the first allocation that the call can make */
    int found;     /* findings told so far */
} seen;

/* ---- The journal (vgpu_journal.h): nothing unless the grader asked for one ---- */

void worker_journal_hold(bool hold) {
    if (vgpu_journal_hold)
        vgpu_journal_hold(hold);
}

void worker_journal_matrix(int matrix, const struct buffer *b) {
    if (vgpu_journal_region)
        vgpu_journal_region((unsigned)matrix, b->base, b->bytes, !b->device);
}

void worker_journal_send(uint32_t id) {
    size_t bytes = 0;
    const void *journal = vgpu_journal_read ? vgpu_journal_read(&bytes) : NULL;
    if (!journal)
        return;
    const struct journal_body body = {.id = id};
    worker_send(MESSAGE_JOURNAL, &body, sizeof body, &(struct worker_part){journal, bytes}, 1);
    vgpu_journal_next();
}

void worker_observe_begin(const struct call_body *call) {
    if (!vgpu_get_stats)
        return;
    seen.counting = seen.counting || (!(call->flags & CALL_PLAIN) && vgpu_counters_enable());
    seen.calls++;
    vgpu_reset_counters();
    vgpu_get_stats(&seen.before);
    seen.mark = vgpu_next_allocation();
    vgpu_wait_always(call->flags & CALL_AT_ONCE);
    if (call->fail_nth > 0)
        vgpu_fail_call((enum vgpu_call)call->fail_call, call->fail_nth);
    vgpu_journal_call();
}

static void tell_findings(uint32_t id) {
    struct vgpu_finding f;
    for (int told = 0; told < PROTOCOL_MAX_FINDINGS && vgpu_get_finding(seen.found, &f); told++) {
        seen.found++;
        const struct finding_body body = worker_tally_finding(id, &f);
        worker_send(MESSAGE_FINDING, &body, sizeof body, NULL, 0);
    }
}

/* What malloc has given out, by the C library's word; 0: it does not say. */
static uint64_t host_bytes(void) {
#if defined __GLIBC__ && __GLIBC_PREREQ(2, 33)
    const struct mallinfo2 now = mallinfo2();
    return now.uordblks + now.hblkhd;
#else
    return 0;
#endif
}

/* The size of the process, mapped files and stacks included, by the kernel's word; 0: it does not
 * say. */
static uint64_t mapped_bytes(void) {
    char line[64] = "";
    const int f = open("/proc/self/statm", O_RDONLY | O_CLOEXEC);
    const ssize_t n = f >= 0 ? read(f, line, sizeof line - 1) : -1;
    if (f >= 0)
        close(f);
    return n > 0 ? strtoull(line, NULL, 10) * (uint64_t)sysconf(_SC_PAGESIZE) : 0;
}

void worker_observe_end(uint32_t id) {
    if (!vgpu_get_stats)
        return;
    uint64_t in_use = host_bytes(), mapped = mapped_bytes(), ours = 0;
    worker_heap_in_use(&in_use, &ours);
    mapped -= mapped > ours ? ours : 0; /* a block takes pages there, and counts with its bytes */
    struct vgpu_stats now;
    vgpu_get_stats(&now);
    /* A first call may keep something for those to come; then there is no more to keep. */
    if (seen.calls > 1 && now.live_allocations > seen.before.live_allocations)
        vgpu_find_leaks(seen.mark);
    vgpu_fail_call(VGPU_CALL_ALLOC, 0);
    vgpu_fail_call(VGPU_CALL_COPY, 0);
    vgpu_fail_call(VGPU_CALL_LAUNCH, 0);
    vgpu_fail_call(VGPU_CALL_BLAS, 0);
    tell_findings(id);
    struct work_body body = {.id = id};
    struct vgpu_counters counters;
    uint64_t launches;
    worker_tally_stats(&body.work, &now, &seen.before);
    body.work.of[WORK_HOST_BYTES] = in_use;
    body.work.of[WORK_MAPPED_BYTES] = mapped;
    if (vgpu_total_counters(&counters, &launches))
        worker_tally_counters(&body.work, &counters);
    worker_send(MESSAGE_WORK, &body, sizeof body, NULL, 0);
    worker_journal_send(id);
    if (vgpu_write_report)
        vgpu_write_report(); /* only when the grader asked for one; this process ends by a signal */
}
