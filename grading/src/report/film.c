/* film.c: see film.h. */
#include "grading/src/report/film.h"

#include "grading/src/base/scratch.h"
#include "grading/src/run/left.h"
#include "grading/src/run/session.h"
#include "vgpu/src/film/film_page.h"

#include <ctype.h>
#include <errno.h>
#include <jansson.h>
#include <stdlib.h>
#include <string.h>

#define RECORDING      "film.json"
#define MOST_RECORDING ((size_t)15 << 20)

/* Where the machine is slow, watching is: a call may take so many times what it has otherwise. */
#define FILM_TIMES 6

/* A shape without a mistake to show: two tiles each way, or edges in every direction. */
#define TILES_SHOWN 2
static const struct shape edges = {.m = 40, .n = 48, .k = 36};

/* The page of the report that is written to a file; NULL: none is. */
static const char *report_page(const struct grade_context *g) {
    for (int i = 0; i < g->options.formats; i++)
        if (strcmp(g->options.format[i].name, "html") == 0)
            return g->options.format[i].path;
    return NULL;
}

char *film_path(const struct grade_context *g) {
    const char *page = report_page(g);
    if (g->options.film_path)
        return xstrdup(g->options.film_path);
    if (!page || g->options.film_wanted)
        return xasprintf("film-%s.html", g->lab->name);
    const size_t n = strlen(page), bare = n > 5 && strcmp(page + n - 5, ".html") == 0 ? n - 5 : n;
    return xasprintf("%.*s-film.html", (int)bare, page);
}

/* A path in a link. */
static void add_address(struct text *t, const char *path) {
    for (const char *c = path; *c; c++) {
        const bool plain = isalnum((unsigned char)*c) || strchr("/._-~", *c);
        if (plain)
            text_add_bytes(t, c, 1);
        else
            text_addf(t, "%%%02X", (unsigned)(unsigned char)*c);
    }
}

void film_link(struct text *t, const struct grade_context *g) {
    const char *page = report_page(g), *film = g->film.path;
    if (!film || !page)
        return;
    const char *page_name = strrchr(page, '/'), *film_name = strrchr(film, '/');
    const size_t page_folder = page_name ? (size_t)(page_name - page) : 0,
                 film_folder = film_name ? (size_t)(film_name - film) : 0;
    if (page_folder == film_folder && strncmp(page, film, page_folder) == 0) {
        add_address(t, film_name ? film_name + 1 : film);
        return;
    }
    char *whole = realpath(film, NULL);
    add_address(t, whole ? whole : film);
    free(whole);
}

__attribute__((format(printf, 2, 3))) static void say_not(struct grade_context *g,
                                                          const char *format, ...) {
    va_list args;
    char line[512];
    va_start(args, format);
    vsnprintf(line, sizeof line, format, args);
    va_end(args);
    text_clear(&g->film.not_made);
    text_add_clean_line(&g->film.not_made, line, strlen(line), sizeof line);
}

/* ---- which call ---- */

static const struct case_result *case_named(const struct grade_context *g, const char *name) {
    for (size_t i = 0; i < g->result_count; i++)
        if (strcmp(g->results[i].spec->name, name) == 0)
            return &g->results[i];
    return NULL;
}

static bool has_kernel(const struct lab_spec *lab) {
    return (lab->entries & (1u << ENTRY_DEVICE | 1u << ENTRY_HOST)) != 0;
}

/* The call to film; *about is what the page says of it. */
static struct call_plan choose(const struct grade_context *g, struct text *about) {
    const struct film_choice *o = &g->options.film;
    const struct case_result *c = o->case_name ? case_named(g, o->case_name) : g->first_failure;
    if (!c && !o->case_name && g->first_unmet)
        c = g->first_unmet->in;
    const bool failed = c && c->verdict != VERDICT_PASS;
    const bool small = failed && c->shrunk && !o->case_name;
    struct call_plan plan = c ? (small ? c->smallest.plan : c->evidence.plan)
                              : (struct call_plan){.input = INPUT_SMALL, .seed = g->seed};
    if (!c) {
        const int side = TILES_SHOWN * g->lab->tile;
        plan.entry = g->lab->entries & 1u << ENTRY_DEVICE ? ENTRY_DEVICE : ENTRY_HOST;
        plan.shape = g->lab->square_tiles ? (struct shape){side, side, side} : edges;
    }
    /* What is not right in a large shape mostly isn't in a small one; a check never asks for one.
     * */
    const double most = 160;
    if (c && !failed && !o->case_name &&
        (plan.shape.m > most || plan.shape.n > most || plan.shape.k > most)) {
        const int side = TILES_SHOWN * g->lab->tile;
        plan.shape = g->lab->square_tiles ? (struct shape){side, side, side} : edges;
    }
    if (o->size.m > 0)
        plan.shape = o->size;
    plan.flags = 0;
    plan.fail_call = 0;
    plan.clock_behind = 0;
    text_addf(about, "%s", g->lab->name);
    if (c)
        text_addf(about, ", case %s", c->spec->hidden ? "hidden" : c->spec->name);
    text_addf(about, ", %d x %d x %d", plan.shape.m, plan.shape.n, plan.shape.k);
    if (failed)
        text_addf(about, ": %s", verdict_text(c->verdict));
    return plan;
}

