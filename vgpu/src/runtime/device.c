/*
 * device.c: the device, its properties and limits. There is one, number 0, and it is what the
 * profile says (VGPU_DEVICE).
 */
#include "vgpu/src/runtime/array.h"
#include "vgpu/src/runtime/graph.h"
#include "vgpu/src/runtime/journal.h"
#include "vgpu/src/runtime/late.h"
#include "vgpu/src/runtime/order.h"
#include "vgpu/src/runtime/pool.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define PCI_BUS_ID "0000:00:06.0"

/* ---- choosing ---- */

/* What these calls have in common: no kernel's fault stops them, and there may be no device. */
static cudaError_t device_error(const vg_context *ctx, int device) {
    if (!ctx->settings.profile)
        return cudaErrorNoDevice;
    return device == 0 ? cudaSuccess : cudaErrorInvalidDevice;
}

cudaError_t cudaGetDeviceCount(int *count) {
    vg_context *ctx = vg_begin();
    cudaError_t error = device_error(ctx, 0);
    if (!count)
        error = cudaErrorInvalidValue;
    else
        *count = error == cudaSuccess ? 1 : 0;
    return vg_end(ctx, error);
}

cudaError_t cudaGetDevice(int *device) {
    vg_context *ctx = vg_begin();
    cudaError_t error = device ? device_error(ctx, 0) : cudaErrorInvalidValue;
    if (error == cudaSuccess)
        *device = 0;
    return vg_end(ctx, error);
}

cudaError_t cudaSetDevice(int device) {
    vg_context *ctx = vg_begin();
    const cudaError_t error = device_error(ctx, device);
    if (error == cudaErrorInvalidDevice)
        vg_tell(ctx, VG_NOTE(NO_SUCH_DEVICE, .call = "cudaSetDevice", .is.status = error,
                             .is.number = {device}));
    return vg_end(ctx, error);
}

cudaError_t cudaInitDevice(int device, unsigned int deviceFlags, unsigned int flags) {
    (void)deviceFlags;
    (void)flags;
    return cudaSetDevice(device);
}

cudaError_t cudaSetValidDevices(int *devices, int count) {
    vg_context *ctx = vg_begin();
    cudaError_t error = device_error(ctx, 0);
    if (error == cudaSuccess && (count < 0 || (count > 0 && !devices)))
        error = cudaErrorInvalidValue;
    for (int i = 0; error == cudaSuccess && i < count; i++)
        error = device_error(ctx, devices[i]);
    return vg_end(ctx, error);
}

cudaError_t cudaChooseDevice(int *device, const struct cudaDeviceProp *prop) {
    return prop ? cudaGetDevice(device) : vg_remember(cudaErrorInvalidValue);
}

cudaError_t cudaSetDeviceFlags(unsigned int flags) {
    vg_context *ctx = vg_begin();
    cudaError_t error = device_error(ctx, 0);
    if (error == cudaSuccess && (flags & ~(unsigned)cudaDeviceMask) != 0)
        error = cudaErrorInvalidValue;
    if (error == cudaSuccess)
        ctx->device_flags = flags;
    return vg_end(ctx, error);
}

cudaError_t cudaGetDeviceFlags(unsigned int *flags) {
    vg_context *ctx = vg_begin();
    cudaError_t error = flags ? device_error(ctx, 0) : cudaErrorInvalidValue;
    if (error == cudaSuccess)
        *flags = ctx->device_flags | cudaDeviceMapHost;
    return vg_end(ctx, error);
}

cudaError_t cudaDeviceGetPCIBusId(char *id, int len, int device) {
    vg_context *ctx = vg_begin();
    cudaError_t error =
        id && len >= (int)sizeof PCI_BUS_ID ? device_error(ctx, device) : cudaErrorInvalidValue;
    if (error == cudaSuccess)
        snprintf(id, (size_t)len, "%s", PCI_BUS_ID);
    return vg_end(ctx, error);
}

