/*
 * context.h: the one object behind the CUDA runtime API: settings, device memory, executor, loaded
 * modules, streams, events, counters. The API itself has no handle for it, so there is one in the
 * process; every function here takes it as an argument nevertheless.
 *
 * How an API function looks:
 *
 *     cudaError_t cudaXyz(…) {
 *         vg_context *ctx = vg_begin();         locks
 *         cudaError_t error = vg_ready(ctx);    a kernel's fault stays; device memory is made
 *         if (error == cudaSuccess)
 *             error = …;
 *         return vg_end(ctx, error);            unlocks; an error becomes the last error
 *     }
 *
 * Contract: everything below vg_begin is called with the lock held, unless it says otherwise.
 */
#pragma once

#include "vgpu/include/cuda_runtime_api.h"
#include "vgpu/include/vgpu.h"
#include "vgpu/src/check/check.h"
#include "vgpu/src/core/core.h"
#include "vgpu/src/core/profile.h"
#include "vgpu/src/core/texture.h"
#include "vgpu/src/inspect/names.h"
#include "vgpu/src/inspect/watched.h"
#include "vgpu/src/runtime/progress.h"
#include "vgpu/src/runtime/ptrmap.h"

#include <pthread.h>

/* From the environment, read once. */
typedef struct vg_settings {
    const vg_profile *profile; /* VGPU_DEVICE; NULL when it names none            */
    int cudart;        /* VGPU_CUDART: the toolkit whose launch errors to give: 11, 12, 13 */
    bool quiet_wanted; /* VGPU_QUIET=1: no vgpu: lines */
    bool quiet;        /* the same, or the program asked for it (vgpu_be_quiet) */
    int workers;       /* VGPU_WORKERS: executor threads, 0 = one a core   */
    uint64_t budget;   /* VGPU_BUDGET: warp instructions a block, 0 = any  */
    uint64_t progress; /* VGPU_PROGRESS: seconds in kernels until progress.h speaks, 0 = never */
    bool late_wanted;  /* VGPU_LATE=0: asynchronous work is seen at once */
    bool late;         /* the same, unless the program asked for it (vgpu_wait_always) */
    bool idle;         /* VGPU_IDLE=1: kernels and products succeed and compute nothing */
    bool twofold;      /* VGPU_TWOFOLD=1: floats that kernels load from shared memory are doubled */
    bool backwards;    /* VGPU_BACKWARDS=1: a grid's last block begins first */
    unsigned checks;   /* VGPU_CHECK: which checkers watch, of enum VG_CHECK_… */
} vg_settings;

/* One PTX text that a compiled file brought along, and what was registered with it. */
typedef struct vg_fatbin {
    const void *wrapper; /* what __cudaRegisterFatBinary got */
    vg_module *module;   /* NULL until its first use         */
    bool linked;         /* with the program's other modules, where it needs them */
    cudaError_t failed;  /* why loading it failed, or cudaSuccess */
    uint64_t key;        /* its name in the journal (journal.h) */
    vg_watched watched;  /* its kernels as they can be watched; all NULL: compiled without -g */
    vg_names *names;     /* of those, when the program is debugged */
    struct vg_fatbin *next;
} vg_fatbin;

typedef struct vg_function {
    vg_fatbin *fatbin;
    const char *name;   /* in the PTX; the program's own text */
    vg_kernel *kernel;  /* NULL until its first use           */
    cudaError_t failed; /* why it can't be run, or cudaSuccess */
    int max_dynamic;    /* bytes allowed by cudaFuncSetAttribute, -1: never asked */
    int carveout;
} vg_function;

typedef struct vg_variable {
    vg_fatbin *fatbin;
    const char *name;
    size_t size;
    void *managed; /* __managed__: where it lies, for host and device; else NULL */
    bool closed;   /* the host cannot touch what it has under the name: shadow.h */
    size_t kept;   /* bytes in `was`; 0: nobody asks, or it has been said */
    uint8_t was[]; /* what the host has under the variable's name, and should leave alone */
} vg_variable;

