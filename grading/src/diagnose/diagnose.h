/*
 * diagnose.h: finds out why a submission failed, once it is graded.
 *
 *                       +-- what the virtual GPU said                      diagnose_said.c
 *                       +-- what its checkers found                        diagnose_faults.c
 *     failing cases  ---+-- probes (probe.h), compared with programs
 *     of a function     |   that make known mistakes (suspect.h)           diagnose.c
 *                       +-- for which shapes they leave memory             diagnose_outside.c
 *                       +-- how the process ended                          diagnose_faults.c
 *     unmet checks   ------ what they measured                             diagnose_checks.c
 *     no build       ------ where the compiler points                    compile_cause.c
 *
 * The rules are a list (rules.h), tried in order; the first that holds is the diagnosis. A rule
 * holds only when what it looks at came out exactly, so an uncertain case falls through to the last
 * one, which has no class and says what was seen. Points are never touched. A right submission pays
 * nothing.
 */
#pragma once

#include "grading/src/diagnose/probe.h"
#include "grading/src/diagnose/rules.h"
#include "grading/src/diagnose/suspect.h"

/* Diagnoses all failing cases and all unmet checks, or why nothing was built. */
void diagnose(struct grade_context *g);
void diagnoses_free(struct grade_context *g);

/* ---- Between the files of the diagnosis ---- */

/* All that is known of the failing cases of one function. */
struct inquiry {
    struct grade_context *g;
    struct session session; /* where they fail */
    enum entry_point entry;
    const struct case_result *first; /* the first that fails, and what became of it */
    enum verdict verdict;
    const struct evidence *evidence;
    bool special; /* only special cases fail; else these are left aside (case_is_special) */
    struct trials trials;
    struct prober prober;
    struct suspect_context suspects;
    bool probed;
};

/* diagnose_outside.c: for which shapes memory is left; looks at what has been tried. */
diagnose_rule rule_outside;

/* What became of a case in the session that the inquiry is about. */
enum verdict inquiry_verdict(const struct inquiry *q, const struct case_result *c);
const struct evidence *inquiry_evidence(const struct inquiry *q, const struct case_result *c);

/* The first finding of this kind in any case of the function; `from` (may be NULL) is its case. */
const struct finding_body *inquiry_finding(const struct inquiry *q, enum vgpu_found kind,
                                           const struct case_result **from);
/* Does this case of the function fail, so that it counts? */
bool inquiry_counts(const struct inquiry *q, const struct case_result *c);
/* Notes a finding's place in the source. */
void diagnosis_place(struct diagnosis *d, const struct finding_body *f);

/* The same of what the virtual GPU said. */
void diagnosis_place_fact(struct diagnosis *d, const struct vgpu_fact *f);
/* "thread (0,1,0) of block (0,0,0)" */
void diagnosis_say_thread(struct text *t, const struct vgpu_fact *f);
/* The first line of words that came from outside, without addresses. */
void diagnosis_quote(struct text *t, const char *words);

/* diagnose_checks.c: an unmet check; false: nothing to say beyond its own words. */
bool diagnose_check(const struct grade_context *g, const struct check_result *c,
                    struct diagnosis *d);
/* Are the two arguments of the launch exchanged, <<<block, grid>>>? Says so. */
bool diagnose_exchanged_launch(const struct grade_context *g, enum entry_point entry,
                               struct diagnosis *d);

/* Any other race: on C, or on what else. */
void diagnose_race(const struct case_result *in, const struct finding_body *f, struct diagnosis *d);
/* A race on shared memory: which barrier is missing. False: another kind of race. */
bool diagnose_shared_race(const struct observation *seen, struct diagnosis *d);
