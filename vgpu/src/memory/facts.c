/*
 * facts.c: the words of every message (see facts.h). A sentence names its fields in braces; the
 * table at the end says what each name stands for. The file is as long as the list of messages.
 */
#include "vgpu/src/memory/facts.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#define LAUNCH "launch of {kernel} refused ({other}): "

/* What is wrong with a launch, by itself. */
static const char *const reasons[VGPU_SAYS_COUNT] = {
    [VGPU_LAUNCH_EMPTY] = ("{name} is 0: every size must be at least 1 (n / block rounds down, "
                           "(n + block - 1) / block up)"),
    [VGPU_LAUNCH_SIDE] = "{name} is {size}, the limit is {limit}",
    [VGPU_LAUNCH_THREADS] = "a block of {0} x {1} x {2} = {size} threads, the limit is {limit}",
    [VGPU_LAUNCH_BOUNDS] =
        "a block of {size} threads, but __launch_bounds__ promises at most {limit}",
    [VGPU_LAUNCH_SHARED] = "{size bytes} of shared memory a block, the limit is {limit}{optin}",
};

static const char *const sentences[VGPU_SAYS_COUNT] = {
    [VGPU_ILLEGAL_ACCESS] = "illegal {space} {access} of {size bytes} at {address}: {place}",
    [VGPU_HOST_POINTER] = "illegal {space} {access} of {size bytes} at {place}: {host}",
    [VGPU_MISALIGNED] = "misaligned {space} {access} of {size bytes}: address {address} is not a "
                        "multiple of {size}",
    [VGPU_STACK_OVERFLOW] =
        "stack overflow: recursive calls need more than the {limit bytes} of stack that a thread "
        "has; does the recursion end? cudaDeviceSetLimit(cudaLimitStackSize, bytes) gives more",
    [VGPU_STACK_SPOILED] =
        "a store past the end of one of the thread's own arrays has overwritten its stack: a "
        "function that calls itself cannot go back to where it was called",
    [VGPU_TRAP] = "the kernel executed a trap instruction (__trap())",
    [VGPU_ASSERTION] = "assertion failed: {name}, in {other} ({call}:{0})",
    [VGPU_ENDLESS] = "the kernel does not end: {endless}",
    [VGPU_WARP_DEADLOCK] =
        "deadlock: an operation of the whole warp (__syncwarp, __shfl_sync, a matrix instruction, "
        "…) waits for lanes that never come, such as that of thread ({0},{1},{2})",
    [VGPU_BARRIER_TOO_FEW] = "deadlock: this barrier waits for {limit} threads, but only {count} "
                             "are left, and all of those have arrived",
    [VGPU_BARRIERS_APART] =
        "deadlock: all {count} threads of the block wait, but at different barriers",
    [VGPU_BARRIER_MISSED] =
        "deadlock at a barrier: {count} of {threads} wait at this {name}, but "
        "thread ({0},{1},{2}) never reaches it. Every thread of a block must reach the same "
        "barrier: move it out of the if or the loop that some threads skip",
    [VGPU_GRID_DEADLOCK] = "deadlock: this block waits at grid.sync(), but {count} blocks have "
                           "ended without it: every thread of the grid must call it",
    [VGPU_MBARRIER_DEADLOCK] =
        "deadlock: threads wait at a barrier in shared memory (cuda::barrier) that expects {limit} "
        "arrivals in each phase; {count} of them never come",
    [VGPU_MBARRIER_NOT_SHARED] =
        "an mbarrier (cuda::barrier) must lie in __shared__ memory: this one does not",
    [VGPU_MBARRIER_NONE] =
        "this is not an mbarrier yet: one thread must initialise it first (mbarrier.init, or "
        "init() of a cuda::barrier), then __syncthreads() lets the others know",
    [VGPU_MBARRIER_ARRIVALS] =
        "more arrivals at this barrier than the {limit} it was initialised to expect",
    [VGPU_MBARRIER_COUNT] = "a barrier for {count} arrivals: it takes 1 to {limit}",
    [VGPU_MBARRIER_PENDING] = "too many arrivals are pending at this barrier",
    [VGPU_NULL_FUNCTION] = "a call through a null function pointer",
    [VGPU_NO_FUNCTION] =
        "a call through a pointer that holds no device function with these parameters (a "
        "function's address taken in host code is the host's: take it in device code)",
    [VGPU_BRANCH_TABLE] = "a branch to number {count} of a table of {limit}",
    [VGPU_BARRIER_NUMBER] = "barrier {count}: a block has {limit} barriers, 0 to {0}",
    [VGPU_NOT_COOPERATIVE] =
        "grid.sync() in a kernel that was not launched with cudaLaunchCooperativeKernel: its "
        "blocks do not all run at once, and can't wait for each other",
    [VGPU_WARP_NOT_WHOLE] = "a matrix instruction needs all 32 threads of the warp, but {count} of "
                            "them have ended or never existed",
    [VGPU_WARP_PARTS] =
        "the warp diverged into more than {limit} parts: a limit of the virtual GPU",
    [VGPU_DEVICE_FREE] = "free or delete of {address} in device code: {place}",
    [VGPU_TEXTURE_NONE] =
        "{call} of {pointer}, which is not a live texture object: cudaCreateTextureObject makes "
        "one, and it lives until cudaDestroyTextureObject",
    [VGPU_TEXTURE_SHAPE] = "{call} of a texture object that was made of {name}: read it by {other}",
    [VGPU_UNKNOWN_INSTRUCTION] = "{name}",
    [VGPU_BLAS_MATRIX_SHORT] =
        "{call}: illegal access: matrix {other}, {0} rows by {1} columns needs (({1} - 1) * ld {2} "
        "+ {0}) * {3} = {size bytes}, but only {limit bytes} lie from {pointer} to the end of "
        "allocation #{serial} ({room bytes})",
    [VGPU_BLAS_MATRIX_AT] = "{call}: illegal access: matrix {other}, {0} rows by {1} columns is at "
                            "{pointer}, {place}",
    [VGPU_BLAS_VECTOR_SHORT] =
        "{call}: illegal access: vector {other}, {0} elements needs (({0} - 1) * inc {2} + 1) * "
        "{3} = {size bytes}, but only {limit bytes} lie from {pointer} to the end of allocation "
        "#{serial} ({room bytes})",
    [VGPU_BLAS_VECTOR_AT] =
        "{call}: illegal access: vector {other}, {0} elements is at {pointer}, {place}",

    [VGPU_NOT_LOADED] = "the kernel cannot be loaded",
    [VGPU_NO_KERNEL] = "kernel '{name}' is registered, but the program's PTX has no kernel of that "
                       "name",
    [VGPU_NO_VARIABLE] = "{call}: {pointer} is no __device__ or __constant__ variable",
    [VGPU_VARIABLE_QUOTED] =
        "{call}: \"{name}\" is a text, not variable '{name}': give the variable itself, without "
        "quotes (CUDA has not looked variables up by their names since version 5)",
    [VGPU_VARIABLE_LEFT_OUT] =
        "{call}: the program's PTX has no variable '{name}': clang leaves out const variables that "
        "no kernel uses; declare it without const",
    [VGPU_SYMBOL_RANGE] = "{call}: {size bytes} at offset {distance} of variable '{name}', which "
                          "has {room bytes}",
    [VGPU_LAUNCH_UNCONFIGURED] = "kernel {kernel} is called like a function, without <<<blocks, "
                                 "threads>>>: nothing runs",
    [VGPU_LAUNCH_EMPTY] = LAUNCH "{reason}",
    [VGPU_LAUNCH_SIDE] = LAUNCH "{reason}",
    [VGPU_LAUNCH_THREADS] = LAUNCH "{reason}",
    [VGPU_LAUNCH_BOUNDS] = LAUNCH "{reason}",
    [VGPU_LAUNCH_SHARED] = LAUNCH "{reason}",
    [VGPU_COOPERATIVE_TOO_LARGE] =
        "a cooperative launch of {count} blocks: they must all be resident at once, and this "
        "device holds {limit} ({0} on each of {1} multiprocessors)",
    [VGPU_SHARED_ATTRIBUTE] =
        "{call}: {2 bytes} of dynamic shared memory for {kernel}: with its {0} static bytes, "
        "{name} allows from 0 to {1}",
    [VGPU_UNSUPPORTED] = "{call}: {name} are not supported{other}",
    [VGPU_DEAD_STREAM] = "{caller}{pointer} is not a live stream",
    [VGPU_EVENT_NONE] = "{call}: {pointer} is not a live event: cudaEventCreate makes one, and it "
                        "lives until cudaEventDestroy",
    [VGPU_EVENT_UNRECORDED] =
        "{call}: the {name} event was never recorded: call cudaEventRecord where its time is to be "
        "taken",
    [VGPU_EVENT_UNTIMED] =
        "{call}: the {name} event was made with cudaEventDisableTiming, and has no time",
    [VGPU_EVENT_EARLY] = "{call}: the {name} event stands behind work that the host has not waited "
                         "for, and so has no time yet: call cudaEventSynchronize first",
    [VGPU_COPY_TOO_LARGE] = "{call}: the {end} must have {size bytes}, but {owner} ({room bytes}) "
                            "has only {limit}{from}: {excess} too few",
    [VGPU_COPY_PAST_MALLOC] =
        "{call}: the {end} must have {size bytes}, but the memory that malloc or new gave at "
        "{pointer} has room for {limit bytes}: it is too small, or the size counts something else "
        "than bytes",
    [VGPU_COPY_PAST_FRAME] =
        "{call}: the {end} must have {size bytes}, but it is a variable of a function of yours, "
        "and so many do not fit into that function's own memory: the array is too small, or the "
        "size counts something else than bytes",
    [VGPU_COPY_NULL] = "{call}: the {end} is a null pointer",
    [VGPU_COPY_ELSEWHERE] = "{call}: the {end}, {pointer}, is {place}",
    [VGPU_SHADOW_WRITTEN] =
        "warning: host code wrote variable '{name}' by its name{other}, which is a copy of the "
        "host's own that no kernel sees: use cudaMemcpyToSymbol",
    [VGPU_SHADOW_READ] =
        "warning: host code read variable '{name}' by its name{other}, which is a copy of the "
        "host's own that no kernel writes: use cudaMemcpyFromSymbol",
    [VGPU_COPY_SHADOW] =
        "{call}: the {end} is variable '{name}' by its name on the host, which is not "
        "where the device has it: use cudaMemcpy{other}Symbol, or the address that "
        "cudaGetSymbolAddress gives",
    [VGPU_COPY_FROM_HOST] = "{call}: {direction}, but the {end}, {pointer}, is a host address",
    [VGPU_COPY_FROM_DEVICE] = "{call}: {direction}, but the {end}, {pointer}, is a device address",
    [VGPU_COPY_CHANGED] =
        "{call}{name}: its source, {size bytes} at {pointer}, was changed before the copy was "
        "waited for: wait for the stream first, or use another buffer",
    [VGPU_COPY_UNWRITTEN] =
        "warning: {call} copies memory to the host that was never written: {count} of {limit} "
        "{bytes}, the first of them number {0} of {owner}{launched}",
    [VGPU_PITCH] = "{call}: the pitch{of end} is {size bytes}, less than a row of {limit bytes}",
    [VGPU_CAPTURE_DEFAULT] = "{call}: the default stream cannot be captured: make a stream with "
                             "cudaStreamCreate",
    [VGPU_CAPTURE_SPOILT] = "{call} spoils the capture of a stream: {other}. Do it before "
                            "cudaStreamBeginCapture or after cudaStreamEndCapture",
    [VGPU_CAPTURE_UNJOINED] =
        "{call}: another stream has work in this capture that its first stream does not wait for: "
        "record an event there, and let the first stream wait for it (cudaStreamWaitEvent)",
    [VGPU_GRAPH_CYCLE] =
        "{call}: nodes of this graph wait for each other in a circle: take a dependency away",
    [VGPU_SURFACE_FLAG] =
        "{call}: the array was made without cudaArraySurfaceLoadStore: give it to "
        "cudaMallocArray as the last argument",
    [VGPU_ARRAY_NONE] =
        "{call}: {pointer} is not a live CUDA array: cudaMallocArray makes one, and it "
        "lives until cudaFreeArray",
    [VGPU_ARRAY_RANGE] = "{call}: the {end}, {0 bytes} by {1} rows by {2} slices, does not lie in "
                         "the array of {3} by {4} by {5}",
    [VGPU_POOL_NONE] = "{call}: {pointer} is not a live memory pool: cudaMemPoolCreate makes one, "
                       "and it lives until cudaMemPoolDestroy",
    [VGPU_POOL_FULL] = "{call}: {size bytes} are asked for, but the pool has only {limit} left of "
                       "its {room bytes} (maxSize)",
    [VGPU_FREED_TWICE] = "{call}: double free: {pointer} is {place} already",
    [VGPU_FREED_VARIABLE] = "{call}: {pointer} is variable '{name}', which is never freed",
    [VGPU_FREED_REGISTERED] =
        "{call}: {pointer} was registered with cudaHostRegister: use cudaHostUnregister",
    [VGPU_FREED_BY_OTHER] = "{call}: {pointer} is {place}: use {other}",
    [VGPU_FREED_INSIDE] =
        "{call}: {pointer} is {place}: free the address that the allocation call returned",
    [VGPU_FREED_UNKNOWN] =
        "{call}: {pointer} is {place}: you can only free an address that an allocation call "
        "returned",
    [VGPU_HOST_ACCESS] =
        "host code {did} a device pointer: address {address} is {place}{name}; {other}",
    [VGPU_HOST_EARLY] =
        "the host {did} memory before it waited for the kernel or copy that writes there: {place}, "
        "element {0} of 4 bytes{name}; call cudaDeviceSynchronize() first, or wait for the stream",
    [VGPU_HOST_OVERWRITES] =
        "the host wrote memory before it waited for kernel {kernel}, which reads there ({other}): "
        "{place}, element {0} of {1} bytes{name}; call cudaDeviceSynchronize() first, or wait for "
        "the stream",
    [VGPU_HOST_FREED] =
        "the host {did} memory after it was freed: address {address} is {place}{name}",
    [VGPU_HOST_BESIDE] =
        "the host {did} memory that is in no array: address {address} is {place}{name}; {other}",
    [VGPU_DEAD_HANDLE] = "{call}: the handle was destroyed, or cublasCreate never made it",
    [VGPU_NULL_HANDLE] = "{call}: the handle is null: call cublasCreate first",
    [VGPU_HANDLE_DESTROYED] = "{call}: this handle was already destroyed, or never made",
    [VGPU_NULL_HANDLE_DESTROYED] = "{call}: the handle is null",
    [VGPU_BLAS_STRIDE] =
        "{call}: ld{small} is {2}, but the call's {other} is stored with {limit} rows "
        "(op({other}) is {0} x {1}, {transposed}): ld{small} must be at least {least}",
    [VGPU_BLAS_STRIDE_ROWS] = "{call}: lda is {2}, but A has {0} rows",
    [VGPU_BLAS_STRIDES] = "{call}: lda is {0}, ldb is {1}, ldc is {2}, but A, B and C are stored "
                          "with {3}, {4} and {5} rows",
    [VGPU_BLAS_STEP] = "{call}: incx is {0}, incy is {1}: neither may be 0",
    [VGPU_BLAS_OPERATION] = "{call}: trans is {0}: use CUBLAS_OP_N, _T or _C",
    [VGPU_BLAS_OPERATIONS] = "{call}: transa is {0}, transb is {1}: use CUBLAS_OP_N, _T or _C",
    [VGPU_BLAS_CHOICE] = "{call}: {name} is {0}, which is none of its values",
    [VGPU_BLAS_LEADING] = "{call}: ld{small} is {0}, but {other} is stored with {1} rows",
    [VGPU_BLAS_NEGATIVE] =
        "{call}: a size is negative: m = {0}, n = {1}, k = {2}, batch count = {3}",
    [VGPU_BLAS_NEGATIVE_SIDE] = "{call}: a size is negative: m = {0}, n = {1}",
    [VGPU_BLAS_IN_PLACE] =
        "{call}: C is also A or B, which is allowed only untransposed with the same ld",
    [VGPU_BLAS_UNWRITTEN] =
        "{call}: {name} has {count} elements of {limit} that were never written, the first of them "
        "element {0} of {owner}: copy or store values there first (memory from cudaMalloc holds no "
        "values)",
    [VGPU_BLAS_NULL_MATRIX] = "{call}: matrix {name} is a null pointer",
    [VGPU_BLAS_NULL_SCALAR] = "{call}: {name} is a null pointer",
    [VGPU_BLAS_DEVICE_SCALAR] = "{call}: {name} is a device pointer, but the handle's pointer mode "
                                "is host (cublasSetPointerMode)",
    [VGPU_BLAS_MODE] = "{call}: {0} is no {name} mode",
    [VGPU_BLAS_TYPES] =
        "{call}: types A {0}, B {1}, C {2} with compute type {3} are not supported: A and B are "
        "both CUDA_R_32F, CUDA_R_16F or CUDA_R_16BF with C of the same type or CUDA_R_32F and "
        "CUBLAS_COMPUTE_32F, or all are CUDA_R_16F with CUBLAS_COMPUTE_16F, or CUDA_R_64F with "
        "CUBLAS_COMPUTE_64F",
    [VGPU_MADE_TO_FAIL] = "{call} was made to fail here, to see whether the program notices",
    [VGPU_OUT_OF_HOST_MEMORY] = "out of host memory for {name}",
    [VGPU_NO_PLACE_FOR_POINTER] =
        "{call}: it gets a null pointer, but needs a place to store the address of the new memory",
    [VGPU_OUT_OF_DEVICE_MEMORY] =
        "{call}: {size bytes} asked for, {limit bytes} of device memory left ({name})",
    [VGPU_NO_DEVICE_MEMORY] = "no device memory left for {name}",
    [VGPU_NO_ADDRESS_SPACE] = "cannot reserve address space for device memory ({name}): raise the "
                              "limit (ulimit -v), or the container's",
    [VGPU_HOST_TOO_SMALL] = "{call}: {0} MiB asked for, but this machine has only {1} MiB of "
                            "memory left to hold them",
    [VGPU_BUDGET] = "  a block may run {limit} warp instructions; VGPU_BUDGET=number changes that, "
                    "0 is no limit",
    [VGPU_BAD_SETTING] = "{call}={name}: expected a whole number from {0} to {1}; using {2}",
    [VGPU_NO_DEVICE] = "VGPU_DEVICE={name}: there is no such device; choose one of {other}",
    [VGPU_NO_SUCH_DEVICE] =
        "{call}: there is no device {0}: the virtual GPU is one device, number 0",
    [VGPU_NO_CHECKER] = "VGPU_CHECK: there is no checker '{name}'; choose all, none, or some of "
                        "race,mem,init,sync",
    [VGPU_PRINT_UNWAITED] =
        "warning: kernel {kernel} printed, but the program ended without waiting for it: on a GPU "
        "these lines may be lost; call cudaDeviceSynchronize() after the launch",
    [VGPU_PRINT_STAR] =
        "warning: printf in a kernel has no precision of *, as in %.*f: on a GPU the values from "
        "there on come out wrong; write the precision into the format",
    [VGPU_FILMED] = "a film of kernel {kernel} is in {name}",
    [VGPU_NOT_FILMED] = "kernel {kernel} cannot be filmed: {name}",
    [VGPU_MORE_FINDINGS] = "there are more findings; only the first {limit} are shown",
};

