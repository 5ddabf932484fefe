/*
 * session.h: who makes a submission's calls: a backend, and what was built for it.
 *
 * Where cases run on a GPU there are two: the GPU's, which decides about products, and that of the
 * virtual GPU, which watches. All that runs calls (cases, checks, probes, times, the page) is
 * handed one of them, and the few things that depend on it are asked here.
 */
#pragma once

#include "grading/src/run/context.h"
#include "grading/src/run/run.h"

struct session {
    const struct backend *backend;
    const struct build *build;
};

/* The one that cases run in. */
struct session session_of(const struct grade_context *g);
/* The virtual GPU's: the same one, unless cases run on a GPU and the virtual GPU watches. */
struct session session_observed(const struct grade_context *g);
/* Is there a program for the virtual GPU to run? */
bool session_observes(const struct grade_context *g);

/* What is needed to start a worker around the submission. */
struct worker_setup session_setup(struct grade_context *g, struct session s);

/* The guard bands for a call of this function. */
struct guard_bands session_guards(struct session s, enum entry_point entry);

/* When the worker is of no further use, finishes it and adds what it printed to what is known of
 * its call. It is of use after a right call, unless `always`. */
void session_conclude(struct session s, struct evidence *e, struct worker *w, bool always);
