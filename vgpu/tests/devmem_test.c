/*
 * devmem_test.c: the device memory's table: addresses, neighbours, history, descriptions.
 */
#include "vgpu/src/memory/devmem.h"
#include "vgpu/src/memory/touched.h"
#include "vgpu/tests/vgpu_test.h"

#include <errno.h>
#include <string.h>
#include <sys/resource.h>

static const uint64_t MIB = UINT64_C(1) << 20;

TEST(fresh_memory_is_junk) {
    vg_mem *mem = vg_mem_create(64 * MIB);
    uint64_t a = vg_mem_alloc(mem, 4000, 256, VG_MEM_DEVICE, NULL);
    const unsigned char *bytes = vg_mem_at(mem, a, 4000);
    float f;
    ck_assert_uint_ne(a, 0);
    ck_assert_uint_eq(a % 256, 0);
    ck_assert_ptr_nonnull(bytes);
    memcpy(&f, bytes + 2000, sizeof f);
    ck_assert(f != f); /* a NaN, so that sums of fresh memory show it */
    ck_assert_uint_eq(vg_mem_used(mem), 4000);
    vg_mem_destroy(mem);
}

TEST(managed_memory_is_zero_and_untouched) {
    vg_mem *mem = vg_mem_create(64 * MIB);
    size_t page, pages;
    for (int round = 0; round < 2; round++) {
        uint64_t a = vg_mem_alloc(mem, 40000, 256, VG_MEM_MANAGED, NULL);
        uint8_t *bytes = vg_mem_at(mem, a, 40000);
        ck_assert_ptr_nonnull(bytes);
        bytes[30000] = 7;
        bool *touched = vg_touched(bytes, 40000, &page, &pages);
        for (size_t i = 0; touched != NULL && i < pages; i++)
            ck_assert_int_eq(touched[i], i == 30000 / page);
        free(touched);
        for (int i = 0; i < 40000; i++)
            ck_assert_uint_eq(bytes[i], i == 30000 ? 7 : vg_mem_fresh(VG_MEM_MANAGED));
        ck_assert_int_eq(vg_mem_free(mem, a, VG_MEM_MANAGED), VG_FREE_OK);
        ck_assert(vg_mem_was_host(mem, a + 39999));
        ck_assert(!vg_mem_was_host(mem, a + 40000));
    }
    vg_mem_destroy(mem);
}

TEST(at_wants_the_whole_range) {
    vg_mem *mem = vg_mem_create(64 * MIB);
    uint64_t a = vg_mem_alloc(mem, 100, 0, VG_MEM_DEVICE, NULL);
    ck_assert_ptr_nonnull(vg_mem_at(mem, a, 100));
    ck_assert_ptr_nonnull(vg_mem_at(mem, a + 99, 1));
    ck_assert_ptr_null(vg_mem_at(mem, a, 101));
    ck_assert_ptr_null(vg_mem_at(mem, a + 99, 2));
    ck_assert_ptr_null(vg_mem_at(mem, a - 1, 1));
    ck_assert_ptr_null(vg_mem_at(mem, a, UINT64_MAX));
    ck_assert_ptr_null(vg_mem_find(mem, a + 100));
    vg_mem_destroy(mem);
}

TEST(neighbours_are_far_apart) {
    vg_mem *mem = vg_mem_create(256 * MIB);
    uint64_t a = vg_mem_alloc(mem, MIB, 256, VG_MEM_DEVICE, NULL);
    uint64_t b = vg_mem_alloc(mem, MIB, 256, VG_MEM_DEVICE, NULL);
    /* Running past one matrix by its own size doesn't reach the next. */
    ck_assert_uint_ge(b, a + 2 * MIB);
    ck_assert_ptr_null(vg_mem_find(mem, a + MIB + MIB / 2));
    vg_mem_destroy(mem);
}

