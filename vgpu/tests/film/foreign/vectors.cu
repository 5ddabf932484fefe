// float4: loads of four, members by name, a struct of them.
#include <cstdio>
struct quad { float4 v; int tag; };
__global__ void scale(float4 *out, const float4 *in, int n) {
    int i = threadIdx.x;
    quad q;
    float largest = -1e30f;
    q.tag = 0;
    for (int k = i; k < n; k += blockDim.x) {
        q.v = in[k];
        float sum = q.v.x + q.v.y;
        sum += q.v.z * q.v.w;
        largest = sum > largest ? sum : largest;
        q.tag += k;
        q.v.x = sum;
        q.v.w = largest;
        out[k] = make_float4(q.v.w, q.v.z, q.v.y, q.v.x);
    }
}
int main() {
    float h[4 * 96]; float4 *d[2];
    for (int i = 0; i < 4 * 96; i++) h[i] = i % 11 - 5;
    for (int i = 0; i < 2; i++) { cudaMalloc(&d[i], sizeof h); cudaMemcpy(d[i], h, sizeof h, cudaMemcpyHostToDevice); }
    scale<<<1, 40>>>(d[1], d[0], 96);
    cudaDeviceSynchronize();
}
