/*
 * cublas_test.c: cuBLAS against loops that follow the definitions, in all transpose cases, with
 * leading dimensions larger than needed; and its status codes, those that an H200 gives.
 */
#include "vgpu/include/cublas_v2.h"
#include "vgpu/include/vgpu.h"
#include "vgpu/src/cublas/product.h"
#include "vgpu/tests/vgpu_test.h"

#include <math.h>
#include <string.h>

enum { MAX = 4096 };

static cublasHandle_t handle;
static float a[MAX], b[MAX], c[MAX], expected[MAX];
static float *da, *db, *dc;

static float *device_floats(const float *from, size_t n) {
    void *p = NULL;
    ck_assert_int_eq(cudaMalloc(&p, n * sizeof(float)), cudaSuccess);
    ck_assert_int_eq(cudaMemcpy(p, from, n * sizeof(float), cudaMemcpyHostToDevice), cudaSuccess);
    return p;
}

static void setup(void) {
    for (int i = 0; i < MAX; i++) { /* small integers: every sum is exact in any order */
        a[i] = (float)((i * 7) % 11 - 5);
        b[i] = (float)((i * 5) % 13 - 6);
        c[i] = (float)((i * 3) % 7 - 3);
    }
    ck_assert_int_eq(cublasCreate(&handle), CUBLAS_STATUS_SUCCESS);
    da = device_floats(a, MAX);
    db = device_floats(b, MAX);
    dc = device_floats(c, MAX);
}

static void fetch(float *to) {
    ck_assert_int_eq(cudaMemcpy(to, dc, sizeof c, cudaMemcpyDeviceToHost), cudaSuccess);
}

/* Element (i, j) of op(X), by the book. */
static double at(const float *x, int ld, cublasOperation_t op, int i, int j) {
    return op == CUBLAS_OP_N ? x[i + j * ld] : x[j + i * ld];
}

static void by_the_book(cublasOperation_t ta, cublasOperation_t tb, int m, int n, int k,
                        float alpha, int lda, int ldb, float beta, int ldc) {
    memcpy(expected, c, sizeof c);
    for (int j = 0; j < n; j++)
        for (int i = 0; i < m; i++) {
            double sum = 0;
            for (int p = 0; p < k; p++)
                sum += at(a, lda, ta, i, p) * at(b, ldb, tb, p, j);
            double old = beta == 0.0f ? 0.0 : beta * c[i + j * ldc];
            expected[i + j * ldc] = (float)(alpha * sum + old);
        }
}

/* ---- products ---- */

TEST(sgemm_in_all_cases) {
    static const cublasOperation_t ops[] = {CUBLAS_OP_N, CUBLAS_OP_T, CUBLAS_OP_C};
    static const int sizes[][3] = {{1, 1, 1},   {5, 7, 3},  {16, 16, 16},
                                   {13, 1, 29}, {1, 17, 8}, {31, 33, 32}};
    static const float factors[][2] = {{1, 0}, {2, 1}, {-1, 0.5f}, {0, 2}};
    float result[MAX];
    for (int s = 0; s < 6; s++)
        for (int o = 0; o < 9; o++)
            for (int f = 0; f < 4; f++) {
                int m = sizes[s][0];
                int n = sizes[s][1];
                int k = sizes[s][2];
                cublasOperation_t ta = ops[o / 3];
                cublasOperation_t tb = ops[o % 3];
                int lda = (ta == CUBLAS_OP_N ? m : k) + s % 2;
                int ldb = (tb == CUBLAS_OP_N ? k : n) + 2 * (s % 3);
                int ldc = m + s % 4;
                const float *alpha = &factors[f][0];
                const float *beta = &factors[f][1];
                ck_assert_int_eq(cudaMemcpy(dc, c, sizeof c, cudaMemcpyHostToDevice), cudaSuccess);
                ck_assert_int_eq(
                    cublasSgemm(handle, ta, tb, m, n, k, alpha, da, lda, db, ldb, beta, dc, ldc),
                    CUBLAS_STATUS_SUCCESS);
                by_the_book(ta, tb, m, n, k, *alpha, lda, ldb, *beta, ldc);
                fetch(result);
                ck_assert_mem_eq(result, expected, sizeof result);
            }
}

