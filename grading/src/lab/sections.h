/*
 * sections.h: do the handouts have what a rubric points to?
 *
 * A section is "debugging.md#races": a file of handouts/, and the name of a heading in it:
 * <a id="races"></a> in its line, or what code hosts make of its words. A kit without handouts, as
 * an autograder's is, cannot be asked, and refuses nothing.
 */
#pragma once

#include "grading/src/lab/rubric.h"

/* False: `why` says file, line, and which sections there are. */
bool sections_exist(const struct rubric *r, const char *root, struct text *why);
