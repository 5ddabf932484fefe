// launches.cu: two kernels, and each twice: how far back one may go.
__global__ void first(int *o) {
    o[threadIdx.x] += threadIdx.x;
}

__global__ void second(int *o) {
    o[threadIdx.x] *= 2;
}

int main() {
    int *o;
    cudaMalloc(&o, 8 * sizeof(int));
    cudaMemset(o, 0, 8 * sizeof(int));
    for (int i = 0; i < 2; i++) {
        first<<<1, 8>>>(o);
        second<<<1, 8>>>(o);
    }
    cudaDeviceSynchronize();
    cudaFree(o);
    return 0;
}
