/* html_map.c: where C is wrong: a picture of C, with the borders of the launch's blocks (html.h).
 *
 * At most MOST_CELLS cells a side; a larger C is reduced, and a cell then shows the worst of its
 * elements. Colours are backed by patterns, and the picture by a table. */
#include "grading/src/report/html.h"

#include <stdlib.h>

enum { MOST_CELLS = 64, MARGIN = 44, TOP = 22, PICTURE = 340 };

static const struct {
    const char *class, *meaning;
} kinds[ELEMENT_STATES] = {
    [ELEMENT_RIGHT] = {"right", "right"},
    [ELEMENT_UNWRITTEN] = {"unwritten", "never written"},
    [ELEMENT_NEAR] = {"near", "wrong by less than 1 % of the mean size of C's elements"},
    [ELEMENT_OFF] = {"off", "wrong by more, up to that mean size"},
    [ELEMENT_FAR] = {"far", "wrong by more than the mean size"},
    [ELEMENT_NAN] = {"nan", "NaN or infinite"},
};

struct map {
    const struct exhibit *e;
    int step_row, step_col; /* elements a cell */
    int rows, cols;         /* cells */
    double cell;            /* pixels */
    unsigned char *worst;   /* rows x cols */
};

static int step_for(int size) {
    int step = 1;
    while ((size + step - 1) / step > MOST_CELLS)
        step *= 2;
    return step;
}

static void reduce(struct map *m, const struct exhibit *e) {
    const struct shape s = e->shape;
    *m = (struct map){.e = e, .step_row = step_for(s.m), .step_col = step_for(s.n)};
    m->rows = (s.m + m->step_row - 1) / m->step_row;
    m->cols = (s.n + m->step_col - 1) / m->step_col;
    const int longer = m->rows > m->cols ? m->rows : m->cols;
    m->cell = longer < 16 ? 28 : (double)PICTURE / longer;
    m->worst = xcalloc((size_t)m->rows * (size_t)m->cols, 1);
    for (int row = 0; row < s.m; row++) {
        for (int col = 0; col < s.n; col++) {
            const unsigned char x = e->state[(size_t)row * (size_t)s.n + (size_t)col];
            unsigned char *cell = &m->worst[(row / m->step_row) * m->cols + col / m->step_col];
            *cell = *cell > x ? *cell : x;
        }
    }
}

/* Neighbours in a row that look the same are one rectangle. */
static void cells(struct text *t, const struct map *m) {
    for (int row = 0; row < m->rows; row++) {
        const unsigned char *line = m->worst + (size_t)row * (size_t)m->cols;
        for (int col = 0, end; col < m->cols; col = end) {
            for (end = col + 1; end < m->cols && line[end] == line[col]; end++)
                ;
            html_addf(t,
                      "<rect class=\"%s\" x=\"%.2f\" y=\"%.2f\" width=\"%.2f\" height=\"%.2f\"/>\n",
                      kinds[line[col]].class, MARGIN + col * m->cell, TOP + row * m->cell,
                      (end - col) * m->cell, m->cell);
        }
    }
}

/* A border every `side` elements; the number of its first element beside it,
 * where there is room. */
static void borders(struct text *t, const struct map *m, bool across) {
    const uint64_t side = m->e->block[across ? 1 : 0];
    const int size = across ? m->e->shape.m : m->e->shape.n;
    const double scale = m->cell / (across ? m->step_row : m->step_col);
    const double w = m->cols * m->cell, h = m->rows * m->cell;
    double last = -100;
    if (side == 0 || (double)side * scale < 4) /* too narrow to be drawn */
        return;
    for (uint64_t at = 0; at < (uint64_t)size; at += side) {
        const double pixel = (double)at * scale;
        if (at > 0 && across)
            html_addf(t, "<line class=\"border\" x1=\"%d\" y1=\"%.2f\" x2=\"%.2f\" y2=\"%.2f\"/>\n",
                      MARGIN, TOP + pixel, MARGIN + w, TOP + pixel);
        else if (at > 0)
            html_addf(t, "<line class=\"border\" x1=\"%.2f\" y1=\"%d\" x2=\"%.2f\" y2=\"%.2f\"/>\n",
                      MARGIN + pixel, TOP, MARGIN + pixel, TOP + h);
        if (pixel - last < (across ? 14 : 34))
            continue;
        last = pixel;
        if (across)
            html_addf(t, "<text x=\"%d\" y=\"%.2f\" text-anchor=\"end\">%llu</text>\n", MARGIN - 5,
                      TOP + pixel + 11, (unsigned long long)at);
        else
            html_addf(t, "<text x=\"%.2f\" y=\"%d\">%llu</text>\n", MARGIN + pixel, TOP - 6,
                      (unsigned long long)at);
    }
}

