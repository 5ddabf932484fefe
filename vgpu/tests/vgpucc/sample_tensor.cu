// Matrix products with tensor cores in the styles seen in the wild: wmma through shared memory, and mma.sync with
// ldmatrix and cp.async; tf32 by mma.sync; softmax and attention in halves.
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <mma.h>
#include <vector>
using namespace nvcuda;

template <int BM, int BN, int BK> __global__ void wmma_tiled(const half *A, const half *B, float *C, int M, int N, int K) {
    __shared__ half As[BM][BK + 8], Bs[BK][BN + 8];
    const int warp = threadIdx.x / 32, rows = BM / 16;
    wmma::fragment<wmma::accumulator, 16, 16, 16, float> c[BN / 16];
    for (auto &f : c) wmma::fill_fragment(f, 0.0f);
    for (int k = 0; k < K; k += BK) {
        for (int i = threadIdx.x * 8; i < BM * BK; i += blockDim.x * 8)
            *reinterpret_cast<float4 *>(&As[i / BK][i % BK]) = *reinterpret_cast<const float4 *>(&A[(blockIdx.y * BM + i / BK) * K + k + i % BK]);
        for (int i = threadIdx.x * 8; i < BK * BN; i += blockDim.x * 8)
            *reinterpret_cast<float4 *>(&Bs[i / BN][i % BN]) = *reinterpret_cast<const float4 *>(&B[(k + i / BN) * N + blockIdx.x * BN + i % BN]);
        __syncthreads();
        if (warp < rows)
            for (int kk = 0; kk < BK; kk += 16) {
                wmma::fragment<wmma::matrix_a, 16, 16, 16, half, wmma::row_major> a;
                wmma::load_matrix_sync(a, &As[warp * 16][kk], BK + 8);
                for (int j = 0; j < BN / 16; ++j) {
                    wmma::fragment<wmma::matrix_b, 16, 16, 16, half, wmma::row_major> b;
                    wmma::load_matrix_sync(b, &Bs[kk][j * 16], BN + 8);
                    wmma::mma_sync(c[j], a, b, c[j]);
                }
            }
        __syncthreads();
    }
    if (warp < rows)
        for (int j = 0; j < BN / 16; ++j)
            wmma::store_matrix_sync(&C[(blockIdx.y * BM + warp * 16) * N + blockIdx.x * BN + j * 16], c[j], N, wmma::mem_row_major);
}

#define LDMATRIX_X4(R0, R1, R2, R3, addr) \
    asm volatile("ldmatrix.sync.aligned.x4.m8n8.shared.b16 {%0, %1, %2, %3}, [%4];\n" : "=r"(R0), "=r"(R1), "=r"(R2), "=r"(R3) : "r"(addr))
#define LDMATRIX_X2_T(R0, R1, addr) \
    asm volatile("ldmatrix.sync.aligned.x2.trans.m8n8.shared.b16 {%0, %1}, [%2];\n" : "=r"(R0), "=r"(R1) : "r"(addr))
#define HMMA16816(RD0, RD1, RD2, RD3, RA0, RA1, RA2, RA3, RB0, RB1) \
    asm volatile("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%0, %1, %2, %3};\n" \
                 : "+f"(RD0), "+f"(RD1), "+f"(RD2), "+f"(RD3) : "r"(RA0), "r"(RA1), "r"(RA2), "r"(RA3), "r"(RB0), "r"(RB1))
#define CP_ASYNC_CG(dst, src, bytes) asm volatile("cp.async.cg.shared.global.L2::128B [%0], [%1], %2;\n" ::"r"(dst), "l"(src), "n"(bytes))

// One warp: a 16 x 8 tile of C.
__global__ void mma_ptx(const half *__restrict__ A, const half *__restrict__ B, float *__restrict__ C, int N, int K) {
    __shared__ __align__(16) half As[16][16], Bs[16][8];
    const int lane = threadIdx.x, row = blockIdx.y * 16, col = blockIdx.x * 8;
    float d[4] = {0, 0, 0, 0};
    for (int k = 0; k < K; k += 16) {
        const uint32_t to = __cvta_generic_to_shared(&As[lane / 2][lane % 2 * 8]);
        CP_ASYNC_CG(to, &A[(row + lane / 2) * K + k + lane % 2 * 8], 16);
        if (lane < 16) {
            const uint32_t to_b = __cvta_generic_to_shared(&Bs[lane][0]);
            CP_ASYNC_CG(to_b, &B[(k + lane) * N + col], 16);
        }
        asm volatile("cp.async.commit_group;\n" ::);
        asm volatile("cp.async.wait_group 0;\n" ::);
        __syncwarp();
        uint32_t a[4], b[2];
        LDMATRIX_X4(a[0], a[1], a[2], a[3], (uint32_t)__cvta_generic_to_shared(&As[lane % 16][lane / 16 * 8]));
        LDMATRIX_X2_T(b[0], b[1], (uint32_t)__cvta_generic_to_shared(&Bs[lane % 16][0]));
        HMMA16816(d[0], d[1], d[2], d[3], a[0], a[1], a[2], a[3], b[0], b[1]);
        __syncwarp();
    }
    const int g = lane / 4, t = lane % 4;
    *reinterpret_cast<float2 *>(&C[(row + g) * N + col + 2 * t]) = make_float2(d[0], d[1]);
    *reinterpret_cast<float2 *>(&C[(row + g + 8) * N + col + 2 * t]) = make_float2(d[2], d[3]);
}

