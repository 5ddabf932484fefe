/*
 * report_prairielearn.c: results.json as PrairieLearn's external grader reads it.
 *
 * `score` is from 0 to 1: a bonus makes up for what is lost, and no more. It is a test of no points
 * at most, so that the points of all tests at most are what the score is a share of. Without a
 * grade the result is not gradable, which costs the student no attempt. Points stand on every test
 * or on none, so criteria that could not be judged are no tests: the output names them. At most 1
 * MB, or PrairieLearn refuses the whole file.
 */
#include "grading/src/report/report_entries.h"

#include "grading/src/lab/points.h"

#include <jansson.h>

#define MOST_BYTES 900000

static json_t *test_json(const struct entry *e) {
    struct text name = {0};
    text_addf(&name, "%s, %s%s", e->name, entry_bonus(e), e->title);
    json_t *o =
        json_pack("{s:s, s:o, s:o, s:s}", "name", text_get(&name), "points", points_json(e->points),
                  "max_points", points_json(e->bonus ? 0 : e->possible), "message", e->verdict);
    if (e->says.length > 0)
        json_object_set_new(o, "output", json_string(text_get(&e->says)));
    text_free(&name);
    return o;
}

static void write_result(struct reporter *r, const struct grade_context *g) {
    struct entries e;
    entries_make(&e, g, r->final);
    json_t *o = json_pack("{s:b, s:s}", "gradable", (int)e.graded, "message", text_get(&e.head));
    if (!e.graded)
        json_object_set_new(o, "format_errors", json_pack("[s]", text_get(&e.why)));
    struct text output = {0};
    text_add(&output, text_get(&e.says));
    json_t *tests = json_array();
    for (size_t i = 0; e.graded && i < e.count; i++) {
        const struct entry *one = &e.entry[i];
        if (one->state == ENTRY_PASS || one->state == ENTRY_FAIL)
            json_array_append_new(tests, test_json(one));
        else
            text_addf(&output, "%s, %s: not graded\n", one->name, one->title);
    }
    if (e.graded) {
        json_object_set_new(o, "score", json_real(fmin(e.points / e.possible, 1)));
        json_object_set_new(o, "tests", tests);
    } else {
        json_decref(tests);
    }
    json_object_set_new(o, "output", json_string(text_get(&output)));
    entries_write_json(r->out, o, MOST_BYTES, true);
    text_free(&output);
    entries_free(&e);
}

void report_prairielearn_setup(struct reporter *r) {
    r->write = write_result;
}
