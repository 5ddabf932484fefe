/* report_html.c: the result as one self-contained page (html.h): it opens from disk, loads nothing
 * and runs nothing. */
#include "grading/src/report/film.h"
#include "grading/src/report/html.h"

#include <stdlib.h>
#include <string.h>

static const struct clean_bounds message_bounds = {.lines = 80, .columns = 400};

const char *html_verdict_class(enum verdict v) {
    return v == VERDICT_PASS ? "pass" : v == VERDICT_NOT_GRADED ? "none" : "fail";
}

const char *html_check_class(const struct check_result *c) {
    const bool judged = c->verdict == CHECK_NOT_MET && !c->premature;
    return c->verdict == CHECK_MET ? "pass" : judged ? "fail" : "none";
}

/* A sign beside the colour. */
static const char *sign(const char *class) {
    return strcmp(class, "pass") == 0 ? "✓" : strcmp(class, "fail") == 0 ? "✗" : "–";
}

void html_head(struct text *t, const char *title) {
    text_add(t, "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n<meta "
                "http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src "
                "'unsafe-inline'; img-src data:; base-uri 'none'; form-action 'none'\">\n<meta "
                "name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n<meta "
                "name=\"referrer\" content=\"no-referrer\">\n<meta name=\"color-scheme\" "
                "content=\"light dark\">\n<link rel=\"icon\" href=\"data:,\">\n");
    html_addf(t, "<title>%s</title>\n<style>\n", title);
    text_add(t, html_style);
    text_add(t, "</style>\n</head>\n<body>\n");
}

/* The big number: points, and which state the run is in. */
static void score(struct text *t, const struct grade_context *g, bool final) {
    const enum grade_status status = final ? grade_status(g) : GRADE_NONE;
    const bool most = status == GRADE_PARTIAL && 2 * g->points >= g->points_possible;
    const char *class = status == GRADE_FULL   ? "pass"
                        : status == GRADE_NONE ? "none"
                        : most                 ? "part"
                                               : "fail";
    html_addf(t, "<p class=\"score %s\">", class);
    if (status == GRADE_NONE)
        text_add(t, "not graded");
    else
        html_addf(t, "<b>%g</b> of %g points", g->points, g->points_possible);
    text_add(t, "</p>\n");
    if (!final)
        text_add(t, "<p>The run has not finished.</p>\n");
    else if (g->not_graded.length > 0)
        html_addf(t, "<p>%s</p>\n", text_get(&g->not_graded));
    if (g->points_not_graded > 0)
        html_addf(t,
                  "<p>%g more points are not graded here: they count neither for nor against "
                  "you.</p>\n",
                  g->points_not_graded);
}

static void header(struct text *t, const struct grade_context *g, bool final) {
    html_addf(t, "<header>\n<h1>%s, %s</h1>\n<p class=\"file\"><code>%s</code></p>\n", g->lab->name,
              g->lab->title, g->submission.path ? g->submission.path : "");
    score(t, g, final);
    struct text command = {0};
    report_command(&command, g, NULL);
    html_addf(t, "<p class=\"meta\">On the %s, seed %llu",
              g->backend.device ? g->backend.device : "?", (unsigned long long)g->seed);
    if (final)
        html_addf(t, ", in %.1f s", g->seconds);
    html_addf(t, ". Repeat it: <code>%s</code></p>\n", text_get(&command));
    struct text film = {0};
    film_link(&film, g);
    if (film.length > 0)
        html_addf(t,
                  "<p class=\"film\"><a href=\"%s\">Watch your kernel run, line by line</a></p>\n",
                  text_get(&film));
    text_free(&film);
    text_add(t, "</header>\n");
    text_free(&command);
}

/* Links to the parts that the page has. */
static void contents(struct text *t, const struct grade_context *g, const struct text *body) {
    const struct {
        const char *id, *title;
    } parts[] = {{"failure", g->first_failure ? "First failure" : "On the virtual GPU"},
                 {"unmet", "Not met"},
                 {"verdicts", "Verdicts"},
                 {"map", "Where C is wrong"},
                 {"source", "Source"},
                 {"launches", "Kernels"},
                 {"access", "Memory"},
                 {"roofline", "Roofline"},
                 {"history", "Earlier runs"}};
    text_add(t, "<nav aria-label=\"Parts of this page\"><ul>\n");
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
        char mark[48];
        snprintf(mark, sizeof mark, "<section id=\"%s\">", parts[i].id);
        if (body->data && strstr(body->data, mark))
            html_addf(t, "<li><a href=\"#%s\">%s</a></li>\n", parts[i].id, parts[i].title);
    }
    text_add(t, "</ul></nav>\n");
}

