/*
 * suspect_story_test.c: what a suspect concludes from several calls: which shapes fail, what was
 * counted, and how what is wrong moves with the sizes.
 */
#include "common/tests/suite.h"
#include "grading/src/diagnose/numbered.h"
#include "grading/src/diagnose/suspect.h"
#include "grading/tests/trial_programs.h"

#include <math.h>

/* Which shapes fail is all that is known of a call that ends outside. */
TEST(shapes_tell_sizes_of_indices) {
    static const struct shape shapes[] = {{8, 8, 8},      {90, 100, 120}, {127, 1, 1},  {200, 3, 4},
                                          {255, 10, 255}, {256, 2, 2},    {300, 300, 3}};
    struct trials all = {.count = 0};
    struct diagnosis d = {0};
    const struct suspect_context c = {.entry = ENTRY_DEVICE};
    for (size_t i = 0; i < sizeof shapes / sizeof *shapes; i++) {
        add_trial(&all, right, shapes[i], INPUT_SMALL, i);
        struct trial *t = all.trial[i];
        if (shapes[i].m > 255)
            t->verdict = VERDICT_MEMORY;
    }
    ck_assert(suspect_shapes(&all, &c, &d));
    ck_assert_str_eq(d.class, "index-overflow");
    ck_assert_ptr_nonnull(strstr(text_get(&d.sentence), "255"));
    diagnosis_free(&d);
    all.trial[0]->verdict = VERDICT_MEMORY; /* a small one fails, too: nothing is certain */
    ck_assert(!suspect_shapes(&all, &c, &d));
    trials_free(&all);
}

/* From row 2048 on each sum is another one. */
PROGRAM(second_slab,
        for (int i = 0; i < m * n; i++) to(i, dot(i / n, i % n, 0, k) + (i / n < 2048 ? 0 : 1));)

/* Tall shapes alone are wrong, and those from one row on. */
TEST(later_slabs) {
    static const struct shape shapes[] = {
        {8, 8, 8}, {9, 10, 11}, {70, 5, 4}, {3, 90, 4}, {5000, 2, 3}};
    struct trials all = {.count = 0};
    struct diagnosis d = {0};
    const struct suspect_context c = {.entry = ENTRY_DEVICE};
    for (size_t i = 0; i < sizeof shapes / sizeof *shapes; i++)
        add_trial(&all, second_slab, shapes[i], INPUT_SMALL, i);
    ck_assert(suspect_slabs(&all, &c, &d));
    ck_assert_str_eq(d.class, "slab-wrong");
    ck_assert_ptr_nonnull(strstr(text_get(&d.sentence), "row 2047"));
    diagnosis_free(&d);
    all.trial[0]->verdict = VERDICT_WRONG; /* a small one is wrong, too */
    ck_assert(!suspect_slabs(&all, &c, &d));
    trials_free(&all);
}

PROGRAM(second_columns,
        for (int i = 0; i < m * n; i++) to(i, dot(i / n, i % n, 0, k) + (i % n < 1600 ? 0 : 1));)

/* The same from one column on. */
TEST(later_columns) {
    static const struct shape shapes[] = {
        {8, 8, 8}, {9, 10, 11}, {70, 5, 4}, {3, 90, 4}, {2, 4000, 3}};
    struct trials all = {.count = 0};
    struct diagnosis d = {0};
    const struct suspect_context c = {.entry = ENTRY_DEVICE};
    for (size_t i = 0; i < sizeof shapes / sizeof *shapes; i++)
        add_trial(&all, second_columns, shapes[i], INPUT_SMALL, i);
    ck_assert(suspect_slabs(&all, &c, &d));
    ck_assert_str_eq(d.class, "slab-wrong");
    ck_assert_ptr_nonnull(strstr(text_get(&d.sentence), "column 1599"));
    ck_assert_ptr_nonnull(strstr(text_get(&d.sentence), "A stays as it is"));
    diagnosis_free(&d);
    trials_free(&all);
}

PROGRAM(wrong_last_tiles, for (int i = 0; i < m * n; i++)
                              to(i, i / n >= 96 && i % n >= 224 ? 0.5f : dot(i / n, i % n, 0, k));)

