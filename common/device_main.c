/*
 * device_main.c: build/BACKEND/device: what the devices of this machine are and allow, as the
 * toolkit's deviceQuery tells it, and what follows for the labs.
 *
 * On the virtual GPU the device is the one that VGPU_DEVICE names. Exit status: 0, 2 for a bad
 * command line, 3 when there is no device.
 */
#include "common/runner.h"

#include <cuda_runtime.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

static void line(const char *name, const char *value) {
    printf("  %-50s %s\n", name, value);
}

__attribute__((format(printf, 2, 3))) static void linef(const char *name, const char *format, ...) {
    char value[160];
    va_list args;
    va_start(args, format);
    vsnprintf(value, sizeof value, format, args);
    va_end(args);
    line(name, value);
}

static void yes_no(const char *name, int value) {
    line(name, value ? "yes" : "no");
}

/* An attribute, or 0 when this device or runtime doesn't know it. */
static int attribute(enum cudaDeviceAttr which, int device) {
    int value = 0;
    return cudaDeviceGetAttribute(&value, which, device) == cudaSuccess ? value : 0;
}

/* Cores in a multiprocessor: floating-point units of 32 bits. The runtime doesn't tell; these are
 * from NVIDIA's programming guide. 0: a device newer than this table. */
static int cores_of(int major, int minor) {
    static const struct {
        int capability, cores;
    } table[] = {
        {10, 8},    {11, 8},    {12, 8},    {13, 8},    {20, 32},   {21, 48},
        {30, 192},  {32, 192},  {35, 192},  {37, 192},  {50, 128},  {52, 128},
        {53, 128},  {60, 64},   {61, 128},  {62, 128},  {70, 64},   {72, 64},
        {75, 64},   {80, 64},   {86, 128},  {87, 128},  {89, 128},  {90, 128},
        {100, 128}, {101, 128}, {103, 128}, {110, 128}, {120, 128}, {121, 128},
    };
    for (size_t i = 0; i < sizeof table / sizeof *table; ++i)
        if (table[i].capability == 10 * major + minor)
            return table[i].cores;
    return 0;
}

static void print_memory(const struct cudaDeviceProp *p, int device) {
    double mhz = 1e-3 * attribute(cudaDevAttrMemoryClockRate, device);
    linef("Global memory", "%zu bytes (%.0f MB)", p->totalGlobalMem,
          (double)p->totalGlobalMem / 1048576);
    if (mhz > 0 && p->memoryBusWidth > 0) {
        linef("Memory clock", "%.0f MHz", mhz);
        linef("Memory bus", "%d bits", p->memoryBusWidth);
        linef("Memory bandwidth (2 x clock x bus)", "%.0f GB/s",
              2e-3 * mhz * p->memoryBusWidth / 8);
    }
    linef("L2 cache", "%d bytes", p->l2CacheSize);
    linef("Constant memory", "%zu bytes", p->totalConstMem);
    linef("Largest pitch of a copy", "%zu bytes", p->memPitch);
    linef("Alignment of textures", "%zu bytes", p->textureAlignment);
    yes_no("ECC", p->ECCEnabled);
}

static void print_cores(const struct cudaDeviceProp *p, int device) {
    int cores = cores_of(p->major, p->minor);
    double mhz = 1e-3 * attribute(cudaDevAttrClockRate, device);
    linef("Compute capability", "%d.%d", p->major, p->minor);
    linef("Multiprocessors (SMs)", "%d", p->multiProcessorCount);
    if (cores > 0)
        linef("Cores in each, in all", "%d, %d", cores, cores * p->multiProcessorCount);
    if (mhz > 0)
        linef("Clock", "%.0f MHz", mhz);
    linef("Threads of a warp", "%d", p->warpSize);
}

static void print_limits(const struct cudaDeviceProp *p) {
    linef("Threads of a block, at most", "%d", p->maxThreadsPerBlock);
    linef("Threads of an SM, at most", "%d", p->maxThreadsPerMultiProcessor);
    linef("Blocks of an SM, at most", "%d", p->maxBlocksPerMultiProcessor);
    linef("Shape of a block, at most (x, y, z)", "%d, %d, %d", p->maxThreadsDim[0],
          p->maxThreadsDim[1], p->maxThreadsDim[2]);
    linef("Shape of a grid, at most (x, y, z)", "%d, %d, %d", p->maxGridSize[0], p->maxGridSize[1],
          p->maxGridSize[2]);
    linef("Shared memory of a block", "%zu bytes", p->sharedMemPerBlock);
    linef("Shared memory of a block that asks for it", "%zu bytes", p->sharedMemPerBlockOptin);
    linef("Shared memory of an SM", "%zu bytes", p->sharedMemPerMultiprocessor);
    linef("Registers of a block", "%d", p->regsPerBlock);
    linef("Registers of an SM", "%d", p->regsPerMultiprocessor);
}