static void points_cell(struct text *t, bool graded, bool bonus, double points, double possible) {
    html_addf(t, "<td class=\"n\">%s", bonus ? "bonus +" : "");
    if (graded)
        html_addf(t, "%g/%g</td></tr>\n", points, possible);
    else
        html_addf(t, "–/%g</td></tr>\n", possible);
}

static void case_row(struct text *t, const struct case_result *c) {
    const struct shape s = c->plan.call[0].shape;
    const char *class = html_verdict_class(c->verdict);
    html_addf(t, "<tr><th scope=\"row\">%s</th><td>", c->spec->name);
    if (c->spec->hidden)
        text_add(t, "hidden");
    else
        html_addf(t, "%d × %d × %d", s.m, s.n, s.k);
    if (!c->spec->hidden && c->plan.calls > 1)
        html_addf(t, ", %d calls", c->plan.calls);
    html_addf(t, "</td><td class=\"%s\">%s %s</td>", class, sign(class), verdict_text(c->verdict));
    points_cell(t, c->verdict != VERDICT_NOT_GRADED, c->spec->bonus, c->points, c->spec->points);
}

static void check_row(struct text *t, const struct grade_context *g, const struct check_result *c) {
    const char *class = html_check_class(c);
    html_addf(t, "<tr><th scope=\"row\">%s</th><td>%s</td><td class=\"%s\">%s %s</td>",
              c->spec->name, c->spec->title, class, sign(class), check_told(g, c));
    points_cell(t, c->verdict != CHECK_NOT_GRADED, c->spec->bonus, c->points, c->spec->points);
}

static void table(struct text *t, const char *caption, const char *first, const char *second) {
    html_addf(
        t,
        "<div class=\"scroll\" tabindex=\"0\"><table class=\"verdicts\"><caption>%s</caption>"
        "<thead><tr><th scope=\"col\">%s</th><th scope=\"col\">%s</th><th scope=\"col\">verdict"
        "</th><th scope=\"col\" class=\"n\">points</th></tr></thead><tbody>\n",
        caption, first, second);
}

static void verdicts(struct text *t, const struct grade_context *g) {
    text_add(t, "<section id=\"verdicts\"><h2>Verdicts</h2>\n");
    if (g->refused.length > 0)
        html_addf(t, "<p class=\"lead\">%s</p>\n", text_get(&g->refused));
    html_block(t, text_get(&g->refused_details), g->refused_details.length, message_bounds);
    html_cause(t, g);
    if (g->result_count > 0) {
        table(t, "Right products", "case", "m × n × k");
        for (size_t i = 0; i < g->result_count; i++)
            case_row(t, &g->results[i]);
        text_add(t, "</tbody></table></div>\n");
    }
    struct text left_out = {0};
    report_not_run(&left_out, g);
    if (left_out.length > 0)
        html_addf(t, "<p class=\"lead\">%s</p>\n", text_get(&left_out));
    text_free(&left_out);
    if (g->check_count > 0) {
        table(t, "Safety, and the idea of the lab", "check", "what is asked for");
        for (size_t i = 0; i < g->check_count; i++)
            check_row(t, g, &g->checks[i]);
        text_add(t, "</tbody></table></div>\n");
    }
    text_add(t, "</section>\n");
}

static void write_page(struct reporter *r, const struct grade_context *g) {
    struct text page = {0}, body = {0};
    html_failure(&body, g);
    if (r->final)
        html_unmet(&body, g);
    verdicts(&body, g);
    if (r->final) {
        html_map(&body, g, false);
        html_source(&body, g);
        html_launches(&body, g->exhibit);
        html_access(&body, g->exhibit);
        html_roofline(&body, g->exhibit);
        html_history(&body, g);
    }
    char *title = xasprintf("%s: %s", g->lab->name, g->submission.name ? g->submission.name : "");
    html_head(&page, title);
    free(title);
    header(&page, g, r->final);
    contents(&page, g, &body);
    text_add(&page, "<main>\n");
    text_add(&page, text_get(&body));
    text_add(&page, "</main>\n</body>\n</html>\n");
    fwrite(page.data, 1, page.length, r->out);
    text_free(&page);
    text_free(&body);
}

void report_html_setup(struct reporter *r) {
    r->write = write_page;
}
