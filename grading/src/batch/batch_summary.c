/* batch_summary.c: the class's tables, written: gradebook.csv, entries.csv, the import, summary.txt
 * and summary.html (see batch.h). */
#include "grading/src/batch/batch.h"
#include "grading/src/batch/batch_roster.h"
#include "grading/src/batch/batch_tables.h"

#include "grading/src/base/terminal.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

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
                  "the roster's column '%s' has at most %g points, the lab %g: before the import, "
                  "change it on the platform, or change the lab's points\n",
                  table_cell(&r->table, r->head, r->points), r->points_most, most);
}

static void say_counts(struct text *s, const struct tables *t) {
    text_addf(s, "%d graded, %d with all points, %d refused", t->graded, t->full, t->refused);
    text_addf(s, "; %d not graded, %d handed in nothing, %d something else, %d not recognised\n",
              t->not_graded, t->nothing, t->other, t->unknown);
    if (t->b->roster)
        text_addf(s, "%zu on the roster, %d of them missing; %d graded who are not on it\n",
                  t->b->roster->roster.students - t->b->roster->roster.repeated, t->missing,
                  t->stray);
    if (t->b->roster && t->b->roster->roster.repeated > 0)
        text_addf(s, "lines of the roster that repeat a student, and get the same points: %zu\n",
                  t->b->roster->roster.repeated);
    say_points_most(s, t);
    if (t->graded > 0)
        text_addf(s, "of 100: mean %.1f, median %.1f, lowest %.1f, highest %.1f\n",
                  t->sum / t->graded, median(t), t->scores[0], t->scores[t->graded - 1]);
    if (t->flagged > 0)
        text_addf(s, "%d with flags for a person to look at (column flags of gradebook.csv)\n",
                  t->flagged);
}

static void say_entries(struct text *s, const struct tables *t) {
    const struct class_list *list = &t->b->list;
    const size_t submissions = list->count - (size_t)t->unknown;
    text_addf(s, "%zu %s, %zu %s, seed %llu\n", list->seen, list->seen == 1 ? "entry" : "entries",
              submissions, submissions == 1 ? "submission" : "submissions",
              (unsigned long long)t->b->seed);
    if (t->b->options->hidden && !t->b->hidden)
        text_add(s, "without hidden cases, because of --hidden none\n");
    else if (!t->b->hidden)
        text_addf(s,
                  "without hidden cases: this kit has no solutions/%s/hidden.cfg; a kit that has "
                  "it gives other points\n",
                  t->b->lab->folder);
}

/* What a lecturer can do for those of a list. */
static const char join_roster[] =
    "\nTo put one of these into the import: rename what was handed in to the student's id on the "
    "roster, and start the same command again.\n";
static const char hand_in_again[] =
    "\nTo grade one of these: leave a single .cu file in what was handed in, and start the same "
    "command again. It grades only what is new (docs/lms/batch.md, 'Without a grade').\n";

/* Is there something that could be put right? Who is missing handed in nothing. */
static bool something_is_there(const struct tables *t) {
    return t->not_graded + t->other + t->unknown > 0;
}

static bool anything_lost(const struct tables *t) {
    bool lost = false;
    for (size_t i = 0; i < t->criteria; i++)
        lost = lost || t->criterion[i].lost > 0;
    return lost;
}

/* The cause that most have who lost it: "missing-load-guard (9)"; "" where none is known. */
static void add_first_cause(struct text *s, const struct criterion *c) {
    if (c->why.count > 0)
        text_addf(s, "%s (%d)", c->why.of[0].name, c->why.of[0].count);
}

static void say_lost(struct text *s, const struct tables *t) {
    if (!anything_lost(t))
        return;
    text_addf(s, "\nLost most often\n  %-13s %-28s %-9s %6s  %12s  %s\n", "criterion",
              "what is asked for", "lost by", "", "points lost", "most often because of");
    for (size_t i = 0; i < t->criteria; i++) {
        const struct criterion *c = &t->criterion[i];
        if (c->lost == 0)
            continue;
        char lost[32];
        snprintf(lost, sizeof lost, "%g of %g", c->points_lost, c->possible * c->judged);
        text_addf(s, "  %-13s %-28s %3d of %-3d %4.0f %%  %12s  ", c->name, c->title, c->lost,
                  c->judged, 100.0 * c->lost / c->judged, lost);
        add_first_cause(s, c);
        text_add(s, "\n");
    }
    text_add(s, "  (without files that were refused, and checks that wait for right products)\n");
}

