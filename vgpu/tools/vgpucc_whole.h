/*
 * vgpucc_whole.h: is a file's device code whole, or does it call into other files?
 */
#pragma once

#include "vgpu/tools/vgpucc_args.h"

#include <stdbool.h>

/* Looks at the PTX of `input` for functions and variables that it declares and does not define, and
 * that are none of the virtual GPU's own. False: there is one; what to do is said. */
bool whole_ptx(const char *input, const char *ptx);

/* Pushes an option of objcopy for each variable of the PTX that other files may mean: clang gives
 * the host's part of it to its own file alone. False: there is none. */
bool whole_variables(const char *ptx, args *command);
