// Lab 10: every shape.
//
// The idea:
//   - Lab 8 gives each tile of C to one block. That is fast where tiles fill the GPU. But 1536 x
//     1536 has 72 large tiles, so 60 of an H200's 132 multiprocessors have nothing to do, and 128 x
//     128 x 65536 has one: 131 have nothing to do.
//   - Split sums: several blocks share a tile. Each multiplies some of its slabs and leaves its
//     part in a workspace; then a second kernel adds the parts, always in the same order. So
//     the same product has the same bits in each run, and no block ever waits for another one.
//   - Some shapes need a kernel of their own. One row or one column multiplies each number of a
//     matrix once: all that counts is to read it well. A tall C of few columns needs threads that
//     compute whole rows.
//   - The model: the host knows how long a slab takes in each kernel, and estimates how long each
//     way to divide the work would take. The shortest wins.
//
// The kernel of lab 8 is given, with twelve shapes of tiles. It fills half of this file, since a
// student hands in a single file. There are three levels, each with its own checks. After each
// level all products are right:
//   1. Split sums: TODO 1 to 3, TODO 7, and the first step of TODO 8. Whatever the shape, all
//      multiprocessors have work.
//   2. Kernels for thin shapes: TODO 4 to 6, and the second step of TODO 8.
//   3. The model: the rest of TODO 8. The host chooses the shape of the tiles.
//
// Build and run:  make lab10 && build/vgpu/lab10 9 50 900  (with a GPU: build/gpu/...)
// Grade:          ./grader lab10

#include "cuda_check.h"
#include "lab.h"
#include <stdint.h>

// --- Given: tiles, and copies in the background (lab 8) ------------------------------------------

// A block's tile of C is BLOCK_M x BLOCK_N, a warp's WARP_M x WARP_N, and a thread has THREAD_M x
// THREAD_N elements of it, in boxes of 4 x 4. SLICES groups of warps share the tile: in each slab
// of SLAB_K, slice 0 takes the first SLAB_K / SLICES values of p, and so on. RESIDENT blocks are to
// fit on a multiprocessor at the same time: while one of them begins or stores, another multiplies.
template <int BLOCK_M_, int BLOCK_N_, int SLAB_K_, int WARP_M_, int WARP_N_, int THREAD_M_,
          int THREAD_N_, int SLICES_, int RESIDENT_>
struct Shape {
    static constexpr int BLOCK_M = BLOCK_M_, BLOCK_N = BLOCK_N_, SLAB_K = SLAB_K_;
    static constexpr int WARP_M = WARP_M_, WARP_N = WARP_N_;
    static constexpr int THREAD_M = THREAD_M_, THREAD_N = THREAD_N_;
    static constexpr int SLICES = SLICES_, RESIDENT = RESIDENT_;

    static constexpr int LANES_M = WARP_M / THREAD_M, LANES_N = WARP_N / THREAD_N;
    static constexpr int WARPS_M = BLOCK_M / WARP_M, WARPS_N = BLOCK_N / WARP_N;
    static constexpr int SLICE_THREADS = WARPS_M * WARPS_N * 32;
    static constexpr int THREADS = SLICE_THREADS * SLICES;
    static constexpr int STEPS = SLAB_K / SLICES; // values of p that a thread takes from a slab

    // Shared memory, in floats: STAGES slabs of A and B. In the end, sums take their place: all
    // slices' tiles, or for each warp a strip of LANES_M rows.
    static constexpr int STAGES = 3;
    static constexpr int ROW_A = BLOCK_M + 4; // transposed, with padding
    static constexpr int ROW_B = BLOCK_N;
    static constexpr int SLAB_A_FLOATS = SLAB_K * ROW_A;
    static constexpr int STAGE_FLOATS = SLAB_A_FLOATS + SLAB_K * ROW_B;
    static constexpr int TILE_FLOATS = BLOCK_M * BLOCK_N;
    static constexpr int STRIP_FLOATS = LANES_M * WARP_N;
    static constexpr int SUMS_FLOATS =
        SLICES > 1 ? SLICES * TILE_FLOATS : WARPS_M * WARPS_N * STRIP_FLOATS;
    static constexpr int SHARED_FLOATS =
        STAGES * STAGE_FLOATS > SUMS_FLOATS ? STAGES * STAGE_FLOATS : SUMS_FLOATS;

    static_assert(LANES_M * LANES_N == 32, "a warp has 32 lanes");
    static_assert(SLAB_K % 8 == 0 && BLOCK_M * 8 % THREADS == 0, "slab A is copied in strips of 8");
    static_assert(STEPS % 8 == 0,
                  "a slab's copies are started in four portions, between the steps");
};

