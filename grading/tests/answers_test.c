/* answers_test.c: answers.txt: expressions, parsing, drawing, judging. The answers to what is
 * sealed are tested with the instructors' key, in tests/grader. */
#include "grading/src/answers.h"
#include "grading/src/labs.h"

#include <check.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* --- Expressions --------------------------------------------------------------------------------
 */

static const struct binding some[] = {{"x", 7}, {"T", 16}, {"threadIdx.x", 7}};
static char why[EXPRESSION_ERROR];

static double value(const char *text, bool whole) {
    double v;
    ck_assert_msg(expression_value(text, strlen(text), some, 3, whole, &v, why), "'%s': %s", text,
                  why);
    return v;
}

static void refused(const char *text, const char *expected) {
    double v;
    ck_assert_msg(!expression_value(text, strlen(text), some, 3, true, &v, why), "accepted: %s",
                  text);
    ck_assert_msg(strstr(why, expected) != NULL, "'%s': expected '%s' in '%s'", text, expected,
                  why);
}

START_TEST(expressions) {
    ck_assert(value("2 + 3 * 4", true) == 14);
    ck_assert(value("(2 + 3) * 4", true) == 20);
    ck_assert(value("7 / 2", true) == 3); /* as in C */
    ck_assert(value("-7 / 2", true) == -3);
    ck_assert(value("7 / 2", false) == 3.5);
    ck_assert(value("7 % 4 * 2", true) == 6);
    ck_assert(value("2 - 3 - 4", true) == -5);
    ck_assert(value("- -x", true) == 7);
    ck_assert(value("threadIdx.x+T", true) == 23);
    ck_assert(value("1,048,576", true) == 1048576);
    ck_assert(value("0.125", false) == 0.125);
    ck_assert(value(".5", false) == 0.5);
    ck_assert(value("8.0", true) == 8);
    refused("", "ends too early");
    refused("2 +", "ends too early");
    refused("2 3", "unexpected '3'");
    refused("(2", "')' is missing");
    refused("2)", "unexpected ')'");
    refused("y", "'y' is none of the names");
    refused("2x", "a letter after a number");
    refused("1,04", "unexpected ','");
    refused("1,0485", "unexpected ','");
    refused("1.5", "whole number");
    refused("1 / 0", "division by 0");
    refused("1 % (x - 7)", "division by 0");
    refused("99999999999999999999", "too many digits");
    refused("9007199254740992 * 4", "too large");
    refused(".", "dot without digits");
    refused("2 ^ 3", "unexpected '^'");
    refused("\xc3\xa9", "byte 0xc3");
    char deep[200];
    memset(deep, '(', sizeof deep);
    ck_assert(!expression_value(deep, sizeof deep, NULL, 0, true, &(double){0}, why));
    ck_assert_ptr_nonnull(strstr(why, "too many parentheses"));
}
END_TEST

/* --- The file
 * ------------------------------------------------------------------------------------- */

static struct answers a;

static void parse(const char *text) {
    answers_free(&a);
    answers_parse(&a, text, strlen(text));
}

static const char *given(const char *name) {
    for (size_t i = 0; i < a.count; i++)
        if (strcmp(a.all[i].name, name) == 0)
            return a.all[i].value;
    return NULL;
}