/* The last tiles alone: no slab of columns, and no limit of sizes. */
TEST_EACH(only_the_last_tiles, 2) {
    static const struct shape shapes[] = {
        {8, 8, 8}, {9, 10, 11}, {70, 5, 4}, {3, 90, 4}, {120, 260, 3}};
    struct trials all = {.count = 0};
    struct diagnosis d = {0};
    const struct suspect_context c = {.entry = ENTRY_DEVICE};
    for (size_t i = 0; i < sizeof shapes / sizeof *shapes; i++) {
        add_trial(&all, wrong_last_tiles, shapes[i], INPUT_SMALL, i);
        all.trial[i]->counted = true;
        all.trial[i]->work.of[WORK_LAUNCHES] = (uint64_t)_i + 1;
    }
    ck_assert(!suspect_slabs(&all, &c, &d));
    ck_assert(suspect_shapes(&all, &c, &d));
    ck_assert_str_eq(d.class, "index-wrong");
    ck_assert_ptr_nonnull(strstr(text_get(&d.sentence), "rows from 96 and columns from 224"));
    ck_assert_int_eq(strstr(text_get(&d.sentence), "shared ones") != NULL, _i == 1);
    diagnosis_free(&d);
    trials_free(&all);
}

PROGRAM(rest_again, for (int i = 0; i < m * n; i++)
                        to(i, dot(i / n, i % n, 0, k) +
                                  (k > 32 && k % 16 != 0 ? dot(i / n, i % n, 0, k / 16 * 16) : 0));)

/* Whole results of whole numbers are no sign of sums that are kept in an integer. */
TEST(whole_numbers_give_whole_sums) {
    struct trials all = {.count = 0};
    struct diagnosis d = {0};
    const struct suspect_context c = {.entry = ENTRY_DEVICE};
    add_trial(&all, rest_again, (struct shape){5, 6, 7}, INPUT_SMALL, 1);
    add_trial(&all, rest_again, (struct shape){9, 10, 36}, INPUT_WIDE, 2);
    ck_assert_int_eq(all.trial[0]->verdict, VERDICT_PASS);
    ck_assert_int_eq(all.trial[1]->verdict, VERDICT_WRONG);
    ck_assert(!suspect_precision(&all, &c, &d));
    diagnosis_free(&d);
    trials_free(&all);
}

PROGRAM(
    half_of_the_lanes, for (int i = 0; i < m * n; i++) {
        float sum = 0;
        for (int p = 0; p < k; p++)
            if (p % 32 < 16 || k < 32)
                sum += a(i / n * k + p) * b(p * n + i % n);
        to(i, sum);
    })

/* In a long sum of both signs, terms that are missing are few of the sizes, and yet no rounding. */
TEST(lost_terms_are_no_rounding) {
    struct trials all = {.count = 0};
    struct diagnosis d = {0};
    const struct suspect_context c = {.entry = ENTRY_DEVICE};
    add_trial(&all, half_of_the_lanes, (struct shape){5, 1, 7}, INPUT_SMALL, 1);
    add_trial(&all, half_of_the_lanes, (struct shape){7, 1, 5000}, INPUT_WIDE, 2);
    ck_assert_int_eq(all.trial[0]->verdict, VERDICT_PASS);
    ck_assert_int_eq(all.trial[1]->verdict, VERDICT_WRONG);
    ck_assert(!suspect_precision(&all, &c, &d));
    diagnosis_free(&d);
    trials_free(&all);
}

PROGRAM(nan_beyond_edges,
        for (int i = 0; i < m * n; i++) to(i, k % 32 != 0 ? NAN : dot(i / n, i % n, 0, k));)

/* NaNs beyond the edge come from a tile, unless a checker saw other memory that nobody wrote. */
TEST(nan_from_a_tile_or_from_elsewhere) {
    struct trials all = {.count = 0};
    struct diagnosis d = {0};
    struct suspect_context c = {.entry = ENTRY_DEVICE, .stale = true};
    add_trial(&all, nan_beyond_edges, (struct shape){32, 32, 32}, INPUT_SMALL, 1);
    add_trial(&all, nan_beyond_edges, (struct shape){33, 34, 35}, INPUT_SMALL, 2);
    ck_assert(!suspect_all_nan(&all, &c, &d));
    c.stale_shared = true;
    ck_assert(suspect_all_nan(&all, &c, &d));
    ck_assert_str_eq(d.class, "edge-tile-not-filled");
    diagnosis_free(&d);
    trials_free(&all);
}

PROGRAM(steps_too_far, zeros();
        for (int i = 0; i < m * n; i++) if (i % n % 25 != 24) to(i, dot(i / n, i % n, 0, k));)
PROGRAM(ends_before_48, zeros();
        for (int i = 0; i < m * n; i++) if (i % n < 24) to(i, dot(i / n, i % n, 0, k));)

