// three-mistakes.cu: each number's sum with its two neighbours, with three mistakes. The lesson in
// debugging.md finds them.

#include "cuda_check.h"

#include <vgpu.h> // what the virtual GPU is told: here, which sums are right

#define PART  64
#define COUNT 200

__global__ void sums(int count, const float *numbers, float *sum) {
    __shared__ float part[PART + 2]; // a part of the numbers, and one more on each side
    int i = blockIdx.x * PART + threadIdx.x;
    int mine = threadIdx.x + 1;
    part[mine] = numbers[i];
    if (threadIdx.x == 0)
        part[0] = i > 0 ? numbers[i] : 0.0f;
    if (threadIdx.x == PART - 1)
        part[PART + 1] = i + 1 < count ? numbers[i + 1] : 0.0f;
    if (i < count)
        sum[i] = part[mine - 1] + part[mine] + part[mine + 1];
}

struct device_arrays {
    float *numbers, *sum;
};

static void add_up(void *arrays) {
    const device_arrays *on = (const device_arrays *)arrays;
    sums<<<(COUNT + PART - 1) / PART, PART>>>(COUNT, on->numbers, on->sum);
    CUDA_CHECK_LAUNCH();
}

int main() {
    static float numbers[COUNT], got[COUNT];
    static double want[COUNT];
    for (int i = 0; i < COUNT; ++i)
        numbers[i] = (float)(i % 10);
    for (int i = 0; i < COUNT; ++i)
        want[i] = (i > 0 ? numbers[i - 1] : 0) + numbers[i] + (i + 1 < COUNT ? numbers[i + 1] : 0);
    device_arrays on;
    CUDA_CHECK(cudaMalloc((void **)&on.numbers, sizeof numbers));
    CUDA_CHECK(cudaMalloc((void **)&on.sum, sizeof got));
    CUDA_CHECK(cudaMemcpy(on.numbers, numbers, sizeof numbers, cudaMemcpyHostToDevice));
    vgpu_product right = {on.sum, COUNT, COUNT, want, nullptr};
    vgpu_foresee(add_up, &on, &right);
    add_up(&on);
    CUDA_CHECK(cudaMemcpy(got, on.sum, sizeof got, cudaMemcpyDeviceToHost));
    CUDA_CHECK(cudaFree(on.numbers));
    CUDA_CHECK(cudaFree(on.sum));
    int wrong = 0;
    for (int i = 0; i < COUNT; ++i)
        wrong += got[i] != want[i];
    printf("%d of %d sums are wrong\n", wrong, COUNT);
    return wrong > 0;
}
