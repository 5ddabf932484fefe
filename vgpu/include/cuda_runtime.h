/*
 * cuda_runtime.h: CUDA for C, C++ and .cu files on the virtual GPU. vgpucc includes it in front of
 * every .cu file, as nvcc does.
 *
 *   plain C, C++     the runtime API and the vector types
 *   C++              the same, and typed overloads (cudaMalloc(&ptr, n) without a cast …)
 *   .cu files        all that, and device code's builtins: vgpu_device.h, vgpu_math.h
 */
#ifndef VGPU_CUDA_RUNTIME_H
#define VGPU_CUDA_RUNTIME_H
#define __CUDA_RUNTIME_H__

#if defined(__CUDA__) && defined(__clang__)
/* libstdc++ and many programs ask for this one to know that they are compiled as CUDA. */
#ifndef __CUDACC__
#define __CUDACC__ 1
#endif
#ifndef __NVCC__ /* programs and CMake ask for it where they mean "a compiler like nvcc" */
#define __NVCC__ 1
#endif
#ifndef __CUDACC_VER_MAJOR__ /* as nvcc's of the toolkit whose calls these headers declare */
#define __CUDACC_VER_MAJOR__ 13
#define __CUDACC_VER_MINOR__ 0
#define __CUDACC_VER_BUILD__ 0
#endif
/* The device's overloads of the mathematical functions must be known before the library's: see the
 * note at the head of that file. Its counterpart below fills std:: with them. */
#include <__clang_cuda_math_forward_declares.h>

#include <cstddef>
#pragma push_macro("_GLIBCXX_USE_STD_SPEC_FUNCS")
#undef _GLIBCXX_USE_STD_SPEC_FUNCS /* see the file cmath in this folder */
#include <cmath>
#pragma pop_macro("_GLIBCXX_USE_STD_SPEC_FUNCS")
#include <stdlib.h>
#include <string.h>
#include <time.h>
/* Programs written with nvcc rely on what its cuda_runtime.h brings along: INT_MAX, isdigit,
 * std::swap, std::numeric_limits, std::max. */
#include <ctype.h>
#include <limits.h>
#include <limits>
#include <type_traits>
#include <utility>
#if __has_include(<bits/stl_algobase.h>)
#include <bits/stl_algobase.h> /* the part of <algorithm> that is quick to read */
#else
#include <algorithm>
#endif
#endif

#include "channel_descriptor.h"
#include "cuda_runtime_api.h"
#include "vector_functions.h"

#if defined(__CUDA__) && defined(__clang__)
#include "surface_indirect_functions.h"
#include "texture_indirect_functions.h"
#include "vgpu_device.h"
#pragma clang attribute push(__attribute__((nodebug)), apply_to = hasType(functionType))
#include <__clang_cuda_cmath.h>
#pragma clang attribute pop
#endif

#ifdef __cplusplus

/* Inlined without lines of their own: a call of theirs is the caller's line,
 * as findings show it. */
#ifdef __clang__
#pragma clang attribute push(__attribute__((always_inline)), apply_to = function)
#pragma clang attribute push(__attribute__((nodebug)), apply_to = hasType(functionType))
#endif

/* ---- typed overloads ---- */

