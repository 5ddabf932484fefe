/*
 * function.c: asking and setting what a kernel may use, and how many blocks of it are resident.
 */
#include "vgpu/src/runtime/context.h"

/* vg_ready and the kernel behind a host function, or the error. */
static vg_function *find(vg_context *ctx, const void *func, cudaError_t *error) {
    *error = vg_ready(ctx);
    return *error == cudaSuccess ? vg_function_of(ctx, func, error) : NULL;
}

static cudaError_t set_dynamic(const vg_context *ctx, vg_function *fn, int value) {
    int used = (int)vg_kernel_get_info(fn->kernel)->static_shared;
    if (value < 0 || value > ctx->settings.profile->shared_block_optin - used)
        return cudaErrorInvalidValue;
    fn->max_dynamic = value;
    return cudaSuccess;
}

static void say_attribute(const vg_context *ctx, const vg_function *fn, int value) {
    const vg_kernel_info *info = vg_kernel_get_info(fn->kernel);
    const int most = ctx->settings.profile->shared_block_optin - (int)info->static_shared;
    vg_tell(ctx, VG_NOTE(SHARED_ATTRIBUTE, .call = "cudaFuncSetAttribute", .kernel = info->pretty,
                         .name = ctx->settings.profile->name,
                         .is.number = {info->static_shared, most, value}));
}

cudaError_t cudaFuncSetAttribute(const void *func, enum cudaFuncAttribute attr, int value) {
    cudaError_t error = cudaSuccess;
    vg_context *ctx = vg_begin();
    vg_function *fn = find(ctx, func, &error);
    if (fn && attr == cudaFuncAttributeMaxDynamicSharedMemorySize) {
        error = set_dynamic(ctx, fn, value);
        if (error != cudaSuccess)
            say_attribute(ctx, fn, value);
    } else if (fn && attr == cudaFuncAttributePreferredSharedMemoryCarveout) {
        if (value < -1 || value > 100)
            error = cudaErrorInvalidValue;
        else
            fn->carveout = value;
    } else if (fn && (attr < cudaFuncAttributeMaxDynamicSharedMemorySize ||
                      attr >= cudaFuncAttributeMax)) {
        error = cudaErrorInvalidValue;
    } else if (fn) {
        vg_tell(ctx, VG_NOTE(UNSUPPORTED, .call = "cudaFuncSetAttribute",
                             .name = "thread block clusters", .is.status = cudaErrorNotSupported));
        error = cudaErrorNotSupported;
    }
    return vg_end(ctx, error);
}

cudaError_t cudaFuncGetAttributes(struct cudaFuncAttributes *attr, const void *func) {
    cudaError_t error = cudaSuccess;
    vg_context *ctx = vg_begin();
    vg_function *fn = find(ctx, func, &error);
    if (fn && !attr)
        error = cudaErrorInvalidValue;
    if (fn && attr) {
        const vg_kernel_info *info = vg_kernel_get_info(fn->kernel);
        int limit = ctx->settings.profile->max_threads_block;
        *attr = (struct cudaFuncAttributes){
            .sharedSizeBytes = info->static_shared,
            .constSizeBytes = info->const_bytes,
            .localSizeBytes = info->local_bytes,
            .maxThreadsPerBlock =
                info->max_threads > 0 && info->max_threads < limit ? info->max_threads : limit,
            .numRegs = info->num_regs,
            .ptxVersion = info->target,
            .binaryVersion = ctx->settings.profile->major * 10 + ctx->settings.profile->minor,
            .maxDynamicSharedSizeBytes = (int)vg_max_dynamic_shared(ctx, fn),
            .preferredShmemCarveout = fn->carveout,
        };
    }
    return vg_end(ctx, error);
}

cudaError_t cudaFuncGetName(const char **name, const void *func) {
    cudaError_t error = cudaSuccess;
    vg_context *ctx = vg_begin();
    vg_function *fn = find(ctx, func, &error);
    if (fn && !name)
        error = cudaErrorInvalidValue;
    if (fn && name)
        *name = fn->name;
    return vg_end(ctx, error);
}

cudaError_t cudaFuncSetCacheConfig(const void *func, enum cudaFuncCache config) {
    cudaError_t error = cudaSuccess;
    vg_context *ctx = vg_begin();
    if (find(ctx, func, &error) && (unsigned)config > cudaFuncCachePreferEqual)
        error = cudaErrorInvalidValue;
    return vg_end(ctx, error);
}

cudaError_t cudaFuncSetSharedMemConfig(const void *func, enum cudaSharedMemConfig config) {
    cudaError_t error = cudaSuccess;
    vg_context *ctx = vg_begin();
    if (find(ctx, func, &error) && (unsigned)config > cudaSharedMemBankSizeEightByte)
        error = cudaErrorInvalidValue;
    return vg_end(ctx, error);
}

/* ---- occupancy ---- */

/* Registers are left out: how many a kernel needs is decided by the assembler, which doesn't run
 * here. */
int vg_resident_blocks(const vg_context *ctx, const vg_function *fn, int threads,
                       uint64_t dynamic) {
    const vg_kernel_info *info = vg_kernel_get_info(fn->kernel);
    if (dynamic > vg_max_dynamic_shared(ctx, fn)) /* no launch may ask for it */
        return 0;
    return vg_profile_blocks_per_sm(ctx->settings.profile, threads, info->static_shared + dynamic,
                                    0);
}

cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(int *numBlocks, const void *func,
                                                                   int blockSize,
                                                                   size_t dynamicSMemSize,
                                                                   unsigned int flags) {
    cudaError_t error = cudaSuccess;
    vg_context *ctx = vg_begin();
    vg_function *fn = find(ctx, func, &error);
    if (fn && (!numBlocks || blockSize <= 0 || flags > cudaOccupancyDisableCachingOverride))
        error = cudaErrorInvalidValue;
    else if (fn)
        *numBlocks = vg_resident_blocks(ctx, fn, blockSize, dynamicSMemSize);
    return vg_end(ctx, error);
}

cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessor(int *numBlocks, const void *func,
                                                          int blockSize, size_t dynamicSMemSize) {
    return cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(
        numBlocks, func, blockSize, dynamicSMemSize, cudaOccupancyDefault);
}

cudaError_t cudaOccupancyAvailableDynamicSMemPerBlock(size_t *dynamicSmemSize, const void *func,
                                                      int numBlocks, int blockSize) {
    cudaError_t error = cudaSuccess;
    vg_context *ctx = vg_begin();
    vg_function *fn = find(ctx, func, &error);
    if (fn && (!dynamicSmemSize || numBlocks <= 0 || blockSize <= 0 ||
               numBlocks > vg_resident_blocks(ctx, fn, blockSize, 0)))
        error = cudaErrorInvalidValue;
    else if (fn) {
        const vg_profile *d = ctx->settings.profile;
        int used = (int)vg_kernel_get_info(fn->kernel)->static_shared;
        int each = d->shared_sm / numBlocks / 128 * 128 - used;
        int limit = (int)vg_max_dynamic_shared(ctx, fn);
        *dynamicSmemSize = (size_t)(each < limit ? each : limit);
    }
    return vg_end(ctx, error);
}
