/*
 * blas_test.c: cuBLAS' calls on vectors and on matrices of which one triangle is stored, against a
 * CBLAS, in all cases of side, triangle, operation and diagonal, float and double; and what they
 * say of wrong arguments. Values are such that every result is exact, in whatever order it is
 * computed.
 */
#include "vgpu/include/cublas_v2.h"
#include "vgpu/tests/vgpu_test.h"

#include <string.h>

static cublasHandle_t handle;

static void setup(void) {
    ck_assert_int_eq(cublasCreate(&handle), CUBLAS_STATUS_SUCCESS);
}

static void *on_device(const void *from, size_t bytes) {
    void *p = NULL;
    ck_assert_int_eq(cudaMalloc(&p, bytes), cudaSuccess);
    ck_assert_int_eq(cudaMemcpy(p, from, bytes, cudaMemcpyHostToDevice), cudaSuccess);
    return p;
}

#ifdef HAVE_CBLAS
#include <cblas.h>

enum { N = 900 };

static CBLAS_TRANSPOSE cblas_op(int t) {
    return t == CUBLAS_OP_N ? CblasNoTrans : CblasTrans;
}

static CBLAS_UPLO cblas_uplo(int u) {
    return u == CUBLAS_FILL_MODE_LOWER ? CblasLower : CblasUpper;
}

static CBLAS_DIAG cblas_diag(int d) {
    return d == CUBLAS_DIAG_UNIT ? CblasUnit : CblasNonUnit;
}

static CBLAS_SIDE cblas_side(int s) {
    return s == CUBLAS_SIDE_LEFT ? CblasLeft : CblasRight;
}

/* One case: operands on the host and on the device, and the result of both. */
#define OPERANDS(T)                                                                                \
    T a[N], b[N], c[N], got[N];                                                                    \
    T *da, *db, *dc;                                                                               \
    for (int i = 0; i < N; i++) {                                                                  \
        a[i] = (T)((i * 7) % 5 - 2);                                                               \
        b[i] = (T)((i * 5) % 7 - 3);                                                               \
        c[i] = (T)((i * 3) % 9 - 4);                                                               \
    }                                                                                              \
    for (int ld = 0; ld < N / 30; ld++) /* of a matrix with 29 rows: divisors */                   \
        a[ld * 30] = ld % 3 ? 2 : -1;                                                              \
    da = on_device(a, sizeof a), db = on_device(b, sizeof b), dc = on_device(c, sizeof c);         \
    (void)got, (void)da, (void)db, (void)dc

#define SAME(device, host)                                                                         \
    do {                                                                                           \
        ck_assert_int_eq(cudaMemcpy(got, device, sizeof got, cudaMemcpyDeviceToHost),              \
                         cudaSuccess);                                                             \
        for (int i_ = 0; i_ < N; i_++)                                                             \
            ck_assert_msg(got[i_] == (host)[i_], "element %d is %g, not %g", i_, (double)got[i_],  \
                          (double)(host)[i_]);                                                     \
    } while (0)

#define DONE(call) ck_assert_int_eq(call, CUBLAS_STATUS_SUCCESS)

enum { LD = 29 };

