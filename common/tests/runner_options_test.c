/* runner_options_test.c: the command line of a lab program. */
#include "common/runner_options.h"
#include "common/tests/suite.h"

#include <stdio.h>
#include <string.h>

static struct run_options o;
static char error[RUN_OPTIONS_ERROR];

/* Parses a command line given as one string, words separated by single blanks. */
static bool parse(int lab, const char *line) {
    static char copy[256];
    static char program[] = "lab";
    char *argv[16] = {program};
    int argc = 1;
    snprintf(copy, sizeof copy, "%s", line);
    for (char *word = strtok(copy, " "); word; word = strtok(NULL, " "))
        argv[argc++] = word;
    const struct run_build build = {.lab = lab, .multiple = lab == 3 ? 32 : 0};
    return run_options_parse(&build, 64, argc, argv, &o, error);
}

static void refused(int lab, const char *line, const char *expected) {
    ck_assert_msg(!parse(lab, line), "accepted: %s", line);
    ck_assert_msg(strstr(error, expected) != NULL, "'%s': expected '%s' in '%s'", line, expected,
                  error);
    ck_assert_ptr_null(strchr(error, '\n'));
}

static void sizes(int m, int k, int n) {
    ck_assert_int_eq(o.m, m);
    ck_assert_int_eq(o.k, k);
    ck_assert_int_eq(o.n, n);
}

TEST(sizes_and_defaults) {
    ck_assert(parse(2, ""));
    sizes(64, 64, 64);
    ck_assert_uint_eq(o.seed, 1);
    ck_assert_int_eq(o.inputs, RUN_INTEGERS);
    ck_assert(parse(2, "100"));
    sizes(100, 100, 100);
    ck_assert(parse(2, "3 5 7")); /* m k n: heightA widthA widthB */
    sizes(3, 5, 7);
    ck_assert(parse(2, "2147483647 1 1"));
    sizes(2147483647, 1, 1);
}

TEST(options) {
    ck_assert(parse(2, "--seed 7 --reals 10"));
    ck_assert_uint_eq(o.seed, 7);
    ck_assert_int_eq(o.inputs, RUN_REALS);
    sizes(10, 10, 10);
    ck_assert(parse(2, "3 --seed=18446744073709551615 4 5 --counts"));
    ck_assert_uint_eq(o.seed, UINT64_MAX);
    ck_assert_int_eq(o.inputs, RUN_COUNTS);
    sizes(3, 4, 5);
    ck_assert(!o.help);
    ck_assert(parse(3, "--help 5")); /* help comes before the sizes are looked at */
    ck_assert(o.help);
    ck_assert(parse(1, "-h"));
    ck_assert(o.help);
}

TEST(bad_sizes) {
    refused(2, "0", "bad size '0'");
    refused(2, "-5", "bad size '-5'");
    refused(2, "abc", "bad size 'abc'");
    refused(2, "12x", "bad size '12x'");
    refused(2, "1.5", "bad size '1.5'");
    refused(2, "1e3", "bad size '1e3'");
    refused(2, "+7", "bad size '+7'");
    refused(2, "0x10", "bad size '0x10'");
    refused(2, "2147483648", "from 1 to 2147483647");
    refused(2, "99999999999999999999999", "from 1 to 2147483647");
    refused(2, "3 0 5", "bad size '0'");
    refused(2, "1 2", "two sizes given");
    refused(2, "1 2 3 4", "too many sizes at '4'");
    refused(2, "-", "bad size '-'");
}

TEST(bad_options) {
    refused(2, "--frobnicate", "unknown option '--frobnicate'");
    refused(2, "--seed", "bad seed '(none)'");
    refused(2, "--seed=", "bad seed ''");
    refused(2, "--seed -1", "bad seed '-1'");
    refused(2, "--seed 18446744073709551616", "bad seed");
    refused(2, "--seedling 3", "unknown option '--seedling'");
}

TEST(long_arguments_stay_in_bounds) {
    char line[255];
    memset(line, 'x', sizeof line);
    line[sizeof line - 1] = '\0';
    refused(2, line, "bad size 'xxx");
    ck_assert_uint_lt(strlen(error), RUN_OPTIONS_ERROR);
}

TEST(lab_3_takes_square_multiples_of_32) {
    ck_assert(parse(3, "96"));
    sizes(96, 96, 96);
    ck_assert(parse(3, "32 32 32"));
    refused(3, "33", "multiples of its tile, 32: not 33");
    refused(3, "32 64 32", "square");
    refused(3, "1000", "multiples of its tile");
    ck_assert(parse(4, "33 1 7")); /* lab 4 takes any */
}

int main(void) {
    return run_tests((struct suite){.name = "runner_options"});
}
