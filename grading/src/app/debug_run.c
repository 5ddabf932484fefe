/* debug_run.c: see debug_run.h. */
#include "grading/src/app/debug_run.h"

#include "common/compare.h"
#include "grading/src/base/scratch.h"
#include "grading/src/lab/held.h"
#include "grading/src/report/film.h"
#include "grading/src/run/expect.h"
#include "grading/src/run/session.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#define CALLS "calls" /* the file in the scratch folder */

/* ---- the calls ---- */

static bool write_doubles(FILE *to, const double *from, size_t count) {
    return fwrite(from, sizeof *from, count, to) == count;
}

/* What C should be, and how far off; as the judge has it. */
static bool write_product(FILE *to, const struct call_data *data) {
    const struct shape s = data->plan.shape;
    const size_t total = (size_t)s.m * (size_t)s.n;
    double *want = xcalloc(total, sizeof *want), *bound = xcalloc(total, sizeof *bound);
    const bool ok = expect_product(data, want, bound) == 0 && write_doubles(to, want, total) &&
                    write_doubles(to, bound, total);
    free(want);
    free(bound);
    return ok;
}

static bool write_matrix(FILE *to, const struct call_data *data, enum matrix_name matrix) {
    const size_t count = call_count(&data->plan, matrix);
    return fwrite(call_data_matrix(data, matrix), sizeof(float), count, to) == count;
}

static bool write_call(FILE *to, const struct call_plan *plan, int number) {
    const struct shape s = plan->shape;
    const struct held_call call = {s.m, s.n, s.k, plan->layout.padding, number};
    struct call_data data;
    call_data_make(&data, plan, (struct guard_bands){0});
    bool ok = fwrite(&call, sizeof call, 1, to) == 1;
    for (int i = 0; ok && i < MATRIX_COUNT; i++)
        ok = write_matrix(to, &data, (enum matrix_name)i);
    ok = ok && write_product(to, &data);
    call_data_free(&data);
    return ok;
}

static bool write_calls(const char *path, const struct call_plan *plan, int calls) {
    const struct held_head head = {HELD_MAGIC, calls, (int32_t)plan->entry};
    FILE *to = fopen(path, "wbe");
    bool ok = to && fwrite(&head, sizeof head, 1, to) == 1;
    for (int i = 0; ok && i < calls; i++)
        ok = write_call(to, &plan[i], i + 1);
    return to && fclose(to) == 0 && ok;
}

/* The calls up to the one that decided a case, when it is held as it was graded. */
static int calls_up_to(const struct case_result *c, const struct call_plan *held,
                       const struct call_plan **plan) {
    const bool as_graded = c && memcmp(held, &c->evidence.plan, sizeof *held) == 0 &&
                           c->evidence.call > 1 && c->evidence.call <= c->plan.calls;
    *plan = as_graded ? c->plan.call : held;
    return as_graded ? c->evidence.call : 1;
}

/* ---- the program ---- */

static bool is_possible(struct grade_context *g) {
    char *debugger = xasprintf("%s/bin/vgpu-debug", g->paths.build);
    if (!film_has_kernel(g->lab))
        text_set_line(&g->debug.not_held, "%s has no kernel; gdb is the debugger of host code",
                      g->lab->name);
    else if (!session_observes(g))
        text_set_line(&g->debug.not_held, "the virtual GPU holds kernels, and it did not build %s",
                      g->submission.name);
    else if (access(debugger, X_OK) != 0)
        text_set_line(&g->debug.not_held, "%s is missing: make vgpucc builds it", debugger);
    free(debugger);
    return g->debug.not_held.length == 0;
}

void debug_prepare(struct grade_context *g) {
    if (!g->options.debug || g->build.outcome != BUILD_OK || interrupt_noted() || !is_possible(g))
        return;
    struct text about = {0};
    const struct case_result *c;
    const struct call_plan held = film_choose(g, &about, &c), *plan;
    const int calls = calls_up_to(c, &held, &plan);
    char *path = xasprintf("%s/" CALLS, g->scratch);
    struct build b;
    build_held(&b, &g->submission, g->lab, session_observed(g).backend, &g->paths, g->scratch,
               g->sandbox);
    if (b.outcome != BUILD_OK)
        text_set_line(&g->debug.not_held, "%s", text_get(&b.headline));
    else if (!write_calls(path, plan, calls))
        text_set_line(&g->debug.not_held, "%s: %s", path, strerror(errno));
    else
        g->debug.program = xstrdup(b.program);
    if (calls > 1)
        text_addf(&about, ", call %d", calls);
    text_clear(&g->debug.about);
    text_add(&g->debug.about, text_get(&about));
    build_free(&b);
    text_free(&about);
    free(path);
}

static void start(const struct grade_context *g) {
    char *debugger = xasprintf("%s/bin/vgpu-debug", g->paths.build);
    char *calls = xasprintf("%s/" CALLS, g->scratch);
    char *argv[7] = {debugger};
    size_t n = 1;
    if (!isatty(STDIN_FILENO))
        argv[n++] = "--echo"; /* commands are shown with their answers */
    char *const rest[] = {"-ex", "run", g->debug.program, calls};
    memcpy(argv + n, rest, sizeof rest);
    printf("\nThe debugger holds %s. help lists its commands, quit ends it.\n",
           text_get(&g->debug.about));
    fflush(stdout);
    const pid_t pid = fork();
    if (pid == 0) {
        signal(SIGINT, SIG_DFL);
        execv(debugger, argv);
        fprintf(stderr, "grader: %s: %s\n", debugger, strerror(errno));
        _exit(127);
    }
    /* Ctrl-C is meant for the debugger. */
    struct sigaction ignore = {.sa_handler = SIG_IGN}, before;
    sigaction(SIGINT, &ignore, &before);
    while (pid > 0 && waitpid(pid, NULL, 0) < 0 && errno == EINTR)
        continue;
    sigaction(SIGINT, &before, NULL);
    free(calls);
    free(debugger);
}

void debug_run(struct grade_context *g) {
    if (!g->options.debug)
        return;
    if (g->debug.program)
        start(g);
    else
        fprintf(stderr, "grader: nothing to debug: %s\n",
                g->debug.not_held.length > 0 ? text_get(&g->debug.not_held) : "nothing was run");
    if (g->debug.program && !g->options.keep && !scratch_remove(g->scratch))
        fprintf(stderr, "grader: could not remove all of %s\n", g->scratch);
}
