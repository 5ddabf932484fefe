// Right: the totals of a thread's tiles lie side by side, in the order of the threads, and each thread
// stores its own. There are two shapes of tiles, and copies of 4 bytes where rows begin anywhere.
#include "cuda_check.h"
#include "lab.h"
#include <stdint.h>

constexpr int PRODUCTS = 3;  // 3: 3xTF32; 1: plain TF32
constexpr int FLUSH_K = 256; // columns of A after which the sums are added to the totals

// The tiles, from the block down to the instruction:
//
//    a block's tile of C         a warp's tile             a tile of C, 16 x 8: the lanes that
//    BLOCK_M x BLOCK_N           WARP_M x WARP_N           hold its elements
//
//    +-----------+-----------+   +----+----+-- --+----+     0  0  1  1  2  2  3  3
//    |           |           |   |16x8|16x8|     |16x8|     4  4  5  5  6  6  7  7
//    |  warp 0   |  warp 1   |   +----+----+-- --+----+     ...
//    |           |           |   |    |    |     |    |    28 28 29 29 30 30 31 31
//    +-----------+-----------+   +----+----+-- --+----+     0  0  1  1  2  2  3  3
//    |           |           |   .    .    .     .    .     4  4  5  5  6  6  7  7
//    |  warp 2   |  warp 3   |   +----+----+-- --+----+     ...
//    |           |           |   |    |    |     |    |    28 28 29 29 30 30 31 31
//    +-----------+-----------+   +----+----+-- --+----+
//                                TILES_M x TILES_N tiles
//
// For lane = 4 * group + member, group 0 to 7, member 0 to 3, a lane holds
//    of C (16 x 8)  4 elements: rows group, group + 8;   columns 2 member, 2 member + 1
//    of A (16 x 8)  4 elements: rows group, group + 8;   columns member, member + 4
//    of B ( 8 x 8)  2 elements: rows member, member + 4; column group
template <int BLOCK_M_, int BLOCK_N_, int SLAB_K_, int WARP_M_, int WARP_N_, int BLOCKS_PER_SM_>
struct Shape {
    static constexpr int BLOCK_M = BLOCK_M_, BLOCK_N = BLOCK_N_, SLAB_K = SLAB_K_;
    static constexpr int WARP_M = WARP_M_, WARP_N = WARP_N_;
    static constexpr int BLOCKS_PER_SM = BLOCKS_PER_SM_;

    static constexpr int TILES_M = WARP_M / 16, TILES_N = WARP_N / 8;
    static constexpr int WARPS_M = BLOCK_M / WARP_M, WARPS_N = BLOCK_N / WARP_N;
    static constexpr int THREADS = WARPS_M * WARPS_N * 32;

    // Shared memory, in floats: STAGES slabs of A and B, then the totals. Slab A is not transposed.
    // The padding makes the 32 lanes of a warp read from 32 different banks.
    static constexpr int STAGES = 2;
    static constexpr int ROW_A = SLAB_K + 4;
    static constexpr int ROW_B = BLOCK_N + 8;
    static constexpr int SLAB_A_FLOATS = BLOCK_M * ROW_A;
    static constexpr int STAGE_FLOATS = SLAB_A_FLOATS + SLAB_K * ROW_B;
    static constexpr int SHARED_FLOATS = STAGES * STAGE_FLOATS + BLOCK_M * BLOCK_N;

    static_assert(SLAB_K % 8 == 0 && FLUSH_K % SLAB_K == 0, "whole instructions in a slab");
};

using Large = Shape<128, 128, 16, 64, 64, 2>;
using Small = Shape<64, 64, 16, 32, 32, 2>;

// --- cp.async, as in lab 8 -----------------------------------------------------------------------

template <int BYTES> __device__ void copy_async(float *to, const float *from, bool exists) {
    unsigned address = (unsigned)__cvta_generic_to_shared(to);
    int bytes = exists ? BYTES : 0;
    if (BYTES == 16)
        asm volatile("cp.async.cg.shared.global [%0], [%1], 16, %2;" ::"r"(address), "l"(from),
                     "r"(bytes));
    else
        asm volatile("cp.async.ca.shared.global [%0], [%1], 4, %2;" ::"r"(address), "l"(from),
                     "r"(bytes));
}

