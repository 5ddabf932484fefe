/*
 * vgpucc_names.h: names of device code with letters beyond ASCII: __shared__ float größe[32].
 *
 * clang's PTX back end gives up on them, though C++ has them and nvcc takes most. So where it fails
 * and there are some, the names in LLVM's text are written with ASCII alone ("u$C3u$B6" for an o
 * with dots), and after the back end they get their letters back: the virtual GPU's PTX may have
 * them.
 */
#pragma once

#include <stdbool.h>

/* Rewrites a file of LLVM's text. False when no name in it has such letters, or it cannot be read
 * or written. */
bool names_encode(const char *llvm_text);
/* Rewrites a file of PTX. False when it cannot be read or written. */
bool names_decode(const char *ptx);
