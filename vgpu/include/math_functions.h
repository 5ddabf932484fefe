/*
 * math_functions.h: the device's mathematical functions.
 */
#ifndef VGPU_MATH_FUNCTIONS_H
#define VGPU_MATH_FUNCTIONS_H

#include "cuda_runtime.h"

#endif
