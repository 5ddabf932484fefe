/*
 * diagnose.h: finds out why a submission failed, once it is graded.
 *
 *                       +-- what the virtual GPU said                      diagnose_said.c
 *                       +-- what its checkers found                        diagnose_faults.c
 *                       |   of shared memory                               diagnose_shared.c
 *                       |                                                  diagnose_unfilled.c
 *     failing cases  ---+-- probes (probe.h), compared with programs
 *     of a function     |   that make known mistakes (suspect.h)           diagnose.c
 *                       +-- for which shapes they leave memory             diagnose_outside.c
 *                       |   and what comes out where they may              diagnose_room.c
 *                       +-- what the thread of a wrong element reads       diagnose_watched.c
 *                       +-- what cudaMemcpy and cuBLAS were given        diagnose_copies.c, _blas.c
 *                       +-- which of several kernels ran where it fails    diagnose_kernels.c
 *                       +-- which elements are read, far from the first    diagnose_positions.c
 *                       +-- how the process ended, and where             diagnose_faults.c, _host.c
 *                       +-- loops and guards of the source          diagnose_loops.c, _guards.c
 *     unmet checks   ------ what they found                                diagnose_checks.c
 *                    ------ what they counted                              diagnose_counts.c
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

/* diagnose_watched.c: adds what the thread of a wrong element reads, and its line. False: nothing
 * is known. */
bool diagnose_watched(struct inquiry *q, struct diagnosis *d);
/* diagnose_room.c: what comes out where there is room around the matrices; `tiled`: the kernel uses
 * shared memory. False: nothing that is known. */
bool diagnose_room(struct inquiry *q, bool tiled, struct diagnosis *d);
/* Is a product of this shape wrong even where zeros lie around A and B? No guard mends that. */
bool diagnose_room_spoils(struct inquiry *q, struct shape s);
/* Is it right even where NaNs do, and inside with a longer sum? Then what is read out there is not
 * used: it belongs to a phase that does not exist. inside_c: threads beyond C's edge read nothing
 * outside, so that a longer sum need not be tried. */
bool diagnose_room_unused(struct inquiry *q, struct shape s, bool inside_c);

/* diagnose.c: makes the probes, once. */
void diagnose_probe(struct inquiry *q);

/* diagnose_shared.c: an access outside of an array in shared memory. */
void diagnose_outside_array(const struct inquiry *q, const struct vgpu_fact *f,
                            struct diagnosis *d);

/* What became of a case in the session that the inquiry is about. */
enum verdict inquiry_verdict(const struct inquiry *q, const struct case_result *c);
const struct evidence *inquiry_evidence(const struct inquiry *q, const struct case_result *c);

/* The first finding of this kind in any case of the function; `from` (may be NULL) is its case. */
const struct finding_body *inquiry_finding(const struct inquiry *q, enum vgpu_found kind,
                                           const struct case_result **from);
/* Does this case of the function fail, so that it counts? */
bool inquiry_counts(const struct inquiry *q, const struct case_result *c);
/* A message of this sort? */
typedef bool diagnose_told(const struct vgpu_fact *f);
/* The first such message in the first failing case that has one; `from` (may be NULL) is its
 * case. */
const struct fact_body *diagnose_find(const struct inquiry *q, diagnose_told *is,
                                      const struct case_result **from);
/* diagnose_copies.c: cudaMemcpy with its ends exchanged, or with too many bytes. */
bool diagnose_copies(struct inquiry *q, struct diagnosis *d);

/* The line of the source in which the host's part stood at this address of the program, once it is
 * noted as the diagnosis' place; 0: unknown. */
int diagnosis_place_code(const struct inquiry *q, struct diagnosis *d, uint32_t code_at);
/* diagnose_host.c: a call of matmul_cpu that left a matrix: in which line, and what that does. */
bool diagnose_host_outside(struct inquiry *q, const struct trial *t, struct diagnosis *d);
/* diagnose_outside.c: is there a race that no missing guard explains? */
bool diagnose_race_within(const struct inquiry *q);
/* diagnose_guards.c: a condition of the source that should have kept a thread inside, and did not.
 * just_past: the thread was at the first place outside. */
bool diagnose_guard(const char *source, bool just_past, struct text *to);
/* diagnose_loops.c: a loop of the source that cannot mean what it says, and its line. */
bool diagnose_loop(const char *source, struct text *to, int *line);
/* The first line whose text means something else than it looks like: a macro that falls apart, or
 * operators that bind otherwise. Adds a sentence, and gives the class of the mistake. 0: none. */
int diagnose_macros(const char *source, struct text *to, const char **class);
/* The line of a quotient of whole numbers that is always 0, such as 9 / 10; 0: there is none. */
int diagnose_zero_fraction(const char *source, struct text *to);

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

/* diagnose_counts.c: a check of counted work. */
bool diagnose_counts(const struct grade_context *g, const struct check_result *c,
                     struct diagnosis *d);
/* Are the two arguments of the launch exchanged, <<<block, grid>>>? Says so. */
bool diagnose_exchanged_launch(const struct grade_context *g, enum entry_point entry,
                               struct diagnosis *d);

/* diagnose_source.c: how many arrays are declared __shared__. */
int source_shared_arrays(const char *source);

/* Any other race: on C, or on what else. */
void diagnose_race(const struct case_result *in, const struct finding_body *f, struct diagnosis *d);
/* A copy in the background whose destination is read too early, or filled too early. */
bool diagnose_copy(const struct observation *seen, struct diagnosis *d);
/* A race on shared memory: which barrier is missing, or that two buffers are mixed up. False:
 * another kind of race. */
bool diagnose_shared_race(const struct grade_context *g, const struct case_result *in,
                          struct diagnosis *d);
