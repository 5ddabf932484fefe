/*
 * vgpucc_options.c: reads the command line. Options are a table: what they look like, what they do,
 * and what --help says of them.
 */
#include "vgpu/tools/vgpucc_options.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* How an option takes its value. */
enum shape {
    ALONE,  /* -c                             */
    JOINED, /* -O2: the value is what follows */
    VALUE   /* -o x, -ox, --std=x, --std x     */
};

enum action {
    DO_OBJECT,
    DO_PTX,
    DO_PRECOMPILE,
    DO_HELP,
    DO_VERSION,
    DO_VERBOSE,
    DO_OUTPUT,
    DO_STD,
    DO_LEVEL,
    DO_LANGUAGE,
    DO_FMAD,
    DO_FRONT,
    DO_ARCH,
    DO_FAST_MATH,
    DO_BOTH,      /* the option, as given, for both passes           */
    DO_HOST,      /* for the host pass                               */
    DO_DEBUG,     /* the same, and kernels that can be watched       */
    DO_HOST_LINK, /* for the host pass and the linker                */
    DO_XCOMPILER, /* the value, split at commas, for host and linker */
    DO_XLINKER,
    DO_LINK,   /* in order with the inputs */
    DO_IGNORE, /* help says why            */
    DO_REFUSE  /* help says why            */
};

typedef struct option {
    const char *name;
    enum shape shape;
    enum action action;
    const char *help; /* NULL: not listed (an alias, or explained with its neighbour) */
} option;