__device__ void end_copy_group() {
    asm volatile("cp.async.commit_group;" ::: "memory");
}

template <int PENDING> __device__ void wait_for_copy_groups() {
    asm volatile("cp.async.wait_group %0;" ::"n"(PENDING) : "memory");
}

// What one thread copies of each slab. Nothing is transposed, so both slabs go 16 bytes at a time
// if QUADS says that rows of A and of B begin at multiples of 16 bytes. What lies outside the
// matrices is zero.
template <class S, bool QUADS> struct Copier {
    static constexpr int WIDTH = QUADS ? 4 : 1;                     // floats in a part
    static constexpr int ROWS_A = S::THREADS / (S::SLAB_K / WIDTH); // that a part of slab A covers
    static constexpr int ROWS_B = S::THREADS / (S::BLOCK_N / WIDTH);
    static_assert(S::THREADS % (S::SLAB_K / WIDTH) == 0 && S::BLOCK_M % ROWS_A == 0, "whole rows");
    static_assert(S::THREADS % (S::BLOCK_N / WIDTH) == 0 && S::SLAB_K % ROWS_B == 0, "whole rows");

    const float *from_A, *from_B;        // this thread's first part of each
    size_t width_A, width_B;             // floats in a row of A, of B
    int row_A, p_A, p_B, col_B;          // where these parts are in the slabs
    int rows_left, columns_left, k_left; // how much of the matrices begins at this slab

    __device__ Copier(int m, int n, int k, const float *A, const float *B, int first_row,
                      int first_col) {
        p_A = threadIdx.x % (S::SLAB_K / WIDTH) * WIDTH;
        row_A = threadIdx.x / (S::SLAB_K / WIDTH);
        col_B = threadIdx.x % (S::BLOCK_N / WIDTH) * WIDTH;
        p_B = threadIdx.x / (S::BLOCK_N / WIDTH);
        width_A = k;
        width_B = n;
        rows_left = m - first_row;
        columns_left = n - first_col;
        k_left = k;
        from_A = A + (first_row + row_A) * width_A + p_A;
        from_B = B + p_B * width_B + first_col + col_B;
    }

    // Starts the copy of this slab into a stage, and goes on to the next slab.
    __device__ void copy_slab(float *stage) {
#pragma unroll
        for (int row = 0; row < S::BLOCK_M; row += ROWS_A)
            copy_async<WIDTH * 4>(stage + (row_A + row) * S::ROW_A + p_A, from_A + row * width_A,
                                  row_A + row < rows_left && p_A < k_left);
#pragma unroll
        for (int row = 0; row < S::SLAB_K; row += ROWS_B)
            copy_async<WIDTH * 4>(stage + S::SLAB_A_FLOATS + (p_B + row) * S::ROW_B + col_B,
                                  from_B + row * width_B,
                                  p_B + row < k_left && col_B < columns_left);
        end_copy_group();
        from_A += S::SLAB_K;
        from_B += S::SLAB_K * width_B;
        k_left -= S::SLAB_K;
    }
};

// --- TF32 ----------------------------------------------------------------------------------------

// The TF32 number nearest to x, as a bit pattern. From compute capability 9.0 on, one way of
// rounding is an instruction of its own; before, the compiler makes it of several. They differ in
// ties only.
__device__ uint32_t to_tf32(float x) {
    uint32_t bits;
#if __CUDA_ARCH__ >= 900
    asm("cvt.rn.tf32.f32 %0, %1;" : "=r"(bits) : "f"(x));
#else
    asm("cvt.rna.tf32.f32 %0, %1;" : "=r"(bits) : "f"(x));
#endif
    return bits;
}

// Splits x into two TF32 numbers whose sum is x, to within 2^-21 of it. mma reads only those bits
// of a float that a TF32 number has; so `big` must be rounded, but mma itself cuts `small` to size.
__device__ void split(float x, uint32_t &big, uint32_t &small) {
    // TODO 1: A TF32 number's bits are those of a float: __uint_as_float() and __float_as_uint()
    // turn one into the other.
    big = to_tf32(x);
    small = __float_as_uint(x - __uint_as_float(big));
}

