/*
 * device_launch_parameters.h: threadIdx, blockIdx, blockDim, gridDim.
 */
#ifndef VGPU_DEVICE_LAUNCH_PARAMETERS_H
#define VGPU_DEVICE_LAUNCH_PARAMETERS_H
#define __DEVICE_LAUNCH_PARAMETERS_H__

#include "cuda_runtime.h"

#endif
