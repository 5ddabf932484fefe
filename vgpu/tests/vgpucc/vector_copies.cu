// A float4 is one access of 16 bytes, in whatever way it is copied, also beside a branch for the edge
// whose accesses are floats: as nvcc compiles it.
#include <cstdio>
#include <vgpu_counters.h>

struct Plain { float x, y, z, w; }; // no vector: may lie at any multiple of 4

// A branch with the same ends, for a launch that takes the wide one.
__global__ void branch(bool wide, const float *from, float *to) {
    float v[4];
    const float *at = from + 4 * threadIdx.x;
    if (wide) {
        float4 q = *(const float4 *)at;
        v[0] = q.x, v[1] = q.y, v[2] = q.z, v[3] = q.w;
    } else {
        for (int e = 0; e < 4; ++e)
            v[e] = 4 * threadIdx.x + e < 100 ? at[e] : 0.0f;
    }
    if (wide)
        *(float4 *)&to[4 * threadIdx.x] = make_float4(v[0], v[1], v[2], v[3]);
    else
        for (int e = 0; e < 4; ++e)
            if (4 * threadIdx.x + e < 100)
                to[4 * threadIdx.x + e] = v[e];
}

// The same four loads on both ways: only one of them is wide.
__global__ void same(bool wide, const float *from, float *to) {
    const float *at = from + 4 * threadIdx.x;
    float v[4];
    if (wide) {
        float4 q = *(const float4 *)at;
        v[0] = q.x, v[1] = q.y, v[2] = q.z, v[3] = q.w;
    } else {
        for (int e = 0; e < 4; ++e)
            v[e] = at[e];
    }
    to[threadIdx.x] = v[0] * v[1] + v[2] * v[3];
}

// An element of an array of floats, cast: in shared memory and in a thread's own array. The steps are
// known only while it runs.
__global__ void elements(int step, const float *from, float *to) {
    __shared__ __align__(16) float tile[16][32];
    float v[8];
    for (int i = threadIdx.x; i < 512; i += 32)
        tile[i / 32][i % 32] = from[i];
    __syncthreads();
    float sum = 0.0f;
    for (int i = 0; i < 16; i += step) {
        reinterpret_cast<float4 *>(&v[0])[0] = reinterpret_cast<float4 *>(&tile[i][threadIdx.x % 8 * 4])[0];
        reinterpret_cast<float4 *>(&v[4])[0] = reinterpret_cast<float4 *>(&tile[i][threadIdx.x / 8 * 4])[0];
        for (int e = 0; e < 8; ++e)
            sum += v[e] * e;
    }
    to[threadIdx.x] = sum;
}

// By another element type, and two at a time.
__global__ void others(const float *from, float *to) {
    *(int4 *)(to + 4 * threadIdx.x) = *(const int4 *)(from + 4 * threadIdx.x);
    *(float2 *)(to + 128 + 2 * threadIdx.x) = *(const float2 *)(from + 128 + 2 * threadIdx.x);
    *(double2 *)(to + 256 + 4 * threadIdx.x) = *(const double2 *)(from + 256 + 4 * threadIdx.x);
}

__global__ void plain(const float *from, float *to) {
    *(Plain *)(to + 1 + 4 * threadIdx.x) = *(const Plain *)(from + 1 + 4 * threadIdx.x);
}

// No multiple of 16 bytes: a mistake on every GPU.
__global__ void misaligned(float *to) {
    __shared__ __align__(16) float tile[64];
    tile[threadIdx.x] = tile[threadIdx.x + 32] = threadIdx.x;
    __syncthreads();
    float4 q = *(float4 *)&tile[threadIdx.x];
    to[threadIdx.x] = q.x + q.w;
}

static void count(const char *name) {
    struct vgpu_counters c;
    vgpu_last_counters(&c);
    printf("%-10s global loads %llu, stores %llu, shared loads %llu: %s\n", name,
           (unsigned long long)c.global_load_requests, (unsigned long long)c.global_store_requests,
           (unsigned long long)c.shared_load_requests, cudaGetErrorName(cudaDeviceSynchronize()));
}

int main() {
    float h[512], got[512], *from, *to;
    for (int i = 0; i < 512; ++i)
        h[i] = i;
    cudaMalloc(&from, sizeof h);
    cudaMalloc(&to, sizeof h);
    cudaMemcpy(from, h, sizeof h, cudaMemcpyHostToDevice);
    cudaMemset(to, 0, sizeof h);
    vgpu_counters_enable();
    branch<<<1, 25>>>(true, from, to);
    count("branch");
    same<<<1, 32>>>(true, from, to);
    count("same");
    elements<<<1, 32>>>(1, from, to);
    count("elements");
    others<<<1, 32>>>(from, to);
    count("others");
    cudaMemcpy(got, to, sizeof h, cudaMemcpyDeviceToHost);
    int wrong = 0;
    for (int i = 0; i < 384; ++i)
        wrong += (i < 192 || i >= 256) && got[i] != h[i];
    plain<<<1, 32>>>(from, to);
    printf("wrong: %d; plain: %s\n", wrong, cudaGetErrorName(cudaDeviceSynchronize()));
    misaligned<<<1, 32>>>(to);
    printf("misaligned: %s\n", cudaGetErrorName(cudaDeviceSynchronize()));
    return 0;
}
