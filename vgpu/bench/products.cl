// products.cl: the kernels of products.cu as OpenCL, for Oclgrind.
__kernel void naive(int n, __global const float *A, __global const float *B, __global float *C) {
    int col = get_global_id(0), row = get_global_id(1);
    float sum = 0.0f;
    for (int p = 0; p < n; ++p)
        sum += A[row * n + p] * B[p * n + col];
    C[row * n + col] = sum;
}

__kernel void tiled16(int n, __global const float *A, __global const float *B, __global float *C) {
    __local float a[16][16], b[16][16];
    int x = get_local_id(0), y = get_local_id(1), row = get_global_id(1), col = get_global_id(0);
    float sum = 0.0f;
    for (int tile = 0; tile < n; tile += 16) {
        a[y][x] = A[row * n + tile + x];
        b[y][x] = B[(tile + y) * n + col];
        barrier(CLK_LOCAL_MEM_FENCE);
        for (int p = 0; p < 16; ++p)
            sum += a[y][p] * b[p][x];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    C[row * n + col] = sum;
}
