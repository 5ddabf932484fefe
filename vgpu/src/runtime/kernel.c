/*
 * kernel.c: starting kernels: <<<…>>> in the three shapes that compilers give it, cudaLaunchKernel
 * and its relatives.
 *
 *   clang, SDK >= 9.2, and nvcc 9.2 … 12   __cudaPushCallConfiguration, then in the kernel's host
 *                                          stub __cudaPopCallConfiguration and cudaLaunchKernel
 *   nvcc 13                                the same, with __cudaGetKernel and __cudaLaunchKernel
 *   clang, older SDK                       cudaConfigureCall, one cudaSetupArgument for each
 *                                          argument, cudaLaunch
 *
 * A launch beyond the device's limits runs nothing and returns an error. A launch that runs returns
 * success at once, also when the kernel faults: as on hardware, the fault is the next call's error,
 * and every later one's.
 */
#include "vgpu/src/count/install.h"
#include "vgpu/src/runtime/context.h"
#include "vgpu/src/runtime/graph.h"
#include "vgpu/src/runtime/held.h"
#include "vgpu/src/runtime/journal.h"
#include "vgpu/src/runtime/late.h"
#include "vgpu/src/runtime/order.h"
#include "vgpu/src/runtime/place.h"
#include "vgpu/src/runtime/prints.h"
#include "vgpu/src/runtime/shadow.h"
#include "vgpu/src/runtime/shoot.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_PENDING = 16, MAX_ARG_BYTES = 4096, MAX_ARGS = 1024 };

/* A launch configuration between <<<…>>> and the kernel's host stub. */
typedef struct call_config {
    dim3 grid, block;
    size_t shared;
    cudaStream_t stream;
    /* cudaSetupArgument's bytes; not used by the newer calls. */
    uint8_t args[MAX_ARG_BYTES];
    bool overflow;
} call_config;

/* Arguments of a launch may themselves launch (f<<<…>>>(g())), hence a stack;
 * one for each thread. */
static _Thread_local call_config pending[MAX_PENDING];
static _Thread_local int num_pending;
/* A kernel's host stub has just asked for a configuration that nobody pushed. */
static _Thread_local bool unconfigured;

/* ---- the launch itself ---- */

uint64_t vg_max_dynamic_shared(const vg_context *ctx, const vg_function *fn) {
    if (fn->max_dynamic >= 0)
        return (uint64_t)fn->max_dynamic;
    uint64_t used = vg_kernel_get_info(fn->kernel)->static_shared;
    uint64_t limit = (uint64_t)ctx->settings.profile->shared_block;
    return used < limit ? limit - used : 0;
}

/* Launches beyond the limits: CUDA 13 says "invalid argument", earlier toolkits "invalid
 * configuration". */
static cudaError_t limit_error(const vg_context *ctx) {
    return ctx->settings.cudart >= 13 ? cudaErrorInvalidValue : cudaErrorInvalidConfiguration;
}

/* Says why a launch is refused. */
static cudaError_t refuse(vg_context *ctx, const vg_kernel_info *info, vg_note *why,
                          cudaError_t error) {
    ctx->stats.failed_launches++;
    why->kernel = info->pretty;
    why->other = ctx->settings.profile->name;
    why->is.status = error;
    vg_tell(ctx, why);
    return error;
}

static cudaError_t check_limits(vg_context *ctx, const vg_function *fn, const vg_launch_params *p,
                                size_t shared) {
    vg_note why = {0};
    const vg_profile *d = ctx->settings.profile;
    const vg_kernel_info *info = vg_kernel_get_info(fn->kernel);
    uint64_t dynamic = vg_max_dynamic_shared(ctx, fn);
    uint64_t limit = (uint64_t)info->static_shared + dynamic;
    if (fn->max_dynamic < 0 && limit > (uint64_t)d->shared_block)
        limit = (uint64_t)d->shared_block;
    if (!vg_profile_allows(d, p->grid, p->block, info->static_shared + (uint64_t)shared, limit,
                           &why)) {
        if (shared > dynamic && shared <= (uint64_t)d->shared_block_optin)
            why.is.room = (uint64_t)d->shared_block_optin;
        return refuse(ctx, info, &why, limit_error(ctx));
    }
    uint64_t threads = (uint64_t)p->block.x * p->block.y * p->block.z;
    if (info->max_threads > 0 && threads > (uint64_t)info->max_threads) {
        why = *VG_NOTE(LAUNCH_BOUNDS, .is.size = threads, .is.limit = (uint64_t)info->max_threads);
        return refuse(ctx, info, &why,
                      ctx->settings.cudart >= 13 ? cudaErrorInvalidValue : cudaErrorLaunchFailure);
    }
    return cudaSuccess;
}

