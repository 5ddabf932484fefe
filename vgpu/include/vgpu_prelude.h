/*
 * vgpu_prelude.h: what vgpucc includes in front of every .cu file, as nvcc does with
 * cuda_runtime.h. A name of its own, so that no file of the program's is taken for it.
 */
#include "cuda_runtime.h"
