/* compare_test.c: rows, ratios and printed figures of all labs side by side. */
#include "common/tests/suite.h"
#include "grading/src/report/compare.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* Reads a file of printed figures that holds these lines. False: *why says why, without its folder.
 */
static bool reads(const char *lines, struct compare *c, char why[200]) {
    char root[] = "/tmp/compare-test.XXXXXX", path[96], folder[64];
    struct text said = {0};
    ck_assert_ptr_nonnull(mkdtemp(root));
    snprintf(folder, sizeof folder, "%s/common", root);
    snprintf(path, sizeof path, "%s/common/printed.tsv", root);
    ck_assert_int_eq(mkdir(folder, 0700), 0);
    FILE *f = fopen(path, "w");
    ck_assert_ptr_nonnull(f);
    fputs(lines, f);
    ck_assert_int_eq(fclose(f), 0);
    *c = (struct compare){0};
    const bool ok = compare_read_printed(c, root, &said);
    text_replace(&said, folder, "");
    snprintf(why, 200, "%s", text_get(&said));
    text_free(&said);
    unlink(path);
    rmdir(folder);
    rmdir(root);
    return ok;
}

TEST(printed_figures_have_cases_and_kernels) {
    struct compare c;
    char why[200];
    ck_assert(reads("# what it is\n\ncase\tsmall\t8 x 8\tone GPU\ncase\tlarge\t9 x 9\t\n"
                    "duration\tsmall\tcpu-naive\t8\nduration\tsmall\ttiled\t0.5\n"
                    "duration\tlarge\tcublas\t2\nratio\tset\t1000\t7\tsome GPU\n",
                    &c, why));
    ck_assert_uint_eq(c.sources, 2);
    ck_assert_str_eq(c.printed[0].size, "8 x 8");
    ck_assert_str_eq(c.printed[0].device, "one GPU");
    ck_assert_str_eq(c.printed[1].device, "");
    ck_assert_double_eq(compare_printed_times_cpu(&c.printed[0], COMPARE_TILED), 16);
    ck_assert(isnan(compare_printed_times_cpu(&c.printed[0], COMPARE_NAIVE)));
    ck_assert(isnan(compare_printed_times_cpu(&c.printed[1], COMPARE_CUBLAS))); /* no CPU there */
    ck_assert(isnan(compare_printed_times_cpu(&c.printed[0], COMPARE_OTHER)));
    compare_free(&c);
}

TEST(what_is_wrong_with_them_is_told_with_its_line) {
    static const char *const wrong[] = {"case\tsmall\t8 x 8\n",
                                        "duration\tsmall\ttiled\t1\n",
                                        "words\n",
                                        "case\ts\t8\tG\nduration\ts\tquick\t1\n",
                                        "case\ts\t8\tG\nduration\ts\ttiled\t-1\n",
                                        "case\ts\t8\tG\nduration\ts\ttiled\t1x\n"};
    static const int line[] = {1, 1, 1, 2, 2, 2};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        struct compare c;
        char why[200], expected[200];
        ck_assert_msg(!reads(wrong[i], &c, why), "%s", wrong[i]);
        snprintf(expected, sizeof expected,
                 "/printed.tsv:%d: expected a case, a duration or a ratio, as its first lines say",
                 line[i]);
        ck_assert_str_eq(why, expected);
        compare_free(&c);
    }
}

TEST(a_row_is_counted_and_compared_with_the_cpu) {
    static const struct lab_spec cpu = {.name = "lab1", .entries = 1u << ENTRY_CPU};
    static const struct lab_spec gpu = {
        .name = "lab2", .entries = 1u << ENTRY_DEVICE, .kernel = KERNEL_NAIVE};
    static const struct lab_spec blas = {
        .name = "lab5", .entries = 1u << ENTRY_DEVICE, .cublas = true};
    ck_assert_int_eq(compare_kernel(&cpu), COMPARE_CPU);
    ck_assert_int_eq(compare_kernel(&gpu), COMPARE_NAIVE);
    ck_assert_int_eq(compare_kernel(&blas), COMPARE_CUBLAS);
    struct compare_row row[] = {{.lab = &gpu, .state = COMPARE_RAN, .nanoseconds = 500},
                                {.lab = &cpu, .state = COMPARE_RAN, .nanoseconds = 2000},
                                {.lab = &blas, .state = COMPARE_RAN}};
    const struct compare c = {.row = row, .rows = 3};
    ck_assert_double_eq(compare_times_cpu(&c, &row[0]), 4);
    ck_assert_double_eq(compare_times_cpu(&c, &row[1]), 1);
    ck_assert(isnan(compare_times_cpu(&c, &row[2])));

    struct work work = {0};
    work.of[WORK_FLOPS] = 2000;
    work.of[WORK_GLOBAL_LOAD_SECTORS] = 40;
    work.of[WORK_GLOBAL_STORE_SECTORS] = 8;
    work.of[WORK_GLOBAL_ATOMIC_SECTORS] = 2;
    compare_count(&row[0], &work, (struct shape){10, 10, 10});
    ck_assert(row[0].counted && !row[0].library && row[0].side_counted == 10);
    ck_assert_double_eq(row[0].madds, 1000);
    ck_assert_double_eq(row[0].bytes, 50 * 32);
    ck_assert_double_eq(row[0].transactions_a_madd, 0.05);
    work = (struct work){0};
    work.of[WORK_GEMM_CALLS] = 1;
    work.of[WORK_GEMM_MADDS] = 1000;
    compare_count(&row[2], &work, (struct shape){10, 10, 10});
    ck_assert(row[2].library && row[2].madds == 1000);
}

TEST(a_lab_that_nobody_began_is_not_called_wrong) {
    struct compare_row row = {.state = COMPARE_RAN, .verdict = VERDICT_WRONG};
    ck_assert_str_eq(compare_verdict(&row), "wrong answer");
    row.unwritten = true;
    ck_assert_str_eq(compare_verdict(&row), "not written");
    ck_assert(!compare_is_right(&row));
    row = (struct compare_row){.state = COMPARE_REFUSED};
    ck_assert_str_eq(compare_verdict(&row), "not built");
    ck_assert(!compare_is_right(&row));
    row = (struct compare_row){.state = COMPARE_RAN, .verdict = VERDICT_PASS};
    ck_assert(compare_is_right(&row));
}

int main(void) {
    return run_tests((struct suite){.name = "all labs side by side"});
}
