/* timing_cuda.c: see timing_cuda.h. Compiled once per backend, against that backend's headers. */
#include "common/timing_cuda.h"

cudaError_t cuda_timer_create(struct cuda_timer *t) {
    *t = (struct cuda_timer){0};
    cudaError_t status = cudaEventCreate(&t->begin);
    if (status == cudaSuccess)
        status = cudaEventCreate(&t->end);
    if (status != cudaSuccess)
        cuda_timer_destroy(t);
    return status;
}

cudaError_t cuda_timer_start(struct cuda_timer *t) {
    return cudaEventRecord(t->begin, 0);
}

cudaError_t cuda_timer_stop(struct cuda_timer *t, double *seconds) {
    float milliseconds = 0;
    *seconds = 0;
    cudaError_t status = cudaEventRecord(t->end, 0);
    if (status == cudaSuccess)
        status = cudaEventSynchronize(t->end);
    if (status == cudaSuccess)
        status = cudaEventElapsedTime(&milliseconds, t->begin, t->end);
    if (status == cudaSuccess)
        *seconds = 1e-3 * (double)milliseconds;
    return status;
}

void cuda_timer_destroy(struct cuda_timer *t) {
    if (t->begin)
        cudaEventDestroy(t->begin);
    if (t->end)
        cudaEventDestroy(t->end);
    *t = (struct cuda_timer){0};
}
