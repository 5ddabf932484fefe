/* answers_test.c: answers.txt: expressions, parsing, spelling, sealing, judging; and the file with
 * the sealed questions. Whether these are what the formulas say is tested in
 * solutions/questions/tests. */
#include "common/matrix.h"
#include "common/tests/suite.h"
#include "grading/src/answers/answers.h"
#include "grading/src/answers/book.h"
#include "grading/src/answers/canonical.h"
#include "grading/src/answers/expression.h"
#include "grading/src/answers/seal.h"
#include "grading/src/lab/labs.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LABS = 10 };

/* ---- Expressions ---- */

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

TEST(expressions) {
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

/* ---- The sealed questions of the kit itself ---- */

static struct question_set sets[LABS + 1];

static const struct question_set *set_of(int lab) {
    char message[400];
    if (!sets[lab].count)
        ck_assert_msg(questions_read(&sets[lab], ".", lab, message, sizeof message) == QUESTIONS_OK,
                      "%s", message);
    return &sets[lab];
}

/* ---- answers.txt ---- */

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

TEST(files) {
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
                                            "line 3: the text before '=' is not a name\n"
                                            "line 4: the text before '=' is not a name\n"
                                            "line 5: 'two' comes a second time; line 2 counts\n"
                                            "line 6: holds the byte 0x1b, which is not text\n"
                                            "line 7: the text before '=' is not a name\n");
    ck_assert_str_eq(given("two"), "2");
    parse("loads_16 = 1\nloads_17 = 1\nstudent = x\n");
    answers_check_names(&a, set_of(3), "lab3");
    ck_assert_str_eq(text_get(&a.problems),
                     "line 2: lab3 asks for no 'loads_17' (./grader lab3 --questions)\n");
    struct text many = {0};
    for (int i = 0; i < ANSWERS_MAX + 1; i++)
        text_addf(&many, "n%d = %d\n", i, i);
    parse(text_get(&many));
    text_free(&many);
    ck_assert_uint_eq(a.count, ANSWERS_MAX);
    ck_assert_uint_eq(a.problem_count, 1);
    answers_free(&a);
}

/* ---- Judging ---- */

