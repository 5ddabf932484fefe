// Arrays that ask for a large alignment: two halves of a shared buffer told apart by one bit of the address.
#include <cstdint>
#include <cstdio>

struct __align__(64) Line {
    float x[16];
};

__global__ void toggled(const float *in, float *out, unsigned *misplaced) {
    __shared__ float first[3];
    __shared__ __align__(16384) float buffers[2][2048];
    __shared__ __align__(512) float last[4];
    Line line;
    uint32_t at = (uint32_t)__cvta_generic_to_shared(buffers) + threadIdx.x * 4;
    if (threadIdx.x < 3)
        first[threadIdx.x] = last[threadIdx.x] = 1;
    for (int i = 0; i < 16; ++i)
        line.x[(i + threadIdx.x) % 16] = in[i];
    for (int step = 0; step < 2; ++step) {
        asm volatile("st.shared.f32 [%0], %1;" ::"r"(at), "f"(in[threadIdx.x] + step) : "memory");
        at ^= 8192;
    }
    __syncthreads();
    out[threadIdx.x] = buffers[0][threadIdx.x] * 1000 + buffers[1][63 - threadIdx.x] + first[0] - last[2] + line.x[0] * 0;
    if (threadIdx.x == 0)
        *misplaced = (unsigned)__cvta_generic_to_shared(buffers) % 16384 + (unsigned)__cvta_generic_to_shared(last) % 512 +
                     (unsigned)((uintptr_t)&line % 64);
}

int main() {
    float *data;
    unsigned *misplaced;
    cudaMallocManaged(&data, 128 * sizeof(float));
    cudaMallocManaged(&misplaced, sizeof(unsigned));
    for (int i = 0; i < 64; ++i)
        data[i] = i;
    toggled<<<1, 64>>>(data, data + 64, misplaced);
    printf("%s", cudaGetErrorString(cudaDeviceSynchronize())); printf(": %g %g %g, %u\n", data[64], data[65], data[127], *misplaced);
}
