// Structs with padding: whoever copies one reads bytes that nobody has written, and nobody minds.
// What a struct's members hold is another matter, in the original and in its copies.
// run: 1
// run: 2
// run: 3
// run: 4
// run: 5
// run: 6
#include <cstdio>
#include <cstdlib>

struct pair {
    char c;
    float f;
};
struct wide {
    float c;
    double f;
};
struct __align__(16) lone {
    float f;
};

__device__ void fill(pair *p, int i) { p->c = i, p->f = i; }
__device__ void fill(wide *p, int i) { p->c = i, p->f = i; }
__device__ void fill(lone *p, int i) { p->f = i; }

template <class T> __global__ void make(T *p) { fill(&p[threadIdx.x], threadIdx.x); }
template <class T> __global__ void copy(T *to, const T *from) {
    to[threadIdx.x] = from[threadIdx.x];
}
template <class T> __global__ void turn(T *to, const T *from) {
    __shared__ T part[32];
    fill(&part[threadIdx.x], 2 * threadIdx.x);
    __syncthreads();
    to[threadIdx.x] = part[31 - threadIdx.x];
}
template <class T> __global__ void add(float *out, const T *p) {
    out[threadIdx.x] += p[threadIdx.x].f;
}
// Only half of each struct.
template <class T> __global__ void half(T *p) { p[threadIdx.x].c = threadIdx.x; }
// Copied in a loop, by one and the same instruction: first what is there in part, then what is all
// there.
__global__ void twice(pair *to, const pair *part, const pair *whole) {
#pragma unroll 1
    for (int i = 0; i < 2; i++)
        to[32 * i + threadIdx.x] = (i == 0 ? part : whole)[threadIdx.x];
}

// Two neighbours are read at once; one is used as well.
__global__ void two(pair *to, unsigned *out, const pair *from) {
    unsigned x, y;
    asm volatile("ld.global.v2.u32 {%0, %1}, [%2];" : "=r"(x), "=r"(y) : "l"(from + threadIdx.x));
    asm volatile("st.global.v2.u32 [%0], {%1, %2};" ::"l"(to + threadIdx.x), "r"(x), "r"(y));
    out[threadIdx.x] = y + 1;
}

template <class T> void copies(bool to_host) {
    T *a, *b, host[32];
    float *out;
    cudaMalloc(&a, sizeof host);
    cudaMalloc(&b, sizeof host);
    cudaMalloc(&out, 128);
    cudaMemset(out, 0, 128);
    make<<<1, 32>>>(a);
    copy<<<1, 32>>>(b, a);
    turn<<<1, 32>>>(a, b);
    copy<<<1, 32>>>(b, a);
    add<<<1, 32>>>(out, b);
    if (to_host)
        cudaMemcpy(host, a, sizeof host, cudaMemcpyDeviceToHost);
    cudaDeviceSynchronize();
    cudaFree(a);
    cudaFree(b);
    cudaFree(out);
}

int main(int argc, char **argv) {
    pair *a, *b;
    float *out;
    cudaMalloc(&a, 32 * sizeof *a);
    cudaMalloc(&b, 64 * sizeof *b);
    cudaMalloc(&out, 128);
    cudaMemset(out, 0, 128);
    switch (argc > 1 ? atoi(argv[1]) : 0) {
    case 1: // all is well
        copies<pair>(true);
        copies<wide>(true);
        copies<lone>(false);
        break;
    case 2: // a member that nobody has set, and its copy's reader
        half<<<1, 32>>>(a);
        copy<<<1, 32>>>(b, a);
        add<<<1, 32>>>(out, b);
        break;
    case 3: // nothing of it is set: no padding
        copy<<<1, 32>>>(b, a);
        break;
    case 4: // the second half of what is copied there is all there
        half<<<1, 32>>>(a);
        cudaMemset(b, 0, 32 * sizeof *b);
        copy<<<1, 32>>>(b, b);
        twice<<<1, 32>>>(b, a, b);
        add<<<1, 32>>>(out, b + 32);
        break;
    case 5: // a member that nobody has set, at the host
        pair host[32];
        half<<<1, 32>>>(a);
        cudaMemcpy(host, a, sizeof host, cudaMemcpyDeviceToHost);
        break;
    case 6: // a copy of which a part is used: no mere copy
        half<<<1, 32>>>(a);
        two<<<1, 32>>>(b, (unsigned *)out, a);
        break;
    }
    cudaFree(a);
    cudaFree(b);
    cudaFree(out);
    printf("%s\n", cudaGetErrorName(cudaDeviceSynchronize()));
    return 0;
}
