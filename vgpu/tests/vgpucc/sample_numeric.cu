// Numerical programs: FFT, sparse matrix times vector, conjugate gradients with cuBLAS, LU, k-means, Monte Carlo,
// convolution, Game of Life, BFS, radix sort, layer normalisation, Floyd-Warshall, big integers.
#include <algorithm>
#include <cmath>
#include <complex>
#include <cstdint>
#include <cstdio>
#include <cublas_v2.h>
#include <numeric>
#include <vector>

template <class T> T *managed(size_t n) { T *p = nullptr; if (cudaMallocManaged(&p, n * sizeof(T)) != cudaSuccess) abort(); return p; }
static void done(const char *name, bool right) { printf("%s: %s, %s\n", name, cudaGetErrorString(cudaDeviceSynchronize()), right ? "right" : "wrong"); }

__global__ void fft(float2 *x, int n, int bits) {
    extern __shared__ float2 s[];
    const int i = threadIdx.x;
    s[__brev((unsigned)i) >> (32 - bits)] = x[i];
    s[__brev((unsigned)(i + n / 2)) >> (32 - bits)] = x[i + n / 2];
    __syncthreads();
    for (int half = 1; half < n; half *= 2) {
        const int k = i % half, at = (i / half) * 2 * half + k;
        float sn, cs;
        sincospif(-(float)k / half, &sn, &cs);
        const float2 a = s[at], b = s[at + half];
        const float2 t = make_float2(b.x * cs - b.y * sn, b.x * sn + b.y * cs);
        s[at] = make_float2(a.x + t.x, a.y + t.y);
        s[at + half] = make_float2(a.x - t.x, a.y - t.y);
        __syncthreads();
    }
    x[i] = s[i];
    x[i + n / 2] = s[i + n / 2];
}

__global__ void spmv_csr_vector(int rows, const int *ptr, const int *col, const double *val, const double *x, double *y) {
    const int row = (blockIdx.x * blockDim.x + threadIdx.x) / 32, lane = threadIdx.x & 31;
    if (row >= rows) return;
    double sum = 0;
    for (int j = ptr[row] + lane; j < ptr[row + 1]; j += 32) sum += val[j] * x[col[j]];
    for (int o = 16; o > 0; o >>= 1) sum += __shfl_down_sync(0xffffffffu, sum, o);
    if (lane == 0) y[row] = sum;
}

__global__ void lu(float *a, int n) { // one block; no pivoting
    for (int k = 0; k < n - 1; ++k) {
        for (int i = k + 1 + threadIdx.x; i < n; i += blockDim.x) a[i * n + k] /= a[k * n + k];
        __syncthreads();
        for (int t = threadIdx.x; t < (n - k - 1) * (n - k - 1); t += blockDim.x) {
            const int i = k + 1 + t / (n - k - 1), j = k + 1 + t % (n - k - 1);
            a[i * n + j] -= a[i * n + k] * a[k * n + j];
        }
        __syncthreads();
    }
}

__global__ void kmeans_assign(const float2 *p, const float2 *c, int *label, float2 *sum, int *count, int n, int k) {
    extern __shared__ char memory[];
    float2 *s = (float2 *)memory;
    int *m = (int *)(s + k);
    for (int i = threadIdx.x; i < k; i += blockDim.x) { s[i] = make_float2(0, 0); m[i] = 0; }
    __syncthreads();
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
        int best = 0;
        float least = HUGE_VALF;
        for (int j = 0; j < k; ++j) { const float dx = p[i].x - c[j].x, dy = p[i].y - c[j].y, d = dx * dx + dy * dy; if (d < least) { least = d; best = j; } }
        label[i] = best;
        atomicAdd(&s[best].x, p[i].x);
        atomicAdd(&s[best].y, p[i].y);
        atomicAdd(&m[best], 1);
    }
    __syncthreads();
    for (int i = threadIdx.x; i < k; i += blockDim.x) { atomicAdd(&sum[i].x, s[i].x); atomicAdd(&sum[i].y, s[i].y); atomicAdd(&count[i], m[i]); }
}

