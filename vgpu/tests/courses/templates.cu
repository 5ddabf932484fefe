#include "check.cuh"
template <typename T, template <typename> class Op> __global__ void map(T *x, int n, Op<T> op) { int i = threadIdx.x; if (i < n) x[i] = op(x[i]); }
template <typename T> struct Square { __host__ __device__ T operator()(T v) const { return v * v; } };
template <typename T> struct Plus { T c; __device__ T operator()(T v) const { return v + c; } };
template <class... A> __device__ auto total(A... a) { return (a + ...); }
__global__ void fold(int *o) { *o = total(1, 2, 3, threadIdx.x); }
int main() { double *x; int *o; CUDA(cudaMallocManaged(&x, 80)); CUDA(cudaMallocManaged(&o, 4)); for (int i = 0; i < 10; i++) x[i] = i; map<<<1, 10>>>(x, 10, Square<double>()); map<<<1, 10>>>(x, 10, Plus<double>{1}); fold<<<1, 1>>>(o); CUDA(cudaDeviceSynchronize()); for (int i = 0; i < 10; i++) MUST(x[i] == i * i + 1); MUST(*o == 6); cudaFree(x); cudaFree(o); }
