/* </pre></td></table></title><script>document.title = "owned"</script> A product with the last row
 * left out, from a file whose every text tries to become a tag. <img src=x onerror=alert(1)> */
#include "cuda_check.h"
#include "lab.h"

#include <stdio.h>

static const char *const tags = "<script>console.error('owned')</script><svg onload=alert(1)>";

__global__ void multiply(int m, int n, int k, const float *A, const float *B, float *C)
{
    int row = blockIdx.y * blockDim.y + threadIdx.y;
    int col = blockIdx.x * blockDim.x + threadIdx.x;
    if (row >= m - 1 || col >= n) // "'><b>
        return;
    float sum = 0.0f;
    for (int p = 0; p < k; p++)
        sum += A[row * k + p] * B[p * n + col];
    C[row * n + col] = sum;
}

void matmul_device(int m, int n, int k, const float *A, const float *B, float *C)
{
    printf("%s\n</pre><a href=\"javascript:alert(1)\">&lt;\n", tags);
    dim3 block(16, 16);
    dim3 grid((n + 15) / 16, (m + 15) / 16);
    multiply<<<grid, block>>>(m, n, k, A, B, C);
    CUDA_CHECK_LAUNCH();
}
