/*
 * host_defines.h: the CUDA keywords. In a .cu file they are the compiler's attributes; in plain C
 * and C++ they vanish, so that a header shared by both kinds of file compiles in both.
 */
#ifndef VGPU_HOST_DEFINES_H
#define VGPU_HOST_DEFINES_H
#define __HOST_DEFINES_H__

#if defined(__CUDA__) && defined(__clang__)
#define __host__               __attribute__((host))
#define __device__             __attribute__((device))
#define __global__             __attribute__((global))
#define __shared__             __attribute__((shared))
#define __constant__           __attribute__((constant))
#define __launch_bounds__(...) __attribute__((launch_bounds(__VA_ARGS__)))
/* Blocks of a cluster are blocks like others, for kernels that do not ask who is in it. */
#define __cluster_dims__(...)
/* The host's variable is the device's, too: the runtime knows it by its section. */
#ifdef __CUDA_ARCH__
#define __managed__ __attribute__((device))
#else
#define __managed__ __attribute__((device)) __attribute__((section("vgpu_managed")))
#endif
#define __grid_constant__
#define __maxnreg__(n)
#else
#define __host__
#define __device__
#define __global__
#define __shared__
#define __constant__
#define __managed__
#define __grid_constant__
#define __maxnreg__(n)
#define __launch_bounds__(...)
#endif

#define __forceinline__ __inline__ __attribute__((always_inline))
/* From version 15 on clang knows __noinline__ as a keyword; before, it is a macro, which
 * bits/shared_ptr_base.h in this folder hides from libstdc++. Plain C and C++ do without. */
#if defined(__CUDA__) && defined(__clang__) && __clang_major__ < 15
#define __noinline__ __attribute__((noinline))
#endif
#define __align__(n) __attribute__((aligned(n)))
#ifndef __restrict__
#define __restrict__ __restrict
#endif

/* Behind another attribute of a small function: its lines are the caller's. Only clang has it, and
 * other compilers warn of what they do not know. */
#ifdef __clang__
#define VGPU_NO_LINES , nodebug
#else
#define VGPU_NO_LINES
#endif

#define CUDARTAPI
#define CUDART_CB
#define CUDARTAPI_CDECL

#endif
