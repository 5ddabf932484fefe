/* check_errors.c: makes calls fail and watches (see check_errors.h). */
#include "grading/src/check/check_errors.h"

#include "grading/src/base/scratch.h"
#include "grading/src/run/session.h"
#include "vgpu/include/vgpu.h"

#include <signal.h>
#include <stdlib.h>
#include <string.h>

/* So many calls of one sort are made to fail, the first ones. */
#define MOST_FAILURES 6

/* Right calls before the one that fails, in the second round. */
enum { EARLIER_LEAST = 2, EARLIER_RANGE = 3 };

/* The smallest right case of this function that was watched. */
static const struct case_result *example(const struct grade_context *g, enum entry_point entry) {
    const struct case_result *best = NULL;
    for (size_t i = 0; i < g->result_count; i++) {
        const struct case_result *c = &g->results[i];
        if (c->spec->entry != entry || c->verdict != VERDICT_PASS || c->observed != VERDICT_PASS ||
            c->seen.calls == 0)
            continue;
        const struct shape a = c->plan.call[0].shape;
        const struct shape b = best ? best->plan.call[0].shape : a;
        if (!best || (int64_t)a.m * a.n * a.k < (int64_t)b.m * b.n * b.k)
            best = c;
    }
    return best;
}

/* What was printed, but for empty lines. */
static void add_lines(struct text *t, const char *printed) {
    for (const char *line = printed; *line;) {
        const size_t n = strcspn(line, "\n");
        if (n > 0)
            text_add_bytes(t, line, n + (line[n] == '\n'));
        line += n + (line[n] == '\n');
    }
}

/* The call that was made to fail, as the virtual GPU named it; "a call" when it said nothing. */
static void failed_call(struct text *t, const struct facts *facts) {
    const char *name = "a call";
    for (int i = 0; i < facts->count; i++)
        if (facts->at[i].fact.says == VGPU_MADE_TO_FAIL)
            name = facts->at[i].fact.call;
    text_add_clean_line(t, name, strlen(name), 60);
}

/* A call with a failure in it, or without. */
struct attempt {
    enum call_end end;
    int code;
    bool failed;      /* the call that was to fail was reached */
    bool quiet;       /* nothing else went wrong after it */
    uint64_t tried;   /* calls of all sorts, when the function returned */
    struct text said; /* by the program itself: the virtual GPU is quiet */
    struct text call; /* which one failed, in words */
};

static void attempt_free(struct attempt *a) {
    text_free(&a->said);
    text_free(&a->call);
}

static uint64_t tried_in_all(const struct work *w) {
    uint64_t sum = 0;
    for (int sort = VGPU_CALL_ALLOC; sort <= VGPU_CALL_BLAS; sort++)
        sum += w->of[WORK_TRIED_ALLOC + sort];
    return sum;
}

/* Makes a right call of this plan first, so many times. False if one did not come to its end. */
static bool make_earlier(struct worker *w, const struct call_plan *plan, struct session s,
                         int earlier, struct call_reply *reply) {
    struct call_plan right = *plan;
    bool all = true;
    right.fail_nth = 0;
    for (int i = 0; i < earlier && all; i++) {
        struct call_data data;
        call_data_make(&data, &right, session_guards(s, right.entry));
        call_reply_free(reply);
        worker_call(w, &data, reply);
        call_data_free(&data);
        all = reply->end == CALL_ANSWERED;
    }
    return all;
}

/* Makes this call in a worker of its own, as the first, or after so many earlier ones. */
static void attempt(struct grade_context *g, const struct call_plan *call, int earlier,
                    struct attempt *a) {
    struct call_plan quiet = *call, *plan = &quiet;
    struct worker w;
    struct call_reply reply;
    const struct session s = session_observed(g);
    const struct worker_setup setup = session_setup(g, s);
    struct call_data data;
    *a = (struct attempt){0};
    plan->flags |= CALL_QUIET;
    call_data_make(&data, plan, session_guards(s, plan->entry));
    if (worker_start(&w, &setup, &reply) && make_earlier(&w, plan, s, earlier, &reply)) {
        call_reply_free(&reply);
        worker_call(&w, &data, &reply);
    }
    if (reply.end == CALL_STARVED && g->not_graded.length == 0)
        text_addf(&g->not_graded, "error checks: %s", reply.reason);
    worker_finish(&w);
    a->end = reply.end;
    a->code = reply.code;
    /* A function that returned tells how many calls it tried; one that did not got somewhere. */
    const uint64_t tried = reply.work.of[WORK_TRIED_ALLOC + plan->fail_call];
    a->failed = reply.end == CALL_ANSWERED && reply.counted ? tried >= plan->fail_nth : true;
    a->tried = tried_in_all(&reply.work);
    a->quiet = w.facts.count == 1 && w.facts.at[0].fact.says == VGPU_MADE_TO_FAIL;
    char *errors = worker_errors(&w), *output = worker_output(&w);
    add_lines(&a->said, errors);
    add_lines(&a->said, output);
    failed_call(&a->call, &w.facts);
    free(errors);
    free(output);
    worker_free(&w);
    call_reply_free(&reply);
    call_data_free(&data);
}

