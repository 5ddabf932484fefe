/* exhibit.c: runs a case again for the HTML page (see exhibit.h). */
#include "grading/src/report/exhibit.h"

#include "grading/src/base/scratch.h"
#include "grading/src/report/error_map.h"
#include "grading/src/run/expect.h"
#include "grading/src/run/left.h"
#include "grading/src/run/session.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define REPORT_NAME "launches.json"
#define MOST_REPORT ((size_t)24 << 20)

bool exhibit_wanted(const struct options *o) {
    for (int i = 0; i < o->formats; i++)
        if (strcmp(o->format[i].name, "html") == 0)
            return true;
    return false;
}

/* ---- One case once more ---- */

/* The environment, with the virtual GPU's report switched on. Only the array is new. */
static char **reporting(char *const *of) {
    static char report[] = "VGPU_REPORT=" REPORT_NAME, trace[] = "VGPU_TRACE=1";
    size_t n = 0;
    while (of && of[n])
        n++;
    char **e = xcalloc(n + 3, sizeof *e);
    if (n > 0)
        memcpy(e, of, n * sizeof *e);
    e[n] = report;
    e[n + 1] = trace;
    return e;
}

/* Makes a case's first call and fills *v from the report. Returns whether there was one. */
static bool run_again(struct grade_context *g, const struct case_result *c, struct view *v) {
    const struct session s = session_observed(g);
    struct worker_setup setup = session_setup(g, s);
    char **environment = setup.environment = reporting(setup.environment);
    struct worker w;
    struct call_reply reply;
    bool seen = false;
    if (worker_start(&w, &setup, &reply)) {
        struct call_data data;
        call_data_make(&data, &c->plan.call[0], session_guards(s, c->spec->entry));
        call_reply_free(&reply);
        worker_call(&w, &data, &reply);
        call_data_free(&data);
    }
    size_t length;
    char *json = worker_left(&w, REPORT_NAME, MOST_REPORT, &length);
    if (json)
        seen = view_parse(v, json, length, g->submission.name);
    free(json);
    worker_finish(&w);
    worker_free(&w);
    call_reply_free(&reply);
    free(environment);
    return seen;
}

/* ---- Where C is wrong ---- */

static enum element_state state_of(float got, bool unwritten, double want, double bound,
                                   double scale) {
    if (compare_element(got, want, bound))
        return ELEMENT_RIGHT;
    if (unwritten)
        return ELEMENT_UNWRITTEN;
    if (!isfinite(got))
        return ELEMENT_NAN;
    const double error = fabs((double)got - want);
    return error <= scale / 100 ? ELEMENT_NEAR : error <= scale ? ELEMENT_OFF : ELEMENT_FAR;
}

static double mean_size(const double *x, size_t n) {
    double sum = 0;
    for (size_t i = 0; i < n; i++)
        sum += fabs(x[i]);
    return n > 0 && sum > 0 ? sum / (double)n : 1;
}

/* What every element of a wrong product is, from C as it came back. */
static void look_at_product(struct exhibit *e, const struct evidence *wrong) {
    struct call_data data;
    call_data_make(&data, &wrong->plan, (struct guard_bands){0});
    const struct shape s = wrong->plan.shape;
    const size_t total = (size_t)s.m * (size_t)s.n;
    const float *before = call_data_rows(&data, MATRIX_C);
    double *want = xmalloc(total * sizeof *want), *bound = xmalloc(total * sizeof *bound);
    if (expect_product(&data, want, bound) == 0) {
        e->shape = s;
        e->scale = mean_size(want, total);
        e->state = xmalloc(total);
        for (size_t i = 0; i < total; i++) {
            const bool unwritten = element_unwritten(wrong->plan.entry, before[i], wrong->got[i]);
            e->state[i] =
                (unsigned char)state_of(wrong->got[i], unwritten, want[i], bound[i], e->scale);
            e->states[e->state[i]]++;
        }
    }
    free(want);
    free(bound);
    call_data_free(&data);
}

