/* variant_test.c: an instructor's file for a course says what it says, and each mistake in it is
 * told with its line. */
#include "common/tests/suite.h"
#include "grading/src/lab/variant.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static struct labs known;

/* The facts of this text, or "refused: " and the reason, without the file's name. */
static char *read_text(const char *text) {
    char path[] = "/tmp/variant_test.XXXXXX";
    const int fd = mkstemp(path);
    ck_assert_int_ge(fd, 0);
    ck_assert_int_eq((int)write(fd, text, strlen(text)), (int)strlen(text));
    close(fd);
    struct variant v;
    struct text why = {0}, said = {0};
    const bool good = variant_read(&v, &known, path, &why);
    ck_assert(good == (why.length == 0));
    if (good)
        variant_facts(&said, &v);
    else
        text_addf(&said, "refused: %s", text_get(&why));
    if (!good)
        ck_assert(v.labs == NULL && v.count == 0);
    text_replace(&said, path, "F");
    variant_free(&v);
    unlink(path);
    char *result = xstrdup(text_get(&said));
    text_free(&why);
    text_free(&said);
    return result;
}

static void says(const char *text, const char *expected) {
    char *got = read_text(text);
    ck_assert_str_eq(got, expected);
    free(got);
}

#define HEAD "format = 1;\n"

TEST(facts_are_said) {
    says(HEAD, "");
    says(HEAD "names = { matmul_device = \"product_gpu\"; m = \"rows_of_c\"; A = \"left\"; };\n"
              "lab3 = { tile = 16; };\nlab4 = { };\nlab2 = { threads = [16, 8]; };\n"
              "lab1 = { b_layout = \"transposed\"; a_layout = \"transposed\"; };\n"
              "lab5 = { beta = -1; alpha = 2; };\nlab6 = { };\n",
         "name matmul_device product_gpu\nname m rows_of_c\nname A left\n"
         "lab3 tile 16\nlab2 threads 16 8\nlab1 a_layout transposed\nlab1 b_layout transposed\n"
         "lab5 alpha 2\nlab5 beta -1\n");
    says(HEAD "lab2 = { threads = [8, 8]; padding = 16; };", "lab2 threads 8 8\nlab2 padding 16\n");
    says(HEAD "lab4 = { ring = \"min-plus\"; };", "lab4 ring min-plus\n");
}

