/* run_test.c: worker processes that behave and that don't (run.c, child.c, sandbox.c). */
#include "common/tests/suite.h"
#include "grading/src/run/run.h"

#include "grading/src/base/scratch.h"
#include "grading/src/base/text.h"
#include "grading/src/run/judge.h"
#include "grading/src/sandbox/sandbox.h"
#include "grading/tests/misdeeds.h"

#include <errno.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

static char *folder, *program;
static struct paths paths;

static void set_up(void) {
    char why[256];
    folder = scratch_create(why, sizeof why);
    ck_assert_msg(folder != NULL, "%s", why);
    paths_find(&paths); /* this test lies in BUILD/grading/tests: two up is BUILD/grading */
    program = xasprintf("%s/tests/fake_worker", paths.build);
    sandbox_adopt_orphans();
}

static void tear_down(void) {
    ck_assert(scratch_remove(folder));
    free(folder);
    free(program);
    paths_free(&paths);
}

struct outcome {
    struct call_reply reply;
    struct evidence evidence;
    char *errors, *output;
};

/* Starts a worker, makes one call with this m, and ends it. */
static struct outcome call_with(int m, int limit) {
    struct outcome o = {0};
    char **environment = environment_make(paths.root, folder);
    const struct worker_setup setup = {.program = program,
                                       .environment = environment,
                                       .folder = folder,
                                       .backend = BACKEND_VGPU,
                                       .call_limit = limit};
    const struct call_plan plan = {
        .entry = ENTRY_CPU, .shape = {m, 3, 2}, .input = INPUT_SMALL, .seed = 9};
    struct call_data data;
    call_data_make(&data, &plan, (struct guard_bands){.before = 64, .pad = true});
    struct worker w;
    ck_assert_msg(worker_start(&w, &setup, &o.reply), "end %d: %s", (int)o.reply.end,
                  o.reply.reason);
    ck_assert_uint_eq(w.entries, 1u << ENTRY_CPU);
    worker_call(&w, &data, &o.reply);
    judge_call(&o.evidence, &data, &o.reply, BACKEND_VGPU);
    worker_finish(&w);
    facts_copy(&o.evidence.facts, &w.facts);
    o.errors = worker_errors(&w);
    o.output = worker_output(&w);
    worker_free(&w);
    call_data_free(&data);
    environment_free(environment);
    ck_assert_int_eq(waitpid(-1, NULL, WNOHANG), -1);
    ck_assert_int_eq(errno, ECHILD); /* nobody is left */
    return o;
}

static void outcome_free(struct outcome *o) {
    call_reply_free(&o->reply);
    evidence_free(&o->evidence);
    free(o->errors);
    free(o->output);
}

TEST(a_right_product_passes) {
    struct outcome o = call_with(MISDEED_NONE, 5000);
    ck_assert_int_eq(o.reply.end, CALL_ANSWERED);
    ck_assert_int_eq(o.evidence.verdict, VERDICT_PASS);
    ck_assert_str_eq(o.errors, "computed 2 rows\n");
    outcome_free(&o);
}

TEST(a_crash_names_its_signal) {
    struct outcome o = call_with(MISDEED_CRASH, 5000);
    ck_assert_int_eq(o.reply.end, CALL_DIED);
    ck_assert_int_eq(o.reply.code, SIGSEGV);
    ck_assert_int_eq(o.reply.phase, PHASE_READY);
    ck_assert_int_eq(o.evidence.verdict, VERDICT_CRASH);
    ck_assert_ptr_nonnull(strstr(text_get(&o.evidence.summary), "SIGSEGV (11) in matmul_cpu"));
    outcome_free(&o);
}

/* Of each sort as many as may come, whatever becomes of the process. */
TEST(what_the_device_says_is_told_at_once) {
    struct outcome o = call_with(MISDEED_SPEAK, 5000);
    const struct facts *f = &o.evidence.facts;
    ck_assert_int_eq(o.reply.end, CALL_DIED);
    ck_assert_int_eq(f->count, PROTOCOL_FACTS_OF_A_SORT + 1);
    ck_assert_uint_eq(f->at[0].fact.says, VGPU_LAUNCH_EMPTY);
    ck_assert_int_eq(f->at[0].fact.line, 7);
    ck_assert_str_eq(f->at[0].words, "words for people\nin two lines");
    ck_assert_uint_eq(f->at[f->count - 1].fact.says, VGPU_HOST_ACCESS);
    outcome_free(&o);
}

