/*
 * cutlass-3xtf32.cu: CUTLASS' product of floats by tensor cores in three products of TF32 numbers, as lab 9
 * does it, as a contender of the benchmark; see README.md.
 *
 * Of its tile sizes, these were the fastest on an H200. It never takes its sums out of the tensor cores, so
 * its error grows with k. Rows of all matrices begin at multiples of 16 bytes.
 *
 * Shown as: CUTLASS, 3xTF32
 */
#include "cutlass/gemm/device/gemm.h"

extern "C" void matmul_device(int m, int n, int k, const float *A, const float *B, float *C) {
    using Rows = cutlass::layout::RowMajor;
    using Product = cutlass::gemm::device::Gemm<
        float, Rows, float, Rows, float, Rows, float, cutlass::arch::OpClassTensorOp, cutlass::arch::Sm80,
        cutlass::gemm::GemmShape<128, 64, 16>, cutlass::gemm::GemmShape<64, 32, 16>,
        cutlass::gemm::GemmShape<16, 8, 8>, cutlass::epilogue::thread::LinearCombination<float, 4, float, float>,
        cutlass::gemm::threadblock::GemmIdentityThreadblockSwizzle<>, 3, 4, 4, false,
        cutlass::arch::OpMultiplyAddFastF32>;
    Product()({{m, n, k}, {A, k}, {B, n}, {C, n}, {C, n}, {1.0f, 0.0f}});
}
