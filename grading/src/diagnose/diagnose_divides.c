/*
 * diagnose_divides.c: an integer divided by zero, which stops no kernel (see diagnose.h). It is the
 * cause where it happens in every case that fails, and in none that passes.
 */
#include "grading/src/diagnose/diagnose.h"

#include <string.h>

bool rule_divides(struct inquiry *q, struct diagnosis *d) {
    const struct finding_body *shown = NULL;
    const struct case_result *in = NULL;
    for (size_t i = 0; i < q->g->result_count; i++) {
        const struct case_result *c = &q->g->results[i];
        if (c->spec->entry != q->entry || c->seen.calls == 0)
            continue;
        const struct finding_body *f = observation_find(&c->seen, VGPU_FOUND_DIVISION, true);
        const enum verdict v = inquiry_verdict(q, c);
        const bool fails = v == VERDICT_WRONG || v == VERDICT_MEMORY || v == VERDICT_CUDA_ERROR;
        if ((v == VERDICT_PASS && f) || (fails && !f))
            return false;
        if (fails && !shown)
            shown = f, in = c;
    }
    if (!shown)
        return false;
    const struct shape s = in->plan.call[0].shape;
    d->class = "divides-by-zero";
    diagnosis_place(d, shown);
    text_addf(&d->sentence,
              "Line %d divides by zero, or takes a remainder by zero, with m = %d, n = %d, k = %d, "
              "and C is wrong just where that happens. A GPU does not stop there: the result may "
              "be any number. Where can the divisor become 0? What a %% b leaves over is 0 where b "
              "divides a, and then the last group is a whole one.",
              d->line, s.m, s.n, s.k);
    text_add_clean_line(&d->evidence, shown->message, strcspn(shown->message, "\n"), 300);
    return true;
}
