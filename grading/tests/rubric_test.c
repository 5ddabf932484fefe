/* rubric_test.c: the kit's rubrics and hidden cases load; every mistake in one is refused with its
 * line and a reason; the instructors' page lists exactly the quantities there are. */
#include "common/tests/suite.h"
#include "grading/src/lab/rubric.h"
#include "grading/src/lab/sections.h"

#include "grading/src/lab/work.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define HEAD "format = 1;\nlab = \"lab4\";\n"
#define CASE(name, points)                                                                         \
    "{ name = \"" name "\"; function = \"matmul_device\"; shape = \"ragged\"; numbers = "          \
    "\"integers\"; points = " points "; }"

#define COUNTS "{ kind = \"counts\"; name = \"c\"; title = \"t\"; points = 10; "

static char path[2][40];

static struct labs known;

static const char *put(int which, const char *text) {
    snprintf(path[which], sizeof path[which], "/tmp/rubric_test.XXXXXX");
    const int fd = mkstemp(path[which]);
    ck_assert_int_ge(fd, 0);
    ck_assert_int_eq((int)write(fd, text, strlen(text)), (int)strlen(text));
    close(fd);
    return path[which];
}

/* Loads texts; the reason without the file's name, "" when it loads. */
static char *load(const char *text, const char *hidden, struct rubric *r) {
    struct text why = {0};
    const char *file = put(0, text), *more = hidden ? put(1, hidden) : NULL;
    const bool ok = rubric_load(r, labs_find(&known, "lab4"), file, more, &why);
    ck_assert(ok == (why.length == 0));
    if (!ok)
        ck_assert_ptr_null(r->cases); /* empty, as promised */
    text_replace(&why, file, "F");
    if (more)
        text_replace(&why, more, "H");
    unlink(file);
    if (more)
        unlink(more);
    char *reason = xstrdup(text_get(&why));
    text_free(&why);
    return reason;
}

static void refused(const char *text, const char *hidden, const char *reason) {
    struct rubric r;
    char *why = load(text, hidden, &r);
    ck_assert_msg(strncmp(why, reason, strlen(reason)) == 0, "expected: %s\ngot: %s", reason, why);
    free(why);
}

TEST(the_kits_rubrics_load) {
    for (size_t i = 0; i < known.count; i++) {
        struct rubric r;
        struct text why = {0};
        char *own = rubric_path(&known.lab[i], "."),
             *hidden = xasprintf("solutions/%s/hidden.cfg", known.lab[i].folder);
        ck_assert_msg(rubric_load(&r, &known.lab[i], own, NULL, &why), "%s", text_get(&why));
        ck_assert_int_eq(rubric_points(&r), 100);
        const size_t visible = r.case_count;
        rubric_free(&r);
        ck_assert_msg(access(hidden, R_OK) == 0, "%s has no hidden cases", known.lab[i].name);
        ck_assert_msg(rubric_load(&r, &known.lab[i], own, hidden, &why), "%s", text_get(&why));
        ck_assert_int_eq(rubric_points(&r), 100);
        ck_assert_uint_gt(r.case_count, visible);
        for (size_t c = 0; c < r.case_count; c++)
            ck_assert(r.cases[c].hidden == (c >= visible));
        rubric_free(&r);
        free(own);
        free(hidden);
    }
}

