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
 *
 * Long, since it is one course from the options to the link, with a step for each kind of input.
 */
#include "vgpu/tools/vgpucc_arch.h"
#include "vgpu/tools/vgpucc_blank.h"
#include "vgpu/tools/vgpucc_commands.h"
#include "vgpu/tools/vgpucc_consts.h"
#include "vgpu/tools/vgpucc_diag.h"
#include "vgpu/tools/vgpucc_gone.h"
#include "vgpu/tools/vgpucc_headers.h"
#include "vgpu/tools/vgpucc_hostonly.h"
#include "vgpu/tools/vgpucc_missing.h"
#include "vgpu/tools/vgpucc_names.h"
#include "vgpu/tools/vgpucc_nvcc.h"
#include "vgpu/tools/vgpucc_options.h"
#include "vgpu/tools/vgpucc_padding.h"
#include "vgpu/tools/vgpucc_place.h"
#include "vgpu/tools/vgpucc_process.h"
#include "vgpu/tools/vgpucc_shadows.h"
#include "vgpu/tools/vgpucc_shared.h"
#include "vgpu/tools/vgpucc_tell.h"
#include "vgpu/tools/vgpucc_text.h"
#include "vgpu/tools/vgpucc_unroll.h"
#include "vgpu/tools/vgpucc_vectors.h"
#include "vgpu/tools/vgpucc_watch.h"
#include "vgpu/tools/vgpucc_whole.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

/* What vgpucc ends with; or 128 + the signal that ended a compiler. */
enum {
    STATUS_OK = 0,
    STATUS_FAILED = 1,
    STATUS_NOT_ABLE = 2,
    STATUS_SHARED = 3, /* a kernel's arrays are more shared memory than a block may have */
    STATUS_BROKEN = 70
};

/* A compiler looks into CPATH's folders before those of -isystem. Where that has a CUDA toolkit
 * (environment modules do so), its headers would take the place of ours: so they are looked into
 * last. */
static void demote_cpath(void) {
    static const char *const later[] = {"C_INCLUDE_PATH", "CPLUS_INCLUDE_PATH"};
    const char *cpath = getenv("CPATH");
    for (size_t i = 0; cpath && *cpath && i < sizeof later / sizeof *later; i++) {
        const char *old = getenv(later[i]);
        setenv(later[i], old && *old ? format_text("%s:%s", old, cpath) : cpath, 1);
    }
    unsetenv("CPATH");
}

/* ---- inputs ---- */

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

static void push_words(args *a, const char *words) {
    char *rest = NULL;
    char *copy = format_text("%s", words);
    for (char *word = strtok_r(copy, " ", &rest); word; word = strtok_r(NULL, " ", &rest))
        args_push(a, word);
}

/* ---- compiling ---- */

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

/* The status of what a compiler or linker ended with. That it breaks down is not the same as that
 * it refuses a file: then the status goes on as it is, 128 + the signal. clang, which refuses with
 * 1, says 70 where it gives up on itself, and 254 or 255 of a program that it called. */
static int explain(int status, bool nvcc, const char *input) {
    const bool signalled = status > 128 && status <= 128 + SIGRTMAX;
    if (signalled)
        complain("%s: the compiler ended by signal %d", input, status - 128);
    if (signalled || status == STATUS_OK)
        return status;
    return !nvcc && (status == STATUS_BROKEN || status >= 254) ? STATUS_BROKEN : STATUS_FAILED;
}

static int wait_for(const args *command, const char *errors, bool verbose) {
    pid_t pid = start(command, errors, verbose);
    return pid > 0 ? finish(pid) : 127;
}

static int run_back_end(const options *o, const setup *s, const char *text, const char *ptx,
                        enum back_end how, const char *errors) {
    args back = {0};
    back_end_command(&back, o, s, text, ptx, how);
    int status = wait_for(&back, errors, o->verbose);
    args_free(&back);
    return status;
}

