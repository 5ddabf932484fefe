/* html_source.c: the submission line by line,
 * with what the virtual GPU counted and found (html.h). */
#include "grading/src/report/excerpt.h"
#include "grading/src/report/html.h"

#include <string.h>

enum { MOST_LINES = 3000, MOST_FINDINGS = 60, COLUMNS = 6 };

/* ---- Findings ---- */

struct found {
    const struct finding_body *of[MOST_FINDINGS];
    int count;
};

static bool same_finding(const struct finding_body *a, const struct finding_body *b) {
    return a->kind == b->kind && a->hazard == b->hazard && a->site[0].line == b->site[0].line &&
           a->site[1].line == b->site[1].line && strcmp(a->site[0].file, b->site[0].file) == 0;
}

/* Each finding once; none of hidden cases. */
static void collect(struct found *f, const struct grade_context *g) {
    f->count = 0;
    for (size_t i = 0; i < g->result_count; i++) {
        const struct observation *o = &g->results[i].seen;
        for (int k = 0; k < o->findings && !g->results[i].spec->hidden; k++) {
            bool known = f->count == MOST_FINDINGS;
            for (int n = 0; n < f->count && !known; n++)
                known = same_finding(f->of[n], &o->finding[k]);
            if (!known)
                f->of[f->count++] = &o->finding[k];
        }
    }
}

/* Is its first place in the submission? */
static bool in_file(const struct finding_body *f, const struct grade_context *g) {
    return f->site[0].line > 0 && g->submission.name &&
           view_same_file(f->site[0].file, g->submission.name);
}

static void note(struct text *t, const struct finding_body *f) {
    html_addf(t, "<b>%s: %s%s%s</b>", f->error ? "error" : "warning", vgpu_found_words(f->kind),
              f->hazard ? ", " : "", vgpu_hazard_name(f->hazard));
    if (f->site[1].line > 0 && f->site[1].line != f->site[0].line)
        html_addf(t, " (with line %d)", (int)f->site[1].line);
    struct text message = {0};
    text_add(&message, f->message);
    text_mask_addresses(&message);
    text_add(t, "<br>");
    for (const char *line = text_get(&message); *line;) {
        const size_t n = strcspn(line, "\n");
        html_escape(t, line, n);
        line += n + (line[n] == '\n');
        if (*line)
            text_add(t, "<br>");
    }
    text_free(&message);
}

static void notes_of_line(struct text *t, const struct grade_context *g, const struct found *f,
                          int line) {
    for (int i = 0; i < f->count; i++) {
        if (f->of[i]->site[0].line != line || !in_file(f->of[i], g))
            continue;
        html_addf(t, "<tr class=\"note %s\"><td></td><td colspan=\"%d\">",
                  f->of[i]->error ? "error" : "warning", COLUMNS);
        note(t, f->of[i]);
        text_add(t, "</td></tr>\n");
    }
}

/* Findings of the host's part, or of other files. */
static void notes_elsewhere(struct text *t, const struct grade_context *g, const struct found *f) {
    bool any = false;
    for (int i = 0; i < f->count; i++) {
        if (in_file(f->of[i], g))
            continue;
        if (!any)
            text_add(t, "<h3>Findings without a line of this file</h3>\n<ul>\n");
        any = true;
        text_add(t, "<li>");
        note(t, f->of[i]);
        text_add(t, "</li>\n");
    }
    if (any)
        text_add(t, "</ul>\n");
}

/* ---- The source ---- */

static void cell(struct text *t, double x, const char *class) {
    char number[16];
    if (x > 0)
        html_addf(t, "<td class=\"n %s\">%s</td>", class, html_brief(number, x));
    else
        text_add(t, "<td></td>");
}

/* Five shades by the part of all instructions. */
static const char *shade(double part) {
    return part >= 0.3    ? "h4"
           : part >= 0.15 ? "h3"
           : part >= 0.07 ? "h2"
           : part >= 0.02 ? "h1"
                          : "";
}

