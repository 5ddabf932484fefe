// Lab 6's kernel where rows do not begin at multiples of 16 bytes.
// Lab 7: wider loads, a tile for every warp, and shared memory laid out to suit them.
//
// The idea:
//   - Lab 6 spends a quarter of its instructions, and more of its time, on moving numbers. One
//     instruction can move four floats that lie side by side (float4), if their address is a
//     multiple of 16 bytes. So let every access move four: global memory, shared memory, C.
//   - A thread's numbers of B lie side by side in slab B. Those of A lie one below another, unless
//     slab A is stored transposed: then they lie side by side, too.
//   - 32 threads, a warp, execute each instruction together. The fewer different numbers a warp
//     asks for, the sooner shared memory has served it. For one p, a warp of lab 6 needs 16 numbers
//     of A and 128 of B for its 2048 multiplications. A warp with a tile of its own, 64 x 32
//     elements of C, needs 64 and 32.
//   - Storing slab A transposed puts neighbouring lanes into different rows of it. Rows of BLOCK_M
//     floats would put these into one bank; rows that are 4 floats longer do not.

#include "cuda_check.h"
#include "lab.h"
#include <stdint.h>

constexpr int BLOCK_M = 128; // a block computes BLOCK_M x BLOCK_N elements of C ...
constexpr int BLOCK_N = 128;
constexpr int SLAB_K = 16; // ... and in each phase takes SLAB_K columns of A and rows of B
constexpr int WARP_M = 64; // each of its warps computes WARP_M x WARP_N elements
constexpr int WARP_N = 32;
constexpr int THREAD_M = 8; // each thread of a warp, a lane, computes THREAD_M x THREAD_N
constexpr int THREAD_N = 8;
constexpr int PADDING = 4; // unused floats at the end of each row of slab A

constexpr int LANES_M = WARP_M / THREAD_M; // a warp's 32 lanes: 8 rows of them,
constexpr int LANES_N = WARP_N / THREAD_N; // 4 in a row
constexpr int WARPS_M = BLOCK_M / WARP_M;  // a block's 8 warps: 2 rows of them,
constexpr int WARPS_N = BLOCK_N / WARP_N;  // 4 in a row
constexpr int THREADS = WARPS_M * WARPS_N * 32;
constexpr int BLOCKS_PER_SM = 2;

static_assert(LANES_M * LANES_N == 32, "a warp has 32 lanes");
static_assert(BLOCK_M * SLAB_K / 4 % THREADS == 0 && SLAB_K * BLOCK_N / 4 % THREADS == 0,
              "each thread copies equally many quads of a slab");
static_assert(SLAB_K % 8 == 0, "slab A is copied in strips of 8 columns");

//   a block's tile of C, 128 x 128      a warp's tile, 64 x 32      a lane's 8 x 8 elements
//
//   +------+------+------+------+    +----+----+----+----#---   are the four boxes with its
//   |      |      |      |      |    |  0 |  1 |  2 |  3 #  0   number. A box is 4 x 4 elements:
//   | warp | warp | warp | warp |    +----+----+----+----#---   the products of a float4 of A
//   |  0   |  1   |  2   |  3   |    |  4 |  5 |  6 |  7 #  4   and a float4 of B.
//   |      |      |      |      |    +----+----+----+----#---
//   +------+------+------+------+    .    .    .    .    #      A lane's boxes are LANES_M * 4 = 32
//   |      |      |      |      |    +----+----+----+----#---   rows and LANES_N * 4 = 16 columns
//   | warp | warp | warp | warp |    | 28 | 29 | 30 | 31 # 28   apart, so that lanes side by side
//   |  4   |  5   |  6   |  7   |    ########################   read float4's side by side: no
//   |      |      |      |      |    |  0 |  1 |  2 |  3 #  0   bank conflicts.
//   +------+------+------+------+    +----+----+----+----#---

