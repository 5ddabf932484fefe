/* batch_summary.c: the class's tables, written: gradebook.csv, entries.csv, the import, summary.txt
 * and summary.html (see batch.h). */
#include "grading/src/batch/batch.h"
#include "grading/src/batch/batch_roster.h"
#include "grading/src/batch/batch_tables.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static double median(const struct tables *t) {
    const int n = t->graded;
    return n == 0 ? 0 : (t->scores[(n - 1) / 2] + t->scores[n / 2]) / 2;
}

static void bin_name(char *into, size_t room, int i) {
    if (i == BINS - 1)
        snprintf(into, room, "all");
    else
        snprintf(into, room, "%d to %d", 10 * i % 100, 10 * i % 100 + 9);
}

/* A platform that counts up to 10 takes 85 of 100 for 85 of 10. */
static void say_points_most(struct text *s, const struct tables *t) {
    const struct roster *r = t->b->roster ? &t->b->roster->roster : NULL;
    double most = 0;
    for (size_t i = 0; i < t->criteria; i++)
        most += t->criterion[i].possible;
    if (r && r->points_most > 0 && r->points_most != most)
        text_addf(s,
                  "the roster's column '%s' has %g points at most, the lab %g: change it on the "
                  "platform before the import, or the lab's points\n",
                  table_cell(&r->table, r->head, r->points), r->points_most, most);
}

static void say_counts(struct text *s, const struct tables *t) {
    text_addf(s, "%d graded, %d with all points, %d that do not build", t->graded, t->full,
              t->refused);
    text_addf(s, "; %d not graded, %d handed in nothing, %d not recognised\n", t->not_graded,
              t->nothing, t->unknown);
    if (t->b->roster)
        text_addf(s, "%zu on the roster, %d of them missing; %d graded who are not on it\n",
                  t->b->roster->roster.students, t->missing, t->stray);
    say_points_most(s, t);
    if (t->graded > 0)
        text_addf(s, "of 100: mean %.1f, median %.1f, lowest %.1f, highest %.1f\n",
                  t->sum / t->graded, median(t), t->scores[0], t->scores[t->graded - 1]);
    if (t->flagged > 0)
        text_addf(s, "%d with flags for a human to look at (column flags of gradebook.csv)\n",
                  t->flagged);
}

static void say_entries(struct text *s, const struct tables *t) {
    const struct class_list *list = &t->b->list;
    text_addf(s, "%zu entries, %zu submissions, seed %llu\n", list->seen,
              list->count - (size_t)t->unknown, (unsigned long long)t->b->seed);
}

static void write_text(struct text *s, const struct tables *t) {
    text_addf(s, "%s, %s: ", t->b->lab->name, t->b->lab->title);
    say_entries(s, t);
    say_counts(s, t);
    text_add(s, "\nPoints\n");
    for (int i = BINS - 1; i >= 0; i--) {
        char name[16];
        bin_name(name, sizeof name, i);
        text_addf(s, "  %9s %5d ", name, t->bins[i]);
        for (int j = 0; t->graded > 0 && j < t->bins[i] * 50 / t->graded; j++)
            text_add(s, "#");
        text_add(s, "\n");
    }
    bool lost = false;
    for (size_t i = 0; i < t->criteria; i++)
        lost = lost || t->criterion[i].lost > 0;
    text_add(s, lost ? "\nLost most often\n" : "");
    for (size_t i = 0; i < t->criteria; i++) {
        const struct criterion *c = &t->criterion[i];
        if (c->lost > 0)
            text_addf(s, "  %-13s %-28s %2g points  %4d of %d  %3.0f %%\n", c->name, c->title,
                      c->possible, c->lost, c->judged, 100.0 * c->lost / c->judged);
    }
    if (t->mistakes > 0)
        text_add(s, "\nMistakes\n");
    for (size_t i = 0; i < t->mistakes; i++)
        text_addf(s, "  %4d  %s\n", t->mistake[i].count, t->mistake[i].name);
    if (t->strays.length > 0)
        text_addf(s, "\nNot on the roster\n%s", text_get(&t->strays));
    if (t->without.length > 0)
        text_addf(s, "\nWithout a grade\n%s", text_get(&t->without));
}