static void counters(struct text *t, const struct view_line *l, const struct view_counts *total) {
    if (!l || !total) {
        text_add(t, "<td></td><td></td><td></td><td></td><td></td>");
        return;
    }
    const uint64_t *c = l->counts.of;
    const double all = (double)total->of[VIEW_WARP_INSTRUCTIONS];
    const uint64_t sectors =
        c[VIEW_GLOBAL_LOAD_SECTORS] + c[VIEW_GLOBAL_STORE_SECTORS] + c[VIEW_GLOBAL_ATOMIC_SECTORS];
    const uint64_t requests = c[VIEW_GLOBAL_LOAD_REQUESTS] + c[VIEW_GLOBAL_STORE_REQUESTS];
    const uint64_t conflicts = c[VIEW_SHARED_LOAD_CONFLICTS] + c[VIEW_SHARED_STORE_CONFLICTS];
    const double part = all > 0 ? (double)c[VIEW_WARP_INSTRUCTIONS] / all : 0;
    cell(t, (double)c[VIEW_WARP_INSTRUCTIONS], shade(part));
    if (part >= 0.005)
        html_addf(t, "<td class=\"n %s\">%.0f %%</td>", shade(part), 100 * part);
    else
        text_add(t, "<td></td>");
    cell(t, (double)sectors, "");
    if (requests > 0) {
        const double moved = (double)(c[VIEW_GLOBAL_LOAD_SECTORS] + c[VIEW_GLOBAL_STORE_SECTORS]);
        const double asked = (double)(c[VIEW_GLOBAL_LOAD_BYTES] + c[VIEW_GLOBAL_STORE_BYTES]);
        const char *waste = asked < 8 * moved ? "h4" : asked < 16 * moved ? "h2" : "";
        html_addf(t, "<td class=\"n %s\">%.1f</td>", asked > 0 ? waste : "",
                  moved / (double)requests);
    } else {
        text_add(t, "<td></td>");
    }
    cell(t, (double)conflicts, conflicts > 0 ? "h3" : "");
}

static void code(struct text *t, const char *line, size_t n) {
    struct text wide = {0};
    excerpt_wide(&wide, line, n);
    text_add(t, "<td class=\"code\">");
    html_escape(t, text_get(&wide), wide.length);
    text_add(t, "</td></tr>\n");
    text_free(&wide);
}

static const struct view_line *line_of(const struct view *v, int line) {
    for (size_t i = 0; v && i < v->lines; i++)
        if (v->line[i].line == line)
            return &v->line[i];
    return NULL;
}

static bool any_note(const struct grade_context *g, const struct found *f, int line) {
    for (int i = 0; i < f->count; i++)
        if (f->of[i]->site[0].line == line && in_file(f->of[i], g))
            return true;
    return false;
}

static void heading(struct text *t, const struct exhibit *e, const struct grade_context *g) {
    text_add(t, "<section id=\"source\"><h2>The source, line by line</h2>\n");
    if (e && e->counted) {
        const struct shape s = e->counted->plan.call[0].shape;
        html_addf(
            t,
            "<p>What all warps together did on each line, counted on the virtual GPU in case "
            "<b>%s</b>, m = %d, n = %d, k = %d. A sector is 32 bytes of global memory; a warp that "
            "reads 32 neighbouring floats needs 4 of them for one request.</p>\n",
            e->counted->spec->name, s.m, s.n, s.k);
    } else {
        text_add(t, "<p>The virtual GPU counted none of it in this run.</p>\n");
    }
    html_addf(
        t,
        "<div class=\"scroll\" tabindex=\"0\"><table class=\"source\"><caption>%s</caption>"
        "<thead><tr><th scope=\"col\">line</th><th scope=\"col\">warp instr.</th>"
        "<th scope=\"col\">of all</th><th scope=\"col\">sectors</th><th scope=\"col\">a request"
        "</th><th scope=\"col\">bank conflicts</th><th scope=\"col\" class=\"code\">source</th>"
        "</tr></thead><tbody>\n",
        g->submission.name ? g->submission.name : "");
}

