// structs.cu: structs behind pointers, enumerations, halves and bools: what the debugger tells of
// them.
#include <cuda_fp16.h>

enum color { RED, GREEN = 5 };
enum { SIDE = 2 };

struct spot {
    int row;
    float seen[2];
    color is;
    const spot *next;
};

struct view {
    const spot *first;
    bool whole;
    __half scale;
    __device__ float sum(int n) const {
        float s = 0;
        for (int i = 0; i < n; i++)
            s += first[i].seen[1];
        return s;
    }
};

__global__ void look(spot *spots, view v, float *out) {
    view *p = &v;
    spot *last = spots + SIDE;
    last->is = GREEN;
    out[0] = p->sum(SIDE + 1);
}

int main() {
    spot host[3] = {}, *spots;
    float *out;
    cudaMalloc(&spots, sizeof host);
    cudaMalloc(&out, sizeof(float));
    for (int i = 0; i < 3; i++)
        host[i] = {i, {0.5f * i, i + 1.f}, RED, i > 0 ? spots + i - 1 : nullptr};
    cudaMemcpy(spots, host, sizeof host, cudaMemcpyHostToDevice);
    view v = {spots, true, __float2half(1.5f)};
    look<<<1, 1>>>(spots, v, out);
    cudaDeviceSynchronize();
    cudaFree(spots);
    cudaFree(out);
    return 0;
}
