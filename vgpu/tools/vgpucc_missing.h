/*
 * vgpucc_missing.h: what of CUDA the virtual GPU has not, in a sentence: what it is, why it is not
 * there, what to do instead.
 *
 * It reads what a compiler or linker said of a file that it refused, and only then: a header of a
 * library that is not here (absent, or a toolkit's, which does not fit), a call, a type, a kernel
 * that launches kernels.
 */
#pragma once

#include <stdbool.h>

/* Says of each such thing in the words of file `errors` its sentence. True: it is a header, and the
 * sentence has its place in the program; what the compiler said would only be a page about what
 * stands in that header. own: the folder of our headers, which are none of a toolkit's. */
bool missing_header(const char *errors, const char *own);
/* The link item ("-lcufft", "/opt/cuda/lib64/libcufft.so") is a library that is not here. Where a
 * toolkit has it, it would be linked, find no GPU and fail, perhaps without a word: left out, its
 * calls are told by name. */
bool missing_library(const char *item);
/* The same for all other things, behind what the compiler said. */
void missing_names(const char *errors);