TEST(both_ways_of_multiplying_agree) { /* larger than one panel of our own loops */
    enum { M = 40, N = 30, K = 300 };
    static double x[M * K], y[K * N], first[M * N], second[M * N];
    for (int i = 0; i < M * K; i++)
        x[i] = i % 17 - 8;
    for (int i = 0; i < K * N; i++)
        y[i] = i % 19 - 9;
    for (int o = 0; o < 4; o++) {
        vg_product p = {.type = VG_F64, .m = M, .n = N, .k = K, .alpha = 2, .beta = 0};
        p.a = (vg_operand){x, o & 1 ? K : M, o & 1};
        p.b = (vg_operand){y, o & 2 ? N : K, (o & 2) != 0};
        p.ldc = M;
        first[0] = second[0] = NAN;
        p.c = first;
        vg_multiply(&p);
        p.c = second;
        vg_multiply_plain(&p);
        ck_assert_mem_eq(first, second, sizeof first);
    }
}

TEST(beta_zero_does_not_read_c) {
    float nan[16];
    float out[16];
    const float one = 1;
    const float zero = 0;
    for (int i = 0; i < 16; i++)
        nan[i] = NAN;
    cudaMemcpy(dc, nan, sizeof nan, cudaMemcpyHostToDevice);
    ck_assert_int_eq(
        cublasSgemm(handle, CUBLAS_OP_N, CUBLAS_OP_N, 4, 4, 4, &one, da, 4, db, 4, &zero, dc, 4),
        CUBLAS_STATUS_SUCCESS);
    cudaMemcpy(out, dc, sizeof out, cudaMemcpyDeviceToHost);
    for (int i = 0; i < 16; i++)
        ck_assert(!isnan(out[i]));
    /* And alpha zero doesn't read A and B. */
    cudaMemcpy(da, nan, sizeof nan, cudaMemcpyHostToDevice);
    ck_assert_int_eq(
        cublasSgemm(handle, CUBLAS_OP_N, CUBLAS_OP_N, 4, 4, 4, &zero, da, 4, db, 4, &one, dc, 4),
        CUBLAS_STATUS_SUCCESS);
    cudaMemcpy(out, dc, sizeof out, cudaMemcpyDeviceToHost);
    for (int i = 0; i < 16; i++)
        ck_assert(!isnan(out[i]));
}

TEST(a_nan_in_a_spreads) {
    float nan = NAN;
    float out[16];
    const float one = 1;
    const float zero = 0;
    cudaMemcpy(da, &nan, sizeof nan, cudaMemcpyHostToDevice);
    cublasSgemm(handle, CUBLAS_OP_N, CUBLAS_OP_N, 4, 4, 4, &one, da, 4, db, 4, &zero, dc, 4);
    cudaMemcpy(out, dc, sizeof out, cudaMemcpyDeviceToHost);
    ck_assert(isnan(out[0]));
    ck_assert(!isnan(out[1]));
}

TEST(dgemm_and_gemmex) {
    double x[4] = {1, 2, 3, 4};
    double y[4] = {0};
    const double one = 1;
    const double zero = 0;
    void *dx = NULL;
    void *dy = NULL;
    cudaMalloc(&dx, sizeof x);
    cudaMalloc(&dy, sizeof y);
    cudaMemcpy(dx, x, sizeof x, cudaMemcpyHostToDevice);
    ck_assert_int_eq(
        cublasDgemm(handle, CUBLAS_OP_N, CUBLAS_OP_T, 2, 2, 2, &one, dx, 2, dx, 2, &zero, dy, 2),
        CUBLAS_STATUS_SUCCESS);
    cudaMemcpy(y, dy, sizeof y, cudaMemcpyDeviceToHost);
    ck_assert_double_eq(y[0], 10);
    ck_assert_double_eq(y[1], 14);
    ck_assert_double_eq(y[3], 20);
    const float onef = 1;
    const float zerof = 0;
    capture_stderr();
    ck_assert_int_eq(cublasGemmEx(handle, CUBLAS_OP_N, CUBLAS_OP_N, 4, 4, 4, &onef, da, CUDA_R_32F,
                                  4, db, CUDA_R_32F, 4, &zerof, dc, CUDA_R_32F, 4,
                                  CUBLAS_COMPUTE_32F, CUBLAS_GEMM_DEFAULT),
                     CUBLAS_STATUS_SUCCESS);
    by_the_book(CUBLAS_OP_N, CUBLAS_OP_N, 4, 4, 4, 1, 4, 4, 0, 4);
    float out[16];
    cudaMemcpy(out, dc, sizeof out, cudaMemcpyDeviceToHost);
    ck_assert_mem_eq(out, expected, sizeof out);
    ck_assert_int_eq(cublasGemmEx(handle, CUBLAS_OP_N, CUBLAS_OP_N, 4, 4, 4, &onef, da, CUDA_R_32F,
                                  4, db, CUDA_R_16F, 4, &zerof, dc, CUDA_R_32F, 4,
                                  CUBLAS_COMPUTE_32F, CUBLAS_GEMM_DEFAULT),
                     CUBLAS_STATUS_NOT_SUPPORTED);
}

