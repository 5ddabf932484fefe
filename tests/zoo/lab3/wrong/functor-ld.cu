// Wrong: The loader of B steps by the tile's width, not the matrix's.
#include "cuda_check.h"
#include "lab.h"
namespace matmul {
constexpr int kTile = 32;
struct Smem {
    float a[kTile * kTile];
    float b[kTile * kTile];
};
struct Loader {
    const float *src;
    int ld;
    __device__ void operator()(float *dst, int row, int col) const {
        dst[threadIdx.x] = src[(row + threadIdx.x / kTile) * ld + col + threadIdx.x % kTile];
    }
};
__global__ void Kernel(int n, const float *A, const float *B, float *C) {
    __shared__ Smem s;
    const Loader la{A, n}, lb{B, kTile};
    const int r = threadIdx.x / kTile, c = threadIdx.x % kTile;
    const int row = blockIdx.y * kTile, col = blockIdx.x * kTile;
    float sum = 0;
    for (int p = 0; p != n; p += kTile) {
        la(s.a, row, p);
        lb(s.b, p, col);
        __syncthreads();
        for (int i = 0; i < kTile; ++i) sum += s.a[r * kTile + i] * s.b[i * kTile + c];
        __syncthreads();
    }
    C[(row + r) * n + col + c] = sum;
}
} // namespace matmul
void matmul_device(int m, int n, int k, const float *A, const float *B, float *C) {
    (void)m; (void)k;
    const dim3 grid(n / matmul::kTile, n / matmul::kTile);
    matmul::Kernel<<<grid, matmul::kTile * matmul::kTile>>>(n, A, B, C);
    CUDA_CHECK_LAUNCH();
}
