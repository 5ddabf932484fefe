/*
 * vgpucc_place.h: finds what vgpucc works with, from where it lies itself: in a kit's build folder,
 * or below the prefix of an installation. Compilers are found on PATH, or where VGPU_CLANG and
 * VGPU_NVCC say.
 */
#pragma once

#include "vgpu/tools/vgpucc_commands.h"

/* False: something is missing, and a complaint has said what. Nothing is ever freed. */
bool setup_find(setup *s, enum front front);
