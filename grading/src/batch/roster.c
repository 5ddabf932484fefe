/* roster.c: who is in the class (see roster.h). */
#include "grading/src/batch/roster.h"

#include "grading/src/batch/roster_columns.h"
#include "grading/src/batch/spelling.h"

#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>
#include <unistd.h>

#define LEAST_ID 3 /* characters of an id that is looked for within a name */

/* ---- Who is in it ---- */

static bool blank(const char *s) {
    return s[strspn(s, " \t\r\n\xc2\xa0")] == '\0';
}

/* Rows that have an id are students; Canvas's row of points possible has none. */
static void find_students(struct roster *r) {
    r->student = xcalloc(r->table.count + 1, sizeof *r->student);
    for (size_t row = r->head + 1; row < r->table.count; row++) {
        bool is =
            r->ids == 0 && r->name != ROSTER_NONE && !blank(table_cell(&r->table, row, r->name));
        is = is ||
             (r->ids == 0 && r->last != ROSTER_NONE && !blank(table_cell(&r->table, row, r->last)));
        for (size_t i = 0; i < r->ids; i++)
            is = is || !blank(table_cell(&r->table, row, r->id[i]));
        if (is)
            r->student[r->students++] = row;
    }
}

/* A cell without the blanks around it, and without Brightspace's "#" in front. */
static char *trimmed(const char *s) {
    s += strspn(s, " \t");
    s += *s == '#';
    char *copy = xstrdup(s);
    for (size_t n = strlen(copy); n > 0 && strchr(" \t", copy[n - 1]); n--)
        copy[n - 1] = '\0';
    return copy;
}

/* ---- What they may be called ---- */

static void add_key(struct roster_keys *k, char *text, size_t student) {
    if (!*text) {
        free(text);
        return;
    }
    if ((k->count & (k->count - 1)) == 0)
        k->of = xrealloc(k->of, (k->count ? 2 * k->count : 1) * sizeof *k->of);
    k->of[k->count++] = (struct roster_key){.text = text, .student = student};
}

static void free_keys(struct roster_keys *k) {
    for (size_t i = 0; i < k->count; i++)
        free(k->of[i].text);
    free(k->of);
}

/* An id, or its part, as it is compared. */
static char *id_key(const char *s) {
    char *folded = spelling_folded(s), *key = trimmed(folded);
    free(folded);
    return key;
}

/* The number that a cell ends with: of "Participant 101" and "Teilnehmer/in101" the platform's id;
 * all of it where there is none. */
static const char *number_at_end(const char *cell) {
    const char *at = cell + strlen(cell);
    while (at > cell && isdigit((unsigned char)at[-1]))
        at--;
    return *at ? at : cell;
}

static void add_ids(struct roster *r, size_t student) {
    for (size_t i = 0; i < r->ids; i++) {
        char *cell = id_key(table_cell(&r->table, r->student[student], r->id[i]));
        const char *number = strrchr(cell, ' ');
        add_key(&r->by_id, xstrdup(cell), student);
        if (r->id[i] == r->marked)
            add_key(&r->by_id, xstrdup(number_at_end(cell)), student);
        else if (number && number[1 + strspn(number + 1, "0123456789")] == '\0')
            add_key(&r->by_id, xstrdup(number + 1), student);
        char *at = strchr(cell, '@');
        if (at) {
            *at = '\0';
            add_key(&r->by_id, xstrdup(cell), student);
        }
        free(cell);
    }
}

static void add_name(struct roster *r, size_t student, const char *one, const char *two) {
    char *both = xasprintf("%s%s", one, two);
    add_key(&r->by_name, spelling_squeezed(both), student);
    free(both);
}

static void add_names(struct roster *r, size_t student) {
    const size_t row = r->student[student];
    const char *first = r->first == ROSTER_NONE ? "" : table_cell(&r->table, row, r->first);
    const char *last = r->last == ROSTER_NONE ? "" : table_cell(&r->table, row, r->last);
    char *whole = xstrdup(r->name == ROSTER_NONE ? "" : table_cell(&r->table, row, r->name));
    if (*first && *last) {
        add_name(r, student, first, last);
        add_name(r, student, last, first);
    }
    add_name(r, student, whole, "");
    char *comma = strchr(whole, ','), *gap = strrchr(whole, ' ');
    if (comma) {
        *comma = '\0';
        add_name(r, student, comma + 1, whole);
    } else if (gap) { /* "Ada Lovelace" as Canvas's "lovelaceada" */
        *gap = '\0';
        add_name(r, student, gap + 1, whole);
    }
    free(whole);
}

static int by_text(const void *x, const void *y) {
    const struct roster_key *a = x, *b = y;
    const int order = strcmp(a->text, b->text);
    return order ? order : (a->student > b->student) - (a->student < b->student);
}

/* A student of two sections may stand on two lines. Who has an id, and all ids and the name are the
 * same, is the same one. */
