// oneline.cu: a loop of one line that waits in vain, so that the block's warps take turns in it.
__global__ void spin(volatile int *p, int times) {
    int n = 0;
    while (p[0] == 0 && n < times) n++;
    p[1000000] = n;
}

int main() {
    int *p;
    cudaMalloc(&p, 4);
    cudaMemset(p, 0, 4);
    spin<<<1, 64>>>(p, 1000000);
    cudaDeviceSynchronize();
    cudaFree(p);
    return 0;
}
