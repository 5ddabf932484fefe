/* batch_summary.c: what came of a class: gradebook.csv, summary.txt and summary.html (see batch.h).
 *
 * Everything is read from the result files, so a batch graded in parts, on many machines or over
 * days, gives the same tables. Students without a grade have empty points, never 0. */
#include "grading/src/batch/batch.h"
#include "grading/src/batch/batch_anonymous.h"
#include "grading/src/batch/batch_roster.h"

#include "grading/src/lab/rubric.h"

#include <errno.h>
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define BINS 11 /* of ten points each, and full marks */

struct criterion {
    const char *name, *title;
    int possible;
    int lost, judged;
};

struct mistake {
    char *name;
    int count;
};

struct tables {
    const struct batch *b;
    struct rubric rubric;
    struct criterion *criterion;
    size_t criteria;
    struct mistake *mistake;
    size_t mistakes;
    struct text csv, entries;
    size_t rows, entry_rows; /* of the two, without their heads */
    int graded, not_graded, nothing, unknown, refused, flagged, full;
    int missing, stray; /* with a roster: on it without a submission; a grade, and not on it */
    double sum;
    double *scores;
    int bins[BINS];
    struct text without; /* who has no grade, and why; a line each */
    struct text strays;  /* who is not on the roster; a line each */
    struct text import;  /* the gradebook in the platform's own columns */
    char *import_name;   /* its file's name; NULL: there is no roster */
};

/* ---- Reading ---- */

static const json_t *entry_of(const json_t *result, const char *name) {
    static const char *const lists[] = {"cases", "checks"};
    for (size_t l = 0; l < 2; l++) {
        size_t i;
        json_t *o;
        json_array_foreach(json_object_get(result, lists[l]), i, o) {
            const char *is = json_string_value(json_object_get(o, "name"));
            if (is && strcmp(is, name) == 0)
                return o;
        }
    }
    return NULL;
}

static void cell(struct text *t, const char *s) {
    struct text clean = {0};
    text_add_clean_line(&clean, s, strlen(s), 400);
    text_add_cell(t, text_get(&clean));
    text_free(&clean);
}

static const char *class_of(const json_t *result) {
    const char *name =
        json_string_value(json_object_get(json_object_get(result, "diagnosis"), "class"));
    return name ? name : "";
}

static void count_mistake(struct tables *t, const char *name) {
    if (!*name)
        return;
    for (size_t i = 0; i < t->mistakes; i++) {
        if (strcmp(t->mistake[i].name, name) == 0) {
            t->mistake[i].count++;
            return;
        }
    }
    t->mistake = xrealloc(t->mistake, (t->mistakes + 1) * sizeof *t->mistake);
    t->mistake[t->mistakes++] = (struct mistake){.name = xstrdup(name), .count = 1};
}

static void head(struct tables *t) {
    text_add(&t->csv,
             "student,id,file,status,points,points_possible,percent,mistake,flags,seed,note");
    for (size_t i = 0; i < t->criteria; i++) {
        text_add(&t->csv, ",");
        cell(&t->csv, t->criterion[i].name);
    }
    text_add(&t->csv, "\r\n");
}

static void criterion_cell(struct tables *t, struct criterion *c, const json_t *result,
                           bool refused) {
    const json_t *o = entry_of(result, c->name);
    const char *verdict = json_string_value(json_object_get(o, "verdict"));
    text_add(&t->csv, ",");
    if (!refused && (!o || (verdict && strcmp(verdict, "not_graded") == 0)))
        return;
    const int points = (int)json_integer_value(json_object_get(o, "points"));
    c->judged++;
    c->lost += !o || (verdict && strcmp(verdict, "pass") != 0 && strcmp(verdict, "met") != 0);
    text_addf(&t->csv, "%d", points);
}

static void without_grade(struct tables *t, const struct entry_in *e, const char *why) {
    text_add_clean_line(&t->without, e->student, strlen(e->student), 60);
    text_add(&t->without, ": ");
    text_add_clean_line(&t->without, why, strlen(why), 200);
    text_add(&t->without, "\n");
}

/* A student with a grade. */
static void add_grade(struct tables *t, const struct entry_in *e, const json_t *o) {
    const int points = (int)json_integer_value(json_object_get(o, "points"));
    const int possible = (int)json_integer_value(json_object_get(o, "points_possible"));
    const double percent = possible > 0 ? 100.0 * points / possible : 0;
    const bool refused = json_is_string(json_object_get(o, "refused"));
    const size_t flags = json_array_size(json_object_get(o, "flags"));
    text_addf(&t->csv, "%s,%d,%d,%.2f,", refused ? "refused" : "graded", points, possible, percent);
    cell(&t->csv, class_of(o));
    text_addf(&t->csv, ",%zu,%s,", flags, json_string_value(json_object_get(o, "seed")));
    cell(&t->csv, e->note ? e->note : "");
    for (size_t i = 0; i < t->criteria; i++)
        criterion_cell(t, &t->criterion[i], o, refused);
    count_mistake(t, refused ? "does not build" : class_of(o));
    t->scores[t->graded++] = percent;
    t->sum += percent;
    t->refused += refused;
    t->flagged += flags > 0;
    t->full += points == possible;
    t->bins[points == possible ? BINS - 1 : (int)(percent / 10)]++;
}