struct Random { uint64_t state; __device__ explicit Random(uint64_t seed) : state(seed * 6364136223846793005ull + 1442695040888963407ull) {} __device__ float operator()() { state = state * 6364136223846793005ull + 1442695040888963407ull; return (float)(state >> 40) * 0x1p-24f; } };
__global__ void monte_carlo(unsigned long long *inside, int tries) {
    Random r(blockIdx.x * blockDim.x + threadIdx.x);
    unsigned n = 0;
    for (int i = 0; i < tries; ++i) { const float x = r(), y = r(); n += x * x + y * y < 1; }
    n = __reduce_add_sync(0xffffffffu, n);
    if (threadIdx.x % warpSize == 0) atomicAdd(inside, (unsigned long long)n);
}

__constant__ float kernel5[25];
template <int R> __global__ void convolve(const float *in, float *out, int w, int h) {
    __shared__ float s[16 + 2 * R][16 + 2 * R];
    const int x0 = blockIdx.x * 16 - R, y0 = blockIdx.y * 16 - R;
    for (int y = threadIdx.y; y < 16 + 2 * R; y += 16)
        for (int x = threadIdx.x; x < 16 + 2 * R; x += 16) {
            const int gx = min(max(x0 + x, 0), w - 1), gy = min(max(y0 + y, 0), h - 1);
            s[y][x] = in[gy * w + gx];
        }
    __syncthreads();
    const int x = blockIdx.x * 16 + threadIdx.x, y = blockIdx.y * 16 + threadIdx.y;
    if (x >= w || y >= h) return;
    float v = 0;
    for (int dy = 0; dy <= 2 * R; ++dy) for (int dx = 0; dx <= 2 * R; ++dx) v += kernel5[dy * (2 * R + 1) + dx] * s[threadIdx.y + dy][threadIdx.x + dx];
    out[y * w + x] = v;
}

__global__ void life(const unsigned char *a, unsigned char *b, int n) {
    const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    int c = 0;
    for (int dy = -1; dy <= 1; ++dy) for (int dx = -1; dx <= 1; ++dx) c += (dx || dy) && a[(y + dy + n) % n * n + (x + dx + n) % n];
    b[y * n + x] = c == 3 || (c == 2 && a[y * n + x]);
}

__global__ void bfs(const int *ptr, const int *edge, int *level, int depth, int n, int *changed) {
    const int v = blockIdx.x * blockDim.x + threadIdx.x;
    if (v >= n || atomicOr(&level[v], 0) != depth) return;
    for (int e = ptr[v]; e < ptr[v + 1]; ++e)
        if (atomicCAS(&level[edge[e]], -1, depth + 1) == -1) atomicExch(changed, 1);
}

__global__ void radix_pass(const unsigned *in, unsigned *out, int n, int bit) { // one block, stable
    __shared__ unsigned zeros[1025];
    const int i = threadIdx.x;
    const unsigned v = i < n ? in[i] : ~0u, b = v >> bit & 1;
    zeros[i + 1] = !b && i < n;
    if (i == 0) zeros[0] = 0;
    __syncthreads();
    for (int d = 1; d <= 1024; d *= 2) {
        const unsigned t = i + 1 >= d ? zeros[i + 1 - d] : 0;
        __syncthreads();
        if (i + 1 >= d) zeros[i + 1] += t;
        __syncthreads();
    }
    const unsigned total = zeros[n];
    if (i < n) out[b ? total + i - zeros[i] : zeros[i]] = v;
}

