/*
 * sm_60_atomic_functions.h: part of cuda_runtime.h here.
 */
#ifndef VGPU_SM_60_ATOMIC_FUNCTIONS_H
#define VGPU_SM_60_ATOMIC_FUNCTIONS_H
#define __SM_60_ATOMIC_FUNCTIONS_H__

#include "cuda_runtime.h"

#endif