START_TEST(files) {
    parse(
        "# comment\r\n\n student = s 1 # mine\nloads_16=2 * 16 *16\n\tempty =\nphase_0_A = row, x");
    ck_assert_str_eq(a.student, "s 1");
    ck_assert_str_eq(given("loads_16"), "2 * 16 *16");
    ck_assert_str_eq(given("empty"), "");
    ck_assert_str_eq(given("phase_0_A"), "row, x");
    ck_assert_uint_eq(a.problem_count, 0);
    parse("one\ntwo = 2\n= 3\nfo ur = 4\ntwo = 5\nsix = "
          "a\033[2J\nlong_long_long_long_long_long_long_ = 1\n");
    ck_assert_uint_eq(a.problem_count, 6);
    ck_assert_str_eq(text_get(&a.problems), "line 1: no '=': expected \"name = value\"\n"
                                            "line 3: what stands before '=' is no name\n"
                                            "line 4: what stands before '=' is no name\n"
                                            "line 5: 'two' comes a second time; line 2 counts\n"
                                            "line 6: holds the byte 0x1b, which is no text\n"
                                            "line 7: what stands before '=' is no name\n");
    ck_assert_str_eq(given("two"), "2");
    parse("loads_16 = 1\nloads_17 = 1\nstudent = x\n");
    answers_check_names(&a, 3, "lab3");
    ck_assert_str_eq(text_get(&a.problems),
                     "line 2: lab3 asks for no 'loads_17' (./grader lab3 --questions)\n");
    char many[8000] = "", line[64];
    for (int i = 0; i < ANSWERS_MAX + 1; i++) {
        snprintf(line, sizeof line, "n%d = %d\n", i, i);
        strcat(many, line);
    }
    parse(many);
    ck_assert_uint_eq(a.count, ANSWERS_MAX);
    ck_assert_uint_eq(a.problem_count, 1);
    answers_free(&a);
}
END_TEST

/* --- Judging
 * ---------------------------------------------------------------------------------------- */

static const struct blank *blank_of(int lab, const char *name, const struct question **q) {
    size_t count;
    const struct question *all = questions_of(lab, &count);
    for (size_t i = 0; i < count; i++)
        for (size_t b = 0; b < all[i].blank_count; b++)
            if (strcmp(all[i].blanks[b].name, name) == 0) {
                *q = &all[i];
                return &all[i].blanks[b];
            }
    ck_abort_msg("no blank %s in lab %d", name, lab);
}

static struct answer_result judged(int lab, const char *name, const char *answer) {
    const struct question *q;
    const struct blank *b = blank_of(lab, name, &q);
    const struct drawn d = question_draw(q, lab, "s1", 0);
    struct answer_result r;
    answer_judge(&r, q, b, &d, answer);
    return r;
}

static void expect(int lab, const char *name, const char *answer, enum answer_verdict verdict,
                   const char *hint) {
    const struct answer_result r = judged(lab, name, answer);
    ck_assert_msg(r.verdict == verdict, "lab %d, %s = %s: %s", lab, name, answer,
                  answer_verdict_name(r.verdict));
    ck_assert_msg(!hint || strstr(r.hint, hint), "lab %d, %s = %s: '%s'", lab, name, answer,
                  r.hint);
}

/* What the source documents print. */
START_TEST(published_values) {
    expect(1, "ways_8_a_b", "208", ANSWER_RIGHT, NULL);
    expect(2, "bytes_per_flop", "4", ANSWER_RIGHT, NULL);
    expect(2, "bound_gflops", "36", ANSWER_RIGHT, NULL);
    expect(2, "bound_gflops", "144", ANSWER_WRONG, "144 GB/s are bytes");
    expect(2, "bound_percent", "3.5", ANSWER_RIGHT, NULL);
    expect(3, "blocks_a", "8", ANSWER_RIGHT, NULL);
    expect(3, "limit_a", "Threads", ANSWER_RIGHT, NULL);
    expect(3, "limit_a", "shared", ANSWER_WRONG, NULL);
    expect(3, "limit_a", "48 KB", ANSWER_UNREADABLE, "threads, shared, blocks");
    expect(3, "blocks_a", "24", ANSWER_WRONG, "what shared memory allows");
    expect(3, "loads_16", "512", ANSWER_RIGHT, NULL);
    expect(3, "operations_16", "8,192", ANSWER_RIGHT, NULL);
    expect(3, "operations_16", "4096", ANSWER_WRONG, "multiply-adds");
    expect(3, "loads_32", "2 * 32 * 32", ANSWER_RIGHT, NULL);
    expect(3, "operations_32", "65536", ANSWER_RIGHT, NULL);
    expect(3, "per_load", "16, 32", ANSWER_RIGHT, NULL);
    expect(3, "per_load", "16", ANSWER_UNREADABLE, "Expected 2 values");
    expect(3, "bytes_per_flop", "1/8", ANSWER_RIGHT, NULL);
    expect(3, "bytes_per_flop", "0.125 bytes", ANSWER_UNREADABLE, "No units");
    expect(5, "cpu_over_naive", "44", ANSWER_RIGHT, NULL);
    expect(5, "cpu_over_naive", "46", ANSWER_WRONG, NULL);
}
END_TEST

