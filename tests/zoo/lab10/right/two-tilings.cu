// Lab 10: split sums, own kernels for a row, a column and a narrow C, two shapes of tiles.
#include "cuda_check.h"
#include "lab.h"

constexpr int BK = 16;

static int up(int a, int b) { return (a - 1) / b + 1; }

// Part q of the sum: p from begin(q) to begin(q + 1).
__device__ int begin_of(int k, int parts, int q) { return (int)((long long)k * q / parts); }

// ---- Tiles. blockIdx.y is the part; part q goes to out + q * m * n. ----
template <int T, int R> // block tile T x T, thread tile R x R
__global__ void __launch_bounds__(256)
tile_part(int m, int n, int k, const float *A, const float *B, float *out) {
    constexpr int S = T / R; // 16
    __shared__ float sa[BK][T + 1];
    __shared__ float sb[BK][T];
    const int t = threadIdx.x, tx = t % S, ty = t / S;
    const int across = (n - 1) / T + 1;
    const int row0 = (int)blockIdx.x / across * T, col0 = (int)blockIdx.x % across * T;
    const int from = begin_of(k, gridDim.y, blockIdx.y);
    const int to = begin_of(k, gridDim.y, blockIdx.y + 1);
    float acc[R][R] = {};

    for (int p0 = from; p0 < to; p0 += BK) {
#pragma unroll
        for (int e = 0; e < T * BK; e += 256) {
            const int r = (e + t) / BK, p = (e + t) % BK;
            const bool in = row0 + r < m && p0 + p < to;
            sa[p][r] = in ? A[(size_t)(row0 + r) * k + p0 + p] : 0.0f;
        }
#pragma unroll
        for (int e = 0; e < T * BK; e += 256) {
            const int p = (e + t) / T, c = (e + t) % T;
            const bool in = p0 + p < to && col0 + c < n;
            sb[p][c] = in ? B[(size_t)(p0 + p) * n + col0 + c] : 0.0f;
        }
        __syncthreads();
#pragma unroll
        for (int p = 0; p < BK; ++p) {
            float a[R], b[R];
#pragma unroll
            for (int i = 0; i < R; ++i) {
                a[i] = sa[p][ty + i * S];
                b[i] = sb[p][tx + i * S];
            }
#pragma unroll
            for (int i = 0; i < R; ++i)
#pragma unroll
                for (int j = 0; j < R; ++j)
                    acc[i][j] += a[i] * b[j];
        }
        __syncthreads();
    }
    out += (size_t)blockIdx.y * m * n;
#pragma unroll
    for (int i = 0; i < R; ++i)
#pragma unroll
        for (int j = 0; j < R; ++j) {
            const int r = row0 + ty + i * S, c = col0 + tx + j * S;
            if (r < m && c < n)
                out[(size_t)r * n + c] = acc[i][j];
        }
}

// ---- One row: 32 columns and 8 groups of rows of B in a block ----
__global__ void row_part(int n, int k, const float *A, const float *B, float *out) {
    __shared__ float group[8][32];
    const int col = blockIdx.x * 32 + threadIdx.x;
    const int to = begin_of(k, gridDim.y, blockIdx.y + 1);
    float s = 0.0f;
    if (col < n)
        for (int p = begin_of(k, gridDim.y, blockIdx.y) + threadIdx.y; p < to; p += 8)
            s += A[p] * B[(size_t)p * n + col];
    group[threadIdx.y][threadIdx.x] = s;
    __syncthreads();
    if (threadIdx.y == 0 && col < n) {
        for (int g = 1; g < 8; ++g)
            s += group[g][threadIdx.x];
        out[(size_t)blockIdx.y * n + col] = s;
    }
}

// ---- One column: a warp for each row of A ----
__global__ void column_part(int m, int k, const float *A, const float *B, float *out) {
    const int row = blockIdx.x * 8 + threadIdx.x / 32, lane = threadIdx.x % 32;
    if (row >= m)
        return;
    const int to = begin_of(k, gridDim.y, blockIdx.y + 1);
    float s = 0.0f;
    for (int p = begin_of(k, gridDim.y, blockIdx.y) + lane; p < to; p += 32)
        s += A[(size_t)row * k + p] * B[p];
    for (int d = 16; d > 0; d >>= 1)
        s += __shfl_xor_sync(0xffffffffu, s, d);
    if (lane == 0)
        out[(size_t)blockIdx.y * m + row] = s;
}

