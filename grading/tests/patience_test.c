/* patience_test.c: whose fault it is that time is up (patience.c, budget.c), for machines that are
 * idle, busy and standing still. All figures are made up: no clock is read. */
#include "common/tests/suite.h"
#include "grading/src/sandbox/budget.h"
#include "grading/src/sandbox/patience.h"

#define LIMIT 10000

static enum patience_end end_of(int64_t user, int64_t system, int64_t idle, int64_t clock) {
    const struct patience p = patience_of(LIMIT);
    const struct usage used = {.user = user, .system = system, .idle = idle};
    return patience_end(&p, &used, clock);
}

TEST(an_idle_machine_ends_what_computes_without_end) {
    ck_assert_int_eq(end_of(9999, 0, 0, 9999), PATIENCE_LASTS);
    ck_assert_int_eq(end_of(LIMIT, 0, 0, LIMIT), PATIENCE_LASTS);
    ck_assert_int_eq(end_of(LIMIT + 1, 0, 0, LIMIT + 1), PATIENCE_COMPUTED);
}

TEST(an_idle_machine_ends_what_waits_without_end) {
    ck_assert_int_eq(end_of(0, 0, LIMIT, LIMIT), PATIENCE_LASTS);
    ck_assert_int_eq(end_of(0, 0, LIMIT + 1, LIMIT + 1), PATIENCE_WAITED);
    /* A little of both: the sum does not count. */
    ck_assert_int_eq(end_of(LIMIT / 2 + 1, 0, LIMIT / 2 + 1, LIMIT + 2), PATIENCE_LASTS);
}

TEST(a_busy_machine_decides_as_an_idle_one_but_later) {
    /* A tenth of a processor: what needs 5 s takes 50 by the clock, and is let finish. */
    ck_assert_int_eq(end_of(5000, 0, 0, 50000), PATIENCE_LASTS);
    ck_assert_int_eq(end_of(LIMIT + 1, 0, 0, 10 * LIMIT), PATIENCE_COMPUTED);
    ck_assert_int_eq(end_of(0, 0, LIMIT + 1, 10 * LIMIT), PATIENCE_WAITED);
}

TEST(a_machine_without_time_blames_nobody) {
    ck_assert_int_eq(end_of(30, 10, 200, PATIENCE_CLOCK * LIMIT), PATIENCE_LASTS);
    ck_assert_int_eq(end_of(30, 10, 200, PATIENCE_CLOCK * LIMIT + 1), PATIENCE_STARVED);
    ck_assert_int_eq(end_of(LIMIT, 0, LIMIT, PATIENCE_CLOCK * LIMIT + 1), PATIENCE_STARVED);
    /* But a limit that was reached stays reached, however late anybody looks. */
    ck_assert_int_eq(end_of(LIMIT + 1, 0, 0, 2 * PATIENCE_CLOCK * LIMIT), PATIENCE_COMPUTED);
}

TEST(the_kernels_work_has_a_limit_of_its_own) {
    ck_assert_int_eq(end_of(100, 2 * LIMIT, 0, 2 * LIMIT + 100), PATIENCE_LASTS);
    ck_assert_int_eq(end_of(1, PATIENCE_PROCESSOR * LIMIT, 0, 5 * LIMIT), PATIENCE_COMPUTED);
}

TEST(a_call_is_not_blamed_for_those_before_it) {
    const struct patience p = patience_of(LIMIT);
    const struct usage before = {.user = 9000, .system = 39000, .idle = 9500};
    const struct usage now = {.user = 18000, .system = 40000, .idle = 19000};
    const struct usage used = usage_since(&now, &before);
    ck_assert_int_eq(used.user, 9000);
    ck_assert_int_eq(used.system, 1000);
    ck_assert_int_eq(used.idle, 9500);
    ck_assert_int_eq(patience_end(&p, &used, 19500), PATIENCE_LASTS);
}

TEST(a_budget_counts_what_is_computed_and_what_is_waited) {
    struct budget b = {.limit = 90000, .before = 5000};
    ck_assert(!budget_is_spent_at(&b, 5000));
    ck_assert(!budget_is_spent_at(&b, 94999));
    ck_assert(budget_is_spent_at(&b, 95000));
    budget_add_waited(&b, 20000);
    ck_assert(!budget_is_spent_at(&b, 74999));
    ck_assert(budget_is_spent_at(&b, 75000));
    budget_add_waited(NULL, 1); /* nobody asks */
}

TEST(a_budget_begins_when_it_is_told_to) {
    struct budget b;
    budget_begin(&b, 1);
    ck_assert(!budget_is_spent(&b)); /* nothing was run yet */
    ck_assert_int_eq(b.limit, 1000);
    budget_add_waited(&b, 1000);
    ck_assert(budget_is_spent(&b));
}

TEST(a_look_tells_idleness_from_waiting_for_a_processor) {
    struct look l = {.elapsed = 200};
    ck_assert_int_eq(patience_idle(&l), 200);
    l.busy = true; /* it runs, or would like to */
    ck_assert_int_eq(patience_idle(&l), 0);
    l.apart = true; /* in processes that can hide it */
    ck_assert_int_eq(patience_idle(&l), 200);
    l.kept = true; /* by us */
    ck_assert_int_eq(patience_idle(&l), 0);
    l.busy = l.apart = false;
    ck_assert_int_eq(patience_idle(&l), 0);
}

TEST(nothing_is_known_of_a_time_without_looks) {
    const struct look l = {.elapsed = 60000};
    ck_assert_int_eq(patience_idle(&l), (int64_t)2 * PATIENCE_LOOK);
}

TEST(a_child_waits_for_us_when_we_are_late) {
    ck_assert(!patience_our_turn(20, false, false));
    ck_assert(!patience_our_turn(20, true, false)); /* a word has just come: nobody kept it */
    ck_assert(patience_our_turn(PATIENCE_LATE, true, false));
    ck_assert(!patience_our_turn(PATIENCE_LATE, false, false)); /* nothing waited for us */
    ck_assert(patience_our_turn(0, false, true));
}

int main(void) {
    return run_tests((struct suite){.name = "grading/patience"});
}
