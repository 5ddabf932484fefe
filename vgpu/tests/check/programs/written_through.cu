// What a kernel writes to, however the address comes about: a race there is told, although other
// arguments lead to what is only read. The last runs write where nothing of theirs leads.
// run: same
// run: table
// run: struct
// run: halves
// run: variable
// run: chosen
// run: difference
// run: loaded
// run: generic
// run: atomic
// run: apart
// run: stray
#include <stdio.h>
#include <string.h>

enum { N = 256 };

__device__ int variable[N + 1];

struct view {
    int size;
    int *at;
};

__global__ void same(const int *in, int *out) { out[threadIdx.x] = in[threadIdx.x + 1]; }

__global__ void table(const int *in, int **rows) {
    rows[0][threadIdx.x] = in[threadIdx.x + 1];
}

__global__ void by_struct(view v, const int *in) { v.at[threadIdx.x] = in[threadIdx.x + 1]; }

__global__ void halves(unsigned low, unsigned high, const int *in) {
    int *out = (int *)((unsigned long long)high << 32 | low);
    out[threadIdx.x] = in[threadIdx.x + 1];
}

__global__ void to_variable(const int *in) { variable[threadIdx.x] = in[threadIdx.x + 1]; }

__global__ void chosen(const int *in, int *a, int *b, int which) {
    (which ? a : b)[threadIdx.x] = in[threadIdx.x + 1];
}

__global__ void difference(const int *in, int *out, long apart) {
    (out + apart)[threadIdx.x] = in[threadIdx.x + 1];
}

__global__ void loaded(const int *in, const unsigned *parts) {
    asm volatile("{ .reg .b64 p; mov.b64 p, {%0, %1}; st.global.u32 [p], %2; }" ::"r"(parts[0]),
                 "r"(parts[1]), "r"(in[threadIdx.x + 1])
                 : "memory");
}

__global__ void generic(const int *in, int *out, int shared) {
    __shared__ int here[N];
    int *to = shared ? here : out;
    to[threadIdx.x] = in[threadIdx.x + 1];
}

__global__ void atomic(const int *in, int *out) {
    if (in[threadIdx.x + 1] == 0)
        atomicAdd(out + threadIdx.x, 1);
}

__global__ void stray(const int *in, int *out, int far) {
    const int x = in[threadIdx.x]; // 0, or what the other block put there: never below
    const int value = x < 0 ? x : threadIdx.x < 2 ? (int)blockIdx.x : 1;
    out[(int)threadIdx.x + (threadIdx.x < 2 ? far : 0)] = value;
}

int main(int argc, char **argv) {
    const char *what = argv[argc - 1];
    int *a, *b, **rows;
    unsigned *parts;
    void *v;
    cudaMalloc(&a, (N + 1) * sizeof *a);
    cudaMalloc(&b, (N + 1) * sizeof *b);
    cudaMalloc(&rows, sizeof *rows);
    cudaMalloc(&parts, sizeof a);
    cudaMemset(a, 0, (N + 1) * sizeof *a);
    cudaMemset(b, 0, (N + 1) * sizeof *b);
    cudaMemcpy(rows, &a, sizeof a, cudaMemcpyHostToDevice);
    cudaMemcpy(parts, &a, sizeof a, cudaMemcpyHostToDevice);
    cudaGetSymbolAddress(&v, variable);
    const unsigned long long bits = (unsigned long long)a;
    if (!strcmp(what, "same"))
        same<<<1, N>>>(a, a);
    else if (!strcmp(what, "table"))
        table<<<1, N>>>(a, rows);
    else if (!strcmp(what, "struct"))
        by_struct<<<1, N>>>(view{N, a}, a);
    else if (!strcmp(what, "halves"))
        halves<<<1, N>>>((unsigned)bits, (unsigned)(bits >> 32), a);
    else if (!strcmp(what, "variable"))
        to_variable<<<1, N>>>((int *)v);
    else if (!strcmp(what, "chosen"))
        chosen<<<1, N>>>(a, b, a, 0);
    else if (!strcmp(what, "difference"))
        difference<<<1, N>>>(a, b, a - b);
    else if (!strcmp(what, "loaded"))
        loaded<<<1, N>>>(a, parts);
    else if (!strcmp(what, "generic"))
        generic<<<1, N>>>(a, a, 0);
    else if (!strcmp(what, "atomic"))
        atomic<<<1, N>>>(a, a);
    else if (!strcmp(what, "apart"))
        same<<<1, N>>>(a, b);
    else
        stray<<<2, N>>>(a, b, (int)(a - b));
    printf("%s: %s\n", what, cudaGetErrorString(cudaDeviceSynchronize()));
    cudaFree(a);
    cudaFree(b);
    cudaFree(rows);
    cudaFree(parts);
    return 0;
}
