/*
 * sm_32_intrinsics.h: part of cuda_runtime.h here.
 */
#ifndef VGPU_SM_32_INTRINSICS_H
#define VGPU_SM_32_INTRINSICS_H
#define __SM_32_INTRINSICS_H__

#include "cuda_runtime.h"

#endif
