/* cause_test.c: in no lab does a mistake lead to the handout of a later one, and every mistake of
 * the zoo leads somewhere in its lab. Run from the kit's top folder, as all suites are. */
#include "common/tests/suite.h"
#include "grading/src/run/cause.h"

#include "grading/src/base/text.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LABS = 10, CLASSES = 400 };

/* The lab of a page, "lab3.md#barriers"; 0 for a page of no lab. */
static int lab_of(const char *section) {
    int n = 0;
    return sscanf(section, "lab%d.md#", &n) == 1 ? n : 0;
}

/* All names in the first column of causes.tsv, once each. */
static int read_classes(char *name[CLASSES]) {
    FILE *f = fopen("handouts/causes.tsv", "re");
    ck_assert_ptr_nonnull(f);
    char line[1000];
    int n = 0;
    while (fgets(line, sizeof line, f)) {
        line[strcspn(line, "\t\n")] = '\0';
        if (line[0] == '#' || (n > 0 && strcmp(name[n - 1], line) == 0))
            continue;
        ck_assert_int_lt(n, CLASSES);
        name[n++] = xstrdup(line);
    }
    fclose(f);
    return n;
}

TEST(sections_are_no_later_labs) {
    char *name[CLASSES];
    const int classes = read_classes(name);
    int later = 0;
    ck_assert_int_gt(classes, 80);
    for (int lab = 1; lab <= LABS; lab++) {
        char its[16];
        snprintf(its, sizeof its, "lab%d", lab);
        for (int i = 0; i < classes; i++) {
            struct cause c = cause_of(".", name[i], its);
            if (c.section && (lab_of(c.section) > lab || c.section[0] == '@')) {
                printf("%s in %s: see %s\n", name[i], its, c.section);
                later++;
            }
            cause_free(&c);
        }
    }
    ck_assert_msg(later == 0, "%d sections are those of later labs", later);
    for (int i = 0; i < classes; i++)
        free(name[i]);
}

/* path lab verdict kind class ... */
TEST(mistakes_of_the_zoo_have_sections) {
    FILE *f = fopen("tests/zoo/manifest.tsv", "re");
    ck_assert_ptr_nonnull(f);
    char line[2000];
    int seen = 0, without = 0;
    while (fgets(line, sizeof line, f)) {
        char *rest = line, *column[5] = {0};
        for (int i = 0; i < 5; i++)
            column[i] = strsep(&rest, "\t\n");
        if (line[0] == '#' || !column[4] || strcmp(column[3], "wrong") != 0 ||
            strcmp(column[4], "-") == 0)
            continue;
        char *its = xasprintf("lab%s", column[1]);
        struct cause c = cause_of(".", column[4], its);
        seen++;
        if (!c.section) {
            printf("%s (%s): %s has no section\n", column[0], its, column[4]);
            without++;
        }
        cause_free(&c);
        free(its);
    }
    fclose(f);
    ck_assert_int_gt(seen, 100);
    ck_assert_int_eq(without, 0);
}

static const struct {
    const char *class, *lab, *section;
} looked_up[] = {
    {"no-tensor-cores", "lab1", NULL},
    {"no-tensor-cores", "lab9", "lab9.md#idea"},
    {"no-tensor-cores", "lab10", "lab9.md#idea"},
    {"bank-conflicts", "lab5", "lab3.md#banks"},
    {"bank-conflicts", "lab6", "lab6.md#stamp"},
    {"bank-conflicts", "lab8", "lab7.md#padding"},
    {"A-B-swapped", "lab1", "lab1.md#definition"},
    {"A-B-swapped", "lab3", "lab3.md#todo-3"},
    {"index-wrong", "lab3", "lab3.md#todo-3"},
    {"@launch", "lab6", "lab6.md#todo-5"},
    {"off-by-one", "lab2", "lab2.md#todo-3"},
    {"missing-store-guard", "lab6", "lab6.md#todo-4"},
    {"leak", "lab5", "lab5.md#handles"},
    {"unchecked", "lab5", "lab5.md#handles"},
    {"sum-reset", "lab9", "lab9.md#todo-4"},
    {"no-such-class", "lab1", NULL},
};

TEST_EACH(a_section_is_the_labs_own, sizeof looked_up / sizeof *looked_up) {
    struct cause c = cause_of(".", looked_up[_i].class, looked_up[_i].lab);
    ck_assert_pstr_eq(c.section, looked_up[_i].section);
    cause_free(&c);
}

TEST(hints_of_one_lab_are_told_there) {
    struct cause two = cause_of(".", "A-B-swapped", "lab2"),
                 three = cause_of(".", "A-B-swapped", "lab3");
    ck_assert_int_eq(two.hint_count, three.hint_count + 1);
    cause_free(&two);
    cause_free(&three);
}

int main(void) {
    return run_tests((struct suite){.name = "grading/cause"});
}
