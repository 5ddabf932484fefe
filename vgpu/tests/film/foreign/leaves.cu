// Threads that leave early, break, continue, goto, switch and the comma.
#include <cstdio>
__global__ void collatz(int *steps, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x, count = 0;
    long long x = i + 1;
    if (i >= n) return;
    for (;;) {
        if (x == 1) break;
        count++;
        if (x % 2 == 0) {
            x /= 2;
            continue;
        }
        x = 3 * x + 1;
        if (count > 60) goto tired;
    }
    switch (count % 3) {
    case 0:
        count += 100;
    case 1:
        count += 10;
        break;
    default:
        count = -count;
    }
    steps[i] = count;
    return;
tired:
    steps[i] = (count = 0, -1);
}
int main() {
    int *d;
    cudaMalloc(&d, 400);
    collatz<<<2, 48>>>(d, 77);
    cudaDeviceSynchronize();
}
