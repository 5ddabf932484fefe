/*
 * vgpucc_nvcc.h: the second front end, where a CUDA toolkit is installed: nvcc compiles .cu files,
 * with the toolkit's own headers, to objects that hold PTX and no machine code. They are linked
 * with libvgpu.a in place of the toolkit's runtime, like those of clang.
 */
#pragma once

#include "vgpu/tools/vgpucc_options.h"

#include <stdbool.h>

typedef struct toolkit {
    char *nvcc;
    args headers; /* how other files than .cu find the toolkit's headers */
} toolkit;

/* The toolkit of VGPU_NVCC, or the one that tools/toolkit, the script, finds; `kept` is the folder
 * where that keeps what it knows. VGPU_TOOLKIT may hold its answer already, for a vgpucc
 * that sees little of the machine. False after saying that there is none, or what is wrong with it.
 */
bool find_toolkit(toolkit *t, const char *script, const char *kept);

/* The C++ compiler that nvcc compiles host code with, for other files and for linking; NULL after
 * saying that there is none. */
char *find_host_compiler(void);

/* The command that makes an object, or PTX text, of a .cu file. include: vgpu/include. */
void nvcc_command(args *a, const options *o, const char *nvcc, const char *include,
                  const char *input, const char *output);