using Large = Shape<128, 256, 16, 64, 64, 16, 8, 1, 1>;
using Medium = Shape<64, 128, 16, 64, 64, 16, 8, 2, 2>;
using Upright = Shape<128, 64, 32, 64, 64, 16, 8, 4, 1>;
using Short = Shape<64, 128, 8, 32, 64, 8, 8, 1, 4>; // for short sums: little is left over of k
using Broad = Shape<128, 128, 8, 64, 32, 8, 8, 1, 2>;
using Square = Shape<64, 64, 16, 32, 64, 8, 8, 2, 4>;
using SquareShort = Shape<64, 64, 8, 32, 64, 8, 8, 1, 6>;
using SquareFine = Shape<64, 64, 8, 32, 32, 8, 4, 1, 5>; // few elements for each of its threads
using Small = Shape<32, 64, 32, 32, 64, 8, 8, 4, 4>;
using Tiny = Shape<32, 32, 32, 32, 32, 8, 4, 4, 5>;
using Tall = Shape<64, 32, 32, 64, 32, 8, 8, 4, 4>;
using TallShort = Shape<64, 32, 16, 32, 32, 8, 4, 2, 5>;

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
                                      int width, int first_row, int first_col, int first_p) {
        p_A = threadIdx.x % 8;
        row_A = threadIdx.x / 8;
        p_B = threadIdx.x / (S::BLOCK_N / WIDTH_B);
        col_B = threadIdx.x % (S::BLOCK_N / WIDTH_B) * WIDTH_B;
        in_B = col_B < n - first_col;
        width_B = width;
#pragma unroll
        for (int pass = 0; pass < PASSES_A; ++pass) {
            int row = min(first_row + row_A + pass * ROWS_A, m - 1);
            from_A[pass] = A + (size_t)row * k + first_p + p_A;
        }
        from_B = B + (first_p + p_B) * width_B + first_col + col_B;
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

// Four floats at once, from shared memory.
__device__ void load4(float *to, const float *from) {
    float4 quad = *(const float4 *)from;
    to[0] = quad.x;
    to[1] = quad.y;
    to[2] = quad.z;
    to[3] = quad.w;
}

// --- Dealing out the work ------------------------------------------------------------------------

// How the tiles of C are dealt out to blocks: the first `alone` tiles to one block each, every
// other one to `parts` blocks. Five tiles of 9 slabs, alone = 2, parts = 3:
//
//    blocks 0, 1          tiles 0, 1, all their slabs
//    blocks 2, 3, 4       part 0 of tiles 2, 3, 4: slabs 0 to 2
//    blocks 5, 6, 7       part 1 of tiles 2, 3, 4: slabs 3 to 5
//    blocks 8, 9, 10      part 2 of tiles 2, 3, 4: slabs 6 to 8
//
// So blocks that run at the same time have the same part of neighbouring tiles, and find each
// other's slabs in the L2 cache.
struct Deal {
    int alone;
    int parts;
};

// Where parts wait to be added: the part of block `alone` + i in place i of a workspace, BLOCK_M x
// BLOCK_N floats row by row.
constexpr int WORKSPACE_FLOATS = 8 << 20; // 32 MB

// A tile's first row and column. Tiles are numbered in bands BAND tiles high, as in lab 8.
struct Corner {
    int row, col;
};

__device__ Corner corner_of(int tile, int m, int n, int block_m, int block_n) {
    constexpr int BAND = 8;
    int tiles_down = (m - 1) / block_m + 1;
    int tiles_across = (n - 1) / block_n + 1;
    int band = tile / (BAND * tiles_across);
    int in_band = tile % (BAND * tiles_across);
    int height = min(BAND, tiles_down - band * BAND);
    return {(band * BAND + in_band % height) * block_m, in_band / height * block_n};
}

// What a block computes: `slabs` slabs of a tile, from slab `first_slab` on.
struct Piece {
    int tile, first_slab, slabs;
};

// This block's piece, where a tile has `slabs` slabs.
__device__ __forceinline__ Piece piece_of(Deal deal, int slabs) {
    int block = blockIdx.x;
    // TODO 1: Level 1. A block that has a tile to itself computes all its slabs. For others, find
    // the number of shared tiles (from gridDim.x), the part and the tile. Part q of a tile begins
    // with slab slabs * q / parts and ends before the one with which part q + 1 begins. (slabs * q
    // may not fit in an int.)
    (void)deal; // delete this line
    return {block, 0, slabs}; // one block for each tile
}

// Where a block puts its sums: rows x cols of them, `width` floats apart.
struct Target {
    float *tile;
    int width, rows, cols;
};

// --- Given: storing sums -------------------------------------------------------------------------

// Stores a thread's sums, four at a time. A float4 must lie in four neighbouring registers. Adding
// a zero makes it a copy of the sums, and leaves the compiler free to choose better registers.
template <class S>
__device__ __forceinline__ void store_quads(const float (&sum)[S::THREAD_M][S::THREAD_N],
                                            Target to, int lane_row, int lane_col) {
#pragma unroll
    for (int i = 0; i < S::THREAD_M; ++i) {
        int row = lane_row + i / 4 * 4 * S::LANES_M + i % 4;
        if (row >= to.rows)
            continue;
#pragma unroll
        for (int j = 0; j < S::THREAD_N; j += 4) {
            int col = lane_col + j * S::LANES_N;
            float4 quad = {sum[i][j] + 0.0f, sum[i][j + 1] + 0.0f, sum[i][j + 2] + 0.0f,
                           sum[i][j + 3] + 0.0f};
            if (col < to.cols)
                *(float4 *)(to.tile + (size_t)row * to.width + col) = quad;
        }
    }
}

// The same where rows of C begin anywhere. Floats must be stored one by one. The rows of a warp go
// through a strip of shared memory, so that it stores 32 neighbours at a time.
template <class S>
__device__ __forceinline__ void store_strips(const float (&sum)[S::THREAD_M][S::THREAD_N],
                                             Target to, float *shared, int warp, int lane) {
    int warp_row = warp / S::WARPS_N * S::WARP_M;
    int warp_col = warp % S::WARPS_N * S::WARP_N;
    float *strip = shared + warp * S::STRIP_FLOATS;
#pragma unroll
    for (int i = 0; i < S::THREAD_M; ++i) {
#pragma unroll
        for (int j = 0; j < S::THREAD_N; j += 4) {
            float4 quad = {sum[i][j] + 0.0f, sum[i][j + 1] + 0.0f, sum[i][j + 2] + 0.0f,
                           sum[i][j + 3] + 0.0f};
            int col = lane % S::LANES_N * 4 + j * S::LANES_N;
            *(float4 *)(strip + lane / S::LANES_N * S::WARP_N + col) = quad;
        }
        __syncwarp();
#pragma unroll
        for (int r = 0; r < S::LANES_M; ++r) {
            int row = warp_row + i / 4 * 4 * S::LANES_M + r * 4 + i % 4;
#pragma unroll
            for (int c = 0; c < S::WARP_N; c += 32) {
                int col = warp_col + c + lane;
                if (row < to.rows && col < to.cols)
                    to.tile[(size_t)row * to.width + col] = strip[r * S::WARP_N + c + lane];
            }
        }
        __syncwarp();
    }
}

// With slices: each slice puts its tile into shared memory. Then all threads add these and store.
template <class S, bool QUADS>
__device__ __forceinline__ void store_slices(const float (&sum)[S::THREAD_M][S::THREAD_N],
                                             Target to, float *shared, int slice, int lane_row,
                                             int lane_col) {
    Target mine = {shared + slice * S::TILE_FLOATS, S::BLOCK_N, S::BLOCK_M, S::BLOCK_N};
    store_quads<S>(sum, mine, lane_row, lane_col);
    __syncthreads();
    constexpr int WIDTH = QUADS ? 4 : 1;
#pragma unroll 8
    for (int i = threadIdx.x * WIDTH; i < S::TILE_FLOATS; i += S::THREADS * WIDTH) {
        int row = i / S::BLOCK_N, col = i % S::BLOCK_N;
        if (row >= to.rows || col >= to.cols)
            continue;
        float total[4] = {};
#pragma unroll
        for (int other = 0; other < S::SLICES; ++other) {
            const float *from = shared + other * S::TILE_FLOATS + i;
            float more[4] = {*from};
            if (QUADS)
                load4(more, from);
#pragma unroll
            for (int e = 0; e < WIDTH; ++e)
                total[e] += more[e];
        }
        float *place = to.tile + (size_t)row * to.width + col;
        if (QUADS)
            *(float4 *)place = {total[0], total[1], total[2], total[3]};
        else
            *place = total[0];
    }
}

// --- Given: kernels that follow each other closely -----------------------------------------------

// From compute capability 9.0 on, a kernel can be launched so that its blocks start as soon as all
// blocks of the kernel before have started and there is room. They find their places in the
// matrices, and then wait for that kernel's end: a launch then costs 1 us instead of 2.5. On older
// devices these functions do nothing, and the kernel starts when the one before has ended.
__device__ __forceinline__ void let_next_kernel_in() {
#if __CUDA_ARCH__ >= 900
    asm volatile("griddepcontrol.launch_dependents;" ::: "memory");
#endif
}

__device__ __forceinline__ void wait_for_kernel_before() {
#if __CUDA_ARCH__ >= 900
    asm volatile("griddepcontrol.wait;" ::: "memory");
#endif
}

// --- The kernel of lab 8, for pieces -------------------------------------------------------------

// Multiplies A (m x k) by n columns of B, whose rows lie `width` floats apart, as do those of C.
// SPLIT says that blocks share tiles; without it, this is lab 8's kernel.
template <class S, bool QUADS, bool SPLIT>
__global__ void __launch_bounds__(S::THREADS, S::RESIDENT)
    multiply_tiles(int m, int n, int k, const float *A, const float *B, float *C, int width,
                   Deal deal, float *workspace) {
    // More than 48 KB of shared memory must be asked for in the launch, and is declared like this.
    extern __shared__ __align__(16) float shared[];

    // If k is not a multiple of SLAB_K, slab 0 is the short one.
    int slabs = (k - 1) / S::SLAB_K + 1; // rounded up
    int columns = k - (slabs - 1) * S::SLAB_K; // of the first slab that this block computes
    int first_p = 0;                           // where it begins
    Piece piece = {(int)blockIdx.x, 0, slabs};
    if (SPLIT) {
        let_next_kernel_in();
        piece = piece_of(deal, slabs);
    }
    if (piece.first_slab > 0) {
        first_p = columns + (piece.first_slab - 1) * S::SLAB_K;
        columns = S::SLAB_K;
    }
    Corner corner = corner_of(piece.tile, m, n, S::BLOCK_M, S::BLOCK_N);

    int slice = threadIdx.x / S::SLICE_THREADS;
    int slice_thread = threadIdx.x % S::SLICE_THREADS;
    int warp = slice_thread / 32;
    int lane = slice_thread % 32;
    int lane_row = warp / S::WARPS_N * S::WARP_M + lane / S::LANES_N * 4;
    int lane_col = warp % S::WARPS_N * S::WARP_N + lane % S::LANES_N * 4;

    // Where this lane's numbers for step 0 are in a stage.
    int lane_A = slice * S::STEPS * S::ROW_A + lane_row;
    int lane_B = S::SLAB_A_FLOATS + slice * S::STEPS * S::ROW_B + lane_col;

    Copier<S, QUADS> copier(m, n, k, A, B, width, corner.row, corner.col, first_p);
    float sum[S::THREAD_M][S::THREAD_N] = {};
    float a[2][S::THREAD_M]; // this step's numbers, and the next step's
    float b[2][S::THREAD_N];

    // Start the copies of the first STAGES - 1 slabs (or of all, if there are fewer), one group
    // for each. Wait for the first slab, and load the numbers of its step 0.
    copier.copy_slab(shared, columns);
    copier.advance(columns);
    end_copy_group();
#pragma unroll
    for (int stage = 1; stage < S::STAGES - 1; ++stage) {
        copier.copy_slab(shared + stage * S::STAGE_FLOATS, stage < piece.slabs ? S::SLAB_K : 0);
        copier.advance(S::SLAB_K);
        end_copy_group();
    }
    wait_for_copy_groups<S::STAGES - 2>();
    __syncthreads();
#pragma unroll
    for (int i = 0; i < S::THREAD_M; i += 4)
        load4(&a[0][i], shared + lane_A + i * S::LANES_M);
#pragma unroll
    for (int j = 0; j < S::THREAD_N; j += 4)
        load4(&b[0][j], shared + lane_B + j * S::LANES_N);

    // For each slab and each of its steps: start a fourth of the copies of slab + STAGES - 1, or in
    // the last step wait for the next slab; load the next step's numbers; multiply this step's.
    // The stages take turns: what was read last is free for the next copies.
    float *const last_stage = shared + (S::STAGES - 1) * S::STAGE_FLOATS;
    float *stage = shared;
    float *copy_stage = last_stage;
#pragma unroll 1
    for (int slab = 0; slab < piece.slabs; ++slab) {
        bool more = slab + S::STAGES - 1 < piece.slabs;
#pragma unroll
        for (int step = 0; step < S::STEPS; ++step) {
            constexpr int STEPS_4 = S::STEPS / 4;
            if (step % STEPS_4 == 0) {
#pragma unroll
                for (int part = 0; part < copier.PARTS; ++part)
                    if (part * 4 / copier.PARTS == step / STEPS_4)
                        copier.copy(copy_stage, part, more);
            }
            if (step == S::STEPS - 1) {
                copier.advance(S::SLAB_K);
                end_copy_group();
                wait_for_copy_groups<S::STAGES - 2>();
                __syncthreads();
                copy_stage = stage;
                stage = stage == last_stage ? shared : stage + S::STAGE_FLOATS;
            }

            int next = (step + 1) % S::STEPS;
#pragma unroll
            for (int i = 0; i < S::THREAD_M; i += 4)
                load4(&a[(step + 1) % 2][i], stage + lane_A + next * S::ROW_A + i * S::LANES_M);
#pragma unroll
            for (int j = 0; j < S::THREAD_N; j += 4)
                load4(&b[(step + 1) % 2][j], stage + lane_B + next * S::ROW_B + j * S::LANES_N);

            // Back and forth, so that a row begins with the b that the one before ended with. Which
            // rows go back changes where the compiler puts the sums: both were timed.
            constexpr int BACK = QUADS && !SPLIT ? 1 : 0;
#pragma unroll
            for (int i = 0; i < S::THREAD_M; ++i)
#pragma unroll
                for (int column = 0; column < S::THREAD_N; ++column) {
                    int j = i % 2 == BACK ? S::THREAD_N - 1 - column : column;
                    sum[i][j] += a[step % 2][i] * b[step % 2][j];
                }
        }
    }

    Target to = {C + (size_t)corner.row * width + corner.col, width, m - corner.row,
                 n - corner.col};
    // TODO 2: Level 1. A part goes to its place in the workspace (see WORKSPACE_FLOATS), in rows of
    // BLOCK_N floats. The numbers of rows and columns that exist do not change.
    (void)workspace; // delete this line

    if (QUADS && S::SLICES == 1) {
        if (SPLIT)
            store_quads<S>(sum, to, lane_row, lane_col);
        else // counted from C's corner, the same is 0.4 % faster at 2048
            store_quads<S>(sum, {C, width, m, n}, corner.row + lane_row, corner.col + lane_col);
        return;
    }
    wait_for_copy_groups<0>();
    __syncthreads();
    if (S::SLICES == 1)
        store_strips<S>(sum, to, shared, warp, lane);
    else
        store_slices<S, QUADS>(sum, to, shared, slice, lane_row, lane_col);
}

// Adds the parts of shared tiles: tile `alone` + blockIdx.y of C in block_m x block_n tiles, whose
// part q is in place q * gridDim.y + blockIdx.y of the workspace. One thread for each element, with
// TOGETHER of its loads under way at the same time.
constexpr int ADD_THREADS = 128;

template <int TOGETHER>
__global__ void __launch_bounds__(ADD_THREADS)
    add_parts(int m, int n, float *C, int width, Deal deal, int block_m, int block_n,
              const float *workspace) {
    wait_for_kernel_before();
    // TODO 3: Level 1. Find this thread's element of the tile, and its row and column in C. Add up
    // its parts, part 0 first: always in the same order. Store the sum if C has such an element.
    (void)m, (void)n, (void)C, (void)width, (void)deal, (void)block_m, (void)block_n;
    (void)workspace; // delete these two lines
}

// --- Kernels for thin shapes ---------------------------------------------------------------------

// One row times B: a block computes ROW_COLS elements of C, from `part_k` rows of B: blockIdx.y
// says which part. Its lanes read neighbouring columns, QUADS four of them each; its groups of
// threads take turns with the rows of B.
constexpr int ROW_THREADS = 512, ROW_COLS = 32;

template <bool QUADS>
__global__ void __launch_bounds__(ROW_THREADS, 2) // 64 registers, so that many loads are under way
    multiply_row(int n, int k, const float *A, const float *B, float *C, int part_k,
                 float *workspace) {
    constexpr int WIDTH = QUADS ? 4 : 1;
    constexpr int LANES = ROW_COLS / WIDTH;
    constexpr int GROUPS = ROW_THREADS / LANES;
    __shared__ float sums[GROUPS][ROW_COLS];
    int lane = threadIdx.x % LANES;
    int group = threadIdx.x / LANES;
    int col = blockIdx.x * ROW_COLS + lane * WIDTH;
    let_next_kernel_in();

    // TODO 4: Level 2. Add up A[p] * B[p][col] over this group's p, for WIDTH columns. Put the sums
    // into `sums`, and let the groups add theirs up in halves: the first half adds the second
    // half's to its own, then the first quarter the second quarter's, with a barrier before each.
    // Group 0 stores: into C, or with several parts (gridDim.y) into row blockIdx.y of a matrix of
    // n columns in the workspace.
    (void)n, (void)k, (void)A, (void)B, (void)C, (void)part_k, (void)sums, (void)lane;
    (void)group, (void)col, (void)workspace; // delete these two lines
}

// A times one column: a warp computes one element of C, from `part_k` columns of A.
constexpr int COLUMN_THREADS = 256;

__global__ void __launch_bounds__(COLUMN_THREADS)
    multiply_column(int m, int k, const float *A, const float *B, float *C, int part_k,
                    float *workspace) {
    let_next_kernel_in();
    int row = (blockIdx.x * COLUMN_THREADS + threadIdx.x) / 32;
    if (row >= m) // the whole warp
        return;

    // TODO 5: Level 2. Lane by lane, the warp reads its part of the row of A, 32 neighbours at a
    // time. Add up the lanes' sums with __shfl_xor_sync. Lane 0 stores, as in multiply_row.
    (void)k, (void)A, (void)B, (void)C, (void)part_k;
    (void)workspace; // delete these two lines
}

// A tall A times a few columns, NARROW_N at most: a thread computes NARROW_ROWS whole rows of C.
// Rows of A travel through registers into shared memory, and a slab is read while the one before is
// multiplied. These rows begin anywhere, so cp.async would need a copy of 4 bytes for each float.
constexpr int NARROW_THREADS = 128, NARROW_N = 20, NARROW_K = 16;
constexpr int NARROW_ROWS = 4, NARROW_COLS = NARROW_N / 2; // of a thread

struct Narrow {
    static constexpr int STEP = NARROW_THREADS / 2; // rows between those of a thread
    static constexpr int BLOCK_M = STEP * NARROW_ROWS;
    static constexpr int ROW_A = NARROW_K + 1; // odd: a column's numbers are in different banks
    static constexpr int SLAB_A_FLOATS = BLOCK_M * ROW_A;
    static constexpr int STAGE_FLOATS = SLAB_A_FLOATS + NARROW_K * NARROW_N;
    static constexpr int SHARED_FLOATS = 2 * STAGE_FLOATS;
    static constexpr int PASS_ROWS = NARROW_THREADS / NARROW_K;
    static constexpr int PARTS_A = BLOCK_M / PASS_ROWS;
    static constexpr int PARTS_B = (NARROW_K * NARROW_N - 1) / NARROW_THREADS + 1;
    static_assert(NARROW_N <= 2 * NARROW_K, "the sums fit where the slabs were");
    static_assert(SLAB_A_FLOATS % 4 == 0 && NARROW_N % 4 == 0, "rows of slab B are float4s");

    float a[PARTS_A], b[PARTS_B]; // what this thread reads of a slab

    // Reads the slab that begins with column first_p of A and row first_p of B. From end_p on there
    // are zeros.
    __device__ __forceinline__ void read(int m, int n, int k, const float *A, const float *B,
                                         int first_row, int first_p, int end_p) {
        int p = first_p + threadIdx.x % NARROW_K;
        int row_A = min(first_row + (int)threadIdx.x / NARROW_K, m - 1);
        int below = m - 1 - row_A; // for rows that A lacks, one of its last rows is read
        size_t step = (size_t)PASS_ROWS * k;
        const float *from = A + (size_t)row_A * k + p; // one pointer: registers are scarce
#pragma unroll
        for (int i = 0; i < PARTS_A; ++i) {
            a[i] = p < end_p ? *from : 0.0f;
            from += i * PASS_ROWS + PASS_ROWS <= below ? step : 0;
        }
#pragma unroll
        for (int i = 0; i < PARTS_B; ++i) {
            int place = i * NARROW_THREADS + threadIdx.x;
            int row = first_p + place / NARROW_N, col = place % NARROW_N;
            b[i] = row < end_p && col < n ? B[(size_t)row * n + col] : 0.0f;
        }
    }

    __device__ __forceinline__ void write(float *stage) {
#pragma unroll
        for (int i = 0; i < PARTS_A; ++i) {
            int row = i * PASS_ROWS + threadIdx.x / NARROW_K;
            stage[row * ROW_A + threadIdx.x % NARROW_K] = a[i];
        }
#pragma unroll
        for (int i = 0; i < PARTS_B; ++i) {
            int place = i * NARROW_THREADS + threadIdx.x;
            if (place < NARROW_K * NARROW_N)
                stage[SLAB_A_FLOATS + place] = b[i];
        }
    }
};

__global__ void __launch_bounds__(NARROW_THREADS, 3)
    multiply_narrow(int m, int n, int k, const float *A, const float *B, float *C, int part_k,
                    float *workspace) {
    let_next_kernel_in();
    extern __shared__ __align__(16) float shared[];
    int first_row = blockIdx.x * Narrow::BLOCK_M;
    int first_p = blockIdx.y * part_k;
    int end_p = min(k, first_p + part_k);
    int lane_row = threadIdx.x / 32 * 16 + threadIdx.x % 16;
    int lane_col = threadIdx.x % 32 / 16 * NARROW_COLS;
    float sum[NARROW_ROWS][NARROW_COLS] = {};
    Narrow next;

    // TODO 6: Level 2. `shared` has room for two slabs, STAGE_FLOATS each. Read the first slab,
    // write it into one of them, and wait for the other threads. Then for each slab: read the next
    // one (into registers); for each p load this thread's numbers of A (rows lane_row, STEP
    // further, and so on) and of B (columns from lane_col on), and multiply; write the next slab
    // into the other place, wait, and swap the two. `first_p` goes on by NARROW_K.
    (void)k, (void)A, (void)B, (void)end_p, (void)next; // delete this line

    // A block's rows of C follow one another in memory. So the block puts them side by side in
    // shared memory, and stores neighbours.
#pragma unroll
    for (int r = 0; r < NARROW_ROWS; ++r)
#pragma unroll
        for (int j = 0; j < NARROW_COLS; ++j)
            if (lane_col + j < n)
                shared[(lane_row + r * Narrow::STEP) * n + lane_col + j] = sum[r][j];
    __syncthreads();
    int count = min(Narrow::BLOCK_M, m - first_row) * n;
    float *to = gridDim.y > 1 ? workspace + (size_t)blockIdx.y * m * n : C;
    to += (size_t)first_row * n;
    for (int i = threadIdx.x; i < count; i += NARROW_THREADS)
        to[i] = shared[i];
}

// --- Launching -----------------------------------------------------------------------------------

static int divide_up(int a, int b) {
    return (a - 1) / b + 1;
}

static int smaller(int a, int b) {
    return a < b ? a : b;
}

static int multiprocessors() {
    int device, count;
    CUDA_CHECK(cudaGetDevice(&device));
    CUDA_CHECK(cudaDeviceGetAttribute(&count, cudaDevAttrMultiProcessorCount, device));
    return count;
}

// A workspace for each thread of the host. The device does in order what one thread launches on
// the default stream. So it has added one product's parts before the next one's come. Other threads
// may have a default stream of their own (nvcc --default-stream per-thread), so their products may
// overlap with these: they need workspaces of their own. A workspace is freed when its thread
// ends.
struct Workspace {
    float *floats = nullptr;
    int device = -1;

    float *get() {
        int current;
        CUDA_CHECK(cudaGetDevice(&current));
        if (device != current) {
            free();
            CUDA_CHECK(cudaMalloc(&floats, WORKSPACE_FLOATS * sizeof(float)));
            device = current;
        }
        return floats;
    }

    void free() {
        if (floats)
            (void)cudaFree(floats); // when the program ends, the device may be gone
        floats = nullptr;
    }

    ~Workspace() {
        free();
    }
};

static thread_local Workspace workspace_of_thread;

// Where parts of a product go, if it has any.
static float *workspace_for(int parts) {
    return parts > 1 ? workspace_of_thread.get() : nullptr;
}

// Adds the parts of `tiles` tiles. This kernel starts while the one before still runs.
static void launch_add(int m, int n, float *C, int width, Deal deal, int block_m, int block_n,
                       int tiles) {
    auto kernel = deal.parts <= 4 ? add_parts<4> : add_parts<8>;
    cudaLaunchAttribute closely = {};
    closely.id = cudaLaunchAttributeProgrammaticStreamSerialization;
    closely.val.programmaticStreamSerializationAllowed = 1;
    cudaLaunchConfig_t config = {};
    config.gridDim = dim3(divide_up(block_m * block_n, ADD_THREADS), tiles);
    config.blockDim = dim3(ADD_THREADS);
    config.attrs = &closely;
    config.numAttrs = 1;
    const float *workspace = workspace_for(deal.parts);
    CUDA_CHECK(
        cudaLaunchKernelEx(&config, kernel, m, n, C, width, deal, block_m, block_n, workspace));
    CUDA_CHECK_LAUNCH();
}

// Adds the parts of a C of which each part lies in the workspace as a whole: C counts as a single
// row, and as one tile.
static void launch_add_all(int count, float *C, int parts) {
    if (parts > 1)
        launch_add(1, count, C, count, {0, parts}, 1, count, 1);
}

// Multiplies with tiles of one shape. m and n are the rows and columns to be computed; a row of B
// and C has `width` floats.
template <class S>
static void launch_tiles(int m, int n, int k, const float *A, const float *B, float *C, int width,
                         Deal deal) {
    uintptr_t addresses = (uintptr_t)B | (uintptr_t)C;
    bool quads = n % 4 == 0 && width % 4 == 0 && addresses % sizeof(float4) == 0;
    int tiles = divide_up(m, S::BLOCK_M) * divide_up(n, S::BLOCK_N);
    int shared_tiles = tiles - deal.alone;
    auto kernel = quads ? multiply_tiles<S, true, true> : multiply_tiles<S, false, true>;
    // Without SPLIT the loop is a little faster. But Broad, two blocks of which are to fit on a
    // multiprocessor, would lack registers.
    constexpr bool SPLIT = S::SLICES != 1 || S::RESIDENT == 2;
    if (shared_tiles == 0)
        kernel = quads ? multiply_tiles<S, true, SPLIT> : multiply_tiles<S, false, SPLIT>;

    int bytes = S::SHARED_FLOATS * (int)sizeof(float);
    CUDA_CHECK(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, bytes));
    int blocks = deal.alone + shared_tiles * deal.parts;
    kernel<<<blocks, S::THREADS, bytes>>>(m, n, k, A, B, C, width, deal, workspace_for(deal.parts));
    CUDA_CHECK_LAUNCH();
    if (shared_tiles > 0)
        launch_add(m, n, C, width, deal, S::BLOCK_M, S::BLOCK_N, shared_tiles);
}

