/*
 * profile_test.c: the device profiles: names, launch limits, occupancy as the documents work it
 * out.
 */
#include "vgpu/src/core/profile.h"
#include "vgpu/tests/vgpu_test.h"

#include <string.h>

TEST(the_default_is_an_h200) {
    ck_assert_str_eq(vg_profile_find(NULL)->key, "h200");
    ck_assert_str_eq(vg_profile_find("")->key, "h200");
}

TEST(names_are_forgiving) {
    ck_assert_str_eq(vg_profile_find("RTX 3090")->key, "rtx3090");
    ck_assert_str_eq(vg_profile_find("9600M-GT")->key, "9600mgt");
    ck_assert_str_eq(vg_profile_find("tesla c2075")->key, "c2075");
    ck_assert_ptr_null(vg_profile_find("h20"));
    ck_assert_ptr_null(vg_profile_find("h2000"));
}

TEST(every_profile_is_complete) {
    int count = 0;
    const vg_profile *p = vg_profiles(&count);
    ck_assert_int_ge(count, 8);
    for (int i = 0; i < count; i++, p++) {
        ck_assert_ptr_eq(vg_profile_find(p->key), p);
        ck_assert_ptr_eq(vg_profile_find(p->name), p);
        ck_assert_int_gt(p->sm_count, 0);
        ck_assert_int_gt(p->clock_khz, 0);
        ck_assert_int_gt(p->bandwidth_gbs, 0);
        ck_assert_uint_gt(p->memory_bytes, 0);
        ck_assert_int_ge(p->shared_block_optin, p->shared_block);
        ck_assert_int_ge(p->shared_sm, p->shared_block_optin);
        ck_assert_int_ge(p->max_threads_sm, p->max_threads_block);
        /* Twice the memory clock times the bus, to a tenth. */
        double peak = 2.0 * p->memory_clock_khz * 1e3 * p->memory_bus_bits / 8 / 1e9;
        ck_assert_double_ge(peak, 0.9 * p->bandwidth_gbs);
        ck_assert_double_le(peak, 1.1 * p->bandwidth_gbs);
    }
}

static bool allowed(const char *device, vg_dim3 grid, vg_dim3 block, uint64_t shared) {
    const vg_profile *p = vg_profile_find(device);
    vg_note why = {0};
    return vg_profile_allows(p, grid, block, shared, (uint64_t)p->shared_block, &why);
}

TEST(launch_limits) {
    vg_dim3 one = {1, 1, 1};
    ck_assert(allowed("h200", one, (vg_dim3){1024, 1, 1}, 0));
    ck_assert(!allowed("h200", one, (vg_dim3){1025, 1, 1}, 0));
    ck_assert(!allowed("h200", one, (vg_dim3){32, 32, 2}, 0));
    ck_assert(!allowed("h200", one, (vg_dim3){1, 1, 65}, 0));
    ck_assert(!allowed("h200", one, (vg_dim3){0, 1, 1}, 0));
    ck_assert(!allowed("h200", (vg_dim3){1, 0, 1}, one, 0));
    ck_assert(!allowed("h200", (vg_dim3){1, 65536, 1}, one, 0));
    ck_assert(allowed("h200", (vg_dim3){2147483647, 1, 1}, one, 0));
    ck_assert(!allowed("h200", (vg_dim3){2147483648u, 1, 1}, one, 0));
    ck_assert(allowed("h200", one, one, 49152));
    ck_assert(!allowed("h200", one, one, 49153));
    /* A 2010 laptop: 512 threads, 16 KB, and no third dimension of the grid. */
    ck_assert(!allowed("gt330m", one, (vg_dim3){32, 32, 1}, 0));
    ck_assert(allowed("gt330m", one, (vg_dim3){16, 32, 1}, 0));
    ck_assert(!allowed("gt330m", one, one, 16385));
    ck_assert(!allowed("gt330m", (vg_dim3){1, 1, 2}, one, 0));
    ck_assert(!allowed("gt330m", (vg_dim3){65536, 1, 1}, one, 0));
}

TEST(refusals_say_both_numbers) {
    char words[200];
    vg_note why = {0};
    const vg_profile *p = vg_profile_find("h200");
    vg_profile_allows(p, (vg_dim3){1, 1, 1}, (vg_dim3){64, 32, 1}, 0, 49152, &why);
    ck_assert_uint_eq(why.is.says, VGPU_LAUNCH_THREADS);
    vg_fact_reason(vg_note_close(&why), words, sizeof words);
    ck_assert_str_eq(words, "a block of 64 x 32 x 1 = 2048 threads, the limit is 1024");
    vg_profile_allows(p, (vg_dim3){0, 1, 1}, (vg_dim3){1, 1, 1}, 0, 49152, &why);
    ck_assert_uint_eq(why.is.says, VGPU_LAUNCH_EMPTY);
    vg_fact_reason(vg_note_close(&why), words, sizeof words);
    ck_assert_str_eq(words, "gridDim.x is 0: every size must be at least 1 (n / block rounds down, "
                            "(n + block - 1) / block up)");
}

TEST(blocks_of_an_h200) { /* as cudaOccupancyMaxActiveBlocksPerMultiprocessor answers there */
    const vg_profile *p = vg_profile_find("h200");
    static const int threads[] = {32, 64, 128, 256, 512, 1024};
    static const int blocks[] = {32, 32, 16, 8, 4, 2};
    static const int with_shared[] = {32, 25, 13, 9, 6, 5, 4}; /* 64 threads; 0, 8 … 48 KB */
    for (int i = 0; i < 6; i++)
        ck_assert_int_eq(vg_profile_blocks_per_sm(p, threads[i], 0, 0), blocks[i]);
    for (int i = 0; i < 7; i++)
        ck_assert_int_eq(vg_profile_blocks_per_sm(p, 64, (uint64_t)i * 8192, 0), with_shared[i]);
    ck_assert_int_eq(vg_profile_blocks_per_sm(p, 2048, 0, 0), 0);
    ck_assert_int_eq(vg_profile_blocks_per_sm(p, 256, 0, 64), 4); /* registers */
}

TEST(old_devices_hold_fewer_blocks) {
    /* Tile 16: two tiles of 1 KB, 256 threads. */
    ck_assert_int_eq(vg_profile_blocks_per_sm(vg_profile_find("c2075"), 256, 2048, 0), 6);
    ck_assert_int_eq(vg_profile_blocks_per_sm(vg_profile_find("c1060"), 256, 2048, 0), 4);
    ck_assert_int_eq(vg_profile_blocks_per_sm(vg_profile_find("9600mgt"), 256, 2048, 0), 3);
}

int main(void) {
    return run_vgpu_tests((struct suite){.name = "device profiles"});
}