static void find_repeated(struct roster *r) {
    struct roster_keys all = {0};
    r->same = xcalloc(r->students + 1, sizeof *r->same);
    for (size_t s = 0; s < r->students; s++) {
        struct text identity = {0};
        char *name = roster_name(r, s), *key = spelling_squeezed(name);
        for (size_t i = 0; i < r->ids; i++) {
            char *id = id_key(table_cell(&r->table, r->student[s], r->id[i]));
            text_addf(&identity, "%s\n", id);
            free(id);
        }
        text_add(&identity, key);
        r->same[s] = s;
        if (*roster_id(r, s))
            add_key(&all, xstrdup(text_get(&identity)), s);
        text_free(&identity);
        free(name);
        free(key);
    }
    if (all.count > 1)
        qsort(all.of, all.count, sizeof *all.of, by_text);
    for (size_t i = 1; i < all.count; i++) {
        if (strcmp(all.of[i].text, all.of[i - 1].text) != 0)
            continue;
        r->same[all.of[i].student] = r->same[all.of[i - 1].student];
        r->repeated++;
    }
    free_keys(&all);
}

static void index_students(struct roster *r) {
    find_repeated(r);
    for (size_t i = 0; i < r->students; i++) {
        if (r->same[i] != i)
            continue;
        add_ids(r, i);
        add_names(r, i);
    }
    if (r->by_id.count > 1)
        qsort(r->by_id.of, r->by_id.count, sizeof *r->by_id.of, by_text);
    if (r->by_name.count > 1)
        qsort(r->by_name.of, r->by_name.count, sizeof *r->by_name.of, by_text);
}

static size_t look_up(const struct roster_keys *k, const char *text, bool *several) {
    size_t low = 0, high = k->count;
    *several = false;
    while (low < high) {
        const size_t middle = low + (high - low) / 2;
        if (strcmp(k->of[middle].text, text) < 0)
            low = middle + 1;
        else
            high = middle;
    }
    size_t found = ROSTER_NONE;
    for (; low < k->count && *text && strcmp(k->of[low].text, text) == 0; low++) {
        *several = *several || (found != ROSTER_NONE && found != k->of[low].student);
        found = k->of[low].student;
    }
    return *several ? ROSTER_NONE : found;
}

size_t roster_by_id(const struct roster *r, const char *id, bool *several) {
    char *key = id_key(id);
    const size_t found = look_up(&r->by_id, key, several);
    free(key);
    return found;
}

size_t roster_by_name(const struct roster *r, const char *name, bool *several) {
    char *key = spelling_squeezed(name);
    const size_t found = look_up(&r->by_name, key, several);
    free(key);
    return found;
}

/* ---- The table as a whole ---- */

/* "100.00", and "100,00" where a comma is the decimal sign. */
static double number_of(const char *cell) {
    char *plain = xstrdup(cell), *comma = strchr(plain, ',');
    if (comma)
        *comma = '.';
    const double value = strtod(plain, NULL);
    free(plain);
    return value;
}

/* The most points that the platform has for the column: in Canvas's second row, in Moodle's own
 * column, in Blackboard's and Brightspace's headings. */
static void find_most(struct roster *r) {
    const char *heading = table_cell(&r->table, r->head, r->points);
    static const char *const marks[] = {"Total Pts: ", "MaxPoints:"};
    for (size_t i = 0; i < sizeof marks / sizeof *marks; i++) {
        const char *at = strstr(heading, marks[i]);
        if (at)
            r->points_most = strtod(at + strlen(marks[i]), NULL);
    }
    if (r->maximum != ROSTER_NONE && r->students > 0)
        r->points_most = number_of(table_cell(&r->table, r->student[0], r->maximum));
    if (strcmp(r->kind, "canvas") == 0 && !r->points_new)
        for (size_t row = r->head + 1; row < r->table.count && r->points_most == 0 &&
                                       (r->students == 0 || row < r->student[0]);
             row++)
            r->points_most = strtod(table_cell(&r->table, row, r->points), NULL);
    if (!(r->points_most > 0 && r->points_most < 1e9))
        r->points_most = 0;
}

bool roster_parse(struct roster *r, const char *bytes, size_t n, const char *shown,
                  const char *column, const struct lab_spec *lab, struct text *why) {
    struct text reason = {0};
    *r = (struct roster){.kind = "roster"};
    const bool read = table_read(&r->table, bytes, n, &reason);
    if (!read)
        text_addf(why, "%s: %s", shown, text_get(&reason));
    text_free(&reason);
    if (!read)
        return false;
    if (r->table.count == 0) {
        text_addf(why, "%s is empty: export it again", shown);
        return false;
    }
    if (!roster_find_head(r)) {
        text_addf(why,
                  "%s has no column of ids or names: its first line must have headings, as your "
                  "platform exports them, or 'id' and 'name'",
                  shown);
        return false;
    }
    if (!roster_find_columns(r, shown, column, lab->name, why))
        return false;
    find_students(r);
    if (r->students == 0) {
        text_addf(why, "%s lists no students below its headings", shown);
        return false;
    }
    find_most(r);
    index_students(r);
    return true;
}

