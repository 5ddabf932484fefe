/* check_growth.c: see check_growth.h. */
#include "grading/src/check/check_growth.h"

#include "grading/src/run/session.h"

/* So many calls, and so many of them until all is there that is kept. */
enum { CALLS = 24, SETTLED = 12 };

/* In so many of the others there must be more than ever: a thread's first use of memory, or a table
 * that doubles, is a rise, too. */
enum { RISES = 4 };

/* In so many where others than the submission, such as the virtual GPU or the C library for its
 * threads, take memory as well: they do not take more in nearly every call. */
enum { RISES_AMONG_OTHERS = 10 };

/* And so many bytes a call, at least: what the virtual GPU keeps of each stream is less. */
enum { LEAST_AMONG_OTHERS = 1024 };

/* Two shapes take turns, so that what is made anew for another shape and never given back is there,
 * too. After the last call and after the settled one it was the same one's turn. */
static const struct call_plan *turn(const struct case_result *c, int call) {
    return &c->plan.call[c->plan.calls > 2 && call % 2 == 0 ? 2 : 0];
}

/* In use after each call: what malloc has given out, and all addresses. */
struct measured {
    uint64_t given[CALLS], mapped[CALLS];
};

/* False when a call did not come to its end, or nobody counts. */
static bool measure(struct grade_context *g, const struct case_result *c, struct measured *m) {
    const struct session s = session_observed(g);
    struct worker_setup setup = session_setup(g, s);
    struct worker w;
    struct call_reply reply;
    setup.unchecked = true;
    bool all = worker_start(&w, &setup, &reply);
    for (int i = 0; i < CALLS && all; i++) {
        struct call_plan plan = *turn(c, i);
        struct call_data data;
        plan.flags |= CALL_PLAIN;
        plan.seed += (uint64_t)i;
        call_data_make(&data, &plan, session_guards(s, plan.entry));
        call_reply_free(&reply);
        worker_call(&w, &data, &reply);
        call_data_free(&data);
        m->given[i] = reply.work.of[WORK_HOST_BYTES];
        m->mapped[i] = reply.work.of[WORK_MAPPED_BYTES];
        all = reply.end == CALL_ANSWERED && reply.counted && m->given[i] > 0;
    }
    worker_finish(&w);
    worker_free(&w);
    call_reply_free(&reply);
    return all;
}

/* Is there more than ever after so many of the later calls, or at the end so much more? Each is
 * compared with those whose turn was the same shape's: for a larger one more may be kept. */
static bool grows(const uint64_t in_use[CALLS], int enough, uint64_t much) {
    const uint64_t settled = in_use[SETTLED - 1], last = in_use[CALLS - 1];
    uint64_t most[2] = {in_use[SETTLED - 2], settled};
    int rises = 0;
    for (int i = SETTLED; i < CALLS; i++) {
        rises += in_use[i] > most[i % 2];
        most[i % 2] = in_use[i] > most[i % 2] ? in_use[i] : most[i % 2];
    }
    return last > settled && (rises >= enough || last - settled >= much);
}

bool check_growth(struct grade_context *g, const struct case_result *c, struct check_result *r) {
    const struct shape s = turn(c, 1)->shape, other = turn(c, 0)->shape;
    const bool alone = c->spec->entry == ENTRY_CPU;
    const uint64_t much = alone ? (uint64_t)s.m * (uint64_t)s.n * sizeof(float) : UINT64_MAX;
    struct measured m;
    if (!measure(g, c, &m))
        return false;
    const uint64_t more = m.given[CALLS - 1] - m.given[SETTLED - 1];
    const bool given = grows(m.given, alone ? RISES : RISES_AMONG_OTHERS, much) &&
                       (alone || more >= (uint64_t)(CALLS - SETTLED) * LEAST_AMONG_OTHERS);
    if (!given && !grows(m.mapped, RISES_AMONG_OTHERS, UINT64_MAX))
        return false;
    r->left = given ? WORK_HOST_BYTES : WORK_MAPPED_BYTES;
    const uint64_t *in_use = given ? m.given : m.mapped;
    text_addf(&r->summary,
              "%s does not free what it makes: %llu bytes more in use after %d calls than after "
              "%d, %d x %d x %d and %d x %d x %d in turns",
              entry_name(c->spec->entry),
              (unsigned long long)(in_use[CALLS - 1] - in_use[SETTLED - 1]), CALLS, SETTLED, s.m,
              s.n, s.k, other.m, other.n, other.k);
    text_add(&r->details, given ? "every malloc needs its free, every new its delete\n"
                                : "every mmap needs its munmap, every thread its join\n");
    return true;
}
