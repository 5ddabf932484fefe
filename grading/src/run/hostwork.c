/* hostwork.c: a call with a device that computes nothing (see hostwork.h). */
#include "grading/src/run/hostwork.h"

#include "grading/src/base/scratch.h"
#include "grading/src/run/judge.h"
#include "grading/src/run/session.h"

#include <string.h>

/* In milliseconds. A program that waits for a kernel's sign waits in vain: that is no product. */
#define IDLE_LIMIT 2000

static bool asks(const struct check_spec *check) {
    for (int i = 0; i < check->limits; i++)
        if (strcmp(check->limit[i].quantity, "host_products") == 0)
            return true;
    return false;
}

static double madds(const struct case_result *c) {
    const struct shape s = c->plan.call[0].shape;
    return (double)s.m * s.n * s.k;
}

static struct case_result *largest(struct grade_context *g, const struct check_spec *check) {
    struct case_result *best = NULL;
    for (size_t i = 0; i < g->result_count; i++) {
        struct case_result *c = &g->results[i];
        const bool watched = c->observed == VERDICT_PASS && c->seen.calls > 0;
        if (watched && check_looks_at(check, c->spec) && (!best || madds(c) > madds(best)))
            best = c;
    }
    return best;
}

/* So many of a hundred elements of C must be right: some are by chance, where C is zero. */
#define CHANCE 5

/* Is part of the case's first product right with a device that computes nothing? */
static bool right_alone(struct grade_context *g, const struct case_result *c) {
    const struct session s = session_observed(g);
    struct worker_setup setup = session_setup(g, s);
    struct call_plan plan = c->plan.call[0];
    struct call_data data;
    struct worker w;
    struct call_reply reply;
    struct evidence e = {0};
    setup.unchecked = setup.idle = true;
    setup.call_limit = setup.call_limit < IDLE_LIMIT ? setup.call_limit : IDLE_LIMIT;
    plan.flags |= CALL_PLAIN;
    call_data_make(&data, &plan, session_guards(s, c->spec->entry));
    if (worker_start(&w, &setup, &reply)) {
        call_reply_free(&reply);
        worker_call(&w, &data, &reply);
    }
    judge_call(&e, &data, &reply, s.backend->kind);
    const struct comparison *compared = &e.comparison;
    const size_t good = compared->total - compared->wrong;
    const bool right = e.verdict == VERDICT_PASS ||
                       (e.verdict == VERDICT_WRONG && good * 100 > compared->total * CHANCE);
    worker_finish(&w);
    worker_free(&w);
    evidence_free(&e);
    call_reply_free(&reply);
    call_data_free(&data);
    return right;
}

void hostwork_look(struct grade_context *g) {
    for (size_t i = 0; i < g->rubric.check_count && session_observes(g) && !interrupt_noted();
         i++) {
        struct case_result *c =
            asks(&g->rubric.checks[i]) ? largest(g, &g->rubric.checks[i]) : NULL;
        if (c && !budget_is_spent(&g->budget) && right_alone(g, c))
            c->seen.work[0].of[WORK_HOST_PRODUCTS] = c->testimony.work[0].of[WORK_HOST_PRODUCTS] =
                1;
    }
}
