// Volatile accesses to global memory without any fence: none of these is a race.
// run: arrive
// run: ticket
// run: stop
// run: look-back
// run: compress
// run: swap
#include <cstdio>
#include <cstring>

// A counter that is waited for, by blocks in their order.
__global__ void arrive(int *count, int *out) {
    atomicAdd(count, 1);
    while (*(volatile int *)count <= (int)blockIdx.x) {
    }
    out[blockIdx.x] = 1;
}

// A lock that is handed on; nothing but the ticket is shared.
__global__ void ticket(int *next, int *serving, int *out) {
    const int mine = atomicAdd(next, 1);
    while (*(volatile int *)serving != mine) {
    }
    out[mine] = mine;
    *(volatile int *)serving = mine + 1;
}

// Who finds it first tells the others to stop.
__global__ void stop(int *found, int *out, int n) {
    const int i = blockIdx.x * 32 + threadIdx.x;
    for (int k = 0; k < 50 && *(volatile int *)found == 0; k++)
        if (i * 50 + k == n)
            *(volatile int *)found = 1;
    out[i] = 1;
}

// Value and state are one word, so that who sees the one sees the other.
__global__ void look_back(volatile unsigned long long *state, int *out) {
    const int b = blockIdx.x;
    state[b] = (1ull << 32) + b + 1;
    int sum = b + 1;
    for (int p = b - 1; p >= 0; p--) {
        unsigned long long s;
        do
            s = state[p];
        while (s == 0);
        sum += (int)s;
        if (s >> 32 == 2)
            break;
    }
    state[b] = (2ull << 32) + sum;
    out[b] = sum;
}

// Roots of trees, whose paths become shorter as they are walked.
__global__ void compress(volatile int *parent, int n) {
    const int i = blockIdx.x * 32 + threadIdx.x;
    for (int v = i; v < n && parent[v] != v;) {
        const int next = parent[v], after = parent[next];
        parent[v] = after;
        v = after;
    }
}

// What a swap expects comes from another array: that one is only read.
__global__ void swap(const int *expected, int *words) {
    const int v = expected[threadIdx.x];
    atomicCAS(&words[threadIdx.x], v, 7);
}

__global__ void numbers(int *x, int n) {
    const int i = blockIdx.x * 32 + threadIdx.x;
    if (i < n)
        x[i] = i > 0 ? i - 1 : 0;
}

int main(int argc, char **argv) {
    const char *what = argc > 1 ? argv[1] : "";
    int *x, *y, *out;
    cudaMalloc(&x, 4096);
    cudaMalloc(&y, 4096);
    cudaMalloc(&out, 4096);
    cudaMemset(x, 0, 4096);
    cudaMemset(y, 0, 4096);
    if (!strcmp(what, "arrive"))
        arrive<<<3, 1>>>(x, out);
    if (!strcmp(what, "ticket"))
        ticket<<<4, 1>>>(x, y, out);
    if (!strcmp(what, "stop"))
        stop<<<4, 32>>>(x, out, 900);
    if (!strcmp(what, "look-back"))
        look_back<<<8, 1>>>((unsigned long long *)x, out);
    if (!strcmp(what, "compress")) {
        numbers<<<4, 32>>>(x, 100);
        compress<<<4, 32>>>(x, 100);
    }
    if (!strcmp(what, "swap"))
        swap<<<1, 32>>>(x, y);
    printf("%s\n", cudaGetErrorString(cudaDeviceSynchronize()));
    cudaFree(x);
    cudaFree(y);
    cudaFree(out);
    return 0;
}
