/* report_text.c: the report on the terminal: a head at once; at the end the points, the first
 * failure with its likely cause, its line and what to do next, what else is not met; and below that
 * the tables, to which each case and check adds its line as it is done. */
#include "grading/src/report/error_map.h"
#include "grading/src/report/excerpt.h"
#include "grading/src/report/report.h"
#include "grading/src/run/times.h"

#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

/* A table's line: what it is about, in a column or, where there is no room, in a line below. */
#define NAME    13
#define WHAT    28
#define INPUT   14 /* of --verbose */
#define VERDICT 14

enum colour { PLAIN, BOLD, RED, GREEN, GREY };

static void start_colour(const struct reporter *r, enum colour c) {
    static const char *const codes[] = {"", "\033[1m", "\033[31m", "\033[32m", "\033[90m"};
    if (r->colour)
        fputs(codes[c], r->out);
}

static void end_colour(const struct reporter *r) {
    if (r->colour)
        fputs("\033[0m", r->out);
}

static enum colour verdict_colour(enum verdict v) {
    return v == VERDICT_PASS ? GREEN : v == VERDICT_NOT_GRADED ? GREY : RED;
}

/* Prints a line that stays one, commands and paths as they are copied, unless it is narrow here. */
__attribute__((format(printf, 2, 3))) static void say(const struct reporter *r, const char *format,
                                                      ...) {
    va_list args;
    va_start(args, format);
    char *line = xvasprintf(format, args);
    va_end(args);
    struct text t = {0};
    text_add(&t, line);
    if (r->columns < REPORT_COLUMNS)
        text_wrap(&t, (size_t)r->columns, 2);
    fputs(text_get(&t), r->out);
    text_free(&t);
    free(line);
}

/* ---- The tables ---- */

/* The reporter, printing what comes last. */
static struct reporter below(const struct reporter *r) {
    struct reporter tables = *r;
    tables.out = r->tables;
    return tables;
}

/* "3/4", "+3/4" for a bonus, "-/4" for what is not graded. */
static void say_points(char *into, size_t room, bool graded, bool bonus, double points,
                       double possible) {
    if (graded)
        snprintf(into, room, "%s%g/%g", bonus ? "+" : "", points, possible);
    else
        snprintf(into, room, "-/%s%g", bonus ? "+" : "", possible);
}

static int points_columns(const struct rubric *rubric) {
    int columns = 7;
    char most[40];
    for (size_t i = 0; i < rubric->case_count + rubric->check_count; i++) {
        const bool is_case = i < rubric->case_count;
        const size_t check = i - rubric->case_count;
        const double x = is_case ? rubric->cases[i].points : rubric->checks[check].points;
        const bool bonus = is_case ? rubric->cases[i].bonus : rubric->checks[check].bonus;
        say_points(most, sizeof most, true, bonus, x, x);
        const int n = (int)strlen(most);
        columns = n > columns ? n : columns;
        if (x != floor(x) && columns < 9) /* the total: 97.25/100 */
            columns = 9;
    }
    return columns;
}

static bool is_wide(const struct reporter *r) {
    return r->columns >=
           2 + NAME + 1 + WHAT + (r->verbose ? 1 + INPUT : 0) + 1 + VERDICT + 1 + r->points;
}

static void row(const struct reporter *r, const char *name, const char *what, const char *input,
                enum colour c, const char *verdict, const char *points) {
    const bool wide = is_wide(r);
    if (wide && r->verbose && input)
        fprintf(r->out, "  %-*s %-*.*s %-*s ", NAME, name, WHAT, WHAT, what, INPUT, input);
    else if (wide)
        fprintf(r->out, "  %-*s %-*.*s ", NAME, name, WHAT + (r->verbose ? 1 + INPUT : 0),
                WHAT + (r->verbose ? 1 + INPUT : 0), what);
    else
        fprintf(r->out, "  %-*s ", NAME, name);
    start_colour(r, c);
    const int room = wide ? VERDICT : r->columns - (2 + NAME + 1 + 1 + r->points);
    fprintf(r->out, "%-*s", room < VERDICT ? room : VERDICT, verdict);
    end_colour(r);
    fprintf(r->out, " %*s\n", r->points, points);
    if (!wide && *what)
        say(r, "    %s%s%s\n", what, r->verbose && input ? ", " : "",
            r->verbose && input ? input : "");
}

static void begin(struct reporter *r, const struct grade_context *g) {
    r->verbose = g->options.verbose;
    r->points = points_columns(&g->rubric);
    struct text path = {0}; /* a file name may hold anything */
    text_add_clean_line(&path, g->submission.path, strlen(g->submission.path), 4096);
    start_colour(r, BOLD);
    say(r, "%s, %s: %s\n", g->lab->name, g->lab->title, text_get(&path));
    end_colour(r);
    text_free(&path);
    say(r, "on the %s%s%s, seed %llu\n", g->backend.device, g->backend.reason ? " because " : "",
        g->backend.reason ? g->backend.reason : "", (unsigned long long)g->seed);
    fflush(r->out);
}