TEST(columns_left_out) {
    const struct suspect_context c = {.entry = ENTRY_CPU};
    struct trials all = {.count = 0};
    struct diagnosis d = {0};
    run_program(&all, steps_too_far);
    ck_assert(suspect_coverage(&all, &c, &d));
    ck_assert_str_eq(d.class, "columns-skipped");
    ck_assert_ptr_nonnull(strstr(text_get(&d.sentence), "One column of every 25"));
    diagnosis_free(&d);
    trials_free(&all);
    run_program(&all, ends_before_48);
    suspect_coverage(&all, &c, &d);
    ck_assert(!d.class || strcmp(d.class, "columns-skipped") != 0);
    diagnosis_free(&d);
    trials_free(&all);
}

/* The last of every 24 terms never, one of four the other way round, and so on. */
PROGRAM(
    block_ends_early, for (int i = 0; i < m * n; i++) {
        float x = 0;
        for (int p = 0; p < k; p++)
            x += p % 24 == 23 ? 0 : dot(i / n, i % n, p, p + 1);
        to(i, x);
    })
PROGRAM(
    one_of_four_less, for (int i = 0; i < m * n; i++) {
        float x = 0;
        for (int p = 0; p < k; p++)
            x += (p % 4 == 1 ? -1.0f : 1.0f) * dot(i / n, i % n, p, p + 1);
        to(i, x);
    })
PROGRAM(
    one_of_three_less, for (int i = 0; i < m * n; i++) {
        float x = 0;
        for (int p = 0; p < k; p++)
            x += p % 3 == 1 ? 0 : dot(i / n, i % n, p, p + 1);
        to(i, x);
    })
PROGRAM(
    one_of_three_twice, for (int i = 0; i < m * n; i++) {
        float x = 0;
        for (int p = 0; p < k; p++)
            x += (p % 3 == 1 ? 2.0f : 1.0f) * dot(i / n, i % n, p, p + 1);
        to(i, x);
    })

PROGRAM(
    rest_in_each_tile, for (int i = 0; i < m * n; i++) {
        float x = 0;
        for (int p = 0; p < k; p++)
            x += p % 16 < k % 16 ? dot(i / n, i % n, p, p + 1) : 0.0f;
        to(i, x);
    })

TEST(terms_so_many_times) {
    static const struct {
        void (*does)(void);
        const char *class, *says;
    } rows[] = {
        {block_ends_early, "last-term-dropped", "p = 23, 47"},
        {one_of_four_less, "terms-subtracted", "p = 1, 5, 9, 13 and so on"},
        {one_of_three_less, "terms-missing", "One term of every 3"},
        {rest_in_each_tile, "terms-missing", "Each tile adds only its first k % 16 terms"},
    };
    const struct suspect_context c = {.entry = ENTRY_CPU};
    for (size_t r = 0; r < sizeof rows / sizeof *rows; r++) {
        struct trials all = {.count = 0};
        struct diagnosis d = {0};
        run_program(&all, rows[r].does);
        ck_assert(suspect_weights(&all, &c, &d));
        ck_assert_str_eq(d.class, rows[r].class);
        ck_assert_ptr_nonnull(strstr(text_get(&d.sentence), rows[r].says));
        diagnosis_free(&d);
        trials_free(&all);
        run_program(&all, column_major); /* other terms, not the same ones so many times */
        ck_assert(!suspect_weights(&all, &c, &d));
        trials_free(&all);
        run_program(&all, one_of_three_twice); /* others know why */
        ck_assert(!suspect_weights(&all, &c, &d));
        trials_free(&all);
    }
}

PROGRAM(
    last_quad_refused, for (int i = 0; i < m * n; i++) {
        const bool quads = k % 4 == 0 && n % 4 == 0;
        to(i, quads && i % n >= n - 4 ? 0 : dot(i / n, i % n, 0, quads ? k - 4 : k));
    })

/* Four terms at the end: a float4 where loads are as wide, else a tile. */
TEST_EACH(quads_are_no_tiles, 2) {
    const bool wide = _i == 1;
    const struct suspect_context c = {.entry = ENTRY_DEVICE};
    struct trials all = {.count = 0};
    struct diagnosis d = {0};
    run_program(&all, last_quad_refused);
    for (int i = 0; i < all.count; i++) {
        all.trial[i]->counted = true;
        all.trial[i]->work.of[WORK_GLOBAL_LOAD_REQUESTS] = 10;
        all.trial[i]->work.of[WORK_GLOBAL_LOAD_BYTES] = wide ? 5120 : 1280;
    }
    ck_assert(suspect_terms(&all, &c, &d));
    ck_assert_str_eq(d.class, wide ? "last-quad-dropped" : "last-tile-dropped");
    diagnosis_free(&d);
    trials_free(&all);
}

PROGRAM(slab_of_the_rest,
        for (int i = 0; i < m * n; i++) to(i, dot(i / n, i % n, 0, k % 32 == 0 ? k - 32 : k));)
