// only: clang
// Tables of host functions that must stay in the object: clang takes such a constant for one of the
// device's as well, where nothing calls what it names.
#include <cstdio>

static int twice(int x) { return 2 * x; }
int thrice(int x) { return 3 * x; }
__attribute__((used)) static int (*const own[])(int) = {twice, thrice};

static int early = 0;
static void first(int, char **, char **) { early = 7; }
__attribute__((section(".init_array"), used)) static void (*const begin)(int, char **,
                                                                        char **) = first;

__global__ void fill(int *x) { x[threadIdx.x] = threadIdx.x; }

int main() {
    int *d, h[4];
    cudaMalloc(&d, sizeof h);
    fill<<<1, 4>>>(d);
    cudaMemcpy(h, d, sizeof h, cudaMemcpyDeviceToHost);
    cudaFree(d);
    printf("%d %d %d\n", own[0](h[3]), own[1](h[3]), early);
    return 0;
}