static void built(struct reporter *r, const struct grade_context *g) {
    if (g->build.outcome != BUILD_OK)
        return; /* `end` says it */
    if (g->build.headline.length > 0)
        say(r, "%s\n", text_get(&g->build.headline));
    if (g->options.verbose) {
        struct text walls = {0};
        sandbox_describe(g->sandbox, &walls);
        text_wrap(&walls, (size_t)r->columns, 2);
        fputs(text_get(&walls), r->out);
        text_free(&walls);
    }
    if (g->options.verbose && g->build.details.length > 0)
        fprintf(r->out, "\nThe compiler's warnings:\n%s", text_get(&g->build.details));
    fflush(r->out);
    const struct reporter tables = below(r);
    fputc('\n', tables.out);
    row(&tables, "case", is_wide(r) ? "m x n x k" : "", "A and B", PLAIN, "verdict", "points");
}

/* The last lines of a text: what a program printed just before its end says most. */
static const char *last_lines(const struct text *t, size_t lines) {
    size_t from = t->length, found = 0;
    while (from > 0 && (t->data[from - 1] != '\n' || from == t->length || ++found < lines))
        from--;
    return text_get(t) + from;
}

/* What was printed and may explain a failure, ready to be shown. */
static void explanation(struct text *t, const struct evidence *e, size_t columns, bool headings) {
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
    text_wrap(t, columns, 4);
    text_free(&device);
    text_free(&own);
}

static void case_done(struct reporter *r, const struct grade_context *g,
                      const struct case_result *c) {
    const struct shape s = c->plan.call[0].shape;
    char shape[64], points[40];
    int n = snprintf(shape, sizeof shape, "%d x %d x %d", s.m, s.n, s.k);
    if (c->spec->hidden)
        snprintf(shape, sizeof shape, "hidden");
    else if (c->plan.calls > 1)
        snprintf(shape + n, sizeof shape - (size_t)n, ", %d calls", c->plan.calls);
    say_points(points, sizeof points, c->verdict != VERDICT_NOT_GRADED, c->spec->bonus, c->points,
               c->spec->points);
    const struct reporter tables = below(r);
    row(&tables, c->spec->name, shape, input_name(c->spec->input), verdict_colour(c->verdict),
        verdict_text(c->verdict), points);
    if (g->options.verbose && !c->spec->hidden) {
        struct text shown = {0};
        explanation(&shown, &c->evidence, (size_t)r->columns, false);
        fputs(text_get(&shown), tables.out);
        text_free(&shown);
    }
}

static enum colour check_colour(const struct check_result *c) {
    const bool judged = c->verdict == CHECK_NOT_MET && !c->premature;
    return c->verdict == CHECK_MET ? GREEN : judged ? RED : GREY;
}

static void check_done(struct reporter *r, const struct grade_context *g,
                       const struct check_result *c) {
    char points[40];
    say_points(points, sizeof points, c->verdict != CHECK_NOT_GRADED, c->spec->bonus, c->points,
               c->spec->points);
    const struct reporter tables = below(r);
    if (c == g->checks)
        fputc('\n', tables.out);
    row(&tables, c->spec->name, c->spec->title, NULL, check_colour(c), check_told(g, c), points);
}

/* A float so that it can be read back: integers without a point, others with all their digits. */
static void number(char *into, size_t room, double x, int digits) {
    if (isfinite(x) && x == floor(x) && fabs(x) < 1e9)
        snprintf(into, room, "%.0f", x + 0.0);
    else
        snprintf(into, room, "%.*g", digits, x);
}

#define ELEMENT_COLUMNS 67 /* of a line of the table below */

static void wrong_elements(struct reporter *r, const struct evidence *e) {
    const bool wide = r->columns >= ELEMENT_COLUMNS;
    fputc('\n', r->out);
    if (wide)
        fprintf(r->out, "    %6s %6s %16s %16s   %s\n", "row", "column", "expected", "got",
                "error allowed");
    for (int i = 0; i < e->comparison.kept; i++) {
        const struct wrong_element *w = &e->comparison.first[i];
        char want[40], got[40], bound[40];
        number(want, sizeof want, w->want, 9);
        number(got, sizeof got, (double)w->got, 9);
        if (e->untouched & 1u << i)
            snprintf(got, sizeof got, "never written");
        number(bound, sizeof bound, w->bound, 3);
        if (w->bound == 0)
            snprintf(bound, sizeof bound, "none");
        if (wide)
            fprintf(r->out, "    %6d %6d %16s %16s   %s\n", w->row, w->col, want, got, bound);
        else
            say(r, "    row %d, column %d: expected %s, got %s, error allowed: %s\n", w->row,
                w->col, want, got, bound);
    }
    if (e->comparison.wrong > (size_t)e->comparison.kept)
        fprintf(r->out, "    ... and %zu more\n", e->comparison.wrong - (size_t)e->comparison.kept);
}

