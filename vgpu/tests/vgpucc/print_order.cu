// What kernels print is shown when the host waits for them, as on a GPU: after what the host printed
// meanwhile, stream by stream, and at once where a kernel faults.
#include <cstdio>

__global__ void say(const char *what, int n) {
    printf("  device: %c %d\n", what[0], n);
}
__global__ void say_twice(int n) {
    printf("  device: block %d of launch %d\n", blockIdx.x, n);
}
__global__ void fault(int *x) {
    printf("  device: about to store\n");
    x[1 << 20] = 1;
}

int main() {
    cudaStream_t s, t;
    cudaEvent_t e;
    char *names;
    int *x, h = 0;
    cudaStreamCreateWithFlags(&s, cudaStreamNonBlocking);
    cudaStreamCreateWithFlags(&t, cudaStreamNonBlocking);
    cudaEventCreate(&e);
    cudaMalloc(&names, 2);
    cudaMalloc(&x, sizeof *x);
    cudaMemcpy(names, "st", 2, cudaMemcpyHostToDevice);

    say_twice<<<2, 1>>>(1);
    printf("launched\n");
    cudaDeviceSynchronize();
    printf("waited\n");

    say_twice<<<1, 1>>>(2);
    say_twice<<<1, 1>>>(3);
    printf("launched twice\n");
    cudaMemcpy(&h, names, 1, cudaMemcpyDeviceToHost);
    printf("copied\n");

    say<<<1, 1, 0, s>>>(names, 1);
    say<<<1, 1, 0, t>>>(names + 1, 2);
    cudaEventRecord(e, t);
    printf("on two streams\n");
    cudaStreamSynchronize(s);
    printf("waited for s\n");
    cudaEventSynchronize(e);
    printf("waited for t\n");

    fault<<<1, 1>>>(x);
    printf("after the fault\n");
    printf("%s\n", cudaGetErrorName(cudaDeviceSynchronize()));
}
