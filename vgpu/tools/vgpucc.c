/*
 * vgpucc.c: a compiler driver with the shape of nvcc, for the virtual GPU.
 *
 *                 device pass                        host pass
 *     prog.cu ---- clang++ ----> PTX text ---+
 *        |                                   v
 *        +--------------------------------> clang++ ----> object ----+
 *                                                                    v
 *     helper.c, .cpp ------------> clang, clang++ -----> object --> link --> program
 *                                                                    ^
 *                                     libvgpu.a, CBLAS, pthread, m --+
 *
 * The two passes over a .cu file run at the same time: the host pass needs the PTX only at its very
 * end and waits for it there, reading from a named pipe. The device pass has two halves, with
 * LLVM's text between them, in which vectors are mended (vgpucc_vectors.h).
 *
 * CUDA's toolkit is neither needed nor looked at, unless --front nvcc asks for it: then nvcc makes
 * the objects of .cu files (vgpucc_nvcc.h), and g++ those of the others.
 */
#include "vgpu/tools/vgpucc_diag.h"
#include "vgpu/tools/vgpucc_mend.h"
#include "vgpu/tools/vgpucc_names.h"
#include "vgpu/tools/vgpucc_nvcc.h"
#include "vgpu/tools/vgpucc_options.h"
#include "vgpu/tools/vgpucc_process.h"
#include "vgpu/tools/vgpucc_vectors.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

enum { STATUS_OK = 0, STATUS_FAILED = 1, STATUS_NOT_ABLE = 2 };

/* Where everything is. */
typedef struct setup {
    char *clangxx; /* or the host compiler beside nvcc */
    char *nvcc;    /* NULL: clang compiles .cu files   */
    char *include; /* vgpu/include */
    char *library; /* libvgpu.a    */
} setup;

/* ---- finding things
 * ------------------------------------------------------------------------------------- */

static char *find_clang(void) {
    static const char *const names[] = {"clang++",    "clang++-19", "clang++-18", "clang++-17",
                                        "clang++-16", "clang++-15", "clang++-14"};
    const char *wanted = getenv("VGPU_CLANG");
    if (wanted && *wanted) {
        char *found = find_program(wanted);
        if (!found)
            complain("VGPU_CLANG=%s: no such program", wanted);
        return found;
    }
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        char *found = find_program(names[i]);
        if (found)
            return found;
    }
    complain("clang++ is missing: install the package clang (14 or later), or set VGPU_CLANG");
    return NULL;
}

/* The folder of headers: VGPU_HOME's, the one beside an installed vgpucc, the one of the sources.
 */
static char *find_include(const char *bin) {
    const char *home = getenv("VGPU_HOME");
    char *candidates[4] = {0};
    size_t count = 0;
    if (home && *home) {
        candidates[count++] = format_text("%s/vgpu/include", home);
        candidates[count++] = format_text("%s/include", home);
    } else {
        candidates[count++] = format_text("%s/../include/vgpu", bin);
        candidates[count++] = format_text("%s", VGPU_SOURCE_INCLUDE);
    }
    for (size_t i = 0; i < count; i++) {
        char *header = format_text("%s/vgpu_prelude.h", candidates[i]);
        if (access(header, R_OK) == 0)
            return candidates[i];
        if (i + 1 == count)
            complain("the headers are missing: %s: %s%s", header, strerror(errno),
                     home && *home ? " (VGPU_HOME is set)" : "");
    }
    return NULL;
}

static bool find_all(setup *s, enum front front) {
    char self[4096];
    ssize_t len = readlink("/proc/self/exe", self, sizeof self - 1);
    if (len < 0) {
        complain("cannot tell where vgpucc is: /proc/self/exe: %s", strerror(errno));
        return false;
    }
    self[len] = '\0';
    char *slash = strrchr(self, '/');
    *slash = '\0';
    s->library = format_text("%s/../lib/libvgpu.a", self);
    s->include = find_include(self);
    if (!s->include)
        return false;
    if (front == FRONT_NVCC && !(s->nvcc = find_nvcc()))
        return false;
    s->clangxx = s->nvcc ? find_host_compiler() : find_clang();
    return s->clangxx != NULL;
}

