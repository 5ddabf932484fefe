/*
 * core.h: what the CUDA runtime layer may ask of the executor. PTX text goes in, kernels come out,
 * kernels are launched on grids; nothing here knows of streams, events or error codes' history.
 *
 * Contract: launches are synchronous and use all worker threads of the executor. One launch at a
 * time (the runtime holds its lock). Launch limits (threads per block, shared memory, grid sizes)
 * are checked by the runtime, which knows the device profile.
 */
#pragma once

#include "vgpu/src/core/heap.h"
#include "vgpu/src/memory/devmem.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct vg_dim3 {
    uint32_t x, y, z;
} vg_dim3;

typedef struct vg_module vg_module; /* one PTX text, loaded                */
typedef struct vg_kernel vg_kernel; /* one .entry of it, ready to be run   */
typedef struct vg_exec vg_exec;     /* worker threads and launch settings  */

/* What stopped a kernel or a load. The numbers are cudaError_t's. */
enum vg_status {
    VG_OK = 0,
    VG_INVALID_PTX = 218,     /* cudaErrorInvalidPtx: malformed PTX                          */
    VG_UNSUPPORTED = 801,     /* cudaErrorNotSupported: valid PTX that the executor lacks    */
    VG_OUT_OF_MEMORY = 2,     /* cudaErrorMemoryAllocation                                   */
    VG_ILLEGAL_ADDRESS = 700, /* cudaErrorIllegalAddress                                     */
    VG_MISALIGNED = 716,      /* cudaErrorMisalignedAddress                                  */
    VG_LAUNCH_TIMEOUT = 702,  /* cudaErrorLaunchTimeout: instruction budget used up          */
    VG_ASSERT = 710,          /* cudaErrorAssert: a device assert() failed                   */
    VG_HARDWARE_STACK = 714,
    VG_ILLEGAL_INSTRUCTION = 715, /* cudaErrorIllegalInstruction                                 */
    VG_INVALID_PC = 718,          /* cudaErrorInvalidPc: a call through a bad function pointer   */
    VG_LAUNCH_FAILURE = 719       /* cudaErrorLaunchFailure                                      */
};

/* The first fault of a launch, or why a kernel cannot be loaded: as a message, and its words (one
 * or more lines, without a trailing newline and without the "vgpu: " prefix). */
typedef struct vg_fault {
    enum vg_status status;
    const char *kernel; /* demangled where possible; owned by the module */
    char file[256];     /* source file, empty when unknown               */
    int line;           /* source line, 0 when unknown                   */
    vg_dim3 block, thread;
    struct vgpu_fact fact;
    char text[1536];
} vg_fault;

typedef struct vg_kernel_info {
    const char *name;   /* as in the PTX (mangled) */
    const char *pretty; /* demangled               */
    int num_params;
    uint32_t static_shared; /* bytes a block */
    uint32_t local_bytes;   /* bytes a thread */
    uint32_t const_bytes;
    int num_regs;    /* an estimate from the PTX's own register liveness; not ptxas' */
    int max_threads; /* .maxntid or 1024 */
    bool uses_heap;  /* calls malloc or free: launches need a heap */
    /* Waits for other blocks in words of memory: cooperative launches need a workspace. */
    bool uses_workspace;
    /* Updates memory atomically, or stores less than a word: other work may rightly write the same
     * words meanwhile. */
    bool mingles;
    /* Fences, atomics or ordered accesses for the whole system, or volatile stores outside
     * shared memory: what it writes the host may rightly look at while it runs. */
    bool tells_host;
    int ptx_version; /* 60 for PTX 6.0 */
    int target;      /* 70 for sm_70   */
} vg_kernel_info;

/* Parses and prepares PTX; its module-scope variables are allocated in mem. NULL on failure, with
 * fault filled (status VG_INVALID_PTX, VG_UNSUPPORTED or VG_OUT_OF_MEMORY; text names the PTX line
 * and the source line). text need not be NUL-terminated and is not kept. */
vg_module *vg_module_load(const char *text, size_t len, vg_mem *mem, vg_fault *fault);
/* A variable that lies in the host program's memory, at an address that both sides use. */
typedef struct vg_binding {
    const char *name;
    void *host;
    size_t size;
    uint64_t addr; /* that kernels know it by; 0: the host's own */
} vg_binding;
/* The same with `count` variables bound; their initial values are stored there. */
vg_module *vg_module_load_bound(const char *text, size_t len, vg_mem *mem, const vg_binding *bound,
                                size_t count, vg_fault *fault);
