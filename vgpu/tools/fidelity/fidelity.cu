// fidelity.cu: runs each kernel of the comparison once and prints a hash of its result's bits.
//
//     fidelity N          one line each: n, kernel, grid, block, hash of C
//     fidelity N --time   and the least time of 20 runs, in microseconds
//
// The same file is built with nvcc for a real GPU and with vgpucc for the virtual one; what they
// print must be the same, times apart. Without --time each kernel is launched exactly once, in the
// order printed, so that a profiler's list and VGPU_REPORT's can be matched by order.
#include "kernels.cuh"

#include "cuda_check.h"
#include "lab.h"

#include <stdint.h>
#include <string.h>

// The solutions whose counters and results were recorded on a GPU (h200.tsv), as they are. They are
// named here, and a new lab is not: it joins when somebody records it.
#define matmul_host   lab2_host
#define matmul_device lab2_device
#define multiply      lab2_kernel
#include "solutions/lab2-global-memory/lab2.cu"
#undef matmul_host
#undef matmul_device
#undef multiply

#define matmul_device  lab3_device
#define multiply_tiled lab3_kernel
#undef TILE
#include "solutions/lab3-tiled-square/lab3.cu"
#undef matmul_device
#undef multiply_tiled
#undef TILE

#define matmul_device  lab4_device
#define multiply_tiled lab4_kernel
#undef MAX_GRID_HEIGHT
#include "solutions/lab4-tiled-any-size/lab4.cu"
#undef matmul_device
#undef multiply_tiled

typedef void (*plain_kernel)(int n, int ld, const float *A, const float *B, float *C);
typedef void (*lab_function)(int m, int n, int k, const float *A, const float *B, float *C);

struct entry {
    const char *name;
    plain_kernel kernel; // or
    lab_function lab;
    int block_x, block_y;
    int tile_x, tile_y; // elements of C that a block computes
    int slices;         // blocks along z
    bool padded;        // ld is n rounded up to a multiple of 4
    bool multiple_of_32;
    int offset; // elements that B starts behind an aligned address
};

static const entry entries[] = {
    {"naive, col = x", naive<true>, 0, 32, 32, 32, 32, 1, false, false, 0},
    {"naive, row = x", naive<false>, 0, 32, 32, 32, 32, 1, false, false, 0},
    {"tiled 16", tiled<16>, 0, 16, 16, 16, 16, 1, false, false, 0},
    {"tiled 32", tiled<32>, 0, 32, 32, 32, 32, 1, false, false, 0},
    {"transposed tile, 33 words", transposed<33>, 0, 32, 32, 32, 32, 1, false, false, 0},
    {"transposed tile, 32 words", transposed<32>, 0, 32, 32, 32, 32, 1, false, false, 0},
    {"lab 2", 0, lab2_device, 0, 0, 0, 0, 0, false, false, 0},
    {"lab 3", 0, lab3_device, 0, 0, 0, 0, 0, false, true, 0},
    {"lab 4", 0, lab4_device, 0, 0, 0, 0, 0, false, false, 0},
    {"naive, block 16 x 16", naive<true>, 0, 16, 16, 16, 16, 1, false, false, 0},
    {"naive, block 8 x 32", naive<true>, 0, 8, 32, 8, 32, 1, false, false, 0},
    {"naive, B not aligned", naive<true>, 0, 32, 8, 32, 8, 1, false, false, 5},
    {"float4 columns", float4_columns, 0, 8, 32, 32, 32, 1, true, false, 0},
    {"float2 tiles", float2_tiles, 0, 16, 16, 32, 16, 1, true, false, 0},
    {"strided", strided, 0, 32, 8, 64, 8, 1, false, false, 0},
    {"A transposed", transposed_a, 0, 32, 8, 32, 8, 1, false, false, 0},
    {"four rows a thread", four_rows, 0, 32, 8, 32, 32, 1, false, false, 0},
    {"two slices, atomic", split_atomic, 0, 32, 8, 32, 8, 2, false, false, 0},
    {"dot products by warps", warp_dots, 0, 32, 8, 8, 1, 1, false, false, 0},
    {"every other thread", checkerboard, 0, 32, 8, 32, 8, 1, false, false, 0},
};

enum { RUNS = 20, OFFSET_ROOM = 16 };

// Reals between -1 and 1, the same on every machine.
static void fill(float *a, size_t count, uint32_t seed) {
    for (size_t i = 0; i < count; ++i) {
        seed = seed * 1664525u + 1013904223u;
        a[i] = (float)(int32_t)(seed >> 8) / 8388608.0f - 1.0f;
    }
}

