// Kernels that are right, each in a way that a careless checker would take for wrong. No finding.
// run:
#include <cooperative_groups.h>
#include <stdio.h>

template <int T> __global__ void tiled(int n, const float *A, const float *B, float *C) {
    __shared__ float As[T][T], Bs[T][T];
    int x = threadIdx.x, y = threadIdx.y, row = blockIdx.y * T + y, col = blockIdx.x * T + x;
    float sum = 0;
    for (int p = 0; p < (n + T - 1) / T; p++) {
        As[y][x] = row < n && p * T + x < n ? A[row * n + p * T + x] : 0;
        Bs[y][x] = p * T + y < n && col < n ? B[(p * T + y) * n + col] : 0;
        __syncthreads();
        for (int i = 0; i < T; i++)
            sum += As[y][i] * Bs[i][x];
        __syncthreads();
    }
    if (row < n && col < n)
        C[row * n + col] = sum;
}

/* Two buffers: one barrier a phase is enough. */
template <int T> __global__ void double_buffered(int n, const float *A, const float *B, float *C) {
    __shared__ float As[2][T][T + 1], Bs[2][T][T + 1];
    int x = threadIdx.x, y = threadIdx.y, row = blockIdx.y * T + y, col = blockIdx.x * T + x;
    float sum = 0;
    As[0][y][x] = A[row * n + x];
    Bs[0][y][x] = B[y * n + col];
    __syncthreads();
    for (int p = 0; p < n / T; p++) {
        int now = p & 1, next = now ^ 1;
        if (p + 1 < n / T) {
            As[next][y][x] = A[row * n + (p + 1) * T + x];
            Bs[next][y][x] = B[((p + 1) * T + y) * n + col];
        }
        for (int i = 0; i < T; i++)
            sum += As[now][y][i] * Bs[now][i][x];
        __syncthreads();
    }
    C[row * n + col] = sum;
}

__global__ void shuffled_sum(const float *in, float *out, int n) {
    __shared__ float part[32];
    float sum = 0;
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
        sum += in[i];
    for (int d = 16; d > 0; d /= 2)
        sum += __shfl_down_sync(0xFFFFFFFFu, sum, d);
    if (threadIdx.x % 32 == 0)
        part[threadIdx.x / 32] = sum;
    __syncthreads();
    if (threadIdx.x < 32) {
        sum = threadIdx.x < blockDim.x / 32 ? part[threadIdx.x] : 0;
        for (int d = 16; d > 0; d /= 2)
            sum += __shfl_down_sync(0xFFFFFFFFu, sum, d);
        if (threadIdx.x == 0)
            atomicAdd(out, sum);
    }
}

/* The last warp goes on with __syncwarp() alone. */
__global__ void tree_sum(const float *in, float *out) {
    __shared__ float part[256];
    int t = threadIdx.x;
    part[t] = in[t];
    __syncthreads();
    for (int d = 128; d > 32; d /= 2) {
        if (t < d)
            part[t] += part[t + d];
        __syncthreads();
    }
    if (t < 32) {
        part[t] += part[t + 32];
        __syncwarp();
        for (int d = 16; d > 0; d /= 2) {
            float v = part[t] + (t < d ? part[t + d] : 0);
            __syncwarp();
            part[t] = v;
            __syncwarp();
        }
    }
    if (t == 0)
        *out = part[0];
}

/* Half a warp each, with a mask of its own. */
__global__ void half_warps(const float *in, float *out) {
    __shared__ float part[64];
    int t = threadIdx.x, half = t % 32 / 16;
    unsigned mask = half ? 0xFFFF0000u : 0x0000FFFFu;
    part[t] = in[t];
    __syncwarp(mask);
    out[t] = part[t ^ 15];
    __syncwarp(mask);
    part[t ^ 15] = t;
    __syncwarp(mask);
    out[64 + t] = part[t];
}

__global__ void histogram(const unsigned char *in, int n, int *bins) {
    __shared__ int local[256];
    local[threadIdx.x] = 0;
    __syncthreads();
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
        atomicAdd(&local[in[i]], 1);
    __syncthreads();
    atomicAdd(&bins[threadIdx.x], local[threadIdx.x]);
}

/* Warps 0 and 1 fill, warps 2 and 3 use: bar.arrive by those who need not wait. */
__global__ void producers(const float *in, float *out) {
    __shared__ float buffer[64];
    int t = threadIdx.x;
    if (t < 64) {
        for (int p = 0; p < 4; p++) {
            if (p > 0)
                asm volatile("bar.sync 2, 128;" ::: "memory"); /* it is free */
            buffer[t] = in[64 * p + t];
            asm volatile("bar.arrive 1, 128;" ::: "memory"); /* it is full */
        }
    } else {
        for (int p = 0; p < 4; p++) {
            asm volatile("bar.sync 1, 128;" ::: "memory");
            out[64 * p + t - 64] = buffer[127 - t];
            if (p < 3)
                asm volatile("bar.arrive 2, 128;" ::: "memory");
        }
    }
}

/* Two halves of a block, each with a barrier of its own. */
__global__ void two_barriers(const float *in, float *out) {
    __shared__ float tile[128];
    int t = threadIdx.x;
    tile[t] = in[t];
    if (t < 64)
        asm volatile("bar.sync 1, 64;" ::: "memory");
    else
        asm volatile("bar.sync 2, 64;" ::: "memory");
    out[t] = tile[t ^ 63];
}

__global__ void bytes(const unsigned char *in, unsigned char *out, int n) {
    extern __shared__ unsigned char row[];
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    row[threadIdx.x] = i < n ? in[i] : 0;
    __syncthreads();
    if (i < n)
        out[i] = row[threadIdx.x] + row[(threadIdx.x + 1) % blockDim.x];
}

