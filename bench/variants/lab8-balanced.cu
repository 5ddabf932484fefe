// Lab 8 with its work divided evenly: tiles that suit the problem, and shares of tiles where whole
// ones would leave multiprocessors idle.
//
// What lab 8's solution does is told there. It gives each tile to one block. Then all blocks work
// until the last one is done: 72 tiles keep 72 of an H200's 132 multiprocessors busy, and 512 tiles
// take four waves, though they are 3.88 waves' work. What is new here:
//   - The slabs of a tile can be divided among blocks: one of them adds up the others' sums and
//     stores the tile ("Dealing out the work", below). The loop that multiplies is unchanged.
//   - The host estimates, for each of three tile shapes and three ways to deal out the tiles, how
//     long the product would take, and takes the best. The times it reckons with were measured, but
//     for those of leaving and adding another block's sums, which are guesses (README.md).
//
// Build and run:  make lab8 SRC=bench/variants/lab8-balanced.cu && build/vgpu/lab8 140 50 90
// Grade:          ./grader lab8 --submission bench/variants/lab8-balanced.cu
// Measure:        make bench SRC=bench/variants/lab8-balanced.cu LAB=lab8

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
    static constexpr int STAGES = 3;
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

// Ends a group of copies: those that this thread has started since the group before.
__device__ void end_copy_group() {
    asm volatile("cp.async.commit_group;" ::: "memory");
}

// Waits until all of this thread's groups have arrived, but for the last PENDING ones.
template <int PENDING> __device__ void wait_for_copy_groups() {
    asm volatile("cp.async.wait_group %0;" ::"n"(PENDING) : "memory");
}

// --- Copying slabs -------------------------------------------------------------------------------

// What one thread copies of each slab: PARTS_A parts of A and PARTS_B parts of B. QUADS says that
// rows of B begin at multiples of 16 bytes, so that a part of B is 16 bytes, not 4.
//
// If k is not a multiple of SLAB_K, the first slab is the short one, and zeros stand in for what it
// lacks. All others begin where it ends and are full: their copies have nothing to ask, which
// matters, since each question is an instruction that could have been a multiplication.
//
// A row below A needs no zeros: the last row is copied in its place. All that this spoils is
// elements outside C, which nobody stores.
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

    // Goes on to the slab that begins so many columns of A and rows of B further on.
    __device__ __forceinline__ void advance(int columns) {
#pragma unroll
        for (int pass = 0; pass < PASSES_A; ++pass)
            from_A[pass] += columns;
        from_B += columns * width_B;
    }
};

// --- Dealing out the work ------------------------------------------------------------------------

// A tile's slabs can be divided among blocks, too. All slabs of the tiles to be shared are
// numbered, tile by tile, and each block gets equally many neighbouring numbers: its share. Three
// tiles of 6 slabs among five blocks, 4 slabs each (the last gets what is left):
//
//    tile       |     0     |     1     |     2     |
//    slab       |0 1 2 3 4 5|0 1 2 3 4 5|0 1 2 3 4 5|
//    share      |0 0 0 0|1 1 1 1|2 2 2 2|3 3 3 3|4 4|
//                   ^       ^ ^       ^       ^
//               |  owner |left|own|left | ...
//
// The block with a tile's first slabs owns it. Every other block that has slabs of it leaves its
// sums in `part_sums`; the owner adds them to its own, in the order of shares, and stores the tile.
// So C is the same in each run, however the blocks are scheduled.
//
// A share begins with what it leaves for another block and ends with what it owns: by the time an
// owner asks for the rest of its tile, that has long been there, if a share is no shorter than a
// tile. Still the owner has to make sure. Waiting for a block that has not begun is dangerous: it
// may never get a multiprocessor, since those who wait hold them all. The hardware starts blocks in
// the order of their numbers. So the last share goes to the first block, the last but one to the
// second block: then an owner waits only for blocks with lower numbers than its own.
struct Deal {
    int alone;       // so many tiles are computed by one block each, and not shared
    int shares;      // so many blocks share the others
    int share_slabs; // slabs in a share
    int tile_slabs;  // numbers for each tile: as many as it has slabs. Or a few more, which nobody
                     // computes, so that each tile begins with a new share.
};

