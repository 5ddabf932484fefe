// ranks.cuh: what the programs that count ranks have in common: numbers, a launch, and a look at
// what came out. A number's rank tells how many of the numbers are smaller than it.

#pragma once

#include "cuda_check.h"

#include <vector>

typedef void (*RanksKernel)(int count, const float *numbers, int *rank);

// Runs the kernel for `count` numbers, all different, then the one called `last`, if there is one,
// with a thread for each number. Counts the ranks that are wrong.
static int try_ranks(RanksKernel kernel, int blocks, int threads, int count,
                     RanksKernel last = nullptr) {
    std::vector<float> numbers(count);
    std::vector<int> rank(count, -1);
    for (int i = 0; i < count; ++i)
        numbers[i] = (float)(i * 37 % 257);
    size_t bytes = count * sizeof(float); // of the numbers, and of the ranks
    float *d_numbers;
    int *d_rank;
    CUDA_CHECK(cudaMalloc((void **)&d_numbers, bytes));
    CUDA_CHECK(cudaMalloc((void **)&d_rank, bytes));
    CUDA_CHECK(cudaMemcpy(d_numbers, numbers.data(), bytes, cudaMemcpyHostToDevice));
    kernel<<<blocks, threads>>>(count, d_numbers, d_rank);
    CUDA_CHECK_LAUNCH();
    if (last) {
        last<<<count / threads, threads>>>(count, d_numbers, d_rank);
        CUDA_CHECK_LAUNCH();
    }
    CUDA_CHECK(cudaMemcpy(rank.data(), d_rank, bytes, cudaMemcpyDeviceToHost));
    CUDA_CHECK(cudaFree(d_rank));
    CUDA_CHECK(cudaFree(d_numbers));
    int wrong = 0;
    for (int i = 0; i < count; ++i) {
        int smaller = 0;
        for (int j = 0; j < count; ++j)
            smaller += numbers[j] < numbers[i];
        wrong += rank[i] != smaller;
    }
    printf("%d of %d ranks are wrong\n", wrong, count);
    return 0;
}