__global__ void in_place(float *x) {
    float v = x[threadIdx.x + 1];
    __syncthreads();
    x[threadIdx.x] = v;
}

__global__ void own_elements(float4 *x, int n) {
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
        x[i].x += 1;
        x[i].w = x[i].x;
    }
}

__global__ void counted_barriers(const float *in, int *out) {
    __shared__ float tile[64];
    tile[threadIdx.x] = in[threadIdx.x];
    int positive = __syncthreads_count(in[threadIdx.x] > 0);
    out[threadIdx.x] = positive + (tile[63 - threadIdx.x] > 0);
}

__device__ int blocks_done;

/* The last block to finish adds what all have left; a fence and an atomic order that. */
__global__ void last_block_sums(const float *in, volatile float *part, float *out) {
    __shared__ bool last;
    float sum = 0;
    for (int i = 0; i < 32; i++)
        sum += in[blockIdx.x * 32 + i];
    if (threadIdx.x == 0) {
        part[blockIdx.x] = sum;
        __threadfence();
        last = atomicAdd(&blocks_done, 1) == gridDim.x - 1;
    }
    __syncthreads();
    if (last && threadIdx.x == 0) {
        sum = 0;
        for (int i = 0; i < gridDim.x; i++)
            sum += part[i];
        *out = sum;
        blocks_done = 0;
    }
}

/* One block clears a sum, all add to it when they know so: of a grid, and by a flag of their own. */
__global__ void grid_clears(int *sum) {
    cooperative_groups::grid_group grid = cooperative_groups::this_grid();
    if (grid.thread_rank() == 0)
        *sum = 0;
    grid.sync();
    atomicAdd(sum, 1);
}

__global__ void flag_says_so(int *sum, int *flag) {
    if (threadIdx.x == 0) {
        if (blockIdx.x == 0) {
            *sum = 0;
            __threadfence();
            atomicExch(flag, 1);
        }
        while (atomicAdd(flag, 0) == 0) {
        }
        __threadfence();
    }
    __syncthreads();
    atomicAdd(sum, 1);
}

/* A flag whose accesses name the order themselves: no fence stands beside them. */
__global__ void flag_releases(int *cells, int *flag) {
    if (blockIdx.x == 0) {
        cells[threadIdx.x] = threadIdx.x;
        asm volatile("red.release.gpu.global.add.u32 [%0], 1;" : : "l"(flag) : "memory");
    } else {
        int seen;
        do
            asm volatile("ld.acquire.gpu.u32 %0, [%1];" : "=r"(seen) : "l"(flag) : "memory");
        while (seen < 64);
        cells[64 + threadIdx.x] = cells[63 - threadIdx.x] + 1;
    }
}

/* An exchange whose old value nobody wants is a store. */
__global__ void exchanges(int *sums) {
    __shared__ int own;
    if (threadIdx.x == 0) {
        atomicExch(&own, 0);
        atomicExch(&sums[blockIdx.x], 5);
    }
    __syncthreads();
    atomicAdd(&own, 1);
    atomicAdd(&sums[blockIdx.x], 1);
    __syncthreads();
    if (threadIdx.x == 0)
        atomicAdd(&sums[blockIdx.x], own);
}

int main() {
    float *in, *out;
    int *fresh, first[6];
    unsigned char *text;
    int *bins;
    cudaMalloc(&in, 65536);
    cudaMalloc(&out, 65536);
    cudaMalloc(&text, 4096);
    cudaMalloc(&bins, 1024);
    cudaMemset(in, 0, 65536);
    cudaMemset(out, 0, 65536);
    cudaMemset(text, 7, 2048);
    cudaMemset(bins, 0, 1024);
    tiled<16><<<dim3(2, 2), dim3(16, 16)>>>(30, in, in + 1024, out);
    tiled<8><<<dim3(4, 4), dim3(8, 8)>>>(30, in, in + 1024, out);
    double_buffered<16><<<dim3(4, 4), dim3(16, 16)>>>(64, in, in + 4096, out);
    shuffled_sum<<<8, 128>>>(in, out, 4096);
    tree_sum<<<1, 256>>>(in, out);
    half_warps<<<1, 64>>>(in, out);
    histogram<<<4, 256>>>(text, 2048, bins);
    producers<<<1, 128>>>(in, out + 1024);
    cudaDeviceSynchronize();
    two_barriers<<<1, 128>>>(in, out);
    bytes<<<8, 64, 64>>>(text, text + 2048, 500);
    in_place<<<1, 64>>>(in);
    own_elements<<<4, 64>>>((float4 *)in, 1000);
    counted_barriers<<<1, 64>>>(in, bins);
    last_block_sums<<<16, 32>>>(in, out, out + 100);
    last_block_sums<<<16, 32>>>(in, out, out + 100);
    cudaMalloc(&fresh, 64);
    void *args[] = {&fresh};
    cudaLaunchCooperativeKernel((void *)grid_clears, dim3(4), dim3(64), args);
    cudaMemset(bins, 0, 4);
    flag_says_so<<<2, 64>>>(fresh + 1, bins);
    exchanges<<<4, 32>>>(fresh + 2);
    cudaMemset(bins, 0, 4);
    flag_releases<<<2, 64>>>(bins + 64, bins);
    cudaMemcpy(first, fresh, sizeof first, cudaMemcpyDeviceToHost);
    printf("%d %d %d %d\n", first[0], first[1], first[2], first[5]);
    cudaFree(fresh);
    printf("%s\n", cudaGetErrorName(cudaDeviceSynchronize()));
    cudaFree(in);
    cudaFree(out);
    cudaFree(text);
    cudaFree(bins);
    return 0;
}
