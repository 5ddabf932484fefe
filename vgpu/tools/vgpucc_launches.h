/*
 * vgpucc_launches.h: launches whose brackets an editor has pulled apart.
 *
 * nvcc takes `k<< <grid, block>> >(x)` for a launch, and Visual Studio formats launches so; clang
 * knows the brackets in one piece only. Such files are given to clang in a copy where the blank
 * stands behind the bracket: lines and columns stay what they were, and messages keep the file's
 * own name.
 */
#ifndef VGPUCC_LAUNCHES_H
#define VGPUCC_LAUNCHES_H

#include "vgpu/tools/vgpucc_args.h"

/* Pushes onto command what makes clang read mended copies of input and of the files that it
 * includes by #include "…", found beside the includer or in the folders of command's -I; nothing
 * where no launch needs it. */
void mend_launches(args *command, const char *input);

/* Mends text in place, its length unchanged; the number of launches mended. For tests as well. */
size_t mend_brackets(char *text);

#endif
