/*
 * timing_cuda.h: times work on the device with CUDA events, which are recorded by the device itself
 * when it reaches them.
 *
 *     struct cuda_timer t;
 *     cuda_timer_create(&t);
 *     cuda_timer_start(&t);
 *     ... launches and copies on the default stream ...
 *     cuda_timer_stop(&t, &seconds);      waits for all of them
 *     cuda_timer_destroy(&t);
 *
 * Every function returns the first error among its calls, cudaSuccess if none; an error of the work
 * in between (a kernel that went astray) is reported by cuda_timer_stop.
 * On the virtual GPU the durations are the simulator's and say nothing about a GPU.
 */
#pragma once

#include <cuda_runtime.h>

struct cuda_timer {
    cudaEvent_t begin, end;
};

cudaError_t cuda_timer_create(struct cuda_timer *t);
cudaError_t cuda_timer_start(struct cuda_timer *t);
cudaError_t cuda_timer_stop(struct cuda_timer *t, double *seconds);
void cuda_timer_destroy(struct cuda_timer *t); /* fine after a create that failed */
