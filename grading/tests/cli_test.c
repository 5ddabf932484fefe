/* cli_test.c: the command line, right and wrong. */
#include "common/tests/suite.h"
#include "grading/src/app/cli.h"

#include <stdio.h>
#include <string.h>

#define MOST 16

/* Parses words separated by single blanks. */
static struct options parse(const char *line) {
    static char words[512];
    char *argv[MOST] = {"grader"};
    int argc = 1;
    snprintf(words, sizeof words, "%s", line);
    for (char *word = strtok(words, " "); word && argc < MOST - 1; word = strtok(NULL, " "))
        argv[argc++] = word;
    argv[argc] = NULL;
    struct options o;
    cli_parse(&o, argc, argv);
    return o;
}

static void wrong(const char *line, const char *message) {
    const struct options o = parse(line);
    ck_assert_int_eq(o.action, CLI_WRONG);
    ck_assert_str_eq(o.wrong, message);
}

TEST(what_is_right) {
    ck_assert_int_eq(parse("").action, CLI_STANDING);
    ck_assert_int_eq(parse("--help").action, CLI_HELP);
    ck_assert_int_eq(parse("lab3 -h").action, CLI_HELP);
    ck_assert_int_eq(parse("--version").action, CLI_VERSION);
    struct options o = parse("lab3");
    ck_assert_int_eq(o.action, CLI_GRADE);
    ck_assert_str_eq(o.lab, "lab3");
    ck_assert_int_eq(o.backend, BACKEND_AUTO);
    ck_assert(!o.seed_given && !o.verbose && !o.keep);
    o = parse("--seed 12 --backend=gpu lab4 --submission my.cu -v --keep --case ragged");
    ck_assert_int_eq(o.action, CLI_GRADE);
    ck_assert_str_eq(o.lab, "lab4");
    ck_assert_int_eq(o.backend, BACKEND_GPU);
    ck_assert(o.seed_given && o.seed == 12 && o.verbose && o.keep);
    ck_assert_str_eq(o.submission, "my.cu");
    ck_assert_int_eq(o.cases, 1);
    ck_assert_str_eq(o.only[0], "ragged");
    o = parse("lab1 --seed=18446744073709551615");
    ck_assert(o.seed == UINT64_MAX);
    o = parse("lab1 --format text --format json=a=b.json");
    ck_assert_int_eq(o.formats, 2);
    ck_assert_str_eq(o.format[1].name, "json");
    ck_assert_str_eq(o.format[1].path, "a=b.json");
    o = parse("lab3 --watch --format html=a.html");
    ck_assert_int_eq(o.action, CLI_WATCH);
    ck_assert_str_eq(o.format[0].name, "html");
    o = parse("--compare --seed 7 --format json=a.json --backend vgpu");
    ck_assert(o.action == CLI_COMPARE && !o.compare_folder && o.seed == 7 && o.formats == 1);
    ck_assert_str_eq(parse("--compare=solutions").compare_folder, "solutions");
    o = parse("lab3 --film");
    ck_assert(o.action == CLI_GRADE && o.film_wanted && !o.film_path);
    o = parse("lab3 --film=a.html block=1,0 warp=3 case=ragged size=40x48x36 --seed 2");
    ck_assert_str_eq(o.film_path, "a.html");
    ck_assert_str_eq(o.film.block, "1,0");
    ck_assert_str_eq(o.film.warp, "3");
    ck_assert_str_eq(o.film.case_name, "ragged");
    ck_assert(o.film.size.m == 40 && o.film.size.n == 48 && o.film.size.k == 36);
    ck_assert(o.seed == 2);
    ck_assert(parse("--film lab3 --watch").action == CLI_WATCH);
    o = parse("lab3 --debug --case ragged");
    ck_assert(o.action == CLI_GRADE && o.debug && o.cases == 1);
    ck_assert_str_eq(o.film.case_name, "ragged");
    o = parse("-- -lab");
    ck_assert_str_eq(o.lab, "-lab");
}