/* What malloc in device code gives out; made when a kernel first needs it. */
static bool make_heap(vg_context *ctx, const vg_function *fn) {
    if (vg_kernel_get_info(fn->kernel)->uses_heap && !ctx->heap)
        ctx->heap = vg_heap_create(ctx->mem, ctx->limits[cudaLimitMallocHeapSize]);
    return ctx->heap || !vg_kernel_get_info(fn->kernel)->uses_heap;
}

/* Where the blocks of a cooperative grid meet, for kernels that nvcc compiled; all zeros. */
static bool make_workspace(vg_context *ctx, const vg_function *fn, vg_launch_params *p) {
    if (!p->cooperative || !vg_kernel_get_info(fn->kernel)->uses_workspace)
        return true;
    if (ctx->workspace == 0)
        ctx->workspace = vg_mem_alloc(ctx->mem, VG_WORKSPACE_BYTES, 256, VG_MEM_MODULE,
                                      "the workspace of cooperative grids");
    p->workspace = ctx->workspace;
    if (ctx->workspace != 0)
        memset(vg_mem_at(ctx->mem, ctx->workspace, VG_WORKSPACE_BYTES), 0, VG_WORKSPACE_BYTES);
    return ctx->workspace != 0;
}

/* "lab::tiled<32>(int)" is tiled. */
static void note_kernel(struct vgpu_stats *s, const char *pretty) {
    const char *end = pretty + strcspn(pretty, "<("), *name = end;
    while (name > pretty && name[-1] != ':' && name[-1] != ' ')
        name--;
    s->last_kernels[s->launches % 64] = (uint8_t)vgpu_kernel_bit(name, (size_t)(end - name));
}

