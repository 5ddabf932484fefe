/* backend.c: finds compilers and devices (see backend.h). */
#include "grading/src/build/backend.h"

#include "grading/src/base/text.h"
#include "grading/src/build/toolkit.h"
#include "grading/src/lab/labs.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* A GPU that does not answer in this time, computing or waiting, is not there. */
#define ASK_MILLISECONDS 20000

const char *backend_name(enum backend_choice kind) {
    static const char *const names[] = {[BACKEND_AUTO] = "auto",
                                        [BACKEND_VGPU] = "vgpu",
                                        [BACKEND_GPU] = "gpu",
                                        [BACKEND_BOTH] = "both"};
    return names[kind];
}

/* The path of a program, from PATH; NULL when it is not there. The caller frees it. */
static char *find_program(const char *name) {
    if (strchr(name, '/'))
        return access(name, X_OK) == 0 ? xstrdup(name) : NULL;
    const char *path = getenv("PATH");
    while (path && *path) {
        const size_t length = strcspn(path, ":");
        char *candidate = xasprintf("%.*s/%s", (int)length, path, name);
        if (length > 0 && access(candidate, X_OK) == 0)
            return candidate;
        free(candidate);
        path += length + (path[length] == ':');
    }
    return NULL;
}

/* The clang that vgpucc would find; NULL: there is none. The caller frees it. */
static char *find_clang(void) {
    static const char *const names[] = {"clang++",    "clang++-19", "clang++-18", "clang++-17",
                                        "clang++-16", "clang++-15", "clang++-14"};
    const char *named = getenv("VGPU_CLANG");
    if (named && *named)
        return find_program(named);
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        char *found = find_program(names[i]);
        if (found)
            return found;
    }
    return NULL;
}

/* Is a compiler for the virtual GPU there? Whoever names one means it. */
static bool has_clang(void) {
    static const char *const variables[] = {"VGPU_CLANG", "CLANGXX"};
    for (size_t i = 0; i < sizeof variables / sizeof *variables; i++) {
        const char *named = getenv(variables[i]);
        if (named && *named)
            return true;
    }
    char *found = find_clang();
    free(found);
    return found != NULL;
}

/* The first line of what a program of ours prints. */
static char *ask(const char *const *argv) {
    char *line = ask_program(argv, NULL, ASK_MILLISECONDS);
    if (line)
        line[strcspn(line, "\n")] = '\0';
    return line;
}

/* Asks build/bin/gpu-probe, which prints the device's compute capability and name ("90 NVIDIA
 * H200"), and tools/gpu-arch, which knows nvcc's options for it. False, with the reason, when there
 * is no device or no way to compile for it. */
static bool ask_device(struct backend *b, const struct lab_spec *lab, const struct paths *paths,
                       char *why, size_t room) {
    char *probe = xasprintf("%s/bin/gpu-probe", paths->build);
    char *arch = xasprintf("%s/tools/gpu-arch", paths->root);
    char capability[16], name[128];
    char *device = ask((const char *const[]){probe, NULL});
    if (!device || sscanf(device, "%15[0-9] %127[^\n]", capability, name) != 2) {
        snprintf(why, room, "no GPU answers");
    } else if (strtol(capability, NULL, 10) < lab->capability) {
        const int has = (int)strtol(capability, NULL, 10) % 1000;
        snprintf(why, room, "%s needs compute capability %d.%d, and the %.60s has %d.%d", lab->name,
                 lab->capability / 10, lab->capability % 10, name, has / 10, has % 10);
    } else {
        b->device = xstrdup(name);
        b->architecture = ask((const char *const[]){arch, b->compiler, capability, NULL});
        if (!b->architecture)
            snprintf(why, room, "this nvcc does not compile for the %s", name);
    }
    free(device);
    free(arch);
    free(probe);
    return b->architecture != NULL;
}

/* A GPU, if all is there. False: `why` has the reason, b->note what is wrong with the toolkit. */
static bool choose_gpu(struct backend *b, const struct lab_spec *lab, const struct paths *paths,
                       char *why, size_t room) {
    struct toolkit t;
    toolkit_ask(&t, paths, NULL);
    const char *fault = t.fault ? t.fault : lab->cublas ? t.no_cublas : NULL;
    bool chosen = false;
    if (fault) {
        snprintf(why, room, "%s", fault);
        b->note = xstrdup(fault);
    } else if (!t.nvcc) {
        snprintf(why, room, "there is no nvcc");
    } else {
        b->compiler = xstrdup(t.nvcc);
        b->worker_library = xasprintf("%s/lib/libworker-gpu.a", paths->build);
        b->kind = BACKEND_GPU;
        b->toolkit = t.top ? xstrdup(t.top) : NULL;
        chosen = ask_device(b, lab, paths, why, room);
        if (chosen && access(b->worker_library, R_OK) != 0) {
            snprintf(why, room, "the worker for GPUs is not built");
            chosen = false;
        }
    }
    toolkit_free(&t);
    return chosen;
}

/* nvcc as the virtual GPU's front end: vgpucc is told what is known, since it runs within walls. */
static bool use_nvcc_front(struct backend *b, const struct paths *paths, char *why, size_t room) {
    struct toolkit t;
    toolkit_ask(&t, paths, getenv("VGPU_NVCC"));
    const bool works = toolkit_works(&t);
    if (works) {
        setenv("VGPU_TOOLKIT", t.facts, 1);
        b->front = xstrdup(t.nvcc);
        b->toolkit = t.top ? xstrdup(t.top) : NULL;
    } else {
        snprintf(why, room, "VGPU_FRONT is nvcc: %s", t.fault ? t.fault : "there is no nvcc");
    }
    toolkit_free(&t);
    return works;
}

