/* product.c: see product.h. */
#include "bench/product.h"

#include "common/cuda_check.h"
#include "common/matrix.h"
#include "common/reference.h"

#include <math.h>
#include <string.h>

/* Elements of A converted at a time: 1 GB of float64. */
static const size_t strip_elements = (size_t)1 << 27;

enum { STRIP_ROWS = 65536 };

static size_t elements(int rows, int cols) {
    return (size_t)rows * (size_t)cols;
}

/* Memory that may be refused: false then, and the refusal is forgotten. */
static bool take(void *pointer, size_t bytes) {
    void *memory = NULL;
    cudaError_t status = cudaMalloc(&memory, bytes);
    if (status == cudaErrorMemoryAllocation) {
        cudaGetLastError();
        memory = NULL;
    } else {
        CUDA_CHECK(status);
    }
    memcpy(pointer, &memory, sizeof memory);
    return memory != NULL;
}

void product_close(struct product *p) {
    CUDA_CHECK(cudaFree(p->A));
    CUDA_CHECK(cudaFree(p->B));
    CUDA_CHECK(cudaFree(p->C));
    CUDA_CHECK(cudaFree(p->want));
    CUDA_CHECK(cudaFree(p->magnitude));
    CUDA_CHECK(cudaFree(p->findings));
    *p = (struct product){0};
}

/* Chooses the rows of C to check: all, or eight slices from its first row to its last. */
static void choose_rows(struct product *p, double double_gflops) {
    int m = p->shape.m;
    size_t available = 0;
    size_t total = 0;
    CUDA_CHECK(cudaMemGetInfo(&available, &total));
    double by_memory = 0.8 * (double)available / (16.0 * p->shape.n);
    double by_time =
        REFERENCE_SECONDS * 1e9 * double_gflops / (4.0 * p->shape.n * (double)p->shape.k);
    double rows = fmin(by_memory, by_time);
    if (rows >= m || m <= PRODUCT_SLICES) {
        p->slices = 1;
        p->first[0] = 0;
        p->rows[0] = p->checked_rows = m;
        return;
    }
    int each = (int)fmax(1, rows / PRODUCT_SLICES);
    p->slices = PRODUCT_SLICES;
    p->checked_rows = each * PRODUCT_SLICES;
    for (int s = 0; s < PRODUCT_SLICES; ++s) {
        p->rows[s] = each;
        p->first[s] = (int)((int64_t)(m - each) * s / (PRODUCT_SLICES - 1));
    }
}

/* C = A * B for some rows, row-major: cuBLAS sees the transposed matrices (see lab 5). */
static void multiply_rows(cublasHandle_t cublas, int rows, int n, int k, const double *A,
                          const double *B, double *C) {
    const double one = 1;
    const double zero = 0;
    CUBLAS_CHECK(
        cublasDgemm(cublas, CUBLAS_OP_N, CUBLAS_OP_N, n, rows, k, &one, B, n, A, k, &zero, C, n));
}

/* want, or magnitude, for all chosen rows. */
static void compute(const struct product *p, cublasHandle_t cublas, double *strip, int strip_rows,
                    double *wide_B, double *to, bool absolute) {
    int n = p->shape.n;
    int k = p->shape.k;
    kernel_widen(wide_B, p->B, elements(k, n), absolute);
    for (int s = 0; s < p->slices; ++s) {
        for (int done = 0, rows; done < p->rows[s]; done += rows) {
            rows = p->rows[s] - done < strip_rows ? p->rows[s] - done : strip_rows;
            kernel_widen(strip, p->A + elements(p->first[s] + done, k), elements(rows, k),
                         absolute);
            multiply_rows(cublas, rows, n, k, strip, wide_B, to);
            to += elements(rows, n);
        }
    }
    CUDA_CHECK(cudaGetLastError());
}

static bool reference(struct product *p, cublasHandle_t cublas, double double_gflops) {
    int k = p->shape.k;
    double *strip = NULL;
    double *wide_B = NULL;
    size_t fitting = strip_elements / (size_t)k;
    int strip_rows = fitting < 1 ? 1 : fitting < STRIP_ROWS ? (int)fitting : STRIP_ROWS;
    if (strip_rows > p->shape.m)
        strip_rows = p->shape.m;
    bool there = take(&wide_B, elements(k, p->shape.n) * sizeof(double)) &&
                 take(&strip, elements(strip_rows, k) * sizeof(double));
    if (there) {
        choose_rows(p, double_gflops);
        size_t bytes = elements(p->checked_rows, p->shape.n) * sizeof(double);
        there = take(&p->want, bytes) && take(&p->magnitude, bytes);
    }
    if (there) {
        compute(p, cublas, strip, strip_rows, wide_B, p->want, false);
        compute(p, cublas, strip, strip_rows, wide_B, p->magnitude, true);
    }
    CUDA_CHECK(cudaFree(strip));
    CUDA_CHECK(cudaFree(wide_B));
    return there;
}

bool product_open(struct product *p, struct shape shape, uint64_t seed, cublasHandle_t cublas,
                  double double_gflops) {
    *p = (struct product){.shape = shape};
    size_t count_A = elements(shape.m, shape.k);
    size_t count_B = elements(shape.k, shape.n);
    bool there = take(&p->A, count_A * sizeof(float)) && take(&p->B, count_B * sizeof(float)) &&
                 take(&p->C, elements(shape.m, shape.n) * sizeof(float)) &&
                 take(&p->findings, sizeof *p->findings);
    if (there) {
        kernel_fill(p->A, count_A, seed, 0);
        kernel_fill(p->B, count_B, seed, 1);
        CUDA_CHECK(cudaGetLastError());
        there = reference(p, cublas, double_gflops);
    }
    if (!there)
        product_close(p);
    return there;
}

void product_poison(const struct product *p) {
    CUDA_CHECK(cudaMemset(p->C, 0xff, elements(p->shape.m, p->shape.n) * sizeof(float)));
}

void product_check(const struct product *p, int rows, double bound, struct result *r) {
    int n = p->shape.n;
    size_t offset = 0;
    CUDA_CHECK(cudaMemset(p->findings, 0, sizeof *p->findings));
    r->checked_rows = 0;
    for (int s = 0; s < p->slices; ++s) {
        int last = p->first[s] + p->rows[s] < rows ? p->first[s] + p->rows[s] : rows;
        if (last > p->first[s]) {
            kernel_compare(p->C + elements(p->first[s], n), p->want + offset, p->magnitude + offset,
                           elements(last - p->first[s], n), bound, p->findings);
            r->checked_rows += last - p->first[s];
        }
        offset += elements(p->rows[s], n);
    }
    if (r->checked_rows < rows)
        kernel_finite(p->C, elements(rows, n), p->findings);
    CUDA_CHECK(cudaGetLastError());

    struct findings found;
    CUDA_CHECK(cudaMemcpy(&found, p->findings, sizeof found, cudaMemcpyDeviceToHost));
    memcpy(&r->worst, &found.worst_bits, sizeof r->worst);
    r->wrong = found.wrong;
    r->verdict = found.wrong ? VERDICT_WRONG : VERDICT_RIGHT;
}
