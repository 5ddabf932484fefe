/*
 * vgpu_relocatable.h: what vgpucc -rdc=true includes in front of a .cu file. A file that has
 * nothing but device functions would not be registered with the runtime, and nobody could call
 * them: so each has this kernel, which does nothing.
 */
#ifndef VGPU_RELOCATABLE_H
#define VGPU_RELOCATABLE_H

#ifdef __cplusplus
static __global__ __attribute__((used)) void vgpu_relocatable() {}
#endif

#endif
