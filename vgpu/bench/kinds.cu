// kinds.cu: what courses write, a kernel of each kind, beside the same in plain C++ on one thread.
//
//   kinds NAME    one line: name, processor seconds of the kernels, of C++, "same" or "different"
//   kinds         the names
//
// Compilation, copies and the comparison are outside both times. Values are small whole numbers, so
// that sums are exact in any order.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <functional>
#include <string>
#include <time.h>
#include <vector>

static double cpu_seconds() {
    timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return t.tv_sec + 1e-9 * t.tv_nsec;
}

// ---- kernels ----

constexpr int THREADS = 256;

__global__ void sum_blocks(const float *in, float *sums, int n) {
    __shared__ float part[THREADS];
    float mine = 0;
    for (int i = blockIdx.x * THREADS + threadIdx.x; i < n; i += gridDim.x * THREADS)
        mine += in[i];
    part[threadIdx.x] = mine;
    __syncthreads();
    for (int width = THREADS / 2; width > 0; width /= 2) {
        if (threadIdx.x < width)
            part[threadIdx.x] += part[threadIdx.x + width];
        __syncthreads();
    }
    if (threadIdx.x == 0)
        sums[blockIdx.x] = part[0];
}

__global__ void count_bytes(const unsigned char *in, int *bins, int n) {
    for (int i = blockIdx.x * THREADS + threadIdx.x; i < n; i += gridDim.x * THREADS)
        atomicAdd(&bins[in[i]], 1);
}

__global__ void count_bytes_shared(const unsigned char *in, int *bins, int n) {
    __shared__ int mine[THREADS];
    mine[threadIdx.x] = 0;
    __syncthreads();
    for (int i = blockIdx.x * THREADS + threadIdx.x; i < n; i += gridDim.x * THREADS)
        atomicAdd(&mine[in[i]], 1);
    __syncthreads();
    atomicAdd(&bins[threadIdx.x], mine[threadIdx.x]);
}

__global__ void smooth(const float *in, float *out, int n) {
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x > 0 && x < n - 1 && y > 0 && y < n - 1)
        out[y * n + x] = in[y * n + x - 1] + in[y * n + x + 1] + in[(y - 1) * n + x] +
                         in[(y + 1) * n + x] - 3 * in[y * n + x];
}

constexpr int TILE = 32, ROWS = 8;

__global__ void transpose_plain(const float *in, float *out, int n) {
    int x = blockIdx.x * TILE + threadIdx.x;
    for (int y = blockIdx.y * TILE + threadIdx.y, end = y + TILE; y < end; y += ROWS)
        out[x * n + y] = in[y * n + x];
}

__global__ void transpose_tiled(const float *in, float *out, int n) {
    __shared__ float tile[TILE][TILE + 1];
    int x0 = blockIdx.x * TILE, y0 = blockIdx.y * TILE;
    for (int r = threadIdx.y; r < TILE; r += ROWS)
        tile[r][threadIdx.x] = in[(y0 + r) * n + x0 + threadIdx.x];
    __syncthreads();
    for (int r = threadIdx.y; r < TILE; r += ROWS)
        out[(x0 + r) * n + y0 + threadIdx.x] = tile[threadIdx.x][r];
}

constexpr int SCAN = 512;

__global__ void scan_block(const int *in, int *out, int *totals) {
    __shared__ int line[2][SCAN];
    int t = threadIdx.x, from = 0;
    line[0][t] = in[blockIdx.x * SCAN + t];
    __syncthreads();
    for (int step = 1; step < SCAN; step *= 2, from = 1 - from) {
        int sum = line[from][t];
        if (t >= step)
            sum += line[from][t - step];
        line[1 - from][t] = sum;
        __syncthreads();
    }
    out[blockIdx.x * SCAN + t] = line[from][t];
    if (t == SCAN - 1)
        totals[blockIdx.x] = line[from][t];
}

__global__ void add_totals(int *out, const int *totals) {
    if (blockIdx.x > 0)
        out[blockIdx.x * SCAN + threadIdx.x] += totals[blockIdx.x - 1];
}

