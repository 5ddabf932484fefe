// The host's side: streams, events, pinned and pitched memory, symbols, occupancy, managed variables, n-body, Jacobi.
#include <cmath>
#include <cstdio>
#include <cstring>
#include <vector>

#define CHECK(call)                                                                                \
    do {                                                                                           \
        const cudaError_t error = call;                                                            \
        if (error != cudaSuccess) {                                                                \
            printf("Error: %s:%d, code: %d, reason: %s\n", __FILE__, __LINE__, error, cudaGetErrorString(error)); \
            exit(1);                                                                               \
        }                                                                                          \
    } while (0)

__managed__ int managed_count = 3;
__managed__ float managed_array[4] = {1, 2, 3, 4};
__device__ __managed__ double *managed_pointer;

__global__ void use_managed() {
    if (threadIdx.x == 0) managed_count += 10;
    managed_array[threadIdx.x] *= 2;
    if (threadIdx.x == 0) managed_pointer[1] = managed_pointer[0] + 1;
}

__global__ void through_pointer(int *p) { *p += 100; }

__global__ void scale(float *x, float f, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) x[i] *= f;
}

__global__ void add_2d(const float *in, float *out, size_t pitch, int w, int h) {
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x < w && y < h) *((float *)((char *)out + y * pitch) + x) = *((const float *)((const char *)in + y * pitch) + x) + 1;
}

struct Body { float4 position, velocity; };
__global__ void nbody(Body *bodies, int n, float dt) {
    __shared__ float4 tile[64];
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    const float4 p = bodies[i].position;
    float3 a = make_float3(0, 0, 0);
    for (int t = 0; t < n; t += blockDim.x) {
        tile[threadIdx.x] = bodies[t + threadIdx.x].position;
        __syncthreads();
#pragma unroll 8
        for (int j = 0; j < 64; ++j) {
            const float3 d = make_float3(tile[j].x - p.x, tile[j].y - p.y, tile[j].z - p.z);
            const float r2 = d.x * d.x + d.y * d.y + d.z * d.z + 0.01f, inv = rsqrtf(r2);
            const float s = tile[j].w * inv * inv * inv;
            a.x += d.x * s; a.y += d.y * s; a.z += d.z * s;
        }
        __syncthreads();
    }
    bodies[i].velocity.x += a.x * dt; bodies[i].velocity.y += a.y * dt; bodies[i].velocity.z += a.z * dt;
}

__global__ void jacobi(const float *a, float *b, int n, float *residual) {
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    float change = 0;
    if (x > 0 && y > 0 && x < n - 1 && y < n - 1) {
        float v = 0.25f * (a[y * n + x - 1] + a[y * n + x + 1] + a[(y - 1) * n + x] + a[(y + 1) * n + x]);
        change = fabsf(v - a[y * n + x]);
        b[y * n + x] = v;
    }
    if (__syncthreads_or(change > 1e-6f) && threadIdx.x == 0 && threadIdx.y == 0) atomicAdd(residual, 1.0f);
}

void CUDART_CB called_back(void *data) { ++*(int *)data; }