PROGRAM(slab_of_the_rest_of_64,
        for (int i = 0; i < m * n; i++) to(i, dot(i / n, i % n, 0, k % 64 == 0 ? k - 64 : k));)

/* A slab of k % 32 terms is empty where 32 divides k; one of k % 64 leaves a sum of 64 terms empty.
 */
TEST_EACH(a_whole_slab_is_empty, 2) {
    const struct suspect_context c = {.entry = ENTRY_DEVICE};
    struct trials all = {.count = 0};
    struct diagnosis d = {0};
    run_program(&all, _i == 0 ? slab_of_the_rest : slab_of_the_rest_of_64);
    ck_assert(suspect_products(&all, &c, &d));
    ck_assert_str_eq(d.class, "whole-slab-empty");
    ck_assert_ptr_nonnull(strstr(text_get(&d.sentence), _i == 0 ? "k % 32" : "k % 64"));
    diagnosis_free(&d);
    trials_free(&all);
}

PROGRAM(
    as_high_as_wide, for (int i = 0; i < m * n; i++) {
        if (i / n < (m + 31) / 32 * 8)
            to(i, dot(i / n, i % n, 0, k));
    })

/* The rows' number is divided by the block's width: 32 x 8 threads. */
TEST(a_grid_by_the_other_side) {
    const struct suspect_context c = {.entry = ENTRY_DEVICE};
    struct trials all = {.count = 0};
    struct diagnosis d = {0};
    run_program(&all, as_high_as_wide);
    for (int i = 0; i < all.count; i++) {
        struct trial *t = all.trial[i];
        count_launch(t);
        t->work.of[WORK_BLOCK_X] = 32;
        t->work.of[WORK_BLOCK_Y] = 8;
        t->work.of[WORK_GRID_X] = (uint64_t)(t->shape.n + 31) / 32;
        t->work.of[WORK_GRID_Y] = (uint64_t)(t->shape.m + 31) / 32;
    }
    ck_assert(suspect_coverage(&all, &c, &d));
    ck_assert_str_eq(d.class, "grid-by-other-side");
    ck_assert_ptr_nonnull(strstr(text_get(&d.sentence), "threads for 16 rows and 64 columns"));
    diagnosis_free(&d);
    trials_free(&all);
}

PROGRAM(
    tiles_of_32x8, for (int i = 0; i < m * n; i++) {
        if (i % n < (n + 31) / 32 * 8)
            to(i, dot(i / n, i % n, 0, k));
    })

/* A block's tile has 32 rows and 8 columns, and the launch divides m by 8 and n by 32. x may count
 * either of them. */
TEST_EACH(a_grid_by_the_other_side_of_a_tile, 2) {
    const struct suspect_context c = {.entry = ENTRY_DEVICE};
    struct trials all = {.count = 0};
    struct diagnosis d = {0};
    run_program(&all, tiles_of_32x8);
    for (int i = 0; i < all.count; i++) {
        struct trial *t = all.trial[i];
        const uint64_t down = (uint64_t)(t->shape.m + 7) / 8,
                       side = (uint64_t)(t->shape.n + 31) / 32;
        count_launch(t);
        t->work.of[WORK_BLOCK_X] = 4;
        t->work.of[WORK_BLOCK_Y] = 1;
        t->work.of[WORK_GRID_X] = _i == 0 ? side : down;
        t->work.of[WORK_GRID_Y] = _i == 0 ? down : side;
    }
    ck_assert(suspect_coverage(&all, &c, &d));
    ck_assert_str_eq(d.class, "grid-by-other-side");
    ck_assert_ptr_nonnull(strstr(text_get(&d.sentence), "divides m by 8 and n by 32"));
    diagnosis_free(&d);
    trials_free(&all);
}

PROGRAM(
    no_corner, for (int i = 0; i < m * n; i++) {
        const bool rows = m > 16 && i / n >= m / 16 * 16, columns = n > 16 && i % n >= n / 16 * 16;
        if (!rows || !columns)
            to(i, dot(i / n, i % n, 0, k));
    })

/* One launch for whole tiles, two for what is left: none has the corner. Where nobody counted them,
 * the last block may be missing, too. With one launch, that is another mistake. */
TEST_EACH(a_corner_that_no_launch_has, 3) {
    const struct suspect_context c = {.entry = ENTRY_DEVICE};
    struct trials all = {.count = 0};
    struct diagnosis d = {0};
    run_program(&all, no_corner);
    for (int i = 0; i < all.count && _i < 2; i++) {
        count_launch(all.trial[i]);
        all.trial[i]->work.of[WORK_LAUNCHES] = _i == 0 && trial_wrong(all.trial[i]) ? 3 : 1;
    }
    ck_assert(suspect_coverage(&all, &c, &d));
    ck_assert((d.class && strcmp(d.class, "corner-missing") == 0) == (_i != 1));
    ck_assert((strstr(text_get(&d.sentence), "just the last block") != NULL) == (_i == 2));
    diagnosis_free(&d);
    trials_free(&all);
}

