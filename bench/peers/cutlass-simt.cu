/*
 * cutlass-simt.cu: CUTLASS' product of floats without tensor cores, as a contender of the benchmark; see
 * README.md.
 *
 * Of its tile sizes, these were the fastest on an H200 for large matrices. It has no other for small ones.
 *
 * Shown as: CUTLASS, float32
 */
#include "cutlass/gemm/device/gemm.h"

extern "C" void matmul_device(int m, int n, int k, const float *A, const float *B, float *C) {
    using Rows = cutlass::layout::RowMajor;
    using Product = cutlass::gemm::device::Gemm<
        float, Rows, float, Rows, float, Rows, float, cutlass::arch::OpClassSimt, cutlass::arch::Sm80,
        cutlass::gemm::GemmShape<256, 128, 8>, cutlass::gemm::GemmShape<64, 64, 8>,
        cutlass::gemm::GemmShape<1, 1, 1>, cutlass::epilogue::thread::LinearCombination<float, 1, float, float>,
        cutlass::gemm::threadblock::GemmIdentityThreadblockSwizzle<>, 4, 1, 1, false,
        cutlass::arch::OpMultiplyAdd>;
    Product()({{m, n, k}, {A, k}, {B, n}, {C, n}, {C, n}, {1.0f, 0.0f}});
}