static bool choose_vgpu(struct backend *b, const struct paths *paths, char *why, size_t room) {
    b->kind = BACKEND_VGPU;
    b->compiler = xasprintf("%s/bin/vgpucc", paths->build);
    b->worker_library = xasprintf("%s/lib/libworker.a", paths->build);
    b->device = xstrdup("virtual GPU");
    if (access(b->compiler, X_OK) != 0 || access(b->worker_library, R_OK) != 0) {
        snprintf(why, room, "no compiler for the virtual GPU: run 'make grader-tools' in %s",
                 paths->root);
        return false;
    }
    const char *front = getenv("VGPU_FRONT");
    if (front && strcmp(front, "nvcc") == 0)
        return use_nvcc_front(b, paths, why, room);
    b->front = find_clang(); /* without one vgpucc says what to do */
    return true;
}

bool backend_choose(struct backend *b, enum backend_choice choice, const struct lab_spec *lab,
                    const struct paths *paths, char *why, size_t room) {
    *b = (struct backend){0};
    if (choice == BACKEND_VGPU)
        return choose_vgpu(b, paths, why, room);
    char reason[512];
    if (choose_gpu(b, lab, paths, reason, sizeof reason)) {
        b->reason = choice == BACKEND_AUTO ? xstrdup("a GPU answers") : NULL;
        return true;
    }
    char *note = b->note;
    b->note = NULL;
    backend_free(b);
    if (choice == BACKEND_GPU || choice == BACKEND_BOTH) {
        snprintf(why, room, "cannot grade on a GPU: %s (use --backend vgpu)", reason);
        free(note);
        return false;
    }
    b->note = note;
    b->reason = xstrdup(note ? "the CUDA toolkit cannot be used" : reason);
    return choose_vgpu(b, paths, why, room);
}

bool backend_choose_observer(struct backend *observer, const struct backend *b,
                             enum backend_choice choice, const struct paths *paths, char *why,
                             size_t room) {
    *observer = (struct backend){0};
    if (choice == BACKEND_GPU) {
        snprintf(why, room, "--backend both uses it as well");
        return false;
    }
    if (b->kind == BACKEND_VGPU)
        return false;
    /* It compiles with clang, which machines with a toolkit may lack: then with their nvcc. */
    if (!has_clang())
        setenv("VGPU_FRONT", "nvcc", 0);
    return choose_vgpu(observer, paths, why, room);
}

void backend_free(struct backend *b) {
    free(b->compiler);
    free(b->front);
    free(b->worker_library);
    free(b->architecture);
    free(b->device);
    free(b->reason);
    free(b->note);
    free(b->toolkit);
    *b = (struct backend){0};
}

char **environment_make(const char *headers, const char *scratch) {
    static const char *const kept[] = {"PATH",
                                       "LD_LIBRARY_PATH",
                                       "CUDA_HOME",
                                       "CUDA_PATH",
                                       "CUDA_VISIBLE_DEVICES",
                                       "NVIDIA_VISIBLE_DEVICES",
                                       "CLANGXX",
                                       "VGPU_CLANG",
                                       "VGPU_PCH",
                                       "VGPU_FRONT",
                                       "VGPU_NVCC",
                                       "VGPU_TOOLKIT",
                                       "NVCC_CCBIN",
                                       "NVCC_PREPEND_FLAGS",
                                       "NVCC_APPEND_FLAGS"};
    static const char *const one_thread[] = {"OPENBLAS_NUM_THREADS", "GOTO_NUM_THREADS",
                                             "OMP_NUM_THREADS", "MKL_NUM_THREADS",
                                             "BLIS_NUM_THREADS"};
    const size_t n = sizeof kept / sizeof *kept;
    char **e = xcalloc(n + 10 + sizeof one_thread / sizeof *one_thread, sizeof *e);
    size_t used = 0;
    for (size_t i = 0; i < n; i++) {
        const char *value = getenv(kept[i]);
        if (value)
            e[used++] = xasprintf("%s=%s", kept[i], value);
    }
    if (!getenv("PATH"))
        e[used++] = xstrdup("PATH=/usr/local/bin:/usr/bin:/bin");
    e[used++] = xasprintf("VGPU_HOME=%s", headers);
    e[used++] = xstrdup("VGPU_BUDGET=" KERNEL_BUDGET);
    /* Blocks one after the other: what a racing kernel computes, and so its marks, must not depend
     * on how many cores there are and which of them was quicker. */
    e[used++] = xstrdup("VGPU_WORKERS=1");
    /* Fresh memory of the host is no zeros, as fresh memory of the device is none
     * (GNU C library). */
    e[used++] = xstrdup("GLIBC_TUNABLES=glibc.malloc.perturb=1");
    e[used++] = xstrdup("LC_ALL=C");
    e[used++] = xasprintf("HOME=%s", scratch);
    e[used++] = xasprintf("TMPDIR=%s", scratch);
    e[used++] = xstrdup("CUDA_CACHE_DISABLE=1");
    /* A BLAS starts a thread a core, and they spin while they wait for each other: processor time
     * that a limit would count. */
    for (size_t i = 0; i < sizeof one_thread / sizeof *one_thread; i++)
        e[used++] = xasprintf("%s=1", one_thread[i]);
    return e;
}

void environment_free(char **environment) {
    for (char **e = environment; e && *e; e++)
        free(*e);
    free(environment);
}
