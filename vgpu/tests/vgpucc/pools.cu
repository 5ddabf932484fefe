// Memory pools: what they give, hold and are asked for; and what goes wrong in the order of streams.
#include <cstdio>

#define CHECK(call)                                                                                                    \
    do {                                                                                                               \
        const cudaError_t error = call;                                                                                \
        if (error != cudaSuccess)                                                                                      \
            printf("%s: %s\n", #call, cudaGetErrorName(error));                                                        \
        (void)cudaGetLastError();                                                                                      \
    } while (0)

__global__ void fill(int *x, int n, int value) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        x[i] = value + i;
}

static void show(const char *when, cudaMemPool_t pool) {
    unsigned long long reserved, reserved_high, used, used_high;
    CHECK(cudaMemPoolGetAttribute(pool, cudaMemPoolAttrReservedMemCurrent, &reserved));
    CHECK(cudaMemPoolGetAttribute(pool, cudaMemPoolAttrReservedMemHigh, &reserved_high));
    CHECK(cudaMemPoolGetAttribute(pool, cudaMemPoolAttrUsedMemCurrent, &used));
    CHECK(cudaMemPoolGetAttribute(pool, cudaMemPoolAttrUsedMemHigh, &used_high));
    printf("%s: used %llu of %llu, at most %llu of %llu\n", when, used, reserved, used_high, reserved_high);
}

// Works as a course has it: a buffer a step, from the device's pool, which keeps its memory.
static void steps(cudaStream_t stream) {
    cudaMemPool_t pool;
    unsigned long long all = ~0ull, none = 0;
    int host[1000], sum = 0;
    CHECK(cudaDeviceGetDefaultMemPool(&pool, 0));
    CHECK(cudaMemPoolSetAttribute(pool, cudaMemPoolAttrReleaseThreshold, &all));
    for (int step = 0; step < 3; step++) {
        int *x;
        CHECK(cudaMallocAsync(&x, sizeof host, stream));
        fill<<<4, 256, 0, stream>>>(x, 1000, step);
        CHECK(cudaMemcpyAsync(host, x, sizeof host, cudaMemcpyDeviceToHost, stream));
        CHECK(cudaFreeAsync(x, stream));
        CHECK(cudaStreamSynchronize(stream));
        sum += host[999];
    }
    printf("%d\n", sum);
    show("kept", pool);
    CHECK(cudaMemPoolTrimTo(pool, 0));
    CHECK(cudaMemPoolSetAttribute(pool, cudaMemPoolAttrUsedMemHigh, &none));
    show("trimmed", pool);
    CHECK(cudaMemPoolSetAttribute(pool, cudaMemPoolAttrReleaseThreshold, &none));
}

static cudaMemPool_t make(size_t most) {
    cudaMemPool_t pool = NULL;
    cudaMemPoolProps props = {};
    props.allocType = cudaMemAllocationTypePinned;
    props.location.type = cudaMemLocationTypeDevice;
    props.maxSize = most;
    CHECK(cudaMemPoolCreate(&pool, &props));
    return pool;
}

static void own(cudaStream_t stream) {
    cudaMemPool_t pool = make(0), small = make(1 << 20), now;
    int *x, *y;
    CHECK(cudaMallocFromPoolAsync(&x, 100, pool, stream));
    CHECK(cudaMallocAsync(&y, 5000, pool, stream)); // the same, as C++ has it
    show("own", pool);
    CHECK(cudaDeviceSetMemPool(0, pool));
    CHECK(cudaFreeAsync(y, stream));
    CHECK(cudaMallocAsync(&y, 40 << 20, stream));
    show("the device's", pool);
    CHECK(cudaMemPoolDestroy(pool)); // its memory lives on
    CHECK(cudaDeviceGetMemPool(&now, 0));
    fill<<<1, 25, 0, stream>>>(x, 25, 0);
    CHECK(cudaFree(y));
    CHECK(cudaFreeAsync(x, stream));
    CHECK(cudaMallocFromPoolAsync(&x, 100, pool, stream));
    CHECK(cudaMallocFromPoolAsync(&x, 2 << 20, small, stream)); // maxSize is rounded up
    CHECK(cudaMallocFromPoolAsync(&y, 31 << 20, small, stream));
    CHECK(cudaFreeAsync(x, stream));
    CHECK(cudaMemPoolDestroy(small));
    CHECK(cudaMemPoolDestroy(now));
}

// Freed, and used behind that in the same stream; in a stream that does not wait; twice; never.
static void mistakes(cudaStream_t stream) {
    cudaStream_t other;
    cudaGraph_t graph;
    int *x, *y;
    cudaStreamCreateWithFlags(&other, cudaStreamNonBlocking);
    CHECK(cudaMallocAsync((void **)&x, 128, stream));
    CHECK(cudaFreeAsync(x, stream));
    CHECK(cudaMemsetAsync(x, 0, 128, stream));
    CHECK(cudaFreeAsync(x, stream));
    CHECK(cudaMallocAsync((void **)&y, 128, stream));
    fill<<<1, 32, 0, other>>>(y, 32, 0);
    CHECK(cudaDeviceSynchronize());
    CHECK(cudaStreamBeginCapture(other, cudaStreamCaptureModeThreadLocal));
    CHECK(cudaMallocAsync(&x, 128, other));
    CHECK(cudaStreamEndCapture(other, &graph));
    CHECK(cudaMallocAsync((void **)&x, 128, stream));
    CHECK(cudaFreeAsync(x, stream));
    fill<<<1, 32, 0, stream>>>(x, 32, 0);
    CHECK(cudaStreamSynchronize(stream));
}

int main() {
    cudaStream_t stream;
    cudaStreamCreate(&stream);
    steps(stream);
    own(stream);
    mistakes(stream);
}