TEST(live_is_sorted_by_address) {
    vg_mem *mem = vg_mem_create(64 * MIB);
    uint64_t at[50];
    size_t count = 0;
    for (int i = 0; i < 50; i++)
        at[i] = vg_mem_alloc(mem, 1000, 256, i % 3 == 0 ? VG_MEM_PINNED : VG_MEM_DEVICE, NULL);
    for (int i = 0; i < 50; i += 2)
        ck_assert_int_eq(vg_mem_free(mem, at[i], i % 3 == 0 ? VG_MEM_PINNED : VG_MEM_DEVICE),
                         VG_FREE_OK);
    const vg_alloc *live = vg_mem_live(mem, &count);
    ck_assert_uint_eq(count, 25);
    for (size_t i = 1; i < count; i++)
        ck_assert_uint_lt(live[i - 1].addr, live[i].addr);
    vg_mem_destroy(mem);
}

TEST(addresses_are_not_reused_soon) {
    vg_mem *mem = vg_mem_create(64 * MIB);
    uint64_t a = vg_mem_alloc(mem, MIB, 256, VG_MEM_DEVICE, NULL);
    ck_assert_int_eq(vg_mem_free(mem, a, VG_MEM_DEVICE), VG_FREE_OK);
    uint64_t b = vg_mem_alloc(mem, MIB, 256, VG_MEM_DEVICE, NULL);
    ck_assert_uint_ne(a, b);
    ck_assert_ptr_null(vg_mem_find(mem, a));
    ck_assert_uint_eq(vg_mem_used(mem), MIB);
    vg_mem_destroy(mem);
}

TEST(a_long_life_reuses_addresses) {
    vg_mem *mem = vg_mem_create(64 * MIB);
    uint64_t stays = vg_mem_alloc(mem, MIB, 256, VG_MEM_DEVICE, NULL);
    for (int i = 0; i < 2000; i++) { /* many times the range */
        uint64_t a = vg_mem_alloc(mem, MIB, 256, VG_MEM_DEVICE, NULL);
        ck_assert_uint_ne(a, 0);
        ck_assert(a + MIB <= stays || a >= stays + MIB);
        ck_assert_int_eq(vg_mem_free(mem, a, VG_MEM_DEVICE), VG_FREE_OK);
    }
    vg_mem_destroy(mem);
}

TEST(all_of_the_capacity_can_be_had) {
    vg_mem *mem = vg_mem_create(64 * MIB);
    for (int i = 0; i < 16; i++)
        ck_assert_uint_ne(vg_mem_alloc(mem, 4 * MIB, 256, VG_MEM_DEVICE, NULL), 0);
    ck_assert_uint_eq(vg_mem_alloc(mem, 1, 256, VG_MEM_DEVICE, NULL), 0);
    ck_assert_uint_eq(vg_mem_used(mem), vg_mem_capacity(mem));
    vg_mem_destroy(mem);
}

TEST(senseless_requests_fail) {
    vg_mem *mem = vg_mem_create(64 * MIB);
    ck_assert_uint_eq(vg_mem_alloc(mem, UINT64_MAX, 256, VG_MEM_DEVICE, NULL), 0);
    ck_assert_uint_eq(vg_mem_alloc(mem, UINT64_MAX - 4096, 256, VG_MEM_PINNED, NULL), 0);
    ck_assert_uint_eq(vg_mem_alloc(mem, 16, 12288, VG_MEM_DEVICE, NULL), 0); /* no power of two */
    uint64_t a = vg_mem_alloc(mem, 16, 1 << 20, VG_MEM_DEVICE, NULL);
    ck_assert_uint_eq(a % (1 << 20), 0);
    vg_mem_destroy(mem);
}

TEST(frees_are_told_apart) {
    vg_mem *mem = vg_mem_create(64 * MIB);
    uint64_t a = vg_mem_alloc(mem, 100, 256, VG_MEM_DEVICE, NULL);
    uint64_t p = vg_mem_alloc(mem, 100, 256, VG_MEM_PINNED, NULL);
    ck_assert_int_eq(vg_mem_free(mem, a + 4, VG_MEM_DEVICE), VG_FREE_INSIDE);
    ck_assert_int_eq(vg_mem_free(mem, p, VG_MEM_DEVICE), VG_FREE_KIND);
    ck_assert_int_eq(vg_mem_free(mem, 12345, VG_MEM_DEVICE), VG_FREE_UNKNOWN);
    ck_assert_int_eq(vg_mem_free(mem, a, VG_MEM_DEVICE), VG_FREE_OK);
    ck_assert_int_eq(vg_mem_free(mem, a, VG_MEM_DEVICE), VG_FREE_TWICE);
    ck_assert_int_eq(vg_mem_free(mem, a + 4, VG_MEM_DEVICE), VG_FREE_UNKNOWN);
    ck_assert_int_eq(vg_mem_free(mem, p, VG_MEM_PINNED), VG_FREE_OK);
    vg_mem_destroy(mem);
}

