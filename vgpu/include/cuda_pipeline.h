/* cuda_pipeline.h: the primitives, under the name that programs include. */
#ifndef VGPU_CUDA_PIPELINE_H
#define VGPU_CUDA_PIPELINE_H

#include "cuda_pipeline_primitives.h"

#endif
