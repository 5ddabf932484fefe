/*
 * vector_functions.h: make_int2, make_float4 and their relatives:
 * one function for each short vector.
 */
#ifndef VGPU_VECTOR_FUNCTIONS_H
#define VGPU_VECTOR_FUNCTIONS_H
#define __VECTOR_FUNCTIONS_H__

#include "vector_types.h"

#if defined(__CUDA__) && defined(__clang__)
#define VGPU_MAKE static __inline__ __host__ __device__ __attribute__((always_inline VGPU_NO_LINES))
#else
#define VGPU_MAKE static __inline__
#endif

#define VGPU_MAKE_VECTORS(name, type)                                                              \
    VGPU_MAKE name##1 make_##name##1(type x) {                                                     \
        name##1 v;                                                                                 \
        v.x = x;                                                                                   \
        return v;                                                                                  \
    }                                                                                              \
    VGPU_MAKE name##2 make_##name##2(type x, type y) {                                             \
        name##2 v;                                                                                 \
        v.x = x;                                                                                   \
        v.y = y;                                                                                   \
        return v;                                                                                  \
    }                                                                                              \
    VGPU_MAKE name##3 make_##name##3(type x, type y, type z) {                                     \
        name##3 v;                                                                                 \
        v.x = x;                                                                                   \
        v.y = y;                                                                                   \
        v.z = z;                                                                                   \
        return v;                                                                                  \
    }                                                                                              \
    VGPU_MAKE name##4 make_##name##4(type x, type y, type z, type w) {                             \
        name##4 v;                                                                                 \
        v.x = x;                                                                                   \
        v.y = y;                                                                                   \
        v.z = z;                                                                                   \
        v.w = w;                                                                                   \
        return v;                                                                                  \
    }

VGPU_MAKE_VECTORS(char, signed char)
VGPU_MAKE_VECTORS(uchar, unsigned char)
VGPU_MAKE_VECTORS(short, short)
VGPU_MAKE_VECTORS(ushort, unsigned short)
VGPU_MAKE_VECTORS(int, int)
VGPU_MAKE_VECTORS(uint, unsigned int)
VGPU_MAKE_VECTORS(long, long)
VGPU_MAKE_VECTORS(ulong, unsigned long)
VGPU_MAKE_VECTORS(longlong, long long)
VGPU_MAKE_VECTORS(ulonglong, unsigned long long)
VGPU_MAKE_VECTORS(float, float)
VGPU_MAKE_VECTORS(double, double)

#undef VGPU_MAKE_VECTORS
#undef VGPU_MAKE

#endif
