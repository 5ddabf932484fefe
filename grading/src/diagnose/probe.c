/* probe.c: see probe.h. */
#include "grading/src/diagnose/probe.h"

#include "common/matrix.h"
#include "grading/src/base/scratch.h"

#include <stdlib.h>
#include <string.h>

enum { LATE_MOST = 2 };

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

/* Small integers without a zero; as in cases where the least of many sums is taken (cases.c). */
static void fill_small(float *x, size_t count, const struct call_plan *plan, uint64_t seed) {
    struct generator g = generator_start(seed, 77);
    if (plan->product.kind == PRODUCT_MIN_PLUS) {
        fill_integers(x, count, 1, 1000, &g);
        return;
    }
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
    float *a = call_data_rows(data, MATRIX_A), *b = call_data_rows(data, MATRIX_B);
    fill_ones(a, na);
    fill_ones(b, nb);
    switch (contents) {
    case PROBE_SMALL:
        fill_small(a, na, &data->plan, data->plan.seed);
        fill_small(b, nb, &data->plan, data->plan.seed + 1);
        break;
    case PROBE_ONES: break;
    case PROBE_A_PLACES:
    case PROBE_A_SQUARES: fill_places(a, na, contents == PROBE_A_SQUARES); break;
    case PROBE_B_PLACES:
    case PROBE_B_SQUARES: fill_places(b, nb, contents == PROBE_B_SQUARES); break;
    case PROBE_ONE_HOT: /* shapes for it have m > 1 and k > 2 */
    case PROBE_ONE_HOT_ONES:
        for (size_t i = 0; i < na; i++)
            a[i] = i == (size_t)s.k + 2 ? 1.0f : 0.0f;
        for (size_t i = 0; i < nb && contents == PROBE_ONE_HOT; i++)
            b[i] = (float)(i + 1);
        break;
    }
    call_data_store(data);
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
static struct trial *observe(struct prober *p, struct trials *all, const struct call_data *data,
                             bool room) {
    struct call_reply reply;
    struct evidence e;
    worker_call(&p->worker, data, &reply);
    judge_call(&e, data, &reply, p->session.backend->kind);
    const bool lost = reply.end != CALL_ANSWERED || !reply.bytes;
    if (lost) {
        session_conclude(p->session, &e, &p->worker, true);
        p->late += e.at_limit || e.verdict == VERDICT_TIMEOUT;
        p->over = p->late >= LATE_MOST || e.verdict == VERDICT_NOT_GRADED ||
                  e.verdict == VERDICT_FLOOD || e.verdict == VERDICT_MEDDLED;
        worker_free(&p->worker);
        p->running = false;
    }
    const struct region *r = data->region;
    struct trial *t =
        room && !lost
            ? trials_add_bytes(all, "probe", data,
                               reply.bytes + r[MATRIX_A].bytes + r[MATRIX_B].bytes,
                               reply.counted ? &reply.work : NULL)
            : trials_add(all, "probe", data, e.verdict, e.got, reply.counted ? &reply.work : NULL);
    if (t) {
        text_add(&t->summary, text_get(&e.summary));
        facts_copy(&t->facts, &e.facts);
        t->touched = e.touched;
        t->room = room;
        t->bounded = !room && p->entry == ENTRY_DEVICE && p->session.backend->kind == BACKEND_VGPU;
        t->code_at = e.code_at;
    }
    evidence_free(&e);
    call_reply_free(&reply);
    return t;
}

static bool may_go_on(struct prober *p, struct shape shape) {
    return !p->over && p->calls < PROBE_MOST && shape_allowed(p->g->lab, shape) &&
           !interrupt_noted() && !budget_is_spent(&p->g->budget) && (p->running || start(p));
}

/* The next probe's plan. */
static struct call_plan plan_next(struct prober *p, struct shape shape) {
    p->calls++;
    return (struct call_plan){.entry = p->entry,
                              .shape = shape,
                              .input = INPUT_SMALL,
                              .poison = POISON_INTEGERS,
                              .layout = p->g->lab->layout,
                              .product = p->g->lab->product,
                              .flags = p->flags,
                              .seed = (uint64_t)p->calls * 2};
}

struct trial *probe(struct prober *p, struct trials *all, struct shape shape,
                    enum probe_contents contents) {
    if (!may_go_on(p, shape))
        return NULL;
    const struct call_plan plan = plan_next(p, shape);
    struct call_data data;
    call_data_make(&data, &plan, session_guards(p->session, p->entry));
    fill(&data, contents);
    struct trial *t = observe(p, all, &data, false);
    call_data_free(&data);
    return t;
}

/* A and B among numbers of this kind; C's bands stay as they are. */
static void surround(struct call_data *data, float around) {
    for (int i = 0; i < MATRIX_C; i++) {
        float *x = (float *)(void *)data->bytes[i];
        for (size_t k = 0; k < data->region[i].bytes / sizeof *x; k++)
            x[k] = around;
    }
}

struct trial *probe_with_room(struct prober *p, struct trials *all, struct shape shape,
                              enum probe_contents contents, float around) {
    if (!may_go_on(p, shape))
        return NULL;
    const struct call_plan plan = plan_next(p, shape);
    const uint64_t m = (uint64_t)shape.m, n = (uint64_t)shape.n, k = (uint64_t)shape.k;
    const uint64_t most = m * k + k * n + m * n, room = (most * sizeof(float) / 16 + 8192) * 64;
    struct call_data data;
    call_data_make(&data, &plan, (struct guard_bands){.before = room, .after = room, .pad = true});
    surround(&data, around);
    fill(&data, contents);
    struct trial *t = observe(p, all, &data, true);
    call_data_free(&data);
    return t;
}

struct trial *probe_with(struct prober *p, struct trials *all, struct shape shape, const float *a,
                         const float *b) {
    if (!may_go_on(p, shape))
        return NULL;
    const struct call_plan plan = plan_next(p, shape);
    struct call_data data;
    call_data_make(&data, &plan, session_guards(p->session, p->entry));
    memcpy(call_data_rows(&data, MATRIX_A), a, (size_t)shape.m * (size_t)shape.k * sizeof *a);
    memcpy(call_data_rows(&data, MATRIX_B), b, (size_t)shape.k * (size_t)shape.n * sizeof *b);
    call_data_store(&data);
    struct trial *t = observe(p, all, &data, false);
    call_data_free(&data);
    return t;
}

void probe_launches(struct prober *p, struct trial *t) {
    if (!may_go_on(p, t->shape))
        return;
    const struct call_plan plan = plan_next(p, t->shape);
    struct worker_setup setup = session_setup(p->g, p->session);
    struct call_data data;
    struct worker w;
    struct call_reply reply;
    setup.unchecked = setup.idle = true;
    setup.call_limit = PROBE_LIMIT;
    call_data_make(&data, &plan, session_guards(p->session, p->entry));
    if (worker_start(&w, &setup, &reply)) {
        call_reply_free(&reply);
        worker_call(&w, &data, &reply);
    }
    if (reply.end == CALL_ANSWERED && reply.counted) {
        t->idled = true;
        t->work = reply.work;
    }
    worker_finish(&w);
    worker_free(&w);
    call_reply_free(&reply);
    call_data_free(&data);
}
