// The patterns of the textbooks: reductions, scans, transposition, histogram, stencil, sort, compaction, search.
#include <algorithm>
#include <cstdio>
#include <numeric>
#include <vector>

template <unsigned int blockSize> __device__ void warpReduce(volatile int *sdata, unsigned int tid) {
    if (blockSize >= 64) { sdata[tid] += sdata[tid + 32]; __syncwarp(); }
    if (tid < 16) { sdata[tid] += sdata[tid + 16]; __syncwarp(0xffff); }
    if (tid < 8) { sdata[tid] += sdata[tid + 8]; __syncwarp(0xff); }
    if (tid < 4) { sdata[tid] += sdata[tid + 4]; __syncwarp(0xf); }
    if (tid < 2) { sdata[tid] += sdata[tid + 2]; __syncwarp(0x3); }
    if (tid < 1) { sdata[tid] += sdata[tid + 1]; }
}
template <unsigned int blockSize> __global__ void reduce6(const int *g_idata, int *g_odata, unsigned int n) {
    extern __shared__ int sdata[];
    unsigned int tid = threadIdx.x, i = blockIdx.x * (blockSize * 2) + tid, gridSize = blockSize * 2 * gridDim.x;
    sdata[tid] = 0;
    while (i < n) {
        sdata[tid] += g_idata[i] + (i + blockSize < n ? g_idata[i + blockSize] : 0);
        i += gridSize;
    }
    __syncthreads();
    if (blockSize >= 256) { if (tid < 128) { sdata[tid] += sdata[tid + 128]; } __syncthreads(); }
    if (blockSize >= 128) { if (tid < 64) { sdata[tid] += sdata[tid + 64]; } __syncthreads(); }
    if (tid < 32) warpReduce<blockSize>(sdata, tid);
    if (tid == 0) g_odata[blockIdx.x] = sdata[0];
}

__inline__ __device__ float warpReduceSum(float val) {
    for (int offset = warpSize / 2; offset > 0; offset /= 2)
        val += __shfl_down_sync(0xffffffff, val, offset);
    return val;
}
__global__ void dot(const float *a, const float *b, float *out, int n) {
    static __shared__ float shared[32];
    float sum = 0;
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += blockDim.x * gridDim.x)
        sum += a[i] * b[i];
    int lane = threadIdx.x % warpSize, wid = threadIdx.x / warpSize;
    sum = warpReduceSum(sum);
    if (lane == 0) shared[wid] = sum;
    __syncthreads();
    sum = threadIdx.x < blockDim.x / warpSize ? shared[lane] : 0;
    if (wid == 0) sum = warpReduceSum(sum);
    if (threadIdx.x == 0) atomicAdd(out, sum);
}

#define NUM_BANKS 32
#define LOG_NUM_BANKS 5
#define CONFLICT_FREE_OFFSET(n) ((n) >> LOG_NUM_BANKS)
__global__ void prescan(int *g_odata, const int *g_idata, int n) { // Blelloch, one block
    extern __shared__ int temp[];
    int thid = threadIdx.x, offset = 1;
    int ai = thid, bi = thid + (n / 2), bankOffsetA = CONFLICT_FREE_OFFSET(ai), bankOffsetB = CONFLICT_FREE_OFFSET(bi);
    temp[ai + bankOffsetA] = g_idata[ai];
    temp[bi + bankOffsetB] = g_idata[bi];
    for (int d = n >> 1; d > 0; d >>= 1) {
        __syncthreads();
        if (thid < d) {
            int ai = offset * (2 * thid + 1) - 1, bi = offset * (2 * thid + 2) - 1;
            ai += CONFLICT_FREE_OFFSET(ai);
            bi += CONFLICT_FREE_OFFSET(bi);
            temp[bi] += temp[ai];
        }
        offset *= 2;
    }
    if (thid == 0) temp[n - 1 + CONFLICT_FREE_OFFSET(n - 1)] = 0;
    for (int d = 1; d < n; d *= 2) {
        offset >>= 1;
        __syncthreads();
        if (thid < d) {
            int ai = offset * (2 * thid + 1) - 1, bi = offset * (2 * thid + 2) - 1;
            ai += CONFLICT_FREE_OFFSET(ai);
            bi += CONFLICT_FREE_OFFSET(bi);
            int t = temp[ai];
            temp[ai] = temp[bi];
            temp[bi] += t;
        }
    }
    __syncthreads();
    g_odata[ai] = temp[ai + bankOffsetA];
    g_odata[bi] = temp[bi + bankOffsetB];
}

