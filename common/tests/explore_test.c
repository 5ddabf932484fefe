/* explore_test.c: the explorations' command lines, their CSV files, and the plot of characters. */
#include "common/explore_options.h"
#include "common/explore_plot.h"
#include "common/tests/suite.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* ---- Command lines ---- */

static bool flag, help;
static uint64_t number;
static const char *text, *operand[1];
static int operands;
static char error[EXPLORE_ERROR];

static bool parse(const char *line) {
    static char copy[256];
    static char command[] = "sweep";
    char *argv[16] = {command};
    int argc = 1;
    const struct explore_option options[] = {
        {.name = "--large", .flag = &flag},
        {.name = "--to", .number = &number, .low = 1, .high = 100},
        {.name = "--csv", .text = &text},
    };
    flag = false;
    number = 0;
    text = NULL;
    operand[0] = NULL;
    snprintf(copy, sizeof copy, "%s", line);
    for (char *word = strtok(copy, " "); word; word = strtok(NULL, " "))
        argv[argc++] = word;
    return explore_parse(argc, argv, options, 3, &help, operand, 1, &operands, error);
}

static void refused(const char *line, const char *expected) {
    ck_assert_msg(!parse(line), "accepted: %s", line);
    ck_assert_msg(strstr(error, expected) != NULL, "'%s': expected '%s' in '%s'", line, expected,
                  error);
}

TEST(options) {
    ck_assert(parse(""));
    ck_assert(!flag && !help && operands == 0);
    ck_assert(parse("--large file --to 7 --csv=a=b"));
    ck_assert(flag);
    ck_assert_uint_eq(number, 7);
    ck_assert_str_eq(text, "a=b");
    ck_assert_int_eq(operands, 1);
    ck_assert_str_eq(operand[0], "file");
    ck_assert(parse("--to=100 --help --nonsense"));
    ck_assert(help);
    ck_assert(parse("-"));
    ck_assert_str_eq(operand[0], "-");
    refused("--to", "--to needs a value");
    refused("--to 0", "expected a whole number from 1 to 100");
    refused("--to 101", "expected a whole number from 1 to 100");
    refused("--to=", "bad value ''");
    refused("--csv=", "not empty");
    refused("--large=1", "takes no value");
    refused("--tower 1", "unknown option '--tower'");
    refused("a b", "unexpected 'b'");
}

/* ---- CSV ---- */

static const struct series some = {
    "lab 4 on NVIDIA H200", {{100, 0.5e-3, 1e-3}, {200, 2e-3, 3e-3}, {300, 8e-3, 9e-3}}, 3};

TEST(csv_and_back) {
    char path[] = "/tmp/explore_test.XXXXXX";
    int fd = mkstemp(path);
    ck_assert_int_ge(fd, 0);
    close(fd);
    ck_assert(series_write(&some, path));
    struct series s;
    ck_assert_msg(series_read(&s, path, error), "%s", error);
    unlink(path);
    ck_assert_int_eq(s.count, 3);
    ck_assert_str_eq(s.name, some.name);
    for (int i = 0; i < 3; ++i) {
        ck_assert_int_eq(s.point[i].n, some.point[i].n);
        ck_assert_double_eq_tol(s.point[i].seconds, some.point[i].seconds, 1e-12);
        ck_assert_double_eq_tol(s.point[i].with_copies, some.point[i].with_copies, 1e-12);
    }
    ck_assert_int_eq(series_find(&s, 200), 1);
    ck_assert_int_eq(series_find(&s, 201), -1);
    ck_assert(!series_write(&some, "/nonexistent/file"));
    ck_assert(!series_read(&s, "/nonexistent/file", error));
}

#define HEADER "program,n,seconds,seconds_with_copies,gflops\n"

static bool csv(const char *what) {
    struct series s;
    return series_parse(&s, what, strlen(what), error);
}

TEST(csv_refusals) {
    static const char *const bad[] = {
        "",
        HEADER,
        "n,seconds\n\"x\",1,1,1,1\n",
        HEADER "x,1,1,1,1\n",
        HEADER "\"x\",1,1,1\n",
        HEADER "\"x\",1,1,1,1,1\n",
        HEADER "\"x\",0,1,1,1\n",
        HEADER "\"x\",-1,1,1,1\n",
        HEADER "\"x\",1,nan,1,1\n",
        HEADER "\"x\",1,0,1,1\n",
        HEADER "\"x\",1,1e300,1,1\n",
        HEADER "\"x\",2,1,1,1\n\"x\",2,1,1,1\n",
        HEADER "\"\033[2J\",2,1,1,1\n",
        HEADER "\"x\",1,1,1,1\n\n",
        HEADER "\"x\",12345678901,1,1,1\n",
    };
    for (size_t i = 0; i < sizeof bad / sizeof *bad; ++i)
        ck_assert_msg(!csv(bad[i]), "accepted: %s", bad[i]);
    ck_assert(!csv(HEADER "\"x\",1,1,1,1\nrubbish\n"));
    ck_assert_ptr_nonnull(strstr(error, "line 3"));
    ck_assert(csv(HEADER "\"x\",1,1,1,1\r\n"));
    char many[SERIES_MAX * 20 + 200] = HEADER;
    for (int i = 1; i <= SERIES_MAX + 1; ++i) {
        const size_t length = strlen(many);
        snprintf(many + length, sizeof many - length, "\"x\",%d,1,1,1\n", i);
        ck_assert_int_eq(csv(many), i <= SERIES_MAX);
    }
}

/* ---- The plot ---- */

static char *plotted(const struct series *s, const struct series *other) {
    char *out = NULL;
    size_t size;
    FILE *f = open_memstream(&out, &size);
    plot_text(f, s, other);
    fclose(f);
    return out;
}

TEST(a_plot) {
    struct series other = {"lab 2", {{100, 0.5e-3, 0}, {300, 16e-3, 0}}, 2};
    char *out = plotted(&some, &other);
    ck_assert_str_eq(out,
                     "   16.000 ms |                                                       o\n"
                     "             |\n"
                     "             |\n"
                     "             |\n"
                     "             |\n"
                     "             |\n"
                     "    8.615 ms |                                                       +\n"
                     "             |\n"
                     "             |\n"
                     "             |\n"
                     "             |\n"
                     "             |                           +\n"
                     "             |\n"
                     "    0.000 us |*\n"
                     "             +--------------------------------------------------------\n"
                     "              100                                                  300  n\n"
                     "              + lab 4 on NVIDIA H200\n"
                     "              o lab 2\n"
                     "              * both at one place\n");
    free(out);
    struct series one = {"x", {{7, 1, 1}}, 1}; /* nothing to spread */
    out = plotted(&one, NULL);
    ck_assert_ptr_nonnull(strchr(out, '+'));
    free(out);
}

int main(void) {
    return run_tests((struct suite){.name = "explore"});
}
