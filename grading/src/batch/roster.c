/* roster.c: who is in the class (see roster.h). */
#include "grading/src/batch/roster.h"

#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>
#include <unistd.h>

#define MOST_HEAD 10 /* rows that may stand above the headings */

/* Letters and digits, small: "SIS User ID" and "sis_user_id" are one heading. Bytes beyond ASCII
 * count as letters. The caller frees it. */
static char *squeezed(const char *s) {
    char *out = xmalloc(strlen(s) + 1), *to = out;
    for (; *s; s++)
        if (isalnum((unsigned char)*s) || (unsigned char)*s >= 0x80)
            *to++ = (char)tolower((unsigned char)*s);
    *to = '\0';
    return out;
}

/* ---- What the columns are ---- */

enum column { COLUMN_OTHER, COLUMN_NAME, COLUMN_FIRST, COLUMN_LAST, COLUMN_ID };

/* Headings of the platforms, squeezed. */
static const struct {
    const char *heading;
    enum column is;
} headings[] = {
    {"student", COLUMN_NAME},
    {"name", COLUMN_NAME},
    {"fullname", COLUMN_NAME},
    {"studentname", COLUMN_NAME},
    {"firstname", COLUMN_FIRST},
    {"givenname", COLUMN_FIRST},
    {"lastname", COLUMN_LAST},
    {"surname", COLUMN_LAST},
    {"familyname", COLUMN_LAST},
    {"id", COLUMN_ID},
    {"sisuserid", COLUMN_ID},
    {"sisloginid", COLUMN_ID},
    {"integrationid", COLUMN_ID},
    {"identifier", COLUMN_ID},
    {"idnumber", COLUMN_ID},
    {"username", COLUMN_ID},
    {"userid", COLUMN_ID},
    {"loginid", COLUMN_ID},
    {"studentid", COLUMN_ID},
    {"studentnumber", COLUMN_ID},
    {"displayid", COLUMN_ID},
    {"sid", COLUMN_ID},
    {"orgdefinedid", COLUMN_ID},
    {"email", COLUMN_ID},
    {"emailaddress", COLUMN_ID},
    {"submissionid", COLUMN_ID},
    {"githubusername", COLUMN_ID},
    {"rosteridentifier", COLUMN_ID},
    {"studentrepositoryname", COLUMN_ID},
};

/* Whose table it is: all of these headings are in it. `points`: the one for points; NULL: a column
 * named after the lab. `fresh`: what a new column is called; %s is the lab. */
static const struct platform_table {
    const char *kind, *has[2], *points, *fresh;
} tables[] = {
    {"moodle", {"identifier", "maximumgrade"}, "grade", NULL},
    {"sakai", {"displayid", "grade"}, "grade", NULL},
    {"github", {"githubusername", "pointsawarded"}, "pointsawarded", NULL},
    {"github", {"githubusername", "identifier"}, NULL, "%s"},
    {"brightspace", {"endoflineindicator", NULL}, NULL, "%s Points Grade"},
    {"brightspace", {"orgdefinedid", NULL}, NULL, "%s Points Grade"},
    {"canvas", {"student", "sisloginid"}, NULL, "%s"},
    {"canvas", {"student", "sisuserid"}, NULL, "%s"},
    {"canvas", {"student", "section"}, NULL, "%s"},
    {"blackboard", {"username", "availability"}, NULL, "%s"},
    {"blackboard", {"username", "lastaccess"}, NULL, "%s"},
    {"gradescope", {"sid", NULL}, NULL, "%s"},
    {"moodle", {"idnumber", "emailaddress"}, NULL, "%s"},
    {"sakai", {"studentid", "studentname"}, NULL, "%s [100]"},
};

static enum column column_of(const char *heading) {
    char *s = squeezed(heading);
    enum column is = COLUMN_OTHER;
    for (size_t i = 0; i < sizeof headings / sizeof *headings; i++)
        if (strcmp(s, headings[i].heading) == 0)
            is = headings[i].is;
    free(s);
    return is;
}

