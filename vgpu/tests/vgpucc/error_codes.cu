// env: VGPU_QUIET=1
// flags: -lcublas
// The numbers beside each call were recorded on an NVIDIA H200 under CUDA 13.0; what differs is printed
// (nvcc -arch=sm_90 error_codes.cu -lcublas && ./a.out). Each group runs in a process of its own,
// so that one group's fault doesn't spoil the next.
#include <cublas_v2.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static int calls;

static void compare(int line, const char *call, int code, int left, int want_code, int want_left) {
    calls++;
    if (code != want_code || left != want_left)
        printf("line %d: %d %d, not %d %d, of %s\n", line, code, left, want_code, want_left, call);
    fflush(stdout);
}

// What the call must return, what cudaGetLastError must say of it, and the call.
#define TRY(want_code, want_left, call)                                                            \
    do {                                                                                           \
        int code = (int)(call);                                                                    \
        compare(__LINE__, #call, code, (int)cudaGetLastError(), want_code, want_left);             \
    } while (0)

// The error that a launch must leave, what the next synchronisation must say, and the launch.
#define LAUNCH(want_left, want_later, ...)                                                         \
    do {                                                                                           \
        __VA_ARGS__;                                                                               \
        int left = (int)cudaGetLastError();                                                        \
        compare(__LINE__, #__VA_ARGS__, left, (int)cudaDeviceSynchronize(), want_left, want_later); \
    } while (0)

__device__ int variable[4];
__constant__ float constants[8];
extern __shared__ float dynamic[];

__global__ void set(int *p) {
    if (p)
        *p = 1;
}

__global__ void large(void) {
    __shared__ float tile[12288];
    tile[threadIdx.x] = 1;
    if (tile[0] == 3)
        printf("never\n");
}

__global__ void wild(void) {
    *(int *)8 = 1;
}

__global__ void misaligned(char *p) {
    *(int *)(p + 1) = 1;
}

__global__ void use_dynamic(float *out) {
    dynamic[threadIdx.x] = 1;
    if (out)
        *out = dynamic[0];
}

__global__ void __launch_bounds__(64) narrow(void) {}

static void allocations(void) {
    char h[64];
    char *d;
    void *p;
    size_t pitch;
    TRY(0, 0, cudaMalloc(&d, 1024));
    TRY(0, 0, cudaMalloc(&p, 0));
    TRY(1, 1, cudaMalloc((void **)0, 16));
    TRY(2, 2, cudaMalloc(&p, (size_t)1 << 50));
    TRY(2, 2, cudaMalloc(&p, (size_t)-1));
    TRY(0, 0, cudaMallocPitch(&p, &pitch, 100, 10));
    TRY(1, 1, cudaFree(d + 4));
    TRY(0, 0, cudaFree(d));
    TRY(1, 1, cudaFree(d));
    TRY(0, 0, cudaFree(0));
    TRY(1, 1, cudaFree(h));
    TRY(1, 1, cudaFree((void *)0x1234));
    TRY(0, 0, cudaFreeHost(0));
    TRY(1, 1, cudaFreeHost(h));
    TRY(0, 0, cudaMallocHost(&p, 100));
    TRY(1, 1, cudaFree(p));
    TRY(0, 0, cudaFreeHost(p));
    TRY(1, 1, cudaFreeHost(p));
    TRY(1, 1, cudaHostAlloc(&p, 64, 0xff00));
    TRY(0, 0, cudaMallocManaged(&p, 64));
    TRY(1, 1, cudaFreeHost(p));
    TRY(0, 0, cudaFree(p));
    TRY(1, 1, cudaMallocManaged(&p, 16, 7));
    TRY(0, 0, cudaMallocAsync(&p, 64, 0));
    TRY(0, 0, cudaFreeAsync(p, 0));
    TRY(1, 1, cudaFreeAsync(p, 0));
    TRY(1, 1, cudaFreeAsync(h, 0));
    TRY(0, 0, cudaFreeAsync(0, 0));
}

static unsigned long long number(cudaMemPool_t pool, cudaMemPoolAttr attr) {
    unsigned long long value = 0;
    cudaMemPoolGetAttribute(pool, attr, &value);
    return value;
}

static void pools(void) {
    void *p, *q;
    int i = 7;
    unsigned long long n = 7;
    cudaMemPool_t pool, own, small;
    cudaMemAccessFlags flags;
    cudaMemLocation here = {cudaMemLocationTypeDevice, 0}, elsewhere = {cudaMemLocationTypeDevice, 4};
    cudaMemAccessDesc access = {here, cudaMemAccessFlagsProtReadWrite};
    cudaMemPoolProps props = {};
    TRY(0, 0, cudaDeviceGetDefaultMemPool(&pool, 0));
    TRY(101, 101, cudaDeviceGetDefaultMemPool(&own, 5));
    TRY(1, 1, cudaDeviceGetDefaultMemPool(0, 0));
    TRY(1, 1, cudaDeviceGetMemPool(0, 0));
    TRY(1, 1, cudaDeviceSetMemPool(5, pool));
    TRY(0, 0, cudaMallocAsync(&p, 40 << 20, 0));
    TRY(0, 0, cudaFreeAsync(p, 0));
    TRY(64 << 20, 0, number(pool, cudaMemPoolAttrReservedMemCurrent));
    TRY(0, 0, number(pool, cudaMemPoolAttrUsedMemCurrent));
    TRY(0, 0, cudaDeviceSynchronize());
    TRY(0, 0, number(pool, cudaMemPoolAttrReservedMemCurrent));
    TRY(0, 0, cudaMemPoolSetAttribute(pool, cudaMemPoolReuseAllowOpportunistic, &i));
    TRY(0, 0, cudaMemPoolGetAttribute(pool, cudaMemPoolReuseAllowOpportunistic, &i));
    TRY(1, 0, i);
    TRY(1, 1, cudaMemPoolSetAttribute(pool, cudaMemPoolAttrUsedMemHigh, &n));
    TRY(1, 1, cudaMemPoolSetAttribute(pool, cudaMemPoolAttrUsedMemCurrent, &n));
    TRY(1, 1, cudaMemPoolSetAttribute(pool, (cudaMemPoolAttr)99, &n));
    TRY(1, 1, cudaMemPoolGetAttribute(pool, (cudaMemPoolAttr)99, &n));
    TRY(1, 1, cudaMemPoolGetAttribute(pool, cudaMemPoolAttrUsedMemHigh, 0));
    TRY(1, 1, cudaMemPoolDestroy(pool));
    TRY(1, 1, cudaMemPoolCreate(&own, &props));
    props.allocType = cudaMemAllocationTypePinned;
    TRY(1, 1, cudaMemPoolCreate(&own, &props));
    props.location = here;
    TRY(0, 0, cudaMemPoolCreate(&own, &props));
    TRY(1, 1, cudaMemPoolCreate(&own, 0));
    TRY(1, 1, cudaMemPoolCreate(0, &props));
    props.location.id = 9;
    TRY(1, 1, cudaMemPoolCreate(&small, &props));
    props.location.id = 0;
    props.maxSize = 1 << 20;
    TRY(0, 0, cudaMemPoolCreate(&small, &props));
    TRY(0, 0, cudaMallocFromPoolAsync(&p, 2 << 20, small, 0));
    TRY(2, 2, cudaMallocFromPoolAsync(&q, 40 << 20, small, 0));
    TRY(0, 0, cudaMallocFromPoolAsync(&q, 1 << 20, small, 0));
    TRY(3 << 20, 0, number(small, cudaMemPoolAttrUsedMemCurrent));
    TRY(32 << 20, 0, number(small, cudaMemPoolAttrReservedMemCurrent));
    TRY(1, 1, cudaMallocFromPoolAsync(&p, 100, 0, 0));
    TRY(0, 0, cudaMemPoolGetAccess(&flags, own, &here));
    TRY(3, 0, flags);
    TRY(1, 1, cudaMemPoolGetAccess(&flags, own, &elsewhere));
    TRY(1, 1, cudaMemPoolGetAccess(0, own, &here));
    TRY(0, 0, cudaMemPoolSetAccess(own, &access, 1));
    access.flags = cudaMemAccessFlagsProtNone;
    TRY(101, 101, cudaMemPoolSetAccess(own, &access, 1));
    access.flags = cudaMemAccessFlagsProtRead;
    TRY(801, 801, cudaMemPoolSetAccess(own, &access, 1));
    TRY(0, 0, cudaMemPoolTrimTo(small, 1 << 30));
    TRY(0, 0, cudaDeviceSetMemPool(0, own));
    TRY(0, 0, cudaMallocAsync(&p, 4096, 0));
    TRY(4096, 0, number(own, cudaMemPoolAttrUsedMemCurrent));
    TRY(0, 0, cudaMemPoolDestroy(own));
    TRY(0, 0, cudaDeviceGetMemPool(&own, 0));
    TRY(1, 0, own == pool);
    TRY(0, 0, cudaMemset(p, 1, 4096));
}

static void registered(void) {
    static char memory[16384];
    char *page = memory + 4096 - (size_t)memory % 4096;
    void *p;
    TRY(0, 0, cudaHostRegister(page, 8192, 0));
    TRY(712, 712, cudaHostRegister(page, 8192, 0));
    TRY(1, 1, cudaHostUnregister(page + 64));
    TRY(0, 0, cudaHostUnregister(page));
    TRY(713, 713, cudaHostUnregister(page));
    TRY(1, 1, cudaHostRegister(0, 10, 0));
    TRY(1, 1, cudaHostRegister(page, 0, 0));
    TRY(1, 1, cudaHostGetDevicePointer(&p, page, 0));
}

static void copies(void) {
    static char h[4096];
    char *d, *e;
    void *pinned, *managed;
    cudaMalloc(&d, 1024);
    cudaMalloc(&e, 1024);
    cudaMallocHost(&pinned, 1024);
    cudaMallocManaged(&managed, 1024);
    TRY(0, 0, cudaMemcpy(d, h, 1024, cudaMemcpyHostToDevice));
    TRY(1, 1, cudaMemcpy(d, h, 1025, cudaMemcpyHostToDevice));
    TRY(1, 1, cudaMemcpy(d, h, 4096, cudaMemcpyHostToDevice));
    TRY(1, 1, cudaMemcpy(h, d, 1024, cudaMemcpyHostToDevice));
    TRY(1, 1, cudaMemcpy(d, h, 1024, cudaMemcpyDeviceToHost));
    TRY(1, 1, cudaMemcpy(h, h + 1024, 1024, cudaMemcpyDeviceToDevice));
    TRY(1, 1, cudaMemcpy(h, h + 64, 16, cudaMemcpyHostToDevice));
    TRY(1, 1, cudaMemcpy(h, h + 64, 16, cudaMemcpyDeviceToHost));
    TRY(0, 0, cudaMemcpy(d, e, 16, cudaMemcpyHostToDevice));
    TRY(0, 0, cudaMemcpy(d, e, 16, cudaMemcpyDeviceToHost));
    TRY(0, 0, cudaMemcpy(d, e, 16, cudaMemcpyHostToHost));
    TRY(21, 21, cudaMemcpy(h, d, 16, (cudaMemcpyKind)7));
    TRY(0, 0, cudaMemcpy(h, d, 16, cudaMemcpyDefault));
    TRY(0, 0, cudaMemcpy(h, h + 64, 16, cudaMemcpyDefault));
    TRY(1, 1, cudaMemcpy(0, d, 16, cudaMemcpyDeviceToHost));
    TRY(1, 1, cudaMemcpy(d, 0, 16, cudaMemcpyHostToDevice));
    TRY(0, 0, cudaMemcpy(0, 0, 0, cudaMemcpyHostToDevice));
    TRY(0, 0, cudaMemcpy(d, h, 0, (cudaMemcpyKind)9));
    TRY(1, 1, cudaMemcpy((void *)64, h, 16, cudaMemcpyHostToDevice));
    TRY(0, 0, cudaMemcpy(pinned, d, 16, cudaMemcpyHostToDevice));
    TRY(0, 0, cudaMemcpy(d, pinned, 16, cudaMemcpyDeviceToDevice));
    TRY(0, 0, cudaMemcpy(managed, h, 16, cudaMemcpyHostToHost));
    TRY(0, 0, cudaMemset(d, 0, 1024));
    TRY(1, 1, cudaMemset(d, 0, 1025));
    TRY(1, 1, cudaMemset(h, 0, 16));
    TRY(1, 1, cudaMemset(0, 0, 16));
    TRY(0, 0, cudaMemset(0, 0, 0));
    TRY(0, 0, cudaMemset(pinned, 0, 16));
    TRY(0, 0, cudaMemcpy2D(d, 32, h, 64, 32, 8, cudaMemcpyHostToDevice));
    TRY(12, 12, cudaMemcpy2D(d, 16, h, 64, 32, 8, cudaMemcpyHostToDevice));
    TRY(12, 12, cudaMemcpy2D(d, 32, h, 16, 32, 8, cudaMemcpyHostToDevice));
    TRY(1, 1, cudaMemcpy2D(d, 4, h, 4, 8, 1, cudaMemcpyHostToDevice));
    TRY(0, 0, cudaMemcpy2D(d, 32, h, 64, 32, 0, cudaMemcpyHostToDevice));
    TRY(1, 1, cudaMemcpy2D(d, 256, h, 64, 32, 8, cudaMemcpyHostToDevice));
    TRY(0, 0, cudaMemset2D(d, 64, 1, 32, 8));
    TRY(1, 1, cudaMemset2D(d, 16, 1, 32, 8));
    TRY(101, 101, cudaMemcpyPeer(d, 0, e, 5, 3));
}

static void symbols(void) {
    static char h[64];
    void *p;
    size_t size;
    TRY(0, 0, cudaMemcpyToSymbol(constants, h, 32));
    TRY(1, 1, cudaMemcpyToSymbol(constants, h, 33));
    TRY(1, 1, cudaMemcpyToSymbol(constants, h, 16, 20));
    TRY(13, 13, cudaMemcpyToSymbol((const void *)h, h, 16));
    TRY(21, 21, cudaMemcpyToSymbol(constants, h, 16, 0, cudaMemcpyDeviceToHost));
    TRY(21, 21, cudaMemcpyToSymbol(constants, h, 16, 0, cudaMemcpyHostToHost));
    TRY(0, 0, cudaMemcpyFromSymbol(h, constants, 32));
    TRY(1, 1, cudaMemcpyFromSymbol(h, constants, 36));
    TRY(21, 21, cudaMemcpyFromSymbol(h, constants, 16, 0, cudaMemcpyHostToDevice));
    TRY(0, 0, cudaGetSymbolSize(&size, variable));
    TRY(0, 0, cudaGetSymbolAddress(&p, variable));
    TRY(1, 1, cudaFree(p));
    TRY(13, 13, cudaGetSymbolAddress(&p, (const void *)h));
}

static void streams(void) {
    cudaStream_t s;
    cudaEvent_t a, b, untimed;
    float ms;
    TRY(0, 0, cudaStreamCreate(&s));
    TRY(1, 1, cudaStreamCreate(0));
    TRY(0, 0, cudaStreamQuery(s));
    TRY(0, 0, cudaStreamDestroy(s));
    TRY(400, 400, cudaStreamDestroy(0));
    TRY(1, 1, cudaStreamCreateWithFlags(&s, 77));
    TRY(0, 0, cudaEventCreate(&a));
    TRY(0, 0, cudaEventCreate(&b));
    TRY(400, 400, cudaEventElapsedTime(&ms, a, b));
    TRY(0, 0, cudaEventQuery(a));
    TRY(0, 0, cudaEventRecord(a));
    TRY(400, 400, cudaEventElapsedTime(&ms, a, b));
    TRY(0, 0, cudaEventRecord(b));
    TRY(0, 0, cudaEventSynchronize(b));
    TRY(0, 0, cudaEventElapsedTime(&ms, a, b));
    TRY(1, 1, cudaEventElapsedTime(0, a, b));
    TRY(400, 400, cudaEventElapsedTime(&ms, 0, b));
    TRY(0, 0, cudaEventCreateWithFlags(&untimed, cudaEventDisableTiming));
    TRY(0, 0, cudaEventRecord(untimed));
    TRY(400, 400, cudaEventElapsedTime(&ms, untimed, b));
    TRY(0, 0, cudaEventDestroy(a));
    TRY(400, 400, cudaEventDestroy(0));
    TRY(400, 400, cudaEventRecord(0, 0));
    TRY(1, 1, cudaEventCreateWithFlags(&a, 99));
    TRY(1, 1, cudaEventCreate(0));
    TRY(0, 0, cudaStreamWaitEvent(0, b, 0));
    TRY(400, 400, cudaStreamWaitEvent(0, 0, 0));
}

static void devices(void) {
    int n;
    cudaDeviceProp prop;
    size_t v;
    TRY(1, 1, cudaGetDeviceCount(0));
    TRY(0, 0, cudaSetDevice(0));
    TRY(101, 101, cudaSetDevice(99));
    TRY(101, 101, cudaSetDevice(-1));
    TRY(1, 1, cudaGetDevice(0));
    TRY(101, 101, cudaGetDeviceProperties(&prop, 99));
    TRY(1, 1, cudaGetDeviceProperties((cudaDeviceProp *)0, 0));
    TRY(1, 1, cudaDeviceGetAttribute(&n, (cudaDeviceAttr)9999, 0));
    TRY(101, 101, cudaDeviceGetAttribute(&n, cudaDevAttrWarpSize, 99));
    TRY(1, 1, cudaDeviceGetAttribute((int *)0, cudaDevAttrWarpSize, 0));
    TRY(1, 1, cudaDriverGetVersion(0));
    TRY(215, 215, cudaDeviceGetLimit(&v, cudaLimitDevRuntimeSyncDepth));
    TRY(1, 1, cudaDeviceSetLimit((cudaLimit)77, 1));
    TRY(0, 0, cudaDeviceReset());
    TRY(1, 1, cudaSetDeviceFlags(0xfff));
    TRY(217, 217, cudaDeviceEnablePeerAccess(0, 0));
}

static void launches(void) {
    void *args[1];
    int *null = 0;
    int blocks;
    const cudaFuncAttribute most = cudaFuncAttributeMaxDynamicSharedMemorySize;
    cudaFuncAttributes attributes;
    cudaLaunchConfig_t config = {};
    args[0] = &null;
    LAUNCH(0, 0, set<<<1, 1024>>>(0));
    LAUNCH(1, 0, set<<<1, 1025>>>(0));
    LAUNCH(1, 0, set<<<1, 2048>>>(0));
    LAUNCH(1, 0, set<<<0, 1>>>(0));
    LAUNCH(1, 0, set<<<1, 0>>>(0));
    LAUNCH(1, 0, set<<<dim3(1, 65536), 1>>>(0));
    LAUNCH(1, 0, set<<<dim3(1, 1, 65536), 1>>>(0));
    LAUNCH(1, 0, set<<<2147483648u, 1>>>(0));
    LAUNCH(1, 0, set<<<1, dim3(1, 1, 65)>>>(0));
    LAUNCH(1, 0, set<<<1, dim3(32, 32, 2)>>>(0));
    LAUNCH(1, 0, set<<<1, 1, 300000>>>(0));
    LAUNCH(0, 0, set<<<1, 1, 49152>>>(0));
    LAUNCH(1, 0, set<<<1, 1, 49153>>>(0));
    LAUNCH(0, 0, large<<<1, 1>>>());
    LAUNCH(1, 0, large<<<1, 1, 1>>>());
    LAUNCH(0, 0, narrow<<<1, 64>>>());
    LAUNCH(1, 0, narrow<<<1, 65>>>());
    TRY(0, 0, cudaFuncSetAttribute(use_dynamic, most, 65536));
    LAUNCH(0, 0, use_dynamic<<<1, 1, 65536>>>(0));
    LAUNCH(1, 0, use_dynamic<<<1, 1, 65537>>>(0));
    TRY(0, 0, cudaFuncSetAttribute(use_dynamic, most, 232448));
    LAUNCH(0, 0, use_dynamic<<<1, 1, 232448>>>(0));
    TRY(1, 1, cudaFuncSetAttribute(use_dynamic, most, 232449));
    TRY(1, 1, cudaFuncSetAttribute(use_dynamic, most, -1));
    TRY(0, 0, cudaFuncSetAttribute(large, most, 232448 - 49152));
    TRY(1, 1, cudaFuncSetAttribute(large, most, 232448 - 49151));
    TRY(400, 400, cudaFuncSetAttribute((const void *)launches, most, 1));
    TRY(1, 1, cudaFuncSetAttribute(use_dynamic, (cudaFuncAttribute)77, 1));
    TRY(400, 400, cudaFuncGetAttributes(&attributes, (const void *)launches));
    TRY(0, 0, cudaLaunchKernel((const void *)set, dim3(1), dim3(1), args, 0, 0));
    TRY(400, 400, cudaLaunchKernel((const void *)launches, dim3(1), dim3(1), args, 0, 0));
    TRY(98, 98, cudaLaunchKernel((const void *)0, dim3(1), dim3(1), args, 0, 0));
    TRY(1, 1, cudaLaunchKernel((const void *)set, dim3(1), dim3(2048), args, 0, 0));
    TRY(1, 1, cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, set, 0, 0));
    TRY(0, 0, cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, set, 2048, 0));
    config.gridDim = dim3(1);
    config.blockDim = dim3(3200);
    TRY(1, 1, cudaLaunchKernelEx(&config, set, (int *)0));
    for (int threads = 32; threads <= 1024; threads *= 2) {
        cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, set, threads, 0);
        printf("%d threads: %d blocks\n", threads, blocks);
    }
    for (int shared = 0; shared <= 48; shared += 8) {
        cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, set, 64, shared * 1024);
        printf("%d KB: %d blocks\n", shared, blocks);
    }
}