static struct answer_result judged(int lab, const char *name, const char *answer) {
    const struct question_set *set = set_of(lab);
    for (size_t q = 0; q < set->count; q++)
        for (size_t b = 0; b < set->all[q].blank_count; b++)
            if (strcmp(set->all[q].blanks[b].name, name) == 0) {
                struct answer_result r;
                answer_judge(&r, set, q, b, "s1", 0, answer);
                return r;
            }
    ck_abort_msg("no blank %s in lab %d", name, lab);
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
TEST(published_values) {
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

TEST(formulas) {
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

TEST(letters_and_lines) {
    expect(2, "coalesced", "a-c", ANSWER_UNREADABLE, "letters with blanks");
    expect(2, "coalesced", "ab", ANSWER_UNREADABLE, NULL);
    expect(2, "coalesced", "", ANSWER_NONE, NULL);
    expect(1, "bug_line", "line 7", ANSWER_UNREADABLE, "number of the line");
    expect(1, "bug_line", "1", ANSWER_WRONG, "no such line");
}

/* Challenges: what the handouts of labs 6 to 9 work out or ask. */
TEST(challenge_values) {
    expect(6, "array", "local", ANSWER_RIGHT, NULL);
    expect(6, "stamp_formula", "thread / 16, thread % 16", ANSWER_RIGHT, NULL);
    expect(6, "stamp_formula", "thread % 16, thread / 16", ANSWER_WRONG, "ty first");
    expect(7, "wide_request", "32 * 16, 16", ANSWER_RIGHT, NULL);
    expect(7, "wide_request", "128, 4", ANSWER_WRONG, "one float a lane");
    expect(7, "box_formula", "warp/4*64 + lane/4*4, warp%4*32 + lane%4*4", ANSWER_RIGHT, NULL);
    expect(8, "starts_formula", "s + stages - 1, (s + stages - 1) % stages", ANSWER_RIGHT, NULL);
    expect(8, "starts_formula", "s - 1 + stages, (s - 1) % stages", ANSWER_WRONG, "-1 in C");
    expect(9, "lane_formula", "(r % 8) * 4 + c / 2", ANSWER_RIGHT, NULL);
    expect(9, "lane_formula", "4 * r + c / 2", ANSWER_WRONG, "32 lanes");
    expect(9, "exact_to", "2048", ANSWER_RIGHT, NULL);
    expect(9, "exact_to", "1024", ANSWER_WRONG, "before the point");
    expect(9, "small_small", "2048 * 8192 / 2048 / 2048", ANSWER_RIGHT, NULL);
    expect(9, "digits", "rounded", ANSWER_WRONG, NULL);
}

/* The files of labs/: every blank is there, empty, every question that is answered in one's own
 * words, and nothing else. */
TEST(answer_files) {
    struct labs known = labs_open(".");
    ck_assert_uint_eq(known.count, LABS);
    for (int lab = 1; lab <= LABS; lab++) {
        const struct question_set *set = set_of(lab);
        char path[128];
        snprintf(path, sizeof path, "labs/%s/answers.txt", known.lab[lab - 1].folder);
        FILE *f = fopen(path, "r");
        static char text[1 << 14];
        const size_t bytes = f ? fread(text, 1, sizeof text, f) : 0;
        ck_assert_msg(f && bytes > 0 && bytes < sizeof text, "%s", path);
        fclose(f);
        answers_free(&a);
        answers_parse(&a, text, bytes);
        answers_check_names(&a, set, "lab");
        ck_assert_msg(a.problem_count == 0, "%s: %s", path, text_get(&a.problems));
        ck_assert_uint_ge(set->count, 5);
        for (size_t q = 0; q < set->count; q++)
            for (size_t b = 0; b < set->all[q].blank_count; b++) {
                const char *name = set->all[q].blanks[b].name;
                ck_assert_msg(given(name) != NULL, "%s lacks %s", path, name);
                ck_assert_msg(*given(name) == '\0', "%s answers %s", path, name);
            }
        size_t in_words = 0;
        for (size_t i = 0; i < set->listed; i++) {
            char number[QUESTION_NUMBER];
            question_number(number, lab, i);
            in_words += set->list[i].words != NULL;
            ck_assert_msg((given(number) != NULL) == (set->list[i].words != NULL), "%s: %s", path,
                          number);
        }
        ck_assert_uint_eq(questions_blanks(set) + in_words + 1, a.count); /* student */
    }
    answers_free(&a);
    labs_free(&known);
}

/* ---- Spelling and sealing ---- */

/* Within 2 % the same step, beyond it another: at both edges, for numbers of any size. */
TEST(tolerance) {
    struct generator g = generator_start(3, 4);
    for (int i = 0; i < 2000; i++) {
        const double value = exp((double)(generator_next(&g) % 4000) / 100 - 15);
        static const struct {
            double factor;
            bool same;
        } rows[] = {{1, true},       {1.02, true},    {0.98, true},  {1.0199, true},
                    {1.0201, false}, {0.9799, false}, {1.03, false}, {0.5, false}};
        const double grid = canonical_grid(value);
        char right[CANONICAL], other[CANONICAL];
        ck_assert(grid >= 0 && grid < 1);
        canonical_real(right, grid, value);
        for (size_t r = 0; r < sizeof rows / sizeof *rows; r++) {
            canonical_real(other, grid, value * rows[r].factor);
            ck_assert_msg((strcmp(right, other) == 0) == rows[r].same, "%g times %g", value,
                          rows[r].factor);
        }
    }
    char zero[CANONICAL], minus[CANONICAL];
    canonical_real(zero, 0, 0);
    canonical_real(minus, 0, -1);
    ck_assert_str_eq(zero, "rzero");
    ck_assert_str_eq(minus, "rnegative");
    canonical_numbers(zero, (const double[]){-0.0, 12, -3}, 3);
    ck_assert_str_eq(zero, "n0,12,-3");
    canonical_text(zero, " A, b-C ");
    ck_assert_str_eq(zero, "tabc");
}

TEST(seals) {
    static const char hint[] = "Half of it: additions count, too.";
    char hash[SEAL_HASH], other[SEAL_HASH], seal[SEAL_LENGTH + 1], key[SEAL_KEY + 1];
    char opened[SEAL_KEY + 1], sealed[SEAL_TEXT_SEALED], text[SEAL_TEXT + 1];
    int holds;
    ck_assert(seal_hash(hash, "0/lab3.count/7/loads_16", 1, "n512"));
    ck_assert(seal_hash(other, "0/lab3.count/7/loads_16", 1, "n256"));
    ck_assert(seal_make_key(key, "0/lab3.count/0/loads_16", hint));
    ck_assert(seal_make_text(sealed, hint, key));
    ck_assert_ptr_null(strstr(sealed, "additions"));
    ck_assert(seal_make(seal, hash, 2, key));
    ck_assert(seal_looks_right(seal, SEAL_LENGTH));
    ck_assert(seal_open(seal, hash, &holds, opened));
    ck_assert_int_eq(holds, 2);
    ck_assert_str_eq(opened, key);
    ck_assert(seal_open_text(text, sealed, opened));
    ck_assert_str_eq(text, hint);
    ck_assert(!seal_open(seal, other, &holds, opened)); /* another answer */
    ck_assert(seal_hash(other, "0/lab3.count/8/loads_16", 1, "n512"));
    ck_assert(!seal_open(seal, other, &holds, opened)); /* the same in another variant */
    key[0] = key[0] == 'a' ? 'b' : 'a';
    ck_assert(!seal_open_text(text, sealed, key) || strcmp(text, hint) != 0);
    ck_assert(seal_make(seal, hash, SEAL_RIGHT, NULL));
    ck_assert(seal_open(seal, hash, &holds, opened) && holds == SEAL_RIGHT);
    ck_assert(!seal_hash(hash, "place", SEAL_COST_MOST + 1, "n1"));
    ck_assert(!seal_open("short", other, &holds, opened));
    ck_assert(!seal_open_text(text, "", key) && !seal_open_text(text, "a!bc", key));
}

/* ---- The file with the questions ---- */

#define SEAL_1 "./0123456789ABCDEFGHIJKLMNOPQRSTU"
static const char small_file[] =
    "{\"schema\": \"matmul-lab-questions/2\", \"lab\": \"lab3\", \"edition\": 0, \"cost\": 1, "
    "\"list\": [{\"words\": \"Why?\"}, {\"key\": \"lab3.one\"}], "
    "\"questions\": [{\"key\": \"lab3.one\", \"title\": \"One\", \"section\": \"lab3.md#idea\", "
    "\"text\": \"Same\\n\", \"digest\": \"x\", \"listing\": [\"first;\", \"second;\"], \"blanks\": "
    "[{\"name\": \"n1\", \"kind\": \"numbers\", \"ask\": \"a number\", \"count\": 1, \"hint\": "
    "\"H\"}, {\"name\": \"n2\", \"kind\": \"line\", \"ask\": \"a line\", \"count\": 1, \"hint\": "
    "\"H\"}], "
    "\"variants\": [{\"own\": \"Own 1\\n\", \"first\": 20, \"seals\": [[\"" SEAL_1 "\"], [\"" SEAL_1
    "\"]]}, {\"first\": 30, \"seals\": [[\"" SEAL_1 "\"], [\"" SEAL_1 "\"]]}]}]}";

static enum questions_state parse_with(const char *from, const char *to, char message[400]) {
    struct text t = {0};
    struct question_set set;
    text_add(&t, small_file);
    if (from) {
        ck_assert_msg(strstr(small_file, from) != NULL, "%s", from);
        text_replace(&t, from, to);
    }
    const enum questions_state state =
        questions_parse(&set, text_get(&t), t.length, 3, message, 400);
    questions_free(&set);
    text_free(&t);
    return state;
}

TEST(damaged_files) {
    static const struct {
        const char *from, *to, *expected;
    } rows[] = {
        {"{\"schema\"", "{{\"schema\"", "line 1"},
        {"questions/2", "questions/1", "\"schema\" is not"},
        {"\"lab\": \"lab3\"", "\"lab\": \"lab4\"", "\"lab\" is not \"lab3\""},
        {"\"cost\": 1", "\"cost\": 60", "\"cost\" is not"},
        {"\"edition\": 0", "\"edition\": -1", "\"edition\" is no"},
        {"\"key\": \"lab3.one\", \"t", "\"t", "\"key\" is missing"},
        {"\"text\": \"Same\\n\"", "\"text\": \"a\\u001b[2J\"", "lab3.one: \"text\""},
        {"\"title\": \"One\"", "\"title\": \"a\\nb\"", "\"title\" is missing, or is not a text"},
        {"\"kind\": \"numbers\"", "\"kind\": \"riddle\"", "lab3.one, n1: unknown kind"},
        {"\"count\": 1, \"hint\": \"H\"}, ", "\"count\": 7, \"hint\": \"H\"}, ",
         "\"count\" is not"},
        {"\"name\": \"n2\"", "\"name\": \"n1\"", "comes twice"},
        {"\"name\": \"n2\"", "\"name\": \"a b\"", "not a name for a blank"},
        {"\"name\": \"n2\"", "\"name\": \"student\"", "not a name for a blank"},
        {"\"listing\": [\"first;\", \"second;\"], ", "", "there is no listing"},
        {"\"first\": 30", "\"first\": \"30\"", "\"first\" is not the number"},
        {"], [\"" SEAL_1 "\"]]}, {", "]]}, {", "seals for each blank"},
        {"STU\"]]}]", "ST\"]]}]", "a seal is not 33"},
        {"STU\"]]}]", "ST!\"]]}]", "a seal is not 33"},
        {"[\"" SEAL_1 "\"]]}]", "[]]}]", "not 1 to 24 seals"},
        {"\"kind\": \"numbers\"", "\"kind\": \"real\"", "grid is not a number"},
        {"\"kind\": \"numbers\"", "\"kind\": \"formulas\"", "\"variables\" is missing"},
        {"\"kind\": \"numbers\"", "\"kind\": \"word\"", "\"words\" is missing"},
        {"\"hint\": \"H\"}, ", "\"hint\": \"\"}, ", "no hint"},
        {"{\"key\": \"lab3.one\"}], ", "{\"key\": \"lab3.two\"}], ", "entry 2 is not a question"},
        {"{\"words\": \"Why?\"}", "{\"key\": \"lab3.one\"}", "entry 2 is not a question, or is"},
        {", {\"key\": \"lab3.one\"}], ", "], ", "the list lacks a question"},
        {"{\"words\": \"Why?\"}", "{\"words\": 3}", "\"words\" is missing"},
        {"\"list\": [{\"words\": \"Why?\"}, {\"key\": \"lab3.one\"}], ", "", "\"list\" has not"},
    };
    char message[400];
    ck_assert_msg(parse_with(NULL, NULL, message) == QUESTIONS_OK, "%s", message);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        ck_assert_msg(parse_with(rows[i].from, rows[i].to, message) == QUESTIONS_BAD,
                      "accepted with %s", rows[i].to);
        ck_assert_msg(strstr(message, rows[i].expected) != NULL, "%s: '%s'", rows[i].to, message);
        ck_assert_ptr_null(strchr(message, '\n'));
    }
    struct question_set set;
    ck_assert(questions_read(&set, "/nonexistent", 3, message, sizeof message) == QUESTIONS_NONE);
    questions_free(&set);
}

/* No part of a truncated file is taken for a whole one. */
TEST(truncated_files) {
    char message[400];
    struct question_set set;
    for (size_t length = 0; length < sizeof small_file - 1; length++) {
        ck_assert(questions_parse(&set, small_file, length, 3, message, sizeof message) ==
                  QUESTIONS_BAD);
        questions_free(&set);
    }
}

TEST(printed) {
    char message[400];
    struct question_set set;
    struct text t = {0};
    ck_assert(questions_parse(&set, small_file, sizeof small_file - 1, 3, message,
                              sizeof message) == QUESTIONS_OK);
    const struct variant *v = question_variant(&set, &set.all[0], "s1", 0);
    questions_print(&t, &set, "lab3", NULL, "labs/lab3-tiled-square/answers.txt",
                    "./grader lab3 --answers", "s1", 0);
    ck_assert_ptr_nonnull(strstr(text_get(&t), "\nQ3.2  One  (handouts/lab3.md#idea)\n   Same\n"));
    ck_assert_ptr_nonnull(strstr(text_get(&t), v->first == 20
                                                   ? "      20  first;\n      21  second;\n"
                                                   : "      30  first;\n      31  second;\n"));
    ck_assert_ptr_nonnull(strstr(text_get(&t), "\nQ3.1  In your own words  (handouts/lab3.md#"
                                               "questions)  [the same for all]\n   Why?\n"));
    ck_assert(questions_in_words(&set, "Q3.1") && !questions_in_words(&set, "Q3.2"));
    ck_assert(!questions_in_words(&set, "Q3.3") && !questions_in_words(&set, "Q2.1"));
    text_free(&t);
    /* Letter case and blanks around a name don't matter; the course's seed does, for somebody. */
    size_t other = 0;
    for (int i = 0; i < 64; i++) {
        char name[16], spaced[24];
        snprintf(name, sizeof name, "ab%d", i);
        snprintf(spaced, sizeof spaced, " AB%d ", i);
        ck_assert_uint_eq(question_pick("k", 3, 64, name, 0), question_pick("k", 3, 64, spaced, 0));
        other += question_pick("k", 3, 64, name, 0) != question_pick("k", 3, 64, name, 7);
    }
    ck_assert_uint_ge(other, 50);
    questions_free(&set);
}

/* Neighbours seldom have the same variant, and every variant is somebody's. */
TEST(neighbours_differ) {
    for (int lab = 1; lab <= LABS; lab++)
        for (size_t q = 0; q < set_of(lab)->count; q++) {
            const struct question *one = &set_of(lab)->all[q];
            int same = 0, used = 0, users[QUESTION_VARIANTS] = {0};
            for (int s = 0; one->variant_count > 1 && s < 1000; s++) {
                char name[16], next[16];
                snprintf(name, sizeof name, "s%d", s);
                snprintf(next, sizeof next, "s%d", s + 1);
                const struct variant *mine = question_variant(set_of(lab), one, name, 0);
                same += mine == question_variant(set_of(lab), one, next, 0);
                used += users[mine - one->variants]++ == 0;
            }
            ck_assert_msg(same <= 80, "%s: %d of 1000 neighbours have the same numbers", one->key,
                          same);
            ck_assert_msg(one->variant_count == 1 || used == (int)one->variant_count,
                          "%s: %d of %zu variants are used", one->key, used, one->variant_count);
        }
}

static bool is_question(const char *name) {
    return book_is_question(name, strlen(name));
}

TEST(the_book) {
    char message[400];
    struct book book;
    struct text t = {0};
    ck_assert(is_question("Q3.8") && is_question("Q10.12") && is_question("QM.1"));
    ck_assert(!is_question("q3.8") && !is_question("Q3.") && !is_question("Q.8"));
    ck_assert(!is_question("Q3.8b") && !is_question("Q3") && !is_question("loads_16"));
    ck_assert(!book_is_question("Q3.8", 3));
    ck_assert(book_is_of_lab("Q1.4", 1) && !book_is_of_lab("Q10.4", 1));
    ck_assert_msg(book_read(&book, ".", message, sizeof message) == BOOK_OK, "%s", message);
    const char *name;
    for (size_t i = 0; (name = book_question(&book, i)); i++) {
        text_clear(&t);
        ck_assert_msg(book_answer(&t, &book, name) && t.length > 1, "%s", name);
        ck_assert_msg(!strstr(text_get(&t), "**") && !strstr(text_get(&t), "]("), "%s: %s", name,
                      text_get(&t));
    }
    text_clear(&t);
    ck_assert(book_answer(&t, &book, "Q0.3")); /* a dot that is two bytes, and a question's end */
    ck_assert_str_eq(text_get(&t), "Column 3 · 32 + 5 = 101, row 2 · 16 + 7 = 39.");
    ck_assert(!book_answer(&t, &book, "Q1.99"));
    book_free(&book);
    ck_assert(book_read(&book, "/nonexistent", message, sizeof message) == BOOK_NONE);
    text_free(&t);
}

int main(void) {
    return run_tests((struct suite){.name = "answers"});
}