__global__ void layer_norm(const float *x, float *y, int n) {
    __shared__ float part[2][32];
    float s = 0, q = 0;
    for (int i = threadIdx.x; i < n; i += blockDim.x) { const float v = x[blockIdx.x * n + i]; s += v; q += v * v; }
    for (int o = 16; o; o >>= 1) { s += __shfl_xor_sync(~0u, s, o); q += __shfl_xor_sync(~0u, q, o); }
    if (threadIdx.x % 32 == 0) { part[0][threadIdx.x / 32] = s; part[1][threadIdx.x / 32] = q; }
    __syncthreads();
    s = q = 0;
    for (unsigned w = 0; w < blockDim.x / 32; ++w) { s += part[0][w]; q += part[1][w]; }
    const float mean = s / n, inv = rsqrtf(q / n - mean * mean + 1e-5f);
    for (int i = threadIdx.x; i < n; i += blockDim.x) y[blockIdx.x * n + i] = (x[blockIdx.x * n + i] - mean) * inv;
}

__global__ void floyd(int *d, int n, int k) {
    const int j = blockIdx.x * blockDim.x + threadIdx.x, i = blockIdx.y;
    if (j < n && i != k && j != k) d[i * n + j] = min(d[i * n + j], d[i * n + k] + d[k * n + j]);
}

// Producers and consumers meet at named barriers.
__global__ void named_barriers(const int *in, int *out, int rounds) {
    __shared__ int buffer[64];
    const int i = threadIdx.x % 64;
    for (int r = 0; r < rounds; ++r)
        if (threadIdx.x < 64) {
            asm volatile("bar.sync 1, 128;" ::: "memory"); // empty
            buffer[i] = in[r * 64 + i] * 2;
            asm volatile("bar.sync 2, 128;" ::: "memory"); // full
        } else {
            asm volatile("bar.sync 1, 128;" ::: "memory");
            asm volatile("bar.sync 2, 128;" ::: "memory");
            out[r * 64 + i] = buffer[63 - i];
        }
}