static void html(struct text *t, const char *s) {
    for (; *s; s++)
        if (*s == '&')
            text_add(t, "&amp;");
        else if (*s == '<')
            text_add(t, "&lt;");
        else if (*s == '>')
            text_add(t, "&gt;");
        else if (*s == '"')
            text_add(t, "&quot;");
        else
            text_add_bytes(t, s, 1);
}

static void html_bar(struct text *s, const char *name, const char *title, int count, int of) {
    text_add(s, "<tr><th scope=\"row\">");
    html(s, name);
    text_add(s, "</th><td>");
    html(s, title);
    text_addf(s,
              "</td><td class=\"n\">%d</td><td class=\"n\">%.0f %%</td><td class=\"b\"><span "
              "style=\"width:%.1f%%\"></span></td></tr>\n",
              count, of > 0 ? 100.0 * count / of : 0, of > 0 ? 100.0 * count / of : 0);
}

static const char style[] =
    ":root{color-scheme:light dark}body{font:16px/1.5 system-ui,sans-serif;margin:2rem "
    "auto;max-width:56rem;padding:0 1rem;color:#1a1a1a;background:#fff}"
    "table{border-collapse:collapse;width:100%;margin:0 0 2rem}th,td{text-align:left;padding:.2rem "
    ".6rem .2rem 0;border-bottom:1px solid #ddd;font-weight:400}thead th{font-weight:600}"
    ".n{white-space:nowrap;text-align:right}th{overflow-wrap:break-word}"
    ".b{width:40%}.b span{display:block;height:.8rem;background:#2b6cb0}h1{font-size:1.5rem}"
    "h2{font-size:1.1rem;margin:1.5rem 0 .4rem}pre{white-space:pre-wrap;overflow-wrap:anywhere}"
    "@media(max-width:36rem){table{font-size:.8rem}.b{width:20%}}"
    "@media(prefers-color-scheme:dark){body{color:#eee;background:#161616}th,td{border-color:#444}"
    ".b span{background:#63b3ed}}";

static void html_table(struct text *s, const char *title, const char *first, const char *second) {
    text_addf(s,
              "<h2>%s</h2>\n<table><thead><tr><th scope=\"col\">%s</th><th scope=\"col\">%s</th>"
              "<th scope=\"col\" class=\"n\">students</th><th scope=\"col\" "
              "class=\"n\">share</th><td></td></tr></thead><tbody>\n",
              title, first, second);
}

static void write_html(struct text *s, const struct tables *t) {
    struct text counts = {0};
    say_entries(&counts, t);
    say_counts(&counts, t);
    text_addf(s,
              "<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">"
              "\n<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; "
              "style-src 'unsafe-inline'\">\n"
              "<meta name=\"viewport\" content=\"width=device-width,initial-scale=1\">"
              "<title>%s: the class</title><style>%s</style></head><body>\n<h1>%s, ",
              t->b->lab->name, style, t->b->lab->name);
    html(s, t->b->lab->title);
    text_add(s, "</h1>\n<pre>");
    html(s, text_get(&counts));
    text_add(s, "</pre>\n");
    html_table(s, "Points", "of 100", "");
    for (int i = BINS - 1; i >= 0; i--) {
        char name[16];
        bin_name(name, sizeof name, i);
        html_bar(s, name, "", t->bins[i], t->graded);
    }
    text_add(s, "</tbody></table>\n");
    html_table(s, "Lost most often", "criterion", "what is asked for");
    for (size_t i = 0; i < t->criteria; i++) {
        if (t->criterion[i].lost > 0)
            html_bar(s, t->criterion[i].name, t->criterion[i].title, t->criterion[i].lost,
                     t->criterion[i].judged);
    }
    text_add(s, "</tbody></table>\n");
    if (t->mistakes > 0) {
        html_table(s, "Mistakes", "class", "");
        for (size_t i = 0; i < t->mistakes; i++)
            html_bar(s, t->mistake[i].name, "", t->mistake[i].count, t->graded);
        text_add(s, "</tbody></table>\n");
    }
    if (t->strays.length > 0) {
        text_add(s, "<h2>Not on the roster</h2>\n<pre>");
        html(s, text_get(&t->strays));
        text_add(s, "</pre>\n");
    }
    if (t->without.length > 0) {
        text_add(s, "<h2>Without a grade</h2>\n<pre>");
        html(s, text_get(&t->without));
        text_add(s, "</pre>\n");
    }
    text_add(s, "</body></html>\n");
    text_free(&counts);
}