static void after_a_fault(void) {
    int *d;
    int n;
    size_t a, b;
    cudaEvent_t event;
    cudaStream_t stream;
    cublasHandle_t handle;
    cudaMalloc(&d, 64);
    wild<<<1, 1>>>();
    TRY(700, 700, cudaDeviceSynchronize());
    TRY(0, 0, cudaGetLastError());
    TRY(700, 700, cudaMalloc(&d, 64));
    TRY(700, 700, cudaFree(d));
    TRY(700, 700, cudaFree(0));
    TRY(0, 0, cudaMemcpy(d, d, 0, cudaMemcpyDefault));
    LAUNCH(700, 700, set<<<1, 1>>>(0));
    LAUNCH(700, 700, set<<<1, 2048>>>(0));
    TRY(0, 700, cudaGetDeviceCount(&n));
    TRY(0, 0, cudaSetDevice(0));
    TRY(0, 0, cudaDeviceGetAttribute(&n, cudaDevAttrWarpSize, 0));
    TRY(700, 700, cudaEventCreate(&event));
    TRY(700, 700, cudaStreamCreate(&stream));
    TRY(700, 700, cudaMemGetInfo(&a, &b));
    TRY(0, 0, cudaDriverGetVersion(&n));
    TRY(1, 0, cublasCreate(&handle));
    TRY(0, 0, cudaDeviceReset());
    TRY(46, 46, cudaDeviceSynchronize());
}

