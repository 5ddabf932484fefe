// A's tile lies transposed, its columns XORed with the row in place of padding; rows of C run along grid.x.
#include "cuda_check.h"
#include "lab.h"

constexpr unsigned TILE = 32;

class SwizzledTile {
    float cell[TILE * TILE];

  public:
    __device__ __forceinline__ float &at(unsigned row, unsigned col) {
        return cell[row * TILE + (col ^ row)];
    }
};

__global__ void __launch_bounds__(TILE *TILE)
    multiply(unsigned width, const float *const A, const float *const B, float *const C) {
    __shared__ SwizzledTile At; // At(p, row)
    __shared__ float Bs[TILE][TILE];
    unsigned const x = threadIdx.x, y = threadIdx.y;
    unsigned const row = blockIdx.x * TILE + y; // note: rows along grid.x, columns along grid.y
    unsigned const col = blockIdx.y * TILE + x;
    float sum = 0;
    for (unsigned phase = 0; phase != width / TILE; ++phase) {
        At.at(x, y) = A[(std::size_t)row * width + phase * TILE + x];
        Bs[y][x] = B[(std::size_t)(phase * TILE + y) * width + col];
        __syncthreads();
        for (unsigned p = 0; p != TILE; ++p)
            sum += At.at(p, y) * Bs[p][x];
        __syncthreads();
    }
    C[(std::size_t)row * width + col] = sum;
}

void matmul_device(int m, int n, int k, const float *A, const float *B, float *C) {
    multiply<<<dim3(m / TILE, n / TILE), dim3(TILE, TILE)>>>(k, A, B, C);
    CUDA_CHECK_LAUNCH();
}