static bool put(const struct batch *b, const char *name, const struct text *t, struct text *why) {
    char *path = xasprintf("%s/%s", b->out, name), *beside = xasprintf("%s.new", path);
    FILE *f = fopen(beside, "we");
    bool ok = f && fwrite(text_get(t), 1, t->length, f) == t->length;
    ok = f && fclose(f) == 0 && ok && rename(beside, path) == 0;
    if (!ok)
        text_addf(why, "cannot write %s: %s", path, strerror(errno));
    free(path);
    free(beside);
    return ok;
}

static int without_a_grade(const struct tables *t) {
    return t->not_graded + t->nothing + t->unknown + t->missing;
}

static void say_where(const struct tables *t) {
    printf("see %s/gradebook.csv and %s/summary.html\n", t->b->out, t->b->out);
    if (!t->import_name)
        return;
    const struct roster *r = &t->b->roster->roster;
    printf("for the import: %s/%s, %scolumn '%s'\n", t->b->out, t->import_name,
           r->points_new ? "a new " : "", table_cell(&r->table, r->head, r->points));
}

/* The last line is for who reads no other. */
static void say_without(const struct tables *t) {
    const struct {
        int count;
        const char *words;
    } part[] = {{t->not_graded, "not graded"},
                {t->nothing, "handed in nothing that can be graded"},
                {t->unknown, "not recognised"},
                {t->missing, "missing"}};
    const int all = without_a_grade(t);
    if (t->stray > 0)
        printf("%d GRADED, BUT NOT ON THE ROSTER, so not in the import: see %s/summary.txt\n",
               t->stray, t->b->out);
    if (all == 0)
        return;
    printf("%d WITHOUT A GRADE: ", all);
    bool first = true;
    for (size_t i = 0; i < sizeof part / sizeof *part; i++) {
        if (part[i].count > 0)
            printf("%s%d %s", first ? "" : ", ", part[i].count, part[i].words);
        first = first && part[i].count == 0;
    }
    printf("; who and why: the end of %s/summary.txt\n", t->b->out);
}

bool batch_summary(const struct batch *b, int *without, struct text *why) {
    struct tables t;
    struct text plain = {0}, page = {0};
    bool ok = tables_collect(&t, b, why);
    if (ok) {
        ok = tables_account(&t, why);
        write_text(&plain, &t);
        write_html(&page, &t);
        ok = ok && put(b, "gradebook.csv", &t.csv, why) && put(b, "entries.csv", &t.entries, why) &&
             put(b, "summary.txt", &plain, why) && put(b, "summary.html", &page, why);
        ok = ok && (!t.import_name || put(b, t.import_name, &t.import, why));
        *without = without_a_grade(&t) + t.stray;
        if (ok) {
            printf("\n%s\n", text_get(&plain));
            say_where(&t);
            say_without(&t);
        }
        fflush(stdout);
        tables_free(&t);
    }
    text_free(&plain);
    text_free(&page);
    return ok;
}
