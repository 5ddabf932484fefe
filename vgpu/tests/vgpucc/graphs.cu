// Graphs by capture and replay: order, arguments as they were, forks and joins, what spoils them.
#include <cstdio>
#include <cublas_v2.h>

#define CHECK(call)                                                                                \
    do {                                                                                           \
        cudaError_t e = call;                                                                      \
        if (e != cudaSuccess)                                                                      \
            printf("%s: %s\n", #call, cudaGetErrorName(e));                                        \
    } while (0)

__global__ void add(int *x, int n) { x[threadIdx.x] += n; }
__global__ void times(int *x, int n) { x[threadIdx.x] *= n; }

static void count(void *calls) { ++*(int *)calls; }

static void show(const char *what, const int *device) {
    int h[4];
    CHECK(cudaMemcpy(h, device, sizeof h, cudaMemcpyDeviceToHost));
    printf("%s: %d %d %d %d\n", what, h[0], h[1], h[2], h[3]);
}

static void replay(int *d) {
    int source[4] = {1, 2, 3, 4}, calls = 0, seven = 7;
    size_t nodes = 0;
    cudaStream_t s, other;
    cudaGraph_t graph, clone;
    cudaGraphExec_t exec;
    cudaStreamCaptureStatus status;
    CHECK(cudaStreamCreate(&s));
    CHECK(cudaStreamCreate(&other));
    CHECK(cudaMemset(d, 0, 16));
    CHECK(cudaStreamBeginCapture(s, cudaStreamCaptureModeGlobal));
    CHECK(cudaMemcpyAsync(d, source, sizeof source, cudaMemcpyHostToDevice, s));
    add<<<1, 4, 0, s>>>(d, seven);
    times<<<1, 4, 0, s>>>(d, 2);
    CHECK(cudaMemsetAsync(d + 3, 0, 4, s));
    CHECK(cudaLaunchHostFunc(s, count, &calls));
    CHECK(cudaStreamIsCapturing(s, &status));
    CHECK(cudaStreamEndCapture(s, &graph));
    seven = 100; // too late for the graph
    CHECK(cudaGraphGetNodes(graph, NULL, &nodes));
    printf("status %d, %d nodes, %d calls\n", (int)status, (int)nodes, calls);
    show("captured", d);
    CHECK(cudaGraphClone(&clone, graph));
    CHECK(cudaGraphInstantiate(&exec, graph, NULL, NULL, 0));
    CHECK(cudaGraphDestroy(graph)); // the other two live on
    CHECK(cudaGraphUpload(exec, s));
    CHECK(cudaGraphLaunch(exec, s));
    CHECK(cudaStreamSynchronize(s));
    show("launched", d);
    source[0] = 50; // a copy's source is read when it is made
    CHECK(cudaGraphLaunch(exec, other));
    CHECK(cudaGraphLaunch(exec, 0));
    CHECK(cudaDeviceSynchronize());
    show("again", d);
    printf("%d calls\n", calls);
    CHECK(cudaGraphExecDestroy(exec));
    CHECK(cudaGraphInstantiate(&exec, clone, 0));
    CHECK(cudaGraphLaunch(exec, s));
    CHECK(cudaStreamSynchronize(s));
    show("clone", d);
    CHECK(cudaGraphExecDestroy(exec));
    CHECK(cudaGraphDestroy(clone));
    CHECK(cudaStreamDestroy(other));
    CHECK(cudaStreamDestroy(s));
}

// Two streams; the second joins by an event, and is joined by another.
static cudaError_t capture(cudaStream_t a, cudaStream_t b, int *d, int n, bool joined,
                           cudaGraph_t *graph) {
    cudaEvent_t fork, join;
    CHECK(cudaEventCreate(&fork));
    CHECK(cudaEventCreate(&join));
    CHECK(cudaStreamBeginCapture(a, cudaStreamCaptureModeRelaxed));
    add<<<1, 2, 0, a>>>(d, n);
    CHECK(cudaEventRecord(fork, a));
    CHECK(cudaStreamWaitEvent(b, fork, 0));
    times<<<1, 2, 0, b>>>(d + 2, n);
    add<<<1, 2, 0, a>>>(d, n);
    CHECK(cudaEventRecord(join, b));
    if (joined)
        CHECK(cudaStreamWaitEvent(a, join, 0));
    const cudaError_t e = cudaStreamEndCapture(a, graph);
    CHECK(cudaEventDestroy(fork));
    CHECK(cudaEventDestroy(join));
    return e;
}

static void forks(int *d) {
    const int source[4] = {1, 2, 3, 4};
    cudaStream_t a, b;
    cudaGraph_t one, two, three;
    cudaGraphExec_t exec;
    cudaGraphExecUpdateResultInfo info;
    CHECK(cudaStreamCreateWithFlags(&a, cudaStreamNonBlocking));
    CHECK(cudaStreamCreateWithFlags(&b, cudaStreamNonBlocking));
    CHECK(cudaMemcpy(d, source, sizeof source, cudaMemcpyHostToDevice));
    CHECK(capture(a, b, d, 10, true, &one));
    CHECK(cudaGraphInstantiate(&exec, one));
    CHECK(cudaGraphLaunch(exec, a));
    CHECK(cudaStreamSynchronize(a));
    show("forked", d);
    CHECK(capture(a, b, d, 2, true, &two));
    CHECK(cudaGraphExecUpdate(exec, two, &info));
    CHECK(cudaGraphLaunch(exec, b));
    CHECK(cudaStreamSynchronize(b));
    show("updated", d);
    CHECK(cudaStreamBeginCapture(a, cudaStreamCaptureModeGlobal));
    add<<<1, 4, 0, a>>>(d, 1);
    CHECK(cudaStreamEndCapture(a, &three));
    CHECK(cudaGraphExecUpdate(exec, three, &info));
    printf("result %d\n", (int)info.result);
    CHECK(capture(a, b, d, 1, false, &one));
    show("unjoined", d);
    // A graph within a graph.
    CHECK(cudaGraphExecDestroy(exec));
    CHECK(cudaGraphInstantiate(&exec, three, 0));
    CHECK(cudaStreamBeginCapture(b, cudaStreamCaptureModeGlobal));
    CHECK(cudaGraphLaunch(exec, b));
    CHECK(cudaGraphLaunch(exec, b));
    CHECK(cudaStreamEndCapture(b, &two));
    CHECK(cudaGraphExecDestroy(exec));
    CHECK(cudaGraphInstantiateWithFlags(&exec, two, 0));
    CHECK(cudaGraphLaunch(exec, b));
    CHECK(cudaStreamSynchronize(b));
    show("nested", d);
}

// Each of these spoils the capture it happens in.
static void mistakes(int *d) {
    int h = 0, *more;
    cudaStream_t s;
    cudaGraph_t graph;
    cudaEvent_t before, inside;
    cublasHandle_t blas;
    const float one = 1;
    CHECK(cudaStreamCreate(&s));
    CHECK(cudaEventCreate(&before));
    CHECK(cudaEventCreate(&inside));
    CHECK(cudaEventRecord(before, 0));
    cublasCreate(&blas);
    cublasSetStream(blas, s);
    for (int mistake = 0; mistake < 9; mistake++) {
        printf("mistake %d\n", mistake);
        CHECK(cudaStreamBeginCapture(s, cudaStreamCaptureModeGlobal));
        switch (mistake) {
        case 0: CHECK(cudaStreamSynchronize(s)); break;
        case 1: CHECK(cudaDeviceSynchronize()); break;
        case 2: CHECK(cudaMemcpy(&h, d, 4, cudaMemcpyDeviceToHost)); break;
        case 3: add<<<1, 1>>>(d, 1); break;
        case 4: CHECK(cudaMalloc(&more, 16)); break;
        case 5: CHECK(cudaStreamWaitEvent(s, before, 0)); break;
        case 6:
            CHECK(cudaEventRecord(inside, s));
            CHECK(cudaEventSynchronize(inside));
            break;
        case 7:
            printf("cublas %d\n", (int)cublasSscal(blas, 1, &one, (float *)d, 1));
            break;
        default: CHECK(cudaStreamBeginCapture(s, cudaStreamCaptureModeGlobal)); break;
        }
        add<<<1, 1, 0, s>>>(d, 1);
        CHECK(cudaGetLastError());
        CHECK(cudaStreamEndCapture(s, &graph));
    }
    CHECK(cudaStreamEndCapture(s, &graph));
    CHECK(cudaStreamBeginCapture(0, cudaStreamCaptureModeGlobal));
    CHECK(cudaGraphLaunch(NULL, s));
    CHECK(cudaGraphDestroy(NULL));
    cublasDestroy(blas);
}

int main() {
    int *d;
    CHECK(cudaMalloc(&d, 16));
    replay(d);
    forks(d);
    mistakes(d);
    show("end", d);
    CHECK(cudaFree(d));
}
