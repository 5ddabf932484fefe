/* tools.c: see tools.h. */
#include "grading/src/build/tools.h"

#include "grading/src/base/scratch.h"
#include "grading/src/sandbox/child.h"
#include "grading/src/sandbox/shortage.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

/* ---- The folder ---- */

void job_free(struct job *j) {
    environment_free(j->environment);
    free(j->folder);
    free(j->file);
    free(j->renamed);
    free(j->messages);
}

static bool write_file(const char *folder, const char *name, const char *bytes, size_t n) {
    char *path = xasprintf("%s/%s", folder, name);
    const int fd = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0600);
    free(path);
    size_t done = 0;
    while (fd >= 0 && done < n) {
        const ssize_t wrote = write(fd, bytes + done, n - done);
        if (wrote < 0 && errno != EINTR)
            break;
        done += wrote > 0 ? (size_t)wrote : 0;
    }
    return fd >= 0 && close(fd) == 0 && done == n;
}

bool job_start(struct job *j, const char *scratch, const char *folder, const char *name,
               const char *bytes, size_t n) {
    const size_t length = strlen(name);
    const bool suffix = length > 3 && strcmp(name + length - 3, ".cu") == 0;
    /* A compiler takes these as options, and other suffixes as other languages. */
    const bool plain = suffix && name[0] != '-' && name[0] != '@';
    j->file = plain ? xstrdup(name) : xasprintf("submission-%.200s.cu", name);
    j->renamed = plain ? NULL : xstrdup(name);
    j->folder = xasprintf("%s/%s", scratch, folder);
    char *headers = sandbox_path(j->sandbox, paths_headers(j->paths));
    j->environment = environment_make(headers, j->folder);
    free(headers);
    const bool ok = mkdir(j->folder, 0700) == 0 && write_file(j->folder, j->file, bytes, n);
    sandbox_give(j->sandbox, j->folder);
    return ok;
}

/* ---- One program ---- */

/* vgpucc ends with this, or with 128 + a signal, where its compiler breaks down. */
#define STATUS_BROKEN 70

/* And with this where it refuses a kernel for its arrays in shared memory. */
#define STATUS_SHARED 3

/* What the end of a compiler means; `shortage`: meanwhile processes were ended for lack of
 * memory. */
static enum tool_outcome outcome_of(int status, bool shortage) {
    const int code = WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
    if (code == 0)
        return TOOL_OK;
    if (code == 128 + SIGXFSZ || code == 128 + SIGXCPU)
        return TOOL_LIMIT;
    if (code == 128 + SIGKILL || shortage)
        return TOOL_KILLED;
    if (code == STATUS_SHARED)
        return TOOL_SHARED;
    return code == STATUS_BROKEN || (code > 128 && code <= 128 + SIGRTMAX) ? TOOL_BROKEN
                                                                           : TOOL_FAILED;
}

static enum tool_outcome run_tool_once(struct job *j, const char *const *argv) {
    const struct child_options options = {.argv = argv,
                                          .environment = (const char *const *)j->environment,
                                          .folder = j->folder,
                                          .sandbox = j->sandbox,
                                          .profile = SANDBOX_COMPILE,
                                          .writable = j->folder,
                                          .family = true,
                                          .limits = {.cpu_seconds = 2 * COMPILE_SECONDS,
                                                     .data_bytes = (uint64_t)4 << 30,
                                                     .file_bytes = (uint64_t)256 << 20,
                                                     .new_processes = 256,
                                                     .total_bytes = (uint64_t)6 << 30,
                                                     .folder_bytes = (uint64_t)1 << 30}};
    struct child *c = xcalloc(1, sizeof *c);
    const uint64_t kills = shortage_kills();
    char why[256];
    bool missing;
    free(j->messages);
    j->messages = NULL;
    if (!child_start(c, &options, why, sizeof why, &missing)) {
        j->messages = xasprintf("%s\n", why);
        free(c);
        return TOOL_UNUSABLE;
    }
    const struct patience p = {.user = COMPILE_SECONDS * 1000,
                               .processor = COMPILE_PROCESSOR * 1000,
                               .idle = COMPILE_WAITING * 1000,
                               .clock = COMPILE_CLOCK * 1000};
    const enum patience_end end = child_wait(c, &p);
    const bool ended = c->ended;
    child_finish(c);
    char *out = capture_text(&c->output), *errors = capture_text(&c->errors);
    j->messages = xasprintf("%s%s", errors, out);
    free(out);
    free(errors);
    const int status = c->wait_status;
    const bool excess = c->excess != EXCESS_NONE;
    free(c);
    if (interrupt_noted())
        return TOOL_STOPPED;
    if (excess)
        return TOOL_LIMIT;
    if (!ended)
        return end == PATIENCE_STARVED  ? TOOL_STARVED
               : end == PATIENCE_WAITED ? TOOL_WAITED
                                        : TOOL_LIMIT;
    return outcome_of(status, shortage_kills() != kills);
}

bool tool_machines_doing(enum tool_outcome outcome) {
    return outcome == TOOL_STARVED || outcome == TOOL_KILLED;
}

static enum tool_outcome run_tool(struct job *j, const char *const *argv) {
    enum tool_outcome outcome = TOOL_STARVED;
    for (int i = 0; i < COMPILE_TRIES && tool_machines_doing(outcome); i++)
        outcome = run_tool_once(j, argv);
    return outcome;
}

enum tool_outcome job_run(struct job *j, const char *const *argv) {
    return run_tool(j, argv);
}

/* ---- The commands ---- */

enum tool_outcome job_compile(struct job *j) {
    const bool gpu = j->backend->kind == BACKEND_GPU;
    char *root = sandbox_path(j->sandbox, j->paths->root);
    char *common = xasprintf("-I%s/common", root);
    char *compiler = sandbox_path(j->sandbox, j->backend->compiler);
    /* Means nothing to a submission; the probe then tries cuBLAS as well. */
    const char *define = j->lab->cublas ? "-DPROBE_CUBLAS" : "-DPROBE";
    const char *const arch = j->backend->architecture;
    const char *const for_gpu[] = {compiler, "-c", "-O3",          "-lineinfo", arch, common,
                                   define,   "-o", "submission.o", j->file,     NULL};
    const char *const for_vgpu[] = {compiler,
                                    "-c",
                                    "-O2",
                                    common,
                                    define,
                                    "-o",
                                    "submission.o",
                                    j->file,
                                    j->watched ? "-g" : NULL,
                                    NULL};
    enum tool_outcome outcome = run_tool(j, gpu ? for_gpu : for_vgpu);
    if (gpu && outcome == TOOL_SHARED) /* to nvcc this number means nothing */
        outcome = TOOL_FAILED;
    char *all[] = {root, common, compiler};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        free(all[i]);
    return outcome;
}

enum tool_outcome job_link(struct job *j) {
    const bool gpu = j->backend->kind == BACKEND_GPU;
    char *compiler = sandbox_path(j->sandbox, j->backend->compiler);
    char *library = sandbox_path(j->sandbox, j->backend->worker_library);
    const char *const argv[] = {compiler, "submission.o", library,
                                "-o",     "worker",       gpu && j->lab->cublas ? "-lcublas" : NULL,
                                NULL};
    enum tool_outcome outcome = run_tool(j, argv);
    if (outcome == TOOL_SHARED) /* nor to a linker */
        outcome = TOOL_FAILED;
    free(compiler);
    free(library);
    sandbox_take(j->sandbox, j->folder); /* what runs may not change what was built */
    return outcome;
}
