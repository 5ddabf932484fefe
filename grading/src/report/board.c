/* board.c: see board.h. */
#include "grading/src/report/board.h"

/* Global memory moves in sectors. */
enum { SECTOR_BYTES = 32 };

static double madds(const struct case_result *c) {
    const struct shape *s = &c->plan.call[0].shape;
    return (double)s->m * s->n * s->k;
}

static bool counted(const struct case_result *c) {
    const uint64_t *of = c->seen.work[0].of;
    return c->seen.calls > 0 && !c->spec->hidden && of[WORK_FLOPS] > 0 && of[WORK_GEMM_CALLS] == 0;
}

/* A size that is the same for all, before one that is drawn. */
static bool is_better(const struct case_result *c, const struct case_result *than) {
    const bool fixed = c->spec->shape == SHAPE_FIXED;
    if (!than || fixed != (than->spec->shape == SHAPE_FIXED))
        return !than || fixed;
    return madds(c) > madds(than);
}

bool board_of(struct board *b, const struct grade_context *g) {
    *b = (struct board){0};
    if (grade_status(g) != GRADE_FULL || g->build.flags.count > 0)
        return false;
    for (size_t i = 0; i < g->result_count; i++)
        if (counted(&g->results[i]) && is_better(&g->results[i], b->in))
            b->in = &g->results[i];
    if (!b->in)
        return false;
    const uint64_t *of = b->in->seen.work[0].of;
    const uint64_t sectors = of[WORK_GLOBAL_LOAD_SECTORS] + of[WORK_GLOBAL_STORE_SECTORS] +
                             of[WORK_GLOBAL_ATOMIC_SECTORS];
    const uint64_t conflicts = of[WORK_SHARED_LOAD_CONFLICTS] + of[WORK_SHARED_STORE_CONFLICTS];
    b->bytes = SECTOR_BYTES * (double)sectors / madds(b->in);
    b->conflicts = (double)conflicts / madds(b->in);
    b->seconds = (double)g->time.own * 1e-9;
    return true;
}