/* ---- Phrases ---- */

struct out {
    char *at;
    size_t left;
};

static void put(struct out *o, const char *format, ...) __attribute__((format(printf, 2, 3)));
static void put(struct out *o, const char *format, ...) {
    va_list args;
    va_start(args, format);
    const int n = vsnprintf(o->at, o->left, format, args);
    va_end(args);
    const size_t used = n < 0 ? 0 : (size_t)n < o->left ? (size_t)n : o->left - 1;
    o->at += used;
    o->left -= used;
}

static void put_size(struct out *o, uint64_t bytes) {
    put(o, "%" PRIu64 " byte%s", bytes, bytes == 1 ? "" : "s");
}

static const char *entry(const char *const *of, uint32_t i, uint32_t count) {
    return i < count && of[i] ? of[i] : "?";
}

/* Without its size. */
static void put_owner(struct out *o, const struct vgpu_fact *f) {
    static const char *const numbered[VGPU_MEMORY_COUNT] = {
        [VGPU_MEMORY_ALLOCATION] = "allocation",
        [VGPU_MEMORY_PINNED] = "pinned host allocation",
        [VGPU_MEMORY_MANAGED] = "managed allocation",
    };
    switch (f->memory) {
    case VGPU_MEMORY_VARIABLE: put(o, "variable '%s'", f->name); break;
    case VGPU_MEMORY_TEXT: put(o, "the string constant \"%s\"", f->name); break;
    case VGPU_MEMORY_MADE: put(o, "a constant that the compiler made"); break;
    case VGPU_MEMORY_SHARED:
    case VGPU_MEMORY_LOCAL: {
        const char *space = f->memory == VGPU_MEMORY_SHARED ? "shared" : "local";
        if (f->name[0])
            put(o, "%s array '%s'", space, f->name);
        else
            put(o, "%s memory", space);
        break;
    }
    case VGPU_MEMORY_HEAP:
        put_size(o, f->room);
        put(o, " from malloc or new in device code");
        break;
    default: put(o, "%s #%" PRIu32, entry(numbered, f->memory, VGPU_MEMORY_COUNT), f->serial);
    }
}