// Reads four consecutive floats of a row of `width` floats, from column `col` on. Floats outside
// the row are zero. Every row begins at a multiple of 16 bytes and has a multiple of 4 floats.
__device__ float4 load4(const float *row, int col, int width) {
    float4 quad = {0.0f, 0.0f, 0.0f, 0.0f};
    if (col < width)
        quad = *(const float4 *)(row + col);
    return quad;
}

// Writes four floats: the counterpart of load4.
__device__ void store4(float *row, int col, int width, float4 quad) {
    if (col < width)
        *(float4 *)(row + col) = quad;
}

// Reads and writes four floats in shared memory at once. Their address is a multiple of 16 bytes.
__device__ void get4(float *to, const float *from) {
    float4 quad = *(const float4 *)from;
    to[0] = quad.x;
    to[1] = quad.y;
    to[2] = quad.z;
    to[3] = quad.w;
}

__device__ void put4(float *to, float4 quad) {
    *(float4 *)to = quad;
}

__global__ void __launch_bounds__(THREADS, BLOCKS_PER_SM)
    multiply_warp_tiled(int m, int n, int k, const float *A, const float *B, float *C) {
    // slab_A[p][row]: transposed. Both are read in float4's, so both begin at a multiple of 16
    // bytes.
    __shared__ __align__(16) float slab_A[SLAB_K][BLOCK_M + PADDING];
    __shared__ __align__(16) float slab_B[SLAB_K][BLOCK_N];

    int blocks_across = (n - 1) / BLOCK_N + 1;
    int first_row = (int)(blockIdx.x / blocks_across) * BLOCK_M; // of this block's tile of C
    int first_col = (int)(blockIdx.x % blocks_across) * BLOCK_N;

    int thread = threadIdx.x;

    int warp = thread / 32;
    int lane = thread % 32;
    int lane_row = warp / WARPS_N * WARP_M + lane / LANES_N * 4;
    int lane_col = warp % WARPS_N * WARP_N + lane % LANES_N * 4;

    float sum[THREAD_M][THREAD_N] = {};

    int slabs = (k - 1) / SLAB_K + 1; // rounded up
    for (int slab = 0; slab < slabs; ++slab) {
        int first_k = slab * SLAB_K; // of this slab

#pragma unroll
        for (int copied = 0; copied < BLOCK_M * SLAB_K / 4; copied += THREADS) {
            int i = copied + thread;
            int row = i / 2 % BLOCK_M;
            int p = i / (2 * BLOCK_M) * 8 + i % 2 * 4;
            int width = row < m - first_row ? k : 0;
            float4 quad = load4(A + (size_t)(first_row + row) * k, first_k + p, width);
            slab_A[p][row] = quad.x;
            slab_A[p + 1][row] = quad.y;
            slab_A[p + 2][row] = quad.z;
            slab_A[p + 3][row] = quad.w;
        }

#pragma unroll
        for (int copied = 0; copied < SLAB_K * BLOCK_N / 4; copied += THREADS) {
            int i = copied + thread;
            int p = i / (BLOCK_N / 4);
            int col = i % (BLOCK_N / 4) * 4;
            int width = p < k - first_k ? n : 0;
            float4 quad = load4(B + (size_t)(first_k + p) * n, first_col + col, width);
            put4(&slab_B[p][col], quad);
        }
        __syncthreads();

#pragma unroll
        for (int p = 0; p < SLAB_K; ++p) {
            float a[THREAD_M];
            float b[THREAD_N];
#pragma unroll
            for (int i = 0; i < THREAD_M; i += 4)
                get4(&a[i], &slab_A[p][lane_row + i * LANES_M]);
#pragma unroll
            for (int j = 0; j < THREAD_N; j += 4)
                get4(&b[j], &slab_B[p][lane_col + j * LANES_N]);

#pragma unroll
            for (int i = 0; i < THREAD_M; ++i)
#pragma unroll
                for (int j = 0; j < THREAD_N; ++j)
                    sum[i][j] += a[i] * b[j];
        }
        __syncthreads();
    }

#pragma unroll
    for (int i = 0; i < THREAD_M; ++i) {
        int row = lane_row + i / 4 * 4 * LANES_M + i % 4;
        int width = row < m - first_row ? n : 0;
#pragma unroll
        for (int j = 0; j < THREAD_N; j += 4) {
            int col = first_col + lane_col + j * LANES_N;
            float4 quad = {sum[i][j], sum[i][j + 1], sum[i][j + 2], sum[i][j + 3]};
            store4(C + (size_t)(first_row + row) * n, col, width, quad);
        }
    }
}

