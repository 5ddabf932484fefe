// env: VGPU_QUIET=1
// flags: -lcublas
// Every call here printed the same on an NVIDIA H200 under CUDA 13.0, where error_codes.expected was
// recorded: nvcc -arch=sm_90 error_codes.cu -lcublas && ./a.out. Each group runs in a process of its own,
// so that one group's fault doesn't spoil the next.
#include <cublas_v2.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

// The call, what it returned, and what cudaGetLastError says of it.
#define TRY(call)                                                                                  \
    do {                                                                                           \
        int code = (int)(call);                                                                    \
        printf("%d %d  %s\n", code, (int)cudaGetLastError(), #call);                               \
        fflush(stdout);                                                                            \
    } while (0)

// A launch, the error it left, and what the next synchronisation says.
#define LAUNCH(...)                                                                                \
    do {                                                                                           \
        __VA_ARGS__;                                                                               \
        int left = (int)cudaGetLastError();                                                        \
        printf("%d %d  %s\n", left, (int)cudaDeviceSynchronize(), #__VA_ARGS__);                   \
        fflush(stdout);                                                                            \
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
    TRY(cudaMalloc(&d, 1024));
    TRY(cudaMalloc(&p, 0));
    TRY(cudaMalloc((void **)0, 16));
    TRY(cudaMalloc(&p, (size_t)1 << 50));
    TRY(cudaMalloc(&p, (size_t)-1));
    TRY(cudaMallocPitch(&p, &pitch, 100, 10));
    TRY(cudaFree(d + 4));
    TRY(cudaFree(d));
    TRY(cudaFree(d));
    TRY(cudaFree(0));
    TRY(cudaFree(h));
    TRY(cudaFree((void *)0x1234));
    TRY(cudaFreeHost(0));
    TRY(cudaFreeHost(h));
    TRY(cudaMallocHost(&p, 100));
    TRY(cudaFree(p));
    TRY(cudaFreeHost(p));
    TRY(cudaFreeHost(p));
    TRY(cudaHostAlloc(&p, 64, 0xff00));
    TRY(cudaMallocManaged(&p, 64));
    TRY(cudaFreeHost(p));
    TRY(cudaFree(p));
    TRY(cudaMallocManaged(&p, 16, 7));
    TRY(cudaMallocAsync(&p, 64, 0));
    TRY(cudaFreeAsync(p, 0));
    TRY(cudaFreeAsync(p, 0));
    TRY(cudaFreeAsync(h, 0));
    TRY(cudaFreeAsync(0, 0));
}

static void registered(void) {
    static char memory[16384];
    char *page = memory + 4096 - (size_t)memory % 4096;
    void *p;
    TRY(cudaHostRegister(page, 8192, 0));
    TRY(cudaHostRegister(page, 8192, 0));
    TRY(cudaHostUnregister(page + 64));
    TRY(cudaHostUnregister(page));
    TRY(cudaHostUnregister(page));
    TRY(cudaHostRegister(0, 10, 0));
    TRY(cudaHostRegister(page, 0, 0));
    TRY(cudaHostGetDevicePointer(&p, page, 0));
}

static void copies(void) {
    static char h[4096];
    char *d, *e;
    void *pinned, *managed;
    cudaMalloc(&d, 1024);
    cudaMalloc(&e, 1024);
    cudaMallocHost(&pinned, 1024);
    cudaMallocManaged(&managed, 1024);
    TRY(cudaMemcpy(d, h, 1024, cudaMemcpyHostToDevice));
    TRY(cudaMemcpy(d, h, 1025, cudaMemcpyHostToDevice));
    TRY(cudaMemcpy(d, h, 4096, cudaMemcpyHostToDevice));
    TRY(cudaMemcpy(h, d, 1024, cudaMemcpyHostToDevice));
    TRY(cudaMemcpy(d, h, 1024, cudaMemcpyDeviceToHost));
    TRY(cudaMemcpy(h, h + 1024, 1024, cudaMemcpyDeviceToDevice));
    TRY(cudaMemcpy(h, h + 64, 16, cudaMemcpyHostToDevice));
    TRY(cudaMemcpy(h, h + 64, 16, cudaMemcpyDeviceToHost));
    TRY(cudaMemcpy(d, e, 16, cudaMemcpyHostToDevice));
    TRY(cudaMemcpy(d, e, 16, cudaMemcpyDeviceToHost));
    TRY(cudaMemcpy(d, e, 16, cudaMemcpyHostToHost));
    TRY(cudaMemcpy(h, d, 16, (cudaMemcpyKind)7));
    TRY(cudaMemcpy(h, d, 16, cudaMemcpyDefault));
    TRY(cudaMemcpy(h, h + 64, 16, cudaMemcpyDefault));
    TRY(cudaMemcpy(0, d, 16, cudaMemcpyDeviceToHost));
    TRY(cudaMemcpy(d, 0, 16, cudaMemcpyHostToDevice));
    TRY(cudaMemcpy(0, 0, 0, cudaMemcpyHostToDevice));
    TRY(cudaMemcpy(d, h, 0, (cudaMemcpyKind)9));
    TRY(cudaMemcpy((void *)64, h, 16, cudaMemcpyHostToDevice));
    TRY(cudaMemcpy(pinned, d, 16, cudaMemcpyHostToDevice));
    TRY(cudaMemcpy(d, pinned, 16, cudaMemcpyDeviceToDevice));
    TRY(cudaMemcpy(managed, h, 16, cudaMemcpyHostToHost));
    TRY(cudaMemset(d, 0, 1024));
    TRY(cudaMemset(d, 0, 1025));
    TRY(cudaMemset(h, 0, 16));
    TRY(cudaMemset(0, 0, 16));
    TRY(cudaMemset(0, 0, 0));
    TRY(cudaMemset(pinned, 0, 16));
    TRY(cudaMemcpy2D(d, 32, h, 64, 32, 8, cudaMemcpyHostToDevice));
    TRY(cudaMemcpy2D(d, 16, h, 64, 32, 8, cudaMemcpyHostToDevice));
    TRY(cudaMemcpy2D(d, 32, h, 16, 32, 8, cudaMemcpyHostToDevice));
    TRY(cudaMemcpy2D(d, 32, h, 64, 32, 0, cudaMemcpyHostToDevice));
    TRY(cudaMemcpy2D(d, 256, h, 64, 32, 8, cudaMemcpyHostToDevice));
    TRY(cudaMemset2D(d, 64, 1, 32, 8));
    TRY(cudaMemset2D(d, 16, 1, 32, 8));
    TRY(cudaMemcpyPeer(d, 0, e, 5, 3));
}

static void symbols(void) {
    static char h[64];
    void *p;
    size_t size;
    TRY(cudaMemcpyToSymbol(constants, h, 32));
    TRY(cudaMemcpyToSymbol(constants, h, 33));
    TRY(cudaMemcpyToSymbol(constants, h, 16, 20));
    TRY(cudaMemcpyToSymbol((const void *)h, h, 16));
    TRY(cudaMemcpyToSymbol(constants, h, 16, 0, cudaMemcpyDeviceToHost));
    TRY(cudaMemcpyToSymbol(constants, h, 16, 0, cudaMemcpyHostToHost));
    TRY(cudaMemcpyFromSymbol(h, constants, 32));
    TRY(cudaMemcpyFromSymbol(h, constants, 36));
    TRY(cudaMemcpyFromSymbol(h, constants, 16, 0, cudaMemcpyHostToDevice));
    TRY(cudaGetSymbolSize(&size, variable));
    TRY(cudaGetSymbolAddress(&p, variable));
    TRY(cudaFree(p));
    TRY(cudaGetSymbolAddress(&p, (const void *)h));
}

static void streams(void) {
    cudaStream_t s;
    cudaEvent_t a, b, untimed;
    float ms;
    TRY(cudaStreamCreate(&s));
    TRY(cudaStreamCreate(0));
    TRY(cudaStreamQuery(s));
    TRY(cudaStreamDestroy(s));
    TRY(cudaStreamDestroy(0));
    TRY(cudaStreamCreateWithFlags(&s, 77));
    TRY(cudaEventCreate(&a));
    TRY(cudaEventCreate(&b));
    TRY(cudaEventElapsedTime(&ms, a, b));
    TRY(cudaEventQuery(a));
    TRY(cudaEventRecord(a));
    TRY(cudaEventElapsedTime(&ms, a, b));
    TRY(cudaEventRecord(b));
    TRY(cudaEventSynchronize(b));
    TRY(cudaEventElapsedTime(&ms, a, b));
    TRY(cudaEventElapsedTime(0, a, b));
    TRY(cudaEventElapsedTime(&ms, 0, b));
    TRY(cudaEventCreateWithFlags(&untimed, cudaEventDisableTiming));
    TRY(cudaEventRecord(untimed));
    TRY(cudaEventElapsedTime(&ms, untimed, b));
    TRY(cudaEventDestroy(a));
    TRY(cudaEventDestroy(0));
    TRY(cudaEventRecord(0, 0));
    TRY(cudaEventCreateWithFlags(&a, 99));
    TRY(cudaEventCreate(0));
    TRY(cudaStreamWaitEvent(0, b, 0));
    TRY(cudaStreamWaitEvent(0, 0, 0));
}

static void devices(void) {
    int n;
    cudaDeviceProp prop;
    size_t v;
    TRY(cudaGetDeviceCount(0));
    TRY(cudaSetDevice(0));
    TRY(cudaSetDevice(99));
    TRY(cudaSetDevice(-1));
    TRY(cudaGetDevice(0));
    TRY(cudaGetDeviceProperties(&prop, 99));
    TRY(cudaGetDeviceProperties((cudaDeviceProp *)0, 0));
    TRY(cudaDeviceGetAttribute(&n, (cudaDeviceAttr)9999, 0));
    TRY(cudaDeviceGetAttribute(&n, cudaDevAttrWarpSize, 99));
    TRY(cudaDeviceGetAttribute((int *)0, cudaDevAttrWarpSize, 0));
    TRY(cudaDriverGetVersion(0));
    TRY(cudaDeviceGetLimit(&v, cudaLimitDevRuntimeSyncDepth));
    TRY(cudaDeviceSetLimit((cudaLimit)77, 1));
    TRY(cudaDeviceReset());
    TRY(cudaSetDeviceFlags(0xfff));
    TRY(cudaDeviceEnablePeerAccess(0, 0));
}

static void launches(void) {
    void *args[1];
    int *null = 0;
    int blocks;
    const cudaFuncAttribute most = cudaFuncAttributeMaxDynamicSharedMemorySize;
    cudaFuncAttributes attributes;
    cudaLaunchConfig_t config = {};
    args[0] = &null;
    LAUNCH(set<<<1, 1024>>>(0));
    LAUNCH(set<<<1, 1025>>>(0));
    LAUNCH(set<<<1, 2048>>>(0));
    LAUNCH(set<<<0, 1>>>(0));
    LAUNCH(set<<<1, 0>>>(0));
    LAUNCH(set<<<dim3(1, 65536), 1>>>(0));
    LAUNCH(set<<<dim3(1, 1, 65536), 1>>>(0));
    LAUNCH(set<<<2147483648u, 1>>>(0));
    LAUNCH(set<<<1, dim3(1, 1, 65)>>>(0));
    LAUNCH(set<<<1, dim3(32, 32, 2)>>>(0));
    LAUNCH(set<<<1, 1, 300000>>>(0));
    LAUNCH(set<<<1, 1, 49152>>>(0));
    LAUNCH(set<<<1, 1, 49153>>>(0));
    LAUNCH(large<<<1, 1>>>());
    LAUNCH(large<<<1, 1, 1>>>());
    LAUNCH(narrow<<<1, 64>>>());
    LAUNCH(narrow<<<1, 65>>>());
    TRY(cudaFuncSetAttribute(use_dynamic, most, 65536));
    LAUNCH(use_dynamic<<<1, 1, 65536>>>(0));
    LAUNCH(use_dynamic<<<1, 1, 65537>>>(0));
    TRY(cudaFuncSetAttribute(use_dynamic, most, 232448));
    LAUNCH(use_dynamic<<<1, 1, 232448>>>(0));
    TRY(cudaFuncSetAttribute(use_dynamic, most, 232449));
    TRY(cudaFuncSetAttribute(use_dynamic, most, -1));
    TRY(cudaFuncSetAttribute(large, most, 232448 - 49152));
    TRY(cudaFuncSetAttribute(large, most, 232448 - 49151));
    TRY(cudaFuncSetAttribute((const void *)launches, most, 1));
    TRY(cudaFuncSetAttribute(use_dynamic, (cudaFuncAttribute)77, 1));
    TRY(cudaFuncGetAttributes(&attributes, (const void *)launches));
    TRY(cudaLaunchKernel((const void *)set, dim3(1), dim3(1), args, 0, 0));
    TRY(cudaLaunchKernel((const void *)launches, dim3(1), dim3(1), args, 0, 0));
    TRY(cudaLaunchKernel((const void *)0, dim3(1), dim3(1), args, 0, 0));
    TRY(cudaLaunchKernel((const void *)set, dim3(1), dim3(2048), args, 0, 0));
    TRY(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, set, 0, 0));
    TRY(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, set, 2048, 0));
    config.gridDim = dim3(1);
    config.blockDim = dim3(3200);
    TRY(cudaLaunchKernelEx(&config, set, (int *)0));
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
    TRY(cudaDeviceSynchronize());
    TRY(cudaGetLastError());
    TRY(cudaMalloc(&d, 64));
    TRY(cudaFree(d));
    TRY(cudaFree(0));
    TRY(cudaMemcpy(d, d, 0, cudaMemcpyDefault));
    LAUNCH(set<<<1, 1>>>(0));
    LAUNCH(set<<<1, 2048>>>(0));
    TRY(cudaGetDeviceCount(&n));
    TRY(cudaSetDevice(0));
    TRY(cudaDeviceGetAttribute(&n, cudaDevAttrWarpSize, 0));
    TRY(cudaEventCreate(&event));
    TRY(cudaStreamCreate(&stream));
    TRY(cudaMemGetInfo(&a, &b));
    TRY(cudaDriverGetVersion(&n));
    TRY(cublasCreate(&handle));
    TRY(cudaDeviceReset());
    TRY(cudaDeviceSynchronize());
}

