/* prepare.c: see prepare.h. */
#include "grading/src/app/prepare.h"

#include "grading/src/lab/sections.h"
#include "grading/src/report/report.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <time.h>
#include <unistd.h>

uint64_t prepare_fresh_seed(void) {
    uint32_t x;
    if (getrandom(&x, sizeof x, 0) != (ssize_t)sizeof x)
        x = (uint32_t)time(NULL) * 2654435761u ^ (uint32_t)getpid();
    return x % 1000000000u;
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

bool prepare_submission(struct grade_context *g, char *why, size_t room) {
    const char *named = g->options.submission;
    char *name = lab_program(g->lab);
    char *path = named ? xstrdup(named) : paths_lab_file(&g->paths, g->lab, name);
    char *shown = named ? xstrdup(named) : paths_lab_file_shown(&g->paths, g->lab, name);
    g->own_file = !named;
    const enum submission_from from = submission_asked_by();
    char *link = from == SUBMISSION_TYPED ? submission_link(path) : NULL;
    if (link)
        fprintf(stderr, "grader: %s is a link to %s, which is graded\n", shown, link);
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

bool prepare_rubric(struct grade_context *g, char *why, size_t room) {
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

void prepare_tell_toolkit(const struct backend *b) {
    const char *told = getenv("TOOLKIT_TOLD");
    if (b->note && !(told && *told))
        fprintf(stderr, "grader: %s; going on with the virtual GPU\n", b->note);
    if (b->note)
        setenv("TOOLKIT_TOLD", "yes", 1);
}

static bool find_backends(struct grade_context *g, char *why, size_t room) {
    char reason[256];
    if (!backend_choose(&g->backend, g->options.backend, g->lab, &g->paths, why, room))
        return false;
    prepare_tell_toolkit(&g->backend);
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

/* Always false. */
static bool no_such_size(const struct lab_spec *lab, struct shape s, char *why, size_t room) {
    snprintf(why, room, "size=%dx%dx%d: %s is promised square sizes, as in size=%dx%dx%d", s.m, s.n,
             s.k, lab->name, 2 * lab->tile, 2 * lab->tile, 2 * lab->tile);
    return false;
}

bool prepare_all(struct grade_context *g, char *why, size_t room) {
    return prepare_rubric(g, why, room) && prepare_run(g, why, room);
}

bool prepare_run(struct grade_context *g, char *why, size_t room) {
    g->seed = g->options.seed_given ? g->options.seed : prepare_fresh_seed();
    for (int i = 0; i < g->options.cases; i++)
        if (!lab_case(g->lab, g->options.only[i]))
            return no_such_case(g->lab, g->options.only[i], why, room);
    const char *film = g->options.film.case_name;
    bool is_run = g->options.cases == 0;
    for (int i = 0; film && i < g->options.cases; i++)
        is_run = is_run || strcmp(film, g->options.only[i]) == 0;
    if (film && !lab_case(g->lab, film))
        return no_such_case(g->lab, film, why, room);
    if (film && !is_run) {
        snprintf(why, room, "case=%s: that case is not run: leave --case out, or name it there",
                 film);
        return false;
    }
    const struct shape size = g->options.film.size; /* its tile is known later: film_make */
    if (g->lab->square_tiles && (size.m != size.n || size.n != size.k))
        return no_such_size(g->lab, size, why, room);
    return prepare_submission(g, why, room) && find_backends(g, why, room);
}
