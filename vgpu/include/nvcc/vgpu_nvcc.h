/*
 * vgpu_nvcc.h: what vgpucc --front nvcc includes in front of every .cu file. The toolkit's own
 * headers hold; here is the one call whose struct every version of them lays out anew, so that the
 * library's is copied field by field, and the calls whose arguments changed with CUDA 13.
 */
#ifndef VGPU_NVCC_H
#define VGPU_NVCC_H

#include <cuda_runtime.h>

#include <string.h>

struct vgpu_device_prop {
#include "../vgpu_device_prop.h"
};

extern "C" cudaError_t cudaGetDeviceProperties_vgpu(struct vgpu_device_prop *prop, int device);

static inline cudaError_t vgpu_nvcc_device_properties(struct cudaDeviceProp *prop, int device) {
    struct vgpu_device_prop from = {};
    const cudaError_t error = cudaGetDeviceProperties_vgpu(prop != NULL ? &from : NULL, device);
    if (prop == NULL || error != cudaSuccess) {
        return error;
    }
    memset(prop, 0, sizeof *prop);
#define VGPU_COPY(field) memcpy(&prop->field, &from.field, sizeof prop->field)
    VGPU_COPY(name);
    VGPU_COPY(uuid);
    VGPU_COPY(luid);
    VGPU_COPY(luidDeviceNodeMask);
    VGPU_COPY(totalGlobalMem);
    VGPU_COPY(sharedMemPerBlock);
    VGPU_COPY(regsPerBlock);
    VGPU_COPY(warpSize);
    VGPU_COPY(memPitch);
    VGPU_COPY(maxThreadsPerBlock);
    VGPU_COPY(maxThreadsDim);
    VGPU_COPY(maxGridSize);
    VGPU_COPY(totalConstMem);
    VGPU_COPY(major);
    VGPU_COPY(minor);
    VGPU_COPY(textureAlignment);
    VGPU_COPY(texturePitchAlignment);
    VGPU_COPY(maxTexture1D);
    VGPU_COPY(maxTexture2D);
    VGPU_COPY(maxTexture3D);
    VGPU_COPY(maxTexture1DLayered);
    VGPU_COPY(maxTexture2DLayered);
    VGPU_COPY(multiProcessorCount);
    VGPU_COPY(integrated);
    VGPU_COPY(canMapHostMemory);
    VGPU_COPY(surfaceAlignment);
    VGPU_COPY(concurrentKernels);
    VGPU_COPY(ECCEnabled);
    VGPU_COPY(pciBusID);
    VGPU_COPY(pciDeviceID);
    VGPU_COPY(pciDomainID);
    VGPU_COPY(tccDriver);
    VGPU_COPY(asyncEngineCount);
    VGPU_COPY(unifiedAddressing);
    VGPU_COPY(memoryBusWidth);
    VGPU_COPY(l2CacheSize);
    VGPU_COPY(persistingL2CacheMaxSize);
    VGPU_COPY(maxThreadsPerMultiProcessor);
    VGPU_COPY(streamPrioritiesSupported);
    VGPU_COPY(globalL1CacheSupported);
    VGPU_COPY(localL1CacheSupported);
    VGPU_COPY(sharedMemPerMultiprocessor);
    VGPU_COPY(regsPerMultiprocessor);
    VGPU_COPY(managedMemory);
    VGPU_COPY(isMultiGpuBoard);
    VGPU_COPY(multiGpuBoardGroupID);
    VGPU_COPY(hostNativeAtomicSupported);
    VGPU_COPY(pageableMemoryAccess);
    VGPU_COPY(concurrentManagedAccess);
    VGPU_COPY(computePreemptionSupported);
    VGPU_COPY(canUseHostPointerForRegisteredMem);
    VGPU_COPY(cooperativeLaunch);
    VGPU_COPY(sharedMemPerBlockOptin);
    VGPU_COPY(pageableMemoryAccessUsesHostPageTables);
    VGPU_COPY(directManagedMemAccessFromHost);
    VGPU_COPY(maxBlocksPerMultiProcessor);
    VGPU_COPY(accessPolicyMaxWindowSize);
    VGPU_COPY(reservedSharedMemPerBlock);
#if CUDART_VERSION >= 12000
    VGPU_COPY(hostRegisterSupported);
    VGPU_COPY(memoryPoolsSupported);
    VGPU_COPY(clusterLaunch);
    VGPU_COPY(unifiedFunctionPointers);
#endif
#if CUDART_VERSION < 13000
    VGPU_COPY(clockRate);
    VGPU_COPY(deviceOverlap);
    VGPU_COPY(kernelExecTimeoutEnabled);
    VGPU_COPY(computeMode);
    VGPU_COPY(memoryClockRate);
    VGPU_COPY(singleToDoublePrecisionPerfRatio);
    VGPU_COPY(cooperativeMultiDeviceLaunch);
#endif
#undef VGPU_COPY
    return error;
}
#undef cudaGetDeviceProperties
#define cudaGetDeviceProperties vgpu_nvcc_device_properties

/* The toolkit's C++ forms of these calls are inlined, and the library would see lines of the
 * toolkit's headers where it tells what was never freed.
 * These end in a jump to the call instead. */
#ifdef __cplusplus
template <class T>
static __attribute__((noinline)) cudaError_t vgpu_nvcc_malloc(T **devPtr, size_t size) {
    return ::cudaMalloc((void **)(void *)devPtr, size);
}
template <class T>
static __attribute__((noinline)) cudaError_t
vgpu_nvcc_malloc_managed(T **devPtr, size_t size, unsigned int flags = cudaMemAttachGlobal) {
    return ::cudaMallocManaged((void **)(void *)devPtr, size, flags);
}
template <class T>
static __attribute__((noinline)) cudaError_t vgpu_nvcc_malloc_host(T **ptr, size_t size) {
    return ::cudaMallocHost((void **)(void *)ptr, size);
}
template <class T>
static __attribute__((noinline)) cudaError_t vgpu_nvcc_malloc_host(T **ptr, size_t size,
                                                                   unsigned int flags) {
    return ::cudaHostAlloc((void **)(void *)ptr, size, flags);
}
#define cudaMalloc        vgpu_nvcc_malloc
#define cudaMallocManaged vgpu_nvcc_malloc_managed
#define cudaMallocHost    vgpu_nvcc_malloc_host
#endif

#if CUDART_VERSION < 13000 /* a device's number where later ones have a cudaMemLocation */
extern "C" cudaError_t vgpuMemPrefetch(const void *devPtr, size_t count, int device,
                                       cudaStream_t stream);
extern "C" cudaError_t vgpuMemAdvise(const void *devPtr, size_t count, enum cudaMemoryAdvise advice,
                                     int device);
static inline cudaError_t vgpu_nvcc_prefetch(const void *devPtr, size_t count, int device,
                                             cudaStream_t stream = 0) {
    return vgpuMemPrefetch(devPtr, count, device, stream);
}
#define cudaMemPrefetchAsync vgpu_nvcc_prefetch
#define cudaMemAdvise        vgpuMemAdvise
#endif

#endif
