/*
 * vgpucc_commands.c: which options every compiler gets, and why; see vgpucc_commands.h.
 */
#include "vgpu/tools/vgpucc_commands.h"

#include "vgpu/tools/terminal.h"
#include "vgpu/tools/vgpucc_mend.h"

#include <stdlib.h>
#include <string.h>

/* What beginners should hear of, without a word about the unfinished: a skeleton with its TODOs has
 * unused parameters, variables and functions. */
static const char *const warnings[] = {
    "-Wall", "-Wno-unused", "-Wno-unknown-pragmas", "-Wno-pass-failed",
    /* Errors of clang, and warnings of nvcc: float f[] = {x} with a double x, and old programs'
     * `register int i`. */
    "-Wno-error=c++11-narrowing", "-Wno-error=register", NULL};

/* Fresh memory has some value, as with g++ and nvcc, and an allocation takes place and may fail:
 * where clang knows that a program reads what nobody wrote, it leaves out all that follows, and
 * main runs into the next function; where a pointer is only compared and freed, it does not ask. */
#define UNKNOWN_MEMORY "-fno-builtin-malloc", "-fno-assume-sane-operator-new"
static const char *const unknown_memory[] = {UNKNOWN_MEMORY, NULL};

static const char *const plain_warnings[] = {"-Wall", "-Wno-unused", "-Wno-unknown-pragmas", NULL};

/* What both halves of the device pass are told of optimising: identical ends of two branches stay
 * apart, and vectors in one piece, as with nvcc (vgpucc_vectors.h); loops of constant length are
 * unrolled where nvcc would: 32 steps of a tile's sums have some 400 instructions. */
static const char *const optimise[] = {
    "-O2",
    "-fno-finite-loops", /* a loop without end stays one, and is told; it is not optimised away */
    UNKNOWN_MEMORY,
    "-mllvm",
    "-simplifycfg-sink-common=false",
    "-mllvm",
    "-disable-vector-combine",
    NULL};

/* So long may a loop of constant length be, in instructions once it is unrolled; and where arrays
 * would stay in memory: an outer product of 16 x 8 elements has some 1000. */
#define UNROLL_LENGTH "600"
#define UNROLL_LONGER "2000"

/* Code that a program guards by the architecture is that of the one it asks for. */
static void push_architecture(args *a, const options *o) {
    const int macro = arch_macro(&o->wanted);
    if (macro == 10 * ARCH_DEFAULT)
        return;
    args_push(a, "-Wno-builtin-macro-redefined");
    args_push(a, "-U__CUDA_ARCH__");
    args_push(a, format_text("-D__CUDA_ARCH__=%d", macro));
}

static void device_options(args *a, const options *o) {
    static const char *const head[] = {"-x",
                                       "cuda",
                                       "--cuda-device-only",
                                       "--cuda-gpu-arch=sm_80",
                                       "-gline-tables-only",
                                       "-fdebug-compilation-dir=.", /* files by the names given */
                                       "-fno-crash-diagnostics", /* the status tells of a crash */
                                       "-ftrivial-auto-var-init=pattern",
                                       "-Xclang",
                                       "-target-feature",
                                       "-Xclang",
                                       "+ptx70",
                                       NULL};
    args_push_list(a, head);
    push_architecture(a, o);
    args_push_list(a, optimise);
    args_push(a, o->contract ? "-ffp-contract=fast" : "-ffp-contract=off");
    if (!o->contract)
        args_push(a, "-DVGPU_NO_FMAD"); /* for halves: see vgpu_half_ops.h */
}

/* Device code as it stands in the source, every variable in memory, with names and types. The
 * values that nobody set are those of the other build. */
static void watched_options(args *a, const options *o) {
    static const char *const head[] = {"-x",
                                       "cuda",
                                       "--cuda-device-only",
                                       "--cuda-gpu-arch=sm_80",
                                       "-g",
                                       "-fdebug-compilation-dir=.",
                                       "-fno-crash-diagnostics",
                                       "-ftrivial-auto-var-init=pattern",
                                       "-Xclang",
                                       "-target-feature",
                                       "-Xclang",
                                       "+ptx70",
                                       "-w",
                                       NULL};
    args_push_list(a, head);
    push_architecture(a, o);
    args_push(a, o->contract ? "-ffp-contract=fast" : "-ffp-contract=off");
    if (!o->contract)
        args_push(a, "-DVGPU_NO_FMAD");
}

/* Calls that end alike, in a switch for example, stay apart: merged, they have no line. */
static const char *const apart[] = {"-mllvm", "-enable-tail-merge=0", NULL};

