// Loads and stores that name an order: of 4 and 8 bytes, by some lanes alone, widened with their
// sign, beside others that stay as they were; and one beyond the end, told as of any other.
#include <cstdio>

__global__ void each(long long *wide, int *narrow, long long *out) {
    const int lane = threadIdx.x;
    if (lane % 3 != 0) {
        asm volatile("st.release.gpu.global.u64 [%0], %1;" : : "l"(wide + 31 - lane), "l"(lane * -5000000000ll) : "memory");
        asm volatile("st.relaxed.gpu.u32 [%0], %1;" : : "l"(narrow + 2 * lane), "r"(7 - lane) : "memory");
    }
    __syncwarp();
    long long first, second;
    unsigned third;
    asm volatile("ld.acquire.gpu.global.u64 %0, [%1];" : "=l"(first) : "l"(wide + lane) : "memory");
    asm volatile("ld.relaxed.gpu.global.s32 %0, [%1];" : "=l"(second) : "l"(narrow + 2 * lane) : "memory");
    asm volatile("ld.acquire.sys.u32 %0, [%1];" : "=r"(third) : "l"(narrow + 2 * lane + 1) : "memory");
    out[3 * lane] = first, out[3 * lane + 1] = second, out[3 * lane + 2] = third;
}

__global__ void beyond(long long *wide, long long *out) {
    long long x;
    asm volatile("ld.acquire.gpu.global.u64 %0, [%1];" : "=l"(x) : "l"(wide + 32) : "memory");
    *out = x;
}

int main() {
    long long *wide, *out, got[96];
    int *narrow;
    cudaMalloc(&wide, 32 * sizeof *wide);
    cudaMalloc(&narrow, 64 * sizeof *narrow);
    cudaMalloc(&out, sizeof got);
    int before[64];
    for (int i = 0; i < 64; i++)
        before[i] = 0x22222222;
    cudaMemcpy(wide, before, sizeof before, cudaMemcpyHostToDevice);
    cudaMemcpy(narrow, before, sizeof before, cudaMemcpyHostToDevice);
    each<<<1, 32>>>(wide, narrow, out);
    cudaMemcpy(got, out, sizeof got, cudaMemcpyDeviceToHost);
    int wrong = 0;
    for (int i = 0; i < 32; i++) {
        const bool stored = (31 - i) % 3 != 0, put = i % 3 != 0;
        wrong += got[3 * i] != (stored ? (31 - i) * -5000000000ll : 0x2222222222222222);
        wrong += got[3 * i + 1] != (put ? 7 - i : 0x22222222);
        wrong += got[3 * i + 2] != 0x22222222;
    }
    printf("%d of 96 wrong\n", wrong);
    beyond<<<1, 1>>>(wide, out);
    printf("%s\n", cudaGetErrorName(cudaDeviceSynchronize()));
}
