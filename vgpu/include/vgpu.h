/*
 * vgpu.h: what the virtual GPU tells beyond CUDA: counts of what a program has asked of it.
 * For test programs and graders; a program that uses it runs on the virtual GPU only.
 */
#ifndef VGPU_H
#define VGPU_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Since the start of the process, or the last vgpu_reset_stats. */
struct vgpu_stats {
    uint64_t launches;       /* kernels run, faulted ones included        */
    uint64_t failed_launches; /* refused: beyond the limits, not loadable  */
    uint64_t copies;         /* cudaMemcpy and its relatives              */
    uint64_t copied_bytes;
    uint64_t blas_calls;     /* cuBLAS calls that compute, all of them    */
    uint64_t gemm_calls;     /* of those, matrix products                 */
    uint64_t gemm_madds;     /* their multiply-adds, m * n * k            */
    uint64_t faults;         /* kernels and library calls that faulted    */
};

void vgpu_get_stats(struct vgpu_stats *stats);
void vgpu_reset_stats(void);

#ifdef __cplusplus
}
#endif

#endif
