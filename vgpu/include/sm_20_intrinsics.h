/*
 * sm_20_intrinsics.h: part of cuda_runtime.h here.
 */
#ifndef VGPU_SM_20_INTRINSICS_H
#define VGPU_SM_20_INTRINSICS_H
#define __SM_20_INTRINSICS_H__

#include "cuda_runtime.h"

#endif