/* The phrase for addr, in a static buffer. */
static const char *phrase(const vg_mem *mem, uint64_t addr) {
    static char text[256];
    struct vgpu_fact f = {0};
    vg_mem_locate(mem, addr, &f);
    return vg_fact_place(&f, text, sizeof text);
}

TEST(descriptions_name_the_allocation) {
    vg_mem *mem = vg_mem_create(64 * MIB);
    uint64_t a = vg_mem_alloc(mem, 4096, 256, VG_MEM_DEVICE, NULL);
    uint64_t v = vg_mem_alloc(mem, 64, 256, VG_MEM_MODULE, "table");
    int local = 0;
    ck_assert_str_eq(phrase(mem, a), "the start of allocation #1 (4096 bytes)");
    ck_assert_str_eq(phrase(mem, a + 8), "8 bytes into allocation #1 (4096 bytes)");
    ck_assert_str_eq(phrase(mem, a + 4096 + 8),
                     "8 bytes past the end of allocation #1 (4096 bytes)");
    ck_assert_str_eq(phrase(mem, a + 4096), "just past the end of allocation #1 (4096 bytes)");
    ck_assert_str_eq(phrase(mem, a - 4), "4 bytes before the start of allocation #1 (4096 bytes)");
    ck_assert_str_eq(phrase(mem, v + 80), "16 bytes past the end of variable 'table' (64 bytes)");
    ck_assert_str_eq(phrase(mem, 0), "a null pointer");
    ck_assert_str_eq(phrase(mem, 12), "12 bytes past a null pointer");
    ck_assert_str_eq(phrase(mem, (uint64_t)(uintptr_t)&local), "a host address, not device memory");
    vg_mem_free(mem, a, VG_MEM_DEVICE);
    ck_assert_str_eq(phrase(mem, a + 4096),
                     "just past the end of allocation #1 (4096 bytes), freed");
    ck_assert_str_eq(phrase(mem, a + 40), "inside allocation #1 (4096 bytes), freed");
    ck_assert_str_eq(phrase(mem, a + 4100),
                     "4 bytes past the end of allocation #1 (4096 bytes), freed");
    vg_mem_destroy(mem);
}

TEST(short_buffers_are_not_overrun) {
    vg_mem *mem = vg_mem_create(64 * MIB);
    char text[8];
    uint64_t a = vg_mem_alloc(mem, 4096, 256, VG_MEM_DEVICE, NULL);
    struct vgpu_fact f = {0};
    vg_mem_locate(mem, a + 5000, &f);
    vg_fact_place(&f, text, sizeof text);
    ck_assert_uint_lt(strlen(text), sizeof text);
    vg_mem_destroy(mem);
}

TEST(history_is_bounded) {
    vg_mem *mem = vg_mem_create(64 * MIB);
    for (int i = 0; i < 70000; i++) {
        uint64_t a = vg_mem_alloc(mem, 16, 256, VG_MEM_DEVICE, "x");
        ck_assert_uint_ne(a, 0);
        ck_assert_int_eq(vg_mem_free(mem, a, VG_MEM_DEVICE), VG_FREE_OK);
    }
    vg_mem_destroy(mem);
}

TEST(adopted_memory_is_the_programs_own) {
    vg_mem *mem = vg_mem_create(64 * MIB);
    char *own = malloc(8192);
    ck_assert(vg_mem_adopt(mem, own, 8192));
    ck_assert(!vg_mem_adopt(mem, own + 100, 100));
    ck_assert(!vg_mem_adopt(mem, own - 100, 200));
    ck_assert_ptr_eq(vg_mem_at(mem, (uint64_t)(uintptr_t)own, 8192), own);
    ck_assert_int_eq(vg_mem_free(mem, (uint64_t)(uintptr_t)own, VG_MEM_PINNED), VG_FREE_OK);
    own[0] = 1; /* still ours */
    free(own);
    vg_mem_destroy(mem);
}