cudaError_t cudaDeviceGetByPCIBusId(int *device, const char *id) {
    vg_context *ctx = vg_begin();
    cudaError_t error = device && id ? device_error(ctx, 0) : cudaErrorInvalidValue;
    if (error == cudaSuccess && strcmp(id, PCI_BUS_ID) != 0)
        error = cudaErrorInvalidDevice;
    if (error == cudaSuccess)
        *device = 0;
    return vg_end(ctx, error);
}

/* ---- waiting and starting over ---- */

cudaError_t cudaDeviceSynchronize(void) {
    vg_context *ctx = vg_begin();
    cudaError_t error = vg_ready(ctx);
    if (error == cudaSuccess)
        error = vg_capture_allows_all(ctx, "cudaDeviceSynchronize");
    vg_all_done(ctx);
    return vg_end(ctx, error);
}

static void drop_handle(const void *key, void *value, void *arg) {
    (void)key;
    (void)arg;
    free(value);
}

/* Frees what the program allocated, but keeps the history,
 * so that stale pointers are recognised. */
static void free_everything(vg_context *ctx) {
    vg_late_all_done(ctx);
    vg_journal_reset(ctx);
    vg_heap_destroy(ctx->heap); /* its memory goes with all the rest */
    ctx->heap = NULL;
    ctx->workspace = 0;
    size_t count = 0;
    const vg_alloc *live = NULL;
    if (ctx->sticky == cudaSuccess)
        vg_check_leaks(ctx->check, 0); /* it will be gone before the program ends */
    vg_unload_all(ctx);
    while (ctx->mem && (live = vg_mem_live(ctx->mem, &count), count > 0))
        vg_mem_free(ctx->mem, live[count - 1].addr, live[count - 1].kind);
    vg_ptrmap_each(&ctx->streams, drop_handle, NULL);
    vg_ptrmap_clear(&ctx->streams);
    vg_events_clear(ctx);
    vg_order_reset(ctx);
    vg_ptrmap_each(&ctx->generators, drop_handle, NULL);
    vg_ptrmap_clear(&ctx->generators);
    vg_graphs_clear(ctx);
    vg_arrays_clear(ctx);
    vg_textures_clear(&ctx->textures);
    vg_pools_clear(ctx);
}

cudaError_t cudaDeviceReset(void) {
    vg_context *ctx = vg_begin();
    cudaError_t error = device_error(ctx, 0);
    if (error == cudaSuccess) {
        free_everything(ctx);
        /* A fault outlives the reset, as seen on an H200:
         * the process can't use its device again. */
        if (ctx->sticky != cudaSuccess)
            ctx->sticky = cudaErrorDevicesUnavailable;
    }
    return vg_end(ctx, error);
}

cudaError_t cudaThreadSynchronize(void) {
    return cudaDeviceSynchronize();
}

cudaError_t cudaThreadExit(void) {
    return cudaDeviceReset();
}

/* ---- versions ---- */

static cudaError_t version(int *value) {
    vg_context *ctx = vg_begin();
    if (value) /* 11 answers for 11.8, 12 for 12.9 */
        *value = ctx->settings.cudart == 11 ? 11080 : ctx->settings.cudart == 12 ? 12090 : 13000;
    return vg_end(ctx, value ? cudaSuccess : cudaErrorInvalidValue);
}

cudaError_t cudaDriverGetVersion(int *value) {
    return version(value);
}

cudaError_t cudaRuntimeGetVersion(int *value) {
    return version(value);
}

/* ---- limits and preferences, kept but without effect ---- */

cudaError_t cudaDeviceGetLimit(size_t *value, enum cudaLimit limit) {
    vg_context *ctx = vg_begin();
    cudaError_t error = vg_ready(ctx);
    if (error == cudaSuccess && (!value || (unsigned)limit > cudaLimitPersistingL2CacheSize))
        error = cudaErrorInvalidValue;
    if (error == cudaSuccess && limit == cudaLimitDevRuntimeSyncDepth)
        error = cudaErrorUnsupportedLimit;
    if (error == cudaSuccess)
        *value = ctx->limits[limit];
    return vg_end(ctx, error);
}

