// Graphs of nodes that the program adds: each kind, what waits for what, cycles, changed arguments.
#include <cstdio>
#include <cuda_runtime.h>

#define CHECK(call)                                                                                \
    do {                                                                                           \
        cudaError_t e = call;                                                                      \
        if (e != cudaSuccess)                                                                      \
            printf("%s: %s\n", #call, cudaGetErrorName(e));                                        \
    } while (0)

#if CUDART_VERSION >= 13000
#define DEPEND(graph, from, to) cudaGraphAddDependencies(graph, &from, &to, NULL, 1)
#else
#define DEPEND(graph, from, to) cudaGraphAddDependencies(graph, &from, &to, 1)
#endif

__global__ void add(int *x, int n) { x[threadIdx.x] += n; }
__global__ void times(int *x, int n) { x[threadIdx.x] *= n; }

static void count(void *calls) { ++*(int *)calls; }

static cudaKernelNodeParams kernel(void (*f)(int *, int), void **args) {
    cudaKernelNodeParams p = {};
    p.func = (void *)f;
    p.gridDim = dim3(1);
    p.blockDim = dim3(4);
    p.kernelParams = args;
    return p;
}

static void show(const char *what, const int *h) {
    printf("%s: %d %d %d %d\n", what, h[0], h[1], h[2], h[3]);
}

int main() {
    int *d, in[4] = {1, 2, 3, 4}, out[4] = {0}, five = 5, ten = 10, calls = 0;
    void *add_args[] = {&d, &five}, *times_args[] = {&d, &ten};
    cudaGraph_t graph, clone;
    cudaGraphExec_t exec;
    cudaGraphNode_t up, down, plus, by, set, host, empty, again;
    cudaStream_t s;
    size_t nodes = 0;
    CHECK(cudaMalloc(&d, 16));
    CHECK(cudaStreamCreate(&s));
    CHECK(cudaGraphCreate(&graph, 0));

    // (x + 5) * 10, though the product is added first
    cudaKernelNodeParams p = kernel(times, times_args);
    CHECK(cudaGraphAddKernelNode(&by, graph, NULL, 0, &p));
    p = kernel(add, add_args);
    CHECK(cudaGraphAddKernelNode(&plus, graph, NULL, 0, &p));
    CHECK(cudaGraphAddMemcpyNode1D(&up, graph, NULL, 0, d, in, 16, cudaMemcpyHostToDevice));
    CHECK(DEPEND(graph, up, plus));
    CHECK(DEPEND(graph, plus, by));
    five = 1000; // too late: the node has its own

    // then one element is set, and all come back
    cudaMemsetParams m = {};
    m.dst = d + 3;
    m.elementSize = 4;
    m.value = 0x01020304;
    m.width = 1;
    m.height = 1;
    CHECK(cudaGraphAddMemsetNode(&set, graph, &by, 1, &m));
    CHECK(cudaGraphAddEmptyNode(&empty, graph, &set, 1));
    cudaMemcpy3DParms c = {};
    c.srcPtr = make_cudaPitchedPtr(d, 16, 16, 1);
    c.dstPtr = make_cudaPitchedPtr(out, 16, 16, 1);
    c.extent = make_cudaExtent(16, 1, 1);
    c.kind = cudaMemcpyDeviceToHost;
    CHECK(cudaGraphAddMemcpyNode(&down, graph, &empty, 1, &c));
    cudaHostNodeParams h = {};
    h.fn = count;
    h.userData = &calls;
    CHECK(cudaGraphAddHostNode(&host, graph, &down, 1, &h));

    CHECK(cudaGraphGetNodes(graph, NULL, &nodes));
    cudaGraphNodeType type;
    CHECK(cudaGraphNodeGetType(set, &type));
    printf("%d nodes, type %d\n", (int)nodes, (int)type);
    CHECK(cudaGraphClone(&clone, graph));
    CHECK(cudaGraphInstantiate(&exec, graph, 0));
    for (int i = 0; i < 2; i++)
        CHECK(cudaGraphLaunch(exec, s));
    CHECK(cudaStreamSynchronize(s));
    show("hand", out);
    printf("%x, %d calls\n", out[3], calls);

    // other arguments, in what was instantiated alone
    five = -1;
    CHECK(cudaGraphExecKernelNodeSetParams(exec, plus, &p));
    CHECK(cudaGraphLaunch(exec, s));
    CHECK(cudaStreamSynchronize(s));
    show("changed", out);
    CHECK(cudaGraphExecDestroy(exec));
    CHECK(cudaGraphInstantiate(&exec, clone, 0));
    CHECK(cudaGraphLaunch(exec, s));
    CHECK(cudaStreamSynchronize(s));
    show("clone", out);
    CHECK(cudaGraphExecDestroy(exec));

    // mistakes
    CHECK(DEPEND(graph, by, up)); // up -> plus -> by -> up
    CHECK(cudaGraphInstantiate(&exec, graph, 0));
    CHECK(DEPEND(graph, up, plus)); // is there
    CHECK(DEPEND(graph, up, up));
    CHECK(cudaGraphAddEmptyNode(&again, clone, &by, 1)); // a node of another graph
    CHECK(cudaGraphAddKernelNode(&again, clone, NULL, 0, NULL));
    m.elementSize = 3;
    CHECK(cudaGraphAddMemsetNode(&again, clone, NULL, 0, &m));
    CHECK(cudaGraphAddEmptyNode(&again, NULL, NULL, 0));
    CHECK(cudaGraphCreate(NULL, 0));
    CHECK(cudaGraphDestroy(graph));
    CHECK(cudaGraphDestroy(clone));

    // rows of two bytes
    short *rows, got[2][4];
    CHECK(cudaMalloc(&rows, 16));
    CHECK(cudaMemset(rows, 0, 16));
    CHECK(cudaGraphCreate(&graph, 0));
    m = {};
    m.dst = rows + 1;
    m.pitch = 8;
    m.elementSize = 2;
    m.value = 513;
    m.width = 2;
    m.height = 2;
    CHECK(cudaGraphAddMemsetNode(&set, graph, NULL, 0, &m));
    CHECK(cudaGraphInstantiate(&exec, graph, 0));
    CHECK(cudaGraphLaunch(exec, s));
    CHECK(cudaMemcpy(got, rows, 16, cudaMemcpyDeviceToHost));
    for (int i = 0; i < 2; i++)
        printf("%d %d %d %d\n", got[i][0], got[i][1], got[i][2], got[i][3]);
    CHECK(cudaGraphExecDestroy(exec));
    CHECK(cudaGraphDestroy(graph));
    CHECK(cudaStreamDestroy(s));
    CHECK(cudaFree(rows));
    CHECK(cudaFree(d));
}