/* Where a thread's arrays lie in memory: the PTX that has more of them in registers. encoded: names
 * in the text are. */
static void unroll_more(const options *o, const setup *s, const char *text, const char *ptx,
                        bool encoded, const char *errors) {
    const size_t before = unroll_depots(ptx);
    if (before == 0)
        return;
    const char *longer = workdir_file("ptx");
    if (run_back_end(o, s, text, longer, BACK_END_UNROLLED, errors) == 0 &&
        (!encoded || names_decode(longer)) && unroll_depots(longer) < before)
        rename(longer, ptx);
}

/* The text to PTX; once more with names in ASCII where the back end gave up on one. */
static int compile_text(const options *o, const setup *s, const char *text, const char *ptx) {
    const char *errors = workdir_file("errors");
    int status = run_back_end(o, s, text, ptx, BACK_END_GRADED, errors);
    const bool encoded = status != 0 && names_encode(text);
    if (encoded) {
        status = run_back_end(o, s, text, ptx, BACK_END_GRADED, errors);
        if (status == 0 && !names_decode(ptx))
            status = STATUS_FAILED;
    }
    if (status == 0)
        unroll_more(o, s, text, ptx, encoded, errors);
    return status;
}

/* The precompiled headers for a pass, or NULL. To be called while no compiler runs: ends the
 * program where there must be some. */
static const char *headers_for(enum pass pass, const options *o, const setup *s) {
    args fixed = {0};
    if (!s->headers)
        return NULL;
    pass_options(&fixed, pass, o, s);
    const headers_use use = {pass, &fixed, &o->both, s->include};
    const char *found = headers_find(&use, s->headers);
    args_free(&fixed);
    if (!found && s->headers_needed) {
        complain("VGPU_PCH=must: no precompiled headers in %s fit the %s pass", s->headers,
                 pass == PASS_DEVICE ? "device" : "host");
        workdir_remove();
        exit(STATUS_NOT_ABLE);
    }
    return found;
}

/* A run with precompiled headers counts when it went without a word. Else it is repeated without
 * them, so that what is said, and what is refused, does not depend on them. Only a run that a limit
 * ended is not repeated: it would meet the same limit again. */
static bool must_repeat(int status, const char *errors) {
    static const int limits[] = {SIGKILL, SIGTERM, SIGXCPU, SIGXFSZ};
    struct stat said;
    for (size_t i = 0; i < sizeof limits / sizeof *limits; i++)
        if (status == 128 + limits[i])
            return false;
    return status != 0 || stat(errors, &said) != 0 || said.st_size > 0;
}

/* From source to LLVM's text (NULL: to PTX), with or without precompiled headers. */
static int run_device(const options *o, const setup *s, const char *input, const char *text,
                      const char *ptx, const char *headers, const char *errors) {
    args command = {0};
    device_command(&command, o, s, input, text ? text : ptx, text != NULL, headers);
    int status = wait_for(&command, errors, o->verbose);
    args_free(&command);
    return status;
}

/* The device pass. What only the second half refuses is left to the compiler in one go, whose
 * messages then have lines. Returns its status. *constants: whether the program may have some that
 * host code reads (vgpucc_consts.h); or NULL. */
static int compile_device(const options *o, const setup *s, const char *input, const char *ptx,
                          const char *headers, const char *errors, bool *constants) {
    const char *text = workdir_file("ll");
    int status = run_device(o, s, input, text, ptx, headers, errors);
    if (headers && must_repeat(status, errors))
        status = run_device(o, s, input, text, ptx, NULL, errors);
    if (status == 0 && constants)
        *constants = consts_declared(text, o, input);
    if (status == 0 && (!padding_freeze(text) || !vectors_keep(text) || !blanks_keep(text) ||
                        !gone_mark(text) || compile_text(o, s, text, ptx) != 0))
        status = run_device(o, s, input, NULL, ptx, NULL, errors);
    if (status == 0 && !blanks_name(ptx, &o->both, input))
        status = STATUS_FAILED;
    if (status == 0 && !arch_has_all(&o->wanted, ptx, input))
        status = STATUS_FAILED;
    return status;
}

