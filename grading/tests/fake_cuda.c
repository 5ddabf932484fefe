/* fake_cuda.c: the few CUDA calls of the worker, on host memory, so that run_test needs no virtual
 * GPU. It refuses nothing and checks nothing. */
#include "grading/tests/misdeeds.h"

#include <cuda_runtime.h>

#include <stdlib.h>
#include <string.h>

cudaError_t cudaMalloc(void **p, size_t bytes) {
    *p = malloc(bytes);
    return *p ? cudaSuccess : cudaErrorMemoryAllocation;
}

cudaError_t cudaFree(void *p) {
    free(p);
    return cudaSuccess;
}

cudaError_t cudaMemcpy(void *to, const void *from, size_t bytes, enum cudaMemcpyKind kind) {
    (void)kind;
    memcpy(to, from, bytes);
    return cudaSuccess;
}

cudaError_t cudaDeviceSynchronize(void) {
    return cudaSuccess;
}

cudaError_t cudaGetLastError(void) {
    return getenv("FAKE_CUDA_ERROR") ? cudaErrorInvalidValue : cudaSuccess;
}

const char *cudaGetErrorName(cudaError_t e) {
    return e == cudaErrorInvalidValue ? "cudaErrorInvalidValue" : "cudaError";
}

const char *cudaGetErrorString(cudaError_t e) {
    return e == cudaErrorInvalidValue ? "invalid argument" : "error";
}

/* The virtual GPU's voice. */
static void (*heard_by)(const struct vgpu_fact *fact, const char *words);

void vgpu_listen(void (*hear)(const struct vgpu_fact *fact, const char *words)) {
    heard_by = hear;
}

void fake_say(enum vgpu_says says) {
    const struct vgpu_fact fact = {.says = says, .line = 7};
    heard_by(&fact, "words for people\nin two lines");
}

/* Nobody asks for durations here. */
cudaError_t cudaEventCreate(cudaEvent_t *event) {
    (void)event;
    return cudaErrorNotSupported;
}
cudaError_t cudaEventDestroy(cudaEvent_t event) {
    (void)event;
    return cudaErrorNotSupported;
}
cudaError_t cudaEventRecord(cudaEvent_t event, cudaStream_t stream) {
    (void)event, (void)stream;
    return cudaErrorNotSupported;
}
cudaError_t cudaEventSynchronize(cudaEvent_t event) {
    (void)event;
    return cudaErrorNotSupported;
}
cudaError_t cudaEventElapsedTime(float *ms, cudaEvent_t start, cudaEvent_t end) {
    (void)ms, (void)start, (void)end;
    return cudaErrorNotSupported;
}
