/*
 * vgpucc_nvcc.c: the command line for nvcc; see vgpucc_nvcc.h.
 */
#include "vgpu/tools/vgpucc_nvcc.h"
#include "vgpu/tools/vgpucc_process.h"

#include <ctype.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

char *find_nvcc(void) {
    static const char usual[] = "/usr/local/cuda/bin/nvcc";
    const char *wanted = getenv("VGPU_NVCC");
    char *found = find_program(wanted && *wanted ? wanted : "nvcc");
    if (!found && wanted && *wanted)
        complain("VGPU_NVCC=%s: no such program", wanted);
    else if (!found && !(found = find_program(usual)))
        complain("--front nvcc: nvcc is missing on PATH and in /usr/local/cuda/bin: install the "
                 "CUDA toolkit, set VGPU_NVCC, or leave the option out (clang needs no toolkit)");
    return found;
}

char *find_host_compiler(void) {
    static const char *const names[] = {"g++", "c++", "clang++"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        char *found = find_program(names[i]);
        if (found)
            return found;
    }
    complain("--front nvcc: g++ is missing, which nvcc compiles host code with: install it");
    return NULL;
}

char *toolkit_include(const char *nvcc) {
    char real[PATH_MAX];
    if (!realpath(nvcc, real))
        return format_text("/usr/local/cuda/include");
    for (int up = 0; up < 2; up++) /* …/bin/nvcc */
        *strrchr(real, '/') = '\0';
    return format_text("%s/include", real);
}

static void to_host(args *a, const char *option) {
    args_push(a, "-Xcompiler");
    args_push(a, option);
}

/* The options of both passes: nvcc knows folders and macros, the rest is its host compiler's. */
static void shared_options(args *a, const args *both) {
    static const char *const known[] = {"-I", "-D", "-U", "-isystem", "-include"};
    for (size_t i = 0; i < both->count; i++) {
        const char *option = both->at[i];
        bool takes_value = false;
        for (size_t k = 0; k < sizeof known / sizeof *known; k++)
            takes_value = takes_value || strcmp(option, known[k]) == 0;
        if (takes_value && i + 1 < both->count) {
            args_push(a, option);
            args_push(a, both->at[++i]);
        } else if (strcmp(option, "-w") == 0) {
            args_push(a, option);
        } else {
            to_host(a, option);
        }
    }
}

/* sm_90, compute_90a … by number; what every toolkit since CUDA 11 has when none is named. */
static const char *architecture(const char *wanted) {
    const char *digits = wanted ? strpbrk(wanted, "0123456789") : NULL;
    int len = 0;
    while (digits && isalnum((unsigned char)digits[len]))
        len++;
    return len == 0 ? "80" : format_text("%.*s", len, digits);
}

void nvcc_command(args *a, const options *o, const char *nvcc, const char *include,
                  const char *input, const char *output) {
    /* -lineinfo: lines for messages and counters. What clang allows in device code is allowed, too.
     */
    static const char *const head[] = {"-x",
                                       "cu",
                                       "-lineinfo",
                                       "--expt-relaxed-constexpr",
                                       "--extended-lambda",
                                       "-Wno-deprecated-gpu-targets",
                                       NULL};
    static const char *const host[] = {"-g1",         "-ffp-contract=off",    "-Wall",
                                       "-Wno-unused", "-Wno-unknown-pragmas", NULL};
    const char *arch = architecture(o->arch);
    const char *std = o->std ? strchr(o->std, '=') + 1 : "c++17";
    args_push(a, nvcc);
    args_push_list(a, head);
    args_push(a, o->kind == OUTPUT_PTX ? "-ptx" : "-c");
    if (o->kind == OUTPUT_PTX) {
        args_push(a, format_text("-arch=compute_%s", arch));
    } else { /* PTX alone, as text */
        args_push(a, format_text("-gencode=arch=compute_%s,code=compute_%s", arch, arch));
        args_push(a, "-Xfatbin=-compress=false");
    }
    args_push(a, format_text("-std=%s%s", strncmp(std, "gnu", 3) == 0 ? "c" : "",
                             std + (strncmp(std, "gnu", 3) == 0 ? 3 : 0)));
    if (!o->contract)
        args_push(a, "-fmad=false");
    if (o->fast_math)
        args_push(a, "-use_fast_math");
    args_push(a, format_text("-I%s/nvcc", include));
    args_push(a, "-include");
    args_push(a, "vgpu_nvcc.h");
    shared_options(a, &o->both);
    to_host(a, o->host_level ? o->host_level : "-O3");
    for (const char *const *option = host; *option; option++)
        to_host(a, *option);
    for (size_t i = 0; i < o->host.count; i++)
        to_host(a, o->host.at[i]);
    args_push(a, "-o");
    args_push(a, output);
    args_push(a, input);
}
