// What graphs say of themselves: roots, edges, what a node waits for. Graphs in graphs. Nodes that
// are taken out, switched off, or given other arguments.
#include <cstdio>
#include <cuda_runtime.h>

#define CHECK(call)                                                                                \
    do {                                                                                           \
        cudaError_t e = call;                                                                      \
        if (e != cudaSuccess)                                                                      \
            printf("%s: %s\n", #call, cudaGetErrorName(e));                                        \
    } while (0)

#if CUDART_VERSION >= 13000
#define NO_DATA NULL,
#else
#define NO_DATA
#endif

__global__ void add(int *x, int n) {
    *x += n;
}
__global__ void times(int *x, int n) {
    *x *= n;
}

static void count(void *calls) {
    ++*(int *)calls;
}
static void count_tens(void *calls) {
    *(int *)calls += 10;
}

static cudaGraph_t graph;
static cudaGraphNode_t nodes[6]; // set, add, times, copy, host, and one that waits for nobody
static const char names[] = "sxtchn";

static char name(cudaGraphNode_t n) {
    for (int i = 0; i < 6; i++)
        if (n != NULL && nodes[i] == n)
            return names[i];
    return n == NULL ? '0' : '?';
}

// Of n places that hold something else before.
static void list(const char *what, const cudaGraphNode_t *a, size_t n, size_t told) {
    printf("%s: %d:", what, (int)told);
    for (size_t i = 0; i < n; i++)
        printf(" %c", name(a[i]));
    printf("\n");
}

static void ask(void) {
    cudaGraphNode_t a[8], b[8];
    size_t n = 0;
    CHECK(cudaGraphGetRootNodes(graph, NULL, &n));
    printf("%d roots\n", (int)n);
    n = 3;
    CHECK(cudaGraphGetRootNodes(graph, a, &n));
    list("roots", a, 3, n);
    n = 2;
    CHECK(cudaGraphGetNodes(graph, a, &n));
    printf("two of the nodes: %d\n", (int)n);
    CHECK(cudaGraphGetEdges(graph, NULL, NULL, NO_DATA & n));
    printf("%d edges", (int)n);
    n = 8;
    CHECK(cudaGraphGetEdges(graph, a, b, NO_DATA & n));
    int seen = 0; // in any order
    for (size_t i = 0; i < n; i++)
        seen += (name(a[i]) - 'a') * 100 + name(b[i]) - 'a';
    printf(", %d, %d\n", (int)n, seen);
    n = 4;
    CHECK(cudaGraphNodeGetDependencies(nodes[2], a, NO_DATA & n));
    list("before times", a, 4, n);
    n = 4;
    CHECK(cudaGraphNodeGetDependentNodes(nodes[2], a, NO_DATA & n));
    list("after times", a, 4, n);
    CHECK(cudaGraphNodeGetDependentNodes(nodes[4], NULL, NO_DATA & n));
    printf("%d after host\n", (int)n);
}

int main() {
    int *d, out = 0, out2 = 0, three = 3, ten = 10, calls = 0;
    void *add_args[] = {&d, &three}, *times_args[] = {&d, &ten};
    cudaGraphExec_t exec;
    cudaStream_t s;
    CHECK(cudaMalloc(&d, 16));
    CHECK(cudaStreamCreate(&s));
    CHECK(cudaGraphCreate(&graph, 0));
    cudaMemsetParams m = {};
    m.dst = d;
    m.elementSize = 4;
    m.value = 1;
    m.width = 1;
    m.height = 1;
    CHECK(cudaGraphAddMemsetNode(&nodes[0], graph, NULL, 0, &m));
    cudaKernelNodeParams p = {};
    p.func = (void *)add;
    p.gridDim = p.blockDim = dim3(1);
    p.kernelParams = add_args;
    CHECK(cudaGraphAddKernelNode(&nodes[1], graph, nodes, 1, &p));
    p.func = (void *)times;
    p.kernelParams = times_args;
    CHECK(cudaGraphAddKernelNode(&nodes[2], graph, nodes, 2, &p));
    CHECK(cudaGraphAddMemcpyNode1D(&nodes[3], graph, &nodes[2], 1, &out, d, 4,
                                   cudaMemcpyDeviceToHost));
    cudaHostNodeParams h = {};
    h.fn = count;
    h.userData = &calls;
    CHECK(cudaGraphAddHostNode(&nodes[4], graph, &nodes[3], 1, &h));
    CHECK(cudaGraphAddEmptyNode(&nodes[5], graph, NULL, 0));
    ask();
    CHECK(cudaGraphDestroyNode(nodes[5]));
    nodes[5] = NULL;
    CHECK(cudaGraphRemoveDependencies(graph, &nodes[0], &nodes[2], NO_DATA 1));
    CHECK(cudaGraphRemoveDependencies(graph, &nodes[0], &nodes[2], NO_DATA 1)); // no more there
    ask();

    // (1 + 3) * 10; then without the product; then with 5 instead of 1, copied elsewhere
    CHECK(cudaGraphInstantiate(&exec, graph, 0));
    CHECK(cudaGraphLaunch(exec, s));
    CHECK(cudaStreamSynchronize(s));
    printf("%d, %d calls\n", out, calls);
    unsigned enabled = 7;
    CHECK(cudaGraphNodeSetEnabled(exec, nodes[2], 0));
    CHECK(cudaGraphNodeGetEnabled(exec, nodes[2], &enabled));
    CHECK(cudaGraphLaunch(exec, s));
    CHECK(cudaStreamSynchronize(s));
    printf("%u: %d, %d calls\n", enabled, out, calls);
    CHECK(cudaGraphNodeSetEnabled(exec, nodes[2], 1));
    CHECK(cudaGraphNodeSetEnabled(exec, nodes[4], 0)); // not of a host function
    m.value = 5;
    h.fn = count_tens;
    CHECK(cudaGraphExecMemsetNodeSetParams(exec, nodes[0], &m));
    CHECK(cudaGraphExecHostNodeSetParams(exec, nodes[4], &h));
    CHECK(cudaGraphExecMemcpyNodeSetParams1D(exec, nodes[3], &out2, d, 4, cudaMemcpyDeviceToHost));
    CHECK(cudaGraphExecHostNodeSetParams(exec, nodes[3], &h)); // a copy
    CHECK(cudaGraphLaunch(exec, s));
    CHECK(cudaStreamSynchronize(s));
    printf("%d %d, %d calls\n", out, out2, calls);
    CHECK(cudaGraphExecDestroy(exec));

    // the graph itself is as it was, until it is changed
    cudaMemsetParams was = {};
    cudaHostNodeParams host = {};
    CHECK(cudaGraphMemsetNodeGetParams(nodes[0], &was));
    CHECK(cudaGraphHostNodeGetParams(nodes[4], &host));
    printf("%d %u %u %d %d, %d\n", was.dst == d, was.value, was.elementSize, (int)was.width,
           (int)was.height, host.fn == count && host.userData == &calls);
    CHECK(cudaGraphMemsetNodeSetParams(nodes[0], &m));
    CHECK(cudaGraphHostNodeSetParams(nodes[4], &h));

    // a child twice: it is a copy, and its node in the clone is another
    cudaGraph_t clone, parent, inner;
    cudaGraphNode_t first, second, found = NULL;
    cudaGraphNodeType type;
    CHECK(cudaGraphClone(&clone, graph));
    CHECK(cudaGraphNodeFindInClone(&found, nodes[1], clone));
    printf("found %d\n", found != NULL && found != nodes[1]);
    CHECK(cudaGraphNodeFindInClone(&found, found, graph));
    CHECK(cudaGraphCreate(&parent, 0));
    CHECK(cudaGraphAddChildGraphNode(&first, parent, NULL, 0, clone));
    CHECK(cudaGraphAddChildGraphNode(&second, parent, &first, 1, clone));
    CHECK(cudaGraphAddChildGraphNode(&second, parent, NULL, 0, NULL));
    CHECK(cudaGraphNodeGetType(first, &type));
    printf("type %d\n", (int)type);
    CHECK(cudaGraphDestroy(clone));
    CHECK(cudaGraphCreate(&inner, 0));
    CHECK(cudaGraphAddChildGraphNode(&first, inner, NULL, 0, parent));
    CHECK(cudaGraphInstantiate(&exec, inner, 0));
    CHECK(cudaGraphLaunch(exec, s));
    CHECK(cudaStreamSynchronize(s));
    printf("%d, %d calls\n", out, calls);
    CHECK(cudaGraphExecDestroy(exec));
    CHECK(cudaGraphDestroy(inner));
    CHECK(cudaGraphDestroy(parent));
    CHECK(cudaGraphDestroy(graph));
    CHECK(cudaStreamDestroy(s));
    CHECK(cudaFree(d));
}
