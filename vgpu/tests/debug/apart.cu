// apart.cu: lanes of one warp store to two arrays that lie far apart, in one instruction. What the
// debugger looks for, what earlier blocks did to these elements, is of each array's own.
__global__ void deal(float *even, float *odd) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    float *to = i % 2 == 0 ? even : odd;
    to[i / 2] = i;
    to[0] = i / 32; // all blocks
}

int main() {
    float *even, *between, *odd;
    cudaMalloc(&even, 1024 * sizeof(float));
    cudaMalloc(&between, (size_t)4 << 30);
    cudaMalloc(&odd, 1024 * sizeof(float));
    cudaMemset(even, 0, 1024 * sizeof(float));
    cudaMemset(odd, 0, 1024 * sizeof(float));
    deal<<<2, 32>>>(even, odd);
    cudaDeviceSynchronize();
    cudaFree(even);
    cudaFree(between);
    cudaFree(odd);
    return 0;
}
