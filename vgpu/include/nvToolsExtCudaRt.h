/*
 * nvToolsExtCudaRt.h: nvtx under the name it had before its third version.
 */
#ifndef VGPU_NVTOOLSEXTCUDART_H
#define VGPU_NVTOOLSEXTCUDART_H

#include "nvtx3/nvToolsExtCudaRt.h"

#endif
