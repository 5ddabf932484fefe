/*
 * surface_types.h: surface objects, through which kernels read and write CUDA arrays. Numbers are
 * the API's.
 */
#ifndef VGPU_SURFACE_TYPES_H
#define VGPU_SURFACE_TYPES_H
#define __SURFACE_TYPES_H__

#include "driver_types.h"

/* What a coordinate outside does. */
enum cudaSurfaceBoundaryMode {
    cudaBoundaryModeZero = 0, /* reads give 0, writes do nothing */
    cudaBoundaryModeClamp = 1,
    cudaBoundaryModeTrap = 2 /* a fault */
};
typedef enum cudaSurfaceBoundaryMode cudaSurfaceBoundaryMode;

typedef unsigned long long cudaSurfaceObject_t;

#endif