/* What a host pass is about. */
typedef struct host_pass {
    const options *o;
    const setup *s;
    const char *input, *object, *errors;
} host_pass;

static pid_t start_host(const host_pass *h, const char *ptx, const char *headers) {
    args command = {0};
    host_command(&command, h->o, h->s, h->input, ptx, h->object, headers);
    pid_t pid = start(&command, h->errors, h->o->verbose);
    args_free(&command);
    return pid;
}

static int run_host(const host_pass *h, const char *ptx, const char *headers) {
    pid_t pid = start_host(h, ptx, headers);
    return pid > 0 ? finish(pid) : 127;
}

/* The process that waited at the pipe for the PTX gets it. Returns its status. */
static int feed_host(pid_t host, const char *pipe, const char *ptx) {
    int status = 127;
    bool ended = false;
    feed(ptx, pipe, host, &status, &ended);
    return ended && status != 127 ? status : finish(host);
}

/* The host pass once the PTX is there. waiting: its process at the pipe; -1: there is none. Returns
 * the compiler's status. */
static int finish_host(const host_pass *h, pid_t waiting, const char *pipe, const char *ptx,
                       const char *headers) {
    int status = waiting > 0 ? feed_host(waiting, pipe, ptx) : 127;
    if (waiting > 0 && !(headers && must_repeat(status, h->errors)))
        return status;
    if (!terminate_text(ptx))
        return 127;
    if (waiting < 0)
        status = run_host(h, ptx, headers);
    if (headers && must_repeat(status, h->errors))
        status = run_host(h, ptx, NULL);
    return status;
}

/* What a compiler or linker said of what it refused; or, where it is about a library that is not
 * here, that. warnings: of the other pass, or NULL. */
static void refuse(const setup *s, const char *errors, const char *warnings) {
    if (missing_header(errors, s->include))
        return;
    show_diagnostics(warnings ? warnings : errors, warnings ? errors : NULL);
    missing_names(errors);
    host_only_names(errors);
}

/* --keep: a copy of the PTX; the program is made even where that cannot be written. */
static void keep_ptx(const options *o, const char *input, const char *ptx) {
    size_t length = 0;
    char *text = read_file(ptx, &length);
    const char *to = default_output(o->keep, input, "ptx");
    if (!text || !write_file(to, text, length))
        complain("--keep: %s: cannot be written", to);
    free(text);
}

/* --ptxas-options=-v; the program is made even where that cannot be told. */
static void print_resources(const options *o, const setup *s, const char *ptx) {
    args command = {0};
    args_push(&command, s->resources);
    args_push(&command, ptx);
    if (wait_for(&command, NULL, o->verbose) != 0)
        complain("--ptxas-options=-v: what the kernels need cannot be told");
    args_free(&command);
}

/* Joins `part` with what the assembler makes of `text`. */
static int join_text(const options *o, const char *part, const char *text, const char *object) {
    const char *as = find_program("as"), *ld = find_program("ld");
    if (!as || !ld) {
        complain("-rdc=true: %s is missing (the package binutils)", as ? "ld" : "as");
        return 127;
    }
    args assembler = {0}, linker = {0};
    const char *needs = workdir_file("needs.o");
    const char *const assemble[] = {as, text, "-o", needs, NULL};
    const char *const join[] = {ld, "-r", part, needs, "-o", object, NULL};
    args_push_list(&assembler, assemble);
    args_push_list(&linker, join);
    int status = wait_for(&assembler, NULL, o->verbose);
    if (status == 0)
        status = wait_for(&linker, NULL, o->verbose);
    args_free(&assembler);
    args_free(&linker);
    return status;
}

