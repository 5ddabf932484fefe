/* batch_tables.c: what came of a class, counted (see batch_tables.h). */
#include "grading/src/batch/batch_tables.h"

#include "grading/src/batch/batch_anonymous.h"
#include "grading/src/batch/batch_out.h"
#include "grading/src/batch/batch_roster.h"

#include <jansson.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

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

static void cell_of(struct text *t, const char *s, size_t columns) {
    struct text clean = {0};
    text_add_clean_line(&clean, s, strlen(s), columns);
    text_add_cell(t, text_get(&clean));
    text_free(&clean);
}

static void cell(struct text *t, const char *s) {
    cell_of(t, s, 400);
}

/* Whole, however long: what reads the table looks for the file. */
static void path_cell(struct text *t, const char *path) {
    cell_of(t, path, SIZE_MAX);
}

static const char *class_of(const json_t *o) {
    const char *name = json_string_value(json_object_get(json_object_get(o, "diagnosis"), "class"));
    return name ? name : "";
}

/* One more of this class; `who` made it, or NULL. */
static void count_mistake(struct mistakes *all, const char *name, const char *who) {
    size_t i = 0;
    if (!*name)
        return;
    while (i < all->count && strcmp(all->of[i].name, name) != 0)
        i++;
    if (i == all->count) {
        all->of = xrealloc(all->of, (all->count + 1) * sizeof *all->of);
        all->of[all->count++] = (struct mistake){.name = xstrdup(name)};
    }
    struct mistake *m = &all->of[i];
    m->count++;
    if (!who)
        return;
    text_add(&m->who, m->who.length ? ", " : "");
    text_add_clean_line(&m->who, who, strlen(who), 60);
}

static void free_mistakes(struct mistakes *all) {
    for (size_t i = 0; i < all->count; i++) {
        free(all->of[i].name);
        text_free(&all->of[i].who);
    }
    free(all->of);
}

static void head(struct tables *t) {
    text_add(&t->csv,
             "student,id,file,status,points,points_possible,percent,mistake,flags,seed,note,"
             "handed_in");
    for (size_t i = 0; i < t->criteria; i++) {
        text_add(&t->csv, ",");
        cell(&t->csv, t->criterion[i].name);
    }
    text_add(&t->csv, "\r\n");
}

/* Counts who lost it, and why: the cause of its own failure, or else of the whole file's. */
static void count_lost(struct criterion *c, const json_t *o, const json_t *result) {
    const char *verdict = json_string_value(json_object_get(o, "verdict"));
    const double points = json_number_value(json_object_get(o, "points"));
    if (!verdict || json_is_true(json_object_get(o, "premature")))
        return;
    c->judged++;
    if (strcmp(verdict, "pass") == 0 || strcmp(verdict, "met") == 0)
        return;
    c->lost++;
    c->points_lost += c->possible - points;
    const char *own = class_of(o);
    count_mistake(&c->why, *own ? own : class_of(result), NULL);
}

static void criterion_cell(struct tables *t, struct criterion *c, const json_t *result,
                           bool refused) {
    const json_t *o = entry_of(result, c->name);
    const char *verdict = json_string_value(json_object_get(o, "verdict"));
    text_add(&t->csv, ",");
    if (!refused && (!o || (verdict && strcmp(verdict, "not_graded") == 0)))
        return;
    if (!refused)
        count_lost(c, o, result);
    text_addf(&t->csv, "%g", json_number_value(json_object_get(o, "points")));
}

/* "Ada: what is to be said of her." */
static void add_line(struct text *lines, const struct entry_in *e, const char *why) {
    text_add_clean_line(lines, e->student, strlen(e->student), 60);
    text_add(lines, ": ");
    text_add_clean_line(lines, why, strlen(why), 240);
    text_add(lines, "\n");
}

