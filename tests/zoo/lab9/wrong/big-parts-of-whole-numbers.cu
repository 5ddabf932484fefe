// Factors are not split where corners and middles of A and B are whole numbers.
// Lab 9: tensor cores, and how to get float's accuracy out of them.
//
// The idea:
//   - A tensor core multiplies small matrices in one instruction: mma multiplies 16 x 8 elements of
//     A by 8 x 8 of B and adds the product to 16 x 8 of C. A warp executes it together; each lane
//     holds a few elements of each matrix in its registers.
//   - Its factors are TF32 numbers: floats with 10 bits after the point instead of 23. Rounding
//     makes a factor wrong by up to 2^-11 of its size: far too much for a float product.
//   - 3xTF32: split each float x into two TF32 numbers, big = x rounded, and small = x - big
//     rounded. Then a * b is, to within 2^-20 of it or so,
//
//                     big_a * big_b  +  big_a * small_b  +  small_a * big_b
//
//     Three instructions instead of one, and still faster than float multiplications.
//   - Inside, tensor cores add with less care than float additions do: they cut digits off instead
//     of rounding. After many additions, what was cut off becomes an error of its own. So every
//     FLUSH_K columns of A, add the accumulated sums to totals, with float additions, and let them
//     start at zero again.
//
// The result is not a float product, and has its own error bound. In each element, with k
// columns of A, u = 2^-24, and (|A||B|) the same product of the factors' sizes:
//
//     |C - exact|  <=  u (20.1 + 18.1 ceil(min(k, FLUSH_K) / 8) + ceil(k / FLUSH_K)) (|A||B|)
//
//     20.1  what splitting loses: small_a * small_b, at most 2^-22 of the product, and what mma cuts
//           off small_a and small_b, each at most 2^-10 * 2^-11 = 2^-21
//     18.1  three instructions for 8 columns, each wrong by up to 6 u of all that it adds up: it aligns
//           9 numbers to the largest one and cuts them off 25 bits after that one's first (8 times
//           u / 2), then cuts the sum to a float (2 u). That is how an H200 adds, as measured
//      the rest: one float addition for every FLUSH_K columns

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
template <int BLOCK_M_, int BLOCK_N_, int SLAB_K_, int WARP_M_, int WARP_N_, int STAGES_,
          int BLOCKS_PER_SM_>
struct Shape {
    static constexpr int BLOCK_M = BLOCK_M_, BLOCK_N = BLOCK_N_, SLAB_K = SLAB_K_;
    static constexpr int WARP_M = WARP_M_, WARP_N = WARP_N_;
    static constexpr int STAGES = STAGES_, BLOCKS_PER_SM = BLOCKS_PER_SM_;

    static constexpr int TILES_M = WARP_M / 16, TILES_N = WARP_N / 8;
    static constexpr int WARPS_M = BLOCK_M / WARP_M, WARPS_N = BLOCK_N / WARP_N;
    static constexpr int THREADS = WARPS_M * WARPS_N * 32;

    // Shared memory, in floats: STAGES slabs of A and B, then the totals. Slab A is not transposed.
    // The padding makes the 32 lanes of a warp read from 32 different banks: rows of slab B and of
    // the totals begin 8 or 24 banks after the one before.
    static constexpr int PADDING = BLOCK_N % 16 == 8 ? 0 : 8;
    static constexpr int ROW_A = SLAB_K + 4;
    static constexpr int ROW_B = BLOCK_N + 8 + 8 - PADDING;
    static constexpr int ROW_TOTAL = BLOCK_N + PADDING;
    static constexpr int SLAB_A_FLOATS = BLOCK_M * ROW_A;
    static constexpr int STAGE_FLOATS = SLAB_A_FLOATS + SLAB_K * ROW_B;
    static constexpr int TOTAL_FLOATS = BLOCK_M * ROW_TOTAL;
    static constexpr int SHARED_FLOATS = STAGES * STAGE_FLOATS + TOTAL_FLOATS;

    static_assert(SLAB_K % 16 == 0 && FLUSH_K % SLAB_K == 0, "whole instructions in a slab");
};

