/* checks.c: judges a rubric's checks (see checks.h). */
#include "grading/src/check/checks.h"

#include "grading/src/base/progress.h"
#include "grading/src/base/scratch.h"
#include "grading/src/check/check_errors.h"
#include "grading/src/check/check_growth.h"
#include "grading/src/lab/points.h"

#include <math.h>
#include <string.h>

/* ---- Which cases may be judged ---- */

/* It gave a right product, and the virtual GPU watched. */
static bool usable(const struct case_result *c) {
    return c->verdict == VERDICT_PASS && c->observed == VERDICT_PASS && c->seen.calls > 0;
}

static const struct case_result *result_of(const struct grade_context *g, const char *name) {
    for (size_t i = 0; i < g->result_count; i++)
        if (strcmp(g->results[i].spec->name, name) == 0)
            return &g->results[i];
    return NULL;
}

static void not_met(struct check_result *r, const struct case_result *in) {
    r->verdict = CHECK_NOT_MET;
    r->in = in;
}

static void say_nothing_right(const struct grade_context *g, struct check_result *r) {
    text_addf(&r->summary, "no case gave a right product%s, so there is nothing to judge",
              g->first_forgiven ? " on the virtual GPU" : "");
}

/* The largest case of the function that can be looked at. */
static const struct case_result *largest(const struct grade_context *g, enum entry_point entry) {
    const struct case_result *best = NULL;
    double most = 0;
    for (size_t i = 0; i < g->result_count; i++) {
        const struct case_result *c = &g->results[i];
        const struct shape s = c->plan.call[0].shape;
        const double madds = (double)s.m * s.n * s.k;
        if (c->spec->entry == entry && usable(c) && madds > most) {
            best = c;
            most = madds;
        }
    }
    return best;
}

/* The case a check looks at first. NULL, with the reason, when there is nothing to look at. */
static const struct case_result *judged_case(const struct grade_context *g,
                                             struct check_result *r) {
    const bool named = r->spec->in_count > 0;
    const struct case_result *c =
        named ? result_of(g, r->spec->in[0]) : largest(g, r->spec->function);
    if (c && usable(c))
        return c;
    not_met(r, c);
    r->premature = true;
    if (!named)
        say_nothing_right(g, r);
    else if (c && c->verdict == VERDICT_PASS)
        text_addf(&r->summary, "judged on the case %s, which ends in a %s on the virtual GPU",
                  r->spec->in[0], verdict_text(c->observed));
    else
        text_addf(&r->summary, "judged on the case %s, which needs a right product first",
                  r->spec->in[0]);
    return NULL;
}

static void where(struct text *t, const struct case_result *c) {
    const struct shape s = c->plan.call[0].shape;
    text_addf(t, "in the case %s (%d x %d x %d)", c->spec->name, s.m, s.n, s.k);
}

/* ---- Findings ---- */

static const struct finding_body *wanted_finding(const struct check_spec *spec,
                                                 const struct observation *seen) {
    for (int i = 0; i < spec->find_count; i++) {
        /* These are never more. */
        const bool warnings =
            spec->finds[i] == VGPU_FOUND_LEAK || spec->finds[i] == VGPU_FOUND_DIVISION;
        const struct finding_body *f = observation_find(seen, spec->finds[i], warnings);
        if (f)
            return f;
    }
    return NULL;
}

static void found(struct check_result *r, const struct case_result *c,
                  const struct finding_body *f) {
    not_met(r, c);
    r->found = f;
    const size_t line = strcspn(f->message, "\n");
    struct text first = {0};
    text_add_clean_line(&first, f->message, line, 300);
    text_mask_addresses(&first);
    text_addf(&r->summary, "%s, ", text_get(&first));
    where(&r->summary, c);
    text_free(&first);
    if (f->message[line] == '\n')
        text_add(&r->details, f->message + line + 1);
}

/* A case that no checker watches may leave memory all the same. */
static bool left_memory(const struct check_spec *spec, const struct case_result *c) {
    const bool left = c->verdict == VERDICT_MEMORY && c->evidence.touched.how != TOUCHED_INSIDE;
    for (int i = 0; i < spec->find_count; i++)
        if (left && spec->finds[i] == VGPU_FOUND_MEMORY)
            return true;
    return false;
}