/* False: it declares functions or variables that it does not define. */
bool vg_module_is_whole(const vg_module *mod);
/* Looks those up in the other modules of the program, before any kernel is prepared; they must
 * outlive mod. False with *fault filled when one is nowhere. */
bool vg_module_link(vg_module *mod, vg_module *const *others, size_t count, vg_fault *fault);
void vg_module_unload(vg_module *mod, vg_mem *mem);

vg_kernel *vg_module_kernel(vg_module *mod, const char *name); /* NULL if absent */
const vg_kernel_info *vg_kernel_get_info(const vg_kernel *kernel);
/* Translates the kernel, once; later calls do nothing. `observed` as vg_exec_is_observed says.
 * Needed before a launch, and before the info's sizes mean anything. False with *fault filled
 * (VG_UNSUPPORTED: an instruction the executor lacks). */
bool vg_kernel_prepare(vg_kernel *kernel, bool observed, vg_fault *fault);
/* Byte size and offset of parameter i in the parameter block. */
void vg_kernel_param(const vg_kernel *kernel, int i, size_t *offset, size_t *size);
/* A __device__ or __constant__ variable: its device address and size. False if absent. */
bool vg_module_symbol(const vg_module *mod, const char *name, uint64_t *addr, uint64_t *size);

/* workers = 0: one for each core this process may use. NULL when threads can't be had. */
vg_exec *vg_exec_create(int workers);
void vg_exec_destroy(vg_exec *exec);
/* True when observers are registered (observe.h):
 * launches then need kernels prepared as observed. */
bool vg_exec_is_observed(const vg_exec *exec);

/* The words that the toolkit's grid.sync() finds through %envreg1 and %envreg2:
 * their number, then the barrier. */
enum { VG_WORKSPACE_BYTES = 32 };

/* What a launch needs to know of its device and of who asked. */
typedef struct vg_launch_params {
    vg_dim3 grid, block;
    uint32_t dynamic_shared; /* bytes */
    void *const *args;       /* one pointer for each parameter, as cudaLaunchKernel gets them */
    const vg_mem *mem;
    int sm_count; /* what %nsmid tells */
    uint32_t clock_khz;
    /* Bytes of a thread's stack, for recursion; 0: the device's default, 1024. */
    uint32_t stack_limit;
    vg_heap *heap;                      /* what malloc in device code gives out; NULL: nothing */
    const struct vg_textures *textures; /* that kernels may read (texture.h); NULL: none */
    bool cooperative; /* blocks may wait for each other: all of them run at once */
    /* Cooperative launches: address of VG_WORKSPACE_BYTES zeros, for nvcc's grid.sync(); or 0. */
    uint64_t workspace;
    uint64_t budget; /* warp instructions of a block before it counts as endless; 0: no limit */
    uint64_t blocks; /* run this many blocks, the first ones, and no more; 0: all */
    bool silent;     /* what printf in device code prints is not printed */
    /* Takes what printf in device code prints, in the order of the blocks; not from two threads at
     * once. NULL: to stdout. */
    void (*print)(void *self, const char *text, size_t len);
    void *print_self;
    /* Gets a warning if printf in device code is given a precision of *; NULL: nobody asks. */
    vg_fault *star;
    /* Observed programs: every float that a load from shared memory brings comes out doubled. */
    bool double_shared;
    /* Blocks begin with the last one, and not all at once: what depends on their order shows. */
    bool backwards;
    /* Called now and then by the thread that launches, with the number of blocks that have begun;
     * NULL: nobody asks. */
    void (*progress)(void *self, uint64_t begun);
    void *progress_self;
    /* What people call the device's variable of which the host has a copy at this address of its
     * own, in name. False: none is there. NULL: nobody knows. */
    bool (*shadow)(void *self, uint64_t address, char *name, size_t len);
    void *shadow_self;
} vg_launch_params;

/* Runs the whole grid. VG_OK, or the status of the first fault with *fault filled. Unsupported
 * instructions are faults when they are reached, VG_UNSUPPORTED. */
enum vg_status vg_launch(vg_exec *exec, const vg_kernel *kernel, const vg_launch_params *params,
                         vg_fault *fault);
