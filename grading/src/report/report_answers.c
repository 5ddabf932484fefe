/*
 * report_answers.c: what --answers found, as text and as JSON (grading/README.md). The formats for
 * learning platforms go through report_entries.c, like those of a grading.
 */
#include "grading/src/answers/answers.h"
#include "grading/src/report/report.h"

#include <jansson.h>
#include <string.h>

enum { WIDTH = 88 };

static void add_clean(struct text *t, const char *s, size_t columns) {
    text_add_clean_line(t, s, strlen(s), columns);
}

/* ---- Text ---- */

static void text_head(struct text *t, const struct grade_context *g) {
    const struct answer_sheet *s = g->answers;
    text_addf(t, "%s, answers: ", g->lab->name);
    add_clean(t, g->submission.path, 200);
    text_add(t, "\nstudent ");
    if (s->student[0])
        add_clean(t, s->student, STUDENT);
    else
        text_add(t, "not given: the numbers are those for nobody in particular");
    text_add(t, "\n");
    if (s->other_student) {
        text_add(t, "The file says student = ");
        add_clean(t, s->answers.student, STUDENT);
        text_add(t, ": --student counts.\n");
    }
    text_add(t, "\n");
}

static void text_result(struct text *t, const struct answer_result *r) {
    struct text line = {0};
    text_addf(&line, "  %-18s %s", r->blank->name, answer_verdict_name(r->verdict));
    if (r->hint[0])
        text_addf(&line, ": %s (handouts/%s)", r->hint, r->question->section);
    text_wrap(&line, WIDTH, 19);
    text_add(t, text_get(&line));
    text_add(t, "\n");
    text_free(&line);
}

/* Those that nobody checks: how many have something written to them. */
static void text_words(struct text *t, const struct grade_context *g) {
    const struct question_set *q = &g->answers->questions;
    size_t asked = 0, written = 0;
    for (size_t i = 0; i < q->listed; i++)
        asked += q->list[i].words != NULL;
    for (size_t i = 0; i < g->answers->answers.count; i++)
        written += g->answers->answers.all[i].value[0] != '\0' &&
                   questions_in_words(q, g->answers->answers.all[i].name);
    if (asked > 0)
        text_addf(t, "  %zu of %zu answered in your own words: %s %s --book compares them\n",
                  written, asked, g->paths.command, g->lab->name);
}

static void text_end(struct reporter *r, const struct grade_context *g) {
    const struct answer_sheet *s = g->answers;
    struct text t = {0};
    text_head(&t, g);
    for (size_t i = 0; i < s->count; i++)
        text_result(&t, &s->results[i]);
    text_addf(&t, "\n  %zu of %zu right\n", s->right, s->count);
    text_words(&t, g);
    if (s->answers.problem_count > 0) {
        const struct clean_bounds bounds = {20, 120};
        text_add(&t, "\nNot understood:\n");
        text_add_clean(&t, text_get(&s->answers.problems), s->answers.problems.length, "  ",
                       bounds);
    }
    if (s->right < s->count)
        text_addf(&t, "\nThe questions: %s %s --questions\n", g->paths.command, g->lab->name);
    fputs(text_get(&t), r->out);
    text_free(&t);
}

void report_answers_text_setup(struct reporter *r) {
    r->end = text_end;
}

/* ---- JSON ---- */

static json_t *json_clean(const char *s, size_t columns) {
    struct text t = {0};
    add_clean(&t, s, columns);
    json_t *j = json_string(text_get(&t));
    text_free(&t);
    return j;
}

static json_t *json_result(const struct answer_result *r) {
    return json_pack("{s:s, s:s, s:i, s:i, s:o, s:s, s:s, s:s}", "name", r->blank->name, "verdict",
                     answer_verdict_name(r->verdict), "points", r->verdict == ANSWER_RIGHT,
                     "points_possible", 1, "given", json_clean(r->given, ANSWER_VALUE), "hint",
                     r->hint, "question", r->question->key, "section", r->question->section);
}

static void json_write(struct reporter *r, const struct grade_context *g) {
    const struct answer_sheet *s = g->answers;
    const char *status = !r->final || !s->judged ? "not_graded"
                         : s->right == s->count  ? "full_marks"
                                                 : "partial_marks";
    char seed[32];
    snprintf(seed, sizeof seed, "%llu", (unsigned long long)g->seed);
    json_t *list = json_array(), *problems = json_array();
    for (size_t i = 0; i < s->count; i++)
        json_array_append_new(list, json_result(&s->results[i]));
    for (const char *at = text_get(&s->answers.problems); *at;) {
        char line[200];
        const size_t length = strcspn(at, "\n");
        snprintf(line, sizeof line, "%.*s", (int)length, at);
        json_array_append_new(problems, json_clean(line, sizeof line));
        at += length + (at[length] == '\n');
    }
    json_t *all = json_pack(
        "{s:s, s:s, s:s, s:i, s:i, s:o, s:s, s:o, s:o, s:o}", "schema", "matmul-lab-answers/1",
        "lab", g->lab->name, "status", status, "points", (int)s->right, "points_possible",
        (int)s->count, "student", json_clean(s->student, STUDENT), "seed", seed, "file",
        json_clean(g->submission.path, 200), "answers", list, "problems", problems);
    json_dumpf(all, r->out, JSON_INDENT(2) | JSON_PRESERVE_ORDER);
    fputc('\n', r->out);
    json_decref(all);
}

void report_answers_json_setup(struct reporter *r) {
    r->write = json_write;
}
