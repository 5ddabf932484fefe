/* report_entries.c: makes the list of entries from the context (see report_entries.h). */
#include "grading/src/report/report_entries.h"

#include "grading/src/answers/answers.h"
#include "grading/src/lab/points.h"

#include <jansson.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Enough to see what is wrong; a page of a learning platform is no terminal. */
static const struct clean_bounds printed_bounds = {.lines = 12, .columns = 300};
static const struct clean_bounds build_bounds = {.lines = 60, .columns = 400};
#define MOST_ENTRY 6000 /* bytes */

const char *entry_bonus(const struct entry *e) {
    return e->bonus ? "bonus, " : "";
}

const char *entry_state_name(enum entry_state s) {
    static const char *const names[] = {"pass", "fail", "not graded", "not run"};
    return names[s];
}

static void say_number(struct text *t, double x) {
    if (isfinite(x) && x == floor(x) && fabs(x) < 1e9)
        text_addf(t, "%.0f", x + 0.0);
    else
        text_addf(t, "%.9g", x);
}

static void say_wrong(struct text *t, const struct evidence *e) {
    for (int i = 0; i < e->comparison.kept && i < 3; i++) {
        const struct wrong_element *w = &e->comparison.first[i];
        text_addf(t, "C[%d][%d] should be ", w->row, w->col);
        say_number(t, w->want);
        if (e->untouched & 1u << i) {
            text_add(t, " and was never written\n");
        } else {
            text_add(t, " and is ");
            say_number(t, (double)w->got);
            text_add(t, "\n");
        }
    }
}

static void say_evidence(struct text *t, const struct evidence *e) {
    const struct shape s = e->plan.shape;
    text_addf(t, "%s, m = %d, n = %d, k = %d, A and B %s\n", entry_name(e->plan.entry), s.m, s.n,
              s.k, input_name(e->plan.input));
    text_add_clean(t, text_get(&e->summary), e->summary.length, "", printed_bounds);
    if (e->verdict == VERDICT_WRONG)
        say_wrong(t, e);
    if (e->printed.length > 0) {
        text_add(t, "printed:\n");
        text_add_clean(t, text_get(&e->printed), e->printed.length, "  ", printed_bounds);
    }
}

/* What a student should look at first. */
static void say_cause(struct text *t, const struct diagnosis *d) {
    if (!d || d->sentence.length == 0)
        return;
    text_add(t, d->class ? "Likely cause: " : "What was seen: ");
    text_add_clean_line(t, text_get(&d->sentence), d->sentence.length, 1000);
    if (d->line > 0) {
        text_add(t, " Look at ");
        text_add_clean_line(t, d->file, strlen(d->file), 200);
        text_addf(t, ":%d.", d->line);
    }
    text_add(t, "\n");
    if (d->section)
        text_addf(t, "See handouts/%s\n", d->section);
}

/* Cuts a text that came out longer than anybody reads; never within a character. */
static void bound(struct text *t) {
    if (t->length <= MOST_ENTRY)
        return;
    size_t n = MOST_ENTRY;
    while (n > 0 && ((unsigned char)t->data[n] & 0xc0) == 0x80)
        n--;
    t->data[n] = '\0';
    t->length = n;
    text_add(t, "...\n");
}

static void case_entry(struct entry *e, const struct grade_context *g, const struct case_spec *spec,
                       const struct case_result *c) {
    e->name = spec->name;
    e->kind = "case";
    e->title = spec->hidden ? "a hidden case" : shape_class_name(spec->shape);
    e->hidden = spec->hidden;
    e->possible = spec->points;
    e->bonus = spec->bonus;
    e->verdict = "not run";
    e->state = g->refused.length > 0 ? ENTRY_FAIL : ENTRY_NOT_RUN;
    if (!c)
        return;
    e->verdict = verdict_text(c->verdict);
    e->state = c->verdict == VERDICT_PASS         ? ENTRY_PASS
               : c->verdict == VERDICT_NOT_GRADED ? ENTRY_NOT_GRADED
                                                  : ENTRY_FAIL;
    e->points = c->points;
    if (c == g->first_not_run) { /* once is enough */
        report_not_run(&e->says, g);
        text_add(&e->says, "\n");
    } else if (e->state != ENTRY_PASS && c->verdict != VERDICT_NOT_RUN && !e->hidden) {
        if (c == g->first_failure || c->diagnosis != g->diagnosis) /* the same */
            say_cause(&e->says, c->diagnosis);
        say_evidence(&e->says, c->shrunk ? &c->smallest : &c->evidence);
    }
}

