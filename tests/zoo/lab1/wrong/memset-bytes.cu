// Wrong: memset counts bytes, not floats: three quarters of C stay as they were.
#include "lab.h"
#include <math.h>
#include <stdint.h>
#include <string.h>
#define MIN(a, b) ((a) < (b) ? (a) : (b))
static inline void micro(const int rows, int n, int k, const float *a, const float *B, float *c) {
	for (int p = 0; p < k; ++p) {
		const float *restrict_b = &B[(size_t)p * n];
		for (int r = 0; r < rows; ++r) {
			float x = a[(size_t)r * k + p];
			#pragma omp simd
			for (int j = 0; j < n; ++j)
				c[(size_t)r * n + j] += x * restrict_b[j];
		}
	}
}
void matmul_cpu(int m, int n, int k, const float *A, const float *B, float *C) {
	memset(C, 0, (size_t)m * n);
	for (int i = 0; i < m; i += 4)
		micro(MIN(4, m - i), n, k, A + (size_t)i * k, B, C + (size_t)i * n);
}
