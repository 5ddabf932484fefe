/*
 * vgpucc_options.h: the command line of vgpucc, read into lists for the steps that follow.
 */
#pragma once

#include "vgpu/tools/vgpucc_arch.h"
#include "vgpu/tools/vgpucc_args.h"

#include <stdbool.h>

enum output_kind {
    OUTPUT_PROGRAM,
    OUTPUT_OBJECT,  /* -c */
    OUTPUT_PTX,     /* -S, --ptx */
    OUTPUT_TEXT,    /* -E, -M, -MM: to -o, or standard output */
    OUTPUT_LIBRARY, /* -lib */
    OUTPUT_NOTHING, /* -dlink: an object without code, since device code is linked when it runs */
    OUTPUT_HEADERS  /* --precompile */
};

/* What a .cu file is compiled for. */
enum pass { PASS_DEVICE, PASS_HOST, PASS_WATCHED };

/* Who compiles .cu files. */
enum front {
    FRONT_CLANG,
    FRONT_NVCC /* where a CUDA toolkit is installed */
};

enum language {
    LANG_CUDA,
    LANG_C,
    LANG_CXX,
    LANG_NONE /* an object, an archive: for the linker */
};

/* One thing the linker gets, in the order of the command line. */
typedef struct link_item {
    const char *text;       /* a file, or an option */
    enum language language; /* LANG_NONE for options and for files that need no compiling */
} link_item;

typedef struct options {
    enum output_kind kind;
    enum pass headers; /* --precompile: for which pass */
    enum front front;
    const char *output;     /* -o, or NULL */
    const char *std;        /* -std=…, or NULL */
    const char *host_level; /* -O…, or NULL */
    bool verbose;
    const char *text_option; /* -E, -M or -MM */
    const char *keep;        /* the folder that --keep means, or NULL */
    const char *folder;      /* -odir, or NULL */
    bool relocatable;        /* -rdc=true, -dc: device code may call into other files */
    bool dry_run;            /* print the commands, run none */
    bool run;                /* and then the program */
    bool tells;              /* -v: print what it does as nvcc prints it */
    bool resources;          /* --ptxas-options=-v: print what kernels need */
    bool watched;            /* -g: the program also holds its kernels as a person watches them */
    const char *arch;        /* -arch, or NULL: for nvcc */
    arch wanted;             /* by -arch and -gencode together */
    bool fast_math;          /* for nvcc */
    bool contract;           /* device code may fuse a*b+c, as CUDA does unless told -fmad=false */
    args both;               /* for both passes: -I, -D, -U, -W… */
    args host;               /* for the host pass: -f…, -m…, -g, -Xcompiler */
    args dependencies;       /* -MD and its kin: for the pass that writes the object */
    args link;               /* for the linker, before the inputs */
    link_item *items;
    size_t num_items;
} options;

enum parsed {
    PARSED_OK,
    PARSED_DONE, /* --help, --version: said, nothing to do */
    PARSED_WRONG /* the mistake has been said */
};

enum parsed options_parse(options *o, int argc, char **argv);
void options_free(options *o);
/* Number of inputs that need compiling. */
size_t options_sources(const options *o);