/* ---- making it ---- */

/* The environment, with the film switched on; the strings behind the array are `own`. */
static char **filming(const struct grade_context *g, char *const *of, const struct call_plan *plan,
                      const char *about, char *own[6]) {
    const struct film_choice *o = &g->options.film;
    size_t n = 0, added = 0;
    while (of && of[n])
        n++;
    own[added++] = xstrdup("VGPU_FILM=" RECORDING);
    own[added++] =
        xasprintf("VGPU_FILM_SHAPE=%d,%d,%d", plan->shape.m, plan->shape.n, plan->shape.k);
    own[added++] = xasprintf("VGPU_FILM_TITLE=%s", about);
    if (o->block)
        own[added++] = xasprintf("VGPU_FILM_BLOCK=%s", o->block);
    if (o->warp)
        own[added++] = xasprintf("VGPU_FILM_WARP=%s", o->warp);
    char **e = xcalloc(n + added + 1, sizeof *e);
    if (n > 0)
        memcpy(e, of, n * sizeof *e);
    memcpy(e + n, own, added * sizeof *own);
    return e;
}

/* Makes the call; the recording, or NULL. The caller frees it. */
static char *record(struct grade_context *g, const struct session s, const struct call_plan *plan,
                    const char *about, size_t *length) {
    struct worker_setup setup = session_setup(g, s);
    char *own[6] = {NULL};
    char **environment = setup.environment = filming(g, setup.environment, plan, about, own);
    setup.call_limit *= FILM_TIMES;
    setup.budget = NULL; /* what a person asks to see is not the submission's time */
    struct worker w;
    struct call_reply reply;
    if (worker_start(&w, &setup, &reply)) {
        struct call_data data;
        call_data_make(&data, plan, session_guards(s, plan->entry));
        call_reply_free(&reply);
        worker_call(&w, &data, &reply);
        call_data_free(&data);
    }
    char *json = worker_left(&w, RECORDING, MOST_RECORDING, length);
    worker_finish(&w);
    if (!json) {
        /* The virtual GPU says why. */
        char *errors = worker_errors(&w);
        const char *why = strstr(errors, "cannot be filmed: ");
        if (why)
            say_not(g, "%.*s", (int)strcspn(why + 18, "\n"), why + 18);
        else
            say_not(g, "no kernel of %s was launched", g->submission.name);
        free(errors);
    }
    worker_free(&w);
    call_reply_free(&reply);
    free(environment);
    for (size_t i = 0; i < sizeof own / sizeof *own; i++)
        free(own[i]);
    return json;
}

static bool write_page(const char *path, const char *about, const char *json, size_t length) {
    json_error_t error;
    json_t *film = json_loadb(json, length, JSON_REJECT_DUPLICATES, &error);
    const json_t *moments = json_object_get(film, "moments");
    const size_t count = json_array_size(moments);
    if (!film) { /* whoever wrote it, it is no recording */
        errno = EPROTO;
        return false;
    }
    struct vg_page_moment *list = xcalloc(count + 1, sizeof *list);
    for (size_t i = 0; i < count; i++) {
        const json_t *m = json_array_get(moments, i);
        const char *title = json_string_value(json_object_get(m, "title")),
                   *text = json_string_value(json_object_get(m, "text"));
        list[i] = (struct vg_page_moment){title ? title : "", text ? text : ""};
    }
    FILE *to = fopen(path, "we");
    bool ok = to && vg_film_page(to, about, json, length, list, (int)count);
    ok = to && fclose(to) == 0 && ok;
    free(list);
    json_decref(film);
    return ok;
}

static bool is_possible(struct grade_context *g) {
    if (!has_kernel(g->lab))
        say_not(g, "%s has no kernel", g->lab->name);
    else if (!session_observes(g))
        say_not(g, "the virtual GPU makes films, and it did not build %s", g->submission.name);
    return g->film.not_made.length == 0;
}

void film_make(struct grade_context *g) {
    if ((!g->options.film_wanted && !report_page(g)) || g->build.outcome != BUILD_OK ||
        interrupt_noted() || !is_possible(g))
        return;
    struct build build;
    const struct backend *backend = session_observed(g).backend;
    build_watched(&build, &g->submission, g->lab, backend, &g->paths, g->scratch, g->sandbox);
    if (build.outcome != BUILD_OK) {
        say_not(g, "%s", text_get(&build.headline));
    } else {
        struct text about = {0};
        size_t length = 0;
        const struct call_plan plan = choose(g, &about);
        char *json = record(g, (struct session){backend, &build}, &plan, text_get(&about), &length);
        char *path = film_path(g);
        if (json && !write_page(path, text_get(&about), json, length))
            say_not(g, "%s: %s", path, strerror(errno));
        else if (json)
            g->film.path = xstrdup(path);
        free(path);
        free(json);
        text_free(&about);
    }
    build_free(&build);
}