int main() {
    double *pd;
    CHECK(cudaMallocManaged(&pd, 2 * sizeof(double)));
    pd[0] = 41;
    managed_pointer = pd;
    managed_count += 1;
    use_managed<<<1, 4>>>();
    CHECK(cudaDeviceSynchronize());
    through_pointer<<<1, 1>>>(&managed_count);
    CHECK(cudaDeviceSynchronize());
    printf("managed: %d, %g %g, %g\n", managed_count, managed_array[0], managed_array[3], pd[1]);

    const int n = 1 << 12, parts = 4;
    float *pinned, *dev;
    CHECK(cudaHostAlloc((void **)&pinned, n * sizeof(float), cudaHostAllocDefault));
    CHECK(cudaMalloc(&dev, n * sizeof(float)));
    for (int i = 0; i < n; ++i) pinned[i] = (float)i;
    cudaStream_t streams[parts];
    cudaEvent_t begin, end;
    CHECK(cudaEventCreate(&begin));
    CHECK(cudaEventCreateWithFlags(&end, cudaEventBlockingSync));
    CHECK(cudaEventRecord(begin));
    int calls = 0;
    for (int s = 0; s < parts; ++s) {
        CHECK(cudaStreamCreateWithFlags(&streams[s], cudaStreamNonBlocking));
        float *h = pinned + s * n / parts, *d = dev + s * n / parts;
        CHECK(cudaMemcpyAsync(d, h, n / parts * sizeof(float), cudaMemcpyHostToDevice, streams[s]));
        scale<<<n / parts / 128, 128, 0, streams[s]>>>(d, 2.0f, n / parts);
        CHECK(cudaMemcpyAsync(h, d, n / parts * sizeof(float), cudaMemcpyDeviceToHost, streams[s]));
        CHECK(cudaLaunchHostFunc(streams[s], called_back, &calls));
    }
    for (auto s : streams) CHECK(cudaStreamSynchronize(s));
    CHECK(cudaEventRecord(end));
    CHECK(cudaEventSynchronize(end));
    float ms = -1;
    CHECK(cudaEventElapsedTime(&ms, begin, end));
    printf("streams: %g, %d calls, %s\n", pinned[n - 1], calls, ms >= 0 && cudaEventQuery(end) == cudaSuccess ? "timed" : "not timed");
    for (auto s : streams) CHECK(cudaStreamDestroy(s));
    CHECK(cudaEventDestroy(begin));
    CHECK(cudaEventDestroy(end));
    CHECK(cudaFreeHost(pinned));
    CHECK(cudaFree(dev));

    const int w = 33, h = 9;
    float *in, *out, host[h][w];
    size_t pitch, pitch2;
    CHECK(cudaMallocPitch(&in, &pitch, w * sizeof(float), h));
    CHECK(cudaMallocPitch(&out, &pitch2, w * sizeof(float), h));
    for (int y = 0; y < h; ++y) for (int x = 0; x < w; ++x) host[y][x] = (float)(100 * y + x);
    CHECK(cudaMemcpy2D(in, pitch, host, sizeof host[0], sizeof host[0], h, cudaMemcpyHostToDevice));
    add_2d<<<dim3(3, 2), dim3(16, 8)>>>(in, out, pitch, w, h);
    CHECK(cudaMemcpy2D(host, sizeof host[0], out, pitch2, sizeof host[0], h, cudaMemcpyDeviceToHost));
    printf("pitched: %g %g\n", host[0][0], host[h - 1][w - 1]);
    CHECK(cudaFree(in));
    CHECK(cudaFree(out));

    int minGrid, block, active;
    CHECK(cudaOccupancyMaxPotentialBlockSize(&minGrid, &block, scale, 0, 0));
    CHECK(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&active, scale, 256, 0));
    printf("occupancy: %d blocks of 256\n", active);

    std::vector<Body> bodies(256);
    for (int i = 0; i < 256; ++i) bodies[i] = {make_float4(sinf((float)i), cosf((float)i * 2), (float)(i % 7), 1.0f), make_float4(0, 0, 0, 0)};
    Body *db;
    CHECK(cudaMalloc(&db, sizeof(Body) * 256));
    CHECK(cudaMemcpy(db, bodies.data(), sizeof(Body) * 256, cudaMemcpyHostToDevice));
    for (int s = 0; s < 3; ++s) nbody<<<4, 64>>>(db, 256, 0.01f);
    CHECK(cudaGetLastError());
    CHECK(cudaMemcpy(bodies.data(), db, sizeof(Body) * 256, cudaMemcpyDeviceToHost));
    double px = 0, py = 0, pz = 0; // momentum is kept
    for (auto &b : bodies) { px += b.velocity.x; py += b.velocity.y; pz += b.velocity.z; }
    printf("n-body: %s\n", fabs(px) + fabs(py) + fabs(pz) < 1e-2 ? "right" : "wrong");
    CHECK(cudaFree(db));

    const int m = 32;
    std::vector<float> grid(m * m, 0.0f);
    for (int i = 0; i < m; ++i) grid[i] = 1.0f;
    float *a, *b, *res, left = 1;
    CHECK(cudaMalloc(&a, m * m * 4)); CHECK(cudaMalloc(&b, m * m * 4)); CHECK(cudaMalloc(&res, 4));
    CHECK(cudaMemcpy(a, grid.data(), m * m * 4, cudaMemcpyHostToDevice));
    CHECK(cudaMemcpy(b, a, m * m * 4, cudaMemcpyDeviceToDevice));
    int rounds = 0;
    for (; left > 0 && rounds < 200; ++rounds) {
        CHECK(cudaMemset(res, 0, 4));
        jacobi<<<dim3(2, 2), dim3(16, 16)>>>(a, b, m, res);
        CHECK(cudaMemcpy(&left, res, 4, cudaMemcpyDeviceToHost));
        std::swap(a, b);
    }
    CHECK(cudaMemcpy(grid.data(), a, m * m * 4, cudaMemcpyDeviceToHost));
    printf("jacobi: %d rounds, middle %.4f\n", rounds, grid[m / 2 * m + m / 2]);
    CHECK(cudaFree(a)); CHECK(cudaFree(b)); CHECK(cudaFree(res)); CHECK(cudaFree(pd));
    CHECK(cudaDeviceReset());
}
