// No pipeline: while copies are awaited, the slab before is read once more, for show.
// Lab 8: copies in the background, and tiles that suit the problem.
//
// The idea:
//   - In lab 7 a block copies, waits, multiplies, waits, copies ... While it copies, it multiplies
//     nothing. cp.async copies from global to shared memory in the background, without passing
//     through registers. So start the copies of a later slab, multiply this one, and only then wait
//     for the copies.
//   - cp.async moves 4, 8 or 16 bytes and cannot transpose. Slab B goes 16 bytes at a time; slab A
//     goes 4 bytes at a time, each to its transposed place.
//   - With that, copying costs almost nothing, and thread tiles can be as large as registers allow:
//     16 x 8. Most of the time, a multiplication now does not wait for memory at all.
//   - Large tiles are no use if there are too few of them for the GPU's multiprocessors. So the
//     host chooses among three shapes; in the small ones, several groups of warps share a tile of C
//     and divide the work along k: slices, added up at the end.
//
// Three levels, each with a check of its own. After each of them all products are right:
//   1. A pipeline: TODO 1, 3, 4 and 6. Tiles of one shape, Large, compute everything.
//   2. Slices: TODO 5. Small tiles compute everything.
//   3. Shapes: TODO 2 and 7. The host chooses.

#include "cuda_check.h"
#include "lab.h"
#include <stdint.h>

// The tiles, from the block down to the thread:
//
//    a block's tile of C             a warp's tile               a thread's elements
//    BLOCK_M x BLOCK_N               WARP_M x WARP_N             THREAD_M x THREAD_N
//
//    +------+------+------+------+   +---+---+-- --+---#---+--   are the boxes with its lane's
//    |      |      |      |      |   | 0 | 1 |     | 7 # 0 |     number: 4 x 4 elements each,
//    | warp | warp | warp | warp |   +---+---+-- --+---#---+--   as in lab 7.
//    |  0   |  1   |  2   |  3   |   | 8 | 9 |     |15 # 8 |
//    |      |      |      |      |   +---+---+-- --+---#---+--   SLICES > 1: there are SLICES
//    +------+------+------+------+   |16 |17 |     |23 #16 |     such groups of warps. In each
//    |      |      |      |      |   +---+---+-- --+---#---+--   slab, slice 0 takes the first
//    | warp | warp | warp | warp |   |24 |25 |     |31 #24 |     SLAB_K / SLICES values of p,
//    |  4   |  5   |  6   |  7   |   ###################       slice 1 the next ones, and so on.
//    |      |      |      |      |   | 0 | 1 |     | 7 #
//    +------+------+------+------+   .   .   .     .   .
template <int BLOCK_M_, int BLOCK_N_, int SLAB_K_, int WARP_M_, int WARP_N_, int THREAD_M_,
          int THREAD_N_, int SLICES_>
struct Shape {
    static constexpr int BLOCK_M = BLOCK_M_, BLOCK_N = BLOCK_N_, SLAB_K = SLAB_K_;
    static constexpr int WARP_M = WARP_M_, WARP_N = WARP_N_;
    static constexpr int THREAD_M = THREAD_M_, THREAD_N = THREAD_N_;
    static constexpr int SLICES = SLICES_;

    static constexpr int LANES_M = WARP_M / THREAD_M, LANES_N = WARP_N / THREAD_N;
    static constexpr int WARPS_M = BLOCK_M / WARP_M, WARPS_N = BLOCK_N / WARP_N;
    static constexpr int SLICE_THREADS = WARPS_M * WARPS_N * 32;
    static constexpr int THREADS = SLICE_THREADS * SLICES;
    static constexpr int STEPS = SLAB_K / SLICES; // values of p that a thread takes from a slab

    // Shared memory: STAGES slabs of A and B, in floats. In the end, the slices' sums take their
    // place.
    static constexpr int STAGES = 2;
    static constexpr int ROW_A = BLOCK_M + 4; // transposed, with padding
    static constexpr int ROW_B = BLOCK_N;
    static constexpr int SLAB_A_FLOATS = SLAB_K * ROW_A;
    static constexpr int STAGE_FLOATS = SLAB_A_FLOATS + SLAB_K * ROW_B;
    static constexpr int SUMS_FLOATS = (SLICES - 1) * BLOCK_M * BLOCK_N;
    static constexpr int SHARED_FLOATS =
        STAGES * STAGE_FLOATS > SUMS_FLOATS ? STAGES *STAGE_FLOATS : SUMS_FLOATS;

    static_assert(LANES_M * LANES_N == 32, "a warp has 32 lanes");
    static_assert(SLAB_K % 8 == 0 && BLOCK_M * 8 % THREADS == 0, "slab A is copied in strips of 8");
    static_assert(STEPS % 8 == 0,
                  "a slab's copies are started in four portions, between the steps");
};

