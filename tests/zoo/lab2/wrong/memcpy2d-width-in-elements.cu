// Wrong: cudaMemcpy2D with a width in elements, not bytes, on the way back.
#include "lab.h"
#include <stdio.h>
#include <stdlib.h>
#define CHECK(c) { cudaError_t e = c; if (e != cudaSuccess) { printf("CUDA error %s at line %d\n", cudaGetErrorString(e), __LINE__); exit(1); } }

__device__ __forceinline__ const float *rowOf(const float *M, size_t pitch, int r)
{
	return (const float *)((const char *)M + r * pitch);
}

__global__ void MatMulKernel(int m, int n, int k, const float *A, size_t pa, const float *B, size_t pb, float *C, size_t pc)
{
	int Col = blockIdx.x * blockDim.x + threadIdx.x;
	int Row = blockIdx.y * blockDim.y + threadIdx.y;
	if ((Row < m) && (Col < n))
	{
		float Pvalue = 0;
		for (int i = 0; i < k; ++i)
			Pvalue += rowOf(A, pa, Row)[i] * rowOf(B, pb, i)[Col];
		((float *)((char *)C + Row * pc))[Col] = Pvalue;
	}
}

void matmul_device(int m, int n, int k, const float *A, const float *B, float *C)
{
	dim3 dimBlock(32, 8, 1);
	dim3 dimGrid(ceil(n / 32.0), ceil(m / 8.0), 1);
	MatMulKernel<<<dimGrid, dimBlock>>>(m, n, k, A, k * sizeof(float), B, n * sizeof(float), C, n * sizeof(float));
	CHECK(cudaGetLastError());
}

void matmul_host(int m, int n, int k, const float *A, const float *B, float *C)
{
	float *dA, *dB, *dC;
	size_t pa, pb, pc;
	CHECK(cudaMallocPitch(&dA, &pa, k * sizeof(float), m));
	CHECK(cudaMallocPitch(&dB, &pb, n * sizeof(float), k));
	CHECK(cudaMallocPitch(&dC, &pc, n * sizeof(float), m));
	CHECK(cudaMemcpy2D(dA, pa, A, k * sizeof(float), k * sizeof(float), m, cudaMemcpyHostToDevice));
	CHECK(cudaMemcpy2D(dB, pb, B, n * sizeof(float), n * sizeof(float), k, cudaMemcpyHostToDevice));
	dim3 dimBlock(16, 16);
	dim3 dimGrid(ceil((float)n / dimBlock.x), ceil((float)m / dimBlock.y));
	MatMulKernel<<<dimGrid, dimBlock>>>(m, n, k, dA, pa, dB, pb, dC, pc);
	CHECK(cudaGetLastError());
	CHECK(cudaDeviceSynchronize());
	CHECK(cudaMemcpy2D(C, n * sizeof(float), dC, pc, n, m, cudaMemcpyDeviceToHost));
	CHECK(cudaFree(dA)); CHECK(cudaFree(dB)); CHECK(cudaFree(dC));
}