TEST(what_is_wrong) {
    wrong("lab1 lab2", "one lab at a time: both lab1 and lab2 are given");
    wrong("lab1 --nonsense", "unknown option --nonsense (see ./grader --help)");
    wrong("lab1 --seeds 3", "unknown option --seeds (see ./grader --help)");
    wrong("lab1 -x", "unknown option -x (see ./grader --help)");
    wrong("lab3 --debug --watch", "--debug is for grading a lab: without --batch, --watch, "
                                  "--answers, --questions, --hint, --describe");
    wrong("lab3 --film=", "--film needs a file name after '='");
    wrong("lab3 --film size=40x48", "'40x48' is not a size: use size=MxNxK, as in size=64x64x64");
    static const char *const no_sizes[] = {"",        "x",      "64",     "0x1x1",   "-1x2x2",
                                           "2x2x2x2", "64x64x", "+6x6x6", "64x64x6y"};
    for (size_t i = 0; i < sizeof no_sizes / sizeof *no_sizes; i++) {
        char line[64], message[200];
        snprintf(line, sizeof line, "lab3 --film size=%s", no_sizes[i]);
        snprintf(message, sizeof message, "'%s' is not a size: use size=MxNxK, as in size=64x64x64",
                 no_sizes[i]);
        wrong(line, message);
    }
    static const char *const large_sizes[] = {
        "1200x1200x1200", "99999x99999x99999", "4294967297x1x1", "18446744073709551617x1x1",
        "9999999999999999999x9999999999999999999x9999999999999999999"};
    for (size_t i = 0; i < sizeof large_sizes / sizeof *large_sizes; i++) {
        char line[96], message[200];
        snprintf(line, sizeof line, "lab3 --film size=%s", large_sizes[i]);
        snprintf(message, sizeof message,
                 "size=%s: a film has room for 4194304 elements of A, B and C, as in "
                 "size=1024x1024x1024",
                 large_sizes[i]);
        wrong(line, message);
    }
    wrong(
        "lab3 --film size=1111111111222222222233333333334444444444555555555566666666667x1x1",
        "size=111111111122222222223333333333444444444455555555556666666666...: a film has room for "
        "4194304 elements of A, B and C, as in size=1024x1024x1024");
    ck_assert(parse("lab3 --film size=1024x1024x1024").film.size.k == 1024);
    static const char *const no_blocks[] = {"", "one", "-1", ",", "1,,2", "1,", "1,2,3,4"};
    for (size_t i = 0; i < sizeof no_blocks / sizeof *no_blocks; i++) {
        char line[64], message[200];
        snprintf(line, sizeof line, "lab3 --film block=%s", no_blocks[i]);
        snprintf(message, sizeof message,
                 "'block=%s' is not a block: use block=X,Y, as in block=1,0", no_blocks[i]);
        wrong(line, message);
    }
    static const char *const far_blocks[] = {"2147483647", "4294967296,0", "0,65535", "0,0,65535",
                                             "99999999999999999999,1"};
    for (size_t i = 0; i < sizeof far_blocks / sizeof *far_blocks; i++) {
        char line[64], message[200];
        snprintf(line, sizeof line, "lab3 --film block=%s", far_blocks[i]);
        snprintf(message, sizeof message,
                 "block=%s: no grid has it, since the last block that one can have is "
                 "2147483646,65534,65534",
                 far_blocks[i]);
        wrong(line, message);
    }
    ck_assert_str_eq(parse("lab3 --film block=2147483646,65534,65534").film.block,
                     "2147483646,65534,65534");
    wrong("lab3 --film warp=", "'warp=' is not a warp: use warp=N, as in warp=0");
    wrong("lab3 --film warp=-1", "'warp=-1' is not a warp: use warp=N, as in warp=0");
    wrong("lab3 --film warp=1,2", "'warp=1,2' is not a warp: use warp=N, as in warp=0");
    wrong("lab3 --film warp=32",
          "warp=32: no block has it, since one has 32 warps at most, 0 to 31");
    wrong("lab3 --film warp=18446744073709551616",
          "warp=18446744073709551616: no block has it, since one has 32 warps at most, 0 to 31");
    wrong("lab3 --film steps=9", "'steps=9': a film is chosen by case=, size=, block= and warp=");
    wrong("lab3 --film colour=red",
          "'colour=red': a film is chosen by case=, size=, block= and warp=");
    wrong("lab3 block=1", "one lab at a time: both lab3 and block=1 are given");
    wrong("lab3 --film --hint",
          "--film is for grading a lab: without --batch, --answers, --questions, --hint, "
          "--describe");
    wrong("--film", "which lab? (as in ./grader lab1)");
    wrong("lab1 --watch --hint",
          "--watch is for grading a lab: without --batch, --answers, --questions, --hint, "
          "--describe");
    wrong("lab1 --watch --batch d",
          "--watch is for grading a lab: without --batch, --answers, --questions, --hint, "
          "--describe");
    wrong("lab1 --seed", "--seed needs a value: --seed S");
    wrong("lab1 --keep=yes", "--keep takes no value");
    wrong("lab1 --backend cpu", "unknown backend 'cpu': use vgpu, gpu, both or auto");
    wrong("lab1 --format xml",
          "unknown format 'xml': use one of text, json, gradescope, prairielearn, autolab, vpl, "
          "classroom50, junit, tap, csv, html, editor");
    wrong("lab1 --format json=", "--format json= needs a file name after '='");
    wrong("lab1 --format json --format text",
          "two formats to standard output: give one of them a file, as in text=PATH");
    static const char *const bad_seeds[] = {"-1", "x", "1x", "18446744073709551616", "+5"};
    for (size_t i = 0; i < sizeof bad_seeds / sizeof *bad_seeds; i++) {
        char line[64], message[200];
        snprintf(line, sizeof line, "lab1 --seed=%s", bad_seeds[i]);
        snprintf(message, sizeof message,
                 "'%s' is not a seed: use a whole number from 0 to 18446744073709551615",
                 bad_seeds[i]);
        wrong(line, message);
    }
    wrong("--submission x.cu", "which lab? (as in ./grader lab1)");
    wrong("lab1 --\033[31m", "unknown option --?[31m (see ./grader --help)");
}

TEST(too_many_formats) {
    char *argv[2 + 2 * (CLI_MAX_FORMATS + 1)] = {"grader"};
    int argc = 1;
    argv[argc++] = "lab1";
    for (int i = 0; i < CLI_MAX_FORMATS; i++) {
        argv[argc++] = "--format";
        argv[argc++] = "json=x";
    }
    struct options o;
    cli_parse(&o, argc, argv);
    ck_assert_int_eq(o.action, CLI_GRADE);
    argv[argc - 2] = "--format=text";
    argv[argc - 1] = "--format=json=y";
    cli_parse(&o, argc, argv);
    ck_assert_int_eq(o.action, CLI_WRONG);
}

TEST(help_is_narrow) {
    struct text t = {0};
    struct labs known = labs_open(".");
    cli_help(&t, &known);
    labs_free(&known);
    for (const char *line = text_get(&t); *line;) {
        const size_t n = strcspn(line, "\n");
        ck_assert_uint_le(n, 100);
        line += n + (line[n] == '\n');
    }
    text_free(&t);
}

int main(void) {
    return run_tests((struct suite){.name = "grading/cli"});
}
