// earlier.cu: kernels with host code between: it reads a file, and prints. How far back one may go.
#include <cstdio>

struct pair {
    int sum, count;
};

__global__ void add(pair *p, int number) {
    p->sum += number;
    p->count++;
    printf("kernel: sum %d\n", p->sum);
}

__global__ void half(pair *p) {
    __shared__ int old;
    old = p->sum;
    p->sum = old / 2;
}

int main(int argc, char **argv) {
    FILE *numbers = argc > 1 ? fopen(argv[1], "r") : NULL;
    int number, times = 0;
    pair *p, seen;
    cudaMalloc(&p, sizeof *p);
    cudaMemset(p, 0, sizeof *p);
    while (numbers != NULL && fscanf(numbers, "%d", &number) == 1) {
        if (times++ == 0)
            setvbuf(numbers, NULL, _IONBF, 0);
        add<<<1, 1>>>(p, number);
        cudaMemcpy(&seen, p, sizeof seen, cudaMemcpyDeviceToHost);
        printf("host: %d numbers, sum %d\n", seen.count, seen.sum);
        fflush(stdout);
    }
    half<<<1, 1>>>(p);
    cudaMemcpy(&seen, p, sizeof seen, cudaMemcpyDeviceToHost);
    printf("host: half is %d\n", seen.sum);
    cudaFree(p);
    return 0;
}
