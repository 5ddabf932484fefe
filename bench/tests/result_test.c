/*
 * result_test.c: the CSV, the JSON and the table of a few results, taken from a run on an H200,
 * against result.csv, result.json and result.txt beside this file; and what is derived from the
 * times.
 */
#include "bench/result.h"
#include "common/tests/suite.h"

#include <jansson.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static struct machine machine(void) {
    return (struct machine){
        .gpu = "NVIDIA H200",
        .driver = "580.159.04",
        .cuda = "13.0",
        .cublas = "130100",
        .cpu = "Intel(R) Xeon(R) Processor",
        .capability = 90,
        .multiprocessors = 132,
        .max_clock_mhz = 1980,
        .peak_gflops = 66908.16,
        .copy_gbs = 4164.11,
        .l1_gbs = NAN, /* unknown */
        .clock_min_mhz = 1935,
        .clock_median_mhz = 1980,
        .clock_max_mhz = 1980,
        .power_max_w = 578.657,
        .throttled = "power limit",
        .cores = 16,
        .options = "warm launches 20 cap 2 s seed 1",
    };
}

static void add(struct results *all, const char *set, const char *contender, struct shape s,
                double median, enum verdict verdict) {
    struct result r = result_start(set, contender, s);
    r.time = (struct spread){median * 0.99, median * 0.995, median, median * 1.01, median * 1.2};
    r.launches = 20;
    r.clock_mhz = 1980;
    r.verdict = verdict;
    r.checked_rows = s.m;
    r.worst = 0.0137812;
    results_add(all, &r);
}

static struct results recorded(void) {
    struct results all = {0};
    const struct shape square = {1024, 1024, 1024};
    const struct shape thin = {64, 8192, 8192};
    add(&all, "square", "lab2", square, 0.000316496, VERDICT_RIGHT);
    add(&all, "square", "lab4", square, 0.000242112, VERDICT_RIGHT);
    add(&all, "square", "cublas", square, 5.7664e-05, VERDICT_RIGHT);
    results_relate(&all, 0, machine().peak_gflops);
    add(&all, "thin", "lab4", thin, 0.001085, VERDICT_RIGHT);
    all.items[3].cold = true;
    add(&all, "thin", "yours", thin, 0.001, VERDICT_NOT_FP32);
    add(&all, "thin", "lab7", thin, NAN, VERDICT_WRONG);
    all.items[5].wrong = 12;
    all.items[5].worst = INFINITY;
    all.items[5].launches = 0;
    add(&all, "thin", "lab8", thin, NAN, VERDICT_NOT_RUN);
    snprintf(all.items[6].note, RESULT_NOTE, "not enough device memory");
    results_relate(&all, 3, machine().peak_gflops); /* no cuBLAS here: its share is unknown */
    add(&all, "printed", "cpu-naive", square, 5.235, VERDICT_RIGHT);
    all.items[7].timed_rows = 101;
    all.items[7].launches = 4;
    all.items[7].clock_mhz = NAN;
    snprintf(all.items[7].note, RESULT_NOTE, "scaled up from 101 of 1024 rows");
    add(&all, "printed", "transfers", square, 0.001125, VERDICT_UNCHECKED);
    results_relate(&all, 7, machine().peak_gflops);
    return all;
}

static char *contents(const char *path) {
    FILE *in = fopen(path, "r");
    ck_assert_msg(in != NULL, "cannot read %s (run from the kit's folder)", path);
    char *text = calloc(1, 1 << 16);
    ck_assert_ptr_nonnull(text);
    ck_assert_uint_gt(fread(text, 1, (1 << 16) - 1, in), 0);
    fclose(in);
    return text;
}

/* UPDATE=1 writes the expected file anew: read the difference before committing it. */
static void expect(const char *path, const char *golden) {
    char *got = contents(path);
    if (getenv("UPDATE")) {
        FILE *out = fopen(golden, "w");
        ck_assert_ptr_nonnull(out);
        fputs(got, out);
        fclose(out);
    }
    char *want = contents(golden);
    ck_assert_str_eq(got, want);
    free(got);
    free(want);
}

