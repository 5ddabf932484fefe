/*
 * driver_functions.h: make_cudaPitchedPtr and its kin, which cuda_runtime_api.h has here.
 */
#ifndef VGPU_DRIVER_FUNCTIONS_H
#define VGPU_DRIVER_FUNCTIONS_H
#define __DRIVER_FUNCTIONS_H__

#include "cuda_runtime_api.h"

#endif
