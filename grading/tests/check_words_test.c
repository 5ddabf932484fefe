/* check_words_test.c: what is said of unmet checks follows from what was counted: the block's
 * shape, loads or stores, wide or narrow, how often an element is used. */
#include "common/tests/suite.h"
#include "grading/src/diagnose/diagnose.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static struct case_spec spec;
static struct case_result cases[3];
static struct check_spec asked;
static struct check_result unmet;
static struct grade_context g;
static struct diagnosis said;

static void set(int i, enum work_item item, uint64_t value) {
    cases[i].seen.work[0].of[item] = value;
}

static void launch(int i, uint64_t grid_x, uint64_t grid_y, uint64_t block_x, uint64_t block_y) {
    const uint64_t sides[] = {grid_x, grid_y, 1, block_x, block_y, 1};
    for (int side = 0; side < 6; side++)
        set(i, (enum work_item)(WORK_GRID_X + side), sides[side]);
    set(i, WORK_LAUNCHES, 1);
}

static void shape(int i, int m, int n, int k) {
    cases[i].plan.call[0].shape = (struct shape){m, n, k};
    cases[i].spec = &spec;
    cases[i].verdict = VERDICT_PASS;
    cases[i].seen.calls = 1;
}

/* One limit on this quantity, which the first case breaks. */
static void limit(const char *quantity, double least, double most, double measured) {
    static char name[60];
    ck_assert_uint_lt(strlen(quantity), sizeof name);
    memcpy(name, quantity, strlen(quantity) + 1);
    asked = (struct check_spec){.kind = CHECK_COUNTS, .limits = 1};
    asked.limit[0].quantity = name;
    asked.limit[0].least = least;
    asked.limit[0].most = most;
    unmet.measured[0] = measured;
}

static const char *words(void) {
    ck_assert(diagnose_check(&g, &unmet, &said));
    return text_get(&said.sentence);
}

#define SAYS(part) ck_assert_msg(strstr(words(), part), "%s", text_get(&said.sentence))

static void begin(void) {
    memset(cases, 0, sizeof cases);
    spec = (struct case_spec){.entry = ENTRY_DEVICE};
    unmet = (struct check_result){.spec = &asked, .in = &cases[0], .verdict = CHECK_NOT_MET};
    g = (struct grade_context){.results = cases, .result_count = 1};
    said = (struct diagnosis){0};
    shape(0, 128, 128, 128);
}

static void end(void) {
    diagnosis_free(&said);
}

/* A tile of `side` in each block, and each element of it loaded `times` times. */
static void tiles(unsigned side, unsigned times) {
    launch(0, 128 / side, 128 / side, side, side);
    set(0, WORK_GLOBAL_LOAD_BYTES, 8ull * 128 * 128 * 128 / side * times);
    set(0, WORK_SHARED_LOAD_BYTES, 8ull * 128 * 128 * 128);
    limit("load_reuse", 2, NAN, 0.7);
}

TEST(a_small_tile_is_too_small) {
    tiles(4, 1);
    SAYS("serves only about 4 products");
}

TEST(a_tile_that_is_filled_often_is_not) {
    tiles(16, 8);
    SAYS("filled from global memory more often");
}

/* The check asks for operands from there, too, and none came: nobody multiplies these tiles. */
TEST(a_tile_for_show_is_not_read) {
    tiles(16, 8);
    asked.limits = 2;
    asked.limit[1] = (struct limit){.quantity = "shared_operands", .least = 0.9, .most = NAN};
    set(0, WORK_SHARED_THOUSANDTHS, 0);
    SAYS("read only those in the inner loop");
}

/* 8 x 8 elements in each thread, stored side by side: loads that are scattered fill a slab. */
TEST(copies_go_down_columns) {
    launch(0, 1, 1, 256, 1);
    set(0, WORK_SHARED_STORE_REQUESTS, 64);
    set(0, WORK_GLOBAL_STORE_BYTES, 128 * 128 * 4);
    set(0, WORK_GLOBAL_STORE_SECTORS, 128 * 128 / 8);
    limit("load_sectors_per_request", NAN, 16, 18);
    SAYS("Where a slab is filled");
}

TEST(without_shared_memory_tiles_are_missing) {
    tiles(16, 1);
    set(0, WORK_SHARED_LOAD_BYTES, 0);
    SAYS("copy a tile of A and one of B");
}

static void conflicts(uint64_t load, uint64_t store, uint64_t lane_bytes) {
    launch(0, 4, 4, 32, 8);
    set(0, WORK_SHARED_LOAD_REQUESTS, 100);
    set(0, WORK_SHARED_LOAD_BYTES, 100 * 32 * lane_bytes);
    set(0, WORK_SHARED_LOAD_CONFLICTS, load);
    set(0, WORK_SHARED_STORE_REQUESTS, 100);
    set(0, WORK_SHARED_STORE_BYTES, 100 * 128);
    set(0, WORK_SHARED_STORE_CONFLICTS, store);
    limit("shared_conflicts_per_request", NAN, 0.25, 3);
}