bool roster_read(struct roster *r, const char *path, const char *column, const struct lab_spec *lab,
                 struct text *why) {
    *r = (struct roster){.kind = "roster"};
    const int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
    struct stat s;
    if (fd < 0 || fstat(fd, &s) != 0 || !S_ISREG(s.st_mode)) {
        text_addf(why, "cannot read the roster %s: %s", path,
                  fd < 0 ? strerror(errno) : "it is not a file");
        if (fd >= 0)
            close(fd);
        return false;
    }
    struct text all = {0};
    char part[65536];
    for (ssize_t n; all.length <= TABLE_MOST_BYTES && (n = read(fd, part, sizeof part)) > 0;)
        text_add_bytes(&all, part, (size_t)n);
    close(fd);
    const bool ok = roster_parse(r, text_get(&all), all.length, path, column, lab, why);
    text_free(&all);
    return ok;
}

void roster_free(struct roster *r) {
    table_free(&r->table);
    free(r->student);
    free(r->same);
    free_keys(&r->by_id);
    free_keys(&r->by_name);
    *r = (struct roster){0};
}

const char *roster_id(const struct roster *r, size_t student) {
    for (size_t i = 0; i < r->ids; i++) {
        const char *id = table_cell(&r->table, r->student[student], r->id[i]);
        if (!blank(id))
            return r->id[i] == r->marked ? number_at_end(id) : id;
    }
    return "";
}

char *roster_name(const struct roster *r, size_t student) {
    const size_t row = r->student[student];
    const char *name = r->name == ROSTER_NONE ? "" : table_cell(&r->table, row, r->name);
    const char *first = r->first == ROSTER_NONE ? "" : table_cell(&r->table, row, r->first);
    const char *last = r->last == ROSTER_NONE ? "" : table_cell(&r->table, row, r->last);
    if (blank(name) && blank(first) && blank(last))
        return trimmed(roster_id(r, student));
    if (!blank(name))
        return trimmed(name);
    char *both = xasprintf("%s %s", first, last), *t = trimmed(both);
    free(both);
    return t;
}

double roster_most(const struct roster *r, size_t student) {
    if (r->maximum == ROSTER_NONE)
        return r->points_most;
    const double most = number_of(table_cell(&r->table, r->student[student], r->maximum));
    return most > 0 && most < 1e9 ? most : 0;
}

bool roster_is_closed(const struct roster *r, size_t student) {
    const char *cell =
        r->open == ROSTER_NONE ? "" : table_cell(&r->table, r->student[student], r->open);
    return *cell == 'N' || *cell == 'n';
}

bool roster_is_test(const struct roster *r, size_t student) {
    return strcmp(r->kind, "canvas") == 0 && r->name != ROSTER_NONE &&
           strcmp(table_cell(&r->table, r->student[student], r->name), "Student, Test") == 0;
}

void roster_set_points(struct roster *r, size_t student, const char *points) {
    const char *most =
        r->maximum == ROSTER_NONE ? "" : table_cell(&r->table, r->student[student], r->maximum);
    struct text as_there = {0};
    text_add(&as_there, points);
    if (strchr(most, ','))
        text_replace(&as_there, ".", ",");
    table_set(&r->table, r->student[student], r->points, text_get(&as_there));
    text_free(&as_there);
}

static bool has_key(const struct roster_keys *k, size_t student, const char *text) {
    bool has = false;
    for (size_t i = 0; i < k->count && *text && !has; i++)
        has = k->of[i].student == student && strcmp(k->of[i].text, text) == 0;
    return has;
}

bool roster_is_called(const struct roster *r, size_t student, const char *name) {
    char *id = id_key(name), *key = spelling_squeezed(name);
    const bool is = has_key(&r->by_id, student, id) || has_key(&r->by_name, student, key);
    free(id);
    free(key);
    return is;
}

/* Is `part` in the name, and no letter or digit in front of it or behind? */
static bool stands_in(const char *name, const char *part) {
    const size_t n = strlen(part);
    for (const char *at = name; (at = strstr(at, part)); at++)
        if ((at == name || !isalnum((unsigned char)at[-1])) && !isalnum((unsigned char)at[n]))
            return true;
    return false;
}

size_t roster_in_name(const struct roster *r, const char *name) {
    char *in = spelling_folded(name);
    size_t found = ROSTER_NONE, longest = 0;
    for (size_t i = 0; i < r->by_id.count; i++) {
        const struct roster_key *k = &r->by_id.of[i];
        const size_t n = strlen(k->text);
        if (n < LEAST_ID || n < longest || !stands_in(in, k->text))
            continue;
        found = n > longest || found == k->student ? k->student : ROSTER_NONE;
        longest = n;
    }
    free(in);
    return found;
}

size_t roster_but_for_zeros(const struct roster *r, const char *id) {
    const char *wanted = id + strspn(id, "0");
    size_t found = ROSTER_NONE;
    for (size_t i = 0; i < r->by_id.count && *wanted; i++) {
        const struct roster_key *k = &r->by_id.of[i];
        if (wanted[strspn(wanted, "0123456789")] != '\0' ||
            strcmp(k->text + strspn(k->text, "0"), wanted) != 0)
            continue;
        if (found != ROSTER_NONE && found != k->student)
            return ROSTER_NONE;
        found = k->student;
    }
    return found;
}
