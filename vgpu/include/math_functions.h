/*
 * math_functions.h: the device's mathematical functions.
 */
#ifndef VGPU_MATH_FUNCTIONS_H
#define VGPU_MATH_FUNCTIONS_H
#define __MATH_FUNCTIONS_H__

#include "cuda_runtime.h"

#endif
