// The host writes managed or pinned memory that a kernel reads, and has not waited for the kernel:
// that is told once for each kernel, with both lines. What the kernel does not read may be written.
// flags: -O1
#include <cstdio>

__global__ void sum(const float *x, int first, int n, float *out) {
    float s = 0;
    for (int i = first + threadIdx.x; i < first + n; i += blockDim.x)
        s += x[i];
    atomicAdd(out, s);
}

__global__ void scale(float *to, const float *x, const float *by, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        to[i] = x[i] *
                *by;
}

__global__ void watch(const int *x, int *seen) {
    *seen = *x;
    __threadfence_system();
}

__global__ void looks(const volatile int *x, int *seen) {
    *seen = *x;
}

static void wait() {
    printf("%s\n", cudaGetErrorString(cudaDeviceSynchronize()));
}

int main() {
    const int n = 5000;
    float *x, *pinned, *out, *factor;
    cudaMallocManaged(&x, n * sizeof *x);
    cudaMallocHost(&pinned, 1024 * sizeof *pinned);
    cudaMalloc(&out, n * sizeof *out);
    cudaMallocManaged(&factor, sizeof *factor);
    *factor = 1;
    cudaMemset(out, 0, n * sizeof *out);
    for (int i = 0; i < n; i++)
        x[i] = 1;
    for (int i = 0; i < 1024; i++)
        pinned[i] = 2;

    sum<<<1, 128>>>(x, 0, n, out);
    printf("the host may read: %g\n", x[7]);
    x[7] = 3; // told
    x[8] = 3; // said once
    wait();
    x[9] = 3;

    scale<<<8, 128>>>(out, pinned, factor, 1024);
    pinned[100] = 4; // told
    wait();
    scale<<<8, 128>>>(out, pinned, factor, 1024);
    *factor = 4; // told
    wait();

    // In the order of two kernels: the first one reads, the second does not.
    sum<<<1, 128>>>(x, 0, n, out);
    scale<<<8, 128>>>(out, pinned, factor, 1024);
    x[4999] = 5; // told
    wait();

    // Right: the other half, before the launch, after an event, a blocking copy, a host function.
    sum<<<1, 128>>>(x, 0, 2500, out);
    for (int i = 2500; i < n; i++)
        x[i] = 6;
    wait();
    sum<<<1, 128>>>(x, 1000, 2500, out);
    x[999] = x[3500] = 7;
    cudaEvent_t event;
    cudaEventCreate(&event);
    cudaEventRecord(event);
    cudaEventSynchronize(event);
    x[1000] = 7;
    sum<<<1, 128>>>(x, 0, n, out);
    float result;
    cudaMemcpy(&result, out, 4, cudaMemcpyDeviceToHost);
    x[1] = 8;
    sum<<<1, 128>>>(x, 0, n, out);
    cudaLaunchHostFunc(0, [](void *p) { *(float *)p = 9; }, x);
    wait();
    printf("%g\n", x[0]);

    // Right: they look at the same word at once, and say so.
    int *word, *seen;
    cudaMallocManaged(&word, 4);
    cudaMalloc(&seen, 4);
    *word = 1;
    watch<<<1, 1>>>(word, seen);
    *word = 2;
    wait();
    looks<<<1, 1>>>(word, seen);
    *word = 3;
    wait();

    // The same with streams.
    cudaStream_t a, b;
    cudaStreamCreate(&a);
    cudaStreamCreate(&b);
    sum<<<1, 128, 0, a>>>(x, 0, 2500, out);
    sum<<<1, 128, 0, b>>>(x, 2500, 2500, out + 1);
    cudaStreamSynchronize(b);
    x[2500] = 1;
    x[1999] = 1; // told
    wait();
    cudaStreamDestroy(a), cudaStreamDestroy(b), cudaEventDestroy(event);
    cudaFree(x), cudaFree(out), cudaFreeHost(pinned), cudaFree(factor);
    cudaFree(word), cudaFree(seen);
}
