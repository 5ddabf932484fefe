/* hints.c: see hints.h.
 *
 *     "unmet": [ { "name": "cases", "section": "lab3.md#barriers",
 *                  "class": "second-barrier-missing" }, { "name": "leaks", ... } ],
 *     "hints": { "cases": { "class": "second-barrier-missing", "told": 2 } }
 */
#include "grading/src/report/hints.h"

#include "grading/src/report/standing.h"
#include "grading/src/run/cause.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* The names of criteria that are no checks. A check cannot be called so: see rubric.c. */
#define PRODUCTS "cases"
#define BUILDING "build"

/* `section` is said where no diagnosis (may be NULL) knows a better one. */
static void add_unmet(json_t *list, const char *name, const char *section,
                      const struct diagnosis *d) {
    json_t *o = json_pack("{s:s}", "name", name);
    if (d && d->section)
        section = d->section;
    if (section)
        json_object_set_new(o, "section", json_string(section));
    if (d && d->class)
        json_object_set_new(o, "class", json_string(d->class));
    json_array_append_new(list, o);
}

static const char *member(const json_t *o, const char *name) {
    return json_string_value(json_object_get(o, name));
}

/* How many hints were told for a criterion and the same mistake. */
static int told_so_far(const json_t *counts, const json_t *unmet) {
    const json_t *old = json_object_get(counts, member(unmet, "name"));
    const char *was = member(old, "class"), *is = member(unmet, "class");
    const bool same = was && is ? strcmp(was, is) == 0 : !was && !is;
    return same ? (int)json_integer_value(json_object_get(old, "told")) : 0;
}

static void note_told(json_t *counts, const json_t *unmet, int told) {
    json_t *o = json_pack("{s:i}", "told", told);
    if (member(unmet, "class"))
        json_object_set(o, "class", json_object_get(unmet, "class"));
    json_object_set_new(counts, member(unmet, "name"), o);
}

/* A check that nothing could be seen of waits for right products; those come first.
 * So does what was seen. */
static json_t *unmet(const struct grade_context *g) {
    const struct case_result *wrong = g->first_failure ? g->first_failure
                                      : g->first_unmet ? NULL
                                                       : g->first_forgiven;
    json_t *list = json_array();
    if (g->refused.length > 0)
        add_unmet(list, BUILDING, NULL, g->diagnosis);
    if (wrong)
        add_unmet(list, PRODUCTS, NULL, wrong->diagnosis);
    for (int premature = 0; premature < 2; premature++) {
        for (size_t i = 0; i < g->check_count; i++) {
            const struct check_result *c = &g->checks[i];
            if (c->verdict == CHECK_NOT_MET && c->premature == premature)
                add_unmet(list, c->spec->name, c->spec->section, c->diagnosis);
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
        const int told = told_so_far(old, one);
        if (told > 0)
            note_told(counts, one, told);
    }
    json_object_set_new(standing, "unmet", list);
    json_object_set_new(standing, "hints", counts);
}

/* The hints of a cause; where none is known, the rubric's for the criterion. */
struct ladder {
    struct cause cause;
    const char *title; /* of the criterion */
    char *const *hint;
    int count;
};

static struct ladder ladder_of(const struct grade_context *g, const json_t *unmet) {
    const char *criterion = member(unmet, "name"), *class = member(unmet, "class");
    struct ladder l = {.title = criterion};
    const struct hints *h = NULL;
    if (strcmp(criterion, PRODUCTS) == 0) {
        l.title = "right products";
        h = &g->rubric.case_hints;
    }
    for (size_t i = 0; i < g->rubric.check_count; i++) {
        if (strcmp(g->rubric.checks[i].name, criterion) == 0) {
            l.title = g->rubric.checks[i].title;
            h = &g->rubric.checks[i].hints;
        }
    }
    if (class)
        l.cause = cause_of(g->paths.root, class, g->lab->name);
    if (l.cause.hint_count > 0) {
        l.hint = l.cause.hints;
        l.count = l.cause.hint_count;
    } else if (h) {
        l.hint = h->hint;
        l.count = h->count;
    }
    return l;
}

static void say_command(struct text *t, const struct grade_context *g, const char *option) {
    text_addf(t, "%s %s%s", g->paths.command, g->lab->name, option);
}

/* The next hint for one criterion. */
static void tell(struct text *t, const struct grade_context *g, json_t *standing,
                 const json_t *unmet) {
    struct ladder l = ladder_of(g, unmet);
    json_t *counts = json_object_get(standing, "hints");
    const int told = told_so_far(counts, unmet);
    if (l.hint && told < l.count) {
        text_addf(t, "%s, %s, hint %d of %d:\n  %s\n", g->lab->name, l.title, told + 1, l.count,
                  l.hint[told]);
        text_wrap(t, 100, 0);
        note_told(counts, unmet, told + 1);
        standing_save(&g->paths, g->lab, standing);
    } else {
        const char *section = member(unmet, "section");
        text_addf(
            t, l.count > 0 ? "%s, %s: all %d hints are told.\n" : "%s, %s: there are no hints.\n",
            g->lab->name, l.title, l.count);
        text_addf(t, "  Read handouts/%s", section ? section : "");
        if (!section)
            text_addf(t, "%s.md", g->lab->name);
        text_add(t, ", and what the report says: ");
        say_command(t, g, "\n");
    }
    cause_free(&l.cause);
}

bool hints_tell(struct text *t, const struct grade_context *g) {
    char hash[20];
    snprintf(hash, sizeof hash, "%016" PRIx64, g->submission.hash);
    json_t *standing = standing_load(&g->paths, g->lab);
    const char *graded = json_string_value(json_object_get(standing, "submission_hash"));
    const json_t *list = json_object_get(standing, "unmet");
    const json_t *first = json_array_get(list, 0);
    const char *criterion = member(first, "name");
    bool ok = false;
    if (!graded || !list || !json_is_object(json_object_get(standing, "hints"))) {
        text_add(t, "hints go by the last result, and there is none yet: first ");
        say_command(t, g, "");
    } else if (strcmp(graded, hash) != 0) {
        text_addf(t, "hints go by the last result, and %s was edited since: first ",
                  g->submission.path);
        say_command(t, g, "");
    } else if (!criterion) {
        text_addf(t, "%s: everything is met, so there is nothing to hint at.\n", g->lab->name);
        ok = true;
    } else if (strcmp(criterion, BUILDING) == 0) {
        text_addf(t, "%s: the file does not build yet. The compiler's first message counts: ",
                  g->lab->name);
        say_command(t, g, " shows it.\n");
        ok = true;
    } else {
        tell(t, g, standing, first);
        ok = true;
    }
    json_decref(standing);
    return ok;
}
