/* grade.c: runs all cases of a lab (see grade.h).
 *
 * Every case gets a process of its own. So a case alone repeats as it went in the whole run, and no
 * case suffers from what an earlier one left behind. */
#include "grading/src/app/grade.h"

#include "grading/src/app/debug_run.h"
#include "grading/src/base/clock.h"
#include "grading/src/base/progress.h"
#include "grading/src/base/scratch.h"
#include "grading/src/check/checks.h"
#include "grading/src/diagnose/diagnose.h"
#include "grading/src/diagnose/shrink.h"
#include "grading/src/report/compare.h"
#include "grading/src/report/exhibit.h"
#include "grading/src/report/film.h"
#include "grading/src/report/film_record.h"
#include "grading/src/run/geometry.h"
#include "grading/src/run/hostwork.h"
#include "grading/src/run/session.h"
#include "grading/src/run/times.h"
#include "grading/src/sandbox/child.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/* After so many cases in a row that reached a limit, the rest is not run: it would only take
 * longer. */
#define MOST_AT_LIMIT 2

/* A case that the machine gave too little time, or whose program somebody else ended, is run once
 * more. */
#define TRIES 2

/* ---- Is the machine to blame? ---- */

/* Runs one call of a submission of our own. False, with the reason, when not even that works. */
static bool probe_machine(struct grade_context *g, const struct backend *backend,
                          enum entry_point entry, struct text *why) {
    struct build probe;
    build_probe(&probe, g->lab, backend, &g->paths, g->scratch, g->sandbox);
    bool works = false;
    if (probe.outcome != BUILD_OK) {
        text_add(why, text_get(&probe.headline));
    } else {
        const struct session own = {backend, &probe};
        const struct worker_setup setup = session_setup(g, own);
        struct worker w;
        struct call_reply reply;
        const struct call_plan plan = {.entry = entry, .shape = {1, 1, 1}};
        struct call_data data;
        call_data_make(&data, &plan, session_guards(own, entry));
        if (worker_start(&w, &setup, &reply))
            worker_call(&w, &data, &reply);
        works = reply.end == CALL_ANSWERED && reply.bytes;
        if (!works) {
            struct evidence e;
            judge_call(&e, &data, &reply, backend->kind);
            text_addf(why, "the %s does not work here: %s", backend->device, text_get(&e.summary));
            evidence_free(&e);
        }
        worker_finish(&w);
        worker_free(&w);
        call_reply_free(&reply);
        call_data_free(&data);
    }
    build_free(&probe);
    return works;
}

static bool machine_works(struct grade_context *g, struct session s, enum entry_point entry) {
    if (!g->machine_checked && !probe_machine(g, s.backend, entry, &g->machine_fault) &&
        g->machine_fault.length == 0)
        text_add(&g->machine_fault, "nothing runs here");
    g->machine_checked = true;
    return g->machine_fault.length == 0;
}

/* A failure before the submission's function was called may be the machine's; and a limit on a GPU,
 * where others may be at work and nobody tells how much. */
static void check_machine(struct grade_context *g, struct session s, struct evidence *e,
                          const struct call_reply *r) {
    const bool early = r->end != CALL_INTERRUPTED && r->end != CALL_MEDDLED &&
                       r->end != CALL_STARVED &&
                       (r->end == CALL_ANSWERED ? !r->bytes && r->result.stage == STAGE_SETUP
                                                : r->phase == PHASE_NONE);
    const bool late = s.backend->kind == BACKEND_GPU && r->end == CALL_TIMED_OUT;
    if ((!early && !late) || interrupt_noted())
        return;
    if (!machine_works(g, s, e->plan.entry)) {
        e->verdict = VERDICT_NOT_GRADED;
        text_clear(&e->summary);
        text_add(&e->summary, text_get(&g->machine_fault));
    } else if (e->verdict == VERDICT_NOT_GRADED) {
        e->verdict = VERDICT_CUDA_ERROR;
    }
}

/* ---- Cases ---- */

/* The machine was too busy to let the witness finish: what the case is worth is not known. */
static bool witness_starved(const struct case_result *c, struct evidence *e) {
    if (c->testimony.end != TESTIMONY_STARVED)
        return false;
    e->verdict = VERDICT_NOT_GRADED;
    text_clear(&e->summary);
    text_add(&e->summary, c->testimony.why);
    return true;
}

