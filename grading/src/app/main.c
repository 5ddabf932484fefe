/* main.c: the grader's command. Reads the command line, finds what is to be graded and on what, and
 * leaves the rest to grade.c. Exit status: 0 full marks, 1 not full marks, 2 not graded. */
#include "grading/src/app/answers_run.h"
#include "grading/src/app/cli.h"
#include "grading/src/app/compare_run.h"
#include "grading/src/app/debug_run.h"
#include "grading/src/app/grade.h"
#include "grading/src/app/prepare.h"
#include "grading/src/app/watch.h"
#include "grading/src/base/scratch.h"
#include "grading/src/base/terminal.h"
#include "grading/src/batch/batch.h"
#include "grading/src/lab/describe.h"
#include "grading/src/lab/points.h"
#include "grading/src/report/hints.h"
#include "grading/src/report/report.h"
#include "grading/src/report/standing.h"
#include "grading/src/sandbox/child.h"
#include "grading/src/sandbox/sandbox.h"

#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

static int not_graded(const char *why) {
    struct text t = {0};
    text_addf(&t, "grader: %s\n", why);
    text_fit(&t, stderr, 2);
    fputs(text_get(&t), stderr);
    text_free(&t);
    return GRADE_NONE;
}

/* Descriptors 0 to 2 must be open, or a pipe of ours would take their place. */
static void open_standard(void) {
    int fd;
    while ((fd = open("/dev/null", O_RDWR)) >= 0 && fd <= 2)
        ;
    if (fd > 2)
        close(fd);
}

/* For the graders that a batch starts, whose words go to files. */
static void tell_for_all(struct grade_context *g) {
    char why[1024]; /* which each of them says of its own submission */
    if (backend_choose(&g->backend, g->options.backend, g->lab, &g->paths, why, sizeof why))
        prepare_tell_toolkit(&g->backend);
    backend_free(&g->backend);
}

static void say_not_graded(const struct grade_context *g) {
    char *line = xasprintf("not graded: %s", text_get(&g->not_graded));
    (void)not_graded(line);
    free(line);
}

/* Whoever stops a run may want to know how far it came. That is no grade. */
static void say_interrupted(const struct grade_context *g) {
    double possible = 0;
    for (size_t i = 0; i < g->result_count; i++)
        possible += g->results[i].spec->bonus ? 0 : g->results[i].spec->points;
    for (size_t i = 0; i < g->check_count; i++)
        possible += g->checks[i].verdict == CHECK_NOT_GRADED || g->checks[i].spec->bonus
                        ? 0
                        : g->checks[i].spec->points;
    struct text t = {0};
    if (g->result_count == 0)
        text_add(&t, "interrupted: nothing was graded");
    else
        text_addf(&t,
                  "interrupted after %zu of %zu cases and %zu of %zu checks: %g of their %g "
                  "points so far, and no grade",
                  g->result_count, g->planned, g->check_count,
                  g->options.cases > 0 ? 0 : g->rubric.check_count, g->points, points_of(possible));
    (void)not_graded(text_get(&t));
    text_free(&t);
}

/* A page alone says nothing on a terminal: the score, and where the page is. */
static void say_page(const struct grade_context *g) {
    const char *page = NULL;
    for (int i = 0; i < g->options.formats; i++) {
        const struct format_request *f = &g->options.format[i];
        if (!f->path || strcmp(f->name, "text") == 0)
            return;
        if (strcmp(f->name, "html") == 0)
            page = f->path;
    }
    if (!page)
        return;
    if (grade_status(g) != GRADE_NONE)
        printf("%s, %s: %g/%g points\n", g->lab->name, g->lab->title, g->points,
               g->points_possible);
    printf("The page: %s\n", page);
    fflush(stdout);
}

/* Where the film is that was asked for, or why there is none. */
static void tell_film(const struct grade_context *g) {
    if (!g->options.film_wanted)
        return;
    if (g->film.path)
        fprintf(stderr, "grader: the film of your kernel is in %s: open it in a browser\n",
                g->film.path);
    else if (g->film.not_made.length > 0)
        fprintf(stderr, "grader: no film: %s\n", text_get(&g->film.not_made));
    else
        fprintf(stderr, "grader: no film: nothing was run\n");
}

static int grade(struct grade_context *g) {
    char why[1024];
    struct reporters reporters;
    if (!reporters_open(&reporters, &g->options, why, sizeof why))
        return not_graded(why);
    if (!prepare_all(g, why, sizeof why)) {
        reporters_drop(&reporters);
        return not_graded(why);
    }
    grade_run(g, &reporters);
    if (interrupt_noted()) {
        reporters_drop(&reporters);
        say_interrupted(g);
        return GRADE_NONE;
    }
    fflush(stdout);
    if (g->not_graded.length > 0)
        say_not_graded(g);
    tell_film(g);
    const int status = grade_status(g);
    if (!reporters_end(&reporters, g, why, sizeof why))
        return not_graded(why);
    say_page(g);
    debug_run(g);
    if (status != GRADE_NONE && g->own_file && g->options.cases == 0)
        standing_note(g);
    return status;
}

/* One hint, from the last result of the lab's own file. */
static int hint(struct grade_context *g) {
    char why[1024];
    struct text t = {0};
    if (!prepare_rubric(g, why, sizeof why) || !prepare_submission(g, why, sizeof why))
        return not_graded(why);
    const bool told = hints_tell(&t, g);
    if (told) {
        text_fit(&t, stdout, 2);
        fputs(text_get(&t), stdout);
    }
    const int status = told ? GRADE_FULL : not_graded(text_get(&t));
    text_free(&t);
    return status;
}

