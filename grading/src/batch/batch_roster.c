/* batch_roster.c: which submission is whose on the roster (see batch_roster.h). */
#include "grading/src/batch/batch_roster.h"

#include "grading/src/batch/spelling.h"

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

/* Is this the beginning of most names of the platform that hold such a part: a title, as all of a
 * folder have it? */
static bool is_title(const struct class_list *list, enum platform platform, const char *name,
                     size_t n) {
    size_t all = 0, same = 0;
    for (size_t i = 0; i < list->count; i++) {
        const struct entry_in *e = &list->of[i];
        if (e->platform != platform || e->state == HANDED_IN_UNKNOWN ||
            !strchr(e->owner, name[n - 1]))
            continue;
        all++;
        same += strncmp(e->owner, name, n) == 0;
    }
    return 2 * same > all;
}

/* Blackboard's names are "TITLE_USER", both of which may hold "_"; those of GitHub's clones
 * "TITLE-USER". The end behind a title that is somebody's id; there may be no title. */
static size_t by_end(const struct roster *r, const struct class_list *list,
                     const struct entry_in *e, char part, bool *several) {
    size_t found = roster_by_id(r, e->owner, several);
    for (const char *at = e->owner; (at = strchr(at, part)); at++) {
        bool here;
        const size_t s = roster_by_id(r, at + 1, &here);
        if ((s == ROSTER_NONE && !here) ||
            !is_title(list, e->platform, e->owner, (size_t)(at + 1 - e->owner)))
            continue;
        *several = *several || here || (found != ROSTER_NONE && found != s);
        found = s;
    }
    return *several ? ROSTER_NONE : found;
}