static void other_faults(void) {
    char *d;
    cudaMalloc(&d, 64);
    misaligned<<<1, 1>>>(d);
    TRY(716, 716, cudaDeviceSynchronize());
}

static void products(void) {
    cublasHandle_t handle = 0;
    float *a, *b, *c, r, h[16];
    const float one = 1, zero = 0;
    const cublasOperation_t N = CUBLAS_OP_N, T = CUBLAS_OP_T;
    cudaMalloc(&a, 16384);
    cudaMalloc(&b, 16384);
    cudaMalloc(&c, 16384);
    TRY(1, 0, cublasSgemm(handle, N, N, 4, 4, 4, &one, a, 4, b, 4, &zero, c, 4));
    TRY(1, 0, cublasDestroy(handle));
    TRY(7, 0, cublasCreate(0));
    TRY(0, 0, cublasCreate(&handle));
    TRY(0, 0, cublasSgemm(handle, N, N, 4, 4, 4, &one, a, 4, b, 4, &zero, c, 4));
    TRY(0, 0, cublasSgemm(handle, N, N, 0, 4, 4, &one, a, 4, b, 4, &zero, c, 4));
    TRY(0, 0, cublasSgemm(handle, N, N, 4, 4, 0, &one, a, 4, b, 1, &zero, c, 4));
    TRY(7, 0, cublasSgemm(handle, N, N, 4, 4, 4, 0, a, 4, b, 4, &zero, c, 4));
    TRY(7, 0, cublasSgemm(handle, N, N, 4, 4, 4, &one, a, 4, b, 4, 0, c, 4));
    TRY(7, 0, cublasSgemm(handle, N, N, 4, 4, 4, &one, 0, 4, b, 4, &zero, c, 4));
    TRY(7, 0, cublasSgemv(handle, N, 4, 4, &one, a, 3, b, 1, &zero, c, 1));
    TRY(0, 0, cublasSgemv(handle, N, -1, 4, &one, a, 4, b, 1, &zero, c, 1));
    TRY(0, 0, cublasSaxpy(handle, -1, &one, a, 1, c, 1));
    TRY(0, 0, cublasSscal(handle, -4, &one, a, 1));
    TRY(0, 0, cublasSdot(handle, 0, a, 1, b, 1, &r));
    TRY(0, 0, cublasSnrm2(handle, 4, a, 0, &r));
    TRY(7, 0, cublasSgeam(handle, T, N, 4, 4, &one, a, 4, &zero, b, 4, a, 4));
    TRY(0, 0, cublasSgeam(handle, N, N, 4, 4, &one, a, 4, &zero, (float *)0, 4, c, 4));
    TRY(11, 0, cublasSetMatrix(4, 4, 4, h, 3, a, 4));
    TRY(7, 0, cublasSetMatrix(4, 4, 0, h, 4, a, 4));
    TRY(7, 0, cublasSetMatrix(-1, 4, 4, h, 4, a, 4));
    TRY(7, 0, cublasSetVector(4, 4, h, 0, a, 1));
    TRY(11, 0, cublasSetVector(4, 4, h, 1, 0, 1));
    TRY(7, 0, cublasGetVersion(handle, 0));
    TRY(7, 0, cublasSetPointerMode(handle, (cublasPointerMode_t)5));
    TRY(7, 0, cublasSetMathMode(handle, (cublasMath_t)999));
    TRY(0, 0, cublasGemmEx(handle, N, N, 4, 4, 4, &one, a, CUDA_R_32F, 4, b, CUDA_R_32F, 4, &zero, c, CUDA_R_32F,
                     4, CUBLAS_COMPUTE_32F, CUBLAS_GEMM_DEFAULT));
    TRY(15, 0, cublasGemmEx(handle, N, N, 4, 4, 4, &one, a, CUDA_R_32F, 4, b, CUDA_R_8I, 4, &zero, c, CUDA_R_32F, 4,
                     CUBLAS_COMPUTE_32F, CUBLAS_GEMM_DEFAULT));
    TRY(0, 0, cublasSgemmStridedBatched(handle, N, N, 4, 4, 4, &one, a, 4, 0, b, 4, 16, &zero, c, 4, 16, 3));
    TRY(0, 0, cublasDestroy(handle));
    for (int i = 0; i < 17; i++)
        printf("%d %s: %s\n", i, cublasGetStatusName((cublasStatus_t)i),
               cublasGetStatusString((cublasStatus_t)i));
}