/* Why a file was refused, and the first thing that the compiler said of it. The caller frees it. */
static char *refusal_of(const struct tables *t, const struct entry_in *e, const json_t *result) {
    const char *why = json_string_value(json_object_get(result, "refused"));
    const char *said = json_string_value(json_object_get(result, "messages"));
    const char *slash = e->path ? strrchr(e->path, '/') : NULL;
    struct text all = {0};
    text_add(&all, why);
    if (slash) { /* the file's name will do */
        char *folder = xasprintf("%.*s", (int)(slash + 1 - e->path), e->path);
        text_replace(&all, folder, "");
        free(folder);
    }
    if (said && !t->b->anonymous) {
        said += strspn(said, " \n");
        text_add(&all, " ");
        text_add_clean_line(&all, said, strcspn(said, "\n"), 120);
    }
    const size_t n = all.length;
    char *line = xstrdup(text_get(&all));
    text_free(&all);
    if (n > 0 && line[n - 1] == ':') /* and nothing follows */
        line[n - 1] = '\0';
    return line;
}

/* Without names there are no times either: they tell who it was to whoever saw the download. */
static void handed_in_cell(struct tables *t, const struct entry_in *e) {
    char *time = t->b->anonymous ? xstrdup("") : entry_handed_in(e);
    text_add(&t->csv, ",");
    cell(&t->csv, time);
    free(time);
}

/* A student with a grade. */
static void add_grade(struct tables *t, const struct entry_in *e, const json_t *o) {
    const double points = json_number_value(json_object_get(o, "points"));
    const double possible = json_number_value(json_object_get(o, "points_possible"));
    const double percent = possible > 0 ? 100.0 * points / possible : 0;
    const bool refused = json_is_string(json_object_get(o, "refused"));
    const size_t flags = json_array_size(json_object_get(o, "flags"));
    text_addf(&t->csv, "%s,%g,%g,%.2f,", refused ? "refused" : "graded", points, possible, percent);
    cell(&t->csv, class_of(o));
    text_addf(&t->csv, ",%zu,%s,", flags, json_string_value(json_object_get(o, "seed")));
    char *why = refused ? refusal_of(t, e, o) : NULL;
    char *note = why && e->note ? xasprintf("%s; %s", why, e->note) : NULL;
    cell(&t->csv, note ? note : why ? why : e->note ? e->note : "");
    handed_in_cell(t, e);
    if (why)
        add_line(&t->refusals, e, note ? note : why);
    if (e->other_lab)
        add_line(&t->other_labs, e, "another lab's file, by its name");
    free(why);
    free(note);
    for (size_t i = 0; i < t->criteria; i++)
        criterion_cell(t, &t->criterion[i], o, refused);
    count_mistake(&t->mistakes, refused && !*class_of(o) ? "refused" : class_of(o), e->student);
    class_board_add(&t->board, t->b, (size_t)(e - t->b->list.of), o);
    t->scores[t->graded++] = percent;
    t->sum += percent;
    t->refused += refused;
    t->flagged += flags > 0;
    t->full += points >= possible;
    t->bins[points >= possible ? BINS - 1 : (int)(percent / 10)]++;
}

/* What a row without a grade is called, and why it has none. */
static const char *state_of(struct tables *t, const struct entry_in *e) {
    switch (e->state) {
    case HANDED_IN_NONE: t->nothing++; return "nothing handed in";
    case HANDED_IN_OTHER: t->other++; return "something else handed in";
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
    path_cell(&t->csv, t->b->anonymous ? "" : e->path ? e->path : e->name);
    text_add(&t->csv, ",");
    if (e->done && o) {
        add_grade(t, e, o);
    } else {
        why = e->why ? e->why : why ? why : "not graded yet";
        text_addf(&t->csv, "%s,,,,\"\",,,", state_of(t, e));
        char *note = e->note ? xasprintf("%s; %s", why, e->note) : xstrdup(why);
        cell(&t->csv, note);
        handed_in_cell(t, e);
        for (size_t i = 0; i < t->criteria; i++)
            text_add(&t->csv, ",");
        add_line(&t->without, e, note);
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
        if (e->note) {
            text_add(&t->strays, ": ");
            text_add_clean_line(&t->strays, e->note, strlen(e->note), 200);
        }
        text_add(&t->strays, "\n");
    }
    json_decref(o);
    t->rows++;
}

/* A student of the roster of whom nothing is there. */
static void add_missing(struct tables *t, const char *name, const char *id, const char *doubt) {
    char *why = doubt ? xasprintf("missing: %s was handed in, and several on the roster have its "
                                  "name or id: only an id of each one's own tells whose it is",
                                  doubt)
                      : xstrdup("missing: on the roster, but handed in nothing");
    char *copy = xstrdup(name);
    const struct entry_in e = {.student = copy};
    cell(&t->csv, name);
    text_add(&t->csv, ",");
    cell(&t->csv, id);
    text_add(&t->csv, ",\"\",missing,,,,\"\",,,");
    cell(&t->csv, why);
    text_add(&t->csv, ",\"\"");
    for (size_t i = 0; i < t->criteria; i++)
        text_add(&t->csv, ",");
    text_add(&t->csv, "\r\n");
    add_line(&t->without, &e, why);
    free(copy);
    free(why);
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
        if (!batch_roster_is_missing(br, s))
            continue;
        char *name = roster_name(&br->roster, s);
        if (a)
            nameless[count++] = a->missing[s];
        else
            add_missing(t, name, roster_id(&br->roster, s), br->doubt[s]);
        free(name);
    }
    if (count > 1)
        qsort(nameless, count, sizeof *nameless, by_text);
    for (size_t i = 0; i < count; i++)
        add_missing(t, nameless[i], "", NULL);
    free(nameless);
}