__global__ void mma_tf32(const float *A, const float *B, float *C, int N, int K) {
    const int lane = threadIdx.x, g = lane / 4, t = lane % 4, row = blockIdx.y * 16, col = blockIdx.x * 8;
    float c[4] = {};
    for (int k = 0; k < K; k += 8) {
        uint32_t a[4], b[2];
        const float fa[4] = {A[(row + g) * K + k + t], A[(row + g + 8) * K + k + t], A[(row + g) * K + k + t + 4], A[(row + g + 8) * K + k + t + 4]};
        for (int i = 0; i < 4; ++i) asm("cvt.rna.tf32.f32 %0, %1;" : "=r"(a[i]) : "f"(fa[i]));
        for (int i = 0; i < 2; ++i) asm("cvt.rna.tf32.f32 %0, %1;" : "=r"(b[i]) : "f"(B[(k + t + 4 * i) * N + col + g]));
        asm volatile("mma.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32 {%0,%1,%2,%3}, {%4,%5,%6,%7}, {%8,%9}, {%0,%1,%2,%3};"
                     : "+f"(c[0]), "+f"(c[1]), "+f"(c[2]), "+f"(c[3]) : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]));
    }
    for (int i = 0; i < 4; ++i) C[(row + g + 8 * (i / 2)) * N + col + 2 * t + i % 2] = c[i];
}

__global__ void softmax_half2(const half2 *in, half2 *out, int n2) {
    float most = -INFINITY, sum = 0;
    for (int i = threadIdx.x; i < n2; i += 32) { const float2 v = __half22float2(in[i]); most = fmaxf(most, fmaxf(v.x, v.y)); }
    for (int o = 16; o; o /= 2) most = fmaxf(most, __shfl_xor_sync(~0u, most, o));
    const half2 m2 = __float2half2_rn(most);
    for (int i = threadIdx.x; i < n2; i += 32) { const half2 e = h2exp(__hsub2(in[i], m2)); const float2 v = __half22float2(e); sum += v.x + v.y; out[i] = e; }
    for (int o = 16; o; o /= 2) sum += __shfl_xor_sync(~0u, sum, o);
    const half2 inv = __float2half2_rn(1.0f / sum);
    for (int i = threadIdx.x; i < n2; i += 32) out[i] = __hmul2(out[i], inv);
}

__global__ void atomic_halves(half *h, half2 *h2, __nv_bfloat16 *b) {
    atomicAdd(h, __float2half(1.0f));
    atomicAdd(h2, __floats2half2_rn(1.0f, 2.0f));
    atomicAdd(b, __float2bfloat16(1.0f));
}

int main() {
    const int M = 64, N = 64, K = 64;
    half *A, *B;
    float *FA, *FB, *C;
    cudaMallocManaged(&A, M * K * sizeof(half)); cudaMallocManaged(&B, K * N * sizeof(half));
    cudaMallocManaged(&FA, M * K * 4); cudaMallocManaged(&FB, K * N * 4); cudaMallocManaged(&C, M * N * 4);
    for (int i = 0; i < M * K; ++i) { A[i] = __float2half((float)(i * 31 % 17 - 8) / 4); FA[i] = __half2float(A[i]); }
    for (int i = 0; i < K * N; ++i) { B[i] = __float2half((float)(i * 29 % 13 - 6) / 8); FB[i] = __half2float(B[i]); }
    for (int way = 0; way < 3; ++way) {
        for (int i = 0; i < M * N; ++i) C[i] = NAN;
        if (way == 0) wmma_tiled<32, 32, 32><<<dim3(N / 32, M / 32), 128>>>(A, B, C, M, N, K);
        if (way == 1) mma_ptx<<<dim3(N / 8, M / 16), 32>>>(A, B, C, N, K);
        if (way == 2) mma_tf32<<<dim3(N / 8, M / 16), 32>>>(FA, FB, C, N, K);
        printf("way %d: %s, ", way, cudaGetErrorString(cudaDeviceSynchronize()));
        int wrong = 0;
        for (int i = 0; i < M; ++i) for (int j = 0; j < N; ++j) { float s = 0; for (int k = 0; k < K; ++k) s += FA[i * K + k] * FB[k * N + j]; wrong += s != C[i * N + j]; }
        printf("%d wrong\n", wrong);
    }
    half2 *p, *q;
    cudaMallocManaged(&p, 50 * sizeof(half2)); cudaMallocManaged(&q, 50 * sizeof(half2));
    for (int i = 0; i < 50; ++i) p[i] = __floats2half2_rn((float)(i % 7), (float)(i % 5) / 2);
    softmax_half2<<<1, 32>>>(p, q, 50);
    cudaDeviceSynchronize();
    double total = 0;
    for (int i = 0; i < 50; ++i) total += (double)__low2float(q[i]) + (double)__high2float(q[i]);
    printf("softmax: %s\n", fabs(total - 1) < 5e-3 ? "adds up" : "wrong");
    half *h; __nv_bfloat16 *b;
    cudaMallocManaged(&h, 4); cudaMallocManaged(&b, 4);
    *h = 0.5f; *b = 2.0f; q[0] = __floats2half2_rn(0, 0);
    atomic_halves<<<4, 32>>>(h, q, b);
    cudaDeviceSynchronize();
    printf("atomics: %g %g %g %g\n", (float)*h, __low2float(q[0]), __high2float(q[0]), (float)*b);
    cudaFree(A); cudaFree(B); cudaFree(FA); cudaFree(FB); cudaFree(C); cudaFree(p); cudaFree(q); cudaFree(h); cudaFree(b);
}