static bool is_array(const struct vgpu_fact *f) {
    return f->memory == VGPU_MEMORY_SHARED || f->memory == VGPU_MEMORY_LOCAL;
}

static void put_memory(struct out *o, const struct vgpu_fact *f) {
    put_owner(o, f);
    if (is_array(f) || f->memory == VGPU_MEMORY_HEAP)
        return;
    put(o, " (");
    put_size(o, f->room);
    if (f->argument > 0)
        put(o, ", argument %" PRIu32 " of the kernel", f->argument);
    put(o, ")");
}

/* How far from there. */
static void put_distance(struct out *o, const struct vgpu_fact *f) {
    if (f->distance > 0)
        put_size(o, f->distance);
    else
        put(o, "just");
}

/* Without a name: all of the function's local arrays. */
static void put_array(struct out *o, const struct vgpu_fact *f) {
    const char *space = f->memory == VGPU_MEMORY_SHARED ? "shared" : "local";
    if (f->name[0])
        put(o, "the %s array '%s' (", space, f->name);
    else
        put(o, "the function's %s arrays (", space);
    put_size(o, f->room);
}

/* In shared or local memory. */
static void put_array_place(struct out *o, const struct vgpu_fact *f) {
    const char *space = f->memory == VGPU_MEMORY_SHARED ? "shared" : "local";
    switch (f->place) {
    case VGPU_AT_GONE:
        put(o, "the local variable that the pointer led to is gone: its function has returned, or "
               "the block or the loop's turn that declares it has ended");
        break;
    case VGPU_AT_BEFORE:
        put_distance(o, f);
        put(o, " before the start of %s memory", space);
        break;
    case VGPU_AT_NO_ARRAY:
        put(o, "offset 0x%" PRIx64 " lies in no %s array of this kernel", f->distance, space);
        break;
    case VGPU_AT_PAST:
        put_distance(o, f);
        put(o, " past the end of ");
        put_array(o, f);
        put(o, "%s)",
            !f->dynamic    ? ""
            : f->room == 0 ? ": the launch gives it none; <<<blocks, threads, bytes>>> does"
                           : ", which the launch gives it: <<<blocks, threads, bytes>>>");
        break;
    default:
        put(o, "the access starts inside ");
        put_array(o, f);
        put(o, ") and runs over %s end", f->name[0] ? "its" : "their");
    }
}

