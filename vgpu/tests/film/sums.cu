// sums.cu: two warps add to the same sums, in a line that both reads and writes them; bit fields.
struct flags {
    float weight;
    unsigned low : 3, high : 5;
};
__global__ void sums(flags *all) {
    __shared__ float sum[32];
    int i = threadIdx.x;
    if (i < 32)
        sum[i] = 0;
    __syncthreads();
    sum[i % 32] += 1;
    all[i].high = i;
}
int main() {
    flags *all;
    cudaMalloc(&all, 64 * sizeof(flags));
    cudaMemset(all, 0, 64 * sizeof(flags));
    sums<<<1, 64>>>(all);
    cudaDeviceSynchronize();
    cudaFree(all);
}
