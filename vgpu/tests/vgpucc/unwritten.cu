// What nobody wrote, read by cuBLAS or copied to the host: told once for each allocation.
#include <cstdio>
#include <cublas_v2.h>

__global__ void fill(float *x, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        x[i] = 1;
}

int main() {
    const int n = 1000;
    static float host[4096];
    float *x, *a, *b, *c, *wide;
    unsigned char *bytes;
    cudaMalloc(&bytes, 7);
    cudaMemcpy(host, bytes, 7, cudaMemcpyDeviceToHost); // nothing was launched yet
    cudaMalloc(&x, n * sizeof *x);
    fill<<<n / 128, 128>>>(x, n); // rounded down: 104 are missing
    cudaMemcpy(host, x, n * sizeof *x, cudaMemcpyDeviceToHost);
    cudaMemcpy(host, x, n * sizeof *x, cudaMemcpyDeviceToHost); // said once
    fill<<<(n + 127) / 128, 128>>>(x, n);
    cudaMemcpy(host, x, n * sizeof *x, cudaMemcpyDeviceToHost);

    // A third of each row is padding, which nobody reads.
    const float one = 1, zero = 0;
    cublasHandle_t handle;
    cublasCreate(&handle);
    cudaMalloc(&a, 16), cudaMalloc(&b, 16), cudaMalloc(&c, 16), cudaMalloc(&wide, 24);
    cudaMemset(b, 0, 16);
    cudaMemset2D(wide, 12, 0, 8, 2);
    cublasSgemm(handle, CUBLAS_OP_N, CUBLAS_OP_N, 2, 2, 2, &one, wide, 3, b, 2, &zero, c, 2);
    cublasSgemm(handle, CUBLAS_OP_N, CUBLAS_OP_T, 2, 2, 2, &one, b, 2, a, 2, &zero, c, 2);
    cudaFree(c), cudaMalloc(&c, 16);
    cublasSgemm(handle, CUBLAS_OP_N, CUBLAS_OP_T, 2, 2, 2, &one, b, 2, b, 2, &one, c, 2);
    cudaFree(a), cudaMalloc(&a, 16);
    float sum;
    cudaMemset(a, 0, 8);
    cublasSdot(handle, 2, a, 1, b, 2, &sum);
    cublasSasum(handle, 2, a, 2, &sum);
    cudaMemcpy2D(host, 8, wide, 12, 8, 2, cudaMemcpyDeviceToHost);

    // A copy has what its source has: half of it.
    cudaFree(a), cudaMalloc(&a, 32), cudaFree(b), cudaMalloc(&b, 32), cudaFree(c), cudaMalloc(&c, 36);
    cudaMemset(a, 0, 16);
    cudaMemcpy(b, a, 32, cudaMemcpyDeviceToDevice);
    cublasScopy(handle, 8, b, 1, c + 1, 1);
    cudaMemcpy(host, c + 1, 32, cudaMemcpyDeviceToHost);
    cudaFree(c), cudaMalloc(&c, 32);
    cublasSswap(handle, 4, a, 1, c, 1);
    cudaMemcpy(host, c, 16, cudaMemcpyDeviceToHost); // said already
    cudaFree(c), cudaMalloc(&c, 36);
    cublasSsyrk(handle, CUBLAS_FILL_MODE_UPPER, CUBLAS_OP_N, 3, 1, &one, a, 3, &zero, c, 3);
    cudaMemcpy2D(host, 4, c, 16, 4, 3, cudaMemcpyDeviceToHost); // the diagonal is there
    cudaMemcpy(host, c, 36, cudaMemcpyDeviceToHost);
    cublasSetPointerMode(handle, CUBLAS_POINTER_MODE_DEVICE);
    cudaFree(b), cudaMalloc(&b, 8);
    cublasSdot(handle, 2, a, 1, a, 1, b);
    cublasSscal(handle, 2, b, a, 1);
    cublasSscal(handle, 2, b + 1, a, 1);
    printf("%s\n", cudaGetErrorString(cudaDeviceSynchronize()));
    cublasDestroy(handle);
}
