/* film.c: see film.h. */
#include "grading/src/report/film.h"

#include "grading/src/base/scratch.h"
#include "grading/src/report/address.h"
#include "grading/src/report/film_pictures.h"
#include "grading/src/report/film_product.h"
#include "grading/src/report/film_record.h"
#include "grading/src/run/session.h"
#include "vgpu/src/film/film_page.h"

#include <errno.h>
#include <jansson.h>
#include <stdlib.h>
#include <string.h>

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

void film_link(struct text *t, const struct grade_context *g) {
    const char *page = report_page(g), *film = g->film.path;
    if (!film || !page)
        return;
    const char *page_name = strrchr(page, '/'), *film_name = strrchr(film, '/');
    const size_t page_folder = page_name ? (size_t)(page_name - page) : 0,
                 film_folder = film_name ? (size_t)(film_name - film) : 0;
    if (page_folder == film_folder && strncmp(page, film, page_folder) == 0) {
        address_add(t, film_name ? film_name + 1 : film);
        return;
    }
    char *whole = realpath(film, NULL);
    address_add(t, whole ? whole : film);
    free(whole);
}

/* ---- which call ---- */

static const struct case_result *case_named(const struct grade_context *g, const char *name) {
    for (size_t i = 0; i < g->result_count; i++)
        if (strcmp(g->results[i].spec->name, name) == 0)
            return &g->results[i];
    return NULL;
}

bool film_has_kernel(const struct lab_spec *lab) {
    return (lab->entries & (1u << ENTRY_DEVICE | 1u << ENTRY_HOST)) != 0;
}

struct call_plan film_choose(const struct grade_context *g, struct text *about,
                             const struct case_result **of) {
    const struct film_choice *o = &g->options.film;
    const struct case_result *c = o->case_name ? case_named(g, o->case_name) : g->first_failure;
    if (!c && !o->case_name && g->first_unmet)
        c = g->first_unmet->in;
    const bool failed = c && c->verdict != VERDICT_PASS;
    const bool small = failed && c->shrunk && !o->case_name;
    struct call_plan plan = c ? (small ? c->smallest.plan : c->evidence.plan)
                              : (struct call_plan){.input = INPUT_SMALL,
                                                   .layout = g->lab->layout,
                                                   .product = g->lab->product,
                                                   .seed = g->seed};
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
    text_addf(about, "%s", g->lab->name);
    if (c)
        text_addf(about, ", case %s", c->spec->hidden ? "hidden" : c->spec->name);
    text_addf(about, ", %d x %d x %d", plan.shape.m, plan.shape.n, plan.shape.k);
    if (failed)
        text_addf(about, ": %s", verdict_text(c->verdict));
    *of = c;
    return plan;
}

/* ---- making it ---- */

static bool write_page(const char *path, const char *about, const json_t *film) {
    const json_t *moments = json_object_get(film, "moments");
    const size_t count = json_array_size(moments);
    struct vg_page_moment *list = xcalloc(count + 1, sizeof *list);
    char **pictures = film_pictures(film);
    for (size_t i = 0; i < count; i++) {
        const json_t *m = json_array_get(moments, i);
        const char *title = json_string_value(json_object_get(m, "title")),
                   *text = json_string_value(json_object_get(m, "text"));
        list[i] = (struct vg_page_moment){title ? title : "", text ? text : "", pictures[i]};
    }
    char *json = json_dumps(film, JSON_COMPACT);
    FILE *to = json ? fopen(path, "we") : NULL;
    bool ok = to && vg_film_page(to, about, json, strlen(json), list, (int)count);
    ok = to && fclose(to) == 0 && ok;
    for (size_t i = 0; i < count; i++)
        free(pictures[i]);
    free(pictures);
    free(json);
    free(list);
    return ok;
}

/* Is the shape one that the lab is promised? The grader's own shapes are. */
static bool is_promised(struct grade_context *g, struct shape s) {
    if (!shape_allowed(g->lab, s))
        text_set_line(&g->film.not_made,
                      "%s takes square sizes that are multiples of its tile, %d: not %d x %d x %d",
                      g->lab->name, g->lab->tile, s.m, s.n, s.k);
    return g->film.not_made.length == 0;
}

static bool is_possible(struct grade_context *g) {
    if (!film_has_kernel(g->lab))
        text_set_line(&g->film.not_made, "%s has no kernel", g->lab->name);
    else if (!session_observes(g))
        text_set_line(&g->film.not_made, "the virtual GPU makes films, and it did not build %s",
                      g->submission.name);
    return g->film.not_made.length == 0;
}

void film_make(struct grade_context *g) {
    if ((!g->options.film_wanted && !report_page(g)) || g->build.outcome != BUILD_OK ||
        interrupt_noted() || !is_possible(g))
        return;
    struct text about = {0};
    const struct case_result *of;
    const struct call_plan plan = film_choose(g, &about, &of);
    struct film_take take = {0};
    char *path = film_path(g);
    const struct film_order order = {.plan = &plan,
                                     .about = text_get(&about),
                                     .block = g->options.film.block,
                                     .warp = g->options.film.warp};
    const bool recorded =
        is_promised(g, plan.shape) && film_record(g, &order, &take, &g->film.not_made);
    if (recorded)
        film_add_product(take.film, &take.product);
    if (recorded && write_page(path, text_get(&about), take.film))
        g->film.path = xstrdup(path);
    else if (recorded)
        text_set_line(&g->film.not_made, "%s: %s", path, strerror(errno));
    film_take_free(&take);
    free(path);
    text_free(&about);
}