enum made {
    MADE,
    MADE_DOUBTFUL, /* its end may have come from outside */
    MADE_NOT,      /* the machine did not give it the time, or the memory */
};

/* Makes a case's calls in one worker of the session, until one is not right: *e is what became of
 * it. */
static enum made make_calls(struct grade_context *g, struct session s, struct case_result *c,
                            struct evidence *e) {
    struct worker_setup setup = session_setup(g, s);
    const struct guard_bands guard = session_guards(s, c->spec->entry);
    struct worker w;
    struct call_reply reply;
    struct journals journals;
    setup.unchecked = c->spec->unchecked;
    setup.journal = setup.backend == BACKEND_VGPU && witness_wanted(g, c->spec) && !setup.unchecked;
    const bool started = worker_start(&w, &setup, &reply);
    journals_begin(&journals, &reply);
    for (int i = 0; i < c->plan.calls; i++) {
        struct call_data data;
        call_data_make(&data, &c->plan.call[i], guard);
        const bool present = w.entries & 1u << c->spec->entry;
        if (started && present) {
            call_reply_free(&reply);
            worker_call(&w, &data, &reply);
        }
        evidence_free(e);
        if (started && !present) {
            *e = (struct evidence){.verdict = VERDICT_MISSING};
            text_addf(&e->summary, "%s does not define %s", g->submission.name,
                      entry_name(c->spec->entry));
        } else {
            judge_call(e, &data, &reply, s.backend->kind);
            if (s.backend->kind == BACKEND_VGPU && setup.unchecked)
                observation_add_told(&c->seen, &reply);
            else if (s.backend->kind == BACKEND_VGPU)
                observation_add(&c->seen, &reply);
            journals_add(&journals, &data, &reply);
        }
        e->plan = c->plan.call[i];
        e->call = i + 1;
        call_data_free(&data);
        if (e->verdict != VERDICT_PASS)
            break;
    }
    session_conclude(s, e, &w, true);
    check_machine(g, s, e, &reply);
    /* Killed from outside, or by itself: nobody can tell, but the next try can. */
    const bool killed = reply.end == CALL_DIED && reply.code == SIGKILL && !reply.reason[0];
    const enum made made = reply.end == CALL_STARVED ? MADE_NOT : killed ? MADE_DOUBTFUL : MADE;
    worker_free(&w);
    call_reply_free(&reply);
    if (setup.journal && e->verdict == VERDICT_PASS)
        witness_hear(g, c, &setup, guard, &journals);
    journals_free(&journals);
    return made == MADE && witness_starved(c, e) ? MADE_NOT : made;
}

/* Makes a case's calls once more, where everything is different that must not matter: another
 * process id, another environment, another time of day, and host matrices at the other side of
 * their pages, so that a step in front of one faults. Kernels need no such second look (witness.h);
 * what runs on the host does. *e is what became of it, where that is worse than a right product.
 * False when the machine may have had a hand in it; where that is only possible, not in the last
 * try. */
static bool call_elsewhere(struct grade_context *g, struct session s, struct case_result *c,
                           bool last, struct evidence *e) {
    struct worker_setup setup = session_setup(g, s);
    const bool host = c->spec->entry != ENTRY_DEVICE;
    const struct guard_bands guard =
        host ? (struct guard_bands){.after = 64} : session_guards(s, c->spec->entry);
    struct worker w;
    struct call_reply reply;
    struct evidence own = {0};
    setup.unchecked = setup.elsewhere = true;
    const bool started = worker_start(&w, &setup, &reply);
    for (int i = 0; i < c->plan.calls && own.verdict == VERDICT_PASS; i++) {
        struct call_plan plan = c->plan.call[i];
        struct call_data data;
        plan.flags |= CALL_PLAIN | (host ? CALL_AT_START : 0);
        plan.clock_behind = call_other_time(&plan);
        call_data_make(&data, &plan, guard);
        if (started) {
            call_reply_free(&reply);
            worker_call(&w, &data, &reply);
        }
        evidence_free(&own);
        judge_call(&own, &data, &reply, s.backend->kind);
        own.plan = plan;
        own.call = i + 1;
        call_data_free(&data);
    }
    const bool killed = reply.end == CALL_DIED && reply.code == SIGKILL && !reply.reason[0];
    const bool starved =
        reply.end == CALL_STARVED || reply.end == CALL_NO_START || (killed && !last);
    session_conclude(s, &own, &w, false);
    worker_finish(&w);
    worker_free(&w);
    call_reply_free(&reply);
    if (own.verdict != VERDICT_PASS && !starved && !interrupt_noted()) {
        evidence_free(e);
        *e = own;
        e->elsewhere = true;
        return true;
    }
    evidence_free(&own);
    return !starved;
}

