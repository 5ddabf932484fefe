/* report_text.c: the report on the terminal: a header at once, a line per case as it is done, the
 * total, and the first failure with what a student needs to see of it. */
#include "grading/src/report/error_map.h"
#include "grading/src/report/report.h"
#include "grading/src/run/times.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define WIDTH 100

enum colour { PLAIN, BOLD, RED, GREEN, YELLOW };

static void start_colour(const struct reporter *r, enum colour c) {
    static const char *const codes[] = {"", "\033[1m", "\033[31m", "\033[32m", "\033[33m"};
    if (r->colour)
        fputs(codes[c], r->out);
}

static void end_colour(const struct reporter *r) {
    if (r->colour)
        fputs("\033[0m", r->out);
}

static enum colour verdict_colour(enum verdict v) {
    return v == VERDICT_PASS ? GREEN : v == VERDICT_NOT_GRADED ? YELLOW : RED;
}

static void begin(struct reporter *r, const struct grade_context *g) {
    r->verbose = g->options.verbose;
    struct text path = {0}; /* a file name may hold anything */
    text_add_clean_line(&path, g->submission.path, strlen(g->submission.path), 4096);
    start_colour(r, BOLD);
    fprintf(r->out, "%s, %s: %s\n", g->lab->name, g->lab->title, text_get(&path));
    end_colour(r);
    text_free(&path);
    fprintf(r->out, "on the %s%s%s, seed %llu\n", g->backend.device,
            g->backend.reason ? " because " : "", g->backend.reason ? g->backend.reason : "",
            (unsigned long long)g->seed);
    fflush(r->out);
}

static void built(struct reporter *r, const struct grade_context *g) {
    if (g->build.outcome != BUILD_OK)
        return; /* `end` says it */
    if (g->build.headline.length > 0)
        fprintf(r->out, "%s\n", text_get(&g->build.headline));
    if (g->options.verbose) {
        struct text walls = {0};
        sandbox_describe(g->sandbox, &walls);
        text_wrap(&walls, WIDTH, 2);
        fputs(text_get(&walls), r->out);
        text_free(&walls);
    }
    if (g->options.verbose && g->build.details.length > 0)
        fprintf(r->out, "\nThe compiler's warnings:\n%s", text_get(&g->build.details));
    fprintf(r->out, "\n  %-13s %-28s%s %-14s %7s\n", "case", "m x n x k",
            g->options.verbose ? " A and B       " : "", "verdict", "points");
    fflush(r->out);
}

/* The last lines of a text: what a program printed just before its end says most. */
static const char *last_lines(const struct text *t, size_t lines) {
    size_t from = t->length, found = 0;
    while (from > 0 && (t->data[from - 1] != '\n' || from == t->length || ++found < lines))
        from--;
    return text_get(t) + from;
}

/* What was printed and may explain a failure, ready to be shown. */
static void explanation(struct text *t, const struct evidence *e, bool headings) {
    struct text device = {0}, own = {0};
    evidence_split(e, &device, &own);
    const struct clean_bounds bounds = {.lines = 12, .columns = 400};
    if (device.length > 0) {
        text_add(t, headings ? "\n  The virtual GPU says:\n" : "");
        text_add_clean(t, text_get(&device), device.length, "    ", bounds);
    }
    if (own.length > 0) {
        const char *last = last_lines(&own, bounds.lines);
        text_add(t, headings ? "\n  The program printed:\n" : "");
        if (last > text_get(&own))
            text_add(t, "    ...\n");
        text_add_clean(t, last, strlen(last), "    ", bounds);
    }
    text_wrap(t, WIDTH, 4);
    text_free(&device);
    text_free(&own);
}

