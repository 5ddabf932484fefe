// Events that were not made, not recorded, without times, or not waited for: each is told, with the line
// of the call, and the call gives the error that CUDA documents.
#include <cstdio>

__global__ void set(int *x) {
    x[threadIdx.x] = 1;
}

static void elapsed(const char *what, cudaEvent_t first, cudaEvent_t second) {
    float ms = -1;
    cudaError_t error = cudaEventElapsedTime(&ms, first, second);
    printf("%s: %s, %s\n", what, cudaGetErrorName(error), ms < 0 ? "no time" : "a time");
}

int main() {
    cudaEvent_t first, second, untimed, gone;
    cudaStream_t stream;
    int *x;
    cudaMalloc(&x, 32 * sizeof *x);
    cudaStreamCreate(&stream);
    cudaEventCreate(&first);
    cudaEventCreate(&second);
    cudaEventCreateWithFlags(&untimed, cudaEventDisableTiming);

    elapsed("nothing recorded", first, second);
    cudaEventRecord(first, stream);
    elapsed("one recorded", first, second);
    cudaEventRecord(untimed, stream);
    elapsed("one untimed", first, untimed);

    cudaEventRecord(second, stream);
    elapsed("nothing between them", first, second);
    set<<<1, 32, 0, stream>>>(x);
    cudaEventRecord(second, stream);
    elapsed("not waited for", first, second);
    cudaEventSynchronize(second);
    elapsed("waited for", first, second);
    set<<<1, 32>>>(x);
    cudaEventRecord(second);
    elapsed("on the default stream", first, second);
    cudaDeviceSynchronize();
    elapsed("the device is done", first, second);

    cudaEventCreate(&gone);
    cudaEventDestroy(gone);
    printf("%s\n", cudaGetErrorName(cudaEventRecord(gone)));
    printf("%s\n", cudaGetErrorName(cudaEventSynchronize(gone)));
    printf("%s\n", cudaGetErrorName(cudaStreamWaitEvent(stream, gone, 0)));
    printf("%s\n", cudaGetErrorName(cudaEventDestroy(gone)));
    cudaEventDestroy(first);
    cudaEventDestroy(second);
    cudaEventDestroy(untimed);
    cudaStreamDestroy(stream);
    return cudaFree(x) != cudaSuccess;
}
