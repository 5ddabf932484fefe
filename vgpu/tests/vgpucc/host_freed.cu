// The host reads managed memory after it was freed: it dies as with a GPU, and is told where.
#include <stdio.h>

int main(void) {
    int *p;
    cudaMallocManaged(&p, 4 * sizeof *p);
    p[0] = 3;
    cudaFree(p);
    printf("%d\n", p[1]);
    return 0;
}
