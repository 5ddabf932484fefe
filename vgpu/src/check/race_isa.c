/* race_isa.c: the best version of race_runs.c that this processor can run. */
#include "vgpu/src/check/race.h"
#include "vgpu/src/memory/settings.h"

#include <stdlib.h>
#include <string.h>

extern const race_runs race_runs_base;
#if defined(__x86_64__)
extern const race_runs race_runs_avx2, race_runs_avx512;
#endif

const race_runs *race_runs_best(void) {
#if defined(__x86_64__)
    const char *limit = vg_setting("VGPU_ISA"); /* as in the executor's optable.c */
    const bool avx2 = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") &&
                      __builtin_cpu_supports("bmi2") &&
                      (limit == NULL || strcmp(limit, "base") != 0);
    if (avx2 && __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
        __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl") &&
        __builtin_cpu_supports("avx512cd") && (limit == NULL || strcmp(limit, "avx2") != 0))
        return &race_runs_avx512;
    if (avx2)
        return &race_runs_avx2;
#endif
    return &race_runs_base;
}
