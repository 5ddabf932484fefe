/* watch.c: see watch.h. */
#include "grading/src/app/watch.h"

#include "grading/src/app/grade.h"
#include "grading/src/base/scratch.h"
#include "grading/src/base/terminal.h"
#include "grading/src/base/text.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#define MARK "GRADER_WATCHED"

/* How often to look, and for how long a file must stay as it is to count as saved. */
enum { LOOK_MILLISECONDS = 150 };

bool watch_is_running(void) {
    return getenv(MARK) != NULL;
}

/* What tells one version of a file from another: a new file has another number, a rewritten one
 * another time or size. All zeros: there is none. */
struct version {
    dev_t device;
    ino_t number;
    off_t size;
    struct timespec written, changed;
};

static struct version version_of(const char *path) {
    struct stat st;
    struct version v;
    memset(&v, 0, sizeof v); /* compared as bytes */
    if (stat(path, &st) == 0 && S_ISREG(st.st_mode)) {
        v.device = st.st_dev;
        v.number = st.st_ino;
        v.size = st.st_size;
        v.written = st.st_mtim;
        v.changed = st.st_ctim;
    }
    return v;
}

static bool same(const struct version *a, const struct version *b) {
    return memcmp(a, b, sizeof *a) == 0;
}

static bool is_there(const struct version *v) {
    return v->number != 0;
}

static void pause_a_little(void) {
    poll(NULL, 0, LOOK_MILLISECONDS); /* ends early when a signal comes */
}

/* Waits until the file is there and another than `graded`, and has come to rest. */
static void await_change(const char *path, const struct version *graded) {
    struct version before = *graded;
    while (!interrupt_noted()) {
        const struct version now = version_of(path);
        if (is_there(&now) && !same(&now, graded) && same(&now, &before))
            return;
        before = now;
        pause_a_little();
    }
}

static void clear_screen(void) {
    if (terminal_obeys(stdout))
        fputs("\033[H\033[2J", stdout);
    fflush(stdout);
}

/* One grading. A signal from the keyboard reaches both processes; any other is handed on. False:
 * it could not be started. */
static bool grade_once(char *const *argv) {
    const pid_t child = fork();
    if (child == 0) {
        setenv(MARK, "1", 1);
        execv("/proc/self/exe", argv);
        _exit(127);
    }
    int status = 0;
    bool told = false;
    while (child > 0 && waitpid(child, &status, 0) < 0 && errno == EINTR) {
        if (interrupt_noted() && interrupt_noted() != SIGINT && !told)
            kill(child, interrupt_noted());
        told = told || interrupt_noted();
    }
    return child > 0 && !(WIFEXITED(status) && WEXITSTATUS(status) == 127);
}

int watch_run(const struct options *o, const struct paths *paths, const struct lab_spec *lab,
              char *const *argv) {
    char *name_of_file = lab_program(lab);
    char *path = o->submission ? xstrdup(o->submission) : paths_lab_file(paths, lab, name_of_file);
    free(name_of_file);
    bool started = true;
    while (!interrupt_noted() && started) {
        const struct version graded = version_of(path); /* before: a save meanwhile is seen */
        clear_screen();
        started = grade_once(argv);
        struct text say = {0};
        text_add(&say, "\nWatching ");
        text_add_clean_line(&say, path, strlen(path), 4096);
        text_add(&say, ": save it to grade it again, Ctrl-C to end.\n");
        text_fit(&say, stderr, 2);
        if (started && !interrupt_noted())
            fputs(text_get(&say), stderr);
        text_free(&say);
        if (started)
            await_change(path, &graded);
    }
    free(path);
    if (!started)
        fprintf(stderr, "grader: cannot start another grader: %s\n", strerror(errno));
    return started ? GRADE_FULL : GRADE_NONE;
}