/* Makes a case's calls, once more where what came of them may be the machine's doing. False when it
 * never let them be made. */
static bool make_calls_patiently(struct grade_context *g, struct session s, struct case_result *c,
                                 struct evidence *e) {
    enum made made;
    for (int i = 1; (made = make_calls(g, s, c, e)) != MADE && i < TRIES && !interrupt_noted();
         i++) {
        evidence_free(e);
        observation_free(&c->seen);
        *e = (struct evidence){.plan = c->plan.call[0]};
        c->seen = (struct observation){0};
        c->testimony = (struct testimony){.end = TESTIMONY_NONE};
    }
    return made != MADE_NOT;
}

/* ---- When no further case is run ---- */

/* Cases in a row, up to now, that reached a limit. */
struct limits_run {
    int cases;
};

static void note_limit(struct limits_run *r, const struct evidence *e) {
    r->cases = e->at_limit ? r->cases + 1 : 0;
}

/* Is the next case not run? Then says why. */
static bool stops_here(const struct grade_context *g, const struct limits_run *r,
                       struct text *why) {
    if (g->first_not_run) /* for the same reason, as all that follow */
        text_add(why, text_get(&g->first_not_run->evidence.summary));
    else if (r->cases >= MOST_AT_LIMIT)
        text_addf(why, "%d cases in a row had reached a limit", MOST_AT_LIMIT);
    else if (budget_is_spent(&g->budget))
        text_addf(why, "the submission had used up its time, %d s", g->rubric.seconds);
    return why->length > 0;
}

/* Makes a case's calls once more, on the virtual GPU, for what it sees. False when the machine did
 * not give it the time. */
static bool observe_case(struct grade_context *g, struct case_result *c) {
    c->observed_evidence = (struct evidence){.plan = c->plan.call[0]};
    const bool made = make_calls_patiently(g, session_observed(g), c, &c->observed_evidence);
    c->observed = c->observed_evidence.verdict;
    return made;
}

/* The submission once more, for the virtual GPU that watches what a GPU computes. */
static void build_observer(struct grade_context *g) {
    if (!g->observer.compiler)
        return;
    build_submission(&g->observer_build, &g->submission, g->lab, &g->observer, &g->paths,
                     g->scratch, g->sandbox);
    if (g->observer_build.outcome != BUILD_OK) {
        free(g->no_observer);
        g->no_observer =
            xasprintf("it cannot build this file: %s", text_get(&g->observer_build.headline));
    }
}

/* Does the virtual GPU watch what a GPU computes? It must be there, and able to build the file. */
static bool observes(const struct grade_context *g) {
    return g->observer.compiler && g->observer_build.outcome == BUILD_OK;
}

/* Cases that ran on a GPU are watched on the virtual GPU: right ones for the checks, wrong ones for
 * the cause. */
static void observe_cases(struct grade_context *g) {
    if (!observes(g))
        return;
    struct limits_run run = {0};
    for (size_t i = 0; i < g->result_count && !interrupt_noted(); i++) {
        struct case_result *c = &g->results[i];
        const bool runs = c->verdict != VERDICT_MISSING && c->verdict != VERDICT_NOT_GRADED &&
                          c->verdict != VERDICT_NOT_RUN;
        if (runs && run.cases < MOST_AT_LIMIT && !budget_is_spent(&g->budget)) {
            if (!observe_case(g, c)) {
                text_addf(&g->not_graded, "%s: %s", c->spec->name,
                          text_get(&c->observed_evidence.summary));
                return;
            }
            note_limit(&run, &c->observed_evidence);
        } else {
            c->observed = runs ? VERDICT_NOT_RUN : c->verdict;
            c->observed_evidence =
                (struct evidence){.verdict = c->observed, .plan = c->plan.call[0]};
        }
        const bool better =
            !g->first_forgiven || (g->first_forgiven->spec->hidden && !c->spec->hidden);
        if (case_forgiven(c) && better)
            g->first_forgiven = c;
    }
}

