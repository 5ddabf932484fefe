/*
 * film.h: ./grader LAB --film: the submission's own kernel, watched, as a page.
 *
 * The submission is built once more, with vgpucc -g, and makes one call: the one that failed, in
 * its smallest shape, or a small one of the lab's. The virtual GPU records it (VGPU_FILM) inside
 * the walls; the page is made out here, so that nothing that a submission writes becomes more than
 * text in it. A film is never part of a grade.
 */
#pragma once

#include "grading/src/run/context.h"

/* Makes the film that was asked for, or that a report's page links to, while the scratch folder is
 * there: g->film tells what became of it. */
void film_make(struct grade_context *g);

/* Has the lab a kernel to be watched? */
bool film_has_kernel(const struct lab_spec *lab);
/* The call to watch: the one that failed, in its smallest shape, or a small one of the lab's;
 * *about is what to say of it, *of its case, or NULL. */
struct call_plan film_choose(const struct grade_context *g, struct text *about,
                             const struct case_result **of);

/* The path that a film of this lab goes to; the caller frees it. */
char *film_path(const struct grade_context *g);

/* The address of the film that was made, for a link in the report's page; nothing without. */
void film_link(struct text *t, const struct grade_context *g);
