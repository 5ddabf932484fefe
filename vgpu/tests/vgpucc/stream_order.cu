// What a kernel writes to device memory is there for streams that wait for it, and for no others: for
// the default stream, for those that block with it, and for those that an event orders behind it.
// Kernels of several streams that add atomically, or that store bytes side by side, wait for nobody.
#include <cstdio>

enum { N = 64, BYTES = N * sizeof(int) };

__global__ void fill(int *to, int value) {
    to[threadIdx.x] = value;
}

__global__ void twice(int *to, const int *from) {
    to[threadIdx.x] = 2 * from[threadIdx.x];
}

__global__ void add(int *to, int value) {
    atomicAdd(&to[threadIdx.x / 2], value);
}

__global__ void every_other(unsigned char *to, int first, int value) {
    to[2 * threadIdx.x + first] = (unsigned char)value;
}

static int *a, *b;
static cudaStream_t blocking, apart, other;

static void show(const char *what, const int *from, int expected) {
    int host[N];
    cudaMemcpyAsync(host, from, BYTES, cudaMemcpyDeviceToHost, other);
    cudaStreamSynchronize(other);
    const int early = host[N - 1];
    cudaDeviceSynchronize();
    cudaMemcpy(host, from, BYTES, cudaMemcpyDeviceToHost);
    printf("%-40s %s, then %s\n", what, early == expected ? "there" : "not yet",
           host[N - 1] == expected ? "there" : "lost");
}

int main() {
    cudaEvent_t event;
    cudaMalloc(&a, BYTES), cudaMalloc(&b, BYTES);
    cudaStreamCreate(&blocking);
    cudaStreamCreateWithFlags(&apart, cudaStreamNonBlocking);
    cudaStreamCreateWithFlags(&other, cudaStreamNonBlocking);
    cudaEventCreate(&event);

    fill<<<1, N>>>(a, 1);
    show("the default stream's, not waited for", a, 1);
    fill<<<1, N, 0, apart>>>(a, 2);
    show("another stream's, not waited for", a, 2);
    fill<<<1, N, 0, other>>>(a, 3);
    show("the same stream's", a, 3);

    fill<<<1, N>>>(a, 4);
    cudaEventRecord(event, 0);
    cudaStreamWaitEvent(other, event, 0);
    show("the default stream's, behind an event", a, 4);
    fill<<<1, N, 0, apart>>>(a, 5);
    cudaStreamSynchronize(apart);
    show("another stream's, waited for", a, 5);

    fill<<<1, N, 0, blocking>>>(a, 6);
    twice<<<1, N>>>(b, a);
    cudaStreamSynchronize(0);
    show("of a kernel behind a blocking stream", b, 12);
    fill<<<1, N, 0, apart>>>(a, 7);
    twice<<<1, N, 0, other>>>(b, a);
    show("of a kernel that did not wait", b, 14);

    cudaMemset(a, 0, BYTES);
    cudaDeviceSynchronize();
    add<<<1, 2 * N, 0, apart>>>(a, 1);
    add<<<1, 2 * N, 0, other>>>(a, 2);
    show("of kernels that add", a, 6);
    every_other<<<1, BYTES / 2, 0, apart>>>((unsigned char *)a, 0, 8);
    every_other<<<1, BYTES / 2, 0, other>>>((unsigned char *)a, 1, 8);
    show("of kernels that store bytes", a, 0x08080808);

    cudaStreamDestroy(other);
    cudaStreamDestroy(apart);
    cudaStreamDestroy(blocking);
    fill<<<1, N>>>(a, 9);
    cudaStreamCreateWithFlags(&other, cudaStreamNonBlocking);
    show("the default stream's, for a new stream", a, 9);
    return 0;
}