static void note_blocks(struct exhibit *e, const struct grade_context *g) {
    const struct case_result *c = e->wrong;
    if (c->seen.calls < 1)
        return;
    const int call = c->evidence.call <= c->seen.calls ? c->evidence.call : c->seen.calls;
    const struct work *w = &c->seen.work[call - 1];
    e->block[0] = error_map_block(w, g->lab, 0, e->shape.n);
    e->block[1] = error_map_block(w, g->lab, 1, e->shape.m);
}

/* ---- Which cases ---- */

static bool on_device(const struct case_result *c) {
    return c->spec->entry != ENTRY_CPU && !c->spec->hidden;
}

/* How much a picture of this wrong product says: most where a good part of C is right, or was never
 * written, and where a square of the picture stands for few elements. */
static double worth_drawing(const struct evidence *e) {
    const double total = (double)e->comparison.total;
    const double right = total - (double)e->comparison.wrong,
                 unwritten = (double)e->untouched_total;
    const bool mixed =
        (right > total / 50 && right < total) || (unwritten > total / 50 && unwritten < total);
    const double most = 128 * 128, size = total < most ? total : most * most / total;
    return size * (mixed ? 1000 : 1);
}

static bool can_be_drawn(const struct case_result *c) {
    return !c->spec->hidden && c->verdict == VERDICT_WRONG && c->evidence.got;
}

/* The case that the report speaks of; where that has no wrong product, the one that says most. */
static const struct case_result *case_to_draw(const struct grade_context *g) {
    if (g->first_failure && can_be_drawn(g->first_failure))
        return g->first_failure;
    const struct case_result *best = NULL;
    double most = 0;
    for (size_t i = 0; i < g->result_count; i++) {
        const struct case_result *c = &g->results[i];
        if (!can_be_drawn(c) || worth_drawing(&c->evidence) <= most)
            continue;
        best = c;
        most = worth_drawing(&c->evidence);
    }
    return best;
}

/* A case that a check counts in; else the largest right one; else a wrong one. */
static const struct case_result *case_to_count(const struct grade_context *g) {
    const struct case_result *largest = NULL;
    double most = 0;
    for (size_t i = 0; i < g->result_count; i++) {
        const struct case_result *c = &g->results[i];
        if (!on_device(c) || c->verdict != VERDICT_PASS)
            continue;
        for (size_t k = 0; k < g->rubric.check_count; k++)
            if (g->rubric.checks[k].kind == CHECK_COUNTS &&
                check_looks_at(&g->rubric.checks[k], c->spec))
                return c;
        const struct shape s = c->plan.call[0].shape;
        const double size = (double)s.m * s.n * s.k;
        largest = size > most ? c : largest;
        most = size > most ? size : most;
    }
    const struct case_result *f = case_to_draw(g);
    if (!f || !on_device(f))
        f = g->first_failure;
    const bool runs = f && on_device(f) && f->verdict != VERDICT_MISSING &&
                      f->verdict != VERDICT_TIMEOUT && f->verdict != VERDICT_FLOOD;
    return largest ? largest : runs ? f : NULL;
}

void exhibit_gather(struct grade_context *g) {
    if (!exhibit_wanted(&g->options) || interrupt_noted())
        return;
    struct exhibit *e = g->exhibit = xcalloc(1, sizeof *e);
    const bool vgpu = session_observes(g);
    e->wrong = case_to_draw(g);
    if (e->wrong) {
        look_at_product(e, &e->wrong->evidence);
        note_blocks(e, g);
    }
    const struct case_result *counted = vgpu ? case_to_count(g) : NULL;
    if (counted && !budget_is_spent(&g->budget) && run_again(g, counted, &e->view))
        e->counted = counted;
}

void exhibit_free(struct exhibit *e) {
    if (e) {
        free(e->state);
        view_free(&e->view);
        free(e);
    }
}