/* In the heap of malloc in device code. */
static void put_heap_place(struct out *o, const struct vgpu_fact *f) {
    if (f->place == VGPU_AT_NOTHING) {
        put(o, "in the device's heap, from which nothing has been allocated yet");
    } else if (f->place == VGPU_AT_INSIDE) {
        put(o, "inside ");
        put_owner(o, f);
        put(o, ", %s", f->freed ? "freed" : "alive");
    } else if (f->place == VGPU_AT_PAST) {
        put_size(o, f->distance);
        put(o, " past the end of ");
        put_owner(o, f);
        put(o, "%s", f->freed ? ", freed" : "");
    } else {
        put(o, "it is not memory from malloc or new in device code");
    }
}

enum { FAR = 1 << 29 }; /* bytes: hardly anybody misses by so much */

static void put_into(struct out *o, const struct vgpu_fact *f, const char *at_start) {
    if (f->distance == 0) {
        put(o, "%s", at_start);
        return;
    }
    put_size(o, f->distance);
    put(o, " into ");
}

static void put_place(struct out *o, const struct vgpu_fact *f) {
    if (is_array(f)) {
        put_array_place(o, f);
        return;
    }
    if (f->memory == VGPU_MEMORY_HEAP) {
        put_heap_place(o, f);
        return;
    }
    switch (f->place) {
    case VGPU_AT_NULL: put(o, "a null pointer"); return;
    case VGPU_AT_NEAR_NULL:
        put_size(o, f->distance);
        put(o, " past a null pointer");
        return;
    case VGPU_AT_NOTHING: put(o, "a device address that was never allocated"); return;
    case VGPU_AT_HOST: put(o, "a host address, not device memory"); return;
    case VGPU_AT_START: put(o, "the start of "); break;
    case VGPU_AT_OVER_END:
        put(o, "it begins ");
        put_into(o, f, "at the start of ");
        break;
    case VGPU_AT_INSIDE:
        if (f->freed)
            put(o, "inside ");
        else
            put_into(o, f, "0 bytes into ");
        break;
    case VGPU_AT_PAST:
        put_distance(o, f);
        put(o, " past the end of ");
        break;
    case VGPU_AT_READ_ONLY: put_into(o, f, "the start of "); break;
    case VGPU_AT_BEFORE:
        put_size(o, f->distance);
        put(o, " before the start of ");
        break;
    default: put(o, "an unknown address"); return;
    }
    put_memory(o, f);
    if (f->place == VGPU_AT_OVER_END) {
        put(o, " and runs ");
        put_size(o, f->excess);
        put(o, " past the end");
    }
    if (f->place == VGPU_AT_READ_ONLY)
        put(o, ", which may only be read");
    put(o, "%s", f->freed ? ", freed" : "");
    if ((f->place == VGPU_AT_PAST || f->place == VGPU_AT_BEFORE) && f->distance >= FAR)
        put(o, "; so far outside, has an index overflowed (an int ends at 2147483647)?");
}