static void judge_findings(const struct grade_context *g, struct check_result *r) {
    bool any = false;
    for (size_t i = 0; i < g->result_count; i++) {
        const struct case_result *c = &g->results[i];
        const struct finding_body *f = wanted_finding(r->spec, &c->seen);
        any = any || usable(c);
        if (f) {
            found(r, c, f);
            return;
        }
        if (left_memory(r->spec, c)) {
            not_met(r, c);
            text_add(&r->summary, "a memory fault, ");
            where(&r->summary, c);
            return;
        }
    }
    if (any)
        return;
    not_met(r, NULL);
    r->premature = true;
    say_nothing_right(g, r);
}

/* ---- Counts ---- */

/* Not below, not above. Nothing measured is no excess, but it is not enough either. */
static bool kept(const struct limit *l, double value) {
    return (isnan(l->least) || value >= l->least) && (isnan(l->most) || !(value > l->most));
}

static void say_limit(struct text *t, const struct limit *l, double value,
                      const struct case_result *c) {
    const char *meaning = quantity_meaning(l->quantity);
    if (isnan(value))
        text_addf(t, "there was nothing to measure %s by ", l->quantity);
    else
        text_addf(t, "%s is %.4g ", l->quantity, value);
    where(t, c);
    if (!isnan(l->least) && !(value >= l->least))
        text_addf(t, "; it must be at least %.4g", l->least);
    else
        text_addf(t, "; it may be at most %.4g", l->most);
    if (strcmp(meaning, l->quantity) != 0)
        text_addf(t, " (%s)", meaning);
}

static bool some_fails(const struct grade_context *g, enum entry_point entry) {
    for (size_t i = 0; i < g->result_count; i++)
        if (g->results[i].spec->entry == entry && g->results[i].observed != VERDICT_PASS)
            return true;
    return false;
}

/* What its process tells of a case was repeated outside it, and is not so (witness.h). */
static void contradicted(const struct grade_context *g, struct check_result *r,
                         const struct case_result *c) {
    struct text why = {0};
    not_met(r, c);
    /* A kernel that is wrong elsewhere may be right here by luck, and for these numbers only. */
    if (some_fails(g, c->spec->entry)) {
        r->premature = true;
        text_addf(&r->summary, "judged when all products of %s are right",
                  entry_name(c->spec->entry));
        return;
    }
    text_add(&r->summary, "the launches that the process reports do not compute this product, ");
    where(&r->summary, c);
    text_add_clean_line(&why, c->testimony.why, strlen(c->testimony.why), 200);
    text_mask_addresses(&why);
    text_addf(&r->details, "its journal was repeated outside it: %s\n", text_get(&why));
    text_free(&why);
}

/* Do the counts of one case's calls lie within the limits that hold there? */
static void judge_counts_in(const struct grade_context *g, struct check_result *r,
                            const struct case_result *c) {
    const struct testimony *t = &c->testimony;
    if (t->end == TESTIMONY_DISAGREES) {
        contradicted(g, r, c);
        return;
    }
    const struct work *work = t->end == TESTIMONY_REPEATED ? t->work : c->seen.work;
    for (int i = 0; i < r->spec->limits; i++) {
        const struct limit *l = &r->spec->limit[i];
        for (int call = 0; call < c->seen.calls && limit_holds_in(l, c->spec); call++) {
            const double value =
                quantity_value(l->quantity, &work[call], &c->plan.call[call].shape);
            if (call == 0)
                r->measured[i] = value;
            if (r->verdict == CHECK_NOT_MET || kept(l, value))
                continue;
            r->measured[i] = value;
            r->call = call;
            not_met(r, c);
            say_limit(&r->summary, l, value, c);
            const double told =
                quantity_value(l->quantity, &c->seen.work[call], &c->plan.call[call].shape);
            if (kept(l, told))
                text_addf(&r->details, "the process itself reported %.4g, which was not believed\n",
                          told);
            if (l->advice)
                text_addf(&r->details, "%s\n", l->advice);
        }
    }
}

