/*
 * device_functions.h: part of cuda_runtime.h here.
 */
#ifndef VGPU_DEVICE_FUNCTIONS_H
#define VGPU_DEVICE_FUNCTIONS_H

#include "cuda_runtime.h"

#endif
