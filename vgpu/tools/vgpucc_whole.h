/*
 * vgpucc_whole.h: is a file's device code whole, or does it call into other files?
 */
#pragma once

#include "vgpu/tools/vgpucc_args.h"

#include <stdbool.h>

/* Looks at the PTX of `input` for functions and variables that it declares and does not define, and
 * that are none of the virtual GPU's own. False: there is one; what to do is said. */
bool whole_ptx(const char *input, const char *ptx);

/* For the linker, so that it finds what files of a program need of each other, also in archives,
 * and refuses a program that lacks something. Pushes options of objcopy for what the PTX has and
 * other files may mean: a symbol for each function, and for each variable that of the host's part,
 * which clang gives to its own file alone. What the PTX needs of other files is written to `needs`
 * as assembler's text that refers to their symbols; *any: it needs something. False: the PTX cannot
 * be read, or `needs` not written. */
bool whole_symbols(const char *ptx, args *gives, const char *needs, bool *any);
