/*
 * timing.h: the host's clock, and how many operations a product takes.
 *
 * For GPU work see timing_cuda.h: a launch returns before the work is done, so a host clock around
 * it measures the launch.
 */
#pragma once

#include <stdint.h>

/* Seconds since some fixed moment; never goes back. Only differences mean anything. */
double timing_now(void);

/* A rate in units of 10^9 floating-point operations a second: a product takes m*n*k multiplications
 * and as many additions. 0 when the time is not above 0. */
double timing_gflops(int m, int n, int k, double seconds);

/* Writes a duration in the unit that suits it ("1.234 ms") into text, and returns text. */
enum { TIMING_TEXT = 32 };
char *timing_text(double seconds, char text[TIMING_TEXT]);
