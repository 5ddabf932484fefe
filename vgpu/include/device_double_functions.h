/*
 * device_double_functions.h: part of cuda_runtime.h here.
 */
#ifndef VGPU_DEVICE_DOUBLE_FUNCTIONS_H
#define VGPU_DEVICE_DOUBLE_FUNCTIONS_H
#define __DEVICE_DOUBLE_FUNCTIONS_H__

#include "cuda_runtime.h"

#endif