/* What a row without a grade is called, and why it has none. */
static const char *state_of(struct tables *t, const struct entry_in *e) {
    switch (e->state) {
    case HANDED_IN_NONE: t->nothing++; return "nothing handed in";
    case HANDED_IN_UNKNOWN: t->unknown++; return "not recognised";
    default: t->not_graded++; return "not graded";
    }
}

static void add_student(struct tables *t, const struct entry_in *e) {
    json_t *o = e->result ? json_load_file(e->result, 0, NULL) : NULL;
    const char *why = json_string_value(json_object_get(o, "not_graded"));
    cell(&t->csv, e->student);
    text_add(&t->csv, ",");
    cell(&t->csv, e->id);
    text_add(&t->csv, ",");
    cell(&t->csv, t->b->anonymous ? "" : e->path ? e->path : e->name);
    text_add(&t->csv, ",");
    if (e->done && o) {
        add_grade(t, e, o);
    } else {
        why = e->why ? e->why : why ? why : "not graded yet";
        text_addf(&t->csv, "%s,,,,\"\",,,", state_of(t, e));
        char *note = e->note ? xasprintf("%s; %s", why, e->note) : xstrdup(why);
        cell(&t->csv, note);
        for (size_t i = 0; i < t->criteria; i++)
            text_add(&t->csv, ",");
        without_grade(t, e, note);
        free(note);
    }
    text_add(&t->csv, "\r\n");
    if (t->b->roster && !e->on_roster && e->state != HANDED_IN_UNKNOWN) {
        t->stray += e->done;
        text_add_clean_line(&t->strays, e->student, strlen(e->student), 100);
        if (*e->id) {
            text_add(&t->strays, " (");
            text_add_clean_line(&t->strays, e->id, strlen(e->id), 60);
            text_add(&t->strays, ")");
        }
        text_add(&t->strays, "\n");
    }
    json_decref(o);
    t->rows++;
}

/* A student of the roster of whom nothing is there. */
static void add_missing(struct tables *t, const char *name, const char *id) {
    static const char why[] = "missing: on the roster, and nothing was handed in";
    char *copy = xstrdup(name);
    const struct entry_in e = {.student = copy};
    cell(&t->csv, name);
    text_add(&t->csv, ",");
    cell(&t->csv, id);
    text_addf(&t->csv, ",\"\",missing,,,,\"\",,,\"%s\"", why);
    for (size_t i = 0; i < t->criteria; i++)
        text_add(&t->csv, ",");
    text_add(&t->csv, "\r\n");
    without_grade(t, &e, why);
    free(copy);
    t->missing++;
}

static int by_text(const void *a, const void *b) {
    return strcmp(*(char *const *)a, *(char *const *)b);
}

/* Without names not in the roster's order either, which is that of names. */
static void add_all_missing(struct tables *t) {
    const struct batch_roster *br = t->b->roster;
    const struct anonymous *a = t->b->anonymous;
    const size_t n = br->roster.students;
    char **nameless = xcalloc(n + 1, sizeof *nameless);
    size_t count = 0;
    for (size_t s = 0; s < n; s++) {
        if (br->row[s] != ROSTER_NONE)
            continue;
        char *name = roster_name(&br->roster, s);
        if (a)
            nameless[count++] = a->missing[s];
        else
            add_missing(t, name, roster_id(&br->roster, s));
        free(name);
    }
    if (count > 1)
        qsort(nameless, count, sizeof *nameless, by_text);
    for (size_t i = 0; i < count; i++)
        add_missing(t, nameless[i], "");
    free(nameless);
}

/* The roster, with the points of everybody who has some. What is not graded stays as it was. */
static void fill_roster(struct tables *t) {
    struct batch_roster *br = t->b->roster;
    add_all_missing(t);
    for (size_t s = 0; s < br->roster.students; s++) {
        const struct entry_in *e = br->row[s] == ROSTER_NONE ? NULL : &t->b->list.of[br->row[s]];
        json_t *o = e && e->done ? json_load_file(e->result, 0, NULL) : NULL;
        const json_t *points = json_object_get(o, "points");
        char *text = json_is_integer(points)
                         ? xasprintf("%lld", (long long)json_integer_value(points))
                         : xasprintf("%.10g", json_real_value(points));
        if (points)
            roster_set_points(&br->roster, s, text);
        free(text);
        json_decref(o);
    }
    if (t->b->anonymous)
        return; /* a roster is nothing but names */
    const char *path = t->b->options->roster, *slash = strrchr(path, '/');
    const char *dot = strrchr(slash ? slash : path, '.');
    t->import_name = xasprintf("gradebook-%s%s", br->roster.kind, dot ? dot : ".csv");
    table_write(&t->import, &br->roster.table);
}