/* The same words, whatever the numbers among them are? */
static bool same_words(const char *a, const char *b) {
    static const char digits[] = "-0123456789";
    for (;; a++, b++) {
        a += strspn(a, digits);
        b += strspn(b, digits);
        if (*a != *b)
            return false;
        if (*a == '\0')
            return true;
    }
}

/* Runs the call of `plan` with one failure. True when it was noticed, or did not come about.
 * `usual` is the call without a failure: who says the same as then has not noticed. Who makes fewer
 * calls, of which no other fails, has noticed and keeps quiet. */
static bool notices(struct grade_context *g, const struct call_plan *plan, int earlier,
                    const struct attempt *usual, struct check_result *r) {
    struct attempt a;
    attempt(g, plan, earlier, &a);
    const bool said = a.said.length > 0 && !same_words(text_get(&a.said), text_get(&usual->said));
    const bool ended =
        (a.end == CALL_EXITED && a.code != 0) || (a.end == CALL_DIED && a.code == SIGABRT);
    const bool noticed =
        !a.failed || said || ended || a.end == CALL_NO_START || a.end == CALL_STARVED;
    if (!noticed) {
        r->failed_sort = (enum vgpu_call)plan->fail_call;
        r->kept_quiet = a.end == CALL_ANSWERED && a.quiet && a.tried < usual->tried;
        text_addf(&r->summary, "%s: %s fails", entry_name(plan->entry), text_get(&a.call));
        if (earlier > 0)
            text_addf(&r->summary, " in call %d", earlier + 1);
        text_addf(&r->summary, ", and the program %s",
                  a.end == CALL_DIED ? "goes on until it crashes"
                  : r->kept_quiet    ? "returns without reporting it"
                                     : "goes on as if nothing had happened");
    }
    attempt_free(&a);
    return noticed;
}

static const char *what_to_look_at(enum vgpu_call sort) {
    switch (sort) {
    case VGPU_CALL_LAUNCH:
        return "a launch returns nothing: ask cudaGetLastError right after it (CUDA_CHECK_LAUNCH "
               "does)\n";
    case VGPU_CALL_BLAS:
        return "check the status that every call of cuBLAS returns (CUBLAS_CHECK does)\n";
    default: return "check what every CUDA call returns (CUDA_CHECK does)\n";
    }
}

/* Every sort of call that the function makes, one failure at a time; up to `most` of each. */
static bool notices_each(struct grade_context *g, const struct case_result *c, int earlier,
                         uint32_t most, const struct attempt *usual, struct check_result *r) {
    for (uint32_t sort = VGPU_CALL_ALLOC; sort <= VGPU_CALL_BLAS; sort++) {
        const uint64_t tried = c->seen.work[0].of[WORK_TRIED_ALLOC + sort];
        for (uint32_t nth = 1; nth <= tried && nth <= most; nth++) {
            struct call_plan plan = c->plan.call[0];
            plan.fail_call = sort;
            plan.fail_nth = nth;
            if (interrupt_noted() || g->not_graded.length > 0)
                return true;
            if (budget_is_spent(&g->budget)) {
                r->verdict = CHECK_NOT_MET; /* in no case: nothing was seen in one */
                text_addf(&r->summary, "not finished: the submission has used up its time, %d s",
                          g->rubric.seconds);
                return false;
            }
            if (notices(g, &plan, earlier, usual, r))
                continue;
            r->verdict = CHECK_NOT_MET;
            r->in = c;
            text_add(&r->details, what_to_look_at((enum vgpu_call)sort));
            return false;
        }
    }
    return true;
}

/* In the first product, and in one that the seed chooses: what is checked once may be checked never
 * again. */
static bool notices_all(struct grade_context *g, const struct case_result *c,
                        struct check_result *r) {
    const int later = EARLIER_LEAST + (int)(c->plan.call[0].seed % EARLIER_RANGE);
    const struct {
        int earlier;
        uint32_t most;
    } times[] = {{0, MOST_FAILURES}, {later, 1}};
    bool all = true;
    for (size_t i = 0; i < sizeof times / sizeof *times && all; i++) {
        struct attempt usual;
        attempt(g, &c->plan.call[0], times[i].earlier, &usual);
        all = notices_each(g, c, times[i].earlier, times[i].most, &usual, r);
        attempt_free(&usual);
    }
    return all;
}

void check_errors(struct grade_context *g, struct check_result *r) {
    for (int entry = ENTRY_HOST; entry < ENTRY_COUNT; entry++) {
        if (!(g->lab->entries & 1u << entry))
            continue;
        const struct case_result *c = example(g, (enum entry_point)entry);
        if (!c) {
            r->verdict = CHECK_NOT_MET;
            r->premature = true;
            text_addf(&r->summary, "%s must give a right product%s first",
                      entry_name((enum entry_point)entry),
                      g->first_forgiven ? " on the virtual GPU" : "");
            return;
        }
        if (!notices_all(g, c, r))
            return;
    }
}
