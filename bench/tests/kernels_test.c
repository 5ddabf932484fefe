/* kernels_test.c: the bench's kernels, on the virtual GPU: the same numbers as on the CPU, and no
 * error that a comparison misses. */
#include "bench/product.h"
#include "common/tests/suite.h"

#include "common/cuda_check.h"
#include "common/matrix.h"

#include <math.h>
#include <stdlib.h>

TEST(the_same_numbers) {
    enum { COUNT = 10007 };
    float *want = malloc(COUNT * sizeof *want);
    float *got = malloc(COUNT * sizeof *got);
    float *device;
    CUDA_CHECK(cudaMalloc((void **)&device, COUNT * sizeof *device));
    for (uint64_t stream = 0; stream < 2; ++stream) {
        struct generator g = generator_start(7, stream);
        fill_uniform(want, COUNT, &g);
        kernel_fill(device, COUNT, 7, stream);
        CUDA_CHECK(cudaMemcpy(got, device, COUNT * sizeof *got, cudaMemcpyDeviceToHost));
        for (int i = 0; i < COUNT; ++i)
            ck_assert_float_eq(got[i], want[i]);
    }
    CUDA_CHECK(cudaFree(device));
    free(want);
    free(got);
}

enum { N = 40 };

/* A product whose C is right, in a device that is fresh. */
static cublasHandle_t open_right(struct product *p) {
    cublasHandle_t cublas;
    const float one = 1;
    const float zero = 0;
    CUBLAS_CHECK(cublasCreate(&cublas));
    ck_assert(product_open(p, (struct shape){N, N + 1, N + 2}, 3, cublas, 1e3));
    CUBLAS_CHECK(cublasSgemm(cublas, CUBLAS_OP_N, CUBLAS_OP_N, N + 1, N, N + 2, &one, p->B, N + 1,
                             p->A, N + 2, &zero, p->C, N + 1));
    return cublas;
}

static struct result check(const struct product *p, int rows) {
    const struct contender c = {.name = "lab4"};
    struct result r = result_start("test", "c", p->shape);
    product_check(p, rows, contender_bound(&c, p->shape.k), &r);
    return r;
}

static void change(const struct product *p, int row, int col, float to) {
    CUDA_CHECK(
        cudaMemcpy(p->C + (size_t)row * p->shape.n + col, &to, sizeof to, cudaMemcpyHostToDevice));
}

TEST(right_and_wrong) {
    struct product p;
    cublasHandle_t cublas = open_right(&p);
    struct result r = check(&p, N);
    ck_assert_int_eq(r.verdict, VERDICT_RIGHT);
    ck_assert_int_eq(r.checked_rows, N);
    ck_assert(r.worst > 0 && r.worst < 1);

    float last;
    CUDA_CHECK(
        cudaMemcpy(&last, p.C + (size_t)N * (N + 1) - 1, sizeof last, cudaMemcpyDeviceToHost));
    static const float bad[] = {NAN, INFINITY, -INFINITY};
    for (int i = 0; i < 3; ++i) {
        change(&p, N - 1, N, bad[i]);
        r = check(&p, N);
        ck_assert_int_eq(r.verdict, VERDICT_WRONG);
        ck_assert_uint_eq(r.wrong, 1);
        ck_assert(isinf(r.worst));
        /* The last row is not looked at when only the others were computed. */
        ck_assert_int_eq(check(&p, N - 1).verdict, VERDICT_RIGHT);
    }
    change(&p, N - 1, N, last + 1e-3F);
    r = check(&p, N);
    ck_assert_int_eq(r.verdict, VERDICT_WRONG);
    ck_assert(r.worst > 1 && isfinite(r.worst));

    product_poison(&p);
    r = check(&p, N);
    ck_assert_uint_eq(r.wrong, (uint64_t)N * (N + 1));
    product_close(&p);
    CUBLAS_CHECK(cublasDestroy(cublas));
}

/* A reference for which there is no time covers slices; the rest is looked at for what is no
 * number. */
TEST(slices) {
    struct product p;
    cublasHandle_t cublas;
    const float one = 1;
    const float zero = 0;
    const int n = 64;
    CUBLAS_CHECK(cublasCreate(&cublas));
    /* In 20 s at this speed: half of the 2 * 2 * 64^3 operations. */
    ck_assert(product_open(&p, (struct shape){n, n, n}, 3, cublas, 2.0 * n * n * n / 20 * 1e-9));
    CUBLAS_CHECK(cublasSgemm(cublas, CUBLAS_OP_N, CUBLAS_OP_N, n, n, n, &one, p.B, n, p.A, n, &zero,
                             p.C, n));
    ck_assert_int_eq(p.slices, PRODUCT_SLICES);
    ck_assert_int_eq(p.first[0], 0);
    ck_assert_int_eq(p.first[7] + p.rows[7], n);
    ck_assert_int_eq(p.checked_rows, 32);
    struct result r = check(&p, n);
    ck_assert_int_eq(r.verdict, VERDICT_RIGHT);
    ck_assert_int_eq(r.checked_rows, 32);
    int between = p.first[1] - 1;
    ck_assert_int_ge(between, p.first[0] + p.rows[0]);
    change(&p, between, 5, NAN);
    ck_assert_int_eq(check(&p, n).verdict, VERDICT_WRONG);
    change(&p, between, 5, 0);
    ck_assert_int_eq(check(&p, n).verdict, VERDICT_RIGHT); /* not seen: it is a number */
    change(&p, n - 1, 5, 1e6F);
    ck_assert_int_eq(check(&p, n).verdict, VERDICT_WRONG);
    product_close(&p);
    CUBLAS_CHECK(cublasDestroy(cublas));
}

int main(void) {
    return run_tests((struct suite){.name = "bench kernels"});
}
