// cuBLASLt's product: orders, transpositions, an addend of its own, batches, halves, what is refused.
#include <cstdio>
#include <cublasLt.h>
#include <cuda_fp16.h>

#define CHECK(call)                                                                                \
    do {                                                                                           \
        cublasStatus_t s = call;                                                                   \
        if (s != CUBLAS_STATUS_SUCCESS)                                                            \
            printf("%s: %d\n", #call, (int)s);                                                     \
    } while (0)

enum { M = 5, N = 7, K = 6, PAD = 2 };
static cublasLtHandle_t lt;
static cudaStream_t stream;

static cublasLtMatrixLayout_t layout(cudaDataType type, int rows, int cols, bool by_rows, int batch,
                                     long long stride) {
    cublasLtMatrixLayout_t l;
    cublasLtOrder_t row = CUBLASLT_ORDER_ROW;
    int64_t offset = stride;
    CHECK(cublasLtMatrixLayoutCreate(&l, type, rows, cols, (by_rows ? cols : rows) + PAD));
    if (by_rows)
        CHECK(cublasLtMatrixLayoutSetAttribute(l, CUBLASLT_MATRIX_LAYOUT_ORDER, &row, sizeof row));
    CHECK(cublasLtMatrixLayoutSetAttribute(l, CUBLASLT_MATRIX_LAYOUT_BATCH_COUNT, &batch, 4));
    CHECK(cublasLtMatrixLayoutSetAttribute(l, CUBLASLT_MATRIX_LAYOUT_STRIDED_BATCH_OFFSET, &offset,
                                           8));
    return l;
}

static int at(int i, int j, int rows, int cols, bool by_rows) {
    return by_rows ? i * (cols + PAD) + j : j * (rows + PAD) + i;
}

enum { ROOM = 100 };

/* Elements that are wrong. */
template <class T>
static int product(cudaDataType type, bool ta, bool tb, bool ra, bool rb, bool rd, bool own,
                   int batch) {
    static T a[2 * ROOM], b[2 * ROOM], c[2 * ROOM], d[2 * ROOM];
    T *da, *db, *dc, *dd;
    float alpha = 2, beta = 3;
    cublasLtMatmulDesc_t desc;
    cublasOperation_t t = CUBLAS_OP_T;
    const int ar = ta ? K : M, ac = ta ? M : K, br = tb ? N : K, bc = tb ? K : N;
    for (int i = 0; i < 2 * ROOM; i++)
        a[i] = T((float)(i * 7 % 5 - 2)), b[i] = T((float)(i * 5 % 7 - 3)), c[i] = T((float)(i % 4));
    cudaMalloc(&da, sizeof a);
    cudaMalloc(&db, sizeof b);
    cudaMalloc(&dc, sizeof c);
    cudaMalloc(&dd, sizeof d);
    cudaMemcpy(da, a, sizeof a, cudaMemcpyHostToDevice);
    cudaMemcpy(db, b, sizeof b, cudaMemcpyHostToDevice);
    cudaMemcpy(dc, c, sizeof c, cudaMemcpyHostToDevice);
    cudaMemset(dd, 0, sizeof d);
    CHECK(cublasLtMatmulDescCreate(&desc, CUBLAS_COMPUTE_32F, CUDA_R_32F));
    if (ta)
        CHECK(cublasLtMatmulDescSetAttribute(desc, CUBLASLT_MATMUL_DESC_TRANSA, &t, sizeof t));
    if (tb)
        CHECK(cublasLtMatmulDescSetAttribute(desc, CUBLASLT_MATMUL_DESC_TRANSB, &t, sizeof t));
    cublasLtMatrixLayout_t la = layout(type, ar, ac, ra, batch, ROOM),
                           lb = layout(type, br, bc, rb, batch, ROOM),
                           ld = layout(type, M, N, rd, batch, ROOM);
    CHECK(cublasLtMatmul(lt, desc, &alpha, da, la, db, lb, &beta, dc, ld, own ? dd : dc, ld, NULL,
                         NULL, 0, stream));
    cudaMemcpy(d, own ? dd : dc, sizeof d, cudaMemcpyDeviceToHost);
    int wrong = 0;
    for (int z = 0; z < batch; z++)
        for (int i = 0; i < M; i++)
            for (int j = 0; j < N; j++) {
                float sum = 0;
                for (int p = 0; p < K; p++)
                    sum += (float)a[z * ROOM + (ta ? at(p, i, K, M, ra) : at(i, p, M, K, ra))] *
                           (float)b[z * ROOM + (tb ? at(j, p, N, K, rb) : at(p, j, K, N, rb))];
                const int k = z * ROOM + at(i, j, M, N, rd);
                wrong += (float)d[k] != alpha * sum + beta * (float)c[k];
            }
    CHECK(cublasLtMatmulDescDestroy(desc));
    CHECK(cublasLtMatrixLayoutDestroy(la));
    CHECK(cublasLtMatrixLayoutDestroy(lb));
    CHECK(cublasLtMatrixLayoutDestroy(ld));
    cudaFree(da);
    cudaFree(db);
    cudaFree(dc);
    cudaFree(dd);
    return wrong;
}

static void refused() {
    float one = 1, *d;
    cublasLtMatmulDesc_t desc;
    cublasLtEpilogue_t relu = CUBLASLT_EPILOGUE_RELU_BIAS, plain = CUBLASLT_EPILOGUE_DEFAULT;
    cublasLtOrder_t blocks = CUBLASLT_ORDER_COL32;
    cublasLtMatrixLayout_t l, wide;
    cudaMalloc(&d, 64);
    cudaMemset(d, 0, 64);
    CHECK(cublasLtMatrixLayoutCreate(&l, CUDA_R_32F, 4, 4, 4));
    CHECK(cublasLtMatrixLayoutCreate(&wide, CUDA_R_32F, 4, 5, 4));
    CHECK(cublasLtMatmulDescCreate(&desc, CUBLAS_COMPUTE_32F, CUDA_R_32F));
    CHECK(cublasLtMatmulDescSetAttribute(desc, CUBLASLT_MATMUL_DESC_EPILOGUE, &relu, 1));
    CHECK(cublasLtMatmulDescSetAttribute(desc, CUBLASLT_MATMUL_DESC_EPILOGUE, &relu, sizeof relu));
    CHECK(cublasLtMatmul(lt, desc, &one, d, l, d, l, &one, d, l, d, l, NULL, NULL, 0, 0));
    CHECK(cublasLtMatmulDescSetAttribute(desc, CUBLASLT_MATMUL_DESC_EPILOGUE, &plain, sizeof plain));
    CHECK(cublasLtMatmul(lt, desc, &one, d, wide, d, l, &one, d, l, d, l, NULL, NULL, 0, 0));
    CHECK(cublasLtMatmul(NULL, desc, &one, d, l, d, l, &one, d, l, d, l, NULL, NULL, 0, 0));
    cublasLtMatmulPreference_t pref;
    cublasLtMatmulHeuristicResult_t found;
    int count = 0;
    CHECK(cublasLtMatmulPreferenceCreate(&pref));
    CHECK(cublasLtMatmulAlgoGetHeuristic(lt, desc, l, l, l, l, pref, 1, &found, &count));
    printf("%d algorithm, %d bytes\n", count, (int)found.workspaceSize);
    CHECK(cublasLtMatmulPreferenceDestroy(pref));
    CHECK(cublasLtMatrixLayoutSetAttribute(l, CUBLASLT_MATRIX_LAYOUT_ORDER, &blocks, 4));
    CHECK(cublasLtMatmul(lt, desc, &one, d, l, d, l, &one, d, l, d, l, NULL, NULL, 0, 0));
    cudaFree(d);
    cublasLtMatrixLayoutDestroy(l);
    cublasLtMatrixLayoutDestroy(wide);
    cublasLtMatmulDescDestroy(desc);
}

int main() {
    int wrong = 0, products = 0;
    CHECK(cublasLtCreate(&lt));
    cudaStreamCreate(&stream);
    for (int i = 0; i < 64; i++, products++)
        wrong += product<float>(CUDA_R_32F, i & 1, i >> 1 & 1, i >> 2 & 1, i >> 3 & 1, i >> 4 & 1,
                                i >> 5, 1);
    for (int i = 0; i < 8; i++, products++)
        wrong += product<float>(CUDA_R_32F, i & 1, i >> 1 & 1, i >> 2 & 1, true, false, false, 2);
    wrong += product<__half>(CUDA_R_16F, true, false, false, false, false, true, 1);
    printf("%d products, %d wrong\n", products + 1, wrong);
    refused();
    CHECK(cublasLtDestroy(lt));
}
