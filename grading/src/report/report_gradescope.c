/*
 * report_gradescope.c: results.json as Gradescope's autograder harness reads it.
 *
 * The total is given as `score`, which overrides the sum of the tests': so criteria that could not
 * be judged cost nothing, and bonuses may lift it above the assignment's points. Without a grade
 * there is no score at all, which Gradescope shows as a failure of the autograder, not as a zero.
 * All text is plain: never html, md or ansi.
 */
#include "grading/src/report/report_entries.h"

#include "grading/src/lab/points.h"
#include "grading/src/report/board.h"

#include <jansson.h>

static json_t *test_json(const struct entry *e, size_t number) {
    struct text name = {0}, index = {0};
    text_addf(&name, "%s: %s%s, %s", e->name, entry_bonus(e), e->title, e->verdict);
    text_addf(&index, "%d.%zu", e->check ? 2 : 1, number);
    json_t *o = json_pack("{s:s, s:s, s:s}", "name", text_get(&name), "name_format", "text",
                          "number", text_get(&index));
    if (e->state == ENTRY_PASS || e->state == ENTRY_FAIL) {
        if (e->possible > 0) {
            json_object_set_new(o, "score", points_json(e->points));
            json_object_set_new(o, "max_score", points_json(e->possible));
        }
        json_object_set_new(o, "status", json_string(e->state == ENTRY_PASS ? "passed" : "failed"));
    }
    if (e->says.length > 0) {
        json_object_set_new(o, "output", json_string(text_get(&e->says)));
        json_object_set_new(o, "output_format", json_string("text"));
    }
    /* Seen when grades are published: students cannot tune a submission to hidden cases. */
    json_object_set_new(o, "visibility", json_string(e->hidden ? "after_published" : "visible"));
    text_free(&name);
    text_free(&index);
    return o;
}

static void add_column(json_t *columns, const char *name, double value) {
    json_array_append_new(
        columns, json_pack("{s:s, s:f, s:s}", "name", name, "value", value, "order", "asc"));
}

/* Gradescope asks students for the name that stands there. */
static void add_board(json_t *o, const struct grade_context *g) {
    struct board b;
    if (!board_of(&b, g))
        return;
    json_t *columns = json_array();
    add_column(columns, "Bytes moved a multiply-add", b.bytes);
    add_column(columns, "Bank conflicts a multiply-add", b.conflicts);
    if (b.seconds > 0)
        add_column(columns, "Milliseconds on the GPU (no points)", 1e3 * b.seconds);
    json_object_set_new(o, "leaderboard", columns);
}

static void write_result(struct reporter *r, const struct grade_context *g) {
    struct entries e;
    entries_make(&e, g, r->final);
    struct text output = {0};
    text_addf(&output, "%s\n%s", text_get(&e.head), text_get(&e.says));
    json_t *o = json_pack("{s:s, s:s, s:s, s:s, s:s, s:s, s:f}", "output", text_get(&output),
                          "output_format", "text", "test_output_format", "text", "test_name_format",
                          "text", "visibility", "visible", "stdout_visibility", "hidden",
                          "execution_time", g->seconds);
    if (e.graded)
        json_object_set_new(o, "score", json_real(entries_scaled(&e, 2)));
    json_t *tests = json_array();
    size_t number[2] = {0};
    for (size_t i = 0; e.graded && i < e.count; i++)
        json_array_append_new(tests, test_json(&e.entry[i], ++number[e.entry[i].check]));
    json_object_set_new(o, "tests", tests);
    if (e.graded && r->final)
        add_board(o, g);
    struct text seed = {0};
    text_addf(&seed, "%llu", (unsigned long long)g->seed);
    json_object_set_new(o, "extra_data",
                        json_pack("{s:s, s:s}", "lab", g->lab->name, "seed", text_get(&seed)));
    entries_write_json(r->out, o, 0, true);
    text_free(&seed);
    text_free(&output);
    entries_free(&e);
}

void report_gradescope_setup(struct reporter *r) {
    r->write = write_result;
}
