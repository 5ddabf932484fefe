/*
 * batch_roster.h: which submission is whose on the roster, and the gradebook for the platform.
 *
 * A submission is matched by its ids first, then by its name, and only where exactly one student
 * answers to it. Two submissions of one student become one row: the later one counts, where the
 * platform's times say which that is; else neither does, and the row says so.
 */
#pragma once

#include "grading/src/batch/batch.h"
#include "grading/src/batch/roster.h"

struct batch_roster {
    struct roster roster;
    size_t *row; /* for each student the row of the class list; ROSTER_NONE: missing */
};

/* Matches; merges rows of the list that are one student's. */
void batch_roster_match(struct batch_roster *br, struct class_list *list);
void batch_roster_free(struct batch_roster *br);

/* How many students have handed in nothing. */
size_t batch_roster_missing(const struct batch_roster *br);