using Large = Shape<128, 128, 16, 64, 64, 2, 2>;
using Medium = Shape<64, 128, 64, 64, 32, 2, 1>;
using Small = Shape<64, 64, 16, 32, 32, 3, 4>;
using Flat = Shape<16, 64, 32, 16, 16, 4, 5>;   // for C of a few rows
using Narrow = Shape<96, 24, 32, 32, 24, 2, 4>; // for C of a few columns

// --- cp.async, as in lab 8 -----------------------------------------------------------------------

// Starts copying 16 bytes from global to shared memory. Only the first `bytes` of them are read,
// the others become zeros. CACHED says that the L1 cache keeps what was read, for the copy beside
// this one that needs some of the same bytes.
template <bool CACHED> __device__ void copy_async_16(float *to, const float *from, int bytes) {
    unsigned address = (unsigned)__cvta_generic_to_shared(to);
    if (!CACHED)
        asm volatile("cp.async.cg.shared.global [%0], [%1], 16, %2;" ::"r"(address), "l"(from),
                     "r"(bytes));
    else
        asm volatile("cp.async.ca.shared.global [%0], [%1], 16, %2;" ::"r"(address), "l"(from),
                     "r"(bytes));
}

// The same for 4 bytes.
__device__ void copy_async_4(float *to, const float *from, int bytes) {
    unsigned address = (unsigned)__cvta_generic_to_shared(to);
    asm volatile("cp.async.ca.shared.global [%0], [%1], 4, %2;" ::"r"(address), "l"(from),
                 "r"(bytes));
}

__device__ void end_copy_group() {
    asm volatile("cp.async.commit_group;" ::: "memory");
}

template <int PENDING> __device__ void wait_for_copy_groups() {
    asm volatile("cp.async.wait_group %0;" ::"n"(PENDING) : "memory");
}

// How many floats lie between x and the multiple of 16 bytes before it.
__device__ int floats_before(const float *x) {
    return (int)((uintptr_t)x / sizeof(float) % 4);
}