static void say_mistakes(struct text *s, const struct tables *t) {
    text_add(s, t->mistakes.count > 0 ? "\nMistakes\n" : "");
    for (size_t i = 0; i < t->mistakes.count; i++) {
        const struct mistake *m = &t->mistakes.of[i];
        struct text who = {0};
        text_addf(&who, "        %s\n", text_get(&m->who));
        text_wrap(&who, TEXT_COLUMNS, 0);
        text_addf(s, "  %4d  %s\n%s", m->count, m->name, text_get(&who));
        text_free(&who);
    }
}

/* Equals share a place. */
static size_t place_of(const struct class_board *board, size_t i) {
    while (i > 0 && board->of[i - 1].bytes == board->of[i].bytes &&
           board->of[i - 1].conflicts == board->of[i].conflicts)
        i--;
    return i + 1;
}

static const char *board_name(const struct board_row *row) {
    return *row->name ? row->name : "somebody";
}

static void say_board(struct text *s, const struct tables *t) {
    const struct class_board *board = &t->board;
    if (board->count == 0)
        return;
    text_addf(s, "\nLeaderboard: for each multiply-add, as counted in %s\n  %5s  %-24s %11s  %s\n",
              board->counted, "place", "", "bytes moved", "bank conflicts");
    for (size_t i = 0; i < board->count; i++) {
        const struct board_row *row = &board->of[i];
        text_addf(s, "  %5zu  %-24s %11.4g  %14.4g", place_of(board, i), board_name(row),
                  row->bytes, row->conflicts);
        if (row->seconds > 0)
            text_addf(s, "  (%.4g ms on the GPU, which decides nothing)", 1e3 * row->seconds);
        text_add(s, "\n");
    }
    if (t->names.length > 0)
        text_addf(s, "\nNames for the board that are not used\n%s", text_get(&t->names));
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
    say_lost(s, t);
    say_mistakes(s, t);
    say_board(s, t);
    if (t->strays.length > 0)
        text_addf(s, "\nNot on the roster\n%s%s", text_get(&t->strays), join_roster);
    if (t->refused_there.length > 0)
        text_addf(s, "\nNot taken by the import as it is\n%s", text_get(&t->refused_there));
    if (t->other_labs.length > 0)
        text_addf(s, "\nAnother lab's file?\n%s", text_get(&t->other_labs));
    if (t->refusals.length > 0)
        text_addf(s, "\nRefused, so without points\n%s", text_get(&t->refusals));
    if (t->without.length > 0)
        text_addf(s, "\nWithout a grade\n%s%s", text_get(&t->without),
                  something_is_there(t) ? hand_in_again : "");
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

static void html_cell(struct text *s, const char *kind, const char *words) {
    text_addf(s, "<td%s>", kind);
    html(s, words);
    text_add(s, "</td>");
}

/* A row: a name, what it is, how many of how many, and a bar. `more` goes in front of the bar. */
static void html_bar(struct text *s, const char *name, const char *title, int count, int of,
                     const struct text *more) {
    const double share = of > 0 ? 100.0 * count / of : 0;
    text_add(s, "<tr><th scope=\"row\">");
    html(s, name);
    text_add(s, "</th>");
    html_cell(s, "", title);
    text_addf(s, "<td class=\"n\">%d</td><td class=\"n\">%.0f %%</td>%s", count, share,
              more ? text_get(more) : "");
    text_addf(s, "<td class=\"b\"><span style=\"width:%.1f%%\"></span></td></tr>\n", share);
}

static const char style[] =
    ":root{color-scheme:light dark;--ink:#1a1a1a;--back:#fff;--rule:#ddd;--bar:#2b6cb0}"
    "@media(prefers-color-scheme:dark){:root{--ink:#eee;--back:#161616;--rule:#444;--bar:#63b3ed}}"
    ":focus-visible{outline:2px solid;outline-offset:2px}"
    "body{font:16px/1.5 system-ui,sans-serif;margin:2rem "
    "auto;max-width:56rem;padding:0 1rem;color:var(--ink);background:var(--back)}"
    "table{border-collapse:collapse;width:100%;margin:0 0 2rem}th,td{text-align:left;padding:.2rem "
    ".6rem .2rem 0;border-bottom:1px solid var(--rule);font-weight:400}thead th{font-weight:600}"
    ".n{white-space:nowrap;text-align:right}th{overflow-wrap:break-word}"
    ".b{width:40%}.b span{display:block;height:.8rem;background:var(--bar)}h1{font-size:1.5rem}"
    "h2{font-size:1.1rem;margin:1.5rem 0 .4rem}pre{white-space:pre-wrap;overflow-wrap:anywhere}"
    "@media(max-width:36rem){table{font-size:.8rem}"
    "th,td{overflow-wrap:anywhere;padding-right:.4rem}.b{display:none}}";

/* Over a column without a name is no header, which a screen reader would announce. */
static void html_table(struct text *s, const char *title, const char *first, const char *second,
                       const char *more) {
    text_addf(s, "<h2>%s</h2>\n<table><thead><tr><th scope=\"col\">%s</th>", title, first);
    text_addf(s, *second ? "<th scope=\"col\">%s</th>" : "<td>%s</td>", second);
    text_addf(s,
              "<th scope=\"col\" class=\"n\">students</th><th scope=\"col\" "
              "class=\"n\">share</th>%s<td></td></tr></thead><tbody>\n",
              more);
}

static void html_lost(struct text *s, const struct tables *t) {
    if (!anything_lost(t))
        return;
    html_table(s, "Lost most often", "criterion", "what is asked for",
               "<th scope=\"col\" class=\"n\">points lost</th>"
               "<th scope=\"col\">most often because of</th>");
    for (size_t i = 0; i < t->criteria; i++) {
        const struct criterion *c = &t->criterion[i];
        struct text more = {0}, cause = {0};
        if (c->lost == 0)
            continue;
        add_first_cause(&cause, c);
        text_addf(&more, "<td class=\"n\">%g of %g</td>", c->points_lost, c->possible * c->judged);
        html_cell(&more, "", text_get(&cause));
        html_bar(s, c->name, c->title, c->lost, c->judged, &more);
        text_free(&more);
        text_free(&cause);
    }
    text_add(s, "</tbody></table>\n<p>Without files that were refused, and checks that wait for "
                "right products.</p>\n");
}

static void html_board(struct text *s, const struct tables *t) {
    const struct class_board *board = &t->board;
    if (board->count == 0)
        return;
    text_add(s, "<h2>Leaderboard</h2>\n<p>For each multiply-add, as counted in ");
    html(s, board->counted);
    text_add(s, ". A time on a GPU decides nothing.</p>\n<table><thead><tr>"
                "<th scope=\"col\" class=\"n\">place</th><th scope=\"col\">name</th>"
                "<th scope=\"col\" class=\"n\">bytes moved</th>"
                "<th scope=\"col\" class=\"n\">bank conflicts</th>"
                "<th scope=\"col\" class=\"n\">ms on a GPU</th></tr></thead><tbody>\n");
    for (size_t i = 0; i < board->count; i++) {
        const struct board_row *row = &board->of[i];
        text_addf(s, "<tr><td class=\"n\">%zu</td>", place_of(board, i));
        html_cell(s, "", board_name(row));
        text_addf(s, "<td class=\"n\">%.4g</td><td class=\"n\">%.4g</td><td class=\"n\">",
                  row->bytes, row->conflicts);
        if (row->seconds > 0)
            text_addf(s, "%.4g", 1e3 * row->seconds);
        text_add(s, "</td></tr>\n");
    }
    text_add(s, "</tbody></table>\n");
}

static void html_mistakes(struct text *s, const struct tables *t) {
    if (t->mistakes.count == 0)
        return;
    html_table(s, "Mistakes", "class", "who", "");
    for (size_t i = 0; i < t->mistakes.count; i++) {
        const struct mistake *m = &t->mistakes.of[i];
        html_bar(s, m->name, text_get(&m->who), m->count, t->graded, NULL);
    }
    text_add(s, "</tbody></table>\n");
}

static void html_list(struct text *s, const char *title, const struct text *lines,
                      const char *hint) {
    if (lines->length == 0)
        return;
    text_addf(s, "<h2>%s</h2>\n<pre>", title);
    html(s, text_get(lines));
    text_add(s, "</pre>\n<p>");
    html(s, hint + strspn(hint, "\n"));
    text_add(s, "</p>\n");
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
              "<title>%s: the class</title><style>%s</style></head><body><main>\n<h1>%s, ",
              t->b->lab->name, style, t->b->lab->name);
    html(s, t->b->lab->title);
    text_add(s, "</h1>\n<pre>");
    html(s, text_get(&counts));
    text_add(s, "</pre>\n");
    html_table(s, "Points", "of 100", "", "");
    for (int i = BINS - 1; i >= 0; i--) {
        char name[16];
        bin_name(name, sizeof name, i);
        html_bar(s, name, "", t->bins[i], t->graded, NULL);
    }
    text_add(s, "</tbody></table>\n");
    html_lost(s, t);
    html_mistakes(s, t);
    html_board(s, t);
    html_list(s, "Names for the board that are not used", &t->names, "");
    html_list(s, "Not on the roster", &t->strays, join_roster);
    html_list(s, "Not taken by the import as it is", &t->refused_there, "");
    html_list(s, "Another lab's file?", &t->other_labs, "");
    html_list(s, "Refused, so without points", &t->refusals, "");
    html_list(s, "Without a grade", &t->without, something_is_there(t) ? hand_in_again : "");
    text_add(s, "</main></body></html>\n");
    text_free(&counts);
}

