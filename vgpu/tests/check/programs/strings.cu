// A string constant beside a bad address is named by its text, and not as the compiler calls it.
// run: 1
// run: 2
// run: 3
// run: 4
#include <stdio.h>
#include <stdlib.h>

__global__ void letter(int n) {
    const char *text = "a text that is long enough to be shortened\n";
    printf("%c\n", text[n]);
}

__global__ void short_one(int n) {
    const char *text = "ab\n\tc";
    printf("%c", text[n]);
}

/* The values of a local array that is static: a constant. */
__global__ void array(float *out, int n) {
    static const float weights[7] = {1, 2, 3, 4, 5, 6, 7.5f};
    out[0] = weights[n];
}

int main(int argc, char **argv) {
    const int what = argc > 1 ? atoi(argv[1]) : 0;
    float *out;
    cudaMalloc(&out, 4);
    switch (what) {
    case 1: letter<<<1, 1>>>(44); break;
    case 2: letter<<<1, 1>>>(-2); break;
    case 3: short_one<<<1, 1>>>(6); break;
    case 4: array<<<1, 1>>>(out, 7); break;
    }
    printf("%s\n", cudaGetErrorString(cudaDeviceSynchronize()));
    return 0;
}