PROGRAM(all_zeros, for (int i = 0; i < m * n; i++) to(i, 0);)

/* Tensor cores whose sums get nowhere; a kernel that multiplies, or only stores; without any of
 * these, C was only cleared. */
static const struct {
    uint64_t mmas, flops, stores;
    const char *class;
} zero_stories[] = {{64, 64, 64, "flush-missing"},
                    {0, 64, 64, "factors-zero"},
                    {0, 0, 64, "sums-not-kept"},
                    {0, 0, 0, "no-work"}};

TEST_EACH(zeros_of_kernels, sizeof zero_stories / sizeof *zero_stories) {
    const struct suspect_context c = {.entry = ENTRY_DEVICE};
    struct trials all = {.count = 0};
    struct diagnosis d = {0};
    run_program(&all, all_zeros);
    for (int i = 0; i < all.count; i++) {
        count_launch(all.trial[i]);
        all.trial[i]->work.of[WORK_MMA] = zero_stories[_i].mmas;
        all.trial[i]->work.of[WORK_FLOPS] = zero_stories[_i].flops;
        all.trial[i]->work.of[WORK_GLOBAL_STORE_REQUESTS] = zero_stories[_i].stores;
    }
    ck_assert(suspect_nothing(&all, &c, &d));
    ck_assert_str_eq(d.class, zero_stories[_i].class);
    diagnosis_free(&d);
    trials_free(&all);
}

PROGRAM(seven_parts,
        for (int i = 0; i < m * n; i++) to(i, dot(i / n, i % n, 0, k < 7 ? k : k - k % 7));)

/* A tail without a tile: what a division leaves over, where several kernels share sums. */
TEST_EACH(a_rest_is_of_parts_or_of_tiles, 2) {
    const struct suspect_context c = {.entry = ENTRY_DEVICE};
    struct trials all = {.count = 0};
    struct diagnosis d = {0};
    run_program(&all, seven_parts);
    for (int i = 0; i < all.count; i++) {
        all.trial[i]->counted = true;
        all.trial[i]->work.of[WORK_LAUNCHES] = (uint64_t)_i + 1;
    }
    ck_assert(suspect_terms(&all, &c, &d));
    ck_assert_str_eq(d.class, "last-tile-dropped");
    ck_assert_int_eq(strstr(text_get(&d.sentence), "belong to no part") != NULL, _i == 1);
    diagnosis_free(&d);
    trials_free(&all);
}

PROGRAM(long_sums_in_parts,
        for (int i = 0; i < m * n; i++) to(i, dot(i / n, i % n, 0, k < 50 ? k : k / 16 * 16));)

/* What parts leave over may begin where a tile begins. Where one kernel makes a product, its tiles
 * are right: then it is the parts that lose it. */
TEST_EACH(a_rest_of_parts_may_look_like_a_tile, 2) {
    const struct suspect_context c = {.entry = ENTRY_DEVICE};
    struct trials all = {.count = 0};
    struct diagnosis d = {0};
    run_program(&all, long_sums_in_parts);
    add_trial(&all, long_sums_in_parts, (struct shape){9, 7, 71}, INPUT_SMALL, 30);
    for (int i = 0; i < all.count; i++) {
        struct trial *t = all.trial[i];
        t->counted = true;
        t->work.of[WORK_LAUNCHES] = _i == 1 || t->shape.k >= 50 ? 2 : 1;
    }
    ck_assert(suspect_terms(&all, &c, &d));
    ck_assert_str_eq(d.class, "last-tile-dropped");
    ck_assert_int_eq(strstr(text_get(&d.sentence), "belong to no part") != NULL, _i == 0);
    diagnosis_free(&d);
    trials_free(&all);
}

/* Shapes of a few elements are right, those of many are not: an index of 16 bits, unless one leads
 * past a matrix's end. */
