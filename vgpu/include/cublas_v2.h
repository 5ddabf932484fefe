/*
 * cublas_v2.h: the cuBLAS calls that the virtual GPU has; see cublas_api.h.
 */
#ifndef VGPU_CUBLAS_V2_H
#define VGPU_CUBLAS_V2_H
#define CUBLAS_V2_H_

#include "cublas_api.h"

#endif