TEST(what_is_read) {
    struct rubric r;
    char *why = load(
        HEAD "hints = (\"h\");\ncases = ( " CASE(
            "a", "60") ",\n"
                       "{ name = \"b\"; function = \"matmul_device\"; shape = \"fixed\"; size = "
                       "[7, 8, 9];\n"
                       "  numbers = \"reals\"; before = \"numbers\"; calls = 3; points = 30; } );\n"
                       "checks = ( { name = \"c\"; title = \"t\"; kind = \"counts\"; case = \"a\"; "
                       "points = 10;\n"
                       "  limits = ( { value = \"load_reuse\"; at_least = 2; advice = \"x\"; } ); "
                       "} );\n",
        "format = 1; lab = \"lab4\"; cases = ( { name = \"d\"; function = \"matmul_device\";\n"
        "shape = \"one\"; numbers = \"integers\"; points = 5; taken_from = \"b\"; } );\n",
        &r);
    ck_assert_str_eq(why, "");
    free(why);
    ck_assert_uint_eq(r.case_count, 3);
    ck_assert_int_eq(r.cases[1].points, 25);
    ck_assert_int_eq(r.cases[1].size[2], 9);
    ck_assert_int_eq(r.cases[1].calls, 3);
    ck_assert_int_eq(r.cases[1].poison, POISON_INTEGERS);
    ck_assert(r.cases[2].hidden && r.cases[2].points == 5);
    ck_assert_int_eq(r.checks[0].in_count, 1);
    ck_assert(check_looks_at(&r.checks[0], &r.cases[0]));
    ck_assert(!check_looks_at(&r.checks[0], &r.cases[1]));
    ck_assert(r.checks[0].limit[0].least == 2.0);
    ck_assert_int_eq(r.case_hints.count, 1);
    ck_assert_int_eq(r.call_seconds, RUBRIC_CALL_SECONDS);
    ck_assert_int_eq(r.seconds, RUBRIC_SECONDS);
    rubric_free(&r);
}

/* Fractions add up exactly; bonuses are on top, of hidden cases as well. */
TEST(fractions_and_bonuses) {
    struct rubric r;
    char *why = load(
        HEAD
        "cases = ( " CASE("a", "33.33") ", " CASE("b", "33.33") ", " CASE("c", "33.3") ", " CASE(
            "d", "0.04") ",\n" CASE("e", "0") ", " CASE("f", "2.5; bonus = true") " );\n",
        "format = 1; lab = \"lab4\"; cases = ( { name = \"h\"; function = "
        "\"matmul_device\"; shape = \"one\"; numbers = \"integers\"; points = "
        "0.33; taken_from = \"a\"; },\n{ name = \"i\"; function = "
        "\"matmul_device\"; shape = \"one\"; numbers = \"integers\"; points = "
        "1.5; bonus = true; } );\n",
        &r);
    ck_assert_str_eq(why, "");
    free(why);
    ck_assert(rubric_points(&r) == 100 && rubric_bonus(&r) == 4);
    ck_assert(r.cases[0].points == 33 && r.cases[3].points == 0.04 && r.cases[4].points == 0);
    ck_assert(r.cases[5].bonus && r.cases[6].points == 0.33 && r.cases[7].bonus);
    rubric_free(&r);
    refused(HEAD "cases = ( " CASE("a", "100") ", " CASE("b", "5; bonus = true") " );\n",
            "format = 1; lab = \"lab4\"; cases = ( { name = \"h\"; function = "
            "\"matmul_device\"; shape = \"one\"; numbers = \"integers\"; points = 1; "
            "taken_from = \"b\"; } );\n",
            "H:1: \"b\" is a bonus: no points can be taken from it");
    refused(HEAD "cases = ( " CASE("a", "100") " );\n",
            "format = 1; lab = \"lab4\"; cases = ( { name = \"h\"; function = "
            "\"matmul_device\"; shape = \"one\"; numbers = \"integers\"; points = 1; bonus = "
            "true; taken_from = \"a\"; } );\n",
            "H:1: a bonus takes no points from another case");
}

