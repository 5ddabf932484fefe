/*
 * times.h: on a GPU, how long one product takes beside cuBLAS. Shown, never judged.
 *
 * Calls follow one another on the same pointers, between two events of the device; the least of
 * three rounds of 20 calls counts. `make bench` measures with more care.
 */
#pragma once

#include "grading/src/run/context.h"

/* Fills in g->time when the cases ran on a GPU and all gave right products; else does nothing. */
void times_measure(struct grade_context *g);

/* "1024 x 1024 x 1024 in 0.235 ms; cuBLAS 0.0581 ms, so 24.7 % of its speed"; empty when there is
 * nothing to say. */
void times_say(struct text *t, const struct grade_context *g);
