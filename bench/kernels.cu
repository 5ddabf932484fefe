// kernels.cu: see kernels.h. One thread an element, each taking several where there are many.

#include "bench/kernels.h"

#include <cuda_runtime.h>

constexpr int THREADS = 256;
constexpr int MAX_BLOCKS = 4096;

static int blocks_for(size_t count) {
    size_t blocks = (count + THREADS - 1) / THREADS;
    return blocks < MAX_BLOCKS ? (int)blocks : MAX_BLOCKS;
}

// The first element of this thread, and how far its next one is.
__device__ static size_t first_element() {
    return (size_t)blockIdx.x * blockDim.x + threadIdx.x;
}

__device__ static size_t all_threads() {
    return (size_t)gridDim.x * blockDim.x;
}

// --- Filling -----------------------------------------------------------------------------------

constexpr uint64_t GOLDEN_RATIO = 0x9e3779b97f4a7c15;

// splitmix64's mixer, as in common/matrix.c: its state is a counter, so any thread can draw any
// number.
__host__ __device__ static uint64_t mix(uint64_t z) {
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
    z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
    return z ^ (z >> 31);
}

__global__ static void fill(float *data, size_t count, uint64_t start) {
    for (size_t i = first_element(); i < count; i += all_threads()) {
        long long draw = (long long)(mix(start + (i + 1) * GOLDEN_RATIO) >> 40); // 24 bits
        data[i] = (float)(draw - (1 << 23)) * 0x1p-23f;
    }
}

void kernel_fill(float *data, size_t count, uint64_t seed, uint64_t stream) {
    fill<<<blocks_for(count), THREADS>>>(data, count, mix(mix(seed + GOLDEN_RATIO) + stream));
}

// --- Comparing ---------------------------------------------------------------------------------

__global__ static void widen(double *to, const float *from, size_t count, bool absolute) {
    for (size_t i = first_element(); i < count; i += all_threads())
        to[i] = absolute ? fabs((double)from[i]) : (double)from[i];
}

void kernel_widen(double *to, const float *from, size_t count, bool absolute) {
    widen<<<blocks_for(count), THREADS>>>(to, from, count, absolute);
}

// Doubles that are not negative have the same order as their bits.
__device__ static void note(struct findings *findings, unsigned long long wrong, double worst) {
    if (wrong)
        atomicAdd(&findings->wrong, wrong);
    if (worst > 0)
        atomicMax(&findings->worst_bits, (unsigned long long)__double_as_longlong(worst));
}

__global__ static void compare(const float *got, const double *want, const double *magnitude,
                               size_t count, double bound, struct findings *findings) {
    unsigned long long wrong = 0;
    double worst = 0;
    for (size_t i = first_element(); i < count; i += all_threads()) {
        double error = fabs((double)got[i] - want[i]);
        double allowed = bound * magnitude[i];
        bool right = error <= allowed; // false for a NaN
        wrong += !right;
        double share = error / allowed;
        if (right ? share > worst : !(share <= worst))
            worst = share < INFINITY ? share : INFINITY; // a NaN becomes infinite
    }
    note(findings, wrong, worst);
}

void kernel_compare(const float *got, const double *want, const double *magnitude, size_t count,
                    double bound, struct findings *findings) {
    compare<<<blocks_for(count), THREADS>>>(got, want, magnitude, count, bound, findings);
}

__global__ static void finite(const float *got, size_t count, struct findings *findings) {
    unsigned long long wrong = 0;
    for (size_t i = first_element(); i < count; i += all_threads())
        wrong += !(fabsf(got[i]) < INFINITY);
    note(findings, wrong, wrong ? INFINITY : 0);
}

void kernel_finite(const float *got, size_t count, struct findings *findings) {
    finite<<<blocks_for(count), THREADS>>>(got, count, findings);
}

// --- Timing ------------------------------------------------------------------------------------

__global__ static void hold(long long clocks) {
    long long begin = clock64();
    while (clock64() - begin < clocks) {
    }
}

void kernel_hold(long long clocks) {
    hold<<<1, 1>>>(clocks);
}

__global__ static void empty() {}

void kernel_empty(void) {
    empty<<<1, 1>>>();
}