static cudaError_t run_kernel(vg_context *ctx, vg_function *fn, dim3 grid, dim3 block, void **args,
                              size_t shared, bool cooperative) {
    vg_launch_params p = {
        .grid = {grid.x, grid.y, grid.z},
        .block = {block.x, block.y, block.z},
        .args = args,
        .mem = ctx->mem,
        .textures = &ctx->textures,
        .sm_count = ctx->settings.profile->sm_count,
        .clock_khz = (uint32_t)ctx->settings.profile->clock_khz,
        .budget = ctx->settings.budget,
        .stack_limit = (uint32_t)ctx->limits[cudaLimitStackSize],
        .double_shared = ctx->settings.twofold,
        .backwards = ctx->settings.backwards,
        .print = vg_is_held() ? NULL : vg_prints_take, /* a debugger shows it as it comes */
        .print_self = ctx,
    };
    cudaError_t error = check_limits(ctx, fn, &p, shared);
    if (error != cudaSuccess)
        return error;
    if (vg_fails(ctx, VGPU_CALL_LAUNCH, "a kernel's launch"))
        return cudaErrorLaunchOutOfResources;
    p.dynamic_shared = (uint32_t)shared;
    vg_look_for_host_writes(ctx);
    if (!args && vg_kernel_get_info(fn->kernel)->num_params > 0)
        return cudaErrorInvalidValue;
    if (!vg_count_install(ctx->exec)) {
        vg_tell(ctx, VG_NOTE(OUT_OF_HOST_MEMORY, .name = "the counters"));
        return cudaErrorMemoryAllocation;
    }
    vg_fault fault = {0}, star = {0};
    p.star = ctx->star_told ? NULL : &star;
    if (!vg_kernel_prepare(fn->kernel, vg_exec_is_observed(ctx->exec), &fault)) {
        vg_tell_words(ctx, &fault.fact, fault.text);
        return (cudaError_t)fault.status;
    }
    if (!make_heap(ctx, fn)) {
        vg_tell(ctx, VG_NOTE(NO_DEVICE_MEMORY, .name = "the heap of malloc in device code"));
        return cudaErrorMemoryAllocation;
    }
    p.heap = ctx->heap;
    p.cooperative = cooperative;
    if (!make_workspace(ctx, fn, &p)) {
        vg_tell(ctx, VG_NOTE(NO_DEVICE_MEMORY, .name = "the workspace of a cooperative grid"));
        return cudaErrorMemoryAllocation;
    }
    p.shadow = vg_shadow_names;
    p.shadow_self = ctx;
    note_kernel(&ctx->stats, vg_kernel_get_info(fn->kernel)->pretty);
    ctx->stats.launches++;
    ctx->stats.to_host_after = 0;
    const uint32_t sides[2][3] = {{grid.x, grid.y, grid.z}, {block.x, block.y, block.z}};
    memcpy(ctx->stats.last_grid, sides[0], sizeof sides[0]);
    memcpy(ctx->stats.last_block, sides[1], sizeof sides[1]);
    ctx->last_kernel = vg_kernel_get_info(fn->kernel)->pretty;
    vg_journal_launch(ctx, fn, &p);
    vg_shot *shot = vg_shoot_begin(ctx, fn);
    vg_held_begin(ctx, fn);
    vg_progress_begin(&ctx->progress, ctx->last_kernel, (uint64_t)ctx->stats.launches,
                      ctx->settings.quiet ? 0 : ctx->settings.progress, &p);
    enum vg_status status =
        ctx->settings.idle ? VG_OK : vg_launch(ctx->exec, fn->kernel, &p, &fault);
    vg_prints_launched(ctx, status != VG_OK || !ctx->settings.late);
    vg_progress_end(&ctx->progress);
    vg_journal_wrote(ctx);
    if (star.text[0] != '\0') {
        ctx->star_told = true;
        vg_tell_words(ctx, &star.fact, star.text);
    }
    if (status != VG_OK)
        vg_check_fault(ctx->check, &fault);
    if (status != VG_OK)
        vg_fail_sticky(ctx, &fault.fact, fault.text);
    if (fault.fact.says == VGPU_ENDLESS && fault.fact.number[0] == 0)
        vg_tell(ctx, VG_NOTE(BUDGET, .is.limit = ctx->settings.budget));
    vg_held_end(ctx);
    vg_shoot_end(ctx, shot, fn, &p, status != VG_OK ? &fault : NULL);
    return cudaSuccess;
}

cudaError_t vg_run_kernel(vg_context *ctx, vg_function *fn, dim3 grid, dim3 block, void **args,
                          size_t shared) {
    return run_kernel(ctx, fn, grid, block, args, shared, false);
}

cudaError_t vg_run_cooperative(vg_context *ctx, vg_function *fn, dim3 grid, dim3 block, void **args,
                               size_t shared) {
    const uint64_t threads = (uint64_t)block.x * block.y * block.z,
                   blocks = (uint64_t)grid.x * grid.y * grid.z;
    const int each =
        threads > 0 && threads <= 1024 ? vg_resident_blocks(ctx, fn, (int)threads, shared) : 0;
    const uint64_t most = (uint64_t)each * (uint64_t)ctx->settings.profile->sm_count;
    if (each > 0 && blocks > most) {
        vg_tell(ctx, VG_NOTE(COOPERATIVE_TOO_LARGE, .is.count = blocks, .is.limit = most,
                             .is.number = {each, ctx->settings.profile->sm_count}));
        return cudaErrorCooperativeLaunchTooLarge;
    }
    return run_kernel(ctx, fn, grid, block, args, shared, true);
}

