// Exercise "memories": variables of the device, and how they are read.
//
//   __constant__   64 KB, written by the host only. Good where all threads of a warp read the same
//                  element at a time: that is one load.
//   __device__     a variable in global memory that has a name. All threads see it; it lives as
//                  long as the program.
//   __ldg(&x[i])   a load of what nobody writes while the kernel runs: through the cache that
//                  textures use. (`const float *__restrict__` lets the compiler do so by itself.)
//
// The kernel evaluates a polynomial at each number, and counts the results above a limit.
//
// Build and run: make exercise-memories

#include "exercise.h"

enum { BLOCK = 128, BLOCKS = 8, COUNT = BLOCK * BLOCKS, TERMS = 5 };

// TODO 1: Declare `coefficient`, TERMS floats in constant memory, and `above`, an int of the device
// that is 0 at the start.
// BEGIN SOLUTION
__constant__ float coefficient[TERMS];
__device__ int above = 0;
// SKELETON: __device__ float coefficient[TERMS];
// SKELETON: __device__ int above = -1;
// END SOLUTION

__global__ void evaluate(const float *x, float *y, float limit) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float result = 0;
    // TODO 2: Load x[i] through the read-only path. Sum up coefficient[t] times its t-th power:
    // begin with the last one, and multiply by x before you add the next (Horner's rule).
    // BEGIN SOLUTION
    float at = __ldg(&x[i]);
    for (int t = TERMS - 1; t >= 0; --t)
        result = result * at + coefficient[t];
    // SKELETON: (void)x; // delete this line
    // END SOLUTION
    y[i] = result;

    // TODO 3: Count it if it is above the limit. All threads share `above`: use atomicAdd.
    // BEGIN SOLUTION
    if (result > limit)
        atomicAdd(&above, 1);
    // SKELETON: (void)limit; // delete this line
    // END SOLUTION
}

int main() {
    const float terms[TERMS] = {3, -2, 0, 1, 2}, limit = 100;
    float *x = small_numbers(COUNT, 1), *y = numbers_of(COUNT);
    float *d_x = to_device(x, COUNT), *d_y = to_device(y, COUNT);
    int counted_above = -1, expected_above = 0, wrong = 0;
#ifdef HAS_COUNTS
    vgpu_counters_enable();
#endif
    // TODO 4: Copy `terms` into `coefficient` (cudaMemcpyToSymbol takes the variable itself).
    // BEGIN SOLUTION
    CUDA_CHECK(cudaMemcpyToSymbol(coefficient, terms, sizeof terms));
    // END SOLUTION
    evaluate<<<BLOCKS, BLOCK>>>(d_x, d_y, limit);
    CUDA_CHECK_LAUNCH();
    // TODO 5: Copy `above` into `counted_above` (cudaMemcpyFromSymbol).
    // BEGIN SOLUTION
    CUDA_CHECK(cudaMemcpyFromSymbol(&counted_above, above, sizeof above));
    // END SOLUTION

    from_device(y, d_y, COUNT);
    CUDA_CHECK(cudaFree(d_x));
    for (int i = 0; i < COUNT; ++i) {
        float at = x[i], expected = 0;
        for (int t = TERMS; t-- > 0;)
            expected = expected * at + terms[t];
        expected_above += expected > limit;
        wrong += y[i] != expected;
    }
    printf("  %d of %d results are wrong; %d above the limit, counted %d\n", wrong, COUNT,
           expected_above, counted_above);
    expect(wrong == 0, "the polynomial");
    expect(counted_above == expected_above, "the count");
#ifdef HAS_COUNTS
    struct vgpu_counters c = counted();
    printf("  loads of warps: %d from constant memory, %d from global memory\n",
           (int)c.const_load_requests, (int)c.global_load_requests);
    expect(c.const_load_requests > 0, "nothing is read from constant memory");
    expect(c.global_load_requests == COUNT / 32, "x alone should be read from global memory, once");
#endif
    free(x), free(y);
    return verdict();
}