TEST(tf32_loses_bits) {
    const float one = 1;
    const float zero = 0;
    float x = 1.0f + 0x1p-12f; /* more than TF32's 10 bits of fraction */
    float out = 0;
    cudaMemcpy(da, &x, sizeof x, cudaMemcpyHostToDevice);
    cudaMemcpy(db, &one, sizeof one, cudaMemcpyHostToDevice);
    cublasSgemm(handle, CUBLAS_OP_N, CUBLAS_OP_N, 1, 1, 1, &one, da, 1, db, 1, &zero, dc, 1);
    cudaMemcpy(&out, dc, sizeof out, cudaMemcpyDeviceToHost);
    ck_assert_float_eq(out, x);
    ck_assert_int_eq(cublasSetMathMode(handle, CUBLAS_TF32_TENSOR_OP_MATH), CUBLAS_STATUS_SUCCESS);
    cublasSgemm(handle, CUBLAS_OP_N, CUBLAS_OP_N, 1, 1, 1, &one, da, 1, db, 1, &zero, dc, 1);
    cudaMemcpy(&out, dc, sizeof out, cudaMemcpyDeviceToHost);
    ck_assert_float_eq(out, 1.0f);
    float in[4] = {1.0f + 0x1p-11f, -(1.0f + 0x1p-11f), INFINITY, 3.0f};
    vg_round_tf32(in, in, 4);
    ck_assert_float_eq(in[0], 1.0f + 0x1p-10f); /* halves go away from zero */
    ck_assert_float_eq(in[1], -(1.0f + 0x1p-10f));
    ck_assert_float_eq(in[2], INFINITY);
    ck_assert_float_eq(in[3], 3.0f);
}

TEST(batches) {
    const float one = 1;
    const float zero = 0;
    float out[48];
    /* One A for all three, B and C each 16 further on. */
    ck_assert_int_eq(cublasSgemmStridedBatched(handle, CUBLAS_OP_N, CUBLAS_OP_N, 4, 4, 4, &one, da,
                                               4, 0, db, 4, 16, &zero, dc, 4, 16, 3),
                     CUBLAS_STATUS_SUCCESS);
    cudaMemcpy(out, dc, sizeof out, cudaMemcpyDeviceToHost);
    for (int e = 0; e < 3; e++)
        for (int i = 0; i < 4; i++) {
            double sum = 0;
            for (int p = 0; p < 4; p++)
                sum += (double)a[i + 4 * p] * b[16 * e + p];
            ck_assert_double_eq(out[16 * e + i], sum);
        }
    const float *as[2] = {da, da + 16};
    const float *bs[2] = {db + 16, db};
    float *cs[2] = {dc, dc + 16};
    void *lists = NULL;
    cudaMalloc(&lists, 3 * sizeof as);
    cudaMemcpy(lists, as, sizeof as, cudaMemcpyHostToDevice);
    cudaMemcpy((char *)lists + sizeof as, bs, sizeof bs, cudaMemcpyHostToDevice);
    cudaMemcpy((char *)lists + 2 * sizeof as, cs, sizeof cs, cudaMemcpyHostToDevice);
    ck_assert_int_eq(cublasSgemmBatched(handle, CUBLAS_OP_N, CUBLAS_OP_N, 4, 4, 4, &one,
                                        (const float *const *)lists, 4,
                                        (const float *const *)lists + 2, 4, &zero,
                                        (float *const *)lists + 4, 4, 2),
                     CUBLAS_STATUS_SUCCESS);
    cudaMemcpy(out, dc, sizeof out, cudaMemcpyDeviceToHost);
    ck_assert_double_eq(out[16], (double)a[16] * b[0] + (double)a[20] * b[1] +
                                     (double)a[24] * b[2] + (double)a[28] * b[3]);
}

