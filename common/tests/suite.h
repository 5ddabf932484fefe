/*
 * suite.h: a program of Check tests, which put themselves on its list.
 *
 *     TEST(zeros_are_equal) { ck_assert(equal(0, 0)); }
 *     TEST_EACH(row_is_read, ROWS) { ck_assert(read(rows[_i])); }
 *
 *     int main(void) { return run_tests((struct suite){.name = "common/compare"}); }
 *
 * TEST_EACH runs once for each _i from 0 to ROWS - 1. Tests run in the order in which they stand in
 * the file, each in a process of its own; run_tests gives the program's exit status.
 */
#pragma once

#include <check.h>

/*
 * The limit is there to end a test that hangs, and goes by the clock: other work on the machine
 * counts. Check's own limit of four seconds ends right tests on a busy one.
 */
enum { SUITE_SECONDS = 60 };

struct suite {
    const char *name;
    double seconds;         /* that a test may take; 0: SUITE_SECONDS, less: any time */
    SFun set_up, tear_down; /* before and after each test, in its process; NULL: nothing */
};

struct listed_test {
    void (*add)(TCase *t);
    struct listed_test *next;
};

/* Unused where tests share a file that has none of its own. */
static struct listed_test *first_listed;
__attribute__((unused)) static struct listed_test **listed_end = &first_listed;

#define TEST_EACH(name, count)                                                                     \
    static void name##_body(int _i);                                                               \
    START_TEST(name) {                                                                             \
        name##_body(_i);                                                                           \
    }                                                                                              \
    END_TEST                                                                                       \
    static void name##_add(TCase *t) {                                                             \
        tcase_add_loop_test(t, name, 0, (int)(count));                                             \
    }                                                                                              \
    __attribute__((constructor)) static void name##_list(void) {                                   \
        static struct listed_test self = {name##_add, NULL};                                       \
        *listed_end = &self;                                                                       \
        listed_end = &self.next;                                                                   \
    }                                                                                              \
    static void name##_body(int _i __attribute__((unused)))

#define TEST(name) TEST_EACH(name, 1)

static inline int run_tests(struct suite about) {
    Suite *suite = suite_create(about.name);
    TCase *t = tcase_create(about.name);
    suite_add_tcase(suite, t);
    const double seconds = about.seconds != 0 ? about.seconds : SUITE_SECONDS;
    tcase_set_timeout(t, seconds > 0 ? seconds : 0);
    if (about.set_up || about.tear_down)
        tcase_add_checked_fixture(t, about.set_up, about.tear_down);
    for (const struct listed_test *test = first_listed; test; test = test->next)
        test->add(t);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_ENV);
    const int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed != 0;
}
