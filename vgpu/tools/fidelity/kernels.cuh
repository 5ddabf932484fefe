// kernels.cuh: products of n x n matrices in many ways, for comparing the virtual GPU with a real
// one.
//
// Each way meets memory differently. All take any n (they check their bounds) unless said
// otherwise; ld is the leading dimension, the same for all three matrices. The sums are taken in
// one order each, so that two machines that do float arithmetic alike get the same bits.
#pragma once

// One element of C a thread; neighbours along x are neighbours in a row, or in a column.
template <bool COL_IS_X>
__global__ void naive(int n, int ld, const float *A, const float *B, float *C) {
    int x = blockIdx.x * blockDim.x + threadIdx.x;
    int y = blockIdx.y * blockDim.y + threadIdx.y;
    int row = COL_IS_X ? y : x;
    int col = COL_IS_X ? x : y;
    if (row >= n || col >= n)
        return;
    float sum = 0.0f;
    for (int p = 0; p < n; ++p)
        sum += A[row * ld + p] * B[p * ld + col];
    C[row * ld + col] = sum;
}

// Tiles in shared memory, with zeros where they stick out.
template <int TILE> __global__ void tiled(int n, int ld, const float *A, const float *B, float *C) {
    __shared__ float a[TILE][TILE], b[TILE][TILE];
    int x = threadIdx.x, y = threadIdx.y;
    int row = blockIdx.y * TILE + y, col = blockIdx.x * TILE + x;
    float sum = 0.0f;
    for (int first = 0; first < n; first += TILE) {
        a[y][x] = row < n && first + x < n ? A[row * ld + first + x] : 0.0f;
        b[y][x] = first + y < n && col < n ? B[(first + y) * ld + col] : 0.0f;
        __syncthreads();
        for (int p = 0; p < TILE; ++p)
            sum += a[y][p] * b[p][x];
        __syncthreads();
    }
    if (row < n && col < n)
        C[row * ld + col] = sum;
}

// B's tile kept transposed, in rows of WIDTH words: 33 spread a column over the banks, 32 don't.
template <int WIDTH>
__global__ void transposed(int n, int ld, const float *A, const float *B, float *C) {
    __shared__ float a[32][32], b[32][WIDTH];
    int x = threadIdx.x, y = threadIdx.y;
    int row = blockIdx.y * 32 + y, col = blockIdx.x * 32 + x;
    float sum = 0.0f;
    for (int first = 0; first < n; first += 32) {
        a[y][x] = row < n && first + x < n ? A[row * ld + first + x] : 0.0f;
        b[x][y] = first + y < n && col < n ? B[(first + y) * ld + col] : 0.0f;
        __syncthreads();
        for (int p = 0; p < 32; ++p)
            sum += a[y][p] * b[x][p];
        __syncthreads();
    }
    if (row < n && col < n)
        C[row * ld + col] = sum;
}

// Four columns a thread, 16 bytes an access. ld is a multiple of 4; what lies behind column n is
// padding.
__global__ void float4_columns(int n, int ld, const float *A, const float *B, float *C) {
    int col = 4 * (blockIdx.x * blockDim.x + threadIdx.x);
    int row = blockIdx.y * blockDim.y + threadIdx.y;
    if (row >= n || col >= n)
        return;
    float4 sum = make_float4(0.0f, 0.0f, 0.0f, 0.0f);
    for (int p = 0; p < n; ++p) {
        float a = A[row * ld + p];
        float4 b = *(const float4 *)(B + p * ld + col);
        sum.x += a * b.x;
        sum.y += a * b.y;
        sum.z += a * b.z;
        sum.w += a * b.w;
    }
    *(float4 *)(C + row * ld + col) = sum;
}

// Two columns a thread, 8 bytes an access, in shared memory too. ld is a multiple of 4.
__global__ void float2_tiles(int n, int ld, const float *A, const float *B, float *C) {
    __shared__ float a[16][32];
    __shared__ float2 b[32][16];
    int x = threadIdx.x, y = threadIdx.y; // 16 x 16 threads, 32 columns and 16 rows of C
    int row = blockIdx.y * 16 + y, col = blockIdx.x * 32 + 2 * x;
    float2 zero = make_float2(0.0f, 0.0f), sum = zero;
    for (int first = 0; first < n; first += 32) {
        for (int i = x; i < 32; i += 16)
            a[y][i] = row < n && first + i < n ? A[row * ld + first + i] : 0.0f;
        for (int i = y; i < 32; i += 16)
            b[i][x] =
                first + i < n && col < n ? *(const float2 *)(B + (first + i) * ld + col) : zero;
        __syncthreads();
        for (int p = 0; p < 32; ++p) {
            float2 v = b[p][x];
            sum.x += a[y][p] * v.x;
            sum.y += a[y][p] * v.y;
        }
        __syncthreads();
    }
    if (row < n && col < n)
        *(float2 *)(C + row * ld + col) = sum;
}