/* Many threads speak while the answer is sent, and after it: the channel's messages stay whole. */
TEST(threads_may_speak_at_any_time) {
    for (int i = 0; i < 10; i++) {
        struct outcome o = call_with(MISDEED_SPEAK_LATER, 5000);
        ck_assert_msg(o.reply.end == CALL_ANSWERED, "end %d: %s", (int)o.reply.end, o.reply.reason);
        ck_assert_int_eq(o.evidence.verdict, VERDICT_PASS);
        ck_assert_int_le(o.evidence.facts.count, PROTOCOL_MAX_FACTS);
        outcome_free(&o);
    }
}

TEST(a_copy_of_the_process_is_not_heard) {
    struct outcome o = call_with(MISDEED_SPEAK_COPY, 5000);
    ck_assert_int_eq(o.reply.end, CALL_ANSWERED);
    ck_assert_int_eq(o.evidence.facts.count, 0);
    outcome_free(&o);
}

TEST(an_exit_is_told) {
    struct outcome o = call_with(MISDEED_EXIT, 5000);
    ck_assert_int_eq(o.reply.end, CALL_EXITED);
    ck_assert_int_eq(o.reply.code, 7);
    ck_assert_int_eq(o.evidence.verdict, VERDICT_EXIT);
    outcome_free(&o);
}

/* What never ends is the submission's own doing, whatever it does with its time. */
static void check_end(int misdeed, bool waited) {
    struct outcome o = call_with(misdeed, 500);
    ck_assert_int_eq(o.reply.end, CALL_TIMED_OUT);
    ck_assert_int_eq(o.reply.limit, 500);
    ck_assert_int_eq(o.reply.waited, waited);
    ck_assert_int_eq(o.evidence.verdict, VERDICT_TIMEOUT);
    ck_assert(o.evidence.at_limit);
    ck_assert_ptr_nonnull(
        strstr(text_get(&o.evidence.summary),
               waited ? "no end in matmul_cpu: it waited for 0.5 s and computed nothing"
                      : "no end in matmul_cpu within 0.5 s of processor time"));
    outcome_free(&o);
}

TEST(a_hang_is_ended) {
    check_end(MISDEED_LOOP, true);
    check_end(MISDEED_STOP, true);
    check_end(MISDEED_VFORK, true);
}

TEST(what_computes_without_end_is_ended) {
    check_end(MISDEED_COMPUTE, false);
    check_end(MISDEED_THREAD, false);
}

TEST(what_hides_its_processor_time_is_ended) {
    check_end(MISDEED_CHILDREN, true);
}

TEST(a_flood_is_ended_and_cut) {
    struct outcome o = call_with(MISDEED_FLOOD, 20000);
    ck_assert_int_eq(o.reply.end, CALL_FLOODED);
    ck_assert_int_eq(o.evidence.verdict, VERDICT_FLOOD);
    ck_assert_uint_lt(strlen(o.output), 2 * CAPTURE_HALF + 100);
    ck_assert_ptr_nonnull(strstr(o.output, "bytes left out"));
    outcome_free(&o);
}

TEST(a_daemon_does_not_survive) {
    struct outcome o = call_with(MISDEED_DAEMON, 5000);
    ck_assert_int_eq(o.reply.end, CALL_ANSWERED);
    long pid = 0;
    ck_assert_int_eq(sscanf(o.output, "daemon %ld", &pid), 1);
    outcome_free(&o);
    ck_assert_int_eq(kill((pid_t)pid, 0), -1);
    ck_assert_int_eq(errno, ESRCH);
}

TEST(forged_bytes_are_refused) {
    struct outcome o = call_with(MISDEED_FORGE, 5000);
    ck_assert_int_eq(o.reply.end, CALL_MEDDLED);
    ck_assert_int_eq(o.evidence.verdict, VERDICT_MEDDLED);
    outcome_free(&o);
}

TEST(bytes_between_calls_are_refused) {
    char **environment = environment_make(paths.root, folder);
    const struct worker_setup setup = {.program = program,
                                       .environment = environment,
                                       .folder = folder,
                                       .backend = BACKEND_VGPU,
                                       .call_limit = 5000};
    const struct call_plan plan = {.entry = ENTRY_CPU, .shape = {MISDEED_LATE, 3, 2}};
    struct call_data data;
    call_data_make(&data, &plan, (struct guard_bands){.before = 64, .pad = true});
    struct worker w;
    struct call_reply reply;
    ck_assert(worker_start(&w, &setup, &reply));
    worker_call(&w, &data, &reply);
    ck_assert_int_eq(reply.end, CALL_ANSWERED);
    call_reply_free(&reply);
    struct pollfd late = {.fd = w.child->channel, .events = POLLIN};
    ck_assert_int_eq(poll(&late, 1, 30000), 1);
    worker_call(&w, &data, &reply);
    ck_assert_int_eq(reply.end, CALL_MEDDLED);
    ck_assert_str_eq(reply.reason, "bytes that nobody asked for");
    worker_finish(&w);
    worker_free(&w);
    call_reply_free(&reply);
    call_data_free(&data);
    environment_free(environment);
}

