/* html_failure.c: what went wrong first, and the checks that are not met (see html.h). */
#include "grading/src/report/address.h"
#include "grading/src/report/excerpt.h"
#include "grading/src/report/film.h"
#include "grading/src/report/html.h"

#include <math.h>
#include <string.h>

static const struct clean_bounds printed_bounds = {.lines = 40, .columns = 400};

/* Integers without a point, others with all digits that a float has. */
static void add_value(struct text *t, double x) {
    if (isfinite(x) && x == floor(x) && fabs(x) < 1e9)
        html_addf(t, "%.0f", x + 0.0);
    else
        html_addf(t, "%.9g", x);
}

static void wrong_elements(struct text *t, const struct evidence *e) {
    text_add(t, "<div class=\"scroll\" tabindex=\"0\"><table class=\"numbers\"><caption>The first "
                "wrong elements of C</caption><thead><tr><th scope=\"col\">row</th><th "
                "scope=\"col\">column</th><th scope=\"col\">expected</th><th scope=\"col\">got</th>"
                "<th scope=\"col\">error allowed</th></tr></thead><tbody>\n");
    for (int i = 0; i < e->comparison.kept; i++) {
        const struct wrong_element *w = &e->comparison.first[i];
        html_addf(t, "<tr><td>%d</td><td>%d</td><td>", w->row, w->col);
        add_value(t, w->want);
        text_add(t, "</td><td>");
        if (e->untouched & 1u << i)
            text_add(t, "never written");
        else
            add_value(t, (double)w->got);
        text_add(t, "</td><td>");
        if (w->bound == 0)
            text_add(t, "none");
        else
            html_addf(t, "%.3g", w->bound);
        text_add(t, "</td></tr>\n");
    }
    text_add(t, "</tbody></table></div>\n");
    if (e->comparison.wrong > (size_t)e->comparison.kept)
        html_addf(t, "<p>… and %zu more.</p>\n", e->comparison.wrong - (size_t)e->comparison.kept);
}

static void plan_words(struct text *t, const struct evidence *e, const struct case_result *c) {
    const struct shape s = e->plan.shape;
    html_addf(t, "<code>%s</code> with m = %d, n = %d, k = %d; A and B hold %s",
              entry_name(e->plan.entry), s.m, s.n, s.k, input_name(e->plan.input));
    if (c->plan.calls > 1)
        html_addf(t, "; call %d of %d", e->call, c->plan.calls);
}

static void printed(struct text *t, const struct evidence *e) {
    struct text device = {0}, own = {0};
    evidence_split(e, &device, &own);
    text_add(t, device.length > 0 ? "<h3>The virtual GPU says</h3>\n" : "");
    html_block(t, text_get(&device), device.length, printed_bounds);
    text_add(t, own.length > 0 ? "<h3>The program printed</h3>\n" : "");
    html_block(t, text_get(&own), own.length, printed_bounds);
    text_free(&device);
    text_free(&own);
}

/* A section of the handouts, as a link where it can be led to. */
static void section_link(struct text *t, const struct grade_context *g, const char *section) {
    struct text to = {0};
    address_section(&to, g, section);
    if (to.length > 0)
        html_addf(t, "<a href=\"%s\">handouts/%s</a>", text_get(&to), section);
    else
        html_addf(t, "<code>handouts/%s</code>", section);
    text_free(&to);
}

/* The line that it is about, with its neighbours. */
static void source_lines(struct text *t, const struct grade_context *g, const struct diagnosis *d) {
    struct excerpt x;
    if (!excerpt_of(&x, &g->submission, d->file, d->line))
        return;
    html_addf(t, "<p><a href=\"#L%d\">%s:%d</a></p>\n<pre class=\"excerpt\" tabindex=\"0\">",
              d->line, d->file, d->line);
    for (int i = 0; i < x.count; i++) {
        const bool marked = x.first + i == x.marked;
        struct text wide = {0};
        excerpt_wide(&wide, x.line[i], x.length[i]);
        html_addf(t, "%s%4d  ", marked ? "> " : "  ", x.first + i);
        text_add(t, marked ? "<b>" : "");
        html_escape(t, text_get(&wide), wide.length);
        text_add(t, marked ? "</b>\n" : "\n");
        text_free(&wide);
    }
    text_add(t, "</pre>\n");
}

/* What is likely to be wrong; or, when that is not certain, what was seen. */
static void likely_cause(struct text *t, const struct grade_context *g, const struct diagnosis *d) {
    if (!d || (!d->class && d->sentence.length == 0))
        return;
    text_add(t, "<div class=\"cause\"><h3>");
    if (d->class)
        html_addf(t, "Likely cause: %s", d->class);
    else
        text_add(t, "What was seen");
    html_addf(t, "</h3>\n<p>%s</p>\n", text_get(&d->sentence));
    if (d->evidence.length > 0)
        html_addf(t, "<p class=\"meta\">How the grader knows: %s</p>\n", text_get(&d->evidence));
    source_lines(t, g, d);
    text_add(t, "</div>\n");
}

static void read_more(struct text *t, const struct grade_context *g, const struct diagnosis *d) {
    if (!d || !d->section)
        return;
    text_add(t, "<p>See ");
    section_link(t, g, d->section);
    text_add(t, "</p>\n");
}

void html_cause(struct text *t, const struct grade_context *g) {
    if (!g->first_failure && g->refused.length > 0) {
        likely_cause(t, g, g->diagnosis);
        read_more(t, g, g->diagnosis);
    }
}

