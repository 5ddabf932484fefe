/*
 * sections.h: do the handouts have what a rubric points to?
 *
 * A section is "debugging.md#races": a file of handouts/, and a heading's mark {#races} in it. A
 * kit without handouts, as an autograder's is, cannot be asked, and refuses nothing.
 */
#ifndef GRADING_SECTIONS_H
#define GRADING_SECTIONS_H

#include "grading/src/lab/rubric.h"

/* False: `why` says file, line, and which sections there are. */
bool sections_exist(const struct rubric *r, const char *root, struct text *why);

#endif
