/*
 * stream.c: streams. Work is done when it is asked for, so every stream is always idle; what
 * remains is to know the live handles from the dead.
 */
#include "vgpu/src/runtime/context.h"

#include <stdlib.h>

enum { LEAST_PRIORITY = 0, GREATEST_PRIORITY = -5 };

struct CUstream_st {
    unsigned int flags;
    int priority;
};

bool vg_stream_valid(const vg_context *ctx, cudaStream_t stream) {
    return !stream || stream == cudaStreamLegacy || stream == cudaStreamPerThread ||
           vg_ptrmap_get(&ctx->streams, stream);
}

/* vg_ready for a call on a stream. */
static cudaError_t ready_on(vg_context *ctx, cudaStream_t stream) {
    cudaError_t error = vg_ready(ctx);
    if (error == cudaSuccess && !vg_stream_valid(ctx, stream)) {
        vg_say(ctx, "%p is no live stream", (void *)stream);
        error = cudaErrorInvalidResourceHandle;
    }
    return error;
}

cudaError_t cudaStreamCreateWithPriority(cudaStream_t *pStream, unsigned int flags, int priority) {
    vg_context *ctx = vg_begin();
    cudaError_t error = vg_ready(ctx);
    if (error == cudaSuccess && (!pStream || (flags & ~(unsigned)cudaStreamNonBlocking) != 0))
        error = cudaErrorInvalidValue;
    if (error == cudaSuccess) {
        struct CUstream_st *s = malloc(sizeof *s);
        if (!s || !vg_ptrmap_put(&ctx->streams, s, s)) {
            free(s);
            error = cudaErrorMemoryAllocation;
        } else {
            s->flags = flags;
            s->priority = priority > LEAST_PRIORITY      ? LEAST_PRIORITY
                          : priority < GREATEST_PRIORITY ? GREATEST_PRIORITY
                                                         : priority;
            *pStream = s;
        }
    }
    return vg_end(ctx, error);
}

cudaError_t cudaStreamCreateWithFlags(cudaStream_t *pStream, unsigned int flags) {
    return cudaStreamCreateWithPriority(pStream, flags, 0);
}

cudaError_t cudaStreamCreate(cudaStream_t *pStream) {
    return cudaStreamCreateWithPriority(pStream, cudaStreamDefault, 0);
}

cudaError_t cudaStreamDestroy(cudaStream_t stream) {
    vg_context *ctx = vg_begin();
    cudaError_t error = vg_ready(ctx);
    if (error == cudaSuccess) {
        struct CUstream_st *s = vg_ptrmap_take(&ctx->streams, stream);
        if (!s)
            error = cudaErrorInvalidResourceHandle;
        free(s);
    }
    return vg_end(ctx, error);
}

cudaError_t cudaStreamSynchronize(cudaStream_t stream) {
    vg_context *ctx = vg_begin();
    return vg_end(ctx, ready_on(ctx, stream));
}

cudaError_t cudaStreamQuery(cudaStream_t stream) {
    vg_context *ctx = vg_begin();
    return vg_end(ctx, ready_on(ctx, stream));
}

cudaError_t cudaStreamWaitEvent(cudaStream_t stream, cudaEvent_t event, unsigned int flags) {
    vg_context *ctx = vg_begin();
    cudaError_t error = ready_on(ctx, stream);
    if (error == cudaSuccess && !vg_ptrmap_get(&ctx->events, event))
        error = cudaErrorInvalidResourceHandle;
    if (error == cudaSuccess && (flags & ~(unsigned)cudaEventWaitExternal) != 0)
        error = cudaErrorInvalidValue;
    return vg_end(ctx, error);
}

cudaError_t cudaStreamGetPriority(cudaStream_t stream, int *priority) {
    vg_context *ctx = vg_begin();
    cudaError_t error = ready_on(ctx, stream);
    struct CUstream_st *s = vg_ptrmap_get(&ctx->streams, stream);
    if (error == cudaSuccess && !priority)
        error = cudaErrorInvalidValue;
    if (error == cudaSuccess)
        *priority = s ? s->priority : LEAST_PRIORITY;
    return vg_end(ctx, error);
}

cudaError_t cudaStreamGetFlags(cudaStream_t stream, unsigned int *flags) {
    vg_context *ctx = vg_begin();
    cudaError_t error = ready_on(ctx, stream);
    struct CUstream_st *s = vg_ptrmap_get(&ctx->streams, stream);
    if (error == cudaSuccess && !flags)
        error = cudaErrorInvalidValue;
    if (error == cudaSuccess)
        *flags = s ? s->flags : cudaStreamDefault;
    return vg_end(ctx, error);
}

/* The callback runs without the lock: cudaLaunchHostFunc forbids it to call CUDA, programs try. */
cudaError_t cudaLaunchHostFunc(cudaStream_t stream, cudaHostFn_t fn, void *userData) {
    vg_context *ctx = vg_begin();
    cudaError_t error = ready_on(ctx, stream);
    if (error == cudaSuccess && !fn)
        error = cudaErrorInvalidValue;
    vg_end(ctx, error);
    if (error == cudaSuccess)
        fn(userData);
    return error;
}

cudaError_t cudaStreamAddCallback(cudaStream_t stream, cudaStreamCallback_t callback,
                                  void *userData, unsigned int flags) {
    vg_context *ctx = vg_begin();
    cudaError_t error = ready_on(ctx, stream);
    if (error == cudaSuccess && (!callback || flags != 0))
        error = cudaErrorInvalidValue;
    vg_end(ctx, error);
    if (error == cudaSuccess)
        callback(stream, cudaSuccess, userData);
    return error;
}

cudaError_t cudaDeviceGetStreamPriorityRange(int *leastPriority, int *greatestPriority) {
    vg_context *ctx = vg_begin();
    cudaError_t error = vg_ready(ctx);
    if (error == cudaSuccess && leastPriority)
        *leastPriority = LEAST_PRIORITY;
    if (error == cudaSuccess && greatestPriority)
        *greatestPriority = GREATEST_PRIORITY;
    return vg_end(ctx, error);
}
