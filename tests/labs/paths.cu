// paths.cu: which functions of lab 10's solution launch kernels for a product. Include path: the
// root. Run it with VGPU_IDLE=1: then kernels compute nothing, and only the choice is made.
//
//     paths M N K [M N K ...]     prints a line for each product, with tabs: M N K, and the functions
//
// The name of a function counts, not that of a kernel: each of them launches one. With it come its
// type and the template's arguments, as clang writes them.
#include "common/cuda_check.h"
#include "common/lab.h"
#include <cstdlib>

#undef CUDA_CHECK_LAUNCH
#define CUDA_CHECK_LAUNCH()                                                                        \
    (cuda_check(cudaGetLastError(), "launch", __FILE__, __LINE__),                                 \
     (void)printf("\t%s", __PRETTY_FUNCTION__))
#include "solutions/lab10-every-shape/lab10.cu"

int main(int argc, char **argv) {
    for (int i = 1; i + 2 < argc; i += 3) {
        int m = atoi(argv[i]), n = atoi(argv[i + 1]), k = atoi(argv[i + 2]);
        float *A, *B, *C;
        CUDA_CHECK(cudaMalloc((void **)&A, (size_t)m * k * sizeof(float)));
        CUDA_CHECK(cudaMalloc((void **)&B, (size_t)k * n * sizeof(float)));
        CUDA_CHECK(cudaMalloc((void **)&C, (size_t)m * n * sizeof(float)));
        printf("%d %d %d", m, n, k);
        matmul_device(m, n, k, A, B, C);
        printf("\n");
        CUDA_CHECK(cudaFree(A));
        CUDA_CHECK(cudaFree(B));
        CUDA_CHECK(cudaFree(C));
    }
    return 0;
}
