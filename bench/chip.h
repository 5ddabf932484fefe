/*
 * chip.h: how fast a GPU could be at best, computed from what it says of itself.
 *
 *     peak = 2 operations * cores of a multiprocessor * multiprocessors * clock
 *
 * A float32 core finishes one fused multiply-add a clock. How many cores a multiprocessor has is
 * told by no query: it follows from the compute capability (NVIDIA's CUDA C++ Programming Guide).
 */
#pragma once

/* Float32 cores of one multiprocessor; 0 when the capability is older than 2.0. A capability newer
 * than all known gets the newest one's. */
int chip_cores(int major, int minor);

/* In units of 10^9 operations a second; NaN when something is unknown (not above 0). */
double chip_peak_gflops(int major, int minor, int multiprocessors, double clock_mhz);

/* Bytes a second, in units of 10^9, that all multiprocessors' first-level caches and shared memory
 * deliver at best: 128 bytes a clock each. */
double chip_l1_gbs(int multiprocessors, double clock_mhz);