static void case_done(struct reporter *r, const struct grade_context *g,
                      const struct case_result *c) {
    const struct shape s = c->plan.call[0].shape;
    char shape[64], points[24];
    int n = snprintf(shape, sizeof shape, "%d x %d x %d", s.m, s.n, s.k);
    if (c->spec->hidden)
        snprintf(shape, sizeof shape, "hidden");
    else if (c->plan.calls > 1)
        snprintf(shape + n, sizeof shape - (size_t)n, ", %d calls", c->plan.calls);
    if (c->verdict == VERDICT_NOT_GRADED)
        snprintf(points, sizeof points, "-/%d", c->spec->points);
    else
        snprintf(points, sizeof points, "%d/%d", c->points, c->spec->points);
    fprintf(r->out, "  %-13s %-28s", c->spec->name, shape);
    if (g->options.verbose)
        fprintf(r->out, " %-14s", input_name(c->spec->input));
    fputc(' ', r->out);
    start_colour(r, verdict_colour(c->verdict));
    fprintf(r->out, "%-14s", verdict_text(c->verdict));
    end_colour(r);
    fprintf(r->out, " %7s\n", points);
    if (g->options.verbose && !c->spec->hidden) {
        struct text shown = {0};
        explanation(&shown, &c->evidence, false);
        fputs(text_get(&shown), r->out);
        text_free(&shown);
    }
    fflush(r->out);
}

static enum colour check_colour(enum check_verdict v) {
    return v == CHECK_MET ? GREEN : v == CHECK_NOT_MET ? RED : YELLOW;
}

static void check_done(struct reporter *r, const struct grade_context *g,
                       const struct check_result *c) {
    char points[24];
    if (c->verdict == CHECK_NOT_GRADED)
        snprintf(points, sizeof points, "-/%d", c->spec->points);
    else
        snprintf(points, sizeof points, "%d/%d", c->points, c->spec->points);
    const int width = g->options.verbose ? 43 : 28;
    if (c == g->checks)
        fputc('\n', r->out);
    fprintf(r->out, "  %-13s %-*.*s ", c->spec->name, width, width, c->spec->title);
    start_colour(r, check_colour(c->verdict));
    fprintf(r->out, "%-14s", check_told(g, c));
    end_colour(r);
    fprintf(r->out, " %7s\n", points);
    fflush(r->out);
}

/* A float so that it can be read back: integers without a point, others with all their digits. */
static void number(char *into, size_t room, double x, int digits) {
    if (isfinite(x) && x == floor(x) && fabs(x) < 1e9)
        snprintf(into, room, "%.0f", x + 0.0);
    else
        snprintf(into, room, "%.*g", digits, x);
}

static void wrong_elements(struct reporter *r, const struct evidence *e) {
    fprintf(r->out, "\n    %6s %6s %16s %16s   %s\n", "row", "column", "expected", "got",
            "error allowed");
    for (int i = 0; i < e->comparison.kept; i++) {
        const struct wrong_element *w = &e->comparison.first[i];
        char want[40], got[40], bound[40];
        number(want, sizeof want, w->want, 9);
        number(got, sizeof got, (double)w->got, 9);
        if (e->untouched & 1u << i)
            snprintf(got, sizeof got, "never written");
        number(bound, sizeof bound, w->bound, 3);
        fprintf(r->out, "    %6d %6d %16s %16s   %s\n", w->row, w->col, want, got,
                w->bound == 0 ? "none" : bound);
    }
    if (e->comparison.wrong > (size_t)e->comparison.kept)
        fprintf(r->out, "    ... and %zu more\n", e->comparison.wrong - (size_t)e->comparison.kept);
}

static void summary(struct reporter *r, const struct evidence *e) {
    struct text t = {0};
    text_addf(&t, "  %s\n", text_get(&e->summary));
    text_wrap(&t, WIDTH, 2);
    fputs(text_get(&t), r->out);
    text_free(&t);
}

static void what_it_said(struct reporter *r, const struct evidence *e) {
    struct text shown = {0};
    explanation(&shown, e, true);
    fputs(text_get(&shown), r->out);
    text_free(&shown);
}

static void evidence(struct reporter *r, const struct evidence *e) {
    summary(r, e);
    if (e->verdict == VERDICT_WRONG)
        wrong_elements(r, e);
    what_it_said(r, e);
}

static void plan_line(struct reporter *r, const char *before, const struct evidence *e,
                      const struct case_result *c) {
    const struct shape s = e->plan.shape;
    fprintf(r->out, "%s%s, m = %d, n = %d, k = %d, A and B %s", before, entry_name(e->plan.entry),
            s.m, s.n, s.k, input_name(e->plan.input));
    if (c->plan.calls > 1)
        fprintf(r->out, ", call %d of %d", e->call, c->plan.calls);
    fputc('\n', r->out);
}

