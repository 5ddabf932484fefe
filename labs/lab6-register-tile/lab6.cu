// Lab 6: a tile of C in every thread's registers.
//
// The idea:
//   - In lab 4 a thread computes one element of C: each multiplication reads two numbers from
//     shared memory. Shared memory is fast, but not that fast: the threads wait for it, not for
//     arithmetic.
//   - Let a thread compute THREAD_M x THREAD_N elements of C instead. For one p it reads THREAD_M
//     numbers of A and THREAD_N of B into registers, and multiplies each by each: an outer
//     product. With 8 and 8 that is 16 reads for 64 multiplications, a quarter of a read for each,
//     not two.
//   - A block still has 256 threads, but its tile of C is now 128 x 128 and its reads from global
//     memory serve 128 multiplications each, not 32.
//   - The sums must stay in registers. An array can if every index into it is known when the
//     kernel is compiled: loops of constant length, unrolled.
//
// Build and run:  make lab6 && build/vgpu/lab6 140 50 90  (with a GPU: build/gpu/lab6)
// Grade:          ./grader lab6

#include "cuda_check.h"
#include "lab.h"

constexpr int BLOCK_M = 128; // a block computes BLOCK_M x BLOCK_N elements of C ...
constexpr int BLOCK_N = 128;
constexpr int SLAB_K = 8;   // ... and in each phase takes SLAB_K columns of A and rows of B
constexpr int THREAD_M = 8; // a thread computes THREAD_M x THREAD_N of them
constexpr int THREAD_N = 8;

constexpr int THREADS_M = BLOCK_M / THREAD_M; // the block's threads: 16 of them side by side,
constexpr int THREADS_N = BLOCK_N / THREAD_N; // 16 such rows one below the other
constexpr int THREADS = THREADS_M * THREADS_N;

// The compiler limits a thread's registers so that two blocks can share a multiprocessor: while one
// block waits for its slabs, the other multiplies.
constexpr int BLOCKS_PER_SM = 2;

static_assert(BLOCK_M * SLAB_K % THREADS == 0 && SLAB_K * BLOCK_N % THREADS == 0,
              "each thread copies equally many elements of a slab");

//                   BLOCK_N = 128             The 16 x 16 threads lie on the tile of C 8 x 8
//             +------------------------+      times, like a stamp. Thread (ty, tx) computes the
//    SLAB_K 8 |         slab B         |      elements on which it lands:
//             +------------------------+
//   SLAB_K    +----+----+----+-...-----+        rows     ty, ty + 16, ty + 32, ... ty + 112
//    +---+    |16 x|16 x|    |         |        columns  tx, tx + 16, tx + 32, ... tx + 112
//    |   |    | 16 | 16 |    |         |
//    | s |    +----+----+----+-...-----+      Neighbouring threads have neighbouring columns in
//    | l |    |    |    |    |         |      each access: to slab B (no two of them in one bank
//    | a |    +----+----+----+-...-----+      of shared memory) and to C (coalesced).
//    | b |    .    .    .    .         .
//    |   |    +----+----+----+-...-----+
//    | A |    |    |    |    |         |      BLOCK_M = 128
//    +---+    +----+----+----+-...-----+
__global__ void __launch_bounds__(THREADS, BLOCKS_PER_SM)
    multiply_register_tiled(int m, int n, int k, const float *A, const float *B, float *C) {
    __shared__ float slab_A[BLOCK_M][SLAB_K];
    __shared__ float slab_B[SLAB_K][BLOCK_N];

    // Blocks are numbered along one dimension, row by row of C's tiles: it has room for all of
    // them.
    int blocks_across = (n - 1) / BLOCK_N + 1;
    int first_row = (int)(blockIdx.x / blocks_across) * BLOCK_M; // of this block's tile of C
    int first_col = (int)(blockIdx.x % blocks_across) * BLOCK_N;

    int thread = threadIdx.x; // 0 ... THREADS - 1

    // TODO 1: Give this thread a place (ty, tx) in the stamp, and a THREAD_M x THREAD_N array for
    // its sums, all zero. Consecutive threads lie side by side along x.

    // TODO 2: Loop over the slabs; a partial last one counts. Fill slab_A and slab_B together, all
    // THREADS threads: each one copies elements thread, thread + THREADS, thread + 2 * THREADS, ...
    // of a slab, counted row by row. Let the loops over them begin at 0, not at `thread`: the
    // compiler then knows how often they run, and starts all of a thread's reads before it waits
    // for the first. As in lab 4, an element that does not exist is a zero. Then wait.

        // TODO 3: For each p of the slab: read this thread's THREAD_M numbers of A and THREAD_N
        // numbers of B into two small arrays, then add the product of each with each to its sum.
        // Put #pragma unroll before loops that index these arrays. At the slab's end, wait.

    // TODO 4: Store the sums that belong to an element of C.
    (void)m, (void)n, (void)k, (void)A, (void)B, (void)C; // delete these two lines
    (void)slab_A, (void)slab_B, (void)first_row, (void)first_col, (void)thread;
}

void matmul_device(int m, int n, int k, const float *A, const float *B, float *C) {
    // TODO 5: Launch a block of THREADS threads for each tile of C, all in one row of blocks (the
    // kernel divides their number), and check the launch.
    (void)m, (void)n, (void)k, (void)A, (void)B, (void)C; // delete this line
}
