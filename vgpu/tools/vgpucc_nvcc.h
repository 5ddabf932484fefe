/*
 * vgpucc_nvcc.h: the second front end, where a CUDA toolkit is installed: nvcc compiles .cu files,
 * with the toolkit's own headers, to objects that hold PTX and no machine code. They are linked
 * with libvgpu.a in place of the toolkit's runtime, like those of clang.
 */
#ifndef VGPUCC_NVCC_H
#define VGPUCC_NVCC_H

#include "vgpu/tools/vgpucc_options.h"

/* VGPU_NVCC's, the one on PATH, /usr/local/cuda's; NULL after saying that there is none. */
char *find_nvcc(void);

/* The C++ compiler that nvcc compiles host code with, for other files and for linking; NULL after
 * saying that there is none. */
char *find_host_compiler(void);

/* The toolkit's folder of headers. */
char *toolkit_include(const char *nvcc);

/* The command that makes an object, or PTX text, of a .cu file. include: vgpu/include. */
void nvcc_command(args *a, const options *o, const char *nvcc, const char *include,
                  const char *input, const char *output);

#endif
