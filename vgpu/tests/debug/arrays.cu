// arrays.cu: references, rows behind pointers, an array whose size the launch chooses, and a
// function that calls itself: what the debugger tells of them.
__device__ void take(float (&to)[4], const float tile[][8], float &sum, const int &n) {
    to[0] = tile[1][2];
    sum += n;
}

__device__ int twice(int n) {
    return n < 1 ? 0 : 2 + twice(n - 1);
}

__global__ void fill(float *out, int n) {
    extern __shared__ float pool[];
    __shared__ float tile[2][8];
    float to[4], sum = 1;
    tile[threadIdx.x / 8][threadIdx.x % 8] = threadIdx.x;
    pool[threadIdx.x] = 0.5f * threadIdx.x;
    __syncthreads();
    take(to, tile, sum, n);
    out[threadIdx.x] = to[0] + sum + twice(1);
}

int main() {
    float *out;
    cudaMalloc(&out, 16 * sizeof(float));
    fill<<<1, 16, 20 * sizeof(float)>>>(out, 4);
    cudaDeviceSynchronize();
    cudaFree(out);
    return 0;
}
