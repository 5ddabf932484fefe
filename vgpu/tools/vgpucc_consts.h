/*
 * vgpucc_consts.h: gives host code the values of the device's constants.
 *
 *     const __device__ int table[4] = {10, 20, 30, 40};
 *
 * nvcc's host code has a table of its own with the same values. clang's has one of no values at
 * all, from which its optimiser makes anything. So where a program has such a constant, the host's
 * half is made once more: in LLVM's text, before any pass, each constant without a value gets that
 * which the device's text has for it.
 */
#pragma once

#include "vgpu/tools/vgpucc_commands.h"

/* May host code of this program read such a constant? `device_text`: LLVM's, of its kernels. */
bool consts_declared(const char *device_text, const options *o, const char *input);
/* Makes the object anew, if its constants have no values. ptx: with a NUL at its end. What has no
 * value in the device's text either, or one that is an address, is told. False: it cannot be made,
 * though the compiler has made it before. */
bool consts_compile(const options *o, const setup *s, const char *input, const char *ptx,
                    const char *object);
