/*
 * starve.c: a machine that gives some children no time, for a grader that is linked with this.
 *
 * The linker puts these functions in the place of the grader's own (--wrap). STARVE lists children
 * by their number, as in STARVE=" 1 4 ": 1 is the first one that is started. Such a child is always
 * ready to run and never runs; each look at it takes a hundred seconds. A compiler could end before
 * the first look, so `sleep` takes its place; a worker has to be one that sleeps.
 */
#include "grading/src/sandbox/child.h"
#include "grading/src/sandbox/sandbox_parts.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define LEAP 100000 /* milliseconds */

int64_t __real_clock_now(void);
int64_t __wrap_clock_now(void);
bool __real_child_start(struct child *c, const struct child_options *options, char *why,
                        size_t room, bool *missing);
bool __wrap_child_start(struct child *c, const struct child_options *options, char *why,
                        size_t room, bool *missing);
struct process_use __real_process_use_below(pid_t pid);
struct process_use __wrap_process_use_below(pid_t pid);

static int64_t leapt;
static int started;

static bool starves(void) {
    char word[16];
    snprintf(word, sizeof word, " %d ", started);
    const char *starved = getenv("STARVE");
    return starved && strstr(starved, word);
}

bool __wrap_child_start(struct child *c, const struct child_options *options, char *why,
                        size_t room, bool *missing) {
    static const char *const sleep[] = {"sleep", "1000", NULL};
    struct child_options held = *options;
    started++;
    if (starves() && held.profile == SANDBOX_COMPILE)
        held.argv = sleep;
    return __real_child_start(c, &held, why, room, missing);
}

int64_t __wrap_clock_now(void) {
    return __real_clock_now() + leapt;
}

struct process_use __wrap_process_use_below(pid_t pid) {
    if (!starves())
        return __real_process_use_below(pid);
    leapt += LEAP;
    return (struct process_use){.processes = 1, .busy = true};
}