START_TEST(formulas) {
    expect(3, "phase_p_A", "row, p * T + x", ANSWER_RIGHT, NULL);
    expect(3, "phase_p_A", "by*T+y, x + T*phase", ANSWER_RIGHT, NULL);
    expect(3, "phase_p_A", "blockIdx.y * blockDim.y + threadIdx.y, p * TILE + threadIdx.x",
           ANSWER_RIGHT, NULL);
    expect(3, "phase_p_A", "p * T + y, col", ANSWER_WRONG, "That is B's");
    expect(3, "phase_p_A", "y, x", ANSWER_WRONG, "place in the tile");
    expect(3, "phase_p_A", "row, p * T", ANSWER_WRONG, "A's tile moves right");
    expect(3, "phase_p_A", "row", ANSWER_UNREADABLE, "Expected 2 values");
    expect(3, "phase_p_A", "row, q", ANSWER_UNREADABLE, "'q' is none of the names");
    expect(3, "index_B", "(p * T + y) * width + col", ANSWER_RIGHT, NULL);
    expect(3, "index_B", "p * T + y * width + col", ANSWER_WRONG, "All of the row is multiplied");
    expect(2, "row", "blockIdx.y * blockDim.y + threadIdx.y", ANSWER_RIGHT, NULL);
    expect(2, "row", "row", ANSWER_UNREADABLE, NULL); /* would be too easy */
    expect(2, "row", "blockIdx.x * blockDim.x + threadIdx.x", ANSWER_WRONG, "That is the column");
    expect(2, "index", "col * n + row", ANSWER_WRONG, "column after column");
}
END_TEST

START_TEST(letters_and_lines) {
    expect(2, "coalesced", "a-c", ANSWER_UNREADABLE, "letters with blanks");
    expect(2, "coalesced", "ab", ANSWER_UNREADABLE, NULL);
    expect(2, "coalesced", "", ANSWER_NONE, NULL);
    expect(1, "bug_line", "line 7", ANSWER_UNREADABLE, "number of the line");
    expect(1, "bug_line", "1", ANSWER_WRONG, "no such line");
}
END_TEST

/* --- Drawing: whatever is drawn has sense
 * -------------------------------------------------------------- */

static void check_value(const struct question *q, const struct blank *b, const struct drawn *d,
                        const char *student) {
    if (b->kind == BLANK_SEALED || b->kind == BLANK_FORMULAS)
        return;
    const struct blank_value v = b->value(d, NULL);
    ck_assert_int_ge(v.count, 1);
    ck_assert_int_le(v.count, VALUES);
    for (int i = 0; i < v.count; i++) {
        char text[40];
        ck_assert_msg(isfinite(v.v[i]) && fabs(v.v[i]) < 9e15, "%s for %s", b->name, student);
        if (b->kind == BLANK_NUMBERS)
            ck_assert(v.v[i] == floor(v.v[i]));
        if (b->kind == BLANK_NUMBERS && strcmp(b->name, "c_element") != 0)
            ck_assert_msg(v.v[i] >= 0, "%s for %s is %g", b->name, student, v.v[i]);
        /* No hint says the answer. */
        snprintf(text, sizeof text, "%.0f", v.v[i]);
        ck_assert_msg(strlen(text) < 3 || !strstr(b->hint, text), "%s: %s", q->key, b->hint);
    }
}

START_TEST(many_students) {
    for (int lab = 1; lab <= 5; lab++) {
        size_t count;
        const struct question *all = questions_of(lab, &count);
        ck_assert_uint_ge(count, 5);
        for (size_t i = 0; i < count; i++)
            for (int s = 0; s < 400; s++) {
                char student[16];
                snprintf(student, sizeof student, "s%d", s);
                const struct drawn d = question_draw(&all[i], lab, student, 0);
                for (size_t b = 0; b < all[i].blank_count; b++)
                    check_value(&all[i], &all[i].blanks[b], &d, student);
            }
    }
}
END_TEST

