/* probe.c: see probe.h. */
#include "grading/src/diagnose/probe.h"

#include "common/matrix.h"
#include "grading/src/base/scratch.h"

#include <stdlib.h>
#include <string.h>

void prober_begin(struct prober *p, struct grade_context *g, struct session session,
                  enum entry_point entry) {
    *p = (struct prober){.g = g, .session = session, .entry = entry};
}

static void stop(struct prober *p) {
    if (p->running) {
        worker_finish(&p->worker);
        worker_free(&p->worker);
    }
    p->running = false;
}

void prober_end(struct prober *p) {
    stop(p);
    p->over = true;
}

/* Small integers without a zero. */
static void fill_small(float *x, size_t count, uint64_t seed) {
    struct generator g = generator_start(seed, 77);
    for (size_t i = 0; i < count; i++) {
        const uint64_t r = generator_next(&g) >> 32;
        x[i] = (float)((int)(r % 8) + 1) * (r & 8 ? 1.0f : -1.0f);
    }
}

/* Numbers of elements, counted from the middle so that sums stay exact; or their squares. */
static void fill_places(float *x, size_t count, bool squares) {
    const size_t middle = count / 2;
    for (size_t i = 0; i < count; i++) {
        const float place = (float)i - (float)middle;
        x[i] = squares ? place * place : place;
    }
}

static void fill_ones(float *x, size_t count) {
    for (size_t i = 0; i < count; i++)
        x[i] = 1.0f;
}

static void fill(struct call_data *data, enum probe_contents contents) {
    const struct shape s = data->plan.shape;
    const size_t na = (size_t)s.m * (size_t)s.k, nb = (size_t)s.k * (size_t)s.n;
    float *a = (float *)(void *)(data->bytes[MATRIX_A] + data->region[MATRIX_A].offset);
    float *b = (float *)(void *)(data->bytes[MATRIX_B] + data->region[MATRIX_B].offset);
    fill_ones(a, na);
    fill_ones(b, nb);
    switch (contents) {
    case PROBE_SMALL:
        fill_small(a, na, data->plan.seed);
        fill_small(b, nb, data->plan.seed + 1);
        break;
    case PROBE_ONES: break;
    case PROBE_A_PLACES:
    case PROBE_A_SQUARES: fill_places(a, na, contents == PROBE_A_SQUARES); break;
    case PROBE_B_PLACES:
    case PROBE_B_SQUARES: fill_places(b, nb, contents == PROBE_B_SQUARES); break;
    case PROBE_ONE_HOT: /* shapes for it have m > 1 and k > 2 */
        for (size_t i = 0; i < na; i++)
            a[i] = i == (size_t)s.k + 2 ? 1.0f : 0.0f;
        for (size_t i = 0; i < nb; i++)
            b[i] = (float)(i + 1);
        break;
    }
}

static bool start(struct prober *p) {
    struct call_reply reply;
    struct worker_setup setup = session_setup(p->g, p->session);
    setup.call_limit = PROBE_LIMIT;
    p->running = worker_start(&p->worker, &setup, &reply);
    if (!p->running) {
        worker_finish(&p->worker);
        worker_free(&p->worker);
        p->over = true;
    }
    call_reply_free(&reply);
    return p->running;
}

/* Makes the call and notes what becomes of it. */
static struct trial *observe(struct prober *p, struct trials *all, const struct call_data *data) {
    struct call_reply reply;
    struct evidence e;
    worker_call(&p->worker, data, &reply);
    judge_call(&e, data, &reply, p->session.backend->kind);
    const bool lost = reply.end != CALL_ANSWERED || !reply.bytes;
    if (lost) {
        session_conclude(p->session, &e, &p->worker, true);
        p->over = e.at_limit || e.verdict == VERDICT_TIMEOUT || e.verdict == VERDICT_NOT_GRADED ||
                  e.verdict == VERDICT_FLOOD || e.verdict == VERDICT_MEDDLED;
        worker_free(&p->worker);
        p->running = false;
    }
    struct trial *t =
        trials_add(all, "probe", data, e.verdict, e.got, reply.counted ? &reply.work : NULL);
    if (t) {
        text_add(&t->summary, text_get(&e.summary));
        facts_copy(&t->facts, &e.facts);
        t->touched = e.touched;
    }
    evidence_free(&e);
    call_reply_free(&reply);
    return t;
}

struct trial *probe(struct prober *p, struct trials *all, struct shape shape,
                    enum probe_contents contents) {
    if (p->over || p->calls >= PROBE_MOST || !shape_allowed(p->g->lab, shape) ||
        interrupt_noted() || budget_is_spent(&p->g->budget))
        return NULL;
    if (!p->running && !start(p))
        return NULL;
    p->calls++;
    const struct call_plan plan = {.entry = p->entry,
                                   .shape = shape,
                                   .input = INPUT_SMALL,
                                   .poison = POISON_INTEGERS,
                                   .flags = p->flags,
                                   .seed = (uint64_t)p->calls * 2};
    struct call_data data;
    call_data_make(&data, &plan, session_guards(p->session, p->entry));
    fill(&data, contents);
    struct trial *t = observe(p, all, &data);
    if (t)
        t->bounded = p->entry == ENTRY_DEVICE && p->session.backend->kind == BACKEND_VGPU;
    call_data_free(&data);
    return t;
}