#if !defined(__SANITIZE_ADDRESS__)
TEST(a_small_address_space_will_do) {
    struct rlimit limit = {UINT64_C(1) << 30, UINT64_C(1) << 30};
    ck_assert_int_eq(setrlimit(RLIMIT_AS, &limit), 0);
    vg_mem *mem = vg_mem_create(UINT64_C(150) << 30);
    ck_assert_ptr_nonnull(mem);
    ck_assert_uint_ge(vg_mem_capacity(mem), 64 * MIB);
    ck_assert_uint_ne(vg_mem_alloc(mem, 32 * MIB, 256, VG_MEM_DEVICE, NULL), 0);
    vg_mem_destroy(mem);
}

TEST(no_address_space_is_an_error) {
    struct rlimit limit = {UINT64_C(128) << 20, UINT64_C(128) << 20};
    ck_assert_int_eq(setrlimit(RLIMIT_AS, &limit), 0);
    errno = 0;
    ck_assert_ptr_null(vg_mem_create(UINT64_C(150) << 30));
    ck_assert_int_eq(errno, ENOMEM);
}
#endif

/* What another process did happens again at the same addresses. */
TEST(the_same_addresses_again) {
    vg_mem *mem = vg_mem_create(64 * MIB);
    const uint64_t base = vg_mem_base(mem), range = vg_mem_range(mem),
                   capacity = vg_mem_capacity(mem);
    ck_assert_uint_eq(base, VG_MEM_USUAL_BASE);
    const uint64_t a = vg_mem_alloc(mem, 4000, 256, VG_MEM_DEVICE, NULL);
    const uint64_t b = vg_mem_alloc(mem, 70000, 256, VG_MEM_DEVICE, NULL);
    ck_assert_ptr_null(vg_mem_create_at(base, range, capacity)); /* taken */
    vg_mem_destroy(mem);
    ck_assert_ptr_null(vg_mem_create_at(base + 1, range, capacity));
    ck_assert_ptr_null(vg_mem_create_at(base, 64 * MIB, capacity)); /* less than any has */
    mem = vg_mem_create_at(base, range, 64 * MIB);
    ck_assert_ptr_nonnull(mem);
    ck_assert_uint_eq(vg_mem_capacity(mem), capacity);
    ck_assert_uint_eq(vg_mem_alloc(mem, 4000, 256, VG_MEM_DEVICE, NULL), a);
    ck_assert_uint_eq(vg_mem_alloc(mem, 70000, 256, VG_MEM_DEVICE, NULL), b);
    vg_mem_destroy(mem);
}

TEST(host_memory_under_another_address) {
    static unsigned char bytes[100];
    vg_mem *mem = vg_mem_create(64 * MIB);
    const uint64_t there = UINT64_C(0x7f0012345000);
    ck_assert(vg_mem_adopt_at(mem, there, bytes, sizeof bytes, VG_MEM_MANAGED, NULL));
    ck_assert_ptr_eq(vg_mem_at(mem, there + 60, 40), bytes + 60);
    ck_assert_ptr_null(vg_mem_at(mem, there + 60, 41));
    /* Is there already. */
    ck_assert(!vg_mem_adopt_at(mem, there + 99, bytes, 1, VG_MEM_PINNED, NULL));
    ck_assert(!vg_mem_adopt_at(mem, vg_mem_base(mem) + 4096, bytes, 100, VG_MEM_PINNED, NULL));
    ck_assert(!vg_mem_adopt_at(mem, UINT64_MAX - 10, bytes, 100, VG_MEM_PINNED, NULL));
    ck_assert(!vg_mem_adopt_at(mem, 0, bytes, 100, VG_MEM_PINNED, NULL));
    ck_assert_int_eq(vg_mem_free(mem, there, VG_MEM_MANAGED), VG_FREE_OK);
    bytes[0] = 1; /* still ours */
    vg_mem_destroy(mem);
}

int main(void) {
    return run_vgpu_tests((struct suite){.name = "device memory"});
}