/* Longer names before their prefixes. */
static const option table[] = {
    {"-o", VALUE, DO_OUTPUT,
     "FILE        write the output there (default: a.out, or NAME.o, NAME.ptx)"},
    {"-c", ALONE, DO_OBJECT, "            compile only: one object for each source"},
    {"-S", ALONE, DO_PTX, "            write the device code as PTX text"},
    {"--ptx", ALONE, DO_PTX, NULL},
    {"-ptx", ALONE, DO_PTX, NULL},
    {"--front", VALUE, DO_FRONT,
     "clang|nvcc  who compiles .cu files (default: clang; nvcc needs a CUDA toolkit)"},
    {"-x", VALUE, DO_LANGUAGE, "LANGUAGE    take the sources that follow as cu, c or c++"},
    {"--std", VALUE, DO_STD, NULL},
    {"-std", VALUE, DO_STD, "STANDARD    e.g. -std=c++14 (default: gnu++17)"},
    {"-O", JOINED, DO_LEVEL,
     "LEVEL       optimise host code (default: -O3); device code is always -O2"},
    {"-I", VALUE, DO_BOTH, "FOLDER      search it for headers"},
    {"-isystem", VALUE, DO_BOTH, NULL},
    {"-include", VALUE, DO_BOTH, NULL},
    {"-D", VALUE, DO_BOTH, "NAME[=TEXT] define a macro"},
    {"-U", VALUE, DO_BOTH, "NAME        undefine a macro"},
    {"-Wl,", JOINED, DO_LINK, NULL},
    {"-W", JOINED, DO_BOTH, "NAME        turn a warning on or off (-Wall is on)"},
    {"-w", ALONE, DO_BOTH, "            no warnings"},
    {"-pedantic", ALONE, DO_BOTH, NULL},
    {"--precompile", VALUE, DO_PRECOMPILE, NULL}, /* for the build: what it makes is found there */
    {"-gencode", VALUE, DO_IGNORE, NULL},
    {"--generate-code", VALUE, DO_IGNORE, NULL},
    {"-g", JOINED, DO_DEBUG,
     "            debugging information: for host code, and kernels that VGPU_FILM can film"},
    {"-Xcompiler", VALUE, DO_XCOMPILER,
     "OPTIONS     for the host pass and the linker, separated by commas"},
    {"--compiler-options", VALUE, DO_XCOMPILER, NULL},
    {"-Xlinker", VALUE, DO_XLINKER, "OPTIONS     for the linker, separated by commas"},
    {"--linker-options", VALUE, DO_XLINKER, NULL},
    {"-Xptxas", VALUE, DO_IGNORE, NULL},
    {"-Xfatbin", VALUE, DO_IGNORE, NULL},
    {"-Xnvlink", VALUE, DO_IGNORE, NULL},
    {"-fmad", VALUE, DO_FMAD,
     "true|false  may device code fuse a*b+c into one rounding? (default: true)"},
    {"--fmad", VALUE, DO_FMAD, NULL},
    {"-f", JOINED, DO_HOST_LINK, "NAME, -mNAME  for the host pass, as clang knows them"},
    {"-m64", ALONE, DO_IGNORE, NULL},
    {"-maxrregcount", VALUE, DO_IGNORE, NULL},
    {"--maxrregcount", VALUE, DO_IGNORE, NULL},
    {"-m", JOINED, DO_HOST_LINK, NULL},
    {"-pthread", ALONE, DO_HOST_LINK, NULL},
    {"-lineinfo", ALONE, DO_IGNORE, NULL},
    {"-lcublas", ALONE, DO_IGNORE, NULL},
    {"-lcublas_static", ALONE, DO_IGNORE, NULL},
    {"-lcublasLt", ALONE, DO_IGNORE, NULL},
    {"-lcudart", ALONE, DO_IGNORE, NULL},
    {"-lcudart_static", ALONE, DO_IGNORE, NULL},
    {"-lcuda", ALONE, DO_IGNORE, NULL},
    {"-L", VALUE, DO_LINK, "FOLDER      search it for libraries"},
    {"-l", VALUE, DO_LINK,
     "NAME        link a library; -lcudart, -lcublas and -lcuda are built in"},
    {"-s", ALONE, DO_LINK, NULL},
    {"-static", ALONE, DO_LINK, NULL},
    {"-rdc", VALUE, DO_REFUSE, NULL},
    {"--relocatable-device-code", VALUE, DO_REFUSE, NULL},
    {"-dc", ALONE, DO_REFUSE, NULL},
    {"-dlink", ALONE, DO_REFUSE, NULL},
    {"-arch", VALUE, DO_ARCH,
     "NAME, -gencode NAMES  accepted, ignored: the virtual GPU runs PTX for sm_80"},
    {"--gpu-architecture", VALUE, DO_ARCH, NULL},
    {"-code", VALUE, DO_IGNORE, NULL},
    {"--cuda-gpu-arch", VALUE, DO_IGNORE, NULL},
    {"--offload-arch", VALUE, DO_IGNORE, NULL},
    {"-G", ALONE, DO_IGNORE, NULL},
    {"-ccbin", VALUE, DO_IGNORE, NULL},
    {"--compiler-bindir", VALUE, DO_IGNORE, NULL},
    {"-cudart", VALUE, DO_IGNORE, NULL},
    {"--cudart", VALUE, DO_IGNORE, NULL},
    {"-use_fast_math", ALONE, DO_FAST_MATH,
     "  accepted, ignored: the fast functions are as exact here as the others"},
    {"--use_fast_math", ALONE, DO_FAST_MATH, NULL},
    {"--expt-relaxed-constexpr", ALONE, DO_IGNORE, NULL},
    {"-expt-relaxed-constexpr", ALONE, DO_IGNORE, NULL},
    {"--extended-lambda", ALONE, DO_IGNORE, NULL},
    {"-extended-lambda", ALONE, DO_IGNORE, NULL},
    {"--expt-extended-lambda", ALONE, DO_IGNORE, NULL},
    {"--threads", VALUE, DO_IGNORE, NULL},
    {"-t", VALUE, DO_IGNORE, NULL},
    {"--generate-line-info", ALONE, DO_IGNORE, NULL},
    {"--resource-usage", ALONE, DO_IGNORE, NULL},
    {"--verbose", ALONE, DO_VERBOSE, "     print the commands that are run"},
    {"-v", ALONE, DO_VERBOSE, NULL},
    {"--help", ALONE, DO_HELP, "        this text"},
    {"-h", ALONE, DO_HELP, NULL},
    {"--version", ALONE, DO_VERSION, "     the version of vgpucc"},
};

enum { TABLE_LEN = sizeof table / sizeof *table };

/* ---- help ---- */

static void print_help(void) {
    puts("Usage: vgpucc [OPTION]… FILE…\n"
         "\n"
         "Compiles CUDA C++ for the virtual GPU: .cu files, and .c, .cpp, .o and .a files to go "
         "with\n"
         "them, become a program that runs without a GPU. Needs clang, no CUDA toolkit.\n");
    for (int i = 0; i < TABLE_LEN; i++)
        if (table[i].help)
            printf("  %s %s\n", table[i].name, table[i].help);
    puts(
        "\n"
        "Accepted and ignored, because they have no meaning here: -G, -lineinfo, -ccbin, -cudart,\n"
        "-maxrregcount, -Xptxas, -Xfatbin, --extended-lambda, --expt-relaxed-constexpr, "
        "--threads.\n"
        "Refused: -rdc=true, -dc (device code is linked within one file only).\n"
        "\n"
        "Environment: VGPU_FRONT  clang or nvcc, when --front is not given\n"
        "             VGPU_CLANG  the clang++ to use (default: clang++, clang++-19 … -14 on PATH)\n"
        "             VGPU_NVCC   the nvcc to use (default: see tools/toolkit)\n"
        "             VGPU_HOME   where the kit's sources lie, for its headers\n"
        "             VGPU_PCH    none: do without precompiled headers; must: refuse to\n"
        "             TMPDIR      where intermediate files go\n"
        "\n"
        "Exit status: 0 done, 1 the program doesn't compile or link, 2 vgpucc can't do its work;\n"
        "70, or 128 + a signal: the compiler broke down.");
}