void html_source(struct text *t, const struct grade_context *g) {
    const char *at = g->submission.bytes, *end = at ? at + g->submission.length : NULL;
    if (!at || g->submission.length == 0 || memchr(at, '\0', g->submission.length))
        return;
    const struct exhibit *e = g->exhibit;
    const struct view *v = e && e->counted ? &e->view : NULL;
    struct found found;
    collect(&found, g);
    heading(t, e, g);
    int line = 1;
    for (; at < end && line <= MOST_LINES; line++) {
        const char *stop = memchr(at, '\n', (size_t)(end - at));
        const size_t n = stop ? (size_t)(stop - at) : (size_t)(end - at);
        /* A mark beside the number, for those who skim. */
        html_addf(t, "<tr><th scope=\"row\" id=\"L%d\">", line);
        if (any_note(g, &found, line))
            text_add(t, "<span class=\"fail\" title=\"a finding\">●</span> ");
        html_addf(t, "%d</th>", line);
        counters(t, line_of(v, line), v ? &v->total : NULL);
        code(t, at, n);
        notes_of_line(t, g, &found, line);
        at += n + (stop != NULL);
    }
    text_add(t, "</tbody></table></div>\n");
    if (at < end)
        html_addf(t, "<p>(Only the first %d lines are shown.)</p>\n", MOST_LINES);
    notes_elsewhere(t, g, &found);
    text_add(t, "</section>\n");
}

/* ---- The launches ---- */

static void dims(struct text *t, const uint64_t d[3]) {
    html_addf(t, "<td>%llu × %llu", (unsigned long long)d[0], (unsigned long long)d[1]);
    if (d[2] != 1)
        html_addf(t, " × %llu", (unsigned long long)d[2]);
    text_add(t, "</td>");
}

static double ratio(uint64_t part, uint64_t whole) {
    return whole > 0 ? (double)part / (double)whole : 0;
}

void html_launches(struct text *t, const struct exhibit *e) {
    if (!e || !e->counted)
        return;
    text_add(t, "<section id=\"launches\"><h2>The kernels</h2>\n");
    if (e->view.launches == 0)
        text_add(t, "<p>No kernel of this file ran.</p></section>\n");
    if (e->view.launches == 0)
        return;
    text_add(t,
             "<div class=\"scroll\" tabindex=\"0\"><table class=\"launches\"><caption>What was "
             "launched</caption>"
             "<thead><tr><th scope=\"col\">kernel</th><th scope=\"col\">times</th>"
             "<th scope=\"col\">grid</th><th scope=\"col\">block</th><th scope=\"col\">shared bytes"
             "</th><th scope=\"col\">sectors a load</th><th scope=\"col\">sectors a store</th>"
             "<th scope=\"col\">bank conflicts</th><th scope=\"col\">occupancy</th></tr></thead>"
             "<tbody>\n");
    for (size_t i = 0; i < e->view.launches; i++) {
        const struct view_launch *l = &e->view.launch[i];
        const uint64_t *c = l->counts.of;
        char number[16];
        html_addf(t, "<tr><th scope=\"row\"><code>%s</code>%s</th><td class=\"n\">%llu</td>",
                  l->kernel ? l->kernel : "?", l->fault ? " (stopped by a fault)" : "",
                  (unsigned long long)l->count);
        dims(t, l->grid);
        dims(t, l->block);
        html_addf(t,
                  "<td class=\"n\">%llu</td><td class=\"n\">%.2f</td><td class=\"n\">%.2f</td>"
                  "<td class=\"n\">%s</td>",
                  (unsigned long long)l->shared_bytes,
                  ratio(c[VIEW_GLOBAL_LOAD_SECTORS], c[VIEW_GLOBAL_LOAD_REQUESTS]),
                  ratio(c[VIEW_GLOBAL_STORE_SECTORS], c[VIEW_GLOBAL_STORE_REQUESTS]),
                  html_brief(number, (double)(c[VIEW_SHARED_LOAD_CONFLICTS] +
                                              c[VIEW_SHARED_STORE_CONFLICTS])));
        if (l->occupancy >= 0)
            html_addf(t, "<td>%.0f %%%s%s</td></tr>\n", l->occupancy, l->limit ? ", by " : "",
                      l->limit ? l->limit : "");
        else
            text_add(t, "<td></td></tr>\n");
    }
    text_add(t, "</tbody></table></div></section>\n");
}
