// cuda::ceil_div and its kin, on host and device, with types that differ.
#include <cstdio>
#include <cuda/cmath>

static_assert(cuda::ceil_div(33, 32) == 2 && cuda::ceil_div(32u, 32) == 1 && cuda::ceil_div(0, 7) == 0, "");

__global__ void k(int n, size_t *out) {
    out[0] = cuda::ceil_div((size_t)n, 32);
    out[1] = cuda::round_up(n, 32);
    out[2] = cuda::round_down(n, 32);
}

int main() {
    size_t *out;
    cudaMallocManaged(&out, 3 * sizeof *out);
    k<<<1, 1>>>(65, out);
    cudaDeviceSynchronize();
    printf("%zu %zu %zu, %d %llu\n", out[0], out[1], out[2], cuda::ceil_div(2147483647, 2), (unsigned long long)cuda::round_up(5ull, 4));
    cudaFree(out);
    return 0;
}
