// Compiled for an older architecture: instructions that it lacks are refused, with their lines.
// flags: -gencode arch=compute_70,code=sm_70 -gencode arch=compute_75,code=[compute_75,sm_75]
// only: clang
#include <mma.h>

__global__ void copies(int *out, const int *in) {
    __shared__ int part[32];
    unsigned int to = (unsigned int)__cvta_generic_to_shared(&part[threadIdx.x]);
    asm volatile("cp.async.ca.shared.global [%0], [%1], 4;" ::"r"(to), "l"(in + threadIdx.x));
    asm volatile("cp.async.wait_all;");
    out[threadIdx.x] = part[threadIdx.x];
}

__global__ void sums(int *out) {
    out[threadIdx.x] = __reduce_add_sync(0xFFFFFFFF, threadIdx.x);
}

__global__ void tensor(float *c, const float *a, const float *b) {
    using namespace nvcuda::wmma;
    fragment<matrix_a, 16, 16, 8, precision::tf32, row_major> fa;
    fragment<matrix_b, 16, 16, 8, precision::tf32, row_major> fb;
    fragment<accumulator, 16, 16, 8, float> fc;
    fill_fragment(fc, 0.0f);
    load_matrix_sync(fa, a, 8);
    load_matrix_sync(fb, b, 16);
    mma_sync(fc, fa, fb, fc);
    store_matrix_sync(c, fc, 16, mem_row_major);
}

__global__ void waits(int *out) {
    asm volatile("{ .reg .pred p; setp.eq.u32 p, 1, 1;\n\t@p griddepcontrol.wait; }");
    asm volatile("setmaxnreg.inc.sync.aligned.u32 96;");
    out[0] = 1;
}

int main() {}
