/*
 * common_functions.h: part of cuda_runtime.h here.
 */
#ifndef VGPU_COMMON_FUNCTIONS_H
#define VGPU_COMMON_FUNCTIONS_H
#define __COMMON_FUNCTIONS_H__

#include "cuda_runtime.h"

#endif
