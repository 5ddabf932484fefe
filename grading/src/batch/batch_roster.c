/* batch_roster.c: which submission is whose on the roster (see batch_roster.h). */
#include "grading/src/batch/batch_roster.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- One submission ---- */

static size_t by_any(const struct roster *r, const char *id, const char *name, bool *several) {
    size_t s = roster_by_id(r, id, several);
    if (s == ROSTER_NONE && !*several)
        s = roster_by_name(r, name, several);
    return s;
}

/* Blackboard's names are "TITLE_USER", both of which may hold "_"; those of GitHub's clones
 * "TITLE-USER": the longest end that is somebody's id. */
static size_t by_end(const struct roster *r, const char *name, char part) {
    size_t s = ROSTER_NONE;
    bool several;
    for (const char *at = name; s == ROSTER_NONE && (at = strchr(at, part)); at++)
        s = roster_by_id(r, at + 1, &several);
    return s;
}

/* The one student to whom the submission's names lead. */
static size_t whose(const struct roster *r, const struct entry_in *e, bool *several) {
    size_t s = by_any(r, e->id, e->student, several);
    if (s != ROSTER_NONE || *several)
        return s;
    /* "23304308 Angood": Brightspace puts an id in front of the name. */
    const size_t word = strcspn(e->student, " ");
    char *first = xasprintf("%.*s", (int)word, e->student);
    if (e->platform == PLATFORM_BLACKBOARD)
        s = by_end(r, e->owner, '_');
    else if (e->platform == PLATFORM_BRIGHTSPACE && e->student[word])
        s = by_any(r, first, e->student + word + 1, several);
    else if (e->platform == PLATFORM_NONE)
        s = roster_by_id(r, e->student, several);
    if (s == ROSTER_NONE && !*several && e->platform == PLATFORM_NONE)
        s = strncmp(e->name, "submission_", 11) == 0 ? roster_by_id(r, e->name + 11, several)
                                                     : by_end(r, e->name, '-');
    free(first);
    return s;
}

/* The next of what Gradescope joins with " and ", NULL at the end; cuts it off. */
static char *next_part(char **rest) {
    char *part = *rest;
    if (!part)
        return NULL;
    char *end = strstr(part, " and ");
    if (end)
        *end = '\0';
    *rest = end ? end + 5 : NULL;
    return part;
}

/* ---- Rows that are one student's ---- */

struct matching {
    struct batch_roster *br;
    struct class_list *list;
    size_t *into; /* for each row the row that it became part of; else itself */
};

static bool has_file(const struct entry_in *e) {
    return e->state == HANDED_IN || e->state == HANDED_IN_ARCHIVE;
}

static bool timed(const struct entry_in *e) {
    return e->attempt && strchr(e->attempt, '-');
}

/* Of two rows the one that counts; NULL: nothing says which. */
static struct entry_in *later(struct entry_in *a, struct entry_in *b) {
    if (has_file(a) != has_file(b))
        return has_file(a) ? a : b;
    const int order = timed(a) && timed(b) ? name_compare_attempts(a->attempt, b->attempt) : 0;
    return order > 0 ? a : order < 0 ? b : NULL;
}

static void merge(struct matching *m, size_t first, size_t second) {
    struct entry_in *a = &m->list->of[first], *b = &m->list->of[second];
    const struct entry_in *counts = later(a, b);
    const size_t into = counts == b ? second : first, from = into == first ? second : first;
    struct entry_in *e = &m->list->of[into];
    if (counts) {
        entry_add_note(e, xasprintf("handed in twice: %s counts, %s does not", e->name,
                                    m->list->of[from].name));
    } else {
        free(e->why);
        free(e->path);
        e->path = NULL;
        e->why = xasprintf("handed in twice, as %s and as %s, and nothing says which is the later",
                           a->name, b->name);
        e->state = HANDED_IN_SEVERAL;
    }
    for (size_t i = 0; i < m->list->entry_count; i++) {
        struct dir_entry *d = &m->list->entries[i];
        if (!fate_words[d->fate].row || (d->row != from && d->row != into))
            continue;
        if (d->fate == FATE_GRADED && (!counts || d->row == from))
            d->fate = counts ? FATE_EARLIER : FATE_UNGRADED;
        d->row = into;
    }
    m->into[from] = into;
}

static size_t found_row(const struct matching *m, size_t row) {
    while (row != ROSTER_NONE && m->into[row] != row)
        row = m->into[row];
    return row;
}

static void matched(struct matching *m, size_t student, size_t row) {
    const size_t before = found_row(m, m->br->row[student]);
    m->list->of[row].on_roster = true;
    if (before == ROSTER_NONE || before == row)
        m->br->row[student] = row;
    else
        merge(m, before, row);
}

static void match_one(struct matching *m, size_t row) {
    struct entry_in *e = &m->list->of[row];
    const struct roster *r = &m->br->roster;
    char *ids = xstrdup(e->id), *names = xstrdup(e->student), *rest = ids, *rest_names = names;
    const bool group = strncmp(e->name, "submission_", 11) == 0 && strstr(ids, " and ");
    bool several = false;
    if (!group) {
        const size_t s = whose(r, e, &several);
        if (s != ROSTER_NONE)
            matched(m, s, row);
    }
    for (char *id, *name; group && (id = next_part(&rest));) {
        name = next_part(&rest_names);
        const size_t s = by_any(r, id, name ? name : "", &several);
        if (s != ROSTER_NONE)
            matched(m, s, row);
    }
    if (!e->on_roster)
        entry_add_note(e, xstrdup(several ? "not on the roster by this name alone: several are "
                                            "called so"
                                          : "not on the roster"));
    free(ids);
    free(names);
}

/* Takes the rows that became part of others out of the list. */
static void close_ranks(struct matching *m) {
    size_t *place = xcalloc(m->list->count + 1, sizeof *place), left = 0;
    for (size_t i = 0; i < m->list->count; i++) {
        place[i] = left;
        if (m->into[i] != i) {
            batch_entry_free(&m->list->of[i]);
            continue;
        }
        m->list->of[left] = m->list->of[i];
        left++;
    }
    for (size_t i = 0; i < m->list->entry_count; i++)
        if (fate_words[m->list->entries[i].fate].row)
            m->list->entries[i].row = place[m->list->entries[i].row];
    for (size_t s = 0; s < m->br->roster.students; s++) {
        const size_t row = found_row(m, m->br->row[s]);
        m->br->row[s] = row == ROSTER_NONE ? ROSTER_NONE : place[row];
    }
    m->list->count = left;
    free(place);
}

void batch_roster_match(struct batch_roster *br, struct class_list *list) {
    struct matching m = {.br = br, .list = list};
    m.into = xcalloc(list->count + 1, sizeof *m.into);
    br->row = xcalloc(br->roster.students + 1, sizeof *br->row);
    for (size_t s = 0; s < br->roster.students; s++)
        br->row[s] = ROSTER_NONE;
    for (size_t i = 0; i < list->count; i++)
        m.into[i] = i;
    for (size_t i = 0; i < list->count; i++)
        if (list->of[i].state != HANDED_IN_UNKNOWN)
            match_one(&m, i);
    close_ranks(&m);
    free(m.into);
}

void batch_roster_free(struct batch_roster *br) {
    roster_free(&br->roster);
    free(br->row);
    *br = (struct batch_roster){0};
}

size_t batch_roster_missing(const struct batch_roster *br) {
    size_t n = 0;
    for (size_t s = 0; s < br->roster.students; s++)
        n += br->row[s] == ROSTER_NONE;
    return n;
}