/* ---- inputs
 * -------------------------------------------------------------------------------------------- */

/* Missing files, folders and binary junk get one line here instead of a page from the compiler. */
static bool input_is_sound(const link_item *item) {
    struct stat st;
    char head[4096];
    if (item->text[0] == '-' || strcmp(item->text, "-Xlinker") == 0)
        return true;
    if (stat(item->text, &st) != 0) {
        complain("%s: %s", item->text, strerror(errno));
        return false;
    }
    if (S_ISDIR(st.st_mode)) {
        complain("%s: is a folder, not a file", item->text);
        return false;
    }
    FILE *f = fopen(item->text, "re");
    if (!f) {
        complain("%s: %s", item->text, strerror(errno));
        return false;
    }
    size_t len = fread(head, 1, sizeof head, f);
    fclose(f);
    if (item->language != LANG_NONE && memchr(head, '\0', len)) {
        complain("%s: is not a text file", item->text);
        return false;
    }
    return true;
}

/* NAME.suffix in the current folder, for FOLDER/NAME.cu. */
static char *default_output(const char *input, const char *suffix) {
    const char *slash = strrchr(input, '/');
    const char *name = slash ? slash + 1 : input;
    const char *dot = strrchr(name, '.');
    int len = dot ? (int)(dot - name) : (int)strlen(name);
    return format_text("%.*s.%s", len, name, suffix);
}

/* ---- commands
 * ------------------------------------------------------------------------------------------- */

/* What beginners should hear of, without a word about the unfinished: a skeleton with its TODOs has
 * unused parameters, variables and functions. */
static const char *const warnings[] = {
    "-Wall",
    "-Wno-unused",
    "-Wno-unknown-pragmas",
    "-Wno-pass-failed",
    "-Wno-error=register", /* clang's error, nvcc's warning: old programs have `register int i` */
    NULL};

static const char *const plain_warnings[] = {"-Wall", "-Wno-unused", "-Wno-unknown-pragmas", NULL};

static void common_options(args *a, const options *o, const setup *s) {
    static const char *const cuda[] = {
        "--cuda-path=/nonexistent", "-nocudainc", "-nocudalib",     "-Xclang",
        "-target-sdk-version=11.5", "-include",   "vgpu_prelude.h", NULL};
    args_push_list(a, cuda);
    args_push(a, "-isystem");
    args_push(a, s->include);
    args_push_list(a, warnings);
    args_push(a, o->std ? o->std : "-std=gnu++17");
    if (isatty(STDERR_FILENO))
        args_push(a, "-fcolor-diagnostics");
    args_push_all(a, &o->both);
}

/* What both halves of the device pass are told of optimising: identical ends of two branches stay
 * apart, and vectors in one piece, as with nvcc (vgpucc_vectors.h). */
static const char *const optimise[] = {
    "-O2", "-mllvm", "-simplifycfg-sink-common=false", "-mllvm", "-disable-vector-combine", NULL};

/* To PTX, or, before any optimisation, to LLVM's text. */
static void device_command(args *a, const options *o, const setup *s, const char *input,
                           const char *output, bool llvm_text) {
    static const char *const head[] = {"-x",
                                       "cuda",
                                       "--cuda-device-only",
                                       "--cuda-gpu-arch=sm_80",
                                       "-gline-tables-only",
                                       "-fdebug-compilation-dir=.", /* files by the names given */
                                       "-ftrivial-auto-var-init=pattern",
                                       "-Xclang",
                                       "-target-feature",
                                       "-Xclang",
                                       "+ptx70",
                                       "-S",
                                       NULL};
    static const char *const text[] = {"-emit-llvm", "-Xclang", "-disable-llvm-passes", NULL};
    args_push(a, s->clangxx);
    args_push_list(a, head);
    args_push_list(a, optimise);
    args_push(a, o->contract ? "-ffp-contract=fast" : "-ffp-contract=off");
    if (!o->contract)
        args_push(a, "-DVGPU_NO_FMAD"); /* for halves: see vgpu_half_ops.h */
    common_options(a, o, s);
    mend_sources(a, input);
    if (llvm_text)
        args_push_list(a, text);
    args_push(a, "-o");
    args_push(a, output);
    args_push(a, "--");
    args_push(a, input);
}