static cudaError_t launched(vg_context *ctx, cudaError_t error) {
    vg_place_is(NULL);
    return vg_end(ctx, error);
}

/* Launches by the host stub's address. */
static cudaError_t launch(const void *func, dim3 grid, dim3 block, void **args, size_t shared,
                          cudaStream_t stream, bool cooperative) {
    const bool called_plainly = unconfigured; /* and so the sizes mean nothing */
    unconfigured = false;
    stream = called_plainly ? NULL : stream;
    vg_context *ctx = vg_begin();
    cudaError_t error = vg_ready(ctx);
    if (error == cudaSuccess && !vg_stream_valid(ctx, stream)) {
        vg_tell(ctx,
                VG_NOTE(DEAD_STREAM, .call = "launch", .is.address = (uint64_t)(uintptr_t)stream));
        error = cudaErrorInvalidResourceHandle;
    }
    if (error == cudaSuccess) {
        vg_function *fn = vg_function_of(ctx, func, &error);
        if (fn && !called_plainly && vg_is_captured(ctx, stream))
            return launched(ctx, vg_capture_launch(ctx, stream, func, fn, grid, block, args, shared,
                                                   cooperative));
        const cudaError_t captured = vg_capture_allows_work(ctx, "a kernel's launch", stream);
        if (captured != cudaSuccess)
            return launched(ctx, captured);
        vg_late_before(ctx, stream);
        if (fn && called_plainly) {
            vg_tell(ctx,
                    VG_NOTE(LAUNCH_UNCONFIGURED, .kernel = vg_kernel_get_info(fn->kernel)->pretty,
                            .is.status = cudaErrorMissingConfiguration));
            ctx->stats.failed_launches++;
            error = cudaErrorMissingConfiguration;
        } else if (fn)
            error = cooperative ? vg_run_cooperative(ctx, fn, grid, block, args, shared)
                                : vg_run_kernel(ctx, fn, grid, block, args, shared);
        else
            ctx->stats.failed_launches++;
        vg_late_after(ctx, fn ? vg_kernel_get_info(fn->kernel) : NULL);
        vg_stream_busy(ctx, stream);
    }
    return launched(ctx, error);
}

cudaError_t cudaLaunchKernel(const void *func, dim3 gridDim, dim3 blockDim, void **args,
                             size_t sharedMem, cudaStream_t stream) {
    return launch(func, gridDim, blockDim, args, sharedMem, stream, false);
}

cudaError_t cudaLaunchKernelExC(const cudaLaunchConfig_t *config, const void *func, void **args) {
    if (!config || (config->numAttrs > 0 && !config->attrs))
        return vg_remember(cudaErrorInvalidValue);
    bool cooperative = false;
    for (unsigned int i = 0; i < config->numAttrs; i++) {
        const cudaLaunchAttribute *a = &config->attrs[i];
        bool clusters =
            a->id == cudaLaunchAttributeClusterDimension &&
            (a->val.clusterDim.x > 1 || a->val.clusterDim.y > 1 || a->val.clusterDim.z > 1);
        cooperative |= a->id == cudaLaunchAttributeCooperative && a->val.cooperative;
        if (!clusters)
            continue;
        vg_context *ctx = vg_begin();
        vg_tell(ctx, VG_NOTE(UNSUPPORTED, .call = "cudaLaunchKernelEx", .name = "cluster launches",
                             .is.status = cudaErrorNotSupported));
        return vg_end(ctx, cudaErrorNotSupported);
    }
    return launch(func, config->gridDim, config->blockDim, args, config->dynamicSmemBytes,
                  config->stream, cooperative);
}

cudaError_t cudaLaunchCooperativeKernel(const void *func, dim3 gridDim, dim3 blockDim, void **args,
                                        size_t sharedMem, cudaStream_t stream) {
    return launch(func, gridDim, blockDim, args, sharedMem, stream, true);
}

/* ---- <<<…>>>: push and pop ---- */

