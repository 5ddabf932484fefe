// Managed and pinned memory while a kernel runs: who does not wait is told, with the element and the
// line; once for each piece of work. Kernels and hosts that update it for each other's eyes may.
// flags: -O1
#include <cstdio>

__global__ void set(float *x, int n, float value) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        x[i] = value;
}

__global__ void count(int *at) {
    atomicAdd_system(at, 1);
}

__global__ void count_down(unsigned int *at) {
    atomicSub_system(at, 1u);
}

__global__ void hand_over(int *data, volatile int *flag) {
    *data = 42;
    __threadfence_system();
    *flag = 1;
}

static void wait() {
    printf("%s\n", cudaGetErrorString(cudaDeviceSynchronize()));
}

int main() {
    const int n = 5000;
    float *x, *pinned, *device;
    cudaMallocManaged(&x, n * sizeof *x);
    for (int i = 0; i < n; i++)
        x[i] = i % 2; // every other one is 1 already: the kernel changes half of them
    set<<<40, 128>>>(x, n, 1);
    printf("even: %g, odd: %g\n", x[1], x[4998]); // x[1] is as it was; x[4998] is not there yet
    printf("again: %g\n", x[4996]);               // said once
    wait();
    printf("%g %g\n", x[0], x[4998]);

    set<<<40, 128>>>(x, n, 2);
    x[7] = 3; // lost, and told
    wait();
    printf("%g\n", x[7]);

    cudaMallocHost(&pinned, 1024 * sizeof *pinned);
    cudaMalloc(&device, 1024 * sizeof *device);
    set<<<8, 128>>>(device, 1024, 5);
    cudaMemcpyAsync(pinned, device, 1024 * sizeof *pinned, cudaMemcpyDeviceToHost);
    printf("copied: %g\n", pinned[10]);
    cudaStreamSynchronize(0);
    printf("waited: %g\n", pinned[10]);

    // Right: the other half of the memory, other memory, and after an event.
    set<<<8, 128>>>(x + 1024, 1024, 6);
    x[0] = x[4000] = 4;
    wait();
    printf("%g %g %g\n", x[0], x[1024], x[4000]);

    int *counter, *flag;
    unsigned int *down;
    cudaMallocManaged(&counter, 4);
    cudaMallocManaged(&down, 4);
    *counter = 0, *down = 5000;
    count<<<10, 100>>>(counter);
    count_down<<<10, 100>>>(down);
    for (int i = 0; i < 1000; i++) {
        __sync_fetch_and_add(counter, 1);
        __sync_fetch_and_add(down, 1);
    }
    wait();
    printf("%d %u\n", *counter, *down);

    cudaMallocManaged(&flag, 4);
    *flag = 0;
    hand_over<<<1, 1>>>(counter, flag);
    while (*(volatile int *)flag == 0) {
    }
    printf("handed over: %d\n", *counter);
    wait();
    cudaFree(x), cudaFree(device), cudaFreeHost(pinned);
    cudaFree(counter), cudaFree(flag), cudaFree(down);
}