/* Once: what the virtual GPU cannot judge, a person can. */
static void note_lacking(struct grade_context *g, const struct evidence *e) {
    if (e->lacking && !g->lacking)
        flags_note(&g->build.flags, "beyond-the-virtual-gpu",
                   "the program says that it uses something the virtual GPU lacks: a GPU can judge "
                   "it",
                   entry_name(e->plan.entry));
    g->lacking = g->lacking || e->lacking;
}

static bool names_refused_side(const struct evidence *e) {
    for (int i = 0; i < e->facts.count; i++)
        if (e->facts.at[i].fact.says == VGPU_LAUNCH_SIDE)
            return true;
    return false;
}

/* A case that failed on a GPU: was its grid refused? The GPU gives a code, to the submission alone
 * if that asks first. Then nothing has been written, or the submission ends itself, and the virtual
 * GPU must say why: where there is one. */
static bool grid_refused_on_gpu(struct grade_context *g, struct case_result *c) {
    const struct evidence *e = &c->evidence;
    if (e->verdict == VERDICT_CUDA_ERROR && !e->ended_itself)
        return e->error == ERROR_INVALID_VALUE || e->error == ERROR_INVALID_CONFIGURATION;
    const bool untouched = e->verdict == VERDICT_WRONG && e->untouched_total == e->comparison.total;
    if (!untouched && !e->ended_itself)
        return false;
    if (!observes(g))
        return true;
    observe_case(g, c);
    const bool refused = names_refused_side(&c->observed_evidence);
    evidence_free(&c->observed_evidence);
    return refused;
}

/* Was the grid refused since it has too many blocks below each other? */
static bool grid_refused(struct grade_context *g, struct case_result *c) {
    if (g->backend.kind == BACKEND_GPU)
        return grid_refused_on_gpu(g, c);
    const struct evidence *e = &c->evidence;
    return names_refused_side(e) || (e->facts.count == 0 && e->verdict == VERDICT_CUDA_ERROR);
}

/* The calls of a case. One launch of tall blocks need not do for more rows than one grid of them
 * covers: whoever asks for a grid that is refused, and says so, is asked again for the rows that
 * blocks of 8 rows cover, and a few more. */
static void make_case_calls(struct grade_context *g, struct case_result *c) {
    make_calls_patiently(g, session_of(g), c, &c->evidence);
    if (c->spec->shape != SHAPE_TALL || g->rubric.lab.block_rows == LAB_BLOCK_ROWS ||
        c->evidence.verdict == VERDICT_PASS || !grid_refused(g, c))
        return;
    g->rubric.lab.block_rows = LAB_BLOCK_ROWS;
    case_draw(g->lab, c->spec, g->seed, &c->plan);
    evidence_free(&c->evidence);
    c->evidence = (struct evidence){.plan = c->plan.call[0]};
    make_calls_patiently(g, session_of(g), c, &c->evidence);
}

static void run_case(struct grade_context *g, struct case_result *c, struct limits_run *run) {
    case_draw(g->lab, c->spec, g->seed, &c->plan);
    c->evidence.plan = c->plan.call[0];
    if (g->build.missing & 1u << c->spec->entry) {
        c->verdict = c->evidence.verdict = VERDICT_MISSING;
        text_addf(&c->evidence.summary, "%s does not define %s", g->submission.name,
                  entry_name(c->spec->entry));
    } else if (stops_here(g, run, &c->evidence.summary)) {
        c->verdict = c->observed = c->evidence.verdict = VERDICT_NOT_RUN;
        g->first_not_run = g->first_not_run ? g->first_not_run : c;
    } else {
        make_case_calls(g, c);
        const bool again = c->spec->entry != ENTRY_DEVICE || c->spec->calls > 1;
        for (int i = 0; again && i < TRIES && c->evidence.verdict == VERDICT_PASS &&
                        !interrupt_noted() && !budget_is_spent(&g->budget);
             i++)
            if (call_elsewhere(g, session_of(g), c, i == TRIES - 1, &c->evidence))
                break;
        c->verdict = c->observed = c->evidence.verdict;
        note_limit(run, &c->evidence);
        note_lacking(g, &c->evidence);
    }
    if (c->verdict == VERDICT_PASS)
        c->points = c->spec->points;
}