// For rows that begin anywhere: THREADS threads lie on the block's tile like a stamp.
constexpr int ANY_K = 8;
constexpr int STAMP = 16;

__global__ void __launch_bounds__(THREADS, 2)
    multiply_any(int m, int n, int k, const float *A, const float *B, float *C) {
    __shared__ float slab_A[BLOCK_M][ANY_K];
    __shared__ float slab_B[ANY_K][BLOCK_N];

    int blocks_across = (n - 1) / BLOCK_N + 1;
    int first_row = (int)(blockIdx.x / blocks_across) * BLOCK_M; // of this block's tile of C
    int first_col = (int)(blockIdx.x % blocks_across) * BLOCK_N;

    int thread = threadIdx.x;
    int tx = thread % STAMP;
    int ty = thread / STAMP;
    float sum[THREAD_M][THREAD_N] = {};

    int slabs = (k - 1) / ANY_K + 1; // rounded up
    for (int slab = 0; slab < slabs; ++slab) {
        int first_k = slab * ANY_K;
#pragma unroll
        for (int copied = 0; copied < BLOCK_M * ANY_K; copied += THREADS) {
            int i = copied + thread;
            int row = first_row + i / ANY_K;
            int p = i % ANY_K;
            bool exists = row < m && p < k - first_k;
            slab_A[i / ANY_K][p] = exists ? A[(size_t)row * k + first_k + p] : 0.0f;
        }
#pragma unroll
        for (int copied = 0; copied < ANY_K * BLOCK_N; copied += THREADS) {
            int i = copied + thread;
            int p = i / BLOCK_N;
            int col = first_col + i % BLOCK_N;
            bool exists = p < k - first_k && col < n;
            slab_B[p][i % BLOCK_N] = exists ? B[(size_t)(first_k + p) * n + col] : 0.0f;
        }
        __syncthreads();

#pragma unroll
        for (int p = 0; p < ANY_K; ++p) {
            float a[THREAD_M];
            float b[THREAD_N];
#pragma unroll
            for (int i = 0; i < THREAD_M; ++i)
                a[i] = slab_A[ty + i * STAMP][p];
#pragma unroll
            for (int j = 0; j < THREAD_N; ++j)
                b[j] = slab_B[p][tx + j * STAMP];

#pragma unroll
            for (int i = 0; i < THREAD_M; ++i)
#pragma unroll
                for (int j = 0; j < THREAD_N; ++j)
                    sum[i][j] += a[i] * b[j];
        }
        __syncthreads();
    }

#pragma unroll
    for (int i = 0; i < THREAD_M; ++i) {
        int row = first_row + ty + i * STAMP;
#pragma unroll
        for (int j = 0; j < THREAD_N; ++j) {
            int col = first_col + tx + j * STAMP;
            if (row < m && col < n)
                C[(size_t)row * n + col] = sum[i][j];
        }
    }
}

void matmul_device(int m, int n, int k, const float *A, const float *B, float *C) {
    int blocks_down = (m - 1) / BLOCK_M + 1; // rounded up
    int blocks_across = (n - 1) / BLOCK_N + 1;
    int blocks = blocks_down * blocks_across;

    uintptr_t addresses = (uintptr_t)A | (uintptr_t)B | (uintptr_t)C;
    if (k % 4 == 0 && n % 4 == 0 && addresses % sizeof(float4) == 0)
        multiply_warp_tiled<<<blocks, THREADS>>>(m, n, k, A, B, C);
    else
        multiply_any<<<blocks, THREADS>>>(m, n, k, A, B, C);
    CUDA_CHECK_LAUNCH();
}
