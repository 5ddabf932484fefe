/*
 * stats.h: what is said of a series of durations: its median, and how far it spreads.
 *
 * The median, because one launch that was disturbed moves a mean and not a median; the quartiles,
 * because the smallest and the largest of a series drift apart the longer it is.
 */
#pragma once

struct spread {
    double min, q1, median, q3, max;
};

/* Sorts the values and tells their spread; between two values quartiles are interpolated. With
 * count = 0, everything is NaN. The values must be numbers: a NaN among them makes the order, and
 * so the result, meaningless. */
struct spread stats_spread(double *values, int count);

/* The distance between the quartiles as a share of the median, such as 0.01; NaN without values. */
double stats_relative(const struct spread *s);
