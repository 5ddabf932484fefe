/*
 * vgpucc_mend.h: what nvcc's front end takes and clang's does not.
 *
 *     k<< <grid, block>> >(x)           a launch, as Visual Studio formats it; clang knows the
 *                                       brackets in one piece only
 *     __shared__ alignas(16) float x;   to clang alignas comes before everything else
 *     asm("mov.u32 %0, %smid;" : …)     to clang a register's own % is written %%
 *
 * Files that have the like are given to clang in a copy where the blanks stand behind the bracket,
 * alignas in front, and the second % in the place of the blank before the first. The copy's lines,
 * and what else is in them, are where they were, and messages keep the file's own name.
 */
#pragma once

#include "vgpu/tools/vgpucc_args.h"

/* Pushes onto command what makes clang read mended copies of input and of the files that it
 * includes by #include "…", found beside the includer or in the folders of command's -I; nothing
 * where there is nothing to mend. */
void mend_sources(args *command, const char *input);