/* -rdc=true: other files may use this one's functions and variables, and this one theirs. */
static int share_symbols(const options *o, const char *ptx, const char *object) {
    args gives = {0};
    bool any = false;
    const char *needs = workdir_file("needs.s"), *part = workdir_file("part.o");
    const char *objcopy = find_program("objcopy");
    if (!objcopy) {
        complain("-rdc=true: objcopy is missing (the package binutils)");
        return 127;
    }
    args_push(&gives, objcopy);
    int status = whole_symbols(ptx, &gives, needs, &any) ? 0 : STATUS_NOT_ABLE;
    if (status != 0)
        complain("-rdc=true: %s cannot be written: %s", needs, strerror(errno));
    args_push(&gives, object);
    args_push(&gives, any ? part : object);
    if (status == 0)
        status = wait_for(&gives, NULL, o->verbose);
    if (status == 0 && any)
        status = join_text(o, part, needs, object);
    args_free(&gives);
    return status;
}

/* A .cu file to an object, both passes at once; one after the other where no pipe can be had. */
static int compile_cuda(const options *o, const setup *s, const char *input, const char *object) {
    const char *ptx = workdir_file("ptx");
    const char *pipe = workdir_file("pipe");
    const char *device_errors = workdir_file("device");
    const host_pass h = {o, s, input, object, workdir_file("host")};
    const char *headers = headers_for(PASS_HOST, o, s);
    const char *device_headers = headers_for(PASS_DEVICE, o, s);
    pid_t host = mkfifo(pipe, 0600) == 0 ? start_host(&h, pipe, headers) : -1;
    bool constants = false;
    int status = compile_device(o, s, input, ptx, device_headers, device_errors, &constants);
    const bool apart = status == 0 && !o->relocatable && !whole_ptx(input, ptx);
    if (status != 0 || apart) {
        if (host > 0)
            stop(host);
        if (apart)
            return STATUS_FAILED;
        refuse(s, device_errors, NULL);
    } else {
        if (o->keep)
            keep_ptx(o, input, ptx);
        if (o->resources)
            print_resources(o, s, ptx);
        if (o->watched)
            watch_append(o, s, input, ptx);
        status = finish_host(&h, host, pipe, ptx, headers);
        if (status == 0 && constants)
            status = terminate_text(ptx) && consts_compile(o, s, input, ptx, object) ? 0 : 127;
        if (status == 0 && !shadows_apart(object))
            status = STATUS_FAILED;
        if (status == 0 && o->relocatable)
            status = share_symbols(o, ptx, object);
        if (status != 0)
            refuse(s, h.errors, device_errors);
        else
            show_diagnostics(device_errors, h.errors);
    }
    if (status == 0 && !shared_arrays_fit(ptx, input))
        return STATUS_SHARED;
    return explain(status, false, input);
}

static int run(const args *command, const options *o, const setup *s, bool nvcc,
               const char *input) {
    const char *errors = workdir_file("errors");
    int status = wait_for(command, errors, o->verbose);
    if (status != 0)
        refuse(s, errors, NULL);
    else
        show_diagnostics(errors, NULL);
    return explain(status, nvcc, input);
}

static int compile(const options *o, const setup *s, const link_item *item, const char *object) {
    args command = {0};
    if (item->language == LANG_CUDA && !s->cuda.nvcc)
        return compile_cuda(o, s, item->text, object);
    if (item->language == LANG_CUDA)
        nvcc_command(&command, o, s->cuda.nvcc, s->include, item->text, object);
    else
        plain_command(&command, o, s, item, object);
    int status = run(&command, o, s, item->language == LANG_CUDA, item->text);
    args_free(&command);
    return status;
}