/* ---- vectors ---- */

TEST(gemv_in_all_cases) {
    const float alpha = 2;
    const float beta = -1;
    float result[MAX];
    for (int o = 0; o < 2; o++)
        for (int inc = 1; inc <= 3; inc++) {
            int m = 9;
            int n = 5;
            int rows = o ? n : m;
            int cols = o ? m : n;
            cublasOperation_t op = o ? CUBLAS_OP_T : CUBLAS_OP_N;
            cudaMemcpy(dc, c, sizeof c, cudaMemcpyHostToDevice);
            ck_assert_int_eq(cublasSgemv(handle, op, m, n, &alpha, da, 11, db, inc, &beta, dc, 2),
                             CUBLAS_STATUS_SUCCESS);
            memcpy(expected, c, sizeof c);
            for (int i = 0; i < rows; i++) {
                double sum = 0;
                for (int j = 0; j < cols; j++)
                    sum += at(a, 11, op, i, j) * b[j * inc];
                expected[2 * i] = (float)(alpha * sum + beta * c[2 * i]);
            }
            fetch(result);
            ck_assert_mem_eq(result, expected, sizeof result);
        }
}

TEST(one_and_two_vectors) {
    const float half = 0.5f;
    float out[MAX];
    float r = 0;
    ck_assert_int_eq(cublasSaxpy(handle, 10, &half, da, 2, dc, -1), CUBLAS_STATUS_SUCCESS);
    fetch(out);
    for (int i = 0; i < 10; i++) /* a negative increment starts at the far end */
        ck_assert_float_eq(out[9 - i], c[9 - i] + half * a[2 * i]);
    ck_assert_int_eq(cublasSscal(handle, 10, &half, dc, 3), CUBLAS_STATUS_SUCCESS);
    float scaled[MAX];
    fetch(scaled);
    ck_assert_float_eq(scaled[27], half * out[27]);
    ck_assert_float_eq(scaled[26], out[26]);
    ck_assert_int_eq(cublasSdot(handle, 100, da, 1, db, 1, &r), CUBLAS_STATUS_SUCCESS);
    double sum = 0;
    for (int i = 0; i < 100; i++)
        sum += (double)a[i] * b[i];
    ck_assert_float_eq(r, (float)sum);
    ck_assert_int_eq(cublasSasum(handle, 3, da, 1, &r), CUBLAS_STATUS_SUCCESS);
    ck_assert_float_eq(r, fabsf(a[0]) + fabsf(a[1]) + fabsf(a[2]));
    ck_assert_int_eq(cublasScopy(handle, 5, db, 1, dc, 1), CUBLAS_STATUS_SUCCESS);
    fetch(out);
    ck_assert_mem_eq(out, b, 5 * sizeof(float));
    ck_assert_int_eq(cublasSdot(handle, 0, da, 1, db, 1, &r), CUBLAS_STATUS_SUCCESS);
    ck_assert_float_eq(r, 0);
}

TEST(nrm2_does_not_overflow) {
    float big[2] = {3e38f, 0};
    float r = 0;
    float tiny[2] = {3e-40f, 4e-40f};
    cudaMemcpy(da, big, sizeof big, cudaMemcpyHostToDevice);
    ck_assert_int_eq(cublasSnrm2(handle, 2, da, 1, &r), CUBLAS_STATUS_SUCCESS);
    ck_assert_float_eq(r, 3e38f);
    cudaMemcpy(da, tiny, sizeof tiny, cudaMemcpyHostToDevice);
    ck_assert_int_eq(cublasSnrm2(handle, 2, da, 1, &r), CUBLAS_STATUS_SUCCESS);
    ck_assert_float_eq_tol(r, 5e-40f, 1e-44f);
}