/* The one student to whom the submission's names lead. */
static size_t whose(const struct roster *r, const struct class_list *list, const struct entry_in *e,
                    bool *several) {
    *several = false;
    if (e->platform == PLATFORM_BLACKBOARD && !e->told)
        return by_end(r, list, e, '_', several);
    size_t s = by_any(r, e->id, e->student, several);
    if (s != ROSTER_NONE || *several)
        return s;
    /* "23304308 Angood": Brightspace puts an id in front of the name. */
    const size_t word = strcspn(e->student, " ");
    char *first = xasprintf("%.*s", (int)word, e->student);
    if (e->platform == PLATFORM_BRIGHTSPACE && e->student[word])
        s = by_any(r, first, e->student + word + 1, several);
    else if (e->platform == PLATFORM_NONE)
        s = roster_by_id(r, e->student, several);
    if (s == ROSTER_NONE && !*several && e->platform == PLATFORM_NONE)
        s = strncmp(e->name, "submission_", 11) == 0 ? roster_by_id(r, e->name + 11, several)
                                                     : by_end(r, list, e, '-', several);
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

static bool beyond_ascii(const char *s) {
    while (*s && (unsigned char)*s < 0x80)
        s++;
    return *s != '\0';
}

/* Nobody's by the roster: says why, and what may help. */
static void say_stray(struct matching *m, struct entry_in *e, bool several) {
    const struct roster *r = &m->br->roster;
    if (e->platform == PLATFORM_BLACKBOARD && !e->told) { /* "evil_bob" is not to be called bob */
        free(e->student);
        free(e->id);
        e->student = xstrdup(e->owner);
        e->id = xstrdup(e->owner);
    }
    const size_t near = roster_but_for_zeros(r, *e->id ? e->id : e->student);
    if (several) {
        entry_add_note(
            e, xstrdup("not on the roster by its name and id alone: several students have them"));
        for (size_t s = 0; s < r->students; s++)
            if (!m->br->doubt[s] && roster_is_called(r, s, e->student))
                m->br->doubt[s] = xstrdup(e->name);
    } else if (near != ROSTER_NONE) {
        entry_add_note(e, xasprintf("not on the roster, where the id %s differs only in leading "
                                    "zeros: put them back there",
                                    roster_id(r, near)));
    } else if (!spelling_knows_unicode() && beyond_ascii(e->student)) {
        entry_add_note(e, xstrdup("not on the roster in this spelling: tools/setup class and make "
                                  "grader-tools bring what compares all"));
    } else {
        entry_add_note(e, xstrdup("not on the roster"));
    }
}

static void match_one(struct matching *m, size_t row) {
    struct entry_in *e = &m->list->of[row];
    const struct roster *r = &m->br->roster;
    char *ids = xstrdup(e->id), *names = xstrdup(e->student), *rest = ids, *rest_names = names;
    const bool group = strncmp(e->name, "submission_", 11) == 0 && strstr(ids, " and ");
    bool several = false;
    if (!group) {
        const size_t s = whose(r, m->list, e, &several);
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
        say_stray(m, e, several);
    free(ids);
    free(names);
}

/* A PDF, a link, a page of words: what is no submission is somebody's all the same. */
static void match_unknown(struct matching *m, size_t row) {
    struct entry_in *e = &m->list->of[row];
    const struct roster *r = &m->br->roster;
    bool several;
    char *stem = xstrdup(e->name), *dot = strrchr(stem, '.');
    if (dot && dot > stem)
        *dot = '\0';
    size_t s = by_any(r, stem, stem, &several);
    s = s == ROSTER_NONE ? roster_in_name(r, e->name) : s;
    free(stem);
    if (s == ROSTER_NONE)
        return;
    const size_t before = found_row(m, m->br->row[s]);
    struct dir_entry *d = m->list->entries;
    while (d->row != row || d->fate != FATE_UNKNOWN)
        d++;
    e->on_roster = true;
    if (before == ROSTER_NONE) {
        char *why = xasprintf("something else handed in: %s", e->why + strlen(NOT_RECOGNISED));
        free(e->why);
        e->why = why;
        e->state = HANDED_IN_OTHER;
        d->fate = FATE_UNGRADED;
        m->br->row[s] = row;
    } else {
        d->fate = has_file(&m->list->of[before]) ? FATE_BESIDE : FATE_UNGRADED;
        d->row = before;
        m->into[row] = before;
    }
}

/* Who is matched is called as the roster has it: tables, pseudonyms and the import agree. */
static void call_as_roster(const struct batch_roster *br, struct class_list *list) {
    const struct roster *r = &br->roster;
    size_t *owners = xcalloc(list->count + 1, sizeof *owners);
    for (size_t s = 0; s < r->students; s++)
        if (br->row[s] != ROSTER_NONE)
            owners[br->row[s]] += r->same[s] == s;
    for (size_t s = 0; s < r->students; s++) {
        if (br->row[s] == ROSTER_NONE || owners[br->row[s]] != 1)
            continue; /* a group keeps its members' names */
        struct entry_in *e = &list->of[br->row[s]];
        const char *id = roster_id(r, s);
        free(e->student);
        e->student = roster_name(r, s);
        if (*id) {
            free(e->id);
            e->id = xstrdup(id);
        }
    }
    free(owners);
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
    br->doubt = xcalloc(br->roster.students + 1, sizeof *br->doubt);
    for (size_t s = 0; s < br->roster.students; s++)
        br->row[s] = ROSTER_NONE;
    for (size_t i = 0; i < list->count; i++)
        m.into[i] = i;
    for (size_t i = 0; i < list->count; i++)
        if (list->of[i].state != HANDED_IN_UNKNOWN)
            match_one(&m, i);
    for (size_t i = 0; i < list->count; i++)
        if (list->of[i].state == HANDED_IN_UNKNOWN)
            match_unknown(&m, i);
    for (size_t s = 0; s < br->roster.students; s++)
        br->row[s] = br->row[br->roster.same[s]];
    close_ranks(&m);
    call_as_roster(br, list);
    free(m.into);
}

void batch_roster_free(struct batch_roster *br) {
    for (size_t s = 0; br->doubt && s < br->roster.students; s++)
        free(br->doubt[s]);
    free(br->doubt);
    roster_free(&br->roster);
    free(br->row);
    *br = (struct batch_roster){0};
}

bool batch_roster_is_missing(const struct batch_roster *br, size_t student) {
    return br->row[student] == ROSTER_NONE && br->roster.same[student] == student &&
           !roster_is_test(&br->roster, student);
}

size_t batch_roster_missing(const struct batch_roster *br) {
    size_t n = 0;
    for (size_t s = 0; s < br->roster.students; s++)
        n += batch_roster_is_missing(br, s);
    return n;
}

bool batch_roster_fits(const struct batch_roster *br, const struct class_list *list,
                       const char *shown, struct text *why) {
    const struct entry_in *stranger = NULL;
    size_t submissions = 0;
    for (size_t i = 0; i < list->count; i++) {
        if (list->of[i].state == HANDED_IN_UNKNOWN)
            continue;
        stranger = submissions++ == 0 ? &list->of[i] : stranger;
        if (list->of[i].on_roster)
            return true;
    }
    if (submissions == 0)
        return true;
    text_addf(why, "none of those who handed in (%zu, such as ", submissions);
    text_add_clean_line(why, stranger->student, strlen(stranger->student), 60);
    if (*stranger->id && strcmp(stranger->id, stranger->student) != 0) {
        text_add(why, ", ");
        text_add_clean_line(why, stranger->id, strlen(stranger->id), 60);
    }
    text_addf(why, ") is on the roster %s. Its headings: ", shown);
    roster_say_headings(why, &br->roster);
    text_add(why, ". Is it this class's? If it is, rename its headings to 'id', 'name' and 'email' "
                  "in a copy");
    return false;
}
