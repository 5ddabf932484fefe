// Exercise "edges": three ways to treat the tiles that stick out, and what each costs.
//
//   guards    every load of every tile asks whether it is inside: lab 4
//   whole     tiles that lie inside all along k are loaded without asking, only the last one asks
//   padding   nothing asks: the host copies A and B into larger matrices, with zeros behind their
//             edges, so that all sizes are multiples of the tile
//
// Build and run: make exercise-edges

#include "exercise.h"

#define TILE 16

// TODO 1: Your kernel of lab 4.
__global__ void guards(int m, int n, int k, const float *A, const float *B, float *C) {
    (void)m, (void)n, (void)k, (void)A, (void)B, (void)C; // delete this line
}

// TODO 2: The same in two parts: a loop over the k / TILE whole tiles, in which no load asks about
// k, then the rest, in which they do. Rows beyond m and columns beyond n: let these threads load
// the last row, or column, instead of asking. What they compute is never stored.
__global__ void whole(int m, int n, int k, const float *A, const float *B, float *C) {
    (void)m, (void)n, (void)k, (void)A, (void)B, (void)C; // delete this line
}

// TODO 3: A kernel that asks nothing: m, n and k are multiples of the tile (exercise "rectangle").
__global__ void unguarded(int n, int k, const float *A, const float *B, float *C) {
    (void)n, (void)k, (void)A, (void)B, (void)C; // delete this line
}

static int up(int size) { return (size + TILE - 1) / TILE * TILE; }

// TODO 4: A matrix of up(rows) x up(cols) on the device, zero but for the given one (rows x cols,
// on the device, too) in its upper left: cudaMalloc, cudaMemset, and cudaMemcpy2D, which copies
// rows from one pitch to another. A pitch is the bytes from one row to the next.
static float *padded(const float *matrix, int rows, int cols) {
    float *larger = NULL;
    (void)matrix; // the memory alone is not enough
    size_t all = (size_t)up(rows) * up(cols);
    CUDA_CHECK(cudaMalloc((void **)&larger, all * sizeof *larger));
    return larger;
}

static size_t extra_bytes; // that padding takes

static void multiply_padded(int m, int n, int k, const float *A, const float *B, float *C) {
    float *larger_A = padded(A, m, k), *larger_B = padded(B, k, n), *larger_C = padded(C, m, n);
    unguarded<<<dim3(up(n) / TILE, up(m) / TILE), dim3(TILE, TILE)>>>(up(n), up(k), larger_A,
                                                                       larger_B, larger_C);
    CUDA_CHECK_LAUNCH();
    CUDA_CHECK(cudaMemcpy2D(C, n * sizeof *C, larger_C, up(n) * sizeof *C, n * sizeof *C, m,
                            cudaMemcpyDeviceToDevice));
    CUDA_CHECK(cudaFree(larger_A));
    CUDA_CHECK(cudaFree(larger_B));
    CUDA_CHECK(cudaFree(larger_C));
    extra_bytes = 4 * ((size_t)up(m) * up(k) + (size_t)up(k) * up(n) + (size_t)up(m) * up(n));
}

typedef void way(int m, int n, int k, const float *A, const float *B, float *C);
static void with_guards(int m, int n, int k, const float *A, const float *B, float *C) {
    guards<<<dim3(up(n) / TILE, up(m) / TILE), dim3(TILE, TILE)>>>(m, n, k, A, B, C);
    CUDA_CHECK_LAUNCH();
}
static void with_whole(int m, int n, int k, const float *A, const float *B, float *C) {
    whole<<<dim3(up(n) / TILE, up(m) / TILE), dim3(TILE, TILE)>>>(m, n, k, A, B, C);
    CUDA_CHECK_LAUNCH();
}

static void check(const char *name, way *multiply, int m, int n, int k) {
    float *A = small_numbers((size_t)m * k, 1), *B = small_numbers((size_t)k * n, 2);
    float *C = numbers_of((size_t)m * n);
    float *d_A = to_device(A, (size_t)m * k), *d_B = to_device(B, (size_t)k * n);
    float *d_C = to_device(C, (size_t)m * n);
    extra_bytes = 0;
    multiply(m, n, k, d_A, d_B, d_C);
    from_device(C, d_C, (size_t)m * n);
    int wrong = wrong_elements(m, n, k, A, B, C);
    printf("  %-8s%3d x %3d x %3d: %d wrong, %6zu bytes more", name, m, n, k, wrong, extra_bytes);
#ifdef HAS_COUNTS
    struct vgpu_counters c = counted();
    printf(", %8lld instructions of threads, %6lld sectors", (long long)c.thread_instructions,
           (long long)(c.global_load_sectors + c.global_store_sectors));
#endif
    printf("\n");
    expect(wrong == 0, "%s", name);
    CUDA_CHECK(cudaFree(d_A));
    CUDA_CHECK(cudaFree(d_B));
    free(A), free(B), free(C);
}

#ifndef HAS_COUNTS
// A GPU does not count, but it has times: the least of ten.
static void time_of(const char *name, way *multiply, int n) {
    float *numbers = small_numbers((size_t)n * n, 1), least = INFINITY;
    float *d_A = to_device(numbers, (size_t)n * n), *d_C = to_device(numbers, (size_t)n * n);
    cudaEvent_t mark[2];
    for (int i = 0; i < 2; ++i)
        CUDA_CHECK(cudaEventCreate(&mark[i]));
    for (int run = 0; run < 10; ++run) {
        float ms;
        CUDA_CHECK(cudaEventRecord(mark[0], 0));
        multiply(n, n, n, d_A, d_A, d_C);
        CUDA_CHECK(cudaEventRecord(mark[1], 0));
        CUDA_CHECK(cudaEventSynchronize(mark[1]));
        CUDA_CHECK(cudaEventElapsedTime(&ms, mark[0], mark[1]));
        least = fminf(least, ms);
    }
    printf("  %-8s%4d x %4d x %4d: %8.3f ms\n", name, n, n, n, least);
    for (int i = 0; i < 2; ++i)
        CUDA_CHECK(cudaEventDestroy(mark[i]));
    CUDA_CHECK(cudaFree(d_A));
    CUDA_CHECK(cudaFree(d_C));
    free(numbers);
}
#endif

int main() {
#ifdef HAS_COUNTS
    vgpu_counters_enable();
#endif
    const int sizes[][3] = {{160, 160, 160}, {150, 170, 161}, {1, 33, 15}};
    for (int i = 0; i < 3; ++i) {
        const int *s = sizes[i];
        check("guards", with_guards, s[0], s[1], s[2]);
        check("whole", with_whole, s[0], s[1], s[2]);
        check("padding", multiply_padded, s[0], s[1], s[2]);
    }
#ifndef HAS_COUNTS
    for (int n = 2000; n <= 2001; ++n) {
        time_of("guards", with_guards, n);
        time_of("whole", with_whole, n);
        time_of("padding", multiply_padded, n);
    }
#endif
    return verdict();
}