TEST(geam_transposes) {
    const float one = 1;
    const float zero = 0;
    float out[MAX];
    ck_assert_int_eq(
        cublasSgeam(handle, CUBLAS_OP_T, CUBLAS_OP_N, 3, 5, &one, da, 5, &zero, NULL, 3, dc, 3),
        CUBLAS_STATUS_SUCCESS);
    fetch(out);
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 5; j++)
            ck_assert_float_eq(out[i + 3 * j], a[j + 5 * i]);
    capture_stderr();
    ck_assert_int_eq(
        cublasSgeam(handle, CUBLAS_OP_T, CUBLAS_OP_N, 4, 4, &one, dc, 4, &zero, db, 4, dc, 4),
        CUBLAS_STATUS_INVALID_VALUE);
}

/* ---- scalars, handles, copies ---- */

TEST(scalars_on_the_device) {
    float two[3] = {2, 0, 0};
    float out[16];
    float *scalars = device_floats(two, 3);
    ck_assert_int_eq(cublasSetPointerMode(handle, CUBLAS_POINTER_MODE_DEVICE),
                     CUBLAS_STATUS_SUCCESS);
    ck_assert_int_eq(cublasSgemm(handle, CUBLAS_OP_N, CUBLAS_OP_N, 4, 4, 4, scalars, da, 4, db, 4,
                                 scalars + 1, dc, 4),
                     CUBLAS_STATUS_SUCCESS);
    by_the_book(CUBLAS_OP_N, CUBLAS_OP_N, 4, 4, 4, 2, 4, 4, 0, 4);
    cudaMemcpy(out, dc, sizeof out, cudaMemcpyDeviceToHost);
    ck_assert_mem_eq(out, expected, sizeof out);
    ck_assert_int_eq(cublasSdot(handle, 4, da, 1, da, 1, scalars + 2), CUBLAS_STATUS_SUCCESS);
    cudaMemcpy(two, scalars, sizeof two, cudaMemcpyDeviceToHost);
    ck_assert_float_eq(two[2], a[0] * a[0] + a[1] * a[1] + a[2] * a[2] + a[3] * a[3]);
    cublasSetPointerMode(handle, CUBLAS_POINTER_MODE_HOST);
    FILE *err = capture_stderr();
    ck_assert_int_eq(cublasSscal(handle, 4, scalars, dc, 1), CUBLAS_STATUS_INVALID_VALUE);
    ck_assert_ptr_nonnull(strstr(captured(err),
                                 "alpha is a device pointer, but the handle's pointer mode is "
                                 "host"));
}

TEST(handles) {
    cublasHandle_t h = NULL;
    cudaStream_t s = NULL;
    cudaStream_t got = NULL;
    int v = 0;
    const float one = 1;
    capture_stderr();
    ck_assert_int_eq(cublasCreate(NULL), CUBLAS_STATUS_INVALID_VALUE);
    ck_assert_int_eq(cublasDestroy(NULL), CUBLAS_STATUS_NOT_INITIALIZED);
    ck_assert_int_eq(cublasSscal(NULL, 4, &one, dc, 1), CUBLAS_STATUS_NOT_INITIALIZED);
    ck_assert_int_eq(cublasCreate(&h), CUBLAS_STATUS_SUCCESS);
    cudaStreamCreate(&s);
    ck_assert_int_eq(cublasSetStream(h, s), CUBLAS_STATUS_SUCCESS);
    ck_assert_int_eq(cublasGetStream(h, &got), CUBLAS_STATUS_SUCCESS);
    ck_assert_ptr_eq(got, s);
    ck_assert_int_eq(cublasGetVersion(h, &v), CUBLAS_STATUS_SUCCESS);
    ck_assert_int_eq(v, CUBLAS_VERSION);
    ck_assert_int_eq(cublasGetVersion(h, NULL), CUBLAS_STATUS_INVALID_VALUE);
    ck_assert_int_eq(cublasSetPointerMode(h, (cublasPointerMode_t)5), CUBLAS_STATUS_INVALID_VALUE);
    ck_assert_int_eq(cublasSetMathMode(h, (cublasMath_t)999), CUBLAS_STATUS_INVALID_VALUE);
    ck_assert_int_eq(cublasDestroy(h), CUBLAS_STATUS_SUCCESS);
    ck_assert_int_eq(cublasDestroy(h), CUBLAS_STATUS_NOT_INITIALIZED);
    ck_assert_int_eq(cublasSscal(h, 4, &one, dc, 1), CUBLAS_STATUS_NOT_INITIALIZED);
    ck_assert_str_eq(cublasGetStatusName(CUBLAS_STATUS_INVALID_VALUE),
                     "CUBLAS_STATUS_INVALID_VALUE");
    ck_assert_str_eq(cublasGetStatusString(CUBLAS_STATUS_SUCCESS), "success");
}

