/*
 * surface_indirect_functions.h: surf1Dread, surf2Dwrite and their kin. A part of cuda_runtime.h.
 *
 * A surface object is the device address of a vgpu_surface, which cudaCreateSurfaceObject writes;
 * the rest is ordinary loads and stores of the array's memory. x counts bytes, as the API has it.
 */
#ifndef VGPU_SURFACE_INDIRECT_FUNCTIONS_H
#define VGPU_SURFACE_INDIRECT_FUNCTIONS_H
#define __SURFACE_INDIRECT_FUNCTIONS_H__

#include "cuda_runtime.h"

#if defined(__CUDA__) && defined(__clang__)

#include "vgpu_device.h"

/* vgpu/src/runtime/surface.c writes the same. */
struct vgpu_surface {
    char *at;
    unsigned int row, rows, slices; /* bytes of a row; at least 1 each */
};

VGPU_INTRINSIC int vgpu_surface_clamp(int i, unsigned int end, int size) {
    const int last = (int)end - size;
    return i < 0 ? 0 : i > last ? last : i;
}

/* Where an element is; NULL: nowhere, and nothing is to be done there. */
template <class T>
VGPU_INTRINSIC T *vgpu_surface_at(cudaSurfaceObject_t object, int x, int y, int z,
                                  cudaSurfaceBoundaryMode mode) {
    const vgpu_surface s = *(const vgpu_surface *)object;
    if (x % (int)sizeof(T)) /* a fault on a GPU, whatever the mode: one here, too */
        return (T *)(s.at + (x & (int)(sizeof(T) - 1)));
    const bool inside = x >= 0 && (unsigned int)x + sizeof(T) <= s.row && y >= 0 &&
                        (unsigned int)y < s.rows && z >= 0 && (unsigned int)z < s.slices;
    if (!inside && mode == cudaBoundaryModeZero)
        return nullptr;
    if (!inside && mode == cudaBoundaryModeTrap) /* one past the end: the fault names the array */
        return (T *)(s.at + (size_t)s.row * s.rows * s.slices);
    x = vgpu_surface_clamp(x, s.row, sizeof(T));
    y = vgpu_surface_clamp(y, s.rows, 1);
    z = vgpu_surface_clamp(z, s.slices, 1);
    return (T *)(s.at + ((size_t)z * s.rows + y) * s.row + x);
}

#define VGPU_LIST(...) __VA_ARGS__
#define VGPU_SURFACES(dims, parameters, x, y, z)                                                   \
    template <class T>                                                                             \
    VGPU_INTRINSIC T surf##dims##read(cudaSurfaceObject_t object, VGPU_LIST parameters,            \
                                      cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap) {       \
        const T *at = vgpu_surface_at<T>(object, x, y, z, mode);                                   \
        return at ? *at : T();                                                                     \
    }                                                                                              \
    template <class T>                                                                             \
    VGPU_INTRINSIC void surf##dims##read(T *value, cudaSurfaceObject_t object,                     \
                                         VGPU_LIST parameters,                                     \
                                         cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap) {    \
        const T *at = vgpu_surface_at<T>(object, x, y, z, mode);                                   \
        *value = at ? *at : T();                                                                   \
    }                                                                                              \
    template <class T>                                                                             \
    VGPU_INTRINSIC void surf##dims##write(T value, cudaSurfaceObject_t object,                     \
                                          VGPU_LIST parameters,                                    \
                                          cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap) {   \
        T *at = vgpu_surface_at<T>(object, x, y, z, mode);                                         \
        if (at)                                                                                    \
            *at = value;                                                                           \
    }

VGPU_SURFACES(1D, (int x), x, 0, 0)
VGPU_SURFACES(2D, (int x, int y), x, y, 0)
VGPU_SURFACES(3D, (int x, int y, int z), x, y, z)

#undef VGPU_SURFACES
#undef VGPU_LIST

#endif

#endif
