/*
 * fuse.h: products and sums of halves that an assembler makes one instruction.
 *
 * PTX lets mul and add without a rounding of their own be fused, and ptxas does so with f16 and
 * bf16 (an H200 shows it): a * b + c is rounded once. Compilers fuse floats and doubles themselves
 * and write fma, so only halves, whose arithmetic headers write as assembly, need this.
 */
#pragma once

#include "vgpu/src/core/ptx.h"

/* Rewrites all functions of the module; the arena's escape must be set. */
void ptx_fuse_halves(ptx_module *module);

/* Modifiers that only this makes: fma with a, or c, negated. */
#define PTX_NEGATED_A "vgpu_nega"
#define PTX_NEGATED_C "vgpu_negc"
