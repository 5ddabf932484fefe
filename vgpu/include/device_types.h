/*
 * device_types.h: part of cuda_runtime.h here.
 */
#ifndef VGPU_DEVICE_TYPES_H
#define VGPU_DEVICE_TYPES_H
#define __DEVICE_TYPES_H__

#include "cuda_runtime.h"

#endif