using Large = Shape<128, 256, 16, 64, 64, 16, 8, 1>;
using Medium = Shape<64, 128, 32, 64, 64, 16, 8, 4>;
using Small = Shape<32, 64, 64, 32, 64, 8, 8, 8>;

// --- cp.async ------------------------------------------------------------------------------------

// Starts copying BYTES bytes (4 or 16; both addresses are multiples of that) from global to shared
// memory. If there is nothing to copy, `from` is not read and zeros are written: the last operand
// is the number of bytes to read.
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

// Ends a group of copies: those that this thread has started since the last group.
__device__ void end_copy_group() {
    asm volatile("cp.async.commit_group;" ::: "memory");
}

// Waits until all of this thread's groups have arrived, except the last PENDING ones.
template <int PENDING> __device__ void wait_for_copy_groups() {
    asm volatile("cp.async.wait_group %0;" ::"n"(PENDING) : "memory");
}

// --- Copying slabs -------------------------------------------------------------------------------

// What one thread copies of each slab: PARTS_A parts of A and PARTS_B parts of B. QUADS says that
// rows of B begin at multiples of 16 bytes, so that a part of B is 16 bytes, not 4.
//
// If k is not a multiple of SLAB_K, the first slab is the short one, and zeros stand in for what it
// lacks. All others begin where it ends and are full: their copies need no checks. That matters,
// since each check is an instruction that could have been a multiplication.
//
// A row below A needs no zeros: the last row is copied instead. This spoils only elements outside
// C, which nobody stores.
template <class S, bool QUADS> struct Copier {
    static constexpr int WIDTH_B = QUADS ? 4 : 1; // floats of B in a part
    static constexpr int ROWS_A = S::THREADS / 8; // of slab A, that a strip's part covers
    static constexpr int PASSES_A = S::BLOCK_M / ROWS_A;
    static constexpr int PARTS_A = PASSES_A * (S::SLAB_K / 8);
    static constexpr int ROWS_B = S::THREADS / (S::BLOCK_N / WIDTH_B);
    static constexpr int PARTS_B = S::SLAB_K / ROWS_B;
    static constexpr int PARTS = PARTS_A + PARTS_B;
    static_assert(S::THREADS % (S::BLOCK_N / WIDTH_B) == 0, "a part of slab B is whole rows");

    const float *from_A[PASSES_A]; // this thread's element of the slab's first strip, in each pass
    const float *from_B;           // this thread's first part of slab B
    size_t width_B;                // floats in a row of B
    int p_A, row_A, p_B, col_B;    // where these are in the slabs
    bool in_B;                     // whether B has this thread's column

    // Inlined by force: then all of this lives in registers.
    __device__ __forceinline__ Copier(int m, int n, int k, const float *A, const float *B,
                                      int width, int first_row, int first_col) {
        p_A = threadIdx.x % 8;
        row_A = threadIdx.x / 8;
        p_B = threadIdx.x / (S::BLOCK_N / WIDTH_B);
        col_B = threadIdx.x % (S::BLOCK_N / WIDTH_B) * WIDTH_B;
        in_B = col_B < n - first_col;
        width_B = width;
#pragma unroll
        for (int pass = 0; pass < PASSES_A; ++pass) {
            int row = min(first_row + row_A + pass * ROWS_A, m - 1);
            from_A[pass] = A + (size_t)row * k + p_A;
        }
        from_B = B + p_B * width_B + first_col + col_B;
    }

    // The column of slab A, or the row of slab B, from which this thread copies a part.
    __device__ __forceinline__ int place(int part) {
        return part < PARTS_A ? p_A + part / PASSES_A * 8 : p_B + (part - PARTS_A) * ROWS_B;
    }

    // Starts the copy of one part into a stage, if there is such a part.
    __device__ __forceinline__ void copy(float *stage, int part, bool exists) {
        int p = place(part);
        if (part < PARTS_A) {
            float *to = stage + p * S::ROW_A + row_A + part % PASSES_A * ROWS_A;
            copy_async<4>(to, from_A[part % PASSES_A] + part / PASSES_A * 8, exists);
        } else {
            float *to = stage + S::SLAB_A_FLOATS + p * S::ROW_B + col_B;
            const float *from = from_B + (part - PARTS_A) * ROWS_B * width_B;
            copy_async<WIDTH_B * 4>(to, from, exists && in_B);
        }
    }

    // Starts the copies of a slab's first `columns` columns of A and rows of B.
    __device__ __forceinline__ void copy_slab(float *stage, int columns) {
#pragma unroll
        for (int part = 0; part < PARTS; ++part)
            copy(stage, part, place(part) < columns);
    }

    // Goes on to the slab that begins `columns` columns of A and rows of B later.
    __device__ __forceinline__ void advance(int columns) {
#pragma unroll
        for (int pass = 0; pass < PASSES_A; ++pass)
            from_A[pass] += columns;
        from_B += columns * width_B;
    }
};