static void temporary(char path[32]) {
    snprintf(path, 32, "/tmp/bench-result-XXXXXX");
    int file = mkstemp(path);
    ck_assert_int_ge(file, 0);
    close(file);
}

TEST(csv) {
    char path[32];
    struct machine m = machine();
    struct results all = recorded();
    temporary(path);
    ck_assert_int_eq(results_write_csv(path, &m, &all), 0);
    expect(path, "bench/tests/result.csv");
    unlink(path);
    ck_assert_int_ne(results_write_csv("/nonexistent/x.csv", &m, &all), 0);
    results_free(&all);
}

/* Compared as JSON: versions of the library write numbers differently. */
TEST(json) {
    char path[32];
    struct machine m = machine();
    struct results all = recorded();
    json_error_t error;
    temporary(path);
    ck_assert_int_eq(results_write_json(path, &m, &all), 0);
    if (getenv("UPDATE"))
        expect(path, "bench/tests/result.json");
    json_t *got = json_load_file(path, 0, &error);
    ck_assert_msg(got != NULL, "%s", error.text);
    json_t *want = json_load_file("bench/tests/result.json", 0, &error);
    ck_assert_msg(want != NULL, "%s", error.text);
    ck_assert_int_eq(json_equal(got, want), 1);
    json_decref(got);
    json_decref(want);
    unlink(path);
    ck_assert_int_ne(results_write_json("/nonexistent/x.json", &m, &all), 0);
    results_free(&all);
}

TEST(table) {
    char path[32];
    struct results all = recorded();
    temporary(path);
    FILE *out = fopen(path, "w");
    ck_assert_ptr_nonnull(out);
    table_heading(out, "square");
    table_shape(out, all.items, 3);
    table_heading(out, "thin");
    table_shape(out, all.items + 3, 4);
    table_shape(out, all.items + 7, 2);
    fclose(out);
    expect(path, "bench/tests/result.txt");
    unlink(path);
    results_free(&all);
}

TEST(speeds) {
    struct results all = recorded();
    ck_assert_double_eq_tol(result_gflops(&all.items[2]), 37241.4, 0.1);
    ck_assert_double_eq(all.items[2].of_cublas, 1);
    ck_assert_double_eq_tol(all.items[0].of_cublas, 5.7664e-05 / 0.000316496, 1e-9);
    ck_assert_double_eq_tol(all.items[2].of_peak, 0.5566, 1e-4);
    ck_assert(isnan(all.items[3].of_cublas));
    ck_assert(isnan(result_gflops(&all.items[5]))); /* a wrong product has no speed */
    ck_assert(isnan(result_gflops(&all.items[8]))); /* copies do not multiply */
    results_free(&all);
    ck_assert_int_eq(all.count, 0);
}

/* Where one is not faster, or was not timed, counts; a contender of one shape has no line. */
TEST(summary) {
    static const struct {
        const char *contender;
        int n;
        double of_cublas;
    } rows[] = {{"lab8", 256, 1.21}, {"cublas", 256, 1},     {"lab4", 256, 0.5},
                {"lab8", 512, 1.0},  {"cublas", 512, 1},     {"lab4", 512, 0.125},
                {"lab9", 512, 2},    {"lab8", 1024, 0.8264}, {"lab4", 1024, NAN}};
    struct results all = {0};
    char *text = NULL;
    size_t length = 0;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; ++i) {
        struct result r = result_start("square", rows[i].contender,
                                       (struct shape){rows[i].n, rows[i].n, rows[i].n});
        r.of_cublas = rows[i].of_cublas;
        results_add(&all, &r);
    }
    FILE *out = open_memstream(&text, &length);
    table_summary(out, all.items, all.count);
    table_summary(out, all.items, 2); /* nothing to sum up */
    fclose(out);
    ck_assert_str_eq(
        text, "\n"
              "of cuBLAS          contender            mean  as fast or faster  slowest\n"
              "                   lab8               100.0%          2 of    3    82.6% at 1024\n"
              "                   lab4                25.0%          0 of    2    12.5% at 512\n");
    free(text);
    results_free(&all);
}

int main(void) {
    return run_tests((struct suite){.name = "bench result"});
}
