/*
 * nvToolsExtCuda.h: nvtx under the name it had before its third version. Its names for the driver
 * API's objects are not here, as the driver API isn't.
 */
#ifndef VGPU_NVTOOLSEXTCUDA_H
#define VGPU_NVTOOLSEXTCUDA_H

#include "nvtx3/nvToolsExt.h"

#endif