TEST(conflicts_of_floats) {
    conflicts(3100, 0, 4);
    SAYS("read different words of one bank");
    ck_assert_ptr_nonnull(strstr(text_get(&said.sentence), "one word longer"));
}

TEST(conflicts_beside_float4s) {
    conflicts(300, 0, 16);
    SAYS("four words longer");
    ck_assert_ptr_null(strstr(text_get(&said.sentence), "one word longer"));
}

TEST(conflicts_of_stores) {
    conflicts(0, 700, 4);
    SAYS("store different words of one bank");
}

static void scattered(void) {
    limit("load_sectors_per_128_bytes", NAN, 8, 32);
}

TEST(blocks_of_one_thread) {
    launch(0, 128, 128, 1, 1);
    scattered();
    SAYS("A block has only 1 thread,");
}

TEST(blocks_that_are_too_narrow) {
    launch(0, 64, 1, 2, 128);
    scattered();
    SAYS("only 2 threads along x");
}

TEST(several_elements_side_by_side) {
    launch(0, 1, 1, 256, 1);
    scattered();
    SAYS("elements must lie side by side along a row");
}

TEST(x_down_the_columns) {
    launch(0, 4, 16, 32, 8);
    scattered();
    SAYS("let x run along a row");
}

static void exchanged(int i, int m, int n) {
    shape(i, m, n, 10);
    launch(i, 32, 8, (uint64_t)(n + 31) / 32, (uint64_t)(m + 7) / 8);
    g.result_count = (size_t)i + 1;
}

TEST(grid_and_block_exchanged) {
    exchanged(0, 100, 200);
    exchanged(1, 64, 64);
    exchanged(2, 33, 90);
    scattered();
    SAYS("Write <<<grid, block>>>");
    ck_assert_str_eq(said.class, "launch-exchanged");
}

TEST(one_grid_of_another_kernel_is_not_exchanged) {
    for (int i = 0; i < 3; i++) { /* a loop over the grid: blocks stay as they are, too */
        shape(i, 100 * (i + 1), 64 * (i + 1), 10);
        launch(i, 32, 8, 32, 8);
    }
    g.result_count = 3;
    scattered();
    SAYS("let x run along a row");
}

static void fails(enum vgpu_call sort, bool quiet) {
    asked = (struct check_spec){.kind = CHECK_ERRORS};
    unmet.failed_sort = sort;
    unmet.kept_quiet = quiet;
}

TEST(what_goes_unnoticed) {
    fails(VGPU_CALL_BLAS, false);
    SAYS("CUBLAS_CHECK");
    ck_assert_ptr_null(strstr(text_get(&said.sentence), "cudaGetLastError"));
}

TEST(a_launch_goes_unnoticed) {
    fails(VGPU_CALL_LAUNCH, false);
    SAYS("cudaGetLastError() right after it");
}

TEST(seen_and_kept_quiet) {
    fails(VGPU_CALL_ALLOC, true);
    SAYS("returns without reporting it");
}

TEST(no_cublas_beside_kernels) {
    launch(0, 4, 16, 32, 8);
    limit("launches", NAN, 0, 1);
    SAYS("no function of cuBLAS does");
    ck_assert_str_eq(said.class, "cublas-not-called");
}

TEST(races_on_c_and_on_others) {
    struct finding_body f = {.kind = VGPU_FOUND_RACE, .hazard = VGPU_WAW, .object = "buffer"};
    f.fact.memory = VGPU_MEMORY_ALLOCATION;
    f.fact.room = 4 * 128 * 128;
    diagnose_race(&cases[0], &f, &said);
    ck_assert_ptr_nonnull(strstr(text_get(&said.sentence), "same element of C"));
    ck_assert_ptr_null(strstr(text_get(&said.sentence), "atomic"));
    ck_assert_str_eq(said.topic, "@store");
    diagnosis_free(&said);
    said = (struct diagnosis){0};
    f.fact.room = 4;
    diagnose_race(&cases[0], &f, &said);
    ck_assert_ptr_nonnull(strstr(text_get(&said.sentence), "same element of buffer"));
    diagnosis_free(&said);
    said = (struct diagnosis){0};
    f.hazard = VGPU_RAW;
    diagnose_race(&cases[0], &f, &said);
    ck_assert_ptr_nonnull(strstr(text_get(&said.sentence), "Two threads use buffer"));
}

int main(void) {
    return run_tests(
        (struct suite){.name = "grading/check_words", .set_up = begin, .tear_down = end});
}
