/* main.c: the grader's command. Reads the command line, finds what is to be graded and on what, and
 * leaves the rest to grade.c. Exit status: 0 full marks, 1 not full marks, 2 not graded. */
#include "grading/src/app/answers_run.h"
#include "grading/src/app/cli.h"
#include "grading/src/app/grade.h"
#include "grading/src/app/watch.h"
#include "grading/src/base/scratch.h"
#include "grading/src/base/terminal.h"
#include "grading/src/batch/batch.h"
#include "grading/src/lab/describe.h"
#include "grading/src/lab/points.h"
#include "grading/src/lab/sections.h"
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
#include <sys/random.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

/* Breaks lines for a terminal that is narrower than they are; elsewhere they stay whole. */
static void fit(struct text *t, FILE *out, size_t indent) {
    const int columns = terminal_columns(out, REPORT_COLUMNS);
    if (columns < REPORT_COLUMNS)
        text_wrap(t, (size_t)columns, indent);
}

static int not_graded(const char *why) {
    struct text t = {0};
    text_addf(&t, "grader: %s\n", why);
    fit(&t, stderr, 2);
    fputs(text_get(&t), stderr);
    text_free(&t);
    return GRADE_NONE;
}

/* A seed that is new in every run, and short enough to type. */
static uint64_t fresh_seed(void) {
    uint32_t x;
    if (getrandom(&x, sizeof x, 0) != (ssize_t)sizeof x)
        x = (uint32_t)time(NULL) * 2654435761u ^ (uint32_t)getpid();
    return x % 1000000000u;
}

/* Descriptors 0 to 2 must be open, or a pipe of ours would take their place. */
static void open_standard(void) {
    int fd;
    while ((fd = open("/dev/null", O_RDWR)) >= 0 && fd <= 2)
        ;
    if (fd > 2)
        close(fd);
}

/* The lab's own file is not there. */
static void say_restore(const struct grade_context *g, const char *name, const char *shown,
                        char *why, size_t room) {
    struct text t = {0};
    text_addf(&t, "%s: no such file. To get it back: ", shown);
    paths_say_restore(&t, &g->paths, g->lab, name);
    snprintf(why, room, "%s", text_get(&t));
    text_free(&t);
}

/* Reads the file to be graded. False: nothing to grade, `why` says what. */
static bool find_submission(struct grade_context *g, char *why, size_t room) {
    const char *named = g->options.submission;
    char *name = lab_program(g->lab);
    char *path = named ? xstrdup(named) : paths_lab_file(&g->paths, g->lab, name);
    char *shown = named ? xstrdup(named) : paths_lab_file_shown(&g->paths, g->lab, name);
    g->own_file = !named;
    const enum submission_from from = submission_asked_by();
    char *link = from == SUBMISSION_TYPED ? submission_link(path) : NULL;
    if (link)
        fprintf(stderr, "grader: %s is a link; what is graded is %s\n", shown, link);
    free(link);
    const enum submission_state state =
        submission_read(&g->submission, from, path, shown, why, room);
    if (state == SUBMISSION_NOT_THERE && g->own_file && access(path, F_OK) != 0)
        say_restore(g, name, shown, why, room);
    free(shown);
    free(path);
    free(name);
    if (state == SUBMISSION_REFUSED)
        text_add(&g->refused, why);
    g->refusal = g->submission.refusal;
    return state != SUBMISSION_NOT_THERE;
}

/* Reads the rubric; from then on g->lab is the lab with its cases. */
static bool find_rubric(struct grade_context *g, char *why, size_t room) {
    struct text reason = {0};
    char *path =
        g->options.rubric ? xstrdup(g->options.rubric) : rubric_path(g->lab, g->paths.root);
    const bool ok = rubric_load(&g->rubric, g->lab, path, g->options.hidden, &reason) &&
                    sections_exist(&g->rubric, g->paths.root, &reason);
    if (ok)
        g->lab = &g->rubric.lab;
    else
        snprintf(why, room, "the rubric cannot be used: %s", text_get(&reason));
    text_free(&reason);
    free(path);
    return ok;
}

/* What is wrong with the CUDA toolkit. Said once:
 * not when make, or the grader that started this one, said it. */
static void tell_toolkit(const struct backend *b) {
    const char *told = getenv("TOOLKIT_TOLD");
    if (b->note && !(told && *told))
        fprintf(stderr, "grader: %s; going on with the virtual GPU\n", b->note);
    if (b->note)
        setenv("TOOLKIT_TOLD", "yes", 1);
}

/* For the graders that a batch starts, whose words go to files. */
static void tell_for_all(struct grade_context *g) {
    char why[1024]; /* which each of them says of its own submission */
    if (backend_choose(&g->backend, g->options.backend, g->lab, &g->paths, why, sizeof why))
        tell_toolkit(&g->backend);
    backend_free(&g->backend);
}

static bool find_backends(struct grade_context *g, char *why, size_t room) {
    char reason[256];
    if (!backend_choose(&g->backend, g->options.backend, g->lab, &g->paths, why, room))
        return false;
    tell_toolkit(&g->backend);
    if (!backend_choose_observer(&g->observer, &g->backend, g->options.backend, &g->paths, reason,
                                 sizeof reason) &&
        g->backend.kind == BACKEND_GPU)
        g->no_observer = xstrdup(reason);
    return true;
}

/* Always false. */
static bool no_such_case(const struct lab_spec *lab, const char *name, char *why, size_t room) {
    struct text t = {0};
    text_addf(&t, "%s has no case '", lab->name);
    text_add_clean_line(&t, name, strlen(name), 60);
    text_add(&t, "'; it has");
    for (size_t i = 0; i < lab->case_count; i++)
        text_addf(&t, "%s %s", i ? "," : "", lab->cases[i].name);
    snprintf(why, room, "%s", text_get(&t));
    text_free(&t);
    return false;
}

/* Fills in what a run needs. False: `why` is one line. */
static bool prepare(struct grade_context *g, char *why, size_t room) {
    if (!find_rubric(g, why, room))
        return false;
    g->seed = g->options.seed_given ? g->options.seed : fresh_seed();
    for (int i = 0; i < g->options.cases; i++)
        if (!lab_case(g->lab, g->options.only[i]))
            return no_such_case(g->lab, g->options.only[i], why, room);
    return find_submission(g, why, room) && find_backends(g, why, room);
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
    if (!prepare(g, why, sizeof why)) {
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
    if (status != GRADE_NONE && g->own_file && g->options.cases == 0)
        standing_note(g);
    return status;
}

/* One hint, from the last result of the lab's own file. */
static int hint(struct grade_context *g) {
    char why[1024];
    struct text t = {0};
    if (!find_rubric(g, why, sizeof why) || !find_submission(g, why, sizeof why))
        return not_graded(why);
    const bool told = hints_tell(&t, g);
    if (told) {
        fit(&t, stdout, 2);
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
    if (!find_rubric(g, why, sizeof why))
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
    case CLI_QUESTIONS: return questions_run(g);
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
        fit(&t, stdout, 4);
        status = print(&t);
        break;
    case CLI_VERSION:
        cli_version(&t);
        status = print(&t);
        break;
    case CLI_STANDING:
        standing_table(&t, &g.paths, &labs, (int64_t)time(NULL));
        fit(&t, stdout, 9);
        status = print(&t);
        break;
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
