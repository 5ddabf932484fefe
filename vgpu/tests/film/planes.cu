// planes.cu: arrays of three dimensions, two tiles that take turns; a low and wide one; lanes that
// share elements, that skip some, and that take four which others take, too.
#define SIDE 8
__global__ void planes(const float *A, const float *B, float *C) {
    __shared__ float As[2][SIDE][SIDE], Bs[2][SIDE][SIDE];
    __shared__ float wide[2][128];
    int y = threadIdx.y, x = threadIdx.x, at = y * SIDE + x, now = 0, next = 1;
    float sum = 0;
    As[now][y][x] = A[at], Bs[now][y][x] = B[at];
    wide[now][at] = wide[next][at] = 0;
    for (int tile = 0; tile < 2; tile++) {
        __syncthreads();
        if (tile == 0)
            As[next][y][x] = A[64 + at], Bs[next][y][x] = B[64 + at];
        for (int k = 0; k < 2; k++)
            sum += As[now][y][k] * Bs[now][k][x];
        now = next--;
    }
    if (at % 2 == 0)
        sum += wide[0][at];
    C[at] = sum;
}
int main() {
    float *m[3];
    for (int i = 0; i < 3; i++) {
        cudaMalloc(&m[i], 128 * sizeof(float));
        cudaMemset(m[i], 0, 128 * sizeof(float));
    }
    planes<<<1, dim3(SIDE, SIDE)>>>(m[0], m[1], m[2]);
    cudaDeviceSynchronize();
    for (int i = 0; i < 3; i++)
        cudaFree(m[i]);
}