// Two columns a thread, one word an access: every other word is left out.
__global__ void strided(int n, int ld, const float *A, const float *B, float *C) {
    int col = 2 * (blockIdx.x * blockDim.x + threadIdx.x);
    int row = blockIdx.y * blockDim.y + threadIdx.y;
    if (row >= n || col + 1 >= n)
        return;
    float even = 0.0f, odd = 0.0f;
    for (int p = 0; p < n; ++p) {
        float a = A[row * ld + p];
        even += a * B[p * ld + col];
        odd += a * B[p * ld + col + 1];
    }
    C[row * ld + col] = even;
    C[row * ld + col + 1] = odd;
}

// A taken as transposed: its columns are read along x.
__global__ void transposed_a(int n, int ld, const float *A, const float *B, float *C) {
    int row = blockIdx.x * blockDim.x + threadIdx.x;
    int col = blockIdx.y * blockDim.y + threadIdx.y;
    if (row >= n || col >= n)
        return;
    float sum = 0.0f;
    for (int p = 0; p < n; ++p)
        sum += A[p * ld + row] * B[p * ld + col];
    C[row * ld + col] = sum;
}

// Four rows a thread: a 32 x 32 tile by 32 x 8 threads.
__global__ void four_rows(int n, int ld, const float *A, const float *B, float *C) {
    __shared__ float a[32][32], b[32][32];
    int x = threadIdx.x, y = threadIdx.y;
    int top = blockIdx.y * 32, col = blockIdx.x * 32 + x;
    float sum[4] = {0.0f, 0.0f, 0.0f, 0.0f};
    for (int first = 0; first < n; first += 32) {
        for (int i = y; i < 32; i += 8) {
            a[i][x] = top + i < n && first + x < n ? A[(top + i) * ld + first + x] : 0.0f;
            b[i][x] = first + i < n && col < n ? B[(first + i) * ld + col] : 0.0f;
        }
        __syncthreads();
        for (int p = 0; p < 32; ++p)
            for (int i = 0; i < 4; ++i)
                sum[i] += a[y + 8 * i][p] * b[p][x];
        __syncthreads();
    }
    for (int i = 0; i < 4; ++i)
        if (top + y + 8 * i < n && col < n)
            C[(top + y + 8 * i) * ld + col] = sum[i];
}

// Two blocks share each sum: 0 + s1 + s2 is the same whichever comes first. C holds zeros at first.
__global__ void split_atomic(int n, int ld, const float *A, const float *B, float *C) {
    int col = blockIdx.x * blockDim.x + threadIdx.x;
    int row = blockIdx.y * blockDim.y + threadIdx.y;
    if (row >= n || col >= n)
        return;
    int half = n / 2, begin = blockIdx.z == 0 ? 0 : half, end = blockIdx.z == 0 ? half : n;
    float sum = 0.0f;
    for (int p = begin; p < end; ++p)
        sum += A[row * ld + p] * B[p * ld + col];
    atomicAdd(&C[row * ld + col], sum);
}

// A warp for each element: lanes take every 32nd product and add up by shuffles. B's column is far
// apart.
__global__ void warp_dots(int n, int ld, const float *A, const float *B, float *C) {
    int lane = threadIdx.x, col = blockIdx.x * blockDim.y + threadIdx.y, row = blockIdx.y;
    float sum = 0.0f;
    if (col < n)
        for (int p = lane; p < n; p += 32)
            sum += A[row * ld + p] * B[p * ld + col];
    for (int half = 16; half > 0; half /= 2)
        sum += __shfl_down_sync(0xffffffffu, sum, half);
    if (lane == 0 && col < n)
        C[row * ld + col] = sum;
}

// Only every other thread works: half the lanes of each warp.
__global__ void checkerboard(int n, int ld, const float *A, const float *B, float *C) {
    int col = blockIdx.x * blockDim.x + threadIdx.x;
    int row = blockIdx.y * blockDim.y + threadIdx.y;
    if (row >= n || col >= n)
        return;
    float sum = -1.0f;
    if ((row + col) % 2 == 0) {
        sum = 0.0f;
        for (int p = 0; p < n; ++p)
            sum += A[row * ld + p] * B[p * ld + col];
    }
    C[row * ld + col] = sum;
}
