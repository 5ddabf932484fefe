// What a kernel node holds can be asked for, changed and put into another node.
#include <cstdio>

__global__ void fill(int *to, int value, double step) {
    to[threadIdx.x] = value + (int)(step * threadIdx.x);
}

int main() {
    int *x, value = 10;
    double step = 2.5;
    cudaMallocManaged(&x, 8 * sizeof *x);
    void *args[] = {&x, &value, &step};
    cudaKernelNodeParams p = {};
    p.func = (void *)fill;
    p.gridDim = dim3(1);
    p.blockDim = dim3(4);
    p.kernelParams = args;
    cudaGraph_t graph;
    cudaGraphNode_t first, second;
    cudaGraphCreate(&graph, 0);
    cudaGraphAddKernelNode(&first, graph, nullptr, 0, &p);
    cudaKernelNodeParams held = {};
    printf("%s", cudaGetErrorName(cudaGraphKernelNodeGetParams(first, &held)));
    printf(" %d %u %d %g\n", held.func == (void *)fill, held.blockDim.x, *(int *)held.kernelParams[1],
           *(double *)held.kernelParams[2]);
    int *behind = x + 4, other = 100;
    void *changed[] = {&behind, &other, held.kernelParams[2]};
    held.kernelParams = changed;
    cudaGraphAddKernelNode(&second, graph, &first, 1, &held);
    cudaGraphExec_t exec;
    cudaGraphInstantiate(&exec, graph, 0);
    cudaGraphLaunch(exec, 0);
    cudaDeviceSynchronize();
    for (int i = 0; i < 8; i++)
        printf("%d ", x[i]);
    printf("%s\n", cudaGetErrorName(cudaGraphKernelNodeGetParams(nullptr, &held)));
    cudaGraphExecDestroy(exec);
    cudaGraphDestroy(graph);
    cudaFree(x);
}