static call_config *push(dim3 grid, dim3 block, size_t shared, cudaStream_t stream) {
    if (num_pending == MAX_PENDING)
        return NULL;
    call_config *c = &pending[num_pending++];
    c->grid = grid;
    c->block = block;
    c->shared = shared;
    c->stream = stream;
    c->overflow = false;
    return c;
}

unsigned int __cudaPushCallConfiguration(dim3 gridDim, dim3 blockDim, size_t sharedMem,
                                         struct CUstream_st *stream) {
    vg_place_is(__builtin_return_address(0));
    /* Not 0 tells the caller to skip the launch. */
    return push(gridDim, blockDim, sharedMem, stream) ? 0 : 1;
}

cudaError_t __cudaPopCallConfiguration(dim3 *gridDim, dim3 *blockDim, size_t *sharedMem,
                                       void *stream) {
    unconfigured = num_pending == 0;
    if (unconfigured)
        return vg_remember(cudaErrorMissingConfiguration);
    const call_config *c = &pending[--num_pending];
    *gridDim = c->grid;
    *blockDim = c->block;
    *sharedMem = c->shared;
    memcpy(stream, &c->stream, sizeof c->stream);
    return cudaSuccess;
}

/* nvcc 13: a kernel's handle is the host stub's address here. */
cudaError_t __cudaGetKernel(cudaKernel_t *kernel, const void *func) {
    if (!kernel)
        return vg_remember(cudaErrorInvalidValue);
    *kernel = (cudaKernel_t)(uintptr_t)func;
    return cudaSuccess;
}

cudaError_t __cudaLaunchKernel(cudaKernel_t kernel, dim3 gridDim, dim3 blockDim, void **args,
                               size_t sharedMem, cudaStream_t stream) {
    return launch((const void *)kernel, gridDim, blockDim, args, sharedMem, stream, false);
}

/* ---- <<<…>>> before CUDA 9.2: arguments one by one ---- */

cudaError_t cudaConfigureCall(dim3 gridDim, dim3 blockDim, size_t sharedMem, cudaStream_t stream) {
    return vg_remember(push(gridDim, blockDim, sharedMem, stream) ? cudaSuccess
                                                                  : cudaErrorInvalidConfiguration);
}

cudaError_t cudaSetupArgument(const void *arg, size_t size, size_t offset) {
    if (num_pending == 0)
        return vg_remember(cudaErrorMissingConfiguration);
    call_config *c = &pending[num_pending - 1];
    if (offset > MAX_ARG_BYTES || size > MAX_ARG_BYTES - offset) {
        c->overflow = true;
        return vg_remember(cudaErrorInvalidValue);
    }
    memcpy(c->args + offset, arg, size);
    return cudaSuccess;
}

cudaError_t cudaLaunch(const void *func) {
    void *args[MAX_ARGS];
    if (num_pending == 0)
        return vg_remember(cudaErrorMissingConfiguration);
    call_config *c = &pending[--num_pending];
    if (c->overflow)
        return vg_remember(cudaErrorInvalidValue);
    vg_context *ctx = vg_begin();
    cudaError_t error = vg_ready(ctx);
    if (error == cudaSuccess && !vg_stream_valid(ctx, c->stream))
        error = cudaErrorInvalidResourceHandle;
    vg_function *fn = error == cudaSuccess ? vg_function_of(ctx, func, &error) : NULL;
    if (fn) {
        int count = vg_kernel_get_info(fn->kernel)->num_params;
        for (int i = 0; i < count && i < MAX_ARGS; i++) {
            size_t offset = 0;
            size_t size = 0;
            vg_kernel_param(fn->kernel, i, &offset, &size);
            args[i] = c->args + offset;
        }
        vg_late_before(ctx, c->stream);
        error = count <= MAX_ARGS ? vg_run_kernel(ctx, fn, c->grid, c->block, args, c->shared)
                                  : cudaErrorInvalidValue;
        vg_late_after(ctx, vg_kernel_get_info(fn->kernel));
        vg_stream_busy(ctx, c->stream);
    }
    return vg_end(ctx, error);
}