/* One row for each entry of the folder: nothing that was downloaded vanishes. */
static void add_entry(struct tables *t, const struct dir_entry *d) {
    const struct fate_words *fate = &fate_words[d->fate];
    const struct entry_in *e = fate->row ? &t->b->list.of[d->row] : NULL;
    cell(&t->entries, d->name);
    text_add(&t->entries, ",");
    cell(&t->entries, e && e->state != HANDED_IN_UNKNOWN ? e->student : "");
    text_add(&t->entries, ",");
    cell(&t->entries, e ? e->id : "");
    text_add(&t->entries, ",");
    cell(&t->entries, fate->words);
    text_add(&t->entries, ",");
    cell(&t->entries, d->fate == FATE_UNGRADED && e && e->why ? e->why : "");
    text_add(&t->entries, "\r\n");
    t->entry_rows++;
}

/* The tables say what they say of everything that was handed in, or nothing at all. */
static bool account(const struct tables *t, struct text *why) {
    const struct class_list *list = &t->b->list;
    if (!batch_account(list, why))
        return false;
    const size_t missing = t->b->roster ? batch_roster_missing(t->b->roster) : 0;
    if (t->rows == list->count && t->entry_rows == list->seen && (size_t)t->missing == missing)
        return true;
    text_addf(why,
              "a mistake in the grader, not in what was handed in: %zu rows for %zu submissions, "
              "%zu for %zu entries; please report it: no tables were written",
              t->rows, list->count, t->entry_rows, list->seen);
    return false;
}

static int by_value(const void *a, const void *b) {
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static int by_loss(const void *a, const void *b) {
    return ((const struct criterion *)b)->lost - ((const struct criterion *)a)->lost;
}

static int by_count(const void *a, const void *b) {
    return ((const struct mistake *)b)->count - ((const struct mistake *)a)->count;
}

static bool collect(struct tables *t, const struct batch *b, struct text *why) {
    *t = (struct tables){.b = b};
    if (!rubric_load(&t->rubric, b->lab, b->rubric, b->hidden, why))
        return false;
    t->criterion = xcalloc(t->rubric.case_count + t->rubric.check_count + 1, sizeof *t->criterion);
    for (size_t i = 0; i < t->rubric.case_count; i++) {
        const struct case_spec *c = &t->rubric.cases[i];
        t->criterion[t->criteria++] =
            (struct criterion){.name = c->name,
                               .title = c->hidden ? "a hidden case" : shape_class_name(c->shape),
                               .possible = c->points};
    }
    for (size_t i = 0; i < t->rubric.check_count; i++) {
        const struct check_spec *c = &t->rubric.checks[i];
        t->criterion[t->criteria++] =
            (struct criterion){.name = c->name, .title = c->title, .possible = c->points};
    }
    t->scores = xcalloc(b->list.count + 1, sizeof *t->scores);
    head(t);
    for (size_t i = 0; i < b->list.count; i++)
        add_student(t, &b->list.of[i]);
    if (b->roster)
        fill_roster(t);
    text_add(&t->entries, "entry,student,id,what became of it,why\r\n");
    for (size_t i = 0; i < b->list.entry_count; i++)
        add_entry(t, &b->list.entries[i]);
    qsort(t->scores, (size_t)t->graded, sizeof *t->scores, by_value);
    qsort(t->criterion, t->criteria, sizeof *t->criterion, by_loss);
    if (t->mistakes > 1)
        qsort(t->mistake, t->mistakes, sizeof *t->mistake, by_count);
    return true;
}

static void free_tables(struct tables *t) {
    for (size_t i = 0; i < t->mistakes; i++)
        free(t->mistake[i].name);
    free(t->mistake);
    free(t->criterion);
    free(t->scores);
    text_free(&t->csv);
    text_free(&t->entries);
    text_free(&t->without);
    text_free(&t->strays);
    text_free(&t->import);
    free(t->import_name);
    rubric_free(&t->rubric);
}

/* ---- Writing ---- */

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
            text_addf(s, "  %-13s %-28s %2d points  %4d of %d  %3.0f %%\n", c->name, c->title,
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
    bool ok = collect(&t, b, why);
    if (ok) {
        ok = account(&t, why);
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
        free_tables(&t);
    }
    text_free(&plain);
    text_free(&page);
    return ok;
}