TEST(sections_of_the_handouts) {
    static const struct {
        const char *section, *reason;
    } rows[] = {
        {"lab4.md#edges", ""},
        {"lab4.md#goals", ""}, /* by its words */
        {"debugging.md", ""},
        {"lab4.md#edge", "F:7: handouts/lab4.md has no section #edge; it has "},
        {"lab44.md#edges", "F:7: there is no handouts/lab44.md; there are "},
        {"../README.md", "F:7: there is no handouts/../README.md; there are "},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        char *text = xasprintf(
            HEAD
            "cases = ( " CASE("a", "99") " );\n"
                                         "checks = ( {\n kind = \"errors\"; name = \"c\"; title = "
                                         "\"t\"; points = 1;\n\n section = \"%s\"; } );\n",
            rows[i].section);
        struct rubric r;
        struct text reason = {0};
        char *why = load(text, NULL, &r);
        ck_assert_str_eq(why, "");
        ck_assert(sections_exist(&r, ".", &reason) == !*rows[i].reason);
        text_replace(&reason, r.path, "F");
        ck_assert_msg(strncmp(text_get(&reason), rows[i].reason, strlen(rows[i].reason)) == 0,
                      "expected: %s\ngot: %s", rows[i].reason, text_get(&reason));
        text_clear(&reason);
        ck_assert(sections_exist(&r, "/nonexistent", &reason));
        text_free(&reason);
        rubric_free(&r);
        free(why);
        free(text);
    }
}

TEST(what_a_check_looks_at) {
    struct rubric r;
    char *why = load(
        HEAD "cases = ( " CASE("a", "50") ", " CASE("b", "20") ", " CASE(
            "c",
            "10") " );\n"
                  "checks = ( { name = \"d\"; title = \"t\"; kind = \"counts\"; points = 10;\n"
                  "  case = (\"a\", \"c\"); limits = ( { value = \"flops\"; at_most = 1; },\n"
                  "  { value = \"launches\"; at_most = 1; in = \"c\"; } ); },\n"
                  "{ name = \"e\"; title = \"t\"; kind = \"counts\"; gate = true; points = 10;\n"
                  "  function = \"matmul_device\"; limits = ( { value = \"flops\"; at_most = 1; "
                  "} ); } );\n",
        "format = 1; lab = \"lab4\"; cases = ( { name = \"h\"; function = "
        "\"matmul_device\";\n"
        "shape = \"one\"; numbers = \"integers\"; points = 5; taken_from = \"b\"; } );\n",
        &r);
    ck_assert_str_eq(why, "");
    free(why);
    const struct check_spec *some = &r.checks[0], *all = &r.checks[1];
    const bool expected[4] = {true, false, true, false};
    for (int i = 0; i < 4; i++) {
        ck_assert(check_looks_at(some, &r.cases[i]) == expected[i]);
        ck_assert(check_looks_at(all, &r.cases[i])); /* a hidden case, too */
        ck_assert(limit_holds_in(&some->limit[0], &r.cases[i]));
        ck_assert(limit_holds_in(&some->limit[1], &r.cases[i]) == (i == 2));
    }
    ck_assert(all->gate && !some->gate);
    rubric_free(&r);
    refused(HEAD "cases = ( " CASE("a", "50") ", " CASE(
                "b", "40") " );\n"
                           "checks = ( " COUNTS "case = (\"a\", \"b\");\n"
                           "limits = ( { value = \"flops\"; at_most = 1; in = \"b\"; } ); } );\n",
            NULL, "F:5: no limit holds in the case \"a\", which is looked at first");
}

TEST(limits_on_time) {
    struct rubric r;
    char *why =
        load(HEAD "seconds = 45; call_seconds = 3;\ncases = ( " CASE("a", "100") " );\n", NULL, &r);
    ck_assert_str_eq(why, "");
    free(why);
    ck_assert_int_eq(r.call_seconds, 3);
    ck_assert_int_eq(r.seconds, 45);
    rubric_free(&r);
    refused(HEAD "seconds = 0;\n", NULL, "F:3: 'seconds' is 0; it must be from 1 to 3600");
    refused(HEAD "seconds = 1.5;\n", NULL, "F:3: 'seconds' must be a whole number, not a number");
    refused(HEAD "call_seconds = \"3\";\n", NULL,
            "F:3: 'call_seconds' must be a whole number, not text");
}

