/*
 * ptrmap_test.c: the address map under many insertions and removals.
 */
#include "vgpu/src/runtime/ptrmap.h"
#include "vgpu/tests/vgpu_test.h"

#include <stdint.h>

enum { KEYS = 5000 };

static char keys[KEYS];

TEST(finds_what_was_put) {
    vg_ptrmap map = {0};
    int value = 7;
    ck_assert_ptr_null(vg_ptrmap_get(&map, &value));
    ck_assert(vg_ptrmap_put(&map, &keys[3], &value));
    ck_assert_ptr_eq(vg_ptrmap_get(&map, &keys[3]), &value);
    ck_assert_ptr_null(vg_ptrmap_get(&map, &keys[4]));
    ck_assert_ptr_null(vg_ptrmap_get(&map, NULL));
    ck_assert_ptr_eq(vg_ptrmap_take(&map, &keys[3]), &value);
    ck_assert_ptr_null(vg_ptrmap_take(&map, &keys[3]));
    ck_assert_uint_eq(map.count, 0);
    vg_ptrmap_clear(&map);
}

TEST(put_replaces) {
    vg_ptrmap map = {0};
    ck_assert(vg_ptrmap_put(&map, &keys[0], &keys[1]));
    ck_assert(vg_ptrmap_put(&map, &keys[0], &keys[2]));
    ck_assert_uint_eq(map.count, 1);
    ck_assert_ptr_eq(vg_ptrmap_get(&map, &keys[0]), &keys[2]);
    vg_ptrmap_clear(&map);
}

TEST(survives_growth_and_removal) {
    vg_ptrmap map = {0};
    for (int i = 0; i < KEYS; i++)
        ck_assert(vg_ptrmap_put(&map, &keys[i], &keys[KEYS - 1 - i]));
    for (int i = 0; i < KEYS; i += 3)
        ck_assert_ptr_eq(vg_ptrmap_take(&map, &keys[i]), &keys[KEYS - 1 - i]);
    for (int i = 0; i < KEYS; i++)
        ck_assert_ptr_eq(vg_ptrmap_get(&map, &keys[i]), i % 3 == 0 ? NULL : &keys[KEYS - 1 - i]);
    vg_ptrmap_clear(&map);
}

static void count_visit(const void *key, void *value, void *arg) {
    ck_assert_ptr_eq(key, value);
    ++*(int *)arg;
}

TEST(removal_closes_the_gap) { /* keys that collide: many of them in few slots */
    vg_ptrmap map = {0};
    uintptr_t key[64];
    uint32_t seed = 1;
    int lost = 0; /* counted: Check writes a line for each assertion */
    for (int round = 0; round < 200; round++) {
        for (int i = 0; i < 64; i++) {
            seed = seed * 1664525u + 1013904223u;
            key[i] = seed | 1u;
            ck_assert(vg_ptrmap_put(&map, (void *)key[i], &keys[i]));
        }
        for (int i = 0; i < 64; i++) {
            ck_assert_ptr_eq(vg_ptrmap_take(&map, (void *)key[i]), &keys[i]);
            for (int k = i + 1; k < 64; k++)
                lost += vg_ptrmap_get(&map, (void *)key[k]) != &keys[k];
        }
    }
    ck_assert_int_eq(lost, 0);
    ck_assert_uint_eq(map.count, 0);
    vg_ptrmap_clear(&map);
}

TEST(visits_each_once) {
    vg_ptrmap map = {0};
    int visits = 0;
    for (int i = 0; i < 100; i++)
        ck_assert(vg_ptrmap_put(&map, &keys[i], &keys[i]));
    vg_ptrmap_each(&map, count_visit, &visits);
    ck_assert_int_eq(visits, 100);
    vg_ptrmap_clear(&map);
}

int main(void) {
    return run_vgpu_tests((struct suite){.name = "address map"});
}
