/*
 * roster_columns.h: what the columns of a roster are, by their headings: whose names and ids, and
 * which one the points go into. Knows the platforms' headings, and refuses to guess.
 */
#pragma once

#include "grading/src/batch/roster.h"

/* The row of the headings, and the columns of names and ids; false: there is none. */
bool roster_find_head(struct roster *r);
/* Whose table it is, and which column the points go into, `column` by name or the lab's. False:
 * `why`, which calls the file `shown`. */
bool roster_find_columns(struct roster *r, const char *shown, const char *column, const char *lab,
                         struct text *why);
