/*
 * hints.h: ./grader labN --hint, one hint at a time.
 *
 * They are about the first criterion not met in the last result of the lab's own file. Where the
 * cause is known, its hints are told (cause.h); else the rubric's, which has some for wrong
 * products and for each check. Both go from a nudge to nearly the answer.
 *
 * The result is kept with the lab's standing (standing.h), so nothing runs again, and how many
 * hints were told is kept there, too. A criterion that is met loses its count; so does one whose
 * cause is another now. A file edited since is to be graded first.
 */
#pragma once

#include "grading/src/run/context.h"

#include <jansson.h>

/* Adds to a standing what hints need: criteria not met, in the report's order, with their sections
 * and causes, and the counts of hints told. `before` (may be NULL) is the standing so far. */
void hints_note(json_t *standing, const json_t *before, const struct grade_context *g);

/* Writes the next hint into t and counts it. g has options, paths, lab (with its rubric) and the
 * submission. False: there is none to tell, and t says why (not graded yet, edited since). */
bool hints_tell(struct text *t, const struct grade_context *g);
