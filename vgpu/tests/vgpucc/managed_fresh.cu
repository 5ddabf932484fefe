// Managed memory that nobody has written: it holds zeros, as on a GPU, and who reads it is told so.
// What the host has written is not: not by stores, nor by copies, nor while a kernel runs.
#include <cstdio>
#include <cstring>
#include <thread>

__global__ void count(int *bins, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        atomicAdd(&bins[i % 3], 1);
}

__global__ void add(const int *x, int *sum, int n) {
    for (int i = 0; i < n; i++)
        *sum += x[i];
}

__global__ void ask(const double *x, int i, double *out) {
    *out = x[i];
}

__global__ void wait_for(const volatile int *flag, const volatile int *x, int *sum) {
    while (*flag == 0)
        ;
    *sum = x[0] + x[1];
}

int *managed(int n) {
    int *p;
    cudaMallocManaged(&p, n * sizeof(int));
    return p;
}

int main() {
    int *bins = managed(3), *sum = managed(1), *x = managed(5000), *y = managed(5000);
    count<<<2, 32>>>(bins, 50); // told
    cudaDeviceSynchronize();
    printf("bins %d %d %d\n", bins[0], bins[1], bins[2]);

    *sum = 0;
    memset(x, 0, 5000 * sizeof(int)); // zeros that somebody wrote are values
    for (int i = 0; i < 100; i++)
        x[i] = i;
    add<<<1, 1>>>(x, sum, 5000);
    cudaDeviceSynchronize();
    printf("sum %d\n", *sum);

    *sum = 0;
    for (int i = 0; i < 2000; i++) // pages 0 and 1; x[4000] is on page 3
        y[i] = 1;
    add<<<1, 1>>>(y, sum, 5000); // told
    cudaDeviceSynchronize();
    printf("sum %d\n", *sum);

    int *half = managed(4000), from[4000] = {1};
    cudaMemcpy(half, from, 2000 * sizeof(int), cudaMemcpyDefault);
    cudaMemset(half + 2000, 0, 2000 * sizeof(int));
    *sum = 0;
    add<<<1, 1>>>(half, sum, 4000);
    cudaDeviceSynchronize();
    printf("sum %d\n", *sum);

    double *d, *out;
    cudaMallocManaged(&d, 1000 * sizeof *d);
    cudaMallocManaged(&out, sizeof *out);
    ask<<<1, 1>>>(d, 999, out); // told
    cudaDeviceSynchronize();
    printf("fresh %g\n", *out);
    int copy[4];
    int *z = managed(4);
    cudaMemcpy(copy, z, sizeof copy, cudaMemcpyDefault); // told
    printf("copy %d %d\n", copy[0], copy[3]);
    // What came and went before leaves nothing behind.
    memset(z, 7, 16);
    cudaFree(z);
    z = managed(4);
    printf("anew %d\n", z[3]);
    int *flag = managed(1), *late = managed(2);
    *flag = 0;
    std::thread host([=] {
        late[0] = 40;
        late[1] = 2;
        __atomic_store_n(flag, 1, __ATOMIC_RELEASE);
    });
    wait_for<<<1, 1>>>(flag, late, sum);
    host.join();
    cudaDeviceSynchronize();
    printf("meanwhile %d\n", *sum);
    return 0;
}
