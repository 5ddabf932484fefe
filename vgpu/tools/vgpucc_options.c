/*
 * vgpucc_options.c: reads the command line. Options are a table: what they look like, what they do,
 * and what --help says of them.
 */
#include "vgpu/tools/vgpucc_options.h"

#include "vgpu/tools/vgpucc_missing.h"
#include "vgpu/tools/vgpucc_text.h"

#include <ctype.h>
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
    DO_PREPROCESS, /* -E, -M, -MM */
    DO_LIBRARY,
    DO_DEPENDENCIES, /* -MD and its kin: the host pass writes them beside the object */
    DO_KEEP,
    DO_KEEP_DIR,
    DO_FOLDER,
    DO_FILE,
    DO_DRY_RUN,
    DO_TELL, /* -v: as nvcc tells it, for tools that read that */
    DO_PTXAS,
    DO_RESOURCES,
    DO_WERROR,
    DO_NOT_MACHINE_CODE,
    DO_PRECOMPILE,
    DO_HELP,
    DO_VERSION,
    DO_LIST_ARCH,
    DO_LIST_CODE,
    DO_RUN,
    DO_VERBOSE,
    DO_OUTPUT,
    DO_STD,
    DO_LEVEL,
    DO_LANGUAGE,
    DO_FMAD,
    DO_FRONT,
    DO_ARCH,
    DO_GENCODE,
    DO_FAST_MATH,
    DO_BOTH,      /* the option, as given, for both passes           */
    DO_HOST,      /* for the host pass                               */
    DO_DEBUG,     /* the same, and kernels that can be watched       */
    DO_HOST_LINK, /* for the host pass and the linker                */
    DO_XCOMPILER, /* the value, split at commas, for host and linker */
    DO_XLINKER,
    DO_LINK,        /* in order with the inputs */
    DO_RELOCATABLE, /* -rdc, -dc */
    DO_DEVICE_LINK, /* -dlink: nothing is left to do, but the object is asked for */
    DO_IGNORE       /* help says why            */
};

typedef struct option {
    const char *name;
    enum shape shape;
    enum action action;
    const char *help; /* its argument, a tab, what it does; NULL: not listed (an alias, or explained
                         with its neighbour) */
} option;

/* nvcc's long names of options that have short ones. */
static const char *const long_names[][2] = {{"--include-path", "-I"},
                                            {"--system-include", "-isystem"},
                                            {"--pre-include", "-include"},
                                            {"--define-macro", "-D"},
                                            {"--undefine-macro", "-U"},
                                            {"--library-path", "-L"},
                                            {"--library", "-l"},
                                            {"--output-file", "-o"},
                                            {"--optimize", "-O"},
                                            {"--compile", "-c"},
                                            {"--x", "-x"},
                                            {"--debug", "-g"},
                                            {"--device-debug", "-G"},
                                            {"--profile", "-pg"},
                                            {"--disable-warnings", "-w"},
                                            {"--run", "-run"}};