/* What is likely to be wrong; or, when that is not certain, what was seen. */
static void likely_cause(struct reporter *r, const struct diagnosis *d) {
    struct text t = {0};
    start_colour(r, BOLD);
    if (d->class)
        fprintf(r->out, "\n  Likely cause: %s\n", d->class);
    else
        fputs("\n  What was seen:\n", r->out);
    end_colour(r);
    text_add(&t, "    ");
    text_add_clean_line(&t, text_get(&d->sentence), d->sentence.length, 1200);
    text_add(&t, "\n");
    if (r->verbose && d->evidence.length > 0) {
        text_add(&t, "    How that is known: ");
        text_add_clean_line(&t, text_get(&d->evidence), d->evidence.length, 600);
        text_add(&t, "\n");
    }
    if (d->line > 0)
        text_addf(&t, "    Look at %s:%d\n", d->file, d->line);
    text_wrap(&t, WIDTH, 0);
    fputs(text_get(&t), r->out);
    if (d->section)
        fprintf(r->out, "    See handouts/%s\n", d->section);
    text_free(&t);
}

/* A case that failed on a GPU, on the virtual GPU, which says more. */
static void observed(struct reporter *r, const struct case_result *c) {
    const struct evidence *e = &c->observed_evidence;
    if (e->call == 0 || c->observed == VERDICT_NOT_GRADED)
        return;
    fprintf(r->out, "\n  The same case on the virtual GPU: %s\n", verdict_text(c->observed));
    if (c->observed == VERDICT_PASS)
        return;
    summary(r, e);
    what_it_said(r, e);
}

static void repeat_it(struct reporter *r, const struct grade_context *g,
                      const struct case_result *c) {
    struct text command = {0};
    report_command(&command, g, c->spec->name);
    fprintf(r->out, "\n  Repeat it: %s\n", text_get(&command));
    text_free(&command);
}

static const char hidden_case[] =
    "a hidden case: think of the shapes and numbers the others do not have";

/* All cases are right on the GPU, and this one is not on the virtual GPU. */
static void first_forgiven(struct reporter *r, const struct grade_context *g) {
    const struct case_result *c = g->first_forgiven;
    struct text why = {0};
    fputc('\n', r->out);
    start_colour(r, BOLD);
    fprintf(r->out, "On the virtual GPU: %s, %s\n", c->spec->name, verdict_text(c->observed));
    end_colour(r);
    text_addf(&why, "  %s\n", report_forgiven);
    text_wrap(&why, WIDTH, 2);
    fputs(text_get(&why), r->out);
    text_free(&why);
    if (c->spec->hidden) {
        fprintf(r->out, "  %s\n", hidden_case);
        return;
    }
    if (c->observed_evidence.call > 0) {
        plan_line(r, "\n  ", &c->observed_evidence, c);
        evidence(r, &c->observed_evidence);
    }
    if (c->diagnosis)
        likely_cause(r, c->diagnosis);
    repeat_it(r, g, c);
}

static void first_failure(struct reporter *r, const struct grade_context *g) {
    const struct case_result *c = g->first_failure;
    fputc('\n', r->out);
    start_colour(r, BOLD);
    fprintf(r->out, "First failure: %s, %s\n", c->spec->name, verdict_text(c->verdict));
    end_colour(r);
    if (c->spec->hidden) {
        fprintf(r->out, "  %s\n", hidden_case);
        return;
    }
    if (c->verdict == VERDICT_MISSING) {
        summary(r, &c->evidence);
    } else {
        plan_line(r, "  ", &c->evidence, c);
        if (c->shrunk) {
            summary(r, &c->evidence);
            plan_line(r, "\n  The smallest failing shape found: ", &c->smallest, c);
        }
        evidence(r, c->shrunk ? &c->smallest : &c->evidence);
        observed(r, c);
        error_map_print(r->out, r->colour, &c->evidence,
                        c->seen.calls > 0 ? &c->seen.work[0] : NULL);
    }
    if (c->diagnosis)
        likely_cause(r, c->diagnosis);
    repeat_it(r, g, c);
}

