// main.cuh: a product by matmul_device of whatever file comes first: prog M N K [SEED].
#include <cstdio>
#include <cstdlib>

int main(int argc, char **argv) {
    if (argc < 4)
        return 2;
    const int m = atoi(argv[1]), n = atoi(argv[2]), k = atoi(argv[3]);
    const size_t count[3] = {(size_t)m * k, (size_t)k * n, (size_t)m * n};
    float *device[3];
    for (int i = 0; i < 3; i++) {
        float *host = (float *)malloc(count[i] * sizeof(float));
        for (size_t e = 0; e < count[i]; e++)
            host[e] = (float)((e * 7 + i) % 11) - 5;
        cudaMalloc(&device[i], count[i] * sizeof(float));
        if (i < 2)
            cudaMemcpy(device[i], host, count[i] * sizeof(float), cudaMemcpyHostToDevice);
        free(host);
    }
    matmul_device(m, n, k, device[0], device[1], device[2]);
    const cudaError_t error = cudaDeviceSynchronize();
    for (int i = 0; i < 3; i++)
        cudaFree(device[i]);
    return error == cudaSuccess ? 0 : 1;
}
