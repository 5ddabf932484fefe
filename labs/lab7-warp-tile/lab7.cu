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
//
// Build and run:  make lab7 && build/vgpu/lab7 140 50 90  (with a GPU: build/gpu/lab7)
// Grade:          ./grader lab7

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
// the row are zero. QUADS: every row begins at a multiple of 16 bytes and has a multiple of 4
// floats.
template <bool QUADS> __device__ float4 load4(const float *row, int col, int width) {
    float4 quad = {0.0f, 0.0f, 0.0f, 0.0f};
    // TODO 1: With QUADS, read all four floats at once, through a pointer to const float4, if `col`
    // lies in the row. Without QUADS, read one by one those of the four that exist.
    (void)row, (void)col, (void)width; // delete this line
    return quad;
}

// Writes four floats: the counterpart of load4.
template <bool QUADS> __device__ void store4(float *row, int col, int width, float4 quad) {
    // TODO 2: The same for writing. Write nothing outside the row.
    (void)row, (void)col, (void)width, (void)quad; // delete this line
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

template <bool QUADS>
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

    // TODO 3: Find this thread's warp and lane, and from these the row and the column, in the
    // block's tile of C, of the lane's first box of 4 x 4 elements (see the drawing).

    float sum[THREAD_M][THREAD_N] = {};

    int slabs = (k - 1) / SLAB_K + 1; // rounded up
    for (int slab = 0; slab < slabs; ++slab) {
        int first_k = slab * SLAB_K; // of this slab

        // TODO 4: Copy slab A with load4, transposed. Consecutive threads take two quads (8
        // columns) of a row and go down row by row: quad i is in row i / 2, and the next strip of 8
        // columns begins at quad 2 * BLOCK_M. A row that lies below A has a width of 0.

        // TODO 5: Copy slab B with load4 and put4, row by row. Then wait.
        (void)first_k; // delete this line

        // TODO 6: As in lab 6, outer products for each p of the slab; but read the numbers of A and B
        // with get4: one call for a box's rows, and one for its columns. Then wait.
    }

    // TODO 7: Store the sums with store4. Row i of a lane's sums is in its box i / 4, and there row
    // i % 4.
    (void)m, (void)sum, (void)A, (void)B, (void)C; // delete these two lines
    (void)slab_A, (void)slab_B, (void)first_row, (void)first_col, (void)thread;
}

void matmul_device(int m, int n, int k, const float *A, const float *B, float *C) {
    int blocks_down = (m - 1) / BLOCK_M + 1; // rounded up
    int blocks_across = (n - 1) / BLOCK_N + 1;
    int blocks = blocks_down * blocks_across;

    // TODO 8: Launch the kernel with QUADS = true where allowed, else with false: look at k, n
    // and the three addresses. Check the launch.
    (void)blocks, (void)PADDING, (void)k, (void)A, (void)B, (void)C; // delete this line
}