const int TILE_DIM = 32, BLOCK_ROWS = 8;
__global__ void transpose(float *odata, const float *idata, int w, int h) {
    __shared__ float tile[TILE_DIM][TILE_DIM + 1];
    int x = blockIdx.x * TILE_DIM + threadIdx.x, y = blockIdx.y * TILE_DIM + threadIdx.y;
    for (int j = 0; j < TILE_DIM; j += BLOCK_ROWS)
        if (x < w && y + j < h) tile[threadIdx.y + j][threadIdx.x] = idata[(y + j) * w + x];
    __syncthreads();
    x = blockIdx.y * TILE_DIM + threadIdx.x;
    y = blockIdx.x * TILE_DIM + threadIdx.y;
    for (int j = 0; j < TILE_DIM; j += BLOCK_ROWS)
        if (x < h && y + j < w) odata[(y + j) * h + x] = tile[threadIdx.x][threadIdx.y + j];
}

__global__ void histogram(const unsigned char *data, unsigned int *bins, int n) {
    __shared__ unsigned int local[256];
    local[threadIdx.x] = 0;
    __syncthreads();
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += blockDim.x * gridDim.x)
        atomicAdd(&local[data[i]], 1u);
    __syncthreads();
    atomicAdd(&bins[threadIdx.x], local[threadIdx.x]);
}

__constant__ float weights[7];
const int RADIUS = 3;
__global__ void stencil_1d(const float *in, float *out, int n) {
    __shared__ float temp[128 + 2 * RADIUS];
    int gindex = threadIdx.x + blockIdx.x * blockDim.x, lindex = threadIdx.x + RADIUS;
    temp[lindex] = gindex < n ? in[gindex] : 0;
    if (threadIdx.x < RADIUS) {
        temp[lindex - RADIUS] = gindex >= RADIUS ? in[gindex - RADIUS] : 0;
        temp[lindex + blockDim.x] = gindex + (int)blockDim.x < n ? in[gindex + blockDim.x] : 0;
    }
    __syncthreads();
    float result = 0;
    for (int offset = -RADIUS; offset <= RADIUS; offset++)
        result += weights[offset + RADIUS] * temp[lindex + offset];
    if (gindex < n) out[gindex] = result;
}

__global__ void bitonic(int *values) {
    extern __shared__ int shared[];
    const unsigned tid = threadIdx.x;
    shared[tid] = values[tid];
    __syncthreads();
    for (unsigned k = 2; k <= blockDim.x; k *= 2)
        for (unsigned j = k / 2; j > 0; j /= 2) {
            unsigned ixj = tid ^ j;
            if (ixj > tid && ((tid & k) == 0) == (shared[tid] > shared[ixj])) {
                int t = shared[tid];
                shared[tid] = shared[ixj];
                shared[ixj] = t;
            }
            __syncthreads();
        }
    values[tid] = shared[tid];
}

__global__ void compact(const int *in, int *out, int *count, int n) { // the order within a warp is kept
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    bool keep = i < n && in[i] % 3 == 0;
    unsigned ballot = __ballot_sync(0xffffffff, keep);
    int lane = threadIdx.x & 31, base = 0;
    if (lane == 0) base = atomicAdd(count, __popc(ballot));
    base = __shfl_sync(0xffffffff, base, 0);
    if (keep) out[base + __popc(ballot & ((1u << lane) - 1))] = in[i];
}

__device__ unsigned int retirementCount = 0;
__global__ void last_block(const int *in, int *partial, int *out, int n) { // threadFenceReduction
    __shared__ bool amLast;
    int sum = 0;
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += blockDim.x * gridDim.x) sum += in[i];
    sum = __reduce_add_sync(0xffffffff, sum);
    __shared__ int warps[8];
    if (threadIdx.x % 32 == 0) warps[threadIdx.x / 32] = sum;
    __syncthreads();
    if (threadIdx.x == 0) {
        int total = 0;
        for (unsigned w = 0; w < blockDim.x / 32; ++w) total += warps[w];
        partial[blockIdx.x] = total;
        __threadfence();
        amLast = atomicInc(&retirementCount, gridDim.x) == gridDim.x - 1;
    }
    __syncthreads();
    if (amLast && threadIdx.x == 0) {
        int total = 0;
        for (unsigned b = 0; b < gridDim.x; ++b) total += ((volatile int *)partial)[b];
        *out = total;
        retirementCount = 0;
    }
}

