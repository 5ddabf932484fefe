/*
 * vgpucc_shared.h: does a kernel declare more shared memory than a block may have?
 *
 * nvcc's assembler refuses such a kernel ("uses too much shared data"); clang without a toolkit has
 * no assembler, so its PTX is looked at here. Memory whose size a launch gives is not counted: the
 * launch is refused then. Nor is that of device functions that were not inlined.
 */
#pragma once

#include <stdbool.h>

/* False when a kernel of this PTX, compiled from input, declares more than 48 KiB of shared memory:
 * an error is printed, as clang prints them, with the kernel's line. */
bool shared_arrays_fit(const char *ptx, const char *input);