static void host_options(args *a, const options *o) {
    /* Lines: so that a leak can be told with the line that allocated it. */
    static const char *const head[] = {"-x", "cuda", "--cuda-host-only", "-gline-tables-only",
                                       "-fdebug-compilation-dir=.", "-fno-crash-diagnostics",
                                       /* as in device code: what nobody set is NaN, in every run */
                                       "-ftrivial-auto-var-init=pattern", NULL};
    args_push_list(a, head);
    args_push_list(a, apart);
    args_push(a, o->host_level ? o->host_level : "-O3");
    /* One rounding for each operation, so that host results are the same on every processor. */
    args_push(a, "-ffp-contract=off");
    args_push_list(a, unknown_memory);
    /* So that those of device variables can be put apart: vgpucc_shadows.h. */
    args_push(a, "-fdata-sections");
}

/* A pass without what the command line adds to it. */
static void own_pass_options(args *a, enum pass pass, const options *o, const setup *s) {
    static const char *const cuda[] = {
        "--cuda-path=/nonexistent", "-nocudainc", "-nocudalib", "-Xclang",
        "-target-sdk-version=11.5", NULL};
    args_push(a, s->clangxx);
    switch (pass) {
    case PASS_DEVICE: device_options(a, o); break;
    case PASS_WATCHED: watched_options(a, o); break;
    case PASS_HOST: host_options(a, o); break;
    }
    args_push_list(a, cuda);
    args_push(a, "-isystem");
    args_push(a, s->include);
    args_push_list(a, warnings);
    args_push(a, o->std ? o->std : "-std=gnu++17");
}

void pass_options(args *a, enum pass pass, const options *o, const setup *s) {
    own_pass_options(a, pass, o, s);
    if (pass == PASS_HOST)
        args_push_all(a, &o->host);
}

/* The headers, in either form, and what comes with the program. */
static void source_options(args *a, const options *o, const char *input, const char *headers) {
    args_push(a, headers ? "-include-pch" : "-include");
    args_push(a, headers ? headers : HEADERS_PRELUDE);
    if (o->relocatable) {
        args_push(a, "-include");
        args_push(a, "vgpu_relocatable.h");
    }
    if (terminal_wants_colour(stderr))
        args_push(a, "-fcolor-diagnostics");
    args_push_all(a, &o->both);
    mend_sources(a, input);
}

static void push_files(args *a, const char *input, const char *output) {
    args_push(a, "-o");
    args_push(a, output);
    args_push(a, "--");
    args_push(a, input);
}

void device_command(args *a, const options *o, const setup *s, const char *input,
                    const char *output, bool llvm_text, const char *headers) {
    static const char *const text[] = {"-emit-llvm", "-Xclang", "-disable-llvm-passes", NULL};
    own_pass_options(a, PASS_DEVICE, o, s);
    source_options(a, o, input, headers);
    args_push(a, "-S");
    if (llvm_text)
        args_push_list(a, text);
    push_files(a, input, output);
}

void watched_command(args *a, const options *o, const setup *s, const char *input,
                     const char *output, bool llvm_text, const char *own) {
    /* Only a front end that expects an optimiser marks the copies of vectors; there is none. */
    static const char *const text[] = {"-O1",     "--cuda-noopt-device-debug", "-emit-llvm",
                                       "-Xclang", "-disable-llvm-passes",      NULL};
    static const char *const list[] = {"-MMD", "-MV", "-MT", "own", "-MF", NULL};
    own_pass_options(a, PASS_WATCHED, o, s);
    source_options(a, o, input, NULL);
    args_push(a, "-S");
    if (llvm_text)
        args_push_list(a, text);
    else
        args_push(a, "-O0");
    args_push_list(a, list);
    args_push(a, own);
    push_files(a, input, output);
}

void back_end_command(args *a, const options *o, const setup *s, const char *text, const char *ptx,
                      enum back_end how) {
    static const char *const usual[] = {"-mllvm", "-unroll-threshold=" UNROLL_LENGTH, NULL};
    static const char *const longer[] = {"-mllvm", "-unroll-threshold=" UNROLL_LONGER, NULL};
    static const char *const head[] = {"-x",
                                       "ir",
                                       "--target=nvptx64-nvidia-cuda",
                                       "-Xclang",
                                       "-target-cpu",
                                       "-Xclang",
                                       "sm_80",
                                       "-Xclang",
                                       "-target-feature",
                                       "-Xclang",
                                       "+ptx70",
                                       "-w",
                                       "-Wno-unused-command-line-argument",
                                       "-S",
                                       NULL};
    args_push(a, s->clangxx);
    args_push_list(a, head);
    if (how == BACK_END_WATCHED)
        args_push(a, "-O0");
    else
        args_push_list(a, optimise);
    if (how != BACK_END_WATCHED)
        args_push_list(a, how == BACK_END_UNROLLED ? longer : usual);
    args_push(a, o->contract ? "-ffp-contract=fast" : "-ffp-contract=off");
    push_files(a, text, ptx);
}

