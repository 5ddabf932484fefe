/* child_clock.c: the grader's only clock (see child.h). In a file of its own, so that a test can
 * put another one in its place. */
#include "grading/src/child.h"

#include <time.h>

int64_t child_clock(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (int64_t)t.tv_sec * 1000 + t.tv_nsec / 1000000;
}