/* Longer names before their prefixes. */
static const option table[] = {
    {"-odir", VALUE, DO_FOLDER, "FOLDER\twrite objects to FOLDER"},
    {"--output-directory", VALUE, DO_FOLDER, NULL},
    {"--options-file", VALUE, DO_FILE, "FILE\tread more options from a file"},
    {"-optf", VALUE, DO_FILE, NULL},
    {"-optix-ir", ALONE, DO_NOT_MACHINE_CODE, NULL},
    {"--optix-ir", ALONE, DO_NOT_MACHINE_CODE, NULL},
    {"-o", VALUE, DO_OUTPUT,
     "FILE\twrite the output to FILE (default: a.out, or NAME.o, NAME.ptx)"},
    {"-c", ALONE, DO_OBJECT, "\tcompile only: one object for each source"},
    {"-S", ALONE, DO_PTX, "\twrite the device code as PTX text"},
    {"--ptx", ALONE, DO_PTX, NULL},
    {"-ptx", ALONE, DO_PTX, NULL},
    {"--front", VALUE, DO_FRONT,
     "clang|nvcc\tthe compiler of .cu files (default: clang; nvcc needs a CUDA toolkit)"},
    {"-E", ALONE, DO_PREPROCESS, "\tprint the preprocessed source of the host pass"},
    {"--preprocess", ALONE, DO_PREPROCESS, NULL},
    {"-MD", ALONE, DO_DEPENDENCIES,
     "\twrite a list of the files it was made from beside the object, for make"},
    {"-MMD", ALONE, DO_DEPENDENCIES, NULL},
    {"-MP", ALONE, DO_DEPENDENCIES, NULL},
    {"-MF", VALUE, DO_DEPENDENCIES, NULL},
    {"-MT", VALUE, DO_DEPENDENCIES, NULL},
    {"-MQ", VALUE, DO_DEPENDENCIES, NULL},
    {"-MM", ALONE, DO_PREPROCESS, NULL},
    {"-M", ALONE, DO_PREPROCESS, "\tprint that list, and compile nothing"},
    {"-lib", ALONE, DO_LIBRARY, "\tput the objects into the archive that -o names"},
    {"--lib", ALONE, DO_LIBRARY, NULL},
    {"-shared", ALONE, DO_LINK, "\tlink a shared library (its sources with -Xcompiler -fPIC)"},
    {"--shared", ALONE, DO_LINK, NULL},
    {"--keep", ALONE, DO_KEEP, "\tkeep the PTX of each .cu file, as NAME.ptx"},
    {"-keep", ALONE, DO_KEEP, NULL},
    {"--keep-dir", VALUE, DO_KEEP_DIR, "FOLDER\tkeep them in FOLDER"},
    {"-keep-dir", VALUE, DO_KEEP_DIR, NULL},
    {"-run", ALONE, DO_RUN, "\trun the program, too"},
    {"--dryrun", ALONE, DO_DRY_RUN, "\tprint the commands, run none"},
    {"-dryrun", ALONE, DO_DRY_RUN, NULL},
    {"-cubin", ALONE, DO_NOT_MACHINE_CODE, NULL},
    {"--cubin", ALONE, DO_NOT_MACHINE_CODE, NULL},
    {"-fatbin", ALONE, DO_NOT_MACHINE_CODE, NULL},
    {"--fatbin", ALONE, DO_NOT_MACHINE_CODE, NULL},
    {"-x", VALUE, DO_LANGUAGE, "LANGUAGE\ttreat the sources that follow as cu, c or c++"},
    {"--std", VALUE, DO_STD, NULL},
    {"-std", VALUE, DO_STD, "STANDARD\te.g. -std=c++14 (default: gnu++17)"},
    {"-O", JOINED, DO_LEVEL, "LEVEL\toptimise host code (default: -O3); device code is always -O2"},
    {"-I", VALUE, DO_BOTH, "FOLDER\tsearch it for headers"},
    {"-isystem", VALUE, DO_BOTH, NULL},
    {"-include", VALUE, DO_BOTH, NULL},
    {"-D", VALUE, DO_BOTH, "NAME[=TEXT]\tdefine a macro"},
    {"-U", VALUE, DO_BOTH, "NAME\tundefine a macro"},
    {"-Wl,", JOINED, DO_LINK, NULL},
    {"-Wno-deprecated-gpu-targets", ALONE, DO_IGNORE, NULL},
    {"-Werror", VALUE, DO_WERROR, NULL},
    {"--Werror", VALUE, DO_WERROR, NULL},
    {"-W", JOINED, DO_BOTH, "NAME\tturn a warning on or off (-Wall is on)"},
    {"-w", ALONE, DO_BOTH, "\tno warnings"},
    {"-pedantic", ALONE, DO_BOTH, NULL},
    {"--precompile", VALUE, DO_PRECOMPILE, NULL}, /* for the build: what it makes is found there */
    {"-gencode", VALUE, DO_GENCODE, NULL},
    {"--generate-code", VALUE, DO_GENCODE, NULL},
    {"-g", JOINED, DO_DEBUG,
     "\tdebugging information; also for films and vgpu-debug, unless --front is nvcc"},
    {"-Xcompiler", VALUE, DO_XCOMPILER,
     "OPTIONS\tfor the host pass and the linker, separated by commas or blanks"},
    {"--compiler-options", VALUE, DO_XCOMPILER, NULL},
    {"-Xlinker", VALUE, DO_XLINKER, "OPTIONS\tfor the linker, separated by commas"},
    {"--linker-options", VALUE, DO_XLINKER, NULL},
    {"-Xptxas", VALUE, DO_PTXAS, NULL},
    {"--ptxas-options", VALUE, DO_PTXAS,
     "=-v\tprint each kernel's registers, as estimated, and shared memory (also -Xptxas -v)"},
    {"-Xcudafe", VALUE, DO_IGNORE, NULL},
    {"--cudafe-options", VALUE, DO_IGNORE, NULL},
    {"-res-usage", ALONE, DO_RESOURCES, NULL},
    {"--resource-usage", ALONE, DO_RESOURCES, NULL},
    {"-ftz", VALUE, DO_IGNORE, NULL},
    {"--ftz", VALUE, DO_IGNORE, NULL},
    {"-prec-div", VALUE, DO_IGNORE, NULL},
    {"--prec-div", VALUE, DO_IGNORE, NULL},
    {"-prec-sqrt", VALUE, DO_IGNORE, NULL},
    {"--prec-sqrt", VALUE, DO_IGNORE, NULL},
    {"-diag-suppress", VALUE, DO_IGNORE, NULL},
    {"--diag-suppress", VALUE, DO_IGNORE, NULL},
    {"-diag-error", VALUE, DO_IGNORE, NULL},
    {"-forward-unknown-to-host-compiler", ALONE, DO_IGNORE, NULL},
    {"--forward-unknown-to-host-compiler", ALONE, DO_IGNORE, NULL},
    {"-allow-unsupported-compiler", ALONE, DO_IGNORE, NULL},
    {"--allow-unsupported-compiler", ALONE, DO_IGNORE, NULL},
    {"--display-error-number", ALONE, DO_IGNORE, NULL},
    {"--default-stream", VALUE, DO_IGNORE, NULL},
    {"-default-stream", VALUE, DO_IGNORE, NULL},
    {"-split-compile", VALUE, DO_IGNORE, NULL},
    {"--split-compile", VALUE, DO_IGNORE, NULL},
    {"-time", VALUE, DO_IGNORE, NULL},
    {"--time", VALUE, DO_IGNORE, NULL},
    {"-dlto", ALONE, DO_IGNORE, NULL},
    {"--dlink-time-opt", ALONE, DO_IGNORE, NULL},
    {"-extra-device-vectorization", ALONE, DO_IGNORE, NULL},
    {"--extra-device-vectorization", ALONE, DO_IGNORE, NULL},
    {"-restrict", ALONE, DO_IGNORE, NULL},
    {"--restrict", ALONE, DO_IGNORE, NULL},
    {"-src-in-ptx", ALONE, DO_IGNORE, NULL},
    {"--source-in-ptx", ALONE, DO_IGNORE, NULL},
    {"-nodlink", ALONE, DO_IGNORE, NULL},
    {"--no-device-link", ALONE, DO_IGNORE, NULL},
    {"-no-compress", ALONE, DO_IGNORE, NULL},
    {"--no-compress", ALONE, DO_IGNORE, NULL},
    {"-compress-mode", VALUE, DO_IGNORE, NULL},
    {"--compress-mode", VALUE, DO_IGNORE, NULL},
    {"-Xfatbin", VALUE, DO_IGNORE, NULL},
    {"-Xnvlink", VALUE, DO_IGNORE, NULL},
    {"-fmad", VALUE, DO_FMAD,
     "true|false\tmay device code fuse a*b+c into one rounding? (default: true)"},
    {"--fmad", VALUE, DO_FMAD, NULL},
    {"-f", JOINED, DO_HOST_LINK, "NAME, -mNAME\tfor the host pass, as clang knows them"},
    {"-m64", ALONE, DO_IGNORE, NULL},
    {"-maxrregcount", VALUE, DO_IGNORE, NULL},
    {"--maxrregcount", VALUE, DO_IGNORE, NULL},
    {"-m", JOINED, DO_HOST_LINK, NULL},
    {"-pthread", ALONE, DO_HOST_LINK, NULL},
    {"-lineinfo", ALONE, DO_IGNORE, NULL},
    {"-lcublas", ALONE, DO_IGNORE, NULL},
    {"-lcublas_static", ALONE, DO_IGNORE, NULL},
    {"-lcublasLt", ALONE, DO_IGNORE, NULL},
    {"-lcurand", ALONE, DO_IGNORE, NULL},
    {"-lcurand_static", ALONE, DO_IGNORE, NULL},
    {"-lcudart", ALONE, DO_IGNORE, NULL},
    {"-lcudart_static", ALONE, DO_IGNORE, NULL},
    {"-lcuda", ALONE, DO_IGNORE, NULL},
    {"-lcudadevrt", ALONE, DO_IGNORE, NULL},
    {"-lnvToolsExt", ALONE, DO_IGNORE, NULL},
    {"-pg", ALONE, DO_HOST_LINK, NULL},
    {"-L", VALUE, DO_LINK, "FOLDER\tsearch it for libraries"},
    {"-l", VALUE, DO_LINK, "NAME\tlink a library; -lcudart, -lcublas and -lcuda are built in"},
    {"-s", ALONE, DO_LINK, NULL},
    {"-static", ALONE, DO_LINK, NULL},
    {"-rdc", VALUE, DO_RELOCATABLE,
     "true|false\tmay device code call into other files? -dc: true, and -c"},
    {"--relocatable-device-code", VALUE, DO_RELOCATABLE, NULL},
    {"-dc", ALONE, DO_RELOCATABLE, NULL},
    {"--device-c", ALONE, DO_RELOCATABLE, NULL},
    {"-dlink", ALONE, DO_DEVICE_LINK, NULL},
    {"--device-link", ALONE, DO_DEVICE_LINK, NULL},
    {"-arch", VALUE, DO_ARCH,
     "NAME, -gencode NAMES\trefuse instructions that this GPU lacks (default: sm_80)"},
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
     "\taccepted, ignored: the fast functions are as exact here as the others"},
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
    {"--verbose", ALONE, DO_VERBOSE, "\tprint the commands that are run"},
    {"-v", ALONE, DO_TELL, "\tthe same, as nvcc prints it"},
    {"--help", ALONE, DO_HELP, "\tthis text"},
    {"-h", ALONE, DO_HELP, NULL},
    {"--version", ALONE, DO_VERSION, "\tthe version of vgpucc"},
    {"-V", ALONE, DO_VERSION, NULL},
    {"--list-gpu-arch", ALONE, DO_LIST_ARCH,
     "\twhat it compiles for; --list-gpu-code: what it runs"},
    {"-arch-ls", ALONE, DO_LIST_ARCH, NULL},
    {"--list-gpu-code", ALONE, DO_LIST_CODE, NULL},
    {"-code-ls", ALONE, DO_LIST_CODE, NULL},
};

