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
    double points_most; /* what the platform gives for it at most; 0: the table does not say */
    size_t *student;    /* rows of the table that are students */
    size_t students;
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

/* Points of a student in the lab's column. */
void roster_set_points(struct roster *r, size_t student, const char *points);