// c += a * b, for a 16 x 8 tile of A, an 8 x 8 tile of B and a 16 x 8 tile of C. All 32 lanes of
// the warp call it together.
__device__ void multiply_tiles(float (&c)[4], const uint32_t (&a)[4], const uint32_t (&b)[2]) {
    asm("mma.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32 "
        "{%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%0, %1, %2, %3};"
        : "+f"(c[0]), "+f"(c[1]), "+f"(c[2]), "+f"(c[3])
        : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]));
}

// --- Totals --------------------------------------------------------------------------------------

// Four floats in shared memory, read and written at once. Where some of the four may not be needed, as
// at C's edge, a compiler would rather read them one by one, and each of those reads has conflicts.
__device__ float4 get4(const float *from) {
    unsigned address = (unsigned)__cvta_generic_to_shared(from);
    float4 quad;
    asm volatile("ld.shared.v4.f32 {%0, %1, %2, %3}, [%4];"
                 : "=f"(quad.x), "=f"(quad.y), "=f"(quad.z), "=f"(quad.w)
                 : "r"(address)
                 : "memory");
    return quad;
}

__device__ void put4(float *to, float4 quad) {
    *(float4 *)to = quad;
}

// Adds four sums to their totals, and lets them start at zero again.
__device__ void flush(float *total, float (&sum)[4]) {
    float4 t = get4(total);
    put4(total, {t.x + sum[0], t.y + sum[1], t.z + sum[2], t.w + sum[3]});
    sum[0] = sum[1] = sum[2] = sum[3] = 0.0f;
}

// --- The kernel ----------------------------------------------------------------------------------