// One row or one column: about `blocks` blocks, each of which takes at least `least` of k.
static int part_of_k(int k, int blocks_without_parts, int blocks, int least) {
    int parts = smaller(blocks / blocks_without_parts, divide_up(k, least));
    return parts > 1 ? divide_up(k, parts) : k;
}

static void launch_row(int n, int k, const float *A, const float *B, float *C) {
    int across = divide_up(n, ROW_COLS);
    int part_k = part_of_k(k, across, multiprocessors(), 256);
    int parts = divide_up(k, part_k);
    uintptr_t address = (uintptr_t)B;
    bool quads = n % 4 == 0 && address % sizeof(float4) == 0;
    auto kernel = quads ? multiply_row<true> : multiply_row<false>;
    kernel<<<dim3(across, parts), ROW_THREADS>>>(n, k, A, B, C, part_k, workspace_for(parts));
    CUDA_CHECK_LAUNCH();
    launch_add_all(n, C, parts);
}

static void launch_column(int m, int k, const float *A, const float *B, float *C) {
    int down = divide_up(m, COLUMN_THREADS / 32);
    int part_k = part_of_k(k, down, 4 * multiprocessors(), 1024);
    int parts = divide_up(k, part_k);
    multiply_column<<<dim3(down, parts), COLUMN_THREADS>>>(m, k, A, B, C, part_k,
                                                           workspace_for(parts));
    CUDA_CHECK_LAUNCH();
    launch_add_all(m, C, parts);
}