/* Neighbours: few pairs share a question's numbers. */
START_TEST(neighbours_differ) {
    for (int lab = 1; lab <= 5; lab++) {
        size_t count;
        const struct question *all = questions_of(lab, &count);
        for (size_t i = 0; i < count; i++) {
            if (!all[i].draw)
                continue;
            int same = 0;
            for (int s = 0; s < 500; s++) {
                char one_id[16], other[16];
                snprintf(one_id, sizeof one_id, "s%d", s);
                snprintf(other, sizeof other, "s%d", s + 1);
                const struct drawn x = question_draw(&all[i], lab, one_id, 0);
                const struct drawn y = question_draw(&all[i], lab, other, 0);
                same += memcmp(&x, &y, sizeof x) == 0;
            }
            ck_assert_msg(same <= 40, "%s: %d of 500 neighbours have the same numbers", all[i].key,
                          same);
        }
    }
    size_t count;
    const struct question *q = questions_of(3, &count);
    const struct drawn x = question_draw(&q[1], 3, "S1", 0), y = question_draw(&q[1], 3, " s1 ", 0);
    ck_assert_mem_eq(&x, &y, sizeof x); /* letter case and blanks do not matter */
    const struct drawn z = question_draw(&q[1], 3, "s1", 7);
    ck_assert_mem_ne(&x, &z, sizeof x); /* the course's seed does */
}
END_TEST

/* The tables themselves: names once a lab, sections and hints there. */
START_TEST(tables) {
    for (int lab = 1; lab <= 5; lab++) {
        char path[128];
        snprintf(path, sizeof path, "labs/%s/answers.txt", lab_table[lab - 1].folder);
        FILE *f = fopen(path, "r");
        static char text[1 << 14];
        const size_t bytes = f ? fread(text, 1, sizeof text, f) : 0;
        ck_assert_msg(f && bytes > 0 && bytes < sizeof text, "%s", path);
        fclose(f);
        answers_free(&a);
        answers_parse(&a, text, bytes);
        ck_assert_msg(a.problem_count == 0, "%s: %s", path, text_get(&a.problems));
        answers_check_names(&a, lab, "lab");
        ck_assert_msg(a.problem_count == 0, "%s: %s", path, text_get(&a.problems));
        size_t count, names = 1; /* student */
        const struct question *all = questions_of(lab, &count);
        for (size_t i = 0; i < count; i++)
            for (size_t b = 0; b < all[i].blank_count; b++) {
                const struct blank *blank = &all[i].blanks[b];
                ck_assert_msg(given(blank->name) != NULL, "%s lacks %s", path, blank->name);
                ck_assert_msg(*given(blank->name) == '\0', "%s answers %s", path, blank->name);
                ck_assert(blank->hint && blank->ask && *blank->hint);
                ck_assert((blank->kind == BLANK_SEALED) == (blank->value == NULL));
                ck_assert((blank->kind == BLANK_SEALED) == (blank->sealed != NULL));
                ck_assert((blank->kind == BLANK_FORMULAS) == (blank->variables != NULL));
                names++;
            }
        ck_assert_uint_eq(names, a.count); /* so no name is asked for twice */
    }
    answers_free(&a);
}
END_TEST

int main(void) {
    Suite *suite = suite_create("answers");
    TCase *t = tcase_create("answers");
    tcase_add_test(t, expressions);
    tcase_add_test(t, files);
    tcase_add_test(t, published_values);
    tcase_add_test(t, formulas);
    tcase_add_test(t, letters_and_lines);
    tcase_add_test(t, many_students);
    tcase_add_test(t, neighbours_differ);
    tcase_add_test(t, tables);
    tcase_set_timeout(t, 60);
    suite_add_tcase(suite, t);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_ENV);
    int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed != 0;
}