/* Is it the first check that waits for a product that is right on the virtual GPU, too? */
static bool tells_forgiven(const struct grade_context *g, const struct check_result *c) {
    for (const struct check_result *before = g->checks; before < c; before++)
        if (before->premature)
            return false;
    return c->premature && !g->first_failure && g->first_forgiven;
}

static void check_entry(struct entry *e, const struct grade_context *g,
                        const struct check_spec *spec, const struct check_result *c) {
    e->name = spec->name;
    e->title = spec->title;
    e->kind = "check";
    e->check = true;
    e->possible = spec->points;
    e->bonus = spec->bonus;
    e->verdict = "not run";
    e->state = g->refused.length > 0 ? ENTRY_FAIL : ENTRY_NOT_RUN;
    if (!c)
        return;
    e->verdict = check_verdict_text(c->verdict);
    e->state = c->verdict == CHECK_MET       ? ENTRY_PASS
               : c->verdict == CHECK_NOT_MET ? ENTRY_FAIL
                                             : ENTRY_NOT_GRADED;
    e->points = c->points;
    if (e->state == ENTRY_PASS)
        return;
    if (c->in && c->in->spec->hidden) {
        text_add(&e->says, "seen in a hidden case\n");
        return;
    }
    text_add_clean(&e->says, text_get(&c->summary), c->summary.length, "", printed_bounds);
    text_add_clean(&e->says, text_get(&c->details), c->details.length, "  ", printed_bounds);
    if (tells_forgiven(g, c)) /* once is enough */
        say_cause(&e->says, g->first_forgiven->diagnosis);
    say_cause(&e->says, c->diagnosis);
    if (spec->section && e->state == ENTRY_FAIL && !(c->diagnosis && c->diagnosis->section))
        text_addf(&e->says, "See handouts/%s\n", spec->section);
}

static void answer_entry(struct entry *e, const struct answer_result *r) {
    e->name = r->blank->name;
    e->title = r->question->title;
    e->kind = "answer";
    e->verdict = answer_verdict_name(r->verdict);
    e->state = r->verdict == ANSWER_RIGHT        ? ENTRY_PASS
               : r->verdict == ANSWER_NOT_JUDGED ? ENTRY_NOT_GRADED
                                                 : ENTRY_FAIL;
    e->possible = 1;
    e->points = r->verdict == ANSWER_RIGHT;
    if (r->hint[0])
        text_addf(&e->says, "%s (handouts/%s)\n", r->hint, r->question->section);
}

static const struct case_result *result_of(const struct grade_context *g,
                                           const struct case_spec *spec) {
    for (size_t i = 0; i < g->result_count; i++)
        if (g->results[i].spec == spec)
            return &g->results[i];
    return NULL;
}

static void add_all(struct entries *e, const struct grade_context *g) {
    for (size_t i = 0; g->answers && i < g->answers->count; i++)
        answer_entry(&e->entry[e->count++], &g->answers->results[i]);
    if (g->answers)
        return;
    for (size_t i = 0; i < g->lab->case_count; i++) {
        const struct case_spec *spec = &g->lab->cases[i];
        if (case_wanted(g, spec))
            case_entry(&e->entry[e->count++], g, spec, result_of(g, spec));
    }
    for (size_t i = 0; g->options.cases == 0 && i < g->rubric.check_count; i++)
        check_entry(&e->entry[e->count++], g, &g->rubric.checks[i],
                    i < g->check_count ? &g->checks[i] : NULL);
}

static void add_up(struct entries *e) {
    for (size_t i = 0; i < e->count; i++) {
        struct entry *one = &e->entry[i];
        bound(&one->says);
        text_mask_addresses(&one->says);
        const double possible = one->bonus ? 0 : one->possible;
        e->all += possible;
        if (one->state == ENTRY_PASS || one->state == ENTRY_FAIL) {
            e->points += one->points;
            e->possible += possible;
        }
    }
    e->all = points_of(e->all);
    e->points = points_of(e->points);
    e->possible = points_of(e->possible);
}