// FNV-1a over the bits of the elements of C, padding left out.
static uint64_t hash(const float *c, int n, int ld) {
    uint64_t h = 14695981039346656037ull;
    for (int i = 0; i < n; ++i)
        for (int j = 0; j < n; ++j) {
            uint32_t bits;
            memcpy(&bits, c + (size_t)i * ld + j, sizeof bits);
            for (int k = 0; k < 4; ++k)
                h = (h ^ (bits >> 8 * k & 255)) * 1099511628211ull;
        }
    return h;
}

struct buffers {
    float *a, *b, *c; // on the host
    float *A, *B, *C; // on the device
    size_t count;
};

static void launch(const entry *e, int n, int ld, const buffers *m) {
    if (e->lab) {
        e->lab(n, n, n, m->A, m->B, m->C);
        return;
    }
    dim3 grid((n - 1) / e->tile_x + 1, (n - 1) / e->tile_y + 1, e->slices);
    e->kernel<<<grid, dim3(e->block_x, e->block_y)>>>(n, ld, m->A, m->B + e->offset, m->C);
    CUDA_CHECK_LAUNCH();
}

static float least_time(const entry *e, int n, int ld, const buffers *m) {
    cudaEvent_t begin, end;
    float least = 1e9f, ms;
    CUDA_CHECK(cudaEventCreate(&begin));
    CUDA_CHECK(cudaEventCreate(&end));
    for (int i = 0; i < RUNS; ++i) {
        CUDA_CHECK(cudaEventRecord(begin));
        launch(e, n, ld, m);
        CUDA_CHECK(cudaEventRecord(end));
        CUDA_CHECK(cudaEventSynchronize(end));
        CUDA_CHECK(cudaEventElapsedTime(&ms, begin, end));
        least = ms < least ? ms : least;
    }
    CUDA_CHECK(cudaEventDestroy(begin));
    CUDA_CHECK(cudaEventDestroy(end));
    return 1000 * least;
}

static void run(const entry *e, int n, bool timed, const buffers *m) {
    int ld = e->padded ? (n + 3) / 4 * 4 : n;
    size_t bytes = m->count * sizeof(float);
    CUDA_CHECK(cudaMemset(m->C, 0, bytes));
    launch(e, n, ld, m);
    CUDA_CHECK(cudaDeviceSynchronize());
    CUDA_CHECK(cudaMemcpy(m->c, m->C, bytes, cudaMemcpyDeviceToHost));
    printf("%d\t%s\t%016llx", n, e->name, (unsigned long long)hash(m->c, n, ld));
    if (timed)
        printf("\t%.3f", least_time(e, n, ld, m));
    printf("\n");
}

int main(int argc, char **argv) {
    int n = argc > 1 ? atoi(argv[1]) : 0;
    bool timed = argc > 2 && strcmp(argv[2], "--time") == 0;
    if (n < 1 || n > 4096 || (argc > 2 && !timed) || argc > 3) {
        fprintf(stderr, "usage: fidelity N [--time]    (N from 1 to 4096)\n");
        return 2;
    }
    buffers m;
    m.count = (size_t)n * ((n + 3) / 4 * 4) + OFFSET_ROOM;
    size_t bytes = m.count * sizeof(float);
    m.a = (float *)malloc(bytes);
    m.b = (float *)malloc(bytes);
    m.c = (float *)malloc(bytes);
    if (!m.a || !m.b || !m.c) {
        fprintf(stderr, "fidelity: out of memory\n");
        return 2;
    }
    fill(m.a, m.count, 1);
    fill(m.b, m.count, 2);
    CUDA_CHECK(cudaMalloc(&m.A, bytes));
    CUDA_CHECK(cudaMalloc(&m.B, bytes));
    CUDA_CHECK(cudaMalloc(&m.C, bytes));
    CUDA_CHECK(cudaMemcpy(m.A, m.a, bytes, cudaMemcpyHostToDevice));
    CUDA_CHECK(cudaMemcpy(m.B, m.b, bytes, cudaMemcpyHostToDevice));
    for (const entry &e : entries)
        if (!e.multiple_of_32 || n % 32 == 0)
            run(&e, n, timed, &m);
    CUDA_CHECK(cudaFree(m.A));
    CUDA_CHECK(cudaFree(m.B));
    CUDA_CHECK(cudaFree(m.C));
    free(m.a);
    free(m.b);
    free(m.c);
    return 0;
}
