#include "check.cuh"
const int T = 32, ROWS = 8;
__global__ void transpose(float *o, const float *x, int w, int h) {
    __shared__ float tile[T][T + 1]; int c = blockIdx.x * T + threadIdx.x, r = blockIdx.y * T + threadIdx.y;
    for (int j = 0; j < T; j += ROWS) if (c < w && r + j < h) tile[threadIdx.y + j][threadIdx.x] = x[(r + j) * w + c];
    __syncthreads(); c = blockIdx.y * T + threadIdx.x; r = blockIdx.x * T + threadIdx.y;
    for (int j = 0; j < T; j += ROWS) if (c < h && r + j < w) o[(r + j) * h + c] = tile[threadIdx.x][threadIdx.y + j];
}
int main() {
    const int w = 100, h = 75; float *x, *o, hx[w * h], ho[w * h]; for (int i = 0; i < w * h; i++) hx[i] = i;
    CUDA(cudaMalloc(&x, sizeof hx)); CUDA(cudaMalloc(&o, sizeof hx)); CUDA(cudaMemcpy(x, hx, sizeof hx, cudaMemcpyHostToDevice));
    transpose<<<dim3((w + T - 1) / T, (h + T - 1) / T), dim3(T, ROWS)>>>(o, x, w, h); CUDA(cudaMemcpy(ho, o, sizeof ho, cudaMemcpyDeviceToHost));
    for (int r = 0; r < h; r++) for (int c = 0; c < w; c++) MUST(ho[c * h + r] == hx[r * w + c]); cudaFree(x); cudaFree(o);
}