template <class S, bool QUADS>
__global__ void __launch_bounds__(S::THREADS, S::BLOCKS_PER_SM)
    multiply_tensor_cores(int m, int n, int k, const float *A, const float *B, float *C) {
    extern __shared__ __align__(16) float shared[];

    // The order of the blocks, as in lab 8.
    constexpr int BAND = 8;
    int tiles_down = (m - 1) / S::BLOCK_M + 1;
    int tiles_across = (n - 1) / S::BLOCK_N + 1;
    int band = blockIdx.x / (BAND * tiles_across);
    int in_band = blockIdx.x % (BAND * tiles_across);
    int height = min(BAND, tiles_down - band * BAND);
    int first_row = (band * BAND + in_band % height) * S::BLOCK_M;
    int first_col = in_band / height * S::BLOCK_N;

    int warp = threadIdx.x / 32;
    int group = threadIdx.x % 32 / 4;
    int member = threadIdx.x % 4;
    int warp_row = warp / S::WARPS_N * S::WARP_M; // in the block's tile of C
    int warp_col = warp % S::WARPS_N * S::WARP_N;

    float sum[S::TILES_M][S::TILES_N][4] = {};

    // This thread's totals: four for each of its tiles, those of neighbouring threads side by side.
    float *total = shared + S::STAGES * S::STAGE_FLOATS + threadIdx.x * 4;
#pragma unroll
    for (int tile = 0; tile < S::TILES_M * S::TILES_N; ++tile)
        put4(total + tile * S::THREADS * 4, {0.0f, 0.0f, 0.0f, 0.0f});

    Copier<S, QUADS> copier(m, n, k, A, B, first_row, first_col);
    copier.copy_slab(shared);

    int slabs = (k - 1) / S::SLAB_K + 1; // rounded up
#pragma unroll 1
    for (int slab = 0; slab < slabs; ++slab) {
        wait_for_copy_groups<0>(); // for this slab
        __syncthreads();           // everyone has it, and nobody needs the slab before it any more
        copier.copy_slab(shared + (slab + 1) % S::STAGES * S::STAGE_FLOATS);

        const float *slab_A = shared + slab % S::STAGES * S::STAGE_FLOATS;
        const float *slab_B = slab_A + S::SLAB_A_FLOATS;
#pragma unroll
        for (int p = 0; p < S::SLAB_K; p += 8) {
            // TODO 2: Read this lane's elements of the TILES_M tiles of A, columns p to p + 7 of
            // the slab, in the order (row group, column member), (group + 8, member), (group,
            // member + 4), (group + 8, member + 4), and split each.
            uint32_t big_a[S::TILES_M][4], small_a[S::TILES_M][4];
#pragma unroll
            for (int i = 0; i < S::TILES_M; ++i) {
#pragma unroll
                for (int e = 0; e < 4; ++e) {
                    int row = warp_row + i * 16 + group + e % 2 * 8;
                    int col = p + member + e / 2 * 4;
                    split(slab_A[row * S::ROW_A + col], big_a[i][e], small_a[i][e]);
                }
            }

            // TODO 3: For each of the TILES_N tiles of B: read this lane's elements, (row member,
            // column group) and (member + 4, group), and split them. Then multiply with all tiles
            // of A: the two small products first, then the big one. (If PRODUCTS is 1, that only.)
#pragma unroll
            for (int j = 0; j < S::TILES_N; ++j) {
                uint32_t big_b[2], small_b[2];
#pragma unroll
                for (int e = 0; e < 2; ++e) {
                    int col = warp_col + j * 8 + group;
                    split(slab_B[(p + member + e * 4) * S::ROW_B + col], big_b[e], small_b[e]);
                }
                if (PRODUCTS == 3) {
#pragma unroll
                    for (int i = 0; i < S::TILES_M; ++i)
                        multiply_tiles(sum[i][j], small_a[i], big_b);
#pragma unroll
                    for (int i = 0; i < S::TILES_M; ++i)
                        multiply_tiles(sum[i][j], big_a[i], small_b);
                }
#pragma unroll
                for (int i = 0; i < S::TILES_M; ++i)
                    multiply_tiles(sum[i][j], big_a[i], big_b);
            }
        }

        // TODO 4: After every FLUSH_K columns, and after the last slab, flush the sums. The totals of
        // tile (i, j) are at total + (i * TILES_N + j) * THREADS * 4.
        if ((slab + 1) % (FLUSH_K / S::SLAB_K) == 0 || slab + 1 == slabs) {
#pragma unroll
            for (int i = 0; i < S::TILES_M; ++i)
#pragma unroll
                for (int j = 0; j < S::TILES_N; ++j)
                    flush(total + (i * S::TILES_N + j) * S::THREADS * 4, sum[i][j]);
        }
    }

    // TODO 5: Store the totals that have an element in C: x and y belong to row `group` of their
    // tile, z and w to row group + 8.
#pragma unroll
    for (int i = 0; i < S::TILES_M; ++i)
#pragma unroll
        for (int j = 0; j < S::TILES_N; ++j) {
            float4 t = get4(total + (i * S::TILES_N + j) * S::THREADS * 4);
            int row = first_row + warp_row + i * 16 + group;
            int col = first_col + warp_col + j * 8 + member * 2;
            float *to = C + (size_t)row * n + col;
            if (row < m && col < n)
                to[0] = t.x;
            if (row < m && col < n - 1)
                to[1] = t.y;
            if (row < m - 8 && col < n)
                to[(size_t)8 * n] = t.z;
            if (row < m - 8 && col < n - 1)
                to[(size_t)8 * n + 1] = t.w;
        }
}

// --- Launching -----------------------------------------------------------------------------------

template <class S> static int tiles(int m, int n) {
    return ((m - 1) / S::BLOCK_M + 1) * ((n - 1) / S::BLOCK_N + 1);
}

template <class S>
static void launch(int m, int n, int k, const float *A, const float *B, float *C) {
    int bytes = S::SHARED_FLOATS * (int)sizeof(float);
    uintptr_t addresses = (uintptr_t)A | (uintptr_t)B;
    bool quads = k % 4 == 0 && n % 4 == 0 && addresses % sizeof(float4) == 0;
    auto kernel = quads ? multiply_tensor_cores<S, true> : multiply_tensor_cores<S, false>;

    CUDA_CHECK(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, bytes));
    kernel<<<tiles<S>(m, n), S::THREADS, bytes>>>(m, n, k, A, B, C);
    CUDA_CHECK_LAUNCH();
}

void matmul_device(int m, int n, int k, const float *A, const float *B, float *C) {
    int device, multiprocessors;
    CUDA_CHECK(cudaGetDevice(&device));
    CUDA_CHECK(cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, device));

    // Large tiles, if there are enough of them to give each multiprocessor one.
    if (tiles<Large>(m, n) >= multiprocessors)
        launch<Large>(m, n, k, A, B, C);
    else
        launch<Small>(m, n, k, A, B, C);
}