// --- The kernel ----------------------------------------------------------------------------------

// Four floats at once, from shared memory.
__device__ void load4(float *to, const float *from) {
    float4 quad = *(const float4 *)from;
    to[0] = quad.x;
    to[1] = quad.y;
    to[2] = quad.z;
    to[3] = quad.w;
}

// Multiplies A (m x k) by n columns of B, whose rows lie `width` floats apart, as do those of C.
template <class S, bool QUADS>
__global__ void __launch_bounds__(S::THREADS, 1)
    multiply_async(int m, int n, int k, const float *A, const float *B, float *C, int width) {
    // More than 48 KB of shared memory must be asked for in the launch, and is declared like this.
    extern __shared__ __align__(16) float shared[];

    int tiles_down = (m - 1) / S::BLOCK_M + 1;

    constexpr int BAND = 8;
    int tiles_across = (n - 1) / S::BLOCK_N + 1;
    int band = blockIdx.x / (BAND * tiles_across);
    int in_band = blockIdx.x % (BAND * tiles_across);
    int height = min(BAND, tiles_down - band * BAND);
    int first_row = (band * BAND + in_band % height) * S::BLOCK_M;
    int first_col = in_band / height * S::BLOCK_N;

    int slice = threadIdx.x / S::SLICE_THREADS;
    int slice_thread = threadIdx.x % S::SLICE_THREADS;
    int warp = slice_thread / 32;
    int lane = slice_thread % 32;
    int lane_row = warp / S::WARPS_N * S::WARP_M + lane / S::LANES_N * 4;
    int lane_col = warp % S::WARPS_N * S::WARP_N + lane % S::LANES_N * 4;

    // Where this lane's numbers for step 0 are in a stage.
    int lane_A = slice * S::STEPS * S::ROW_A + lane_row;
    int lane_B = S::SLAB_A_FLOATS + slice * S::STEPS * S::ROW_B + lane_col;

    int slabs = (k - 1) / S::SLAB_K + 1;             // rounded up
    int first_columns = k - (slabs - 1) * S::SLAB_K; // of the first slab, the short one
    Copier<S, QUADS> copier(m, n, k, A, B, width, first_row, first_col);
    float sum[S::THREAD_M][S::THREAD_N] = {};

    // The stages take turns: slab s is in stage s % 2.
    constexpr int SLAB_B_FLOATS = S::SLAB_K * S::BLOCK_N;
    constexpr int ROUNDS = 100;
#pragma unroll 1
    for (int slab = 0; slab < slabs; ++slab) {
        float *stage = shared + slab % 2 * S::STAGE_FLOATS;
        int columns = slab == 0 ? first_columns : S::SLAB_K;
        copier.copy_slab(stage, columns);
        copier.advance(columns);
        end_copy_group();

        if (slab % 2 == 1 && threadIdx.x < S::THREADS / 4 * 3) {
            const volatile float *before = shared + S::SLAB_A_FLOATS;
            for (int round = 0; round < ROUNDS; ++round)
                (void)before[(round * 32 + lane) % SLAB_B_FLOATS];
        }
        wait_for_copy_groups<0>();
        __syncthreads();

#pragma unroll
        for (int step = 0; step < S::STEPS; ++step) {
            float a[S::THREAD_M];
            float b[S::THREAD_N];
#pragma unroll
            for (int i = 0; i < S::THREAD_M; i += 4)
                load4(&a[i], stage + lane_A + step * S::ROW_A + i * S::LANES_M);
#pragma unroll
            for (int j = 0; j < S::THREAD_N; j += 4)
                load4(&b[j], stage + lane_B + step * S::ROW_B + j * S::LANES_N);

#pragma unroll
            for (int i = 0; i < S::THREAD_M; ++i)
#pragma unroll
                for (int column = 0; column < S::THREAD_N; ++column) {
                    int j = i % 2 == 0 ? column : S::THREAD_N - 1 - column;
                    sum[i][j] += a[i] * b[j];
                }
        }
    }

    if (S::SLICES > 1) {
        constexpr int SUMS = S::THREAD_M * S::THREAD_N;
        wait_for_copy_groups<0>();
        __syncthreads();
        if (slice > 0) {
            float *to = shared + (slice - 1) * S::BLOCK_M * S::BLOCK_N + slice_thread;
#pragma unroll
            for (int i = 0; i < SUMS; ++i)
                to[i * S::SLICE_THREADS] = sum[i / S::THREAD_N][i % S::THREAD_N];
        }
        __syncthreads();
        if (slice > 0)
            return;
#pragma unroll
        for (int other = 0; other < S::SLICES - 1; ++other) {
            const float *from = shared + other * S::BLOCK_M * S::BLOCK_N + slice_thread;
#pragma unroll
            for (int i = 0; i < SUMS; ++i)
                sum[i / S::THREAD_N][i % S::THREAD_N] += from[i * S::SLICE_THREADS];
        }
    }

#pragma unroll
    for (int i = 0; i < S::THREAD_M; ++i) {
        int row = first_row + lane_row + i / 4 * 4 * S::LANES_M + i % 4;
        if (row >= m)
            continue;
#pragma unroll
        for (int j = 0; j < S::THREAD_N; j += 4) {
            int col = first_col + lane_col + j * S::LANES_N;
            float *to = C + (size_t)row * width + col;
            if (QUADS) {
                // A float4 must lie in four neighbouring registers. Adding a zero makes it a copy
                // of the sums, and leaves the compiler free to choose better registers for these:
                // such that sum[i][j] and b[j] can be read at the same time.
                float4 quad = {sum[i][j] + 0.0f, sum[i][j + 1] + 0.0f, sum[i][j + 2] + 0.0f,
                               sum[i][j + 3] + 0.0f};
                if (col < n)
                    *(float4 *)to = quad;
            } else {
#pragma unroll
                for (int e = 0; e < 4; ++e)
                    if (col < n - e)
                        to[e] = sum[i][j + e];
            }
        }
    }
}

