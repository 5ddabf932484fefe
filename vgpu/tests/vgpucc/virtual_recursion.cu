// Virtual functions that come back to themselves: expressions as trees, whose depth differs from
// lane to lane. Each call's result is read from the function that was called, not from the one that
// was called last further down.
#include <cstdio>

struct Node {
    __host__ __device__ virtual float value(float x) const = 0;
    __host__ __device__ virtual int depth() const { return 1; }
};
struct Variable : Node {
    __host__ __device__ float value(float x) const override { return x; }
};
struct Constant : Node {
    float c;
    __host__ __device__ Constant(float c) : c(c) {}
    __host__ __device__ float value(float) const override { return c; }
};
struct Pair : Node {
    const Node *left, *right;
    __host__ __device__ Pair(const Node *l, const Node *r) : left(l), right(r) {}
    __host__ __device__ int depth() const override {
        const int l = left->depth(), r = right->depth();
        return 1 + (l > r ? l : r);
    }
};
struct Sum : Pair {
    __host__ __device__ Sum(const Node *l, const Node *r) : Pair(l, r) {}
    __host__ __device__ float value(float x) const override {
        return left->value(x) + right->value(x);
    }
};
struct Product : Pair {
    __host__ __device__ Product(const Node *l, const Node *r) : Pair(l, r) {}
    __host__ __device__ float value(float x) const override {
        return left->value(x) * right->value(x);
    }
};

// 1 + x (2 + x (3 + …)), so many terms
__host__ __device__ const Node *horner(int terms) {
    const Node *n = new Constant((float)terms);
    for (int i = terms - 1; i > 0; --i)
        n = new Sum(new Constant((float)i), new Product(n, new Variable));
    return n;
}

__global__ void make(const Node **tree) {
    tree[threadIdx.x] = horner(1 + threadIdx.x % 5);
}
__global__ void ask(const Node *const *tree, float *value, int *depth) {
    value[threadIdx.x] = tree[threadIdx.x]->value(0.25f * threadIdx.x);
    depth[threadIdx.x] = tree[threadIdx.x]->depth();
}

int main() {
    enum { N = 40 };
    const Node **tree;
    float *value;
    int *depth, wrong = 0;
    cudaMalloc(&tree, N * sizeof *tree);
    cudaMallocManaged(&value, N * sizeof *value);
    cudaMallocManaged(&depth, N * sizeof *depth);
    cudaDeviceSetLimit(cudaLimitStackSize, 8192);
    make<<<1, N>>>(tree);
    ask<<<1, N>>>(tree, value, depth);
    printf("%s\n", cudaGetErrorName(cudaDeviceSynchronize()));
    for (int i = 0; i < N; i++) {
        const Node *host = horner(1 + i % 5);
        wrong += value[i] != host->value(0.25f * i) || depth[i] != host->depth();
    }
    printf("%d wrong; %g, %g, depths %d and %d\n", wrong, value[1], value[39], depth[0], depth[4]);
    cudaFree(tree);
    cudaFree(value);
    cudaFree(depth);
}
