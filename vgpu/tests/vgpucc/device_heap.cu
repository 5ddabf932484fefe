// malloc, free, new and delete in device code; the heap is full; a use after free.
#include <cstdio>

struct Node {
    int value;
    Node *next;
    __device__ Node(int v, Node *n) : value(v), next(n) {}
};

__global__ void lists(int *out) {
    Node *list = nullptr;
    for (int i = 0; i <= (int)threadIdx.x; ++i)
        list = new Node(i, list);
    int sum = 0;
    while (list) {
        Node *next = list->next;
        sum += list->value;
        delete list;
        list = next;
    }
    out[threadIdx.x] = sum;
}

__device__ int *kept;
__global__ void keep(int n) {
    kept = (int *)malloc(n * sizeof(int));
    for (int i = 0; i < n; ++i)
        kept[i] = i * i;
}
__global__ void use(int *out, int n) {
    out[0] = kept[n - 1];
    free(kept);
}
__global__ void too_much(int *out) {
    kept = (int *)malloc((size_t)1 << 30); // no compiler may leave it out
    double *array = new double[10];
    array[9] = 3.0;
    out[0] = kept == nullptr;
    out[1] = (int)array[9];
    delete[] array;
}
// Nor here, where the pointer is only compared: the heap has not so much.
__global__ void only_asked(int *out, size_t bytes) {
    void *p = malloc(bytes);
    out[0] = p == nullptr;
    free(p);
}
__global__ void after_free(int *out) {
    int *p = (int *)malloc(16);
    p[3] = 1;
    out[0] = p[3];
    free(p);
    out[0] = p[3];
}

int main() {
    int *out;
    cudaMallocManaged(&out, 32 * sizeof(int));
    lists<<<1, 32>>>(out);
    printf("%s", cudaGetErrorString(cudaDeviceSynchronize())); printf(": %d %d %d\n", out[0], out[10], out[31]);
    keep<<<1, 1>>>(100);
    use<<<1, 1>>>(out, 100);
    printf("%s", cudaGetErrorString(cudaDeviceSynchronize())); printf(": %d\n", out[0]);
    too_much<<<1, 1>>>(out);
    printf("%s", cudaGetErrorString(cudaDeviceSynchronize())); printf(": %d %d\n", out[0], out[1]);
    only_asked<<<1, 1>>>(out, (size_t)1 << 30);
    printf("%s", cudaGetErrorString(cudaDeviceSynchronize())); printf(": %d\n", out[0]);
    fflush(stdout);
    after_free<<<1, 1>>>(out);
    printf("%s\n", cudaGetErrorString(cudaDeviceSynchronize()));
}