__global__ void pull(const float4 *body, float *force, int n) {
    __shared__ float4 some[THREADS];
    int i = blockIdx.x * THREADS + threadIdx.x;
    float4 me = body[i];
    float sum = 0;
    for (int first = 0; first < n; first += THREADS) {
        some[threadIdx.x] = body[first + threadIdx.x];
        __syncthreads();
        for (int k = 0; k < THREADS; k++) {
            float dx = some[k].x - me.x, dy = some[k].y - me.y, dz = some[k].z - me.z;
            sum += some[k].w * dx / (1 + dx * dx + dy * dy + dz * dz);
        }
        __syncthreads();
    }
    force[i] = sum;
}

__global__ void escape(int *steps, int n, int most) {
    int x = blockIdx.x * 16 + threadIdx.x, y = blockIdx.y * 16 + threadIdx.y, i = 0;
    float cr = 3.0f * x / n - 2, ci = 3.0f * y / n - 1.5f, r = 0, q = 0;
    for (; i < most && r * r + q * q < 4; i++) {
        float t = r * r - q * q + cr;
        q = 2 * r * q + ci;
        r = t;
    }
    steps[y * n + x] = i;
}

__host__ __device__ inline int points_inside(unsigned seed, int count) {
    int inside = 0;
    for (int i = 0; i < count; i++) {
        seed = seed * 1664525u + 1013904223u;
        unsigned x = seed >> 17;
        seed = seed * 1664525u + 1013904223u;
        unsigned y = seed >> 17;
        inside += x * x + y * y < 1u << 30;
    }
    return inside;
}

__global__ void throw_points(unsigned long long *inside, int each) {
    int mine = points_inside(blockIdx.x * THREADS + threadIdx.x, each);
    atomicAdd(inside, (unsigned long long)mine);
}

__global__ void sum_alone(const float *in, float *out, int n) {
    float sum = 0;
    for (int i = 0; i < n; i++)
        sum += in[i];
    *out = sum;
}

__global__ void rows_times(const int *start, const int *column, const float *value, const float *x,
                           float *y, int rows) {
    int r = blockIdx.x * THREADS + threadIdx.x;
    if (r >= rows)
        return;
    float sum = 0;
    for (int k = start[r]; k < start[r + 1]; k++)
        sum += value[k] * x[column[k]];
    y[r] = sum;
}

__global__ void exchange(int *list, unsigned apart, unsigned run) {
    unsigned i = blockIdx.x * THREADS + threadIdx.x, other = i ^ apart;
    if (other < i)
        return;
    int low = list[i], high = list[other];
    if (((i & run) == 0) == (low > high)) {
        list[i] = high;
        list[other] = low;
    }
}

__global__ void add_to_one(float *sum, int each) {
    for (int i = 0; i < each; i++)
        atomicAdd(sum, 1.0f);
}

// ---- cases ----

template <typename T> struct Both { // a vector, and device memory of its size
    std::vector<T> host, back;
    T *device = nullptr;
    explicit Both(
        size_t n, T (*fill)(int) = [](int) { return T(); })
        : host(n), back(n) {
        for (size_t i = 0; i < n; i++)
            host[i] = fill((int)i);
        cudaMalloc(&device, n * sizeof(T));
        cudaMemcpy(device, host.data(), n * sizeof(T), cudaMemcpyHostToDevice);
    }
    const std::vector<T> &fetch() {
        cudaMemcpy(back.data(), device, back.size() * sizeof(T), cudaMemcpyDeviceToHost);
        return back;
    }
    bool same() {
        return fetch() == host;
    }
};

static float small(int i) {
    return (float)(i % 7);
}
static int shuffled(int i) {
    return (int)((unsigned)i * 2654435761u >> 4);
}
static unsigned char byte(int i) {
    return (unsigned char)((unsigned)i * 2654435761u >> 24);
}

