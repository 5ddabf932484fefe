/*
 * describe.h: a lab as JSON, for scripts: ./grader LAB --describe.
 *
 * Says what the descriptor and the rubric say, read by the one reader there is: scripts that need a
 * title, a number of points or a list of cases take it from here. Keys are those of the descriptor
 * (docs/labs.md), with the defaults filled in. A line of the output holds at most one value of the
 * lab's own, in the order given there: sed and awk can read it.
 */
#pragma once

#include "grading/src/base/text.h"
#include "grading/src/lab/rubric.h"

void describe(struct text *t, const struct rubric *r);