/* ---- reading ---- */

static void add_item(options *o, const char *text, enum language language) {
    link_item *items = realloc(o->items, (o->num_items + 1) * sizeof *items);
    if (!items) {
        complain("out of memory");
        exit(2);
    }
    o->items = items;
    o->items[o->num_items++] = (link_item){text, language};
}

static bool ends_in(const char *text, const char *end) {
    size_t n = strlen(text);
    size_t m = strlen(end);
    return n > m && strcmp(text + n - m, end) == 0;
}

/* What a file is, by its name. */
static enum language language_of(const char *file) {
    if (ends_in(file, ".cu"))
        return LANG_CUDA;
    if (ends_in(file, ".c"))
        return LANG_C;
    if (ends_in(file, ".cpp") || ends_in(file, ".cc") || ends_in(file, ".cxx") ||
        ends_in(file, ".C"))
        return LANG_CXX;
    return LANG_NONE;
}

/* The table entry for an argument, with its value found; NULL if there is none. *i moves on when
 * the value is the next argument. */
static const option *match(int argc, char **argv, int *i, const char **value) {
    const char *arg = argv[*i];
    for (int k = 0; k < TABLE_LEN; k++) {
        const option *opt = &table[k];
        size_t len = strlen(opt->name);
        if (strncmp(arg, opt->name, len) != 0)
            continue;
        const char *rest = arg + len;
        *value = rest;
        if (opt->shape == JOINED || (opt->shape == ALONE && *rest == '\0'))
            return opt;
        if (opt->shape == ALONE)
            continue;
        if (*rest == '=') {
            *value = rest + 1;
            return opt;
        }
        /* -Ifolder is joined; -gencodeX is some other option. */
        bool may_join = len == 2;
        if (*rest != '\0' && !may_join)
            continue;
        if (*rest == '\0') {
            if (*i + 1 >= argc) {
                complain("option %s needs a value", arg);
                *value = NULL;
                return opt;
            }
            *value = argv[++*i];
        }
        return opt;
    }
    return NULL;
}

static void push_split(args *to, args *also, const char *list) {
    char *copy = format_text("%s", list);
    char *rest = NULL;
    for (char *part = strtok_r(copy, ",", &rest); part; part = strtok_r(NULL, ",", &rest)) {
        args_push(to, part);
        if (also)
            args_push(also, part);
    }
}

static bool set_language(const char *value, enum language *forced) {
    if (strcmp(value, "cu") == 0 || strcmp(value, "cuda") == 0)
        *forced = LANG_CUDA;
    else if (strcmp(value, "c") == 0)
        *forced = LANG_C;
    else if (strcmp(value, "c++") == 0)
        *forced = LANG_CXX;
    else if (strcmp(value, "none") == 0)
        *forced = LANG_NONE;
    else {
        complain("-x %s: unknown language; use cu, c, c++ or none", value);
        return false;
    }
    return true;
}

static bool set_front(options *o, const char *how, const char *value) {
    if (strcmp(value, "clang") != 0 && strcmp(value, "nvcc") != 0) {
        complain("%s: unknown front end '%s'; use clang or nvcc", how, value);
        return false;
    }
    o->front = strcmp(value, "nvcc") == 0 ? FRONT_NVCC : FRONT_CLANG;
    return true;
}

static bool set_pass(options *o, const char *value) {
    if (strcmp(value, "device") != 0 && strcmp(value, "host") != 0) {
        complain("--precompile %s: unknown pass; use device or host", value);
        return false;
    }
    o->kind = OUTPUT_HEADERS;
    o->front = FRONT_CLANG; /* nvcc knows no such headers */
    o->headers = strcmp(value, "host") == 0 ? PASS_HOST : PASS_DEVICE;
    return true;
}

