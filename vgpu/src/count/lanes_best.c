/* lanes_best.c: takes the widest vectors that this processor has, see lanes.h. */
#include "vgpu/src/count/lanes.h"
#include "vgpu/src/memory/settings.h"

#include <stdlib.h>
#include <string.h>

extern const vg_lane_math vg_lane_math_base;
#if defined(__x86_64__)
extern const vg_lane_math vg_lane_math_avx2, vg_lane_math_avx512;
#endif

/* Narrowest first. */
int vg_lane_math_all(const vg_lane_math **list, int max) {
    int count = 0;
    list[count++] = &vg_lane_math_base;
#if defined(__x86_64__)
    const bool avx2 = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("bmi2");
    if (avx2 && count < max)
        list[count++] = &vg_lane_math_avx2;
    if (avx2 && __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
        __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl") &&
        __builtin_cpu_supports("avx512cd") && count < max)
        list[count++] = &vg_lane_math_avx512;
#else
    (void)max;
#endif
    return count;
}

const vg_lane_math *vg_lane_math_best(void) {
    const vg_lane_math *list[3];
    int count = vg_lane_math_all(list, 3);
#if defined(__x86_64__)
    const char *limit = vg_setting("VGPU_ISA"); /* as the executor reads it */
    if (limit != NULL && strcmp(limit, "base") == 0)
        count = 1;
    else if (limit != NULL && strcmp(limit, "avx2") == 0 && count > 2)
        count = 2;
#endif
    return list[count - 1];
}
