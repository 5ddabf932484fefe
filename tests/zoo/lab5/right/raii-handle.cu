// C++ style: a class owns the handle.
#include "cuda_check.h"
#include "lab.h"
#include <cublas_v2.h>
#include <cuda_runtime.h>

namespace {
class Handle {
  public:
    Handle() {
        CUBLAS_CHECK(cublasCreate(&handle_));
    }
    ~Handle() {
        CUBLAS_CHECK(cublasDestroy(handle_));
    }
    Handle(const Handle &) = delete;
    operator cublasHandle_t() const {
        return handle_;
    }

  private:
    cublasHandle_t handle_;
};
} // namespace

void matmul_device(int m, int n, int k, const float *A, const float *B, float *C) {
    Handle handle;
    const float one = 1.0f, zero = 0.0f;
    CUBLAS_CHECK(
        cublasSgemm(handle, CUBLAS_OP_N, CUBLAS_OP_N, n, m, k, &one, B, n, A, k, &zero, C, n));
}
