// Memory mistakes of the host's part: leaks, bad frees, bad copies.
// run: 1
// run: 2
// run: 3
// run: 4
// run: 5
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv) {
    static float host[100];
    float *a = NULL, *b = NULL, *pinned = NULL;
    switch (argc > 1 ? atoi(argv[1]) : 0) {
    case 1: /* leaks */
        cudaMalloc(&a, 400);
        cudaMalloc((void **)&b, 100);
        for (int i = 0; i < 3; i++)
            cudaMalloc(&a, 1000);
        cudaMallocHost(&pinned, 64);
        cudaFree(b);
        break;
    case 2: /* bad frees */
        cudaMalloc(&a, 400);
        cudaFree(a + 10);
        cudaFree(host);
        cudaFree(a);
        cudaFree(a);
        break;
    case 3: /* too much, and the wrong way */
        cudaMalloc(&a, 400);
        cudaMemcpy(a + 50, host, 400, cudaMemcpyHostToDevice);
        cudaMemcpy(a, host, 400, cudaMemcpyDeviceToHost);
        cudaFree(a);
        break;
    case 4: /* a reset frees, too late to be called tidy */
        cudaMalloc(&a, 400);
        cudaDeviceReset();
        break;
    case 5: /* nothing wrong */
        cudaMalloc(&a, 400);
        cudaMallocHost(&pinned, 64);
        cudaFree(a);
        cudaFreeHost(pinned);
        break;
    }
    return 0;
}
