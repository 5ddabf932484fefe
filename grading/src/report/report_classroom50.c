/*
 * report_classroom50.c: result.json for Classroom 50, schema classroom50/result/v1.
 *
 * Who handed in what comes from the runner's environment, as its documentation asks. Scores are
 * integers. Without a grade the file has no scores and says why under `error`: the runner refuses
 * it, and the collector keeps the grade that was there.
 */
#include "grading/src/report/report_entries.h"

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

static void write_result(struct reporter *r, const struct grade_context *g) {
    struct entries e;
    entries_make(&e, g, r->final);
    json_t *o = json_pack("{s:s}", "schema", "classroom50/result/v1");
    identify(o, g);
    json_t *tests = json_array();
    for (size_t i = 0; e.graded && i < e.count; i++) {
        const struct entry *one = &e.entry[i];
        if (one->state == ENTRY_PASS || one->state == ENTRY_FAIL)
            json_array_append_new(tests, json_pack("{s:s, s:b, s:i, s:i}", "test-name", one->name,
                                                   "passed", one->state == ENTRY_PASS, "score",
                                                   one->points, "max-score", one->possible));
    }
    if (e.graded) {
        json_object_set_new(o, "score", json_integer(e.points));
        json_object_set_new(o, "max-score", json_integer(e.possible));
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