template <class T> static inline cudaError_t cudaMalloc(T **devPtr, size_t size) {
    return ::cudaMalloc((void **)(void *)devPtr, size);
}
template <class T>
static inline cudaError_t cudaMallocHost(T **ptr, size_t size, unsigned int flags = 0) {
    return flags == 0 ? ::cudaMallocHost((void **)(void *)ptr, size)
                      : ::cudaHostAlloc((void **)(void *)ptr, size, flags);
}
template <class T>
static inline cudaError_t cudaHostAlloc(T **ptr, size_t size, unsigned int flags) {
    return ::cudaHostAlloc((void **)(void *)ptr, size, flags);
}
template <class T>
static inline cudaError_t cudaHostGetDevicePointer(T **devPtr, void *hostPtr, unsigned int flags) {
    return ::cudaHostGetDevicePointer((void **)(void *)devPtr, hostPtr, flags);
}
template <class T>
static inline cudaError_t cudaMallocManaged(T **devPtr, size_t size,
                                            unsigned int flags = cudaMemAttachGlobal) {
    return ::cudaMallocManaged((void **)(void *)devPtr, size, flags);
}
template <class T>
static inline cudaError_t cudaMallocPitch(T **devPtr, size_t *pitch, size_t width, size_t height) {
    return ::cudaMallocPitch((void **)(void *)devPtr, pitch, width, height);
}
template <class T>
static inline cudaError_t cudaMallocAsync(T **devPtr, size_t size, cudaStream_t stream) {
    return ::cudaMallocAsync((void **)(void *)devPtr, size, stream);
}
template <class T>
static inline cudaError_t cudaMallocFromPoolAsync(T **ptr, size_t size, cudaMemPool_t memPool,
                                                  cudaStream_t stream) {
    return ::cudaMallocFromPoolAsync((void **)(void *)ptr, size, memPool, stream);
}
template <class T>
static inline cudaError_t cudaMallocAsync(T **ptr, size_t size, cudaMemPool_t memPool,
                                          cudaStream_t stream) {
    return ::cudaMallocFromPoolAsync((void **)(void *)ptr, size, memPool, stream);
}
template <class T>
static inline cudaError_t cudaStreamAttachMemAsync(cudaStream_t stream, T *devPtr,
                                                   size_t length = 0,
                                                   unsigned int flags = cudaMemAttachSingle) {
    return ::cudaStreamAttachMemAsync(stream, (void *)devPtr, length, flags);
}
static inline cudaError_t cudaEventCreate(cudaEvent_t *event, unsigned int flags) {
    return ::cudaEventCreateWithFlags(event, flags);
}

/* ---- symbols: by name, not by address ---- */

template <class T>
static inline cudaError_t cudaMemcpyToSymbol(const T &symbol, const void *src, size_t count,
                                             size_t offset = 0,
                                             enum cudaMemcpyKind kind = cudaMemcpyHostToDevice) {
    return ::cudaMemcpyToSymbol((const void *)&symbol, src, count, offset, kind);
}
template <class T>
static inline cudaError_t cudaMemcpyToSymbolAsync(const T &symbol, const void *src, size_t count,
                                                  size_t offset = 0,
                                                  enum cudaMemcpyKind kind = cudaMemcpyHostToDevice,
                                                  cudaStream_t stream = 0) {
    return ::cudaMemcpyToSymbolAsync((const void *)&symbol, src, count, offset, kind, stream);
}
template <class T>
static inline cudaError_t cudaMemcpyFromSymbol(void *dst, const T &symbol, size_t count,
                                               size_t offset = 0,
                                               enum cudaMemcpyKind kind = cudaMemcpyDeviceToHost) {
    return ::cudaMemcpyFromSymbol(dst, (const void *)&symbol, count, offset, kind);
}
template <class T>
static inline cudaError_t
cudaMemcpyFromSymbolAsync(void *dst, const T &symbol, size_t count, size_t offset = 0,
                          enum cudaMemcpyKind kind = cudaMemcpyDeviceToHost,
                          cudaStream_t stream = 0) {
    return ::cudaMemcpyFromSymbolAsync(dst, (const void *)&symbol, count, offset, kind, stream);
}
template <class T> static inline cudaError_t cudaGetSymbolAddress(void **devPtr, const T &symbol) {
    return ::cudaGetSymbolAddress(devPtr, (const void *)&symbol);
}
template <class T> static inline cudaError_t cudaGetSymbolSize(size_t *size, const T &symbol) {
    return ::cudaGetSymbolSize(size, (const void *)&symbol);
}

/* ---- kernels ---- */

template <class T>
static inline cudaError_t cudaLaunchKernel(T *func, dim3 gridDim, dim3 blockDim, void **args,
                                           size_t sharedMem = 0, cudaStream_t stream = 0) {
    return ::cudaLaunchKernel((const void *)func, gridDim, blockDim, args, sharedMem, stream);
}
template <class T>
static inline cudaError_t cudaLaunchCooperativeKernel(T *func, dim3 gridDim, dim3 blockDim,
                                                      void **args, size_t sharedMem = 0,
                                                      cudaStream_t stream = 0) {
    return ::cudaLaunchCooperativeKernel((const void *)func, gridDim, blockDim, args, sharedMem,
                                         stream);
}
#if __cplusplus >= 201103L
/* The arguments are converted to the kernel's parameter types first:
 * their addresses are passed on. */