// For narrow products, parts are of all of C.
static void launch_narrow(int m, int n, int k, const float *A, const float *B, float *C, int width,
                          Deal deal) {
    (void)width; // it is n
    int part_k = divide_up(divide_up(k, deal.parts), NARROW_K) * NARROW_K;
    int parts = divide_up(k, part_k);
    int bytes = Narrow::SHARED_FLOATS * (int)sizeof(float);
    CUDA_CHECK(
        cudaFuncSetAttribute(multiply_narrow, cudaFuncAttributeMaxDynamicSharedMemorySize, bytes));
    dim3 grid(divide_up(m, Narrow::BLOCK_M), parts);
    multiply_narrow<<<grid, NARROW_THREADS, bytes>>>(m, n, k, A, B, C, part_k,
                                                     workspace_for(parts));
    CUDA_CHECK_LAUNCH();
    if (parts > 1) // so C fits into the workspace, and m * n into an int
        launch_add_all(m * n, C, parts);
}

// --- The model -----------------------------------------------------------------------------------

// A kernel as the model sees it: its tiles, and how many microseconds a multiprocessor takes for
// each step. The times were measured on an H200. On other devices all are longer or shorter, and
// only their ratios count.
struct Kind {
    int block_m, block_n, slab_k;
    int warps;         // of a block
    int resident;      // how many blocks run together on a multiprocessor
    bool mixes;        // whether some tiles may have parts and others not
    double begin;      // until the first of these blocks multiplies
    double tile;       // for each block: to begin it and to store its tile, while others multiply
    double slab;       // to multiply a slab, while others do the same
    double slab_alone; // the least time for a slab, however few blocks run together
    double ragged;     // how many times as long a slab takes where rows of B begin anywhere
    void (*launch)(int m, int n, int k, const float *A, const float *B, float *C, int width,
                   Deal deal);
};

