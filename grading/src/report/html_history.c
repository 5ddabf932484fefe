/* html_history.c: the earlier runs of the lab's own file, and this one (html.h). */
#include "grading/src/report/html.h"
#include "grading/src/report/standing.h"

#include <stdio.h>
#include <time.h>

enum { WIDTH = 640, HEIGHT = 150, MARGIN = 30, TOP = 15, MOST_ROWS = 10 };

static void when(struct text *t, int64_t seconds) {
    const time_t at = (time_t)seconds;
    struct tm day;
    char words[40];
    if (seconds <= 0 || !localtime_r(&at, &day) ||
        strftime(words, sizeof words, "%Y-%m-%d %H:%M", &day) == 0)
        snprintf(words, sizeof words, "?");
    html_addf(t, "%s", words);
}

static double percent(const struct standing_run *r) {
    const double percent = 100.0 * r->points / r->points_possible;
    return percent < 100 ? percent : 100; /* bonuses do not leave the picture */
}

static double y_of(double part) {
    return TOP + (100 - part) / 100 * (HEIGHT - MARGIN);
}

static void picture(struct text *t, const struct standing_run *runs, int n) {
    const double step = n > 1 ? (double)(WIDTH - 2 * MARGIN - 20) / (n - 1) : 0;
    html_addf(
        t,
        "<figure><svg class=\"picture\" role=\"img\" aria-labelledby=\"history-title\" "
        "viewBox=\"0 0 %d %d\" width=\"%d\" height=\"%d\"><title id=\"history-title\">Points of "
        "%d runs, from %.0f %% to %.0f %%</title>\n",
        WIDTH, HEIGHT, WIDTH, HEIGHT, n, percent(&runs[0]), percent(&runs[n - 1]));
    for (int part = 0; part <= 100; part += 50)
        html_addf(
            t,
            "<line class=\"grid\" x1=\"%d\" y1=\"%.1f\" x2=\"%d\" y2=\"%.1f\"/><text x=\"%d\" "
            "y=\"%.1f\" text-anchor=\"end\">%d</text>\n",
            MARGIN + 10, y_of(part), WIDTH, y_of(part), MARGIN + 5, y_of(part) + 4, part);
    text_add(t, "<path class=\"line\" d=\"");
    for (int i = 0; i < n; i++)
        html_addf(t, "%c%.1f %.1f", i ? 'L' : 'M', MARGIN + 20 + i * step, y_of(percent(&runs[i])));
    text_add(t, "\"/>\n");
    for (int i = 0; i < n; i++)
        html_addf(t, "<circle class=\"%s\" cx=\"%.1f\" cy=\"%.1f\" r=\"4\"/>\n",
                  i == n - 1 ? "own" : "ideal", MARGIN + 20 + i * step, y_of(percent(&runs[i])));
    text_add(t, "</svg></figure>\n");
}

void html_history(struct text *t, const struct grade_context *g) {
    struct standing_run runs[STANDING_MOST + 1];
    if (!g->own_file || g->options.cases > 0)
        return;
    int n = standing_history(runs, &g->paths, g->lab);
    const bool counts = grade_status(g) != GRADE_NONE && g->points_possible > 0;
    if (counts) {
        runs[n] = (struct standing_run){.points = g->points, .points_possible = g->points_possible};
        snprintf(runs[n].backend, sizeof runs[n].backend, "%s", backend_name(g->backend.kind));
        n++;
    }
    if (n < 2)
        return;
    text_add(t, "<section id=\"history\"><h2>Earlier runs</h2>\n");
    picture(t, runs, n);
    text_add(t, "<table><caption>The last runs, newest first</caption><thead><tr><th "
                "scope=\"col\">when</th><th scope=\"col\">points</th><th scope=\"col\">on</th>"
                "</tr></thead><tbody>\n");
    for (int i = n - 1; i >= 0 && i >= n - MOST_ROWS; i--) {
        text_add(t, "<tr><th scope=\"row\">");
        if (counts && i == n - 1)
            text_add(t, "this run");
        else
            when(t, runs[i].time);
        html_addf(t, "</th><td class=\"n\">%g/%g</td><td>%s</td></tr>\n", runs[i].points,
                  runs[i].points_possible, runs[i].backend);
    }
    text_add(t, "</tbody></table></section>\n");
}
