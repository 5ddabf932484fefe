/*
 * checks.h: safety and evidence: what the virtual GPU's checkers and counters say of a submission,
 * judged by a rubric's checks (rubric.h).
 *
 * Every check is judged on right products only: a kernel that does nothing has no races, and that
 * is no merit. A check that cannot be judged, because there is no virtual GPU here, is not graded
 * and counts neither for nor against.
 */
#pragma once

#include "grading/src/report/report.h"

/* Judges all checks of the rubric, after the cases; tells the reporters of each. */
void checks_run(struct grade_context *g, struct reporters *reporters);
