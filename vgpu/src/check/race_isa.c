/* race_isa.c: the best version of race_runs.c and race_merge.c that this processor can run. */
#include "vgpu/src/check/race_summary.h"
#include "vgpu/src/memory/settings.h"

#include <stdlib.h>
#include <string.h>

extern const race_runs race_runs_base;
extern const race_merge race_merge_base;
#if defined(__x86_64__)
extern const race_runs race_runs_avx2, race_runs_avx512;
extern const race_merge race_merge_avx2, race_merge_avx512;
static const race_runs *const runs[] = {&race_runs_base, &race_runs_avx2, &race_runs_avx512};
static const race_merge *const merge[] = {&race_merge_base, &race_merge_avx2, &race_merge_avx512};
#else
static const race_runs *const runs[] = {&race_runs_base};
static const race_merge *const merge[] = {&race_merge_base};
#endif

/* 0: base, 1: avx2, 2: avx512 */
static int best_isa(void) {
#if defined(__x86_64__)
    const char *limit = vg_setting("VGPU_ISA"); /* as in the executor's optable.c */
    const bool avx2 = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") &&
                      __builtin_cpu_supports("bmi2") &&
                      (limit == NULL || strcmp(limit, "base") != 0);
    if (avx2 && __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
        __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl") &&
        __builtin_cpu_supports("avx512cd") && (limit == NULL || strcmp(limit, "avx2") != 0))
        return 2;
    if (avx2)
        return 1;
#endif
    return 0;
}

const race_runs *race_runs_best(void) {
    return runs[best_isa()];
}

const race_merge *race_merge_best(void) {
    return merge[best_isa()];
}
