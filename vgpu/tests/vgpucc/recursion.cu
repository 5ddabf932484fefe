// Recursion on the device: lanes at different depths, local arrays, calls to and fro, pointers.
// And a recursion that does not end.
#include <cstdio>

__device__ __noinline__ int fibonacci(int n) {
    return n < 2 ? n : fibonacci(n - 1) + fibonacci(n - 2);
}

__device__ __noinline__ int odd(int n);
__device__ __noinline__ int even(int n) {
    return n == 0 ? 1 : odd(n - 1);
}
__device__ __noinline__ int odd(int n) {
    return n == 0 ? 0 : even(n - 1);
}

// Each call's array is its own, and the caller's is still there afterwards.
__device__ __noinline__ int tree(int depth, const int *above) {
    int mine[4];
    for (int i = 0; i < 4; ++i)
        mine[i] = depth * 10 + i + (above ? above[i & depth] : 0);
    if (depth == 0)
        return mine[3];
    const int left = tree(depth - 1, mine), right = tree(depth - 1, nullptr);
    return left + right + mine[depth & 3];
}

static int host_tree(int depth, const int *above) {
    int mine[4];
    for (int i = 0; i < 4; ++i)
        mine[i] = depth * 10 + i + (above ? above[i & depth] : 0);
    if (depth == 0)
        return mine[3];
    const int left = host_tree(depth - 1, mine), right = host_tree(depth - 1, nullptr);
    return left + right + mine[depth & 3];
}

__device__ void quicksort(int *a, int low, int high) {
    if (low >= high)
        return;
    const int pivot = a[(low + high) / 2];
    int i = low, j = high;
    while (i <= j) {
        while (a[i] < pivot)
            ++i;
        while (a[j] > pivot)
            --j;
        if (i <= j) {
            const int t = a[i];
            a[i++] = a[j];
            a[j--] = t;
        }
    }
    quicksort(a, low, j);
    quicksort(a, i, high);
}

__global__ void numbers(int *out) {
    const int i = threadIdx.x;
    out[i] = fibonacci(i % 13) * 1000000 + even(i % 20) * 100000 + tree(i % 5, nullptr);
}

__global__ void sort(int *a) {
    quicksort(a + 100 * threadIdx.x, 0, 99);
}

__device__ __noinline__ int endless(volatile int *calls, int n) {
    *calls += 1;
    return n < 0 ? 0 : endless(calls, n + 1) + *calls;
}
__global__ void never_returns(int *out) {
    *out = endless(out, 0);
}

static int host_fibonacci(int n) {
    return n < 2 ? n : host_fibonacci(n - 1) + host_fibonacci(n - 2);
}

int main() {
    int *out;
    cudaMallocManaged(&out, 64 * sizeof(int));
    numbers<<<1, 64>>>(out);
    printf("%s\n", cudaGetErrorString(cudaDeviceSynchronize()));
    int wrong = 0;
    for (int i = 0; i < 64; ++i)
        wrong += out[i] != host_fibonacci(i % 13) * 1000000 + (i % 2 == 0) * 100000 + host_tree(i % 5, nullptr);
    printf("wrong: %d\n", wrong);

    int *a;
    cudaMallocManaged(&a, 3200 * sizeof(int));
    for (int i = 0; i < 3200; ++i)
        a[i] = i * 7919 % 1009;
    cudaDeviceSetLimit(cudaLimitStackSize, 16384);
    sort<<<1, 32>>>(a);
    printf("%s\n", cudaGetErrorString(cudaDeviceSynchronize()));
    wrong = 0;
    for (int i = 0; i < 3200; ++i)
        wrong += i % 100 != 0 && a[i - 1] > a[i];
    printf("out of order: %d\n", wrong);
    never_returns<<<1, 1>>>(out);
    printf("%s\n", cudaGetErrorString(cudaDeviceSynchronize()));
}
