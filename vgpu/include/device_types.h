/*
 * device_types.h: part of cuda_runtime.h here.
 */
#ifndef VGPU_DEVICE_TYPES_H
#define VGPU_DEVICE_TYPES_H

#include "cuda_runtime.h"

#endif
