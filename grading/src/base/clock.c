/* clock.c: see clock.h. In a file of its own, so that a test can put another clock in its place. */
#include "grading/src/base/clock.h"

#include <time.h>

int64_t clock_now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (int64_t)t.tv_sec * 1000 + t.tv_nsec / 1000000;
}
