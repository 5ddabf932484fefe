/* shapes_test.c: the sets of shapes, command lines, and what a contender takes and must reach. */
#include "bench/contender.h"
#include "bench/options.h"
#include "common/tests/suite.h"

#include "common/compare.h"

#include <stdio.h>
#include <string.h>

TEST(sets) {
    const struct shape_set *square = shape_set_find("square", 6);
    ck_assert_ptr_nonnull(square);
    ck_assert_int_eq(square->shapes[0].m, 256);
    ck_assert_int_eq(square->shapes[square->count - 1].k, 16384);
    ck_assert_ptr_null(shape_set_find("squar", 5));
    ck_assert_ptr_null(shape_set_find("squares", 7));
    ck_assert_ptr_eq(shape_set_find("square,thin", 6), square);
    for (int i = 0; i < shape_set_count; ++i) {
        ck_assert_int_gt(shape_sets[i].count, 0);
        for (int j = 0; j < shape_sets[i].count; ++j) {
            struct shape s = shape_sets[i].shapes[j];
            ck_assert(s.m > 0 && s.n > 0 && s.k > 0);
            ck_assert_int_ge(shape_largest(s), s.n);
        }
    }
}

/* The same seed draws the same; sizes spread over the octaves; the ends can be had. */
TEST(drawn) {
    enum { MANY = 3000 };
    static struct shape a[MANY];
    static struct shape b[MANY];
    int octave[9] = {0};
    shapes_draw(a, MANY, 7);
    shapes_draw(b, 20, 7);
    ck_assert_mem_eq(a, b, 20 * sizeof *a);
    shapes_draw(b, MANY, 8);
    ck_assert_mem_ne(a, b, sizeof a);
    for (int i = 0; i < MANY; ++i) {
        const int sizes[] = {a[i].m, a[i].n, a[i].k};
        for (int j = 0; j < 3; ++j) {
            ck_assert(sizes[j] >= SHAPE_DRAWN_LOW && sizes[j] <= SHAPE_DRAWN_HIGH);
            for (int o = 0; o < 9; ++o)
                octave[o] += sizes[j] >= 16 << o && sizes[j] < 32 << o;
        }
    }
    for (int o = 0; o < 9; ++o) /* 1000 expected, and a deviation of 30 */
        ck_assert_msg(octave[o] > 850 && octave[o] < 1150, "octave %d: %d", o, octave[o]);
}

TEST(texts) {
    char text[SHAPE_TEXT];
    ck_assert_str_eq(shape_text((struct shape){5, 5, 5}, text), "5");
    ck_assert_str_eq(shape_text((struct shape){5, 6, 7}, text), "5 x 6 x 7");
    ck_assert_double_eq(shape_flops((struct shape){16384, 16384, 16384}), 8796093022208.0);
    ck_assert_int_eq(shape_largest((struct shape){5, 9, 7}), 9);
}

static bool read(struct bench_options *o, int *status, const char *a, const char *b) {
    static char program[] = "/some/where/bench-gpu"; /* o keeps pointers to its name ... */
    static char first[64];                           /* ... and to values */
    static char second[64];
    char *argv[] = {program, first, second, NULL};
    int argc = b ? 3 : a ? 2 : 1;
    snprintf(first, sizeof first, "%s", a ? a : "");
    snprintf(second, sizeof second, "%s", b ? b : "");
    argv[argc] = NULL;
    *status = -1;
    extern int optind;
    optind = 0;
    return options_read(o, argc, argv, status);
}

TEST(command_lines) {
    struct bench_options o;
    int status;
    char text[256];
    ck_assert(read(&o, &status, NULL, NULL));
    ck_assert_int_eq(o.launches, 20);
    ck_assert_str_eq(o.program, "bench-gpu");
    ck_assert(read(&o, &status, "--shape", "3x4x5"));
    ck_assert(o.shape.m == 3 && o.shape.n == 4 && o.shape.k == 5);
    ck_assert(read(&o, &status, "--cold", "--max=4096"));
    ck_assert(o.cold && o.largest == 4096);
    options_text(&o, text, sizeof text);
    ck_assert_str_eq(text, "cold max 4096 launches 20 cap 5 s seed 1");
    ck_assert(read(&o, &status, "--sets", "thin,square"));
    ck_assert(read(&o, &status, "--random=200", "--only=lab8,yours"));
    ck_assert_int_eq(o.random, 200);
    options_text(&o, text, sizeof text);
    ck_assert_str_eq(text, "warm random 200 launches 20 cap 5 s seed 1 only lab8,yours");
}

