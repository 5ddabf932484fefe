/* timing.c: see timing.h. */
#include "common/timing.h"

#include <stdio.h>
#include <time.h>

double timing_now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

double timing_gflops(int m, int n, int k, double seconds) {
    return seconds > 0 ? 2e-9 * m * n * k / seconds : 0;
}

char *timing_text(double seconds, char text[TIMING_TEXT]) {
    if (seconds >= 1)
        snprintf(text, TIMING_TEXT, "%.3f s", seconds);
    else if (seconds >= 1e-3)
        snprintf(text, TIMING_TEXT, "%.3f ms", seconds * 1e3);
    else
        snprintf(text, TIMING_TEXT, "%.3f us", seconds * 1e6);
    return text;
}