static void summary(struct reporter *r, const struct evidence *e) {
    struct text t = {0};
    text_addf(&t, "  %s\n", text_get(&e->summary));
    text_wrap(&t, (size_t)r->columns, 2);
    fputs(text_get(&t), r->out);
    text_free(&t);
}

static void what_it_said(struct reporter *r, const struct evidence *e) {
    struct text shown = {0};
    explanation(&shown, e, (size_t)r->columns, true);
    fputs(text_get(&shown), r->out);
    text_free(&shown);
}

static void evidence(struct reporter *r, const struct evidence *e) {
    if (e->verdict == VERDICT_WRONG)
        wrong_elements(r, e);
    what_it_said(r, e);
}

static void plan_line(struct reporter *r, const char *before, const struct evidence *e,
                      const struct case_result *c) {
    const struct shape s = e->plan.shape;
    struct text calls = {0};
    if (c->plan.calls > 1)
        text_addf(&calls, ", call %d of %d", e->call, c->plan.calls);
    say(r, "%s%s, m = %d, n = %d, k = %d, A and B %s%s\n", before, entry_name(e->plan.entry), s.m,
        s.n, s.k, input_name(e->plan.input), text_get(&calls));
    text_free(&calls);
}

/* What is likely to be wrong; or, when that is not certain, what was seen. */
static void likely_cause(struct reporter *r, const struct grade_context *g,
                         const struct diagnosis *d) {
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
        text_add(&t, "    How the grader knows: ");
        text_add_clean_line(&t, text_get(&d->evidence), d->evidence.length, 600);
        text_add(&t, "\n");
    }
    if (d->line > 0)
        text_addf(&t, "    Look at %s:%d\n", d->file, d->line);
    text_wrap(&t, (size_t)r->columns, 0);
    struct excerpt x;
    if (excerpt_of(&x, &g->submission, d->file, d->line))
        excerpt_add(&t, &x, (size_t)r->columns);
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

/* What to do next. */
static void next_steps(struct reporter *r, const struct grade_context *g,
                       const struct case_result *c) {
    struct text command = {0};
    report_command(&command, g, c->spec->name);
    fprintf(r->out, "\n  Repeat it: %s\n", text_get(&command));
    if (g->own_file)
        fprintf(r->out, "  Ask for a hint: %s %s --hint\n", g->paths.command, g->lab->name);
    text_free(&command);
}

static const char hidden_case[] =
    "a hidden case: think of shapes and numbers that the other cases lack";

/* All cases are right on the GPU, and this one is not on the virtual GPU. */
static void first_forgiven(struct reporter *r, const struct grade_context *g) {
    const struct case_result *c = g->first_forgiven;
    struct text why = {0};
    fputc('\n', r->out);
    start_colour(r, BOLD);
    fprintf(r->out, "On the virtual GPU: %s, %s\n", c->spec->name, verdict_text(c->observed));
    end_colour(r);
    text_addf(&why, "  %s\n", report_forgiven(c));
    text_wrap(&why, (size_t)r->columns, 2);
    fputs(text_get(&why), r->out);
    text_free(&why);
    if (c->spec->hidden) {
        say(r, "  %s\n", hidden_case);
        return;
    }
    if (c->observed_evidence.call > 0) {
        plan_line(r, "\n  ", &c->observed_evidence, c);
        summary(r, &c->observed_evidence);
    }
    if (c->diagnosis)
        likely_cause(r, g, c->diagnosis);
    next_steps(r, g, c);
    if (c->observed_evidence.call > 0)
        evidence(r, &c->observed_evidence);
}

static void first_failure(struct reporter *r, const struct grade_context *g) {
    const struct case_result *c = g->first_failure;
    fputc('\n', r->out);
    start_colour(r, BOLD);
    fprintf(r->out, "First failure: %s, %s\n", c->spec->name, verdict_text(c->verdict));
    end_colour(r);
    if (c->spec->hidden) {
        say(r, "  %s\n", hidden_case);
        return;
    }
    if (c->verdict != VERDICT_MISSING)
        plan_line(r, "  ", &c->evidence, c);
    summary(r, &c->evidence);
    if (c->diagnosis)
        likely_cause(r, g, c->diagnosis);
    if (c->verdict != VERDICT_MISSING)
        error_map_print(r->out, r->colour, r->columns, &c->evidence, g->lab,
                        c->seen.calls > 0 ? &c->seen.work[0] : NULL);
    next_steps(r, g, c);
    if (c->verdict == VERDICT_MISSING)
        return;
    if (c->shrunk) {
        plan_line(r, "\n  The smallest failing shape found: ", &c->smallest, c);
        summary(r, &c->smallest);
    }
    evidence(r, c->shrunk ? &c->smallest : &c->evidence);
    observed(r, c);
}