/* The rest: that text to PTX. */
static void back_end_command(args *a, const options *o, const setup *s, const char *text,
                             const char *ptx) {
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
    args_push_list(a, optimise);
    args_push(a, o->contract ? "-ffp-contract=fast" : "-ffp-contract=off");
    args_push(a, "-o");
    args_push(a, ptx);
    args_push(a, "--");
    args_push(a, text);
}

static void host_command(args *a, const options *o, const setup *s, const char *input,
                         const char *ptx, const char *object) {
    /* Lines: so that a leak can be told with the line that allocated it. */
    static const char *const head[] = {
        "-x", "cuda", "--cuda-host-only", "-gline-tables-only", "-fdebug-compilation-dir=.",
        /* as in device code: what nobody set is NaN, in every run */
        "-ftrivial-auto-var-init=pattern", "-Xclang", "-fcuda-include-gpubinary", "-Xclang", NULL};
    args_push(a, s->clangxx);
    args_push_list(a, head);
    args_push(a, ptx);
    args_push(a, o->host_level ? o->host_level : "-O3");
    /* One rounding for each operation, so that host results are the same on every processor. */
    args_push(a, "-ffp-contract=off");
    common_options(a, o, s);
    mend_sources(a, input);
    args_push_all(a, &o->host);
    args_push(a, "-c");
    args_push(a, "-o");
    args_push(a, object);
    args_push(a, "--");
    args_push(a, input);
}

/* .c and .cpp files. */
static void plain_command(args *a, const options *o, const setup *s, const link_item *item,
                          const char *object) {
    bool c = item->language == LANG_C;
    args_push(a, s->clangxx);
    args_push(a, "-x");
    args_push(a, c ? "c" : "c++");
    args_push(a, o->host_level ? o->host_level : "-O3");
    args_push(a, "-ffp-contract=off");
    args_push(a, "-isystem");
    args_push(a, s->nvcc ? toolkit_include(s->nvcc) : s->include);
    args_push_list(a, s->nvcc ? plain_warnings : warnings);
    /* A C++ standard is no standard for C, and the other way round. */
    if (o->std && c == !strstr(o->std, "++"))
        args_push(a, o->std);
    args_push_all(a, &o->both);
    args_push_all(a, &o->host);
    args_push(a, "-c");
    args_push(a, "-o");
    args_push(a, object);
    args_push(a, "--");
    args_push(a, item->text);
}

static void push_words(args *a, const char *words) {
    char *rest = NULL;
    char *copy = format_text("%s", words);
    for (char *word = strtok_r(copy, " ", &rest); word; word = strtok_r(NULL, " ", &rest))
        args_push(a, word);
}

/* ---- compiling
 * ------------------------------------------------------------------------------------------ */

/* Writes the PTX, and a NUL behind it, to the host pass waiting at the pipe. A reader that is gone
 * has its own error to report. */
static void feed(const char *ptx, const char *pipe, pid_t host, int *host_status,
                 bool *host_ended) {
    static const struct timespec moment = {0, 1000000};
    char buf[65536];
    int to = -1;
    while ((to = open(pipe, O_WRONLY | O_NONBLOCK | O_CLOEXEC)) < 0) {
        if (errno != ENXIO || finished(host, host_status)) {
            *host_ended = true;
            return;
        }
        nanosleep(&moment, NULL);
    }
    (void)fcntl(to, F_SETFL, 0);
    FILE *from = fopen(ptx, "re");
    size_t len = 0;
    bool sent = from != NULL;
    while (sent && (len = fread(buf, 1, sizeof buf, from)) > 0)
        for (size_t done = 0; sent && done < len;) {
            ssize_t n = write(to, buf + done, len - done);
            sent = n > 0;
            done += sent ? (size_t)n : 0;
        }
    if (sent)
        (void)!write(to, "", 1);
    if (from)
        fclose(from);
    close(to);
}

/* Puts a NUL at the end of a file. */
static bool terminate_text(const char *path) {
    FILE *f = fopen(path, "ae");
    if (!f)
        return false;
    fputc('\0', f);
    return fclose(f) == 0;
}

