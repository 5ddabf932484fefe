/* roster_columns.c: what the columns of a roster are (see roster_columns.h). */
#include "grading/src/batch/roster_columns.h"

#include "grading/src/batch/spelling.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#define MOST_HEAD 10 /* rows that may stand above the headings */

enum column { COLUMN_OTHER, COLUMN_NAME, COLUMN_FIRST, COLUMN_LAST, COLUMN_ID };

/* Headings of the platforms, squeezed; Moodle's are in the language of whoever exports, and here as
 * its language packs have them. */
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
    /* German */
    {"vollst\xc3\xa4ndigername", COLUMN_NAME},
    {"vorname", COLUMN_FIRST},
    {"nachname", COLUMN_LAST},
    {"idnummer", COLUMN_ID},
    {"matrikelnummer", COLUMN_ID},
    {"anmeldename", COLUMN_ID},
    {"emailadresse", COLUMN_ID},
    /* French */
    {"nomcomplet", COLUMN_NAME},
    {"pr\xc3\xa9nom", COLUMN_FIRST},
    {"nom", COLUMN_LAST},
    {"nomdefamille", COLUMN_LAST},
    {"identifiant", COLUMN_ID},
    {"num\xc3\xa9rodidentification", COLUMN_ID},
    {"nomdutilisateur", COLUMN_ID},
    {"adressedecourriel", COLUMN_ID},
    /* Spanish, Portuguese, Italian */
    {"nombrecompleto", COLUMN_NAME},
    {"nomecompleto", COLUMN_NAME},
    {"nombre", COLUMN_FIRST},
    {"nome", COLUMN_FIRST},
    {"apellidos", COLUMN_LAST},
    {"sobrenome", COLUMN_LAST},
    {"apelido", COLUMN_LAST},
    {"cognome", COLUMN_LAST},
    {"identificador", COLUMN_ID},
    {"identificativo", COLUMN_ID},
    {"n\xc3\xbamerodeid", COLUMN_ID},
    {"n\xc3\xbamerodeidentifica\xc3\xa7\xc3\xa3o", COLUMN_ID},
    {"nombredeusuario", COLUMN_ID},
    {"direcci\xc3\xb3ndecorreo", COLUMN_ID},
    {"direcci\xc3\xb3nemail", COLUMN_ID},
    {"endere\xc3\xa7odeemail", COLUMN_ID},
    {"indirizzoemail", COLUMN_ID},
};

/* Whose table it is: all of these headings are in it. `points`: the one for points; NULL: a column
 * named after the lab. `fresh`: what a new column is called; %s is the lab. Of Moodle's worksheet
 * the first two are who it is ("Participant 101", "Teilnehmer/in101"), and the most points. */
static const struct platform_table {
    const char *kind, *has[2], *points, *fresh;
} tables[] = {
    {"moodle", {"identifier", "maximumgrade"}, "grade", NULL},
    {"moodle", {"id", "bestwertung"}, "bewertung", NULL},
    {"moodle", {"identifiant", "notemaximale"}, "note", NULL},
    {"moodle", {"identificador", "calificaci\xc3\xb3nm\xc3\xa1xima"}, "calificaci\xc3\xb3n", NULL},
    {"moodle", {"identificador", "notam\xc3\xa1xima"}, "nota", NULL},
    {"moodle", {"n\xc3\xbamerodeidentifica\xc3\xa7\xc3\xa3o", "notam\xc3\xa1xima"}, "nota", NULL},
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

/* Moodle's "Grade can be changed". Its "no" begins with an N in all these languages. */
static const char *const open_headings[] = {
    "gradecanbechanged", "bewertungkannge\xc3\xa4ndertwerden",
    "lanotepeut\303\252tremodifi\303\251e", "notapodeseralterada", "anotapodeseralterada"};

static enum column column_of(const char *heading) {
    char *s = spelling_squeezed(heading);
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
        char *s = spelling_squeezed(table_cell(&r->table, r->head, c));
        const bool is = strcmp(s, heading) == 0;
        free(s);
        if (is)
            return c;
    }
    return ROSTER_NONE;
}

bool roster_find_head(struct roster *r) {
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
    r->marked = r->maximum = r->open = ROSTER_NONE;
    for (size_t i = 0; i < sizeof tables / sizeof *tables; i++) {
        const struct platform_table *p = &tables[i];
        if (column_called(r, p->has[0]) == ROSTER_NONE ||
            (p->has[1] && column_called(r, p->has[1]) == ROSTER_NONE))
            continue;
        r->kind = p->kind;
        if (strcmp(p->kind, "moodle") == 0 && p->points) {
            r->marked = column_called(r, p->has[0]);
            r->maximum = column_called(r, p->has[1]);
            for (size_t h = 0; h < sizeof open_headings / sizeof *open_headings; h++)
                r->open = r->open == ROSTER_NONE ? column_called(r, open_headings[h]) : r->open;
        }
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

/* Is nothing in the heading but the lab, and perhaps the platform's number: "Lab 3 (12345)"? */
static bool is_lab_alone(const char *heading, const char *lab) {
    char *is = spelling_squeezed(heading), *wanted = spelling_squeezed(lab);
    const size_t n = strlen(wanted);
    const char *rest = heading + strcspn(heading, "([");
    const bool alone = strncmp(is, wanted, n) == 0 &&
                       is[n + strspn(is + n, "0123456789")] == '\0' && (is[n] == '\0' || *rest);
    free(is);
    free(wanted);
    return alone;
}

/* The one column that is named after the lab; none: ROSTER_NONE. Several: false, and `why`, which
 * begins with those of which nothing but the lab is the name. */
static bool only_column(struct roster *r, const char *shown, const char *lab, struct text *why) {
    struct text all = {0};
    size_t found = 0;
    for (int alone = 1; alone >= 0; alone--) {
        for (size_t c = 0; c < r->table.row[r->head].count; c++) {
            const char *heading = table_cell(&r->table, r->head, c);
            if (column_of(heading) != COLUMN_OTHER || !names_lab(heading, lab) ||
                is_lab_alone(heading, lab) != alone)
                continue;
            text_addf(&all, "%s--column '%s'", found > 0 ? " or " : "", heading);
            r->points = found++ == 0 ? c : r->points;
        }
    }
    if (found > 1)
        text_addf(why, "%s has %zu columns that could be %s's: say which one, %s", shown, found,
                  lab, text_get(&all));
    text_free(&all);
    return found <= 1;
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
    else if (!only_column(r, shown, lab, why))
        return false;
    if (r->points == ROSTER_NONE)
        add_points_column(r, p, lab);
    return true;
}

bool roster_find_columns(struct roster *r, const char *shown, const char *column, const char *lab,
                         struct text *why) {
    return find_points(r, find_platform(r), shown, column, lab, why);
}

void roster_say_headings(struct text *t, const struct roster *r) {
    bool first = true;
    for (int understood = 1; understood >= 0; understood--) {
        text_add(t, understood ? "understood as ids and names:" : "; not understood:");
        for (size_t c = 0; c < r->table.row[r->head].count; c++) {
            const char *h = table_cell(&r->table, r->head, c);
            const bool known = column_of(h) != COLUMN_OTHER;
            if (known != understood || c == r->points)
                continue;
            text_add(t, first ? " '" : ", '");
            text_add_clean_line(t, h, strlen(h), 60);
            text_add(t, "'");
            first = false;
        }
        text_add(t, first ? " none" : "");
        first = true;
    }
}
