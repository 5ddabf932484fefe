// Sixteen rows and four columns a thread, A read as a broadcast, B as one aligned struct of four.
#include "cuda_check.h"
#include "lab.h"
#define BM 64
#define BN 128
#define BK 16
#define NT 128
#define RM 16
#define RN 4
typedef struct __align__(16) { float x, y, z, w; } vec4;
static __device__ __inline__ float rd(const float *M, int r, int c, int R, int Cc) { return (r < R) && (c < Cc) ? M[(size_t)r * Cc + c] : 0.0f; }
__global__ void strip(int m, int n, int k, const float *A, const float *B, float *C)
{
    __shared__ __align__(16) float As[BK][BM + 4];
    __shared__ __align__(16) float Bs[BK][BN];
    int t = threadIdx.x, lane = t & 31, warp = t >> 5; /* warp w: rows 16 w .. 16 w + 15; lane: 4 columns */
    int nb = (n + BN - 1) / BN, R0 = (blockIdx.x / nb) * BM, C0 = (blockIdx.x % nb) * BN;
    float acc[RM][RN];
    int i, j, p, k0, e;
    _Pragma("unroll") for (i = 0; i < RM; i++) _Pragma("unroll") for (j = 0; j < RN; j++) acc[i][j] = 0;
    for (k0 = 0; k0 < k; k0 += BK) {
        for (e = t; e < BM * BK; e += NT) As[e % BK][e / BK] = rd(A, R0 + e / BK, k0 + e % BK, m, k);
        for (e = t; e < BK * BN; e += NT) Bs[e / BN][e % BN] = rd(B, k0 + e / BN, C0 + e % BN, k, n);
        __syncthreads();
        for (p = 0; p < BK; p++) {
            vec4 b = *(const vec4 *)&Bs[p][lane * 4];
            _Pragma("unroll") for (i = 0; i < RM; i += 4) {
                vec4 a = *(const vec4 *)&As[p][warp * RM + i];
                const float av[4] = {a.x, a.y, a.z, a.w};
                _Pragma("unroll") for (j = 0; j < 4; j++) {
                    acc[i + j][0] += av[j] * b.x;
                    acc[i + j][1] += av[j] * b.y;
                    acc[i + j][2] += av[j] * b.z;
                    acc[i + j][3] += av[j] * b.w;
                }
            }
        }
        __syncthreads();
    }
    _Pragma("unroll") for (i = 0; i < RM; i++) {
        int r = R0 + warp * RM + i, c = C0 + lane * 4;
        if (r < m) _Pragma("unroll") for (j = 0; j < RN; j++) if (c + j < n) C[(size_t)r * n + c + j] = acc[i][j];
    }
}
void matmul_device(int m, int n, int k, const float *A, const float *B, float *C)
{
    strip<<<((m + BM - 1) / BM) * ((n + BN - 1) / BN), NT>>>(m, n, k, A, B, C);
    CUDA_CHECK_LAUNCH();
}
