// Kernels and copies in several streams: what nothing orders is told, what is in order is not.
// run: waits
// run: reads
// run: writes
// run: before
// run: apart
// run: copies
// run: atomics
// run: pool
// run: graph
// run: branches
// run: joined
// run: nodes
// run: relaunched
// run: blas
// run: flags
// run: fences
// run: destroyed
// run: blocks
#include <cstring>
#include <cublas_v2.h>

const int N = 1024;

__global__ void fill(int *x, int value) {
    x[blockIdx.x * blockDim.x + threadIdx.x] = value;
}

__global__ void twice(const int *x, int *y) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    y[i] = 2 * x[i];
}

__global__ void count(int *sum) {
    atomicAdd(sum, 1);
}

__global__ void odd(char *x, int which) {
    x[2 * threadIdx.x + which] = 1;
}

__global__ void bytes(char *x) {
    x[blockIdx.x * blockDim.x + threadIdx.x] = 1;
}

// Takes x over when the flag says so (0: at once), and hands y on.
__global__ void hand_on(const int *x, int *y, int *wait, int *done) {
    if (threadIdx.x == 0 && wait)
        while (atomicAdd(wait, 0) == 0) {
        }
    __threadfence();
    __syncthreads();
    y[threadIdx.x] = x[threadIdx.x] + 1;
    __threadfence();
    __syncthreads();
    if (threadIdx.x == 0)
        atomicAdd(done, 1);
}

static cudaStream_t a, b, free_a, free_b;
static cudaEvent_t e;
static int *x, *y;

// Everything here is in order, or touches other bytes.
static void waits() {
    cudaStream_t mine;
    for (int round = 0; round < 3; round++) {
        fill<<<4, 256, 0, free_a>>>(x, round);
        cudaEventRecord(e, free_a);
        cudaStreamWaitEvent(free_b, e, 0);
        twice<<<4, 256, 0, free_b>>>(x, y);
        cudaEventRecord(e, free_b);
        cudaStreamWaitEvent(free_a, e, 0);
    }
    cudaStreamSynchronize(free_b);
    fill<<<4, 256, 0, a>>>(x, 1);
    fill<<<4, 256>>>(x, 2); // the default stream waits for a, and b for it
    twice<<<4, 256, 0, b>>>(x, y);
    twice<<<4, 256, 0, a>>>(x, y + N);
    cudaStreamSynchronize(b);
    cudaStreamSynchronize(a);
    odd<<<1, 256, 0, a>>>((char *)x, 0); // neighbouring bytes
    odd<<<1, 256, 0, b>>>((char *)x, 1);
    cudaDeviceSynchronize();
    fill<<<2, 256, 0, a>>>(x, 1); // halves
    fill<<<2, 256, 0, b>>>(x + N / 2, 2);
    cudaStreamCreate(&mine);
    cudaStreamSynchronize(a);
    cudaStreamSynchronize(b);
    twice<<<4, 256, 0, mine>>>(x, y);
    cudaStreamDestroy(mine);
    cudaMemset(x, 0, N * sizeof(int)); // waits for what the destroyed stream had
}

static void destroyed() {
    cudaStream_t mine;
    cudaStreamCreateWithFlags(&mine, cudaStreamNonBlocking);
    fill<<<4, 256, 0, mine>>>(x, 1);
    cudaStreamDestroy(mine); // waits for nothing
    twice<<<4, 256, 0, a>>>(x, y);
}

// Blocks whose bytes lie in one word of the checker's: see run-threads.
static void blocks() {
    fill<<<4, 256, 0, a>>>(x, 1);
    bytes<<<512, 8, 0, a>>>((char *)x);
    count<<<512, 8, 0, a>>>(x);
}

static void reads() {
    fill<<<4, 256, 0, a>>>(x, 1);
    twice<<<4, 256, 0, b>>>(x, y);
}

static void writes() {
    fill<<<2, 256, 0, a>>>(x, 1);
    fill<<<4, 256, 0, b>>>(x + N / 2 - 3, 2);
}

// What reads must be waited for, too; and the event is of the wrong moment.
static void before() {
    cudaMemset(x, 0, N * sizeof(int));
    cudaEventRecord(e, a);
    twice<<<4, 256, 0, a>>>(x, y);
    cudaStreamWaitEvent(b, e, 0);
    fill<<<4, 256, 0, b>>>(x, 1);
}