enum { TABLE_LEN = sizeof table / sizeof *table };

/* ---- help ---- */

/* What an option does begins in the same column for all: below the option when that is long. */
static void print_option(const option *o) {
    enum { COLUMN = 22 };
    int args = (int)strcspn(o->help, "\t");
    int width = (int)strlen(o->name) + (args > 0 ? 1 + args : 0);

    printf("  %s%s%.*s", o->name, args > 0 ? " " : "", args, o->help);
    if (width > COLUMN)
        printf("\n%*s", COLUMN + 4, "");
    else
        printf("%*s", COLUMN - width + 2, "");
    puts(o->help + args + 1);
}

static void print_help(void) {
    puts("Usage: vgpucc [OPTION]… FILE…\n"
         "\n"
         "Compiles CUDA C++ for the virtual GPU: .cu files, and .c, .cpp, .o and .a files to go "
         "with\n"
         "them, become a program that runs without a GPU. Needs clang, no CUDA toolkit.\n");
    for (int i = 0; i < TABLE_LEN; i++)
        if (table[i].help)
            print_option(&table[i]);
    puts("\n"
         "Accepted and ignored, because they have no meaning here: -G, -lineinfo, -ccbin, "
         "-cudart,\n"
         "-maxrregcount, other -Xptxas, -Xfatbin, -Xcudafe, -ftz, -prec-div, -prec-sqrt,\n"
         "--default-stream, --extended-lambda, --expt-relaxed-constexpr, -diag-suppress,\n"
         "--threads.\n"
         "\n"
         "Environment:\n"
         "  VGPU_FRONT  clang or nvcc, when --front is not given\n"
         "  VGPU_CLANG  the clang++ to use (default: clang++, clang++-19 … -14 on PATH)\n"
         "  VGPU_NVCC   the nvcc to use (default: the first on PATH, else the one in CUDA_HOME,\n"
         "              CUDA_PATH, /usr/local/cuda)\n"
         "  VGPU_HOME   where the kit's sources are, for its headers\n"
         "  VGPU_PCH    none: use no precompiled headers; must: refuse to work without\n"
         "  TMPDIR      where intermediate files go\n"
         "\n"
         "Exit status:\n"
         "  0   done\n"
         "  1   the program doesn't compile or link\n"
         "  2   vgpucc can't do its work\n"
         "  70, or 128 + a signal  the compiler broke down");
}