/* ---- Fields ---- */

static void put_pointer(struct out *o, const struct vgpu_fact *f) {
    if (f->address != 0)
        put(o, "0x%" PRIx64, f->address);
    else
        put(o, "(nil)");
}

static void put_direction(struct out *o, const struct vgpu_fact *f) {
    static const char *const names[] = {"cudaMemcpyHostToHost", "cudaMemcpyHostToDevice",
                                        "cudaMemcpyDeviceToHost", "cudaMemcpyDeviceToDevice",
                                        "cudaMemcpyDefault"};
    put(o, "%s", entry(names, f->direction, VGPU_DIRECTION_COUNT));
}

static void put_space(struct out *o, const struct vgpu_fact *f) {
    static const char *const names[] = {"global", "shared", "local", "constant", "parameter"};
    put(o, "%s", entry(names, f->space, VGPU_SPACE_COUNT));
}

static void put_access(struct out *o, const struct vgpu_fact *f) {
    static const char *const names[] = {"read", "write", "atomic access", "use"};
    put(o, "%s", entry(names, f->access, VGPU_ACCESS_COUNT));
}

static void put_did(struct out *o, const struct vgpu_fact *f) {
    static const char *const names[] = {"read", "wrote", "updated", "used"};
    put(o, "%s", entry(names, f->access, VGPU_ACCESS_COUNT));
}