static enum parsed refuse(const option *opt, const char *value) {
    if (strcmp(value, "false") == 0)
        return PARSED_OK;
    complain(
        "%s: device code that calls into other files is not supported: put kernels and the device "
        "functions they call into one file, or #include it",
        opt->name);
    return PARSED_WRONG;
}

/* Carries out one option. arg is the argument as written, value its value. */
static enum parsed apply(options *o, const option *opt, const char *arg, const char *value,
                         enum language *forced) {
    switch (opt->action) {
    case DO_OBJECT: o->kind = OUTPUT_OBJECT; break;
    case DO_PTX: o->kind = OUTPUT_PTX; break;
    case DO_HELP: print_help(); return PARSED_DONE;
    case DO_VERSION:
        puts("vgpucc 1.0, a compiler driver for the virtual GPU; CUDA 13.0 runtime API, PTX for "
             "sm_80");
        return PARSED_DONE;
    case DO_VERBOSE: o->verbose = true; break;
    case DO_OUTPUT: o->output = value; break;
    case DO_STD: o->std = format_text("-std=%s", value); break;
    case DO_LEVEL: o->host_level = arg; break;
    case DO_LANGUAGE: return set_language(value, forced) ? PARSED_OK : PARSED_WRONG;
    case DO_PRECOMPILE: return set_pass(o, value) ? PARSED_OK : PARSED_WRONG;
    case DO_FRONT: return set_front(o, opt->name, value) ? PARSED_OK : PARSED_WRONG;
    case DO_ARCH: o->arch = value; break;
    case DO_FAST_MATH: o->fast_math = true; break;
    case DO_FMAD: o->contract = strcmp(value, "false") != 0 && strcmp(value, "0") != 0; break;
    case DO_BOTH:
        if (opt->shape == VALUE) {
            args_push(&o->both, opt->name);
            args_push(&o->both, value);
        } else {
            args_push(&o->both, arg);
        }
        break;
    case DO_HOST: args_push(&o->host, arg); break;
    case DO_DEBUG:
        o->watched = strcmp(arg, "-g0") != 0 && strncmp(arg, "-gline", 6) != 0;
        args_push(&o->host, arg);
        break;
    case DO_HOST_LINK:
        args_push(&o->host, arg);
        args_push(&o->link, arg);
        break;
    case DO_XCOMPILER: push_split(&o->host, &o->link, value); break;
    case DO_XLINKER: {
        args parts = {0};
        push_split(&parts, NULL, value);
        for (size_t i = 0; i < parts.count; i++) {
            add_item(o, "-Xlinker", LANG_NONE);
            add_item(o, parts.at[i], LANG_NONE);
        }
        args_free(&parts);
        break;
    }
    case DO_LINK:
        add_item(o, opt->shape == VALUE ? format_text("%s%s", opt->name, value) : arg, LANG_NONE);
        break;
    case DO_IGNORE: break;
    case DO_REFUSE: return refuse(opt, value);
    }
    return PARSED_OK;
}

enum parsed options_parse(options *o, int argc, char **argv) {
    enum language forced = LANG_NONE;
    bool no_more = false;
    const char *front = getenv("VGPU_FRONT");
    o->contract = true;
    if (front && *front && !set_front(o, "VGPU_FRONT", front))
        return PARSED_WRONG;
    for (int i = 1; i < argc; i++) {
        const char *arg = argv[i];
        if (arg[0] == '@' && !no_more) {
            complain("%s: response files are not supported: write the options out", arg);
            return PARSED_WRONG;
        }
        if (arg[0] != '-' || no_more) {
            add_item(o, arg, forced != LANG_NONE ? forced : language_of(arg));
            continue;
        }
        if (strcmp(arg, "--") == 0) {
            no_more = true;
            continue;
        }
        const char *value = NULL;
        const option *opt = match(argc, argv, &i, &value);
        if (!opt) {
            complain(
                "unknown option %s (vgpucc --help lists them; -Xcompiler passes one on to clang)",
                arg);
            return PARSED_WRONG;
        }
        if (!value)
            return PARSED_WRONG;
        enum parsed result = apply(o, opt, arg, value, &forced);
        if (result != PARSED_OK)
            return result;
    }
    return PARSED_OK;
}

size_t options_sources(const options *o) {
    size_t count = 0;
    for (size_t i = 0; i < o->num_items; i++)
        count += o->items[i].language != LANG_NONE;
    return count;
}

void options_free(options *o) {
    args_free(&o->both);
    args_free(&o->host);
    args_free(&o->link);
    free(o->items);
}
