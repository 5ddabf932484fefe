/* ops_texture.h: fetches from textures (tex): what lower_texture.c tells ops_texture.c. */
#pragma once

#include "vgpu/src/core/program.h"
#include "vgpu/src/core/texture.h"

/* op.extra of "tex" */
typedef struct texture_call {
    int dims;
    bool by_number;                /* the coordinate is an element's number (tex1Dfetch) */
    bool layered;                  /* with a layer before the coordinates */
    uint32_t handle;               /* row of 64 bits */
    uint32_t layer;                /* row of 32 bits */
    uint32_t x[VG_TEXTURE_DIMS];   /* rows of the coordinates */
    uint32_t d[VG_TEXEL_CHANNELS]; /* rows of the values; 0: nobody wants this one */
} texture_call;
