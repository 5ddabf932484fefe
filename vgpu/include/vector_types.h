/*
 * vector_types.h: CUDA's short vectors (char1 … double4) and dim3, for C and C++.
 *
 * Two- and four-element vectors are aligned to their size, at most 16 bytes, which is what lets a
 * kernel load one with a single 8- or 16-byte access; one- and three-element vectors keep the
 * alignment of their element.
 */
#ifndef VGPU_VECTOR_TYPES_H
#define VGPU_VECTOR_TYPES_H
#define __VECTOR_TYPES_H__

#include "host_defines.h"

#define VGPU_VECTORS(name, type, align2, align4)                                                   \
    struct name##1 {                                                                               \
        type x;                                                                                    \
    };                                                                                             \
    struct __attribute__((aligned(align2), may_alias)) name##2 {                                   \
        type x, y;                                                                                 \
    };                                                                                             \
    struct name##3 {                                                                               \
        type x, y, z;                                                                              \
    };                                                                                             \
    struct __attribute__((aligned(align4), may_alias)) name##4 {                                   \
        type x, y, z, w;                                                                           \
    };                                                                                             \
    typedef struct name##1 name##1;                                                                \
    typedef struct name##2 name##2;                                                                \
    typedef struct name##3 name##3;                                                                \
    typedef struct name##4 name##4;

VGPU_VECTORS(char, signed char, 2, 4)
VGPU_VECTORS(uchar, unsigned char, 2, 4)
VGPU_VECTORS(short, short, 4, 8)
VGPU_VECTORS(ushort, unsigned short, 4, 8)
VGPU_VECTORS(int, int, 8, 16)
VGPU_VECTORS(uint, unsigned int, 8, 16)
VGPU_VECTORS(long, long, 16, 16)
VGPU_VECTORS(ulong, unsigned long, 16, 16)
VGPU_VECTORS(longlong, long long, 16, 16)
VGPU_VECTORS(ulonglong, unsigned long long, 16, 16)
VGPU_VECTORS(float, float, 8, 16)
VGPU_VECTORS(double, double, 16, 16)

#undef VGPU_VECTORS

/* Grid and block sizes. In C++ a missing size is 1. */
struct dim3 {
    unsigned int x, y, z;
#ifdef __cplusplus
#if __cplusplus >= 201103L
    __host__ __device__ constexpr dim3(unsigned int vx = 1, unsigned int vy = 1,
                                       unsigned int vz = 1)
        : x(vx), y(vy), z(vz) {}
    __host__ __device__ constexpr dim3(uint3 v) : x(v.x), y(v.y), z(v.z) {}
    __host__ __device__ constexpr operator uint3() const { return uint3{x, y, z}; }
#else
    __host__ __device__ dim3(unsigned int vx = 1, unsigned int vy = 1, unsigned int vz = 1)
        : x(vx), y(vy), z(vz) {}
    __host__ __device__ dim3(uint3 v) : x(v.x), y(v.y), z(v.z) {}
    __host__ __device__ operator uint3() const {
        uint3 v = {x, y, z};
        return v;
    }
#endif
#endif
};
typedef struct dim3 dim3;

#endif
