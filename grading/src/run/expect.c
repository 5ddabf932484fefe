/* expect.c: see expect.h. */
#include "grading/src/run/expect.h"

#include "common/lab_product.h"

#include <string.h>

/* Our own engine, not the CBLAS: the same digits in every report, on every machine. */
int expect_product(const struct call_data *data, double *want, double *bound) {
    const struct call_plan *p = &data->plan;
    const struct shape s = p->shape;
    const float *a = call_data_rows(data, MATRIX_A), *b = call_data_rows(data, MATRIX_B),
                *before = call_data_rows(data, MATRIX_C);
    const size_t total = (size_t)s.m * (size_t)s.n;
    const int error =
        lab_product_reference(&p->product, s.m, s.n, s.k, a, b, before, want, REFERENCE_OWN, 0);
    memset(bound, 0, total * sizeof *bound);
    if (error != 0 || input_is_exact(p->input))
        return error;
    const double factor = lab_product_factor(&p->product, p->bound, s.k);
    const int magnitude =
        lab_product_magnitude(&p->product, s.m, s.n, s.k, a, b, before, bound, REFERENCE_OWN, 0);
    for (size_t i = 0; magnitude == 0 && i < total; i++)
        bound[i] *= factor;
    return magnitude;
}
