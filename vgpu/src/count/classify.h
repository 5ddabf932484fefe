/*
 * classify.h: what one PTX instruction counts as, whatever memory it touches.
 *
 * Refuses to guess: an instruction that computes no floating-point result counts no operation.
 * fma and mad are fused; div, rcp, sqrt and the transcendental ones count one operation each,
 * although hardware makes them of several.
 */
#pragma once

#include "vgpu/src/core/ptx.h"
#include "vgpu/src/count/counters.h"

typedef struct vg_class {
    enum vg_counter operation; /* VGC_FMA …, VGC_MMA; VGC_COUNT: no floating-point operation */
    uint32_t elements;         /* results a thread, 2 for packed halves                      */
    uint32_t flops;            /* a thread; of VGC_MMA a warp                                */
    bool branch;               /* bra, brx                                                   */
    bool call;
    bool barrier;  /* of the block                                               */
    bool argument; /* ld.param, st.param: no memory on hardware                  */
} vg_class;

vg_class vg_classify(const ptx_instr *in);