/* Nothing that makes no sense is taken for something else. */
TEST(wrong_command_lines) {
    static const char *const wrong[][2] = {
        {"--launches", "0"},   {"--launches", "many"}, {"--launches", "20x"}, {"--cap", "0"},
        {"--cap", "-1"},       {"--cap", "nan"},       {"--max", "1e3"},      {"--shape", "3x4"},
        {"--shape", "3x4x5x"}, {"--shape", "0x4x5"},   {"--sets", "squares"}, {"--sets", "thin,"},
        {"--seed", "-1"},      {"file.cu", NULL},      {"--nothing", NULL},   {"--sets", ",thin"},
        {"--random", "0"},     {"--random", "20001"},  {"--random", "-3"},    {"--only", ""},
    };
    struct bench_options o;
    int status;
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; ++i) {
        bool allowed = strcmp(wrong[i][0], "--sets") == 0 && strcmp(wrong[i][1], "thin,") == 0;
        ck_assert_msg(read(&o, &status, wrong[i][0], wrong[i][1]) == allowed, "%s %s", wrong[i][0],
                      wrong[i][1] ? wrong[i][1] : "");
        ck_assert_int_eq(status, allowed ? -1 : 2);
    }
}

TEST(contenders) {
    struct contender c;
    char error[512];
    static const char *const none[] = {"",           "lab4",      "=x.so",      "a:lab4=x",
                                       "a:=x",       ":own=x.so", "a,b:own=x",  "a:own,=x",
                                       "a:,own=x",   "a:Own=x",   "a\"b:own=x", "a:by0=x",
                                       "a:by2000=x", "a:by=x",    "a:by128x=x", "a:square=x"};
    for (size_t i = 0; i < sizeof none / sizeof *none; ++i) {
        ck_assert_msg(!contender_load(&c, none[i], "matmul_device", error, sizeof error), "%s",
                      none[i]);
        ck_assert_ptr_nonnull(strstr(error, "is not a contender"));
    }
    ck_assert(!contender_load(&c, "yours:own=/nonexistent = 1.so", "f", error, sizeof error));
    ck_assert_ptr_nonnull(strstr(error, "cannot load yours: /nonexistent = 1.so"));
    ck_assert(!contender_load(&c, "lab4=libm.so.6", "matmul_device", error, sizeof error));
    ck_assert_str_eq(error, "lab4 does not define matmul_device (see common/lab.h)");
    ck_assert(contender_load(&c, "yours:own,3xtf32,ratio,square16=libm.so.6", "cos", error,
                             sizeof error));
    ck_assert_str_eq(c.name, "yours");
    ck_assert(c.own && c.own_bound && c.ratio && c.square && c.kind == CONTENDER_LAB);
    ck_assert_int_eq(c.multiple, 16);
    contender_close(&c);
    ck_assert(contender_load(&c, "theirs:by128=libm.so.6", "cos", error, sizeof error));
    ck_assert_str_eq(c.name, "theirs");
    ck_assert_int_eq(c.multiple, 128);
    ck_assert(!c.own && !c.own_bound && !c.ratio && !c.square);
    contender_close(&c);
    ck_assert_ptr_null(c.library);
}

TEST(rules) {
    struct contender lab3 = {.multiple = 32, .square = true};
    struct contender lab4 = {.multiple = 0};
    struct contender lab9 = {.own_bound = true};
    ck_assert(contender_takes(&lab3, (struct shape){64, 64, 64}));
    ck_assert(!contender_takes(&lab3, (struct shape){65, 65, 65}));
    ck_assert(!contender_takes(&lab3, (struct shape){64, 64, 32}));
    ck_assert(contender_takes(&lab4, (struct shape){1, 65, 3}));
    ck_assert_double_eq(contender_bound(&lab4, 100), compare_gamma(100));
    /* Lab 9's is wider than float32's for small k, narrower for large, and far narrower than the
     * 2^-10 that one TF32 product may be wrong by. */
    ck_assert_double_eq_tol(contender_bound(&lab9, 1), (20.1 + 18.1 + 1) * 0x1p-24, 1e-12);
    ck_assert_double_eq_tol(contender_bound(&lab9, 257), (20.1 + 18.1 * 32 + 2) * 0x1p-24, 1e-12);
    ck_assert_double_gt(contender_bound(&lab9, 100), compare_gamma(100));
    ck_assert_double_lt(contender_bound(&lab9, 4096), compare_gamma(4096));
    ck_assert_double_lt(contender_bound(&lab9, 1), 0x1p-10 / 100);
    struct contender by128 = {.multiple = 128};
    ck_assert(contender_takes(&by128, (struct shape){128, 256, 384}));
    ck_assert(!contender_takes(&by128, (struct shape){128, 256, 64}));
    ck_assert(!contender_takes(&by128, (struct shape){129, 256, 128}));
}

int main(void) {
    return run_tests((struct suite){.name = "bench shapes"});
}
