/* cuda_pipeline.h: the primitives, under the name that programs include. */
#ifndef VGPU_CUDA_PIPELINE_H
#define VGPU_CUDA_PIPELINE_H
#define _CUDA_PIPELINE_H_

#include "cuda_pipeline_primitives.h"

#endif
