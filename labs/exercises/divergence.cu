// Exercise "divergence": 32 threads of a warp share one instruction at a time.
//
// Where some of them take one side of an `if` and some the other, the warp runs both sides, one
// after the other, and on each side the other threads wait. Here even elements need one calculation
// and odd ones another. Neighbouring threads have neighbouring elements, so every warp runs both.
//
// Build and run: make exercise-divergence

#include "exercise.h"

enum { BLOCK = 256, BLOCKS = 16, COUNT = BLOCK * BLOCKS, STEPS = 50 };

// What even elements become, and what odd ones do.
__device__ float even_result(float x) {
    for (int s = 0; s < STEPS; ++s)
        x = x / (1.0f + x * x);
    return x;
}

__device__ float odd_result(float x) {
    for (int s = 0; s < STEPS; ++s)
        x = sqrtf(x * x + 1.0f);
    return x;
}

__global__ void diverging(float *numbers) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i % 2 == 0)
        numbers[i] = even_result(numbers[i]);
    else
        numbers[i] = odd_result(numbers[i]);
}

// TODO 1: The same numbers, but no warp runs both sides: in each block the first half of the
// threads computes the block's even elements, the second half its odd ones. Choose by a number that
// all 32 threads of a warp agree about.
__global__ void together(float *numbers) {
    (void)numbers; // delete this line
}

// TODO 2: Of how many warps of a block does some thread take the other side than a neighbour, in
// either kernel?
enum {
    SPLIT_WARPS_DIVERGING = -1,
    SPLIT_WARPS_TOGETHER = -1,
};

#ifdef HAS_COUNTS
static void show(const char *name, const struct vgpu_counters *c) {
    printf("  %-9s: %3d warps split, %5d instructions of warps, %6d instructions of threads\n",
           name, (int)c->divergent_branches, (int)c->warp_instructions,
           (int)c->thread_instructions);
}
#endif

int main() {
    float *first = small_numbers(COUNT, 1), *second = numbers_of(COUNT);
    memcpy(second, first, COUNT * sizeof *first);
    float *d_first = to_device(first, COUNT), *d_second = to_device(second, COUNT);
#ifdef HAS_COUNTS
    vgpu_counters_enable();
#endif
    diverging<<<BLOCKS, BLOCK>>>(d_first);
    CUDA_CHECK_LAUNCH();
#ifdef HAS_COUNTS
    struct vgpu_counters one = counted();
#endif
    together<<<BLOCKS, BLOCK>>>(d_second);
    CUDA_CHECK_LAUNCH();
#ifdef HAS_COUNTS
    struct vgpu_counters two = counted();
    show("diverging", &one);
    show("together", &two);
    expect(two.divergent_branches == 0, "warps are still split %d times",
           (int)two.divergent_branches);
    expect(SPLIT_WARPS_DIVERGING == (int)one.divergent_branches / BLOCKS,
           "you said that %d warps of a diverging block are split", SPLIT_WARPS_DIVERGING);
#else
    expect(SPLIT_WARPS_DIVERGING == BLOCK / 32,
           "you said that %d warps of a diverging block are split", SPLIT_WARPS_DIVERGING);
#endif
    expect(SPLIT_WARPS_TOGETHER == 0, "you said that %d warps are split in the other kernel",
           SPLIT_WARPS_TOGETHER);
    from_device(first, d_first, COUNT);
    from_device(second, d_second, COUNT);
    int wrong = 0;
    for (int i = 0; i < COUNT; ++i)
        wrong += first[i] != second[i];
    printf("  %d of %d numbers differ\n", wrong, COUNT);
    expect(wrong == 0, "both kernels should compute the same");
    free(first), free(second);
    return verdict();
}