TEST(a_closed_channel_is_refused) {
    struct outcome o = call_with(MISDEED_CLOSE, 5000);
    ck_assert_int_eq(o.reply.end, CALL_MEDDLED);
    outcome_free(&o);
}

TEST(a_step_outside_a_matrix_is_located) {
    struct outcome o = call_with(MISDEED_STEP_OUT, 5000);
    ck_assert_int_eq(o.reply.end, CALL_DIED);
    ck_assert(o.reply.has_fault);
    ck_assert_int_eq(o.reply.fault.matrix, MATRIX_C);
    ck_assert_int_eq(o.reply.fault.byte, (MISDEED_STEP_OUT * 3 + 16) * 4);
    ck_assert_int_eq(o.evidence.verdict, VERDICT_MEMORY);
    outcome_free(&o);
}

TEST_EACH(a_matrix_given_back_is_told, 2) {
    static const struct {
        enum misdeed misdeed;
        enum matrix_name matrix;
    } of[] = {{MISDEED_FREE, MATRIX_A}, {MISDEED_REALLOC, MATRIX_C}};
    struct outcome o = call_with(of[_i].misdeed, 5000);
    ck_assert_int_eq(o.reply.end, CALL_DIED);
    ck_assert_int_eq(o.evidence.verdict, VERDICT_CRASH);
    ck_assert_int_eq(o.evidence.signal, SIGABRT);
    ck_assert_int_eq(o.evidence.touched.how, TOUCHED_FREED);
    ck_assert_int_eq(o.evidence.touched.matrix, of[_i].matrix);
    outcome_free(&o);
}

TEST(a_forked_copy_keeps_quiet) {
    struct outcome o = call_with(MISDEED_FORK, 5000);
    ck_assert_int_eq(o.reply.end, CALL_ANSWERED);
    ck_assert_int_eq(o.evidence.verdict, VERDICT_PASS);
    outcome_free(&o);
}

/* ---- What a child does with its time: arithmetic in patience_test.c, real processes here ----
 *
 * A busy machine starts a child late, and looks at it seldom. So what it did is counted from its
 * first sign of life, and until it has done enough, however long that takes. */

static struct child *start_shell(const char *command, bool family, int channel) {
    const char *const argv[] = {"/bin/sh", "-c", command, NULL};
    const char *const environment[] = {NULL};
    const struct child_options options = {.argv = argv,
                                          .environment = environment,
                                          .folder = folder,
                                          .family = family,
                                          .channel_number = channel};
    struct child *c = xcalloc(1, sizeof *c);
    char why[256];
    bool missing;
    ck_assert(child_start(c, &options, why, sizeof why, &missing));
    return c;
}

#define NEVER 100000

/* What a shell has done with its time as soon as it has computed, or been idle, for so many
 * milliseconds; for one that computes, from when it has computed a little. */
static struct usage usage_of(const char *command, bool family, int user, int idle, bool busy) {
    struct child *c = start_shell(command, family, 0);
    struct usage from = {0}, used = {0};
    while (used.user < user && used.idle < idle) {
        child_step(c, 0, busy ? 0 : 20); /* busy: we take the processor as well */
        if (user < NEVER && from.user == 0 && c->used.user >= 50)
            from = c->used;
        used = usage_since(&c->used, &from);
    }
    child_finish(c);
    free(c);
    return used;
}

TEST(waiting_for_a_busy_processor_is_no_idleness) {
    cpu_set_t one;
    CPU_ZERO(&one);
    CPU_SET(sched_getcpu(), &one);
    ck_assert_int_eq(sched_setaffinity(0, sizeof one, &one), 0); /* the child inherits it */
    const struct usage used = usage_of("while :; do :; done", false, 1000, NEVER, true);
    ck_assert_int_eq((int)used.idle, 0);
}

TEST(sleeping_is_idleness) {
    const struct usage used = usage_of("exec sleep 60", false, NEVER, 1000, false);
    ck_assert_int_le((int)(used.user + used.system), 500);
}

/* How long a shell is taken for idle, once it has sent something over the channel or printed it,
 * until it ends or has been idle for `enough`: we take a step, and then a piece of what it sends,
 * and then rest. */