TEST(matrices_travel) {
    float out[MAX] = {0};
    /* 3 x 4 out of rows of 5, into rows of 7, back into rows of 3. */
    ck_assert_int_eq(cublasSetMatrix(3, 4, sizeof(float), a, 5, dc, 7), CUBLAS_STATUS_SUCCESS);
    ck_assert_int_eq(cublasGetMatrix(3, 4, sizeof(float), dc, 7, out, 3), CUBLAS_STATUS_SUCCESS);
    for (int j = 0; j < 4; j++)
        ck_assert_mem_eq(out + 3 * j, a + 5 * j, 3 * sizeof(float));
    ck_assert_int_eq(cublasSetVector(10, sizeof(float), a, 2, dc, 1), CUBLAS_STATUS_SUCCESS);
    ck_assert_int_eq(cublasGetVector(10, sizeof(float), dc, 1, out, 3), CUBLAS_STATUS_SUCCESS);
    for (int i = 0; i < 10; i++)
        ck_assert_float_eq(out[3 * i], a[2 * i]);
    capture_stderr();
    ck_assert_int_eq(cublasSetMatrix(-1, 4, 4, a, 4, dc, 4), CUBLAS_STATUS_INVALID_VALUE);
    ck_assert_int_eq(cublasSetMatrix(4, 4, 4, a, 3, dc, 4), CUBLAS_STATUS_MAPPING_ERROR);
    ck_assert_int_eq(cublasSetVector(4, 4, a, 1, NULL, 1), CUBLAS_STATUS_MAPPING_ERROR);
    ck_assert_int_eq(cudaGetLastError(), cudaSuccess);
}

/* ---- mistakes ---- */

TEST(wrong_arguments) {
    const float one = 1;
    const float zero = 0;
    const cublasOperation_t N = CUBLAS_OP_N;
    FILE *err = capture_stderr();
    ck_assert_int_eq(cublasSgemm(handle, N, N, 4, 4, 4, &one, da, 3, db, 4, &zero, dc, 4),
                     CUBLAS_STATUS_INVALID_VALUE);
    ck_assert_int_eq(cublasSgemm(handle, N, CUBLAS_OP_T, 4, 5, 4, &one, da, 4, db, 4, &zero, dc, 4),
                     CUBLAS_STATUS_INVALID_VALUE);
    ck_assert_int_eq(cublasSgemm(handle, N, N, 4, 4, 4, &one, da, 4, db, 4, &zero, dc, 3),
                     CUBLAS_STATUS_INVALID_VALUE);
    ck_assert_int_eq(cublasSgemm(handle, N, N, -1, 4, 4, &one, da, 4, db, 4, &zero, dc, 4),
                     CUBLAS_STATUS_INVALID_VALUE);
    ck_assert_int_eq(
        cublasSgemm(handle, (cublasOperation_t)9, N, 4, 4, 4, &one, da, 4, db, 4, &zero, dc, 4),
        CUBLAS_STATUS_INVALID_VALUE);
    ck_assert_int_eq(cublasSgemm(handle, N, N, 4, 4, 4, NULL, da, 4, db, 4, &zero, dc, 4),
                     CUBLAS_STATUS_INVALID_VALUE);
    ck_assert_int_eq(cublasSgemm(handle, N, N, 4, 4, 4, &one, NULL, 4, db, 4, &zero, dc, 4),
                     CUBLAS_STATUS_INVALID_VALUE);
    ck_assert_int_eq(cublasSgemm(handle, N, N, 0, 4, 4, &one, da, 0, db, 4, &zero, dc, 1),
                     CUBLAS_STATUS_INVALID_VALUE);
    ck_assert_int_eq(cublasSgemm(handle, N, N, 0, 4, 4, &one, da, 1, db, 4, &zero, dc, 1),
                     CUBLAS_STATUS_SUCCESS);
    ck_assert_int_eq(cudaDeviceSynchronize(), cudaSuccess);
    ck_assert_ptr_nonnull(strstr(
        captured(err), "vgpu: cublasSgemm: lda is 3, but the call's A is stored with 4 rows"));
}