static int run(const char *name) {
    std::string w = name;
    std::function<void()> kernels, plain;
    std::function<bool()> same;
    const int n = 1 << 22, side = 1024;
    if (w == "reduction") {
        auto x = new Both<float>(n, small);
        auto sums = new Both<float>(512);
        kernels = [=] { sum_blocks<<<512, THREADS>>>(x->device, sums->device, n); };
        auto total = new double(0);
        plain = [=] {
            for (float v : x->host)
                *total += v;
        };
        same = [=] {
            double s = 0;
            for (float v : sums->fetch())
                s += v;
            return s == *total;
        };
    } else if (w == "histogram" || w == "histogram-shared") {
        auto x = new Both<unsigned char>(n, byte);
        auto bins = new Both<int>(256);
        auto kernel = w == "histogram" ? count_bytes : count_bytes_shared;
        kernels = [=] { kernel<<<128, THREADS>>>(x->device, bins->device, n); };
        plain = [=] {
            for (unsigned char v : x->host)
                bins->host[v]++;
        };
        same = [=] { return bins->same(); };
    } else if (w == "stencil") {
        auto a = new Both<float>(side * side, small), b = new Both<float>(side * side, small);
        const int s = side;
        kernels = [=] {
            for (int i = 0; i < 4; i++)
                smooth<<<dim3(s / 32, s / 8), dim3(32, 8)>>>(i % 2 ? b->device : a->device,
                                                             i % 2 ? a->device : b->device, s);
        };
        plain = [=] {
            for (int i = 0; i < 4; i++) {
                const float *in = (i % 2 ? b : a)->host.data();
                float *out = (i % 2 ? a : b)->host.data();
                for (int y = 1; y < s - 1; y++)
                    for (int x = 1; x < s - 1; x++)
                        out[y * s + x] = in[y * s + x - 1] + in[y * s + x + 1] +
                                         in[(y - 1) * s + x] + in[(y + 1) * s + x] -
                                         3 * in[y * s + x];
            }
        };
        same = [=] { return a->same() && b->same(); };
    } else if (w == "transpose" || w == "transpose-tiled") {
        const int s = 2 * side;
        auto a = new Both<float>(s * s, small), b = new Both<float>(s * s);
        auto kernel = w == "transpose" ? transpose_plain : transpose_tiled;
        kernels = [=] {
            kernel<<<dim3(s / TILE, s / TILE), dim3(TILE, ROWS)>>>(a->device, b->device, s);
        };
        plain = [=] {
            for (int y = 0; y < s; y++)
                for (int x = 0; x < s; x++)
                    b->host[x * s + y] = a->host[y * s + x];
        };
        same = [=] { return b->same(); };
    } else if (w == "scan") {
        auto x = new Both<int>(n, [](int i) { return i % 7; }), y = new Both<int>(n);
        const int blocks = n / SCAN, blocks2 = blocks / SCAN;
        auto t = new Both<int>(blocks), t2 = new Both<int>(SCAN), t3 = new Both<int>(1);
        kernels = [=] {
            scan_block<<<blocks, SCAN>>>(x->device, y->device, t->device);
            scan_block<<<blocks2, SCAN>>>(t->device, t->device, t2->device);
            scan_block<<<1, SCAN>>>(t2->device, t2->device, t3->device);
            add_totals<<<blocks2, SCAN>>>(t->device, t2->device);
            add_totals<<<blocks, SCAN>>>(y->device, t->device);
        };
        plain = [=] {
            int sum = 0;
            for (int i = 0; i < n; i++)
                y->host[i] = sum += x->host[i];
        };
        same = [=] { return y->same(); };
    } else if (w == "n-body") {
        const int bodies = 4096;
        auto p =
            new Both<float4>(bodies, [](int i) { return make_float4(i % 7, i % 11, i % 13, 1); });
        auto f = new Both<float>(bodies);
        kernels = [=] { pull<<<bodies / THREADS, THREADS>>>(p->device, f->device, bodies); };
        plain = [=] {
            for (int i = 0; i < bodies; i++) {
                float sum = 0;
                float4 me = p->host[i];
                for (const float4 &o : p->host) {
                    float dx = o.x - me.x, dy = o.y - me.y, dz = o.z - me.z;
                    sum += o.w * dx / (1 + dx * dx + dy * dy + dz * dz);
                }
                f->host[i] = sum;
            }
        };
        same = [=] {
            float worst = 0;
            for (int i = 0; i < bodies; i++)
                worst = std::max(worst, std::fabs(f->fetch()[i] - f->host[i]));
            return worst < 0.01f;
        };
    } else if (w == "mandelbrot") {
        const int s = side;
        auto o = new Both<int>(s * s);
        kernels = [=] { escape<<<dim3(s / 16, s / 16), dim3(16, 16)>>>(o->device, s, 128); };
        plain = [=] {
            for (int y = 0; y < s; y++)
                for (int x = 0; x < s; x++) {
                    float cr = 3.0f * x / s - 2, ci = 3.0f * y / s - 1.5f, r = 0, q = 0;
                    int i = 0;
                    for (; i < 128 && r * r + q * q < 4; i++) {
                        float t = r * r - q * q + cr;
                        q = 2 * r * q + ci;
                        r = t;
                    }
                    o->host[y * s + x] = i;
                }
        };
        same = [=] { // a device fuses multiplications with additions
            int other = 0;
            for (int i = 0; i < s * s; i++)
                other += o->back[i] != o->host[i];
            return other < s * s / 100;
        };
        auto compare = same;
        same = [=] {
            o->fetch();
            return compare();
        };
    } else if (w == "monte-carlo") {
        auto inside = new Both<unsigned long long>(1);
        kernels = [=] { throw_points<<<64, THREADS>>>(inside->device, 500); };
        plain = [=] {
            for (int i = 0; i < 64 * THREADS; i++)
                inside->host[0] += points_inside(i, 500);
        };
        same = [=] { return inside->same(); };
    } else if (w == "one-thread") {
        auto x = new Both<float>(1 << 20, small), o = new Both<float>(1);
        kernels = [=] { sum_alone<<<1, 1>>>(x->device, o->device, 1 << 20); };
        plain = [=] {
            float sum = 0;
            for (float v : x->host)
                sum += v;
            o->host[0] = sum;
        };
        same = [=] { return o->same(); };
    } else if (w == "sparse-rows") {
        const int rows = 1 << 17;
        auto start = new Both<int>(
            rows + 1, [](int i) { return 16 * i; });
        auto column = new Both<int>(16 * rows, [](int i) { return shuffled(i) & ((1 << 17) - 1); });
        auto value = new Both<float>(16 * rows, small), x = new Both<float>(rows, small);
        auto y = new Both<float>(rows);
        kernels = [=] {
            rows_times<<<rows / THREADS, THREADS>>>(start->device, column->device, value->device,
                                                    x->device, y->device, rows);
        };
        plain = [=] {
            for (int r = 0; r < rows; r++) {
                float sum = 0;
                for (int k = start->host[r]; k < start->host[r + 1]; k++)
                    sum += value->host[k] * x->host[column->host[k]];
                y->host[r] = sum;
            }
        };
        same = [=] { return y->same(); };
    } else if (w == "bitonic-sort") {
        const unsigned m = 1 << 16;
        auto list = new Both<int>(m, shuffled);
        kernels = [=] {
            for (unsigned run = 2; run <= m; run *= 2)
                for (unsigned apart = run / 2; apart > 0; apart /= 2)
                    exchange<<<m / THREADS, THREADS>>>(list->device, apart, run);
        };
        plain = [=] {
            for (unsigned run = 2; run <= m; run *= 2)
                for (unsigned apart = run / 2; apart > 0; apart /= 2)
                    for (unsigned i = 0; i < m; i++) {
                        unsigned other = i ^ apart;
                        if (other > i && ((i & run) == 0) == (list->host[i] > list->host[other]))
                            std::swap(list->host[i], list->host[other]);
                    }
        };
        same = [=] { return list->same(); };
    } else if (w == "one-word") {
        auto sum = new Both<float>(1);
        kernels = [=] { add_to_one<<<256, THREADS>>>(sum->device, 64); };
        plain = [=] {
            volatile float s = 0;
            for (int i = 0; i < 256 * THREADS * 64; i++)
                s = s + 1.0f;
            sum->host[0] = s;
        };
        same = [=] { return sum->same(); };
    } else {
        fprintf(stderr, "kinds: there is no %s\n", name);
        return 2;
    }
    double t0 = cpu_seconds();
    kernels();
    cudaError_t error = cudaDeviceSynchronize();
    double t1 = cpu_seconds();
    plain();
    double t2 = cpu_seconds();
    printf("%s\t%.4f\t%.4f\t%s\n", name, t1 - t0, t2 - t1,
           error != cudaSuccess ? cudaGetErrorString(error)
           : same()             ? "same"
                                : "different");
    return 0;
}

int main(int argc, char **argv) {
    if (argc == 2)
        return run(argv[1]);
    puts("reduction histogram histogram-shared stencil transpose transpose-tiled scan n-body "
         "mandelbrot monte-carlo one-thread sparse-rows bitonic-sort one-word");
    return 0;
}
