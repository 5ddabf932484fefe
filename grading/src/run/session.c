/* session.c: see session.h. */
#include "grading/src/run/session.h"

#include <stdlib.h>

struct session session_of(const struct grade_context *g) {
    return (struct session){&g->backend, &g->build};
}

struct session session_observed(const struct grade_context *g) {
    return g->observer.compiler ? (struct session){&g->observer, &g->observer_build}
                                : session_of(g);
}

bool session_observes(const struct grade_context *g) {
    const struct session s = session_observed(g);
    return s.backend->kind == BACKEND_VGPU && s.build->outcome == BUILD_OK && s.build->program;
}

struct worker_setup session_setup(struct grade_context *g, struct session s) {
    return (struct worker_setup){.program = s.build->program,
                                 .environment = g->environment,
                                 .folder = g->scratch,
                                 .sandbox = g->sandbox,
                                 .backend = s.backend->kind,
                                 .call_limit = g->rubric.call_seconds * 1000,
                                 .budget = &g->budget};
}

struct guard_bands session_guards(struct session s, enum entry_point entry) {
    /* Host memory ends at an inaccessible page, and the virtual GPU watches every access against
     * exact bounds: guard bands there would only hide what is outside. A GPU watches nothing. */
    if (entry != ENTRY_DEVICE)
        return (struct guard_bands){.before = 64};
    if (s.backend->kind == BACKEND_VGPU)
        return (struct guard_bands){0};
    return (struct guard_bands){.before = 4096, .after = 4096, .pad = true};
}

void session_conclude(struct session s, struct evidence *e, struct worker *w, bool always) {
    if (e->verdict == VERDICT_PASS && !always)
        return;
    worker_finish(w);
    char *errors = worker_errors(w), *output = worker_output(w);
    const struct facts none = {0}; /* a GPU says nothing, nor does what stands in for one */
    judge_printed(e, errors, output, s.backend->kind == BACKEND_VGPU ? &w->facts : &none);
    build_known_names(s.build, &e->printed);
    free(errors);
    free(output);
}