#define TESTS(P, p, T)                                                                             \
    TEST(P##_extremes) {                                                                           \
        OPERANDS(T);                                                                               \
        int at = -1;                                                                               \
        b[13] = -50, b[26] = 50, b[400] = 99;                                                      \
        db = on_device(b, sizeof b);                                                               \
        for (int n = 1; n < 60; n++)                                                               \
            for (int inc = 1; inc < 4; inc++) {                                                    \
                DONE(cublasI##p##amax(handle, n, db, inc, &at));                                   \
                ck_assert_int_eq(at, (int)cblas_i##p##amax(n, b, inc) + 1);                        \
            }                                                                                      \
        for (int i = 0; i < N; i++)                                                                \
            a[i] = b[i] == 0 ? 3 : 1 / b[i]; /* the largest of these is the smallest of those */   \
        for (int i = 0; i < N; i++)                                                                \
            b[i] = b[i] == 0 ? (T)(1 / 3.0) : b[i];                                                \
        db = on_device(b, sizeof b);                                                               \
        for (int n = 1; n < 60; n++) {                                                             \
            DONE(cublasI##p##amin(handle, n, db, 2, &at));                                         \
            ck_assert_int_eq(at, (int)cblas_i##p##amax(n, a, 2) + 1);                              \
        }                                                                                          \
        DONE(cublasI##p##amax(handle, 0, db, 1, &at));                                             \
        ck_assert_int_eq(at, 0);                                                                   \
        DONE(cublasI##p##amin(handle, 5, db, 0, &at));                                             \
        ck_assert_int_eq(at, 0);                                                                   \
    }                                                                                              \
    TEST(P##_swap_and_rot) {                                                                       \
        OPERANDS(T);                                                                               \
        const T cos = 2, sin = -3;                                                                 \
        for (int inc = -3; inc < 4; inc++) {                                                       \
            if (inc == 0)                                                                          \
                continue;                                                                          \
            DONE(cublas##P##swap(handle, 100, da, 2, dc, inc));                                    \
            cblas_##p##swap(100, a, 2, c, inc);                                                    \
            DONE(cublas##P##rot(handle, 90, dc, inc, db, 3, &cos, &sin));                          \
            cblas_##p##rot(90, c, inc, b, 3, cos, sin);                                            \
        }                                                                                          \
        SAME(da, a);                                                                               \
        SAME(db, b);                                                                               \
        SAME(dc, c);                                                                               \
    }                                                                                              \
    TEST(P##_rotg) {                                                                               \
        const T sides[] = {0, 3, 4, -5, (T)-1e-3};                                                 \
        for (int i = 0; i < 25; i++) {                                                             \
            T one[4] = {sides[i / 5], sides[i % 5], 7, 7}, two[4];                                 \
            memcpy(two, one, sizeof one);                                                          \
            DONE(cublas##P##rotg(handle, one, one + 1, one + 2, one + 3));                         \
            cblas_##p##rotg(two, two + 1, two + 2, two + 3);                                       \
            for (int j = 0; j < 4; j++)                                                            \
                ck_assert_double_le(fabs((double)(one[j] - two[j])), 1e-6 * fabs((double)two[j])); \
        }                                                                                          \
    }                                                                                              \
    TEST(P##_ger_and_dgmm) {                                                                       \
        OPERANDS(T);                                                                               \
        const T alpha = -2;                                                                        \
        for (int inc = -2; inc < 3; inc++) {                                                       \
            if (inc == 0)                                                                          \
                continue;                                                                          \
            DONE(cublas##P##ger(handle, 17, 20, &alpha, da, inc, db, 3, dc, LD));                  \
            cblas_##p##ger(CblasColMajor, 17, 20, alpha, a, inc, b, 3, c, LD);                     \
            SAME(dc, c);                                                                           \
        }                                                                                          \
        DONE(cublas##P##dgmm(handle, CUBLAS_SIDE_LEFT, 17, 20, da, LD, db, 2, dc, LD));            \
        for (int i = 0; i < 17; i++)                                                               \
            for (int j = 0; j < 20; j++)                                                           \
                c[i + j * LD] = b[2 * i] * a[i + j * LD];                                          \
        SAME(dc, c);                                                                               \
        DONE(cublas##P##dgmm(handle, CUBLAS_SIDE_RIGHT, 17, 20, da, LD, db, -1, da, LD));          \
        for (int i = 0; i < 17; i++)                                                               \
            for (int j = 0; j < 20; j++)                                                           \
                a[i + j * LD] *= b[19 - j];                                                        \
        SAME(da, a);                                                                               \
    }                                                                                              \
    TEST(P##_triangles) {                                                                          \
        OPERANDS(T);                                                                               \
        for (int u = 0; u < 2; u++)                                                                \
            for (int t = 0; t < 3; t++)                                                            \
                for (int d = 0; d < 2; d++)                                                        \
                    for (int inc = -1; inc < 3; inc += 1 + (inc < 0)) {                            \
                        memcpy(c, b, sizeof c);                                                    \
                        dc = on_device(c, sizeof c);                                               \
                        DONE(cublas##P##trmv(handle, u, t, d, 9, da, LD, dc, inc));                \
                        cblas_##p##trmv(CblasColMajor, cblas_uplo(u), cblas_op(t), cblas_diag(d),  \
                                        9, a, LD, c, inc);                                         \
                        SAME(dc, c);                                                               \
                        memcpy(c, b, sizeof c);                                                    \
                        dc = on_device(c, sizeof c);                                               \
                        DONE(cublas##P##trsv(handle, u, t, d, 7, da, LD, dc, inc));                \
                        cblas_##p##trsv(CblasColMajor, cblas_uplo(u), cblas_op(t), cblas_diag(d),  \
                                        7, a, LD, c, inc);                                         \
                        SAME(dc, c);                                                               \
                    }                                                                              \
    }                                                                                              \
    TEST(P##_triangles_and_matrices) {                                                             \
        OPERANDS(T);                                                                               \
        const T alpha = 2;                                                                         \
        for (int s = 0; s < 2; s++)                                                                \
            for (int u = 0; u < 2; u++)                                                            \
                for (int t = 0; t < 3; t++)                                                        \
                    for (int d = 0; d < 2; d++) {                                                  \
                        memcpy(c, b, sizeof c);                                                    \
                        dc = on_device(c, sizeof c);                                               \
                        DONE(cublas##P##trsm(handle, s, u, t, d, 6, 8, &alpha, da, LD, dc, 10));   \
                        cblas_##p##trsm(CblasColMajor, cblas_side(s), cblas_uplo(u), cblas_op(t),  \
                                        cblas_diag(d), 6, 8, alpha, a, LD, c, 10);                 \
                        SAME(dc, c);                                                               \
                        memcpy(c, b, sizeof c);                                                    \
                        dc = on_device(c, sizeof c); /* in place, then beside */                   \
                        DONE(cublas##P##trmm(handle, s, u, t, d, 6, 8, &alpha, da, LD, dc, 10, dc, \
                                             10));                                                 \
                        cblas_##p##trmm(CblasColMajor, cblas_side(s), cblas_uplo(u), cblas_op(t),  \
                                        cblas_diag(d), 6, 8, alpha, a, LD, c, 10);                 \
                        SAME(dc, c);                                                               \
                        dc = on_device(b, sizeof b);                                               \
                        DONE(cublas##P##trmm(handle, s, u, t, d, 6, 8, &alpha, da, LD, db, 10, dc, \
                                             10));                                                 \
                        SAME(dc, c);                                                               \
                    }                                                                              \
    }                                                                                              \
    TEST(P##_symmetric) {                                                                          \
        OPERANDS(T);                                                                               \
        const T alpha = 2, beta = -1, zero = 0, *factors[] = {&beta, &zero};                       \
        for (int s = 0; s < 2; s++)                                                                \
            for (int u = 0; u < 2; u++)                                                            \
                for (int f = 0; f < 2; f++) {                                                      \
                    DONE(cublas##P##symm(handle, s, u, 12, 8, &alpha, da, LD, db, 13, factors[f],  \
                                         dc, 14));                                                 \
                    cblas_##p##symm(CblasColMajor, cblas_side(s), cblas_uplo(u), 12, 8, alpha, a,  \
                                    LD, b, 13, *factors[f], c, 14);                                \
                    SAME(dc, c);                                                                   \
                    DONE(cublas##P##symv(handle, u, 15, &alpha, da, LD, db, 2, factors[f], dc,     \
                                         -3));                                                     \
                    cblas_##p##symv(CblasColMajor, cblas_uplo(u), 15, alpha, a, LD, b, 2,          \
                                    *factors[f], c, -3);                                           \
                    SAME(dc, c);                                                                   \
                    DONE(                                                                          \
                        cublas##P##syrk(handle, u, s, 11, 5, &alpha, db, 12, factors[f], dc, LD)); \
                    cblas_##p##syrk(CblasColMajor, cblas_uplo(u), cblas_op(s), 11, 5, alpha, b,    \
                                    12, *factors[f], c, LD);                                       \
                    SAME(dc, c);                                                                   \
                    DONE(cublas##P##syr(handle, u, 11, &alpha, db, -2, dc, LD));                   \
                    cblas_##p##syr(CblasColMajor, cblas_uplo(u), 11, alpha, b, -2, c, LD);         \
                    SAME(dc, c);                                                                   \
                }                                                                                  \
    }
TESTS(S, s, float)
TESTS(D, d, double)
#endif

/* ---- what is asked for, and where results go ---- */

TEST(results_on_the_device) {
    const float x[4] = {1, -7, 7, 0};
    int at = 0;
    float *dx = on_device(x, sizeof x);
    int *result = on_device(x, sizeof at);
    ck_assert_int_eq(cublasSetPointerMode(handle, CUBLAS_POINTER_MODE_DEVICE), 0);
    ck_assert_int_eq(cublasIsamax(handle, 4, dx, 1, result), CUBLAS_STATUS_SUCCESS);
    ck_assert_int_eq(cudaMemcpy(&at, result, sizeof at, cudaMemcpyDeviceToHost), cudaSuccess);
    ck_assert_int_eq(at, 2);
}

/* NaNs where nothing may be read: in the other triangle, on a diagonal of ones, before a factor of
 * 0; and what is not written stays. */
TEST(only_the_triangle_is_read) {
    const float nan = 0.0f / 0.0f, one = 1, zero = 0;
    const float a[9] = {nan, 2, 3, nan, nan, 4, nan, nan, nan}; /* lower, by columns */
    float x[3] = {1, 1, 1}, c[9];
    float *da = on_device(a, sizeof a), *dx = on_device(x, sizeof x);
    ck_assert_int_eq(
        cublasStrmv(handle, CUBLAS_FILL_MODE_LOWER, CUBLAS_OP_N, CUBLAS_DIAG_UNIT, 3, da, 3, dx, 1),
        CUBLAS_STATUS_SUCCESS);
    cudaMemcpy(x, dx, sizeof x, cudaMemcpyDeviceToHost);
    ck_assert_float_eq(x[0], 1);
    ck_assert_float_eq(x[1], 3);
    ck_assert_float_eq(x[2], 8);
    float *dc = on_device(a, sizeof a);
    ck_assert_int_eq(
        cublasSsyrk(handle, CUBLAS_FILL_MODE_UPPER, CUBLAS_OP_N, 3, 1, &one, dx, 3, &zero, dc, 3),
        CUBLAS_STATUS_SUCCESS);
    cudaMemcpy(c, dc, sizeof c, cudaMemcpyDeviceToHost);
    ck_assert_float_eq(c[8], 64);
    ck_assert_float_eq(c[7], 24);
    ck_assert_float_eq(c[1], 2); /* as it was */
    ck_assert_int_eq(cublasStrsm(handle, CUBLAS_SIDE_LEFT, CUBLAS_FILL_MODE_UPPER, CUBLAS_OP_N,
                                 CUBLAS_DIAG_NON_UNIT, 3, 3, &zero, da, 3, dc, 3),
                     CUBLAS_STATUS_SUCCESS);
    cudaMemcpy(c, dc, sizeof c, cudaMemcpyDeviceToHost);
    for (int i = 0; i < 9; i++)
        ck_assert_float_eq(c[i], 0);
}

TEST(unwritten_values_of_the_triangle_alone) {
    const float a[3] = {1, 2, 3}, x[3] = {1, 1, 1};
    float *da = NULL, *dx = on_device(x, sizeof x);
    FILE *err = capture_stderr();
    cudaMalloc((void **)&da, 9 * sizeof *da);
    for (int j = 0; j < 3; j++)
        cudaMemcpy(da + 4 * j, a, (size_t)(3 - j) * sizeof *a, cudaMemcpyHostToDevice);
    cublasStrmv(handle, CUBLAS_FILL_MODE_LOWER, CUBLAS_OP_N, CUBLAS_DIAG_NON_UNIT, 3, da, 3, dx, 1);
    ck_assert_str_eq(captured(err), "");
    cudaFree(da);
    cudaMalloc((void **)&da, 9 * sizeof *da);
    cudaMemcpy(da, a, sizeof a, cudaMemcpyHostToDevice);
    cublasStrmv(handle, CUBLAS_FILL_MODE_LOWER, CUBLAS_OP_N, CUBLAS_DIAG_UNIT, 3, da, 3, dx, 1);
    ck_assert_msg(strstr(captured(err), "cublasStrmv: A has 1 elements of 3 that were never "
                                        "written, the first of them element 5 of allocation #"),
                  "%s", captured(err));
}

#define INVALID(call, words)                                                                       \
    do {                                                                                           \
        ck_assert_int_eq(call, CUBLAS_STATUS_INVALID_VALUE);                                       \
        ck_assert_msg(strstr(captured(err), words), "%s", captured(err));                          \
    } while (0)

TEST(wrong_arguments) {
    float x[16] = {0}, one = 1;
    float *d = on_device(x, sizeof x), *e = on_device(x, sizeof x);
    const cublasSideMode_t left = CUBLAS_SIDE_LEFT;
    const cublasFillMode_t low = CUBLAS_FILL_MODE_LOWER;
    const cublasOperation_t no = CUBLAS_OP_N;
    const cublasDiagType_t non = CUBLAS_DIAG_NON_UNIT;
    FILE *err = capture_stderr();
    INVALID(cublasIsamax(handle, 4, d, 1, NULL), "cublasIsamax: the result is a null pointer");
    INVALID(cublasSrot(handle, 4, d, 1, e, 1, NULL, &one), "cublasSrot: c is a null pointer");
    INVALID(cublasSger(handle, 4, 4, &one, d, 0, e, 1, d, 4), "cublasSger: incx is 0, incy is 1");
    INVALID(cublasSger(handle, 4, 4, &one, d, 1, e, 1, d, 3),
            "cublasSger: lda is 3, but A is stored with 4 rows");
    INVALID(cublasSger(handle, -1, 4, &one, d, 1, e, 1, d, 3), "a size is negative: m = -1, n = 4");
    INVALID(cublasStrsm(handle, (cublasSideMode_t)7, low, no, non, 2, 2, &one, d, 2, e, 2),
            "cublasStrsm: side is 7, which is none of its values");
    INVALID(cublasStrsm(handle, left, CUBLAS_FILL_MODE_FULL, no, non, 2, 2, &one, d, 2, e, 2),
            "cublasStrsm: uplo is 2, which is none of its values");
    INVALID(cublasStrsm(handle, left, low, no, non, 4, 2, &one, d, 4, e, 3),
            "cublasStrsm: ldb is 3, but B is stored with 4 rows");
    INVALID(cublasStrsm(handle, left, low, no, non, 4, 2, NULL, d, 4, e, 4),
            "cublasStrsm: alpha is a null pointer");
    INVALID(cublasSsymm(handle, left, low, 2, 2, &one, d, 2, e, 2, NULL, d + 8, 2),
            "cublasSsymm: beta is a null pointer");
    INVALID(cublasStrmv(handle, low, (cublasOperation_t)9, non, 2, d, 2, e, 1),
            "cublasStrmv: trans is 9");
    ck_assert_int_eq(cublasStrsv(handle, low, no, non, 0, d, 1, e, 1), CUBLAS_STATUS_SUCCESS);
    ck_assert_int_eq(cudaDeviceSynchronize(), cudaSuccess);
    ck_assert_int_eq(cublasStrsv(handle, low, no, non, 5, d, 5, e, 1), CUBLAS_STATUS_SUCCESS);
    ck_assert_int_eq(cudaDeviceSynchronize(), cudaErrorIllegalAddress);
    ck_assert_msg(strstr(captured(err), "cublasStrsv: illegal access: matrix A"), "%s",
                  captured(err));
}

int main(void) {
    return run_vgpu_tests((struct suite){.name = "cuBLAS: vectors and triangles", .set_up = setup});
}