static void other_faults(void) {
    char *d;
    cudaMalloc(&d, 64);
    misaligned<<<1, 1>>>(d);
    TRY(cudaDeviceSynchronize());
}

static void products(void) {
    cublasHandle_t handle = 0;
    float *a, *b, *c, r, h[16];
    const float one = 1, zero = 0;
    const cublasOperation_t N = CUBLAS_OP_N, T = CUBLAS_OP_T;
    cudaMalloc(&a, 16384);
    cudaMalloc(&b, 16384);
    cudaMalloc(&c, 16384);
    TRY(cublasSgemm(handle, N, N, 4, 4, 4, &one, a, 4, b, 4, &zero, c, 4));
    TRY(cublasDestroy(handle));
    TRY(cublasCreate(0));
    TRY(cublasCreate(&handle));
    TRY(cublasSgemm(handle, N, N, 4, 4, 4, &one, a, 4, b, 4, &zero, c, 4));
    TRY(cublasSgemm(handle, N, N, 0, 4, 4, &one, a, 4, b, 4, &zero, c, 4));
    TRY(cublasSgemm(handle, N, N, 4, 4, 0, &one, a, 4, b, 1, &zero, c, 4));
    TRY(cublasSgemm(handle, N, N, 4, 4, 4, 0, a, 4, b, 4, &zero, c, 4));
    TRY(cublasSgemm(handle, N, N, 4, 4, 4, &one, a, 4, b, 4, 0, c, 4));
    TRY(cublasSgemm(handle, N, N, 4, 4, 4, &one, 0, 4, b, 4, &zero, c, 4));
    TRY(cublasSgemv(handle, N, 4, 4, &one, a, 3, b, 1, &zero, c, 1));
    TRY(cublasSgemv(handle, N, -1, 4, &one, a, 4, b, 1, &zero, c, 1));
    TRY(cublasSaxpy(handle, -1, &one, a, 1, c, 1));
    TRY(cublasSscal(handle, -4, &one, a, 1));
    TRY(cublasSdot(handle, 0, a, 1, b, 1, &r));
    TRY(cublasSnrm2(handle, 4, a, 0, &r));
    TRY(cublasSgeam(handle, T, N, 4, 4, &one, a, 4, &zero, b, 4, a, 4));
    TRY(cublasSgeam(handle, N, N, 4, 4, &one, a, 4, &zero, (float *)0, 4, c, 4));
    TRY(cublasSetMatrix(4, 4, 4, h, 3, a, 4));
    TRY(cublasSetMatrix(4, 4, 0, h, 4, a, 4));
    TRY(cublasSetMatrix(-1, 4, 4, h, 4, a, 4));
    TRY(cublasSetVector(4, 4, h, 0, a, 1));
    TRY(cublasSetVector(4, 4, h, 1, 0, 1));
    TRY(cublasGetVersion(handle, 0));
    TRY(cublasSetPointerMode(handle, (cublasPointerMode_t)5));
    TRY(cublasSetMathMode(handle, (cublasMath_t)999));
    TRY(cublasGemmEx(handle, N, N, 4, 4, 4, &one, a, CUDA_R_32F, 4, b, CUDA_R_32F, 4, &zero, c, CUDA_R_32F,
                     4, CUBLAS_COMPUTE_32F, CUBLAS_GEMM_DEFAULT));
    TRY(cublasGemmEx(handle, N, N, 4, 4, 4, &one, a, CUDA_R_32F, 4, b, CUDA_R_8I, 4, &zero, c, CUDA_R_32F, 4,
                     CUBLAS_COMPUTE_32F, CUBLAS_GEMM_DEFAULT));
    TRY(cublasSgemmStridedBatched(handle, N, N, 4, 4, 4, &one, a, 4, 0, b, 4, 16, &zero, c, 4, 16, 3));
    TRY(cublasDestroy(handle));
    for (int i = 0; i < 17; i++)
        printf("%d %s: %s\n", i, cublasGetStatusName((cublasStatus_t)i),
               cublasGetStatusString((cublasStatus_t)i));
}

static void product_of_host_memory(void) {
    cublasHandle_t handle = 0;
    float h[64] = {0}, *a;
    const float one = 1, zero = 0;
    cudaMalloc(&a, 16384);
    TRY(cublasCreate(&handle));
    TRY(cublasSgemm(handle, CUBLAS_OP_N, CUBLAS_OP_N, 4, 4, 4, &one, h, 4, a, 4, &zero, a + 64, 4));
    TRY(cudaDeviceSynchronize());
}

static void group(const char *name, void (*body)(void)) {
    printf("---- %s\n", name);
    fflush(stdout);
    pid_t child = fork();
    if (child == 0) {
        body();
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