TEST(what_a_lab_is) {
    struct rubric r;
    char *why =
        load(HEAD "title = \"tiles, any size\"; functions = (\"matmul_device\");\n"
                  "sizes = \"square tiles\"; tile = 16; block = 64; cublas = true;\n"
                  "bound = \"3xtf32\"; capability = 90;\n"
                  "cases = ( { name = \"a\"; function = \"matmul_device\"; shape = \"tile\";\n"
                  "numbers = \"integers\"; points = 100; } );\n",
             NULL, &r);
    ck_assert_str_eq(why, "");
    free(why);
    ck_assert_str_eq(r.lab.title, "tiles, any size");
    ck_assert_uint_eq(r.lab.entries, 1u << ENTRY_DEVICE);
    ck_assert(r.lab.square_tiles && r.lab.cublas);
    ck_assert_int_eq(r.lab.tile, 16);
    ck_assert_int_eq(r.lab.block, 64);
    ck_assert_int_eq(r.lab.bound, BOUND_3XTF32);
    ck_assert_int_eq(r.lab.capability, 90);
    rubric_free(&r);
    refused(HEAD "title = 4;\n", NULL, "F:3: 'title' must be text, not a whole number");
    refused(HEAD "title = \"a title of more than 28 letters\";\n", NULL,
            "F:3: 'title' has 31 characters; it may have 28");
    refused(HEAD "title = \"a & b\";\n", NULL, "F:3: 'title' may hold letters, digits,");
    refused(HEAD "functions = \"matmul_cpu\";\n", NULL, "F:3: 'functions' must be a list");
    refused(HEAD "functions = ();\n", NULL, "F:3: 'functions' must be a list");
    refused(HEAD "functions = (\"matmul_cpu\", \"main\");\n", NULL, "F:3: 'functions' may hold");
    refused(HEAD "tile = 0;\n", NULL, "F:3: 'tile' is 0; it must be from 1 to 256");
    refused(HEAD "block = \"x\";\n", NULL, "F:3: 'block' must be a whole number, not text");
    refused(HEAD "cublas = 1;\n", NULL, "F:3: 'cublas' must be true or false, not a whole number");
    refused(HEAD "sizes = \"some\";\n", NULL,
            "F:3: 'sizes' is \"some\"; it must be one of \"any\", \"square tiles\"");
    refused(HEAD "bound = \"half\";\n", NULL, "F:3: 'bound' is \"half\"; it must be one of");
    /* Functions that the lab has are those of this file. */
    refused(HEAD "functions = (\"matmul_cpu\");\ncases = ( " CASE("a", "100") " );\n", NULL,
            "F:4: lab4 has no matmul_device");
}

TEST(folders_that_are_no_labs) {
    char root[] = "/tmp/labs_test.XXXXXX";
    static const char *const names[] = {"lab7-last", "lab2-first",   "lab",     "lab0-zero", "lab3",
                                        "lab4x-y",   "lab1234-many", "label-5", "lab6-empty"};
    static const char text[] =
        "format = 1;\nlab = \"lab7\";\ntitle = \"last\";\nfunctions = (\"matmul_cpu\");\n";
    ck_assert_ptr_nonnull(mkdtemp(root));
    char *folder = xasprintf("%s/labs", root);
    ck_assert_int_eq(mkdir(folder, 0700), 0);
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        char *lab = xasprintf("%s/%s", folder, names[i]), *file = xasprintf("%s/lab.cfg", lab);
        ck_assert_int_eq(mkdir(lab, 0700), 0);
        FILE *f = strcmp(names[i], "lab6-empty") == 0 ? NULL : fopen(file, "we");
        if (f) {
            fputs(text, f);
            fclose(f);
        }
        free(lab);
        free(file);
    }
    struct labs found = labs_open(root);
    ck_assert_uint_eq(found.count, 2);
    ck_assert_str_eq(found.lab[0].folder, "lab2-first"); /* whose file is another lab's */
    ck_assert_ptr_nonnull(strstr(found.lab[0].fault, "lab.cfg:2: this is for lab7, not for lab2"));
    ck_assert_str_eq(found.lab[1].name, "lab7");
    ck_assert_str_eq(found.lab[1].title, "last");
    ck_assert_ptr_null(found.lab[1].fault);
    labs_free(&found);
    char *gone = xasprintf("rm -r '%s'", root);
    ck_assert_int_eq(system(gone), 0);
    free(gone);
    free(folder);
    found = labs_open("/nonexistent");
    ck_assert_uint_eq(found.count, 0);
    labs_free(&found);
}

