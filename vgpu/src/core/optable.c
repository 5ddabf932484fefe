/* optable.c: finds handlers by key, taking the vector code for the best instruction set at hand. */
#include "vgpu/src/core/optable.h"
#include "vgpu/src/memory/settings.h"

#include <stdlib.h>
#include <string.h>

enum { BUCKETS = 4096 };

static const op_entry *table[BUCKETS];
static _Atomic int ready; /* 0: empty, 1: being filled, 2: filled; then it never changes */

static unsigned hash(const char *s) {
    unsigned h = 2166136261u;
    for (; *s != '\0'; s++)
        h = (h ^ (unsigned char)*s) * 16777619u;
    return h % BUCKETS;
}

static void add(const op_entry *list) {
    for (; list->key != NULL; list++) {
        unsigned h = hash(list->key);
        while (table[h] != NULL)
            h = (h + 1) % BUCKETS;
        table[h] = list;
    }
}

static void add_vector_ops(void) {
#if defined(__x86_64__)
    /* VGPU_ISA=base or avx2 takes a smaller set: for tests, and to see what wide vectors give. */
    const char *limit = vg_setting("VGPU_ISA");
    const bool avx2 = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") &&
                      __builtin_cpu_supports("bmi2") &&
                      (limit == NULL || strcmp(limit, "base") != 0);
    const bool avx512 = avx2 && __builtin_cpu_supports("avx512f") &&
                        __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512dq") &&
                        __builtin_cpu_supports("avx512vl") && __builtin_cpu_supports("avx512cd") &&
                        (limit == NULL || strcmp(limit, "avx2") != 0);
    if (avx512) {
        add(vg_ops_int_avx512);
        add(vg_ops_float_avx512);
        add(vg_ops_move_avx512);
        add(vg_ops_mem_avx512);
        add(vg_ops_half_avx512);
        add(vg_ops_tensor_avx512);
        add(vg_ops_train_avx512);
        return;
    }
    if (avx2) {
        add(vg_ops_int_avx2);
        add(vg_ops_float_avx2);
        add(vg_ops_move_avx2);
        add(vg_ops_mem_avx2);
        add(vg_ops_half_avx2);
        add(vg_ops_tensor_avx2);
        add(vg_ops_train_avx2);
        return;
    }
#endif
    add(vg_ops_int_base);
    add(vg_ops_float_base);
    add(vg_ops_move_base);
    add(vg_ops_mem_base);
    add(vg_ops_half_base);
    add(vg_ops_tensor_base);
    add(vg_ops_train_base);
}

const op_entry *const vg_op_lists[] = {vg_ops_lane,       vg_ops_int_lane,
                                       vg_ops_float_lane, vg_ops_convert,
                                       vg_ops_rare,       vg_ops_half_lane,
                                       vg_ops_control,    vg_ops_warp,
                                       vg_ops_async,      vg_ops_mbarrier,
                                       vg_ops_call,       vg_ops_texture,
                                       vg_ops_atom,       NULL};

const op_entry *vg_find_op(const char *key) {
    int empty = 0;
    if (atomic_load(&ready) != 2) {
        if (atomic_compare_exchange_strong(&ready, &empty, 1)) {
            add_vector_ops();
            for (size_t i = 0; vg_op_lists[i] != NULL; i++)
                add(vg_op_lists[i]);
            atomic_store(&ready, 2);
        }
        while (atomic_load(&ready) != 2) {
        }
    }
    for (unsigned h = hash(key); table[h] != NULL; h = (h + 1) % BUCKETS)
        if (strcmp(table[h]->key, key) == 0)
            return table[h];
    return NULL;
}