TEST_EACH(no_short_index_leads_past_an_end, 2) {
    const struct suspect_context c = {.entry = ENTRY_DEVICE};
    struct trials all = {.count = 0};
    struct diagnosis d = {0};
    for (int i = 1; i <= 8; i++)
        add_trial(&all, right, (struct shape){30 * i, 28 * i, 27 * i}, INPUT_SMALL, (uint64_t)i);
    for (int i = 0; i < all.count; i++) {
        struct trial *t = all.trial[i];
        if ((int64_t)t->shape.m * t->shape.k <= INT16_MAX)
            continue;
        t->verdict = VERDICT_MEMORY;
        const struct vgpu_fact fact = {.says = VGPU_ILLEGAL_ACCESS,
                                       .place = _i == 0 ? VGPU_AT_BEFORE : VGPU_AT_PAST};
        facts_add(&t->facts, &(struct fact_body){.fact = fact});
    }
    const bool found = suspect_shapes(&all, &c, &d);
    ck_assert_int_eq(found && strcmp(d.class, "index-overflow") == 0, _i == 0);
    diagnosis_free(&d);
    trials_free(&all);
}

PROGRAM(at_most_1000_columns, if (n <= 1000) right();)
PROGRAM(at_most_1000_terms,
        for (int i = 0; i < m * n; i++) to(i, dot(i / n, i % n, 0, k < 1000 ? k : 1000));)

/* A limit of sizes between those that are right and a much longer one that is not. */
TEST(limits_of_sizes) {
    static const struct shape shapes[] = {{8, 8, 8},   {9, 10, 11},  {300, 5, 4}, {3, 290, 4},
                                          {3, 4, 310}, {3, 5000, 2}, {2, 3, 6000}};
    static const struct {
        void (*does)(void);
        const char *says;
    } rows[] = {
        {at_most_1000_columns, "n = 5000 nothing is written"},
        {at_most_1000_terms, "k = 6000 C is wrong"},
    };
    const struct suspect_context c = {.entry = ENTRY_DEVICE};
    for (size_t r = 0; r < sizeof rows / sizeof *rows; r++) {
        struct trials all = {.count = 0};
        struct diagnosis d = {0};
        for (size_t i = 0; i < sizeof shapes / sizeof *shapes; i++)
            add_trial(&all, rows[r].does, shapes[i], INPUT_SMALL, i);
        ck_assert(suspect_shapes(&all, &c, &d));
        ck_assert_str_eq(d.class, "size-limit");
        ck_assert_ptr_nonnull(strstr(text_get(&d.sentence), rows[r].says));
        diagnosis_free(&d);
        all.trial[0]->verdict = VERDICT_WRONG; /* a small one is wrong, too */
        suspect_shapes(&all, &c, &d);
        ck_assert(!d.class || strcmp(d.class, "size-limit") != 0);
        diagnosis_free(&d);
        trials_free(&all);
    }
}

PROGRAM(squares_only, if (m == n && n == k) right();)

/* What is never written at all is no matter of sizes in the wrong place. */
TEST(nothing_but_squares) {
    static const struct shape shapes[] = {{8, 8, 8}, {9, 9, 9}, {32, 32, 32}, {4, 5, 6},
                                          {5, 4, 4}, {7, 7, 1}, {32, 64, 96}, {64, 32, 96}};
    struct trials all = {.count = 0};
    struct diagnosis d = {0};
    const struct suspect_context c = {.entry = ENTRY_CPU};
    for (size_t i = 0; i < sizeof shapes / sizeof *shapes; i++)
        add_trial(&all, squares_only, shapes[i], INPUT_SMALL, i);
    ck_assert(suspect_shapes(&all, &c, &d));
    ck_assert_str_eq(d.class, "shape-special");
    ck_assert_ptr_nonnull(strstr(text_get(&d.sentence), "Nothing is written where m, n and k"));
    diagnosis_free(&d);
    trials_free(&all);
}

/* Six blocks for tiles of 16 x 16, numbered along the rows: each goes on to every sixth. */
PROGRAM(
    kept_by_block, for (int i = 0; i < m * n; i++) {
        const int across = (n + 15) / 16, t = i / n / 16 * across + i % n / 16 - 6;
        const int before = (t / across * 16 + i / n % 16) * n + t % across * 16 + i % n % 16;
        to(i, dot(i / n, i % n, 0, k) + (t < 0 ? 0 : C[before]));
    })

TEST(sums_kept_by_blocks) {
    static const struct shape shapes[] = {{32, 48, 8}, {16, 16, 16}, {64, 64, 5}, {32, 96, 7}};
    struct trials all = {.count = 0};
    struct diagnosis d = {0};
    const struct suspect_context c = {.entry = ENTRY_DEVICE};
    for (size_t i = 0; i < sizeof shapes / sizeof *shapes; i++) {
        add_trial(&all, kept_by_block, shapes[i], INPUT_SMALL, i);
        struct trial *t = all.trial[i];
        t->counted = true;
        t->work.of[WORK_GRID_X] = 6;
        t->work.of[WORK_GRID_Y] = t->work.of[WORK_GRID_Z] = 1;
    }
    ck_assert(suspect_sums(&all, &c, &d));
    ck_assert_str_eq(d.class, "uninitialised-sum");
    ck_assert_ptr_nonnull(strstr(text_get(&d.sentence), "another tile of 16 x 16"));
    diagnosis_free(&d);
    trials_free(&all);
}

