// cuBLAS with halves, bfloat16 and rounded floats, against sums in double.
#include <cmath>
#include <cstdio>
#include <cublas_v2.h>
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <vector>

static const int m = 33, n = 17, k = 40;

static float value(int i) {
    return (float)((i * 37) % 101 - 50) / 64.0f;
}

template <class T> static T *device(int count, int seed) {
    std::vector<T> v(count);
    for (int i = 0; i < count; ++i)
        v[i] = T(value(i + seed));
    T *d;
    cudaMalloc(&d, count * sizeof(T));
    cudaMemcpy(d, v.data(), count * sizeof(T), cudaMemcpyHostToDevice);
    return d;
}

// The largest error against alpha A B + beta C of the rounded operands, relative to what C's type resolves.
template <class In, class Out> static double error(const Out *C, double resolution, float rounding = 0.0f) {
    std::vector<Out> c(m * n);
    cudaMemcpy(c.data(), C, m * n * sizeof(Out), cudaMemcpyDeviceToHost);
    double worst = 0;
    for (int j = 0; j < n; ++j)
        for (int i = 0; i < m; ++i) {
            double s = 0;
            for (int q = 0; q < k; ++q)
                s += (double)(float)In(value(i + q * m + 1)) * (double)(float)In(value(q + j * k + 2));
            s = 2 * s + 0.5 * (double)(float)Out(value(i + j * m + 3));
            worst = std::fmax(worst, std::fabs((double)(float)c[i + j * m] - s) / (std::fabs(s) + 1) / resolution);
        }
    return rounding == 0.0f ? worst : worst / rounding;
}

template <class In, class Out, class Scalar>
static void run(cublasHandle_t h, const char *name, cudaDataType in, cudaDataType out, cublasComputeType_t compute,
                double resolution) {
    In *A = device<In>(m * k, 1), *B = device<In>(k * n, 2);
    Out *C = device<Out>(m * n, 3);
    const Scalar alpha = Scalar(2.0f), beta = Scalar(0.5f);
    const cublasStatus_t status = cublasGemmEx(h, CUBLAS_OP_N, CUBLAS_OP_N, m, n, k, &alpha, A, in, m, B, in, k, &beta, C,
                                               out, m, compute, CUBLAS_GEMM_DEFAULT);
    printf("%s: %s, %s\n", name, cublasGetStatusString(status),
           status != CUBLAS_STATUS_SUCCESS ? "-" : error<In>(C, resolution) <= 1 ? "right" : "wrong");
    cudaFree(A);
    cudaFree(B);
    cudaFree(C);
}

int main() {
    cublasHandle_t h;
    cublasCreate(&h);
    const double f32 = 1e-5, f16 = 1.0 / 1024, bf16 = 1.0 / 128;
    run<__half, __half, float>(h, "half, float sums", CUDA_R_16F, CUDA_R_16F, CUBLAS_COMPUTE_32F, f16);
    run<__half, float, float>(h, "half to float", CUDA_R_16F, CUDA_R_32F, CUBLAS_COMPUTE_32F, f32);
    run<__half, __half, __half>(h, "half, half sums", CUDA_R_16F, CUDA_R_16F, CUBLAS_COMPUTE_16F, f16);
    run<__nv_bfloat16, __nv_bfloat16, float>(h, "bfloat16", CUDA_R_16BF, CUDA_R_16BF, CUBLAS_COMPUTE_32F, bf16);
    run<__nv_bfloat16, float, float>(h, "bfloat16 to float", CUDA_R_16BF, CUDA_R_32F, CUBLAS_COMPUTE_32F, f32);
    run<float, float, float>(h, "float, tf32", CUDA_R_32F, CUDA_R_32F, CUBLAS_COMPUTE_32F_FAST_TF32, f32);
    run<float, float, float>(h, "float, as halves", CUDA_R_32F, CUDA_R_32F, CUBLAS_COMPUTE_32F_FAST_16F, f32);
    run<__half, float, float>(h, "half sums to float", CUDA_R_16F, CUDA_R_32F, CUBLAS_COMPUTE_16F, f32);

    __half *A = device<__half>(m * k, 1), *B = device<__half>(k * n, 2), *C = device<__half>(m * n, 3);
    const __half alpha = __float2half(2.0f), beta = __float2half(0.5f);
    printf("cublasHgemm: %s, ",
           cublasGetStatusString(cublasHgemm(h, CUBLAS_OP_N, CUBLAS_OP_N, m, n, k, &alpha, A, m, B, k, &beta, C, m)));
    printf("%s\n", error<__half>(C, f16) <= 1 ? "right" : "wrong");
    // on one line: nvcc gives a statement's parts the line on which it begins
    cublasStatus_t status = cublasHgemm(h, CUBLAS_OP_N, CUBLAS_OP_N, m, n, k, &alpha, A, m + 100, B, k, &beta, C, m);
    printf("too long: %s\n", cublasGetStatusString(status));
    printf("%s\n", cudaGetErrorString(cudaDeviceSynchronize()));
}
