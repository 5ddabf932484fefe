__global__ void half(float *x) {
    int i = threadIdx.x;
    if (i < 40)
        __syncthreads();
    x[i] = i;
}
int main() {
    float *d;
    cudaMalloc(&d, 64 * sizeof(float));
    half<<<1, 64>>>(d);
    cudaDeviceSynchronize();
}