cudaError_t cudaDeviceSetLimit(enum cudaLimit limit, size_t value) {
    vg_context *ctx = vg_begin();
    cudaError_t error = vg_ready(ctx);
    if (error == cudaSuccess && (unsigned)limit > cudaLimitPersistingL2CacheSize)
        error = cudaErrorInvalidValue;
    if (error == cudaSuccess && limit == cudaLimitDevRuntimeSyncDepth)
        error = cudaErrorUnsupportedLimit;
    if (error == cudaSuccess)
        ctx->limits[limit] = value;
    return vg_end(ctx, error);
}

cudaError_t cudaThreadGetLimit(size_t *value, enum cudaLimit limit) {
    return cudaDeviceGetLimit(value, limit);
}

cudaError_t cudaThreadSetLimit(enum cudaLimit limit, size_t value) {
    return cudaDeviceSetLimit(limit, value);
}

cudaError_t cudaDeviceGetCacheConfig(enum cudaFuncCache *config) {
    vg_context *ctx = vg_begin();
    cudaError_t error = config ? vg_ready(ctx) : cudaErrorInvalidValue;
    if (error == cudaSuccess)
        *config = ctx->cache_config;
    return vg_end(ctx, error);
}

cudaError_t cudaDeviceSetCacheConfig(enum cudaFuncCache config) {
    vg_context *ctx = vg_begin();
    cudaError_t error = vg_ready(ctx);
    if (error == cudaSuccess && (unsigned)config > cudaFuncCachePreferEqual)
        error = cudaErrorInvalidValue;
    if (error == cudaSuccess)
        ctx->cache_config = config;
    return vg_end(ctx, error);
}

cudaError_t cudaDeviceGetSharedMemConfig(enum cudaSharedMemConfig *config) {
    vg_context *ctx = vg_begin();
    cudaError_t error = config ? vg_ready(ctx) : cudaErrorInvalidValue;
    if (error == cudaSuccess)
        *config = cudaSharedMemBankSizeFourByte;
    return vg_end(ctx, error);
}

cudaError_t cudaDeviceSetSharedMemConfig(enum cudaSharedMemConfig config) {
    vg_context *ctx = vg_begin();
    cudaError_t error = vg_ready(ctx);
    if (error == cudaSuccess && (unsigned)config > cudaSharedMemBankSizeEightByte)
        error = cudaErrorInvalidValue;
    return vg_end(ctx, error);
}

/* ---- peers: there are none ---- */

cudaError_t cudaDeviceCanAccessPeer(int *canAccess, int device, int peerDevice) {
    vg_context *ctx = vg_begin();
    cudaError_t error = canAccess ? device_error(ctx, device) : cudaErrorInvalidValue;
    if (error == cudaSuccess)
        error = device_error(ctx, peerDevice);
    if (error == cudaSuccess)
        *canAccess = 0;
    return vg_end(ctx, error);
}

cudaError_t cudaDeviceGetP2PAttribute(int *value, enum cudaDeviceP2PAttr attr, int srcDevice,
                                      int dstDevice) {
    vg_context *ctx = vg_begin();
    const bool known = value && attr >= cudaDevP2PAttrPerformanceRank &&
                       attr <= cudaDevP2PAttrCudaArrayAccessSupported;
    (void)srcDevice; /* a device is no peer of itself */
    (void)dstDevice;
    return vg_end(ctx, known ? cudaErrorInvalidDevice : cudaErrorInvalidValue);
}

cudaError_t cudaDeviceEnablePeerAccess(int peerDevice, unsigned int flags) {
    (void)flags; /* a device is no peer of itself */
    return vg_remember(peerDevice == 0 ? cudaErrorPeerAccessUnsupported : cudaErrorInvalidDevice);
}

cudaError_t cudaDeviceDisablePeerAccess(int peerDevice) {
    (void)peerDevice;
    return vg_remember(cudaErrorInvalidDevice);
}