template <class T> struct device_vector {
    T *p;
    size_t n;
    explicit device_vector(size_t n) : n(n) { cudaMalloc(&p, n * sizeof(T)); }
    explicit device_vector(const std::vector<T> &v) : device_vector(v.size()) { cudaMemcpy(p, v.data(), n * sizeof(T), cudaMemcpyHostToDevice); }
    ~device_vector() { cudaFree(p); }
    std::vector<T> get() const { std::vector<T> v(n); cudaMemcpy(v.data(), p, n * sizeof(T), cudaMemcpyDeviceToHost); return v; }
};

int main() {
    const int n = 5000;
    std::vector<int> v(n);
    for (int i = 0; i < n; ++i) v[i] = i * 7919 % 1013;
    const int sum = std::accumulate(v.begin(), v.end(), 0);
    device_vector<int> in(v), out(std::vector<int>(n, 0));
    reduce6<256><<<8, 256, 256 * sizeof(int)>>>(in.p, out.p, n);
    auto r = out.get();
    printf("reduce6: %s\n", std::accumulate(r.begin(), r.begin() + 8, 0) == sum ? "right" : "wrong");

    std::vector<float> f(n);
    for (int i = 0; i < n; ++i) f[i] = (float)(i % 10);
    device_vector<float> fin(f), fout(std::vector<float>(n, 0.0f));
    dot<<<4, 256>>>(fin.p, fin.p, fout.p, n);
    printf("dot: %g\n", fout.get()[0]);

    prescan<<<1, 256, (512 + 512 / 32) * sizeof(int)>>>(out.p, in.p, 512);
    r = out.get();
    int wrong = 0;
    for (int i = 0, s = 0; i < 512; s += v[i++]) wrong += r[i] != s;
    printf("scan: %d wrong\n", wrong);

    transpose<<<dim3(3, 2), dim3(TILE_DIM, BLOCK_ROWS)>>>(fout.p, fin.p, 80, 50);
    auto t = fout.get();
    wrong = 0;
    for (int i = 0; i < 50; ++i) for (int j = 0; j < 80; ++j) wrong += t[j * 50 + i] != f[i * 80 + j];
    printf("transpose: %d wrong\n", wrong);

    std::vector<unsigned char> bytes(n);
    for (int i = 0; i < n; ++i) bytes[i] = (unsigned char)(i * i);
    device_vector<unsigned char> dbytes(bytes);
    device_vector<unsigned int> bins(std::vector<unsigned int>(256, 0));
    histogram<<<5, 256>>>(dbytes.p, bins.p, n);
    auto h = bins.get();
    for (auto b : bytes) h[b]--;
    printf("histogram: %s\n", std::all_of(h.begin(), h.end(), [](unsigned x) { return x == 0; }) ? "right" : "wrong");

    const float w[7] = {1, 2, 3, 4, 3, 2, 1};
    cudaMemcpyToSymbol(weights, w, sizeof w);
    stencil_1d<<<(1000 + 127) / 128, 128>>>(fin.p, fout.p, 1000);
    t = fout.get();
    wrong = 0;
    for (int i = 0; i < 1000; ++i) {
        float s = 0;
        for (int k = -3; k <= 3; ++k) s += i + k >= 0 && i + k < 1000 ? w[k + 3] * f[i + k] : 0;
        wrong += s != t[i];
    }
    printf("stencil: %d wrong\n", wrong);

    bitonic<<<1, 512, 512 * sizeof(int)>>>(in.p);
    r = in.get();
    printf("sort: %s\n", std::is_sorted(r.begin(), r.begin() + 512) ? "right" : "wrong");

    device_vector<int> in2(v), count(std::vector<int>(1, 0));
    compact<<<(n + 255) / 256, 256>>>(in2.p, out.p, count.p, n);
    r = out.get();
    const int kept = count.get()[0];
    std::vector<int> expected;
    for (int x : v) if (x % 3 == 0) expected.push_back(x);
    std::sort(r.begin(), r.begin() + kept);
    std::sort(expected.begin(), expected.end());
    printf("compact: %s\n", kept == (int)expected.size() && std::equal(expected.begin(), expected.end(), r.begin()) ? "right" : "wrong");

    device_vector<int> partial(16), total(1);
    for (int round = 0; round < 2; ++round) last_block<<<16, 256>>>(in2.p, partial.p, total.p, n);
    printf("last block: %s\n", total.get()[0] == sum ? "right" : "wrong");
    printf("%s\n", cudaGetErrorString(cudaDeviceSynchronize()));
}