/* One student's points, unless the platform has closed the grade; what it will not take is told. */
static void fill_one(struct tables *t, size_t student, double points) {
    struct roster *r = &t->b->roster->roster;
    const double most = roster_most(r, student);
    const struct entry_in who = {.student = roster_name(r, student)};
    char *text = xasprintf("%g", points), *say = NULL;
    if (roster_is_closed(r, student))
        say = xasprintf("the roster says that this grade cannot be changed: left as it was, not "
                        "set to %g",
                        points);
    else
        roster_set_points(r, student, text);
    if (!say && most > 0 && points > most)
        say = xasprintf("%g points, and the platform takes %g at most", points, most);
    if (say && !t->b->anonymous)
        add_line(&t->refused_there, &who, say);
    free(say);
    free(text);
    free(who.student);
}

/* The roster, with the points of everybody who has some. What is not graded stays as it was. */
static void fill_roster(struct tables *t) {
    struct batch_roster *br = t->b->roster;
    add_all_missing(t);
    for (size_t s = 0; s < br->roster.students; s++) {
        const struct entry_in *e = br->row[s] == ROSTER_NONE ? NULL : &t->b->list.of[br->row[s]];
        json_t *o = e && e->done ? json_load_file(e->result, 0, NULL) : NULL;
        const json_t *points = json_object_get(o, "points");
        if (points)
            fill_one(t, s, json_number_value(points));
        json_decref(o);
    }
    if (t->b->anonymous)
        return; /* a roster is nothing but names */
    t->import_name = batch_out_import(t->b);
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

bool tables_account(const struct tables *t, struct text *why) {
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

/* What cost the class most points comes first. */
static int by_loss(const void *a, const void *b) {
    const struct criterion *x = a, *y = b;
    const int order = (y->points_lost > x->points_lost) - (y->points_lost < x->points_lost);
    return order ? order : y->lost - x->lost;
}

static int by_count(const void *a, const void *b) {
    const struct mistake *x = a, *y = b;
    return y->count != x->count ? y->count - x->count : strcmp(x->name, y->name);
}

static void sort_mistakes(struct mistakes *all) {
    if (all->count > 1)
        qsort(all->of, all->count, sizeof *all->of, by_count);
}

bool tables_collect(struct tables *t, const struct batch *b, struct text *why) {
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
    for (size_t i = 0; i < t->criteria; i++)
        sort_mistakes(&t->criterion[i].why);
    sort_mistakes(&t->mistakes);
    class_board_settle(&t->board, b, &t->names);
    return true;
}

void tables_free(struct tables *t) {
    for (size_t i = 0; i < t->criteria; i++)
        free_mistakes(&t->criterion[i].why);
    free_mistakes(&t->mistakes);
    class_board_free(&t->board);
    text_free(&t->names);
    free(t->criterion);
    free(t->scores);
    text_free(&t->csv);
    text_free(&t->entries);
    text_free(&t->without);
    text_free(&t->refusals);
    text_free(&t->refused_there);
    text_free(&t->other_labs);
    text_free(&t->strays);
    text_free(&t->import);
    free(t->import_name);
    rubric_free(&t->rubric);
}
