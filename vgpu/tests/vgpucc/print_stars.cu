// printf in a kernel: a width of *, which a GPU fetches, and a precision of *, which it does not
// know: one warning for the program.
#include <cstdio>

__global__ void width(int n) { printf("[%*d] [%-*s]\n", n, 42, n, "ab"); }
__global__ void precision(int n) { printf("[%.*f] [%*.*f]\n", n, 3.14159, 3 * n, n, 2.71828); }

int main() {
    width<<<1, 1>>>(6);
    cudaDeviceSynchronize();
    for (int n = 2; n < 4; n++)
        precision<<<1, 1>>>(n);
    cudaDeviceSynchronize();
    printf("host: [%.*f]\n", 2, 3.14159);
}
