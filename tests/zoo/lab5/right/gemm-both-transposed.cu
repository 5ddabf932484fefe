// Column-major asked for with both operands transposed gives C in column-major; so it asks for C^T = B^T A^T
// by the rule (OP_N), through a table of arguments and a class that owns the handle for as long as the program runs.
#include "lab.h"
#include <cublas_v2.h>
#include <cstdio>
#include <cstdlib>
#include <memory>

#define CUBLAS(call) do { cublasStatus_t s_ = (call); if (s_ != CUBLAS_STATUS_SUCCESS) { std::fprintf(stderr, "%s: %s\n", #call, cublasGetStatusString(s_)); std::abort(); } } while (0)

class Blas {
    cublasHandle_t h_{};
    Blas() { CUBLAS(cublasCreate_v2(&h_)); }

  public:
    ~Blas() { cublasDestroy_v2(h_); }
    static Blas &the() {
        static Blas b;
        return b;
    }
    operator cublasHandle_t() const { return h_; }
};

struct RowMajor {
    const float *data;
    int rows, cols;
};

static void multiply(RowMajor a, RowMajor b, float *c) {
    const float one = 1.f, zero = 0.f;
    CUBLAS(cublasSgemm_v2(Blas::the(), CUBLAS_OP_N, CUBLAS_OP_N, b.cols, a.rows, a.cols, &one, b.data, b.cols, a.data, a.cols,
                          &zero, c, b.cols));
}

void matmul_device(int m, int n, int k, const float *A, const float *B, float *C) { multiply({A, m, k}, {B, k, n}, C); }