static void apart() {
    fill<<<4, 256>>>(x, 1);
    twice<<<4, 256, 0, free_a>>>(x, y);
}

static void copies() {
    static int host[N];
    fill<<<4, 256, 0, free_a>>>(x, 1);
    cudaMemcpy(host, x, sizeof host, cudaMemcpyDeviceToHost);
    cudaMemcpyAsync(x, host, sizeof host, cudaMemcpyHostToDevice, free_b);
    cudaDeviceSynchronize();
    cudaMemset2DAsync(x, 64, 0, 4, N / 16, a); // the first of each sixteen
    cudaMemset2DAsync(x + 1, 64, 0, 4, N / 16, b);
    cudaMemcpyAsync(y, x + 15, 4, cudaMemcpyDeviceToDevice, b);
    cudaMemcpyAsync(y + 1, x + 16, 4, cudaMemcpyDeviceToDevice, b);
}

// Two that count are in nobody's way; who looks is.
static void atomics() {
    cudaMemset(x, 0, N * sizeof(int));
    count<<<4, 256, 0, a>>>(x + 1);
    count<<<4, 256, 0, b>>>(x + 1);
    twice<<<1, 256, 0, b>>>(x, y);
}

static void pool() {
    int *mine;
    cudaMallocAsync(&mine, N * sizeof(int), a);
    fill<<<4, 256, 0, a>>>(mine, 1);
    cudaFreeAsync(mine, a);
    cudaMallocAsync(&mine, N * sizeof(int), a);
    fill<<<4, 256, 0, b>>>(mine, 1);
    cudaFreeAsync(mine, a);
}

static void graph() {
    cudaGraph_t g;
    cudaGraphExec_t run;
    cudaStreamBeginCapture(a, cudaStreamCaptureModeGlobal);
    fill<<<4, 256, 0, a>>>(x, 1);
    cudaStreamEndCapture(a, &g);
    cudaGraphInstantiate(&run, g, 0);
    cudaGraphLaunch(run, a);
    cudaGraphLaunch(run, a);
    twice<<<4, 256, 0, b>>>(x, y);
    cudaGraphExecDestroy(run);
    cudaGraphDestroy(g);
}

// a and b part behind the first node, and meet again; `wait` is what the branch lacks.
static cudaGraphExec_t forked(bool wait) {
    cudaGraph_t g;
    cudaGraphExec_t run;
    cudaStreamBeginCapture(a, cudaStreamCaptureModeGlobal);
    fill<<<4, 256, 0, a>>>(x + N, 1);
    cudaEventRecord(e, a);
    cudaStreamWaitEvent(b, e, 0);
    fill<<<4, 256, 0, a>>>(x, 1);
    if (wait) {
        cudaEventRecord(e, a);
        cudaStreamWaitEvent(b, e, 0);
    }
    twice<<<4, 256, 0, b>>>(x, y);
    twice<<<4, 256, 0, b>>>(x + N, y + N);
    cudaEventRecord(e, b);
    cudaStreamWaitEvent(a, e, 0);
    fill<<<4, 256, 0, a>>>(y, 1);
    cudaStreamEndCapture(a, &g);
    cudaGraphInstantiate(&run, g, 0);
    cudaGraphDestroy(g);
    return run;
}

static void branches() {
    cudaGraphExec_t run = forked(false);
    cudaMemset(x, 0, N * sizeof(int));
    cudaGraphLaunch(run, a);
    twice<<<4, 256, 0, a>>>(y, x); // comes after both branches
    cudaGraphExecDestroy(run);
}

static void joined() {
    cudaGraphExec_t run = forked(true);
    for (int i = 0; i < 3; i++)
        cudaGraphLaunch(run, a);
    fill<<<4, 256, 0, a>>>(x, 1);
    cudaGraphExecDestroy(run);
}

static void nodes() {
    static int host[N], value = 5;
    cudaGraph_t g;
    cudaGraphExec_t run;
    cudaGraphNode_t first, second, third;
    void *of_fill[] = {&x, &value}, *of_twice[] = {&x, &y};
    cudaKernelNodeParams p = {};
    p.func = (void *)fill;
    p.gridDim = dim3(N / 256);
    p.blockDim = dim3(256);
    p.kernelParams = of_fill;
    cudaGraphCreate(&g, 0);
    cudaGraphAddKernelNode(&first, g, NULL, 0, &p);
    p.func = (void *)twice;
    p.kernelParams = of_twice;
    cudaGraphAddKernelNode(&second, g, NULL, 0, &p); // should wait for the first
    cudaGraphAddMemcpyNode1D(&third, g, &second, 1, host, y, sizeof host, cudaMemcpyDeviceToHost);
    cudaMemset(x, 0, N * sizeof(int));
    cudaGraphInstantiate(&run, g, 0);
    cudaGraphLaunch(run, a);
    cudaGraphExecDestroy(run);
    cudaGraphDestroy(g);
}

