/* stats.c: see stats.h. */
#include "bench/stats.h"

#include <math.h>
#include <stdlib.h>

static int by_value(const void *a, const void *b) {
    double x = *(const double *)a;
    double y = *(const double *)b;
    return (x > y) - (x < y);
}

/* The value that a share of the sorted values lies below. */
static double quantile(const double *sorted, int count, double share) {
    double position = share * (count - 1);
    int below = (int)position;
    if (below >= count - 1)
        return sorted[count - 1];
    return sorted[below] + (position - below) * (sorted[below + 1] - sorted[below]);
}

struct spread stats_spread(double *values, int count) {
    if (count < 1)
        return (struct spread){NAN, NAN, NAN, NAN, NAN};
    qsort(values, (size_t)count, sizeof *values, by_value);
    return (struct spread){
        .min = values[0],
        .q1 = quantile(values, count, 0.25),
        .median = quantile(values, count, 0.5),
        .q3 = quantile(values, count, 0.75),
        .max = values[count - 1],
    };
}

double stats_relative(const struct spread *s) {
    return (s->q3 - s->q1) / s->median;
}