static void say_answers(struct entries *e, const struct grade_context *g) {
    const struct answer_sheet *s = g->answers;
    if (!s->judged)
        text_add(&e->why, "an answer could not be judged on this machine");
    e->graded = s->judged;
    text_addf(&e->head, "%s, answers of ", g->lab->name);
    text_add_clean_line(&e->head, s->student[0] ? s->student : "nobody in particular",
                        strlen(s->student[0] ? s->student : "nobody in particular"), STUDENT);
    if (e->graded)
        text_addf(&e->head, ": %zu of %zu right", s->right, s->count);
    else
        text_addf(&e->head, ": not graded: %s", text_get(&e->why));
    text_add_clean(&e->says, text_get(&s->answers.problems), s->answers.problems.length, "",
                   printed_bounds);
}

static void say_whole(struct entries *e, const struct grade_context *g, bool final) {
    size_t done = g->result_count + g->check_count;
    if (!final)
        text_addf(&e->why, "the run has not finished: %zu of %zu cases and checks are done", done,
                  e->count);
    else if (g->not_graded.length > 0)
        text_add_clean_line(&e->why, text_get(&g->not_graded), g->not_graded.length, 600);
    else if (e->possible == 0)
        text_add(&e->why, "nothing could be graded");
    e->graded = e->why.length == 0;
    text_addf(&e->head, "%s, %s: ", g->lab->name, g->lab->title);
    if (e->graded)
        text_addf(&e->head, "%g of %g points", e->points, e->possible);
    else
        text_addf(&e->head, "not graded: %s", text_get(&e->why));
    if (e->graded && e->possible != e->all)
        text_addf(&e->head, "; %g more points could not be judged and do not count",
                  points_of(e->all - e->possible));
    if (g->refused.length > 0)
        text_add_clean(&e->says, text_get(&g->refused), g->refused.length, "", build_bounds);
    text_add_clean(&e->says, text_get(&g->refused_details), g->refused_details.length, "",
                   build_bounds);
    if (g->refused.length > 0)
        say_cause(&e->says, g->diagnosis);
    text_mask_addresses(&e->says);
}

void entries_make(struct entries *e, const struct grade_context *g, bool final) {
    *e =
        (struct entries){.kinds = {g->answers ? "answers" : "cases", g->answers ? NULL : "checks"}};
    e->entry =
        xcalloc((g->answers ? g->answers->count : g->lab->case_count + g->rubric.check_count) + 1,
                sizeof *e->entry);
    add_all(e, g);
    add_up(e);
    if (g->answers)
        say_answers(e, g);
    else
        say_whole(e, g, final);
}

void entries_free(struct entries *e) {
    for (size_t i = 0; i < e->count; i++)
        text_free(&e->entry[i].says);
    free(e->entry);
    text_free(&e->why);
    text_free(&e->head);
    text_free(&e->says);
    *e = (struct entries){0};
}

static bool is_of(const struct entry *e, int kind) {
    return kind == 2 || e->check == (kind == 1);
}

double entries_full(const struct entries *e, int kind) {
    double full = 0;
    for (size_t i = 0; i < e->count; i++)
        full += is_of(&e->entry[i], kind) && !e->entry[i].bonus ? e->entry[i].possible : 0;
    return points_of(full);
}

double entries_scaled(const struct entries *e, int kind) {
    double points = 0, possible = 0, bonus = 0;
    for (size_t i = 0; i < e->count; i++) {
        const struct entry *one = &e->entry[i];
        if (!is_of(one, kind) || (one->state != ENTRY_PASS && one->state != ENTRY_FAIL))
            continue;
        points += one->bonus ? 0 : one->points;
        possible += one->bonus ? 0 : one->possible;
        bonus += one->bonus ? one->points : 0;
    }
    if (possible == 0)
        return -1;
    return points_of(points * entries_full(e, kind) / possible + bonus);
}

void entries_write_json(FILE *out, json_t *o, size_t most, bool indent) {
    const size_t flags =
        JSON_PRESERVE_ORDER | JSON_REAL_PRECISION(15) | (indent ? JSON_INDENT(2) : JSON_COMPACT);
    if (most > 0 && json_dumpb(o, NULL, 0, flags) > most) {
        size_t i;
        json_t *test;
        json_array_foreach(json_object_get(o, "tests"), i, test) json_object_del(test, "output");
    }
    json_dumpf(o, out, flags);
    fputc('\n', out);
    json_decref(o);
}