static int print(struct text *t) {
    fputs(text_get(t), stdout);
    text_free(t);
    return fflush(stdout) == 0 ? 0 : not_graded("cannot write to standard output");
}

static int describe_lab(struct grade_context *g) {
    char why[1024];
    struct text t = {0};
    if (!prepare_rubric(g, why, sizeof why))
        return not_graded(why);
    const bool there = describe(&t, &g->rubric, g->options.fact);
    const int status = there ? print(&t) : not_graded(text_get(&t));
    text_free(&t);
    return status;
}

/* What is asked for about one lab. */
static int about_lab(struct grade_context *g, char **argv) {
    const struct options *o = &g->options;
    switch (o->action) {
    case CLI_ANSWERS: return answers_run(g);
    case CLI_QUESTIONS: return (g->options.book ? book_run : questions_run)(g);
    case CLI_DESCRIBE: return describe_lab(g);
    case CLI_HINT: return hint(g);
    case CLI_BATCH:
        interrupt_watch();
        if (!o->slurm)
            tell_for_all(g);
        return (o->slurm ? batch_slurm : batch_run)(o, &g->paths, g->lab);
    case CLI_WATCH:
        if (!watch_is_running()) {
            interrupt_watch();
            return watch_run(o, &g->paths, g->lab, argv);
        }
        break;
    default: break;
    }
    char why[256];
    if (!child_files(why, sizeof why))
        return not_graded(why);
    interrupt_watch();
    sandbox_adopt_orphans();
    return grade(g);
}

static bool is_file(const char *path, struct stat *st) {
    return stat(path, st) == 0 && S_ISREG(st->st_mode);
}

/* The file that is meant by the word which named the lab, where that is a path or a program's name:
 * ./grader old/lab3.cu. NULL: the lab's own. The caller frees it. */
static char *file_meant(const struct grade_context *g, const char *word) {
    const size_t n = strlen(word);
    const bool program = n > 3 && strcasecmp(word + n - 3, ".cu") == 0;
    if (!program && !strchr(word, '/'))
        return NULL;
    char *name = lab_program(g->lab), *own = paths_lab_file(&g->paths, g->lab, name);
    char *path =
        program ? xstrdup(word) : xasprintf("%s%s%s", word, word[n - 1] == '/' ? "" : "/", name);
    struct stat st, of_own;
    const bool other =
        is_file(path, &st) &&
        !(is_file(own, &of_own) && st.st_ino == of_own.st_ino && st.st_dev == of_own.st_dev);
    free(own);
    free(name);
    if (other)
        return path;
    free(path);
    return NULL;
}

static int unknown_lab(const struct grade_context *g, const struct labs *labs) {
    struct text t = {0};
    struct stat st;
    const bool file = is_file(g->options.lab, &st);
    text_add(&t, file ? "" : "unknown lab '");
    text_add_clean_line(&t, g->options.lab, strlen(g->options.lab), 200);
    if (file)
        text_addf(
            &t,
            " is a file, and its name says no lab: %s LAB --submission FILE grades it; LAB is "
            "one of ",
            g->paths.command);
    else
        text_add(&t, "': use ");
    labs_range(&t, labs);
    const int status = not_graded(text_get(&t));
    text_free(&t);
    return status;
}

/* Finds the lab first. */
static int find_lab(struct grade_context *g, const struct labs *labs, char **argv) {
    g->lab = labs_find(labs, g->options.lab);
    if (!g->lab)
        return unknown_lab(g, labs);
    if (g->lab->fault)
        return not_graded(g->lab->fault);
    const enum cli_action action = g->options.action;
    const bool reads = action == CLI_GRADE || action == CLI_HINT || action == CLI_WATCH;
    char *meant = reads && !g->options.submission ? file_meant(g, g->options.lab) : NULL;
    g->options.submission = meant ? meant : g->options.submission;
    const int status = about_lab(g, argv);
    free(meant);
    return status;
}

/* All labs, one after the other. */
static int compare(const struct options *o, const struct labs *labs) {
    char why[256];
    if (!child_files(why, sizeof why))
        return not_graded(why);
    interrupt_watch();
    sandbox_adopt_orphans();
    return compare_run(o, labs);
}

int main(int argc, char **argv) {
    open_standard();
    struct grade_context g = {0};
    cli_parse(&g.options, argc, argv);
    paths_find(&g.paths);
    struct labs labs = labs_open(g.paths.root);
    struct text t = {0};
    int status;
    switch (g.options.action) {
    case CLI_HELP:
        cli_help(&t, &labs);
        text_fit(&t, stdout, 4);
        status = print(&t);
        break;
    case CLI_VERSION:
        cli_version(&t);
        status = print(&t);
        break;
    case CLI_STANDING:
        standing_table(&t, &g.paths, &labs, (int64_t)time(NULL));
        text_fit(&t, stdout, 9);
        status = print(&t);
        break;
    case CLI_COMPARE: status = compare(&g.options, &labs); break;
    case CLI_WRONG: status = not_graded(g.options.wrong); break;
    default: status = find_lab(&g, &labs, argv); break;
    }
    /* Ctrl-C is how one leaves --watch. */
    const bool left =
        g.options.action == CLI_WATCH && !watch_is_running() && interrupt_noted() == SIGINT;
    grade_free(&g);
    labs_free(&labs);
    if (!left)
        interrupt_obey();
    return status;
}