TEST(broken_files) {
    refused("", NULL, "F: there is no setting in it; it begins with format = 1; lab = ...");
    refused("# nothing\n", NULL, "F: there is no setting in it");
    refused("lab = \"lab4\";\n", NULL, "F: 'format' is missing");
    refused("format = 1\nlab ! 3;\n", NULL, "F:2: syntax error");
    refused("format = 2;\nlab = \"lab4\";\n", NULL, "F:1: 'format' is 2; it must be from 1 to 1");
    refused("format = 1;\nlab = \"lab3\";\n", NULL, "F:2: this is for lab3, not for lab4");
    refused(HEAD, NULL, "F: 'cases' is missing");
    refused(HEAD "kases = ();\n", NULL,
            "F:3: unknown setting 'kases'; here there may be format, lab, ");
    refused(HEAD "cases = ();\n", NULL, "F:3: 'cases' must be a list, as in");
    refused(HEAD "cases = ( 3 );\n", NULL, "F:3: a case must be a group");
    struct rubric r;
    struct text why = {0};
    ck_assert(!rubric_load(&r, labs_find(&known, "lab4"), "/nonexistent", NULL, &why));
    ck_assert_str_eq(text_get(&why), "cannot read /nonexistent");
    text_free(&why);
}

TEST(broken_cases) {
    static const struct {
        const char *text, *reason;
    } rows[] = {
        {CASE("a", "99"), "F:3: the points of all cases and checks add up to 99, not to 100"},
        {CASE("a", "100") ",\n" CASE("b", "1"),
         "F:3: the points of all cases and checks add up to 101"},
        {CASE("a", "50") ",\n" CASE("a", "50"), "F:4: there is already a case \"a\""},
        {CASE("a", "0"), "F:3: the points of all cases and checks add up to 0, not to 100"},
        {CASE("a", "99.5") ",\n" CASE("b", "0.25"),
         "F:3: the points of all cases and checks add up to 99.75, not to 100"},
        {CASE("a", "100; bonus = true"),
         "F:3: the points of all cases and checks add up to 0, not to 100 (bonuses do not count)"},
        {CASE("a", "100") ",\n" CASE("b", "0; bonus = true"), "F:4: a bonus needs points"},
        {CASE("a", "100; bonus = 1"), "F:3: 'bonus' must be true or false, not a whole number"},
        {CASE("a", "-1"), "F:3: 'points' is -1; it must be from 0 to 100"},
        {CASE("a", "100.01"), "F:3: 'points' is 100.01; it must be from 0 to 100"},
        {CASE("a", "0.125"), "F:3: 'points' is 0.125; there are no parts smaller than 0.01"},
        {CASE("a", "1e999"), "F:3: 'points' is larger than any number: it must be finite"},
        {CASE("a", "\"5\""), "F:3: 'points' must be a number, not text"},
        {CASE("a b", "100"), "F:3: the name \"a b\" may hold letters, digits and '-' only"},
        {CASE("fourteen-chars", "100"),
         "F:3: the name \"fourteen-chars\" is longer than 13 characters"},
        {CASE("", "100"), "F:3: 'name' must be text, not empty"},
        {"{ function = \"matmul_device\"; }", "F:3: 'name' is missing"},
        {"{ name = \"a\";\nfunction = \"matmul_gpu\"; }",
         "F:4: 'function' is \"matmul_gpu\"; it must be one of \"matmul_cpu\", \"matmul_host\", "},
        {"{ name = \"a\"; function = \"matmul_cpu\"; shape = \"one\"; numbers = \"reals\"; points "
         "= 100; }",
         "F:3: lab4 has no matmul_cpu"},
        {"{ name = \"a\"; function = \"matmul_device\"; shape = \"round\"; }",
         "F:3: 'shape' is \"round\"; it must be one of \"one\", \"tile\""},
        {"{ name = \"a\"; function = \"matmul_device\"; shape = \"fixed\"; numbers = \"reals\"; "
         "points = 100; }",
         "F:3: 'size' is missing"},
        {"{ name = \"a\"; function = \"matmul_device\"; shape = \"fixed\"; size = [1, 2]; numbers "
         "= \"reals\"; }",
         "F:3: 'size' must be m, n and k"},
        {"{ name = \"a\"; function = \"matmul_device\"; shape = \"fixed\"; size = [1, 2, 4194305]; "
         "numbers = \"reals\"; }",
         "F:3: 'size' is 4194305; it must be from 1 to 4194304"},
        {"{ name = \"a\"; function = \"matmul_device\"; shape = \"within\"; size = [1, 2, 3]; "
         "numbers = \"reals\"; }",
         "F:3: 'up_to' is missing"},
        {"{ name = \"a\"; function = \"matmul_device\"; shape = \"within\"; size = [1, 9, 3]; "
         "up_to = [1, 8, 3]; numbers = \"reals\"; }",
         "F:3: 'up_to' is less than 'size': 8, and 9"},
        {"{ name = \"a\"; function = \"matmul_device\"; shape = \"within\"; size = [1, 1, 1]; "
         "up_to = [4096, 4096, 17]; numbers = \"reals\"; }",
         "F:3: m n k is more than 268435456"},
        {"{ name = \"a\"; function = \"matmul_device\"; shape = \"one\"; numbers = \"reals\"; "
         "calls = 13; points = 100; }",
         "F:3: 'calls' is 13; it must be from 1 to 12"},
        {"{ name = \"a\"; function = \"matmul_device\"; shape = \"one\"; numbers = \"reals\"; "
         "aligned = 0; points = 100; }",
         "F:3: 'aligned' must be true or false, not a whole number"},
        {"{ name = \"a\"; function = \"matmul_device\"; shape = \"one\"; numbers = \"reals\"; "
         "before = \"ones\"; }",
         "F:3: 'before' is \"ones\"; it must be one of \"nan\", \"numbers\""},
        {"{ name = \"a\"; taken_from = \"b\"; }", "F:3: unknown setting 'taken_from'"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        char *text = xasprintf(HEAD "cases = ( %s );\n", rows[i].text);
        refused(text, NULL, rows[i].reason);
        free(text);
    }
}

TEST(broken_checks) {
    static const struct {
        const char *text, *reason;
    } rows[] = {
        {"3", "F:4: a check must be a group"},
        {"{ name = \"c\"; }", "F:4: 'kind' is missing"},
        {"{ kind = \"speed\"; }",
         "F:4: 'kind' is \"speed\"; it must be one of \"findings\", \"counts\""},
        {"{ kind = \"errors\"; finds = [\"race\"]; }", "F:4: unknown setting 'finds'"},
        {"{ kind = \"errors\"; name = \"a\"; }", "F:4: there is already a case \"a\""},
        {"{ kind = \"errors\"; name = \"c\"; title = \"t\"; points = 5; },\n"
         "{ kind = \"errors\"; name = \"c\"; title = \"t\"; points = 5; }",
         "F:5: there is already a check \"c\""},
        {"{ kind = \"errors\"; name = \"c\"; title = \"a title of far too many characters\"; }",
         "F:4: the title \"a title of far too many characters\" is longer than 28"},
        {"{ kind = \"findings\"; name = \"c\"; title = \"t\"; points = 10; }",
         "F:4: 'finds' is missing"},
        {"{ kind = \"findings\"; name = \"c\"; title = \"t\"; points = 10; finds = [\"mice\"]; }",
         "F:4: 'finds' may hold \"race\""},
        {"{ kind = \"counts\"; name = \"c\"; title = \"t\"; points = 10; case = \"z\"; }",
         "F:4: there is no case \"z\""},
        {"{ kind = \"leaks\"; name = \"c\"; title = \"t\"; points = 10; case = \"a\"; }",
         "F:4: leaks show in repeated calls: the case \"a\" makes only one"},
        {COUNTS "case = \"a\"; limits = ( { value = \"flops\"; at_most = 1e999; } ); }",
         "F:4: 'at_most' is larger than any number: it must be finite"},
        {COUNTS "case = \"a\"; limits = ( { value = \"flops\"; at_least = -1e999; } ); }",
         "F:4: 'at_least' is larger than any number"},
        {COUNTS "section = 3; }", "F:4: 'section' must be text, not a whole number"},
        {COUNTS "case = (\"a\", \"z\"); }", "F:4: there is no case \"z\""},
        {COUNTS "case = (\"a\", \"a\"); }", "F:4: the case \"a\" stands there twice"},
        {COUNTS "case = (); }", "F:4: 'case' must name one to 8 cases"},
        {COUNTS "case = 1; }", "F:4: 'case' must be the name of a case, or a list of names"},
        {COUNTS "case = \"a\"; function = \"matmul_device\"; }",
         "F:4: a check has 'case' or 'function', not both"},
        {COUNTS "function = \"matmul_host\"; }", "F:4: lab4 has no matmul_host"},
        {COUNTS "function = \"matmul_device\"; gate = 1; }",
         "F:4: 'gate' must be true or false, not a whole number"},
        {COUNTS "case = \"a\"; limits = ( { value = \"flops\"; at_most = 1; in = \"b\"; } ); }",
         "F:4: there is no case \"b\""},
        {"{ kind = \"counts\"; name = \"c\"; title = \"t\"; points = 10; case = \"a\"; limits = "
         "(); }",
         "F:4: 'limits' must be a list of one to 12 limits"},
        {"{ kind = \"counts\"; name = \"c\"; title = \"t\"; points = 10; case = \"a\";\n"
         "limits = ( { value = \"luck\"; at_least = 1; } ); }",
         "F:5: nothing is counted under the name \"luck\""},
        {"{ kind = \"counts\"; name = \"c\"; title = \"t\"; points = 10; case = \"a\";\n"
         "limits = ( { value = \"flops\"; } ); }",
         "F:5: a limit needs 'at_least' or 'at_most'"},
        {"{ kind = \"counts\"; name = \"c\"; title = \"t\"; points = 10; case = \"a\";\n"
         "limits = ( { value = \"flops\"; at_least = 2; at_most = 1; } ); }",
         "F:5: 'at_least' is more than 'at_most'"},
        {"{ kind = \"counts\"; name = \"c\"; title = \"t\"; points = 10; case = \"a\";\n"
         "limits = ( { value = \"flops\"; at_least = \"2\"; } ); }",
         "F:5: 'at_least' must be a number, not text"},
        {"{ kind = \"errors\"; name = \"c\"; title = \"t\"; points = 10; hints = \"h\"; }",
         "F:4: 'hints' must be a list of texts"},
        {"{ kind = \"errors\"; name = \"c\"; title = \"t\"; points = 9; }",
         "F:3: the points of all cases and checks add up to 99"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        char *text =
            xasprintf(HEAD "cases = ( %s );\nchecks = ( %s );\n", CASE("a", "90"), rows[i].text);
        refused(text, NULL, rows[i].reason);
        free(text);
    }
}

TEST(broken_hidden_cases) {
    static const char own[] = HEAD "cases = ( " CASE("a", "60") ", " CASE("b", "40") " );\n";
    static const struct {
        const char *text, *reason;
    } rows[] = {
        {CASE("h", "5"), "H:3: 'taken_from' is missing"},
        {"{ name = \"a\"; }", "H:3: there is already a case \"a\""},
        {"{ name = \"h\"; function = \"matmul_device\"; shape = \"one\"; numbers = \"reals\"; "
         "points = 61; taken_from = \"a\"; }",
         "H:3: \"a\" has 60 points left, fewer than the 61 asked for"},
        {"{ name = \"h\"; function = \"matmul_device\"; shape = \"one\"; numbers = \"reals\"; "
         "points = 1; taken_from = \"x\"; }",
         "H:3: there is no case \"x\" to take points from"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        char *text = xasprintf(HEAD "cases = ( %s );\n", rows[i].text);
        refused(own, text, rows[i].reason);
        free(text);
    }
    refused(own, HEAD "checks = ();\n", "H:3: unknown setting 'checks'");
    refused(own, "format = 1; lab = \"lab1\"; cases = ();\n",
            "H:1: this is for lab1, not for lab4");
}

TEST(the_page_lists_what_there_is) {
    FILE *f = fopen("docs/labs.md", "re");
    ck_assert_ptr_nonnull(f);
    struct text page = {0};
    char part[4096];
    for (size_t n; (n = fread(part, 1, sizeof part, f)) > 0;)
        text_add_bytes(&page, part, n);
    fclose(f);
    for (int i = 0; quantity_name(i); i++) {
        const bool count = i < WORK_COUNT; /* what is computed from counts has more to say there */
        char *row = xasprintf("\n| `%s` | %s%s", quantity_name(i),
                              count ? quantity_meaning(quantity_name(i)) : "", count ? " |\n" : "");
        ck_assert_msg(strstr(text_get(&page), row) != NULL, "the page lacks the line%s", row);
        free(row);
    }
    for (int i = 0; i < SHAPE_CLASS_COUNT; i++) {
        char *row = xasprintf("\n| `\"%s\"` | ", shape_class_name((enum shape_class)i));
        ck_assert_msg(strstr(text_get(&page), row) != NULL, "the page lacks the shape %s",
                      shape_class_name((enum shape_class)i));
        free(row);
    }
    /* Every word that a file may hold. */
    static const char *const words[] = {
        LAB_KEYS,      "format",        "lab",    "hints",    "cases",         "checks",
        "name",        "function",      "shape",  "size",     "numbers",       "before",
        "calls",       "points",        "title",  "kind",     "section",       "value",
        "at_least",    "at_most",       "advice", "finds",    "limits",        "taken_from",
        "case",        "findings",      "counts", "errors",   "leaks",         "unfinished",
        "race",        "barrier",       "memory", "endless",  "fault",         "leak",
        "matmul_host", "integers",      "reals",  "nan",      "uninitialized", "matmul_device",
        "matmul_cpu",  "wide integers", "in",     "gate",     "aligned",       "checked",
        "up_to",       "within",        "fixed",  "division",
    };
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        char *plain = xasprintf("`%s`", words[i]), *quoted = xasprintf("`\"%s\"`", words[i]);
        ck_assert_msg(strstr(text_get(&page), plain) || strstr(text_get(&page), quoted),
                      "the page lacks the word %s", words[i]);
        free(plain);
        free(quoted);
    }
    /* And nothing else in its list of quantities. */
    const char *at = strstr(text_get(&page), "## Quantities"),
               *end = at ? strstr(at, "## Hidden") : NULL;
    ck_assert_ptr_nonnull(end);
    int listed = 0, known = 0;
    for (; (at = strstr(at, "\n| `")) && at < end; listed++) {
        char name[64];
        ck_assert_int_eq(sscanf(at + 4, "%63[^`]", name), 1);
        ck_assert_msg(quantity_known(name), "the page lists %s, which is not counted", name);
        at += 4;
    }
    while (quantity_name(known))
        known++;
    ck_assert_int_eq(listed, known);
    text_free(&page);
}

int main(void) {
    known = labs_open(".");
    const int failed = run_tests((struct suite){.name = "grading/rubric"});
    labs_free(&known);
    return failed;
}
