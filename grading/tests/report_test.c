/* report_test.c: reports of a run made up by hand: the JSON says what happened and repeats byte by
 * byte; the text stays narrow and plain. */
#include "common/tests/suite.h"
#include "grading/src/report/report.h"

#include "grading/src/lab/cases.h"
#include "grading/src/report/standing.h"

#include <jansson.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

static struct grade_context g;
static struct labs known;
static char folder[] = "/tmp/report_test.XXXXXX";

/* One case wrong, one right. */
static void set_up(void) {
    strcpy(folder, "/tmp/report_test.XXXXXX");
    ck_assert_ptr_nonnull(mkdtemp(folder));
    g = (struct grade_context){.seed = UINT64_MAX, .points_possible = 20};
    struct text why = {0};
    known = labs_open(".");
    ck_assert_msg(rubric_load(&g.rubric, labs_find(&known, "lab4"),
                              "labs/lab4-tiled-any-size/lab.cfg", NULL, &why),
                  "%s", text_get(&why));
    g.lab = &g.rubric.lab;
    g.paths.root = xstrdup(folder);
    g.paths.build = xstrdup(folder);
    g.paths.labs = xasprintf("%s/labs", folder);
    g.paths.labs_shown = xstrdup("labs");
    g.paths.standing = xasprintf("%s/standing", folder);
    g.paths.command = xstrdup("./grader");
    g.submission.path = xstrdup("it's mine.cu");
    g.submission.name = xstrdup("it's mine.cu");
    g.submission.hash = 0xabc;
    g.backend.kind = BACKEND_VGPU;
    g.backend.device = xstrdup("virtual GPU");
    g.results = calloc(2, sizeof *g.results);
    g.result_count = g.planned = 2;
    for (int i = 0; i < 2; i++) {
        g.results[i].spec = &g.lab->cases[i];
        case_draw(g.lab, g.results[i].spec, 3, &g.results[i].plan);
        g.results[i].evidence.plan = g.results[i].plan.call[0];
        g.results[i].evidence.call = 1;
    }
    struct case_result *c = &g.results[0];
    c->verdict = c->evidence.verdict = VERDICT_WRONG;
    text_add(&c->evidence.summary, "1 of 1 element of C is wrong");
    text_add(&c->evidence.printed, "hello \033[2J\xff\n");
    c->evidence.comparison.total = c->evidence.comparison.wrong = 1;
    c->evidence.comparison.kept = 1;
    c->evidence.comparison.first[0] =
        (struct wrong_element){.row = 0, .col = 0, .got = NAN, .want = 0.1, .bound = 0};
    g.first_failure = c;
    g.results[1].points = g.points = 10;
}

static void tear_down(void) {
    labs_free(&known);
    for (int i = 0; i < 2; i++)
        evidence_free(&g.results[i].evidence);
    free(g.results);
    text_free(&g.not_graded);
    backend_free(&g.backend);
    submission_free(&g.submission);
    rubric_free(&g.rubric);
    paths_free(&g.paths);
    char *command = xasprintf("%s/standing/lab4.json", folder);
    unlink(command);
    free(command);
    char *standing = xasprintf("%s/standing", folder);
    rmdir(standing);
    free(standing);
    char *file = xasprintf("%s/out", folder);
    unlink(file);
    free(file);
    ck_assert_int_eq(rmdir(folder), 0);
}

/* The whole report in one format; the caller frees it. */
static char *report(const char *format) {
    char *path = xasprintf("%s/out", folder), why[256];
    struct options o = {.formats = 1};
    snprintf(o.format[0].name, sizeof o.format[0].name, "%s", format);
    o.format[0].path = path;
    struct reporters r;
    ck_assert_msg(reporters_open(&r, &o, why, sizeof why), "%s", why);
    reporters_begin(&r, &g);
    reporters_built(&r, &g);
    for (size_t i = 0; i < g.result_count; i++)
        reporters_case(&r, &g, &g.results[i]);
    ck_assert_msg(reporters_end(&r, &g, why, sizeof why), "%s", why);
    FILE *f = fopen(path, "re");
    ck_assert_ptr_nonnull(f);
    struct text t = {0};
    char part[4096];
    for (size_t n; (n = fread(part, 1, sizeof part, f)) > 0;)
        text_add_bytes(&t, part, n);
    fclose(f);
    free(path);
    return t.data ? t.data : xstrdup("");
}