template <class S>
static Kind tiles_kind(double begin, double tile, double slab, double slab_alone, double ragged) {
    return {S::BLOCK_M, S::BLOCK_N, S::SLAB_K, S::THREADS / 32, S::RESIDENT, true,
            begin,      tile,       slab,      slab_alone,      ragged,      launch_tiles<S>};
}

constexpr double LAUNCH_TIME = 2.2;     // of a product
constexpr double ADD_TIME = 1.93;       // on top of it, if parts must be added
constexpr double ADD_PART_TIME = 0.069; // ... and for each part of a tile
constexpr double ADD_FLOATS = 557e3;    // ... of which so many floats take a microsecond
constexpr int MOST_TURNS = 16;          // parts fill all multiprocessors at most this many times
constexpr double PIECES_TIME = 1.03;    // of a product in pieces, for each microsecond of these

// One way to compute a product, and the time that it is expected to take.
struct Plan {
    double time;
    Kind kind;
    Deal deal;
};

static Plan shorter(Plan a, Plan b) {
    return b.time < a.time ? b : a;
}

// A multiprocessor's four schedulers share out the warps of the blocks that run together. Three
// blocks of two warps make two schedulers twice as busy as the others: so they take as long as four
// blocks. Blocks of four or eight warps keep all schedulers equally busy.
static int busy(Kind kind, int together) {
    return divide_up(together * kind.warps, 4) * 4 / kind.warps;
}

