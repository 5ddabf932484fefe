/* heap_test.c: memory that a function on the CPU asks for, between guard pages. */
#include "common/tests/suite.h"
#include "grading/worker/worker.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* As a submission calls them: neither the compiler nor an analyser knows what they do. */
static void *(*volatile ask)(size_t bytes) = malloc;
static void *(*volatile ask_zeros)(size_t count, size_t size) = calloc;
static void *(*volatile ask_again)(void *p, size_t bytes) = realloc;
static void (*volatile give_back)(void *p) = free;

static struct heap_hit told;
static int times_told;

/* In a worker the process ends here. */
void worker_heap_overrun(const struct heap_hit *hit) {
    told = *hit;
    times_told++;
}
void worker_given_back(const void *p) {
    (void)p;
}

static unsigned char *guarded(size_t bytes) {
    worker_heap_guard(true);
    unsigned char *p = ask(bytes);
    ck_assert_ptr_nonnull(p);
    return p;
}

TEST(blocks_hold_nan_and_end_at_a_page) {
    unsigned char *p = guarded(10);
    struct heap_hit hit;
    ck_assert_uint_eq((uintptr_t)p % 16, 0);
    for (int i = 0; i < 10; i++)
        ck_assert_uint_eq(p[i], 0xFF);
    ck_assert(worker_heap_covers(p + 16, &hit));
    ck_assert_int_eq(hit.byte, 16);
    ck_assert_uint_eq(hit.bytes, 10);
    ck_assert(!hit.freed && hit.asker != NULL);
    give_back(p);
    ck_assert(worker_heap_covers(p, &hit));
    ck_assert(hit.freed);
    worker_heap_guard(false);
    ck_assert(!worker_heap_covers(p, &hit)); /* given back for good */
    ck_assert_int_eq(times_told, 0);
}

TEST(calloc_is_zero_and_realloc_keeps) {
    worker_heap_guard(true);
    unsigned char *p = ask_zeros(3, 7);
    for (int i = 0; i < 21; i++)
        ck_assert_uint_eq(p[i], 0);
    memset(p, 5, 21);
    unsigned char *q = ask_again(p, 40);
    ck_assert_ptr_ne(q, p);
    for (int i = 0; i < 40; i++)
        ck_assert_uint_eq(q[i], i < 21 ? 5 : 0xFF);
    give_back(q);
    worker_heap_guard(false);
    ck_assert_int_eq(times_told, 0);
}

TEST(stores_behind_the_end_are_told) {
    unsigned char *p = guarded(12);
    p[14] = 1;
    worker_heap_guard(false);
    ck_assert_int_eq(times_told, 1);
    ck_assert_int_eq(told.byte, 14);
    ck_assert_uint_eq(told.bytes, 12);
    p[14] = 0xA5;
    give_back(p);
    ck_assert_int_eq(times_told, 1);
}

TEST(a_second_free_is_told) {
    unsigned char *p = guarded(8);
    give_back(p);
    give_back(p);
    ck_assert_int_eq(times_told, 1);
    ck_assert(told.freed);
    worker_heap_guard(false);
}

TEST(what_lives_counts) {
    uint64_t bytes = 0, mapped = 0;
    unsigned char *p = guarded(100), *q = guarded(200);
    worker_heap_in_use(&bytes, &mapped);
    ck_assert_uint_eq(bytes, 300);
    ck_assert_uint_ge(mapped, 6 * 4096);
    give_back(q);
    worker_heap_guard(false);
    bytes = 0;
    worker_heap_in_use(&bytes, &mapped);
    ck_assert_uint_eq(bytes, 100);
    give_back(p);
}

/* Past the blocks that it looks after, and outside of calls, the C library gives memory. */
TEST(the_rest_comes_from_the_library) {
    enum { MANY = 300 };
    void *p[MANY];
    struct heap_hit hit;
    int covered = 0;
    worker_heap_guard(true);
    for (int i = 0; i < MANY; i++) {
        p[i] = ask(16);
        covered += worker_heap_covers(p[i], &hit);
    }
    ck_assert_int_gt(covered, 200);
    ck_assert_int_lt(covered, MANY);
    void *large = ask((size_t)32 << 20);
    ck_assert(!worker_heap_covers(large, &hit));
    worker_heap_guard(false);
    void *later = ask(16);
    ck_assert(!worker_heap_covers(later, &hit));
    for (int i = 0; i < MANY; i++)
        give_back(p[i]);
    give_back(large);
    give_back(later);
}

int main(void) {
    return run_tests((struct suite){.name = "grading/worker, the heap"});
}
