/* expect.h: what a call's product must be, by the numbers that the call was given. */
#pragma once

#include "grading/src/lab/cases.h"

/* Fills want and bound, m x n each: an element must be `want`, but for `bound`, which is 0 where
 * products are exact. Returns 0, or an errno of the reference. */
int expect_product(const struct call_data *data, double *want, double *bound);