// How long a multiprocessor takes for `blocks` blocks of `slabs` slabs each.
static double duration(Kind kind, int blocks, int slabs) {
    // TODO 7: Level 1. `resident` blocks at a time run together; the last ones may be fewer. Such a
    // group takes `begin`, and `tile` for each of its blocks, and for each slab the larger of
    // `slab_alone` and `slab` times busy(). No blocks take no time.
    (void)kind, (void)busy;
    return (double)blocks * slabs;
}

// The best way to divide the tiles of a kernel among blocks.
static Plan plan(Kind kind, int m, int n, int k, int processors) {
    int tiles = divide_up(m, kind.block_m) * divide_up(n, kind.block_n);
    int slabs = divide_up(k, kind.slab_k);
    if (n % 4 != 0) {
        kind.slab *= kind.ragged;
        kind.slab_alone *= kind.ragged;
    }
    double whole = LAUNCH_TIME + duration(kind, divide_up(tiles, processors), slabs);
    Plan best = {whole, kind, {tiles, 1}};

    int at_a_time = processors * kind.resident;
    int most_waves = tiles / at_a_time;
    if (most_waves > 0 && !kind.mixes)
        return best;
    for (int waves = most_waves; waves >= 0 && waves >= most_waves - 1; --waves) {
        int alone = waves * at_a_time;
        int rest = tiles - alone;
        int parts = 1;
        for (int eighths = 1; eighths <= 8 * MOST_TURNS; eighths += eighths < 8 ? 1 : 8) {
            if (rest == 0 || rest > 65535)
                break;
            int more = smaller((int)((long long)eighths * processors / 8 / rest), slabs);
            double floats = (double)rest * more * kind.block_m * kind.block_n;
            if (more <= parts || floats > WORKSPACE_FLOATS)
                continue;
            parts = more;
            double time =
                LAUNCH_TIME + ADD_TIME + parts * ADD_PART_TIME + floats / ADD_FLOATS +
                duration(kind, waves * kind.resident, slabs) +
                duration(kind, divide_up(rest * parts, processors), divide_up(slabs, parts));
            best = shorter(best, {time, kind, {alone, parts}});
        }
    }
    return best;
}