/* What to do next: read, watch, try again. */
static void next_steps(struct text *t, const struct grade_context *g, const struct case_result *c) {
    struct text command = {0}, film = {0};
    report_command(&command, g, c->spec->name);
    film_link(&film, g);
    text_add(t, "<h3>What to do next</h3>\n<ul class=\"next\">\n");
    if (c->diagnosis && c->diagnosis->section) {
        text_add(t, "<li>Read ");
        section_link(t, g, c->diagnosis->section);
        text_add(t, "</li>\n");
    }
    if (film.length > 0)
        html_addf(t, "<li><a href=\"%s\">Watch your kernel run, line by line</a></li>\n",
                  text_get(&film));
    html_addf(t, "<li>Repeat it: <code>%s</code></li>\n", text_get(&command));
    if (g->own_file)
        html_addf(t, "<li>Ask for a hint: <code>%s %s --hint</code></li>\n", g->paths.command,
                  g->lab->name);
    text_add(t, "</ul>\n");
    text_free(&command);
    text_free(&film);
}

static const char hidden_case[] =
    "<p>A hidden case: think of shapes and numbers that the other cases lack.</p></section>\n";

/* All cases are right on the GPU, and this one is not on the virtual GPU. */
static void forgiven(struct text *t, const struct grade_context *g) {
    const struct case_result *c = g->first_forgiven;
    const struct evidence *e = &c->observed_evidence;
    html_addf(
        t,
        "<section id=\"failure\"><h2>On the virtual GPU: %s, <span class=\"fail\">%s</span></h2>\n",
        c->spec->name, verdict_text(c->observed));
    html_addf(t, "<p>%s</p>\n", report_forgiven(c));
    if (c->spec->hidden) {
        text_add(t, hidden_case);
        return;
    }
    if (e->call > 0) {
        text_add(t, "<p>");
        plan_words(t, e, c);
        html_addf(t, ".</p>\n<p class=\"lead\">%s.</p>\n", text_get(&e->summary));
    }
    likely_cause(t, g, c->diagnosis);
    next_steps(t, g, c);
    if (e->verdict == VERDICT_WRONG)
        wrong_elements(t, e);
    printed(t, e);
    text_add(t, "</section>\n");
}

void html_failure(struct text *t, const struct grade_context *g) {
    const struct case_result *c = g->first_failure;
    if (!c && g->first_forgiven)
        forgiven(t, g);
    if (!c)
        return;
    html_addf(
        t, "<section id=\"failure\"><h2>First failure: %s, <span class=\"fail\">%s</span></h2>\n",
        c->spec->name, verdict_text(c->verdict));
    if (c->spec->hidden) {
        text_add(t, hidden_case);
        return;
    }
    const struct evidence *e = c->shrunk ? &c->smallest : &c->evidence;
    if (c->verdict != VERDICT_MISSING) {
        text_add(t, "<p>");
        plan_words(t, &c->evidence, c);
        text_add(t, ".</p>\n");
    }
    html_addf(t, "<p class=\"lead\">%s.</p>\n", text_get(&c->evidence.summary));
    text_add(t, "<div class=\"first\">\n");
    likely_cause(t, g, c->diagnosis);
    html_map(t, g, true);
    text_add(t, "</div>\n");
    next_steps(t, g, c);
    if (c->shrunk) {
        text_add(t, "<p>The smallest failing shape found: ");
        plan_words(t, e, c);
        html_addf(t, ": %s.</p>\n", text_get(&e->summary));
    }
    if (e->verdict == VERDICT_WRONG)
        wrong_elements(t, e);
    printed(t, e);
    if (c->observed_evidence.call > 0) {
        html_addf(t, "<h3>The same case on the virtual GPU: %s</h3>\n", verdict_text(c->observed));
        if (c->observed != VERDICT_PASS) {
            html_addf(t, "<p>%s.</p>\n", text_get(&c->observed_evidence.summary));
            printed(t, &c->observed_evidence);
        }
    }
    text_add(t, "</section>\n");
}

static void show_check(struct text *t, const struct grade_context *g,
                       const struct check_result *c) {
    html_addf(t, "<h3>%s: %s</h3>\n", c->spec->name, c->spec->title);
    if (c->in && c->in->spec->hidden) {
        text_add(t, "<p>Seen in a hidden case.</p>\n");
        return;
    }
    html_addf(t, "<p>%s</p>\n", text_get(&c->summary));
    html_block(t, text_get(&c->details), c->details.length, printed_bounds);
    if (report_cause_is_new(g, c->diagnosis)) {
        likely_cause(t, g, c->diagnosis);
        read_more(t, g, c->diagnosis);
    }
    if (c->spec->section && !(c->diagnosis && c->diagnosis->section)) {
        text_add(t, "<p>See ");
        section_link(t, g, c->spec->section);
        text_add(t, "</p>\n");
    }
}

void html_unmet(struct text *t, const struct grade_context *g) {
    bool any = false;
    for (size_t i = 0; i < g->check_count; i++) {
        const struct check_result *c = &g->checks[i];
        if (c->verdict != CHECK_NOT_MET || c->premature)
            continue;
        if (!any)
            text_add(t, "<section id=\"unmet\"><h2>Not met</h2>\n");
        any = true;
        show_check(t, g, c);
    }
    if (any)
        text_add(t, "</section>\n");
}