/* The column with this squeezed heading. */
static size_t column_called(const struct roster *r, const char *heading) {
    for (size_t c = 0; c < r->table.row[r->head].count; c++) {
        char *s = squeezed(table_cell(&r->table, r->head, c));
        const bool is = strcmp(s, heading) == 0;
        free(s);
        if (is)
            return c;
    }
    return ROSTER_NONE;
}

static bool find_head(struct roster *r) {
    for (r->head = 0; r->head < r->table.count && r->head < MOST_HEAD; r->head++) {
        const size_t n = r->table.row[r->head].count;
        r->name = r->first = r->last = ROSTER_NONE;
        r->ids = 0;
        for (size_t c = 0; c < n; c++) {
            const enum column is = column_of(table_cell(&r->table, r->head, c));
            if (is == COLUMN_NAME && r->name == ROSTER_NONE)
                r->name = c;
            else if (is == COLUMN_FIRST && r->first == ROSTER_NONE)
                r->first = c;
            else if (is == COLUMN_LAST && r->last == ROSTER_NONE)
                r->last = c;
            else if (is == COLUMN_ID && r->ids < ROSTER_MOST_IDS)
                r->id[r->ids++] = c;
        }
        if (r->ids > 0 || r->name != ROSTER_NONE || r->last != ROSTER_NONE)
            return true;
    }
    return false;
}

static const struct platform_table *find_platform(struct roster *r) {
    r->kind = "roster";
    for (size_t i = 0; i < sizeof tables / sizeof *tables; i++) {
        const struct platform_table *p = &tables[i];
        if (column_called(r, p->has[0]) == ROSTER_NONE ||
            (p->has[1] && column_called(r, p->has[1]) == ROSTER_NONE))
            continue;
        r->kind = p->kind;
        return p;
    }
    return NULL;
}

/* Does a heading name the lab: "Lab 3 (12345)", "lab3 Points Grade"; not "Lab 31"? */
static bool names_lab(const char *heading, const char *lab) {
    for (const char *from = heading; *from; from++) {
        if (from > heading && isalnum((unsigned char)from[-1]))
            continue;
        const char *h = from, *l = lab;
        while (*l && *h)
            if (l > lab && (*h == ' ' || *h == '-' || *h == '_'))
                h++;
            else if (tolower((unsigned char)*h) == tolower((unsigned char)*l))
                h++, l++;
            else
                break;
        if (!*l && !isalnum((unsigned char)*h))
            return true;
    }
    return false;
}

static void list_headings(struct text *t, const struct roster *r) {
    for (size_t c = 0; c < r->table.row[r->head].count; c++) {
        const char *h = table_cell(&r->table, r->head, c);
        text_add(t, c ? ", '" : " '");
        text_add_clean_line(t, h, strlen(h), 60);
        text_add(t, "'");
    }
}

static void add_points_column(struct roster *r, const struct platform_table *p, const char *lab) {
    const size_t end = column_called(r, "endoflineindicator");
    r->points = r->table.row[r->head].count;
    if (end != ROSTER_NONE) {
        r->points = end;
        table_insert_column(&r->table, end);
        for (size_t i = 0; i < r->ids; i++)
            r->id[i] += r->id[i] >= end;
    }
    struct text heading = {0};
    text_add(&heading, p && p->fresh ? p->fresh : "%s");
    text_replace(&heading, "%s", lab);
    table_set(&r->table, r->head, r->points, text_get(&heading));
    text_free(&heading);
    r->points_new = true;
}

