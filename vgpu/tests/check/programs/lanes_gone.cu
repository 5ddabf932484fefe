// Masks that do not fit: of lanes that are not there, or without the lane itself; and ones that do.
// run: 1
// run: 2
// run: 3
// run: 4
// run: 5
// run: 6
#include <stdlib.h>

__device__ float add_up(unsigned mask, float sum) {
    for (int d = 16; d > 0; d /= 2)
        sum += __shfl_down_sync(mask, sum, d);
    return sum;
}

/* The threads without an element have left, and the mask says that they are there. */
__global__ void leaves_first(const float *in, float *out, int n) {
    int i = blockIdx.x * 64 + threadIdx.x;
    if (i >= n)
        return;
    float sum = add_up(0xffffffff, in[i]);
    if (threadIdx.x % 32 == 0)
        atomicAdd(out, sum);
}

/* Those add a zero. */
__global__ void stays(const float *in, float *out, int n) {
    int i = blockIdx.x * 64 + threadIdx.x;
    float sum = add_up(0xffffffff, i < n ? in[i] : 0.0f);
    if (threadIdx.x % 32 == 0)
        atomicAdd(out, sum);
}

/* Lane by lane upwards, and only from lanes that are there. */
__global__ void scans_what_is_there(const float *in, float *out, int n) {
    int lane = threadIdx.x;
    if (lane >= n)
        return;
    unsigned mask = __activemask();
    float sum = in[lane];
    for (int d = 1; d < 32; d *= 2) {
        float before = __shfl_up_sync(mask, sum, d);
        sum += lane >= d ? before : 0.0f;
    }
    out[lane] = sum;
}

/* The second half of the warp votes by the first one's mask. */
__global__ void votes_by_others(float *out) {
    unsigned votes = __ballot_sync(0x0000ffff, out[threadIdx.x] > 0);
    __syncwarp();
    out[threadIdx.x] = votes;
}

/* The first half takes from the second, which it does not name. */
__global__ void takes_from_others(float *out) {
    if (threadIdx.x < 16)
        out[threadIdx.x] = __shfl_sync(0x0000ffff, out[threadIdx.x], threadIdx.x + 16);
}

int main(int argc, char **argv) {
    float *in, *out;
    cudaMalloc(&in, 4096);
    cudaMalloc(&out, 4096);
    cudaMemset(in, 0, 4096);
    cudaMemset(out, 0, 4096);
    switch (argc > 1 ? atoi(argv[1]) : 0) {
    case 1: leaves_first<<<2, 64>>>(in, out, 100); break;
    case 2: stays<<<2, 64>>>(in, out, 100); break;
    case 3: scans_what_is_there<<<1, 32>>>(in, out, 20); break;
    case 5: votes_by_others<<<1, 32>>>(out); break;
    case 6: takes_from_others<<<1, 32>>>(out); break;
    case 4: stays<<<1, 48>>>(in, out, 48); break; /* half of the second warp does not exist */
    }
    cudaFree(in);
    cudaFree(out);
    return cudaDeviceSynchronize();
}
