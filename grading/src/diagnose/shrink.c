/*
 * shrink.c: looks for a smaller shape that fails like a given case does, because the smallest one
 * is the easiest to work through by hand.
 *
 * One side after another is set to the smallest value that still gives the same verdict, the others
 * kept; then again, until nothing changes. The result is a shape none of whose sides alone can be
 * made smaller along the ladder below. The search is bounded by a count, not by a clock, so that
 * the same run gives the same report everywhere; and by the submission's budget, as all that is
 * run.
 */
#include "grading/src/diagnose/shrink.h"

#include "grading/src/base/scratch.h"
#include "grading/src/run/session.h"

#define MOST_CALLS 60

/* Multiply-adds of a case beyond which each call of the search would take seconds. */
#define MOST_MADDS 1e8

/* Sides worth trying: the first few, and those around tiles and warps. */
static const int ladder[] = {1, 2, 3, 4, 5, 8, 9, 15, 16, 17, 31, 32, 33, 63, 64, 65, 96, 97, 128};
static const size_t ladder_length = sizeof ladder / sizeof *ladder;

struct search {
    struct grade_context *g;
    struct case_result *result;
    struct worker worker;
    bool running;
    int calls;
};

/* Does this shape fail with the same verdict? If so, *e holds what was seen (else it is empty). */
static bool fails(struct search *s, struct shape shape, struct evidence *e) {
    *e = (struct evidence){0};
    if (!shape_allowed(s->g->lab, shape) || s->calls >= MOST_CALLS || interrupt_noted() ||
        budget_is_spent(&s->g->budget))
        return false;
    s->calls++;
    struct call_reply reply = {0};
    const struct session session = session_of(s->g);
    const struct worker_setup setup = session_setup(s->g, session);
    if (!s->running) {
        s->running = worker_start(&s->worker, &setup, &reply);
        if (!s->running) {
            worker_finish(&s->worker);
            worker_free(&s->worker);
            s->calls = MOST_CALLS; /* it starts or it doesn't: no point in going on */
            return false;
        }
    }
    struct call_plan plan = s->result->evidence.plan;
    plan.shape = shape;
    plan.flags = 0;
    struct call_data data;
    call_data_make(&data, &plan, session_guards(session, plan.entry));
    worker_call(&s->worker, &data, &reply);
    judge_call(e, &data, &reply, session.backend->kind);
    if (reply.end != CALL_ANSWERED || !reply.bytes) {
        session_conclude(session, e, &s->worker, true);
        worker_free(&s->worker);
        s->running = false;
    }
    call_data_free(&data);
    call_reply_free(&reply);
    if (e->verdict == s->result->verdict)
        return true;
    evidence_free(e);
    return false;
}

/* The smallest step of the ladder that still fails, for the sides chosen in `sides` (bits m, n, k)
 * together. True when the shape got smaller. */
static bool lower(struct search *s, struct shape *shape, unsigned sides) {
    const int now = sides & 1 ? shape->m : sides & 2 ? shape->n : shape->k;
    for (size_t i = 0; i < ladder_length && ladder[i] < now; i++) {
        struct shape smaller = *shape;
        if (sides & 1)
            smaller.m = ladder[i];
        if (sides & 2)
            smaller.n = ladder[i];
        if (sides & 4)
            smaller.k = ladder[i];
        struct evidence e;
        if (!fails(s, smaller, &e))
            continue;
        evidence_free(&s->result->smallest);
        s->result->smallest = e;
        s->result->shrunk = true;
        *shape = smaller;
        return true;
    }
    return false;
}

void shrink_failure(struct grade_context *g, struct case_result *result) {
    /* A later call's failure may need the ones before it; what hangs would hang here as well; and
     * a tall shape, or one of many large tiles, is about as small as it can be, and costs seconds.
     */
    const struct shape is = result->evidence.plan.shape;
    const bool worth = result->evidence.call == 1 && result->spec->shape != SHAPE_TALL &&
                       (double)is.m * is.n * is.k <= MOST_MADDS &&
                       (result->verdict == VERDICT_WRONG || result->verdict == VERDICT_MEMORY ||
                        result->verdict == VERDICT_CRASH || result->verdict == VERDICT_CUDA_ERROR ||
                        result->verdict == VERDICT_EXIT);
    if (!worth)
        return;
    struct search s = {.g = g, .result = result};
    struct shape shape = result->evidence.plan.shape;
    const unsigned together[] = {7}, apart[] = {4, 1, 2};
    const unsigned *steps = g->lab->square_tiles ? together : apart;
    const size_t step_count = g->lab->square_tiles ? 1 : 3;
    bool smaller = true;
    while (smaller && s.calls < MOST_CALLS) {
        smaller = false;
        for (size_t i = 0; i < step_count; i++)
            smaller |= lower(&s, &shape, steps[i]);
    }
    if (s.running) {
        worker_finish(&s.worker);
        worker_free(&s.worker);
    }
}