typedef struct vg_journal vg_journal;

typedef struct vg_context {
    pthread_mutex_t lock;
    vg_settings settings;
    bool started; /* settings are read */

    vg_mem *mem;        /* NULL until first needed */
    vg_exec *exec;      /* NULL until first needed */
    vg_heap *heap;      /* NULL until a kernel calls malloc */
    uint64_t workspace; /* of cooperative grids; 0 until one needs it */
    vg_check *check;    /* made with mem; the checkers are on exec */
    cudaError_t sticky; /* a kernel's fault: every later call returns it */

    vg_fatbin *fatbins;
    vg_ptrmap functions; /* host stub  -> vg_function */
    vg_ptrmap variables; /* host shadow -> vg_variable */
    vg_ptrmap streams;   /* live handles -> themselves */
    bool uses_streams;   /* there were any, and so there may be again */
    vg_ptrmap events;
    vg_ptrmap arrays;            /* live CUDA arrays -> themselves */
    struct vg_capture *captures; /* graph.h: under way */
    vg_ptrmap captured;          /* streams that take part in one */
    vg_ptrmap moments;           /* events that were recorded in one */
    vg_ptrmap graphs, graph_execs;
    vg_textures textures;
    struct vg_texture_object *texture_objects; /* by handle, as many as there are textures */
    vg_ptrmap generators;                      /* live cuRAND generators */
    vg_ptrmap blas;                            /* live cuBLAS handles */
    struct cublasContext
        *legacy_blas;  /* the handle of programs that know none (cublas.h); or NULL */
    int legacy_status; /* the cublasStatus_t that cublasGetError will tell */

    unsigned int device_flags;
    enum cudaFuncCache cache_config;
    enum cudaSharedMemConfig shared_config;
    size_t limits[7]; /* by cudaLimit */

    struct vgpu_stats stats;
    vg_progress progress;
    const char *last_kernel; /* its name; NULL: none was launched */
    bool star_told;          /* the warning of vg_launch_params.star */
    struct {
        struct vg_print *first, *last; /* what nobody has waited for: prints.h */
        size_t bytes;                  /* of text, in all of them */
        bool open;                     /* the last one is of the launch at hand */
    } prints;
    unsigned int fail_in[4]; /* by enum vgpu_call: calls until one is made to fail; 0: none will */
    struct vg_order *order;  /* which work comes after which: order.h */
    struct vg_late_item *late; /* what nobody has waited for: late.h */
    size_t late_bytes;
    struct vg_late_snapshot *snapshots;
    size_t snapshot_count;
    struct vg_pools *pools; /* pool.h; NULL until one is asked for */
    vg_journal *journal;    /* what is recorded of all this (journal.h); NULL: nothing */
    uint64_t lost; /* streams destroyed with unfinished work, until the device is waited for */
    uint64_t lost_unordered; /* of those, non-blocking ones */
} vg_context;

/* Locks and returns the context, settings read. */
vg_context *vg_begin(void);
/* This thread is between vg_begin and vg_end; needs no lock. */
bool vg_is_inside(void);
/* cudaSuccess with ctx->mem made, or why nothing can be done: the sticky error, no device, no
 * memory. */
cudaError_t vg_ready(vg_context *ctx);
/* Unlocks; an error becomes this thread's last error. Returns it. */
cudaError_t vg_end(vg_context *ctx, cudaError_t error);
/* Unlocks and nothing else. */
void vg_end_quietly(vg_context *ctx);
/* Remembers an error for cudaGetLastError; needs no lock. */
cudaError_t vg_remember(cudaError_t error);

/* Says a message: a line or several on stderr, each led by "vgpu: " (nothing when quiet); and tells
 * it whoever listens (vgpu_listen). */