static void patterns(struct text *t) {
    text_add(t,
             "<defs><pattern id=\"hatch\" width=\"6\" height=\"6\" patternUnits=\"userSpaceOnUse\" "
             "patternTransform=\"rotate(45)\"><rect class=\"hatch-back\" width=\"6\" height=\"6\"/>"
             "<rect class=\"hatch-line\" width=\"2\" height=\"6\"/></pattern>"
             "<pattern id=\"cross\" width=\"6\" height=\"6\" patternUnits=\"userSpaceOnUse\">"
             "<rect class=\"cross-back\" width=\"6\" height=\"6\"/><path class=\"cross-line\" "
             "d=\"M0 0L6 6M6 0L0 6\"/></pattern>"
             "<pattern id=\"dots\" width=\"6\" height=\"6\" patternUnits=\"userSpaceOnUse\"><rect "
             "class=\"dots-back\" width=\"6\" height=\"6\"/><rect class=\"dot\" x=\"2\" y=\"2\" "
             "width=\"1\" height=\"1\"/></pattern>"
             "<pattern id=\"spots\" width=\"6\" height=\"6\" patternUnits=\"userSpaceOnUse\"><rect "
             "class=\"spots-back\" width=\"6\" height=\"6\"/><rect class=\"dot\" x=\"2\" y=\"2\" "
             "width=\"2\" height=\"2\"/></pattern></defs>\n");
}

static void legend(struct text *t, const struct map *m) {
    const size_t total = (size_t)m->e->shape.m * (size_t)m->e->shape.n;
    text_add(t, "<table class=\"legend\"><caption>Elements of C</caption><thead><tr><th "
                "scope=\"col\">shown as</th><th scope=\"col\">elements</th><th scope=\"col\">what "
                "they hold</th></tr></thead><tbody>\n");
    for (int i = 0; i < ELEMENT_STATES; i++) {
        if (m->e->states[i] == 0)
            continue;
        html_addf(t,
                  "<tr><td><svg width=\"22\" height=\"22\" aria-hidden=\"true\"><rect "
                  "class=\"%s\" x=\"1\" y=\"1\" width=\"20\" height=\"20\"/></svg></td>"
                  "<td class=\"n\">%zu (%.3g %%)</td><td>%s</td></tr>\n",
                  kinds[i].class, m->e->states[i], 100.0 * (double)m->e->states[i] / (double)total,
                  kinds[i].meaning);
    }
    text_add(t, "</tbody></table>\n");
}

static void describe(struct text *t, const struct map *m) {
    const struct exhibit *e = m->e;
    html_addf(t, "C of case %s, %d rows and %d columns", e->wrong->spec->name, e->shape.m,
              e->shape.n);
    for (int i = 0; i < ELEMENT_STATES; i++)
        if (e->states[i] > 0)
            html_addf(t, "; %zu %s", e->states[i], kinds[i].meaning);
}

static void picture(struct text *t, const struct exhibit *e) {
    struct map m;
    reduce(&m, e);
    const double w = MARGIN + m.cols * m.cell + 4, h = TOP + m.rows * m.cell + 4;
    html_addf(t, "<p>C of the case <b>%s</b>, m = %d rows down, n = %d columns across.",
              e->wrong->spec->name, e->shape.m, e->shape.n);
    if (e->block[0] || e->block[1])
        text_add(t, " Lines are the borders of the launch's blocks:");
    if (e->block[0])
        html_addf(t, " %llu columns wide", (unsigned long long)e->block[0]);
    if (e->block[1])
        html_addf(t, "%s %llu rows high", e->block[0] ? " and" : "",
                  (unsigned long long)e->block[1]);
    text_add(t, e->block[0] || e->block[1] ? "." : "");
    if (m.step_row * m.step_col > 1)
        html_addf(t, " A square stands for %d × %d elements and shows the worst of them.",
                  m.step_row, m.step_col);
    html_addf(t,
              "</p>\n<figure><svg class=\"picture\" role=\"img\" aria-labelledby=\"map-title\" "
              "shape-rendering=\"crispEdges\" viewBox=\"0 0 %.0f %.0f\" width=\"%.0f\" "
              "height=\"%.0f\">\n<title id=\"map-title\">",
              w, h, w, h);
    describe(t, &m);
    text_add(t, "</title>\n");
    patterns(t);
    cells(t, &m);
    borders(t, &m, true);
    borders(t, &m, false);
    html_addf(t,
              "<rect class=\"frame\" x=\"%d\" y=\"%d\" width=\"%.2f\" height=\"%.2f\"/>\n</svg>\n",
              MARGIN, TOP, m.cols * m.cell, m.rows * m.cell);
    legend(t, &m);
    text_add(t, "</figure>\n");
    free(m.worst);
}

void html_map(struct text *t, const struct grade_context *g, bool of_first_failure) {
    const struct exhibit *e = g->exhibit;
    if (!e || !e->wrong || !e->state || (e->wrong == g->first_failure) != of_first_failure)
        return;
    text_add(t, "<section id=\"map\">");
    text_add(t, of_first_failure ? "<h3>Where C is wrong</h3>\n" : "<h2>Where C is wrong</h2>\n");
    picture(t, e);
    text_add(t, "</section>\n");
}
