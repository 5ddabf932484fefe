/*
 * vgpucc_commands.h: the commands that vgpucc runs, as argument lists.
 */
#pragma once

#include "vgpu/tools/vgpucc_headers.h"
#include "vgpu/tools/vgpucc_nvcc.h"
#include "vgpu/tools/vgpucc_options.h"

/* Where everything is. */
typedef struct setup {
    char *clangxx;        /* or the host compiler beside nvcc */
    toolkit cuda;         /* without nvcc: clang compiles .cu files */
    char *home;           /* holds bin and lib */
    char *toolkit;        /* what looks like a toolkit's folder (tools/cuda-root); else home */
    char *include;        /* vgpu/include */
    char *library;        /* libvgpu.a    */
    char *shared_library; /* the same for -shared */
    const char *mend;     /* what to do when something is missing */
    char *names;          /* vgpu-names, which may be missing */
    char *resources;      /* vgpu-resources */
    char *headers;        /* the folder of precompiled headers; NULL: do without */
    bool headers_needed;  /* not without them */
} setup;

/* The options of a pass that its headers depend on; clang++ first. */
void pass_options(args *a, enum pass pass, const options *o, const setup *s);

/* A .cu file's device code to PTX, or, before any optimisation, to LLVM's text. `headers`: the
 * precompiled ones, or NULL. */
void device_command(args *a, const options *o, const setup *s, const char *input,
                    const char *output, bool llvm_text, const char *headers);
/* The same as a person watches it (-g). `own` becomes the list of what was read that is not the
 * system's, as a rule in NMake's form. */
void watched_command(args *a, const options *o, const setup *s, const char *input,
                     const char *output, bool llvm_text, const char *own);
/* The rest, that text to PTX: as it is graded; the same with longer loops unrolled, too
 * (vgpucc_unroll.h); as a person watches it. */
enum back_end { BACK_END_GRADED, BACK_END_UNROLLED, BACK_END_WATCHED };
void back_end_command(args *a, const options *o, const setup *s, const char *text, const char *ptx,
                      enum back_end how);
/* A .cu file's host code, and the PTX, to an object. */
void host_command(args *a, const options *o, const setup *s, const char *input, const char *ptx,
                  const char *object, const char *headers);
/* A .c or .cpp file to an object. */
/* For vgpucc_consts.h. LLVM's text of the device's half, in which all constants are, used or not.
 */
void device_constants_command(args *a, const options *o, const setup *s, const char *input,
                              const char *output);
/* LLVM's text of the host's half, before any pass; and the object that is made of it. */
void host_front_command(args *a, const options *o, const setup *s, const char *input,
                        const char *ptx, const char *output);
void host_back_command(args *a, const options *o, const setup *s, const char *text,
                       const char *object);
void text_command(args *a, const options *o, const setup *s, const link_item *item);
void plain_command(args *a, const options *o, const setup *s, const link_item *item,
                   const char *object);

/* NAME.suffix in the folder (NULL: the current one), for ANYWHERE/NAME.cu. */
char *default_output(const char *folder, const char *input, const char *suffix);
