/*
 * checks.h: safety and evidence: what the virtual GPU's checkers and counters say of a submission,
 * judged by a rubric's checks (rubric.h).
 *
 * Every check is judged on right products only: a kernel that does nothing has no races, and that
 * is no merit. A check that cannot be judged, because there is no virtual GPU here, is not graded
 * and counts neither for nor against.
 */
#ifndef GRADING_CHECKS_H
#define GRADING_CHECKS_H

#include "grading/src/report.h"

/* Judges all checks of the rubric, after the cases; tells the reporters of each. */
void checks_run(struct grade_context *g, struct reporters *reporters);

/* "met", "not met", "not graded"; and the same for JSON ("not_met"). */
const char *check_verdict_text(enum check_verdict v);
const char *check_verdict_key(enum check_verdict v);

/* The verdict as reports tell it: there may be no product yet to judge by. */
const char *check_told(const struct grade_context *g, const struct check_result *c);

/* The rubric's word for a kind of check. */
const char *check_kind_name(enum check_kind kind);

#endif