template <class... Params, class... Args>
static inline cudaError_t cudaLaunchKernelEx(const cudaLaunchConfig_t *config,
                                             void (*kernel)(Params...), Args &&...args) {
    return [&](Params... params) {
        void *addresses[] = {(void *)&params..., nullptr};
        return ::cudaLaunchKernelExC(config, (const void *)kernel, addresses);
    }(static_cast<Args &&>(args)...);
}
#endif
template <class T>
static inline cudaError_t cudaFuncSetAttribute(T *func, enum cudaFuncAttribute attr, int value) {
    return ::cudaFuncSetAttribute((const void *)func, attr, value);
}
template <class T>
static inline cudaError_t cudaFuncGetAttributes(struct cudaFuncAttributes *attr, T *func) {
    return ::cudaFuncGetAttributes(attr, (const void *)func);
}
template <class T>
static inline cudaError_t cudaFuncSetCacheConfig(T *func, enum cudaFuncCache config) {
    return ::cudaFuncSetCacheConfig((const void *)func, config);
}
template <class T>
static inline cudaError_t cudaFuncSetSharedMemConfig(T *func, enum cudaSharedMemConfig config) {
    return ::cudaFuncSetSharedMemConfig((const void *)func, config);
}
template <class T> static inline cudaError_t cudaFuncGetName(const char **name, T *func) {
    return ::cudaFuncGetName(name, (const void *)func);
}
template <class T>
static inline cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessor(int *numBlocks, T *func,
                                                                        int blockSize,
                                                                        size_t dynamicSMemSize) {
    return ::cudaOccupancyMaxActiveBlocksPerMultiprocessor(numBlocks, (const void *)func, blockSize,
                                                           dynamicSMemSize);
}
template <class T>
static inline cudaError_t
cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(int *numBlocks, T *func, int blockSize,
                                                       size_t dynamicSMemSize, unsigned int flags) {
    return ::cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(
        numBlocks, (const void *)func, blockSize, dynamicSMemSize, flags);
}
template <class T>
static inline cudaError_t cudaOccupancyAvailableDynamicSMemPerBlock(size_t *dynamicSmemSize,
                                                                    T *func, int numBlocks,
                                                                    int blockSize) {
    return ::cudaOccupancyAvailableDynamicSMemPerBlock(dynamicSmemSize, (const void *)func,
                                                       numBlocks, blockSize);
}

#ifdef __clang__
#pragma clang attribute pop
#pragma clang attribute pop
#endif

/* The block size with which most threads are resident, and the grid that fills the device with such
 * blocks. Tries every multiple of a warp, largest first. */
template <class Sizer, class T>
static inline cudaError_t
cudaOccupancyMaxPotentialBlockSizeVariableSMem(int *minGridSize, int *blockSize, T func,
                                               Sizer sharedBytesOfBlock, int blockSizeLimit = 0) {
    if (!minGridSize || !blockSize)
        return cudaErrorInvalidValue;
    int device = 0;
    int multiprocessors = 0;
    struct cudaFuncAttributes attr;
    cudaError_t error = ::cudaGetDevice(&device);
    if (error == cudaSuccess)
        error = ::cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, device);
    if (error == cudaSuccess)
        error = ::cudaFuncGetAttributes(&attr, (const void *)func);
    if (error != cudaSuccess)
        return error;
    int largest = attr.maxThreadsPerBlock;
    if (blockSizeLimit > 0 && blockSizeLimit < largest)
        largest = blockSizeLimit;
    int bestBlock = 0;
    int bestBlocks = 0;
    for (int size = (largest + 31) / 32 * 32; size > 0; size -= 32) {
        int threads = size < largest ? size : largest;
        int blocks = 0;
        error = ::cudaOccupancyMaxActiveBlocksPerMultiprocessor(
            &blocks, (const void *)func, threads, sharedBytesOfBlock(threads));
        if (error != cudaSuccess)
            return error;
        if (blocks * threads > bestBlocks * bestBlock) {
            bestBlock = threads;
            bestBlocks = blocks;
        }
    }
    *minGridSize = bestBlocks * multiprocessors;
    *blockSize = bestBlock;
    return cudaSuccess;
}
/* Shared memory that does not depend on the block size. */
struct vgpu_constant_shared {
    size_t bytes;
    size_t operator()(int) const { return bytes; }
};
template <class T>
static inline cudaError_t cudaOccupancyMaxPotentialBlockSize(int *minGridSize, int *blockSize,
                                                             T func, size_t dynamicSMemSize = 0,
                                                             int blockSizeLimit = 0) {
    vgpu_constant_shared shared = {dynamicSMemSize};
    return cudaOccupancyMaxPotentialBlockSizeVariableSMem(minGridSize, blockSize, func, shared,
                                                          blockSizeLimit);
}

#endif

#endif