static void run_cases(struct grade_context *g, struct reporters *reporters) {
    struct limits_run run = {0};
    for (size_t i = 0; i < g->lab->case_count && !interrupt_noted(); i++) {
        const struct case_spec *spec = &g->lab->cases[i];
        if (!case_wanted(g, spec))
            continue;
        struct case_result *c = &g->results[g->result_count];
        *c = (struct case_result){.spec = spec};
        progress_at((int)g->result_count, spec->name);
        run_case(g, c, &run);
        if (interrupt_noted())
            return; /* its verdict says only that we were stopped */
        g->result_count++;
        points_earn(g, c->points);
        if (c->verdict == VERDICT_NOT_GRADED && g->not_graded.length == 0)
            text_addf(&g->not_graded, "%s: %s", spec->name, text_get(&c->evidence.summary));
        if (c->verdict != VERDICT_PASS && c->verdict != VERDICT_NOT_GRADED &&
            c->verdict != VERDICT_NOT_RUN &&
            (!g->first_failure ||
             (case_is_special(g->first_failure->spec) && !case_is_special(spec))))
            g->first_failure = c;
        reporters_case(reporters, g, c);
        if (g->machine_fault.length > 0 || c->verdict == VERDICT_NOT_GRADED)
            return; /* there is no grade, whatever becomes of the others */
    }
}

static void plan_cases(struct grade_context *g) {
    g->results = xcalloc(g->lab->case_count, sizeof *g->results);
    for (size_t i = 0; i < g->lab->case_count; i++) {
        const struct case_spec *spec = &g->lab->cases[i];
        if (case_wanted(g, spec)) {
            g->planned++;
            points_ask(g, spec->points, spec->bonus);
        }
    }
    for (size_t i = 0; g->options.cases == 0 && i < g->rubric.check_count; i++)
        points_ask(g, g->rubric.checks[i].points, g->rubric.checks[i].bonus);
}

/* Is there a case of more rows than one grid covers? */
static bool asks_tall(const struct grade_context *g) {
    for (size_t i = 0; i < g->lab->case_count; i++)
        if (g->lab->cases[i].shape == SHAPE_TALL)
            return true;
    return false;
}

static void run_built(struct grade_context *g, struct reporters *reporters) {
    build_submission(&g->build, &g->submission, g->lab, &g->backend, &g->paths, g->scratch,
                     g->sandbox);
    if (interrupt_noted())
        return;
    reporters_built(reporters, g);
    if (g->build.outcome == BUILD_OK) {
        build_observer(g);
        if (g->lab->square_tiles)
            g->rubric.lab.tile = geometry_tile(g);
        if (asks_tall(g))
            g->rubric.lab.block_rows = geometry_block_rows(g, &g->rubric.lab.tall_across);
        run_cases(g, reporters);
        const bool goes_on = g->not_graded.length == 0 && !interrupt_noted();
        if (goes_on)
            observe_cases(g);
        if (goes_on && g->options.cases == 0) {
            hostwork_look(g);
            checks_run(g, reporters);
            times_measure(g);
        }
        if (goes_on && g->options.action == CLI_COMPARE) {
            g->time.own = g->first_failure ? 0 : times_product(g, COMPARE_SIDE_TIMED);
            return; /* what is wrong with a product, a grading of its lab tells */
        }
        progress_at((int)(g->result_count + g->check_count),
                    g->first_failure ? "looking for the cause" : "finishing");
        if (g->first_failure && !interrupt_noted())
            shrink_failure(g, &g->results[g->first_failure - g->results]);
        exhibit_gather(g);
        film_make(g);
        debug_prepare(g);
        return;
    }
    g->refusal = g->build.refusal;
    struct text *reason = g->build.outcome == BUILD_REFUSED ? &g->refused : &g->not_graded;
    text_add(reason, text_get(&g->build.headline));
    text_add(&g->refused_details, text_get(&g->build.details));
}