cudaError_t cudaProfilerStart(void) {
    return cudaSuccess;
}

cudaError_t cudaProfilerStop(void) {
    return cudaSuccess;
}

/* ---- properties ---- */

static void fill_memory(struct cudaDeviceProp *p, const vg_profile *d) {
    p->totalGlobalMem = d->memory_bytes;
    p->sharedMemPerBlock = (size_t)d->shared_block;
    p->sharedMemPerBlockOptin = (size_t)d->shared_block_optin;
    p->sharedMemPerMultiprocessor = (size_t)d->shared_sm;
    p->reservedSharedMemPerBlock = (size_t)d->shared_reserved;
    p->totalConstMem = 65536;
    p->memPitch = 2147483647;
    p->textureAlignment = p->surfaceAlignment = 512;
    p->texturePitchAlignment = 32;
    p->memoryClockRate = d->memory_clock_khz;
    p->memoryBusWidth = d->memory_bus_bits;
    p->l2CacheSize = d->l2_bytes;
    p->canMapHostMemory = 1;
    p->unifiedAddressing = 1;
    p->managedMemory = 1;
    p->concurrentManagedAccess = d->major >= 6;
    p->globalL1CacheSupported = d->major >= 2;
    p->localL1CacheSupported = d->major >= 2;
    p->canUseHostPointerForRegisteredMem = 1;
    p->hostRegisterSupported = 1;
    p->memoryPoolsSupported = 1;
    p->ECCEnabled = d->major == 9 || (d->major == 8 && d->minor == 0);
}

/* The CUDA C++ Programming Guide's table of technical specifications, by compute capability. */
static void fill_textures(struct cudaDeviceProp *p, int major) {
    const int line = major >= 6 ? 131072 : major >= 2 ? 65536 : 8192;
    const int layered = major >= 6 ? 32768 : major >= 2 ? 16384 : 8192;
    const int box = major >= 6 ? 16384 : major >= 3 ? 4096 : 2048;
    const int layers = major >= 2 ? 2048 : 512;
    p->maxTexture1D = line;
    p->maxTexture2D[0] = major >= 2 ? line : 65536;
    p->maxTexture2D[1] = major >= 6 ? 65536 : major >= 2 ? 65535 : 32768;
    for (int i = 0; i < 3; i++)
        p->maxTexture3D[i] = box;
    p->maxTexture1DLayered[0] = p->maxTexture2DLayered[0] = p->maxTexture2DLayered[1] = layered;
    p->maxTexture1DLayered[1] = p->maxTexture2DLayered[2] = layers;
}

static void fill_execution(struct cudaDeviceProp *p, const vg_profile *d) {
    const vg_dim3 *b = &d->max_block;
    const vg_dim3 *g = &d->max_grid;
    p->major = d->major;
    p->minor = d->minor;
    p->multiProcessorCount = d->sm_count;
    p->clockRate = d->clock_khz;
    p->warpSize = 32;
    p->regsPerBlock = d->regs_block;
    p->regsPerMultiprocessor = d->regs_sm;
    p->maxThreadsPerBlock = d->max_threads_block;
    p->maxThreadsPerMultiProcessor = d->max_threads_sm;
    p->maxBlocksPerMultiProcessor = d->max_blocks_sm;
    for (int i = 0; i < 3; i++) {
        p->maxThreadsDim[i] = (int)(i == 0 ? b->x : i == 1 ? b->y : b->z);
        p->maxGridSize[i] = (int)(i == 0 ? g->x : i == 1 ? g->y : g->z);
    }
    p->concurrentKernels = d->major >= 2;
    p->asyncEngineCount = d->major >= 9 ? 3 : d->major >= 2 ? 2 : 1;
    p->deviceOverlap = 1;
    p->streamPrioritiesSupported = d->major >= 5;
    p->singleToDoublePrecisionPerfRatio = d->double_ratio;
    p->computePreemptionSupported = d->major >= 6;
    p->cooperativeLaunch = d->major >= 6;
    p->clusterLaunch = d->major >= 9;
    p->pciDeviceID = 6;
}

