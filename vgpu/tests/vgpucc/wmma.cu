// wmma: products of half, bfloat16 and tf32 matrices, exact ones.
#include <cstdio>
#include <mma.h>
using namespace nvcuda;
template <class T, class L> __global__ void gemm(const T *A, const T *B, float *C, int n) {
    wmma::fragment<wmma::matrix_a, 16, 16, 16, T, wmma::row_major> a;
    wmma::fragment<wmma::matrix_b, 16, 16, 16, T, L> b;
    wmma::fragment<wmma::accumulator, 16, 16, 16, float> c;
    wmma::fill_fragment(c, 0.0f);
    int row = blockIdx.y * 16, col = blockIdx.x * 16;
    for (int k = 0; k < n; k += 16) {
        wmma::load_matrix_sync(a, A + row * n + k, n);
        wmma::load_matrix_sync(b, B + k * n + col, n);
        wmma::mma_sync(c, a, b, c);
    }
    for (int i = 0; i < c.num_elements; i++)
        c.x[i] *= 2.0f;
    wmma::store_matrix_sync(C + row * n + col, c, n, wmma::mem_row_major);
}
__global__ void gemm_tf32(const float *A, const float *B, float *C, int n) {
    wmma::fragment<wmma::matrix_a, 16, 16, 8, wmma::precision::tf32, wmma::row_major> a;
    wmma::fragment<wmma::matrix_b, 16, 16, 8, wmma::precision::tf32, wmma::row_major> b;
    wmma::fragment<wmma::accumulator, 16, 16, 8, float> c;
    wmma::fill_fragment(c, 0.0f);
    int row = blockIdx.y * 16, col = blockIdx.x * 16;
    for (int k = 0; k < n; k += 8) {
        wmma::load_matrix_sync(a, A + row * n + k, n);
        wmma::load_matrix_sync(b, B + k * n + col, n);
        for (int t = 0; t < a.num_elements; t++)
            a.x[t] = wmma::__float_to_tf32(a.x[t]);
        for (int t = 0; t < b.num_elements; t++)
            b.x[t] = wmma::__float_to_tf32(b.x[t]);
        wmma::mma_sync(c, a, b, c);
    }
    wmma::store_matrix_sync(C + row * n + col, c, n, wmma::mem_row_major);
}
template <class T> void run(const char *name) {
    const int n = 64;
    T *A, *B;
    float *C;
    cudaMallocManaged(&A, n * n * sizeof(T));
    cudaMallocManaged(&B, n * n * sizeof(T));
    cudaMallocManaged(&C, n * n * 4);
    for (int i = 0; i < n * n; i++) {
        A[i] = T((float)((i * 37) % 101 - 50) / 16);
        B[i] = T((float)((i * 53) % 89 - 44) / 8);
    }
    gemm<T, wmma::row_major><<<dim3(n / 16, n / 16), 32>>>(A, B, C, n);
    printf("%s\n", cudaGetErrorString(cudaDeviceSynchronize()));
    double worst = 0;
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            double s = 0;
            for (int k = 0; k < n; k++)
                s += (double)(float)A[i * n + k] * (double)(float)B[k * n + j];
            double e = fabs(C[i * n + j] - 2 * s);
            if (e > worst)
                worst = e;
        }
    printf("%s worst %g C[5]=%g\n", name, worst, C[5]);
}
int main() {
    run<__half>("half");
    run<__nv_bfloat16>("bf16");
    const int n = 64;
    float *A, *B, *C;
    cudaMallocManaged(&A, n * n * 4);
    cudaMallocManaged(&B, n * n * 4);
    cudaMallocManaged(&C, n * n * 4);
    for (int i = 0; i < n * n; i++) {
        A[i] = (float)((i * 37) % 101 - 50) / 16;
        B[i] = (float)((i * 53) % 89 - 44) / 8;
    }
    gemm_tf32<<<dim3(4, 4), 32>>>(A, B, C, n);
    printf("%s\n", cudaGetErrorString(cudaDeviceSynchronize()));
    double worst = 0;
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            double s = 0;
            for (int k = 0; k < n; k++)
                s += (double)A[i * n + k] * B[k * n + j];
            worst = fmax(worst, fabs(s - C[i * n + j]));
        }
    printf("tf32 worst %g\n", worst);
}
