#include <cstdio>
template <int N> struct pair { float v[N]; int tag; };
__device__ int twice(int v) {
    int r = 2 * v;
    return r;
}
__global__ void fill(float *out, int n) {
    __shared__ float tile[4][8];
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float4 q = make_float4(i, i + 1, i + 2, i + 3);
    pair<2> two;
    two.v[0] = i;
    two.v[1] = q.y;
    two.tag = twice(i);
    float late;
    for (int k = 0; k < 2; k++) two.tag += k;
    if (threadIdx.x % 2 == 0)
        tile[threadIdx.x / 8][threadIdx.x % 8] = q.z;
    else
        tile[threadIdx.x / 8][threadIdx.x % 8] = two.v[0];
    __syncthreads();
    late = tile[3 - threadIdx.x / 8][threadIdx.x % 8];
    if (i < n)
        out[i] = late + two.tag;
}
int main() {
    float *d, h[64];
    cudaMalloc(&d, sizeof h);
    fill<<<2, 32>>>(d, 64);
    cudaMemcpy(h, d, sizeof h, cudaMemcpyDeviceToHost);
    printf("%g %g\n", h[0], h[63]);
    cudaFree(d);
}
