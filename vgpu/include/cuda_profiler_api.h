/*
 * cuda_profiler_api.h: cudaProfilerStart and cudaProfilerStop, which do nothing here.
 */
#ifndef VGPU_CUDA_PROFILER_API_H
#define VGPU_CUDA_PROFILER_API_H
#define __CUDA_PROFILER_API_H__

#include "cuda_runtime_api.h"

#endif