static int explain(int status, const char *input) {
    if (status > 128)
        complain("%s: the compiler ended by signal %d", input, status - 128);
    return status == 0 ? STATUS_OK : STATUS_FAILED;
}

static int wait_for(const args *command, const char *errors, bool verbose) {
    pid_t pid = start(command, errors, verbose);
    return pid > 0 ? finish(pid) : 127;
}

/* The text to PTX; once more with names in ASCII where the back end gave up on one. */
static int compile_text(const options *o, const setup *s, const char *text, const char *ptx) {
    const char *errors = workdir_file("errors");
    args back = {0};
    back_end_command(&back, o, s, text, ptx);
    int status = wait_for(&back, errors, o->verbose);
    if (status != 0 && names_refused(errors) && names_encode(text)) {
        status = wait_for(&back, errors, o->verbose);
        if (status == 0 && !names_decode(ptx))
            status = STATUS_FAILED;
    }
    args_free(&back);
    return status;
}

/* The device pass. What only the second half refuses is left to the compiler in one go, whose
 * messages then have lines. Returns its status. */
static int compile_device(const options *o, const setup *s, const char *input, const char *ptx,
                          const char *errors) {
    const char *text = workdir_file("ll");
    args front = {0};
    args whole = {0};
    device_command(&front, o, s, input, text, true);
    int status = wait_for(&front, errors, o->verbose);
    if (status == 0 && (!vectors_keep(text) || compile_text(o, s, text, ptx) != 0)) {
        device_command(&whole, o, s, input, ptx, false);
        status = wait_for(&whole, errors, o->verbose);
    }
    args_free(&front);
    args_free(&whole);
    return status;
}

/* A .cu file to an object, both passes at once; one after the other where no pipe can be had. */
static int compile_cuda(const options *o, const setup *s, const char *input, const char *object) {
    args host = {0};
    const char *ptx = workdir_file("ptx");
    const char *pipe = workdir_file("pipe");
    const char *device_errors = workdir_file("device");
    const char *host_errors = workdir_file("host");
    bool at_once = mkfifo(pipe, 0600) == 0;
    host_command(&host, o, s, input, at_once ? pipe : ptx, object);

    pid_t host_pid = at_once ? start(&host, host_errors, o->verbose) : -1;
    int device_status = compile_device(o, s, input, ptx, device_errors);
    int host_status = 127;
    bool ended = false;
    if (device_status != 0) {
        if (host_pid > 0)
            stop(host_pid);
        show_diagnostics(device_errors, NULL);
        explain_missing(device_errors);
    } else {
        if (host_pid > 0)
            feed(ptx, pipe, host_pid, &host_status, &ended);
        else if (terminate_text(ptx))
            host_pid = start(&host, host_errors, o->verbose);
        if (host_pid > 0 && !(ended && host_status != 127))
            host_status = finish(host_pid);
        show_diagnostics(device_errors, host_errors);
        if (host_status != 0)
            explain_missing(host_errors);
    }
    args_free(&host);
    return explain(device_status != 0 ? device_status : host_status, input);
}

static int run(const args *command, const options *o, const char *input) {
    const char *errors = workdir_file("errors");
    int status = wait_for(command, errors, o->verbose);
    show_diagnostics(errors, NULL);
    if (status != 0)
        explain_missing(errors);
    return explain(status, input);
}

static int compile(const options *o, const setup *s, const link_item *item, const char *object) {
    args command = {0};
    if (item->language == LANG_CUDA && !s->nvcc)
        return compile_cuda(o, s, item->text, object);
    if (item->language == LANG_CUDA)
        nvcc_command(&command, o, s->nvcc, s->include, item->text, object);
    else
        plain_command(&command, o, s, item, object);
    int status = run(&command, o, item->text);
    args_free(&command);
    return status;
}

static int emit_ptx(const options *o, const setup *s, const link_item *item, const char *output) {
    args command = {0};
    if (item->language != LANG_CUDA) {
        complain("%s: only a .cu file has PTX", item->text);
        return STATUS_NOT_ABLE;
    }
    if (!s->nvcc) {
        const char *errors = workdir_file("errors");
        int status = compile_device(o, s, item->text, output, errors);
        show_diagnostics(errors, NULL);
        if (status != 0)
            explain_missing(errors);
        return explain(status, item->text);
    }
    nvcc_command(&command, o, s->nvcc, s->include, item->text, output);
    int status = run(&command, o, item->text);
    args_free(&command);
    return status;
}