void vg_tell(const vg_context *ctx, vg_note *note);
/* The second half alone, for a signal's handler. */
void vg_tell_listener(const struct vgpu_fact *fact, const char *words);
/* The same for a message whose words are there already. */
void vg_tell_words(const vg_context *ctx, const struct vgpu_fact *fact, const char *words);
/* Of memory that was freed: the lines that made and freed it. False: not known. */
bool vg_history_words(const vg_context *ctx, const struct vgpu_fact *fact, char *words, size_t len);

/* The same for a misused API call, which is a finding of the memory checker, too. */
void vg_blame(vg_context *ctx, vg_note *note);

/* Keeps a kernel's fault: says it once, and every later call returns it. */
void vg_fail_sticky(vg_context *ctx, const struct vgpu_fact *fact, const char *words);

/* Host address of size bytes of device-accessible memory at ptr for the API function `call`; NULL
 * when they aren't all alive, which is said. size may be 0. */
void *vg_device_bytes(vg_context *ctx, const char *call, enum vgpu_end end, const void *ptr,
                      uint64_t size);

/* Counts a call that a program should check. True: this one is to fail (vgpu_fail_call), which is
 * said; `name` names it. */
bool vg_fails(vg_context *ctx, enum vgpu_call call, const char *name);

/* Work was put on a stream; the host does not wait for it. */
void vg_stream_busy(vg_context *ctx, cudaStream_t stream);
/* The host has waited for what was on the stream. NULL: for all streams that block. */
void vg_stream_done(vg_context *ctx, cudaStream_t stream);
/* The same where an event tells what the host sees (late.h). */
void vg_stream_finished(vg_context *ctx, cudaStream_t stream);
/* The host has waited for the device. */
void vg_all_done(vg_context *ctx);
/* Where a stream is now, and: the host has waited for all up to there. For events. */
uint64_t vg_stream_position(const vg_context *ctx, cudaStream_t stream);
void vg_stream_done_to(vg_context *ctx, cudaStream_t stream, uint64_t position);
/* `stream` waits for the event: the work before it is now as finished as that stream's. */
void vg_event_joins(vg_context *ctx, cudaEvent_t event, cudaStream_t stream);
void vg_events_clear(vg_context *ctx);
void vg_streams_count(const vg_context *ctx, uint64_t *unfinished, uint64_t *unordered);

/* Do the default stream and this one wait for each other? NULL, the default stream, counts as one
 * that blocks. */
bool vg_stream_blocks(const vg_context *ctx, cudaStream_t stream);
/* NULL and the two special handles are streams, too. */
bool vg_stream_valid(const vg_context *ctx, cudaStream_t stream);

/* The registered kernel of a host function; loads its module. error: cudaSuccess or why not. */
vg_function *vg_function_of(vg_context *ctx, const void *host_function, cudaError_t *error);
/* Says which variables host code has written by their names, each once. */
void vg_look_for_host_writes(vg_context *ctx);
/* Device address and size of the variable behind a host symbol. */
cudaError_t vg_symbol_of(vg_context *ctx, const char *call, const void *symbol, uint64_t *addr,
                         uint64_t *size);
/* Unloads all modules; they load again at their next use. */
void vg_unload_all(vg_context *ctx);

/* Makes host code's use of a device pointer say so before it dies. Once is enough. */
void vg_catch_segv(vg_context *ctx);

/* The most dynamic shared memory that a kernel may be launched with, in bytes. */
uint64_t vg_max_dynamic_shared(const vg_context *ctx, const vg_function *fn);
/* Runs fn (already looked up) if the launch is within the limits. call names the API function. */
cudaError_t vg_run_kernel(vg_context *ctx, vg_function *fn, dim3 grid, dim3 block, void **args,
                          size_t shared);
/* The same for blocks that may wait for each other (grid.sync()). */
cudaError_t vg_run_cooperative(vg_context *ctx, vg_function *fn, dim3 grid, dim3 block, void **args,
                               size_t shared);
/* Blocks of the kernel that a multiprocessor holds at once. */
int vg_resident_blocks(const vg_context *ctx, const vg_function *fn, int threads, uint64_t dynamic);
