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

/* The smallest right case of this function that was watched. */
static const struct case_result *example(const struct grade_context *g, enum entry_point entry) {
    const struct case_result *best = NULL;
    for (size_t i = 0; i < g->result_count; i++) {
        const struct case_result *c = &g->results[i];
        if (c->spec->entry != entry || c->verdict != VERDICT_PASS || c->watched != VERDICT_PASS ||
            c->seen.calls == 0)
            continue;
        const struct shape a = c->plan.call[0].shape;
        const struct shape b = best ? best->plan.call[0].shape : a;
        if (!best || (int64_t)a.m * a.n * a.k < (int64_t)b.m * b.n * b.k)
            best = c;
    }
    return best;
}

/* Did the program itself say anything? The virtual GPU's lines are not its own. */
static bool said_something(const char *printed) {
    for (const char *line = printed; *line;) {
        const size_t n = strcspn(line, "\n");
        if (n > 0 && strncmp(line, "vgpu: ", 6) != 0)
            return true;
        line += n + (line[n] == '\n');
    }
    return false;
}

/* The call that was made to fail, as the virtual GPU named it; "a call" when it said nothing. */
static void failed_call(struct text *t, const char *printed) {
    static const char words[] = " was made to fail here";
    const char *end = strstr(printed, words);
    const char *line = end;
    while (line && line > printed && line[-1] != '\n')
        line--;
    if (line && strncmp(line, "vgpu: ", 6) == 0)
        text_add_clean_line(t, line + 6, (size_t)(end - line) - 6, 60);
    else
        text_add(t, "a call");
}

/* Runs the call of `plan` with one failure. True when it was noticed, or did not come about. */
static bool notices(struct grade_context *g, const struct call_plan *plan, struct text *summary) {
    struct worker w;
    struct call_reply reply;
    const struct session s = session_watched(g);
    const struct worker_setup setup = session_setup(g, s);
    struct call_data data;
    call_data_make(&data, plan, session_guards(s, plan->entry));
    if (worker_start(&w, &setup, &reply))
        worker_call(&w, &data, &reply);
    if (reply.end == CALL_STARVED && g->not_graded.length == 0)
        text_addf(&g->not_graded, "error checks: %s", reply.reason);
    worker_finish(&w);
    char *errors = worker_errors(&w), *output = worker_output(&w);
    const bool happened = strstr(errors, "was made to fail") != NULL;
    const bool said = said_something(errors) || said_something(output);
    const bool ended = (reply.end == CALL_EXITED && reply.code != 0) ||
                       (reply.end == CALL_DIED && reply.code == SIGABRT);
    const bool noticed =
        !happened || said || ended || reply.end == CALL_NO_START || reply.end == CALL_STARVED;
    if (!noticed) {
        text_addf(summary, "%s: ", entry_name(plan->entry));
        failed_call(summary, errors);
        text_addf(summary, " fails, and the program %s",
                  reply.end == CALL_DIED ? "goes on until it crashes" : "goes on as if it had not");
    }
    free(errors);
    free(output);
    worker_free(&w);
    call_reply_free(&reply);
    call_data_free(&data);
    return noticed;
}

/* Every sort of call that the function makes, one failure at a time. */
static bool notices_all(struct grade_context *g, const struct case_result *c,
                        struct check_result *r) {
    for (uint32_t sort = VGPU_CALL_ALLOC; sort <= VGPU_CALL_BLAS; sort++) {
        const uint64_t tried = c->seen.work[0].of[WORK_TRIED_ALLOC + sort];
        for (uint32_t nth = 1; nth <= tried && nth <= MOST_FAILURES; nth++) {
            struct call_plan plan = c->plan.call[0];
            plan.fail_call = sort;
            plan.fail_nth = nth;
            if (interrupt_noted() || g->not_graded.length > 0)
                return true;
            if (budget_is_spent(&g->budget)) {
                r->verdict = CHECK_NOT_MET;
                r->in = c;
                text_addf(&r->summary,
                          "not tried to the end: the submission has used up its time, %d s",
                          g->rubric.seconds);
                return false;
            }
            if (notices(g, &plan, &r->summary))
                continue;
            r->verdict = CHECK_NOT_MET;
            r->in = c;
            text_add(&r->details,
                     sort == VGPU_CALL_LAUNCH
                         ? "a launch returns nothing: ask cudaGetLastError right after it "
                           "(CUDA_CHECK_LAUNCH does)\n"
                         : "look at what every call returns (CUDA_CHECK and CUBLAS_CHECK do)\n");
            return false;
        }
    }
    return true;
}

void check_errors(struct grade_context *g, struct check_result *r) {
    for (int entry = ENTRY_HOST; entry < ENTRY_COUNT; entry++) {
        if (!(g->lab->entries & 1u << entry))
            continue;
        const struct case_result *c = example(g, (enum entry_point)entry);
        if (!c) {
            r->verdict = CHECK_NOT_MET;
            r->premature = true;
            text_addf(&r->summary, "%s has to give a right product%s first",
                      entry_name((enum entry_point)entry),
                      g->first_forgiven ? " on the virtual GPU" : "");
            return;
        }
        if (!notices_all(g, c, r))
            return;
    }
}
