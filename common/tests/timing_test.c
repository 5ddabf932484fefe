/* timing_test.c: the clock moves forward, rates and texts are right;
 * and the memory that is left. */
#include "common/host_memory.h"
#include "common/tests/suite.h"
#include "common/timing.h"

#include <limits.h>
#include <time.h>

static double seconds(struct timespec t) {
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

TEST(clock_moves_forward) {
    struct timespec before, after;
    clock_gettime(CLOCK_MONOTONIC, &before);
    double begin = timing_now();
    struct timespec pause = {.tv_nsec = 2000000};
    nanosleep(&pause, NULL);
    double passed = timing_now() - begin;
    clock_gettime(CLOCK_MONOTONIC, &after);
    ck_assert(passed >= 0.002);
    ck_assert(passed <= seconds(after) - seconds(before) + 1e-6); /* rounding */
}

TEST(rates) {
    ck_assert_double_eq_tol(timing_gflops(1000, 1000, 1000, 2.0), 1.0, 1e-12);
    ck_assert_double_eq_tol(timing_gflops(INT_MAX, INT_MAX, INT_MAX, 1.0), 1.98e19, 1e17);
    ck_assert_double_eq(timing_gflops(10, 10, 10, 0), 0);
}

TEST(texts) {
    char text[TIMING_TEXT];
    ck_assert_str_eq(timing_text(61.0677, text), "61.068 s");
    ck_assert_str_eq(timing_text(0.0276, text), "27.600 ms");
    ck_assert_str_eq(timing_text(0.0000015, text), "1.500 us");
    ck_assert_str_eq(timing_text(0, text), "0.000 us");
}

TEST(memory_that_is_left) {
    uint64_t bytes = host_memory_available();
    ck_assert_uint_gt(bytes, 1 << 20); /* this test runs, so a little is there */
}

int main(void) {
    return run_tests((struct suite){.name = "timing"});
}
