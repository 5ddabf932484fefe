/*
 * describe.h: a lab as JSON, for scripts: ./grader LAB --describe.
 *
 * Says what the descriptor and the rubric say, read by the one reader there is: scripts that need a
 * title, a number of points or a list of cases take it from here. Keys are those of the descriptor
 * (docs/labs.md), with the defaults filled in. One fact alone (--describe=title) is printed as it
 * is: a script needs no reader of JSON for it.
 */
#pragma once

#include "grading/src/base/text.h"
#include "grading/src/lab/rubric.h"

/* All of it, or, when `fact` is not NULL, that member of it. False: there is none of this name, and
 * t is a line that says so. */
bool describe(struct text *t, const struct rubric *r, const char *fact);