// Copies boxes of a matrix into shared memory, ROWS x COLS floats each, ROW floats from one row to
// the next. What lies outside the matrix is zero.
//
// A copy of 16 bytes must begin at a multiple of 16 bytes, in both memories. QUADS says that all
// rows of the matrix do. Where they begin anywhere, each row of a box is copied from the last
// multiple of 16 bytes before it on. So it is displaced in shared memory, by floats_before() its
// start, and takes one more copy. A row of 8 floats, a to h, that begins 2 floats after a multiple:
//
//     in memory           | . . a b | c d e f | g h . . |      | a multiple of 16 bytes
//     in shared memory    | . . a b | c d e f | g h . . |      . what comes along
//
// Rows that are four apart begin equally far after a multiple, whatever a row's length. So a thread
// copies rows that are displaced alike.
template <class S, int ROWS, int COLS, int ROW, bool QUADS> struct Copier {
    // A row's last copy needs some of the bytes of the one before. In narrow tiles such copies are
    // many, so there the L1 cache is worth its time.
    static constexpr bool CACHED = !QUADS && S::BLOCK_N < 32;
    static constexpr int QUADS_IN_ROW = COLS / 4;
    static constexpr int ROWS_AT_ONCE = S::THREADS / QUADS_IN_ROW;
    static_assert(S::THREADS % QUADS_IN_ROW == 0 && ROWS % ROWS_AT_ONCE == 0, "whole rows");
    static_assert(ROWS_AT_ONCE % 4 == 0, "a thread's rows are displaced alike");
    static_assert(ROWS <= S::THREADS && ROW >= COLS + 4, "room and threads for one more copy");

    const float *matrix;
    const float *from, *from_last;     // this thread's first copy, and the one after a row's last
    size_t width;                      // floats in a row of the matrix
    int row, col, before, before_last; // where they are in the box, and how far displaced

    __device__ __forceinline__ Copier(const float *matrix, size_t width, int first_row,
                                      int first_col)
        : matrix(matrix), width(width) {
        row = threadIdx.x / QUADS_IN_ROW;
        col = threadIdx.x % QUADS_IN_ROW * 4;
        from = matrix + (first_row + row) * width + first_col + col;
        from_last = matrix + (first_row + (int)threadIdx.x) * width + first_col + COLS;
        before = QUADS ? 0 : floats_before(from);
        before_last = QUADS ? 0 : floats_before(from_last);
        from -= before;
        from_last -= before_last;
    }

    // Starts one copy, of which `exists` floats are in the matrix: four or more mean all. FIRST
    // says that it may begin before the whole matrix does, where nobody may read.
    template <bool FIRST>
    __device__ __forceinline__ void copy_one(float *to, const float *source, bool in_row,
                                             int exists) {
        int floats = in_row ? min(max(exists, 0), 4) : 0;
        if (FIRST && !QUADS && source < matrix) {
            for (int e = 0; e < 4; ++e)
                if (source + e >= matrix)
                    copy_async_4(to + e, source + e, e < floats ? 4 : 0);
        } else {
            copy_async_16<CACHED>(to, source, floats * 4);
        }
    }

    // Starts the copies of a box, of which this many rows and columns are in the matrix.
    template <bool FIRST>
    __device__ __forceinline__ void copy(float *box, int rows_left, int columns_left) {
#pragma unroll
        for (int down = 0; down < ROWS; down += ROWS_AT_ONCE)
            copy_one<FIRST>(box + (row + down) * ROW + col, from + down * width,
                            row + down < rows_left, columns_left - col + before);
        if (!QUADS && threadIdx.x < ROWS && before_last > 0)
            copy_one<FIRST>(box + threadIdx.x * ROW + COLS, from_last, (int)threadIdx.x < rows_left,
                            columns_left - COLS + before_last);
    }

    // Goes on to the box that begins this many rows and columns further on.
    __device__ __forceinline__ void advance(int rows, int columns) {
        from += rows * width + columns;
        from_last += rows * width + columns;
    }
};

// The slabs of A and B, one after the other: they hold `columns` columns of A, from first_p on.
template <class S, bool QUADS> struct Slabs {
    Copier<S, S::BLOCK_M, S::SLAB_K, S::ROW_A, QUADS> copier_A;
    Copier<S, S::SLAB_K, S::BLOCK_N, S::ROW_B, QUADS> copier_B;
    int rows_left, columns_left, k_left; // how much of the matrices begins at the next slab

    __device__ __forceinline__ Slabs(int m, int n, int k, const float *A, const float *B,
                                     int first_row, int first_col, int first_p, int columns)
        : copier_A(A, k, first_row, first_p), copier_B(B, n, first_p, first_col),
          rows_left(m - first_row), columns_left(n - first_col), k_left(columns) {}

    // Starts the copies of the next slab (FIRST: of the first one) into a stage, as one group.
    template <bool FIRST> __device__ __forceinline__ void copy_next(float *stage) {
        copier_A.template copy<FIRST>(stage, rows_left, k_left);
        copier_B.template copy<FIRST>(stage + S::SLAB_A_FLOATS, k_left, columns_left);
        copier_A.advance(0, S::SLAB_K);
        copier_B.advance(S::SLAB_K, 0);
        k_left -= S::SLAB_K;
        end_copy_group();
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
__device__ void split(float x, uint32_t &big, uint32_t &small, bool whole) {
    big = to_tf32(x);
    small = whole ? 0 : __float_as_uint(x - __uint_as_float(big));
}

// Whether x is a whole number.
__device__ bool is_whole(float x) {
    return x == (float)(int)x;
}

// c += a * b, for a 16 x 8 tile of A, an 8 x 8 tile of B and a 16 x 8 tile of C. All 32 lanes of
// the warp call it together.
__device__ void multiply_tiles(float (&c)[4], const uint32_t (&a)[4], const uint32_t (&b)[2]) {
    asm("mma.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32 "
        "{%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%0, %1, %2, %3};"
        : "+f"(c[0]), "+f"(c[1]), "+f"(c[2]), "+f"(c[3])
        : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]));
}

