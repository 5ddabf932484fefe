// only: clang
// A kernel's arrays in shared memory: 48 KiB in all are allowed, one float more is refused, as nvcc
// refuses it. What a launch asks for is no matter of the compiler.
__shared__ float of_all[100];

__global__ void just_fits(float *x) {
    __shared__ float a[12288 - 100 - 1], one;
    one = a[threadIdx.x] = of_all[threadIdx.x] = x[threadIdx.x];
    __syncthreads();
    x[threadIdx.x] = a[0] + of_all[1] + one;
}

template <int N>
__global__ void too_large(float *x) {
    extern __shared__ float more[];
    __shared__ float a[N], b[8192], c[4096 - 100];
    a[threadIdx.x] = b[threadIdx.x] = c[threadIdx.x] = of_all[threadIdx.x] = x[threadIdx.x];
    more[threadIdx.x] = x[threadIdx.x];
    __syncthreads();
    x[threadIdx.x] = a[0] + b[0] + c[0] + more[0] + of_all[1];
}

int main() {
    just_fits<<<1, 32>>>(nullptr);
    too_large<1><<<1, 32>>>(nullptr);
    return 0;
}
