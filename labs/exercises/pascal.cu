// Exercise "pascal": Pascal's triangle times its signed twin, and how far each type goes.
//
// In the triangle, written into the lower left of a matrix, each number is the sum of the one above
// it and the one above to the left. The twin has the same numbers with signs like a chess board's.
// Their product is the identity, as long as no term of a sum is rounded.
//
// Build and run: make exercise-pascal

#include "exercise.h"

enum { MOST = 60 }; // the largest N that is tried

// TODO 1: Fill P and Q, n x n: the triangle, and its twin (negative where row + column is odd).
// Compute in T: what it rounds here is part of the question. Above the diagonal both are 0.
template <typename T> static void fill(int n, T *P, T *Q) {
    (void)n, (void)P, (void)Q; // delete this line
}

// TODO 2: One thread for each element of C = A B, n x n. Lab 2 has done it for float: here it is
// for any T.
template <typename T> __global__ void multiply(int n, const T *A, const T *B, T *C) {
    (void)n, (void)A, (void)B, (void)C; // delete this line
}

// The product of the two on the device, in T. True: it is the identity.
template <typename T> static bool is_identity(int n) {
    size_t bytes = (size_t)n * n * sizeof(T);
    T *P = (T *)calloc(3, bytes), *Q = P + n * n, *C = Q + n * n, *d_P, *d_Q, *d_C;
    memset(C, 0xff, bytes);
    fill(n, P, Q);
    CUDA_CHECK(cudaMalloc((void **)&d_P, bytes));
    CUDA_CHECK(cudaMalloc((void **)&d_Q, bytes));
    CUDA_CHECK(cudaMalloc((void **)&d_C, bytes));
    CUDA_CHECK(cudaMemcpy(d_P, P, bytes, cudaMemcpyHostToDevice));
    CUDA_CHECK(cudaMemcpy(d_Q, Q, bytes, cudaMemcpyHostToDevice));
    CUDA_CHECK(cudaMemcpy(d_C, C, bytes, cudaMemcpyHostToDevice));
    multiply<<<dim3((n + 15) / 16, (n + 15) / 16), dim3(16, 16)>>>(n, d_P, d_Q, d_C);
    CUDA_CHECK_LAUNCH();
    CUDA_CHECK(cudaMemcpy(C, d_C, bytes, cudaMemcpyDeviceToHost));
    bool identity = true;
    for (int i = 0; i < n * n; ++i)
        identity = identity && C[i] == (T)(i / n == i % n);
    CUDA_CHECK(cudaFree(d_P));
    CUDA_CHECK(cudaFree(d_Q));
    CUDA_CHECK(cudaFree(d_C));
    free(P);
    return identity;
}

// TODO 3: The largest N up to MOST for which the product is the identity for every n from 1 to N.
template <typename T> static int largest() {
    return 0;
}

// Whole numbers modulo 2^32 overflow by rule: unsigned. (An int that overflows is a mistake in C.)
typedef unsigned whole;

// Row 20 of the triangle as it should be, from another rule: each number from its left neighbour.
static void check_triangle(void) {
    enum { N = 21 };
    static double P[N * N], Q[N * N];
    fill(N, P, Q);
    double number = 1;
    int wrong = 0;
    for (int j = 0; j < N; ++j) {
        wrong += P[20 * N + j] != number || Q[20 * N + j] != (j % 2 == 0 ? number : -number);
        number = number * (20 - j) / (j + 1);
    }
    for (int j = 1; j < N; ++j)
        wrong += P[j] != 0 || Q[j] != 0;
    printf("  row 20: %g %g %g ... the middle is %g\n", P[20 * N], P[20 * N + 1], P[20 * N + 2],
           P[20 * N + 10]);
    expect(wrong == 0, "the triangle, or its twin, has %d wrong numbers in rows 0 and 20", wrong);
}

template <typename T> static void check_largest(const char *name) {
    int n = largest<T>();
    printf("  %-8s the identity up to N = %d%s\n", name, n, n == MOST ? ", the largest tried" : "");
    bool all = n >= 1;
    for (int i = 1; i <= n && all; ++i)
        all = is_identity<T>(i);
    expect(all, "it is not, for some N up to %d", n);
    expect(n == MOST || !is_identity<T>(n + 1), "it is for N = %d, too", n + 1);
}

int main() {
    check_triangle();
    check_largest<float>("float");
    check_largest<double>("double");
    check_largest<whole>("unsigned");
    return verdict();
}
