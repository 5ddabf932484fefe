/*
 * backend.h: what the submission is compiled with and runs on.
 *
 *   vgpu   build/bin/vgpucc and the virtual GPU. Always possible where clang is installed.
 *   gpu    nvcc and the machine's GPU, for the architecture the device itself names.
 *   both   gpu for right products, vgpu for what only it can see: safety and evidence.
 *   auto   both when nvcc works and a device answers (gpu if there is no clang), else vgpu.
 */
#pragma once

#include "grading/src/build/paths.h"

#include <stdbool.h>
#include <stddef.h>

enum backend_choice { BACKEND_AUTO, BACKEND_VGPU, BACKEND_GPU, BACKEND_BOTH };

struct backend {
    enum backend_choice kind; /* BACKEND_VGPU or BACKEND_GPU */
    char *compiler;           /* path of vgpucc or nvcc */
    char *front;              /* of the compiler behind vgpucc: clang or nvcc; NULL: none */
    char *worker_library;
    char *architecture; /* nvcc's option for the GPU; NULL on the virtual GPU */
    char *device;       /* "virtual GPU" or the GPU's name */
    char *reason;       /* why this one; NULL when it was asked for */
    char *toolkit; /* the CUDA toolkit's folder, which the compiler must see; NULL: none is used */
    char *note;    /* why the CUDA toolkit that is there is not used; NULL: nothing to tell */
};

/* Finds what runs the cases of a lab. A GPU that lacks what the lab is about (its capability) is
 * none for it: its code would not compile. False when the choice cannot be had; `why` then is one
 * line that says what to do. */
struct lab_spec;
bool backend_choose(struct backend *b, enum backend_choice choice, const struct lab_spec *lab,
                    const struct paths *paths, char *why, size_t room);

/* Finds a virtual GPU to watch what runs on the GPU `b`. Where there is no clang it compiles with
 * nvcc, for which VGPU_FRONT is set. False, and *observer is empty, when none is wanted or there is
 * none; `why` then says so. */
bool backend_choose_observer(struct backend *observer, const struct backend *b,
                             enum backend_choice choice, const struct paths *paths, char *why,
                             size_t room);
void backend_free(struct backend *b);

/* "vgpu", "gpu" or "auto". */
const char *backend_name(enum backend_choice kind);

/* An endless kernel on the virtual GPU ends by its count of warp instructions, which is the same on
 * every machine. The slowest right answer, one thread doing everything, takes half of it. */
#define KERNEL_BUDGET "500000000"

/* The environment children get: what compilers and drivers need to find their files (the virtual
 * GPU's headers those of the kit `headers`), with every temporary file in `scratch`; nothing else
 * of the caller's. NULL-terminated; free the array and its strings with environment_free. */
char **environment_make(const char *headers, const char *scratch);
void environment_free(char **environment);
