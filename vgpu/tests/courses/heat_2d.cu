#include "check.cuh"
#include <utility>
__global__ void step(const float *a, float *b, int nx, int ny) {
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y; if (x >= nx || y >= ny) return;
    int i = y * nx + x; if (x == 0 || y == 0 || x == nx - 1 || y == ny - 1) b[i] = a[i]; else b[i] = a[i] + 0.1f * (a[i - 1] + a[i + 1] + a[i - nx] + a[i + nx] - 4 * a[i]);
}
int main() {
    const int nx = 70, ny = 50; float *a, *b; CUDA(cudaMallocManaged(&a, nx * ny * 4)); CUDA(cudaMallocManaged(&b, nx * ny * 4));
    for (int i = 0; i < nx * ny; i++) a[i] = i < nx ? 100 : 0;
    dim3 block(16, 16), grid((nx + 15) / 16, (ny + 15) / 16); for (int t = 0; t < 20; t++) { step<<<grid, block>>>(a, b, nx, ny); std::swap(a, b); }
    CUDA(cudaDeviceSynchronize()); MUST(a[0] == 100 && a[nx + nx / 2] > 40 && a[nx + nx / 2] < 100 && a[(ny - 1) * nx] == 0); cudaFree(a); cudaFree(b);
}
