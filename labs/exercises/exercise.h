/*
 * exercise.h: what the exercises share: copies to the device and back, a verdict, and counts.
 *
 * An exercise is a program of its own. `make exercise-NAME` builds and runs it; its last line says
 * whether everything that it expects came true, and its exit status is 0 or 1.
 */
#pragma once

#include "cuda_check.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The virtual GPU counts what a kernel does; a GPU needs a profiler for that (ncu). */
#if defined(__has_include)
#if __has_include(<vgpu_counters.h>)
#include <vgpu.h>
#include <vgpu_counters.h>
#define HAS_COUNTS 1
#endif
#endif

/* ---- What came true ---- */

static int exercise_failed;

/* expect(x == 3, "x is %d, not 3", x): says so if it is not, and remembers it. */
#define expect(condition, ...)                                                                     \
    do {                                                                                           \
        if (!(condition)) {                                                                        \
            printf("  not yet: " __VA_ARGS__);                                                     \
            printf("\n");                                                                          \
            exercise_failed = 1;                                                                   \
        }                                                                                          \
    } while (0)

/* The last line of every exercise, and its exit status. */
static inline int verdict(void) {
    printf(exercise_failed ? "Not yet: see the lines above.\n" : "All of it came true.\n");
    return exercise_failed;
}

/* ---- The device's memory ---- */

static inline float *to_device(const float *numbers, size_t count) {
    float *copy;
    CUDA_CHECK(cudaMalloc((void **)&copy, count * sizeof *copy));
    CUDA_CHECK(cudaMemcpy(copy, numbers, count * sizeof *copy, cudaMemcpyHostToDevice));
    return copy;
}

static inline void from_device(float *numbers, float *copy, size_t count) {
    CUDA_CHECK(cudaMemcpy(numbers, copy, count * sizeof *copy, cudaMemcpyDeviceToHost));
    CUDA_CHECK(cudaFree(copy));
}

/* Memory of the host, filled with NaN: what nobody writes shows. */
static inline float *numbers_of(size_t count) {
    float *numbers = (float *)malloc(count * sizeof *numbers);
    if (!numbers) {
        fprintf(stderr, "not enough memory\n");
        exit(CUDA_CHECK_EXIT);
    }
    for (size_t i = 0; i < count; ++i)
        numbers[i] = NAN;
    return numbers;
}

/* Small whole numbers, the same in every run: products of them are exact in float. */
static inline float *small_numbers(size_t count, unsigned seed) {
    float *numbers = numbers_of(count);
    for (size_t i = 0; i < count; ++i) {
        seed = seed * 1664525u + 1013904223u;
        numbers[i] = (float)(int)(seed >> 24) / 32 - 4;
        numbers[i] = floorf(numbers[i]);
    }
    return numbers;
}

/* How many elements of C (m x n) are not those of A (m x k) times B (k x n). */
static inline int wrong_elements(int m, int n, int k, const float *A, const float *B,
                                 const float *C) {
    int wrong = 0;
    for (int i = 0; i < m; ++i)
        for (int j = 0; j < n; ++j) {
            double sum = 0;
            for (int p = 0; p < k; ++p)
                sum += (double)A[(size_t)i * k + p] * B[(size_t)p * n + j];
            wrong += !(C[(size_t)i * n + j] == (float)sum);
        }
    return wrong;
}

/* ---- Counts ---- */

#ifdef HAS_COUNTS
/* What the launches since the last call of it did, all together. */
static inline struct vgpu_counters counted(void) {
    struct vgpu_counters sums = {};
    uint64_t launches;
    vgpu_total_counters(&sums, &launches);
    vgpu_reset_counters();
    return sums;
}
#endif