static Plan plan_large(int m, int n, int k, int processors) {
    return plan(tiles_kind<Large>(1.26, 3.95, 2.5, 2.5, 1.058), m, n, k, processors);
}

static Plan plan_tiles(int m, int n, int k, int processors) {
    Plan best = plan_large(m, n, k, processors);
    for (Kind kind : {tiles_kind<Medium>(4.47, 0.0974, 0.64, 0.996, 1.106),
                      tiles_kind<Upright>(3.08, 1.43, 1.33, 1.09, 1.011),
                      tiles_kind<Short>(1.04, 0.461, 0.34, 0.658, 1.138),
                      tiles_kind<Broad>(1.67, 1.93, 0.709, 0.73, 0.9545),
                      tiles_kind<Square>(1.9, 0.405, 0.339, 0.396, 1.095),
                      tiles_kind<SquareShort>(1.37, 0.187, 0.206, 0.35, 0.946),
                      tiles_kind<SquareFine>(1.2, 0.231, 0.217, 0.266, 0.9771),
                      tiles_kind<Small>(1.59, 0.627, 0.351, 0.407, 1.151),
                      tiles_kind<Tiny>(1.51, 0.307, 0.253, 0.281, 1.027),
                      tiles_kind<Tall>(1.45, 0.816, 0.376, 0.409, 1.136),
                      tiles_kind<TallShort>(1.78, 0.269, 0.246, 0.247, 0.9821)})
        best = shorter(best, plan(kind, m, n, k, processors));
    return best;
}

