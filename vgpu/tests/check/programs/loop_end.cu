// One line reads what others write, in a loop: the barrier that is missing is the one between rounds,
// or the one between reading and writing.
// run: unrolled
// run: counted
// run: same-round
#include <cstdio>
#include <cstring>

__global__ void unrolled(const int *x, int *out) {
    __shared__ int s[128];
    const int t = threadIdx.x;
    s[t] = x[t];
    __syncthreads();
    for (int o = 64; o > 0; o >>= 1) {
        if (t < o)
            s[t] += s[t + o];
    }
    if (t == 0)
        *out = s[0];
}

__global__ void counted(const int *x, int *out, int n) {
    __shared__ int s[128];
    const int t = threadIdx.x;
    s[t] = x[t];
    __syncthreads();
    for (int o = n; o > 0; o /= 2) {
        if (t < o)
            s[t] += s[t + o];
    }
    if (t == 0)
        *out = s[0];
}

// Rounds are apart; a round's reads and writes are not.
__global__ void same_round(const int *x, int *out, int n) {
    __shared__ int s[128];
    const int t = threadIdx.x;
    s[t] = x[t];
    for (int d = 1; d < n; d *= 2) {
        __syncthreads();
        if (t >= d)
            s[t] += s[t - d];
    }
    if (t == 127)
        *out = s[t];
}

int main(int, char **argv) {
    int *x, *y;
    cudaMalloc(&x, 128 * 4), cudaMemset(x, 1, 128 * 4);
    cudaMalloc(&y, 4);
    if (strcmp(argv[1], "unrolled") == 0)
        unrolled<<<1, 128>>>(x, y);
    else if (strcmp(argv[1], "counted") == 0)
        counted<<<1, 128>>>(x, y, 64);
    else
        same_round<<<1, 128>>>(x, y, 128);
    printf("%s\n", cudaGetErrorString(cudaDeviceSynchronize()));
    cudaFree(x), cudaFree(y);
}
