/*
 * report_classroom50.c: result.json for Classroom 50, schema classroom50/result/v1.
 *
 * Who handed in what comes from the runner's environment, as its documentation asks. Scores are
 * integers: fractions of points are told in halves, fifths ... hundredths of a point, whatever
 * makes all of them whole. No score may be above its maximum: a bonus is a test of no points.
 * Without a grade the file has no scores and says why under `error`: the runner refuses it, and the
 * collector keeps the grade that was there.
 */
#include "grading/src/report/report_entries.h"

#include "grading/src/lab/points.h"

#include <jansson.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

/* The first variable that is set; the schema wants no empty strings. */
static const char *from_environment(const char *const *names, const char *otherwise) {
    for (; *names; names++) {
        const char *value = getenv(*names);
        if (value && *value)
            return value;
    }
    return otherwise;
}

static void identify(json_t *o, const struct grade_context *g) {
    static const struct {
        const char *key, *names[3];
    } rows[] = {
        {"classroom", {"CLASSROOM"}},
        {"assignment", {"ASSIGNMENT"}},
        {"assignment_type", {"ASSIGNMENT_TYPE"}},
        {"owner", {"OWNER", "GITHUB_REPOSITORY_OWNER"}},
        {"submission", {"SUBMISSION_TAG"}},
        {"commit", {"COMMIT_URL"}},
        {"release", {"RELEASE_URL"}},
        {"review", {"REVIEW_URL", "COMMIT_URL"}},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const char *otherwise = strcmp(rows[i].key, "assignment") == 0        ? g->lab->name
                                : strcmp(rows[i].key, "assignment_type") == 0 ? "individual"
                                                                              : "local";
        json_t *value = json_string(from_environment(rows[i].names, otherwise));
        json_object_set_new(o, rows[i].key, value ? value : json_string(otherwise));
    }
    char now[32];
    const time_t t = time(NULL);
    struct tm utc;
    strftime(now, sizeof now, "%Y-%m-%dT%H:%M:%SZ", gmtime_r(&t, &utc));
    json_object_set_new(o, "datetime", json_string(now));
}

/* Into so many parts a point is cut, so that all points are whole numbers of them. */
static int parts_of_a_point(const struct entries *e) {
    static const int parts[] = {1, 2, 4, 5, 10, 20, 25, 50, 100};
    for (size_t p = 0; p < sizeof parts / sizeof *parts - 1; p++) {
        bool all_whole = true;
        for (size_t i = 0; i < e->count; i++) {
            const double x = points_of(e->entry[i].possible * parts[p]);
            all_whole = all_whole && x == floor(x);
        }
        if (all_whole)
            return parts[p];
    }
    return 100;
}

static int whole(const struct entry *e, double points, int parts) {
    return e->bonus ? 0 : (int)lround(points * parts);
}

static void write_result(struct reporter *r, const struct grade_context *g) {
    struct entries e;
    entries_make(&e, g, r->final);
    json_t *o = json_pack("{s:s}", "schema", "classroom50/result/v1");
    identify(o, g);
    json_t *tests = json_array();
    const int parts = parts_of_a_point(&e);
    json_int_t score = 0;
    for (size_t i = 0; e.graded && i < e.count; i++) {
        const struct entry *one = &e.entry[i];
        if (one->state == ENTRY_PASS || one->state == ENTRY_FAIL)
            json_array_append_new(tests, json_pack("{s:s, s:b, s:i, s:i}", "test-name", one->name,
                                                   "passed", one->state == ENTRY_PASS, "score",
                                                   whole(one, one->points, parts), "max-score",
                                                   whole(one, one->possible, parts)));
        if (!one->bonus && (one->state == ENTRY_PASS || one->state == ENTRY_FAIL))
            score += whole(one, one->points, parts);
    }
    if (e.graded) {
        json_object_set_new(o, "score", json_integer(score));
        json_object_set_new(o, "max-score", json_integer((json_int_t)lround(e.possible * parts)));
    } else {
        json_object_set_new(o, "error", json_string(text_get(&e.why)));
    }
    json_object_set_new(o, "tests", tests);
    entries_write_json(r->out, o, 0, true);
    entries_free(&e);
}

void report_classroom50_setup(struct reporter *r) {
    r->write = write_result;
}
