/*
 * report_json.c: the result for programs. The schema is described in grading/README.md; `schema`
 * changes when a reader would have to. The same submission, seed and backend give the same bytes,
 * but for `seconds`.
 */
#include "grading/src/lab/points.h"
#include "grading/src/lab/work.h"
#include "grading/src/report/board.h"
#include "grading/src/report/report.h"

#include <inttypes.h>
#include <jansson.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define SCHEMA "matmul-lab-grade/1"

static const struct clean_bounds bounds = {.lines = 60, .columns = 400};

/* Text from strangers may hold anything; JSON holds UTF-8. */
static json_t *clean_string(const char *s) {
    struct text t = {0};
    text_add_clean(&t, s, strlen(s), "", bounds);
    if (t.length > 0)
        t.data[--t.length] = '\0';
    text_mask_addresses(&t);
    json_t *value = json_string(text_get(&t));
    text_free(&t);
    return value;
}

static json_t *optional(const struct text *t) {
    return t->length > 0 ? clean_string(text_get(t)) : json_null();
}

/* JSON has no NaN and no infinity: they become strings. */
static json_t *number(double x) {
    if (isnan(x))
        return json_string("nan");
    if (isinf(x))
        return json_string(x > 0 ? "inf" : "-inf");
    return json_real(x);
}

static json_t *shape_json(struct shape s) {
    return json_pack("{s:i, s:i, s:i}", "m", s.m, "n", s.n, "k", s.k);
}

static json_t *diagnosis_json(const struct diagnosis *d) {
    if (!d)
        return json_null();
    json_t *o = json_pack("{s:s*, s:o}", "class", d->class, "sentence", optional(&d->sentence));
    if (!d->class)
        json_object_set_new(o, "class", json_null());
    json_object_set_new(o, "file", d->file ? clean_string(d->file) : json_null());
    json_object_set_new(o, "line", d->line > 0 ? json_integer(d->line) : json_null());
    json_object_set_new(o, "section", d->section ? json_string(d->section) : json_null());
    json_object_set_new(o, "evidence", optional(&d->evidence));
    return o;
}

static json_t *evidence_json(const struct evidence *e) {
    json_t *o =
        json_pack("{s:s, s:i, s:o, s:o}", "verdict", verdict_key(e->verdict), "call", e->call,
                  "shape", shape_json(e->plan.shape), "summary", optional(&e->summary));
    if (e->verdict == VERDICT_WRONG) {
        json_object_set_new(o, "elements", json_integer((json_int_t)e->comparison.total));
        json_object_set_new(o, "wrong", json_integer((json_int_t)e->comparison.wrong));
        json_object_set_new(o, "not_finite", json_integer((json_int_t)e->comparison.not_finite));
        json_object_set_new(o, "never_written", json_integer((json_int_t)e->untouched_total));
        json_t *first = json_array();
        for (int i = 0; i < e->comparison.kept; i++) {
            const struct wrong_element *w = &e->comparison.first[i];
            json_array_append_new(first, json_pack("{s:i, s:i, s:o, s:o, s:o, s:b}", "row", w->row,
                                                   "column", w->col, "expected", number(w->want),
                                                   "got", number((double)w->got), "error_allowed",
                                                   number(w->bound), "never_written",
                                                   (int)(e->untouched >> i & 1u)));
        }
        json_object_set_new(o, "first", first);
    }
    json_object_set_new(o, "printed", optional(&e->printed));
    return o;
}

static json_t *case_json(const struct case_result *c) {
    json_t *o = json_pack(
        "{s:s, s:s, s:s, s:i, s:o, s:s, s:o, s:o}", "name", c->spec->name, "function",
        entry_name(c->spec->entry), "input", input_name(c->spec->input), "calls", c->plan.calls,
        "shape", shape_json(c->plan.call[0].shape), "verdict", verdict_key(c->verdict), "points",
        points_json(c->points), "points_possible", points_json(c->spec->points));
    if (c->spec->bonus)
        json_object_set_new(o, "bonus", json_true());
    if (c->spec->hidden)
        json_object_set_new(o, "hidden", json_true());
    json_object_set_new(o, "failure",
                        c->verdict == VERDICT_PASS ? json_null() : evidence_json(&c->evidence));
    if ((c->verdict != VERDICT_PASS || case_forgiven(c)) && c->observed_evidence.call > 0)
        json_object_set_new(o, "watched", evidence_json(&c->observed_evidence));
    json_object_set_new(o, "smallest", c->shrunk ? evidence_json(&c->smallest) : json_null());
    json_object_set_new(o, "diagnosis", diagnosis_json(c->diagnosis));
    return o;
}

/* Counts do not depend on the machine; ratios are rounded so that no last digit does either. */
static json_t *rounded(double x) {
    char digits[40];
    snprintf(digits, sizeof digits, "%.6g", x);
    return isfinite(x) ? json_real(strtod(digits, NULL)) : json_null();
}

static json_t *limits_json(const struct check_result *c) {
    json_t *all = json_array();
    for (int i = 0; i < c->spec->limits; i++) {
        const struct limit *l = &c->spec->limit[i];
        json_array_append_new(all, json_pack("{s:s, s:o, s:o, s:o}", "value", l->quantity,
                                             "measured", rounded(c->measured[i]), "at_least",
                                             rounded(l->least), "at_most", rounded(l->most)));
    }
    return all;
}

