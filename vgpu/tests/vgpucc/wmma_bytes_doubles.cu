// wmma of bytes (16x16x16, sums in int) and of doubles (8x8x4): each pair of layouts, to the bit.
// only: clang
#include <cstdio>
#include <mma.h>

using namespace nvcuda::wmma;

template <int M, int N, int K, class T, class S, class LayoutA, class LayoutB>
__global__ void product(const T *a, const T *b, const S *c, S *d, int lda, int ldb, layout_t out) {
    fragment<matrix_a, M, N, K, T, LayoutA> fa;
    fragment<matrix_b, M, N, K, T, LayoutB> fb;
    fragment<accumulator, M, N, K, S> sum, twice;
    load_matrix_sync(fa, a, lda);
    load_matrix_sync(fb, b, ldb);
    load_matrix_sync(sum, c, N + 4, mem_row_major);
    mma_sync(sum, fa, fb, sum);
    fill_fragment(twice, (S)0);
    for (int i = 0; i < sum.num_elements; i++)
        twice.x[i] = 2 * sum.x[i];
    store_matrix_sync(d, twice, out == mem_row_major ? N : M, out);
}

template <class L> struct is_row { static const bool value = false; };
template <> struct is_row<row_major> { static const bool value = true; };

static unsigned int state = 1;
template <class T> T draw() {
    state = state * 1664525u + 1013904223u;
    return (T)(state >> 20);
}
template <> double draw<double>() {
    state = state * 1664525u + 1013904223u;
    return ((int)(state >> 16) - 32768) / 64.0;
}

template <int M, int N, int K, class T, class S, class LayoutA, class LayoutB>
static void check(const char *what, layout_t out) {
    static T a[256], b[256];
    static S c[16 * 20], want[256], got[256];
    const bool ra = is_row<LayoutA>::value, rb = is_row<LayoutB>::value;
    T *da, *db;
    S *dc, *dd;
    for (int i = 0; i < 256; i++)
        a[i] = draw<T>(), b[i] = draw<T>();
    for (int i = 0; i < 16 * 20; i++)
        c[i] = draw<S>();
    for (int i = 0; i < M; i++)
        for (int j = 0; j < N; j++) {
            S s = c[i * (N + 4) + j];
            for (int p = 0; p < K; p++)
                s += (S)a[ra ? i * K + p : p * M + i] * (S)b[rb ? p * N + j : j * K + p];
            want[out == mem_row_major ? i * N + j : j * M + i] = 2 * s;
        }
    cudaMalloc(&da, sizeof a);
    cudaMalloc(&db, sizeof b);
    cudaMalloc(&dc, sizeof c);
    cudaMalloc(&dd, sizeof got);
    cudaMemcpy(da, a, sizeof a, cudaMemcpyHostToDevice);
    cudaMemcpy(db, b, sizeof b, cudaMemcpyHostToDevice);
    cudaMemcpy(dc, c, sizeof c, cudaMemcpyHostToDevice);
    product<M, N, K, T, S, LayoutA, LayoutB>
        <<<1, 32>>>(da, db, dc, dd, ra ? K : M, rb ? N : K, out);
    cudaMemcpy(got, dd, M * N * sizeof *got, cudaMemcpyDeviceToHost);
    int wrong = 0;
    for (int i = 0; i < M * N; i++)
        wrong += got[i] != want[i];
    printf("%s %s %s: %d wrong, %s\n", what, ra ? "row" : "col", rb ? "row" : "col", wrong,
           cudaGetErrorString(cudaGetLastError()));
    cudaFree(da);
    cudaFree(db);
    cudaFree(dc);
    cudaFree(dd);
}

template <int M, int N, int K, class T, class S> static void all(const char *what) {
    check<M, N, K, T, S, row_major, row_major>(what, mem_row_major);
    check<M, N, K, T, S, row_major, col_major>(what, mem_col_major);
    check<M, N, K, T, S, col_major, row_major>(what, mem_row_major);
    check<M, N, K, T, S, col_major, col_major>(what, mem_col_major);
}

int main() {
    all<16, 16, 16, signed char, int>("s8");
    all<16, 16, 16, unsigned char, int>("u8");
    all<8, 8, 4, double, double>("f64");
}