int main() {
    const int n = 256;
    float2 *z = managed<float2>(n);
    std::vector<std::complex<double>> ref(n);
    for (int i = 0; i < n; ++i) z[i] = make_float2((float)(i % 11), (float)(i % 3));
    for (int k = 0; k < n; ++k) for (int i = 0; i < n; ++i) ref[k] += std::complex<double>(i % 11, i % 3) * std::polar(1.0, -2 * M_PI * k * i / n);
    fft<<<1, n / 2, n * sizeof(float2)>>>(z, n, 8);
    cudaDeviceSynchronize();
    double worst = 0;
    for (int i = 0; i < n; ++i) worst = std::max(worst, std::abs(ref[i] - std::complex<double>(z[i].x, z[i].y)));
    done("fft", worst < 2e-3);

    const int rows = 100;
    std::vector<int> hp = {0}, hc;
    std::vector<double> hv;
    for (int i = 0; i < rows; ++i) { for (int j = std::max(0, i - 2); j <= std::min(rows - 1, i + 2); ++j) { hc.push_back(j); hv.push_back(i == j ? 6 : -1); } hp.push_back((int)hc.size()); }
    int *ptr = managed<int>(hp.size()), *col = managed<int>(hc.size());
    double *val = managed<double>(hv.size()), *x = managed<double>(rows), *r = managed<double>(rows), *p = managed<double>(rows), *q = managed<double>(rows);
    std::copy(hp.begin(), hp.end(), ptr); std::copy(hc.begin(), hc.end(), col); std::copy(hv.begin(), hv.end(), val);
    cublasHandle_t h;
    cublasCreate(&h);
    for (int i = 0; i < rows; ++i) { x[i] = 0; r[i] = p[i] = 1 + i % 3; q[i] = 0; }
    double rr, pq, one = 1;
    cublasDdot(h, rows, r, 1, r, 1, &rr);
    int steps = 0;
    for (; rr > 1e-20 && steps < 200; ++steps) {
        spmv_csr_vector<<<(rows * 32 + 127) / 128, 128>>>(rows, ptr, col, val, p, q);
        cublasDdot(h, rows, p, 1, q, 1, &pq);
        double alpha = rr / pq, minus = -alpha, next;
        cublasDaxpy(h, rows, &alpha, p, 1, x, 1);
        cublasDaxpy(h, rows, &minus, q, 1, r, 1);
        cublasDdot(h, rows, r, 1, r, 1, &next);
        const double beta = next / rr;
        cublasDscal(h, rows, &beta, p, 1);
        cublasDaxpy(h, rows, &one, r, 1, p, 1);
        rr = next;
    }
    cublasDestroy(h);
    spmv_csr_vector<<<(rows * 32 + 127) / 128, 128>>>(rows, ptr, col, val, x, q);
    cudaDeviceSynchronize();
    worst = 0;
    for (int i = 0; i < rows; ++i) worst = std::max(worst, std::fabs(q[i] - (1 + i % 3)));
    done("conjugate gradients", worst < 1e-8 && steps < 100);

    const int m = 24;
    float *a = managed<float>(m * m);
    std::vector<float> orig(m * m);
    for (int i = 0; i < m * m; ++i) a[i] = orig[i] = (float)(i * 7 % 5) + (i / m == i % m ? 20.0f : 0.0f);
    lu<<<1, 128>>>(a, m);
    cudaDeviceSynchronize();
    worst = 0;
    for (int i = 0; i < m; ++i) for (int j = 0; j < m; ++j) { double s = 0; for (int k = 0; k <= std::min(i, j); ++k) s += (k == i ? 1.0 : a[i * m + k]) * (k <= j ? a[k * m + j] : 0); worst = std::max(worst, std::fabs(s - orig[i * m + j])); }
    done("lu", worst < 1e-3);

    const int points = 600;
    float2 *pt = managed<float2>(points), *cen = managed<float2>(3), *sum = managed<float2>(3);
    int *label = managed<int>(points), *count = managed<int>(3);
    for (int i = 0; i < points; ++i) pt[i] = make_float2((float)(i % 3) * 10 + (float)(i % 7) / 7, (float)(i % 3) * -5 + (float)(i % 5) / 5);
    for (int j = 0; j < 3; ++j) cen[j] = pt[j];
    for (int round = 0; round < 5; ++round) {
        cudaMemset(sum, 0, 3 * sizeof(float2)); cudaMemset(count, 0, 3 * sizeof(int));
        kmeans_assign<<<2, 128, 3 * (sizeof(float2) + sizeof(int))>>>(pt, cen, label, sum, count, points, 3);
        cudaDeviceSynchronize();
        for (int j = 0; j < 3; ++j) cen[j] = make_float2(sum[j].x / count[j], sum[j].y / count[j]);
    }
    done("k-means", count[0] == 200 && count[1] == 200 && std::fabs(cen[1].x - 10.43f) < 0.1f);

    unsigned long long *inside = managed<unsigned long long>(1);
    *inside = 0;
    monte_carlo<<<4, 64>>>(inside, 200);
    cudaDeviceSynchronize();
    done("monte carlo", std::fabs(4.0 * (double)*inside / (256 * 200) - M_PI) < 0.03);

    const int w = 40, ht = 23;
    float *in = managed<float>(w * ht), *out = managed<float>(w * ht), hk[25];
    for (int i = 0; i < 25; ++i) hk[i] = (float)(i % 4);
    for (int i = 0; i < w * ht; ++i) in[i] = (float)(i * 13 % 29);
    cudaMemcpyToSymbol(kernel5, hk, sizeof hk);
    convolve<2><<<dim3(3, 2), dim3(16, 16)>>>(in, out, w, ht);
    cudaDeviceSynchronize();
    bool ok = true;
    for (int y = 0; y < ht; ++y) for (int xx = 0; xx < w; ++xx) { float s = 0; for (int dy = -2; dy <= 2; ++dy) for (int dx = -2; dx <= 2; ++dx) s += hk[(dy + 2) * 5 + dx + 2] * in[std::min(std::max(y + dy, 0), ht - 1) * w + std::min(std::max(xx + dx, 0), w - 1)]; ok = ok && s == out[y * w + xx]; }
    done("convolution", ok);

    unsigned char *la = managed<unsigned char>(32 * 32), *lb = managed<unsigned char>(32 * 32);
    std::fill(la, la + 1024, 0);
    for (int i : {1, 34, 64, 65, 66}) la[i] = 1; // a glider
    for (int g = 0; g < 4; ++g) { life<<<dim3(2, 2), dim3(16, 16)>>>(la, lb, 32); std::swap(la, lb); cudaDeviceSynchronize(); }
    ok = true;
    for (int i : {1, 34, 64, 65, 66}) ok = ok && la[i + 33];
    done("life", ok && std::accumulate(la, la + 1024, 0) == 5);

    const int nodes = 200;
    int *gp = managed<int>(nodes + 1), *ge = managed<int>(2 * nodes), *level = managed<int>(nodes), *changed = managed<int>(1);
    for (int i = 0; i <= nodes; ++i) gp[i] = 2 * i;
    for (int i = 0; i < nodes; ++i) { ge[2 * i] = (2 * i + 1) % nodes; ge[2 * i + 1] = (2 * i + 2) % nodes; level[i] = i ? -1 : 0; }
    *changed = 1;
    for (int d = 0; *changed; ++d) { *changed = 0; bfs<<<2, 128>>>(gp, ge, level, d, nodes, changed); cudaDeviceSynchronize(); }
    done("bfs", level[0] == 0 && level[199] == 7 && level[62] == 5 && level[63] == 6);

    unsigned *u = managed<unsigned>(1000), *v = managed<unsigned>(1000);
    for (int i = 0; i < 1000; ++i) u[i] = (unsigned)(i * 2654435761u) >> 16;
    for (int bit = 0; bit < 16; ++bit) { radix_pass<<<1, 1024>>>(u, v, 1000, bit); std::swap(u, v); }
    cudaDeviceSynchronize();
    done("radix sort", std::is_sorted(u, u + 1000));

    layer_norm<<<5, 64>>>(in, out, 100);
    cudaDeviceSynchronize();
    double mean = std::accumulate(out, out + 100, 0.0) / 100, var = 0;
    for (int i = 0; i < 100; ++i) var += out[i] * out[i] / 100;
    done("layer normalisation", std::fabs(mean) < 1e-5 && std::fabs(var - 1) < 1e-3);

    int *d = managed<int>(50 * 50);
    for (int i = 0; i < 50; ++i) for (int j = 0; j < 50; ++j) d[i * 50 + j] = i == j ? 0 : (i + 1) % 50 == j ? 1 : 1000000;
    for (int k = 0; k < 50; ++k) floyd<<<dim3(1, 50), 64>>>(d, 50, k);
    cudaDeviceSynchronize();
    done("floyd-warshall", d[1 * 50] == 49 && d[7 * 50 + 20] == 13);

    int *bi = managed<int>(640), *bo = managed<int>(640);
    std::iota(bi, bi + 640, 0);
    named_barriers<<<1, 128>>>(bi, bo, 10);
    cudaDeviceSynchronize();
    done("named barriers", bo[0] == 126 && bo[639] == 2 * 576);
    for (void *m2 : {(void *)z, (void *)ptr, (void *)col, (void *)val, (void *)x, (void *)r, (void *)p, (void *)q, (void *)a, (void *)pt, (void *)cen, (void *)sum, (void *)label, (void *)count, (void *)inside, (void *)in, (void *)out, (void *)la, (void *)lb, (void *)gp, (void *)ge, (void *)level, (void *)changed, (void *)u, (void *)v, (void *)d, (void *)bi, (void *)bo}) cudaFree(m2);
}