// ---- Few columns: a thread computes a row of C ----
template <int COLS>
__global__ void __launch_bounds__(128)
narrow(int m, int n, int k, const float *A, const float *B, float *C) {
    __shared__ float sa[128][33];
    __shared__ float sb[32][COLS];
    const int t = threadIdx.x, row0 = blockIdx.x * 128;
    float acc[COLS] = {};
    for (int p0 = 0; p0 < k; p0 += 32) {
        for (int e = t; e < 128 * 32; e += 128) {
            const int r = e / 32, p = e % 32;
            sa[r][p] = row0 + r < m && p0 + p < k ? A[(size_t)(row0 + r) * k + p0 + p] : 0.0f;
        }
        for (int e = t; e < 32 * COLS; e += 128) {
            const int p = e / COLS, c = e % COLS;
            sb[p][c] = p0 + p < k && c < n ? B[(size_t)(p0 + p) * n + c] : 0.0f;
        }
        __syncthreads();
        for (int p = 0; p < 32; ++p) {
            const float a = sa[t][p];
#pragma unroll
            for (int c = 0; c < COLS; ++c)
                acc[c] += a * sb[p][c];
        }
        __syncthreads();
    }
    if (row0 + t < m)
#pragma unroll
        for (int c = 0; c < COLS; ++c)
            if (c < n)
                C[(size_t)(row0 + t) * n + c] = acc[c];
}

// ---- The parts are added in order ----
__global__ void add_up(size_t count, int parts, const float *from, float *C) {
    const size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= count)
        return;
    float s = from[i];
    for (int q = 1; q < parts; ++q)
        s += from[q * count + i];
    C[i] = s;
}

static float *workspace(size_t floats) {
    static float *place = nullptr; // kept for the next call, and grows
    static size_t room = 0;
    if (floats > room) {
        if (place)
            CUDA_CHECK(cudaFree(place));
        CUDA_CHECK(cudaMalloc((void **)&place, floats * sizeof(float)));
        room = floats;
    }
    return place;
}

static void add_parts(size_t count, int parts, const float *from, float *C) {
    add_up<<<(unsigned)((count + 255) / 256), 256>>>(count, parts, from, C);
    CUDA_CHECK_LAUNCH();
}

// How many parts so that about `blocks` blocks have work, each with at least `least` of k.
static int parts_for(int k, int tiles, int blocks, int least) {
    int parts = blocks / tiles;
    if (parts > k / least)
        parts = k / least;
    return parts > 1 ? parts : 1;
}

void matmul_device(int m, int n, int k, const float *A, const float *B, float *C) {
    int device, sms;
    CUDA_CHECK(cudaGetDevice(&device));
    CUDA_CHECK(cudaDeviceGetAttribute(&sms, cudaDevAttrMultiProcessorCount, device));

    if (m > 127 && n > 1 && n <= 16) {
        const int blocks = up(m, 128);
        if (n <= 4)
            narrow<4><<<blocks, 128>>>(m, n, k, A, B, C);
        else if (n <= 8)
            narrow<8><<<blocks, 128>>>(m, n, k, A, B, C);
        else
            narrow<16><<<blocks, 128>>>(m, n, k, A, B, C);
        CUDA_CHECK_LAUNCH();
        return;
    }

    const bool large = up(m, 128) * up(n, 128) >= sms;
    const int tiles = m == 1   ? up(n, 32)
                      : n == 1 ? up(m, 8)
                      : large  ? up(m, 128) * up(n, 128)
                               : up(m, 64) * up(n, 64);
    int parts = 1;
    if (m == 1 || n == 1 || k >= 1024)
        parts = parts_for(k, tiles, 2 * sms, 160);

    const size_t count = (size_t)m * n;
    float *out = parts > 1 ? workspace(count * parts) : C;
    const dim3 grid(tiles, parts);
    if (m == 1)
        row_part<<<grid, dim3(32, 8)>>>(n, k, A, B, out);
    else if (n == 1)
        column_part<<<grid, 256>>>(m, k, A, B, out);
    else if (large)
        tile_part<128, 8><<<grid, 256>>>(m, n, k, A, B, out);
    else
        tile_part<64, 4><<<grid, 256>>>(m, n, k, A, B, out);
    CUDA_CHECK_LAUNCH();
    if (parts > 1)
        add_parts(count, parts, out, C);
}
