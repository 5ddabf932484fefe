#include "check.cuh"
__global__ void scale(float *x, float a, int n) { for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) x[i] *= a; }
int main() {
    const int n = 100003; float *x; CUDA(cudaMallocManaged(&x, n * sizeof *x));
    for (int i = 0; i < n; i++) x[i] = i;
    int sms; CUDA(cudaDeviceGetAttribute(&sms, cudaDevAttrMultiProcessorCount, 0));
    scale<<<sms, 128>>>(x, 2, n); CUDA(cudaDeviceSynchronize());
    for (int i = 0; i < n; i++) MUST(x[i] == 2.0f * i);
    cudaFree(x);
}
