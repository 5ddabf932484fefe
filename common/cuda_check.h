/*
 * cuda_check.h: stop at the first CUDA or cuBLAS call that fails, and say which one it was.
 *
 *     CUDA_CHECK(cudaMalloc((void **)&d_A, bytes));
 *
 *     multiply<<<grid, block>>>(...);
 *     CUDA_CHECK_LAUNCH();
 *
 *     CUBLAS_CHECK(cublasCreate(&handle));
 *
 * A failure prints the file, the line, the call as written, the error's name and what it means to
 * stderr, and ends the program with the status CUDA_CHECK_EXIT.
 *
 * A kernel runs on its own while the program goes on. CUDA_CHECK_LAUNCH sees a launch that was
 * refused (a block of 2048 threads, say). A mistake inside the kernel, such as an index outside an
 * array, is reported by a later call: the next copy or cudaDeviceSynchronize.
 *
 * The header refuses to recover: a program that goes on after a failed call computes with garbage.
 * It compiles as C and as CUDA C++, with the CUDA toolkit (11 and later) and with the virtual GPU.
 */
#pragma once

#include <cuda_runtime.h>
#include <stdio.h>
#include <stdlib.h>

/* The exit status after a failed check, to tell it from a wrong result and from a crash. */
#define CUDA_CHECK_EXIT 70

#define CUDA_CHECK(call)    cuda_check((call), #call, __FILE__, __LINE__)
#define CUDA_CHECK_LAUNCH() cuda_check(cudaGetLastError(), "kernel launch", __FILE__, __LINE__)
#define CUBLAS_CHECK(call)  cublas_check((int)(call), #call, __FILE__, __LINE__)

static inline void cuda_check(cudaError_t status, const char *call, const char *file, int line) {
    if (status == cudaSuccess)
        return;
    fflush(stdout); /* what the program printed before comes first */
    fprintf(stderr, "%s:%d: CUDA call failed\n", file, line);
    fprintf(stderr, "    call:    %s\n", call);
    fprintf(stderr, "    error:   %s (%d)\n", cudaGetErrorName(status), (int)status);
    fprintf(stderr, "    meaning: %s\n", cudaGetErrorString(status));
    exit(CUDA_CHECK_EXIT);
}

/* cuBLAS status codes are the same numbers in all versions; toolkits before 11.4 cannot name them,
 * so the names are spelled out here, and this header needs no cublas_v2.h. */
struct cublas_meaning {
    const char *name, *text;
};

static inline struct cublas_meaning cublas_meaning(int status) {
    struct cublas_meaning m = {"unknown cuBLAS status", "not a code that this header knows"};
    switch (status) {
    case 1:
        m.name = "CUBLAS_STATUS_NOT_INITIALIZED";
        m.text = "no valid handle: cublasCreate failed or was not called, or the handle was "
                 "destroyed";
        break;
    case 3:
        m.name = "CUBLAS_STATUS_ALLOC_FAILED";
        m.text = "cuBLAS could not allocate the memory it needs";
        break;
    case 7:
        m.name = "CUBLAS_STATUS_INVALID_VALUE";
        m.text = "an argument is out of range: a negative size, or a leading dimension too small";
        break;
    case 8:
        m.name = "CUBLAS_STATUS_ARCH_MISMATCH";
        m.text = "this GPU lacks a feature that the call needs";
        break;
    case 11:
        m.name = "CUBLAS_STATUS_MAPPING_ERROR";
        m.text = "GPU memory could not be accessed";
        break;
    case 13:
        m.name = "CUBLAS_STATUS_EXECUTION_FAILED";
        m.text = "the work on the GPU failed; often this is an earlier kernel's mistake";
        break;
    case 14:
        m.name = "CUBLAS_STATUS_INTERNAL_ERROR";
        m.text = "an operation inside cuBLAS failed";
        break;
    case 15:
        m.name = "CUBLAS_STATUS_NOT_SUPPORTED";
        m.text = "cuBLAS does not support this combination of arguments";
        break;
    case 16:
        m.name = "CUBLAS_STATUS_LICENSE_ERROR";
        m.text = "the licence check failed";
        break;
    default: break;
    }
    return m;
}

static inline void cublas_check(int status, const char *call, const char *file, int line) {
    if (status == 0) /* CUBLAS_STATUS_SUCCESS */
        return;
    struct cublas_meaning m = cublas_meaning(status);
    fflush(stdout);
    fprintf(stderr, "%s:%d: cuBLAS call failed\n", file, line);
    fprintf(stderr, "    call:    %s\n", call);
    fprintf(stderr, "    error:   %s (%d)\n", m.name, status);
    fprintf(stderr, "    meaning: %s\n", m.text);
    exit(CUDA_CHECK_EXIT);
}
