// Blocks of 32 x 8, a warp a row of threads. Each matrix decides for itself whether it is read four at a time:
// eight kernels in a table of function pointers. Outer products by a macro.
#include "cuda_check.h"
#include "lab.h"

#define BM 128
#define BN 64
#define BK 16

template<bool V> __device__ void row4(float4 &d, const float *row, int c, int w)
{
	d.x = d.y = d.z = d.w = 0;
	if (V) { if (c < w) d = *(const float4 *)(row + c); return; }
	if (c + 0 < w) d.x = row[c + 0];
	if (c + 1 < w) d.y = row[c + 1];
	if (c + 2 < w) d.z = row[c + 2];
	if (c + 3 < w) d.w = row[c + 3];
}

template<bool VA, bool VB, bool VC>
__global__ void __launch_bounds__(256) mm(int m, int n, int k, const float *A, const float *B, float *C)
{
	__shared__ __align__(16) float a_s[BK][BM + 4];
	__shared__ __align__(16) float b_s[BK][BN + 4];
	const int lane = threadIdx.x, warp = threadIdx.y, t = warp * 32 + lane;
	const int R = blockIdx.y * BM, Q = blockIdx.x * BN;
	const int wr = (warp >> 1) * 32, wc = (warp & 1) * 32;
	const int r = wr + (lane >> 2) * 4, c = wc + (lane & 3) * 4; // boxes: rows r..r+3, cols c..c+3 and c+16..c+19
	float s[4][8] = {};
	for (int k0 = 0; k0 < k; k0 += BK) {
		#pragma unroll
		for (int i = 0; i < 2; i++) {
			int q = t + i * 256, row = q % 256 / 2, col = (q / 256 * 2 + q % 2) * 4;
			float4 v;
			row4<VA>(v, A + (size_t)(R + row < m ? R + row : 0) * k, k0 + col, R + row < m ? k : 0);
			a_s[col][row] = v.x; a_s[col + 1][row] = v.y; a_s[col + 2][row] = v.z; a_s[col + 3][row] = v.w;
		}
		{
			int row = t / 16, col = t % 16 * 4;
			float4 v;
			row4<VB>(v, B + (size_t)(k0 + row < k ? k0 + row : 0) * n, Q + col, k0 + row < k ? n : 0);
			*(float4 *)&b_s[row][col] = v;
		}
		__syncthreads();
		#pragma unroll
		for (int p = 0; p < BK; p++) {
			float4 a = *(float4 *)&a_s[p][r], b0 = *(float4 *)&b_s[p][c], b1 = *(float4 *)&b_s[p][c + 16];
			#define ROW(i, v) s[i][0] += v * b0.x; s[i][1] += v * b0.y; s[i][2] += v * b0.z; s[i][3] += v * b0.w; \
			                  s[i][4] += v * b1.x; s[i][5] += v * b1.y; s[i][6] += v * b1.z; s[i][7] += v * b1.w;
			ROW(0, a.x) ROW(1, a.y) ROW(2, a.z) ROW(3, a.w)
		}
		__syncthreads();
	}
	#pragma unroll
	for (int i = 0; i < 4; i++) {
		if (R + r + i >= m) break;
		#pragma unroll
		for (int h = 0; h < 2; h++) {
			float *to = C + (size_t)(R + r + i) * n;
			int cc = Q + c + 16 * h;
			if (VC) { if (cc < n) *(float4 *)(to + cc) = make_float4(s[i][4*h], s[i][4*h+1], s[i][4*h+2], s[i][4*h+3]); }
			else { for (int j = 0; j < 4; j++) if (cc + j < n) to[cc + j] = s[i][4*h+j]; }
		}
	}
}

static bool al(const float *p, int w) { return ((size_t)p & 15) == 0 && (w & 3) == 0; }

void matmul_device(int m, int n, int k, const float *A, const float *B, float *C)
{
	typedef void (*kernel_t)(int, int, int, const float *, const float *, float *);
	static const kernel_t table[2][2][2] = {
		{ { mm<0,0,0>, mm<0,0,1> }, { mm<0,1,0>, mm<0,1,1> } },
		{ { mm<1,0,0>, mm<1,0,1> }, { mm<1,1,0>, mm<1,1,1> } } };
	kernel_t f = table[al(A, k)][al(B, n)][al(C, n)];
	const long LIM = 65535L * BM;
	for (long r = 0; r < m; r += LIM) {
		int rows = m - r < LIM ? (int)(m - r) : (int)LIM;
		dim3 g((n + BN - 1) / BN, (rows + BM - 1) / BM);
		f<<<g, dim3(32, 8)>>>(rows, n, k, A + r * k, B, C + r * n);
		CUDA_CHECK_LAUNCH();
	}
}