static void show_check(struct reporter *r, const struct grade_context *g,
                       const struct check_result *c) {
    struct text t = {0}, details = {0};
    if (c->in && c->in->spec->hidden) {
        fputs("  seen in a hidden case\n", r->out);
        return;
    }
    text_addf(&t, "  %s\n", text_get(&c->summary));
    text_wrap(&t, WIDTH, 2);
    text_add_clean(&details, text_get(&c->details), c->details.length, "    ",
                   (struct clean_bounds){.lines = 8, .columns = 400});
    text_mask_addresses(&details);
    text_wrap(&details, WIDTH, 2);
    fputs(text_get(&t), r->out);
    fputs(text_get(&details), r->out);
    if (report_cause_is_new(g, c->diagnosis))
        likely_cause(r, c->diagnosis);
    if (c->spec->section && c->verdict == CHECK_NOT_MET && !(c->diagnosis && c->diagnosis->section))
        fprintf(r->out, "    See handouts/%s\n", c->spec->section);
    text_free(&t);
    text_free(&details);
}

/* One after the other, what is not met; all that is not graded has one reason. */
static void unmet_checks(struct reporter *r, const struct grade_context *g) {
    bool told = false;
    for (size_t i = 0; i < g->check_count; i++) {
        const struct check_result *c = &g->checks[i];
        /* Without a right product the first failure above is what matters. */
        if (c->verdict == CHECK_NOT_MET && !c->premature) {
            fputc('\n', r->out);
            start_colour(r, BOLD);
            fprintf(r->out, "Not met: %s, %s\n", c->spec->name, c->spec->title);
            end_colour(r);
            show_check(r, g, c);
        } else if (c->verdict == CHECK_NOT_GRADED && !told) {
            told = true;
            fprintf(r->out, "\nNot graded: %d points for what %s\n", g->points_not_graded,
                    text_get(&c->summary));
        }
    }
}

static void flags(struct reporter *r, const struct flags *f) {
    struct text t = {0};
    for (size_t i = 0; i < f->count; i++)
        text_addf(&t, "  %s: %s\n", f->of[i].meaning, text_get(&f->of[i].what));
    text_wrap(&t, WIDTH, 2);
    if (f->count > 0)
        fprintf(r->out, "\nUnusual, for a human to look at; no point depends on it:\n%s",
                text_get(&t));
    text_free(&t);
}

static void end(struct reporter *r, const struct grade_context *g) {
    if (g->refused.length > 0) {
        fprintf(r->out, "%s%s\n", text_get(&g->refused), "");
        fputs(text_get(&g->refused_details), r->out);
        if (g->diagnosis)
            likely_cause(r, g->diagnosis);
    }
    if (g->not_graded.length > 0) {
        /* On a terminal the grader's own line on standard error has said so. */
        if (r->out != stdout)
            fprintf(r->out, "not graded: %s\n", text_get(&g->not_graded));
        fputs(text_get(&g->refused_details), r->out);
    } else {
        const bool full = grade_status(g) == GRADE_FULL;
        char points[24];
        snprintf(points, sizeof points, "%d/%d", g->points, g->points_possible);
        start_colour(r, full ? GREEN : BOLD);
        if (g->refused.length > 0)
            fprintf(r->out, "total %s\n", points);
        else
            fprintf(r->out, "  %-13s %-28s%s %-14s %7s\n", "total", "",
                    g->options.verbose ? "               " : "", "", points);
        end_colour(r);
    }
    struct text left_out = {0};
    report_not_run(&left_out, g);
    if (left_out.length > 0)
        fprintf(r->out, "\n%s\n", text_get(&left_out));
    text_free(&left_out);
    if (g->first_failure)
        first_failure(r, g);
    else if (g->first_forgiven)
        first_forgiven(r, g);
    struct text time = {0};
    times_say(&time, g);
    if (time.length > 0)
        fprintf(r->out, "\nTime, shown and never judged: %s\n", text_get(&time));
    text_free(&time);
    unmet_checks(r, g);
    flags(r, &g->build.flags);
    if (g->options.keep && g->scratch)
        fprintf(r->out, "\nKept: %s\n", g->scratch);
}

void report_text_setup(struct reporter *r) {
    r->begin = begin;
    r->built = built;
    r->case_done = case_done;
    r->check_done = check_done;
    r->end = end;
}