// --- Launching -----------------------------------------------------------------------------------

template <class S> static int tiles(int m, int n) {
    return ((m - 1) / S::BLOCK_M + 1) * ((n - 1) / S::BLOCK_N + 1);
}

// Multiplies with tiles of one shape. m and n are the rows and columns to be computed; a row of B
// and C has `width` floats.
template <class S>
static void launch(int m, int n, int k, const float *A, const float *B, float *C, int width) {
    int bytes = S::SHARED_FLOATS * (int)sizeof(float);
    uintptr_t addresses = (uintptr_t)B | (uintptr_t)C;
    bool quads = n % 4 == 0 && width % 4 == 0 && addresses % sizeof(float4) == 0;
    auto kernel = quads ? multiply_async<S, true> : multiply_async<S, false>;

    CUDA_CHECK(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, bytes));
    kernel<<<tiles<S>(m, n), S::THREADS, bytes>>>(m, n, k, A, B, C, width);
    CUDA_CHECK_LAUNCH();
}

// How long tiles of a shape take for a product, up to a constant factor. Each multiprocessor
// computes one tile at a time, so the tiles are computed in waves; `speed` is the share of a
// multiprocessor's peak that a tile of this shape reaches.
template <class S> static double duration(int m, int n, int multiprocessors, double speed) {
    int waves = (tiles<S>(m, n) - 1) / multiprocessors + 1;
    return waves * (double)(S::BLOCK_M * S::BLOCK_N) / speed;
}

// The rows (or columns) that Large tiles compute: all, unless only a few lie beyond the last whole
// tile. Those are left out, since their tiles would be mostly empty.
static int whole_tiles(int size, int tile) {
    int rest = size % tile;
    return size > tile && rest <= tile / 4 ? size - rest : size;
}

void matmul_device(int m, int n, int k, const float *A, const float *B, float *C) {
    int device, multiprocessors;
    CUDA_CHECK(cudaGetDevice(&device));
    CUDA_CHECK(cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, device));

    int whole_m = whole_tiles(m, Large::BLOCK_M);
    int whole_n = whole_tiles(n, Large::BLOCK_N);
    double large = duration<Large>(whole_m, whole_n, multiprocessors, 1.0);
    double medium = duration<Medium>(m, n, multiprocessors, 0.9);
    double small = duration<Small>(m, n, multiprocessors, 0.6);

    if (small <= medium && small <= large) {
        launch<Small>(m, n, k, A, B, C, n);
    } else if (medium <= large) {
        launch<Medium>(m, n, k, A, B, C, n);
    } else {
        launch<Large>(whole_m, whole_n, k, A, B, C, n);
        if (whole_n < n) // to the right
            launch<Small>(whole_m, n - whole_n, k, A, B + whole_n, C + whole_n, n);
        if (whole_m < m) // below
            launch<Small>(m - whole_m, n, k, A + (size_t)whole_m * k, B, C + (size_t)whole_m * n,
                          n);
    }
}