static const struct {
    const char *text, *reason;
} mistakes[] = {
    {"lab3 = { tile = 16; };", "F: 'format' is missing"},
    {HEAD "lab3 = { tiles = 16; };",
     "F:2: unknown setting 'tiles'; here there may be tile, threads, a_layout, b_layout, "
     "padding, alpha, beta, ring"},
    {HEAD "tile = 16;", "F:2: unknown setting 'tile'; here there may be names, lab1 to lab10"},
    {HEAD "lab77 = { };", "F:2: unknown setting 'lab77'; here there may be names, lab1 to lab10"},
    {HEAD "lab03 = { };", "F:2: unknown setting 'lab03'; here there may be names, lab1 to lab10"},
    {HEAD "lab5 = { tile = 16; };",
     "F:2: lab5 does not take 'tile'; it takes 'a_layout', 'b_layout', 'alpha', 'beta'"},
    {HEAD "lab2 = { tile = 16; };",
     "F:2: lab2 does not take 'tile'; it takes 'threads', 'a_layout', 'padding', 'alpha', 'beta', "
     "'ring'"},
    {HEAD "lab8 = { a_layout = \"transposed\"; };",
     "F:2: lab8 does not take 'a_layout'; it takes names alone"},
    {HEAD "lab3 = { a_layout = \"plain\"; };",
     "F:2: 'a_layout' must be \"transposed\"; leave it out where it is plain"},
    {HEAD "lab5 = { ring = \"min-plus\"; };",
     "F:2: lab5 does not take 'ring'; it takes 'a_layout', 'b_layout', 'alpha', 'beta'"},
    {HEAD "lab9 = { ring = \"min-plus\"; };",
     "F:2: lab9 does not take 'ring'; it takes 'a_layout', 'b_layout', 'alpha', 'beta'"},
    {HEAD "lab3 = { ring = \"plain\"; };",
     "F:2: 'ring' must be \"min-plus\"; leave it out where it is plain"},
    {HEAD "lab3 = { alpha = 2; };",
     "F:2: 'alpha' needs 'beta': C = alpha * A * B + beta * C has both, and either may be 1"},
    {HEAD "lab3 = { beta = 2; };",
     "F:2: 'beta' needs 'alpha': C = alpha * A * B + beta * C has both, and either may be 1"},
    {HEAD "lab3 = { alpha = 5; beta = 1; };", "F:2: 'alpha' is 5; it must be from -4 to 4"},
    {HEAD "lab3 = { alpha = 2; beta = 0; };", "F:2: 'beta' must not be 0"},
    {HEAD "lab3 = { alpha = 0.5; beta = 1; };",
     "F:2: 'alpha' must be a whole number, not a number"},
    {HEAD "lab3 = { alpha = 2; beta = 1; ring = \"min-plus\"; };",
     "F:2: 'ring' has no 'alpha' and no 'beta': give one or the other"},
    {HEAD "lab5 = { padding = 8; };",
     "F:2: lab5 does not take 'padding'; it takes 'a_layout', 'b_layout', 'alpha', 'beta'"},
    {HEAD "lab3 = { padding = 12; };", "F:2: 'padding' is 12; it must be a multiple of 8"},
    {HEAD "lab3 = { padding = 0; };", "F:2: 'padding' is 0; it must be from 8 to 64"},
    {HEAD "lab3 = { padding = 8; alpha = 1; beta = 1; };",
     "F:2: 'padding' goes with 'tile' and 'threads' alone, not with other layouts or products"},
    {HEAD "lab3 = { padding = 8; a_layout = \"transposed\"; };",
     "F:2: 'padding' goes with 'tile' and 'threads' alone, not with other layouts or products"},
    {HEAD "lab3 = { tile = 12; };", "F:2: 'tile' is 12; it must be 8, 16 or 32"},
    {HEAD "lab3 = { tile = 64; };", "F:2: 'tile' is 64; it must be from 8 to 32"},
    {HEAD "lab3 = { tile = \"16\"; };", "F:2: 'tile' must be a whole number, not text"},
    {HEAD "lab3 = 16;", "F:2: 'lab3' must be a group, as in lab3 = { tile = 16; };"},
    {HEAD "lab2 = { threads = 16; };",
     "F:2: 'threads' must be a block's threads along x and y, as in threads = [16, 8]"},
    {HEAD "lab2 = { threads = [16, 64]; };", "F:2: 'threads' is 64; it must be from 1 to 32"},
    {HEAD "lab2 = { threads = [8, 2]; };",
     "F:2: 'threads' makes 8 x 2 = 16; a block must be whole warps of 32"},
    {HEAD "names = { matmul = \"x\"; };",
     "F:2: unknown setting 'matmul'; here there may be matmul_cpu, matmul_host, matmul_device, m, "
     "n, k, A, B, C"},
    {HEAD "names = { m = \"2x\"; };",
     "F:2: \"2x\" is not a name for 'm': a letter, then letters, digits and _, at most 31 in all"},
    {HEAD "names = { m = \"x y\"; };",
     "F:2: \"x y\" is not a name for 'm': a letter, then letters, digits and _, at most 31 in all"},
    {HEAD "names = { m = \"for\"; };",
     "F:2: \"for\" is a word of the language: 'm' needs another name"},
    {HEAD "names = { m = \"n\"; };", "F:2: 'm' cannot be called \"n\": the kit has that name"},
    {HEAD "names = { m = \"size\"; n = \"size\"; };",
     "F:2: 'm' and 'n' cannot both be called \"size\""},
    {HEAD "names = \"x\";", "F:2: 'names' must be a group, as in names = { m = \"rows_c\"; };"},
    {HEAD "lab3 = { tile = 16; };\nlab3 = { tile = 8; };", "F:3: duplicate setting name"},
    {HEAD "lab3 = { tile", "F:2: syntax error"},
};

TEST_EACH(mistakes_are_told, sizeof mistakes / sizeof *mistakes) {
    char *expected = xasprintf("refused: %s", mistakes[_i].reason);
    says(mistakes[_i].text, expected);
    free(expected);
}

static void open_labs(void) {
    known = labs_open(".");
    ck_assert_uint_ge(known.count, 9);
}

static void close_labs(void) {
    labs_free(&known);
}

int main(void) {
    return run_tests((struct suite){
        .name = "grading/lab/variant", .set_up = open_labs, .tear_down = close_labs});
}