static Plan plan_narrow(int m, int n, int k, int processors) {
    Kind narrow = {Narrow::BLOCK_M, NARROW_N, NARROW_K, NARROW_THREADS / 32, 5,   false,
                   0.38,            0.844,    0.97,     1.46,                1.0, launch_narrow};
    return plan(narrow, m, n, k, processors);
}

static void launch(Plan plan, int m, int n, int k, const float *A, const float *B, float *C,
                   int width) {
    plan.kind.launch(m, n, k, A, B, C, width, plan.deal);
}

// The rows (or columns) that Large tiles compute, if a few more than whole tiles are left out.
static int whole_tiles(int size, int tile) {
    int rest = size % tile;
    return size > tile && rest <= tile / 4 ? size - rest : size;
}

void matmul_device(int m, int n, int k, const float *A, const float *B, float *C) {
    int processors = multiprocessors();
    // TODO 8: One step for each level:
    //   a) Level 1. Launch the best plan of Small tiles: plan(), with the tiles_kind<Small>() that
    //      stands in plan_tiles(), and then launch().
    //   b) Level 2. One row, one column: launch their kernels instead. Where n is NARROW_N or less,
    //      take plan_narrow(), if it is shorter.
    //   c) Level 3. Instead of Small tiles, take the best of all shapes. If whole_tiles() leaves out
    //      rows or columns, estimate three products: Large tiles for what is whole, and the best of
    //      all shapes to the right of it and below. If the sum, times PIECES_TIME, is shorter,
    //      launch these three.
    (void)m, (void)n, (void)k, (void)A, (void)B, (void)C, (void)processors;
    (void)plan_narrow, (void)launch, (void)launch_row, (void)launch_column;
    (void)plan_tiles, (void)whole_tiles; // delete these three lines
}