static void put_host(struct out *o, const struct vgpu_fact *f) {
    if (f->host == VGPU_HOST_SHADOW) {
        put(o,
            "the host's copy of variable '%s'. In host code its name is not where the device has "
            "it: use the name in the kernel, or pass the address that cudaGetSymbolAddress gives",
            f->name);
        return;
    }
    static const char *const names[] = {"an unknown place", "a variable on the host's stack",
                                        "a global or static variable of the host",
                                        "host memory from malloc or new"};
    put(o, "%s", entry(names, f->host, VGPU_HOST_COUNT));
}

static void put_end(struct out *o, const struct vgpu_fact *f) {
    static const char *const names[] = {"memory", "destination", "source", "range"};
    put(o, "%s", entry(names, f->end, VGPU_END_COUNT));
}

static void put_of_end(struct out *o, const struct vgpu_fact *f) {
    if (f->end == VGPU_NO_END)
        return;
    put(o, " of the ");
    put_end(o, f);
}

static void put_allocation(struct out *o, const struct vgpu_fact *f) {
    if (f->memory == VGPU_MEMORY_VARIABLE || f->memory == VGPU_MEMORY_TEXT ||
        f->memory == VGPU_MEMORY_MADE)
        put_owner(o, f);
    else
        put(o, "allocation #%" PRIu32, f->serial);
}