/* A case that is not counted: what its host's calls were is known all the same, such as cuBLAS's
 * where the lab has none. */
static void judge_told(struct check_result *r, const struct case_result *c) {
    for (int i = 0; i < r->spec->limits; i++) {
        const struct limit *l = &r->spec->limit[i];
        for (int call = 0; call < c->seen.told; call++) {
            const double value =
                quantity_value(l->quantity, &c->seen.told_work[call], &c->plan.call[call].shape);
            if (!quantity_of_host(l->quantity) || !limit_holds_in(l, c->spec) || kept(l, value))
                continue;
            r->measured[i] = value;
            not_met(r, c);
            say_limit(&r->summary, l, value, c);
            if (l->advice)
                text_addf(&r->details, "%s\n", l->advice);
            return;
        }
    }
}

static void judge_counts(const struct grade_context *g, struct check_result *r) {
    const struct case_result *first = judged_case(g, r);
    if (!first)
        return;
    r->in = first;
    judge_counts_in(g, r, first);
    for (size_t i = 0; i < g->result_count && r->verdict != CHECK_NOT_MET; i++) {
        const struct case_result *c = &g->results[i];
        const bool told = c->verdict == VERDICT_PASS && c->seen.told > 0;
        if (c == first || (!usable(c) && !told) || !check_looks_at(r->spec, c->spec))
            continue;
        struct check_result other = {.spec = r->spec, .verdict = CHECK_MET};
        for (int l = 0; l < RUBRIC_MAX_LIMITS; l++)
            other.measured[l] = NAN;
        if (told)
            judge_told(&other, c);
        else
            judge_counts_in(g, &other, c);
        if (other.verdict == CHECK_NOT_MET)
            *r = other;
    }
}

/* ---- Leaks and unfinished work ---- */

/* Things left behind after a call, of one sort. */
struct thing {
    enum work_item item;
    const char *name;
    const char *remedy;
};

static const struct thing things[] = {
    {WORK_LIVE_ALLOCATIONS, "allocation", "every cudaMalloc needs its cudaFree"},
    {WORK_LIVE_HEAP, "piece", "every malloc or new in a kernel needs its free or delete"},
    {WORK_LIVE_BLAS, "cuBLAS handle", "every cublasCreate needs its cublasDestroy"},
    {WORK_LIVE_STREAMS, "stream", "every cudaStreamCreate needs its cudaStreamDestroy"},
    {WORK_LIVE_EVENTS, "event", "every cudaEventCreate needs its cudaEventDestroy"},
};

/* What is kept grows a few times, as larger shapes come. So often it does not. */
#define LEAK_RISES 4

/* Does this call leave more of a thing? A call may keep something for those to come. So one call
 * tells only where its shape was there before: the second, the fourth and so on. Others tell when
 * there is more than ever, again and again. `most`, `rises`: of the calls before. */
static bool leaves_more(int call, uint64_t then, uint64_t now, uint64_t *most, int *rises) {
    *rises += now > *most;
    *most = now > *most ? now : *most;
    return (call % 2 == 1 && now > then) || (now > then && *rises >= LEAK_RISES);
}

static void judge_leaks_on_device(struct check_result *r, const struct case_result *c) {
    uint64_t most[sizeof things / sizeof *things] = {0};
    int rises[sizeof things / sizeof *things] = {0};
    for (int call = 0; call < c->seen.calls; call++) {
        const uint64_t *now = c->seen.work[call].of;
        const uint64_t *then = c->seen.work[call > 0 ? call - 1 : 0].of;
        for (size_t i = 0; i < sizeof things / sizeof *things; i++) {
            const enum work_item item = things[i].item;
            if (!leaves_more(call, then[item], now[item], &most[i], &rises[i]))
                continue;
            not_met(r, c);
            r->left = item;
            text_addf(&r->summary, "%s does not free what it makes: %llu %s%s more after call %d, ",
                      entry_name(c->spec->entry), (unsigned long long)(now[item] - then[item]),
                      things[i].name, now[item] - then[item] == 1 ? "" : "s", call + 1);
            where(&r->summary, c);
            text_addf(&r->details, "%s\n", things[i].remedy);
            r->found = item == WORK_LIVE_ALLOCATIONS
                           ? observation_find(&c->seen, VGPU_FOUND_LEAK, true)
                           : NULL;
            if (r->found)
                text_addf(&r->details, "%s\n", r->found->message);
            return;
        }
    }
}

