/* check_growth.c: see check_growth.h. */
#include "grading/src/check/check_growth.h"

#include "grading/src/run/session.h"

/* So many calls, and so many of them until all is there that is kept. */
enum { CALLS = 24, SETTLED = 12 };

/* In so many of the others there must be more than ever: a thread's first use of memory, or a table
 * that doubles, is a rise, too. */
enum { RISES = 4 };

/* Bytes in use after each call. False when a call did not come to its end, or nobody counts. */
static bool measure(struct grade_context *g, const struct case_result *c, uint64_t bytes[CALLS]) {
    const struct session s = session_observed(g);
    struct worker_setup setup = session_setup(g, s);
    struct worker w;
    struct call_reply reply;
    setup.unchecked = true;
    bool all = worker_start(&w, &setup, &reply);
    for (int i = 0; i < CALLS && all; i++) {
        struct call_plan plan = c->plan.call[0];
        struct call_data data;
        plan.flags |= CALL_PLAIN;
        plan.seed += (uint64_t)i;
        call_data_make(&data, &plan, session_guards(s, plan.entry));
        call_reply_free(&reply);
        worker_call(&w, &data, &reply);
        call_data_free(&data);
        bytes[i] = reply.work.of[WORK_HOST_BYTES];
        all = reply.end == CALL_ANSWERED && reply.counted && bytes[i] > 0;
    }
    worker_finish(&w);
    worker_free(&w);
    call_reply_free(&reply);
    return all;
}

bool check_growth(struct grade_context *g, const struct case_result *c, struct check_result *r) {
    const struct shape s = c->plan.call[0].shape;
    const uint64_t much = (uint64_t)s.m * (uint64_t)s.n * sizeof(float);
    uint64_t bytes[CALLS];
    if (!measure(g, c, bytes))
        return false;
    const uint64_t settled = bytes[SETTLED - 1], last = bytes[CALLS - 1];
    uint64_t most = settled;
    int rises = 0;
    for (int i = SETTLED; i < CALLS; i++) {
        rises += bytes[i] > most;
        most = bytes[i] > most ? bytes[i] : most;
    }
    if (last <= settled || (rises < RISES && last - settled < much))
        return false;
    text_addf(&r->summary,
              "%s does not free what it makes: %llu bytes more in use after %d calls than after "
              "%d, all %d x %d x %d",
              entry_name(c->spec->entry), (unsigned long long)(last - settled), CALLS, SETTLED, s.m,
              s.n, s.k);
    text_add(&r->details, "every malloc needs its free, every new its delete\n");
    return true;
}
