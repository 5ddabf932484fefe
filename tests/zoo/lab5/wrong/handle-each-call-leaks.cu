// Wrong: A new handle at each call, none destroyed.
#include "lab.h"
#include <cublas_v2.h>
#include <stdio.h>
#include <stdlib.h>
static cublasHandle_t handle;
static void leave(void) { cublasDestroy(handle); }
static void start(void) {
	if (cublasCreate(&handle) != CUBLAS_STATUS_SUCCESS) {
		printf("CUBLAS initialization failed\n");
		exit(EXIT_FAILURE);
	}
	atexit(leave);
}
void matmul_device(int m, int n, int k, const float *A, const float *B, float *C)
{
	float a = 1.f, b = 0.f;
	start();
	cublasStatus_t stat = cublasSgemm(handle, CUBLAS_OP_N, CUBLAS_OP_N, n, m, k, &a, B, n, A, k, &b, C, n);
	if (stat != CUBLAS_STATUS_SUCCESS) {
		printf("cublasSgemm failed: %d\n", stat);
		exit(EXIT_FAILURE);
	}
}
