/* vgpu.h: the virtual GPU's own calls, for programs that vgpucc --front nvcc compiles. */
#include "../vgpu.h"
