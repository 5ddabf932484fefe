/* hints.c: see hints.h.
 *
 *     "unmet": [ { "name": "cases", "section": "lab3.md#barriers" }, { "name": "races", ... } ],
 *     "hints": { "cases": 2 }
 */
#include "grading/src/report/hints.h"

#include "grading/src/report/standing.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* The names of criteria that are no checks. A check cannot be called so: see rubric.c. */
#define PRODUCTS "cases"
#define BUILDING "build"

static void add_unmet(json_t *list, const char *name, const char *section) {
    json_t *o = json_pack("{s:s}", "name", name);
    if (section)
        json_object_set_new(o, "section", json_string(section));
    json_array_append_new(list, o);
}

/* A check that nothing could be seen of waits for right products; those come first.
 * So does what was seen. */
static json_t *unmet(const struct grade_context *g) {
    const struct case_result *wrong = g->first_failure ? g->first_failure
                                      : g->first_unmet ? NULL
                                                       : g->first_forgiven;
    json_t *list = json_array();
    if (g->refused.length > 0)
        add_unmet(list, BUILDING, g->diagnosis ? g->diagnosis->section : NULL);
    if (wrong)
        add_unmet(list, PRODUCTS, wrong->diagnosis ? wrong->diagnosis->section : NULL);
    for (int premature = 0; premature < 2; premature++) {
        for (size_t i = 0; i < g->check_count; i++) {
            const struct check_result *c = &g->checks[i];
            if (c->verdict == CHECK_NOT_MET && c->premature == premature)
                add_unmet(list, c->spec->name, c->spec->section);
        }
    }
    return list;
}

void hints_note(json_t *standing, const json_t *before, const struct grade_context *g) {
    json_t *list = unmet(g), *counts = json_object();
    const json_t *old = json_object_get(before, "hints");
    size_t i;
    json_t *one;
    json_array_foreach(list, i, one) {
        const char *name = json_string_value(json_object_get(one, "name"));
        const json_int_t told = json_integer_value(json_object_get(old, name));
        if (told > 0)
            json_object_set_new(counts, name, json_integer(told));
    }
    json_object_set_new(standing, "unmet", list);
    json_object_set_new(standing, "hints", counts);
}

static const struct hints *hints_of(const struct grade_context *g, const char *criterion,
                                    const char **title) {
    if (strcmp(criterion, PRODUCTS) == 0) {
        *title = "right products";
        return &g->rubric.case_hints;
    }
    for (size_t i = 0; i < g->rubric.check_count; i++) {
        if (strcmp(g->rubric.checks[i].name, criterion) == 0) {
            *title = g->rubric.checks[i].title;
            return &g->rubric.checks[i].hints;
        }
    }
    return NULL;
}

static void say_command(struct text *t, const struct grade_context *g, const char *option) {
    text_addf(t, "./grader %s%s", g->lab->name, option);
}

/* The next hint for one criterion. */
static bool tell(struct text *t, const struct grade_context *g, json_t *standing,
                 const char *criterion, const char *section) {
    const char *title = criterion;
    const struct hints *h = hints_of(g, criterion, &title);
    json_t *counts = json_object_get(standing, "hints");
    const int told = (int)json_integer_value(json_object_get(counts, criterion));
    const int count = h ? h->count : 0;
    if (!h || told >= count) {
        text_addf(t,
                  count > 0 ? "%s, %s: all %d hints are told.\n" : "%s, %s: there are no hints.\n",
                  g->lab->name, title, count);
        text_addf(t, "  Read handouts/%s", section ? section : "");
        if (!section)
            text_addf(t, "%s.md", g->lab->name);
        text_add(t, ", and what the report says: ");
        say_command(t, g, "\n");
        return true;
    }
    text_addf(t, "%s, %s, hint %d of %d:\n  %s\n", g->lab->name, title, told + 1, count,
              h->hint[told]);
    text_wrap(t, 100, 0);
    json_object_set_new(counts, criterion, json_integer(told + 1));
    standing_save(&g->paths, g->lab, standing);
    return true;
}

bool hints_tell(struct text *t, const struct grade_context *g) {
    char hash[20];
    snprintf(hash, sizeof hash, "%016" PRIx64, g->submission.hash);
    json_t *standing = standing_load(&g->paths, g->lab);
    const char *graded = json_string_value(json_object_get(standing, "submission_hash"));
    const json_t *list = json_object_get(standing, "unmet");
    const json_t *first = json_array_get(list, 0);
    const char *criterion = json_string_value(json_object_get(first, "name"));
    bool ok = false;
    if (!graded || !list || !json_is_object(json_object_get(standing, "hints"))) {
        text_add(t, "hints go by the last result, and there is none yet: first ");
        say_command(t, g, "");
    } else if (strcmp(graded, hash) != 0) {
        text_addf(t, "hints go by the last result, and %s was edited since: first ",
                  g->submission.path);
        say_command(t, g, "");
    } else if (!criterion) {
        text_addf(t, "%s: everything is met, there is nothing to hint at.\n", g->lab->name);
        ok = true;
    } else if (strcmp(criterion, BUILDING) == 0) {
        text_addf(t, "%s: the file does not build yet. The compiler's first message counts: ",
                  g->lab->name);
        say_command(t, g, " shows it.\n");
        ok = true;
    } else {
        ok = tell(t, g, standing, criterion, json_string_value(json_object_get(first, "section")));
    }
    json_decref(standing);
    return ok;
}