// What blocks leave for others: one place for each share. With `arrived` it is one set for the
// whole program, so products must not overlap on the device, as they would in different streams.
constexpr int MAX_SHARES = 192; // so many multiprocessors can share
__device__ float part_sums[MAX_SHARES][Large::BLOCK_M * Large::BLOCK_N];
__device__ unsigned arrived[MAX_SHARES]; // 1: part sums are there, and not yet added

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
// SHARED says that there are shares; without, this is the solution's kernel.
template <class S, bool QUADS, bool SHARED>
__global__ void __launch_bounds__(S::THREADS, 1)
    multiply_async(int m, int n, int k, const float *A, const float *B, float *C, int width,
                   Deal deal) {
    // More than 48 KB of shared memory must be asked for in the launch, and is declared like this.
    extern __shared__ __align__(16) float shared[];

    int tiles_down = (m - 1) / S::BLOCK_M + 1;
    int tiles_across = (n - 1) / S::BLOCK_N + 1;
    int slabs = (k - 1) / S::SLAB_K + 1;             // rounded up
    int first_columns = k - (slabs - 1) * S::SLAB_K; // of the first slab, the short one

    int slice = threadIdx.x / S::SLICE_THREADS;
    int slice_thread = threadIdx.x % S::SLICE_THREADS;
    int warp = slice_thread / 32;
    int lane = slice_thread % 32;
    int lane_row = warp / S::WARPS_N * S::WARP_M + lane / S::LANES_N * 4;
    int lane_col = warp % S::WARPS_N * S::WARP_N + lane % S::LANES_N * 4;

    // Where this lane's numbers for step 0 are in a stage.
    int lane_A = slice * S::STEPS * S::ROW_A + lane_row;
    int lane_B = S::SLAB_A_FLOATS + slice * S::STEPS * S::ROW_B + lane_col;

    // What this block computes: the numbers from `number` to `end`, counted from tile `tile_0` on.
    int tile_0 = blockIdx.x, number = 0, end = slabs, share = 0;
    if (SHARED && (int)blockIdx.x >= deal.alone) {
        tile_0 = deal.alone;
        share = deal.shares - 1 - ((int)blockIdx.x - deal.alone);
        number = share * deal.share_slabs;
        end = min(number + deal.share_slabs,
                  (tiles_down * tiles_across - deal.alone) * deal.tile_slabs);
    }

#pragma unroll 1
    do {
        // This block's slabs of this tile: `slab` up to, but without, `slabs_end`.
        int tile = SHARED ? tile_0 + number / deal.tile_slabs : blockIdx.x;
        int first_slab = SHARED ? number % deal.tile_slabs : 0;
        int slabs_end = SHARED ? min(first_slab + end - number, slabs) : slabs;

        // Blocks with neighbouring numbers run at the same time and find each other's slabs in the
        // L2 cache. So that these are few, tiles are numbered in bands of BAND tiles' height: down
        // each column of a band, then the next column. The last band may be lower.
        constexpr int BAND = 8;
        int band = tile / (BAND * tiles_across);
        int in_band = tile % (BAND * tiles_across);
        int height = min(BAND, tiles_down - band * BAND);
        int first_row = (band * BAND + in_band % height) * S::BLOCK_M;
        int first_col = in_band / height * S::BLOCK_N;

        int first_p = first_slab == 0 ? 0 : first_columns + (first_slab - 1) * S::SLAB_K;
        Copier<S, QUADS> copier(m, n, k, A, B, width, first_row, first_col, first_p);
        float sum[S::THREAD_M][S::THREAD_N] = {};
        float a[2][S::THREAD_M]; // this step's numbers, and the next step's
        float b[2][S::THREAD_N];

        // The tile before may have left copies under way, and threads that still read.
        if (SHARED) {
            wait_for_copy_groups<0>();
            __syncthreads();
        }

        // Start the copies of the first STAGES - 1 slabs, as far as there are so many, one group
        // for each. Wait for the first one, and load the numbers of its step 0.
        int columns = first_slab == 0 ? first_columns : S::SLAB_K;
        copier.copy_slab(shared, columns);
        copier.advance(columns);
        end_copy_group();
#pragma unroll
        for (int stage = 1; stage < S::STAGES - 1; ++stage) {
            copier.copy_slab(shared + stage * S::STAGE_FLOATS,
                             first_slab + stage < slabs_end ? S::SLAB_K : 0);
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

        // For each slab and each of its steps:
        //   a) in every fourth part of the steps, start a fourth of the copies of slab + STAGES
        //   - 1.
        //      (Copies started all at once would stand in the way of the loads from shared memory.)
        //   b) in the last step, end the group of copies, wait for the next slab, as above, and go
        //      on to it.
        //   c) load the next step's numbers, from this slab or from the next one.
        //   d) multiply this step's numbers. Go through the columns to and fro: right in even rows,
        //      left in odd ones. Then two multiplications in a row always share a number, and the
        //      multiprocessor reads it from its register once.
        // The stages take turns: what was read last is free for the next copies.
        float *const last_stage = shared + (S::STAGES - 1) * S::STAGE_FLOATS;
        float *stage = shared;
        float *copy_stage = last_stage;
#pragma unroll 1
        for (int left = slabs_end - first_slab; left > 0; --left) {
            bool more = left >= S::STAGES;
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

#pragma unroll
                for (int i = 0; i < S::THREAD_M; ++i)
#pragma unroll
                    for (int column = 0; column < S::THREAD_N; ++column) {
                        int j = i % 2 == 0 ? column : S::THREAD_N - 1 - column;
                        sum[i][j] += a[step % 2][i] * b[step % 2][j];
                    }
            }
        }

        // The owner of a tile adds what others have left. Wait for each of them, and take its mark
        // away for the next product. Then slice 0 adds the first one's sums, slice 1 the second
        // one's, and so on. They go past the L1 cache, which does not know of other blocks' stores.
        constexpr int SUMS = S::THREAD_M * S::THREAD_N;
        if (SHARED && first_slab == 0 && slabs_end < slabs) {
            int shares_end = (number + slabs - 1) / deal.share_slabs + 1;
            for (int other = share + 1 + threadIdx.x; other < shares_end; other += S::THREADS)
                while (atomicCAS(&arrived[other], 1, 0) == 0)
                    continue;
            __threadfence();
            __syncthreads();
#pragma unroll 1
            for (int other = share + 1 + slice; other < shares_end; other += S::SLICES) {
                const float *from = part_sums[other] + slice_thread;
#pragma unroll
                for (int i = 0; i < SUMS; ++i)
                    sum[i / S::THREAD_N][i % S::THREAD_N] += __ldcg(from + i * S::SLICE_THREADS);
            }
        }

        // With more than one slice, add up their sums: all slices but slice 0 store theirs in
        // shared memory, where nobody needs the slabs any more, and slice 0 adds these to its own.
        if (S::SLICES > 1) {
            wait_for_copy_groups<0>();
            __syncthreads();
            if (slice > 0) {
                float *to = shared + (slice - 1) * S::BLOCK_M * S::BLOCK_N + slice_thread;
#pragma unroll
                for (int i = 0; i < SUMS; ++i)
                    to[i * S::SLICE_THREADS] = sum[i / S::THREAD_N][i % S::THREAD_N];
            }
            __syncthreads();
            if (slice == 0) {
#pragma unroll
                for (int other = 0; other < S::SLICES - 1; ++other) {
                    const float *from = shared + other * S::BLOCK_M * S::BLOCK_N + slice_thread;
#pragma unroll
                    for (int i = 0; i < SUMS; ++i)
                        sum[i / S::THREAD_N][i % S::THREAD_N] += from[i * S::SLICE_THREADS];
                }
            }
        }

        if (!SHARED || first_slab == 0) {
            if (slice == 0) {
                // Store the tile: with QUADS four sums at a time, else one by one, and none outside
                // of the m rows and n columns. A float4 must lie in four neighbouring registers.
                // Adding a zero makes it a copy of the sums, and leaves the compiler free to choose
                // better registers for these: such that sum[i][j] and b[j] can be read at the same
                // time.
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
                            float4 quad = {sum[i][j] + 0.0f, sum[i][j + 1] + 0.0f,
                                           sum[i][j + 2] + 0.0f, sum[i][j + 3] + 0.0f};
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
        } else {
            // Leave the sums for the owner: neighbouring threads side by side. All threads' sums
            // must be in memory before the mark is.
            if (slice == 0) {
                float *to = part_sums[share] + slice_thread;
#pragma unroll
                for (int i = 0; i < SUMS; ++i)
                    to[i * S::SLICE_THREADS] = sum[i / S::THREAD_N][i % S::THREAD_N];
                __threadfence();
            }
            __syncthreads();
            if (threadIdx.x == 0)
                atomicExch(&arrived[share], 1);
        }
        number += deal.tile_slabs - first_slab; // in the next tile, or past the end
    } while (SHARED && number < end);
}

// --- Launching -----------------------------------------------------------------------------------

// How long things take a block, in microseconds. Measured on an H200; elsewhere, all are longer or
// shorter, and it is their ratios that count.
struct Times {
    double slab; // to multiply a slab
    double tile; // to begin a tile and store it
    double part; // to leave sums for another block, or to add those that another one has left
};
constexpr Times LARGE_TIMES = {2.47, 3.0, 2.5};
constexpr Times MEDIUM_TIMES = {1.39, 2.4, 1.5};
constexpr Times SMALL_TIMES = {0.76, 1.2, 1.2};

struct Plan {
    Deal deal;
    double time; // how long it is expected to take
};

static int divide_up(int a, int b) {
    return (a - 1) / b + 1;
}

static Plan shorter(Plan a, Plan b) {
    return b.time < a.time ? b : a;
}

// Tiles are dealt out in one of three ways, whichever should be fastest.
template <class S> static Plan plan(int m, int n, int k, int multiprocessors, Times t) {
    int tiles = divide_up(m, S::BLOCK_M) * divide_up(n, S::BLOCK_N);
    int slabs = divide_up(k, S::SLAB_K);
    int sharers = multiprocessors < MAX_SHARES ? multiprocessors : MAX_SHARES;

    // 1. Each tile to a block of its own. Each multiprocessor computes one tile at a time, so the
    //    tiles are computed in waves, and in the last wave most multiprocessors may have none.
    double tile = slabs * t.slab + t.tile;
    Plan best = {{tiles, 0, 1, slabs}, divide_up(tiles, multiprocessors) * tile};

    // 2. A few deep tiles: divide each evenly among several blocks.
    int parts = tiles <= sharers ? sharers / tiles : 1;
    parts = parts < slabs ? parts : slabs;
    if (parts > 1) {
        int share = divide_up(slabs, parts);
        parts = divide_up(slabs, share);
        double time = share * t.slab + t.tile + t.part * (1 + divide_up(parts - 1, S::SLICES));
        best = shorter(best, {{0, tiles * parts, share, share * parts}, time});
    }

    // 3. Whole waves as in 1., but for the last one or two: these tiles' slabs are shared by all
    //    multiprocessors. A tile then has at most share_slabs / slabs whole tiles, a part to leave
    //    and a part to own.
    int waves = tiles / multiprocessors > 1 ? tiles / multiprocessors - 1 : 0;
    int shared_tiles = tiles - waves * multiprocessors;
    bool uneven = shared_tiles % multiprocessors != 0 && shared_tiles <= 2147483647 / slabs;
    if (uneven) {
        int numbers = shared_tiles * slabs;
        int share = divide_up(numbers, sharers);
        int others = divide_up(slabs - 1, share); // at most so many others have slabs of a tile
        double time = waves * tile + share * t.slab + ((share - 1) / slabs + 2) * t.tile +
                      t.part * (1 + divide_up(others, S::SLICES));
        Deal deal = {waves * multiprocessors, divide_up(numbers, share), share, slabs};
        best = shorter(best, {deal, time});
    }
    return best;
}

// Multiplies with tiles of one shape. m and n are the rows and columns to be computed; a row of B
// and C has `width` floats.
template <class S>
static void launch(int m, int n, int k, const float *A, const float *B, float *C, int width,
                   Deal deal) {
    int bytes = S::SHARED_FLOATS * (int)sizeof(float);
    uintptr_t addresses = (uintptr_t)B | (uintptr_t)C;
    bool quads = n % 4 == 0 && width % 4 == 0 && addresses % sizeof(float4) == 0;
    auto kernel = quads ? multiply_async<S, true, false> : multiply_async<S, false, false>;
    if (deal.shares > 0)
        kernel = quads ? multiply_async<S, true, true> : multiply_async<S, false, true>;

    CUDA_CHECK(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, bytes));
    kernel<<<deal.alone + deal.shares, S::THREADS, bytes>>>(m, n, k, A, B, C, width, deal);
    CUDA_CHECK_LAUNCH();
}

