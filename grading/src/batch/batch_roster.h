/*
 * batch_roster.h: which submission is whose on the roster, and the gradebook for the platform.
 *
 * A submission is matched by its ids first, then by its name, and only where exactly one student
 * answers to it. An entry that is no submission is the student's whose id stands in its name:
 * something was handed in, though nothing that can be graded. Two submissions of one student become
 * one row: the later one counts, where the platform's times say which that is; else neither does,
 * and the row says so.
 */
#pragma once

#include "grading/src/batch/batch.h"
#include "grading/src/batch/roster.h"

struct batch_roster {
    struct roster roster;
    size_t *row;  /* for each student the row of the class list; ROSTER_NONE: missing */
    char **doubt; /* what may be the student's, and may be another's of that name; else NULL */
};

/* Matches; merges rows of the list that are one student's, and calls them as the roster does. */
void batch_roster_match(struct batch_roster *br, struct class_list *list);
/* Does somebody who handed in stand on the roster? If nobody does, the table is another class's, or
 * its headings say nothing to us: `why`, which calls it `shown`. */
bool batch_roster_fits(const struct batch_roster *br, const struct class_list *list,
                       const char *shown, struct text *why);
void batch_roster_free(struct batch_roster *br);

/* Is nothing there of this student, of whom there should be something? */
bool batch_roster_is_missing(const struct batch_roster *br, size_t student);
/* How many of them there are. */
size_t batch_roster_missing(const struct batch_roster *br);