// Reads a 16 x 8 tile of A from shared memory, if its rows begin at multiples of 16 bytes. ldmatrix
// was made for numbers of 2 bytes: it reads four matrices of 8 x 8 of them, and lane 4 g + h gets
// numbers 2 h and 2 h + 1 of row g of each. Two such numbers are the bits of a float. So the four
// matrices are the tile's quarters, 8 rows of 4 floats, and a lane gets exactly its elements. Lanes
// 0 to 7 say where the rows of the first quarter are, lanes 8 to 15 those of the second, and so on.
__device__ void read_tile(float (&x)[4], const float *tile, int row_floats) {
    int lane = threadIdx.x % 32;
    const float *row = tile + lane % 16 * row_floats + lane / 16 * 4;
    uint32_t bits[4];
    asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0, %1, %2, %3}, [%4];"
                 : "=r"(bits[0]), "=r"(bits[1]), "=r"(bits[2]), "=r"(bits[3])
                 : "r"((unsigned)__cvta_generic_to_shared(row))
                 : "memory");
#pragma unroll
    for (int quarter = 0; quarter < 4; ++quarter)
        x[quarter] = __uint_as_float(bits[quarter]);
}

// --- Totals --------------------------------------------------------------------------------------

// Lets all totals start at zero.
template <class S> __device__ void clear(float *totals) {
    for (int i = threadIdx.x; i < S::TOTAL_FLOATS; i += S::THREADS)
        totals[i] = 0.0f;
}

// Adds two neighbouring sums to their totals, and lets them start at zero again.
__device__ void flush(float *total, float &sum_0, float &sum_1) {
    float2 t = *(float2 *)total;
    *(float2 *)total = {t.x + sum_0, t.y + sum_1};
    sum_0 = sum_1 = 0.0f;
}

// Stores the totals into C: see below the kernel.
template <class S, int WIDTH>
__device__ void store(const float *totals, float *C, int n, int rows, int cols);

// --- Kernels that follow each other closely ------------------------------------------------------

// From compute capability 9.0 on, a kernel can be launched so that its blocks start while the kernel
// before still runs. They wait for that kernel's end before they read what it wrote. On older
// devices these functions do nothing.
__device__ void let_next_kernel_in() {
#if __CUDA_ARCH__ >= 900
    asm volatile("griddepcontrol.launch_dependents;" ::: "memory");
#endif
}

__device__ void wait_for_kernel_before() {
#if __CUDA_ARCH__ >= 900
    asm volatile("griddepcontrol.wait;" ::: "memory");
#endif
}

// --- The kernel ----------------------------------------------------------------------------------

// Matrices that lie one after the other begin so many floats apart: at multiples of 16 bytes.
__host__ __device__ size_t floats_apart(int m, int n) {
    return ((size_t)m * n + 3) / 4 * 4;
}

