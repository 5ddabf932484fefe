/*
 * points.h: what cases and checks are worth: hundredths of a point at the finest.
 *
 * Every number of points is the double nearest to a whole number of hundredths, and stays one in
 * sums made here: so two that are equal in writing are equal for ==, and %g prints them as written.
 */
#pragma once

#include <math.h>

/* The nearest number of points. */
static inline double points_of(double x) {
    return round(x * 100.0) / 100.0;
}

/* As JSON: a whole number wherever it is one. */
struct json_t;
struct json_t *points_json(double points);