static json_t *finding_json(const struct finding_body *f) {
    json_t *o = json_pack("{s:s, s:s, s:s, s:s}", "kind", vgpu_found_name(f->kind), "severity",
                          f->error ? "error" : "warning", "hazard", vgpu_hazard_name(f->hazard),
                          "kernel", "");
    json_object_set_new(o, "kernel", clean_string(f->kernel));
    json_object_set_new(o, "object", clean_string(f->object));
    json_t *sites = json_array();
    for (int i = 0; i < 2; i++) {
        if (f->site[i].line > 0)
            json_array_append_new(sites,
                                  json_pack("{s:o, s:i}", "file", clean_string(f->site[i].file),
                                            "line", (int)f->site[i].line));
    }
    json_object_set_new(o, "lines", sites);
    json_object_set_new(o, "message", clean_string(f->message));
    return o;
}

static json_t *check_json(const struct check_result *c) {
    json_t *o = json_pack("{s:s, s:s, s:s, s:s, s:o, s:o}", "name", c->spec->name, "title",
                          c->spec->title, "kind", check_kind_name(c->spec->kind), "verdict",
                          check_verdict_key(c->verdict), "points", points_json(c->points),
                          "points_possible", points_json(c->spec->points));
    if (c->spec->bonus)
        json_object_set_new(o, "bonus", json_true());
    json_object_set_new(o, "premature", json_boolean(c->premature));
    json_object_set_new(o, "summary", optional(&c->summary));
    json_object_set_new(o, "details", optional(&c->details));
    json_object_set_new(o, "case", c->in ? json_string(c->in->spec->name) : json_null());
    json_object_set_new(o, "section",
                        c->spec->section ? json_string(c->spec->section) : json_null());
    json_object_set_new(o, "limits", limits_json(c));
    json_object_set_new(o, "finding", c->found ? finding_json(c->found) : json_null());
    json_object_set_new(o, "diagnosis", diagnosis_json(c->diagnosis));
    return o;
}

/* Who is on it is ranked by these; null: not on it. */
static json_t *board_json(const struct reporter *r, const struct grade_context *g) {
    struct board b;
    if (!r->final || !board_of(&b, g))
        return json_null();
    return json_pack("{s:s, s:o, s:o, s:o}", "case", b.in->spec->name, "shape",
                     shape_json(b.in->plan.call[0].shape), "bytes_per_madd", rounded(b.bytes),
                     "conflicts_per_madd", rounded(b.conflicts));
}

static json_t *flags_json(const struct flags *f) {
    json_t *all = json_array();
    for (size_t i = 0; i < f->count; i++)
        json_array_append_new(all, json_pack("{s:s, s:s, s:o}", "rule", f->of[i].rule, "meaning",
                                             f->of[i].meaning, "what", optional(&f->of[i].what)));
    return all;
}

static const char *status_key(const struct reporter *r, const struct grade_context *g) {
    static const char *const keys[] = {"full_marks", "partial_marks", "not_graded"};
    return keys[r->final ? grade_status(g) : GRADE_NONE];
}

static void write_result(struct reporter *r, const struct grade_context *g) {
    char hash[20];
    snprintf(hash, sizeof hash, "%016" PRIx64, g->submission.hash);
    struct text command = {0};
    report_command(&command, g, NULL);
    json_t *cases = json_array();
    for (size_t i = 0; i < g->result_count; i++)
        json_array_append_new(cases, case_json(&g->results[i]));
    json_t *o = json_pack(
        "{s:s, s:s, s:s, s:o, s:o, s:o, s:s}", "schema", SCHEMA, "lab", g->lab->name, "status",
        status_key(r, g), "points", points_json(g->points), "points_possible",
        points_json(g->points_possible), "submission",
        clean_string(g->submission.path ? g->submission.path : ""), "submission_hash", hash);
    /* Seeds go beyond what some readers' numbers hold: a string. */
    struct text seed = {0};
    text_addf(&seed, "%llu", (unsigned long long)g->seed);
    json_object_set_new(o, "seed", json_string(text_get(&seed)));
    text_free(&seed);
    json_object_set_new(o, "backend", json_string(backend_name(g->backend.kind)));
    json_object_set_new(o, "device",
                        g->backend.device ? clean_string(g->backend.device) : json_null());
    json_object_set_new(o, "repeat", clean_string(text_get(&command)));
    json_object_set_new(o, "not_graded",
                        r->final ? optional(&g->not_graded)
                                 : json_string("the run has not finished"));
    json_object_set_new(o, "refused", optional(&g->refused));
    json_object_set_new(o, "messages", optional(&g->refused_details));
    json_object_set_new(o, "diagnosis", diagnosis_json(g->diagnosis));
    json_object_set_new(o, "cases", cases);
    json_object_set_new(o, "flags", flags_json(&g->build.flags));
    json_t *checks = json_array();
    for (size_t i = 0; i < g->check_count; i++)
        json_array_append_new(checks, check_json(&g->checks[i]));
    json_object_set_new(o, "checks", checks);
    json_object_set_new(o, "board", board_json(r, g));
    json_object_set_new(o, "points_not_graded", points_json(g->points_not_graded));
    if (g->time.own > 0)
        json_object_set_new(
            o, "time",
            json_pack("{s:f, s:o}", "seconds", (double)g->time.own * 1e-9, "cublas_seconds",
                      g->time.cublas > 0 ? json_real((double)g->time.cublas * 1e-9) : json_null()));
    json_object_set_new(o, "seconds", json_real(g->seconds));
    json_dumpf(o, r->out, JSON_INDENT(2) | JSON_PRESERVE_ORDER | JSON_REAL_PRECISION(15));
    fputc('\n', r->out);
    json_decref(o);
    text_free(&command);
}

void report_json_setup(struct reporter *r) {
    r->write = write_result;
}
