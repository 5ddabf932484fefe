// Templates, device functions with references, and types that follow from them.
#include <cstdio>
#include <cstdlib>
template <class T, int N> struct row {
    T at[N];
    __device__ T &operator[](int i) { return at[i]; }
};
template <class T> __device__ T dot(const T *a, const T *b, int n, int stride) {
    T sum = 0;
    for (int p = 0; p < n; p++) {
        T product = a[p] * b[p * stride];
        sum += product;
    }
    return sum;
}
__device__ void halve(float &value, int &times) {
    float before = value;
    value = before / 2;
    times++;
}
template <class T, int SIDE> __global__ void multiply(T *c, const T *a, const T *b) {
    row<T, 2> two;
    int y = threadIdx.y, times = 0;
    two[0] = dot<T>(a + y * SIDE, b + threadIdx.x, SIDE, SIDE);
    two[1] = two[0];
    float kept = two[1];
    while (kept > 4)
        halve(kept, times);
    T out = two[0] + times;
    c[y * SIDE + threadIdx.x] = out;
}
int main() {
    float h[64], *d[3];
    for (int i = 0; i < 64; i++) h[i] = i % 7;
    for (int i = 0; i < 3; i++) {
        cudaMalloc(&d[i], sizeof h);
        cudaMemcpy(d[i], h, sizeof h, cudaMemcpyHostToDevice);
    }
    multiply<float, 8><<<1, dim3(8, 8)>>>(d[2], d[0], d[1]);
    cudaDeviceSynchronize();
}
