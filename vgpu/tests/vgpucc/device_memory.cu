// memcpy and memset in device code.
#include <cstdio>
#include <cstring>
struct S {
    int a[10];
};
__global__ void k(S *out, const S *in, int n) {
    S s;
    memcpy(&s, in, sizeof s);
    memset(s.a + 2, 0, 8);
    std::memcpy(out, &s, n);
}
int main() {
    S h, *a, *b;
    for (int i = 0; i < 10; i++)
        h.a[i] = i;
    cudaMalloc(&a, sizeof h);
    cudaMalloc(&b, sizeof h);
    cudaMemcpy(a, &h, sizeof h, cudaMemcpyHostToDevice);
    k<<<1, 1>>>(b, a, sizeof h);
    cudaMemcpy(&h, b, sizeof h, cudaMemcpyDeviceToHost);
    for (int i = 0; i < 10; i++)
        printf("%d ", h.a[i]);
    printf("\n");
}
