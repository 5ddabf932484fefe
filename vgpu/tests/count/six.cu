// six.cu: the six products whose counters are known from hardware; kernels_test.c runs what vgpucc -S
// makes of it.
//
// n is a multiple of the tile; A, B and C are n x n.

template <bool COL_IS_X> __device__ void naive(int n, const float *A, const float *B, float *C) {
    int x = blockIdx.x * blockDim.x + threadIdx.x;
    int y = blockIdx.y * blockDim.y + threadIdx.y;
    int row = COL_IS_X ? y : x;
    int col = COL_IS_X ? x : y;
    float sum = 0.0f;
    for (int p = 0; p < n; ++p)
        sum += A[row * n + p] * B[p * n + col];
    C[row * n + col] = sum;
}

template <int TILE> __device__ void tiled(int n, const float *A, const float *B, float *C) {
    __shared__ float a[TILE][TILE], b[TILE][TILE];
    int x = threadIdx.x, y = threadIdx.y;
    int row = blockIdx.y * TILE + y, col = blockIdx.x * TILE + x;
    float sum = 0.0f;
    for (int first = 0; first < n; first += TILE) {
        a[y][x] = A[row * n + first + x];
        b[y][x] = B[(first + y) * n + col];
        __syncthreads();
        for (int p = 0; p < TILE; ++p)
            sum += a[y][p] * b[p][x];
        __syncthreads();
    }
    C[row * n + col] = sum;
}

// B's tile is kept transposed, in rows of WIDTH words.
template <int WIDTH> __device__ void transposed(int n, const float *A, const float *B, float *C) {
    __shared__ float a[32][32], b[32][WIDTH];
    int x = threadIdx.x, y = threadIdx.y;
    int row = blockIdx.y * 32 + y, col = blockIdx.x * 32 + x;
    float sum = 0.0f;
    for (int first = 0; first < n; first += 32) {
        a[y][x] = A[row * n + first + x];
        b[x][y] = B[(first + y) * n + col];
        __syncthreads();
        for (int p = 0; p < 32; ++p)
            sum += a[y][p] * b[x][p];
        __syncthreads();
    }
    C[row * n + col] = sum;
}

extern "C" {
__global__ void naive_col_x(int n, const float *A, const float *B, float *C) {
    naive<true>(n, A, B, C);
}
__global__ void naive_row_x(int n, const float *A, const float *B, float *C) {
    naive<false>(n, A, B, C);
}
__global__ void tiled16(int n, const float *A, const float *B, float *C) {
    tiled<16>(n, A, B, C);
}
__global__ void tiled32(int n, const float *A, const float *B, float *C) {
    tiled<32>(n, A, B, C);
}
__global__ void transposed33(int n, const float *A, const float *B, float *C) {
    transposed<33>(n, A, B, C);
}
__global__ void transposed32(int n, const float *A, const float *B, float *C) {
    transposed<32>(n, A, B, C);
}
}