static void put_from(struct out *o, const struct vgpu_fact *f) {
    if (f->distance > 0)
        put(o, " from its byte %" PRIu64 " on", f->distance);
}

static void put_caller(struct out *o, const struct vgpu_fact *f) {
    if (f->call[0])
        put(o, "%s: ", f->call);
}

/* Of a launch that asks for more shared memory than a kernel has without being asked for. */
static void put_optin(struct out *o, const struct vgpu_fact *f) {
    if (f->room > 0)
        put(o,
            "; more, up to %" PRIu64 ", must be asked for with cudaFuncSetAttribute(kernel, "
            "cudaFuncAttributeMaxDynamicSharedMemorySize, bytes)",
            f->room);
}

/* Of a block whose barrier waits: those that have ended are not waited for. */
static void put_threads(struct out *o, const struct vgpu_fact *f) {
    if (f->limit < f->room)
        put(o, "the %" PRIu64 " threads that have not ended, of the block's %" PRIu64 ",", f->limit,
            f->room);
    else
        put(o, "the block's %" PRIu64 " threads", f->limit);
}

static void put_small(struct out *o, const struct vgpu_fact *f) {
    put(o, "%c", f->other[0] - 'A' + 'a');
}

static void put_transposed(struct out *o, const struct vgpu_fact *f) {
    put(o, "%s", f->number[3] ? "transposed" : "not transposed");
}

static void put_least(struct out *o, const struct vgpu_fact *f) {
    put(o, "%" PRIu64, f->limit > 1 ? f->limit : 1);
}

static void put_words(struct out *o, const char *words, const struct vgpu_fact *f);

static void put_reason(struct out *o, const struct vgpu_fact *f) {
    put_words(o, entry(reasons, f->says, VGPU_SAYS_COUNT), f);
}

/* Why a kernel counts as endless: see block.c of the executor. */
static void put_endless(struct out *o, const struct vgpu_fact *f) {
    switch (f->number[0]) {
    case 0:
        put(o,
            "this block has run %" PRIu64 " thousand warp instructions and is still in the loop "
            "here",
            f->count);
        break;
    case 1:
        put(o, "the loop here has no way out: nothing in it changes what its condition looks at "
               "(such as an i++)");
        break;
    case 3:
        put(o, "the loop here goes round and round, and what its condition looks at has stayed the "
               "same for very long (is there an i++ that is missing, or a value that nothing "
               "changes?)");
        break;
    default:
        put(o, "the loop here waits for a value that nothing changes any more; blocks that wait "
               "for each other must all run at once, which cudaLaunchCooperativeKernel alone "
               "promises, who holds a lock must not wait for threads that want it, as at "
               "__syncwarp(), and the host goes on only when the kernel has ended");
    }
}

/* What is counted: elements of `excess` bytes. */
static void put_bytes(struct out *o, const struct vgpu_fact *f) {
    if (f->excess == 1)
        put(o, "bytes");
    else
        put(o, "elements of %" PRIu64 " bytes", f->excess);
}

/* Who should have written: the kernel that ran last. */
static void put_launched(struct out *o, const struct vgpu_fact *f) {
    if (f->kernel[0] == '\0')
        put(o, "; no kernel was launched yet, and no copy or cudaMemset wrote there");
    else
        put(o,
            "; the last kernel was %s<<<(%u,%u,%u), (%u,%u,%u)>>>; its threads may not cover "
            "all elements",
            f->kernel, f->block[0], f->block[1], f->block[2], f->thread[0], f->thread[1],
            f->thread[2]);
}

static void put_serial(struct out *o, const struct vgpu_fact *f) {
    put(o, "%" PRIu32, f->serial);
}

static void put_address(struct out *o, const struct vgpu_fact *f) {
    put(o, "0x%" PRIx64, f->address);
}

/* What a name in braces stands for: a text, a number, or a phrase. */
static const struct {
    const char *name;
    size_t at;
} texts[] = {
    {"call", offsetof(struct vgpu_fact, call)},
    {"name", offsetof(struct vgpu_fact, name)},
    {"other", offsetof(struct vgpu_fact, other)},
    {"kernel", offsetof(struct vgpu_fact, kernel)},
};

static const struct {
    const char *name;
    size_t at; /* of an uint64_t */
} numbers[] = {
    {"size", offsetof(struct vgpu_fact, size)},
    {"room", offsetof(struct vgpu_fact, room)},
    {"distance", offsetof(struct vgpu_fact, distance)},
    {"excess", offsetof(struct vgpu_fact, excess)},
    {"limit", offsetof(struct vgpu_fact, limit)},
    {"count", offsetof(struct vgpu_fact, count)},
};