static int idle_beside_grader(const char *command, useconds_t rest, int enough) {
    struct child *c = start_shell(command, false, 9);
    char piece[65536];
    bool alive = false;
    int64_t from = 0;
    while (!c->ended && c->used.idle - from < enough) {
        usleep(rest);
        const bool sends = child_step(c, POLLIN, 20) & POLLIN;
        if (sends)
            ck_assert_int_ge(recv(c->channel, piece, sizeof piece, MSG_DONTWAIT), 0);
        if (!alive)
            from = c->used.idle;
        alive |= sends || c->output.head_bytes > 0;
    }
    const int idle = (int)(c->used.idle - from);
    child_finish(c);
    free(c);
    return idle;
}

TEST(waiting_for_a_slow_grader_is_no_idleness) {
    /* One look may see it between its last word and its end. */
    const int last = 2 * PATIENCE_LOOK;
    ck_assert_int_le(idle_beside_grader("exec head -c 1000000 /dev/zero >&9", 250000, NEVER), last);
    ck_assert_int_le(idle_beside_grader("exec head -c 2000000 /dev/zero", 250000, NEVER), last);
    ck_assert_int_ge(idle_beside_grader("echo word; exec sleep 60", 250000, 1000), 1000);
    /* Nor is it our turn because a word has just come. */
    static const char trickle[] = "while :; do echo word >&9; sleep 0.004; done";
    ck_assert_int_ge(idle_beside_grader(trickle, 0, 1000), 1000);
}

TEST(a_compiler_works_in_processes_of_its_own) {
    static const char command[] = "sh -c 'while :; do :; done'; :";
    ck_assert_int_eq((int)usage_of(command, true, 1000, NEVER, false).idle, 0);
    ck_assert_int_ge((int)usage_of(command, false, NEVER, 1000, false).idle, 1000);
}

TEST(time_of_processes_that_have_ended_counts) {
    static const char command[] = "i=0; while [ $i -lt 300000 ]; do i=$((i + 1)); done; exit 0";
    char *nested = xasprintf("sh -c '%s'; sh -c '%s'; exec sleep 60", command, command);
    ck_assert_int_gt((int)usage_of(nested, true, NEVER, 1000, false).user, 50);
    free(nested);
}

/* The value of a variable in an environment; NULL: none. Each is there once. */
static const char *value_of(char *const *environment, const char *name) {
    const size_t n = strlen(name);
    const char *found = NULL;
    for (; *environment; environment++) {
        if (strncmp(*environment, name, n) != 0 || (*environment)[n] != '=')
            continue;
        ck_assert_ptr_null(found);
        found = *environment + n + 1;
    }
    return found;
}

TEST(no_shell_changes_what_a_worker_gets) {
    static const struct {
        const char *name, *value;
    } fixed[] = {{"OPENBLAS_NUM_THREADS", "1"}, {"GOTO_NUM_THREADS", "1"}, {"OMP_NUM_THREADS", "1"},
                 {"MKL_NUM_THREADS", "1"},      {"BLIS_NUM_THREADS", "1"}, {"VGPU_WORKERS", "1"},
                 {"VGPU_BUDGET", KERNEL_BUDGET}};
    for (int set = 0; set < 2; set++) {
        for (size_t i = 0; i < sizeof fixed / sizeof *fixed; i++)
            ck_assert_int_eq(set ? setenv(fixed[i].name, "64", 1) : unsetenv(fixed[i].name), 0);
        char **environment = environment_make(paths.root, folder);
        for (size_t i = 0; i < sizeof fixed / sizeof *fixed; i++)
            ck_assert_str_eq(value_of(environment, fixed[i].name), fixed[i].value);
        environment_free(environment);
    }
}

TEST(a_missing_program_is_told) {
    const char *const argv[] = {"/nonexistent/program", NULL};
    const char *const environment[] = {NULL};
    struct child *c = xcalloc(1, sizeof *c);
    char why[256];
    bool missing = false;
    const struct child_options options = {
        .argv = argv, .environment = environment, .folder = folder};
    ck_assert(!child_start(c, &options, why, sizeof why, &missing));
    ck_assert(missing);
    ck_assert_str_eq(why, "cannot run /nonexistent/program: No such file or directory");
    free(c);
}

TEST(capture_keeps_both_ends) {
    struct capture *c = xcalloc(1, sizeof *c);
    for (int i = 0; i < 100000; i++) {
        char line[32];
        const int n = snprintf(line, sizeof line, "line %d\n", i);
        capture_add(c, line, (size_t)n);
    }
    char *text = capture_text(c);
    ck_assert_int_eq(strncmp(text, "line 0\nline 1\n", 14), 0);
    const char *end = text + strlen(text) - 11;
    ck_assert_str_eq(end, "line 99999\n");
    free(text);
    free(c);
}

int main(void) {
    return run_tests(
        (struct suite){.name = "grading/run", .set_up = set_up, .tear_down = tear_down});
}