static void judge_leaks(struct grade_context *g, struct check_result *r) {
    const struct case_result *c = judged_case(g, r);
    if (c)
        judge_leaks_on_device(r, c);
    if (c && r->verdict == CHECK_MET && check_growth(g, c, r))
        not_met(r, c);
}

static void judge_unfinished(const struct grade_context *g, struct check_result *r) {
    bool any = false;
    for (size_t i = 0; i < g->result_count; i++) {
        const struct case_result *c = &g->results[i];
        any = any || usable(c);
        const bool host = c->spec->entry == ENTRY_HOST;
        for (int call = 0; call < c->seen.calls; call++) {
            const uint64_t *of = c->seen.work[call].of;
            if (of[host ? WORK_UNFINISHED : WORK_UNORDERED] == 0)
                continue;
            not_met(r, c);
            text_addf(&r->summary, "%s returns while a stream of its own still works, ",
                      entry_name(c->spec->entry));
            where(&r->summary, c);
            text_add(&r->details,
                     host ? "the caller uses C at once: wait for the stream before you return\n"
                          : "the caller's default stream does not wait for a non-blocking stream: "
                            "wait for it before you return, or use none\n");
            return;
        }
    }
    if (!any) {
        not_met(r, NULL);
        r->premature = true;
        say_nothing_right(g, r);
    }
}

/* ---- All checks ---- */

static void judge(struct grade_context *g, struct check_result *r) {
    switch (r->spec->kind) {
    case CHECK_FINDINGS: judge_findings(g, r); break;
    case CHECK_COUNTS: judge_counts(g, r); break;
    case CHECK_ERRORS: check_errors(g, r); break;
    case CHECK_LEAKS: judge_leaks(g, r); break;
    case CHECK_UNFINISHED: judge_unfinished(g, r); break;
    }
}

void checks_run(struct grade_context *g, struct reporters *reporters) {
    const bool can = g->no_observer == NULL;
    const struct check_result *shut = NULL; /* a gate that is not met */
    g->checks = xcalloc(g->rubric.check_count + 1, sizeof *g->checks);
    for (size_t i = 0; i < g->rubric.check_count && !interrupt_noted(); i++) {
        struct check_result *r = &g->checks[g->check_count];
        *r = (struct check_result){.spec = &g->rubric.checks[i], .verdict = CHECK_MET};
        for (int l = 0; l < RUBRIC_MAX_LIMITS; l++)
            r->measured[l] = NAN;
        progress_at((int)(g->result_count + g->check_count), r->spec->name);
        if (can && shut) {
            not_met(r, shut->in);
            r->premature = true;
            text_addf(&r->summary, "judged as soon as %s is met", shut->spec->name);
        } else if (can) {
            judge(g, r);
        } else {
            r->verdict = CHECK_NOT_GRADED;
            text_addf(&r->summary, "needs the virtual GPU: %s", g->no_observer);
        }
        if (interrupt_noted())
            return;
        g->check_count++;
        if (r->verdict == CHECK_NOT_GRADED && !r->spec->bonus) {
            g->points_not_graded = points_of(g->points_not_graded + r->spec->points);
            points_ask(g, -r->spec->points, false);
        }
        if (r->spec->gate && r->verdict == CHECK_NOT_MET && !r->premature)
            shut = r;
        r->points = r->verdict == CHECK_MET ? r->spec->points : 0;
        points_earn(g, r->points);
        if (r->verdict == CHECK_NOT_MET && !r->premature && !g->first_unmet)
            g->first_unmet = r;
        reporters_check(reporters, g, r);
    }
}
