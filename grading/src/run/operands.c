/* operands.c: see operands.h. */
#include "grading/src/run/operands.h"

#include "common/lab_product.h"
#include "grading/src/base/text.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

bool operands_wanted(const struct grade_context *g, const struct case_spec *spec) {
    return rubric_limits(&g->rubric, spec, "shared_operands") ||
           rubric_limits(&g->rubric, spec, "shared_alike");
}

/* By what it is multiplied: 4 is two operands, 2 is one; of sums of two, 2 is both. What is no
 * number, or changes its sign, is no product of this kind: nothing is held against it. */
static double operands(const struct lab_product *p, double got, double want) {
    const double ratio = got / want, most = p->kind == PRODUCT_MIN_PLUS ? 1 : 2;
    if (!isfinite(ratio) || ratio <= 0)
        return 2;
    return fmin(fmax(log2(ratio), 0), most) * 2 / most;
}

/* Elements with none, one, two operands, and no part of one more. */
struct tally {
    double sum;
    size_t seen, whole[3];
};

static void add_element(struct tally *t, double operands) {
    const double whole = round(operands);
    t->sum += operands;
    t->seen++;
    if (fabs(operands - whole) < 0.1)
        t->whole[(int)whole]++;
}

static struct operands sum_up(const struct tally *t) {
    size_t most = 0;
    if (t->seen == 0)
        return OPERANDS_UNKNOWN;
    for (int i = 0; i < 3; i++)
        most = t->whole[i] > most ? t->whole[i] : most;
    return (struct operands){(uint64_t)(1000 * t->sum / (double)t->seen), 1000 * most / t->seen};
}

struct operands operands_doubled(const struct call_data *data, const unsigned char *returned) {
    const struct shape s = data->plan.shape;
    const size_t total = (size_t)s.m * (size_t)s.n;
    const unsigned char *c = returned + data->region[MATRIX_A].bytes + data->region[MATRIX_B].bytes;
    double *want = xmalloc(total * sizeof *want);
    float *got = xmalloc(total * sizeof *got);
    call_data_take(data, c, got);
    struct tally tally = {0};
    /* Of a scaled product, the part that is multiplied: what C held before comes from elsewhere. */
    const struct lab_product *p = &data->plan.product;
    const float *before = call_data_rows(data, MATRIX_C);
    const struct lab_product part = {.kind = p->kind, .alpha = p->alpha};
    if (lab_product_reference(&part, s.m, s.n, s.k, call_data_rows(data, MATRIX_A),
                              call_data_rows(data, MATRIX_B), before, want, REFERENCE_OWN,
                              0) == 0) {
        for (size_t i = 0; i < total; i++) {
            if (want[i] == 0)
                continue;
            const double added = lab_product_takes_c(p) ? p->beta * (double)before[i] : 0;
            add_element(&tally, operands(p, (double)got[i] - added, want[i]));
        }
    }
    free(want);
    free(got);
    return sum_up(&tally);
}