static int emit_ptx(const options *o, const setup *s, const link_item *item, const char *output) {
    args command = {0};
    if (item->language != LANG_CUDA) {
        complain("%s: only a .cu file has PTX", item->text);
        return STATUS_NOT_ABLE;
    }
    if (!s->cuda.nvcc) {
        const char *errors = workdir_file("errors");
        const char *headers = headers_for(PASS_DEVICE, o, s);
        int status = compile_device(o, s, item->text, output, headers, errors, NULL);
        if (status != 0)
            refuse(s, errors, NULL);
        else
            show_diagnostics(errors, NULL);
        if (status == 0 && o->resources)
            print_resources(o, s, output);
        return explain(status, false, item->text);
    }
    nvcc_command(&command, o, s->cuda.nvcc, s->include, item->text, output);
    int status = run(&command, o, s, true, item->text);
    args_free(&command);
    return status;
}

/* ---- linking ---- */

/* objects[i] stands in for item i where that had to be compiled. */
static int link_program(const options *o, const setup *s, const char *const *objects) {
    args command = {0};
    char *linker = NULL;
    bool shared = false;
    for (size_t i = 0; i < o->num_items; i++)
        shared = shared || strcmp(o->items[i].text, "-shared") == 0 ||
                 strcmp(o->items[i].text, "--shared") == 0;
    const char *library = shared ? s->shared_library : s->library;
    if (access(library, R_OK) != 0) {
        complain("%s is missing: %s", library, s->mend);
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
    args_push(&command, library);
    args_push(&command, "-Wl,--as-needed");
    push_words(&command, VGPU_LINK_LIBS);
    if (linker)
        args_push(&command, "-lstdc++");
    int status = run(&command, o, s, false, "linking");
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

/* -lib: the objects, and those that were given as such, in an archive. */
static int build_library(const options *o, const setup *s) {
    int status = STATUS_OK;
    args command = {0};
    char *ar = find_program("ar");
    if (!ar || !o->output) {
        complain(ar ? "-lib needs -o ARCHIVE" : "-lib: ar is missing (the package binutils)");
        return STATUS_NOT_ABLE;
    }
    unlink(o->output); /* what is not named again is not in it */
    args_push(&command, ar);
    args_push(&command, "qcs");
    args_push(&command, o->output);
    for (size_t i = 0; i < o->num_items && status == STATUS_OK; i++) {
        const link_item *item = &o->items[i];
        const char *object = item->text;
        if (item->language != LANG_NONE) {
            object = workdir_file("o");
            status = compile(o, s, item, object);
        } else if (item->text[0] == '-') {
            continue;
        }
        args_push(&command, object);
    }
    if (status == STATUS_OK)
        status = run(&command, o, s, false, o->output);
    args_free(&command);
    return status;
}

/* -E, -M, -MM: what the host pass would read, or from which files. */
static int print_texts(const options *o, const setup *s) {
    int status = STATUS_OK;
    for (size_t i = 0; i < o->num_items; i++) {
        args command = {0};
        if (o->items[i].language == LANG_NONE)
            continue;
        text_command(&command, o, s, &o->items[i]);
        int one = run(&command, o, s, false, o->items[i].text);
        status = one != STATUS_OK ? one : status;
        args_free(&command);
    }
    return status;
}

/* -dlink: what a build links besides. */
static int build_nothing(const options *o, const setup *s) {
    args command = {0};
    const char *source = workdir_file("c");
    if (!write_file(source, "", 0))
        return STATUS_NOT_ABLE;
    args_push(&command, s->clangxx);
    const char *const how[] = {"-x", "c", "-fPIC", "-c", source, "-o", NULL};
    args_push_list(&command, how);
    args_push(&command, o->output ? o->output : "a_dlink.o");
    int status = run(&command, o, s, false, "-dlink");
    args_free(&command);
    return status;
}

/* -c and -S: one output for each source. */
static int build_each(const options *o, const setup *s) {
    int status = STATUS_OK;
    for (size_t i = 0; i < o->num_items; i++) {
        const link_item *item = &o->items[i];
        if (item->language == LANG_NONE)
            continue;
        char *output =
            o->output ? format_text("%s", o->output)
                      : default_output(o->folder, item->text, o->kind == OUTPUT_PTX ? "ptx" : "o");
        int one =
            o->kind == OUTPUT_PTX ? emit_ptx(o, s, item, output) : compile(o, s, item, output);
        status = one != STATUS_OK ? one : status;
    }
    return status;
}

/* ---- all of it ---- */

/* --precompile: the headers in front of every .cu file, for one pass. */
static int precompile(const options *o, const setup *s) {
    args fixed = {0};
    if (!o->output || o->num_items > 0 || o->both.count > 0) {
        complain("--precompile takes -o FILE and options of the host pass, no input and no -I, -D "
                 "or -W");
        return STATUS_NOT_ABLE;
    }
    pass_options(&fixed, o->headers, o, s);
    const headers_use use = {o->headers, &fixed, &o->both, s->include};
    const bool made = headers_make(&use, o->output, o->verbose);
    args_free(&fixed);
    return made ? STATUS_OK : STATUS_FAILED;
}

static int build(const options *o, const setup *s) {
    if (o->relocatable && s->cuda.nvcc) {
        complain("-rdc=true works only with clang as the front end: leave out --front nvcc");
        return STATUS_NOT_ABLE;
    }
    if (o->tells || o->dry_run)
        tell_commands(o, s);
    if (o->dry_run)
        return STATUS_OK;
    switch (o->kind) {
    case OUTPUT_HEADERS: return precompile(o, s);
    case OUTPUT_PROGRAM: return build_program(o, s);
    case OUTPUT_TEXT: return print_texts(o, s);
    case OUTPUT_LIBRARY: return build_library(o, s);
    case OUTPUT_NOTHING: return build_nothing(o, s);
    default: return build_each(o, s);
    }
}

static bool inputs_are_sound(const options *o) {
    bool sound = true;
    if (o->kind == OUTPUT_HEADERS)
        return true;
    if (o->tells && o->num_items == 1 && access(o->items[0].text, F_OK) != 0) {
        /* How CMake asks where things are. */
        setup s = {0};
        if (setup_find(&s, o->front))
            tell_commands(o, &s);
    }
    if (o->num_items == 0) {
        complain("no input files (vgpucc --help)");
        return false;
    }
    if (o->kind != OUTPUT_PROGRAM && o->kind != OUTPUT_LIBRARY && o->kind != OUTPUT_NOTHING &&
        options_sources(o) == 0) {
        complain("nothing to compile: give a .cu, .c or .cpp file");
        return false;
    }
    if (o->kind != OUTPUT_PROGRAM && o->kind != OUTPUT_LIBRARY && o->output &&
        options_sources(o) > 1) {
        complain("-o with -c or -S takes one source file, not %zu", options_sources(o));
        return false;
    }
    for (size_t i = 0; i < o->num_items; i++) {
        bool value = i > 0 && strcmp(o->items[i - 1].text, "-Xlinker") == 0;
        sound = (value || input_is_sound(&o->items[i])) && sound;
    }
    return sound;
}

/* -run: its status is the program's. */
static int run_program(const options *o) {
    const char *name = o->output ? o->output : "a.out";
    args command = {0};
    args_push(&command, strchr(name, '/') ? name : format_text("./%s", name));
    const int status = wait_for(&command, NULL, o->verbose);
    args_free(&command);
    return status;
}

int main(int argc, char **argv) {
    options o = {0};
    setup s = {0};
    int status = STATUS_NOT_ABLE;
    demote_cpath();
    enum parsed parsed = options_parse(&o, argc, argv);
    if (parsed == PARSED_DONE)
        status = STATUS_OK;
    else if (parsed == PARSED_OK && inputs_are_sound(&o) && setup_find(&s, o.front) &&
             workdir_make())
        status = build(&o, &s);
    workdir_remove();
    if (status == STATUS_OK && o.run && o.kind == OUTPUT_PROGRAM)
        status = run_program(&o);
    args_free(&s.cuda.headers);
    options_free(&o);
    free_texts();
    return status;
}
