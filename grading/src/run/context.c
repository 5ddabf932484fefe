/* context.c: what results say of themselves (see context.h). */
#include "grading/src/run/context.h"

#include "grading/src/lab/points.h"

#include <string.h>

enum grade_status grade_status(const struct grade_context *g) {
    if (g->not_graded.length > 0)
        return GRADE_NONE;
    return g->points >= g->points_possible && g->points_possible > 0 ? GRADE_FULL : GRADE_PARTIAL;
}

void points_earn(struct grade_context *g, double points) {
    g->points = points_of(g->points + points);
}

void points_ask(struct grade_context *g, double points, bool bonus) {
    if (!bonus)
        g->points_possible = points_of(g->points_possible + points);
}

bool case_wanted(const struct grade_context *g, const struct case_spec *spec) {
    for (int i = 0; i < g->options.cases; i++)
        if (strcmp(g->options.only[i], spec->name) == 0)
            return true;
    return g->options.cases == 0;
}

bool case_forgiven(const struct case_result *c) {
    return c->verdict == VERDICT_PASS && c->observed != VERDICT_PASS &&
           c->observed != VERDICT_NOT_GRADED;
}

const char *check_verdict_text(enum check_verdict v) {
    return v == CHECK_MET ? "met" : v == CHECK_NOT_MET ? "not met" : "not graded";
}

const char *check_told(const struct grade_context *g, const struct check_result *c) {
    if (c->premature)
        return g->first_failure ? "cases first" : "not judged yet";
    return check_verdict_text(c->verdict);
}

const char *check_verdict_key(enum check_verdict v) {
    return v == CHECK_MET ? "met" : v == CHECK_NOT_MET ? "not_met" : "not_graded";
}
