__global__ void add(float *x, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i <= n)
        x[i] = i;
}
int main() {
    float *d;
    cudaMalloc(&d, 40 * sizeof(float));
    add<<<2, 32>>>(d, 40);
    cudaDeviceSynchronize();
}