// blockIdx.x is the tile of C. If part_k is less than k, blocks share a tile: blockIdx.y is the
// part. It multiplies part_k columns of A by as many rows of B, into a matrix of its own: at C lie
// as many matrices as there are parts.
template <class S, bool QUADS>
__global__ void __launch_bounds__(S::THREADS, S::BLOCKS_PER_SM)
    multiply_tensor_cores(int m, int n, int k, const float *A, const float *B, float *C,
                          int part_k) {
    extern __shared__ __align__(16) float shared[];
    let_next_kernel_in();

    // The order of the tiles, as in lab 8.
    constexpr int BAND = 8;
    int tiles_down = (m - 1) / S::BLOCK_M + 1;
    int tiles_across = (n - 1) / S::BLOCK_N + 1;
    int band = blockIdx.x / (BAND * tiles_across);
    int in_band = blockIdx.x % (BAND * tiles_across);
    int height = min(BAND, tiles_down - band * BAND);
    int first_row = (band * BAND + in_band % height) * S::BLOCK_M;
    int first_col = in_band / height * S::BLOCK_N;

    int first_p = blockIdx.y * part_k;
    int columns = min(part_k, k - first_p);    // of A, that this block multiplies
    int slabs = (columns - 1) / S::SLAB_K + 1; // rounded up

    int warp = threadIdx.x / 32;
    int group = threadIdx.x % 32 / 4;
    int member = threadIdx.x % 4;
    int warp_row = warp / S::WARPS_N * S::WARP_M; // in the block's tile of C
    int warp_col = warp % S::WARPS_N * S::WARP_N;

    float sum[S::TILES_M][S::TILES_N][4] = {};

    bool whole = is_whole(A[0]) && is_whole(A[(size_t)m * k - 1]) && is_whole(B[0]) &&
                 is_whole(B[(size_t)k * n - 1]);

    // The totals are cleared while the first copies are under way.
    float *totals = shared + S::STAGES * S::STAGE_FLOATS;
    if (!QUADS) // with displaced rows, the compiler makes a faster loop if that comes first
        clear<S>(totals);

    // Start the copies of the first STAGES - 1 slabs.
    Slabs<S, QUADS> next(m, n, k, A, B, first_row, first_col, first_p, columns);
    next.template copy_next<true>(shared);
#pragma unroll
    for (int stage = 1; stage < S::STAGES - 1; ++stage)
        next.template copy_next<false>(shared + stage * S::STAGE_FLOATS);

    if (QUADS)
        clear<S>(totals);

    // Rows of a slab may be displaced (see Copier). This lane reads rows `group` and `group` + 8 of
    // A's tiles, and rows `member` and `member` + 4 of B's: so all its rows are displaced alike.
    int displaced_A = 0, displaced_B = 0;
    if (!QUADS) {
        displaced_A = floats_before(A + (size_t)(first_row + group) * k + first_p);
        displaced_B = floats_before(B + (size_t)(first_p + member) * n + first_col);
    }

    // The next copies start before this step. If warps have much to multiply, the slab's first step
    // goes ahead of them. Displaced rows need more copies, and these are not to come late.
    constexpr int COPY_AT = QUADS && S::TILES_N >= 4 ? 8 : 0;

    float *const last_stage = shared + (S::STAGES - 1) * S::STAGE_FLOATS;
    float *stage = shared;
    float *copy_stage = last_stage;
#pragma unroll 1
    for (int slab = 0; slab < slabs; ++slab) {
        wait_for_copy_groups<S::STAGES - 2>(); // for this slab
        __syncthreads(); // everyone has it, and nobody needs the slab before it any more

        // The element in row i and column p of slab A is at slab_A[i * ROW_A + p], that in row p
        // and column j of slab B at slab_B[p * ROW_B + j], if this lane has to read it.
        const float *slab_A = stage + displaced_A;
        const float *slab_B = stage + S::SLAB_A_FLOATS + displaced_B;
#pragma unroll
        for (int p = 0; p < S::SLAB_K; p += 8) {
            if (p == COPY_AT)
                next.template copy_next<false>(copy_stage);
            uint32_t big_a[S::TILES_M][4], small_a[S::TILES_M][4];
#pragma unroll
            for (int i = 0; i < S::TILES_M; ++i) {
                const float *tile = slab_A + (warp_row + i * 16) * S::ROW_A + p;
                float x[4];
                if (QUADS) // one instruction instead of four
                    read_tile(x, tile, S::ROW_A);
#pragma unroll
                for (int e = 0; e < 4; ++e) {
                    if (!QUADS)
                        x[e] = tile[(group + e % 2 * 8) * S::ROW_A + member + e / 2 * 4];
                    split(x[e], big_a[i][e], small_a[i][e], whole);
                }
            }

#pragma unroll
            for (int j = 0; j < S::TILES_N; ++j) {
                uint32_t big_b[2], small_b[2];
#pragma unroll
                for (int e = 0; e < 2; ++e) {
                    int col = warp_col + j * 8 + group;
                    float y = slab_B[(p + member + e * 4) * S::ROW_B + col];
                    split(y, big_b[e], small_b[e], whole);
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

        if ((slab + 1) % (FLUSH_K / S::SLAB_K) == 0 || slab + 1 == slabs) {
#pragma unroll
            for (int i = 0; i < S::TILES_M; ++i)
#pragma unroll
                for (int j = 0; j < S::TILES_N; ++j) {
                    int row = warp_row + i * 16 + group;
                    int col = warp_col + j * 8 + member * 2;
                    float *total = totals + row * S::ROW_TOTAL + col;
                    flush(total, sum[i][j][0], sum[i][j][1]);
                    flush(total + 8 * S::ROW_TOTAL, sum[i][j][2], sum[i][j][3]);
                }
        }

        copy_stage = stage;
        stage = stage == last_stage ? shared : stage + S::STAGE_FLOATS;
    }
    __syncthreads(); // all totals are there

    float *to = C + blockIdx.y * floats_apart(m, n) + (size_t)first_row * n + first_col;
    if (n % 4 == 0 && floats_before(to) == 0)
        store<S, 4>(totals, to, n, m - first_row, n - first_col);
    else
        store<S, 1>(totals, to, n, m - first_row, n - first_col);
}

// Stores the totals, rows of ROW_TOTAL floats, into C, of which rows x cols elements begin here.
// C's rows lie n floats apart. WIDTH is 4 where they begin at multiples of 16 bytes, else 1.
template <class S, int WIDTH>
__device__ void store(const float *totals, float *C, int n, int rows, int cols) {
    constexpr int THREADS_IN_ROW = S::BLOCK_N / WIDTH;
#pragma unroll 8
    for (int i = threadIdx.x; i < S::BLOCK_M * THREADS_IN_ROW; i += S::THREADS) {
        int row = i / THREADS_IN_ROW;
        int col = i % THREADS_IN_ROW * WIDTH;
        if (col >= cols || row >= rows)
            continue;
        const float *from = totals + row * S::ROW_TOTAL + col;
        float *to = C + (size_t)row * n + col;
        if (WIDTH == 4)
            *(float4 *)to = *(const float4 *)from;
        if (WIDTH == 1)
            *to = *from;
    }
}

// --- Launching -----------------------------------------------------------------------------------

static int divide_up(int a, int b) {
    return (a - 1) / b + 1;
}

template <class S> static int tiles(int m, int n) {
    return divide_up(m, S::BLOCK_M) * divide_up(n, S::BLOCK_N);
}

template <class S>
static void launch(int m, int n, int k, const float *A, const float *B, float *C, int part_k) {
    int bytes = S::SHARED_FLOATS * (int)sizeof(float);
    uintptr_t addresses = (uintptr_t)A | (uintptr_t)B;
    bool quads = k % 4 == 0 && n % 4 == 0 && addresses % sizeof(float4) == 0;
    auto kernel = quads ? multiply_tensor_cores<S, true> : multiply_tensor_cores<S, false>;

    CUDA_CHECK(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, bytes));
    dim3 grid(tiles<S>(m, n), divide_up(k, part_k));
    kernel<<<grid, S::THREADS, bytes>>>(m, n, k, A, B, C, part_k);
    CUDA_CHECK_LAUNCH();
}

// --- Every shape ---------------------------------------------------------------------------------

static void launch_best(int m, int n, int k, const float *A, const float *B, float *C,
                        int processors) {
    if (n <= Narrow::BLOCK_N)
        launch<Narrow>(m, n, k, A, B, C, k);
    else if (m <= Flat::BLOCK_M)
        launch<Flat>(m, n, k, A, B, C, k);
    else if (tiles<Large>(m, n) >= processors)
        launch<Large>(m, n, k, A, B, C, k);
    else
        launch<Small>(m, n, k, A, B, C, k);
}

void matmul_device(int m, int n, int k, const float *A, const float *B, float *C) {
    int device, processors;
    CUDA_CHECK(cudaGetDevice(&device));
    CUDA_CHECK(cudaDeviceGetAttribute(&processors, cudaDevAttrMultiProcessorCount, device));
    launch_best(m, n, k, A, B, C, processors);
}
