/*
 * shoot.h: VGPU_FILM: a launch is filmed.
 *
 * The graded build runs as ever, and alone decides what the program sees. Then, where the program
 * was compiled with vgpucc -g, the memory is put back to what it was before the launch, the watched
 * build of the same kernel runs on it under the film's eyes, and the graded run's memory is put in
 * place again.
 *
 *     VGPU_FILM         the file: a page, or, with a name that ends in .json, the recording alone
 *     VGPU_FILM_LAUNCH  which launch, from 1; default: the first, or the first with a mistake
 *     VGPU_FILM_BLOCK   X,Y[,Z]: which block; default: the mistake's, or the first
 *     VGPU_FILM_WARP    which warp; default: all
 *     VGPU_FILM_SHAPE   M,N,K: of a matrix product, for drawing its matrices
 *     VGPU_FILM_TITLE   the page's title
 */
#pragma once

#include "vgpu/src/runtime/context.h"

typedef struct vg_shot vg_shot;

/* Before a launch: notes memory. NULL: this launch is not filmed. */
vg_shot *vg_shoot_begin(vg_context *ctx, const vg_function *fn);
/* After it: films it, if it is worth it, and writes the file. fault: of the graded run, or NULL. */
void vg_shoot_end(vg_context *ctx, vg_shot *shot, vg_function *fn, const vg_launch_params *params,
                  const vg_fault *fault);
