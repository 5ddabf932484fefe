/*
 * roster.h: who is in the class: a table of ids and names, as a platform exports it, and the
 * gradebook in that platform's own columns.
 *
 * Knows the exports of Canvas, Moodle (gradebook and grading worksheet), Blackboard, Gradescope,
 * Brightspace, Sakai and GitHub Classroom by their headings, and any table with a heading for ids
 * or names. Refuses to guess: where no column or several could be the lab's it says so, and
 * --column decides.
 */
#pragma once

#include "grading/src/batch/table.h"
#include "grading/src/lab/labs.h"

#define ROSTER_MOST_IDS 8
#define ROSTER_NONE     ((size_t)-1)

/* What a student may be called. */
struct roster_key {
    char *text;
    size_t student;
};

struct roster_keys {
    struct roster_key *of; /* sorted */
    size_t count;
};

struct roster {
    struct table table;
    const char *kind; /* "canvas" ...; "roster" where no platform's headings were found */
    size_t head;      /* the row of the headings */
    size_t name, first, last;
    size_t id[ROSTER_MOST_IDS];
    size_t ids;
    size_t points;      /* the column that the lab's points go into */
    bool points_new;    /* which was not there */
    size_t marked;      /* of Moodle's worksheet: whose number stands behind a word */
    size_t maximum;     /* ... each one's most points */
    size_t open;        /* ... whether the grade can be changed; ROSTER_NONE: no such columns */
    double points_most; /* what the platform gives for it at most; 0: the table does not say */
    size_t *student;    /* rows of the table that are students */
    size_t students;
    size_t *same;    /* for each the first one with the same ids and name; mostly itself */
    size_t repeated; /* those that are not the first */
    struct roster_keys by_id, by_name;
};

/* Reads the table of a file. `column`: the heading of the lab's points, or NULL. False: `why`,
 * which names the file. Free the roster in both cases. */
bool roster_read(struct roster *r, const char *path, const char *column, const struct lab_spec *lab,
                 struct text *why);
/* The same from bytes; the messages call it `shown`. */
bool roster_parse(struct roster *r, const char *bytes, size_t n, const char *shown,
                  const char *column, const struct lab_spec *lab, struct text *why);
void roster_free(struct roster *r);

/* A student's name as the table has it, or the first id where it has none. The caller frees it. */
char *roster_name(const struct roster *r, size_t student);
/* The first id that is not empty. */
const char *roster_id(const struct roster *r, size_t student);

/* The student who is called so: by one of the ids (also an address's part in front of the "@", and
 * the number in "Participant 101"); or by the name, its parts in either order, with or without
 * blanks. ROSTER_NONE: nobody, or, when *several, more than one. */
size_t roster_by_id(const struct roster *r, const char *id, bool *several);
size_t roster_by_name(const struct roster *r, const char *name, bool *several);

/* Does the student answer to this id or name, perhaps with others? */
bool roster_is_called(const struct roster *r, size_t student, const char *name);
/* The student whose id stands in the name of a file, by itself; of several the longest. */
size_t roster_in_name(const struct roster *r, const char *name);
/* The one student whose number is this but for zeros in front: a spreadsheet drops them. */
size_t roster_but_for_zeros(const struct roster *r, const char *id);
/* Canvas's own "Test Student", who is in every export and hands in nothing. */
bool roster_is_test(const struct roster *r, size_t student);

/* Points of a student in the lab's column, with the decimal sign that is there. */
void roster_set_points(struct roster *r, size_t student, const char *points);
/* What the platform gives this student at most; 0: the table does not say. */
double roster_most(const struct roster *r, size_t student);
/* The table says that this student's grade cannot be changed. */
bool roster_is_closed(const struct roster *r, size_t student);

/* Which of the headings were understood, and which not. */
void roster_say_headings(struct text *t, const struct roster *r);
