/*
 * builtin_types.h: the vector types and the runtime's types, under the name old programs include.
 */
#ifndef VGPU_BUILTIN_TYPES_H
#define VGPU_BUILTIN_TYPES_H
#define __BUILTIN_TYPES_H__

#include "driver_types.h"
#include "vector_types.h"

#endif
