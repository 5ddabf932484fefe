/*
 * excerpt.h: a line of the submission with its neighbours, as a report shows it beside a cause.
 *
 * The lines are the submission's own bytes: who shows them cleans and escapes them.
 */
#pragma once

#include "grading/src/base/text.h"
#include "grading/src/build/submission.h"

enum { EXCERPT_AROUND = 2, EXCERPT_LINES = 2 * EXCERPT_AROUND + 1 };

struct excerpt {
    int first, count, marked; /* numbers of lines, from 1; `marked` is the one it is about */
    const char *line[EXCERPT_LINES];
    size_t length[EXCERPT_LINES];
};

/* False: the file is another one than the submission, or has no such line. */
bool excerpt_of(struct excerpt *x, const struct submission *s, const char *file, int line);

/* Appends a line with blanks for its tabs, and without the \r of a foreign line end. */
void excerpt_wide(struct text *t, const char *line, size_t n);

/* Appends it as text, "    >   17 | code" for the line itself, a blank for the others: cleaned, of
 * at most so many columns (40 or more). */
void excerpt_add(struct text *t, const struct excerpt *x, size_t columns);
