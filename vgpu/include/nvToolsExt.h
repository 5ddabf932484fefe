/*
 * nvToolsExt.h: nvtx under the name it had before its third version.
 */
#ifndef VGPU_NVTOOLSEXT_H
#define VGPU_NVTOOLSEXT_H

#include "nvtx3/nvToolsExt.h"

#endif