// A graph waits for its own launch before, also on another stream; the last fill does not.
static void relaunched() {
    cudaGraphExec_t run = forked(true);
    cudaGraphLaunch(run, free_a);
    cudaGraphLaunch(run, free_b);
    fill<<<4, 256, 0, free_a>>>(y, 1);
    cudaGraphExecDestroy(run);
}

// What cuBLAS writes: one triangle, and no gaps of a vector.
static void blas() {
    const float one = 1, zero = 0;
    float *f = (float *)x, *g = (float *)y;
    cublasHandle_t handle;
    cublasCreate(&handle);
    cudaMemset(x, 0, 2 * N * sizeof(int));
    cudaMemset(y, 0, 2 * N * sizeof(int));
    cudaDeviceSynchronize();
    cublasSetStream(handle, free_a);
    cublasSsyrk(handle, CUBLAS_FILL_MODE_LOWER, CUBLAS_OP_N, 8, 8, &one, g, 8, &zero, f, 8);
    cublasSswap(handle, 4, f + 128, 2, f + 256, 2);
    cublasSgeam(handle, CUBLAS_OP_N, CUBLAS_OP_T, 8, 8, &one, g, 8, &one, g, 8, f + 512, 8);
    cublasSetStream(handle, free_b);
    for (int j = 1; j < 8; j++)
        cudaMemsetAsync(f + 8 * j, 0, 4 * j, free_b); // the other triangle
    cublasSscal(handle, 3, &one, f + 129, 2);         // the gaps
    cublasStrsm(handle, CUBLAS_SIDE_LEFT, CUBLAS_FILL_MODE_LOWER, CUBLAS_OP_N, CUBLAS_DIAG_UNIT, 8,
                8, &one, f, 8, f + 512, 8);
    cudaMemsetAsync(f + 260, 0, 4, free_b);
    cublasDestroy(handle);
}

// Kernels that wait for each other by flags: the second for the first, the third for the second, and so
// for both; the fourth has a flag of its own.
static void handed_on(bool fourth) {
    cudaMemset(x, 0, 2 * N * sizeof(int));
    cudaMemset(y, 0, 2 * N * sizeof(int));
    cudaDeviceSynchronize();
    hand_on<<<1, 32, 0, a>>>(x, x + 64, NULL, y);
    hand_on<<<1, 32, 0, a>>>(x, x + 96, NULL, y + 4); // its flag is another
    hand_on<<<1, 32, 0, b>>>(x + 64, x + 128, y, y + 1);
    hand_on<<<1, 32, 0, free_a>>>(x + 64, x + 192, y + 1, y + 2);
    if (fourth)
        hand_on<<<1, 32, 0, free_b>>>(x + 128, x + 256, NULL, y + 3);
}

static void flags() {
    handed_on(false);
}

static void fences() {
    handed_on(true);
}

int main(int count, char **words) {
    const struct {
        const char *name;
        void (*run)();
    } cases[] = {{"waits", waits},     {"reads", reads},         {"writes", writes},
                 {"before", before},   {"apart", apart},         {"copies", copies},
                 {"atomics", atomics}, {"pool", pool},           {"graph", graph},
                 {"blocks", blocks},   {"destroyed", destroyed}, {"branches", branches},
                 {"joined", joined},   {"nodes", nodes},         {"relaunched", relaunched},
                 {"blas", blas},       {"flags", flags},         {"fences", fences}};
    cudaStreamCreate(&a);
    cudaStreamCreate(&b);
    cudaStreamCreateWithFlags(&free_a, cudaStreamNonBlocking);
    cudaStreamCreateWithFlags(&free_b, cudaStreamNonBlocking);
    cudaEventCreate(&e);
    cudaMalloc(&x, 2 * N * sizeof(int));
    cudaMalloc(&y, 2 * N * sizeof(int));
    for (auto &one : cases)
        if (count == 2 && strcmp(words[1], one.name) == 0)
            one.run();
    cudaDeviceSynchronize();
    cudaFree(x);
    cudaFree(y);
}