PROGRAM(rows_repeated, for (int i = 0; i < m * n; i++) to(i, dot(i / n % 16, i % n, 0, k));)
PROGRAM(rows_in_pairs, for (int i = 0; i < m * n; i++) to(i, dot(i / n ^ 1, i % n, 0, k));)

/* Rows that lie in each other's place, and rows that stand for others, too. */
TEST(rows_in_place_of_others) {
    void (*const programs[])(void) = {rows_repeated, rows_in_pairs};
    const char *const says[] = {"rows of C are computed twice", "have changed places"};
    const struct suspect_context c = {.entry = ENTRY_DEVICE};
    for (size_t i = 0; i < sizeof programs / sizeof *programs; i++) {
        struct trials all = {.count = 0};
        struct diagnosis d = {0};
        add_trial(&all, programs[i], (struct shape){32, 20, 8}, INPUT_SMALL, 1);
        add_trial(&all, programs[i], (struct shape){48, 9, 5}, INPUT_SMALL, 2);
        ck_assert(suspect_values(&all, &c, &d));
        ck_assert_str_eq(d.class, "index-wrong");
        ck_assert_msg(strstr(text_get(&d.sentence), says[i]) != NULL, "%s", text_get(&d.sentence));
        diagnosis_free(&d);
        trials_free(&all);
    }
}

/* A block for each tile of 32 x 32, numbered in bands of two rows of tiles; a third row is a band
 * of its own, and is taken for two. */
PROGRAM(
    last_band_for_whole, for (int i = 0; i < m * n; i++) {
        const int down = (m + 31) / 32, across = (n + 31) / 32, row = i / n / 32, col = i % n / 32;
        const int height = row < 2 && down < 2 ? down : 2;
        if (row / 2 * 2 * across + col * height + row % 2 < down * across)
            to(i, dot(i / n, i % n, 0, k));
    })

TEST(the_last_band_is_lower) {
    static const struct shape shapes[] = {{32, 96, 8}, {64, 64, 8}, {96, 64, 8}, {160, 90, 7}};
    struct trials all = {.count = 0};
    struct diagnosis d = {0};
    const struct suspect_context c = {.entry = ENTRY_DEVICE};
    for (size_t i = 0; i < sizeof shapes / sizeof *shapes; i++) {
        add_trial(&all, last_band_for_whole, shapes[i], INPUT_SMALL, i);
        count_launch(all.trial[i]);
        all.trial[i]->work.of[WORK_GLOBAL_STORE_BYTES] = 4 * trial_elements(all.trial[i]);
    }
    ck_assert_int_eq(all.trial[1]->verdict, VERDICT_PASS);
    ck_assert_int_eq(all.trial[2]->verdict, VERDICT_WRONG);
    ck_assert(suspect_blocks(&all, &c, &d));
    ck_assert_str_eq(d.class, "index-wrong");
    ck_assert_ptr_nonnull(strstr(text_get(&d.sentence), "in bands of 2 rows of tiles"));
    diagnosis_free(&d);
    trials_free(&all);
}

/* Where C is never as high as a band, nobody knows how high a band is. */
PROGRAM(
    only_band_for_whole, for (int i = 0; i < m * n; i++) {
        const int down = (m + 31) / 32, across = (n + 31) / 32, row = i / n / 32, col = i % n / 32;
        if (col * 8 + row < down * across)
            to(i, dot(i / n, i % n, 0, k));
    })

TEST(a_band_of_unknown_height) {
    static const struct shape shapes[] = {{32, 96, 8}, {64, 64, 8}, {32, 64, 8}, {60, 90, 7}};
    struct trials all = {.count = 0};
    struct diagnosis d = {0};
    const struct suspect_context c = {.entry = ENTRY_DEVICE};
    for (size_t i = 0; i < sizeof shapes / sizeof *shapes; i++) {
        add_trial(&all, only_band_for_whole, shapes[i], INPUT_SMALL, i);
        count_launch(all.trial[i]);
        all.trial[i]->work.of[WORK_GLOBAL_STORE_BYTES] = 4 * trial_elements(all.trial[i]);
    }
    ck_assert(suspect_blocks(&all, &c, &d));
    ck_assert_str_eq(d.class, "index-wrong");
    ck_assert_ptr_nonnull(strstr(text_get(&d.sentence), "in bands of several rows of tiles"));
    diagnosis_free(&d);
    trials_free(&all);
}