TEST(out_of_bounds_is_an_illegal_access) {
    const float one = 1;
    const float zero = 0;
    float *small = device_floats(a, 64);
    FILE *err = capture_stderr();
    ck_assert_int_eq(
        cublasSgemm(handle, CUBLAS_OP_N, CUBLAS_OP_N, 8, 9, 8, &one, da, 8, small, 8, &zero, dc, 8),
        CUBLAS_STATUS_SUCCESS);
    ck_assert_int_eq(cudaDeviceSynchronize(), cudaErrorIllegalAddress);
    ck_assert_int_eq(cublasSscal(handle, 1, &one, dc, 1), CUBLAS_STATUS_EXECUTION_FAILED);
    const char *said = captured(err);
    ck_assert_ptr_nonnull(
        strstr(said, "matrix B, 8 rows by 9 columns needs ((9 - 1) * ld 8 + 8) * 4 = 288 "
                     "bytes, but only 256 bytes lie from"));
    ck_assert_ptr_nonnull(strstr(said, "to the end of allocation #4 (256 bytes)"));
}

TEST(bounds_follow_the_transposition) {
    const float one = 1;
    const float zero = 0;
    float *fits = device_floats(a, 2 * 30); /* op(A) = A^T is 2 x 30, so A is stored 30 x 2 */
    capture_stderr();
    ck_assert_int_eq(cublasSgemm(handle, CUBLAS_OP_T, CUBLAS_OP_N, 2, 3, 30, &one, fits, 30, db, 30,
                                 &zero, dc, 2),
                     CUBLAS_STATUS_SUCCESS);
    ck_assert_int_eq(cudaDeviceSynchronize(), cudaSuccess);
    ck_assert_int_eq(cublasSgemm(handle, CUBLAS_OP_T, CUBLAS_OP_N, 3, 2, 30, &one, fits, 30, db, 30,
                                 &zero, dc, 3),
                     CUBLAS_STATUS_SUCCESS);
    ck_assert_int_eq(cudaDeviceSynchronize(), cudaErrorIllegalAddress);
}

TEST(host_operands_are_an_illegal_access) {
    const float one = 1;
    const float zero = 0;
    FILE *err = capture_stderr();
    ck_assert_int_eq(
        cublasSgemm(handle, CUBLAS_OP_N, CUBLAS_OP_N, 4, 4, 4, &one, a, 4, db, 4, &zero, dc, 4),
        CUBLAS_STATUS_SUCCESS);
    ck_assert_int_eq(cudaDeviceSynchronize(), cudaErrorIllegalAddress);
    ck_assert_ptr_nonnull(strstr(captured(err), "a host address, not device memory"));
}

TEST(sizes_beyond_32_bits_are_seen) {
    const float one = 1;
    const float zero = 0;
    FILE *err = capture_stderr();
    ck_assert_int_eq(cublasSgemm(handle, CUBLAS_OP_N, CUBLAS_OP_N, 100000, 100000, 1, &one, da,
                                 100000, db, 1, &zero, dc, 100000),
                     CUBLAS_STATUS_SUCCESS);
    ck_assert_int_eq(cudaDeviceSynchronize(), cudaErrorIllegalAddress);
    ck_assert_ptr_nonnull(strstr(captured(err), "= 400000 bytes"));
}

TEST(calls_are_counted) {
    struct vgpu_stats stats;
    const float one = 1;
    const float zero = 0;
    vgpu_reset_stats();
    cublasSgemm(handle, CUBLAS_OP_N, CUBLAS_OP_N, 2, 3, 4, &one, da, 2, db, 4, &zero, dc, 2);
    cublasSscal(handle, 4, &one, dc, 1);
    vgpu_get_stats(&stats);
    ck_assert_uint_eq(stats.blas_calls, 2);
    ck_assert_uint_eq(stats.gemm_calls, 1);
    ck_assert_uint_eq(stats.gemm_madds, 24);
    cublasSgemm(handle, CUBLAS_OP_N, CUBLAS_OP_N, 1, 1, 5, &one, da, 1, db, 5, &zero, dc, 1);
    vgpu_get_stats(&stats);
    ck_assert_uint_eq(stats.gemm_calls, 2);
    ck_assert_uint_eq(stats.gemm_madds, 29);
}

int main(void) {
    return run_vgpu_tests((struct suite){.name = "cuBLAS", .set_up = setup});
}
