/* stats_test.c: medians and quartiles; the chip's peak; no value at all. */
#include "bench/chip.h"
#include "bench/stats.h"
#include "common/tests/suite.h"

#include <math.h>

TEST(odd_and_even) {
    double odd[] = {5, 1, 3, 2, 4};
    struct spread s = stats_spread(odd, 5);
    ck_assert_double_eq(s.min, 1);
    ck_assert_double_eq(s.q1, 2);
    ck_assert_double_eq(s.median, 3);
    ck_assert_double_eq(s.q3, 4);
    ck_assert_double_eq(s.max, 5);

    double even[] = {4, 1, 3, 2};
    s = stats_spread(even, 4);
    ck_assert_double_eq(s.q1, 1.75);
    ck_assert_double_eq(s.median, 2.5);
    ck_assert_double_eq(s.q3, 3.25);
}

TEST(few) {
    double one[] = {7};
    struct spread s = stats_spread(one, 1);
    ck_assert_double_eq(s.min, 7);
    ck_assert_double_eq(s.q1, 7);
    ck_assert_double_eq(s.median, 7);
    ck_assert_double_eq(s.max, 7);
    ck_assert_double_eq(stats_relative(&s), 0);

    s = stats_spread(one, 0);
    ck_assert(isnan(s.median) && isnan(s.min) && isnan(s.max));
    ck_assert(isnan(stats_relative(&s)));
}

/* One launch that was disturbed moves neither the median nor the quartiles. */
TEST(outlier) {
    double times[] = {10, 10, 11, 11, 10, 11, 10, 11, 10, 900};
    struct spread s = stats_spread(times, 10);
    ck_assert_double_eq(s.median, 10.5);
    ck_assert_double_eq(s.q1, 10);
    ck_assert_double_eq(s.q3, 11);
    ck_assert_double_eq(s.max, 900);
    ck_assert_double_eq_tol(stats_relative(&s), 1 / 10.5, 1e-12);
}

/* Peaks as in NVIDIA's data sheets, in GFLOP/s. */
TEST(peaks) {
    ck_assert_double_eq_tol(chip_peak_gflops(9, 0, 132, 1980), 66908, 1); /* H200 */
    ck_assert_double_eq_tol(chip_peak_gflops(8, 0, 108, 1410), 19492, 1); /* A100 */
    ck_assert_double_eq_tol(chip_peak_gflops(8, 9, 128, 2520), 82575, 1); /* RTX 4090 */
    ck_assert_double_eq_tol(chip_peak_gflops(7, 5, 40, 1590), 8141, 1);   /* T4 */
    ck_assert_double_eq_tol(chip_peak_gflops(6, 1, 20, 1733), 8873, 1);   /* GTX 1080 */
    ck_assert_double_eq_tol(chip_peak_gflops(2, 0, 14, 1147), 1028, 1);   /* C2075 */
    ck_assert(isnan(chip_peak_gflops(1, 3, 30, 1296)));
    ck_assert(isnan(chip_peak_gflops(9, 0, 132, 0)));
    ck_assert_int_eq(chip_cores(99, 0), 128);
    ck_assert_double_eq_tol(chip_l1_gbs(132, 1980), 33454, 1);
}

int main(void) {
    return run_tests((struct suite){.name = "bench stats"});
}