static void product_of_host_memory(void) {
    cublasHandle_t handle = 0;
    float h[64] = {0}, *a;
    const float one = 1, zero = 0;
    cudaMalloc(&a, 16384);
    TRY(0, 0, cublasCreate(&handle));
    TRY(0, 0, cublasSgemm(handle, CUBLAS_OP_N, CUBLAS_OP_N, 4, 4, 4, &one, h, 4, a, 4, &zero, a + 64, 4));
    TRY(700, 700, cudaDeviceSynchronize());
}

static void group(const char *name, void (*body)(void)) {
    printf("---- %s\n", name);
    fflush(stdout);
    pid_t child = fork();
    if (child == 0) {
        calls = 0;
        body();
        printf("%d calls\n", calls);
        fflush(stdout);
        _exit(0);
    }
    int status = 0;
    waitpid(child, &status, 0);
    if (status != 0)
        printf("ended with status %d\n", status);
}

int main() {
    group("allocations", allocations);
    group("memory pools", pools);
    group("registered memory", registered);
    group("copies", copies);
    group("symbols", symbols);
    group("streams and events", streams);
    group("devices", devices);
    group("launches", launches);
    group("after a fault", after_a_fault);
    group("other faults", other_faults);
    group("products", products);
    group("product of host memory", product_of_host_memory);
    return 0;
}