/* ---- reading ---- */

static void add_item(options *o, const char *text, enum language language) {
    if (language == LANG_NONE && missing_library(text))
        return;
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

static bool is_werror_kind(const char *word) {
    static const char *const kinds[] = {"all-warnings",
                                        "cross-execution-space-call",
                                        "default-stream-launch",
                                        "ext-lambda-captures-this",
                                        "deprecated-declarations",
                                        "reorder"};
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
        if (strncmp(word, kinds[i], strlen(kinds[i])) == 0)
            return true;
    return false;
}

/* -v or --verbose among the options for ptxas, which are parted by commas. */
static bool asks_for_resources(const char *value) {
    for (const char *at = value; *at;) {
        const size_t n = strcspn(at, ",");
        if ((n == 2 && strncmp(at, "-v", n) == 0) || (n == 9 && strncmp(at, "--verbose", n) == 0))
            return true;
        at += n + (at[n] == ',');
    }
    return false;
}

/* The table entry for an argument, argv[*i], with its value found; NULL if there is none. *i moves
 * on when the value is the next argument. */
static const option *match(const char *arg, int argc, char **argv, int *i, const char **value) {
    for (int k = 0; k < TABLE_LEN; k++) {
        const option *opt = &table[k];
        size_t len = strlen(opt->name);
        if (strncmp(arg, opt->name, len) != 0)
            continue;
        const char *rest = arg + len;
        *value = rest;
        /* -Werror alone is clang's; with one of nvcc's kinds it is nvcc's. */
        if (opt->action == DO_WERROR && *rest != '=' &&
            !is_werror_kind(*i + 1 < argc ? argv[*i + 1] : ""))
            continue;
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

static enum parsed read_options(options *o, const char *file, enum language *forced);

/* The next word of a list, its quotes and backslashes taken off, as a shell takes them; NULL at the
 * end. Words are separated by any of the characters in `between`. *at moves on. The word is the
 * caller's. */
static char *next_word(const char **at, const char *between) {
    const char *c = *at + strspn(*at, between);
    if (!*c)
        return NULL;
    char *word = malloc(strlen(c) + 1);
    size_t length = 0;
    char quote = '\0';
    for (; word && *c && (quote || !strchr(between, *c)); c++)
        if (quote ? *c == quote : *c == '"' || *c == '\'')
            quote = quote ? '\0' : *c;
        else if (*c == '\\' && quote != '\'' && c[1])
            word[length++] = *++c;
        else
            word[length++] = *c;
    if (word)
        word[length] = '\0';
    *at = c;
    return word;
}

static void push_split(args *to, args *also, const char *list, const char *between) {
    for (char *word = next_word(&list, between); word; word = next_word(&list, between)) {
        args_push(to, format_text("%s", word));
        if (also)
            args_push(also, to->at[to->count - 1]);
        free(word);
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

/* Carries out one option. arg is the argument as written, value its value. */
static enum parsed apply(options *o, const option *opt, const char *arg, const char *value,
                         enum language *forced) {
    switch (opt->action) {
    case DO_OBJECT: o->kind = OUTPUT_OBJECT; break;
    case DO_PTX: o->kind = OUTPUT_PTX; break;
    case DO_PREPROCESS:
        o->kind = OUTPUT_TEXT;
        o->text_option = strcmp(arg, "--preprocess") == 0 ? "-E" : arg;
        break;
    case DO_LIBRARY: o->kind = OUTPUT_LIBRARY; break;
    case DO_DEPENDENCIES:
        args_push(&o->dependencies, opt->name);
        if (opt->shape == VALUE)
            args_push(&o->dependencies, value);
        break;
    case DO_KEEP: o->keep = o->keep ? o->keep : "."; break;
    case DO_KEEP_DIR: o->keep = value; break;
    case DO_FOLDER: o->folder = value; break;
    case DO_FILE: return read_options(o, value, forced);
    case DO_DRY_RUN: o->dry_run = true; break;
    case DO_TELL: o->tells = true; break;
    case DO_PTXAS: o->resources = o->resources || asks_for_resources(value); break;
    case DO_RESOURCES: o->resources = true; break;
    case DO_WERROR:
        if (strstr(value, "all-warnings"))
            args_push(&o->both, "-Werror");
        break;
    case DO_NOT_MACHINE_CODE:
        complain("%s: the virtual GPU has no machine code: it runs PTX, which --ptx writes",
                 opt->name);
        return PARSED_WRONG;
    case DO_HELP: print_help(); return PARSED_DONE;
    case DO_VERSION:
        /* CMake looks for the second line's words, and takes what answers so for one like nvcc. */
        puts("vgpucc " KIT_VERSION "\n"
             "A compiler driver for the virtual GPU; CUDA 13.0 runtime API, PTX for sm_80,\n"
             "in the place of nvcc: NVIDIA (R) Cuda compiler driver, release 13.0, V13.0.0");
        return PARSED_DONE;
    case DO_LIST_ARCH: puts("compute_80"); return PARSED_DONE;
    case DO_LIST_CODE: puts("sm_80"); return PARSED_DONE;
    case DO_RUN: o->run = true; break;
    case DO_VERBOSE: o->verbose = true; break;
    case DO_OUTPUT: o->output = value; break;
    case DO_STD: o->std = format_text("-std=%s", value); break;
    case DO_LEVEL: o->host_level = arg; break;
    case DO_LANGUAGE: return set_language(value, forced) ? PARSED_OK : PARSED_WRONG;
    case DO_PRECOMPILE: return set_pass(o, value) ? PARSED_OK : PARSED_WRONG;
    case DO_FRONT: return set_front(o, opt->name, value) ? PARSED_OK : PARSED_WRONG;
    case DO_ARCH:
        o->arch = value;
        arch_ask(&o->wanted, value);
        break;
    case DO_GENCODE: arch_ask(&o->wanted, value); break;
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
    case DO_XCOMPILER: push_split(&o->host, &o->link, value, ", "); break;
    case DO_XLINKER: {
        args parts = {0};
        push_split(&parts, NULL, value, ", ");
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
    case DO_RELOCATABLE:
        o->relocatable = strcmp(value, "false") != 0;
        if (opt->shape == ALONE)
            o->kind = OUTPUT_OBJECT;
        break;
    case DO_DEVICE_LINK: o->kind = OUTPUT_NOTHING; break;
    }
    return PARSED_OK;
}

/* An argument with a short name in the place of a long one. */
static const char *shortened(const char *arg) {
    for (size_t i = 0; i < sizeof long_names / sizeof *long_names; i++) {
        const size_t len = strlen(long_names[i][0]);
        if (strncmp(arg, long_names[i][0], len) == 0 && (arg[len] == '\0' || arg[len] == '='))
            return format_text(arg[len] != '\0' && strlen(long_names[i][1]) > 2 ? "%s=%s" : "%s%s",
                               long_names[i][1], arg[len] != '\0' ? arg + len + 1 : "");
    }
    return arg;
}

/* Reads arguments from argv[first] on. */
static enum parsed read_arguments(options *o, int first, int argc, char **argv,
                                  enum language *forced) {
    bool no_more = false;
    for (int i = first; i < argc; i++) {
        const char *arg = argv[i];
        if (arg[0] == '@' && !no_more) { /* as gcc has it, and so makefiles that link */
            enum parsed read = read_options(o, arg + 1, forced);
            if (read != PARSED_OK)
                return read;
            continue;
        }
        if (arg[0] != '-' || no_more) {
            add_item(o, arg, *forced != LANG_NONE ? *forced : language_of(arg));
            continue;
        }
        if (strcmp(arg, "--") == 0) {
            no_more = true;
            continue;
        }
        const char *value = NULL;
        arg = shortened(arg);
        if (strcmp(arg, "-O") == 0 && i + 1 < argc && isdigit((unsigned char)argv[i + 1][0]))
            arg = format_text("-O%s", argv[++i]);
        const option *opt = match(arg, argc, argv, &i, &value);
        if (!opt) {
            complain(
                "unknown option %s (vgpucc --help lists them; -Xcompiler passes one on to clang)",
                arg);
            return PARSED_WRONG;
        }
        if (!value)
            return PARSED_WRONG;
        enum parsed result = apply(o, opt, arg, value, forced);
        if (result != PARSED_OK)
            return result;
    }
    return PARSED_OK;
}

static enum parsed read_options(options *o, const char *file, enum language *forced) {
    size_t length = 0;
    char *text = read_file(file, &length);
    if (!text) {
        complain("%s: cannot be read, but should hold more options", file);
        return PARSED_WRONG;
    }
    args words = {0};
    push_split(&words, NULL, text, " \t\r\n");
    enum parsed result = words.count > 0
                             ? read_arguments(o, 0, (int)words.count, (char **)words.at, forced)
                             : PARSED_OK;
    args_free(&words);
    free(text);
    return result;
}

enum parsed options_parse(options *o, int argc, char **argv) {
    enum language forced = LANG_NONE;
    const char *front = getenv("VGPU_FRONT");
    o->contract = true;
    if (front && *front && !set_front(o, "VGPU_FRONT", front))
        return PARSED_WRONG;
    return read_arguments(o, 1, argc, argv, &forced);
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
    args_free(&o->dependencies);
    free(o->items);
}
