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

/* The side that a lab is timed at: this one, or the next multiple of its tile where it takes only
 * those. */
int times_side(const struct lab_spec *lab, int side);
/* The nanoseconds of the lab's product of that side, matmul_device's on a GPU or matmul_cpu's; 0
 * where neither can be had. A simulator's time says nothing, and is not taken. */
uint64_t times_product(struct grade_context *g, int side);

/* "1024 x 1024 x 1024 in 0.235 ms; cuBLAS 0.0581 ms, so 24.7 % of its speed"; empty when there is
 * nothing to say. */
void times_say(struct text *t, const struct grade_context *g);