static bool put(const struct batch *b, const char *name, const struct text *t, struct text *why) {
    char *path = xasprintf("%s/%s", b->out, name), *beside = xasprintf("%s.new", path);
    FILE *f = fopen(beside, "we");
    bool ok = f && fwrite(text_get(t), 1, t->length, f) == t->length;
    ok = f && fclose(f) == 0 && ok && rename(beside, path) == 0;
    if (!ok) {
        text_addf(why, "cannot write %s: %s", path, strerror(errno));
        unlink(beside);
    }
    free(path);
    free(beside);
    return ok;
}

static int without_a_grade(const struct tables *t) {
    return t->not_graded + t->nothing + t->other + t->unknown + t->missing;
}

static void say_where(struct text *s, const struct tables *t) {
    text_addf(s, "see %s/gradebook.csv and %s/summary.html\n", t->b->out, t->b->out);
    if (!t->import_name)
        return;
    const struct roster *r = &t->b->roster->roster;
    text_addf(s, "for the import: %s/%s, %scolumn '%s'\n", t->b->out, t->import_name,
              r->points_new ? "a new " : "", table_cell(&r->table, r->head, r->points));
}

/* The last line is for who reads no other. */
static void say_without(struct text *s, const struct tables *t) {
    const struct {
        int count;
        const char *words;
    } part[] = {{t->not_graded, "not graded"},
                {t->nothing, "handed in nothing"},
                {t->other, "handed in something else"},
                {t->unknown, "not recognised"},
                {t->missing, "missing"}};
    const int all = without_a_grade(t);
    if (t->refused > 0)
        text_addf(s, "%d REFUSED, so without points: see %s/summary.txt\n", t->refused, t->b->out);
    if (t->stray > 0)
        text_addf(s, "%d GRADED, BUT NOT ON THE ROSTER, so not in the import: see %s/summary.txt\n",
                  t->stray, t->b->out);
    if (all == 0)
        return;
    text_addf(s, "%d WITHOUT A GRADE: ", all);
    bool first = true;
    for (size_t i = 0; i < sizeof part / sizeof *part; i++) {
        if (part[i].count > 0)
            text_addf(s, "%s%d %s", first ? "" : ", ", part[i].count, part[i].words);
        first = first && part[i].count == 0;
    }
    text_addf(s, "; who and why: the end of %s/summary.txt\n", t->b->out);
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
            struct text said = {0};
            text_addf(&said, "\n%s\n", text_get(&plain));
            say_where(&said, &t);
            say_without(&said, &t);
            text_fit(&said, stdout, 2);
            fputs(text_get(&said), stdout);
            text_free(&said);
        }
        fflush(stdout);
        tables_free(&t);
    }
    text_free(&plain);
    text_free(&page);
    return ok;
}
