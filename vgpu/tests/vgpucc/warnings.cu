// only: clang
// One warning for code that both passes see, none for what is merely unfinished.
#include <stdio.h>

__global__ void unfinished(float *x, int n) {
    int i = threadIdx.x;
    // TODO
}

static int uncertain(int n) {
    int sum;
    if (n > 3)
        sum = n;
    return sum;
}

__host__ __device__ static void unused() {}

int main(int argc, char **argv) {
    int left = 3;
    printf("%d\n", argc > 5 ? uncertain(argc) : 0);
    return 0;
}
