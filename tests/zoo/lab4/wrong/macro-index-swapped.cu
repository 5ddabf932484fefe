// Wrong: The index macro reads column-major.
#include "cuda_check.h"
#include "lab.h"
#define BLOCK_SIZE 20
#define IDX2C(r, c, ld) ((c) * (ld) + (r))
#define CEIL_DIV(a, b) (((a) + (b) - 1) / (b))
#define LOAD(dst, src, r, c, R, C) dst[threadIdx.y][threadIdx.x] = ((r) < (R) && (c) < (C)) ? src[IDX2C(r, c, C)] : 0.0f

__global__ void sgemm_smem(int m, int n, int k, const float *A, const float *B, float *C)
{
	__shared__ float As[BLOCK_SIZE][BLOCK_SIZE];
	__shared__ float Bs[BLOCK_SIZE][BLOCK_SIZE];
	int row = blockIdx.y * BLOCK_SIZE + threadIdx.y;
	int col = blockIdx.x * BLOCK_SIZE + threadIdx.x;
	double acc = 0.0;
	int t = 0;
	do {
		LOAD(As, A, row, t + threadIdx.x, m, k);
		LOAD(Bs, B, t + threadIdx.y, col, k, n);
		__syncthreads();
		int i = BLOCK_SIZE;
		while (i--)
			acc += (double)As[threadIdx.y][i] * (double)Bs[i][threadIdx.x];
		__syncthreads();
		t += BLOCK_SIZE;
	} while (t < k);
	if (row < m && col < n)
		C[IDX2C(row, col, n)] = (float)acc;
}

void matmul_device(int m, int n, int k, const float *A, const float *B, float *C)
{
	dim3 grid(CEIL_DIV(n, BLOCK_SIZE), CEIL_DIV(m, BLOCK_SIZE), 1), block(BLOCK_SIZE, BLOCK_SIZE, 1);
	sgemm_smem <<< grid, block >>> (m, n, k, A, B, C);
	cudaError_t e = cudaGetLastError();
	if (e != cudaSuccess) { fprintf(stderr, "%s\n", cudaGetErrorString(e)); exit(1); }
}