/* Finds the walls of this machine. What the command line names lies outside them. */
static void open_sandbox(struct grade_context *g) {
    const char *const named[] = {g->submission.path, g->options.rubric, g->options.hidden, NULL};
    const char *hidden[sizeof named / sizeof *named + 1];
    size_t n = 0;
    for (size_t i = 0; i < sizeof named / sizeof *named; i++)
        if (named[i])
            hidden[n++] = named[i];
    hidden[n] = NULL;
    const struct backend *const used[] = {&g->backend, &g->observer};
    const char *compilers[3] = {NULL};
    n = 0;
    for (size_t i = 0; i < sizeof used / sizeof *used; i++) {
        const char *one = used[i]->kind == BACKEND_GPU ? used[i]->compiler : used[i]->front;
        if (one)
            compilers[n++] = one;
    }
    const struct sandbox_setup setup = {.root = g->paths.root,
                                        .build = g->paths.build,
                                        .headers = paths_headers(&g->paths),
                                        .compilers = compilers,
                                        .scratch = g->scratch,
                                        .toolkit = g->backend.toolkit ? g->backend.toolkit
                                                                      : g->observer.toolkit,
                                        .hidden = hidden};
    g->sandbox = sandbox_open(&setup);
}

void grade_run(struct grade_context *g, struct reporters *reporters) {
    const int64_t start = clock_now();
    plan_cases(g);
    reporters_begin(reporters, g);
    progress_start((int)(g->planned + (g->options.cases > 0 ? 0 : g->rubric.check_count)),
                   PROGRESS_PATIENCE);
    progress_at(0, "compiling");
    budget_begin(&g->budget, g->rubric.seconds);
    char why[512];
    if (g->refused.length == 0) { /* it may have been refused for not being text */
        g->scratch = scratch_create(why, sizeof why);
        if (g->scratch) {
            g->environment = environment_make(g->paths.root, g->scratch);
            open_sandbox(g);
            run_built(g, reporters);
            if (g->options.action != CLI_COMPARE)
                diagnose(g);
            progress_end();
            sandbox_sweep(g->sandbox);
            if (g->options.keep)
                scratch_keep(g->scratch);
            else if (!g->debug.program && !scratch_remove(g->scratch))
                fprintf(stderr, "grader: could not remove all of %s\n", g->scratch);
        } else {
            text_add(&g->not_graded, why);
        }
    } else if (g->options.action != CLI_COMPARE) {
        diagnose(g);
    }
    progress_end();
    if (interrupt_noted() && g->not_graded.length == 0)
        text_add(&g->not_graded, "interrupted");
    g->seconds = (double)(clock_now() - start) / 1000.0;
}

void grade_free(struct grade_context *g) {
    for (size_t i = 0; i < g->result_count; i++) {
        evidence_free(&g->results[i].evidence);
        evidence_free(&g->results[i].smallest);
        evidence_free(&g->results[i].observed_evidence);
        observation_free(&g->results[i].seen);
    }
    free(g->results);
    for (size_t i = 0; i < g->check_count; i++) {
        text_free(&g->checks[i].summary);
        text_free(&g->checks[i].details);
    }
    free(g->checks);
    exhibit_free(g->exhibit);
    diagnoses_free(g);
    free(g->no_observer);
    free(g->scratch);
    sandbox_close(g->sandbox);
    environment_free(g->environment);
    text_free(&g->not_graded);
    text_free(&g->machine_fault);
    text_free(&g->refused);
    text_free(&g->refused_details);
    film_record_end(g);
    free(g->film.path);
    text_free(&g->film.not_made);
    free(g->debug.program);
    text_free(&g->debug.not_held);
    text_free(&g->debug.about);
    build_free(&g->build);
    build_free(&g->observer_build);
    backend_free(&g->backend);
    backend_free(&g->observer);
    rubric_free(&g->rubric);
    submission_free(&g->submission);
    paths_free(&g->paths);
}
