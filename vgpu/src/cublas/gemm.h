/*
 * gemm.h: a matrix product of cuBLAS made again from the journal (runtime/journal_format.h).
 */
#pragma once

#include "vgpu/include/cublas_v2.h"
#include "vgpu/src/runtime/journal_format.h"

#include <stdbool.h>

/* Are its types and sizes such as a call can have? (Its operands are looked at when it is made.) */
bool vg_gemm_sound(const struct vj_gemm *body);
/* Makes it with a handle whose scalars are the host's. The body must be sound. */
cublasStatus_t vg_gemm_repeat(cublasHandle_t handle, const struct vj_gemm *body);
