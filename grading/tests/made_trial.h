/*
 * made_trial.h: for tests of the diagnosis: a trial whose product a test's own program makes.
 */
#pragma once

#include "grading/src/diagnose/suspect.h"

/* A trial of this plan, of tensor cores or not; t->got holds what C held before. The program stores
 * its product there; then call judge_trial. */
static inline struct trial *make_trial(struct trials *all, const char *name,
                                       const struct call_plan *plan, bool tensor_cores) {
    struct call_data data;
    call_data_make(&data, plan, (struct guard_bands){0});
    struct trial *t =
        trials_add(all, name, &data, VERDICT_WRONG, call_data_matrix(&data, MATRIX_C), NULL);
    t->counted = true;
    t->work.of[WORK_MMA] = tensor_cores;
    call_data_free(&data);
    return t;
}

/* Right or wrong, by its elements. */
static inline void judge_trial(struct trial *t) {
    t->verdict = VERDICT_PASS;
    for (size_t at = 0; at < trial_elements(t); at++)
        if (!trial_right(t, at))
            t->verdict = VERDICT_WRONG;
}
