/*
 * ptxrun.h: where ptxrun's kernels run. Two programs share everything else: ptxrun runs them on the
 * virtual GPU, ptxrun-gpu through the CUDA driver on a real one, so that the expected results of
 * vgpu/tests/ptx can be held against hardware.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct target target;

typedef struct target_call {
    const char *text; /* PTX, NUL-terminated, len bytes without the NUL */
    size_t len;
    const char *kernel;
    uint32_t grid[3], block[3];
    uint32_t shared; /* bytes of dynamic shared memory */
    void **args;
    int num_args;
} target_call;

enum target_status {
    TARGET_DONE,
    TARGET_FAULT, /* the PTX or the kernel is at fault: code and message say how */
    TARGET_MISUSE /* no such kernel, another number of arguments                */
};

/* NULL with a reason in why when there is no such device here. */
target *target_open(char *why, size_t len);
void target_close(target *t);
/* What it is, in words. */
void target_describe(const target *t, char *text, size_t len);
/* As after target_open: memory is given back, and a device that faulted answers again. */
bool target_renew(target *t, char *why, size_t len);
/* The text of earlier calls is about to be freed. */
void target_forget(target *t);
/* `size` bytes of device memory holding `bytes`; 0 when out of memory. */
uint64_t target_alloc(target *t, const void *bytes, size_t size);
/* Copies device memory back; false when the device no longer answers. */
bool target_read(target *t, uint64_t address, void *bytes, size_t size);
/* Runs the kernel to its end. code is a cudaError_t (CUresult on hardware: the numbers agree). */
enum target_status target_run(target *t, const target_call *call, int *code, char *message,
                              size_t len);