/* Which column the points go into. */
static bool find_points(struct roster *r, const struct platform_table *p, const char *shown,
                        const char *column, const char *lab, struct text *why) {
    r->points = ROSTER_NONE;
    if (column) {
        for (size_t c = 0; c < r->table.row[r->head].count && r->points == ROSTER_NONE; c++)
            if (strcmp(table_cell(&r->table, r->head, c), column) == 0)
                r->points = c;
        if (r->points == ROSTER_NONE) {
            text_addf(why, "%s has no column '%s'; it has", shown, column);
            list_headings(why, r);
        }
        return r->points != ROSTER_NONE;
    }
    if (p && p->points)
        r->points = column_called(r, p->points);
    for (size_t c = 0; c < r->table.row[r->head].count && !(p && p->points); c++) {
        const char *heading = table_cell(&r->table, r->head, c);
        if (column_of(heading) != COLUMN_OTHER || !names_lab(heading, lab))
            continue;
        if (r->points != ROSTER_NONE) {
            text_addf(why,
                      "%s has several columns that could be %s's: '%s' and '%s'; say which: "
                      "--column '%s'",
                      shown, lab, table_cell(&r->table, r->head, r->points), heading, heading);
            return false;
        }
        r->points = c;
    }
    if (r->points == ROSTER_NONE)
        add_points_column(r, p, lab);
    return true;
}

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

static char *small(const char *s) {
    char *copy = xstrdup(s);
    for (char *c = copy; *c; c++)
        *c = (char)tolower((unsigned char)*c);
    return copy;
}

static void add_ids(struct roster *r, size_t student) {
    for (size_t i = 0; i < r->ids; i++) {
        char *cell = trimmed(table_cell(&r->table, r->student[student], r->id[i]));
        const char *number = strrchr(cell, ' ');
        add_key(&r->by_id, small(cell), student);
        if (number && number[1 + strspn(number + 1, "0123456789")] == '\0')
            add_key(&r->by_id, xstrdup(number + 1), student);
        char *at = strchr(cell, '@');
        if (at) {
            *at = '\0';
            add_key(&r->by_id, small(cell), student);
        }
        free(cell);
    }
}

static void add_name(struct roster *r, size_t student, const char *one, const char *two) {
    char *both = xasprintf("%s%s", one, two);
    add_key(&r->by_name, squeezed(both), student);
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

static void index_students(struct roster *r) {
    for (size_t i = 0; i < r->students; i++) {
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
    char *cell = trimmed(id), *key = small(cell);
    const size_t found = look_up(&r->by_id, key, several);
    free(cell);
    free(key);
    return found;
}

size_t roster_by_name(const struct roster *r, const char *name, bool *several) {
    char *key = squeezed(name);
    const size_t found = look_up(&r->by_name, key, several);
    free(key);
    return found;
}

/* ---- The table as a whole ---- */

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
    const size_t maximum = column_called(r, "maximumgrade");
    if (maximum != ROSTER_NONE && r->students > 0)
        r->points_most = strtod(table_cell(&r->table, r->student[0], maximum), NULL);
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
    if (!find_head(r)) {
        text_addf(why,
                  "%s has no column of ids or names: its first line must have headings, as your "
                  "platform exports them, or 'id' and 'name'",
                  shown);
        return false;
    }
    const struct platform_table *p = find_platform(r);
    if (!find_points(r, p, shown, column, lab->name, why))
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
                  fd < 0 ? strerror(errno) : "it is no file");
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
    struct roster_keys *const keys[] = {&r->by_id, &r->by_name};
    for (size_t k = 0; k < 2; k++) {
        for (size_t i = 0; i < keys[k]->count; i++)
            free(keys[k]->of[i].text);
        free(keys[k]->of);
    }
    *r = (struct roster){0};
}

const char *roster_id(const struct roster *r, size_t student) {
    for (size_t i = 0; i < r->ids; i++) {
        const char *id = table_cell(&r->table, r->student[student], r->id[i]);
        if (!blank(id))
            return id;
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

void roster_set_points(struct roster *r, size_t student, const char *points) {
    table_set(&r->table, r->student[student], r->points, points);
}