TEST(json_says_what_happened) {
    char *text = report("json");
    json_t *o = json_loads(text, 0, NULL);
    ck_assert_ptr_nonnull(o);
    ck_assert_str_eq(json_string_value(json_object_get(o, "schema")), "matmul-lab-grade/1");
    ck_assert_str_eq(json_string_value(json_object_get(o, "status")), "partial_marks");
    ck_assert_int_eq((int)json_integer_value(json_object_get(o, "points")), 10);
    ck_assert_str_eq(json_string_value(json_object_get(o, "seed")), "18446744073709551615");
    ck_assert_str_eq(json_string_value(json_object_get(o, "repeat")),
                     "./grader lab4 --seed 18446744073709551615 --submission 'it'\\''s mine.cu'");
    json_t *cases = json_object_get(o, "cases");
    ck_assert_uint_eq(json_array_size(cases), 2);
    json_t *failure = json_object_get(json_array_get(cases, 0), "failure");
    ck_assert_str_eq(json_string_value(json_object_get(failure, "verdict")), "wrong_answer");
    ck_assert_str_eq(json_string_value(json_object_get(failure, "printed")), "hello ?[2J?");
    json_t *first = json_array_get(json_object_get(failure, "first"), 0);
    ck_assert_str_eq(json_string_value(json_object_get(first, "got")), "nan");
    ck_assert(json_real_value(json_object_get(first, "expected")) == 0.1);
    ck_assert(json_is_null(json_object_get(json_array_get(cases, 1), "failure")));
    json_decref(o);
    free(text);
}

TEST(json_repeats_byte_by_byte) {
    char *one = report("json"), *two = report("json");
    ck_assert_str_eq(one, two);
    free(one);
    free(two);
}

TEST(not_graded_is_no_zero) {
    text_add(&g.not_graded, "no disk");
    char *text = report("json");
    json_t *o = json_loads(text, 0, NULL);
    ck_assert_str_eq(json_string_value(json_object_get(o, "status")), "not_graded");
    ck_assert_str_eq(json_string_value(json_object_get(o, "not_graded")), "no disk");
    json_decref(o);
    free(text);
    ck_assert_int_eq(grade_status(&g), GRADE_NONE);
}

TEST(text_is_narrow_and_plain) {
    char *text = report("text");
    ck_assert_ptr_null(strchr(text, '\033'));
    ck_assert_ptr_nonnull(strstr(text, "First failure: one, wrong answer"));
    for (const char *line = text; *line;) {
        const size_t n = strcspn(line, "\n");
        if (strncmp(line, "  Repeat it:", 12) != 0)
            ck_assert_uint_le(n, 100);
        line += n + (line[n] == '\n');
    }
    free(text);
}

/* The verdict, the cause, what to do next, and only then the details and the tables. */
TEST(what_helps_comes_first) {
    static struct diagnosis cause = {.class = "made-up"};
    text_add(&cause.sentence, "Made up for this test.");
    g.results[0].diagnosis = &cause;
    char *text = report("text");
    static const char *const in_turn[] = {"10 of 20 points\n",
                                          "First failure: ",
                                          "Likely cause: made-up",
                                          "Repeat it: ",
                                          "The program printed:",
                                          "  case ",
                                          "  one ",
                                          "  total "};
    const char *from = text;
    for (size_t i = 0; i < sizeof in_turn / sizeof *in_turn; i++) {
        const char *at = strstr(from, in_turn[i]);
        ck_assert_msg(at != NULL, "no '%s' in its turn in\n%s", in_turn[i], text);
        from = at;
    }
    free(text);
    text_free(&cause.sentence);
    g.results[0].diagnosis = NULL;
}

/* Who kills a run finds the lines of the cases that are done. */
TEST(a_stream_s_file_has_its_tables_so_far) {
    char *path = xasprintf("%s/out", folder), why[256], all[4096] = "";
    struct options o = {.formats = 1, .format = {{.name = "text", .path = path}}};
    struct reporters r;
    ck_assert_msg(reporters_open(&r, &o, why, sizeof why), "%s", why);
    reporters_begin(&r, &g);
    reporters_built(&r, &g);
    reporters_case(&r, &g, &g.results[0]);
    FILE *f = fopen(path, "re");
    ck_assert_ptr_nonnull(f);
    ck_assert_uint_gt(fread(all, 1, sizeof all - 1, f), 0);
    fclose(f);
    ck_assert_ptr_nonnull(strstr(all, "\n  one "));
    ck_assert_ptr_nonnull(strstr(all, "not graded: the run has not finished"));
    reporters_drop(&r);
    free(path);
}

