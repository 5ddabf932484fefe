/* film_record.c: see film_record.h. */
#include "grading/src/report/film_record.h"

#include "grading/src/base/scratch.h"
#include "grading/src/report/film_product.h"
#include "grading/src/run/left.h"
#include "grading/src/run/session.h"

#include <stdlib.h>
#include <string.h>

#define RECORDING      "film.json"
#define MOST_RECORDING ((size_t)15 << 20)

/* Where the machine is slow, watching is: a call may take so many times what it has otherwise. */
#define FILM_TIMES 6

/* The environment, with the film switched on; the strings behind the array are `own`. */
static char **filming(char *const *of, const struct film_order *o, const char *block,
                      char *own[6]) {
    const struct shape s = o->plan->shape;
    size_t n = 0, added = 0;
    while (of && of[n])
        n++;
    own[added++] = xstrdup("VGPU_FILM=" RECORDING);
    own[added++] = xasprintf("VGPU_FILM_SHAPE=%d,%d,%d", s.m, s.n, s.k);
    own[added++] = xasprintf("VGPU_FILM_TITLE=%s", o->about);
    if (block)
        own[added++] = xasprintf("VGPU_FILM_BLOCK=%s", block);
    if (o->warp)
        own[added++] = xasprintf("VGPU_FILM_WARP=%s", o->warp);
    char **e = xcalloc(n + added + 1, sizeof *e);
    if (n > 0)
        memcpy(e, of, n * sizeof *e);
    memcpy(e + n, own, added * sizeof *own);
    return e;
}

/* Takes what the worker left, and what the call's answer says of the product. False: there is no
 * recording; `left`: there was something. */
static bool take_recording(struct film_take *take, const struct worker *w,
                           const struct call_data *data, const struct call_reply *reply,
                           enum backend_choice backend, bool *left) {
    size_t length;
    char *json = worker_left(w, RECORDING, MOST_RECORDING, &length);
    json_error_t error;
    take->film = json ? json_loadb(json, length, JSON_REJECT_DUPLICATES, &error) : NULL;
    *left = json != NULL;
    free(json);
    if (!take->film)
        return false;
    struct evidence e = {0};
    judge_call(&e, data, reply, backend);
    take->product = film_product(take->film, data, e.verdict == VERDICT_WRONG ? e.got : NULL);
    evidence_free(&e);
    return true;
}

static void say_why(const struct worker *w, bool left, const char *name, struct text *why_not) {
    const struct vgpu_fact *said = NULL;
    for (int i = 0; i < w->facts.count; i++)
        if (w->facts.at[i].fact.says == VGPU_NOT_FILMED)
            said = &w->facts.at[i].fact;
    text_clear(why_not);
    if (left)
        text_add(why_not, "the run left no readable recording");
    else if (said)
        text_add_clean_line(why_not, said->name, strlen(said->name), sizeof said->name);
    else
        text_addf(why_not, "no kernel of %s was launched", name);
}

/* block: NULL: whichever the virtual GPU takes. */
static bool record(struct grade_context *g, const struct session s, const struct film_order *order,
                   const char *block, struct film_take *take, struct text *why_not) {
    struct worker_setup setup = session_setup(g, s);
    char *own[6] = {NULL};
    char **environment = setup.environment = filming(setup.environment, order, block, own);
    setup.call_limit = order->limit > 0 ? order->limit : setup.call_limit * FILM_TIMES;
    if (order->limit == 0)
        setup.budget = NULL;
    struct call_plan plan = *order->plan;
    plan.flags = 0;
    plan.fail_call = 0;
    plan.clock_behind = 0;
    struct worker w;
    struct call_reply reply;
    struct call_data data;
    call_data_make(&data, &plan, session_guards(s, plan.entry));
    if (worker_start(&w, &setup, &reply)) {
        call_reply_free(&reply);
        worker_call(&w, &data, &reply);
    }
    bool left;
    const bool ok = take_recording(take, &w, &data, &reply, s.backend->kind, &left);
    worker_finish(&w);
    if (!ok)
        say_why(&w, left, g->submission.name, why_not);
    worker_free(&w);
    call_reply_free(&reply);
    call_data_free(&data);
    free(environment);
    for (size_t i = 0; i < sizeof own / sizeof *own; i++)
        free(own[i]);
    return ok;
}

/* The watched build, made once; NULL: why_not says why there is none. */
static const struct build *watched_build(struct grade_context *g, const struct backend *backend,
                                         struct text *why_not) {
    if (!g->film.build) {
        g->film.build = xcalloc(1, sizeof *g->film.build);
        build_watched(g->film.build, &g->submission, g->lab, backend, &g->paths, g->scratch,
                      g->sandbox);
    }
    if (g->film.build->outcome == BUILD_OK)
        return g->film.build;
    text_clear(why_not);
    text_add(why_not, text_get(&g->film.build->headline));
    return NULL;
}

bool film_record(struct grade_context *g, const struct film_order *order, struct film_take *take,
                 struct text *why_not) {
    const struct backend *backend = session_observed(g).backend;
    const struct build *build = watched_build(g, backend, why_not);
    const struct session s = {backend, build};
    char block[48];
    *take = (struct film_take){0};
    if (!build || !record(g, s, order, order->block, take, why_not))
        return false;
    if (!order->block && !film_has_mistake(take->film) &&
        film_other_block(take->film, &take->product, block, sizeof block)) {
        struct film_take other = {0};
        if (record(g, s, order, block, &other, why_not)) {
            film_take_free(take);
            *take = other;
        }
        text_clear(why_not);
    }
    return true;
}

void film_take_free(struct film_take *take) {
    json_decref(take->film);
    film_product_free(&take->product);
    *take = (struct film_take){0};
}

void film_record_end(struct grade_context *g) {
    if (g->film.build)
        build_free(g->film.build);
    free(g->film.build);
    g->film.build = NULL;
}