// The rows (or columns) that Large tiles compute. A few more than whole tiles are left out, instead
// of computing a row of tiles that are mostly empty.
static int whole_tiles(int size, int tile) {
    int rest = size % tile;
    return size > tile && rest <= tile / 4 ? size - rest : size;
}

void matmul_device(int m, int n, int k, const float *A, const float *B, float *C) {
    int device, mp; // mp: multiprocessors
    CUDA_CHECK(cudaGetDevice(&device));
    CUDA_CHECK(cudaDeviceGetAttribute(&mp, cudaDevAttrMultiProcessorCount, device));

    int whole_m = whole_tiles(m, Large::BLOCK_M);
    int whole_n = whole_tiles(n, Large::BLOCK_N);
    Plan large = plan<Large>(whole_m, whole_n, k, mp, LARGE_TIMES);
    Plan medium = plan<Medium>(m, n, k, mp, MEDIUM_TIMES);
    Plan small = plan<Small>(m, n, k, mp, SMALL_TIMES);

    if (small.time <= medium.time && small.time <= large.time) {
        launch<Small>(m, n, k, A, B, C, n, small.deal);
    } else if (medium.time <= large.time) {
        launch<Medium>(m, n, k, A, B, C, n, medium.deal);
    } else {
        launch<Large>(whole_m, whole_n, k, A, B, C, n, large.deal);
        if (whole_n < n) { // to the right
            Plan right = plan<Small>(whole_m, n - whole_n, k, mp, SMALL_TIMES);
            launch<Small>(whole_m, n - whole_n, k, A, B + whole_n, C + whole_n, n, right.deal);
        }
        if (whole_m < m) { // below
            Plan below = plan<Small>(m - whole_m, n, k, mp, SMALL_TIMES);
            launch<Small>(m - whole_m, n, k, A + (size_t)whole_m * k, B, C + (size_t)whole_m * n, n,
                          below.deal);
        }
    }
}