TEST(special_shapes) {
    static const struct shape shapes[] = {{8, 8, 1}, {9, 10, 1}, {7, 1, 4},
                                          {1, 3, 4}, {5, 6, 7},  {3, 3, 3}};
    struct trials all = {.count = 0};
    struct diagnosis d = {0};
    const struct suspect_context c = {.entry = ENTRY_DEVICE};
    for (size_t i = 0; i < sizeof shapes / sizeof *shapes; i++) {
        add_trial(&all, right, shapes[i], INPUT_SMALL, i);
        if (shapes[i].k == 1)
            all.trial[i]->verdict = VERDICT_WRONG;
    }
    ck_assert(suspect_special(&all, &c, &d));
    ck_assert_str_eq(d.class, "shape-special");
    diagnosis_free(&d);
    trials_free(&all);
}

/* A where C has one column, read as if its columns lay where its rows do. */
PROGRAM(
    column_by_columns, for (int i = 0; i < m; i++) {
        float sum = 0;
        for (int p = 0; p < k; p++)
            sum += a(p * m + i) * b(p);
        to(i, sum);
    })

TEST(a_column_read_by_columns) {
    static const struct shape shapes[] = {{8, 1, 6}, {9, 1, 7}, {1, 1, 5}, {7, 6, 4},
                                          {1, 3, 4}, {5, 6, 7}, {3, 3, 3}};
    struct trials all = {.count = 0};
    struct diagnosis d = {0};
    const struct suspect_context c = {.entry = ENTRY_DEVICE, .cublas = true};
    for (size_t i = 0; i < sizeof shapes / sizeof *shapes; i++)
        add_trial(&all, i < 3 ? column_by_columns : right, shapes[i], INPUT_SMALL, i);
    ck_assert(suspect_special(&all, &c, &d));
    ck_assert_str_eq(d.class, "shape-special");
    ck_assert_ptr_nonnull(strstr(text_get(&d.sentence), "A is read by columns"));
    ck_assert_ptr_nonnull(strstr(text_get(&d.sentence), "CUBLAS_OP_T, k, m, and lda = k"));
    diagnosis_free(&d);
    trials_free(&all);
}

/* 1 + 4 + 7 + 10 of a matrix of 30: numbers counted from 15. */
TEST(stretches_are_told_from_sums) {
    struct stretch x;
    double places = 0, squares = 0;
    for (int i = 0; i < 4; i++) {
        places += 1 + 3 * i - 15;
        squares += (1 + 3 * i - 15) * (1 + 3 * i - 15);
    }
    ck_assert(stretch_decode(4, places, squares, 30, &x));
    ck_assert_int_eq(x.terms, 4);
    ck_assert_int_eq(x.start, 1);
    ck_assert_int_eq(x.step, 3);
    ck_assert(stretch_decode(1, 7 - 15, 64, 30, &x)); /* one element */
    ck_assert_int_eq(x.start, 7);
    ck_assert(stretch_decode(5, 5 * (2 - 15), 5 * 169, 30, &x)); /* the same one, five times */
    ck_assert_int_eq(x.start, 2);
    ck_assert_int_eq(x.step, 0);
    ck_assert(!stretch_decode(4, places + 1, squares, 30, &x)); /* no even steps */
    ck_assert(!stretch_decode(0, 0, 0, 30, &x));
    ck_assert(!stretch_decode(2.5, 1, 1, 30, &x));
    ck_assert(!stretch_decode(NAN, 1, 1, 30, &x));
    ck_assert(!stretch_decode(4, 4 * 40, 4 * 1600, 30, &x)); /* outside */
}

PROGRAM(first_of_a_row, if (m > 1) right(); else to(0, dot(0, 0, 0, k));)

/* Of a single row, the first element alone is no diagonal. */
TEST(a_row_has_no_diagonal) {
    static const struct shape shapes[] = {{8, 9, 10}, {1, 50, 30}, {1, 90, 20}, {1, 41, 64}};
    struct trials all = {.count = 0};
    struct diagnosis d = {0};
    const struct suspect_context c = {.entry = ENTRY_DEVICE};
    for (size_t i = 0; i < sizeof shapes / sizeof *shapes; i++)
        add_trial(&all, first_of_a_row, shapes[i], INPUT_SMALL, i);
    if (suspect_coverage(&all, &c, &d))
        ck_assert_ptr_null(strstr(text_get(&d.sentence), "diagonal"));
    diagnosis_free(&d);
    trials_free(&all);
}

int main(void) {
    return run_tests((struct suite){.name = "suspect_story", .seconds = 120});
}