static void print_abilities(const struct cudaDeviceProp *p, int device) {
    linef("Copy engines", "%d", p->asyncEngineCount);
    yes_no("Copies while a kernel runs", p->asyncEngineCount > 0);
    yes_no("Several kernels at a time", p->concurrentKernels);
    yes_no("Time limit on kernels", attribute(cudaDevAttrKernelExecTimeout, device));
    yes_no("Integrated, shares the host's memory", p->integrated);
    yes_no("Maps host memory", p->canMapHostMemory);
    yes_no("One address space with the host", p->unifiedAddressing);
    yes_no("Managed memory", p->managedMemory);
    yes_no("Cooperative launch", p->cooperativeLaunch);
    linef("PCI domain, bus, device", "%d, %d, %d", p->pciDomainID, p->pciBusID, p->pciDeviceID);
    int mode = attribute(cudaDevAttrComputeMode, device);
    linef("Compute mode", "%s",
          mode == 0   ? "default: many programs at a time"
          : mode == 2 ? "prohibited: no program may use it"
                      : "exclusive: one program at a time");
}

/* What follows for products of float matrices. */
static void print_consequences(const struct cudaDeviceProp *p, int device) {
    double clock = 1e3 * attribute(cudaDevAttrClockRate, device);
    double bytes = 2e3 * attribute(cudaDevAttrMemoryClockRate, device) * p->memoryBusWidth / 8;
    double peak = 2.0 * cores_of(p->major, p->minor) * p->multiProcessorCount * clock;
    printf("  What follows:\n");
    if (peak > 0)
        linef("  peak, 2 operations a core and clock", "%.0f GFLOP/s", 1e-9 * peak);
    if (bytes > 0)
        linef("  with one 4-byte load for each operation at most", "%.0f GFLOP/s",
              1e-9 * bytes / 4);
    if (peak > 0 && bytes > 0)
        linef("  operations a byte to be bound by the cores", "%.1f", peak / bytes);
    linef("  threads resident at a time", "%lld",
          (long long)p->maxThreadsPerMultiProcessor * p->multiProcessorCount);
    linef("  largest n for three n x n matrices, in theory", "%.0f",
          floor(sqrt((double)p->totalGlobalMem / 12)));
}

static cudaError_t print_device(int device, int count) {
    struct cudaDeviceProp p;
    cudaError_t status = cudaGetDeviceProperties(&p, device);
    if (status != cudaSuccess)
        return status;
    printf("%sDevice %d of %d: %s%s\n", device > 0 ? "\n" : "", device, count, p.name,
           strcmp(BACKEND_NAME, "vgpu") == 0 ? ", as the virtual GPU plays it" : "");
    print_cores(&p, device);
    print_memory(&p, device);
    print_limits(&p);
    print_abilities(&p, device);
    print_consequences(&p, device);
    return cudaSuccess;
}

int main(int argc, char **argv) {
    if (argc > 1 && (strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "-h") == 0)) {
        printf(
            "Usage: device\n"
            "\n"
            "Describes the CUDA devices of this machine and their limits.%s\n",
            strcmp(BACKEND_NAME, "vgpu") == 0
                ? "\n"
                  "Here: the virtual GPU. VGPU_DEVICE=NAME makes it act as another device: h200, "
                  "a100, t4,\n"
                  "rtx3090, c2075, c1060, gt330m, 9600mgt."
                : "");
        return RUN_CORRECT;
    }
    if (argc > 1) {
        fprintf(stderr, "device: unexpected '%.60s' (see --help)\n", argv[1]);
        return RUN_USAGE;
    }
    int count = 0, driver = 0, runtime = 0;
    cudaError_t status = cudaGetDeviceCount(&count);
    if (status == cudaSuccess && count < 1)
        status = cudaErrorNoDevice;
    if (status == cudaSuccess)
        status = cudaDriverGetVersion(&driver);
    if (status == cudaSuccess)
        status = cudaRuntimeGetVersion(&runtime);
    if (status == cudaSuccess)
        printf("CUDA: driver %d.%d, runtime %d.%d\n\n", driver / 1000, driver % 1000 / 10,
               runtime / 1000, runtime % 1000 / 10);
    for (int device = 0; device < count && status == cudaSuccess; ++device)
        status = print_device(device, count);
    if (status == cudaSuccess)
        return RUN_CORRECT;
    fflush(stdout);
    fprintf(stderr, "no device to describe: %s\n", cudaGetErrorString(status));
    return RUN_MACHINE;
}