/* ---- linking
 * -------------------------------------------------------------------------------------------- */

/* objects[i] stands in for item i where that had to be compiled. */
static int link_program(const options *o, const setup *s, const char *const *objects) {
    args command = {0};
    char *linker = NULL;
    if (access(s->library, R_OK) != 0) {
        complain("%s is missing: run 'make vgpucc'", s->library);
        return STATUS_NOT_ABLE;
    }
    /* A library built with sanitizers needs the runtime of the compiler that built it. */
    if (*VGPU_SANITIZE)
        linker = find_program(VGPU_CC);
    args_push(&command, linker ? linker : s->clangxx);
    push_words(&command, VGPU_SANITIZE);
    args_push_all(&command, &o->link);
    args_push(&command, "-o");
    args_push(&command, o->output ? o->output : "a.out");
    for (size_t i = 0; i < o->num_items; i++)
        args_push(&command, objects[i] ? objects[i] : o->items[i].text);
    args_push(&command, s->library);
    args_push(&command, "-Wl,--as-needed");
    push_words(&command, VGPU_LINK_LIBS);
    if (linker)
        args_push(&command, "-lstdc++");
    int status = run(&command, o, "linking");
    args_free(&command);
    return status;
}

static int build_program(const options *o, const setup *s) {
    int status = STATUS_OK;
    const char **objects = calloc(o->num_items + 1, sizeof *objects);
    if (!objects) {
        complain("out of memory");
        return STATUS_NOT_ABLE;
    }
    for (size_t i = 0; i < o->num_items && status == STATUS_OK; i++) {
        if (o->items[i].language == LANG_NONE)
            continue;
        objects[i] = workdir_file("o");
        status = compile(o, s, &o->items[i], objects[i]);
    }
    if (status == STATUS_OK)
        status = link_program(o, s, objects);
    free(objects);
    return status;
}

/* -c and -S: one output for each source. */
static int build_each(const options *o, const setup *s) {
    int status = STATUS_OK;
    for (size_t i = 0; i < o->num_items; i++) {
        const link_item *item = &o->items[i];
        if (item->language == LANG_NONE)
            continue;
        char *output = o->output ? format_text("%s", o->output)
                                 : default_output(item->text, o->kind == OUTPUT_PTX ? "ptx" : "o");
        int one =
            o->kind == OUTPUT_PTX ? emit_ptx(o, s, item, output) : compile(o, s, item, output);
        status = one != STATUS_OK ? one : status;
    }
    return status;
}

/* ---- all of it
 * ------------------------------------------------------------------------------------------ */

static bool inputs_are_sound(const options *o) {
    bool sound = true;
    if (o->num_items == 0) {
        complain("no input files (vgpucc --help)");
        return false;
    }
    if (o->kind != OUTPUT_PROGRAM && options_sources(o) == 0) {
        complain("nothing to compile: give a .cu, .c or .cpp file");
        return false;
    }
    if (o->kind != OUTPUT_PROGRAM && o->output && options_sources(o) > 1) {
        complain("-o with -c or -S takes one source file, not %zu", options_sources(o));
        return false;
    }
    for (size_t i = 0; i < o->num_items; i++) {
        bool value = i > 0 && strcmp(o->items[i - 1].text, "-Xlinker") == 0;
        sound = (value || input_is_sound(&o->items[i])) && sound;
    }
    return sound;
}

int main(int argc, char **argv) {
    options o = {0};
    setup s = {0};
    int status = STATUS_NOT_ABLE;
    enum parsed parsed = options_parse(&o, argc, argv);
    if (parsed == PARSED_DONE)
        status = STATUS_OK;
    else if (parsed == PARSED_OK && inputs_are_sound(&o) && find_all(&s, o.front) && workdir_make())
        status = o.kind == OUTPUT_PROGRAM ? build_program(&o, &s) : build_each(&o, &s);
    workdir_remove();
    options_free(&o);
    free_texts();
    return status;
}