/* The observer's time was over: that is no mistake of this product. */
TEST(what_was_not_computed_is_not_called_wrong) {
    struct case_result *c = &g.results[0];
    c->verdict = VERDICT_PASS;
    g.first_failure = NULL;
    g.first_forgiven = c;
    static const struct {
        enum verdict observed;
        const char *said, *not_said;
    } word[] = {{VERDICT_NOT_RUN, "did not compute it", "this one is not"},
                {VERDICT_WRONG, "this one is not", "did not compute it"}};
    for (int i = 0; i < 2; i++) {
        c->observed = word[i].observed;
        for (int html = 0; html < 2; html++) {
            char *text = report(html ? "html" : "text");
            ck_assert_msg(strstr(text, word[i].said) && !strstr(text, word[i].not_said), "%s",
                          text);
            free(text);
        }
    }
}

TEST(a_file_that_cannot_be_written) {
    struct options o = {.formats = 1, .format = {{.name = "json", .path = "/nonexistent/x"}}};
    struct reporters r;
    char why[256];
    ck_assert(!reporters_open(&r, &o, why, sizeof why));
    ck_assert_str_eq(why, "cannot write /nonexistent/x: No such file or directory");
}

/* What the file holds in the middle of a run is a whole result, which says that it is none yet. */
TEST(after_every_case_there_is_a_result) {
    char *path = xasprintf("%s/out", folder), why[256];
    struct options o = {.formats = 1, .format = {{.name = "json", .path = path}}};
    struct reporters r;
    ck_assert_msg(reporters_open(&r, &o, why, sizeof why), "%s", why);
    ck_assert_int_ne(access(path, F_OK), 0);
    reporters_begin(&r, &g);
    for (size_t i = 0; i < g.result_count; i++) {
        reporters_case(&r, &g, &g.results[i]);
        json_t *whole = json_load_file(path, 0, NULL);
        ck_assert_ptr_nonnull(whole);
        ck_assert_str_eq(json_string_value(json_object_get(whole, "status")), "not_graded");
        ck_assert_str_eq(json_string_value(json_object_get(whole, "not_graded")),
                         "the run has not finished");
        json_decref(whole);
    }
    reporters_drop(&r); /* as after an interrupt */
    ck_assert_int_eq(access(path, F_OK), 0);
    free(path);
}

TEST(standings_are_kept_and_shown) {
    standing_note(&g);
    struct text t = {0};
    standing_table(&t, &g.paths, &known, (int64_t)time(NULL));
    /* There are no lab files below this root. */
    ck_assert_ptr_nonnull(strstr(text_get(&t), "no file labs/lab4-tiled-any-size/lab4.cu"));
    text_free(&t);
    char *all = xasprintf("%s/labs", folder), *lab = xasprintf("%s/lab4-tiled-any-size", all);
    char *file = xasprintf("%s/lab4.cu", lab);
    ck_assert_int_eq(mkdir(all, 0700) | mkdir(lab, 0700), 0);
    FILE *f = fopen(file, "we");
    ck_assert_ptr_nonnull(f);
    fputs("int x;\n", f);
    fclose(f);
    standing_table(&t, &g.paths, &known, (int64_t)time(NULL) + 7300);
    ck_assert_ptr_nonnull(strstr(text_get(&t), " 10/20  vgpu, 2 hours ago; edited since\n"));
    text_clear(&t);
    g.submission.hash = submission_hash("int x;\n", 7);
    standing_note(&g);
    standing_table(&t, &g.paths, &known, (int64_t)time(NULL));
    ck_assert_ptr_nonnull(strstr(text_get(&t), " 10/20  vgpu, just now\n"));
    text_free(&t);
    unlink(file);
    rmdir(lab);
    rmdir(all);
    free(file);
    free(lab);
    free(all);
}

int main(void) {
    return run_tests(
        (struct suite){.name = "grading/report", .set_up = set_up, .tear_down = tear_down});
}
