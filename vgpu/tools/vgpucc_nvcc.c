/*
 * vgpucc_nvcc.c: the command line for nvcc; see vgpucc_nvcc.h.
 */
#include "vgpu/tools/vgpucc_nvcc.h"
#include "vgpu/tools/vgpucc_process.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* What tools/toolkit prints. Its variables go by the environment, so that no shell reads a path as
 * words. */
static char *ask_toolkit(const char *script, const char *kept) {
    const char *wanted = getenv("VGPU_NVCC");
    char said[16384];
    if (access(script, X_OK) != 0) {
        complain("--front nvcc: %s, which finds the CUDA toolkit, is missing", script);
        return NULL;
    }
    setenv("VGPU_TOOLKIT_SCRIPT", script, 1);
    setenv("BUILD", kept, 1);
    if (wanted && *wanted)
        setenv("NVCC", wanted, 1);
    FILE *answer = popen("exec \"$VGPU_TOOLKIT_SCRIPT\"", "re");
    const size_t length = answer ? fread(said, 1, sizeof said - 1, answer) : 0;
    said[length] = '\0';
    if (!answer || pclose(answer) != 0) {
        complain("--front nvcc: %s failed", script);
        return NULL;
    }
    return format_text("%s", said);
}

/* The value of a line NAME=VALUE from `at` on, NULL without one; *next is the line behind it. */
static char *fact(const char *at, const char *name, const char **next) {
    const size_t length = strlen(name);
    for (const char *line = at, *end; *line; line = end + (*end == '\n')) {
        end = line + strcspn(line, "\n");
        if (strncmp(line, name, length) != 0 || line[length] != '=')
            continue;
        if (next)
            *next = end;
        return format_text("%.*s", (int)(end - line) - (int)length - 1, line + length + 1);
    }
    return NULL;
}

bool find_toolkit(toolkit *t, const char *script, const char *kept) {
    const char *known = getenv("VGPU_TOOLKIT");
    const char *facts = known && *known ? known : ask_toolkit(script, kept);
    if (!facts)
        return false;
    t->nvcc = fact(facts, "nvcc", NULL);
    const char *why = fact(facts, "why", NULL);
    if (!t->nvcc) {
        complain(
            "--front nvcc: there is no nvcc: install the CUDA toolkit, set VGPU_NVCC, or leave the "
            "option out (clang needs no toolkit)");
    } else if (why) {
        complain(
            "--front nvcc: %s cannot be used: %s; leave the option out (clang needs no toolkit)",
            t->nvcc, why);
    }
    for (const char *at = facts, *folder; (folder = fact(at, "include", &at));) {
        args_push(&t->headers, "-isystem");
        args_push(&t->headers, folder);
    }
    return t->nvcc && !why;
}

char *find_host_compiler(void) {
    static const char *const names[] = {"g++", "c++", "clang++"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        char *found = find_program(names[i]);
        if (found)
            return found;
    }
    complain("--front nvcc: g++ is missing, and nvcc compiles host code with it: install it");
    return NULL;
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
    /* -lineinfo: lines for messages and counters.
     * What clang allows in device code is allowed, too. */
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