static const struct {
    const char *name;
    void (*put)(struct out *o, const struct vgpu_fact *f);
} phrases[] = {
    {"serial", put_serial},    {"address", put_address},
    {"pointer", put_pointer},  {"place", put_place},
    {"owner", put_allocation}, {"direction", put_direction},
    {"space", put_space},      {"access", put_access},
    {"did", put_did},          {"host", put_host},
    {"end", put_end},          {"of end", put_of_end},
    {"from", put_from},        {"caller", put_caller},
    {"optin", put_optin},      {"threads", put_threads},
    {"small", put_small},      {"least", put_least},
    {"reason", put_reason},    {"transposed", put_transposed},
    {"endless", put_endless},  {"launched", put_launched},
    {"bytes", put_bytes},
};

static bool is_name(const char *known, const char *name, size_t n) {
    return strlen(known) == n && strncmp(known, name, n) == 0;
}

/* {size} is a number, {size bytes} so many bytes. */
static void put_number(struct out *o, uint64_t n, bool bytes) {
    if (bytes)
        put_size(o, n);
    else
        put(o, "%" PRIu64, n);
}

static void put_field(struct out *o, const char *name, size_t n, const struct vgpu_fact *f) {
    static const char unit[] = " bytes";
    const size_t u = sizeof unit - 1;
    const bool bytes = n > u && memcmp(name + n - u, unit, u) == 0;
    n -= bytes ? u : 0;
    if (n == 1 && name[0] >= '0' && name[0] <= '5') {
        const int64_t number = f->number[name[0] - '0'];
        if (bytes)
            put_size(o, (uint64_t)number);
        else
            put(o, "%" PRId64, number);
        return;
    }
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        if (is_name(texts[i].name, name, n)) {
            put(o, "%s", (const char *)f + texts[i].at);
            return;
        }
    }
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) {
        if (is_name(numbers[i].name, name, n)) {
            put_number(o, *(const uint64_t *)(const void *)((const char *)f + numbers[i].at),
                       bytes);
            return;
        }
    }
    for (size_t i = 0; i < sizeof phrases / sizeof *phrases; i++) {
        if (is_name(phrases[i].name, name, n)) {
            phrases[i].put(o, f);
            return;
        }
    }
    put(o, "{%.*s}", (int)n, name);
}

static void put_words(struct out *o, const char *words, const struct vgpu_fact *f) {
    while (*words) {
        const size_t plain = strcspn(words, "{");
        put(o, "%.*s", (int)plain, words);
        words += plain;
        if (*words) {
            const size_t n = strcspn(words + 1, "}");
            put_field(o, words + 1, n, f);
            words += n + 2;
        }
    }
}

/* ---- The whole ---- */

static void set(char *to, size_t len, const char *from) {
    if (from && from != to)
        snprintf(to, len, "%s", from);
}

const struct vgpu_fact *vg_note_close(vg_note *note) {
    struct vgpu_fact *f = &note->is;
    set(f->call, sizeof f->call, note->call);
    set(f->name, sizeof f->name, note->name);
    set(f->other, sizeof f->other, note->other);
    set(f->kernel, sizeof f->kernel, note->kernel);
    return f;
}

const char *vg_fact_words(const struct vgpu_fact *f, char *buf, size_t len) {
    struct out o = {buf, len};
    buf[0] = '\0';
    put_words(&o, entry(sentences, f->says, VGPU_SAYS_COUNT), f);
    if (!f->has_thread)
        return buf;
    put(&o, "\n  in kernel %s%s%s", f->kernel, f->file[0] ? ", " : "", f->file);
    if (f->line != 0)
        put(&o, ":%d", f->line);
    put(&o, ", thread (%u,%u,%u) of block (%u,%u,%u)", f->thread[0], f->thread[1], f->thread[2],
        f->block[0], f->block[1], f->block[2]);
    return buf;
}

bool vg_fact_is_of_call(const struct vgpu_fact *f) {
    /* Settings are no calls, and a changed copy is noticed by a later one. */
    if (f->has_thread || f->says == VGPU_BAD_SETTING || f->says == VGPU_COPY_CHANGED)
        return false;
    if (f->says >= VGPU_LAUNCH_UNCONFIGURED && f->says <= VGPU_COOPERATIVE_TOO_LARGE)
        return true;
    return f->says == VGPU_DEAD_STREAM ||
           strstr(entry(sentences, f->says, VGPU_SAYS_COUNT), "{call}");
}

#define PHRASE(what)                                                                               \
    const char *vg_fact_##what(const struct vgpu_fact *f, char *buf, size_t len) {                 \
        struct out o = {buf, len};                                                                 \
        buf[0] = '\0';                                                                             \
        put_##what(&o, f);                                                                         \
        return buf;                                                                                \
    }
PHRASE(place)
PHRASE(memory)
PHRASE(reason)
