/*
 * device_atomic_functions.h: part of cuda_runtime.h here.
 */
#ifndef VGPU_DEVICE_ATOMIC_FUNCTIONS_H
#define VGPU_DEVICE_ATOMIC_FUNCTIONS_H
#define __DEVICE_ATOMIC_FUNCTIONS_H__

#include "cuda_runtime.h"

#endif
