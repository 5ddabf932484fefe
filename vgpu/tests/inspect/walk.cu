// walk.cu: what walk.ptx and walk.names come from; vgpu/tests/inspect/README.md tells how.
struct pair {
    int first;
    float second[2];
};

__device__ int twice(int v) {
    int r = 2 * v;
    return r;
}

__global__ void walk(int *out, int n) {
    __shared__ int box[2][16];
    int i = threadIdx.x;
    pair p;
    p.first = i + n;
    p.second[1] = i;
    int t = 0;
    for (int k = 0; k < 2; k++) t += twice(k);
    if (i < 16)
        box[0][i] = t;
    else
        box[1][i - 16] = -t;
    __syncthreads();
    out[i] = box[1][i % 16] + p.first;
}
