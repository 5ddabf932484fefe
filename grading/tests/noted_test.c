/*
 * noted_test.c: causes that rest on what was noted beside the product: an integer divided by zero,
 * and two of the compiler's warnings. What was noted is put together here.
 */
#include "common/tests/suite.h"
#include "grading/src/diagnose/diagnose.h"

#include <stdio.h>
#include <string.h>

/* ---- a division by zero ---- */

enum noted { NOTHING, DIVIDES, RACES }; /* in a case */

struct one_case {
    enum verdict verdict;
    enum noted noted;
};

static const struct {
    const char *name;
    struct one_case in[3];
    bool says;
} divisions[] = {
    {"where it fails alone",
     {{VERDICT_PASS, NOTHING}, {VERDICT_WRONG, DIVIDES}, {VERDICT_WRONG, DIVIDES}},
     true},
    {"where a fault follows",
     {{VERDICT_PASS, NOTHING}, {VERDICT_MEMORY, DIVIDES}, {VERDICT_PASS, NOTHING}},
     true},
    {"where it is right, too",
     {{VERDICT_PASS, DIVIDES}, {VERDICT_WRONG, DIVIDES}, {VERDICT_PASS, NOTHING}},
     false},
    {"not in all that fail",
     {{VERDICT_PASS, NOTHING}, {VERDICT_WRONG, DIVIDES}, {VERDICT_WRONG, NOTHING}},
     false},
    {"another finding",
     {{VERDICT_PASS, NOTHING}, {VERDICT_WRONG, RACES}, {VERDICT_PASS, NOTHING}},
     false},
    {"nothing fails",
     {{VERDICT_PASS, NOTHING}, {VERDICT_PASS, NOTHING}, {VERDICT_PASS, NOTHING}},
     false},
};

TEST_EACH(divisions_are_told, sizeof divisions / sizeof *divisions) {
    struct case_spec spec = {.entry = ENTRY_DEVICE};
    struct case_result cases[3];
    struct finding_body found[3];
    memset(cases, 0, sizeof cases);
    memset(found, 0, sizeof found);
    for (int i = 0; i < 3; i++) {
        const enum noted noted = divisions[_i].in[i].noted;
        found[i].kind = noted == DIVIDES ? VGPU_FOUND_DIVISION : VGPU_FOUND_RACE;
        snprintf(found[i].site[0].file, sizeof found[i].site[0].file, "lab2.cu");
        found[i].site[0].line = 12 + i;
        snprintf(found[i].message, sizeof found[i].message, "%s",
                 noted == DIVIDES ? "integer division by zero" : "a race");
        cases[i].spec = &spec;
        cases[i].verdict = divisions[_i].in[i].verdict;
        cases[i].seen.calls = 1;
        cases[i].seen.finding = &found[i];
        cases[i].seen.findings = noted != NOTHING;
        cases[i].plan.call[0].shape = (struct shape){10 + i, 20 + i, 30 + i};
    }
    struct grade_context g = {.results = cases, .result_count = 3};
    struct inquiry q = {.g = &g, .session.backend = &g.backend, .entry = ENTRY_DEVICE};
    struct diagnosis d = {0};
    ck_assert_msg(rule_divides(&q, &d) == divisions[_i].says, "%s", divisions[_i].name);
    if (divisions[_i].says) {
        ck_assert_str_eq(d.class, "divides-by-zero");
        ck_assert_int_eq(d.line, 13); /* the first case that fails */
        ck_assert_msg(strstr(text_get(&d.sentence), "m = 11, n = 21, k = 31") != NULL, "%s",
                      text_get(&d.sentence));
        ck_assert(strstr(text_get(&d.evidence), "integer division") != NULL);
    }
    diagnosis_free(&d);
}

/* ---- the compiler's warnings ---- */

static char file_name[] = "lab2.cu", unset_words[] = "variable 'sum' is uninitialized",
            size_words[] = "sizeof on a pointer";

static struct inquiry asked(struct grade_context *g, struct build *b, enum verdict verdict) {
    g->submission.name = file_name;
    return (struct inquiry){.g = g, .session.build = b, .verdict = verdict};
}

TEST(sums_without_a_value_are_told_where_c_is_wrong) {
    struct grade_context g = {.results = NULL};
    struct build b = {.unset.line = 17, .unset_words = unset_words};
    struct diagnosis d = {0};
    struct inquiry q = asked(&g, &b, VERDICT_MEMORY);
    ck_assert(!rule_uninitialised_sum(&q, &d));
    q.verdict = VERDICT_WRONG;
    ck_assert(rule_uninitialised_sum(&q, &d));
    ck_assert_str_eq(d.class, "uninitialised-sum");
    ck_assert_str_eq(d.file, "lab2.cu");
    ck_assert_int_eq(d.line, 17);
    ck_assert(strstr(text_get(&d.evidence), "variable 'sum'") != NULL);
    diagnosis_free(&d);
    b.unset.line = 0;
    d = (struct diagnosis){0};
    ck_assert(!rule_uninitialised_sum(&q, &d));
    diagnosis_free(&d);
}

TEST(sizes_of_pointers_are_told) {
    struct grade_context g = {.results = NULL};
    struct build b = {.pointer_size.line = 23, .pointer_size_words = size_words};
    struct diagnosis d = {0};
    struct inquiry q = asked(&g, &b, VERDICT_MEMORY);
    ck_assert(rule_pointer_size(&q, &d));
    ck_assert_str_eq(d.class, "size-of-pointer");
    ck_assert_int_eq(d.line, 23);
    ck_assert(strstr(text_get(&d.sentence), "Line 23 takes the size of a pointer") != NULL);
    ck_assert(strstr(text_get(&d.evidence), "sizeof on a pointer") != NULL);
    diagnosis_free(&d);
    b.pointer_size.line = 0;
    d = (struct diagnosis){0};
    ck_assert(!rule_pointer_size(&q, &d));
    diagnosis_free(&d);
}

int main(void) {
    return run_tests((struct suite){.name = "grading/noted"});
}