static void show_check(struct reporter *r, const struct grade_context *g,
                       const struct check_result *c) {
    struct text t = {0}, details = {0};
    if (c->in && c->in->spec->hidden) {
        fputs("  seen in a hidden case\n", r->out);
        return;
    }
    text_addf(&t, "  %s\n", text_get(&c->summary));
    text_wrap(&t, (size_t)r->columns, 2);
    text_add_clean(&details, text_get(&c->details), c->details.length, "    ",
                   (struct clean_bounds){.lines = 8, .columns = 400});
    text_mask_addresses(&details);
    text_wrap(&details, (size_t)r->columns, 2);
    fputs(text_get(&t), r->out);
    fputs(text_get(&details), r->out);
    if (report_cause_is_new(g, c->diagnosis))
        likely_cause(r, g, c->diagnosis);
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
            say(r, "\nNot graded: %g points for what %s\n", g->points_not_graded,
                text_get(&c->summary));
        }
    }
}

static void flags(struct reporter *r, const struct flags *f) {
    struct text t = {0};
    for (size_t i = 0; i < f->count; i++)
        text_addf(&t, "  %s: %s\n", f->of[i].meaning, text_get(&f->of[i].what));
    text_wrap(&t, (size_t)r->columns, 2);
    if (f->count > 0)
        fprintf(r->out,
                "\n"
                "Unusual, for a person to look at; no point depends on it:\n"
                "%s",
                text_get(&t));
    text_free(&t);
}

/* What a table's signs mean, where there are any. */
static void say_kinds_of_points(const struct reporter *r, const struct grade_context *g) {
    bool bonus = false, none = false;
    for (size_t i = 0; i < g->result_count; i++) {
        bonus = bonus || g->results[i].spec->bonus;
        none = none || g->results[i].spec->points == 0;
    }
    for (size_t i = 0; i < g->check_count; i++) {
        bonus = bonus || g->checks[i].spec->bonus;
        none = none || g->checks[i].spec->points == 0;
    }
    if (bonus)
        say(r, "\n  +: a bonus, on top of the other points\n");
    if (none)
        say(r, "%s  0/0: shown, and counts for nothing\n", bonus ? "" : "\n");
}

/* Why there is no table, or no grade. */
static void refusal(struct reporter *r, const struct grade_context *g) {
    if (g->refused.length > 0) {
        say(r, "%s\n", text_get(&g->refused));
        fputs(text_get(&g->refused_details), r->out);
        if (g->diagnosis)
            likely_cause(r, g, g->diagnosis);
    }
    /* On a terminal the grader's own line on standard error has said so. */
    if (g->not_graded.length > 0 && r->out != stdout)
        fprintf(r->out, "not graded: %s\n", text_get(&g->not_graded));
    if (g->not_graded.length > 0)
        fputs(text_get(&g->refused_details), r->out);
}

/* The tables, with what their last line and their signs mean. */
static void tables(struct reporter *r, const struct grade_context *g) {
    const enum colour c = grade_status(g) == GRADE_FULL ? GREEN : BOLD;
    char points[40];
    snprintf(points, sizeof points, "%g/%g", g->points, g->points_possible);
    reporter_print_tables(r, r->out);
    if (g->not_graded.length == 0 && g->refused.length == 0)
        row(r, "total", "", "", c, "", points);
    if (g->not_graded.length == 0)
        say_kinds_of_points(r, g);
    struct text left_out = {0};
    report_not_run(&left_out, g);
    if (left_out.length > 0)
        say(r, "\n%s\n", text_get(&left_out));
    text_free(&left_out);
}

static void end(struct reporter *r, const struct grade_context *g) {
    refusal(r, g);
    if (g->not_graded.length == 0) {
        start_colour(r, grade_status(g) == GRADE_FULL ? GREEN : BOLD);
        fprintf(r->out, "%s%g of %g points\n", g->refused.length > 0 ? "" : "\n", g->points,
                g->points_possible);
        end_colour(r);
    }
    if (g->first_failure)
        first_failure(r, g);
    else if (g->first_forgiven)
        first_forgiven(r, g);
    unmet_checks(r, g);
    tables(r, g);
    struct text time = {0};
    times_say(&time, g);
    if (time.length > 0)
        say(r, "\nTime, shown and never judged: %s\n", text_get(&time));
    text_free(&time);
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