/* What a C or C++ file is compiled with. */
static void plain_options(args *a, const options *o, const setup *s, const link_item *item) {
    bool c = item->language == LANG_C;
    args_push(a, s->clangxx);
    args_push(a, "-x");
    args_push(a, c ? "c" : "c++");
    args_push_list(a, apart);
    args_push(a, o->host_level ? o->host_level : "-O3");
    args_push(a, "-ffp-contract=off");
    if (s->cuda.nvcc) {
        args_push_all(a, &s->cuda.headers);
    } else {
        args_push(a, "-isystem");
        args_push(a, s->include);
    }
    args_push_list(a, s->cuda.nvcc ? plain_warnings : warnings);
    /* A C++ standard is no standard for C, and the other way round. */
    if (o->std && c == !strstr(o->std, "++"))
        args_push(a, o->std);
    args_push_all(a, &o->both);
}

/* The rule's target is what -o names, also where the object lies in a folder of ours first. */
static void push_dependencies(args *a, const options *o) {
    bool named = false;
    for (size_t i = 0; i < o->dependencies.count; i++)
        named = named || strcmp(o->dependencies.at[i], "-MT") == 0 ||
                strcmp(o->dependencies.at[i], "-MQ") == 0;
    args_push_all(a, &o->dependencies);
    if (o->dependencies.count > 0 && !named && o->output && o->kind == OUTPUT_PROGRAM) {
        args_push(a, "-MT");
        args_push(a, o->output);
    }
}

void host_command(args *a, const options *o, const setup *s, const char *input, const char *ptx,
                  const char *object, const char *headers) {
    static const char *const binary[] = {"-Xclang", "-fcuda-include-gpubinary", "-Xclang", NULL};
    own_pass_options(a, PASS_HOST, o, s);
    args_push_list(a, binary);
    args_push(a, ptx);
    source_options(a, o, input, headers);
    args_push_all(a, &o->host);
    push_dependencies(a, o);
    args_push(a, "-c");
    push_files(a, input, object);
}

void device_constants_command(args *a, const options *o, const setup *s, const char *input,
                              const char *output) {
    static const char *const text[] = {"-w",      "-fkeep-static-consts", "-S", "-emit-llvm",
                                       "-Xclang", "-disable-llvm-passes", NULL};
    own_pass_options(a, PASS_DEVICE, o, s);
    source_options(a, o, input, NULL);
    args_push_list(a, text);
    push_files(a, input, output);
}

void host_front_command(args *a, const options *o, const setup *s, const char *input,
                        const char *ptx, const char *output) {
    static const char *const text[] = {
        "-Xclang", "-disable-llvm-passes", "-S", "-emit-llvm", "-w", "-Xclang", NULL};
    static const char *const binary[] = {"-fcuda-include-gpubinary", "-Xclang", NULL};
    own_pass_options(a, PASS_HOST, o, s);
    args_push_list(a, text);
    args_push_list(a, binary);
    args_push(a, ptx);
    source_options(a, o, input, NULL);
    args_push_all(a, &o->host);
    push_files(a, input, output);
}

void host_back_command(args *a, const options *o, const setup *s, const char *text,
                       const char *object) {
    static const char *const head[] = {"-x",
                                       "ir",
                                       "-w",
                                       "-Wno-unused-command-line-argument",
                                       "-ffp-contract=off",
                                       "-fdata-sections",
                                       "-c",
                                       NULL};
    args_push(a, s->clangxx);
    args_push_list(a, head);
    args_push_list(a, apart);
    args_push(a, o->host_level ? o->host_level : "-O3");
    args_push_all(a, &o->host);
    push_files(a, text, object);
}

void text_command(args *a, const options *o, const setup *s, const link_item *item) {
    if (item->language == LANG_CUDA) {
        own_pass_options(a, PASS_HOST, o, s);
        source_options(a, o, item->text, NULL);
    } else {
        plain_options(a, o, s, item);
    }
    args_push_all(a, &o->host);
    args_push_all(a, &o->dependencies);
    args_push(a, o->text_option);
    if (o->output) {
        args_push(a, "-o");
        args_push(a, o->output);
    }
    args_push(a, "--");
    args_push(a, item->text);
}

void plain_command(args *a, const options *o, const setup *s, const link_item *item,
                   const char *object) {
    plain_options(a, o, s, item);
    push_dependencies(a, o);
    args_push_all(a, &o->host);
    args_push(a, "-c");
    args_push(a, "-o");
    args_push(a, object);
    if (!s->cuda.nvcc) /* g++ knows no "--"; a name with a dash in front is none of our inputs */
        args_push(a, "--");
    args_push(a, item->text);
}

/* NAME.suffix in the folder (NULL: the current one), for ANYWHERE/NAME.cu. */
char *default_output(const char *folder, const char *input, const char *suffix) {
    const char *slash = strrchr(input, '/');
    const char *name = slash ? slash + 1 : input;
    const char *dot = strrchr(name, '.');
    int len = dot ? (int)(dot - name) : (int)strlen(name);
    return format_text("%s%s%.*s.%s", folder ? folder : "", folder ? "/" : "", len, name, suffix);
}