cudaError_t cudaGetDeviceProperties(struct cudaDeviceProp *prop, int device) {
    vg_context *ctx = vg_begin();
    cudaError_t error = prop ? device_error(ctx, device) : cudaErrorInvalidValue;
    if (error == cudaSuccess) {
        const vg_profile *d = ctx->settings.profile;
        memset(prop, 0, sizeof *prop);
        snprintf(prop->name, sizeof prop->name, "%s", d->name);
        memcpy(prop->uuid.bytes, "virtual GPU", 11);
        fill_memory(prop, d);
        fill_execution(prop, d);
        fill_textures(prop, d->major);
    }
    return vg_end(ctx, error);
}

/* The attributes that are a property by another name. Offsets are of int fields. */
#define INT_FIELD(attr, field)                                                                     \
    { attr, offsetof(struct cudaDeviceProp, field), sizeof(int) }
#define SIZE_FIELD(attr, field)                                                                    \
    { attr, offsetof(struct cudaDeviceProp, field), sizeof(size_t) }
static const struct {
    enum cudaDeviceAttr attr;
    size_t offset, size;
} attributes[] = {
    INT_FIELD(cudaDevAttrMaxThreadsPerBlock, maxThreadsPerBlock),
    INT_FIELD(cudaDevAttrMaxBlockDimX, maxThreadsDim[0]),
    INT_FIELD(cudaDevAttrMaxBlockDimY, maxThreadsDim[1]),
    INT_FIELD(cudaDevAttrMaxBlockDimZ, maxThreadsDim[2]),
    INT_FIELD(cudaDevAttrMaxGridDimX, maxGridSize[0]),
    INT_FIELD(cudaDevAttrMaxGridDimY, maxGridSize[1]),
    INT_FIELD(cudaDevAttrMaxGridDimZ, maxGridSize[2]),
    SIZE_FIELD(cudaDevAttrMaxSharedMemoryPerBlock, sharedMemPerBlock),
    SIZE_FIELD(cudaDevAttrTotalConstantMemory, totalConstMem),
    INT_FIELD(cudaDevAttrWarpSize, warpSize),
    SIZE_FIELD(cudaDevAttrMaxPitch, memPitch),
    INT_FIELD(cudaDevAttrMaxRegistersPerBlock, regsPerBlock),
    INT_FIELD(cudaDevAttrClockRate, clockRate),
    SIZE_FIELD(cudaDevAttrTextureAlignment, textureAlignment),
    INT_FIELD(cudaDevAttrGpuOverlap, deviceOverlap),
    INT_FIELD(cudaDevAttrMultiProcessorCount, multiProcessorCount),
    INT_FIELD(cudaDevAttrKernelExecTimeout, kernelExecTimeoutEnabled),
    INT_FIELD(cudaDevAttrIntegrated, integrated),
    INT_FIELD(cudaDevAttrCanMapHostMemory, canMapHostMemory),
    INT_FIELD(cudaDevAttrComputeMode, computeMode),
    SIZE_FIELD(cudaDevAttrSurfaceAlignment, surfaceAlignment),
    INT_FIELD(cudaDevAttrConcurrentKernels, concurrentKernels),
    INT_FIELD(cudaDevAttrEccEnabled, ECCEnabled),
    INT_FIELD(cudaDevAttrPciBusId, pciBusID),
    INT_FIELD(cudaDevAttrPciDeviceId, pciDeviceID),
    INT_FIELD(cudaDevAttrPciDomainId, pciDomainID),
    INT_FIELD(cudaDevAttrTccDriver, tccDriver),
    INT_FIELD(cudaDevAttrMemoryClockRate, memoryClockRate),
    INT_FIELD(cudaDevAttrGlobalMemoryBusWidth, memoryBusWidth),
    INT_FIELD(cudaDevAttrL2CacheSize, l2CacheSize),
    INT_FIELD(cudaDevAttrMaxThreadsPerMultiProcessor, maxThreadsPerMultiProcessor),
    INT_FIELD(cudaDevAttrAsyncEngineCount, asyncEngineCount),
    INT_FIELD(cudaDevAttrUnifiedAddressing, unifiedAddressing),
    SIZE_FIELD(cudaDevAttrTexturePitchAlignment, texturePitchAlignment),
    INT_FIELD(cudaDevAttrComputeCapabilityMajor, major),
    INT_FIELD(cudaDevAttrComputeCapabilityMinor, minor),
    INT_FIELD(cudaDevAttrStreamPrioritiesSupported, streamPrioritiesSupported),
    INT_FIELD(cudaDevAttrGlobalL1CacheSupported, globalL1CacheSupported),
    INT_FIELD(cudaDevAttrLocalL1CacheSupported, localL1CacheSupported),
    SIZE_FIELD(cudaDevAttrMaxSharedMemoryPerMultiprocessor, sharedMemPerMultiprocessor),
    INT_FIELD(cudaDevAttrMaxRegistersPerMultiprocessor, regsPerMultiprocessor),
    INT_FIELD(cudaDevAttrManagedMemory, managedMemory),
    INT_FIELD(cudaDevAttrIsMultiGpuBoard, isMultiGpuBoard),
    INT_FIELD(cudaDevAttrMultiGpuBoardGroupID, multiGpuBoardGroupID),
    INT_FIELD(cudaDevAttrHostNativeAtomicSupported, hostNativeAtomicSupported),
    INT_FIELD(cudaDevAttrSingleToDoublePrecisionPerfRatio, singleToDoublePrecisionPerfRatio),
    INT_FIELD(cudaDevAttrPageableMemoryAccess, pageableMemoryAccess),
    INT_FIELD(cudaDevAttrConcurrentManagedAccess, concurrentManagedAccess),
    INT_FIELD(cudaDevAttrComputePreemptionSupported, computePreemptionSupported),
    INT_FIELD(cudaDevAttrCanUseHostPointerForRegisteredMem, canUseHostPointerForRegisteredMem),
    INT_FIELD(cudaDevAttrCooperativeLaunch, cooperativeLaunch),
    SIZE_FIELD(cudaDevAttrMaxSharedMemoryPerBlockOptin, sharedMemPerBlockOptin),
    INT_FIELD(cudaDevAttrHostRegisterSupported, hostRegisterSupported),
    INT_FIELD(cudaDevAttrPageableMemoryAccessUsesHostPageTables,
              pageableMemoryAccessUsesHostPageTables),
    INT_FIELD(cudaDevAttrDirectManagedMemAccessFromHost, directManagedMemAccessFromHost),
    INT_FIELD(cudaDevAttrMaxBlocksPerMultiprocessor, maxBlocksPerMultiProcessor),
    SIZE_FIELD(cudaDevAttrReservedSharedMemoryPerBlock, reservedSharedMemPerBlock),
    INT_FIELD(cudaDevAttrMemoryPoolsSupported, memoryPoolsSupported),
    INT_FIELD(cudaDevAttrClusterLaunch, clusterLaunch),
};

cudaError_t cudaDeviceGetAttribute(int *value, enum cudaDeviceAttr attr, int device) {
    struct cudaDeviceProp prop;
    if (!value)
        return vg_remember(cudaErrorInvalidValue);
    cudaError_t error = cudaGetDeviceProperties(&prop, device);
    if (error != cudaSuccess)
        return error;
    for (size_t i = 0; i < sizeof attributes / sizeof *attributes; i++) {
        if (attributes[i].attr != attr)
            continue;
        const char *field = (const char *)&prop + attributes[i].offset;
        if (attributes[i].size == sizeof(int)) {
            memcpy(value, field, sizeof *value);
        } else {
            size_t wide = 0;
            memcpy(&wide, field, sizeof wide);
            *value = (int)wide;
        }
        return cudaSuccess;
    }
    return vg_remember(cudaErrorInvalidValue);
}
