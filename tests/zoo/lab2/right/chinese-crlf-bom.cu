// 矩阵乘法：第二次实验。作者：王小明。UTF-8 带 BOM，行尾是 CRLF。
#include "lab.h"
#include <cuda_runtime.h>
#include <device_launch_parameters.h>
#include <stdio.h>
#include <stdlib.h>

#define 检查错误(调用)                                                     \
    do {                                                                   \
        cudaError_t 错误 = (调用);                                         \
        if (错误 != cudaSuccess) {                                         \
            fprintf(stderr, "错误：%s，第 %d 行\n", cudaGetErrorString(错误), __LINE__); \
            exit(EXIT_FAILURE);                                            \
        }                                                                  \
    } while (0)

/* 每个线程计算 C 的一个元素 */
__global__ void cheng(int m, int n, int k, const float *A, const float *B, float *C)
{
	int 列 = blockIdx.x * blockDim.x + threadIdx.x;
	int 行 = blockIdx.y * blockDim.y + threadIdx.y;

	if (行 < m && 列 < n) {
		float 和 = 0.0f;
		for (int i = 0; i < k; i++) {
			和 += A[行 * k + i] * B[i * n + 列];
		}
		C[行 * n + 列] = 和;
	}
}

void matmul_device(int m, int n, int k, const float *A, const float *B, float *C)
{
	dim3 线程(64, 1), 块((n + 63) / 64, m);
	printf("正在启动核函数：网格 %u x %u\n", 块.x, 块.y);
	cheng<<<块, 线程>>>(m, n, k, A, B, C);
	检查错误(cudaGetLastError());
	检查错误(cudaDeviceSynchronize());
	printf("完成\n");
}

void matmul_host(int m, int n, int k, const float *A, const float *B, float *C)
{
	float *dA = nullptr, *dB = nullptr, *dC = nullptr;
	检查错误(cudaMalloc(&dA, m * k * sizeof(float)));
	检查错误(cudaMalloc(&dB, k * n * sizeof(float)));
	检查错误(cudaMalloc(&dC, m * n * sizeof(float)));
	检查错误(cudaMemcpy(dA, A, m * k * sizeof(float), cudaMemcpyHostToDevice));
	检查错误(cudaMemcpy(dB, B, k * n * sizeof(float), cudaMemcpyHostToDevice));
	matmul_device(m, n, k, dA, dB, dC);
	检查错误(cudaMemcpy(C, dC, m * n * sizeof(float), cudaMemcpyDeviceToHost));
	cudaFree(dA);
	cudaFree(dB);
	cudaFree(dC);
}
